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
from memfold.context.sections.counts import RECKONED as ADDED
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


def test_a_part_that_was_done_is_not_the_end_of_the_whole() -> None:
    said = [
        "I want to finish it by March 20, 2024, the draft of my essay.",
        "What is a good name for a cat?",
        "I finished 90% of the draft of my essay by March 12, 2024.",
        "The deadline for the grant is April 5, 2024.",
    ]
    context = packed(said, "How many days are there between finishing the draft of my essay and the deadline for the "
                           "grant?")  # fmt: skip
    reckoned = next(each for each in context.parts if each.label.startswith("Reckoned"))
    assert reckoned.pieces[0].text.startswith("2024-03-20 [0] ")


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


def first_reckoned(said: list[str], question: str) -> tuple[str, str]:
    """The two days of the time that is reckoned first."""
    reckoned = next(each for each in packed(said, question).parts if each.label.startswith("Reckoned"))
    match = re.match(r"(\S+) \[\d+\] .*? to (\S+) \[\d+\] ", reckoned.pieces[0].text)
    assert match is not None
    return match[1], match[2]


MOVED = [
    "My thesis defense is on April 12.",
    "I registered the thesis topic on January 8.",
    "Ana's party is on April 20.",
    "The thesis defense was moved to April 26.",
    "I have my eye surgery on March 20, and the dentist comes on April 2.",
    "Bad news: the defense got rescheduled again, to May 3.",
    "The clinic called: eye surgery is now on March 25.",
    "The launch of the shop was moved from May 6 to May 9.",
    "My flight to Tokyo leaves on May 20.",
    "Her flight was moved to May 28.",
]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How many days from my thesis defense to the flight to Tokyo?", "2024-05-03", "2024-05-20"),
        ("How many days between the eye surgery and the thesis defense?", "2024-03-25", "2024-05-03"),
        ("How many days between the launch of the shop and the flight to Tokyo?", "2024-05-09", "2024-05-20"),
        ("How many days before the thesis defense was the eye surgery?", "2024-03-25", "2024-05-03"),
        # The day that was planned first is asked for.
        (
            "How many days between the original date of my thesis defense and the flight to Tokyo?",
            "2024-04-12",
            "2024-05-20",
        ),
        (
            "How many days between the original launch of the shop and the flight to Tokyo?",
            "2024-05-06",
            "2024-05-20",
        ),
        ("How many days was the eye surgery postponed?", "2024-03-20", "2024-03-25"),
        (
            "How many days between the first date of the eye surgery and the original date of my thesis defense?",
            "2024-03-20",
            "2024-04-12",
        ),
        # Nothing of this was moved.
        ("How many days between registering the thesis topic and Ana's party?", "2024-01-08", "2024-04-20"),
        ("How many days between the visit of the dentist and Ana's party?", "2024-04-02", "2024-04-20"),
    ],
)
def test_what_was_moved_counts_by_its_newest_day(question: str, one: str, other: str) -> None:
    assert first_reckoned(MOVED, question) == (one, other)


@pytest.mark.parametrize(
    ("said", "question", "days"),
    [
        # A day that had passed cannot have been moved.
        (
            ["The team meeting is on March 2.", "I fly to Oslo on April 1.", "x", "The team meeting was moved to "
             "March 28."],
            "How many days between the team meeting and the flight to Oslo?",
            ("2024-03-02", "2024-04-01"),
        ),
        # It may be another deadline that was moved.
        (
            ["The tax deadline is May 31.", "The thesis deadline is April 30.", "I fly to Oslo on April 1.",
             "The deadline was moved to June 15."],
            "How many days between the flight to Oslo and the tax deadline?",
            ("2024-04-01", "2024-05-31"),
        ),
        (
            ["婚礼定在4月20日。", "我5月29日飞东京。", "婚礼改到5月11日了。"],
            "从婚礼到飞东京有多少天？",
            ("2024-05-11", "2024-05-29"),
        ),
        (
            ["婚礼定在4月20日。", "我5月29日飞东京。", "婚礼改到5月11日了。"],
            "从原来的婚礼到飞东京有多少天？",
            ("2024-04-20", "2024-05-29"),
        ),
    ],
)  # fmt: skip
def test_only_what_surely_was_moved_counts_by_another_day(
    said: list[str], question: str, days: tuple[str, str]
) -> None:
    assert first_reckoned(said, question) == days


TWO = [
    "I signed the lease on January 10 and moved in on February 3. The internet was connected on February 20.",
    "I submitted the paper on January 15, got the reviews on February 8, and sent the revision on February 27.",
    "The paper was accepted on March 1.",
    "Ana's wedding: the ceremony is on June 7, the dinner on June 8.",
    "Bob's wedding: the ceremony is on July 5, the dinner on July 6.",
    "2月5日我看了房子，2月9日签了合同。网络2月25日装好了。",
]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How many days between signing the lease and moving in?", "2024-01-10", "2024-02-03"),
        ("How many days between moving in and the internet being connected?", "2024-02-03", "2024-02-20"),
        (
            "How many days between getting the reviews and the paper being accepted?",
            "2024-02-08",
            "2024-03-01",
        ),
        ("How many days from sending the revision to the paper being accepted?", "2024-02-27", "2024-03-01"),
        (
            "How many days between the dinner of Ana's wedding and the ceremony of Bob's wedding?",
            "2024-06-08",
            "2024-07-05",
        ),
        ("从签合同到网络装好有多少天？", "2024-02-09", "2024-02-25"),
    ],
)
def test_of_two_dates_in_a_sentence_the_one_that_its_clause_is_about_counts(
    question: str, one: str, other: str
) -> None:
    assert first_reckoned(TWO, question) == (one, other)


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
    assert "chairs, 2 mentions: 3 [1, 4] + 4 [5] = 7\n" in context.text


def test_one_number_alone_is_added_to_nothing() -> None:
    said = ["I bought 3 chairs for the garden.", "What is a good name for a cat?"]
    context = packed(said, "How many chairs did I buy for the garden?")
    assert [piece.exchange_id for p in context.parts if p.label == COUNTS for piece in p.pieces] == [0]
    assert ADDED not in {part.label for part in context.parts}


def test_what_is_asked_as_it_stands_gets_every_number_and_no_sum() -> None:
    said = [
        "We have 30 guests for the party.",
        "Now we have 45 guests for the party.",
        "What is a cat called?",
    ]
    context = packed(said, "How many guests do we have for the party?")
    assert [piece.exchange_id for p in context.parts if p.label == COUNTS for piece in p.pieces] == [0, 1]
    assert ADDED not in {part.label for part in context.parts}


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
