"""Twins: what is folded says the same, what was folded stays citable, and any cut of a conversation folds alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import memfold
from memfold.embed.contract import Vectors
from memfold.embed.minilm import MiniLM
from memfold.errors import UserError
from memfold.extract.engines.recorded import Recorded
from memfold.layers.layer import Group, Span, Tools
from memfold.layers.scratchpad.items import Item, united
from memfold.layers.scratchpad.tree import FOLDED_SCRATCHPAD, SCRATCHPAD, Scratchpad, Tree, parse
from memfold.layers.scratchpad.twins import folded, literally
from memfold.retrieve.notes import Opened
from memfold.schema import EXTRACTIONS, NOTES
from memfold.text import tokens
from support.command import command
from support.given import job, run, said
from support.gpu import skip_unless


@dataclass(frozen=True)
class Alike:
    """An embedder to which all texts mean the same but those with "opposite"."""

    signature = "alike"
    dimension = 4

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.eye(4, dtype=np.float32)[[int("opposite" in text) for text in texts]].reshape(len(texts), 4)


def item(exchange: int, text: str, kind: str = "fact") -> Item:
    return Item(exchange, kind, text, None, None, None, None, tokens.count(text))


def fold(*items: Item, cosine: float = 0.9) -> tuple[Item, ...]:
    return folded([items], cosine, Alike(), "reference")[0]


SAME = [
    ("database = PostgreSQL 14", "database version = PostgreSQL 14"),
    ("The stop loss is 1.5% below the entry price.", "stop loss = 1.5% below entry price"),
    ("User moved to Berlin in 2021", "The user moved to Berlin in 2021."),
    ("files = a.py and b.py", "files = a.py, b.py"),
    ("Keep notes short", "keep notes short!"),
    ("密码 = 保存在本地", "密码：保存在本地"),
]
OTHERS = [
    ("response time = 400ms", "response time = 220ms"),
    ("Ann pays Bob 5 euros", "Bob pays Ann 5 euros"),
    ("latency fell from 400ms to 220ms", "latency fell from 220ms to 400ms"),
    ("the launch is on May 3", "the launch is on May 13"),
    ("The deadline of Apollo is Friday", "The deadline of Hermes is Friday"),
    ("The deadline is Monday", "The deadline is Friday"),
    ("alerts are sent", "alerts are not sent"),
    ("Ann eats before the run", "Ann eats after the run"),
    ("the cache is on", "the cache is off"),
    ("The user is implementing the cache", "The user implemented the cache"),
    ("data cached = prices", "data to cache = prices"),
    ("Ann is a nurse", "Ann was a nurse"),
    ("tables = alerts", "tables = alerts and users"),
    ("url = ws://example.com", "url = ws://example.com/ws"),
    ("broker = amqp://guest@localhost", "broker = amqp://guest:guest@localhost"),
    ("endpoint = https://api.x.com", "endpoint = https://paper-api.x.com"),
    ("the variable is x", "the variable is y"),
    ("My brother lives in Rome", "I live in Rome"),
    ("我没有猫", "我有猫"),
    ("the user prefers tea over coffee", "the user prefers coffee over tea"),
    ("the cat is allergic to the dog", "the dog is allergic to the cat"),
    ("预算是五百元", "预算是六百元"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_says_the_same_is_folded_into_the_later_and_cited(one: str, other: str) -> None:
    assert fold(item(3, one), item(9, other)) == (replace(item(9, other), also=(3,)),)


@pytest.mark.parametrize(("one", "other"), OTHERS)
def test_another_value_or_entity_is_no_twin_however_alike(one: str, other: str) -> None:
    both = (item(3, one), item(9, other))
    assert fold(*both) == both


@pytest.mark.parametrize(
    "change",
    [{"kind": "event"}, {"date": "2024-05-03"}, {"reason": "cost"}, {"entity": "hermes"}, {"against": "no"}],
)
def test_all_but_the_words_must_agree_too(change: dict[str, str]) -> None:
    one = replace(item(3, "deadline = May 3"), entity="apollo")
    other = item(9, "the deadline = May 3")
    assert len(fold(one, other)) == 1
    assert fold(one, replace(other, **change)) == (one, replace(other, **change))  # type: ignore[arg-type]


def test_what_is_of_no_entity_takes_that_of_its_twin_and_then_is_of_no_other() -> None:
    told = [
        item(n, text)
        for n, text in enumerate(("deadline = May 3", "the deadline = May 3", "a deadline = May 3"))
    ]
    of = [replace(one, entity=entity) for one, entity in zip(told, ("apollo", None, "hermes"), strict=True)]
    assert [(one.exchange_id, one.entity, one.also) for one in fold(*of)] == [
        (1, "apollo", (0,)),
        (2, "hermes", ()),
    ]


def test_the_same_words_with_another_meaning_stay() -> None:
    both = (item(3, "cats chase the opposite"), item(9, "the cats chase opposite"))
    assert len(fold(*both)) == 1
    apart = replace(both[1], text="the cats chase")
    assert literally(both[0]) != literally(apart)

    class Apart(Alike):
        def encode(self, texts: Sequence[str]) -> Vectors:
            return np.eye(4, dtype=np.float32)[: len(texts)]

    assert folded([both], 0.9, Apart(), "reference") == [both]


def test_many_nodes_at_once_are_folded_as_each_alone() -> None:
    told = ("a port = 80", "port = 80", "the port = 80", "port = 81", "port = 81!")
    nodes = [tuple(item(k, told[(k + n) % 5]) for k in range(n)) for n in range(8)]
    together = folded(nodes, 0.9, Alike(), "reference")
    assert together == [folded([node], 0.9, Alike(), "reference")[0] for node in nodes]
    assert [one.also for one in together[5]] == [(0, 1), (3,)] or sum(
        len(one.also) for one in together[5]
    ) == 3


def test_what_a_twin_replaced_and_stood_for_is_handed_on() -> None:
    older = replace(item(3, "port = 81"), replaced="port = 80", also=(1,))
    (one,) = fold(older, item(9, "the port = 81"))
    assert (one.exchange_id, one.also, one.replaced) == (9, (1, 3), "port = 80")
    again = replace(one, exchange_id=12, also=(5,))
    assert united([one, again])[0].also == (1, 3, 5)


NUMBER = 24
TEXTS = ("the port = 80", "port = 80", "a port = 80!", "host = x", "the host = x", "host = y")


def spans(of: range) -> list[Span]:
    """Segments of three exchanges, each with one fact note."""
    made = []
    for start in range(of.start, of.stop, 3):
        rows = [
            {
                "segment": "",
                "exchange_id": n,
                "conversation_id": "c",
                "time": None,
                "summary": "",
                "facts": [],
            }
            for n in range(start, start + 3)
        ]
        notes = [
            {**{k: row[k] for k in ("segment", "exchange_id", "conversation_id", "time")}, "n": 0}
            | {"kind": "fact", "text": TEXTS[row["exchange_id"] * 5 % 6]}  # type: ignore[operator]
            for row in rows
        ]
        told = {
            "extractions": pa.Table.from_pylist([{**row, "made_by": ""} for row in rows], schema=EXTRACTIONS),
            "notes": pa.Table.from_pylist(notes, schema=NOTES),
        }
        made.append(Span(str(start), told))
    return made


def tree(twins: float = 0.9) -> Tree:
    return replace(Scratchpad(twins=twins).equip(Tools(Alike())), span=3)


def root(layer: Tree, batches: Sequence[Sequence[int]]) -> pa.Table:
    """The root over `NUMBER` exchanges whose leaves were made in some batches."""
    all_spans = spans(range(NUMBER))
    leaves: dict[int, pa.Table] = {}
    for batch in batches:
        made = layer.leaves([all_spans[place] for place in batch])
        leaves |= dict(zip(batch, made, strict=True))
    level = [leaves[place] for place in sorted(leaves)]
    while len(level) > 1:
        groups = [Group(str(n), level[n : n + layer.fan]) for n in range(0, len(level), layer.fan)]
        level = [layer.nodes([group])[0] for group in groups]
    return level[0]


def test_any_batches_in_any_order_fold_alike_and_lose_no_exchange() -> None:
    whole = root(tree(), [range(8)])
    assert whole.schema.equals(FOLDED_SCRATCHPAD)
    for batches in ([[7, 0, 3], [1, 2], [6, 5, 4]], [[n] for n in reversed(range(8))]):
        assert root(tree(), batches).equals(whole)
    (node,) = parse(whole)
    assert len(node.items) == 3
    unfolded = parse(root(tree(0), [range(8)]))[0]
    assert len(unfolded.items) == 6
    assert {n for one in node.items for n in (one.exchange_id, *one.also)} >= {
        one.exchange_id for one in unfolded.items
    }


def test_control_folding_across_nodes_is_told_from_folding_within() -> None:
    """If a leaf's twins were looked for in whatever leaves are made with it, the batches would show."""
    both = [(item(0, "port = 80"),), (item(9, "the port = 80"),)]
    apart = folded(both, 0.9, Alike(), "reference")
    assert apart == both
    assert folded([both[0] + both[1]], 0.9, Alike(), "reference") != [apart[0] + apart[1]]


