"""Standing orders and preferences of one conversation, and which of them fit a question. Knows no ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from memfold.embed.likeness import cosines
from memfold.layers.orders import Order, history, parse, rivals
from memfold.once import derived, kept
from memfold.retrieve.best import best_first
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.view import View
from memfold.schema import vectors_of

# An order binds a question whose cosine to `about` is at least this. 21 of BEAM's 38 probes of orders reach it for the
# order they test, and 20 of them are nearer to that order than to any other.
BINDS = 0.5
# Questions whose fitting orders are kept.
QUESTIONS = 8


@dataclass(frozen=True)
class Standing:
    """Parallel, one an order that holds, newest last; `vectors` are of what they are about, (m, d), and `given` says
    whether it was given in one of the episodes. `rivals` are the orders that may contradict another order."""

    orders: tuple[Order, ...] = ()
    vectors: NDArray[np.float32] | None = None
    given: tuple[bool, ...] = ()
    rivals: frozenset[Order] = frozenset()

    @staticmethod
    def of(rows: pa.Table | None, stand: Sequence[Order], episodes: Episodes) -> Standing:
        """From rows of the layer, which are None where the conversation was indexed without it, and the orders that
        they give, as they stand."""
        if rows is None or not rows.num_rows:
            return Standing()
        rows = rows.sort_by([("exchange_id", "ascending"), ("n", "ascending")]).combine_chunks()
        held = [place for place, order in enumerate(stand) if order.state == "holds"]
        orders = tuple(stand[place] for place in held)
        given = np.isin([order.exchange_id for order in orders], episodes.exchange_id)
        return Standing(orders, vectors_of(rows)[held], tuple(given.tolist()), rivals(orders))

    def fit(self, question: NDArray[np.float32]) -> Sequence[tuple[Order, float]]:
        """The orders given in the episodes, the one that fits best first, with their similarity to the question's
        vector, (d,), of float32."""
        return self._fit(question.tobytes())

    @kept
    def _fit(self) -> Callable[[bytes], Sequence[tuple[Order, float]]]:
        # A search asks once for each question and a context twice.
        @lru_cache(QUESTIONS)
        def fit(question: bytes) -> Sequence[tuple[Order, float]]:
            """See `Standing.fit`, for the bytes of a question's vector."""
            if self.vectors is None:
                return ()
            similarity = cosines(self.vectors, np.frombuffer(question, np.float32))
            best = best_first(similarity)
            fitting = zip(best.tolist(), similarity[best].tolist(), strict=True)
            return tuple((self.orders[i], cosine) for i, cosine in fitting if self.given[i])

        return fit

    def binding(self, question: NDArray[np.float32]) -> list[str]:
        """The texts of the orders that hold for one kind of question (`about`), where the question is of that kind, the
        best fit first. `question` is its unit vector, (d,)."""
        return [
            order.text
            for order, cosine in takewhile(lambda each: each[1] >= BINDS, self.fit(question))
            if order.about
        ]


@derived
def _rows(view: View) -> pa.Table | None:
    return view.leaves("orders")


@derived
def orders_of(view: View) -> Sequence[Order]:
    """The standing orders in the order they were given, as they stand; none where the conversation was indexed without
    them."""
    return orders_before(view, None)


def orders_before(view: View, end: int | None) -> Sequence[Order]:
    """The same as they stood before the exchange `end`, or at the end."""
    rows = _rows(view)
    given = [] if rows is None else parse(rows)
    return history(order for order in given if end is None or order.exchange_id < end)


@derived
def standing_of(view: View) -> Standing:
    """The standing orders that hold, with their vectors; none where the conversation was indexed without them."""
    return Standing.of(_rows(view), orders_of(view), view.episodes)
