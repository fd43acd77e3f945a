"""The kind of a question, told from its words by rules in English and Chinese: the one place that tells it. A teller,
where there is one, tells it instead (`memfold.context.readers.by_model.telling`).

The kind chooses how a probe is searched (`retrieval.kinds`), what its context is made of (`context.kinds`) and what an
answer in quotes looks like. Families of phrases, not whole questions; what fits none of them is recall. Knows no
ranking and no reader.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from memfold.retrieve.sought import asks_for_advice, asks_for_steps, asks_how_to_answer, names_value
from memfold.text.scripts import IDEOGRAPHS
from memfold.text.small_talk import SMALL_TALK

# Nothing is asked; a summary; an order of things; the time between two; how many or how much; whether something is so,
# of which the user may have said both; what would suit the user, or what they like; something to be shown or made, or
# what orders there are; what the assistant said; a date; what was within a time that is named; any other thing said.
Kind = Literal[
    "smalltalk",
    "summary",
    "order",
    "span",
    "count",
    "contradiction",
    "preference",
    "instruction",
    "said",
    "when",
    "period",
    "recall",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
# The kinds whose evidence is many exchanges in runs.
BROAD: tuple[Kind, ...] = ("order", "summary")

# The end of a question is where it asks, and some patterns take the square of the length that they look at: what comes
# before it tells what it is about.
LOOKED_AT = 400


@dataclass(frozen=True, slots=True)
class Typed:
    """`told` asks for what the assistant said, and `advice` for something to be suggested, shown or made for the user:
    no fact that was said. `by_model` says that the rules did not tell it."""

    kind: Kind
    told: bool = False
    advice: bool = False
    by_model: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """The kind of a question as a teller told it, None if it could not, and what asking it cost."""

    typed: Typed | None
    usage: Mapping[str, float] = field(default_factory=dict)


class Teller(Protocol):
    """Tells the kind of a question; from any thread, and it may wait for a model."""

    def tell(self, conversation_id: str, question: str) -> Told:
        """The kind of a question that is asked of a conversation."""
        ...


def ends_of(question: str) -> str:
    """What is looked at of a question, on one line: a long one may begin with what it asks, or end with it."""
    text = " ".join(question.split())
    return text if len(text) <= 2 * LOOKED_AT else f"{text[:LOOKED_AT]} … {text[-LOOKED_AT:]}"


def typed(question: str, *, dated: bool) -> Typed:
    """The kind of a question; `dated` says that it names a range of dates. Of two kinds the one that says more about
    the answer's shape."""
    if SMALL_TALK.fullmatch(question):
        return Typed("smalltalk")
    text = ends_of(question)
    if asks_how_to_answer(text):
        return Typed("instruction")
    told = asks_for_advice(text) or asks_for_steps(text)
    for kind, pattern in _SHAPES:
        if pattern.search(text) and not (
            kind == "span" and (_sum(text) or _advised(text) or _measured(text))
        ):
            return Typed(kind, told)
    advice = not told and not names_value(text) and _ADVICE.search(text) is not None
    if advice:
        return Typed("preference" if _SUITS.search(text) else "instruction", advice=True)
    return Typed(_plain(text, told, dated), told)


def _plain(text: str, told: bool, dated: bool) -> Kind:
    """The kind of a question for something that was said."""
    # What orders there are names what they are for: "which rules did I give you for your answers".
    if _ORDERED.search(text):
        return "instruction"
    if told:
        return "said"
    for kind, pattern in _FACTS:
        if pattern.search(text):
            return kind
    return "period" if dated else "recall"


def _sum(text: str) -> bool:
    """Whether a time is added up ("how many minutes in total did we spend"), and none lies between two things."""
    return _TOTAL.search(text) is not None and _BETWEEN.search(text) is None


def _advised(text: str) -> bool:
    """Whether a question asks for a length of time that the assistant advised ("你建议多久"), not for the time between
    two events."""
    return _LENGTH_ADVISED.search(text) is not None and _BETWEEN.search(text) is None


def _measured(text: str) -> bool:
    """Whether a question asks for one measure as it was at some time ("how long did the import take before we changed
    anything"), not for the time between two events."""
    return _TOOK_BEFORE.search(text) is not None


