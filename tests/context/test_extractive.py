from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.extractive import NOT_THERE, Extractive, sentences
from memfold.context.types import Context, Part, Piece
from memfold.errors import UserError
from memfold.retrieve.search import Hit

SAID = [
    (3, "user", "The sourdough starter lives in the cellar. It smells of apples."),
    (5, "assistant", "A sourdough starter needs feeding. Keep it warm."),
    (7, "user", "My budget for the garden is 400 euros. The fence is green."),
    (9, "user", "我把签证材料放在蓝色文件夹里了。下周去银行。"),
]


def context(*best: int) -> Context:
    pieces = tuple(Piece(e, (f"m{e}",), role, text) for e, role, text in SAID)
    hits = tuple(Hit(e, (f"m{e}",), 3.0 - rank, "", {}) for rank, e in enumerate(best))
    return Context("", 0, (Part("Closest exchanges", "", (), 0, pieces),), hits)


@pytest.mark.parametrize(
    ("question", "span", "exchange"),
    [
        ("Where does the sourdough starter live?", "The sourdough starter lives in the cellar.", 3),
        ("Can you remind me what my garden budget is?", "My budget for the garden is 400 euros.", 7),
        ("我的签证材料放在哪里?", "我把签证材料放在蓝色文件夹里了。", 9),
    ],
)
def test_an_answer_is_a_sentence_with_its_place(question: str, span: str, exchange: int) -> None:
    answer = Extractive(spans=1).read(question, context(exchange))
    assert answer.text == f"{span} [{exchange}]"
    assert [(c.exchange_id, c.message_ids, c.quote) for c in answer.citations] == [
        (exchange, (f"m{exchange}",), span)
    ]
    assert answer.usage["support"] > 0.4


@pytest.mark.parametrize(
    ("question", "says"),
    [("Which airline did Marta fly with?", NOT_THERE["en"]), ("去东京的航班是几点起飞?", NOT_THERE["zh"])],
)
def test_it_says_so_when_the_evidence_is_not_there(question: str, says: str) -> None:
    answer = Extractive().read(question, context())
    assert (answer.text, answer.citations) == (says, ())


def test_several_spans_each_add_something_and_keep_the_order_said() -> None:
    answer = Extractive(spans=3).read("the garden budget and the sourdough starter", context())
    assert [c.exchange_id for c in answer.citations] == [3, 7]


def test_a_better_hit_wins_between_equals() -> None:
    question = "sourdough starter"
    assert Extractive(spans=1, user=0).read(question, context(5)).citations[0].exchange_id == 5
    assert Extractive(spans=1, user=0).read(question, context(3)).citations[0].exchange_id == 3


def test_an_empty_context_and_an_empty_question_have_no_answer() -> None:
    assert Extractive().read("budget", Context("", 0, (), ())).citations == ()
    assert Extractive().read("?", context()).citations == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? four", ["One.", "Two!", "Three? four"]),
        ("Dr. Smith paid 3.5 euros, e.g. Today.", ["Dr. Smith paid 3.5 euros, e.g. Today."]),
        ("1. First\n2. Second", ["1. First", "2. Second"]),
        ("今天下雨。“真的?”他问!明天呢", ["今天下雨。", "“真的?”他问!明天呢"]),
        ("今天下雨。明天呢？不知道；再说", ["今天下雨。", "明天呢？", "不知道；", "再说"]),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@given(st.text())
def test_sentences_are_verbatim_and_lose_nothing_but_space(text: str) -> None:
    found = list(sentences(text))
    assert "".join("".join(found).split()) == "".join("".join(text.splitlines()).split())
    assert all(span in text for span in found)


@pytest.mark.parametrize("fields", [{"spans": 0}, {"characters": 5}, {"threshold": 2.0}, {"rank": -1.0}])
def test_impossible_settings_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(UserError, match=f"reader.{next(iter(fields))}"):
        Extractive(**fields)  # type: ignore[arg-type]
