"""What was moved to another day, and which clause of a sentence is about which of its dates."""

from __future__ import annotations

import pytest

from memfold.retrieve.dated import clause
from memfold.retrieve.moved import asks_for_old, moved, noun


@pytest.mark.parametrize(
    ("text", "literal", "what"),
    [
        ("The thesis defense was moved to April 26.", "April 26", "thesis defense"),
        ("Bad news: the defense got rescheduled again, to May 3.", "May 3", "defense"),
        ("They have a burst pipe, so the wedding is moved to June 1.", "June 1", "wedding"),
        ("We pushed the launch party back a week, to June 9.", "June 9", "launch party"),
        ("The clinic also called: eye surgery is now on March 19.", "March 19", "eye surgery"),
        ("The abstract deadline was extended to April 7.", "April 7", "abstract deadline"),
        ("My exam was on May 3, but it got moved to May 10.", "May 10", "exam"),
        ("婚礼改到5月11日了。", "5月11日", "婚礼"),
        ("我把牙医预约改到了下周五", "下周五", "牙医预约"),
        ("面试本来是6月12日，改到了6月18日。", "6月18日", "面试"),
    ],
)
def test_what_was_moved_is_told(text: str, literal: str, what: str) -> None:
    move = moved(text, literal)
    assert move is not None
    assert (move.what, move.both) == (noun(what), False)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("We moved to Berlin on May 3.", "May 3"),
        ("If it rains, the match is moved to June 3.", "June 3"),
        ("The match was not moved to June 3.", "June 3"),
        ("Can you move the meeting to May 3?", "May 3"),
        ("It was moved to May 3.", "May 3"),
        ("Her flight was moved to May 3.", "May 3"),
        ("The rent was raised to 900 euros from May 3.", "May 3"),
        ("My dose was lowered until May 3.", "May 3"),
        ("The trip was extended to April 7.", "April 7"),
        ("The wedding is on May 18.", "May 18"),
        ("如果下雨，婚礼改到5月11日", "5月11日"),
        ("婚礼不会改到5月11日", "5月11日"),
        ("我想把婚礼改到5月11日", "5月11日"),
        ("她的婚礼改到5月11日", "5月11日"),
    ],
)
def test_what_was_not_moved_or_is_another_s_is_not(text: str, literal: str) -> None:
    assert moved(text, literal) is None


def test_a_move_from_one_day_to_another_holds_both() -> None:
    move = moved("The launch was moved from May 3 to May 9.", "May 3 to May 9")
    assert move is not None
    assert move.both


@pytest.mark.parametrize(
    ("phrase", "what", "same"),
    [
        ("my thesis defense", "the defense", True),
        ("the defense", "the thesis defense", True),
        ("the new date of my defense", "the defense", True),
        ("我们的婚礼的日期", "婚礼", True),
        ("my thesis defense rehearsal", "the thesis defense", False),
        ("my thesis defense", "the thesis defense rehearsal", False),
        ("my tax deadline", "the project deadline", False),
        ("the thesis topic", "the thesis defense", False),
    ],
)
def test_two_phrases_name_one_thing_if_one_says_more_of_the_same_head(
    phrase: str, what: str, same: bool
) -> None:
    one, other = noun(phrase), noun(what)
    assert one is not None
    assert other is not None
    assert one.likely(other) is same


@pytest.mark.parametrize("phrase", ["I moved in", "finishing the kitchen", "registering my topic"])
def test_an_action_is_no_thing(phrase: str) -> None:
    assert noun(phrase) is None


@pytest.mark.parametrize(
    ("phrase", "old"),
    [
        ("the original date of my defense", True),
        ("when the beta was planned", True),
        ("原来的婚礼", True),
        ("the new date of my defense", False),
        ("婚礼", False),
    ],
)
def test_the_old_day_is_asked_for_by_its_name(phrase: str, old: bool) -> None:
    assert asks_for_old(phrase) is old


LEASE = "I signed the lease on January 10 and moved in on February 3."
PAPER = "I submitted the paper on April 2, got the reviews on April 20, and sent it back on April 29."
LEASE_ZH = "我周一去了看房子，周二签了合同。"
FIRST = "On January 10, I signed it, and on February 3, I moved in."
HEADED = "Ana's wedding: the ceremony is on June 7, the dinner on June 8."
MONEY = "The loan of $15,000 started on May 2 with $1,200 and was paid on July 2."


@pytest.mark.parametrize(
    ("text", "literals", "clauses"),
    [
        (LEASE, ["January 10", "February 3"], ["I signed the lease on January 10 ", LEASE]),
        (
            PAPER,
            ["April 2", "April 20", "April 29"],
            [
                "I submitted the paper on April 2,",
                "I submitted the paper on April 2, got the reviews on April 20,",
                "I submitted the paper on April 2, and sent it back on April 29.",
            ],
        ),
        (FIRST, ["January 10", "February 3"], ["On January 10, I signed it, ", FIRST]),
        (HEADED, ["June 7", "June 8"], ["Ana's wedding: the ceremony is on June 7,", HEADED]),
        (MONEY, ["May 2", "July 2"], ["The loan of $15,000 started on May 2 with $1,200 ", MONEY]),
        (LEASE_ZH, ["周一", "周二"], ["我周一去了看房子，", LEASE_ZH]),
        ("The party is on May 3, I think.", ["May 3"], ["The party is on May 3, I think."]),
        ("It had 900 words by May 3, and I never missed a session.", ["May 3"], ["It had 900 words by May 3, "]),
        ("I never saw it on May 3, 2024, or so.", ["May 3, 2024"], ["I never saw it on May 3, 2024, or so."]),
    ],
)  # fmt: skip
def test_a_date_has_the_clause_it_stands_in_and_how_the_sentence_begins(
    text: str, literals: list[str], clauses: list[str]
) -> None:
    assert [clause(text, literal, literals) for literal in literals] == clauses


def test_a_date_that_is_not_in_its_sentence_has_all_of_it() -> None:
    assert clause(LEASE, "2024-01-10", ["2024-01-10", "February 3"]) == LEASE
    assert clause(LEASE, "", ["", "February 3"]) == LEASE
