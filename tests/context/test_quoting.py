from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.context.page import Page
from memfold.context.readers.quoting import abstain, apart, compose, days, measures
from memfold.context.readers.quoting import worth as weighing
from memfold.context.readers.quoting.asked import Wanted, items, wanted
from memfold.context.readers.quoting.candidates import Candidate, candidates, clause, clause_ends, quotable
from memfold.context.readers.quoting.choose import Ranked, denied
from memfold.context.readers.quoting.frames import FRAMES, frame, length
from memfold.context.readers.quoting.measures import holds, measure, same_kind
from memfold.context.readers.quoting.never_said import never_said
from memfold.context.readers.quoting.replaced import taken_back, updates
from memfold.context.readers.quoting.support import addressed
from memfold.context.readers.quoting.total import Total, sure, total
from memfold.context.readers.quoting.untold import untold
from memfold.context.sections.counts import RECKONED
from memfold.context.types import Context, Filled, Piece
from memfold.retrieve.query import analyse
from memfold.text.terms import terms


def want(question: str) -> Wanted:
    return wanted(analyse(question))


def row(text: str, exchange: int = 1, role: str = "user", day: date | None = None) -> Candidate:
    return Candidate(Piece(exchange, (f"m{exchange}",), role, text), text, frozenset(terms(text)), day, 0.0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("mention only five items", 5),
        ("Mention ONLY and ONLY three items.", 3),
        ("(mention 8 items in total)", 8),
        ("只列出三个", 3),
        ("list them", None),
        ("mention 500 items", None),
    ],
)
def test_how_many_items_are_asked_for(question: str, expected: int | None) -> None:
    assert items(question) == expected


@pytest.mark.parametrize(
    ("question", "ends", "unit"),
    [
        (
            "How many weeks are between the end of March and May and when I left?",
            ("the end of March and May", "I left"),
            "week",
        ),
        ("How many days do I have between the exam and the trip?", ("the exam", "the trip"), "day"),
        ("How many days after I left did I arrive?", ("I left", "I arrive"), "day"),
    ],
)
def test_the_two_ends_of_a_span(question: str, ends: tuple[str, str], unit: str) -> None:
    assert (want(question).ends, want(question).unit) == (ends, unit)


def test_what_a_fact_must_hold() -> None:
    assert want("Why did I leave?").point == "reason"
    assert want("What is my quiz score?").point == "figure"
    assert want("Where is it?").point == "place"
    assert want("What did you recommend?").told
    assert want("How did I learn it?").manner
    assert want("What was my first score?").first
    assert want("How many different jobs did I have?").several
    assert want("How much did we sell at all the tastings together?").several
    assert want("How many tastings were there, and how many people came to each?").several
    assert not want("How much do I pay each month?").several


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("Certainly!", []),
        ("## A heading of some length", []),
        ("Here are some steps you could follow today:", []),
        ("\\[ x^2 + y^2 = z^2 \\]", []),
        ("```python\nprint('the boiler is red')\n```", []),
        ("**Bold words alone make a heading**", []),
        ("- The boiler is red.", [("The boiler is red.", False)]),
        ("The boiler is red and the fence …", [("The boiler is red and the fence", True)]),
        (
            "The boiler is red. … The fence is green.",
            [("The boiler is red.", False), ("The fence is green.", False)],
        ),
        ("锅炉是红的。", [("锅炉是红的。", False)]),
        (  # which `language` takes for Romanian
            "Am 12. Oktober kommen meine Eltern. Sie essen kein Fleisch.",
            [("Am 12. Oktober kommen meine Eltern.", False), ("Sie essen kein Fleisch.", False)],
        ),
    ],
)
def test_what_says_nothing_alone_is_not_quoted(text: str, spans: list[tuple[str, bool]]) -> None:
    assert list(quotable(text)) == spans


@pytest.mark.parametrize("text", ["my landlord is Rosa", "home: Rome", "Allergic to peanuts", "我住在北京"])
def test_users_need_no_full_stop(text: str) -> None:
    assert list(quotable(text, answers=False)) == [(text, False)]
    # In an answer it may be a heading; of what is left out around it nobody knows.
    assert list(quotable(text)) == []
    assert list(quotable(f"… {text} …", answers=False)) == []
    assert list(quotable(f"- {text}", answers=False)) == []


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("可以这样做：\n1. 窗户开一条缝\n2. 换个厚枕头", ["窗户开一条缝", "换个厚枕头"]),
        ("- 早睡\n- 先别浇水", ["先别浇水"]),
        ("1. Boiler parts\n2. Garden tools", []),
        ("开窗通风", []),
    ],
)
def test_a_short_item_of_a_list_is_quoted_in_chinese_where_items_are(text: str, items: list[str]) -> None:
    assert [sentence for sentence, _ in quotable(text, items=True)] == items
    assert list(quotable(text)) == []


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("hamsa! booked for the 18th", ["hamsa! booked for the 18th"]),
        (
            "ok done. Copenhagen! registered. So nervous.",
            ["ok done.", "Copenhagen! registered.", "So nervous."],
        ),
        ("Thanks! The boiler is red.", ["The boiler is red."]),
        ("Brilliant! The boiler is red.", ["The boiler is red."]),
        ("lol! The boiler is red.", ["The boiler is red."]),
        ("Hamsa!\nThe boiler is red.", ["The boiler is red."]),
        ("Middlemarch. my turn to choose!", ["Middlemarch. my turn to choose!"]),
        ("paddles. i have two", ["paddles. i have two"]),
        ("We live in Leeds. Yorkshire.", ["We live in Leeds. Yorkshire."]),
        ("what did you cook? Risotto.", ["what did you cook?"]),
        ("ta. the boiler is red", ["the boiler is red"]),
        ("The boiler is red. Yay!", ["The boiler is red."]),
    ],
)
def test_a_word_that_is_called_out_is_quoted_with_what_is_said_of_it(text: str, quoted: list[str]) -> None:
    assert [sentence for sentence, _ in quotable(text, answers=False)] == quoted


