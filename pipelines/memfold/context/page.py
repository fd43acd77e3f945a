"""A context being filled: pieces under labels, and the tokens they take. Knows no ranking and no section.

Every line is counted with its line feed. Qwen's tokenizer never joins a line feed to a word that follows, so the lines'
counts add up to the page's. What begins a line at its left edge (a label, a date, an exchange's number) is this
module's own: text of several lines is indented, so no message can forge one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TypeVar

from memfold.context.template import PLAIN, Template
from memfold.context.types import Filled, Piece
from memfold.text import tokens

T = TypeVar("T")

# How many pieces may fail to fit before a section gives up.
PATIENCE = 12


class Page:
    """`budget` tokens, of which `used` are taken; `scale` is the budget in multiples of the reference's.

    For the sections that follow, `said` are the exchanges whose user's text or summary is on the page, `told` the
    messages of the assistant and of tools that are, `reached` is how far down the ranking the page has come, and
    `usage` what a model cost that had a say. Of the exchanges in `without` nothing is shown but what always holds,
    whichever section offers it. The `template` says how labels and days look; `labels` are those that it shows for the
    sections' own. `speakers` names who speaks as the user in each exchange, where there are several: a line says whose
    words it is of. `unspoken` gives the role that speaks in each exchange without a user: a piece that is offered as
    the user's there takes that role.
    """

    def __init__(
        self,
        budget: int,
        scale: float,
        template: Template = PLAIN,
        labels: Mapping[str, str] = MappingProxyType({}),
        without: Collection[int] = (),
        speakers: Mapping[int, str] = MappingProxyType({}),
        unspoken: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self.budget = budget
        self.scale = scale
        self.used = 0
        self.said: set[int] = set()
        self.told: set[str] = set()
        self.reached = 0
        self.usage: Mapping[str, float] = {}
        self._template = template
        self._labels = labels
        self._without = without
        self._speakers = speakers
        self._unspoken = unspoken
        self._refused: dict[str, set[tuple[int, str, tuple[str, ...]]]] = {}
        self._label = ""
        self._limit = budget
        self._misses = 0
        self._rows: dict[str, list[tuple[Piece, str, int]]] = {}
        self._days: set[tuple[str, str]] = set()

    def begin(self, label: str, share: float) -> None:
        """What follows stands under `label` and takes at most a `share` of the budget."""
        self._label = label
        self._limit = min(self.budget, self.used + int(self.budget * share))

    def patiently(self, items: Iterable[T]) -> Iterator[T]:
        """The items one by one, until more than 12 of the pieces that were added for them did not fit."""
        misses = self._misses
        for item in items:
            yield item
            if self._misses - misses > PATIENCE:
                return

    def add(self, piece: Piece) -> bool:
        """Take a piece in if it fits, with the labels that it is the first to need. A piece without text is none."""
        exchange, role, ids = name = piece.exchange_id, piece.role, piece.message_ids
        if not piece.text or (exchange in self._without and role not in _ALWAYS):
            return True
        if role == "user" and exchange in self._unspoken:
            piece = piece._replace(role=self._unspoken[exchange])
        line, label = _line(piece, self._speakers.get(exchange, "")), self._label
        room, refused = self._limit - self.used, self._refused.setdefault(label, set())
        # What cannot fit need not be counted.
        taken = size = len(line) // tokens.LONGEST
        if size <= room:
            taken = size = (_count if role in _ALWAYS else tokens.count)(line)
            if label not in self._rows:
                size += _count(self._heading(label))
            if piece.day and (label, piece.day) not in self._days:
                size += _count(self._template.date(piece.day))
        if size > room:
            refused.add(name)
            self._misses += 1
            return False
        refused.discard(name)
        self.used += size
        self._rows.setdefault(label, []).append((piece, line, taken))
        self._days.add((label, piece.day))
        if role in ("user", "summary"):
            self.said.add(exchange)
        if role in ("assistant", "tool"):
            self.told.update(ids)
        return True

    def parts(self) -> list[Filled]:
        """The sections that have pieces, in the order they were begun; lines in the order of the conversation."""
        return [self._part(label, rows) for label, rows in self._rows.items()]

    @property
    def left_out(self) -> dict[str, int]:
        """How many pieces had no room, by label, in the order in which the sections came."""
        return {label: len(names) for label, names in self._refused.items() if names}

    def _heading(self, label: str) -> str:
        return self._template.head(self._labels.get(label, label))

    def _part(self, label: str, rows: Sequence[tuple[Piece, str, int]]) -> Filled:
        # What is reckoned stands as it was offered, the likeliest first.
        rows = sorted(rows, key=lambda row: 0 if row[0].role == "reckoned" else row[0].exchange_id)
        lines, today = [self._heading(label)], ""
        size = _count(lines[0])
        for piece, line, taken in rows:
            if piece.day and piece.day != today:
                lines.append(self._template.date(piece.day))
                size += _count(lines[-1])
                today = piece.day
            lines.append(line)
            size += taken
        pieces = tuple(piece for piece, _, _ in rows)
        exchanges = tuple(dict.fromkeys(piece.exchange_id for piece in pieces))
        return Filled(label, "".join(lines), exchanges, size, pieces)


# Labels, days, orders and the profile stand in most contexts: half of the lines that a context counts.
_count = lru_cache(maxsize=8_192)(tokens.count)


def _line(piece: Piece, speaker: str) -> str:
    if piece.role in _MARKED:
        mark = _MARKED[piece.role]
    elif speaker and piece.role not in _NAMELESS and f"{speaker}: " not in piece.text:
        mark = f"{speaker}: "  # "I love camping" is no use to who cannot tell whose it is
    else:
        mark = "User: " if piece.role == "user" and _ROLE.match(piece.text) else ""
    return f"[{piece.exchange_id}] {mark}{_indented(piece.text + piece.note)}\n"


def _indented(text: str) -> str:
    """`text` with no line but its first at the left edge."""
    if text.isprintable():  # holds no end of a line, of which Unicode has ten
        return text
    first, *rest = text.splitlines(keepends=True)
    return first + "".join(line if line[0].isspace() else f" {line}" for line in rest)


# Standing orders and who the user is hold whenever they were said.
_ALWAYS = ("instruction", "preference", "profile")
# What is not the user's says so.
_MARKED = {"assistant": "Assistant: ", "tool": "Tool: ", "system": "System: "}
# Lines that are of several exchanges, or name who they are about.
_NAMELESS = ("profile", "reckoned", "chronicle", "summary")
_ROLE = re.compile(r"\W*(?:(?:assistant|user|system|ai)\b[^:：\n]{0,40}|助手|用户|系统)[:：]", re.IGNORECASE)
