"""The order of scores."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memfold.retrieve.best import best_first

SCORES = st.lists(
    st.sampled_from([-np.inf, -1.5, -0.0, 0.0, 0.25, 0.5, 3.0]) | st.floats(-9, 9, width=32), max_size=40
)


@given(SCORES)
def test_the_best_come_first_and_equal_ones_in_the_order_in_which_they_stand(scores: list[float]) -> None:
    falling = sorted(range(len(scores)), key=lambda place: -scores[place])
    assert best_first(np.array(scores, np.float64)).tolist() == falling


def test_scores_that_differ_beyond_float32_are_equal() -> None:
    assert best_first(np.array([1.0, 1.0 + 1e-12, 1.0 + 1e-6])).tolist() == [2, 0, 1]


def test_equal_scores_among_thousands_keep_their_order() -> None:
    # NumPy's own sort keeps the order of a few, not of so many.
    scores = np.tile([1.0, 2.0, 3.0], 3_000)
    order = best_first(scores)
    assert order.tolist() == sorted(range(9_000), key=lambda place: -scores[place])
    assert np.argsort(-scores).tolist() != order.tolist()
