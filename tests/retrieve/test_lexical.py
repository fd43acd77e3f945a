from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.retrieve.lexical import BM25, Bags, widened
from memfold.text.terms import hashed, terms

WORDS = ["apple", "pear", "plum", "quince", "12", "v1.2.0", "预算", "会议"]
documents = st.lists(st.lists(st.sampled_from(WORDS), max_size=12), max_size=8)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running runs", ["run", "run"]),
        ("version v1.2.0 of it", ["version", "1.2.0"]),
        ("on 2024-03-15 at 10:30", ["2024-03-15", "10:30"]),
        ("$1,200,000 or 1,5", ["1200000", "1,5"]),
        ("within 250ms", ["within", "250", "ms"]),
        ("user_id", ["user_id", "user", "id"]),
        ("utf8 TI84", ["utf8", "ti84"]),
        ("the of and", []),
        ("预算", ["预", "算", "预算"]),
        ("我的预算", ["预", "算", "我的", "的预", "预算"]),
        ("用React18写", ["用", "react18", "写"]),
        ("１２ ＡＢ", ["12", "ab"]),
        ("naïve café", ["naïv", "café"]),
        ("", []),
        ("\x00\ud800 …", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert list(terms(text)) == expected


@given(st.text())
def test_hashed_is_the_bag_of_terms(text: str) -> None:
    ids, counts = hashed(text)
    assert (ids.dtype, counts.dtype) == (np.uint32, np.uint16)
    assert list(ids) == sorted(set(ids.tolist()))
    assert counts.sum() == len(list(terms(text)))


def test_hashes_are_the_same_in_every_process() -> None:
    # The column is stored: a changed hash would silently find nothing in old stores.
    assert hashed("Budget 预算")[0].tolist() == [218335415, 437737430, 798403439, 1945302907]


def test_a_count_beyond_16_bits_saturates() -> None:
    assert hashed("pear " * 70_000)[1].tolist() == [65_535]


@given(documents, st.lists(st.sampled_from(["apple", "pear", "12", "预算", "absent"]), unique=True))
def test_bm25_is_the_textbook_formula(words: list[list[str]], asked: list[str]) -> None:
    texts = [" ".join(doc) for doc in words]
    index = BM25(Bags.of([hashed(text) for text in texts]))
    bags = [Counter(terms(text)) for text in texts]
    average = max(sum(sum(bag.values()) for bag in bags) / max(len(bags), 1), 1.0)
    query = set(terms(" ".join(asked)))
    expected = []
    for bag in bags:
        score = 0.0
        for term in query:
            found = sum(term in other for other in bags)
            tf = bag[term]
            idf = math.log(1 + (len(bags) - found + 0.5) / (found + 0.5))
            score += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * sum(bag.values()) / average))
        expected.append(score)
    assert index.score(hashed(" ".join(asked))[0]) == pytest.approx(expected)


@given(documents, st.data())
def test_widened_bags_are_the_bags_of_joined_texts(words: list[list[str]], data: st.DataObject) -> None:
    texts = [" ".join(doc) for doc in words]
    n = len(texts)
    windows = [data.draw(st.tuples(st.integers(0, i), st.integers(i, n - 1))) for i in range(n)]
    wide = widened(Bags.of([hashed(text) for text in texts]), np.array(windows, np.int64).reshape(-1, 2))
    joined = Bags.of([hashed(" ".join(texts[a : b + 1])) for a, b in windows])
    assert wide.ids.tolist() == joined.ids.tolist()
    assert wide.counts.tolist() == joined.counts.tolist()
    assert wide.starts.tolist() == joined.starts.tolist()


CHINESE = {
    "预算": "这个月的预算上限是三千元,不能再超了。",
    "会议": "下周二的会议改到下午三点,在二号会议室。",
    "签证": "签证材料还差一份在职证明,要找人事盖章。",
    "猫": "我家的猫最近不爱吃东西,打算带去宠物医院。",
    "数据库": "数据库迁移脚本昨晚跑失败了,连接池耗尽。",
    "跑步": "每天早上跑步五公里,膝盖有点疼。",
    "论文": "论文初稿导师看过了,说引言部分要重写。",
    "租房": "房东要涨租金,我在考虑搬到地铁站附近。",
}
ASKED = {
    "我给自己定的预算上限是多少?": "预算",
    "会议最后改到什么时候开?": "会议",
    "办签证还缺什么材料?": "签证",
    "我打算带猫去哪里?": "猫",
    "迁移脚本为什么失败?": "数据库",
    "我每天跑多远?": "跑步",
    "导师对初稿有什么意见?": "论文",
    "为什么想搬家,租金怎么了?": "租房",
}


def test_chinese_questions_find_their_sentence_without_a_dictionary() -> None:
    index = BM25(Bags.of([hashed(text) for text in CHINESE.values()]))
    found = {question: list(CHINESE)[int(index.score(hashed(question)[0]).argmax())] for question in ASKED}
    assert found == ASKED
