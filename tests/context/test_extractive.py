from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memfold.context.readers.extractive import NOT_THERE, Extractive, states_nothing
from memfold.context.types import Context, Part, Piece
from memfold.embed.minilm import MiniLM
from memfold.errors import UserError
from memfold.retrieve.ranking import Hit
from support.retrieve_samples import words

SAID = [
    (3, "user", "The sourdough starter lives in the cellar. It smells of apples."),
    (5, "assistant", "A sourdough starter needs feeding. Keep it warm."),
    (7, "user", "My budget for the garden is 400 euros. The fence is green."),
    (9, "user", "我把签证材料放在蓝色文件夹里了。下周去银行。"),
]


def by_words(texts: Sequence[str]) -> NDArray[np.float32]:
    """An embedder without a model: texts are near that share words."""
    vectors = np.zeros((len(texts), 4096), np.float32)
    for row, text in zip(vectors, texts, strict=True):
        for word in words(text):
            row[zlib.crc32(word.encode(errors="replace")) % 4095] += 1
        row[4095] = not row.any()
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def context(*best: int, said: Sequence[tuple[int, str, str]] = SAID) -> Context:
    """Of what was said; the exchanges in `best` lead the hits."""
    pieces = tuple(Piece(e, (f"m{e}",), role, text) for e, role, text in said)
    order = [*best, *dict.fromkeys(e for e, *_ in said if e not in best)]
    hits = tuple(Hit(e, (f"m{e}",), 3.0 - rank, "", {}) for rank, e in enumerate(order))
    return Context("", 0, (Part("Closest exchanges", "", (), 0, pieces),), hits)


def cited(reader: Extractive, question: str, context: Context) -> list[int]:
    return [citation.exchange_id for citation in reader.read(question, context, by_words).citations]


@pytest.mark.parametrize(
    ("question", "span", "exchange"),
    [
        ("Where does the sourdough starter live?", "The sourdough starter lives in the cellar.", 3),
        ("Can you remind me what my garden budget is?", "My budget for the garden is 400 euros.", 7),
        ("我的签证材料放在哪里?", "我把签证材料放在蓝色文件夹里了。", 9),
    ],
)
def test_an_answer_is_a_sentence_with_its_place(question: str, span: str, exchange: int) -> None:
    answer = Extractive(spans=1).read(question, context(exchange), by_words)
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
    answer = Extractive().read(question, context(), by_words)
    assert (answer.text, answer.citations) == (says, ())


def test_one_word_that_nothing_said_comes_near_to_is_enough_to_say_so() -> None:
    known, unknown = "Where does the sourdough starter live?", "Which airline sells the sourdough starter?"
    assert cited(Extractive(), known, context())
    assert not cited(Extractive(), unknown, context())
    assert cited(Extractive(threshold=0), unknown, context())


def test_an_order_or_a_summary_is_always_tried() -> None:
    assert cited(Extractive(), "Summarize what the airline wrote about my garden", context())


def test_the_spans_are_of_different_exchanges_and_in_the_order_said() -> None:
    question = "the garden budget and the sourdough starter"
    assert cited(Extractive(spans=2, margin=9), question, context(7)) == [3, 7]
    assert cited(Extractive(spans=2, margin=0), question, context(7)) == [7]


def test_more_spans_for_an_order_than_for_a_fact() -> None:
    said = [(e, "user", f"Step {e} of the move was room {e}.") for e in range(8)]
    reader = Extractive(spans=2, broad_spans=5, margin=9)
    assert len(cited(reader, "Which room was a step of the move?", context(said=said))) == 2
    assert len(cited(reader, "In which order did the steps of the move come?", context(said=said))) == 5


def test_a_better_hit_wins_between_equals() -> None:
    said = [(1, "user", "The boiler is red."), (2, "user", "The boiler is old.")]
    assert cited(Extractive(spans=1), "the boiler", context(1, said=said)) == [1]
    assert cited(Extractive(spans=1), "the boiler", context(2, said=said)) == [2]


def test_the_user_is_believed_before_the_assistant() -> None:
    said = [(1, "assistant", "The boiler is red."), (2, "user", "The boiler is old.")]
    assert cited(Extractive(spans=1), "the boiler", context(1, said=said)) == [2]
    assert cited(Extractive(spans=1, user=0), "the boiler", context(1, said=said)) == [1]