# ------------------------------------------------------------------------------------ shapes
_UNIT = r"(?:days?|weeks?|months?|years?|hours?|minutes?|time)"
# What is ordered from a shop is no order of things: "the status of the order", "which order did I return".
_BOUGHT = (
    r"(?:(?:to|that|for|from|placed|was|is|were|are|arrived?|ship(?:s|ped)?|number|no|id|form|status|confirmation|history"
    r"|details?|at)\b|#|[\w-]*\d)"
)
_TRADES = (
    r"(?:\w+ly )?(?:place|cancel|return|recei|get\b|got\b|ship|sen[dt]|pa(?:y|id)|buy|bought|track|ma[kd]e)"
)
_SEQUENCE = (
    rf"\b(?:in|in (?:what|which)|(?:chronological|correct|exact|right|proper|original)) order\b(?! (?:{_BOUGHT}))"
    rf"|\b(?:what|which) (?:\w+ )?order (?:did|do|have|had|were|are)\b(?! (?:I|we|you|they|he|she|the \w+) {_TRADES})"
    rf"|\bthe (?:\w+ )?order (?:of (?!\w*\d)|in which\b|(?:I|we|you|they|things|events)\b(?! {_TRADES}))"
)
_SHAPED: tuple[tuple[Kind, str], ...] = (
    (
        "summary",
        r"\bsummar(?:y|ies|i[sz]e[sd]?|i[sz]ing)\b|\bsum (?:\w+ )?up\b|\boverview\b|\brecap\b"
        r"|\bthe gist of\b|\brundown\b"
        r"|\b(?:give|tell|remind) (?:me|us) (?:of )?the (?:\w+ )?story (?:of|with|about|behind)\b"
        r"|\b(?:progressed|evolved|developed|changed)\b[^?]*\b(?:so far|over time|throughout"
        r"|across)\b(?![^?]*\bin order\b)"
        r"|总结|概述|概括|概览|概况|回顾|梳理|小结|归纳|综述|历程|来龙去脉",
    ),
    (
        "order",
        rf"{_SEQUENCE}"
        r"|\bchronolog|\btimeline (?:of|when|for)\b|\bsequence (?:of|in which)\b|\bin sequence\b|\bthe timeline\b"
        r"|\bevolved?\b|\bstep by step did\b"
        r"|\b(?:happened|came|comes|did I (?:do|mention|finish|start)) (?:first|last|earlier|later)\b"
        r"|\bwhich (?:\w+ ){0,3}(?:first|earlier|later)\b.*\bor\b"
        r"|顺序|先后|时间线|演变|按时间|依次|哪(?:个|件事?|一个|一件)[^，。？]{0,8}(?:在先|在前|更早|最先|先)",
    ),
    (
        "span",
        rf"\bhow (?:many|much) (?:\w+ )?{_UNIT}\b[^?]*\b(?:between|passed|elapsed|before|after|until|till|since"
        rf"|from"
        r"|apart|later|left|ago)\b|\bhow (?:long|much time)\b[^?]*\b(?:between|passed|elapsed|before|after|until"
        r"|till|since|from|to get|did it take|does it take|ago|had I been|have I been)\b"
        r"|\bhow (?:many|much) (?:\w+ )?(?:days?|weeks?|months?|years?)\b"
        r"|\bhow (?:long|much time)\b[^?]*\bin (?:days|weeks|months|years)\b"
        r"|\b(?:time|days|weeks|months|gap|interval) (?:elapsed |passed )?between\b"
        r"|(?:多少|几)\s*个?(?:天|日(?!子)|周|星期|礼拜|月(?!份)|年(?!级)|小时)|多久|多长时间|相隔|间隔|相差",
    ),
)
_SHAPES = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _SHAPED]
_TOTAL = re.compile(
    r"\b(?:in total|total|altogether|all together|spend|spent|spending|sum|combined)\b|一共花|总共花|合计|总计"
    r"|(?:一共|总共)(?!过|有|隔|相)",
    re.IGNORECASE,
)
_LENGTH_ADVISED = re.compile(
    r"[你您][^，。？！我]{0,6}(?:建议|推荐|提议|[让劝叫]我)[^，。？！后前]{0,12}(?:多久|多长时间|(?:多少|几)个?(?:天|周|星期|礼拜|月|年|小时))(?!之?[后前])"
)
_TOOK_BEFORE = re.compile(
    r"\bhow long (?:did|does|do|was|were) (?!it\b)(?:\S+ ){1,8}?(?:take|last|run|need)(?: to \w+)?"
    r" (?:before|until|after|since)"
    r" (?:we|I|you|they|the) (?:\w+ )?(?:chang|fix|optimi[sz]|improv|switch|mov"
    r"|re(?:wr|fact|plac)|upgrad|updat|migrat|add|tun)\w*",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\b(?:between|elapsed|passed)\b|之间|相隔|间隔|相差|从.+到", re.IGNORECASE)

# ------------------------------------------------------------------------------------ advice
_MAKE = (
    r"(?:help|show|teach|suggest|recommend|write|draft|create|design|put together|plan|prepare|organi[sz]e|pick|choose"
    r"|find|make|come up with|prove|compute|calculate|solve|translate|compare|debug|fix|build|implement|set up|advise"
    r"|give me (?:\w+ )?(?:tips|advice|ideas|suggestions|examples?|recommendations?)"
    r"|(?:walk me through|explain|tell me|describe)(?: \w+){0,4} how (?:to|do|does|is|are|should|can)\b"
    r"|explain(?! (?:what|why|how|when) (?:I|we|my|our)\b)(?= (?:step|the|a|an|this|how|what|why)\b))"
)
# "给我妈做手术的医生姓什么" asks for a fact; "能给我爸写封信吗" asks for a letter.
_THEIRS = (
    r"(?:爸|妈|父|母|爷|奶|外[公婆]|姥|哥|姐|弟|妹|儿子|女儿|孩子|老[公婆板师]|[男女]朋?友|朋友|同事)"
    r"[^，。？]{1,16}的[^，。？]{1,16}(?:什么|谁|哪|多少|几)"
)
_ADVICE = re.compile(
    rf"\b(?:can|could|would|will) you (?:please )?(?:also )?{_MAKE}"
    r"|\bhow (?:should|shall|can|could|might|would) (?:I|we|one|the|my|our)\b|(?:^|[,;.:!] |\b(?:me|on|learn|know"
    r"|understand|about|explain|sure) )how to\b|\bhow do (?:I|we|you|one)\b(?! (?:usually|normally|feel|like|take|know"
    r"|spell|both|want|commute)\b| (?:all )?(?:get|travel|go) (?:(?:to|from) (?:the|my|our) [\w-]+(?: [\w-]+){0,2}"
    r"|home|there|back)\W*$)"
    r"|\bhow would you\b|\b(?:would|do|can) you (?:suggest|recommend|advise|think)\b|\bwhat (?:should"
    r"|shall|must|would|could) (?:I|we)\b(?! have (?:said|told))|\bwhat (?:\w+ ){1,4}(?:should|would|could) (?:I|we"
    r"|you)\b"
    r"|\bwhere should (?:I|we)\b|\bwhen should (?:I|we)\b|\bwhich .{0,60}\b(?:should (?:I|we)|would you)\b"
    r"|\bwhat are (?:some|good|the best|typical|common|effective)\b(?![^?]*\b(?:has|had|did|I have|I['’]ve)\b)"
    r"|\bshould (?:I|we)\b|\bany (?:\w+ )?(?:tips|ideas"
    r"|advice|suggestions|recommendations)\b|\bwhat(?:'s| is) (?:the|a) (?:best|good|right|proper) way\b"
    r"|^(?:please |now |ok,? |so,? )*(?:help me|suggest|recommend|write|draft|pick|choose|find|plan|prepare|make"
    r"|design|advise|set up|lay out|draw up|book|arrange|give me (?:\w+ )?(?:tips|advice|ideas|suggestions|examples?)"
    r"|show me (?:how|a|an|some)"
    r"|explain how)\b"
    r"|(?:应该|该)(?:怎么|如何|怎样|用|选|做什么|吃什么|买什么|去哪|带什么|送什么)|(?:怎么|如何|怎样)(?:做|办|写|安排|处理|才|选|准备|提高|学)(?![了过的])"
    rf"|建议|推荐|(?:帮我|替我?|给我(?!{_THEIRS}))[^。？?]{{0,12}}"
    r"(?:写|做|想|安排|设计|起草|准备|找|挑|出|选|翻译|改)(?![了过的])"
    r"|(?:应该|该)(?:买|选|走|坐|带|送|吃|喝|穿|去|看|住|找)(?:哪|什么)|哪(?:条|种|款|家|样|个)[^，。？]{0,8}(?:好|合适|划算)[呢吗]?[？?]?$"
    r"|^(?:请)?(?:布置|安排|设计|起草|拟|挑|选|写|解释|证明|翻译|教我)|^(?!.*(?:为什么|为何|什么时候|何时|哪天))(?:请)?(?:给|替|为(?![了啥]))"
    r"[^，。？]{1,24}?(?:拟|写|选|挑|找|排|设计|安排|准备|推荐)(?![了的过着])"
    r"|有(?:什么|没有)?(?:好的?)?(?:主意|办法|点子|技巧)",
    re.IGNORECASE,
)
# What is suggested to somebody should be what they like.
_SUITS = re.compile(
    r"\b(?:suggest|recommend|advi[sc]e|tips|ideas|plan(?:ning)?|pick|choose|which|where|prefer|option|best"
    r"|should (?:I|we)"
    r"|would (?:you|I|we)|help me|what (?:\w+ ){0,4}should|put together|come up with|organi[sz]e|schedule|gift)\b"
    r"|建议|推荐|选|挑|安排|主意|点子|吃什么|买什么|去哪|送什么|帮我(?:找|想)",
    re.IGNORECASE,
)

# ------------------------------------------------------------------------------------ facts
_ORDERED = re.compile(
    r"\b(?:instructions?|standing orders?|rules|ground rules|guidelines)\b[^?]*\b(?:I|we)\b[^?]*\b(?:give|gave"
    r"|given|set|told|asked|laid)|\b(?:did|have|had) I (?:ask|asked|tell|told|instruct(?:ed)?|want) you to\b"
    r"|\bI (?:asked|told|instructed|wanted) you to (?:always|never)\b|\bhow (?:do|did|should) I (?:want|ask"
    r"|tell)(?:ed)? you(?:r (?:answers|replies|responses))?\b"
    r"|(?:我|咱们?)[^，。？]{0,8}(?:要求|规定|吩咐|叮嘱|让|叫)(?:过)?(?:你|您|助手)|(?:什么|哪些)(?:规矩|要求|指示|指令)",
    re.IGNORECASE,
)
_ASKS_WHAT = r"为什么|为何|为啥|几|多少|多[久长大高远]|什么|啥|谁|哪|怎么|怎样|如何"
_VERB = r"(?i:(?:have|has|had|did|do|does|am|was|were|is|are)(?:n't|n’t)?)"
_ASKS_WHETHER = rf"{_VERB} (?:(?:I|we|my|our|you|he|she|they|it)\b|[A-Z])"
_FACTS: list[tuple[Kind, re.Pattern[str]]] = [
    (
        "preference",
        re.compile(
            r"\b(?:do|did|does|would|don't|didn't) (?:I|we) (?:\w+ly )?(?:prefer|like|love|hate|enjoy|dislike"
            r"|favou?r)\b"
            r"|\bmy (?:\w+ )?(?:preferences?|favou?rites?|tastes?|dislikes|likes)\b|\b(?:I|we) (?:usually "
            r"|always )?(?:prefer"
            r"|like best|enjoy most|can't stand)\b|\bwould I (?:rather|like|prefer|enjoy)\b"
            r"|我[^，。？]{0,6}(?:喜欢|偏好|偏爱|爱吃|爱喝|爱看|爱听|讨厌|不喜欢|更想|口味|最爱)"
            r"|我[^，。？为]{0,6}(?:不(?:能|爱|想|肯|敢)?[吃喝碰](?:什么|哪|啥)|忌口)",
            re.IGNORECASE,
        ),
    ),
    (
        "contradiction",
        re.compile(
            rf"^(?i:(?:so|and|now|but),? )?{_ASKS_WHETHER}"
            r"|^(?i:how (?:experienced|familiar) (?:am I|are we)\b)|^(?i:is it (?:true|so|correct|right)\b)"
            r"|(?i:\bcontradict|\bconflicting (?:things|statements|information|accounts)\b|\binconsisten)"
            r"|(?i:\b(?:tell|remind|know|remember|say|sure|check|confirm) ?(?:me |you )?(?:if|whether) (?:I|my|we"
            r"|our)\b)"
            r"|^(?!.*(?:为什么|为何|为啥)).*?(?:是否|有没有|是不是|会不会|能不能)[^。]*[？?]?$"
            # "还剩几个没关" asks how many are left.
            rf"|^(?!.*(?:{_ASKS_WHAT})).*?(?:[{IDEOGRAPHS}]过)?没有?[^。]*[？?]?$"
            # Not "可以分两次休吗": what is allowed or possible is looked up, as it is for "can I".
            r"|^(?!.*(?:可以|(?<![可功才性智])能(?![力量源]))).*吗[？?]?\s*$|矛盾|不一致"
        ),
    ),
    (
        "count",
        re.compile(
            r"\bhow (?:many|much|often)\b|\bin total\b|\baltogether\b|\btotal (?:number|amount|of|cost)\b|\bnumber of\b"
            r"|\bwhat (?:is|was) the (?:total|number|count)\b"
            r"|多少|几[个次种位条项本张只件家套篇份趟场道门顿遍名辆]|一共|总共|合计|总数",
            re.IGNORECASE,
        ),
    ),
    (
        "when",
        re.compile(
            r"^(?:and |so |but |remind me |tell me |do you (?:know|remember) )*when\b(?! \w+ing\b)"
            r"|\b(?:what|which|on what) (?:\w+ )?(?:dates?|days?|month|year)\b|\bwhat time\b|\bwhen (?:did|do|does|was"
            r"|were|is|are|will|am) (?:I|my|we|our|the|he|she|they|it|[A-Z]\w+)\b"
            r"|哪天|哪一天|什么时候|何时|几号|几点|哪个?月|哪一?年|几月|星期几|周几|哪日",
            re.IGNORECASE,
        ),
    ),
]  # fmt: skip