def test_a_folded_note_is_found_by_every_exchange_it_stands_for() -> None:
    rows = root(tree(), [range(8)])
    opened = Opened.of(rows)
    (node,) = parse(rows)
    assert sum(bool(one.also) for one in node.items) == 2
    for one in node.items:
        for exchange in (one.exchange_id, *one.also):
            assert one in opened.said_in([exchange])


def test_without_twins_rows_and_version_are_what_they_were() -> None:
    layer = tree(0)
    assert (layer.table, layer.version) == (SCRATCHPAD, Tree().version)
    assert root(layer, [range(8)]).schema.equals(SCRATCHPAD)
    assert len({tree(twins).version for twins in (0, 0.9, 0.95)}) == 3


def test_real_vectors_keep_twins_together() -> None:
    told = [item(n, text) for n, text in enumerate(sum(SAME[:3], ()))]
    assert [one.exchange_id for one in folded([told], 0.8, MiniLM(), "auto")[0]] == [1, 3, 5]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (
            {"twins": 0.5},
            r"layers\.scratchpad\.twins=0\.5 must be 0 \(fold none\) or a cosine from 0\.8 to 0\.999",
        ),
        ({"twins": -1.0}, r"layers\.scratchpad\.twins=-1"),
        ({"join": "gpu"}, r"layers\.scratchpad\.join='gpu' must be one of auto, kernel, reference"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, object], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        Scratchpad(**settings)  # type: ignore[arg-type]


