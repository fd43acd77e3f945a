"""Full-text search as the README shows it: words of languages that are written without spaces."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from memfold.text.terms import spaced

SAID = [
    "这个月的预算上限是三千元，不能再超了。",
    "会议改到下午三点，在二号会议室。",
    "来月の予算は三十万円です。",
    "東京都の天気を教えてください。",
    "다음 달 예산은 삼백만 원입니다.",
    "서울의 날씨를 알려 줘.",
    "The team handled two errors in the pipeline.",
]
ASKED = [("预算", 0), ("会议", 1), ("予算", 2), ("天気", 3), ("예산", 4), ("날씨", 5), ("error handling", 6)]


def found(folder: Path, texts: list[str], question: str, **how: object) -> list[int]:
    import lancedb
    from lancedb.index import FTS

    rows = pa.table({"n": list(range(len(texts))), "words": texts})
    table = lancedb.connect(str(folder)).create_table("said", rows)
    table.create_index("words", config=FTS(**how))
    return [row["n"] for row in table.search(question, query_type="fts").limit(3).to_list()]


@pytest.mark.parametrize(("word", "place"), ASKED)
def test_words_are_found_where_nothing_stands_between_them(tmp_path: Path, word: str, place: int) -> None:
    how = {"base_tokenizer": "whitespace", "stem": False, "remove_stop_words": False}
    assert found(tmp_path, [spaced(text) for text in SAID], spaced(word), **how)[0] == place


@pytest.mark.parametrize("word", ["预算", "予算", "예산"])
def test_splitting_at_spaces_alone_does_not_find_them(tmp_path: Path, word: str) -> None:
    assert found(tmp_path, SAID, word) == []
