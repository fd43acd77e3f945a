"""The arm for chats of short turns, where an exchange means little alone: BM25 over each with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.given import check_least
from memfold.retrieve.arms.arm import Weighed
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Asked
from memfold.retrieve.view import View


@dataclass(frozen=True)
class Surroundings(Weighed):
    """Speaks where an exchange has fewer than `below` characters on average, and reads about `window` characters of the
    user's around each, at most `reach` exchanges either way. Between two friends (LoCoMo) `weight` may as well be .4; a
    chat with an assistant turns to another matter sooner, and of 121 questions about such chats 64 had their exchange
    among the first five then, 72 with .2 (decision 61)."""

    weight: float = 0.2
    chinese: float | None = 0.4
    instead_of: tuple[str, ...] = ("lexical", "dense")
    below: int = 400
    window: int = 600
    reach: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, below=0, window=0, reach=0)

    def score(self, view: View, asked: Asked) -> Scores | None:
        """See `Arm.score`."""
        if not view.episodes.terse(self.below):
            return None
        return view.episodes.wide(self.window, self.reach).scores(asked.bags)
