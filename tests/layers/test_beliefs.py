"""Beliefs: sums that any order gives to the last bit, what is held, merged and dropped, and what a question finds."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memfold
from memfold.context.assemble import Packing
from memfold.context.found import Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.embed.contract import Vectors
from memfold.errors import UserError
from memfold.layers.beliefs import Beliefs, observations
from memfold.layers.beliefs.held import beliefs
from memfold.layers.beliefs.settle import Bounds, settle
from memfold.layers.beliefs.units import ONE, Key, Statement, Sums, added, entropy, observed
from memfold.layers.layer import Group, Span, Tools
from memfold.retrieve.beliefs import Believed
from memfold.retrieve.fuse import Retrieval
from memfold.schema import MESSAGES, NOTES
from support.folding import Random
from support.given import job, run, said
from support.retrieve_samples import DIMENSION, conversation, encode, view

STATEMENTS = st.lists(
    st.builds(
        Statement,
        exchange_id=st.integers(0, 50),
        n=st.integers(0, 9),
        text=st.sampled_from("abc"),
        polarity=st.integers(-ONE, ONE),
        strength=st.integers(1, ONE),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda one: (one.exchange_id, one.n),
)
Merge = Callable[[Sequence[Statement], random.Random], object]


def exact(given: Sequence[Statement], draw: random.Random) -> Sums:
    """The observations added two at a time, in an order drawn by lot."""
    parts = [observed(one) for one in given]
    while len(parts) > 1:
        draw.shuffle(parts)
        parts = [added([parts.pop(), parts.pop()]), *parts]
    return parts[0]


def running(given: Sequence[Statement], draw: random.Random) -> tuple[float, float]:
    """The paper's update as it is written, in floats, over an order drawn by lot: the twin that is wrong."""
    order = list(given)
    draw.shuffle(order)

    def update(of: tuple[float, float], one: Statement) -> tuple[float, float]:
        (c, w), s = of, one.strength / ONE
        return (c * w + s * max(one.polarity, 0) / ONE) / (w + s), w + s

    return reduce(update, order, (0.0, 0.0))


def assert_any_order(merge: Merge, given: Sequence[Statement]) -> None:
    first = merge(given, random.Random(0))
    assert all(merge(given, random.Random(seed)) == first for seed in range(1, 8))


@settings(max_examples=60)
@given(STATEMENTS)
def test_any_order_of_merging_gives_the_same_bits(given: list[Statement]) -> None:
    assert_any_order(exact, given)


def test_control_the_update_one_by_one_in_floats_does_not() -> None:
    draw = random.Random(1)
    given = [Statement(n, 0, "a", draw.randint(-ONE, ONE), draw.randint(1, ONE)) for n in range(12)]
    assert_any_order(exact, given)
    with pytest.raises(AssertionError):
        assert_any_order(running, given)


@settings(max_examples=30)
@given(STATEMENTS)
def test_the_sums_are_the_paper_s_update(given: list[Statement]) -> None:
    c, w = Fraction(0), Fraction(0)
    for one in given:
        s, p = Fraction(one.strength, ONE), Fraction(max(one.polarity, 0), ONE)
        c, w = (c * w + s * p) / (w + s), w + s
    sums = exact(given, random.Random(3))
    assert (Fraction(sums.pos, ONE * sums.weight), Fraction(sums.weight, ONE)) == (c, w)
    assert sums.pos + sums.neg + sums.neu == ONE * sums.weight
    assert 0 <= sums.millibits <= 1_585


def test_entropy_is_in_bits() -> None:
    assert entropy([1.0, 0.0, 0.0]) == 0
    assert entropy([0.5, 0.5, 0.0]) == 1
    assert entropy([1 / 3] * 3) == pytest.approx(1.585, abs=1e-3)


def unit(pos: int, neg: int, neu: int, observations: int = 2, last: int = 1) -> Sums:
    """A unit by its sums in thousandths."""
    weight = pos + neg + neu
    said = (Statement(last, 0, "so", 0, 1),)
    return Sums(pos * ONE, neg * ONE, neu * ONE, weight, observations, 0, last, said)


TASTE, PACKAGING, PRICE, WHOLE = (
    Key("drink", "coffee", name) for name in ("taste", "packaging", "price", "")
)


