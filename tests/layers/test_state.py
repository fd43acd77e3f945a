"""The state: which notes are entries, what replaces, corrects, gives up and answers what, and how it is shown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.layers.layer import Span
from memfold.layers.orders import Order, history
from memfold.layers.profile.history import Entry, Evidence, Profile
from memfold.layers.replaced import mark
from memfold.layers.state import State
from memfold.layers.state.choosing import RIGHT, concise
from memfold.layers.state.history import NEEDED, stand
from memfold.layers.state.shown import StateOf, labelled, line, users
from memfold.layers.state.stated import Stand, Stated
from memfold.schema import EXTRACTIONS, MESSAGES, NOTES
from memfold.text.small_talk import telling
from support.retrieve_samples import message

START = datetime(2024, 3, 1, tzinfo=UTC)
Noted = tuple[str, str, str | None]


def leaf(
    said: Sequence[str],
    notes: dict[int, list[Noted]],
    pace: timedelta = timedelta(minutes=5),
    by: str | None = "user",
) -> pa.Table:
    """A leaf over exchanges of one message; notes are (kind, text, about)."""
    times = [START + n * pace for n in range(len(said))]
    rows = [
        {
            name: getattr(message(n, n, "user", text, times[n]), name)
            for name in MESSAGES.names
            if name != "segment"
        }
        for n, text in enumerate(said)
    ]
    of = {"segment": "s", "conversation_id": "c"}
    extractions = [
        {**of, "exchange_id": n, "time": times[n], "summary": text, "facts": [], "made_by": "x"}
        for n, text in enumerate(said)
    ]
    noted = [
        {
            **of,
            "exchange_id": n,
            "n": place,
            "kind": kind,
            "text": text,
            "about": about,
            "time": times[n],
            "said_by": by,
        }
        for n, each in notes.items()
        for place, (kind, text, about) in enumerate(each)
    ]
    (made,) = State().leaves(
        [
            Span(
                "s",
                {
                    "messages": pa.Table.from_pylist(
                        [{**row, "segment": "s"} for row in rows], schema=MESSAGES
                    ),
                    "extractions": pa.Table.from_pylist(extractions, schema=EXTRACTIONS),
                    "notes": pa.Table.from_pylist(noted, schema=NOTES),
                },
            )
        ]
    )
    assert made.schema.equals(State.table)
    return made


def state(*noted: Noted | str, pace: timedelta = timedelta(minutes=5)) -> Stand:
    """One exchange for each note, which repeats it, or for each text, of which nothing was noted."""
    said = [each if isinstance(each, str) else each[1] for each in noted]
    notes = {n: [each] for n, each in enumerate(noted) if not isinstance(each, str)}
    return stand(leaf(said, notes, pace))


def states(standing: Stand) -> list[tuple[str, str]]:
    return [(entry.kind, entry.state) for entry in standing.entries]


def test_a_value_is_replaced_by_a_newer_one_which_keeps_the_old() -> None:
    older, newer = state(
        ("constraint", "My budget is 5000 euros", None), ("constraint", "My budget is 6000 euros", None)
    ).entries
    assert (older.state, older.by, newer.state, newer.replaced) == (
        "replaced",
        1,
        "holds",
        "My budget is 5000 euros",
    )


@pytest.mark.parametrize(
    ("older", "newer", "stands", "holding"),
    [
        ("Never suggest pork", "Always suggest pork", "holds", [1]),
        ("Please always answer in German", "From now on always answer in English please", "holds", [1]),
        ("Bitte antworte mir immer auf Deutsch", "Ab jetzt antworte bitte immer auf Englisch", "holds", [1]),
        ("Sieze mich bitte immer", "Ab jetzt duze mich bitte", "holds", [1]),
        ("Never use emojis", "You can use emojis again", "withdrawal", []),
        ("Verwende niemals Emojis", "Du darfst jetzt wieder Emojis verwenden", "withdrawal", []),
    ],
)
def test_what_is_required_are_the_orders_that_stand(
    older: str, newer: str, stands: str, holding: list[int]
) -> None:
    rows = leaf([older, newer], {n: [("instruction", text, None)] for n, text in enumerate((older, newer))})
    given = [Order(n, "instruction", text, None, None) for n, text in enumerate((older, newer))]
    found = stand(rows, orders=history(given))
    one, other = found.entries
    assert (one.state, one.by, other.state, other.replaced) == ("replaced", 1, stands, older)
    assert [entry.exchange_id for entry in found.holding("requirement")] == holding
    assert found.turns == [other]
    assert [entry.state for entry in stand(rows).entries] != [one.state, other.state]


@pytest.mark.parametrize(
    ("older", "newer", "state"),
    [
        ("Always show prices in euros", "Always show prices in Swiss francs", "holds"),
        ("Never answer in German", "Always answer in English", "holds"),
        ("Always use metric units", "Always use imperial units for recipes", "holds"),
        ("以后每次都给三个选项", "以后每次给五个选项", "holds"),
        ("Always cite sources", "Always cite your sources please", "replaced"),
        ("Never suggest pork", "Never suggest pork to me", "replaced"),
        ("以后叫我小王", "以后请叫我小王", "replaced"),
    ],
)
def test_each_order_stands_as_the_orders_say_and_one_in_other_words_is_no_turn(
    older: str, newer: str, state: str
) -> None:
    rows = leaf([older, newer], {n: [("instruction", text, None)] for n, text in enumerate((older, newer))})
    given = history([Order(n, "instruction", text, None, None) for n, text in enumerate((older, newer))])
    found = stand(rows, orders=given)
    assert [entry.state for entry in found.entries] == [state, "holds"]
    assert found.turns == []


def test_an_order_that_a_program_puts_right_holds_no_longer() -> None:
    older, newer = "Always suggest pork", "Always mention allergies"
    rows = leaf([older, newer], {n: [("instruction", text, None)] for n, text in enumerate((older, newer))})
    right = [
        {**row, "keys": [RIGHT + mark(older), *row["keys"]]} if row["text"] == newer else row
        for row in rows.to_pylist()
    ]
    stands = history([Order(n, "instruction", text, None, None) for n, text in enumerate((older, newer))])
    found = stand(pa.Table.from_pylist(right, schema=rows.schema), orders=stands)
    assert [entry.state for entry in found.entries] == ["replaced", "holds"]
    assert [turn.replaced for turn in found.turns] == [older]


def test_of_many_corrections_each_looks_at_what_it_puts_right_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = [f"The valve {n} is open" for n in range(40)]
    right = [f"The valve {n} is shut now" for n in range(40)]
    notes: list[Noted] = [("fact", text, f"valve {n % 40}") for n, text in enumerate((*facts, *right))]
    rows = leaf([*facts, *right], {n: [note] for n, note in enumerate(notes)})
    corrections = dict(zip(right, facts, strict=True))
    made = [
        {**row, "keys": [RIGHT + mark(corrections[row["text"]]), *row["keys"]]}
        if row["text"] in corrections
        else row
        for row in rows.to_pylist()
    ]
    marked: list[str] = []
    monkeypatch.setattr("memfold.layers.state.history.mark", lambda text: marked.append(text) or mark(text))
    found = stand(pa.Table.from_pylist(made, schema=rows.schema))
    assert [entry.state for entry in found.entries] == ["replaced"] * 40 + ["holds"] * 40
    assert [entry.replaced for entry in found.entries[40:]] == facts
    assert len(marked) == len(set(marked))


def test_who_says_again_what_was_put_right_twice_means_the_newest() -> None:
    said = ["The pump is red", "The pump is blue", "The pump is green"]
    rows = leaf(said, {n: [("fact", text, "pump")] for n, text in enumerate(said)})
    made = rows.to_pylist()
    keys = {row["text"]: row["keys"] for row in made if row["kind"] == "fact"}
    chain = [
        {**row, "keys": [RIGHT + mark(said[said.index(row["text"]) - 1])]}
        if row["text"] in said[1:] and row["kind"] == "fact"
        else row
        for row in made
    ]
    again = next(row for row in made if row["kind"] == "fact")
    chain.append({**again, "exchange_id": 3, "keys": keys[said[0]]})
    found = stand(pa.Table.from_pylist(chain, schema=rows.schema))
    assert [entry.state for entry in found.entries] == ["replaced", "replaced", "replaced", "holds"]
    assert found.entries[-1].replaced == said[2]


def test_two_things_of_one_name_or_subject_both_hold() -> None:
    for one, other in (
        (
            ("constraint", "Sprint 1 must end by May 4", None),
            ("constraint", "The release must end by May 9", None),
        ),
        (
            ("fact", "The backend has 90% of tests", "tests"),
            ("fact", "Cypress runs every night in Docker", "tests"),
        ),
    ):
        assert [each for _, each in states(state(one, other))] == ["holds", "holds"]


def test_a_correction_replaces_what_it_is_about_and_is_a_fact() -> None:
    found = state(
        ("fact", "The team meets in room 12 on Monday", None),
        ("fact", "Our office is on floor 3", None),
        ("correction", "The team meets in room 15 on Monday", None),
    )
    assert states(found) == [("fact", "replaced"), ("fact", "holds"), ("fact", "holds")]
    assert found.entries[2].replaced == "The team meets in room 12 on Monday"
    assert [entry.exchange_id for entry in found.turns] == [2]


def test_an_option_given_up_ends_what_was_settled_on_it_and_the_other_way_about() -> None:
    given_up = state(
        ("decision", "We decided to use MongoDB", None),
        ("excluded", "We ruled out MongoDB because of cost", "MongoDB"),
    )
    assert states(given_up) == [("conclusion", "replaced"), ("excluded", "holds")]
    taken = state(
        ("excluded", "We ruled out MongoDB", "MongoDB"),
        ("decision", "We decided to go with MongoDB after all", None),
    )
    assert states(taken) == [("excluded", "replaced"), ("conclusion", "holds")]
    over = state(
        ("excluded", "We ruled out MongoDB", "MongoDB"),
        ("decision", "We decided on Postgres over MongoDB", None),
    )
    assert states(over) == [("excluded", "holds"), ("conclusion", "holds")]


@pytest.mark.parametrize(
    ("taken", "given_up"),
    [
        ("我们决定用Redis", "我们决定不用Redis了，因为太贵"),
        ("我们决定使用微服务架构", "我们放弃了微服务架构，因为太复杂"),
        ("我选择坐火车", "我决定不再坐火车了，太慢"),
        ("我们决定改用MongoDB", "MongoDB方案被否决了"),
        ("最后还是选Redis吧", "我们已经排除了Redis"),
    ],
)
def test_in_chinese_an_option_is_given_up_and_taken_again(taken: str, given_up: str) -> None:
    settled, excluded = ("decision", taken, None), ("excluded", given_up, None)
    assert states(state(settled, excluded)) == [("conclusion", "replaced"), ("excluded", "holds")]
    assert states(state(excluded, settled)) == [("excluded", "replaced"), ("conclusion", "holds")]
    other = state(settled, ("excluded", "我们决定不用Kafka了", None))
    assert states(other) == [("conclusion", "holds"), ("excluded", "holds")]


def test_a_question_is_answered_by_what_settles_it_or_by_saying_so_or_is_left() -> None:
    asked: Noted = ("question", "I'm undecided between Hamburg and Bremen for the wedding", None)
    answered = state(asked, ("decision", "We chose Bremen for the wedding", None))
    assert states(answered) == [("question", "answered"), ("conclusion", "holds")]
    failed: Noted = ("question", "The login page fails with error 500", None)
    settled = state(failed, "Thanks, that is resolved now.")
    assert states(settled) == [("question", "answered"), ("fact", "holds")]
    assert (settled.entries[1].exchange_id, settled.entries[1].text) == (1, f"✓ {failed[1]}")
    assert states(state(asked, *["hello there"] * 48)) == [("question", "holds")]
    assert states(state(asked, *["hello there"] * 49)) == [("question", "left")]
    assert states(state(asked, "hello there", pace=timedelta(hours=24))) == [("question", "left")]


@pytest.mark.parametrize(
    ("asked", "done", "answered"),
    [
        ("The login page fails with error 500", "I fixed the login bug.", True),
        ("The login page fails with error 500", "I fixed it by restarting the server.", True),
        ("The login page fails with error 500", "I fixed the leaking tap.", False),
        ("登录页面打不开", "登录问题已经解决了。", True),
        ("登录页面打不开", "这个问题解决了。", True),
        ("登录页面打不开", "打印机的问题解决了。", False),
        ("We haven't decided whether to use React or Vue for the frontend", "I fixed the login bug.", False),
        ("We haven't decided whether to use React or Vue for the frontend", "That is resolved now.", False),
        ("前端用React还是Vue我们还没决定", "问题解决了。", False),
    ],
)
def test_what_is_done_answers_what_it_names_and_decides_between_no_options(
    asked: str, done: str, answered: bool
) -> None:
    found = state(("question", asked, None), "What is a cat?", done)
    settled = [("question", "answered"), ("fact", "holds")]
    assert states(found) == (settled if answered else [("question", "holds")])


def test_what_is_undecided_is_no_fact_and_it_means_the_newest_question() -> None:
    unclear = state(("question", "The seating plan is not settled yet", None), "It works now.")
    assert states(unclear) == [("question", "answered")]
    two = state(
        ("question", "The seating plan is too small", None),
        ("question", "The login page fails with error 500", None),
        "It works now.",
    )
    assert [each for _, each in states(two)] == ["holds", "answered", "holds"]
    assert two.entries[2].text == "✓ The login page fails with error 500"


def test_the_topic_is_that_of_the_newest_exchange_that_has_one() -> None:
    found = state("Let us plan the garden.", "Which roses are hardy?")
    assert found.topic is not None
    assert (found.topic.exchange_id, found.topic.text) == (1, "Which roses are hardy?")
    assert state().topic is None


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Cheers! I owe you one. Let me know if you need anything.", ""),
        ("Ann: Thanks, Bo! Your support means a lot. Talk to you soon!", ""),
        ("Bo: Yeah, no worries! It was great catching up. Bye!", ""),
        ("That's such a great idea, Ann!", ""),
        ("谢谢！再见！", ""),
        ("Ann: Thanks! I moved to Ghent on Monday.", "Ann: I moved to Ghent on Monday."),
        ("It means a lot to me. I'm adopting a puppy.", "I'm adopting a puppy."),
        ("Let me know if it's a yes or no. I will book the flight.", "I will book the flight."),
        ("I turned 30. Thanks!", "I turned 30."),
        ("Thanks to the new cache the page loads in 200 ms.", None),
        ("Thanks for the code, but my tests still fail.", None),
        ("I'd really appreciate your help with my tax form.", None),
        ("See the docs of the parser.", None),
        ("The trip was great fun.", None),
        ("Er tagt am 3. März.", None),
        ("How are you going to fix the roof?", None),
    ],
)
def test_thanks_praise_and_farewells_are_no_topic(said: str, kept: str | None) -> None:
    assert telling(said) == (said if kept is None else kept)
    found = state("Let us plan the garden.", said)
    assert found.topic is not None
    assert found.topic.exchange_id == (0 if kept == "" else 1)
    assert found.last_exchange == 1


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("My choice!", False),
        ("Ben: correct", False),
        ("Told you.", False),
        ("the third", False),
        ("Emma.", False),
        ("And the oven?", True),
        ("Ben: hired Ruth", True),
        ("The deposit was 190", True),
        ("red roses then", True),
        ("选红玫瑰来种", True),
    ],
)
def test_one_word_that_answers_is_no_topic(said: str, topic: bool) -> None:
    found = state("Let us plan the garden.", said)
    assert found.topic is not None
    assert found.topic.exchange_id == topic
    assert found.last_exchange == 1


@pytest.mark.parametrize(
    "said",
    [
        "Make sure that it loads under 2 seconds",
        "I found out that I'm allergic to nuts",
        "I had to move the deadline to May 4",
        "I've reduced the image, and it must stay under 90 MB",
        "We reduced the budget to under $400",
        "We must be out by 5 PM when the hall closes",
        "I want at least 90% in the test, as I improved so much",
    ],
)
def test_a_limit_that_was_told_with_what_was_done_is_one(said: str) -> None:
    assert states(state(("constraint", said, None))) == [("constraint", "holds")]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("question", "I'm not sure how to set up the virtual environment"),
        ("question", "I'm not sure if this is the best way to do it"),
        ("fact", "I've started with the basic setup"),
        ("decision", "Let's go with option 2!"),
        ("constraint", "I calculated the sum, and the limit is 0"),
        ("constraint", "I can only imagine how hard the move was"),
        ("constraint", "I've already reduced the start-up time to under 100 ms"),
        ("constraint", "We made a budget spreadsheet with a limit of $900"),
        ("constraint", "The page is new and it loads within the 300 ms target"),
        ("excluded", "I realized that I'm not using the notation consistently"),
        ("preference", "I set the step to 0.5 instead of 0.05"),
        ("preference", "I like sardines"),
        ("preference", "I love turtles and the sea"),
        ("preference", "We really enjoy camping together"),
        ("sentiment", "I'm happy"),
        ("event", "The fair is on May 3"),
    ],
)
def test_what_says_nothing_that_stands_is_no_entry(kind: str, said: str) -> None:
    assert state((kind, said, None)).entries == ()


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("Our budget limit is 500 euros", True),
        ("The credit limit of my card is $2,000", True),
        ("My monthly spending limit is $900 for food", True),
        ("The limit is 12 guests as a maximum", True),
        ("The limit of each upload is 20MB", True),
        ("预算上限 (the limit) 是500元", True),
        ("The limit is 0", False),
        ("I know the limit is 2 as x grows", False),
        ("The limit of 3 functions as x → ∞", False),
        ("The sum of 5 terms must converge to the limit", False),
        ("The limit point must lie in the set", False),
    ],
)
def test_a_limit_of_money_or_of_things_stands_and_one_of_mathematics_does_not(
    said: str, stands: bool
) -> None:
    assert [entry.text for entry in state(("constraint", said, None)).entries] == [said] * stands


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (
            "considering I'm using Flask, and I have a deadline of April 15",
            "I'm using Flask, and I have a deadline of April 15",
        ),
        (
            "I'm trying to meet my deadline of April 15, so any help would be greatly appreciated",
            "My deadline of April 15",
        ),
        ("Can you help me tune this and make sure it loads within 320ms", "It loads within 320ms"),
        ("Can you tell me the limit?", ""),
        ("所以预算不超过5000元，你能推荐吗", "预算不超过5000元"),
        # A comma in a number ends no clause.
        (
            "We'd like to buy a house with a garden and enough room for two desks and the piano of my aunt, "
            "budget up to £240,000, ideally near the station",
            "Budget up to £240,000",
        ),
        (
            "Suggest a used camper van with a kitchen, at most 35,000 euros including taxes",
            "At most 35,000 euros including taxes",
        ),
        (
            "Find a room for sixty people,1,200 of our books and a band, the budget is $12,500,drinks included",
            "The budget is $12,500",
        ),
    ],
)
def test_an_entry_is_without_the_request_around_it(said: str, left: str) -> None:
    assert concise(said, "constraint") == left


@pytest.mark.parametrize(
    ("kind", "noted", "said", "stands"),
    [
        # What is only asked, or a joke.
        ("decision", "We decided to sell the house", "We decided to sell the house? No way.", False),
        (
            "decision",
            "We decided to sell the house",
            "Any tips, since We decided to sell the house? No rush.",
            True,
        ),
        ("decision", "We decided to sell the house", "We decided to sell the house!! Just kidding.", False),
        ("decision", "We decided to sell it... joke, of course not", "", False),
        ("decision", "我们决定用Redis", "我们决定用Redis。开玩笑的。", False),
        (
            "decision",
            "We decided to sell the house",
            "We decided to sell the house. Not really happy, though.",
            True,
        ),
        ("decision", "We decided to sell the house", "We decided to sell the house. Is it a joke?", True),
        ("decision", "We decided on the joke, a good one", "", True),
        ("correction", "Remind me of the advice when we moved to Bonn", "", False),
        # What limits somebody else.
        ("constraint", "He's got a project with a £90k budget", "", False),
        ("constraint", "My brother has a budget of £5,000", "", False),
        ("constraint", "My boss must finish her slides within 2 days", "", False),
        ("constraint", "Tom has a budget of £900 for his bike", "", False),
        ("constraint", "She needs to be there within 2 hours", "", False),
        ("constraint", "My brother is allergic to 3 nuts", "", True),
        ("constraint", "He can't eat more than 2 eggs", "", True),
        ("constraint", "My wife and I have a budget of £900", "", True),
        ("constraint", "My boss gave me a budget of £900", "", True),
        ("constraint", "The project has a budget of £900", "", True),
        ("constraint", "My landlord allows at most 2 pets", "", True),
        ("constraint", "Our client has a limit of 10 pages", "", True),
    ],
)
def test_what_is_asked_a_joke_or_of_others_is_no_entry(
    kind: str, noted: str, said: str, stands: bool
) -> None:
    found = stand(leaf([said or noted], {0: [(kind, noted, None)]})).entries
    assert [entry.text for entry in found] == [noted] * stands


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        (("decision", "I'll go with Prisma"), ("decision", "I'm switching from Prisma to Drizzle"), True),
        (
            ("decision", "We decided to use MySQL"),
            ("correction", "We moved from MySQL to Postgres last week"),
            True,
        ),
        (
            ("decision", "We decided to use Redis for caching"),
            ("decision", "We dropped Redis for Valkey"),
            True,
        ),
        (("decision", "I'll go with Trello"), ("excluded", "I ditched Trello for Linear"), True),
        (("decision", "I'll go with Trello"), ("decision", "We replaced Trello with Linear"), True),
        (("decision", "I'll go with Linear"), ("decision", "We replaced Trello with Linear"), False),
        (("decision", "I'll go with Trello"), ("fact", "I replaced Trello for 3 days"), False),
        (("constraint", "The budget is £18,000"), ("constraint", "The budget went up to £21,500"), True),
        (
            ("constraint", "We're 120 guests, and a total budget of £18,000"),
            ("constraint", "Ann gave us £2,500, so the total budget is now £21,500"),
            True,
        ),
        (("constraint", "The deadline is May 3"), ("constraint", "The deadline was moved to May 9"), True),
        # What is left is another thing, or only one word of what was settled.
        (
            ("decision", "We decided to use Redis"),
            ("decision", "I'm switching from Prisma to Drizzle"),
            False,
        ),
        (
            ("decision", "We decided to hold the spring party in Bonn with a band"),
            ("correction", "We moved from Bonn to Kiel"),
            False,
        ),
        # Of another thing, or of two limits at once.
        (
            ("constraint", "The kitchen budget is £8,000"),
            ("constraint", "The garden budget is now £4,500"),
            False,
        ),
        (
            ("constraint", "The budget for Oakside is £8,000"),
            ("constraint", "The budget for Elmwood is now £450"),
            False,
        ),
        (
            ("constraint", "The budget is £8,000, and the limit is 30 guests"),
            ("constraint", "The budget went up to £9,000"),
            False,
        ),
        (
            ("constraint", "The budget is £8,000"),
            ("constraint", "The total budget of the shop is £9,000"),
            False,
        ),
    ],
)
def test_what_is_left_or_changed_is_replaced(
    older: tuple[str, str], newer: tuple[str, str], replaced: bool
) -> None:
    found = state((*older, None), (*newer, None)).entries
    assert [entry.state for entry in found] == ["replaced" if replaced else "holds", "holds"]


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        (
            ("constraint", "My goal is to keep the final image size under 120MB"),
            "The image size has been reduced to 110MB",
            False,
        ),
        (
            ("constraint", "I must keep the monthly spending for food under 500 euros"),
            "My monthly spending for food has been reduced to 430 euros",
            False,
        ),
        (
            ("constraint", "My goal is an image size under 120MB"),
            "The goal for the image size was lowered to 90MB",
            True,
        ),
        (
            ("constraint", "The history essay is due on May 3"),
            "The history essay was moved to May 9",
            True,
        ),
        (
            ("constraint", "The thesis must be submitted by June 1"),
            "The thesis submission date was extended to June 15",
            True,
        ),
        (("constraint", "The invoice must be paid by June 1"), "The invoice was extended to June 15", True),
        (
            ("constraint", "The application needs to be in by June 1"),
            "The application was pushed to June 15",
            True,
        ),
        (
            ("constraint", "The kids must be in bed by 8 pm"),
            "Bed time of the kids was moved to 8:30 pm",
            True,
        ),
        (
            ("constraint", "The passport must be renewed within 6 weeks"),
            "The passport renewal was extended to 8 weeks",
            True,
        ),
        (
            ("correction", "I've extended my study sessions to 4 hours"),
            "I've increased my study sessions to 12 problems",
            False,
        ),
        (
            ("correction", "I've extended my study sessions to 4 hours"),
            "I've cut my study sessions to 3 hours",
            True,
        ),
        (
            ("correction", "I've raised my clarity score from 6.5 to 8.2 out of 10"),
            "My clarity score is 9 by now",
            True,
        ),
        (
            ("correction", "The ticket price was raised to 45 euros"),
            "The ticket price was lowered to €40 again",
            True,
        ),
    ],
)
def test_a_correction_replaces_a_value_of_its_kind_and_no_limit(
    older: tuple[str, str], newer: str, replaced: bool
) -> None:
    found = state((*older, None), ("correction", newer, None)).entries
    assert [entry.state for entry in found] == ["replaced" if replaced else "holds", "holds"]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("12 June", "3 July"),
        ("12 June", "Friday"),
        ("12 June", "the 20th"),
        ("1 September", "October 15"),
        ("the 5th of June", "12 June"),
        ("5 of June", "12 July"),
    ],
)
def test_days_are_of_one_kind_whichever_way_they_are_written(older: str, newer: str) -> None:
    said = "I moved my dentist appointment to"
    found = state(("correction", f"{said} {older}", None), ("correction", f"{said} {newer}", None)).entries
    assert [entry.state for entry in found] == ["replaced", "holds"]


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        ("3.5%", "4 percent", True),
        ("80 kilos", "78kg", True),
        ("80 kg", "170 lbs", True),
        ("12 km", "15 kilometres", True),
        ("2 hrs", "3 hours", True),
        ("30 sec", "1 minute", True),
        ("500 ms", "2 seconds", True),
        ("24 hours", "2 days", True),
        ("300KB", "1.1MB", True),
        ("1200 bucks", "$1300", True),
        ("450 thousand", "$430,000", True),
        ("4 hours", "12 problems", False),
        ("80 kg", "12 km", False),
    ],
)
def test_units_of_one_kind_are_one(older: str, newer: str, replaced: bool) -> None:
    said = "I changed the value of the weekly plan to"
    found = state(("correction", f"{said} {older}", None), ("correction", f"{said} {newer}", None)).entries
    assert [entry.state for entry in found] == ["replaced" if replaced else "holds", "holds"]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "My budget for the bike is 500 euros and my limit for the flat is 900 euros",
            "I raised my bike budget to 600 euros",
        ),
        (
            "The total budget for the wedding is $30,000",
            "The wedding budget for flowers was raised to $2,000",
        ),
        ("The total project budget is $30,000", "The project budget for travel was raised to $2,000"),
        ("The overall travel budget is $3,000", "The travel budget for food was raised to $600"),
    ],
)
def test_a_limit_of_a_part_leaves_that_of_the_whole(older: str, newer: str) -> None:
    changed: list[Noted] = [("correction", newer, None), ("constraint", newer, None)]
    found = stand(leaf((older, newer), {0: [("constraint", older, None)], 1: changed}))
    assert states(found) == [("constraint", "holds"), ("constraint", "holds")]


@pytest.mark.parametrize(
    "said",
    [
        (
            "The budget for the trip is 3000 euros",
            "The budget for the trip was raised to 4500 euros",
            "The budget for the trip was lowered to 3000 euros again",
        ),
        (
            "Our hosting budget is 300 euros a month",
            "Budget for hosting got raised to 450 euros per month",
            "We cut the hosting budget back to 300 euros a month",
        ),
        (
            "The MVP deadline is 28 february",
            "Karl moved the MVP deadline, it's now 14 march",
            "Actually the MVP deadline is 31 march",
        ),
    ],
)
def test_a_limit_that_changes_again_holds_once(said: Sequence[str]) -> None:
    """What changes a limit is noted as a limit and as a correction."""
    found = stand(
        leaf(
            said,
            {
                n: [("correction", text, None)] * (n > 0) + [("constraint", text, None)]
                for n, text in enumerate(said)
            },
        )
    )
    assert states(found) == [("constraint", "replaced"), ("constraint", "replaced"), ("constraint", "holds")]
    assert [turn.replaced for turn in found.turns] == list(said[:2])


def test_of_two_limits_of_which_one_is_changed_the_other_holds() -> None:
    said = (
        "The budget for the kitchen renovation is £8,000",
        "The budget for the garden renovation was raised to £900",
    )
    found = stand(
        leaf(
            said,
            {
                0: [("constraint", said[0], None)],
                1: [("correction", said[1], None), ("constraint", said[1], None)],
            },
        )
    )
    assert states(found) == [("constraint", "holds"), ("constraint", "holds")]


def test_of_two_limits_that_may_be_changed_neither_is() -> None:
    found = state(
        ("constraint", "A maximum budget of £18,000", None),
        ("constraint", "My budget is about £20,000", None),
        ("constraint", "The budget went up to £21,500", None),
    )
    assert "replaced" not in {entry.state for entry in found.entries}


def test_pasted_text_and_an_assistant_s_advice_give_no_entry() -> None:
    said = "Here is the email:\nThe budget must not exceed 900 euros.\n"
    assert (
        stand(leaf([said], {0: [("constraint", "The budget must not exceed 900 euros.", None)]})).entries
        == ()
    )
    advice: dict[int, list[Noted]] = {
        0: [("decision", "Use Redis", None), ("fact", "Redis has 16 databases", None)]
    }
    kept = stand(leaf(["Which cache?"], advice, by="assistant")).entries
    assert [entry.text for entry in kept] == ["Redis has 16 databases"]


WORDS = ["budget", "deadline", "venue", "MongoDB", "Postgres", "Bremen", "Kiel"]
NOTE = st.tuples(
    st.sampled_from(["fact", "constraint", "decision", "excluded", "question", "correction", "preference"]),
    st.builds(
        "We decided whether the {} or {} has {}".format, *[st.sampled_from(WORDS)] * 2, st.integers(1, 3)
    ),
    st.none() | st.sampled_from(WORDS),
)


@settings(max_examples=40)
@given(noted=st.lists(NOTE, min_size=1, max_size=12), seed=st.integers(0, 2**32), cut=st.integers(0, 12))
def test_rows_in_any_order_give_one_state_and_those_of_a_beginning_its_own(
    noted: list[Noted], seed: int, cut: int
) -> None:
    rows = leaf([text for _, text, _ in noted], {n: [note] for n, note in enumerate(noted)})
    order = np.random.default_rng(seed).permutation(rows.num_rows)
    assert stand(rows.take(order)) == stand(rows)
    begun = leaf([text for _, text, _ in noted[:cut]], {n: [note] for n, note in enumerate(noted[:cut])})
    assert stand(begun) == stand(rows.filter(pa.compute.field("exchange_id") < cut))


@settings(max_examples=40)
@given(
    noted=st.lists(NOTE, min_size=1, max_size=12), days=st.lists(st.integers(0, 4), min_size=12, max_size=12)
)
def test_older_topics_tell_nothing_of_where_a_conversation_stands(
    noted: list[Noted], days: list[int]
) -> None:
    rows = leaf([text for _, text, _ in noted], {n: [note] for n, note in enumerate(noted)})
    said = [START + timedelta(days=days[n]) if days[n] else None for n in rows["exchange_id"].to_pylist()]
    place = State.table.get_field_index("time")
    rows = rows.set_column(place, State.table.field(place), pa.array(said, State.table.field(place).type))
    told = NEEDED.of(rows)
    assert stand(told) == stand(rows)
    assert told["kind"].to_pylist().count("topic") <= 2


def test_control_where_no_topic_is_read_none_is_told() -> None:
    rows = leaf(
        ["My garden is small", "My budget is 1 euro"], {1: [("constraint", "My budget is 1 euro", None)]}
    )
    assert stand(rows.filter(pa.compute.field("kind") != "topic")) != stand(rows)


def test_control_a_state_that_reads_rows_as_they_come_depends_on_their_order() -> None:
    said = ["My budget is 1 euro", "My budget is 2 euros"]
    rows = leaf(said, {n: [("constraint", text, None)] for n, text in enumerate(said)})
    turned = rows.take(list(range(rows.num_rows))[::-1])
    place = State.table.get_field_index("exchange_id")
    come = [
        stand(each.set_column(place, State.table.field(place), pa.array(range(each.num_rows), pa.int64())))
        for each in (rows, turned)
    ]
    assert come[0].holding("constraint")[0].text != come[1].holding("constraint")[0].text


def test_the_text_and_the_json_say_where_when_why_and_what_before() -> None:
    found = stand(
        leaf(
            ["My budget is 5000 euros", "My budget is 6000 euros", "We ruled out Kiel because it is far"],
            {
                0: [("constraint", "My budget is 5000 euros", None)],
                1: [("constraint", "My budget is 6000 euros", None)],
                2: [("excluded", "We ruled out Kiel", "Kiel")],
            },
        )
    )
    shown = StateOf("c", found)
    assert "  1. My budget is 6000 euros (before: My budget is 5000 euros) [1, 2024-03-01]" in shown.text
    assert "- Excluded options:" in shown.text
    made = json.loads(json.dumps(shown.json))
    assert [row["text"] for row in made["constraints"]] == ["My budget is 6000 euros"]
    assert made["history"] == [
        {"text": "My budget is 5000 euros", "exchange": 0, "said": "2024-03-01T00:00:00+00:00",
         "kind": "constraint", "state": "replaced", "by": 1}
    ]  # fmt: skip
    chosen = Stated(0, "excluded", "I chose oak over ash for the door", "ash")
    assert line(chosen) == "ash: I chose oak over ash for the door"
    assert line(replace(chosen, text="I ruled out ash")) == "I ruled out ash"
    assert line(replace(chosen, kind="conclusion")) == chosen.text
    chinese = StateOf("c", Stand(None, (Stated(0, "fact", "我入职满3年"),), 0)).text
    assert chinese.splitlines() == [
        "【会话状态摘要】",
        "- 讨论主题: 暂无",
        "- 已确认事实:",
        "  1. 我入职满3年 [0]",
    ]


def test_the_text_begins_with_who_the_user_is_where_that_is_known() -> None:
    source = (Evidence(0, "m0", None, ""),)
    told = [
        ("name", "han", "张三"),
        ("name", "latin", "Zhang San"),
        ("job", None, "会计"),
        ("taste", "likes", "茶"),
    ]
    profile = Profile(tuple(Entry(name, key, value, None, 1, source) for name, key, value in told))
    stands = Stand(None, (Stated(0, "fact", "我入职满3年"),), 0)
    shown = StateOf("c", stands, profile)
    assert shown.text.splitlines()[:3] == [
        "【会话状态摘要】",
        "- 当前用户: 张三 / Zhang San (会计)",
        "- 讨论主题: 暂无",
    ]
    assert shown.json["user"] == "张三 / Zhang San (会计)"
    assert StateOf("c", stands).json["user"] is None
    two = Profile(
        tuple(Entry("job", None, job, who, 1, source) for who, job in (("Ann", "nurse"), ("Bob", "cook")))
    )
    assert users(two) == "Ann (nurse); Bob (cook)"


@pytest.mark.parametrize(
    ("said", "denied", "against"),
    [
        ("I've completed 3 relay races in May", "I've never completed any relay races before", True),
        ("I've never completed any relay races before", "I've completed 3 relay races in May", True),
        ("I've completed 3 hill races in May", "I've never completed any relay races before", False),
        ("I've planned to finish 3 relay races", "I've never planned any relay races abroad", False),
        (
            "I've never completed any relay races",
            "I've never completed any relay races or relays in 2023",
            False,
        ),
    ],
)
def test_two_facts_of_which_one_denies_the_other_say_so(said: str, denied: str, *, against: bool) -> None:
    found = state(("fact", said, None), ("fact", denied, None)).entries
    assert [entry.against for entry in found] == ([denied, said] if against else [None, None])
    if against:
        assert [entry.state for entry in found] == ["holds", "holds"]
        assert line(found[1]) == f"{denied} (but also said: {said})"


def test_where_several_speak_an_entry_says_who_said_it() -> None:
    stands = state(
        ("fact", "I have lived in Kiel since 2019", None),
        ("fact", "Bo: I have lived in Rome since 2020", None),
    )
    shown = StateOf("c", stands.spoken({0: "Ann", 1: "Bo"}))
    assert [entry.who for entry in shown.standing.entries] == ["Ann", "Bo"]
    assert "1. Ann: I have lived in Kiel since 2019 [0" in shown.text
    assert "2. Bo: I have lived in Rome since 2020 [1" in shown.text
    assert [row["who"] for row in shown.json["facts"]] == ["Ann", "Bo"]
    assert labelled(shown.standing.entries[0]) == "fact: I have lived in Kiel since 2019"
    assert stands.spoken({}) is stands
    told = [("fact", f"I've {what} long relay races", None) for what in ("finished 3", "never finished")]
    both = state(*told)
    assert [each.against is None for each in both.spoken({0: "Ann", 1: "Ann"}).entries] == [False, False]
    assert [each.against is None for each in both.spoken({0: "Ann", 1: "Bo"}).entries] == [True, True]
    assert "who" not in StateOf("c", stands).json["facts"][0]


def test_the_text_is_bounded_and_says_what_it_leaves_out() -> None:
    many = tuple(Stated(n, "fact", f"Fact number {n}") for n in range(1_000))
    text = StateOf("c", Stand(None, many, 999)).text
    assert "(and 990 earlier)" in text
    assert len(text) < 1_000
