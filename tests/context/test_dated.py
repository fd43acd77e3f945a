"""The days of citations, and behind words like "yesterday"."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

import memfold
from memfold.context.dated import dated, with_days
from memfold.context.types import Answer, Citation, Context, Filled, Piece, readable
from support.given import indexed, said

NOTHING = Context("", 0, (), ())
SAID = date(2024, 3, 5)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I met Mia yesterday.", "I met Mia yesterday [2024-03-04]."),
        ("Ich war gestern beim Arzt.", "Ich war gestern [2024-03-04] beim Arzt."),
        ("Vorgestern regnete es.", "Vorgestern [2024-03-03] regnete es."),
        ("我昨天去了医院。", "我昨天 [2024-03-04]去了医院。"),
        ("قابلته أمس في المكتب.", "قابلته أمس [2024-03-04] في المكتب."),
        ("It broke two days ago, we go tomorrow", "It broke two days ago [2024-03-03], we go tomorrow [2024-03-06]"),
        ("On March 5 we met.", "On March 5 we met."),
        ("We open on Saturday the 23rd, 周五关门。", "We open on Saturday the 23rd [2024-03-23], 周五关门。"),
        ("He sang Yesterdays and read last month.", "He sang Yesterdays and read last month [2024-02]."),
        ("We moved last year.", "We moved last year [2023]."),
        ("It rained last week.", "It rained last week [2024-02-26 – 2024-03-03]."),
        ("We met last summer.", "We met last summer [2023-06 – 2023-08]."),
        ("We met a few years ago.", "We met a few years ago [2019 – 2022]."),
    ],
)  # fmt: skip
def test_a_word_that_means_a_day_has_it_behind_it(text: str, shown: str) -> None:
    assert with_days(text, SAID) == shown


def test_the_last_month_of_the_calendar_has_its_days() -> None:
    shown = with_days("The rent is due at the end of the month, 月底交房租。", date(9999, 12, 5))
    assert "9999-12-31" in shown


def test_quotes_stay_verbatim_and_each_has_its_own_day() -> None:
    days = {3: "2024-03-05", 7: "2024-03-10", 9: ""}
    cited = [Citation(number, ("m",), "We met yesterday.") for number in days]
    text = "\n".join(f"{each.quote} [{each.exchange_id}]" for each in cited)
    answer = dated(Answer(text, tuple(cited), NOTHING), lambda exchange: days[exchange])
    assert answer.text.splitlines() == [
        "We met yesterday [2024-03-04]. [3]",
        "We met yesterday [2024-03-09]. [7]",
        "We met yesterday. [9]",
    ]
    assert [(each.quote, each.day) for each in answer.citations] == [
        ("We met yesterday.", day) for day in days.values()
    ]


def test_the_date_a_memory_was_filed_with_stands_behind_its_quote() -> None:
    citations = Citation(3, ("m",), "Dentist with Dr. Kim"), Citation(7, ("n",), "Rent is due on 2024-04-01")
    text = "- “Dentist with Dr. Kim” [3]\n- “Rent is due on 2024-04-01” [7]"
    days = {3: "2024-03-05", 7: "2024-03-10"}
    answer = dated(
        Answer(text, citations, NOTHING),
        days.__getitem__,
        {3: "2024-12-05", 7: "2024-04-01", 9: "2024-05-01"},
    )
    assert answer.text.splitlines() == [
        "- “Dentist with Dr. Kim [2024-12-05]” [3]",
        "- “Rent is due on 2024-04-01” [7]",
    ]
    assert [each.quote for each in answer.citations] == [each.quote for each in citations]


def test_a_memory_is_answered_with_its_date(tmp_path: Path) -> None:
    indexed(tmp_path, [said("My rent is due.", id="a")])
    store = memfold.open(str(tmp_path))
    store.add_memory("c", "Dentist appointment with Dr. Kim", kind="event", by="calendar", date="2024-12-05")
    store.add_memory("c", "The boiler is new", by="calendar")
    store = memfold.open(str(tmp_path))
    assert (
        "“Dentist appointment with Dr. Kim [2024-12-05]”"
        in store.ask("c", "When is my dentist appointment?").text
    )
    assert "“The boiler is new”" in store.ask("c", "What about the boiler?").text


def test_the_order_of_quotes_is_free() -> None:
    newer, older = Citation(7, ("m",), "I sold it yesterday."), Citation(3, ("m",), "it yesterday.")
    text = "- “I sold it yesterday.” [7]\n- “it yesterday.” [3]"
    days = {3: "2024-03-05", 7: "2024-03-10"}
    answer = dated(Answer(text, (older, newer), NOTHING), days.__getitem__)
    assert answer.text.splitlines() == [
        "- “I sold it yesterday [2024-03-09].” [7]",
        "- “it yesterday [2024-03-04].” [3]",
    ]


def test_all_messages_of_an_exchange_are_named() -> None:
    cited = [Citation(0, ("m0",), "One."), Citation(0, ("m1", "m0"), "Two.")]
    assert readable("One. Two.", cited).splitlines()[-1] == "[0] messages m0, m1"
    pieces = Piece(5, ("m11",), "dated", "x"), Piece(5, ("m10", "m11"), "user", "y")
    context = Context("", 0, (Filled("a", "", (5,), 1, pieces[:1]), Filled("b", "", (5,), 1, pieces[1:])), ())
    assert context.cite(5).message_ids == ("m11", "m10")
    with pytest.raises(KeyError, match="no exchange 6"):
        context.cite(6)


def test_what_a_model_wrote_is_left_as_it_is() -> None:
    answer = dated(Answer("You met yesterday [3]", (Citation(3, ("m",)),), NOTHING), lambda _: "2024-03-05")
    assert (answer.text, answer.citations[0].day) == ("You met yesterday [3]", "2024-03-05")


def test_an_answer_says_when(tmp_path: Path) -> None:
    indexed(
        tmp_path,
        [said("Yesterday I bought a red kayak.", id="a", minute=0), said("My rent is due.", id="b")],
    )
    answer = memfold.open(str(tmp_path)).ask("c", "When did I buy the kayak?")
    assert str(answer).splitlines() == [
        "Quoted from this conversation:",
        "- 2024-03-01: “Yesterday [2024-02-29] I bought a red kayak.” [0]",
        "",
        "[0] 2024-03-01, messages a",
    ]