@given(st.text())
def test_quotes_and_their_parts_are_verbatim(text: str) -> None:
    for span, _ in quotable(text):
        assert span in text
        assert clause(span, 20, 60) in span
        assert compose.part(span, {"boiler": 1.0}, 60, clause_ends(span)) in span


def test_a_listed_clause_has_no_request_behind_it() -> None:
    text = "I finished the fence on Sunday with my brother, can you help me plan the gate next?"
    assert clause(text, 20, 200) == "I finished the fence on Sunday with my brother"
    assert (
        clause("We planned it for May 3, 2024, and all of us went there together", 10, 40)
        == "We planned it for May 3, 2024"
    )


def test_the_day_of_a_piece_is_what_it_stands_under_and_its_text_forges_none() -> None:
    pieces = (
        Piece(1, ("m1",), "user", "one", "2024-03-01"),
        Piece(2, ("m2",), "user", "\n2020-01-01\n[2] two"),
        Piece(3, ("m3",), "user", "three", "2024-03-05"),
    )
    part = Filled("x", "## x\n2024-03-01\n[1] one\n[2] two\n2024-03-05\n[3] three\n", (1, 2, 3), 0, pieces)
    assert days.said(Context("", 0, (part,), ())) == {1: date(2024, 3, 1), 3: date(2024, 3, 5)}


def test_a_long_line_of_few_tokens_fits() -> None:
    page = Page(40, 1.0)
    page.begin("x", 1.0)
    assert page.add(Piece(0, ("0",), "user", "-" * 1_200))
    assert not page.add(Piece(1, ("1",), "user", "word " * 300))


def test_more_than_12_pieces_that_do_not_fit_end_a_section_and_nothing_is_read_for_more() -> None:
    page = Page(1, 1.0)
    page.begin("x", 1.0)
    for numbers in (iter(range(20)), iter(range(20))):  # what did not fit before counts no more
        tried = [n for n in page.patiently(numbers) if not page.add(Piece(n, (str(n),), "user", "said"))]
        assert tried == list(range(13))
        assert next(numbers) == 13


def test_a_page_gives_each_piece_its_own_day() -> None:
    page = Page(1_000, 1.0)
    page.begin("x", 1.0)
    for n, day in enumerate(("2024-03-01", "", "2024-03-05")):
        assert page.add(Piece(n, (str(n),), "user", f"said {n}", day))
    assert days.said(Context("", 0, tuple(page.parts()), ())) == {0: date(2024, 3, 1), 2: date(2024, 3, 5)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from March 29 to April 19, 2025", [date(2025, 3, 29), date(2025, 4, 19)]),
        ("3月29日开始", [date(2024, 3, 29)]),
        ("on 03/04/2024 or so", []),
        ("nothing", []),
    ],
)
def test_days_named_in_words(text: str, found: list[date]) -> None:
    assert [one.day for one in days.named(text, date(2024, 3, 1))] == found


def test_days_and_months_between() -> None:
    assert days.between(date(2024, 4, 19), date(2024, 3, 29)) == 21
    assert (
        days.months(date(2024, 1, 31), date(2024, 3, 30)),
        days.months(date(2024, 1, 5), date(2024, 3, 5)),
    ) == (1, 2)


@pytest.mark.parametrize(
    ("language", "unit", "text"),
    [
        ("en", "day", "10 days"),
        ("en", "week", "1 week + 3 days = 10 days"),
        ("de", "day", "10 Tage"),
        ("zh", "day", "10天"),
        ("xx", "month", "0 months / 10 days"),
    ],
)
def test_a_length_of_time_in_words(language: str, unit: str, text: str) -> None:
    assert length(frame(language), date(2024, 1, 1), date(2024, 1, 11), unit) == text  # type: ignore[arg-type]


def test_every_frame_fills_the_same_places() -> None:
    for words in FRAMES.values():
        assert "{n}" in words.listed
        assert "{n}" in words.counted
        assert all(place in words.apart for place in ("{length}", "{a}", "{b}"))
        assert len(words.units) == 4


@pytest.mark.parametrize(
    ("text", "is_denied"),
    [
        ("I have never painted a fence.", True),
        ("I painted the fence, and I've never slept since.", False),
        ("I want to paint the fence, since I've never done it before.", True),
        ("I want to cook, since I've never done it before.", False),
        ("I painted the fence.", False),
        ('I painted the fence and read "you did not paint the fence".', False),
        ("I don't understand why the fence has to be painted twice.", False),
        ("I don't paint the fence.", True),
        ("我从未粉刷过fence。", True),
        ("I never painted Rosa.", False),
        ("I never painted Rosa and never the fence.", True),
        ("I never painted IKEA's fence.", True),
        ("I never painted it.", True),
    ],
)
def test_a_denial_denies_what_is_asked(text: str, is_denied: bool) -> None:
    assert denied(text, set(terms("painted the fence"))) is is_denied


def ranked(*said: tuple[int, str, float]) -> Ranked:
    worth = np.array([value for _, _, value in said])
    return Ranked(
        [row(text, exchange) for exchange, text, _ in said], np.eye(len(said), dtype=np.float32), worth, worth
    )


def test_the_best_are_of_different_exchanges_and_within_the_margin() -> None:
    found = ranked((1, "a", 0.9), (1, "b", 0.8), (2, "c", 0.7), (3, "d", 0.1))
    assert found.best(4, 0.5, 100) == [0, 2]
    assert found.best(1, 0.5, 100) == [0]


def test_where_several_speak_what_is_said_beside_the_best_comes_next() -> None:
    found = ranked((5, "a", 0.9), (9, "b", 0.7), (6, "c", 0.5), (3, "d", 0.8), (8, "e", 0.6))
    assert found.beside(0.3).best(5, 1.0, 100) == found.best(5, 1.0, 100) == [0, 3, 1, 4, 2]
    spoken = replace(found, rows=[replace(one, speaker="Ann") for one in found.rows])
    assert spoken.beside(0.3).best(5, 1.0, 100) == [0, 3, 2, 1, 4]


