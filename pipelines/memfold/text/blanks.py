"""Chinese that ends its clauses with blanks, as chats do ("我叫小方 今年34 在杭州上班"), as patterns expect it. Knows
nothing of what is looked for."""

from __future__ import annotations

import re

from memfold.text.scripts import HAN
from memfold.text.typed import Typed

_BLANK = r"[ \t\u00a0\u3000]"
# Of what a figure may be, behind a blank that only sets it apart: "花了300 元".
_UNITS = (
    "年月日号號时時点點分秒天周週个個元块塊万萬千百亿億岁歲人位家次条條种種款件度斤公米克升台本页頁字步级級层層倍"
    "楼樓室路线線章节節课課期届名门門组組版平毫厘"
)
# Between words and figures most blanks are for the eye alone ("JDK 21 的升级"); but a figure that touches the word
# before it and not the one behind it ends a clause.
_END = re.compile(rf"(?<=[{HAN}])(?:{_BLANK}++|\d{{1,9}}(?:\.\d{{1,3}})?{_BLANK}++(?![{_UNITS}]))(?=[{HAN}])")
# Where one ideograph stands alone, and is no interjection, words are what is set apart: "我 住在 杭州".
_BY_WORDS = re.compile(
    rf"(?:^|[\s，。！？,!?])(?![嗯哦噢喔唉哎诶欸好啊呀哈对對行是])[{HAN}]{_BLANK}++[{HAN}]", re.MULTILINE
)
_FIRST_BLANK = re.compile(_BLANK)


def with_commas(text: str) -> str:
    """A text with a comma in place of each blank that ends a clause of Chinese; as long as it was."""
    if not _END.search(text) or _BY_WORDS.search(text):
        return text
    return _END.sub(lambda end: _FIRST_BLANK.sub("，", end[0], count=1), text)


def spaced(text: str) -> Typed | None:
    """The two ways of a Chinese text: as it was typed, and with commas; None where it has no such blank."""
    read = with_commas(text)
    return None if read == text else Typed(text, read, ())
