"""The arm over keys: it speaks for exchanges whose nearest key stands out, and else not at all."""

from __future__ import annotations

import numpy as np
import pytest

from memfold import UserError
from memfold.retrieve.arms.keyed import Keyed
from memfold.retrieve.keys import Keys
from memfold.retrieve.query import pose
from memfold.retrieve.view import View
from support.retrieve_samples import conversation, encode, vectored, view, with_rows

SAID = [f"Question {n} about bread" for n in range(12)]


def with_keys(*keys: tuple[int, str]) -> View:
    return with_rows(view(conversation(SAID)), "keys", keys)


def test_an_exchange_is_as_near_as_its_nearest_key() -> None:
    ids = np.array([3, 5, 8])
    held = Keys.of(vectored([(8, "zebra"), (3, "bread"), (8, "oats"), (4, "zebra")]), ids)
    assert len(held) == 3  # of exchange 4 there is nothing to find
    found = held.nearest(encode(["zebra"])[0])
    assert found[2] == pytest.approx(1.0, abs=1e-3)
    assert found[1] == 0  # it has no key
    assert held.nearest(encode(["oats"])[0])[2] == pytest.approx(1.0, abs=1e-3)


def test_only_what_stands_out_is_said() -> None:
    seen = with_keys(*((n, f"zebra {n}" if n == 7 else f"bread {n}") for n in range(12)))
    scores = Keyed().score(seen, pose("zebra", encode))
    assert scores is not None
    assert scores[7] > 0
    assert np.flatnonzero(scores).tolist() == [7]
    everywhere = Keyed(above=0.0).score(seen, pose("bread", encode))
    assert everywhere is not None
    assert np.count_nonzero(everywhere) > 1


def test_without_keys_it_has_nothing_to_say() -> None:
    asked = pose("zebra", encode)
    assert Keyed().score(view(conversation(SAID)), asked) is None
    assert Keyed().score(with_keys(), asked) is None


def test_less_than_no_deviation_is_refused() -> None:
    with pytest.raises(UserError, match="above is -1"):
        Keyed(above=-1.0)
