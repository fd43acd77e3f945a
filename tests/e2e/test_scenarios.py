"""What an assistant must get right over hours, tasks and users, with the default install, in English and Chinese: the
scenarios that the designs of state, sessions and tiers were written for (decision 23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import memfold
from memfold.api import Store
from memfold.schema import Message
from support.given import job, run

MORNING = datetime(2024, 5, 6, 9, tzinfo=UTC)
AFTERNOON = MORNING + timedelta(hours=5)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)

Said = tuple[str, str]


def talk(
    exchanges: Sequence[Said], start: datetime = MORNING, pace: timedelta = 3 * MINUTE, who: str | None = None
) -> list[Message]:
    """Exchanges one after the other, of one user."""
    made = []
    for n, (user, assistant) in enumerate(exchanges):
        time = start + n * pace
        made.append(Message("c", "user", user, time=time, speaker=who))
        made.append(Message("c", "assistant", assistant, time=time + MINUTE))
    return made


def store(root: Path, said: Sequence[Message]) -> Store:
    run(job(root, [*said]))
    return memfold.open(str(root))


THINGS = {
    "en": (
        "printer", "parking garage", "coffee machine", "badge system", "meeting room", "cafeteria", "mail room",
        "bike storage", "gym", "phone system", "visitor desk", "shredder",
    ),
    "zh": (
        "打印机", "停车场", "咖啡机", "门禁", "会议室", "食堂", "收发室", "自行车棚", "健身房", "电话", "前台",
        "碎纸机",
    ),
}  # fmt: skip
ASKED = {
    "en": ("Can you explain how the {} works in our office?", "Of course, facilities look after the {}."),
    "zh": ("请介绍一下公司的{}怎么用？", "好的，{}由行政部负责，按说明使用即可。"),
}
SMALL_TALK = {
    language: [(asked.format(thing), told.format(thing)) for thing in THINGS[language]]
    for language, (asked, told) in ASKED.items()
}


LEAVE = {
    "en": (
        (
            "I have been working here for 3 years. What is the annual leave policy?",
            "With 3 years you get 10 days of annual leave.",
        ),
        "Can I split my annual leave, given my years of service?",
        "How many years have I been working here?",
        "3 years",
    ),
    "zh": (
        ("我入职满3年了，想问一下年假政策。", "入职满3年可以休10天年假。"),
        "按我的入职年限，年假可以拆分休吗？",
        "我入职几年了？",
        "满3年",
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_annual_leave_asked_in_the_afternoon_after_the_window_rolled_on(
    language: str, tmp_path: Path
) -> None:
    first, question, asked_back, known = LEAVE[language]
    opened = store(tmp_path, talk([first, *SMALL_TALK[language]]))
    assert first[0] not in [said.content for said in opened.recent("c").messages], (
        "the window did not roll on"
    )
    assert known in opened.context("c", question, 1_000, now=AFTERNOON).text
    assert known in opened.ask("c", asked_back, 1_000, now=AFTERNOON).text
    (fact,) = opened.state("c").standing.holding("fact")
    assert known in fact.text
    # Morning and afternoon are one session; the next day but one nothing of it is recent any more.
    assert opened.recent("c", AFTERNOON).session is not None
    assert opened.recent("c", AFTERNOON + 2 * DAY).session is None


SPLIT = {
    "en": (
        ("What is the annual leave policy?", "You have 10 days, and you can take annual leave in two parts."),
        "Can I take annual leave in two parts?",
        "in two parts",
    ),
    "zh": (
        ("公司的年假规定是什么？", "入职满一年有十天年假，年假可以分两次休完。"),
        "年假可以分两次休吗？",
        "可以分两次休完",
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_allowed_is_quoted_from_what_the_assistant_said(language: str, tmp_path: Path) -> None:
    told, question, known = SPLIT[language]
    opened = store(tmp_path, talk([told, *SMALL_TALK[language]]))
    assert known in opened.ask("c", question, 1_000).text


BOOKING = {
    "en": (
        [
            (
                "I want to book a flight to Beijing on April 3 with a window seat.",
                "Which departure time suits you?",
            ),
            ("I'm still undecided between the morning and the evening flight.", "Tell me when you know."),
        ],
        [("I need to book a flight to Shanghai on May 20.", "Sure, shall I look for morning flights?")],
        "Where do I want to fly?",
        ("Shanghai", "Beijing"),
    ),
    "zh": (
        [
            ("我想订4月3日去北京的机票，要靠窗座位。", "您希望几点出发？"),
            ("早班还是晚班我还没决定。", "好的，决定了告诉我。"),
        ],
        [("我要订5月20日去上海的机票。", "好的，需要早班机吗？")],
        "我要订去哪里的机票？",
        ("上海", "北京"),
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_month_old_unfinished_booking_does_not_steer_a_new_one(language: str, tmp_path: Path) -> None:
    old, new, question, (wanted, past) = BOOKING[language]
    opened = store(tmp_path, [*talk(old, MORNING - 33 * DAY), *talk(new)])
    assert [session.last for session in opened.sessions("c")] == [1, 2]
    recent = opened.recent("c", MORNING + 10 * MINUTE)
    assert wanted in recent.text
    assert past not in recent.text
    state = opened.state("c")
    assert wanted in state.standing.topic.text
    assert past not in state.text, "what was left unfinished still stands"
    found = opened.probe("c", question, now=MORNING + 10 * MINUTE)
    (part,) = [part for part in found.context(2_000).parts if part.label == "Most recent exchanges"] or [None]
    assert part is None or past not in part.text
    assert wanted in found.answer(2_000).text.split("\n")[1], "last month's comes first"


def test_asked_in_the_course_of_an_earlier_session_a_later_one_is_not_going_on(tmp_path: Path) -> None:
    said = [
        *talk(
            [("I want to fly to Rome in June.", "Noted."), ("My budget is 500 euros.", "Noted, 500 euros.")]
        ),
        *talk(
            [("I want to fly to Oslo in July.", "Noted."), ("My budget is 900 euros.", "Noted, 900 euros.")],
            MORNING + 30 * DAY,
        ),
    ]
    opened = store(tmp_path, said)
    now = MORNING + timedelta(hours=1)
    assert opened.search("c", "Where do I want to fly?", now=now)[0].exchange_id == 0
    assert opened.search("c", "Where do I want to fly?", now=now + 30 * DAY)[0].exchange_id == 2
    recent = opened.recent("c", now)
    assert [each.exchange_id for each in recent.messages] == [0, 0, 1, 1]
    assert ["500" in point.text for point in recent.points] == [True], "what was replaced later held then"
    # The second answer comes a minute after its question.
    begun = opened.recent("c", MORNING + 3 * MINUTE)
    assert [each.content for each in begun.messages][2:] == ["My budget is 500 euros."]
    assert not begun.points
    (part,) = [
        part
        for part in opened.context("c", "Where do I want to fly now?", 2_000, now=now).parts
        if part.label == "Most recent exchanges"
    ] or [None]
    assert part is None or "Oslo" not in part.text
    assert opened.recent("c", MORNING - DAY).session is None
    assert [each.exchange_id for each in opened.recent("c").messages] == [2, 2, 3, 3]


CLAIMS = {
    "en": (
        [("Please file my travel claim: hotel 820 euros in Berlin.", "Noted, 820 euros for the hotel.")],
        [("Please file my travel claim: hotel 460 euros in Lyon.", "Noted, 460 euros for the hotel.")],
        "How much is my hotel claim?",
        ("820", "460"),
    ),
    "zh": (
        [("请帮我报销差旅费：柏林酒店820元。", "已记录，酒店820元。")],
        [("请帮我报销差旅费：里昂酒店460元。", "已记录，酒店460元。")],
        "我的酒店报销是多少？",
        ("820", "460"),
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_two_employees_claims_never_mix(language: str, tmp_path: Path) -> None:
    hers, his, question, (her, him) = CLAIMS[language]
    said = [
        *talk(hers, who="Ann"),
        *talk(his, MORNING + 5 * MINUTE, who="Bob"),
        *talk(SMALL_TALK[language][:1], MORNING + 20 * MINUTE, who="Ann"),
        *talk(SMALL_TALK[language][1:2], MORNING + 25 * MINUTE, who="Bob"),
    ]
    opened = store(tmp_path, said)
    for who, own, other in (("Ann", her, him), ("Bob", him, her)):
        found = opened.probe("c", question, now=AFTERNOON, speaker=who)
        assert own in found.answer(2_000).text
        assert other not in found.context(14_000).text
        assert all(other not in hit.text for hit in found.hits())
    with pytest.raises(memfold.UserError, match="Ann, Bob"):
        opened.probe("c", question, speaker="Eve")


def test_orders_and_the_state_say_who_of_two_people_spoke(tmp_path: Path) -> None:
    told = {"Ann": "Always answer in French.", "Bob": "I'm allergic to nuts."}
    said = [
        each
        for n, (who, text) in enumerate(told.items())
        for each in talk([(text, "Noted.")], MORNING + 5 * n * MINUTE, who=who)
    ]
    opened = store(tmp_path, said)
    assert [(order.exchange_id, order.who) for order in opened.orders("c")] == [(0, "Ann")]
    assert "Bob: I'm allergic to nuts" in opened.state("c").text
    alone = store(tmp_path / "alone", [replace(each, speaker="Ann") for each in said])
    assert [order.who for order in alone.orders("c")] == [None]


REJECTED = {
    "en": (
        [
            ("We have to choose a database for the shop.", "MongoDB, PostgreSQL and SQLite are candidates."),
            ("We ruled out MongoDB because it lacks the transactions we need.", "Understood."),
            ("We've decided to use PostgreSQL for the shop.", "A good choice."),
        ],
        "Which database did we rule out for the shop, and why?",
        "Which database should the shop use?",
        ("MongoDB", "lacks the transactions", "PostgreSQL"),
    ),
    "zh": (
        [
            ("我们要给商城选一个数据库。", "可以考虑 MongoDB、PostgreSQL 和 SQLite。"),
            ("我们排除了MongoDB，因为它缺少我们需要的事务。", "明白。"),
            ("我们决定用PostgreSQL做商城的数据库。", "不错的选择。"),
        ],
        "商城的数据库我们排除了哪个，为什么？",
        "商城应该用哪个数据库？",
        ("MongoDB", "缺少我们需要的事务", "PostgreSQL"),
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_rejected_option_is_not_proposed_again_and_its_reason_is_known(
    language: str, tmp_path: Path
) -> None:
    said, rejected, proposed, (option, reason, chosen) = REJECTED[language]
    opened = store(tmp_path, talk([*SMALL_TALK[language], *said, *SMALL_TALK[language]]))
    excluded = opened.state("c").json["excludeds"]
    assert len(excluded) == 1
    assert option in excluded[0]["text"]
    assert reason in str(excluded)
    answer = opened.ask("c", rejected, 2_000).text
    assert option in answer
    assert reason in answer
    found = opened.probe("c", proposed)
    (stands,) = [part for part in found.context(2_000).parts if part.label == "Where the conversation stands"]
    assert "excluded" in stands.text
    assert reason in stands.text
    assert chosen in found.answer(2_000).text


DISCUSSED = {
    "en": (
        (
            "For the team outing I like the lighthouse tour near Kiel.",
            "The lighthouse tour takes four hours.",
        ),
        "What was the tour we discussed for the team outing?",
        "lighthouse",
    ),
    "zh": (
        ("团建我喜欢青岛附近的灯塔游。", "灯塔游需要四个小时。"),
        "我们之前讨论的那个团建灯塔游要多久？",
        "灯塔",
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_one_we_discussed_finds_its_exchange(language: str, tmp_path: Path) -> None:
    planted, question, known = DISCUSSED[language]
    small = SMALL_TALK[language]
    opened = store(tmp_path, talk([*small[:3], planted, *small[3:]]))
    found = opened.probe("c", question, now=MORNING + 3 * DAY)
    assert found.hits(1)[0].exchange_id == 3
    assert known in found.answer(1_000).text


ORDERED = {
    "en": (
        "Please answer in Chinese from now on.",
        "Now something else: how do I reset my badge?",
        "in Chinese",
    ),
    "zh": ("以后请用中文回答我。", "换个话题，门禁卡怎么重置？", "用中文回答"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_answer_in_chinese_at_turn_1_holds_at_turn_5_after_a_switch(language: str, tmp_path: Path) -> None:
    order, question, known = ORDERED[language]
    other = SMALL_TALK["zh" if language == "en" else "en"]
    opened = store(tmp_path, talk([(order, "OK."), *other[:3]]))
    found = opened.probe("c", question, now=MORNING + 20 * MINUTE)
    standing = found.context(1_000).parts[0]
    assert known in standing.text
    # What frames the quotes is in Chinese, whichever language the question is in.
    assert "对话" in found.answer(1_000).text
    assert [entry.exchange_id for entry in opened.state("c").standing.holding("requirement")] == [0]


SWITCHED = {
    "en": (
        [
            ("I want to book a flight to Oslo with Nordwind.", "Nordwind flies at nine."),
            ("Let's switch to my expense report: the taxi was 32 euros.", "Noted."),
        ],
        "What do you need from me now?",
        ("taxi", "Nordwind"),
    ),
    "zh": (
        [
            ("我想订北风航空去奥斯陆的机票。", "北风航空九点起飞。"),
            ("先不说这个，换个话题：我的报销单，出租车32元。", "已记录。"),
        ],
        "现在你还需要我提供什么？",
        ("出租车", "北风"),
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_task_switched_away_from_is_not_recent(language: str, tmp_path: Path) -> None:
    said, question, (current, left) = SWITCHED[language]
    opened = store(tmp_path, talk([*SMALL_TALK[language], *said]))
    context = opened.context("c", question, 300, now=MORNING + 60 * MINUTE)
    recent = [part for part in context.parts if part.label == "Most recent exchanges"]
    assert all(left not in part.text for part in recent)
    assert current in context.text


RELATIVES = {
    "en": (
        [("My dad was born in Leeds in 1950.", "Noted."), ("My wife works as a baker in Hamburg.", "Nice.")],
        [("Where was my father born?", "Leeds"), ("What does my spouse work as?", "baker")],
        "Where was my mother born?",
        "no evidence",
    ),
    "zh": (
        [("我爸1950年出生在长沙。", "记下了。"), ("我老婆在汉堡当面包师。", "真好。")],
        [("我父亲出生在哪里？", "长沙"), ("我妻子是做什么的？", "面包师")],
        "我母亲出生在哪里？",
        "没有找到",
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_relative_is_found_by_another_name_and_not_taken_for_another(language: str, tmp_path: Path) -> None:
    said, asked, another, refused = RELATIVES[language]
    opened = store(tmp_path, talk(said))
    for question, known in asked:
        assert known in opened.ask("c", question, 2_000).text
    assert refused in opened.ask("c", another, 2_000).text


PETS = {
    "en": (
        ("I bought a tortoise last week, he is called Shelly.", "Lovely."),
        "What is my pet called?",
        "Shelly",
    ),
    "zh": (("我上周买了一只乌龟，叫慢慢。", "真可爱。"), "我的宠物叫什么名字？", "慢慢"),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_tortoise_is_a_pet(language: str, tmp_path: Path) -> None:
    told, question, known = PETS[language]
    small = SMALL_TALK[language]
    opened = store(tmp_path, talk([*small[:4], told, *small[4:]]))
    assert known in opened.ask("c", question, 2_000).text


def test_words_that_only_ask_choose_no_sentence(tmp_path: Path) -> None:
    said = [
        ("我爸叫王建国，今年六十岁。", "记下了。"),
        ("我同事叫李雷，他的名字很有名。", "是的。"),
        ("你叫什么名字？", "我叫小助手。"),
    ]
    small = SMALL_TALK["zh"]
    opened = store(tmp_path, talk([*small[:4], *said, *small[4:]]))
    assert "王建国" in opened.ask("c", "我爸叫什么名字？", 2_000).text.split("\n")[1]
    assert "王建国" in opened.ask("c", "我爸是谁？", 2_000).text
    assert "没有找到" in opened.ask("c", "我妈叫什么名字？", 2_000).text


NAMED_NEXT = {
    "en": (
        ("My friend Tom plays the violin with his dad. Her sister is Ann. His dad is Bob.", "Nice."),
        ("What is the name of Tom's dad?", "Who is Tom's father?"),
        "Bob",
    ),
    "zh": (
        ("我朋友小明跟他爸一起拉小提琴。他爸是王强。", "真好。"),
        ("小明的爸爸叫什么名字？", "小明的父亲是谁？"),
        "王强",
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_name_in_the_next_sentence_is_quoted(language: str, tmp_path: Path) -> None:
    told, questions, known = NAMED_NEXT[language]
    small = SMALL_TALK[language]
    opened = store(tmp_path, talk([*small[:4], told, *small[4:]]))
    for question in questions:
        assert known in opened.ask("c", question, 2_000).text
