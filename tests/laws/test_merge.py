"""Law 3: a layer gives the same rows for any way of cutting a conversation, any order and anybody that makes them.

And, for the same made-up conversations, law 5: as of an exchange it shows what it would had the conversation
ended there.
Every layer is in `LAYERS`, with the overrides that choose it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.layers.layer import Layer, Span
from support import folding
from support.folding import assert_as_of, assert_merges
from support.layers import LAYERS

CUTS = st.lists(st.integers(0, 100), max_size=4)


@pytest.mark.parametrize("name", LAYERS)
@settings(max_examples=12)
@given(n=st.integers(1, 60), ends=CUTS, seed=st.integers(0, 2**32))
def test_any_cutting_any_order_and_any_worker_make_the_same_rows(
    name: str, n: int, ends: list[int], seed: int
) -> None:
    assert_merges(LAYERS[name], n, ends, seed)


@pytest.mark.parametrize("name", LAYERS)
@settings(max_examples=12)
@given(n=st.integers(1, 60), end=st.integers(0, 60))
def test_as_of_an_exchange_is_the_conversation_that_ended_there(name: str, n: int, end: int) -> None:
    assert_as_of(LAYERS[name], n, end)


@dataclass(frozen=True)
class InCompany:
    """A layer that is wrong: each leaf is made of all the spans that came in one call."""

    layer: Layer
    by_exchange = False  # whatever the layer says: the rows depend on more now

    def __getattr__(self, name: str) -> Any:
        return getattr(self.layer, name)

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        together = {name: pa.concat_tables([span.rows[name] for span in spans]) for name in self.layer.reads}
        return self.layer.leaves([Span(span.name, together) for span in spans])


@pytest.mark.parametrize("name", LAYERS)
def test_control_a_layer_whose_rows_depend_on_their_company_is_caught(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = folding.fresh

    def wrong(of: Mapping[str, Any]) -> dict[str, Layer]:
        return {name: InCompany(layer) for name, layer in right(of).items()}

    monkeypatch.setattr(folding, "fresh", wrong)
    for seed in range(5):
        with pytest.raises(AssertionError, match="one name, and other rows"):
            assert_merges(LAYERS[name], 40, [4, 8, 13], seed)
    with pytest.raises(AssertionError):
        assert_as_of(LAYERS[name], 40, 20)
