"""What an answer to a question must hold, read from its words alone, in several languages: a figure, a name, a reason,
a place, or what the assistant said. Looks nothing up.
"""

from __future__ import annotations

import re
from typing import Literal

# What a sentence that answers must hold.
Point = Literal["reason", "date", "figure", "person", "place"]


def point(question: str) -> Point | None:
    """What a sentence that answers must hold, as far as one word of the question says it."""
    if names_value(question):
        return "figure"
    return next((name for name, pattern in _POINTS if pattern.search(question)), None)


def names_value(question: str) -> bool:
    """Whether a number or a date is asked for by its name: "which deadline should I keep"."""
    return _VALUE.search(question) is not None


def asks_for_figure(question: str) -> bool:
    """Whether a number, an amount, a date or a time is asked for."""
    return _FIGURE.search(question) is not None


def wants_figure(order: str) -> bool:
    """Whether a standing order wants numbers in an answer."""
    return _WANTED.search(order) is not None


def asks_who(question: str) -> bool:
    """Whether somebody is asked for."""
    return _NAME.search(question) is not None


def asks_for_advice(question: str) -> bool:
    """Whether it is asked what the assistant said: advised, recommended, explained, suggested, listed."""
    return _ADVICE.search(question) is not None


def asks_for_steps(question: str) -> bool:
    """Whether it is asked how something was gone about, by which steps or approach: what the user asks for help with,
    and the assistant lays out."""
    return _STEPS.search(question) is not None


def asks_how_to_answer(question: str) -> bool:
    """Whether a question asks, in Chinese, how the assistant should answer or address the user: only a standing order
    tells that."""
    return _HOW_TO_ANSWER.search(question) is not None


def asks_for_first(question: str) -> bool:
    """Whether the earliest value of a thing is asked for."""
    return _FIRST.search(question) is not None


def holds_figure(text: str) -> bool:
    """Whether there is a number or a month in a text."""
    return _NUMBER.search(text) is not None


def holds_name(text: str) -> bool:
    """Whether there is a word with a capital inside a sentence, or in Chinese a word that goes with a name."""
    return _CAPITAL.search(text) is not None


def demanded(order: str) -> re.Pattern[str] | None:
    """What an order wants to stand in an answer, as far as its form tells: a version, a date, a figure."""
    return next((held for named, held in _DEMANDED if named.search(order)), None)


def untrue(text: str) -> bool:
    """Whether a text tells something imagined, or says itself that what it tells is wrong or never happened."""
    return _IMAGINED.search(text) is not None or _DISOWNED.search(text) is not None


def requests(unit: str) -> bool:
    """Whether a sentence or clause only asks for something."""
    return asks(unit) or _REQUEST.match(unit) is not None


def asks(text: str) -> bool:
    """Whether a text ends in a question."""
    # Few texts have a question mark: searching all of them for one at the end took up to 0.3 ms of a context.
    return ("?" in text or "？" in text) and _QUESTION_END.search(text) is not None