def test_a_list_is_in_order_of_time_and_without_the_worst() -> None:
    found = ranked(*((9 - i, str(i), 1.0 - i / 10) for i in range(9)))
    chosen = found.listed(2, 0.5, 0.1)
    assert [found.rows[i].exchange for i in chosen] == sorted(found.rows[i].exchange for i in chosen)
    assert set(chosen) <= set(range(6))


@pytest.mark.parametrize(
    ("question", "text", "holds"),
    [
        ("What is my score?", "It was 82 percent", True),
        ("What is my score?", "It was rather good", False),
        ("When is it?", "It is on March 3", True),
        ("When is it?", "It is soon", False),
        ("Why did I go?", "I went because of the rain", True),
        ("What is it?", "It is 3", False),
    ],
)
def test_the_asked_for_type_is_looked_for(question: str, text: str, holds: bool) -> None:
    assert abstain.holds_point(want(question).point, text) is holds


def test_words_that_stand_nowhere_are_unfounded() -> None:
    assert abstain.unfounded("boiler airline", [row("The boiler is red.")]) == ["airline"]


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("How much money did I spend on the dress?", "I paid $1,250 for the dress.", True),
        ("How much did the dress cost?", "I paid $1,250 for the dress.", True),
        ("How much is my debt?", "My debt is 5,000 dollars.", True),
        ("How much did I donate altogether?", "I donated $50 to the food bank.", True),
        ("How much is my rent?", "My debt is 5,000 dollars.", False),  # of something else
        ("How much is my debt?", "I wrote 3 letters about my debt.", False),
        ("How much did the dress cost?", "The dress fitting is on May 5.", False),  # a number, but no price
        ("How much money did I lend to Lena?", "I paid Lena $20.", False),  # paid, not lent
        ("How much money do I have altogether?", "I have 3 cats.", False),  # nothing is named
    ],
)
def test_an_amount_is_told_without_the_words_that_ask_for_one(question: str, text: str, told: bool) -> None:
    assert abstain.amount_told(analyse(question).topic, [row(text)]) is told


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("我哥的狗多大了？", "我哥上周搬了家，阳台很大", False),
        ("我哥的狗多大了？", "我哥养了只柯基，已经三岁了", True),
        ("我哥的热狗店多大？", "我哥开了家热狗店，二十平米", True),
        ("我表弟的女朋友叫什么？", "我表弟最近常加班", False),
        ("我表弟的女朋友叫什么？", "我表弟的对象叫小葵", True),
        ("我姑姑的生日是哪天？", "我姑姑下个月要去旅行", False),
        ("我姑姑的生日是哪天？", "我姑姑是五月十号生的", True),
        ("姑姑生日我送了什么？", "给姑姑买了条围巾", True),
        ("小周的工资是多少？", "小周五月进的组，带两个人", False),
        ("小周的工资是多少？", "小周现在每个月能拿12000", True),
        ("小周的工资是多少？", "小周到手不到两万", True),
        ("服务器的内存有多大？", "服务器下周换到新机房", False),
        ("服务器的内存有多大？", "服务器加到 64G 了", True),
        ("我表姐上的哪所大学？", "我表姐在南京结的婚", False),
        ("我表姐上的哪所大学？", "我表姐在南京念的书，是南大", True),
        ("我爷爷得的是什么病？", "我爷爷去年住了一个月的院", False),
        ("我爷爷得的是什么病？", "我爷爷去年中风，住了一个月的院", True),
        ("我爷爷喜欢什么牌子的茶？", "我爷爷只喝龙井茶", True),
        # Told only by its number or letters.
        ("小周的工号是多少？", "小周坐在三楼靠窗", False),
        ("小周的工号是多少？", "小周的工号是 A20733", True),
        ("我的护照号是多少？", "护照下个月过期，换证花了120元", False),
        ("我家的门牌号是多少？", "护照下个月过期，换证花了3600元", False),
        ("路由器的密码是什么？", "路由器密码我改成 bamboo2031 了", True),
        ("路由器的密码是什么？", "路由器搬到客厅去了", False),
        ("路由器的密码是什么？", "路由器的密码就是我家狗的名字", True),
        ("储物柜的密码是多少？", "储物柜密码是四八一五一号", True),
        ("储物柜的密码是多少？", "储物柜密码我忘了，密码是什么来着", False),
        ("维修师傅的电话是多少？", "师傅说周三来，电话 137 0000 4521", True),
        ("维修师傅的电话是多少？", "师傅的电话打不通", False),
        ("水管的型号是多少？", "水管买的是大号的", True),
        # Relatives, and whose they are.
        ("老何的爱人在哪上班？", "老何调到二车间了，我老婆下周出差", False),
        ("老何的爱人在哪上班？", "老何的老婆是护士长", True),
        ("老何的老公在哪上班？", "老何调到二车间了，我老公下周出差", False),
        ("老何的老公在哪上班？", "老何说她老公跑长途", True),
        ("我妹妹几岁？", "我爸周末来看我", False),
        ("我妹妹几岁？", "我妹今年上初二", True),
        ("我老公的弟弟是做什么的？", "小叔子开出租，是我老公的弟弟", True),
        ("小宝的舅舅做什么？", "我弟在海关上班", True),
        ("我的血压多高？", "我血压有点高，140/90。", True),
        ("贷款利率多高？", "贷款利率4.1%，等额本息。", True),
        ("我妹妹得的什么病？", "我妹妹是抑郁症，在吃药。", True),
        ("爷爷得的是什么病？", "爷爷是帕金森，手一直抖。", True),
        ("我女儿在哪所学校？", "女儿考进了实验小学。", True),
    ],
)
def test_what_would_have_been_said_in_so_many_words_was_not_said(
    question: str, said: str, told: bool
) -> None:
    assert never_said(question, [said, "今天又下雨了"], [said]) is not told


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("货架现在多少钱一个？", "货架现在一共28个", False),
        ("货架现在多少钱一个？", "货架现在75一个", True),
        ("货架现在多少钱一个？", "货架涨到80了", True),
        ("车位租金是多少？", "一个月350", True),
        ("车位租金是多少？", "一天洗15辆", False),
        ("车位租金是多少？", "车位在负2层", False),
        ("我哪天体检？", "体检改到19号", True),
        ("我哪天体检？", "体检推到下周三", True),
        ("我哪天体检？", "体检要抽3管血", False),
        ("你说几点集合？", "八点半在西门", True),
        ("你说几点集合？", "集合的有12个人", False),
        ("我每晚做多少个俯卧撑？", "俯卧撑加到30个", True),
        ("我每晚做多少个俯卧撑？", "俯卧撑加到三十", False),
        ("我每晚做多少个俯卧撑？", "俯卧撑练了3天", False),
        ("我喜欢什么茶？", "我爱喝普洱", True),
    ],
)
def test_a_value_in_chinese_is_of_the_unit_that_is_asked_for(question: str, text: str, fits: bool) -> None:
    assert measures.fits(question, text) is fits


