"""What stands deep inside a long message is found, shown and quoted: as a user indexes and asks."""

from __future__ import annotations

from pathlib import Path

import pytest

import memfold
from memfold.api import Store
from memfold.context.assemble import Packing
from memfold.context.sections.closest import Closest
from memfold.schema import Message, Role
from support.given import job, run

TOPICS = {
    "en": [
        "the garden",
        "a new bicycle",
        "my cousin's wedding",
        "the tax return",
        "a trip to Porto",
        "the dentist",
    ],
    "zh": ["花园", "新自行车", "表妹的婚礼", "报税", "去波尔图旅行", "牙医"],
}
SAID = {"en": "Tell me what you think of {} this week.", "zh": "这周说说你对{}的看法。"}
TALK = {
    "en": "Well, {} takes patience, and one thing comes after the other, as it always does. ",
    "zh": "说到{}，需要耐心，一件事接着一件事，一向如此。",
}
FACT = {
    "en": "The locker at the climbing hall opens with the number 48151.",
    "zh": "攀岩馆的储物柜密码是四八一五一号。",
}
ASKED = {
    "en": "Which number opens the locker at the climbing hall?",
    "zh": "攀岩馆的储物柜密码是多少？",
}
ADVISED = {
    "en": (
        "For sore wrists I recommend magnesium oil twice a day.",
        "What did you recommend for my sore wrists?",
    ),
    "zh": ("手腕酸痛的话，建议每天涂两次镁油。", "手腕酸痛你建议过什么？"),
}


def store(root: Path, language: str, role: Role, planted: str, at: int) -> Store:
    """Forty exchanges of long answers, in the 17th of which something is planted `at` a character of a message."""
    said: list[Message] = []
    for number in range(40):
        topic = TOPICS[language][number % 6]
        talk = TALK[language].format(topic)
        texts = {"user": SAID[language].format(topic), "assistant": talk * (2400 // len(talk))}
        if number == 17:
            texts[role] = talk * (at // len(talk) + 1) + planted + " " + talk * (2400 // len(talk))
        said += [
            Message("c", "user", texts["user"], f"u{number}"),
            Message("c", "assistant", texts["assistant"], f"a{number}"),
        ]
    run(job(root, said))
    return memfold.open(str(root))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("role", "at"), [("user", 4_000), ("user", 9_000), ("assistant", 1_500)])
def test_a_fact_deep_inside_a_message_is_found_shown_and_quoted(
    language: str, role: Role, at: int, tmp_path: Path
) -> None:
    asked = store(tmp_path, language, role, FACT[language], at).probe("c", ASKED[language])
    assert asked.hits(5)[0].exchange_id == 17
    assert FACT[language] in asked.context(2_000).text
    answer = asked.answer(2_000)
    assert any(FACT[language] in citation.quote for citation in answer.citations), answer.text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_assistant_advised_is_found_shown_and_quoted(language: str, tmp_path: Path) -> None:
    planted, question = ADVISED[language]
    asked = store(tmp_path, language, "assistant", planted, 1_500).probe("c", question)
    assert 17 in [hit.exchange_id for hit in asked.hits(5)]
    assert planted in asked.context(2_000).text
    answer = asked.answer(2_000)
    assert any(planted in citation.quote for citation in answer.citations), answer.text


def test_a_passage_stands_between_the_points_of_the_rest(tmp_path: Path) -> None:
    def steps(first: int, last: int) -> str:
        return "".join(
            f"### Step {n}\n1. **Part {n}**\n{'And so on, as it always does. ' * 12}\n"
            for n in range(first, last)
        )

    code = f"```\n{'measure(hall) ' * 30}\n"
    planted = ADVISED["en"][0]
    said = [Message("c", "user", "My wrists are sore.", "u"), Message("c", "assistant", "", "a")]
    said[1] = Message("c", "assistant", f"{steps(1, 5)}{planted}\n{code}```\n{steps(5, 9)}", "a")
    run(job(tmp_path, said))
    packing = Packing(sections={**Packing().sections, "closest": Closest(exchanges=0)})
    opened = memfold.open(str(tmp_path), packing=packing)
    # Where the points have no room the passage stands alone.
    alone = opened.context("c", ADVISED["en"][1], 700).text
    assert planted in alone
    assert "**Part 1**" not in alone
    shown = opened.context("c", ADVISED["en"][1], 2_000).text
    before, _, behind = shown.partition(planted)
    assert before.count("**Part ") == 4
    assert behind.count("**Part ") == 4
    assert "measure(hall) " * 30 not in shown


def test_a_store_without_passages_is_searched_without_them(tmp_path: Path) -> None:
    talk = [
        Message("c", role, f"{role} {number} about bread", f"{role}{number}")
        for number in range(9)
        for role in ("user", "assistant")
    ]
    run(job(tmp_path, talk, overrides=["layers=[episodic,scratchpad]"]))
    opened = memfold.open(str(tmp_path))
    assert "bread" in opened.context("c", "What did you recommend about zymurgy?", 2_000).text
    run(job(tmp_path, talk))
    assert (
        "assistant 3"
        in memfold.open(str(tmp_path)).context("c", "What did you recommend about bread?", 2_000).text
    )


def test_passages_are_searched_only_for_words_that_the_user_never_said(tmp_path: Path) -> None:
    opened = store(tmp_path, "en", "assistant", "The retreat lies near Zeltweg, by the zither makers.", 1_500)

    def heard(question: str) -> set[str]:
        return {"advice", "unsaid"} & opened.probe("c", question).ranking.parts.keys()

    assert heard("Where are the zither makers?") == {"unsaid"}
    assert heard("What did you recommend about the zither makers?") == {"advice"}
    assert heard("What of my bicycle this week?") == set()
    assert heard("What of my bicycle and the quagga?") == set()


def test_a_passage_is_shown_once_below_what_the_user_said(tmp_path: Path) -> None:
    planted = "The retreat lies near Zeltweg, by the zither makers."
    opened = store(tmp_path, "en", "assistant", planted, 1_500)
    asked = "Where are the zither makers?"
    # The answer stands on the page already, cut to what bears on the question.
    assert opened.context("c", asked, 4_000).text.count(planted) == 1
    sections = {**Packing().sections, "closest": Closest(exchanges=0)}
    context = memfold.open(tmp_path, packing=Packing(sections=sections)).context("c", asked, 4_000)
    (shown,) = [part for part in context.parts if part.label == sections["passages"].label]
    assert planted in shown.text
    assert [piece.role for piece in shown.pieces if piece.exchange_id == 17] == ["user", "assistant"]
    assert context.text.count(planted) == 1