_FIGURE = re.compile(
    r"\b(?:when|how (?:many|much|long|often|old|far|big|large|tall|fast|soon|late|early)"
    r"|what (?:\w+ )?(?:date|day|time|year"
    r"|month|week|number|amount|percentages?|share|price|cost|version|score|rate|size|deadline|budget|age)s?"
    r"|which (?:date|day|time|year|month|week|version)s?|deadline|budget)\b"
    r"|什么时候|何时|几|多少|哪[一]?[天年月日周次]|日期|多[久长大高远快]|版本|期限|预算"
    r"|\b(?:wann|wie ?viele?|wie (?:lange|oft|alt|hoch|groß|weit)|quand|combien|quel(?:le)? (?:date|jour|heure|année)"
    r"|cuándo|cuánt[oa]s?|qué (?:fecha|día|hora|año)|quando|quant[oiae]s?|когда|сколько)\b"
    r"|いつ|いくつ|いくら|何[日月年時回人個]|언제|몇|얼마|متى|كم\b",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\b(?:versions?|numbers?|numeric|figures?|percent(?:ages?)?|statistics|amounts?|prices?|costs?|dates?|times?"
    r"|metrics?|quantified|codes|values?|rates?|frequency|frequencies|timelines?)\b"
    r"|版本|数字|数据|百分比|金额|价格|费用|日期|时间|频率|编号",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\b(?:who|whom|whose|what(?:'s| is| was)? (?:the |my |his |her |their )?(?:\w+ )?names?)\b|谁|哪位|什么名字|叫什么"
    r"|\b(?:wer|wen|wem|wessen|qui|quién(?:es)?|chi|quem|кто|кого|кому)\b|誰|누구|누가|\bمن\b",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\b(?:what|which)\b(?: (?:is|was|are|were|'s|my|the|our|current|new|latest|average|total|weekly|daily|monthly))*"
    r"(?: [\w-]+){0,4}? (?:rate|percentage|score|accuracy|number|amount|size|time|deadline|date|budget|price|cost"
    r"|salary|target|quota|usage|version|weights?|coverage|latency|limit|count|height|length|age|year|fee|setting"
    r"|probability)\b",
    re.IGNORECASE,
)
_POINTS: tuple[tuple[Point, re.Pattern[str]], ...] = (
    (
        "reason",
        re.compile(r"\bwhy\b|\b(?:reasons?|rationale|motivation)\b|为什么|为何|原因|理由", re.IGNORECASE),
    ),
    ("person", re.compile(r"^who\b|\bwho (?:is|was|did)\b|谁", re.IGNORECASE)),
    ("place", re.compile(r"^where\b|哪里|哪儿|在哪", re.IGNORECASE)),
)
_GAVE = (
    r"(?:advi[sc]e|recommend|explain|suggest|propose|list|tell|teach|show|answer|reply|describe|write|give|walk"
    r"|outline|help|guide|provide|offer|say|mention|state|warn|point out|come up with)"
)
_GIVEN = (
    r"(?:advised|recommended|explained|suggested|proposed|listed|told|taught|showed|shown|answered|replied|described"
    r"|wrote|written|gave|given|walked|outlined|helped|guided|provided|offered|said|mentioned|stated|warned"
    r"|pointed out|came up with)"
)
_ADVICE = re.compile(
    rf"\b(?:did|had|have|were|was) you {_GAVE}\b|\b(?:have|had|did) you (?:\w+ )?{_GIVEN}\b"
    rf"|\byou(?:'ve|'d| have| had)? (?:\w+ly )?(?:first |last |once |ever |also |just )?{_GIVEN}\b"
    r"|\byour (?:\w+ )?(?:advice|recommendations?|suggestions?|explanations?|answers?|proposals?|tips?|guidance|reply"
    r"|replies|responses?|lists?|examples?|instructions)\b"
    rf"|\b(?:the )?assistant(?:'s)? (?:\w+ )?(?:{_GIVEN}|{_GAVE}|advice|recommendations?|suggestions?|answers?)\b"
    rf"|\b(?:{_GIVEN}) (?:to me )?by (?:you|the assistant)\b"
    r"|\b(?:I (?:was|were|been)|was I) (?:advised|told|recommended|given)\b|\bwhat advice\b"
    r"|(?<![跟和对向给])(?:你|您|助手)(?:[^，。？！我]{0,6})?(?:建议|推荐|解释|说明|列出|列举|提议|告诉|教|给出|给过|给的|回答|答复|提醒|说过|提到|说的|讲过|写)"
    r"|(?:你|您|助手)的(?:建议|推荐|解释|回答|答复|方案|说明)"
    # What the assistant had the user do; "你叫我什么" asks for a name, "你让我很失望" tells of a mood.
    r"|(?<![跟和对向给])(?:你|您|助手)(?:当时|之前|以前|上次|上回|那时候?|那天|昨天|后来|曾经?|还|都|是|又|不是)*"
    r"(?:让|劝|叫(?!我(?:什么|啥)))我(?!很|好|太|有点|更|真|失望|生气|开心|感动|满意)"
    # What it came up with, "你给我出个主意" asks for a new one.
    r"|(?:你|您|助手)[^，。？！我]{0,6}[给替帮]我(?:出|提|支|想|列|定|推荐|安排)(?:了|过|的(?!时))"
    # "你能给我什么建议" asks for new advice.
    r"|(?:你|您|助手)(?:[^，。？！我]{0,8}给[了过]我|[^，。？！我]{0,4}(?:当时|之前|以前|上次|上回|那时|曾经?)[^，。？！我]{0,4}给我)"
    r"[^，。？！]{0,10}(?:建议|意见|主意|方案|办法|提议|说法|解释)"
    r"|\b(?:hast|haben|hattest) (?:du|Sie)\b[^.?!]*\b(?:empfohlen|geraten|vorgeschlagen|erklärt|gesagt|genannt|gegeben)"
    r"|\bdein(?:e|en|em|er)? (?:Rat|Empfehlung|Vorschlag|Vorschläge|Antwort|Erklärung)|\b(?:as-tu|avez-vous|m'as-tu"
    r"|tu m'as|vous m'avez)\b[^.?!]*\b(?:conseillé|recommandé|suggéré|expliqué|proposé|dit)|\bme (?:recomendaste"
    r"|sugeriste|aconsejaste|explicaste|dijiste)\b|نصحتني|اقترحت|أوصيت|شرحت",
    re.IGNORECASE,
)
# Fewer words than `_WANTED`: one table for both changed 18 of 395 quoted answers of BEAM, five with a short label, and
# none of those became right.
_DEMANDED = [
    (re.compile(named, re.IGNORECASE), re.compile(held))
    for named, held in (
        (r"\bversions?\b|版本", r"\d\.\d"),
        (
            r"\b(?:dates?|deadlines?)\b|日期|期限",
            r"\b\d{4}-\d\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d|\d月",
        ),
        (
            r"\b(?:numbers?|figures?|metrics?|percentages?|statistics|scores?|quantif\w+|rates?)\b|数字|百分比",
            r"\d",
        ),
    )
]
_STEPS = re.compile(
    # Verbs of work: how somebody broke an arm, or heard of something, they told themselves.
    r"^\W*(?:(?:and|so) )?how (?:did|have|had) (?:I|we) (?:\w+ly )?(?:set up|go about|approach|implement|handle"
    r"|organi[sz]e|plan|structure|design|buil[dt]|configure|install|integrate|optimi[sz]e|improve|manage|solve|fix"
    r"|repair|debug|resolve|deploy|test|calculate|compute|prove|prepare|paint|clean|assemble|develop|create|arrange|evaluate|train|schedule"
    r"|prioriti[sz]e|address|tackle|refactor|migrate|secure|ensure|apply|document|divide|break down|estimate|measure"
    r"|simplif|derive|verif|validate|automate|monitor)\w*\b"
    r"|\b(?:what|which) (?:\w+ )?(?:approach|steps?|process|procedure|method|strategy|workflow)(?:es|s)?"
    r" (?:did|have|had) (?:I|we)\b",
    re.IGNORECASE,
)
_SHALL = r"(?:以后|今后|平时|现在|都)*(?:应该|应当|该|得|要|需要|必须)"
# Whom "我" ends: "怎么回答我老板的信" asks for advice.
_ME = r"我(?=的(?:问题|提问|消息|话)|时|的时候|呢|比较|[，,。？?！!\s]|$)"
_HOW_TO_ANSWER = re.compile(
    rf"[你您]{_SHALL}?(?:怎么|如何|怎样|用(?:什么|哪)[^，。？]{{0,6}}?)(?:来)?(?:称呼|叫|喊|回答|回复|答复){_ME}"
    rf"|[你您]的?(?:回答|回复|答复){_SHALL}[^，。？]{{0,6}}(?:什么|怎么|怎样|如何|哪|多)"
    # "你给我报价要注意什么", "你跟我说话用您还是你", "有什么话我不想再听你说".
    rf"|[你您](?:以后|今后|平时|在)?[给跟对和]我(?![爸妈父母爷奶哥姐弟妹儿女老朋同们家])[^，。？！我]{{1,8}}?{_SHALL}?(?:注意|遵守|遵循)(?:什么|哪|啥)"
    r"|[你您][跟对和]我(?:说话|讲话|聊天)(?:的?时候?)?(?:应该|该|要)?(?:用|怎么(?!称呼)|怎样)"
    r"|(?:什么|哪些?)[^，。？！]{0,4}我不(?:想|愿|爱)(?:意)?再?听[你您](?:说|讲|提)"
    r"|我不(?:想|愿|爱|让|准|许)(?:意)?再?(?:听)?[你您](?:再)?(?:跟我)?(?:说|讲|提)(?:什么|哪|啥)"
    # No word begins another here: with `_SHALL` inside the star "以后以后…" took for ever.
    rf"|^(?:[你您那在，该得要都]|以后|今后|平时|现在|请问|应该|应当|需要|必须)*(?:回答|回复|答复){_ME}(?:的\w{{1,4}})?(?:时候?|的时候)?[，,]?"
    rf"(?:[你您])?{_SHALL}?(?:注意|遵守|遵循|用)(?:什么|哪)"
)
# "First response time" is a name.
_NAMES_FIRST = (
    r"(?! (?:responses?|name|aid|floor|class|person|party|lady|language|quarter|half|contact|reply|byte)\b)"
)
_FIRST = re.compile(
    rf"\b(?:first{_NAMES_FIRST}|(?:initial|original)(?:ly)?|at the start|in the beginning|to begin with)\b"
    r"|最初|起初|一开始|原来|第一次",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred"
    r"|thousand|half|dozen|twice|January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|yesterday|tomorrow|tonight)\b|[一二两三四五六七八九十百千万]|昨天|明天|今天",
)
_QUESTION_END = re.compile(r"[?？]\W*$")
_REQUEST = re.compile(
    r"\W*(?:(?:so|and|but|also|or)\W+)*(?:(?:can|could|would|will) you|please|help me"
    r"|how (?:can|do|should) I)\b"
    r"|\W*(?:请|帮我|能不能|能否|可不可以|你能|您能)",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=[^\W_] )[A-Z][a-z]|(?<=, )[A-Z][a-z]|叫|名字|先生|女士|老师|同事|朋友")
_IMAGINED = re.compile(
    r"\b(?:in (?:a|my) dream|I (?:dreamt|dreamed)|suppose|imagine|what if|hypothetically)\b|梦见|梦到|梦里|假如|假设",
    re.IGNORECASE,
)
_DISOWNED = re.compile(
    r"\b(?:typos?|misprint|nonsense|hearsay|idle talk|only (?:talk|gossip)|a rumou?r|wrong page|by mistake|in error"
    r"|guessed wrong|turned out (?:to be )?(?:wrong|false)|and nothing came|but (?:that|it) was|swears that"
    r"|had (?:\w+ )?(?:promised|offered|planned|hoped))\b"
    r"|瞎说|闲聊|[猜打写记说弄印抄看填标听算]错|搞错|谣言|传言|结果没[有来成]|(?:本来|原本|起先|起初|原先)(?:说|答应|打算|计划|约)",
    re.IGNORECASE,
)
