"""Quotes put into an answer: each marked as a quote, with its day, its speaker where that is not the user, and its
exchange's number. Knows no ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.readers.quoting.frames import Frame
from memfold.context.readers.quoting.worth import Weights, carried
from memfold.context.types import Citation
from memfold.layers.orders import STANDING
from memfold.schema import ATTACHED
from memfold.text.fences import fence
from memfold.text.terms import terms

# A sentence, and what is shown of it.
Shown = tuple[Candidate, str]


def line(words: Frame, row: Candidate, text: str, number: int | None = None) -> str:
    """One quote as a line; `text` is the row's or a part of it. What is left out behind it is marked."""
    opening, closing = words.marks
    source = [row.day.isoformat()] if row.day else []
    if row.piece.role not in ("user", *STANDING):
        source.append(words.roles.get(row.piece.role, row.piece.role))
    # A note often begins with its kind, as it stands in the context.
    if not row.quote and text.startswith(f"{row.piece.role}: "):
        text = text[len(row.piece.role) + 2 :]
    if row.speaker:
        source.append(row.speaker)
    head = f"{number}. " if number is not None else "- "
    omitted = " …" if row.cut or not (row.text.endswith(text) or row.text in text) else ""
    place = f"{head}{', '.join(source)}"
    if closing_fence := fence(text):
        return f"{place} [{row.exchange}]:\n{text}{omitted}\n{closing_fence}"
    quoted = f"{opening}{text}{omitted}{closing}{row.piece.note}" if row.quote else text
    return f"{place}{': ' if source else ''}{quoted} [{row.exchange}]"


def lines(words: Frame, shown: Iterable[Shown]) -> list[str]:
    """A line for each quote."""
    return [line(words, row, text) for row, text in shown]


def once(shown: Iterable[Shown]) -> list[Shown]:
    """Each quote of a message once: two sentences of a short one are both shown as all of it."""
    found: dict[tuple[int, str], Shown] = {}
    for row, text in shown:
        found.setdefault((id(row.piece), text), (row, text))
    return [*found.values()]


def citations(shown: Iterable[Shown]) -> tuple[Citation, ...]:
    """Where each quote stands, in the order of the conversation, each once. What was attached to a message is shown and
    is no word of it."""
    quotes = ((row, _said(row, text) if row.quote else "") for row, text in shown)
    found = {
        (row.exchange, quote): Citation(row.exchange, row.piece.message_ids, quote) for row, quote in quotes
    }
    return tuple(sorted(found.values(), key=lambda citation: citation.exchange_id))


def _said(row: Candidate, text: str) -> str:
    return row.without_call(text) if row.data else text.partition(ATTACHED)[0].rstrip()


def part(text: str, weight: Weights, limit: int, ends: Sequence[int]) -> str:
    """The stretch of at most about `limit` characters of a long sentence that carries most of the question's weight,
    between two of the clause `ends`; verbatim."""
    if len(text) <= limit:
        return text
    cuts = sorted({0, *ends, len(text)})
    best, chosen = -1.0, text[:limit]
    for i, start in enumerate(cuts[:-1]):
        stop = max((cut for cut in cuts[i + 1 :] if cut - start <= limit), default=start + limit)
        stretch = text[start:stop]
        value = carried(set(terms(stretch)), weight) + len(stretch) / (10 * limit)
        if value > best:
            best, chosen = value, stretch
    return chosen.strip(" ,;，；-–—")