@pytest.mark.parametrize(
    ("question", "quoted", "context", "lacks"),
    [
        ("打印机花了多少钱？", "打印机放在前台，前台3个人", "", True),
        ("打印机花了多少钱？", "打印机是网上买的 899", "", False),
        ("打印机花了多少钱？", "打印机两千块", "", False),
        ("我家住几楼？", "我家电梯坏了", "", True),
        ("我家住几楼？", "我家电梯坏了", "住12楼太高了", False),
        ("外甥几岁？", "外甥2019年的", "", False),
        ("我有几个外甥？", "外甥来玩了", "", False),
    ],
)
def test_no_price_and_no_size_answers_a_question_for_one(
    question: str, quoted: str, context: str, lacks: bool
) -> None:
    assert measures.lacks(question, [quoted], [context, quoted]) is lacks


@pytest.mark.parametrize(
    ("text", "habit", "day"),
    [
        ("我每天跑5公里", True, False),
        ("今天只跑了2公里", False, True),
        ("昨晚才写了两页", False, True),
        ("今天起每天写两页", True, False),
        ("一周游两次泳", True, False),
        ("泳池涨价了", False, False),
    ],
)
def test_one_day_is_no_habit(text: str, habit: bool, day: bool) -> None:
    assert (measures.habit(text), measures.one_day(text)) == (habit, day)


def test_who_recommends_does_not_say_that_they_do() -> None:
    rows = [row("Book the lift at Halden and Sons.")]
    assert abstain.unfounded("recommended company lift", rows) == ["recommended", "company"]
    assert abstain.unfounded("recommended company lift", rows, told=True) == ["company"]


def test_each_date_of_a_sentence_has_its_own_words() -> None:
    rows = [row("The fence is due by May 3, 2024, and the gate was painted on April 1, 2024.")]
    fence, gate = apart.datings(rows, ("the fence", "the gate"), 9)
    assert (fence.day, gate.day) == (date(2024, 5, 3), date(2024, 4, 1))
    assert "gate" not in fence.around.split(",")[0]
    assert "fence" not in gate.around


def test_the_span_that_the_context_reckons_first_is_taken_where_its_days_are_quoted() -> None:
    rows = [row("The fence is due by May 3, 2024.", 2), row("The gate was painted on April 1, 2024.", 5)]
    spans = [
        "2024-04-01 [5] (“The gate was painted on April 1, 2024”) to 2024-05-03 [2] (“The fence”): 32 days",
        "2024-04-01 [5] (“The gate”) to 2024-04-02 [7] (“The door”): 1 day",
    ]
    pieces = [Piece(5, ("m5",), "reckoned", text) for text in spans]
    found = apart.reckoned(pieces, rows, ("the gate", "the fence"))
    assert found is not None
    assert [(one.row.exchange, one.day) for one in found] == [
        (5, date(2024, 4, 1)),
        (2, date(2024, 5, 3)),
    ]
    assert apart.reckoned(pieces[1:], rows, ("the gate", "the door")) is None
    assert apart.reckoned([], rows, ("the gate", "the fence")) is None


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        # What the assistant asks gives no day, what it tells does, and so does what the user says.
        ("Is there anything else that I can help you with today?", "The gate works, close the order."),
        ("Can you bring the gate on May 14, 2024?", "The gate works, close the order."),
        ("The order of the gate was closed today.", "The order of the gate was closed today."),
        (
            "The order of the gate was closed on May 14, 2024.",
            "The order of the gate was closed on May 14, 2024.",
        ),
    ],
)
def test_the_assistants_question_is_not_quoted_for_the_day_on_which_it_was_asked(
    said: str, quoted: str
) -> None:
    day = date(2024, 5, 14)
    rows = [
        row("The gate was ordered on April 1, 2024.", 2),
        row("The gate works, close the order.", 5, day=day),
        row(said, 5, role="assistant", day=day),
    ]
    told = Piece(
        5, ("m5",), "reckoned", "2024-04-01 [2] (“The gate”) to 2024-05-14 [5] (“The order”): 43 days"
    )
    found = apart.reckoned([told], rows, ("the gate was ordered", "closing the order of the gate"))
    assert found is not None
    assert found[1].row.text == quoted


def test_a_later_reckoned_span_in_chinese_is_taken_where_both_ends_have_happened() -> None:
    days = [date(2024, 4, 1), date(2024, 4, 9), date(2024, 4, 20)]
    rows = [
        row("快递下午寄出了", 1, day=days[0]),
        row("面馆的牛肉不错", 2, day=days[1]),
        row("快递终于收到了", 3, day=days[2]),
    ]
    pieces = [
        Piece(1, ("m1",), "reckoned", f"{days[0]} [1] (“快递”) to {end} [{n}] (“…”): 8 days")
        for n, end in ((2, days[1]), (3, days[2]))
    ]
    ends = ("快递寄出", "快递收到")
    assert apart.reckoned(pieces, rows, ends) is None
    found = apart.reckoned_next(pieces, rows, ends)
    assert found is not None
    assert [one.day for one in found] == [days[0], days[2]]
    # What is wished for on a day has not happened then.
    rows[2] = row("想早点收到快递", 3, day=days[2])
    assert apart.reckoned_next(pieces, rows, ends) is None
    assert apart.reckoned_next(pieces, rows, ("the parcel sent", "the parcel received")) is None


