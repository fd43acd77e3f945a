"""Packing a context: as much evidence as a token budget holds, wide and shallow.

Standing orders come first, always. Then the ranking, in layers: the best exchanges with the opening of what the
assistant answered, more of them with what the user said, and the rest of the ranking with the user's opening
until the budget is full. On BEAM this covers 87 % of the evidence messages in 14,000 tokens, where whole
exchanges cover 71 %. A smaller budget has thinner layers in the same proportions.

Lines keep the order of the conversation within a part. Nothing here knows where episodes or messages are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memfold import tokens
from memfold.context.types import Context, Part, Piece
from memfold.errors import UserError
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.search import Ranking, Standing, hits
from memfold.schema import StoredMessage

Fetch = Callable[[Sequence[int]], Mapping[int, Sequence[StoredMessage]]]


@dataclass(frozen=True)
class Packing:
    """The layers of a context of `reference` tokens; another budget scales `answered`, `whole` and `whole_limit`.

    The first `answered` exchanges bring `answer` characters of each assistant message, the first `whole` the
    user's text up to `whole_limit` characters, the rest the user's first `opening` characters. What is left when
    the ranking is through goes to further answers. Standing orders take up to `standing` of the budget. `listed`
    hits are returned with the context.
    """

    reference: int = 14_000
    answered: int = 14
    answer: int = 600
    whole: int = 30
    whole_limit: int = 4_000
    opening: int = 240
    standing: float = 0.15
    listed: int = 15

    def __post_init__(self) -> None:
        for name in ("reference", "answer", "whole_limit", "opening", "listed"):
            if getattr(self, name) < 1:
                raise UserError(f"packing.{name} is {getattr(self, name)}: give at least 1")
        for name in ("answered", "whole"):
            if getattr(self, name) < 0:
                raise UserError(f"packing.{name} is {getattr(self, name)}: give 0 or more")
        if not 0 <= self.standing <= 1:
            raise UserError(f"packing.standing is {self.standing}: give a share from 0 to 1")


STANDING = "Standing orders and preferences"
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
    packing: Packing | None = None,
) -> Context:
    """The context for a ranking, of at most `budget` Qwen2.5 tokens.

    `fetch` gives the messages of some exchanges; it is called once for the exchanges whose answers are shown, and
    once more where space is left.
    """
    if budget < 0:
        raise UserError(f"budget is {budget}: give 0 or more tokens")
    packing = packing or Packing()
    scale = budget / packing.reference
    answered = round(packing.answered * scale)
    whole = round(packing.whole * scale)
    whole_limit = max(round(packing.whole_limit * scale), packing.opening)
    ranked = [int(i) for i in ranking.order]
    page = _Page(budget)

    if standing is not None:
        page.limit = int(budget * packing.standing)
        for order, _ in ranking.standing:
            exchange = int(standing.exchange_id[order])
            ids = episodes.message_ids[episodes.position(exchange)]
            page.add(STANDING, Piece(exchange, ids, standing.kind[order], standing.text[order]), "")
        page.limit = budget

    def answers(ranks: range, patience: int) -> None:
        wanted = [ranked[rank] for rank in ranks]
        messages = fetch([int(episodes.exchange_id[i]) for i in wanted]) if wanted else {}
        for rank, position in zip(ranks, wanted, strict=True):
            exchange, day = int(episodes.exchange_id[position]), _day(episodes, position)
            for message in messages.get(exchange, ()):
                if message.role != "assistant" or not message.current or exchange not in page.exchanges:
                    continue
                text = cut(message.text, packing.answer)
                if not page.add(
                    _part(rank, answered), Piece(exchange, (message.message_id,), "assistant", text), day
                ):
                    patience -= 1
            if patience < 0:
                return

    def users(ranks: range, patience: int) -> bool:
        for rank in ranks:
            position = ranked[rank]
            exchange, ids = int(episodes.exchange_id[position]), episodes.message_ids[position]
            said, day = episodes.user_text[position], _day(episodes, position)
            choices = [cut(said, whole_limit)] if rank < whole else []
            choices.append(opening(said, packing.opening))
            if not any(
                page.add(_part(rank, answered), Piece(exchange, ids, "user", text), day) for text in choices
            ):
                patience -= 1
            if patience < 0:
                return False
        return True

    head = range(min(answered, len(ranked)))
    users(head, _PATIENCE)
    answers(head, len(head))
    if users(range(len(head), len(ranked)), _PATIENCE):
        answers(range(len(head), len(ranked))[: _EXTRA * max(answered, 1)], _PATIENCE)
    return page.context(episodes, ranking, packing.listed)


def _part(rank: int, answered: int) -> str:
    return CLOSEST if rank < answered else ALSO


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
        self.exchanges: set[int] = set()

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
        self.exchanges.add(piece.exchange_id)
        return True

    def context(self, episodes: Episodes, ranking: Ranking, listed: int) -> Context:
        parts = []
        for label in (STANDING, CLOSEST, ALSO):
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
    mark = "Assistant: " if piece.role == "assistant" else ""
    return f"[{piece.exchange_id}] {mark}{piece.text}\n"
