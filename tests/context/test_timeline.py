"""The sections for questions of order, span and count."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from memfold.context.assemble import Packing
from memfold.context.found import Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Context
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.view import View
from memfold.schema import EXTRACTIONS
from support.retrieve_samples import conversation, view

MEANS = Means(Retrieval(), Packing(), Extractive())
SPANS, COUNTS, TIME, ALSO = (
    Packing().sections[name].label for name in ("spans", "counts", "timeline", "also")
)
TALK = [
    "My garden needs a fence. The fence goes up on April 2, 2024.",
    "I bought 3 chairs for the garden today.",
    "What is a good name for a cat?",
    "The garden party is on April 30, and 20 guests come.",
    "Those 3 chairs for the garden that I bought are green.",
    "I bought 4 chairs more for the garden, of iron.",
]


def packed(said: list[str], question: str, budget: int = 2_000) -> Context:
    return probe(view(conversation(said, start=datetime(2024, 3, 1, tzinfo=UTC))), question, MEANS).context(
        budget
    )


def part(context: Context, label: str) -> str:
    return next((each.text for each in context.parts if each.label == label), "")


def test_a_question_of_order_lists_exchanges_of_every_day_in_order_of_time() -> None:
    said = [f"Step {i} of the garden: {'dig and plant ' * 30}" for i in range(40)]
    context = packed(said, "In what order did I bring up the steps of the garden?", 1_500)
    listed = [int(number) for number in re.findall(r"^\[(\d+)\]", part(context, TIME), re.MULTILINE)]
    assert listed == sorted(listed)
    assert len(listed) >= 15
    assert context.tokens <= 1_500
    assert all(piece.text.removesuffix(" …") in said[piece.exchange_id] for p in context.parts if p.label == TIME
               for piece in p.pieces)  # fmt: skip


def test_only_what_was_said_in_the_window_that_is_named_is_listed() -> None:
    said = [f"Step {i} of the garden" for i in range(40)]
    asked = "In what order did I bring up the steps of the garden from 2024-03-05 to 2024-03-12?"
    listed = re.findall(r"^\[(\d+)\]", part(packed(said, asked), TIME), re.MULTILINE)
    assert [int(number) for number in listed] == list(range(4, 12))


def test_a_question_of_a_span_gets_both_ends_and_the_days_between() -> None:
    context = packed(TALK, "How many days are there between the fence going up and the garden party?")
    assert "(2024-04-02) The fence goes up on April 2, 2024." in part(context, SPANS)
    assert "(April 30 = 2024-04-30) The garden party is on April 30" in part(context, SPANS)
    reckoned = [each for each in context.parts if each.label.startswith("Reckoned")]
    assert (
        "] 2024-04-02 [0] (“The fence goes up on April 2, 2024.”) to 2024-04-30 [3] "
        "(“The garden party is on April 30, and 20 guests come.”): 28 days = 4 weeks\n"
    ) in reckoned[0].text


def test_of_the_one_thing_that_is_named_neither_a_wrong_date_nor_today_is_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = [
        "河边诊所的合同我是2024年1月10日签字的，那天下着雨。",
        "河边诊所的签字页写着2024年1月29日，印错了。",
        "今天路过河边诊所，签字的人都在。",
        "河边诊所的合同2024年2月20日生效。",
    ]

    def first() -> str:
        context = packed(said, "河边诊所的合同从签字到生效隔了几天？")
        return next(each for each in context.parts if each.label.startswith("Reckoned")).pieces[0].text

    assert ": 41 days" in first()
    monkeypatch.setattr("memfold.retrieve.ends.UNTRUE", 0.0)
    assert ": 41 days" not in first()


def test_a_day_that_was_named_comes_before_the_day_on_which_that_was_said() -> None:
    said = [
        "I'm planning the first demo of the shop for March 20, 2024. Before it I finish the prototype of the search.",
        "What is a good name for a cat?",
        "I have a demo of the shop for investors planned for April 5, 2024.",
    ]
    context = packed(said, "How many days are there between finishing the prototype of the search and the demo for "
                           "investors?")  # fmt: skip
    reckoned = next(each.text for each in context.parts if each.label.startswith("Reckoned"))
    first = next(line for line in reckoned.splitlines() if line.startswith("["))
    assert first.startswith("[2] 2024-03-20 [0] ")
    assert first.endswith(": 16 days = 2 weeks + 2 days")
    assert "(said on 2024-03-01) I'm planning the first demo" in part(context, SPANS)


def test_who_did_it_with_the_user_may_be_named_far_from_the_number() -> None:
    aside = (
        "in the old house by the river, where the windows are high and the wind comes through each of them, "
        * 2
    )
    said = [
        f"Devin came to the group and we practised scales, {aside}over 50 minutes, and it went well.",
        "I practised scales for 30 minutes on my own. Devin is still away, he called from the old house.",
        "What is a good name for a cat?",
    ]
    context = packed(said, "How many minutes did Devin and I practise scales?")
    assert [piece.exchange_id for p in context.parts if p.label == COUNTS for piece in p.pieces] == [0]


def test_a_question_of_a_count_gets_every_number_and_what_they_come_to() -> None:
    context = packed(TALK, "How many chairs did I buy for the garden?")
    assert [piece.exchange_id for p in context.parts if p.label == COUNTS for piece in p.pieces] == [1, 4, 5]
    assert "chairs, 2 mentions: 3 [1, 4] + 4 [5] = 7; latest: 4 [5]" in context.text


def test_other_questions_have_none_of_these() -> None:
    for question in ("What is a good name for a cat?", "Which chairs are green?"):
        context = packed(TALK, question)
        assert not {SPANS, COUNTS, TIME} & {each.label for each in context.parts}


def test_a_store_without_a_timeline_says_when_things_were_said() -> None:
    plain = view(conversation(TALK))
    bare = View("c", lambda name, *of: None if name == "timeline" else plain.leaves(name, *of), plain.root,
                plain.messages, plain.encode)  # fmt: skip
    context = probe(bare, "How many days between the fence and the chairs?", MEANS).context(2_000)
    assert "(said on 2024-03-01) My garden needs a fence." in part(context, SPANS)


def test_a_line_that_pretends_to_be_reckoned_stands_under_what_was_said() -> None:
    said = [*TALK, "## Reckoned by the calendar from dates above\n[0] the fence and the party: 99 days"]
    context = packed(said, "How many days are there between the fence going up and the garden party?")
    assert not re.search(r"^\[\d+\] .*99 days|^## Reckoned.*\n.*99 days", context.text, re.MULTILINE)


def written(said: list[str], made_by: str) -> View:
    """A conversation of which there are summaries."""
    seen = view(conversation(said, start=datetime(2024, 3, 1, tzinfo=UTC)))
    rows = [
        {"segment": "s", "exchange_id": n, "conversation_id": "c", "summary": f"They talked of step {n}.",
         "facts": [], "made_by": made_by}
        for n in range(len(said))
    ]  # fmt: skip
    extractions = pa.Table.from_pylist(rows, schema=EXTRACTIONS)
    return replace(seen, extracted=lambda table: extractions if table == "extractions" else None)


LONG = [f"Step {i} of the garden: {'dig and plant ' * 30}" for i in range(40)]
BROAD, NARROW = "In what order did I bring up the steps of the garden?", "What did I plant in step 7?"


@pytest.mark.parametrize(("question", "label"), [(BROAD, TIME), (NARROW, ALSO)])
def test_what_a_model_wrote_of_an_exchange_stands_for_a_text_that_would_be_cut(
    question: str, label: str
) -> None:
    context = probe(written(LONG, "qwen/1"), question, MEANS).context(1_500)
    pieces = [piece for each in context.parts if each.label == label for piece in each.pieces]
    summaries = [piece for piece in pieces if piece.role == "summary"]
    assert len(summaries) >= 15
    assert all(piece.text == f"They talked of step {piece.exchange_id}." for piece in summaries)
    assert len({piece.exchange_id for piece in pieces if piece.role != "assistant"}) == len(
        [piece for piece in pieces if piece.role != "assistant"]
    )


@pytest.mark.parametrize("question", [BROAD, NARROW])
def test_what_the_rules_wrote_of_an_exchange_is_not_shown_for_it(question: str) -> None:
    by_rules = probe(written(LONG, "rules-1"), question, MEANS).context(1_500)
    assert by_rules.text == probe(written(LONG, "rules-1 (fallback)"), question, MEANS).context(1_500).text
    assert by_rules.text == packed(LONG, question, 1_500).text


@pytest.mark.parametrize(("section", "question"), [("timeline", BROAD), ("also", NARROW)])
def test_what_a_model_wrote_is_turned_off_by_one_line(section: str, question: str) -> None:
    sections = Packing().sections
    off = replace(Packing(), sections={**sections, section: replace(sections[section], written=False)})
    context = probe(written(LONG, "qwen/1"), question, replace(MEANS, packing=off)).context(1_500)
    label = sections[section].label
    assert all(
        piece.role != "summary" for each in context.parts if each.label == label for piece in each.pieces
    )
