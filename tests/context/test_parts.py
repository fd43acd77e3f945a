"""What a probe is answered with, by name as the config names it: one line for each arm, step, section and reader."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memfold import UserError
from memfold.config import build, load
from memfold.context.assemble import Packing
from memfold.context.found import Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.readers.model import ByModel
from memfold.layers.scratchpad.tree import Line, Node, table
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.query import ask
from support.retrieve_samples import conversation, encode, order, view

PARTS = [
    ("retrieval", "arms", "lexical", "memfold.retrieve.arms.lexical.Lexical"),
    ("retrieval", "arms", "dense", "memfold.retrieve.arms.dense.Dense"),
    ("retrieval", "arms", "surroundings", "memfold.retrieve.arms.surroundings.Surroundings"),
    ("retrieval", "arms", "advice", "memfold.retrieve.arms.passages.Advice"),
    ("retrieval", "arms", "unsaid", "memfold.retrieve.arms.passages.Unsaid"),
    ("retrieval", "arms", "keyed", "memfold.retrieve.arms.keyed.Keyed"),
    ("retrieval", "steps", "neighbours", "memfold.retrieve.steps.neighbours.Neighbours"),
    ("retrieval", "steps", "dates", "memfold.retrieve.steps.dates.Dates"),
    ("retrieval", "steps", "orders", "memfold.retrieve.steps.orders.Orders"),
    ("context", "sections", "standing", "memfold.context.sections.standing.StandingOrders"),
    ("context", "sections", "beliefs", "memfold.context.sections.beliefs.HeldBeliefs"),
    ("context", "sections", "notes", "memfold.context.sections.notes.ScratchpadNotes"),
    ("context", "sections", "spans", "memfold.context.sections.spans.Spans"),
    ("context", "sections", "counts", "memfold.context.sections.counts.Counts"),
    ("context", "sections", "timeline", "memfold.context.sections.timeline.TimeLine"),
    ("context", "sections", "chronicle", "memfold.context.sections.chronicle.Chronicle"),
    ("context", "sections", "closest", "memfold.context.sections.closest.Closest"),
    ("context", "sections", "passages", "memfold.context.sections.passages.FoundPassages"),
    ("context", "sections", "recent", "memfold.context.sections.recent.Recent"),
    ("context", "sections", "also", "memfold.context.sections.also.AlsoSaid"),
]
READERS = [
    ("extractive", Extractive()),
    ("model", ByModel()),
]


def built(*overrides: str) -> dict[str, Any]:
    config = load("ask", ["store.root=nowhere", *overrides])
    return {group: build(config[group], group) for group in ("retrieval", "context", "reader")}


@pytest.mark.parametrize(("group", "kind", "name", "target"), PARTS)
def test_a_part_is_what_its_name_says(group: str, kind: str, name: str, target: str) -> None:
    part = type(getattr(built()[group], kind)[name])
    assert f"{part.__module__}.{part.__qualname__}" == target


@pytest.mark.parametrize(("name", "reader"), READERS)
def test_a_reader_is_what_its_name_says(name: str, reader: object) -> None:
    assert built(f"reader={name}")["reader"] == reader


def test_the_tables_are_whole_and_the_library_s_own_choice_is_the_jobs() -> None:
    config = load("ask", ["store.root=nowhere"])
    kinds = dict.fromkeys(part[:2] for part in PARTS)
    named = [(group, kind, name) for group, kind in kinds for name in config[group][kind]]
    assert named == [part[:3] for part in PARTS]
    conf = Path(__file__).resolve().parents[2] / "conf" / "reader"
    assert sorted(path.stem for path in conf.iterdir()) == sorted(name for name, _ in READERS)
    made = built()
    assert (made["retrieval"], made["context"], made["reader"]) == (Retrieval(), Packing(), Extractive())
    assert list(made["context"].sections) == list(Packing().sections)


@pytest.mark.parametrize("name", list(Retrieval().arms))
def test_an_arm_scores_every_exchange_or_says_nothing(name: str) -> None:
    arm = built()["retrieval"].arms[name]
    for said in (["hello", "the cat", "a dog"], ["cat " * 300, "dog"]):
        seen = view(conversation(said, ""), [order(0, "instruction", "Be brief")])
        scores = arm.score(seen, ask("Which cat?", encode))
        assert scores is None or (scores.shape, scores.dtype) == ((len(said),), "float64")


def test_a_part_is_set_added_and_taken_away_by_name() -> None:
    made = built("retrieval.arms.dense.weight=0.5", "~retrieval.arms.surroundings", "~context.sections.notes")
    assert list(made["retrieval"].arms) == ["lexical", "dense", "advice", "unsaid", "keyed"]
    assert made["retrieval"].arms["dense"].weight == 0.5
    kept = [name for name in Packing().sections if name != "notes"]
    assert list(made["context"].sections) == kept
    another = built("+retrieval.arms.again={_target_: memfold.retrieve.arms.lexical.Lexical, weight: 0.1}")
    assert another["retrieval"].arms["again"].weight == 0.1


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("retrieval.arms.dense.weight=much", "retrieval.arms.dense: weight"),
        ("retrieval.arms.dense.weight=7", "retrieval.arms.dense.weight is 7.0"),
        (
            "+retrieval.arms.dense.wait=1",
            "retrieval.arms.dense.wait is unknown; retrieval.arms.dense has: weight",
        ),
        ("retrieval.arms.dense.wait=1", "retrieval.arms.dense.wait is unknown"),
        ("retrieval.arms.dense=3", "retrieval.arms.dense is 3: give it a _target_"),
        (
            "retrieval.arms.dense._target_=os.system",
            "retrieval.arms.dense: os.system is not a configurable class",
        ),
        (
            "retrieval.steps.dates._target_=memfold.retrieve.arms.dense.Dense",
            "dates.minimum is unknown",
        ),
        ("retrieval.steps.orders.slots=-1", "slots of the orders is -1"),
        ("context.sections.notes.share=2", "share is 2.0"),
        ("context.sections.timeline.order=2", "timeline.order is 2"),
        ("context.sections.timeline.reach=0", "a reach above 0"),
        ("context.sections.beliefs.most=0", "beliefs.most is 0"),
        ("context.sections.spans.most=0", "spans.most is 0"),
        ("context.sections.counts.considered=-1", "counts.considered is -1"),
        ("context.reference=0", "context.reference is 0"),
        ("context.reference=few", "context: reference"),
    ],
)
def test_a_wrong_part_is_one_line_that_says_which(override: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        built(override)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_chronicle_is_turned_on_by_one_line_and_stands_where_a_summary_is_asked_for() -> None:
    made = built("context.sections.chronicle.share=0.2")
    lines = tuple(Line(n, f"2024-03-{n + 1:02}", f"the cat was said {n}", 3) for n in range(24))
    root = table([Node("n", "c", 0, 0, 24, (), (), chronicle=lines)])
    seen = replace(
        view(conversation([f"the cat is number {n}" for n in range(24)])),
        root={"scratchpad": root}.get,
    )
    for question, there in (("Can you summarise our talk of the cat?", True), ("Which cat?", False)):
        context = probe(seen, question, Means(made["retrieval"], made["context"], Extractive())).context(
            2_000
        )
        (part,) = [part for part in context.parts if "2024-03-" in part.text and "when" in part.label] or [
            None
        ]
        assert (part is not None) == there
        if part is not None:
            assert part.exchange_ids[0] < 6
            assert part.exchange_ids[-1] > 18
            assert part.tokens <= 0.2 * 2_000
