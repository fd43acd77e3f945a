"""English without capitals and apostrophes, and Chinese without commas, is read as if it had them, and kept as it was
typed."""

from __future__ import annotations

import pytest

from memfold.extract.engines.rules import Rules
from memfold.text.blanks import in_clauses, with_commas
from memfold.text.typed import typed
from support.asked import window


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("im late and i dont care", "I'm late and I don't care"),
        ("Ive never been there, i cant go", "I've never been there, I can't go"),
        ("the file is called i.txt and im in it", "the file is called i.txt and I'm in it"),
        ("hi\nim late", "hi\nI'm late"),
        (
            "hi im Hanneke, 42, live in utrecht with the twins",
            "hi I'm Hanneke, 42, live in utrecht with the twins",
        ),
    ],
)
def test_what_is_missing_is_added_and_words_are_found_as_they_were_typed(text: str, read: str) -> None:
    ways = typed(text, "en")
    assert ways is not None
    assert ways.text == read
    assert all(ways.words(read[at:]) == text[ways.place(at) :] for at in range(len(read)) if read[at] != "'")


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("I'm late, and I don't care.", "en"),
        ("ich wohne im dritten stock", "de"),
        ("mam i dont w domu", "pl"),
        ("im Sommer we go to the lake with family and friends", "en"),
        ("I booked the hotel im Zentrum, near to the station", "en"),
    ],
)
def test_what_is_typed_as_expected_or_in_another_language_stays(text: str, spoken: str) -> None:
    assert typed(text, spoken) is None


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("i dont like the room", "preference"),
        ("ive decided against a cat", "decision"),
        ("im so happy with the new flat", "sentiment"),
        ("portugal is off, we cant afford that now", "constraint"),
    ],
)
def test_notes_are_found_in_it_and_hold_the_words_that_were_typed(said: str, kind: str) -> None:
    (made,) = Rules().extract([window(said)])
    assert said in [note.text for note in made.notes if note.kind == kind]
    assert "'" not in made.summary


@pytest.mark.parametrize(
    "said",
    [
        "i love the room but i dont like the  bed",
        "i **really** dont like the room, and im so happy with the `old` one",
        "i decided that i dont want the flat, because " + "it is far from all that i need and " * 12,
        "my wife Anna i love, and i dont like her cat",
        "whenever i ask about food dont give me recipes with  nuts",
    ],
)
def test_blanks_marks_and_cuts_bring_no_word_that_nobody_typed(said: str) -> None:
    (made,) = Rules().extract([window(said)])
    plain = " ".join(said.replace("*", "").replace("`", "").split())
    texts = [*(note.text for note in made.notes), *(fact.value for fact in made.facts), made.summary[1:]]
    assert len(texts) > 1
    assert all(text.removesuffix("…").rstrip() in plain for text in texts)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("大家好 我叫方小雨 今年29 在苏州开咖啡店", "大家好，我叫方小雨，今年29，在苏州开咖啡店"),
        ("嗯 昨天太累了  先睡了", "嗯，昨天太累了， 先睡了"),
        ("体重现在61.5 比上个月轻", "体重现在61.5，比上个月轻"),
        ("我现在 住在南京", "我现在，住在南京"),
        ("这个我喜欢 就是太贵", "这个我喜欢，就是太贵"),
        ("我挺喜欢 太贵了", "我挺喜欢，太贵了"),
        ("我喜欢 安静的房间 不喜欢吵", "我喜欢 安静的房间，不喜欢吵"),
        ("今天去了超市 很累", "今天去了超市，很累"),
        ("你好 很高兴认识你", "你好，很高兴认识你"),
        ("一共花了300 很贵", "一共花了300，很贵"),
        ("嗯 是 我住南京", "嗯，是，我住南京"),
        ("不是 我住南京", "不是，我住南京"),
        ("还是 我来吧", "还是，我来吧"),
        ("记住 以后用中文", "记住，以后用中文"),
        ("水很烫 不然不好泡", "水很烫，不然不好泡"),
        ("忘了说 我搬家了", "忘了说，我搬家了"),
        ("听说 下周放假 我回家", "听说，下周放假，我回家"),
        ("主要是贵 我不买了", "主要是贵，我不买了"),
        ("我学的是翻译 我住在南京", "我学的是翻译，我住在南京"),
        ("如果下雨 我就不去了", "如果下雨，我就不去了"),
        ("用了 Redis 之后好多了 谢谢", "用了 Redis 之后好多了，谢谢"),
    ],
)
def test_a_blank_ends_a_clause_of_chinese(text: str, read: str) -> None:
    ways = in_clauses(text)
    assert ways is not None
    assert ways.text == read
    assert all(ways.words(read[at:]) == text[at:] for at in range(len(read)))


