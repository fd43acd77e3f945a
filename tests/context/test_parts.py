"""What a probe is answered with, as a config sets it. `tests/test_contracts.py` lists what there is to choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memfold import UserError
from memfold.build import build
from memfold.config import load
from memfold.context.assemble import Packing
from memfold.context.found import Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.readers.model import ByModel
from memfold.layers.scratchpad.tree import Line, Node, table
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.query import pose
from support.retrieve_samples import conversation, encode, order, view


def built(*overrides: str) -> dict[str, Any]:
    config = load("ask", ["store.root=nowhere", *overrides])
    return {group: build(config[group], group) for group in ("retrieval", "context", "reader")}


def test_fuzzy_recall_forgets_too() -> None:
    assert (
        built("retrieval=fuzzy", "retrieval.forgetting.half_life=30")["retrieval"].forgetting.half_life == 30
    )


def test_fuzzy_recall_adds_up_to_one() -> None:
    assert sum(arm.weight for arm in built("retrieval=fuzzy")["retrieval"].arms.values()) == pytest.approx(
        1.0
    )


def test_a_choice_of_the_model_is_what_the_library_has() -> None:
    assert built("reader=model")["reader"] == ByModel()


def test_the_library_s_own_choice_is_the_jobs() -> None:
    made = built()
    assert (made["retrieval"], made["context"], made["reader"]) == (Retrieval(), Packing(), Extractive())
    assert list(made["context"].sections) == list(Packing().sections)
    assert list(made["retrieval"].steps) == list(Retrieval().steps)


@pytest.mark.parametrize("name", list(Retrieval().arms))
def test_an_arm_scores_every_exchange_or_says_nothing(name: str) -> None:
    arm = built()["retrieval"].arms[name]
    for said in (["hello", "the cat", "a dog"], ["cat " * 300, "dog"]):
        seen = view(conversation(said, ""), [order(0, "instruction", "Be brief")])
        scores = arm.score(seen, pose("Which cat?", encode))
        assert scores is None or (scores.shape, scores.dtype) == ((len(said),), "float64")


def test_a_part_is_set_added_and_taken_away_by_name() -> None:
    made = built("retrieval.arms.dense.weight=0.5", "~retrieval.arms.surroundings", "~context.sections.notes")
    assert list(made["retrieval"].arms) == [
        "lexical",
        "dense",
        "advice",
        "unsaid",
        "keyed",
        "translated",
        "sentences",
    ]
    assert made["retrieval"].arms["dense"].weight == 0.5
    kept = [name for name in Packing().sections if name != "notes"]
    assert list(made["context"].sections) == kept
    another = built("+retrieval.arms.again={_target_: memfold.retrieve.arms.lexical.Lexical, weight: 0.1}")
    assert another["retrieval"].arms["again"].weight == 0.1


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("retrieval.arms.dense.weight=much", "retrieval.arms.dense.weight: "),
        ("retrieval.arms.dense.weight=7", "retrieval.arms.dense.weight is 7.0"),
        (
            "+retrieval.arms.dense.wait=1",
            "retrieval.arms.dense.wait is unknown; retrieval.arms.dense has: weight",
        ),
        ("retrieval.arms.dense.wait=1", "retrieval.arms.dense.wait is unknown"),
        ("retrieval.arms.dense=3", "retrieval.arms.dense is 3: give it a _target_"),
        (
            "retrieval.arms.dense._target_=os.system",
            "retrieval.arms.dense: os.system is no dataclass: write @dataclass above it",
        ),
        (
            "retrieval.steps.orders._target_=memfold.retrieve.arms.dense.Dense",
            "orders.rank is unknown",
        ),
        ("retrieval.steps.orders.slots=-1", "retrieval.steps.orders.slots is -1"),
        ("context.sections.notes.share=2", "context.sections.notes.share is 2.0"),
        (
            "+context.sections.mine={_target_: memfold.context.sections.spans.Spans, most: 0}",
            "context.sections.mine.most is 0: give 1 or more",
        ),
        ("context.budget=0", "context.budget is 0"),
        ("context.kinds.order.budget=0", "context.kinds.order.budget is 0"),
        ("context.kinds.order.budget=much", "context.kinds.order.budget: "),
        ("context.kinds.order.sections=[closet]", "context.kinds.order.sections names 'closet'"),
        (
            "context.kinds.order.settings.timeline.share=2",
            "context.kinds.order.settings.timeline.share is 2: give a share from 0 to 1",
        ),
        ("context.kinds.order.settings.timeline.share=all", "timeline.share is 'all': give a number"),
        ("+context.kinds.order.settings.timeline.length=2", "order.settings.timeline.length is unknown"),
        ("+context.kinds.count.settings.counter.most=2", "count.settings names 'counter'"),
        ("+context.kinds.count.settings.counts.most=2.5", "counts.most is 2.5: give a whole number"),
        ("+context.kinds.count.settings.counts.most=0", "counts.most is 0"),
        (
            "+context.kinds.orders={_target_: memfold.context.assemble.Packed}",
            "context.kinds.orders is no kind",
        ),
        (
            "+retrieval.kinds.why={_target_: memfold.retrieve.fuse.Searching}",
            "retrieval.kinds.why is no kind",
        ),
        ("retrieval.kinds.order.reach=-1", "retrieval.kinds.order.reach is -1"),
        ("retrieval.kinds.order.reach=far", "retrieval.kinds.order.reach: "),
        ("retrieval.kinds.said.arms=[advise]", "retrieval.kinds.said.arms names 'advise'"),
        ("+retrieval.kinds.said.settings.advice.weight=7", "said.settings.advice.weight is 7"),
        ("+retrieval.kinds.said.settings.advice.weight=big", "advice.weight is 'big': give a number"),
        ("+retrieval.kinds.said.wait=1", "retrieval.kinds.said.wait is unknown"),
        ("retrieval.kinds.recal.reach=1", "retrieval.kinds.recal"),
        ("context.sections.timeline.reach=0", "timeline.reach is 0.0: give more than 0"),
        ("context.sections.beliefs.most=0", "beliefs.most is 0"),
        ("context.sections.standing.preferences=-1", "standing.preferences is -1"),
        ("context.sections.profile.most=-1", "profile.most is -1"),
        ("context.sections.spans.most=0", "spans.most is 0"),
        ("context.sections.counts.considered=-1", "counts.considered is -1"),
        ("context.reference=0", "context.reference is 0"),
        (
            "+retrieval.steps.dense={_target_: memfold.retrieve.steps.dates.Dates}",
            "retrieval: dense is the name of an arm and of a step",
        ),
        ("context.reference=few", "context.reference: "),
    ],
)
def test_a_wrong_part_is_one_line_that_says_which(override: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        built(override)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_kind_of_question_has_settings_of_its_own() -> None:
    made = built(
        "retrieval.kinds.order.reach=7",
        "+retrieval.kinds.order.settings.dense.weight=0.5",
        "retrieval.kinds.said.arms=[advice]",
        "context.kinds.order.settings.timeline.share=0.4",
        "context.kinds.count.sections=[counts,also]",
        "context.kinds.count.budget=900",
    )
    retrieval, packing = made["retrieval"], made["context"]
    assert [retrieval.of(kind).reach for kind in ("order", "recall")] == [7, 0]
    assert [retrieval.of(kind).arms["dense"].weight for kind in ("order", "recall")] == [0.5, 0.64]
    assert list(retrieval.of("said").arms) == ["advice"]
    assert [packing.of(kind).sections["timeline"].share for kind in ("order", "recall")] == [0.4, 0.0]
    assert (list(packing.of("count").sections), packing.of("count").budget) == (["counts", "also"], 900)
    assert packing.of("recall").budget == 14_000
    seen = view(conversation([f"the cat is number {n}" for n in range(24)]))
    found = probe(seen, "How many cats are there?", Means(retrieval, packing, Extractive()))
    assert found.context().tokens <= 900
    assert {part.label for part in found.context().parts} <= {"Numbers of what is asked about", "Also said"}


def test_a_section_that_was_taken_away_needs_no_settings_taken_away() -> None:
    assert "timeline" not in built("~context.sections.timeline")["context"].of("order").sections


@pytest.mark.parametrize("question", ["hello", "thanks!", "你好"])
def test_small_talk_searches_nothing_and_has_only_standing_orders(question: str) -> None:
    seen = view(conversation(["hello there", "the cat", "你好，猫"]), [order(0, "instruction", "Be brief")])
    found = probe(seen, question, Means(Retrieval(), Packing(), Extractive()))
    assert found.hits() == []
    assert [part.label for part in found.context().parts] == ["Standing orders and preferences"]
    assert found.answer().citations == ()
    assert len(probe(seen, "Which cat?", Means(Retrieval(), Packing(), Extractive())).hits()) == 3


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


def test_of_many_preferences_those_that_fit_the_question_stand_beside_every_order() -> None:
    sorts = [
        "tea",
        "bread",
        "jazz",
        "chess",
        "rain",
        "trains",
        "opera",
        "cheese",
        "maps",
        "ferns",
        "boats",
        "wool",
    ]
    seen = view(
        conversation(
            [f"I prefer {sort} of the old kind" for sort in sorts] + ["Always answer in one sentence"]
        ),
        [order(n, "preference", f"I prefer {sort} of the old kind") for n, sort in enumerate(sorts)]
        + [order(len(sorts), "instruction", "Always answer in one sentence")],
    )
    packing = built("context.sections.standing.preferences=3")["context"]
    found = probe(seen, "Which cheese of the old kind suits me?", Means(Retrieval(), packing, Extractive()))
    (standing,) = (
        part.text for part in found.context().parts if part.label == "Standing orders and preferences"
    )
    assert "Always answer in one sentence" in standing
    assert sum(f"I prefer {sort} " in standing for sort in sorts) == 3
    assert "I prefer cheese " in standing
