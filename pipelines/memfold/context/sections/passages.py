"""What stands deep inside long messages, for the questions that are searched there: the passages that answer best, each
below what the user said."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from memfold.context.focus import MARK, Focus
from memfold.context.outline import outline
from memfold.context.page import PATIENCE, Page
from memfold.context.sections.exchanges import focus, only_calls, piece_of
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least, check_shares
from memfold.retrieve.arms.passages import unsaid
from memfold.retrieve.best import best_first
from memfold.retrieve.passages import Passage, passages_of
from memfold.schema import StoredMessage
from memfold.text.fences import blocks, fence, without_code

# How many passages are looked at for one that is shown: an exchange found may be on the page, or hold several.
_READ = 4


@dataclass(frozen=True)
class FoundPassages(Shared):
    """Shows one passage per message that is not on the page yet. A question about what the assistant said gets up to
    `passages`, a question with words that the user never said up to `unsaid`. Each passage scores at least the share
    `least` of the best one's score. `opening` is how many characters of the user's text stand above it. `around` is how
    many letters of headings and items of the same message stand before it, and behind it (0: none)."""

    share: float = 0.25
    passages: int = 6
    unsaid: int = 2
    least: float = 0.5
    opening: int = 240
    around: int = 0

    label = "From long messages"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, passages=0, unsaid=0, opening=1, around=0)
        check_shares(self, "least")

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the best passages, each below its exchange's opening."""
        told, passages = probed.asked.query.typed.told, passages_of(probed.view)
        left = self.passages if told else self.unsaid
        if not left or passages is None or not len(passages):
            return
        missing = None if told else unsaid(probed.view, probed.asked)
        if missing is not None and not len(missing):
            return
        scores = passages.bm25.scores(probed.asked.bags)
        if missing is not None:
            scores *= passages.bm25.score(missing) > 0
        looked_for = focus(probed)
        good = np.flatnonzero(scores >= max(self.least * float(scores.max()), 1e-9))
        good = good[best_first(scores[good])]
        seen, missed = set(page.told), 0
        for passage in map(passages.__getitem__, good[: _READ * left].tolist()):
            exchange, message = passage.exchange_id, passage.message_id
            if message in seen or (passage.role == "user" and exchange in page.said):
                continue
            seen.add(message)
            if only_calls(message_of(probed, passage)):
                continue
            taken = offer(probed, page, passage, looked_for, self.opening, self.around)
            left -= taken
            missed += not taken
            if not left or missed > PATIENCE:
                return


def offer(
    probed: Probed, page: Page, passage: Passage, looked_for: Focus, opening: int, around: int = 0
) -> bool:
    """Offer a passage, below `opening` letters of what the user said if nothing of that is on the page and it is
    another's; whether it was taken. Up to `around` letters of headings and items stand beside it."""
    episodes, exchange = probed.view.episodes, passage.exchange_id
    position = episodes.position(exchange)
    day = episodes.day(position)
    whole = message_of(probed, passage).text
    if passage.role != "user" and exchange not in page.said:
        page.add(piece_of(episodes, position, looked_for.line(episodes.user_text[position], opening)))
    # Where the points of the rest have no room, the passage stands alone.
    texts = dict.fromkeys(_stretch(whole, passage, beside) for beside in (around, 0))
    return any(page.add(Piece(exchange, (passage.message_id,), passage.role, text, day)) for text in texts)


def message_of(probed: Probed, passage: Passage) -> StoredMessage:
    """The message in which a passage stands."""
    said = probed.view.said([passage.exchange_id])[passage.exchange_id]
    return next(each for each in said if each.message_id == passage.message_id)


def _stretch(text: str, passage: Passage, around: int) -> str:
    """The passage, word for word. Before it and behind it stand up to `around` letters of headings and items, or a mark
    if there are none to show."""
    before, behind = text[: passage.start].strip(), text[passage.end :].strip()
    shown = text[passage.start : passage.end]
    # If the passage ends within a block of code, the rest of the block is code too.
    cut = next((block[0] for block in blocks(text) if block.start() < passage.end < block.end()), "")
    if behind and cut:
        behind = f"{fence(cut)}\n{behind}"

    def told(rest: str) -> str:
        return outline(rest, around) if around and without_code(rest, "").strip() else MARK * bool(rest)

    between = "\n" if around else " "
    return between.join(filter(None, (told(before), shown, told(behind))))