def states(units: dict[Key, Sums], **bounds: float) -> dict[str, str]:
    return {key.aspect: fate.state for key, fate in settle(units, Bounds(**bounds)).items()}  # type: ignore[arg-type]


def test_light_aspects_that_lead_the_same_way_merge_and_others_stay_apart() -> None:
    loved, hated = unit(900, 0, 100), unit(0, 900, 100)
    assert states({TASTE: loved, PRICE: loved}) == {"taste": "merged", "price": "merged"}
    assert states({TASTE: loved, PACKAGING: hated}) == {"taste": "held", "packaging": "held"}
    assert states({TASTE: loved, WHOLE: hated}) == {"taste": "held", "": "held"}
    assert states({TASTE: loved, WHOLE: loved}) == {"taste": "merged", "": "held"}
    assert states({TASTE: unit(9_000, 0, 0), PRICE: loved}) == {"taste": "held", "price": "held"}
    assert states({TASTE: loved, PRICE: loved}, light=0) == {"taste": "held", "price": "held"}


def test_only_units_of_high_entropy_and_low_weight_are_dropped_and_few_of_them() -> None:
    noise, sure, heavy = unit(400, 300, 300), unit(900, 50, 50), unit(4_000, 3_000, 3_000)
    others = {Key("", f"thing {n}", ""): sure for n in range(7)}
    assert states({TASTE: noise, PACKAGING: heavy} | others)["taste"] == "dropped"
    assert states({TASTE: noise, PACKAGING: heavy} | others)["packaging"] == "held"
    noisy = {Key("", f"noise {n}", ""): noise for n in range(8)}
    dropped = [fate for fate in settle(noisy, Bounds()).values() if fate.state == "dropped"]
    assert len(dropped) == 2
    assert all(fate.why == "1.57 bits at a weight of 1" for fate in dropped)
    assert "dropped" not in states({TASTE: noise, PACKAGING: heavy}, noise_share=0).values()


def test_no_more_units_are_held_than_may_be() -> None:
    many = {Key("", f"thing {n}", ""): unit(900 + n, 0, 100) for n in range(10)}
    fates = settle(many, Bounds(most=4))
    assert [key.object for key, fate in fates.items() if fate.state == "held"] == [
        f"thing {n}" for n in range(6, 10)
    ]
    assert {fate.why for fate in fates.values() if fate.state == "dropped"} == {"more than 4 units"}


@pytest.mark.parametrize("wrong", [{"light": -1}, {"noise_bits": 2}, {"noise_share": 1.5}, {"most": 0}])
def test_bounds_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UserError, match=rf"layers\.beliefs\.{next(iter(wrong))} is "):
        Beliefs(**wrong)  # type: ignore[arg-type]


def note(exchange: int, about: str | None, polarity: float | None, **more: object) -> dict[str, object]:
    return {
        "segment": "s", "exchange_id": exchange, "n": 0, "conversation_id": "c", "kind": "sentiment",
        "text": f"said of {about}", "about": about, "polarity": polarity, **more,
    }  # fmt: skip


def span(
    notes: Sequence[dict[str, object]], said: Mapping[int, str] | None = None, role: str = "user"
) -> Span:
    """A segment of some notes; what the user said in an exchange is what it noted, where `said` has nothing else."""
    texts = {int(str(row["exchange_id"])): str(row["text"]) for row in notes} | dict(said or {})
    messages = [
        {
            "segment": "s", "seq": 2 * n, "conversation_id": "c", "message_id": str(n), "exchange_id": n,
            "role": role, "content": text, "attachments": [], "current": True, "language": "en", "tokens": 9,
        }
        for n, text in texts.items()
    ]  # fmt: skip
    rows = {
        "messages": pa.Table.from_pylist(messages, schema=MESSAGES),
        "notes": pa.Table.from_pylist(list(notes), schema=NOTES),
    }
    return Span("a", rows)