def test_a_statement_wins_over_a_request_with_the_same_words() -> None:
    said = [(1, "user", "Can you draft the boiler contract?"), (2, "user", "We signed the boiler contract.")]
    assert cited(Extractive(spans=1, rank=0.1), "the boiler contract", context(1, said=said)) == [2]
    assert cited(Extractive(spans=1, rank=0.1, request=0), "the boiler contract", context(1, said=said)) == [
        1
    ]


def test_an_update_goes_before_what_it_updates() -> None:
    said = [
        (1, "user", "The deadline of the report was pushed to a rainy Monday."),
        (8, "user", "The deadline of the report was pushed to a rainy Friday."),
    ]
    question = "What is the deadline of the report?"
    assert cited(Extractive(spans=1, twin=0.6, rank=0.05), question, context(1, said=said)) == [8]
    assert cited(Extractive(spans=1, twin=1, rank=0.05), question, context(1, said=said)) == [1]


def test_the_same_words_are_quoted_once() -> None:
    said = [
        (1, "user", "The boiler is red."),
        (2, "user", "The boiler is red."),
        (3, "user", "The boiler leaks."),
    ]
    assert cited(Extractive(spans=3, margin=9, rank=0.1), "the boiler", context(said=said)) == [2, 3]


@pytest.mark.parametrize(
    ("question", "answer", "chatter"),
    [
        (
            "How many days did the marquee of the Queen's Well sewing circle need to arrive?",
            "I ordered the big tent for the Queen's Well sewing circle on October 14.",
            [
                "The Queen's Well sewing circle looks simple on paper.",
                "I like the Queen's Well sewing circle a lot.",
            ],
        ),
        (
            "老井缝纫社的押金是多少",
            "老井缝纫社要交押金300元。",
            ["老井缝纫社今天很热闹。", "我喜欢老井缝纫社的窗户。"],
        ),
    ],
)
def test_the_name_that_all_sentences_share_does_not_hide_the_one_that_answers(
    question: str, answer: str, chatter: list[str]
) -> None:
    said = [(e, "user", text) for e, text in enumerate([*chatter, answer])]
    found = Extractive(spans=1, rank=0, threshold=0).read(question, context(said=said), MiniLM().encode)
    assert [citation.quote for citation in found.citations] == [answer]


def test_no_more_sentences_are_encoded_than_considered() -> None:
    encoded: list[int] = []

    def counting(texts: Sequence[str]) -> NDArray[np.float32]:
        encoded.append(len(texts))
        return by_words(texts)

    said = [(1, "user", "The boiler is red. " * 500)]
    Extractive(considered=30).read("What does the boiler cost?", context(said=said), counting)
    assert encoded[0] == 32


def test_an_empty_context_and_an_empty_question_have_no_answer() -> None:
    assert cited(Extractive(), "budget", Context("", 0, (), ())) == []
    assert cited(Extractive(), "?", context()) == []


def test_what_does_not_fit_is_left_out() -> None:
    said = [(1, "user", "The boiler " + "very " * 40 + "hot."), (2, "user", "The boiler is old.")]
    assert cited(Extractive(characters=60), "the boiler", context(1, said=said)) == [2]


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text()), max_size=6), st.text())
def test_any_text_is_answered_verbatim(said: list[tuple[str, str]], question: str) -> None:
    pieces = [(e, role, text) for e, (role, text) in enumerate(said)]
    answer = Extractive(threshold=0, chinese_threshold=0).read(question, context(said=pieces), by_words)
    assert all(c.quote in said[c.exchange_id][1] for c in answer.citations)
    assert [c.exchange_id for c in answer.citations] == sorted({c.exchange_id for c in answer.citations})


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Can you help me with the tent?", True),
        ("So, what would you do?", True),
        ("Please list the tents.", True),
        ("能不能改成一则短通知？", True),
        ("换作你会先看哪一块？", True),
        ("I have moved to Bonn, can you update the address?", False),
        ("What a day that was.", False),
        ("我搬到了波恩。", False),
        ("In a dream I had, the fee was 80 euros.", True),
        ("我做梦梦见押金是300元。", True),
        ("", False),
    ],
)
def test_questions_requests_and_dreams_state_nothing(text: str, asks: bool) -> None:
    assert states_nothing(text) is asks


@pytest.mark.parametrize(
    "fields",
    [
        {"spans": 0},
        {"broad_spans": 0},
        {"considered": 0},
        {"characters": 5},
        {"threshold": 2.0},
        {"rank": -1.0},
    ],
)
def test_impossible_settings_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(UserError, match=f"reader.{next(iter(fields))}"):
        Extractive(**fields)  # type: ignore[arg-type]
