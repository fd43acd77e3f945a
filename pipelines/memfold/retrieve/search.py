"""Ranking a conversation's exchanges for a question: two arms, their fusion, and what stands beside it.

Dense and lexical scores of the question as asked and of its topic are normalised to mean 0 and deviation 1 over
the conversation and added with fixed weights (rank fusion lost 16 points on chats of short turns). Then an
exchange gains from its better neighbour, a named date range demotes what was said outside it, and one place near
the top goes to the standing order that fits the question best, since such an order shares no words with it.
No model but the embedder runs, once a search. Knows nothing of storage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memfold.errors import UserError
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.lexical import Scores
from memfold.retrieve.query import Query
from memfold.text.terms import hashed

Encode = Callable[[Sequence[str]], NDArray[np.float32]]


@dataclass(frozen=True)
class Retrieval:
    """The constants of the ranking; chosen on development conversations of BEAM and LoCoMo, the same for all.

    `lexical` and `dense` weigh the two arms, `neighbour` the better neighbour's score. The evidence of a broad
    question comes in runs, so there each of the neighbours within two steps adds `broad_neighbours` of its score
    (half of it at two steps) instead. Where an exchange has fewer than `terse_below` characters on average it
    means little alone: then `terse_neighbour` takes the place of `neighbour`, and `terse_wide`, taken from both
    arms alike, weighs a lexical field of about `terse_window` characters around the exchange, at most
    `terse_reach` exchanges either way. A date range counts if at least `range_minimum` exchanges were said inside
    it. The `standing_slots` instructions that fit the question best, with a cosine of at least `standing_minimum`,
    stand at `standing_rank` or right above it at the least. `chinese_dense` takes the place of `dense` for a
    question in Chinese (`lexical` takes what it leaves), of which the default embedder knows next to nothing.
    """

    lexical: float = 0.36
    dense: float = 0.64
    neighbour: float = 0.22
    broad_neighbours: float = 0.24
    terse_below: int = 400
    terse_window: int = 600
    terse_reach: int = 2
    terse_wide: float = 0.4
    terse_neighbour: float = 0.4
    range_minimum: int = 5
    standing_rank: int = 15
    standing_slots: int = 2
    standing_minimum: float = 0.4
    chinese_dense: float = 0.2

    def __post_init__(self) -> None:
        for name in (
            "lexical",
            "dense",
            "neighbour",
            "broad_neighbours",
            "terse_wide",
            "terse_neighbour",
            "chinese_dense",
        ):
            if not 0 <= getattr(self, name) <= 1:
                raise UserError(f"retrieval.{name} is {getattr(self, name)}: give a weight from 0 to 1")
        for name in (
            "terse_below",
            "terse_window",
            "terse_reach",
            "range_minimum",
            "standing_rank",
            "standing_slots",
        ):
            if getattr(self, name) < 0:
                raise UserError(f"retrieval.{name} is {getattr(self, name)}: give 0 or more")
        if self.terse_wide / 2 > min(self.lexical, self.dense):
            raise UserError(
                f"retrieval.terse_wide is {self.terse_wide}: half of it comes from each arm, so give at most "
                f"{2 * min(self.lexical, self.dense)}"
            )
        if self.lexical + self.dense <= 0:
            raise UserError("retrieval.lexical and retrieval.dense are both 0: nothing would be searched")


@dataclass(frozen=True)
class Standing:
    """Standing orders and preferences of one conversation: parallel, one an order, newest last.

    `about` is what each applies to (its own text where it does not say); `vectors` are theirs, (m, d).
    """

    exchange_id: NDArray[np.int64]
    text: tuple[str, ...]
    about: tuple[str, ...]
    kind: tuple[str, ...]
    vectors: NDArray[np.float32]

    @staticmethod
    def of(orders: Iterable[tuple[int, str, str, str | None]], encode: Encode) -> Standing:
        """From (exchange id, kind, text, about); made once for an open conversation, not once a search."""
        rows = sorted(orders, key=lambda row: row[0])
        about = tuple(row[3] or row[2] for row in rows)
        vectors = encode(about) if rows else np.empty((0, 0), np.float32)
        return Standing(
            np.array([row[0] for row in rows], np.int64),
            tuple(r[2] for r in rows),
            about,
            tuple(r[1] for r in rows),
            vectors,
        )

    def __len__(self) -> int:
        return len(self.text)


@dataclass(frozen=True)
class Ranking:
    """All exchanges of a conversation, best first: `order` are positions in the episodes, `scores` belongs to
    positions. `parts` are the scores' parts by arm, also by position. `standing` are the standing orders' own
    positions in `Standing`, the one that fits best first, with their similarity to the question."""

    order: NDArray[np.int64]
    scores: Scores
    parts: dict[str, Scores]
    standing: list[tuple[int, float]]

    def why(self, position: int) -> dict[str, float]:
        """What moved one exchange to its place: each arm's share of its score."""
        return {arm: round(float(part[position]), 4) for arm, part in self.parts.items() if part[position]}


@dataclass(frozen=True, slots=True)
class Hit:
    """One exchange found: `score` compares within one search only, `text` is what the user said."""

    exchange_id: int
    message_ids: tuple[str, ...]
    score: float
    text: str
    why: dict[str, float]


