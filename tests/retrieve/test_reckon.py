"""Spans between dates, and numbers counted and summed, with their terms."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.retrieve.dated import Dated
from memfold.retrieve.ends import ends, happened
from memfold.retrieve.reckon import (
    END,
    Elapsed,
    adds,
    amounts,
    asked_unit,
    asks_sum,
    asks_total,
    further,
    is_level,
    on_top,
    sides,
    spans,
    tallies,
)
from support.retrieve_samples import message, view


def dated(day: date, exchange: int, score: float = 1.0) -> Dated:
    return Dated(day, day, "said", "", "user", exchange, (f"m{exchange}",), score)


@pytest.mark.parametrize(
    ("said", "found"), [("The boat party is over.", 1), ("The boat party is on 05/06/2024.", 0)]
)
def test_an_exchange_is_of_the_day_it_was_said_unless_it_names_one_that_nobody_can_tell(
    said: str, found: int
) -> None:
    seen = view([message(1, 0, "user", said, datetime(2024, 3, 3, tzinfo=UTC))])
    assert [len(each) for each in ends(seen, ["the boat party"], 3)] == [found]


def test_the_time_between_two_days_says_its_terms() -> None:
    (span,) = spans([dated(date(2024, 4, 15), 9)], [dated(date(2024, 3, 1), 2)], 5)
    said = "2024-03-01 [2] (“said”) to 2024-04-15 [9] (“said”): 45 days = 6 weeks + 3 days"
    assert (span.days, str(span)) == (45, said)
    assert str(Elapsed(dated(date(2024, 3, 29), 1), dated(date(2024, 4, 19), 2))).endswith(
        "21 days = 3 weeks"
    )
    assert str(Elapsed(dated(date(2024, 1, 15), 1), dated(date(2024, 3, 15), 2))).endswith(
        "60 days = 8 weeks + 4 days"
    )
    assert str(Elapsed(dated(date(2023, 12, 31), 1), dated(date(2024, 1, 1), 2))).endswith(": 1 day")


def test_a_span_says_what_each_end_is_and_who_named_it() -> None:
    text = f"{'We talked of many things. ' * 9}- **April 2**: the fence goes up. {'And so on. ' * 20}"
    april = Dated(date(2024, 4, 2), date(2024, 4, 2), text, "April 2", "assistant", 1, ("m2",))
    shown = str(Elapsed(april, dated(date(2024, 4, 9), 2)))
    assert shown.startswith("2024-04-02 [1] (the assistant: “")
    assert "April 2 : the fence goes up." in shown
    assert len(shown) < 2 * END + 120
    assert "\n" not in str(Elapsed(replace(april, text="two\nlines", literal=""), april))


def test_the_best_pair_comes_first_and_what_stands_at_both_ends_is_its_better_one() -> None:
    march, april, may = date(2024, 3, 1), date(2024, 4, 1), date(2024, 5, 1)
    one = [dated(march, 1, 0.8), dated(april, 2, 0.9)]
    other = [dated(april, 2, 1.2), dated(may, 3, 0.5)]
    assert [(s.start.first, s.end.first) for s in spans(one, other, 2)] == [(march, april), (march, may)]


def test_a_month_and_a_year_are_no_days_to_count_from() -> None:
    days = [dated(date(2024, 2, 3), 1), dated(date(2024, 6, 1), 2)]
    month = replace(days[1], last=date(2024, 6, 30))
    year = replace(month, first=date(2024, 1, 1), last=date(2024, 12, 31))
    assert [spans(days[:1], [each], 5) for each in (month, year)] == [[], []]
    few = replace(dated(date(2024, 5, 6), 1), last=date(2024, 5, 27), literal="a few weeks ago")
    assert spans(days[:1], [few], 5) == []
    week = replace(days[1], last=date(2024, 6, 7))
    assert [[span.days for span in spans(days[:1], [each], 5)] for each in (days[1], week)] == [[119], [119]]


@given(st.lists(st.dates(), max_size=5), st.lists(st.dates(), max_size=5))
def test_a_span_never_runs_backwards_and_no_two_are_alike(one: list[date], other: list[date]) -> None:
    found = spans([dated(d, 1) for d in one], [dated(d, 2) for d in other], 30)
    assert all(span.days > 0 and span.start.first + timedelta(span.days) == span.end.first for span in found)
    assert len({(span.start.first, span.end.first) for span in found}) == len(found)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("How many days between the offer and the move?", "the offer", "the move"),
        (
            "How many days passed between when I sold the car and bike and when I moved?",
            "I sold the car and bike",
            "I moved",
        ),
        ("How long was it from the first draft to the last one?", "the first draft", "the last one"),
        ("How many weeks after I met Ann did I join the choir?", "I met Ann", "I join the choir"),
        ("How many days did I wait before the answer came?", "I wait", "the answer came"),
        ("How many days before the party was the cake tasting?", "the cake tasting", "the party"),
        ("从开工到验收一共多少天？", "开工", "验收"),
        ("搬家和装修之间隔了多少天？", "搬家", "装修"),
        ("搬家到装修隔了几天？", "搬家", "装修"),
        ("下单到收货前后一共用了几天？", "下单", "收货"),
        # What begins and ends is named once; how far one day is from another.
        ("阳台防水从开始到做完花了几天？", "阳台防水开始", "阳台防水做完"),
        ("从开始到做完花了几天？", "开始", "做完"),
        ("小雨从开学到放假隔了多少天？", "开学", "放假"),
        ("我体检完离手术还有几天？", "我体检完", "手术"),
        ("交房距离婚礼还差多少天？", "交房", "婚礼"),
        ("离开学校到上班隔了几天？", "离开学校", "上班"),
    ],
)
def test_a_question_names_two_ends(question: str, one: str, other: str) -> None:
    assert sides(question) == (one, other)


@pytest.mark.parametrize(
    ("text", "phrase", "has"),
    [
        ("开业啦！来了好多人", "正式开业", True),
        ("面试很顺利，等消息", "公司面试", True),
        ("今天终于交房了", "交房", True),
        ("合同签完了 松口气", "租房合同签", True),
        ("下周开业了", "正式开业", False),
        ("快交房了", "交房", False),
        ("面试推迟了", "公司面试", False),
        ("开业了吗？", "正式开业", False),
        ("同意交房了", "交房", False),
        ("没面试成功", "公司面试", False),
        ("交房定在9月10号", "交房", False),
        ("We opened!", "opened", False),
    ],
)
def test_what_has_happened_is_said_with_no_other_words_than_its_own(
    text: str, phrase: str, has: bool
) -> None:
    assert happened(text, phrase) is has


def test_a_question_that_names_no_two_ends_has_none() -> None:
    assert sides("How long is the bridge?") is None


def test_numbers_of_a_unit_are_found_with_their_sentence() -> None:
    text = "Fine. I ran for 45 minutes, then two more minutes. It cost 1,200 dollars. I missed 4 out of 20 questions."
    assert [each.value for each in amounts(text, 7, "minutes")] == [45, 2]
    assert {each.text for each in amounts(text, 7, "minute")} == {
        "I ran for 45 minutes, then two more minutes."
    }
    assert [each.value for each in amounts(text, 7, "questions")] == [4]
    assert [each.value for each in amounts(text, 7, "dollars")] == [1200]
    assert [each.value for each in amounts("It was $3.50, then €20, in 90% of 5s", 7, "$")] == [
        Decimal("3.50"),
        20,
    ]
    assert [each.value for each in amounts("练了45分钟，又练了两分钟", 7, "分钟")] == [45, 2]
    assert list(amounts("In 45 minutesque hours", 7, "minutes")) == []


def test_mentions_of_one_thing_are_one_term_with_all_their_exchanges() -> None:
    said = [
        (3, "I practised scales with Ann for 45 minutes on the piano"),
        (5, "those 45 minutes of scales with Ann on the piano helped"),
        (8, "the dentist took 45 minutes"),
        (9, "and 30 minutes of running"),
    ]
    found = [each for exchange, text in said for each in amounts(text, exchange, "minutes")]
    (tally,) = tallies(found)
    assert tally.mentions == ((Decimal(45), (3, 5)), (Decimal(45), (8,)), (Decimal(30), (9,)))
    assert tally.total == 120
    assert str(tally) == "minutes, 3 mentions: 45 [3, 5] + 45 [8] + 30 [9] = 120"


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("How many total minutes did Ann and I spend?", "minutes"),
        ("How many triangle problems have I solved?", "problems"),
        ("How much did I spend on the garden?", "$"),
        ("How much better is it?", None),
        ("我一共用了多少分钟？", "分钟"),
        ("How much did the school receive in donations?", "$"),
        ("What is the total time I worked on the counter?", "hours"),
        ("How much jam did we make in sum, counted in jars?", "jars"),
        ("我们总共凑了几把椅子？", "把椅子"),
        ("我合计投入了多少时间？", "小时"),
        ("按照计划，我总共跑了多少公里？", "公里"),
        ("按设计一共有多少个房间？", "房间"),
        ("一共来了多少家庭？", "户"),
        ("院子里的果树总数是多少？", "棵"),
        ("先后有多少志愿者报名？", "人"),
        ("我的朋友总数是多少？", "人"),
        ("他的总量是多少？", None),
        ("装修我一共花了多少钱？", "$"),
        ("看牙的费用一共是多少（拔牙、补牙）？", "$"),
        ("一共用了多少块砖？", "块砖"),
    ],
)
def test_what_is_asked_for_is_named(question: str, unit: str | None) -> None:
    assert asked_unit(question) == unit


def test_what_is_added_to_what_was_counted_needs_no_unit() -> None:
    assert [each.value for each in further("Another 21 of them stood in the attic.", 1, "chairs")] == [21]
    assert [each.value for each in further("阁楼上又翻出46把能坐的。", 1, "把椅子")] == [46]
    nothing = (
        "21 of them stood in the attic.",  # nothing is added
        "Then it takes 29 days.",  # of another unit
        "Another 3 of 20 went.",  # which of the two?
        "Then, on 2021-01-14, at 10:30, we paid $20 more.",
        "后来又改到2021年1月4日。",
    )
    for text in nothing:
        assert not list(further(text, 1, "chairs")), text


def test_in_chinese_a_thing_is_counted_by_its_own_words() -> None:
    def counted(text: str, unit: str) -> list[int]:
        return [int(each.value) for each in amounts(text, 1, unit)]

    assert counted("头一天来了12家，后来又有3户报名。", "户") == [12, 3]
    assert counted("前院种了8棵枣树，后院5株石榴。", "棵") == [8, 5]
    assert counted("来了30位老师、4名家长和2个人。", "人") == [30, 4, 2]
    # Not what is written with the same letter.
    assert counted("我看到3家里的人，有2户口本，5位置，1名单。", "户") == []
    assert counted("只剩5位置了，写了1名单。", "人") == []


def test_what_holds_each_time_adds_to_no_sum() -> None:
    asked = "我们一共收到多少钱？"
    for text in ("每人收20元。", "从下周起票价涨到30元。", "凡是来听课的，收15元。", "房租3000元。"):
        assert is_level(text, asked), text
    assert not is_level("邻居又送来20元。", asked)
    assert not is_level("上个月房租3000元。", "一共付了多少房租？")


def test_sums_in_words_are_apart_from_those_with_a_sign() -> None:
    text = "The tin held 34 dollars. The budget is $9,000. 铁罐里有43元。"
    assert {(each.value, each.unit) for each in amounts(text, 1, "$")} == {
        (Decimal(34), "dollars"),
        (Decimal(9000), "$"),
        (Decimal(43), "元"),
    }


@pytest.mark.parametrize(
    ("unit", "text", "sums"),
    [
        ("$", "£300, then $450, US$40, ￥20 and €90.", {"£": 300, "$": 450, "US$": 40, "¥": 20, "€": 90}),
        ("$", "We raised $2 million, then $1.5k, then $3M, then ¥3万. It cost $80.", {"$": 80}),
        ("$", "Tickets were $100-$200. It took €1.200,50, then €84,30, then 1.200 euros, then €7.", {"€": 7}),
        ("$", "I got $60 back, then a refund of $20. I paid $200.", {"$": 200}),
        ("$", "I paid 4 tickets at $80 each, $500 monthly, $12.99/month and 60 euros every time. It was $5.", {"$": 5}),
        ("minutes", "I ran for 2 hours and 15 minutes, then 10-15 minutes, then 20 minutes.", {"minutes": 20}),
        ("hours", "I ran for 2 hours and 15 minutes, 2 and half hours, 3 hours a day, 1 hour and 4 hours.",
         {"hours": 5}),
        ("trees", "I saw twenty-five trees, a hundred and five trees, two thousand trees, 1 200 trees and 8 trees.",
         {"trees": 8}),
        ("people", "There were 3 million people. I gave each of us two and 30 people came.", {"people": 30}),
        ("分钟", "练了2小时15分钟，又练了30分钟。", {"分钟": 30}),
        ("小时", "先1.5小时，再二十五小时，最后2小时15分钟。", {"小时": Decimal("1.5")}),
    ],
)  # fmt: skip
def test_a_sum_has_only_what_is_whole_and_paid_once_and_no_two_currencies(
    unit: str, text: str, sums: dict[str, Decimal | int]
) -> None:
    assert {each.unit: each.total for each in tallies(list(amounts(text, 1, unit)))} == sums


def test_a_sum_says_what_it_leaves_out_and_a_question_of_rates_adds_them() -> None:
    said = [(1, "We raised $2 million."), (3, "We raised $500."), (5, "We raised $70 a month.")]
    found = [each for exchange, text in said for each in amounts(text, exchange, "$")]
    assert [str(each) for each in tallies(found)] == ["$, 1 mention: 500 [3] = 500; not added: [1, 5]"]
    asked = "How much do we raise each month in total?"
    assert [str(each) for each in tallies(found, asked)] == [
        "$, 2 mentions: 500 [3] + 70 [5] = 570; not added: [1]"
    ]


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        ("搬家请客花了420 中介费给了900", [420, 900]),
        ("我买胶带花了16，自己粘", [16]),
        ("他退了2300 还欠200", [2300, 200]),
        ("检查费35，拍片花了110 药96", [35, 110, 96]),
        ("押金是1500，租金砍到2200吧。", [1500, 2200]),
        ("花了300多", [300]),
        ("买了张券30块，又花了45元", [30, 45]),
        # Not money: what is counted or timed, a mark, a number to call, what rises.
        ("花了3天，给了20个，给了5，打给了10086", []),
        ("分数从22涨到27，12:30花了", []),
        ("花2019那年的事，交了3份，花了5%", []),
    ],
)
def test_chinese_names_sums_without_a_unit(text: str, sums: list[int]) -> None:
    found = list(amounts(text, 1, "$"))
    assert sorted(each.value for each in found) == sorted(sums)
    assert {each.unit for each in found} <= {"元"}


@pytest.mark.parametrize(
    ("question", "adds_up"),
    [
        ("How many chairs did we gather altogether?", True),
        ("How many chairs did I buy for the garden?", True),
        ("How much have we spent on the garden?", True),
        ("搬家花了多少钱？", True),
        ("How many chairs do I have?", False),
        ("How many chairs have I sold so far?", False),
        ("How many chairs did I say are green?", False),
        ("How many more chairs did I buy than Ann?", False),
        ("How much does a chair cost?", False),
        ("How much did Orla's filling cost?", False),
        ("How much did the whole Lisbon trip cost?", True),
        ("How much did all the car repairs cost me?", True),
        ("How much did the move cost us in total?", True),
        ("房租涨到了多少钱？", False),
    ],
)
def test_numbers_add_up_where_a_total_or_what_was_done_is_asked(question: str, adds_up: bool) -> None:
    assert asks_sum(question) is adds_up


def test_a_total_is_asked_for() -> None:
    assert asks_total("How many chairs did we gather altogether?")
    assert asks_total("一共有几把？")
    assert not asks_total("How many chairs did we gather on Monday?")


@pytest.mark.parametrize(
    ("text", "is_on_top"),
    [
        ("I saved another 150 euros.", True),
        ("I paid another $2,000 today.", True),
        ("I swam 30 more laps.", True),
        ("It was 90 euros more, and 3 orders more.", True),
        ("我又捐了350元。", True),
        ("I also finished 12 problems.", False),
        ("It takes 5 more than planned, no more than 20.", False),
        ("I am more sure with 20.", False),
        ("I raised it to $3,500 to cover additional fees.", False),
        ("It takes 20 or more.", False),
    ],
)
def test_a_number_that_comes_on_top(text: str, is_on_top: bool) -> None:
    assert on_top(text) is is_on_top


def test_what_adds_may_say_so_without_a_number_beside_it() -> None:
    assert adds("I also donated $120.")
    assert not adds("I donated $120.")