def test_who_never_did_it_denies_more_than_what_does_not_exist() -> None:
    texts = (
        (1, "The error says that there does not exist a pipeline image", 0.9),
        (2, "I have never set up a pipeline", 0.8),
        (3, "I have set up the pipeline with two jobs", 0.8),
        (4, "I finished the pipeline on Monday", 0.75),
        (5, "I painted the pipeline room", 0.4),
    )
    sides = ranked(*texts).sides({"pipelin"}, 0.3)
    assert sides is not None
    assert (sides[0], sorted(sides[1])) == (1, [2, 3])


@pytest.mark.parametrize(
    ("denies", "affirms", "asked", "differ"),
    [
        # What somebody else did or has.
        ("I have never been to Paris", "My sister went to Paris last spring", "pari", False),
        ("I don't have a car", "Tom's car broke down again", "car", False),
        ("I haven't used Redis", "Redis is what Tom recommends to all of us", "redi", False),
        ("I've never flown business", "I booked two flights, the business seats were gone", "busi", False),
        ("I never drink coffee", "I bought coffee for my mother", "coffe", False),
        # An order.
        ("I never use Docker here", "Stop telling me how I should run Docker", "docker", False),
        ("I never eat meat", "Remember that we talked about meat", "meat", False),
        # Within what is denied alone.
        ("I've never run further than 10 km", "I ran 10 km this morning in 2024", "ran", False),
        ("I have never paid more than $1,500", "I paid $900 for the desk", "paid", False),
        # What is no denial.
        ("I don't mind Slack", "We moved our team to Slack", "slack", False),
        ("I have never been to Paris", "When I went to Paris it rained", "pari", True),
        ("I don't have a garden", "Our garden was full of beans", "garden", True),
        ("I haven't used Kafka", "Implemented the Kafka consumer yesterday", "kafka", True),
        ("I've never run further than 10 km", "I ran 15 km this morning", "ran", True),
        ("I've never run further than 10 km", "I ran 8 miles this morning", "ran", True),
        ("I never planned a party", "I planned a party for my uncle's birthday", "parti", True),
    ],
)
def test_what_denies_is_contradicted_by_the_user_s_own_words_alone(
    denies: str, affirms: str, asked: str, differ: bool
) -> None:
    both = ranked((1, denies, 0.9), (2, affirms, 0.8)).sides({asked, "run"}, 0.3)
    assert (both == (0, [1])) == differ
    assert ranked((1, denies, 0.9), (1, affirms, 0.8)).sides({asked, "run"}, 0.3) is None


def test_what_an_order_replaces_is_no_words_of_the_user() -> None:
    piece = Piece(1, ("m1",), "instruction", "Use miles", note=" (before: Use kilometres)")
    order = replace(row("Use miles"), piece=piece)
    assert compose.line(FRAMES["en"], order, "Use miles") == "- “Use miles” (before: Use kilometres) [1]"
    assert [cited.quote for cited in compose.citations([(order, "Use miles")])] == ["Use miles"]
    text = "Use miles (before: Use kilometres)"
    plain = row(text)  # the user's own brackets
    assert [cited.quote for cited in compose.citations([(plain, text)])] == [text]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "**Title** 2. **Argon2** - **Salt**: Use a salt of 16 bytes.",
            ["**Salt**: Use a salt of 16 bytes."],
        ),
        ("Mix it well. #### 2. Bake it #### Cool it", ["Mix it well."]),
        ("We met on October 14.", ["We met on October 14."]),
        ("The gap - a wide one - is closed.", ["The gap - a wide one - is closed."]),
    ],
)
def test_points_that_stand_on_one_line_are_quoted_one_by_one(text: str, sentences: list[str]) -> None:
    assert [sentence for sentence, _ in quotable(text)] == sentences


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("We painted a sunrise. [attached: a photo of a lake]", "We painted a sunrise."),
        ("[attached: a photo of a lake]", ""),
        ("We painted [with oil].", "We painted [with oil]."),
    ],
)
def test_what_was_attached_is_shown_and_cited_as_no_words_of_the_message(text: str, quote: str) -> None:
    said = row(text)
    assert text in compose.line(FRAMES["en"], said, text)
    assert [cited.quote for cited in compose.citations([(said, text)])] == [quote]


@pytest.mark.parametrize(
    "text",
    [
        "By following these steps, you can ensure that the boiler stays warm.",
        "These guidelines will help you build a warm house.",
        "Absolutely, I'll include the prices of all goods in all of my answers about heating the house.",
        "you can make sure that the house is warm and dry.",
    ],
)
def test_how_an_answer_ends_says_nothing(text: str) -> None:
    plain = "You can bleed the boiler with a key."
    pieces = tuple(Piece(1, ("m1",), role, f"{plain} {text}") for role in ("assistant", "user"))
    found = [
        [row.text for row in candidates(Context("", 0, (Filled("any", "", (), 0, (piece,)),), ()))]
        for piece in pieces
    ]
    assert found == [[plain], [plain, text]]


