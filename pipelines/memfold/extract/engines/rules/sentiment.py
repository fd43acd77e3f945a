"""How good or bad a clause says that something is, from -1 to 1, without a model.

English by nltk-vader-sentiment, chosen in decision 25; Chinese by the same library's rules of negation and degree over
a lexicon of our own, since no Chinese library did better than a table (same decision).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memfold.text.scripts import HAN
from memfold.text.terms import lexicon

if TYPE_CHECKING:
    from vader import SentimentIntensityAnalyzer

# A sum of feelings s becomes s / √(s² + alpha). The library's 15 is for posts of several such words; with 4 a clause
# with "happy" is .80, as in the table of feelings in `en/feelings.py`, with "love" .85 and "like" .60.
ALPHA = 4.0
# VADER's scale: -4 to 4 a word.
_CHINESE: dict[str, float] = {
    **dict.fromkeys(lexicon("完美 绝佳 极好 超棒 惊艳 热爱 最爱 一流 无与伦比 太棒 爱死"), 3.4),
    **dict.fromkeys(
        lexicon(
            "喜欢 喜爱 爱 棒 出色 优秀 精彩 美味 好吃 好喝 好听 好看 好用 漂亮 美丽 优美 舒服 舒适 满意 享受 "
            "欣赏 赞 香 可口 迷人 有趣 开心 高兴 感人 动人 清晰 流畅 周到 热情 友好 亲切 专业 惊喜 值得 "
            "推荐 爱上 精致 温馨 好闻 好玩 耐用 快乐 愉快 香甜 清香 好评 爱不释手"
        ),
        2.4,
    ),
    **dict.fromkeys(
        lexicon(
            "好 不错 可以 合理 实惠 便宜 划算 方便 快 干净 整洁 新鲜 安静 稳定 可靠 简单 轻便 实用 宽敞 合适 合身 "
            "好使 好懂 顺手 省心 靠谱 丰富 清楚 耐心 及时 有用 轻松 有意思 还行 偏爱"
        ),
        1.6,
    ),
    **dict.fromkeys(
        lexicon(
            "一般 贵 慢 吵 小气 麻烦 无聊 普通 单调 复杂 拥挤 吵闹 咸 油腻 太甜 太苦 太贵 太慢 "
            "太吵 太小 太低 太差 太重 太远 太硬 低 难用 卡 卡顿 粗心 "
            "失望 沉闷 拖沓 混乱 敷衍 不便 冷淡 嫌 简陋 廉价 掉漆 松动 过时 难懂 乏味"
        ),
        -1.8,
    ),
    **dict.fromkeys(
        lexicon(
            "讨厌 差 差劲 糟糕 糟 难吃 难喝 难看 难听 难闻 丑 脏 臭 烂 坏 烦 烦人 反感 受不了 没礼貌 粗鲁 无礼 "
            "令人失望 让人失望 难受 痛苦 生气 后悔 不满 崩溃 坑 骗人 劣质 破 破旧 破烂 差评 "
            "脏乱 脏兮兮 恨"
        ),
        -2.6,
    ),
    **dict.fromkeys(lexicon("厌恶 恶心 极差 垃圾 噩梦 可怕 恐怖 最差 烂透 痛恨 憎恨"), -3.4),
}
_DEGREES = {
    **dict.fromkeys(lexicon("非常 特别 十分 极其 极 超级 超 太 真 真的 相当 最 格外 无比"), 0.3),
    **dict.fromkeys(lexicon("很 挺 蛮 好好"), 0.1),
    **dict.fromkeys(lexicon("有点 有点儿 有些 稍微 略 还算 比较"), -0.3),
}
_NEGATIONS = lexicon("不 没 没有 不太 不怎么 不是 不再 并不 毫不 不够 不大 从不 从来不 一点也不 一点都不")
# A mood of one character may be a part of any word: 慢 of 慢性, 差 of 出差, 好 of 好像. It counts behind a word of
# degree, or where its clause ends, and there not as the end of these.
_ENDED_BY = {
    # What is done is "搭好了", and well again "好了".
    "好": "搭修装做弄写办配调设建改备排谈订定买约选学说想吃穿洗收坐站关打存录画练传连接治拍铺摆整理"
    "你您只正刚幸恰爱问讨",
    "差": "出时误偏温反相落",
    "贵": "珍宝名",
    "快": "赶尽",
    "低": "降减",
    "脏": "心内肝",
    "破": "打突",
    "坏": "破损",
    "爱": "恋相",
    "丑": "小",
    "卡": HAN,
}
_DEGREE = "|".join(f"(?<={word})" for word in ("更", "越", "么", *_DEGREES, *_NEGATIONS))
_ENDS = rf"(?=[得极死透爆]|多了|[了啦]?(?:很多|不少|一?[点些])|(?:的|(?<!好)[了啦])?[啊呀呢吧哦哟嘛]?(?:[^{HAN}]|$))"

# Before a verb it allows: "15号可以入住" praises nothing.
_OF_SEVERAL = {"可以": rf"(?<!不)可以(?=的?[啊呀呢吧哦哟嘛]?(?:[^{HAN}]|$))"}


def _single(word: str) -> str:
    apart = f"(?<![{_ENDED_BY[word]}])" if word in _ENDED_BY else ""
    # 最好 in front of something is a wish, and 很快 a time.
    other = {"好": "(?<!最)好", "快": "快(?![就地会要把能将便])"}.get(word, word)
    return f"(?:{_DEGREE}){other}|{apart}{word}{_ENDS}"


# VADER turns a negated word round by about three quarters; "没那么好" and "不太好" come out between.
_HAN_WORD = re.compile(
    "|".join(
        _OF_SEVERAL.get(word, word) if len(word) > 1 or word not in _CHINESE else _single(word)
        for word in sorted({*_CHINESE, *_DEGREES, *_NEGATIONS}, key=len, reverse=True)
    )
)
# "Overpriced" is in no list of moods: words by which things are judged, on the same scale.
_ENGLISH = {
    **dict.fromkeys(
        lexicon(
            "overpriced unfriendly flimsy sluggish laggy bland soggy stale cramped grainy blurry glitchy rubbish"
        ),
        -1.8,
    ),
    **dict.fromkeys(
        lexicon("clunky noisy unreliable uncomfortable underwhelming mediocre buggy slow burnt"), -1.6
    ),
    **dict.fromkeys(
        lexicon("incredible flawless gripping delicious tasty sturdy spacious intuitive crisp"), 2.4
    ),
    **dict.fromkeys(lexicon("comfy reliable affordable fast quiet responsive smooth"), 1.6),
}
# A pattern of the words that say what a thing is worth. Other words that the library scores may state a fact: five of
# 16 judgements in 24 conversations did, such as contacts that are "ready" and a variable that is "missing".
_VERDICTS = lexicon(
    """
    adorable amazing annoying appalling arrogant awesome awful bad beautiful best boring breathtaking
    brilliant caring charming comfortable crap crappy cute delightful depressing dirty disappointing
    disgusting dreadful dreary dull easy effective efficient elegant encouraging engaging enjoyable
    entertaining excellent exciting exhausting fabulous fair fantastic fascinating friendly frustrating fun
    funny generous good gorgeous great gross handsome helpful hilarious horrendous horrible horrid impressive
    inconvenient infuriating inspirational inspiring interesting irritating kind lame lazy lousy lovely
    maddening magnificent marvelous messy nasty nice obnoxious outstanding pathetic peaceful perfect pleasant
    poor pretty reassuring relaxed relaxing remarkable rewarding ridiculous rude satisfying selfish shitty
    soothing special splendid stressful stunning stupid superb superior supportive terrible terrific
    thoughtful thrilling ugly unacceptable unattractive unfair unimpressive unpleasant unprofessional useful
    useless valuable dangerous clean fresh bitter bland noisy loud slow stable unstable powerful unreliable buggy
    clunky difficult scary expensive cheap overpriced crowded smelly welcoming wonderful worst worthless worthwhile
    """
) | frozenset(_ENGLISH)
VERDICT = rf"(?:{'|'.join(sorted(_VERDICTS, key=len, reverse=True))})"


def polarity(clause: str, *, chinese: bool) -> float:
    """From -1 (bad) to 1 (good), 0.0 where nothing of the kind is said; to two digits."""
    if not chinese:
        return round(_english().polarity_scores(clause)["compound"], 2)
    # The library reads words between blanks, and of Chinese only these matter.
    words = " ".join(_HAN_WORD.findall(clause))
    return round(_chinese().polarity_scores(words)["compound"], 2) if words else 0.0


# Importing the lexicon takes 20 ms, and answering questions does not need it.
@cache
def _english() -> SentimentIntensityAnalyzer:
    from vader import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer(extra_lexicon=_ENGLISH, alpha=ALPHA)


@cache
def _chinese() -> SentimentIntensityAnalyzer:
    from vader import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer(
        lexicon=_CHINESE,
        booster=_DEGREES,
        negations=_NEGATIONS,
        special_cases={},
        idioms={},
        multiword={},
        alpha=ALPHA,
    )
