"""Numbers written as words, in English and Chinese, from one to twenty."""

from __future__ import annotations

_ENGLISH = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_CHINESE = "一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五 十六 十七 十八 十九 二十"

ENGLISH = {word: number for number, word in enumerate(_ENGLISH.split(), start=1)}
CHINESE = {word: number for number, word in enumerate(_CHINESE.split(), start=1)} | {"两": 2}