@pytest.mark.parametrize(
    ("opening", "praises"),
    [
        ("Nice improvement!", True),
        ("Good to know.", True),
        ("Nice, that will do.", True),
        ("Well handled.", True),
        ("That's a nice number.", True),
        ("Good Friday.", False),
        ("Well, start with the schema.", False),
        ("Good sources are listed below.", False),
    ],
)
def test_praise_with_which_an_answer_opens_says_nothing(opening: str, praises: bool) -> None:
    def said(role: str, text: str) -> list[str]:
        piece = Piece(1, ("m1",), role, text)
        return [each.text for each in candidates(Context("", 0, (Filled("any", "", (), 0, (piece,)),), ()))]

    plain = "Set a limit of ten seconds."
    assert said("assistant", f"{opening} {plain}") == [plain] if praises else [opening, plain]
    assert said("user", f"{opening} {plain}") == [opening, plain]
    assert said("assistant", f"{plain} {opening}") == [plain, opening]


@pytest.mark.parametrize(
    ("question", "orders"),
    [
        ("What rules have I set for your answers?", True),
        ("What instructions did I give you?", True),
        ("Please list the rules I gave you.", True),
        ("List all my standing orders.", True),
        ("What did I ask you to always do?", True),
        ("What rules did I give you for how to answer me?", True),
        ("What have I asked you to stick to when you write to me?", True),
        ("How do I want your replies to look?", True),
        ("How do I want you to answer?", True),
        ("how did i say you should answer me", True),
        ("What rules should you follow in your answers?", True),
        ("what instructions do you have from me", True),
        ("what are my rules for you", True),
        ("What rules did my landlord give me?", False),
        ("How do I want my garden to look?", False),
        ("How do I want you to answer my landlord's letter?", False),
        ("What did I ask you to write to my boss?", False),
        ("我给过你什么要求？", True),
        ("我对你有哪些要求？", True),
        ("What instructions did I give the plumber?", False),
        ("What rules did I set for my kids?", False),
        ("What instructions did I give you for the login page?", False),
        ("What did I ask you to fix?", False),
        ("List my orders.", False),
        ("老师对我有什么要求？", False),
        ("你应该怎么回答我？", True),
        ("回答我的问题时要注意什么？", True),
        ("回答我时你应该遵守哪些规矩？", True),
        ("你应该怎么回答我老板的邮件？", False),
        ("我应该怎么回答我老板？", False),
        ("我回答面试官的问题时要注意什么？", False),
        ("回答我老师的问题时要注意什么？", False),
        ("你应该怎么称呼我？", False),
    ],
)
def test_whether_nothing_but_the_standing_orders_is_asked_for(question: str, orders: bool) -> None:
    assert want(question).orders is orders


@pytest.mark.parametrize(
    ("question", "later", "expected"),
    [
        ("What car do I drive?", ["I sold the Yaris and got a Mazda 3 instead."], [0]),
        ("What car do I drive?", ["I sold the Yaris, now I have a Mazda.", "I sold the Mazda too."], [0, 1]),
        ("What car do I drive?", ["My Yaris broke down.", "I washed the Yaris."], []),
        ("What car do I drive?", ["If I sold the Yaris, I could pay the rent."], []),
        ("What car do I drive?", ["I sold the Golf and got a Mazda."], []),
        ("What car do I drive?", ["I quit Miller's and joined Halden."], []),  # not what is asked of the two
        ("What car did I drive?", ["I sold the Yaris and got a Mazda 3 instead."], []),
        ("Which car did I drive first?", ["I sold the Yaris and got a Mazda 3 instead."], []),
        ("What car do I drive?", ["I left Yaris on Monday."], []),  # as one leaves a town
    ],
)
def test_who_sold_it_no_longer_has_it(question: str, later: list[str], expected: list[int]) -> None:
    lead = row("I drive a Toyota Yaris to Miller's.", 3)
    rows = [row(text, 5 + i) for i, text in enumerate(later)]
    before = row("I sold the Yaris of my aunt and bought a Volvo.", 1)
    answers = row(later[0], 4, "assistant")
    assert updates(question, lead, [before, lead, answers, *rows]) == [rows[i] for i in expected]


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (["You can use emojis again, I miss them."], [0]),
        (["You can use emojis again.", "Emojis are fine again."], [1]),
        (["You can use tables again.", "My boss says emojis are fine again."], []),
    ],
)
def test_an_order_that_was_taken_back_comes_with_what_took_it_back(
    later: list[str], expected: list[int]
) -> None:
    lead = row("dont use emojis in your answers pls", 3)
    rows = [row(text, 5 + i) for i, text in enumerate(later)]
    before, answered = row("You can use emojis again.", 1), row("You can use emojis again.", 4, "assistant")
    assert taken_back(lead, [before, lead, answered, *rows]) == [rows[i] for i in expected]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("It is due on May 5.", "It is due in 3 weeks.", True),
        ("It is due on May 5.", "It took 3 weeks.", False),
        ("It is at 92%.", "It is at 19 of 20.", False),
    ],
)
def test_a_newer_value_is_of_the_same_kind(one: str, other: str, same: bool) -> None:
    assert same_kind(one, other) == same_kind(other, one) == same


@pytest.mark.parametrize(
    "told", ["I asked my trainer about sugar-free bars.", "The recipe calls for sugar-free bars."]
)
def test_what_tells_of_somebody_is_no_order_that_is_taken_back(told: str) -> None:
    assert taken_back(row(told, 1), [row("No more sugar-free bars, please.", 2)]) == []


def test_a_name_that_shares_a_word_is_another() -> None:
    lead, left = row("I live in New York.", 1), row("I left New Balance on Monday and joined Nike.", 2)
    assert updates("Where do I live?", lead, [lead, left]) == []
    moved = row("I left New York and moved to Boston.", 3)
    assert updates("Where do I live?", lead, [lead, left, moved]) == [moved]


def test_what_comes_on_top_replaces_nothing() -> None:
    found = ranked((1, "I saved 200 euros.", 0.9), (2, "I saved another 150 euros.", 0.8))
    alike = replace(found, vectors=np.ones((2, 1), np.float32))
    assert alike.update(0, [0, 1], 0.6, 0.2) == (0, [])
    assert alike.update(0, [0, 1], 0.6, 0.2, [1]) == (1, [0]), "it says that it is new"
    instead = replace(alike, rows=[alike.rows[0], row("I also saved 150 euros.", 2)])
    assert instead.update(0, [0, 1], 0.6, 0.2) == (1, [0])
    third = ranked((1, "I saved 200.", 0.9), (2, "I saved 50 more.", 0.8), (3, "I saved 20.", 0.8))
    assert replace(third, vectors=np.ones((3, 1), np.float32)).update(0, [0, 1, 2], 0.6, 0.2) == (0, [])