@pytest.mark.parametrize(
    "text",
    [
        "JDK 21 的升级推到 5 月 20 日",
        "我在Google 上班，用Kafka 做队列",
        "一共花了300 元，走了2 公里",
        "我 住在 苏州 开 咖啡店",
        "今天开会。\n明天休息。",
        "I like 豆腐 a lot",
        # Behind a verb that wants an object, and before what says something of a thing alone.
        "我叫 周岚",
        "我住在 南京",
        "大家都叫我 小周",
        "我老板让我 别提加班",
        "我喜欢 安静的房间",
        "我对海鲜 过敏",
        "我儿子 是护士",
        "我的编号 是 3021",
        "年会 很无聊",
        "这张桌子 不大",
        "MySQL 的性能 也很差",
        "我在南京 上班",
        # Within what is played, shown, or said by somebody.
        "扮演 我是店员 在书店上班",
        "你扮演店员 我是顾客 想退书",
        "例句 我在医院工作 很忙",
        "要是 我叫周岚",
        "剧本里 我叫阿福 今年60",
        "帮我翻译成英文 我住在南京 今年30",
        "我妈说 我太瘦了 要多吃",
    ],
)
def test_a_blank_for_the_eye_and_one_between_words_end_none(text: str) -> None:
    assert with_commas(text) == text


@pytest.mark.parametrize(
    ("said", "kind", "text"),
    [
        ("上周太忙了 我喜欢安静的房间", "preference", "我喜欢安静的房间"),
        ("大家好 我叫方小雨 今年29", "fact", "我叫方小雨 今年29"),
        ("到家了 我挺开心的", "sentiment", "我挺开心的"),
        ("我住在 南京", "fact", "我住在 南京"),
        ("我叫 周岚", "fact", "我叫 周岚"),
        ("请叫我 小周 谢谢", "instruction", "请叫我 小周 谢谢"),
        ("我对海鲜 过敏 记一下", "constraint", "我对海鲜 过敏 记一下"),
        ("我的预算 是 5000", "constraint", "我的预算 是 5000"),
        ("我喜欢 蓝色", "sentiment", "我喜欢 蓝色"),
        ("这条裤子 很好看", "sentiment", "这条裤子 很好看"),
        ("MySQL 的性能 很差", "sentiment", "MySQL 的性能 很差"),
        ("扮演 我是店员 在书店上班", "fact", "扮演 我是店员 在书店上班"),
    ],
)
def test_notes_of_clauses_between_blanks_hold_what_was_typed(said: str, kind: str, text: str) -> None:
    (made,) = Rules().extract([window(said)])
    assert (kind, text) in [(note.kind, note.text) for note in made.notes]


def test_an_order_that_others_gave_is_no_order_behind_a_blank() -> None:
    (made,) = Rules().extract([window("我妈让我 别给我推荐甜品了")])
    assert not [note for note in made.notes if note.kind == "instruction"]


def test_many_blanks_are_read_in_time() -> None:
    """A look back is bounded: one to the text's beginning took time with the square of its blanks."""
    assert len(with_commas("大家好 我说 " * 20_000)) == 140_000
