"""Puts commas in place of the blanks that end clauses in typed Chinese ("我叫小方 今年34 在杭州上班"), because the
patterns of the rules expect commas. Knows none of these patterns."""

from __future__ import annotations

import re

from memfold.text.scripts import HAN
from memfold.text.typed import Typed

_BLANK = r"[ \t\u00a0\u3000]"
# Units that may follow a figure and a blank: "花了300 元".
_UNITS = (
    "年月日号號时時点點分秒天周週个個元块塊万萬千百亿億岁歲人位家次条條种種款件度斤公米克升台本页頁字步级級层層倍"
    "楼樓室路线線章节節课課期届名门門组組版平毫厘"
)
# Most blanks between words and figures are only layout ("JDK 21 的升级"). A blank ends a clause if the figure before it
# touches the word in front.
_END = re.compile(rf"(?<=[{HAN}])(?:{_BLANK}++|\d{{1,9}}(?:\.\d{{1,3}})?{_BLANK}++(?![{_UNITS}]))(?=[{HAN}])")
# A single ideograph that is no interjection shows that blanks separate words, not clauses: "我 住在 杭州".
_BY_WORDS = re.compile(
    rf"(?:^|[\s，。！？,!?])(?![嗯哦噢喔唉哎诶欸好啊呀哈对對行是])[{HAN}]{_BLANK}++[{HAN}]", re.MULTILINE
)
_FIRST_BLANK = re.compile(_BLANK)

# A clause may go on behind a blank. With the 796 commas of six chats typed as blanks, this misses one of them.
# Verbs that need an object: "我叫 李明", "我住在 北京", "我爸让我 点外卖". Other words with the same ending are no such
# verbs (现在, 还是, 记住).
_WANTS = re.compile(
    r"(?:叫|[叫让要请劝求]我|叫[做作]|称呼我为?|(?<!百)姓|(?<![还可但只于要也倒总就])是|(?<![不存正现实自好内外潜所])在"
    r"|[我家们在还也不再都居]住|搬[到去来进]|回到|来自|毕业于|我[的们对跟和给把从被比]|担任|从事)\Z"
)
# A verb of liking needs an object, unless it stands before: "我喜欢 蓝色", but "这个我喜欢 就是太贵".
_LIKES = re.compile(
    r"我(?:个人|也|都|最|更|很|挺|还|就|不|真的|其实|特别|非常|比较|一直)*(?:喜欢|爱|讨厌|偏好|宁愿)\Z"
)
# A predicate whose subject stands alone before the blank: "这个酒店 很干净", "我的预算 是 3000".
_SAYS = re.compile(
    r"[是叫姓]|(?:也|都)?(?:不(?![要许用准必过然建锈仅如论管得喜爱想吃喝])|[很挺]|太(?!好了)|真(?![是的])|超(?![过市级人])|好(?=[吃喝用看听玩闻])"
    r"|特别|非常|十分|比较|有点)"
)
# Words that are no object of a liking.
_APART = re.compile(rf"{_SAYS.pattern}|好|谢|但|可[是惜]|因为|所以|就|还|那|吗|呢|吧|哈|嗯|然后|没|有")
# A subject alone is at most this long, and holds no word that tells, asks, judges or greets.
_LONGEST_THING = 10
_NOUNS = re.compile(
    r"[性功技智才]能|会[议场员]|[年晚聚开机]会|[爱良]好|小[吃说]|住[处址宿]|[做说看想用]法|做工|要求|未来|去年|过[程敏年]|有[线机]"
)
_TOLD = re.compile(
    r"[了过着叫是住姓去来到有看吃喝买做说想要会能谢嗨嗯啊吧呢吗呀哈哦噢嘿哎累忙困饿好在爱没不很太]|喜欢|今年|[早晚]安|可以|对[了的]"
    r"|其实|[以今往之]后|每次|\A我(?![的家们同老爸妈爷奶哥姐弟妹儿女男朋室])|[\d的时后前]\Z"
)
# Verbs that follow 对 or 在 and their objects: "我对花生 过敏", "我在北京 上班".
_OF_IT = re.compile(r"不?过敏|很?反感|没兴趣|感兴趣")
_THERE = re.compile(r"工作|上班|上学|读书|念书|生活|长大|出生|定居")
# Words that make what follows a supposition, a role, an example or reported speech; no comma separates it from them:
# "扮演 我是医生 在北京上班".
_FRAME = re.compile(
    r"(?:\A|[\s，,；;：:])(?:(?:你|请)*(?:扮演|假装|假如|假设|想象)|(?:(?:如果|要是|万一|例句|例如|比如|比方说|造句|这句话?|歌词|台词|角色)是?"
    r"|[^\s，,]{0,6}(?:小说|故事|剧本|游戏|梦)[里中]|(?:[帮请把给][^\s，,]{0,8})?翻译(?:一下|成[^\s，,]{1,4})?"
    r"|[^\s，,]{0,8}(?:(?<![听再来理实据没用话体你了])说|(?<![请学疑访没])[问喊]))(?=[\s，,：:]|\Z))"
)
# How many characters of the sentence before a blank are read.
_BACK = 40
_ENDS = "。！？!?；\n"
_MARKS = " \t\u00a0\u3000，,；;：:、"


def _goes_on(end: re.Match[str]) -> bool:
    """Whether a clause goes on behind a blank."""
    text, at, behind = end.string, end.start(), end.end()
    first = max(0, at - _BACK)
    first = max(first, *(text.rfind(mark, first, at) + 1 for mark in _ENDS))
    # A figure at the end belongs to the clause.
    before = text[first:behind].rstrip()
    if _FRAME.search(before):
        return True
    rest = max(map(before.rfind, _MARKS)) + 1
    clause = before[rest:]
    if text[behind] in "我你您咱":
        return False
    if len(clause) < 2:
        return clause in ("是", "叫", "在") and rest > 0
    if clause != "不是" and _WANTS.search(clause):
        return True
    if _LIKES.search(clause):
        return not _APART.match(text, behind)
    if ("对" in clause and _OF_IT.match(text, behind)) or (
        "在" in clause and "了" not in clause and _THERE.match(text, behind)
    ):
        return True
    thing = len(clause) <= _LONGEST_THING and not _TOLD.search(_NOUNS.sub("物", clause))
    return thing and _SAYS.match(text, behind) is not None


def _comma(end: re.Match[str]) -> str:
    return end[0] if _goes_on(end) else _FIRST_BLANK.sub("，", end[0], count=1)


def with_commas(text: str) -> str:
    """The text with a comma in place of each blank that ends a Chinese clause. Its length stays the same."""
    if not _END.search(text) or _BY_WORDS.search(text):
        return text
    return _END.sub(_comma, text)


def in_clauses(text: str) -> Typed | None:
    """A Chinese text as typed and with commas; None if no blank in it ends a clause."""
    read = with_commas(text)
    return None if read == text else Typed(text, read, ())