def test_a_line_names_day_speaker_exchange_and_what_is_left_out() -> None:
    words = FRAMES["en"]
    said = row("The boiler is red, and old.", 4, "assistant", date(2024, 3, 1))
    assert (
        compose.line(words, said, "The boiler is red") == "- 2024-03-01, assistant: “The boiler is red …” [4]"
    )
    assert compose.line(words, row("note of it", 5, "event"), "note of it", 2) == "2. event: note of it [5]"


def test_candidates_are_of_any_section_but_not_standing_orders() -> None:
    roles = ("instruction", "preference", "user", "event")
    pieces = tuple(Piece(i, (str(i),), role, f"The boiler {i} is red.") for i, role in enumerate(roles))
    context = Context("", 0, (Filled("any", "", (), 0, pieces),), ())
    assert [(c.piece.role, c.spoken) for c in candidates(context)] == [("user", True), ("event", False)]


def test_a_pair_with_a_particle_weighs_nothing_and_a_word_of_its_own_does() -> None:
    assert {*weighing.weights("我过敏吗", [])} == {"敏", "过敏"}
    assert {*weighing.weights("我的猫", [])} == {"猫"}
    assert "目的" in weighing.weights("目的是什么", [])


@pytest.mark.parametrize(
    ("question", "what", "answer", "other"),
    [
        ("How far do I live from the tea house?", "distance", "It is 51 km each way.", "It takes 51 days."),
        ("How long do deliveries take?", "duration", "It takes 29 days.", "It costs $29."),
        ("What is the fee for a child?", "money", "Children enter for free.", "Children enter at nine."),
        ("What does the hall cost?", "money", "It costs 900 a month.", "It is open 90 days a year."),
        ("What is the rent?", "money", "We agreed on 900 a month.", "We agreed in May."),
        ("How long is it open?", "duration", "On Fridays it is open all night.", "It is open to all."),
        ("How long is the lease?", "duration", "It runs until the end of May.", "It costs a lot."),
        ("What rent is due for the school?", "money", "He takes $900 a month.", "It takes a month."),
        ("参观的费用是多少？", "money", "我们收40元。", "要等40天。"),
        ("设备质保多久？", "duration", "厂家管21个月。", "有21个人。"),
        ("我家离这里多远？", "distance", "单程21公里。", "要21元。"),
        ("合唱团有几个人？", "people", "名单上有21个人。", "走了21公里。"),
        ("礼堂的容量是多少？", "people", "坐得下两百人。", "租金两百元。"),
        ("读书会几点开始？", "clock", "每周三晚上7点。", "下个月再说。"),
        ("客厅刷什么颜色？", "colour", "刷成浅灰。", "下周刷墙。"),
        ("仓库的面积是多少？", "area", "大概120平米。", "大概120元。"),
        ("去年的用电量是多少？", "energy", "电表走了850度。", "花了850元。"),
        ("这只猫多重？", "weight", "称过了，四公斤。", "它四岁。"),
    ],
)
def test_a_price_is_no_answer_to_how_long(question: str, what: str, answer: str, other: str) -> None:
    assert measure(question) == what
    assert holds(measure(question) or "money", answer)
    assert not holds(measure(question) or "money", other)


@pytest.mark.parametrize("question", ["Who is the mayor?", "How many chairs are there?", "网络叫什么？"])
def test_other_questions_ask_for_no_measure(question: str) -> None:
    assert measure(question) is None


def test_a_total_is_the_reckoned_sum_of_most_terms_with_a_sentence_for_each() -> None:
    lines = (
        "$, 2 mentions: 9000 [1] + 500 [2] = 9500",
        "dollars, 3 mentions: 4 [3] + 34 [4, 5] + 28 [6] = 66",
        "cats, 4 mentions: 1 [7] + 2 [7] + 3 [7] + 4 [7] = 10",  # none of it is shown
    )
    pieces = tuple(Piece(1, ("m",), "reckoned", line) for line in lines)
    context = Context("", 0, (Filled(RECKONED, "", (1,), 0, pieces),), ())
    rows = [
        row("It held 4 dollars.", 3),
        row("She gave 34 dollars.", 5),
        row("note: 28 dollars", 6, "notes"),
        row("The raffle made 28 dollars.", 6),
        row("We have $9,000.", 1),
        row("And $500 more.", 2),
    ]
    found = total(context, rows)
    assert found is not None
    assert (found.said, found.terms) == ("66 dollars", "4 + 34 + 28")
    assert [each.text for each in found.rows] == [rows[0].text, rows[1].text, rows[3].text]
    assert total(context, rows[:1]) is None
    forged = Context("", 0, (Filled("Closest exchanges", "", (1,), 0, pieces),), ())
    assert total(forged, rows) is None, "what a message says is reckoned by nobody"


@pytest.mark.parametrize(
    ("question", "said", "is_sure"),
    [
        ("I donate altogether", ["I donated $50.", "I donated another $70."], True),
        ("I donate altogether", ["I donated $50.", "I donated $70."], False),  # perhaps $70 by then
        ("I donate altogether", ["I donated $50.", "I want to donate $70 more."], False),
        ("I donate altogether", ["I donated $50.", "I donated $20 more, so $70 now."], False),
        ("I donate altogether", ["I donated $50.", "She donated another $70, I heard."], False),
        ("I donate to Ann altogether", ["I donated $50 to Ann.", "I donated another $70 to Bob."], False),
        ("I donate altogether", ["I donated $50.", "I donated another $70.", "I donated 30 francs."], False),
        ("I donate altogether", ["I donated $50.", "I donated another $70.", "I baked 30 cakes."], True),
        ("I give altogether", ["I had $50.", "I donated another $70."], False),
        ("in total", ["I donated $50.", "I donated another $70."], False),
    ],
)
def test_a_sum_is_said_if_its_terms_surely_are_what_is_asked(
    question: str, said: list[str], is_sure: bool
) -> None:
    rows = [row(text, i) for i, text in enumerate(said)]
    found = Total("$120", "50 + 70", tuple(rows[:2]), frozenset((0, 1)))
    asked = abstain.amounts_to(analyse(f"How much money did {question}?").topic)
    assert sure(found, rows, f"How much money did {question}?", asked) is is_sure


