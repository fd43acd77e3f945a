"""What is the same for all layers: their order, the names of parts, and the shape of a tree."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from traceback import format_exception
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memfold
from memfold import UserError
from memfold.embed.contract import Vectors
from memfold.layers.layer import (
    Layer,
    Leaves,
    Span,
    Tools,
    encoded,
    equipped,
    inner,
    layers_of,
    leaf_name,
    messages,
    sizes,
)
from memfold.run.plan import Numbered
from memfold.run.ray import Ray
from memfold.run.work import message_rows, stored
from memfold.schema import Message
from support.folding import Random, settings
from support.given import chat, job, run
from support.layers import LAYERS
from support.mistaken import Mistaken

FOUND = pa.schema({"segment": pa.string(), "conversation_id": pa.string()})


@dataclass(frozen=True)
class Named(Leaves):
    """A layer that makes nothing."""

    name: str
    reads: tuple[str, ...] = ("messages",)
    fan: int = 0
    version: str = "1"
    table: Any = FOUND

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        return []

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
    with pytest.raises(UserError, match=r"lacks layers that others read \(.*a reads"):
        order(*layers)


def test_a_layer_goes_by_its_own_name() -> None:
    with pytest.raises(UserError, match=r"layers\.b builds the layer 'a': give both the same name"):
        equipped({"b": Named("a")}, Tools(Random()))


def test_what_cannot_be_equipped_is_no_layer() -> None:
    with pytest.raises(
        UserError, match=r"layers\.c: object has no method equip\(tools\) that returns the layer"
    ):
        equipped({"c": object()}, Tools(Random()))  # type: ignore[dict-item]


def test_a_layer_that_lacks_something_is_named() -> None:
    class Bare:
        name, version = "c", "1"

        def equip(self, tools: Tools) -> Bare:
            return self

    with pytest.raises(UserError, match=r"layers\.c: what equip returns, Bare, lacks table, reads, fan, "):
        equipped({"c": Bare()}, Tools(Random()))  # type: ignore[dict-item]


def test_rows_of_a_conversation_are_read_as_they_are_and_were(tmp_path: Path) -> None:
    talk = chat(70)
    run(job(tmp_path, talk, overrides=["layers=[episodic,timeline]"]))
    store = memfold.open(tmp_path)
    for table in ("messages", "extractions", "notes", "episodic", "timeline"):
        now = pa.Table.from_batches(store.live(table))
        assert store.rows(table, "c").equals(now)
        assert now.num_rows > store.rows(table, "c", as_of="20").num_rows > 0
    # Message 20 begins an exchange: it was said, and nothing was noted of the exchange yet.
    then = memfold.open(tmp_path, as_of="20")
    assert then.rows("messages", "c")["message_id"].to_pylist() == [str(n) for n in range(21)]
    assert set(then.rows("extractions", "c")["exchange_id"].to_pylist()) == set(range(10))
    assert store.rows("messages", "c", as_of=talk[20].time) == then.rows("messages", "c")
    with pytest.raises(UserError, match="live gives what a snapshot shows: open the store without as_of"):
        then.live("messages")
    with pytest.raises(UserError, match=r"'c' has no rows of 'state'; it has messages, .*timeline"):
        store.rows("state", "c")


@pytest.mark.parametrize(
    ("where", "error", "exchanges", "those"),
    [
        ("leaves", NameError, {"one": 1}, "'one'"),
        ("leaves", NameError, {"one": 3, "two": 2, "three": 1}, "'one' or 'two' or 'three'"),
        (
            "fewer",
            ValueError,
            {"one": 4, "two": 3, "three": 2, "four": 1},
            "'one' or 'two' or 'three' or 1 more",
        ),
        ("nodes", KeyError, {"one": 130}, "'one'"),
    ],
)
def test_a_mistake_in_a_layer_says_in_which_layer_and_of_which_conversations(
    tmp_path: Path, where: str, error: type[Exception], exchanges: dict[str, int], those: str
) -> None:
    talk = [message for name, count in exchanges.items() for message in chat(count, name)]
    with pytest.raises(error) as raised:
        run(replace(job(tmp_path, talk), layers={"mistaken": Mistaken(where)}))
    assert raised.value.__notes__ == [f"in layers.mistaken, of conversation {those}"]


def test_a_worker_on_ray_says_it_too(tmp_path: Path) -> None:
    with pytest.raises(NameError) as raised:
        run(replace(job(tmp_path, chat(1), executor=Ray(workers=1)), layers={"mistaken": Mistaken()}))
    assert "in layers.mistaken, of conversation 'c'" in "".join(format_exception(raised.value))


def test_what_a_layer_says_to_the_user_stays_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(UserError) as raised:
        run(replace(job(tmp_path, chat(1)), layers={"mistaken": Mistaken("user")}))
    assert not hasattr(raised.value, "__notes__")


@pytest.mark.parametrize("lacking", ["segment", "conversation_id"])
def test_a_table_by_which_no_row_is_found_or_erased_is_refused(lacking: str) -> None:
    held = [each for each in FOUND if each.name != lacking]
    with pytest.raises(UserError, match=rf"layers\.c: its table lacks {lacking}, by which rows are found"):
        equipped({"c": Named("c", table=pa.schema(held))}, Tools(Random()))


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


def test_messages_are_handed_to_layers_as_they_are_read_back() -> None:
    late = datetime(2024, 3, 4, 1, tzinfo=timezone(timedelta(hours=8)))
    said = [
        stored(
            Numbered(n, str(n), n, Message("c", "user", f"hello {n}", time=time, attachments=("a cat",)), n)
        )
        for n, time in enumerate((late, late.replace(tzinfo=None), None))
    ]
    first, rest = message_rows([said[:1], said[1:]], ["a", "b"])
    assert messages(Span("a", {"messages": first})) == said[:1]
    assert messages(Span("b", {"messages": rest.take([1, 0])})) == said[1:]
    assert said[0].time is not None
    assert said[0].time.date() == late.date()


def test_what_layers_share_of_a_segment_is_told_once() -> None:
    told: dict[Any, Any] = {}
    calls = []

    def tell(span: Span) -> int:
        calls.append(span.name)
        return len(calls)

    assert [Span(name, {}, told).once(tell) for name in "ab"] == [1, 1]
    assert Span("c", {}).once(tell) == 2


def test_a_text_that_occurs_again_is_encoded_once() -> None:
    given: list[str] = []

    class Counting(Random):
        def encode(self, texts: Sequence[str]) -> Vectors:
            given.extend(texts)
            return super().encode(texts)

    found = encoded(Counting(), ["a", "b", "b", "a", "c"])
    assert given == ["a", "b", "c"]
    assert found.shape[0] == 5
    assert np.array_equal(found[1::-1], found[2:4])


# Another value of a setting that is no number.
OTHER = {
    "shares": {"fact": 0.2},
    "kinds": ["summary"],
    "languages": ["en", "zh"],
    "sealed_by": "engine",
}
# Whoever looks for twins finds the same ones, and without a model the rules condense, whatever is chosen.
NEUTRAL = {("scratchpad", "join"), ("scratchpad", "sealed_by")}
SETTINGS = [
    (name, each.name)
    for name in LAYERS
    for each in fields(settings(LAYERS[name])[name])  # type: ignore[arg-type]
    if (name, each.name) not in NEUTRAL
]


def other(name: str, value: Any) -> Any:
    if name in OTHER:
        return OTHER[name]
    return (
        not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else value * 1.1 or 0.9
    )


@pytest.mark.parametrize(("name", "setting"), SETTINGS)
def test_every_setting_of_a_layer_is_in_its_version(name: str, setting: str) -> None:
    chosen: Any = settings(LAYERS[name])[name]
    changed = replace(chosen, **{setting: other(setting, getattr(chosen, setting))})
    assert changed.equip(Tools(Random())).version != chosen.equip(Tools(Random())).version


def test_of_recorded_layers_those_without_a_class_are_left_out_and_no_others() -> None:
    recorded = {
        name: {"_target_": f"memfold.layers.{target}"}
        for name, target in (("keys", "keys.Keys"), ("gone", "gone.Gone"), ("none", "keys.Gone"))
    }
    assert list(layers_of(json.dumps({"layers": recorded}))) == ["keys"]
    recorded["scratchpad"] = {"_target_": "memfold.layers.scratchpad.tree.Scratchpad", "tokens": 5}  # type: ignore[dict-item]
    with pytest.raises(UserError, match="tokens must be at least 100"):
        layers_of(json.dumps({"layers": recorded}))
