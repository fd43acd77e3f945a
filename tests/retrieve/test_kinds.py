"""What kind of question it is, by its words."""

from __future__ import annotations

import pytest

from memfold.retrieve.kinds import KINDS, Kind
from memfold.retrieve.query import analyse
from support.questions import QUESTIONS

TABLE = [(question, kind) for kind, questions in QUESTIONS.items() for question in questions]


def test_the_table_has_every_kind_in_both_languages() -> None:
    assert tuple(QUESTIONS) == KINDS
    assert len(TABLE) == len(dict(TABLE)) >= 150
    for questions in QUESTIONS.values():
        assert {analyse(question).language for question in questions} == {"en", "zh"}


@pytest.mark.parametrize(("question", "kind"), TABLE)
def test_a_question_is_of_a_kind(question: str, kind: Kind) -> None:
    assert analyse(question).typed.kind == kind


@pytest.mark.parametrize("question", ["What is my cat called?", "我的猫叫什么？"])
def test_politeness_before_a_question_changes_no_kind(question: str) -> None:
    kind = analyse(question).typed.kind
    for polite in ("Hello! ", "Thanks. ", "你好，", "谢谢！"):
        assert analyse(polite + question).typed.kind == kind


def test_a_question_of_another_kind_that_names_dates_keeps_it() -> None:
    assert analyse("How many cakes did I bake from 1 May 2024 to 9 May 2024?").typed.kind == "count"
    assert analyse("What did you suggest from 1 May 2024 to 9 May 2024?").typed.kind == "said"


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How did my view of the council evolve? Sum it up.", "summary"),
        ("Give me the whole story of the broken lift.", "summary"),
        ("Who wrote the story of the lighthouse?", "recall"),
        ("How do we get to the harbour on Sunday?", "recall"),
        ("How do I want the landlord to reach me?", "recall"),
        ("How do I get rid of moss?", "instruction"),
        ("How long did the nightly export take before we changed the index?", "recall"),
        ("How long did it take before we moved?", "span"),
        ("How long did the lease last before I bought the flat?", "span"),
        ("请归纳我对主管部门的态度。", "summary"),
        ("How long did I wait for the answer, counted in days?", "span"),
        ("Set up entertainment for the party.", "instruction"),
        ("Lay out the coming fortnight for me.", "instruction"),
        ("我爸妈去那里走哪条路线好？", "instruction"),
        ("给晚会拟一份菜单吧。", "instruction"),
        ("When was the order delivered?", "when"),
        ("When did order LO-70111 ship?", "when"),
        ("How much was the order?", "count"),
        ("How long did Calvin stay in Japan?", "recall"),
        ("我买了哪种锯子？", "recall"),
        ("为什么我选了PostgreSQL？", "recall"),
        ("钢琴最后怎么处理了？", "recall"),
        ("为什么我最后找了新工作？", "recall"),
        ("给妈妈写的信是什么时候寄的？", "when"),
        ("How did I set up the retry logic?", "said"),
        ("How did I break my arm?", "recall"),
        ("How did I hear about the bakery job?", "recall"),
        ("年假可以分两次休吗？", "recall"),
        ("我能带狗进去吗？", "recall"),
        ("我去过巴黎吗？", "contradiction"),
        ("我可能答应过他吗？", "contradiction"),
        ("我表现过什么能力吗？", "contradiction"),
        ("给我爸装修厨房的师傅叫什么？", "recall"),
        ("能给我爸写封感谢信吗？", "instruction"),
        ("给我妈挑一份礼物", "preference"),
        ("还有几个包裹没到？", "count"),
        ("谁没来聚餐？", "recall"),
        ("我没说过要搬家吧？", "contradiction"),
        ("你问过他没有？", "contradiction"),
        ("我不喝什么饮料？", "preference"),
        ("我有什么忌口？", "preference"),
        ("我为什么不吃早饭了？", "recall"),
        ("花盆多久浇一次水，你建议多久？", "said"),
        ("从你建议换药到我换药过了多久？", "span"),
        ("你建议我复查之后过了几天我才去？", "span"),
        ("搬家的事你上次给了我什么意见？", "said"),
        ("换工作你之前给我的建议是什么？", "said"),
        ("搬家你能给我什么建议？", "preference"),
        ("你应该怎么称呼我？", "instruction"),
        ("你以后要怎么回复我的消息？", "instruction"),
        ("你当时是怎么回答我的？", "said"),
        ("你的回答用了什么格式？", "said"),
        ("你怎么称呼我妈妈？", "recall"),
        ("搬家那天你让我几点起床？", "said"),
        ("你上次劝我怎么跟老板谈？", "said"),
        ("你让我多久换一次滤芯？", "said"),
        ("隔壁装修太吵，你给我出了什么主意？", "said"),
        ("我让你几点叫我？", "instruction"),
        ("你能给我出个主意吗？", "preference"),
        ("你给我列清单要注意什么？", "instruction"),
        ("你给我妈打电话要注意什么？", "recall"),
        ("有什么词我不想再听你说？", "instruction"),
        ("你跟我聊天要用什么语气？", "instruction"),
    ],
)
def test_what_is_to_be_made_summed_up_or_reckoned(question: str, kind: Kind) -> None:
    assert analyse(question).typed.kind == kind


@pytest.mark.parametrize("words", ["你以后", "以后", "应该", "你应该现在都", "回答我"])
def test_words_of_how_to_answer_without_end_are_read_at_once(words: str) -> None:
    assert analyse(words * 200).typed.kind in KINDS