def test_a_kernel_without_a_gpu_is_said_with_the_cure() -> None:
    skip_unless(here=False)
    with pytest.raises(RuntimeError, match=r"no GPU is here|is not installed"):
        folded([[item(0, "nobody's twin")]], 0.9, MiniLM(), "kernel")
    layer = replace(tree(), settings=Scratchpad(twins=0.9, join="kernel"))
    with pytest.raises(UserError, match="set it to auto or reference"):
        layer.leaves(spans(range(6)))


def test_a_job_says_so_before_it_reads_and_a_reader_needs_none(tmp_path: Path) -> None:
    skip_unless(here=False)
    words = ("source=synthetic", "layers.scratchpad.twins=0.9", "layers.scratchpad.join=kernel")
    done = command("index", *words, f"store.root={tmp_path}/s")
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith("error: layers.scratchpad.join=kernel: ")
    Scratchpad(twins=0.9, join="kernel").equip(Tools(MiniLM()))


def test_a_store_keeps_what_was_folded_and_a_context_cites_it(tmp_path: Path) -> None:
    """Through the real job: 65 exchanges, so that the twins lie in two leaves and meet in the root."""
    texts = {1: "the launch budget = 900 euros", 64: "launch budget = 900 euros"}
    talk = [
        said("The launch budget is settled." if n in texts else f"Hello {n}", id=f"m{n}") for n in range(65)
    ]
    lines = [
        {
            "conversation_id": "c",
            "exchange": n,
            "facts": [],
            "summary": "",
            "notes": [{"kind": "fact", "text": text}],
        }
        for n, text in texts.items()
    ]
    path = tmp_path / "lines.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    roots = {}
    for twins in (0, 0.8):
        overrides = ("layers=[episodic,scratchpad]", f"layers.scratchpad.twins={twins}")
        root = tmp_path / str(twins)
        run(replace(job(root, talk, overrides=overrides), engine=Recorded(str(path))))
        store = memfold.open(str(root), "default")
        roots[twins] = [one for one in store.scratchpad("c") if "launch budget =" in one.text]
        context = store.context("c", "What is the launch budget?")
    assert [(one.exchange_id, one.also) for one in roots[0]] == [(1, ()), (64, ())]
    assert [(one.exchange_id, one.also) for one in roots[0.8]] == [(64, (1,))]
    (notes,) = [part for part in context.parts if part.label == "Notes"]
    assert notes.text.count("launch budget =") == 1
    assert {"m1", "m64"} <= {one for piece in notes.pieces for one in piece.message_ids}