def search(
    episodes: Episodes, query: Query, encode: Encode, *, standing: Standing | None = None, settings: Retrieval
) -> Ranking:
    """Rank every exchange of `episodes` for `query`. One call of `encode`, with one or two texts."""
    n = len(episodes)
    forms = [query.text] if query.topic == query.text else [query.text, query.topic]
    vectors = encode(forms)
    bags = [hashed(form)[0] for form in forms]
    fit = _fit(episodes, standing, vectors[0])
    if not n:
        return Ranking(np.empty(0, np.int64), np.empty(0), {}, fit)

    terse = _terse(episodes, settings)
    given = settings.terse_wide / 2 if terse else 0.0
    by_words, by_meaning = settings.lexical, settings.dense
    if query.language == "zh":
        by_words, by_meaning = (
            by_words + max(by_meaning - settings.chinese_dense, 0.0),
            settings.chinese_dense,
        )
        given = min(given, by_meaning)
    parts = {
        "lexical": (by_words - given) * _normal(_sum(episodes.bm25.score(ids) for ids in bags)),
        "dense": (by_meaning - given) * _normal((episodes.vectors @ vectors.T).sum(1).astype(np.float64)),
    }
    if terse:
        wide = episodes.wide(settings.terse_window, settings.terse_reach)
        parts["surroundings"] = settings.terse_wide * _normal(_sum(wide.score(ids) for ids in bags))
    own = _sum(parts.values())
    if query.broad:
        parts["neighbour"] = settings.broad_neighbours * _near(own)
    else:
        parts["neighbour"] = (settings.terse_neighbour if terse else settings.neighbour) * _better_neighbour(
            own
        )
    scores = own + parts["neighbour"]
    if query.dates and (outside := said_outside(episodes, query.dates, settings.range_minimum)) is not None:
        # Below everything inside the range, in their own order.
        parts["outside_dates"] = np.where(outside, -(np.ptp(scores) + 1.0), 0.0)
        scores = scores + parts["outside_dates"]
    order = np.argsort(-scores, kind="stable")
    slots = _slots(episodes, standing, fit, settings)
    if slots:
        parts["standing"] = np.zeros(n)
        for place, (position, similarity) in enumerate(slots, max(settings.standing_rank - len(slots), 0)):
            parts["standing"][position] = similarity
            order = _raised(order, position, place)
    return Ranking(order, scores, parts, fit)


def hits(episodes: Episodes, ranking: Ranking, k: int) -> list[Hit]:
    """The first `k` exchanges of a ranking."""
    return [
        Hit(
            int(episodes.exchange_id[i]),
            episodes.message_ids[i],
            float(ranking.scores[i]),
            episodes.user_text[i],
            ranking.why(i),
        )
        for i in map(int, ranking.order[:k])
    ]


def said_outside(episodes: Episodes, dates: tuple[date, date], minimum: int) -> NDArray[np.bool_] | None:
    """Which exchanges were not said within `dates`; None where fewer than `minimum` were said inside."""
    start, end = np.datetime64(dates[0], "us"), np.datetime64(dates[1], "us") + np.timedelta64(1, "D")
    inside = (episodes.said >= start) & (episodes.said < end)
    return ~inside if inside.sum() >= minimum else None


def _terse(episodes: Episodes, settings: Retrieval) -> bool:
    return float((episodes.user_characters + episodes.characters).mean()) < settings.terse_below


def _fit(
    episodes: Episodes, standing: Standing | None, question: NDArray[np.float32]
) -> list[tuple[int, float]]:
    """The orders given in these episodes, best first, with their similarity to the question."""
    if standing is None or not len(standing):
        return []
    similarity = standing.vectors @ question
    given = np.isin(standing.exchange_id, episodes.exchange_id)
    return [(int(i), float(similarity[i])) for i in np.argsort(-similarity, kind="stable") if given[i]]


def _slots(
    episodes: Episodes, standing: Standing | None, fit: Sequence[tuple[int, float]], settings: Retrieval
) -> list[tuple[int, float]]:
    """Positions of the exchanges whose instructions fit, best first, with their similarity."""
    found: dict[int, float] = {}
    if standing is None or not settings.standing_rank:
        return []
    for i, similarity in fit:
        if standing.kind[i] == "instruction" and similarity >= settings.standing_minimum:
            found.setdefault(episodes.position(int(standing.exchange_id[i])), similarity)
    return list(found.items())[: settings.standing_slots]


def _sum(scores: Iterable[Scores]) -> Scores:
    return np.asarray(np.sum(list(scores), axis=0), np.float64)


def _normal(scores: Scores) -> Scores:
    return np.asarray((scores - scores.mean()) / (scores.std() + 1e-9), np.float64)


def _better_neighbour(scores: Scores) -> Scores:
    padded = np.concatenate([[0.0], scores, [0.0]])
    return np.asarray(np.maximum(padded[:-2], padded[2:]), np.float64)


def _near(scores: Scores) -> Scores:
    """What stands above average within two steps, the second step at half weight."""
    above = np.pad(np.maximum(scores, 0.0), 2)
    return np.asarray(above[1:-3] + above[3:-1] + (above[:-4] + above[4:]) / 2, np.float64)


def _raised(order: NDArray[np.int64], position: int, place: int) -> NDArray[np.int64]:
    """`order` with `position` at `place`, unless it stands higher already."""
    now = int(np.flatnonzero(order == position)[0])
    if now <= place:
        return order
    return np.concatenate([order[:place], [position], order[place:now], order[now + 1 :]])