def test_evidence_is_what_the_user_says_of_a_thing() -> None:
    rows = [
        note(0, "The Coffee", 0.8, aspect="flavour", strength=0.5),
        note(1, "coffee", -0.4, aspect="口味"),
        note(2, "coffee", 0.5, kind="preference"),
        note(3, None, 0.9),
        note(4, "coffee", None),
        note(5, "coffee", 0.9, said_by="assistant"),
        note(6, "coffee", 0.9, kind="fact"),
    ]
    found = list(observations(span(rows)))
    assert [(key.type, key.object, key.aspect) for key, _ in found] == [
        ("drink", "coffee", "taste"), ("drink", "coffee", "taste"), ("drink", "coffee", ""),
    ]  # fmt: skip
    assert [(sums.pos, sums.neg, sums.weight) for _, sums in found] == [
        (400_000, 0, 500), (0, 320_000, 800), (400_000, 0, 800),
    ]  # fmt: skip


HATED = "I hate the coffee"


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        (f"> {HATED}\nWhat do you think of this review?", False),
        (f"Here is the review:\n\n{HATED}. The staff is terrible.", False),
        (f'What do you make of this?\n"""{HATED}. The staff is terrible."""', False),
        (f"```\n{HATED}\n```\nWrite an answer to it.", False),
        (f"{HATED}. What else is there?", True),
        (f"> What do you think of us?\n{HATED}.", True),
        (f"{HATED}. Here is what others say:\n> The tea is great", True),
    ],
)
def test_what_was_pasted_is_no_feeling_of_the_user(said: str, counts: bool) -> None:
    noted = [note(0, "coffee", -0.9, text=HATED)]
    assert len(list(observations(span(noted, {0: said})))) == counts


@pytest.mark.parametrize(
    "text", [f"> {HATED}", f'"{HATED}, and all else that is served there as well, always"', "I like it"]
)
def test_what_a_program_files_is_a_feeling_whatever_it_looks_like(text: str) -> None:
    noted = [note(0, "coffee", -0.9, text=text)]
    assert len(list(observations(span(noted, role="memory")))) == 1


def test_a_feeling_without_terms_is_the_user_s_where_they_name_the_thing() -> None:
    noted = [note(0, "coffee", 0.9, text="I like it")]
    for text, counts in (
        ("The coffee is new. I like it.", 1),
        ("> The coffee is new. I like it.\nAnd you?", 0),
    ):
        assert len(list(observations(span(noted, {0: text})))) == counts


def test_a_message_that_was_replaced_says_nothing() -> None:
    rows = span([note(0, "coffee", -0.9, text=HATED)]).rows
    place = MESSAGES.get_field_index("current")
    replaced = rows["messages"].set_column(place, MESSAGES.field("current"), pa.array([False]))
    assert not list(observations(Span("a", {**rows, "messages": replaced})))


def test_a_sum_beyond_64_bits_is_refused_and_never_wraps() -> None:
    layer = Beliefs().equip(Tools(Random()))
    rows = layer.leaves([span([note(0, "tea", 1.0)])])[0]
    place = rows.schema.get_field_index("pos")
    full = rows.set_column(place, rows.schema.field("pos"), pa.array([2**62], pa.int64()))
    with pytest.raises((OverflowError, pa.ArrowInvalid)):
        layer.nodes([Group("b", [full, full])])


def held(*rows: dict[str, object]) -> Believed:
    layer = Beliefs().equip(Tools(Random()))
    return Believed.of(layer.leaves([span(rows)])[0])


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How do I feel about the packaging of the coffee?", {("coffee", "packaging")}),
        ("What do I think of the coffee?", {("coffee", "packaging"), ("coffee", "taste")}),
        ("Which drinks do I like?", {("coffee", "packaging"), ("coffee", "taste"), ("绿茶", "")}),
        ("我觉得绿茶怎么样？", {("绿茶", "")}),
        ("Which places did I enjoy?", {("hotel", "service")}),
        ("How many cups of coffee did I buy?", set()),
    ],
)
def test_a_question_finds_by_what_it_names_and_then_by_meaning(
    question: str, found: set[tuple[str, str]]
) -> None:
    beliefs = held(
        note(0, "coffee", 0.9, aspect="taste"), note(1, "coffee", -0.9, aspect="packaging"),
        note(2, "绿茶", 0.9), note(3, "hotel", 0.9, aspect="service"),
    )  # fmt: skip
    vector = Random().encode([question])[0]
    assert {(unit.object, unit.aspect) for unit in beliefs.fit(question, vector)} == found


