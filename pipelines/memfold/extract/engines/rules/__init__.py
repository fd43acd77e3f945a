"""The engine without a model: patterns for English and Chinese, and for orders in German; for machines without a GPU.

It reads what the user said (nine tenths of the tokens are the assistant's, and what a user wants is in their own
words), without code blocks. Text in other languages gives a summary and literal facts. What a conversation says
is only ever matched: no text changes what the rules do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memfold.extract.contract import Before, Modelless
from memfold.given import check_least
from memfold.schema import Extraction, Window


@dataclass(frozen=True)
class Rules(Modelless):
    """Deterministic extraction by patterns. A rule never looks beyond its exchange, so the history may be empty."""

    history_tokens: int = 0
    assistant_tokens: int = 256

    def __post_init__(self) -> None:
        check_least(self, history_tokens=0, assistant_tokens=0)

    @property
    def signature(self) -> str:
        """The rules' version, to be raised whenever a pattern changes what is written down, and their settings."""
        return f"rules-28/{self.history_tokens}/{self.assistant_tokens}"

    def extract(self, windows: Sequence[Window], before: Before | None = None) -> list[Extraction]:
        """One extraction per window, in order, each from the window's own messages alone."""
        # Compiling their patterns takes 0.2 s, and answering questions does not need them.
        from memfold.extract.engines.rules.reading import extraction

        return [extraction(window) for window in windows]
