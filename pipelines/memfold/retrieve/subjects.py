"""All items of an open conversation's scratchpad by their words and subjects, from wherever the tree holds them.

An item is as near to a question as the search found its exchange, and the nearer the more of the question's rare words
it has. Those that are nearest are united with what is about the same subjects, so that the newest stands there with
what it replaced. Knows no store and no tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from memfold.layers.scratchpad.items import Item, united
from memfold.layers.subjects import ITEM_COLUMNS
from memfold.once import kept
from memfold.retrieve.best import best_first
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.lexical import idf
from memfold.retrieve.ranking import Ranking
from memfold.retrieve.remember import Remembered
from memfold.text.terms import hashed

# What an item gains that has all the question's words, in deviations of the search's scores.
WORDS = 6.0
# What one gains that has a subject: of what was noted of an exchange, what is a value of something answers questions.
KEYED = 5.0
# Of one subject so many items are united, the newest: "question" is the key of 149 facts of two conversations.
OF_SUBJECT = 16
# Groups of items about one subject that are kept of an open conversation: some hundred bytes each.
GROUPS = 4_096

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Subjects:
    """`rows` are those of the layer `subjects`, in the order they were said; `position` is where the exchange of each
    stands in the episodes. `terms` and `keys` are sorted, each with the row that has it (`of_term`, `of_key`); the keys
    of row i are `row_keys[starts[i]:starts[i + 1]]`; `keyed` says whether it has any, `corrects` whether it is a
    correction."""

    rows: pa.Table
    position: Places
    terms: NDArray[np.int32]
    of_term: Places
    keys: NDArray[np.int32]
    of_key: Places
    row_keys: NDArray[np.int32]
    starts: Places
    keyed: NDArray[np.bool_]
    corrects: NDArray[np.bool_]

    @staticmethod
    def of(table: pa.Table, episodes: Episodes) -> Subjects:
        """From rows of the layer. What is of no exchange among the episodes is left out."""
        there = pc.is_in(table["exchange_id"], value_set=pa.array(episodes.exchange_id))
        table = table.filter(there).sort_by("exchange_id").combine_chunks()
        terms, of_term, _, _ = _postings(table["terms"])
        keys, of_key, row_keys, starts = _postings(table["keys"])
        position = np.searchsorted(episodes.exchange_id, table["exchange_id"].to_numpy())
        corrects = pc.equal(table["kind"], "correction").to_numpy()
        rows = table.select(ITEM_COLUMNS)
        return Subjects(
            rows, position, terms, of_term, keys, of_key, row_keys, starts, np.diff(starts) > 0, corrects
        )

    def __len__(self) -> int:
        return len(self.position)

    def scores(self, question: str, ranking: Ranking, most: int) -> tuple[Places, NDArray[np.float64]]:
        """Rows that may be near a question, ascending, and how near they are: those that share a word with it, and
        those of the `most` best exchanges. Of 54,000 rows some thousand."""
        asked = hashed(question)[0].view(np.int32)
        first, end = (self.terms.searchsorted(asked, side) for side in ("left", "right"))
        held = end - first
        rarity = idf(len(self), held) * (held > 0)
        shared = np.zeros(len(self))
        for a, b, weight in zip(first, end, WORDS * rarity / max(rarity.sum(), 1e-9), strict=True):
            # Distinct within a row, so plain indexing adds each row once.
            shared[self.of_term[a:b]] += weight
        best = np.zeros(len(ranking.scores), np.bool_)
        best[ranking.order[:most]] = True
        rows = np.flatnonzero((shared > 0) | best[self.position])
        return rows, shared[rows] + ranking.scores[self.position[rows]] + KEYED * self.keyed[rows]

    def nearest(self, question: str, ranking: Ranking, most: int) -> list[tuple[Item, float]]:
        """The `most` rows nearest to a question as items, the nearest first, with their scores: each united with what
        is about its subjects, so that there may be fewer."""
        if not len(self):
            return []
        rows, near = self.scores(question, ranking, most)
        few = best_first(near)[:most]
        score = dict(zip(rows[few].tolist(), near[few].tolist(), strict=True))
        found = []
        for group, items in self._united.get(_groups([self._beside(row) for row in score])).items():
            # What stands for others is as near as the nearest of them.
            best = max(score.get(row, 0.0) for row in group)
            found += [(item, best if row is None else score.get(row, 0.0)) for item, row in items]
        return sorted(found, key=lambda each: -each[1])[:most]

    @kept
    def _united(self) -> Remembered[tuple[int, ...], Sequence[tuple[Item, int | None]]]:
        """The items of some groups of rows, each united: each with its row, or None where it stands for others."""

        def read(groups: Sequence[tuple[int, ...]]) -> Iterator[list[tuple[Item, int | None]]]:
            """The items of each group, united."""
            # One look at the rows for all: a look costs as much as ten rows.
            places = pa.array([row for group in groups for row in group], pa.int64())
            items = iter([Item.of(row) for row in self.rows.take(places).to_pylist()])
            for group in groups:
                of = [next(items) for _ in group]
                own = {id(item): row for item, row in zip(of, group, strict=True)}
                yield [(item, own.get(id(item))) for item in (united(of) if len(of) > 1 else of)]

        return Remembered(read, GROUPS)

    def _beside(self, place: int) -> list[int]:
        """The rows of the subjects of one, and it: the newest of each, and of its attribute, whosever it is, what was
        said before a correction."""
        first, end = self.starts[place], self.starts[place + 1]
        beside = {place}
        if first == end:
            return [place]
        for key in self.row_keys[first : end - 1]:
            beside.update(self._newest(key, len(self)))
        if self.corrects[place]:
            beside.update(self._newest(self.row_keys[end - 1], place))
        return sorted(beside)

    def _newest(self, key: np.int32, before: int) -> list[int]:
        first, end = self.keys.searchsorted(key, "left"), self.keys.searchsorted(key, "right")
        rows = self.of_key[first:end]
        return list(rows[: rows.searchsorted(before)][-OF_SUBJECT:].tolist())


def _postings(
    column: pa.ChunkedArray,
) -> tuple[NDArray[np.int32], Places, NDArray[np.int32], Places]:
    """The values of a column of lists, sorted, and the row of each, in order among equals; the same as they stand, and
    where those of each row begin."""
    sizes = pc.list_value_length(column).to_numpy()
    flat = pc.list_flatten(column).to_numpy()
    owner = np.repeat(np.arange(len(sizes)), sizes)
    order = np.argsort(flat, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return flat[order], owner[order], flat, starts


def _groups(found: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Rows that are to be united with one another: sets that share one are one group. In the order found."""
    groups: dict[int, set[int]] = {}
    for rows in found:
        whole = set(rows).union(*(groups[row] for row in rows if row in groups))
        groups |= dict.fromkeys(whole, whole)
    return [tuple(sorted(group)) for group in {id(group): group for group in groups.values()}.values()]
