"""Packing a context: as much evidence as a token budget holds, wide and shallow.

Standing orders come first, always, and after them notes of the scratchpad. Then the ranking, in layers: the best
exchanges with the opening of what the assistant answered, more of them with what the user said, and the rest of the
ranking with the user's opening until the budget is full. On BEAM this covers 87 % of the evidence messages in 14,000
tokens, where whole exchanges cover 71 %. A smaller budget has thinner layers in the same proportions.

Lines keep the order of the conversation within a part. What begins a line at its left edge (a label, a date, an
exchange's number) is this module's own: text of several lines is indented, so no message can forge one. Nothing here
knows where episodes or messages are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memfold.context.types import Context, Part, Piece
from memfold.errors import UserError
from memfold.layers.scratchpad.tree import Item, render
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.search import Ranking, Standing, hits
from memfold.schema import StoredMessage
from memfold.text import tokens

Fetch = Callable[[Sequence[int]], Mapping[int, Sequence[StoredMessage]]]


@dataclass(frozen=True)
class Packing:
    """The layers of a context of `reference` tokens; another budget scales `answered`, `whole` and `whole_limit`.

    The first `answered` exchanges bring `answer` characters of each assistant message, the first `whole` the
    user's text up to `whole_limit` characters, the rest the user's first `opening` characters. What is left when
    the ranking is through goes to further answers. Standing orders take up to `standing` of the budget, notes up to
    `notes`. `listed` hits are returned with the context.
    """

    reference: int = 14_000
    answered: int = 14
    answer: int = 600
    whole: int = 15
    whole_limit: int = 4_000
    opening: int = 240
    standing: float = 0.15
    notes: float = 0.025
    listed: int = 15

    def __post_init__(self) -> None:
        for name in ("reference", "answer", "whole_limit", "opening", "listed"):
            if getattr(self, name) < 1:
                raise UserError(f"packing.{name} is {getattr(self, name)}: give at least 1")
        for name in ("answered", "whole"):
            if getattr(self, name) < 0:
                raise UserError(f"packing.{name} is {getattr(self, name)}: give 0 or more")
        for name in ("standing", "notes"):
            if not 0 <= getattr(self, name) <= 1:
                raise UserError(f"packing.{name} is {getattr(self, name)}: give a share from 0 to 1")


STANDING = "Standing orders and preferences"
NOTES = "Notes"
CLOSEST = "Closest exchanges"
ALSO = "Also said"

# How many pieces may fail to fit before the rest of the ranking is not tried.
_PATIENCE = 12
# How many further answers are read for what is left, in multiples of `answered`.
_EXTRA = 6


def assemble(
    episodes: Episodes,
    ranking: Ranking,
    fetch: Fetch,
    *,
    budget: int,
    standing: Standing | None = None,
    notes: Sequence[Item] = (),
    packing: Packing | None = None,
) -> Context:
    """The context for a ranking, of at most `budget` Qwen2.5 tokens. `notes` are taken in the order given.

    `fetch` gives the messages of some exchanges; it is called once for the exchanges whose answers are shown, and
    once more where space is left.
    """
    if budget < 0:
        raise UserError(f"budget is {budget}: give 0 or more tokens")
    packing = packing or Packing()
    scale = budget / packing.reference
    layers = _Layers(
        answered=round(packing.answered * scale),
        whole=round(packing.whole * scale),
        whole_limit=max(round(packing.whole_limit * scale), packing.opening),
        packing=packing,
    )
    page = _Page(budget)
    if standing is not None:
        page.limit = int(budget * packing.standing)
        for order, _ in ranking.standing:
            exchange = int(standing.exchange_id[order])
            ids = episodes.message_ids[episodes.position(exchange)]
            page.add(STANDING, Piece(exchange, ids, standing.kind[order], standing.text[order]), "")
    _add_notes(page, episodes, notes, int(budget * packing.notes))
    page.limit = budget

    ranks = list(enumerate(map(int, ranking.order)))
    closest, rest = ranks[: layers.answered], ranks[layers.answered :]
    _add_users(page, episodes, layers, closest)
    _add_answers(page, episodes, layers, closest, fetch)
    if _add_users(page, episodes, layers, rest):
        _add_answers(page, episodes, layers, rest[: _EXTRA * max(layers.answered, 1)], fetch)
    return page.context(episodes, ranking, packing.listed)


@dataclass(frozen=True)
class _Layers:
    """A packing scaled to a budget."""

    answered: int
    whole: int
    whole_limit: int
    packing: Packing

    def part(self, rank: int) -> str:
        return CLOSEST if rank < self.answered else ALSO

    def users(self, rank: int, said: str) -> list[str]:
        """What may stand for a user text at this rank, the fullest first."""
        short = opening(said, self.packing.opening)
        return [cut(said, self.whole_limit), short] if rank < self.whole else [short]


def _add_notes(page: _Page, episodes: Episodes, notes: Sequence[Item], room: int) -> None:
    page.limit = page.used + room
    patience = _PATIENCE
    for item in notes:
        ids = episodes.message_ids[episodes.position(item.exchange_id)]
        if not page.add(NOTES, Piece(item.exchange_id, ids, item.kind, render(item)), ""):
            patience -= 1
        if patience < 0:
            return


# Ranks with the positions that hold them.
_Ranks = Sequence[tuple[int, int]]


def _add_users(page: _Page, episodes: Episodes, layers: _Layers, ranks: _Ranks) -> bool:
    """Whether all of them were tried before the page was full."""
    patience = _PATIENCE
    for rank, position in ranks:
        exchange, ids = int(episodes.exchange_id[position]), episodes.message_ids[position]
        day, part = _day(episodes, position), layers.part(rank)
        texts = layers.users(rank, episodes.user_text[position])
        if not any(page.add(part, Piece(exchange, ids, "user", text), day) for text in texts):
            patience -= 1
        if patience < 0:
            return False
    return True


def _add_answers(page: _Page, episodes: Episodes, layers: _Layers, ranks: _Ranks, fetch: Fetch) -> None:
    """Openings of the assistant's messages, under users' texts that are on the page."""
    shown = [(rank, i) for rank, i in ranks if int(episodes.exchange_id[i]) in page.said]
    messages = fetch([int(episodes.exchange_id[i]) for _, i in shown]) if shown else {}
    patience = _PATIENCE
    for rank, position in shown:
        exchange, day, part = int(episodes.exchange_id[position]), _day(episodes, position), layers.part(rank)
        for message in messages.get(exchange, ()):
            if message.role == "assistant" and message.current:
                text = cut(message.text, layers.packing.answer)
                if not page.add(part, Piece(exchange, (message.message_id,), "assistant", text), day):
                    patience -= 1
        if patience < 0:
            return


def cut(text: str, characters: int) -> str:
    """`text` up to the end of the word in which `characters` are reached, marked where something was left out."""
    text = text.strip()
    if len(text) <= characters:
        return text
    end = _WORD_END.search(text, characters)
    # Text without spaces (Chinese, base64) is cut where it stands.
    stop = end.start() if end and end.start() < characters + 24 else characters
    return text[:stop].rstrip() + " …"


def opening(text: str, characters: int) -> str:
    """The beginning of `text` on one line and without its code blocks, unless it is nothing but code."""
    prose = " ".join(_CODE.sub(" ", text).split())
    return cut(prose or " ".join(text.split()), characters)


_WORD_END = re.compile(r"\s|(?<=[\u3000-\u303f\u3400-\u9fff\uff00-\uffef])")
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


def _day(episodes: Episodes, position: int) -> str:
    time = episodes.said[position]
    return "" if np.isnat(time) else str(time.astype("datetime64[D]"))


class _Page:
    """A context being filled: pieces by part, and the tokens they take.

    Every line is counted with its line feed. Qwen's tokenizer never joins a line feed to a word that follows, so
    the lines' counts add up to the page's.
    """

    def __init__(self, budget: int) -> None:
        self.limit = budget
        self.budget = budget
        self.used = 0
        self.parts: dict[str, list[tuple[Piece, str, int]]] = {}
        self.days: set[tuple[str, str]] = set()
        self.said: set[int] = set()

    def add(self, part: str, piece: Piece, day: str) -> bool:
        """Take a piece in if it fits, with the labels that it is the first to need."""
        text = _line(piece)
        if not piece.text or self.used + len(text) // 16 > self.limit:
            return not piece.text
        size = tokens.count(text)
        new = 0
        if part not in self.parts:
            new += tokens.count(_heading(part))
        if day and (part, day) not in self.days:
            new += tokens.count(_date(day))
        if self.used + new + size > self.limit:
            return False
        self.used += new + size
        self.parts.setdefault(part, []).append((piece, day, size))
        self.days.add((part, day))
        if piece.role == "user":
            self.said.add(piece.exchange_id)
        return True

    def context(self, episodes: Episodes, ranking: Ranking, listed: int) -> Context:
        parts = []
        for label in (STANDING, NOTES, CLOSEST, ALSO):
            rows = sorted(self.parts.get(label, ()), key=lambda row: row[0].exchange_id)
            if not rows:
                continue
            lines, today = [_heading(label)], ""
            for piece, day, _ in rows:
                if day and day != today:
                    lines.append(_date(day))
                    today = day
                lines.append(_line(piece))
            text = "".join(lines)
            pieces = tuple(row[0] for row in rows)
            exchanges = tuple(dict.fromkeys(piece.exchange_id for piece in pieces))
            parts.append(Part(label, text, exchanges, tokens.count(text), pieces))
        text = "".join(part.text for part in parts)
        return Context(text, tokens.count(text), tuple(parts), tuple(hits(episodes, ranking, listed)))


def _heading(label: str) -> str:
    return f"## {label}\n"


def _date(day: str) -> str:
    return f"{day}\n"


def _line(piece: Piece) -> str:
    if piece.role == "assistant":
        mark = "Assistant: "
    else:
        mark = "User: " if piece.role == "user" and _ROLE.match(piece.text) else ""
    return f"[{piece.exchange_id}] {mark}{_LEFT_EDGE.sub(' ', piece.text)}\n"


_LEFT_EDGE = re.compile(r"(?<=[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])(?=\S)")
_ROLE = re.compile(r"\W*(?:(?:assistant|user|system|ai)\b[^:：\n]{0,40}|助手|用户|系统)[:：]", re.IGNORECASE)
