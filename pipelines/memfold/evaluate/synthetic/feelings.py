"""Made-up statements of what somebody thinks of things, whose truth is known: object, aspect and how good or bad.

The same parameters give the same statements on every machine. Of our own sentences, in English and Chinese; what they
are for is arithmetic that can be checked (`benchmarks/beliefs.py`), they are no stand-in for people talking.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memfold.evaluate.synthetic.bank import Draw, pick
from memfold.evaluate.synthetic.plan import chance

VERSION = 1  # raise whenever the same parameters give other statements

# From very bad to very good.
GRADES = (-2, -1, 1, 2)


@dataclass(frozen=True, slots=True)
class Feeling:
    """A statement, and what is true of it; `aspect` is a name of `memfold.text.aspects`, `grade` one of `GRADES`."""

    object: str
    aspect: str
    grade: int
    text: str


THINGS = {
    "en": (
        *("coffee", "green tea", "phone", "laptop", "hotel", "restaurant", "bakery", "gym", "novel", "film"),
        *(
            "jacket",
            "bike",
            "museum",
            "backpack",
            "printer",
            "oven",
            "app",
            "course",
            "headphones",
            "library",
        ),
        *("pizza", "soup", "train", "flat", "watch", "camera", "router", "podcast", "game", "market"),
    ),
    "zh": (
        *("咖啡", "奶茶", "手机", "电脑", "酒店", "餐厅", "面包店", "健身房", "小说", "电影"),
        *("外套", "自行车", "博物馆", "背包", "打印机", "烤箱", "软件", "课程", "耳机", "图书馆"),
        *("披萨", "火锅", "火车", "公寓", "手表", "音箱", "显示器", "播客", "游戏", "商店"),
    ),
}
# An aspect's name and the words that say it.
ASPECTS = {
    "en": {
        "taste": ("taste", "flavour"),
        "packaging": ("packaging",),
        "price": ("price",),
        "quality": ("quality",),
        "service": ("service",),
    },
    "zh": {
        "taste": ("味道", "口味"),
        "packaging": ("包装",),
        "price": ("价格",),
        "quality": ("质量",),
        "service": ("服务",),
    },
}
_SAY = {
    "en": {
        2: (
            "I absolutely love the {a} of the {o}.",
            "The {a} of the {o} is truly wonderful.",
            "I adore the {o}'s {a}.",
        ),
        1: ("I like the {a} of the {o}.", "The {o}'s {a} is good.", "I find the {a} of the {o} nice."),
        -1: (
            "I don't like the {a} of the {o}.",
            "The {o}'s {a} is disappointing.",
            "I dislike the {o}'s {a}.",
        ),
        -2: (
            "I really hate the {a} of the {o}.",
            "The {a} of the {o} is absolutely horrible.",
            "I loathe the {o}'s {a}.",
        ),
    },
    "zh": {
        2: ("我非常喜欢这{o}的{a}。", "{o}的{a}非常出色。", "我热爱这{o}的{a}。"),
        1: ("我喜欢{o}的{a}。", "{o}的{a}不错。", "我觉得{o}的{a}很好。"),
        -1: ("我不喜欢{o}的{a}。", "{o}的{a}一般。", "我觉得{o}的{a}不好。"),
        -2: ("我非常讨厌{o}的{a}。", "{o}的{a}太糟糕了。", "我受不了{o}的{a}。"),
    },
}
_BESIDE = {
    "en": (
        "",
        "We met at noon. ",
        "Can you plan my week? ",
        "It rained again today. ",
        "Thanks for the list. ",
    ),
    "zh": ("", "我们中午见面。", "能帮我安排一下这周吗？", "今天又下雨了。", "谢谢你的清单。"),
}


def say(draw: Draw, language: str, thing: str, aspect: str, grade: int) -> Feeling:
    """One statement."""
    said = pick(draw, _SAY[language][grade]).format(o=thing, a=pick(draw, ASPECTS[language][aspect]))
    return Feeling(thing, aspect, grade, pick(draw, _BESIDE[language]) + said)


def feelings(count: int, seed: int = 0, language: str = "en") -> Iterator[Feeling]:
    """So many statements about aspects of all things there are, each aspect of each with a leaning of its own that
    three of four statements keep to."""
    draw = chance(f"feelings-{VERSION}:{seed}:{language}", "drawn", 0).random
    names = tuple(ASPECTS[language])
    for _ in range(count):
        thing, aspect = pick(draw, THINGS[language]), pick(draw, names)
        leaning = pick(chance(f"{seed}:{thing}", aspect, 0).random, GRADES)
        grade = leaning if draw() < 0.75 else pick(draw, GRADES)
        yield say(draw, language, thing, aspect, grade)
