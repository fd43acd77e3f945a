"""What is the same for all layers: their order, the names of parts, and the shape of a tree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold import UserError
from memfold.layers.layer import Layer, Tools, equipped, inner, leaf_name, sizes
from support.folding import Random


@dataclass(frozen=True)
class Named:
    """A layer that makes nothing."""

    name: str
    reads: tuple[str, ...] = ("messages",)
    fan: int = 0
    version: str = "1"
    table: Any = None

    def equip(self, tools: Tools) -> Layer:
        return self  # type: ignore[return-value]


def order(*layers: Named) -> list[str]:
    return list(equipped({layer.name: layer for layer in layers}, Tools(Random())))


def test_each_layer_comes_after_those_it_reads_and_else_as_it_was_given() -> None:
    top, middle, low = Named("top", ("middle", "notes")), Named("middle", ("low",)), Named("low")
    assert order(top, middle, low) == ["low", "middle", "top"]
    assert order(low, Named("other"), middle) == ["low", "other", "middle"]


@pytest.mark.parametrize(
    "layers", [[Named("a", ("b",))], [Named("a", ("b",)), Named("b", ("a",))], [Named("a", ("a",))]]
)
def test_layers_that_cannot_be_put_in_order_are_refused(layers: list[Named]) -> None:
    with pytest.raises(UserError, match=r"layers read what there is not: .*'a'"):
        order(*layers)


def test_a_layer_goes_by_its_own_name() -> None:
    with pytest.raises(UserError, match=r"layers\.b is the layer 'a': name both alike"):
        equipped({"b": Named("a")}, Tools(Random()))


def test_the_name_of_a_part_changes_with_all_that_it_is_made_from() -> None:
    base = Named("a", fan=2)
    names = [leaf_name(base, ["x"]), leaf_name(base, ["y"]), leaf_name(base, ["x", "y"])]
    names += [leaf_name(replace(base, version="2"), ["x"]), leaf_name(replace(base, name="b"), ["x"])]
    names += [name for level in inner(base, ["x", "y", "z"]) for name, _ in level]
    names += [inner(replace(base, version="2"), ["x", "y"])[0][0][0]]
    assert len(set(names)) == len(names)
    assert leaf_name(base, ["x"]) == leaf_name(replace(base, reads=("notes",)), ["x"])


@given(st.integers(0, 70), st.integers(0, 5).filter(lambda fan: fan != 1))
def test_a_tree_has_the_sizes_it_says_and_every_part_is_under_one_other(leaves: int, fan: int) -> None:
    layer = Named("a", fan=fan)
    names = [f"leaf {n}" for n in range(leaves)]
    levels = inner(layer, names)
    assert [leaves, *map(len, levels)] == sizes(leaves, fan)
    below = names
    for level in levels:
        assert [child for _, children in level for child in children] == below
        assert all(len(children) == fan for _, children in level[:-1])
        below = [name for name, _ in level]
    assert not fan or len(below) == min(leaves, 1)


def test_appending_changes_the_right_edge_only() -> None:
    layer = Named("a", fan=3)
    names = [f"leaf {n}" for n in range(20)]
    before = {name for level in inner(layer, names[:-1]) for name, _ in level}
    after = [[name for name, _ in level if name not in before] for level in inner(layer, names)]
    assert list(map(len, after)) == [1, 1, 1]
