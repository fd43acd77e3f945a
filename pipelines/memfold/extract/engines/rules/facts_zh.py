"""The facts of a Chinese sentence: names, measures, counts, and dates. See `facts`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memfold.schema import Fact
from memfold.text.dates import Mention
from memfold.text.paid import paid
from memfold.text.reported import in_earnest_zh
from memfold.text.scripts import HAN
from memfold.text.surnames import SURE_NAME

_MINE = re.compile(
    r"我(?:们)?的(?P<key>[^，。；！？、是的]{1,12})(?:是|叫|为)(?!不是|否|什么|谁|怎|不|很"
    r"|在)(?P<value>[^，。；！？]{1,40})"
)
_SELF = re.compile(r"我(?:叫|的名字(?:是|叫))(?P<value>[^，。；！？\s的了他她你]{2,8})")
_LIVES = re.compile(r"我(?:现在|目前|一直)?(?P<key>住在|来自|毕业于)(?P<value>[^，。；！？]{2,20})")
_KIN = re.compile(
    r"我(?:的)?(?P<key>妻子|老婆|丈夫|老公|儿子|女儿|妈妈|爸爸|哥哥|弟弟|姐姐|妹妹|朋友|老板"
    r"|经理|同事|老师|导师|医生|邻居|室友|狗|猫)(?:叫|是"
    r"|名叫)(?P<value>(?![我你他她了])[^，。；！？\s的]{1,8})"
)
# For these relatives only a name is a fact: "我妈叫车去医院" and "我弟是程序员" give none. "我老公陈浩说" needs no
# verb.
_RELATIVE = (
    r"我的?(?P<key>老公|老婆|妻子|丈夫|儿子|女儿|女朋友|男朋友|女友|男友|未婚[夫妻]|爱人|对象|闺蜜|[堂表]?[哥弟姐妹]"
    r"|哥哥|弟弟|姐姐|妹妹|[妈爸])"
)
_CALLED = re.compile(
    rf"{_RELATIVE}(?:的?名字)?(?:名?叫|是)(?P<value>{SURE_NAME}|(?P<twice>[{HAN}])(?P=twice)"
    rf"|小[{HAN}]|[A-Z][a-z]+)(?![\w])"
)
_BESIDE = re.compile(rf"{_RELATIVE}(?P<value>{SURE_NAME})(?=[说想也在是今昨明刚，,。]|$)")
# The counted thing follows 个 and ends its clause; other words there name no thing (5个都修完了, 6个之后).
_COUNTED = (
    rf"个(?:[多半]?(?:小时|钟头|月|星期|礼拜)|工作日|半人|(?![是都了就没不在的也还要可左右以多半吗吧呢啊给到和与跟有能会被把用来去做"
    rf"之前后里内上下中才又再最很太])[{HAN}]{{1,4}}(?=[，。；！？、,.;!?\s）)]|$)|\s?[A-Za-z]{{2,15}})?"
)
_MEASURE = re.compile(
    # The price for one is a measure too: 142一台.
    r"(?<![A-Za-z\d.])(?P<value>(?:[¥￥$]\s?)?\d[\d,.]*\s?(?:[-–~到至]\s?\d[\d,.]*\s?)?(?:%|％|万|亿|千"
    r"|百)?\s?(?:(?:元|块钱?)?一[台箱个斤件本张米瓶盒包条套晚次桶袋支根份](?=[，。；！？、,.;!?\s）)]|$)"
    rf"|元|块钱?|美元|人民币|毫秒|秒钟?|分钟|小时|天|周|年(?!\d)|岁|人|{_COUNTED}"
    r"|次|台|本|页|字|公里|千米|米|厘米|公斤|千克|克|斤|度|平米|平方米|升|毫升|GB|MB|KB|TB"
    r"|ms|kg|km|cm|%|％|条|篇|件|户|名|位|门|节))"
)
# Whole words between a key and its value: a cut inside 现在 left 现, and one inside 一共 left 一.
_BETWEEN = (
    r"(?:大约|大概|差不多|约为|约|估计|预计|总共|一共|总计|共计|合计|共|是|为|有|达到?|不?超过|不到|不足|至少|最多|最少"
    r"|只有|只|仅|才|已经|已|最后|最终|(?<!成)就|整整|足足|(?<![归偿生奉交退])还[有剩差要得]?|剩下?|剩余|(?<![出发实体呈表])现在|目前|如今|今年|今天|要|了|花了?|控制在|保持在|维持在"
    r"|(?:减少|增加|提高|降低|上升|下降|提升|缩短|[降升涨跌减增提砍扩缩调改变])[到至成为]|到|从|由|在)"
)
_THING = r"(?:[A-Za-z][\w.+-]{0,15}\s)?[^\s，。；！？、：:（）()\d]{0,12}?"
_KEY = re.compile(rf"(?P<key>{_THING})(?P<between>{_BETWEEN}*)\Z")
# A day is a value only behind a word that says so: in "李强今天提了离职" 今天 is no value for 李强.
_DATED = re.compile(
    rf"(?P<key>{_THING})(?:就|也|还|都|要|得|再|已经|已|最终|最后|目前|(?<![出发实体呈表])现在|暂时|大概|大约)*"
    r"(?:是在?|(?<!因)为|定[在于为]|安排在|改[到成在为]|改期到|推迟?到|延期?到|提前到|挪到|截止[到于是]?|截至|到期|固定[在是]?)"
    r"(?:了|[：:])?\Z"
    rf"|(?P<day>{_THING}(?:日期|时间|期限|截止日?|[生忌]日|纪念日|deadline|DDL))[：:]?\Z",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"[年月日号岁时点分秒万元]+|[十一二三四五六七八九]{1,3}[月日号]|(?:上个?|下个?|这个?|本)?(?:周|星期|礼拜)[一二三四五六日天末]?"
    r"|(?:上个?|下个?|这个?|本)月|[昨今明前后去][天日年晚早]|(?:早|中|晚)上|[上下中]午"
    r"|[上下这那]次|[上下]回|其中|另外|如果|要是|可能|应该|一直|始终|仍然?|依然|还是|平均|一般|通常|每天|还?剩下?|[那这就都也又再还每第把被给让跟和与对用]"
    # A verb is no key.
    r"|(?:那就|那|就|先|又|再|还|都|也|只|才|要|得)*[吃喝订拿少多买卖做跑走等背写看读学用送退换借住睡练打开加减来去剩差花给交付]了?"
)
# Someone who acts or speaks has no value, nor has anything denied.
_NOT_OF = re.compile(r"(?:[我你他她它咱]们?|[说问想让请叫]|[不没别未非那这哪的]|[跟向].+[拿买订进租借])\Z")
# Words before a key: a speaker, or a transition.
_LEADS = re.compile(
    r"^(?:.*(?<![小传学])[说讲问](?![明法话书座题]))?(?:那就|那么|然后|所以|但是|而且|其实|另外|反正)*"
)
# The object of an action has the value: 喂了奶粉90毫升.
_DONE = re.compile(r"^.*(?<!给)了(?![解结不得])(?:一?[个张件条份把只台本双套])?(?=..)")
# A verb repeated before its amount: 请假请了5天.
_AGAIN = re.compile(rf"([{HAN}])[{HAN}]{{1,3}}(?=\1\Z)")
# A figure before the key cuts it off from its beginning: "3公里跑到5公里", "18 个里关了 11 个".
_CUT = re.compile(r"(?<![A-Za-z\d])\d+(?P<apart>\s?)\Z")
_COUNTERS = ("个", "条", "次", "名", "位", "件", "人", "元", "块", "天", "万", "%", "％")
# Between the old value and the new one: 从800毫秒降到250毫秒.
_TO = re.compile(r"\s?[^，。；！？\s\d]{0,4}[到至成为]了?\s?")
# A key begins at most this many characters before its value.
_BACK = 30


def facts_zh(text: str, dates: Sequence[Mention]) -> Iterator[Fact]:
    """The facts of a Chinese sentence, with the dates found in it."""
    for m in _SELF.finditer(text):
        if in_earnest_zh(text, *m.span()):
            yield Fact("名字", m["value"])
    for pattern in (_KIN, _CALLED, _BESIDE, _MINE, _LIVES):
        for m in pattern.finditer(text):
            if in_earnest_zh(text, *m.span()):
                yield Fact(m["key"], m["value"])
    for found in dates:
        at = _before(_DATED, text, found.start)
        if at and (of := _of(text, at, "key" if at["key"] is not None else "day", found.end)):
            yield Fact(of, found.literal)
    yield from _measures(text, dates)
    for _, named, start, end in paid(text):
        if not any(found.overlaps(start, end) for found in dates):
            at = None if named is None else _before(_KEY, text, named)
            if at and (of := _of(text, at, "key", end)):
                yield Fact(of, text[start:end])


def _measures(text: str, dates: Sequence[Mention]) -> Iterator[Fact]:
    past: tuple[str, int] | None = None
    for m in _MEASURE.finditer(text):
        if any(found.overlaps(*m.span()) for found in dates):
            continue
        if past and _TO.fullmatch(text, past[1], m.start()):
            yield Fact(past[0], m["value"])
            past = None
            continue
        at = _before(_KEY, text, m.start())
        of = _of(text, at, "key", m.end()) if at else None
        past = (of, m.end()) if at and of and at["between"].endswith(("从", "由")) else None
        if of and not (past and _TO.match(text, m.end())):
            yield Fact(of, m["value"])


def _before(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    """The match of a pattern that ends right before a value, or before the blank beside it."""
    stop = len(text[:start].rstrip())
    return pattern.search(text, max(0, stop - _BACK), stop)


def _of(text: str, at: re.Match[str], group: str, end: int) -> str | None:
    """The key of a value that ends at `end`, from a group of a match before it. None if it is no key."""
    key = _DONE.sub("", _LEADS.sub("", at[group].strip()))
    if text.startswith("了", at.end(group)) and (again := _AGAIN.search(key)):
        key = key[: again.end()]
    if key == "我" and text[:end].endswith("岁"):
        key = "年龄"
    elif not key or _NO_KEY.fullmatch(key) or _NOT_OF.search(key):
        return None
    cut = _CUT.search(text[: at.start(group)])
    if cut and (not cut["apart"] or key.startswith(_COUNTERS)):
        return None
    # "我今年30岁" is about the speaker, "他说：我30岁" about another person.
    own = at[group].lstrip().startswith("我")
    return key if not own or in_earnest_zh(text, at.start(group), end) else None