class Words:
    """The embedder of the conversations of `support.retrieve_samples`."""

    signature = "words"
    dimension = DIMENSION

    def encode(self, texts: Sequence[str]) -> Vectors:
        return encode(texts)


def test_the_section_says_what_the_user_thinks_with_its_reason() -> None:
    noted = span([note(1, "coffee", 0.9, reason="it is mild")])
    root = Beliefs().equip(Tools(Words())).leaves([noted])[0]
    seen = view(conversation(["hello", "I love the coffee because it is mild", "bye"]))
    told = replace(seen, root={"beliefs": root}.get)
    means = Means(Retrieval(), Packing(), Extractive())
    context = probe(told, "Do I like coffee?", means).context(4_000)
    (part,) = [part for part in context.parts if part.label == "What the user thinks"]
    assert part.exchange_ids == (1,)
    assert "coffee: liked (for 0.90" in part.text
    assert "(it is mild)" in part.text
    assert "What the user thinks" not in probe(seen, "Do I like coffee?", means).context(1_000).text


def test_a_job_believes_the_user_and_no_review_that_they_show(tmp_path: Path) -> None:
    talk = [
        "> I hate the coffee\nWhat do you think of this review?",
        "Here is the review:\n\nI hate the coffee. The staff is terrible.",
        'Shorten this: """I hate the hotel. I hate the coffee."""',
        "I love the tea.",
    ]
    items = [said(text, id=str(n), minute=n) for n, text in enumerate(talk)]
    run(job(tmp_path, items, overrides=["layers=[episodic,beliefs]"]))
    assert [(one.object, one.pos > 0.5) for one in memfold.open(str(tmp_path)).beliefs("c").units] == [
        ("tea", True)
    ]


def test_a_store_shows_them_now_and_as_of_an_earlier_message(tmp_path: Path) -> None:
    talk = [
        "I love the taste of the coffee.",
        "The coffee's packaging is pretty nice.",
        "I hate the taste of the coffee.",
    ]
    items = [said(text, id=str(n), minute=n) for n, text in enumerate(talk)]
    run(job(tmp_path, items, overrides=["layers=[episodic,beliefs]"]))
    store = memfold.open(str(tmp_path))
    then, between, now = (store.beliefs("c", as_of=str(n)) for n in range(3))
    assert [(one.aspect, one.pos > 0.5) for one in then.units] == [("taste", True)]
    assert [(one.aspect, one.aspects) for one in between.units] == [("", ("packaging", "taste"))]
    assert {change.belief.aspect for change in between.log} == {"packaging", "taste"}
    assert between.entropy < between.entropy_before
    assert [(one.aspect, one.observations) for one in now.units] == [("packaging", 1), ("taste", 2)]
    assert now == store.beliefs("c")
    assert "coffee, taste: mixed feelings" in now.text
    assert now.json["beliefs"][1]["neg"] > 0
    with pytest.raises(UserError, match="as_of=3"):
        store.beliefs("c", as_of=3)  # type: ignore[arg-type]
    assert beliefs(None).units == ()


def test_statements_say_whose_they_are_where_several_people_speak(tmp_path: Path) -> None:
    talk = [("Ann", "I love the garden."), ("Ben", "I hate the garden."), ("Ann", "我喜欢这个公园。")]
    items = [replace(said(text, id=str(n), minute=n), speaker=who) for n, (who, text) in enumerate(talk)]
    run(job(tmp_path / "two", items, overrides=["layers=[episodic,beliefs]"]))
    garden, park = memfold.open(str(tmp_path / "two")).beliefs("c").units
    assert [(one.who, one.sign) for one in garden.evidence] == [("Ann", "pos"), ("Ben", "neg")]
    assert garden.summary.endswith("most recently Ben: “I hate the garden”")
    assert park.summary.endswith("最近Ann说：“我喜欢这个公园”")
    run(job(tmp_path / "one", items[:1], overrides=["layers=[episodic,beliefs]"]))
    (alone,) = memfold.open(str(tmp_path / "one")).beliefs("c").units
    assert [one.who for one in alone.evidence] == [None]
    assert alone.summary.endswith("most recently: “I love the garden”")