def test_a_sentence_with_two_terms_may_count_two_things() -> None:
    rows = [row("I planted 12 red roses and 8 white roses.", 0), row("I planted 6 more red roses.", 1)]
    found = Total("26 roses", "12 + 8 + 6", (rows[0], *rows), frozenset((0, 1)))
    question = "How many red roses did I plant in total?"
    assert not sure(found, rows, question, abstain.amounts_to(analyse(question).topic))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("$, 2 mentions: 50 [1] + 20.5 [2] = 70.5",), "$70.50"),
        (("€, 2 mentions: 50 [1] + 20.5 [2] = 70.5",), "€70.50"),
        (("£, 2 mentions: 50 [1] + 20.5 [2] = 70.5", "$, 1 mention: 9 [3] = 9"), None),
        (("$, 2 mentions: 50 [1] + 20.5 [2] = 70.5; not added: [3]",), None),
    ],
)
def test_a_sum_of_money_is_said_in_its_sign_if_it_is_the_whole_sum(
    lines: tuple[str, ...], said: str | None
) -> None:
    pieces = tuple(Piece(1, ("m",), "reckoned", line) for line in lines)
    context = Context("", 0, (Filled(RECKONED, "", (1,), 0, pieces),), ())
    found = total(context, [row("I gave 50.", 1), row("I gave 20.50 more.", 2)])
    assert (found and found.said) == said


def test_a_value_may_be_told_in_a_reply_or_by_an_answer_that_names_the_thing_itself() -> None:
    question = "How much was the new sofa?"
    asked = row("How much was the sofa?", 2, "assistant")
    assert not untold(question, [asked, row("eight fifty", 3)], weighing.weights("sofa", [asked]))
    assert untold(question, [asked, row("no idea", 3)], weighing.weights("sofa", [asked]))
    advice = "Cushions are 40 each. " + "Mind your back. " * 30
    general, own = (
        replace(row(text, 4, "assistant"), piece=Piece(4, ("m4",), "assistant", f"{advice}{text}"))
        for text in ("Cushions are 40 each.", "Your sofa was 340.")
    )
    assert untold(question, [general], weighing.weights("new sofa", [general]))
    assert not untold(question, [general, own], weighing.weights("sofa", [general, own]))


def test_words_that_ask_for_a_total_weigh_a_tenth_of_what_it_is_of() -> None:
    weight = weighing.weights("我总共捐 钱", [], "我总共捐了多少钱？")
    assert weight["总共"] == pytest.approx(weighing.ASKING * weight["捐"])


def test_a_sentence_that_says_the_common_words_alone_is_far_from_every_question() -> None:
    common = np.array([[1, 0, 0]], np.float32)
    vectors = np.array([[1, 0, 0], [np.sqrt(1 - 1e-8), 1e-4, 0], [0.6, 0.8, 0]], np.float32)
    assert np.allclose(weighing.apart(vectors, common), [[0, 0, 0], [0, 0, 0], [0, 1, 0]], atol=1e-6)


@pytest.mark.parametrize(
    ("question", "said", "refused"),
    [
        ("How much was the new sofa?", "the sofa came today, and i paid 90 for taxis", False),
        ("How much was the new sofa?", "the sofa came today. it is green", True),
        ("How much was the new sofa?", "sofa is here!! 340 altogether", False),
        ("What does Ivo's saddle cost?", "Ivo wants 12 apples.", True),
        ("What does Ivo's saddle cost?", "Ivo's saddle is $220.", False),
        ("What is Petra's surname?", "Petra starts on Monday", True),
        ("What is Petra's surname?", "Petra Novak starts on Monday", False),
        ("what's my landlord's last name?", "the landlord rang again", True),
        ("what's my landlord's last name?", "my landlord, Mr Osei, rang again", False),
        ("How much was the new sofa?", "the sofa was seven hundred incl delivery", False),
        ("How much was the new sofa?", "the sofa cost 340 CHF", False),
        ("How much was the new sofa?", "the sofa cost nothing, gran gave it", False),
        ("How much is the new sofa?", "the sofa is thirty per month", False),
        ("What voltage does the kiln need?", "the kiln needs a new plug", True),
        ("What voltage does the kiln need?", "the kiln needs 400 V", False),
        ("How heavy is the kiln?", "the kiln is seven stone", False),
        ("Which breed is our dog?", "our dog ate my shoe", False),
        ("What is Omar's phone number?", "Omar rang on 2024-05-03", True),
        ("What is Omar's phone number?", "Omar: 0171 555 8812", False),
        ("How much time is left for the kiln?", "the kiln is hot", False),
    ],
)
def test_a_value_of_the_kind_asked_for_must_be_told_of_what_it_is_asked_about(
    question: str, said: str, refused: bool
) -> None:
    rows = [row(said)]
    assert untold(question, rows, weighing.weights(analyse(question).topic, rows, question)) is refused


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("How long have you played the harp?", True),
        ("Your harp sounds lovely!", True),
        ("I love your harp!", False),
        ("You can tune a harp with a key.", False),
        ("Glad to hear from you!", False),
        ("The harp is hard to tune.", False),
    ],
)
def test_what_is_said_of_the_one_spoken_to(said: str, other: bool) -> None:
    assert addressed(said, set(terms("What does the harp sound like?"))) is other
