"""Exchanges spread over days: the best of each, and where a day begins."""

from __future__ import annotations

import numpy as np

from memfold.retrieve.spread import spread

DAYS = np.repeat(np.arange(5), 4)
ALL = np.ones(20, np.bool_)
PLAIN = {"crowding": 0.0, "opening": 0.0, "reach": 1.0}


def test_without_its_settings_it_is_the_ranking_inside_the_window() -> None:
    scores = np.random.default_rng(0).normal(size=20)
    window = DAYS > 1
    found = spread(scores, DAYS, window, **PLAIN)
    assert found.tolist() == [i for i in np.argsort(-scores) if window[i]]


def test_crowding_takes_one_of_each_day_before_a_second() -> None:
    scores = np.linspace(1, 0, 20)  # all of the first day before any of the second
    found = spread(scores, DAYS, ALL, **{**PLAIN, "crowding": 9.0})
    assert sorted(DAYS[found[:5]].tolist()) == [0, 1, 2, 3, 4]
    assert DAYS[spread(scores, DAYS, ALL, **PLAIN)[:4]].tolist() == [0, 0, 0, 0]


def test_where_a_day_begins_gains() -> None:
    found = spread(np.zeros(20), DAYS, ALL, **{**PLAIN, "opening": 1.0})
    assert sorted(found[:5].tolist()) == [0, 4, 8, 12, 16]


def test_a_beginning_that_is_off_the_subject_gains_half() -> None:
    scores = np.where(np.arange(20) == 4, -1.0, 0.0) + np.where(np.arange(20) == 8, 1.0, 0.0)
    found = spread(scores, DAYS, ALL, **{**PLAIN, "opening": 4.0}).tolist()
    assert found[0] == 8
    assert set(found[1:4]) == {0, 12, 16}
    assert found.index(4) > 4


def test_nothing_is_spread_over_nothing() -> None:
    assert spread(np.zeros(20), DAYS, ~ALL, **PLAIN).tolist() == []
