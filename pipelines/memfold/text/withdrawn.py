"""What an order takes back: "you no longer need to cite sources", "forget the rule about tables", 不用再用表格了.

A withdrawal says how something is taken back, and names what. It takes back the orders of which that is all they say:
their words, but for how an order is given, are the ones it names, with or without the case they are for. In doubt
nothing is taken back: "stop using tables for prices" leaves "always use tables" as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from memfold.text.terms import spelt, terms
from memfold.text.values import LANGUAGE_ZH, NAMED

# A withdrawal that names so much of an order's words, and two of them at least, ends the order.
MOST = 0.6
# Only so many characters of a text are read.
_LOOKED_AT = 2000
# An order that wishes several things.
_SEVERAL = re.compile(r"\b(?:and|or|und|oder)\b|,(?!\d)|;(?!dr\b)|[，；、]|以及|并且?|和|或", re.IGNORECASE)

# What a form takes back: what is to be done, what is not to be done, or either. A "thing" takes back what is to be done
# with the thing that it names: "no more sources" ends "always cite your sources". A "length" permits long answers:
# it takes back the order for short ones.
Takes = Literal["order", "ban", "any", "thing", "length"]
_LIFTS_BANS, _LIFTS_WISHES = ("any", "ban"), ("any", "order", "thing")
_BY_TOPIC = ("any", "thing")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """`words` name what is taken back; `binds` says whether the sentence orders something as well, `told` whether it
    tells the assistant to leave something off, which binds where no order is taken back: it may be a habit of its own.
    `clause` is the sentence without what stands behind a comma, such as why; all of it where that is a case.
    """

    words: frozenset[str]
    takes: Takes
    binds: bool
    told: bool
    clause: str

    def of(self, text: str, about: str | None) -> bool:
        """Whether it takes back an order, whose `about` may name the case that it is for. It need not name all of one
        wish: "no need for the 24-hour format" ends "give times in 24-hour format"."""
        least = MOST if _SEVERAL.search(text) is None else 1.0
        names = self._names(text, about)
        return any(len(self.words) / len(words) >= least for words in names) and not clash(self.clause, text)

    def of_part(self, text: str, about: str | None) -> bool:
        """Whether it may take back a part of an order, as "lists are okay again" does of "no emojis and no lists".
        One that names more may be of somebody else's world: "my boss says emojis are okay again"."""
        return bool(self.words) and bool(self._names(text, about)) and not clash(self.clause, text)

    def _names(self, text: str, about: str | None) -> list[frozenset[str]]:
        """The words that name an order, where those are among them; none if it cannot be taken back this way."""
        may = (
            words
            for forbids, words in _named(text, about)
            if self.takes in (_LIFTS_BANS if forbids else _LIFTS_WISHES)
        )
        named = (words - _DONE if self.takes in _BY_TOPIC else words for words in may)
        return [words for words in named if words and self.words <= words]


def withdrawal(text: str, about: str | None = None) -> Withdrawal | None:
    """What an order takes back, in the user's words or in a model's ("User no longer wants …"); None where nothing."""
    # The patterns take quadratic time on a run of blanks.
    text = " ".join(text[:_LOOKED_AT].split())
    if _ONCE.search(text):
        return None
    for forms, pattern, binds in _TABLES:
        if match := pattern.match(text):
            takes, named = forms[(match.lastindex or 1) - 1][0], match[match.lastindex or 1]
            if takes == "length":
                takes, named = "order", "short"
            elif takes != "any" and forbids(named):
                takes = "order" if takes == "ban" else "ban"
            # Behind "anymore" may stand the case that is meant: "when I ask about health".
            rest = _CLAUSE.match(text, match.end())
            what = words(_with(f"{named} {rest[0] if rest else ''}", about), takes in _BY_TOPIC)
            binds = binds or _MORE.match(text, match.end()) is not None
            end = len(text) if rest is None or _FOR.search(text, rest.end()) else rest.end()
            told = takes in ("order", "thing") and _TOLD.search(text) is not None
            return Withdrawal(what, takes, binds, told, text[:end])
    return None


def named(text: str, about: str | None) -> frozenset[str]:
    """All words that name an order: what takes it back, whole or in part, names none besides."""
    return frozenset().union(*(words for _, words in _named(text, about)))


# The same orders are read whenever their conversation is opened.
@lru_cache(maxsize=4096)
def _named(text: str, about: str | None) -> frozenset[tuple[bool, frozenset[str]]]:
    """Whether an order forbids something, and the words that name it: without and with its case."""
    # A ban of long answers is an order for short ones too.
    return frozenset(
        (forbids(_core(said)), words(each))
        for said in {text, _NOT_LONG.sub(" short ", text)}
        for each in (_core(said), _with(said, about))
    )


def clash(one: str, other: str) -> bool:
    """Whether one of two texts mentions a word, as in 'the word "import"', where the other has another word of the same
    stem ("important"). Two forms of one word ("emoji", "emojis") are two words where both texts mention one."""
    mentioned = _mentioned(one), _mentioned(other)
    known = spelt(one) if mentioned[1] else frozenset(), spelt(other) if mentioned[0] else frozenset()
    if not all(mentioned):
        mentioned, known = (
            (without_endings(mentioned[0]), without_endings(mentioned[1])),
            (without_endings(known[0]), without_endings(known[1])),
        )
    return any(
        not {stem for stem, _ in mine - theirs}.isdisjoint(stem for stem, _ in theirs)
        for mine, theirs in zip(mentioned, reversed(known), strict=True)
    )


def _mentioned(text: str) -> frozenset[tuple[str, str]]:
    return spelt(" ".join(found[found.lastindex or 0] for found in _MENTIONED.finditer(text)))


def without_endings(found: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Stems with their words (`memfold.text.terms.spelt`), each word without its ending: "emoji" and "emojis" are one,
    "important" and "import" are two."""
    return frozenset((stem, _ENDING.sub("", word)) for stem, word in found)


def _with(text: str, about: str | None) -> str:
    return f"{text} {about or ''}"


def words(text: str, topic: bool = False) -> frozenset[str]:
    """The words of what is ordered; of a `topic` without what is done to it."""
    text = _GIVEN_ZH.sub(" ", _LENGTH.sub(" aslength ", text.lower()))
    return frozenset(_stems(text)) - _GIVEN - (_DONE if topic else frozenset())


def _stems(text: str) -> Iterator[str]:
    """The terms of a text; "Tabellen" and "Tabelle" are one."""
    return (term.removesuffix("en") if len(term) > 5 else term for term in terms(text))


def _core(text: str) -> str:
    """An order without the case that it is for: what stands before "when I ask …", or behind it and a comma."""
    match = _FOR.search(text)
    if match is None:
        return text
    before = text[: match.start()]
    return before if any(terms(before)) else "".join(_COMMA.split(text[match.end() :], maxsplit=1)[1:])


def forbids(text: str) -> bool:
    """Whether a text says that something is not to be done."""
    return _FORBIDS.search(text) is not None


# The endings in which the forms of one word differ.
_ENDING = re.compile(r"(?:ies|ing|ed|es|e|s|y)$")
# A word that is meant as it stands. "The word count" and "the phrase book" are things.
_MENTIONED = re.compile(
    r"""\b(?:the|this|that|an?)\s+(?:word|term|phrase|expression)s?\s+"""
    r"""(?!(?:count|limit|length|order|date|book|sheet|paper|list)s?\b)['‘]?([\w-]+)"""
    r"""|["“”„«](\w[^"“”„«»]{0,80})["“”»]|(?<!\w)['‘‚](\w[^'‘’‚]{0,80})['‘’](?!\w)""",
    re.IGNORECASE,
)
# How an order is given is no part of what it says, and to use, to give and to write are all one.
_GIVEN = frozenset(
    _stems(
        "always never please pls plz must stop quit avoid ever remember ensure make sure user users wants want wish"
        " prefer going forward henceforth instead longer anymore future start keep don't dont rule rest conversation"
        " chat use using give put add include insert write provide say have answer reply respond answers replies"
        " responses response message messages thing format style points call address refer omit skip leave"
        " allowed back thanks speak talk every"
        " ab jetzt sofort heute an von nun künftig zukunft fortan immer stets grundsätzlich generell bitte mit"
        " ohne auf in im am bei nur noch mehr nie niemals wieder nicht kein keine keinen und der die das den"
        " dem ein eine einen einer eines mir mich dir dich du ich antworte antworten antwort deine deinen"
        " nachrichten schreib schreibe schreiben verwende verwenden nutze nutzen benutze benutzen gib geben"
        " zeig zeige zeigen füge hinzufügen setze setzen mach mache machen sag sage sagen nenn nenne nennen"
        " jede jeder jedem jeden jedes alle allen als zu hör höre angeben sprich sprechen rede reden zukünftig"
        " ausschließlich durchgehend lieber kannst darfst möchte werden wir uns zurück"
        " en em de siempre nunca por favor partir ahora adelante contesta contéstame contestar responde respóndeme"
        " responder respuestas habla háblame escribe escríbeme trátame"
        " toujours jamais désormais dorénavant maintenant réponds répondez répondre réponses parle parlez moi ne pas"
        " sempre rispondi rispondimi risposte parla parlami scrivi dammi responda respostas fala trate"
    )
)
# What is done to a thing, which "the rule about the joke" does not say.
_DONE = frozenset(
    _stems(
        "begin end finish open close conclude sign cite citing mention list name show tell convert round quote mark"
        " explain translate"
    )
)
_GIVEN_ZH = re.compile(
    r"以后|今后|往后|从现在|从今天|开始|起|请|一律|总是|始终|永远|务必|必须|一定|尽量|每次|所有|回答|回复|答复|时候|使用|采用"
    r"|加上|附上|称呼|可以|不要|不用|关于|一[句个条段点下份]|[都再了的你您我给用要别时在里中把叫为写加附说问]"
)
_LENGTH = re.compile(
    r"(?:\b(?:under|below|within|in|to|at most|up to|no (?:more|longer) than|max(?:imum)?(?: of)?|limit(?:ed)? to"
    r"|(?:less|fewer|shorter) than)\s+)?"
    r"\b(?:\d+|one|two|three|four|five|six|ten)\s+(?:words?|sentences?|lines?|paragraphs?|characters)\b"
    r"(?:\s+(?:max|maximum|or (?:less|fewer)|at most))?"
    r"|\b(?:short(?:er)?|brief(?:ly)?|concise(?:ly)?|terse|succinct|to the point)\b"
    r"|(?:不超过|控制在|少于|最多)?[\d一二两三四五六七八九十百]+(?:个?字|句话|句(?!\w)|句(?=以内|之内|以下))(?:以内|之内|以下)?|简短|简洁|精简"
    r"|短一?[点些]"
)
# Answers that can be as long as needed need not be short.
_LONG = r"as long as \w+(?: \w+)?|longer|of any length"
_LONG_ZH = r"长一?[点些]"
_LONG_ANSWERS = (
    r"(?:(?:much|a\s+bit|even)\s+)?(?:long(?:er)?|(?:more\s+)?detailed)\s+"
    r"(?:answers|replies|responses|explanations)"
)
_NOT_LONG = re.compile(
    rf"(?:\b(?:never|not|no|stop|avoid)|n't|\bdont)\s+(?:(?:give|giving|write|writing|send|sending|me)\s+)*{_LONG_ANSWERS}\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"\b(?:never|not|no|stop|quit|avoid(?:ing)?|without|skip(?:ping)?|omit(?:ting)?|leav(?:e|ing) out)\b|n't\b|\bdont\b"
    r"|\b(?:nicht|nie|niemals|keine?[nrms]?|ohne|nunca|jamais|ne|pas|não)\b"
    r"|不要|别|不许|不准|不用|不能|禁止|切勿",
    re.IGNORECASE,
)
# The case that an order is for, or why it is given.
_FOR = re.compile(
    r"\b(?:when(?:ever)?|if|while|unless|until|(?:every|each|any) ?time|once|before|after|in case|for|because|since"
    r"|so that)\b|(?:每次|每当|凡是|当|如果|只要)?我?(?:问|说|聊|提)到?[^，,]{1,20}(?=[，,])",
    re.IGNORECASE,
)
_COMMA = re.compile("[,，]")
# "No need to wait anymore" may be said of the user's own life.
_TOLD = re.compile(
    r"\b(?:your?|from now on|going forward|in (?:the )?future)\b|[你您]|以后|今后|往后", re.IGNORECASE
)
# What is meant for one answer takes nothing back.
_ONCE = re.compile(
    r"\b(?:this|next|that|the next)\s+(?:time|one|once|answer|reply|response|message|question|text|e?-?mail)\b"
    r"|\bfor\s+(?:now|today|a while|the moment|once)\b|\btoday\b|这[次回封篇]|下[次回]|今天|暂时",
    re.IGNORECASE,
)

# How a withdrawal begins, and what it names: it ends with the clause, or with why.
_LEAD = (
    r"\W{0,2}(?:(?:please|kindly|pls|ps|p\.s\.|btw|by the way|now|so|and|but|also|then|just|oh|ok(?:ay)?|hey|thanks"
    r"|alright|actually|well|sorry|on second thoughts?|I(?:'ve| have)? changed my mind|from now on"
    r"|as of (?:now|today)|going forward|in (?:the )?future)[,:;.!–—-]*\s+)*"
)
_LEAD_DE = r"\W{0,2}(?:(?:bitte|übrigens|und|aber|also|ach|ok(?:ay)?|danke|ab\s+(?:jetzt|sofort)|jetzt)[,:;.!–—-]*\s+)*"
_LEAD_ZH = r"(?:请|好的?|那|那么|另外|还有|以后|今后|从现在(?:起|开始)|现在|你|您|我改主意了|其实|对了|[，,。！!\s])*"
_WHAT = r"((?:[^,;.!?:]|[,;.:](?=\w)){2,80}?)"
_WHAT_ZH = r"([^，。,；！？]{2,30}?)"
_END = r"(?=\s*(?:[,;.!?:](?!\w)|\s[-–—]\s|$|\s(?:because|since|as|so|now that)\b))"
_END_ZH = r"了?(?=[，。,；！]|$)"
_CLAUSE = re.compile(
    r"(?:(?!\s(?:because|since|as|so|now that|and)\b)[^,;.!?:，。；！？]|[.,:](?=\w))*", re.IGNORECASE
)
_NO_MORE = r"\s+(?:any ?more|any longer)\b"
_THERE_IS = r"(?:there(?:'s| is)\s+)?"
_NO_NEED = rf"{_THERE_IS}no\s+need"
_NEED_NO_LONGER = rf"{_THERE_IS}no\s+longer\s+(?:a\s+|any\s+)?need"
_ORDERED = r"(?:rule|instruction|order|request|wish|preference|requirement)s?"
_ORDERED_ZH = r"的?(?:规矩|规则|要求|指令|指示|规定)"
_ORDERED_DE = r"(?:regel|anweisung|bitte|vorgabe|sache)"
_AGAIN_DE = (
    r"(?:(?:ab\s+)?(?:jetzt|sofort)\s+|künftig\s+|in\s+zukunft\s+|mir\s+|"
    r"mich\s+|dich\s+|uns\s+|wieder\s+|auch\s+|gerne?\s+)*"
)
_BACK = r"(?:(?:go|switch|change|move|come)\s+)?back\s+to"
_SPEAK = (
    r"(?:use|using|speak(?:ing)?|talk(?:ing)?|writ(?:e|ing)|answer(?:ing)?|reply(?:ing)?|respond(?:ing)?)"
)
_ASKED = r"(?:,?\s+(?:please|pls|thanks|now|again|from\s+now\s+on))"
_ENDED = rf"{_ASKED}*(?=\s*(?:[,;.!?:](?!\w)|$))"
_ACT = r"(?:thing|stuff|business|talk|act|voice|accent|style)"
_NAMING = r"(?:about|on|for|regarding|concerning|with|to|of|that you)"

_PERMITTED = r"you\s+(?:can|may|are\s+allowed\s+to)\s+(?:now\s+)?"
_FINE = r"(?:is|are)\s+(?:fine|ok|okay|allowed|welcome|alright|all right)"
_FROM_NOW = r"(?:now|again|from\s+now\s+on)\b(?!\s+and\s+(?:then|again)\b)"
# A permission with a condition, or for once, ends nothing.
_FREELY = (
    r"(?![\s,;–—-]*\b(?:but\s+)?"
    r"(?:only|just|not|if|when(?:ever)?|unless|except|until|as\s+long\s+as|for\s+(?:now|today|once))\b)"
)

# Each form has one group, what it names. These only take back.
_FREES: tuple[tuple[Takes, str], ...] = (
    ("order", rf"you\s+(?:(?:don't|dont|do not)\s+(?:need|have)\s+to|needn't|need not)\s+{_WHAT}{_NO_MORE}"),
    ("order", rf"you\s+no\s+longer\s+(?:need|have)\s+to\s+{_WHAT}{_END}"),
    ("order", rf"you\s+can\s+(?:now\s+)?stop\s+{_WHAT}{_END}"),
    ("order", rf"{_NO_NEED}\s+to\s+{_WHAT}{_NO_MORE}"),
    ("thing", rf"{_NO_NEED}\s+for\s+{_WHAT}{_NO_MORE}"),
    ("order", rf"{_NEED_NO_LONGER}\s+to\s+{_WHAT}{_END}"),
    ("thing", rf"{_NEED_NO_LONGER}\s+for\s+{_WHAT}{_END}"),
    ("order", rf"I\s+no\s+longer\s+(?:need|want|expect)\s+(?:you\s+to|your)\s+{_WHAT}{_END}"),
    ("thing", rf"I\s+no\s+longer\s+(?:need|want)\s+(?:(?:the|an?|any|those)\s+)?{_WHAT}{_END}"),
    ("thing", rf"I\s+(?:don't|dont|do\s+not)\s+need\s+(?:(?:the|an?|any|those)\s+)?{_WHAT}{_NO_MORE}"),
    ("order", rf"(?:the\s+)?user\s+no\s+longer\s+(?:needs|wants|expects)\s+(?:to\s+)?{_WHAT}{_END}"),
    (
        "length",
        r"(?:your\s+)?(?:answers|replies|responses|explanations)\s+(?:can|may)\s+(?:now\s+|again\s+)?be\s+"
        rf"({_LONG})\b",
    ),
    (
        "length",
        rf"{_PERMITTED}(?:(?:write|give|send|use)\s+)(?:me\s+)?({_LONG_ANSWERS})(?:\s+{_FROM_NOW})?{_END}{_FREELY}",
    ),
    ("length", rf"({_LONG_ANSWERS})\s+{_FINE}\s+{_FROM_NOW}{_FREELY}"),
    ("ban", rf"(?:you\s+(?:can|may|are\s+allowed\s+to)|feel\s+free\s+to)\s+(?:now\s+)?{_WHAT}\s+again\b"),
    ("ban", rf"(?:use|include|add|give|show)\s+(?:me\s+)?{_WHAT}\s+again\b"),
    ("ban", rf"I\s+(?:don't|dont|do\s+not)\s+mind\s+(?:(?:the|your|you\s+using)\s+)?{_WHAT}{_NO_MORE}"),
    # A value instead of another: of the same class it takes the other's place (`memfold.layers.orders`).
    (
        "ban",
        r"(?:(?:you\s+(?:can|may)|let's|(?:can|could)\s+(?:you|we)|feel\s+free\s+to)\s+)?(?:please\s+)?"
        rf"{_BACK}\s+(?:{_SPEAK}\s+)?(?:in\s+)?({NAMED}){_ENDED}",
    ),
    ("ban", rf"(?:in\s+)?({NAMED})\s+again{_ASKED}+{_ENDED}"),
    (
        "ban",
        rf"(?:let's\s+|please\s+)?{_SPEAK}\s+(?:(?:to|with)\s+me\s+)?(?:in\s+)?({NAMED}|normal(?:ly)?)\s+again\b",
    ),
    (
        "ban",
        rf"{_WHAT}\s+{_FINE}\s+(?:now|again|from\s+now\s+on)\b",
    ),
    # "English is okay for me" tells of the user.
    (
        "ban",
        rf"({NAMED})\s+{_FINE}(?=\s+(?:for\s+(?!(?:me|us|him|her|them|you|now|today|once|this|that)\b)"
        r"|when(?:ever)?\s+I\s+ask\s+(?:you\s+)?(?:about|for)\s+(?!(?:it|them|that|this|these|those|so)\b)))",
    ),
    # "You may use my tables" tells of some tables.
    (
        "ban",
        rf"{_PERMITTED}((?:mention|bring\s+up|talk\s+about|discuss|refer\s+to"
        r"|(?:suggest|recommend|use)(?!\s+(?:my|our|his|her|their|this|that|these|those)\b))\s+"
        r"(?:(?!\snow\s+and\b)[^,;.!?]){2,60}?)"
        rf"(?:\s+{_FROM_NOW})?{_END}{_FREELY}",
    ),
    (
        "any",
        r"(?:you\s+can\s+)?(?:forget|scrap|drop|ignore|disregard|cancel|undo|lift|revoke|retract|withdraw)\s+"
        rf"(?:about\s+)?(?:(?:the|my|that|this|any)\s+(?:\w+\s+){{0,2}}?{_ORDERED}"
        rf"|what\s+I\s+(?:said|told\s+you|asked(?:\s+you)?))\s+{_NAMING}\s+{_WHAT}{_END}",
    ),
    (
        "any",
        r"you\s+can\s+(?:now\s+)?(?:drop|skip|leave\s+(?:out|off))\s+(?:the|my|those|all\s+the)\s+"
        rf"{_WHAT}(?:\s+(?:now|from\s+now\s+on|again|please))?{_END}",
    ),
    (
        "any",
        r"(?:you\s+can\s+)?(?:forget|scrap|drop|ignore|skip|stop|quit|lose)\s+(?:about\s+|with\s+)?(?:the|that|my)\s+"
        rf"(?!small\s+talk\b(?!\s+{_ACT}\b)){_WHAT}\s+{_ACT}\b",
    ),
    ("any", rf"(?:that's\s+)?enough\s+(?:with|of)\s+(?:the|that|this|your)\s+{_WHAT}\s+{_ACT}\b"),
    (
        "any",
        rf"(?:the|my|that)\s+{_ORDERED}\s+{_NAMING}\s+{_WHAT}\s+(?:no\s+longer\s+(?:applies|apply|holds?|stands?)"
        r"|(?:is|are)\s+(?:off|lifted|cancell?ed|void))\b",
    ),
)
_FREES_DE: tuple[tuple[Takes, str], ...] = (
    (
        "order",
        rf"(?:du\s+(?:musst|brauchst)|(?:musst|brauchst)\s+du)\s+{_AGAIN_DE}nicht\s+mehr\s+{_WHAT}{_END}",
    ),
    ("order", rf"du\s+(?:musst|brauchst)\s+{_AGAIN_DE}keine?n?\s+{_WHAT}\s+mehr\b"),
    (
        "order",
        r"(?:das\s+mit\s+)?(?:de[rmn]|die|das|den)?\s*"
        rf"{_WHAT}\s+(?:kannst|darfst|brauchst)\s+du\s+{_AGAIN_DE}(?:weg|sein\s*)?lassen\b",
    ),
    (
        "order",
        rf"du\s+(?:kannst|darfst)\s+{_AGAIN_DE}{_WHAT}\s+(?:wieder\s+|jetzt\s+)?(?:weg|sein\s*)lassen\b",
    ),
    ("ban", rf"du\s+(?:kannst|darfst)\s+(?:jetzt\s+|ab\s+jetzt\s+)?(?:gerne?\s+)?wieder\s+{_WHAT}{_END}"),
    ("ban", rf"{_WHAT}\s+(?:ist|sind)\s+(?:jetzt\s+)?wieder\s+(?:ok|okay|erlaubt|in\s+ordnung|willkommen)\b"),
    ("ban", rf"(?:ab\s+(?:jetzt|sofort)\s+wieder|wieder\s+auf|zurück\s+zu[mr]?)\s+{_WHAT}\s+bitte{_END}"),
    ("any", rf"vergiss\s+(?:das\s+mit|die\s+{_ORDERED_DE}\s+(?:mit|zu|über|von|für))\s+{_WHAT}{_END}"),
    ("any", rf"(?:du\s+kannst\s+das\s+mit|das\s+mit)\s+{_WHAT}\s+(?:kannst\s+du\s+)?vergessen\b"),
    ("any", rf"die\s+{_ORDERED_DE}\s+(?:mit|zu|über|von|für)\s+{_WHAT}\s+gilt\s+nicht\s+mehr\b"),
)
_FREES_ZH: tuple[tuple[Takes, str], ...] = (
    ("order", rf"(?:不用|不必|无需|不需要)再{_WHAT_ZH}{_END_ZH}"),
    ("length", rf"(?:回答|回复|答案)(?:都)?(?:可以|能)(?:写得?)?({_LONG_ZH})了?"),
    ("ban", rf"(?:又可以|可以再|可以重新|可以继续){_WHAT_ZH}{_END_ZH}"),
    ("ban", rf"{_WHAT_ZH}(?:现在|又|重新|也){{0,3}}可以(?:再|又|重新|继续)?用了"),
    (
        "ban",
        r"(?:可以|我们|咱们?|那|就){0,4}(?:换回|改回|切回|变回|恢复(?:成|到|用)?|还是用|还是说|重新用)(?:用|说)?"
        rf"({LANGUAGE_ZH}|公制|英制|摄氏度?|华氏度?)(?:来)?(?:回答|回复|交流|聊天|单位)*(?:吧|了|好了|就好|就行)*(?=[，。,！]|$)",
    ),
    (
        "any",
        r"(?:忘掉|忘了|取消|撤销|撤回|不用管|别管)(?:之前|以前|刚才|我|说过?的?|定的?|提的?)*(?:关于|有关)?"
        rf"{_WHAT_ZH}{_ORDERED_ZH}",
    ),
    ("any", rf"(?:之前)?(?:关于|有关)?{_WHAT_ZH}{_ORDERED_ZH}(?:取消|作废|撤销|不算)(?:了|吧)?"),
)
# These order something beside what they take back.
_TELL = (
    r"(?:you\s+can\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?"
    r"|I(?:'d\s+like|\s+want|\s+need)\s+you\s+to\s+)?"
)
_ORDERS: tuple[tuple[Takes, str], ...] = (
    ("thing", rf"{_TELL}(?:stop|quit)\s+(?:it\s+)?with\s+(?:the|all\s+the|those|your)\s+{_WHAT}{_ENDED}"),
    ("order", rf"{_TELL}(?:stop|quit)\s+{_WHAT}{_END}"),
    ("thing", rf"(?:no\s+more|(?:quit|enough)\s+with\s+the|lay\s+off\s+the)\s+(?!than\b){_WHAT}{_ENDED}"),
    ("thing", rf"(?:drop|lose|ditch|skip|leave\s+out)\s+the\s+{_WHAT}{_ENDED}"),
    ("thing", rf"I\s+(?:don't|dont|do\s+not)\s+(?:want|need)\s+any\s+more\s+{_WHAT}{_ENDED}"),
    ("order", rf"{_NO_NEED}\s+to\s+{_WHAT}{_ENDED}"),
    ("thing", rf"{_NO_NEED}\s+for\s+{_WHAT}{_ENDED}"),
    ("order", rf"(?:don't|dont|do\s+not|never)\s+{_WHAT}(?:{_NO_MORE}|\s+again\b)"),
    (
        "order",
        r"(?:I\s+(?:don't|do\s+not)|(?:the\s+)?user\s+(?:doesn't|does\s+not))\s+want\s+(?:you\s+to\s+)?"
        rf"{_WHAT}{_NO_MORE}",
    ),
    # With another preposition the order is for a case: "use tables in mails instead of lists".
    (
        "order",
        rf"{_TELL}(?:use|give\s+me|show|write|answer|reply|respond|speak|call\s+me|address\s+me\s+as)\s+(?:in\s+)?"
        r"(?:(?!(?:in|on|for|with|to|when|if|at)\b)[\w'-]+\s+){1,3}(?:instead\s+of|rather\s+than)\s+"
        rf"{_WHAT}{_END}",
    ),
)
_ORDERS_ZH: tuple[tuple[Takes, str], ...] = (
    ("order", rf"(?:(?:叫我|用)[^，。]{{1,8}}[，,])?(?:不要|别|不许)再{_WHAT_ZH}{_END_ZH}"),
    ("order", rf"(?:(?:叫我|用)[^，。]{{1,8}}[，,])?(?:不要|别|不许){_WHAT_ZH}了(?=[，。,；！]|$)"),
    ("order", rf"(?:回答|回复|都)*用[^，。在]{{1,8}}?[，,]?而不是{_WHAT_ZH}{_END_ZH}"),
)
# That a sentence goes on with an order, and not with why or with thanks.
_MORE = re.compile(
    r"(?:\s+(?:again|from now on|please|any ?more|now|at all))*\s*(?:[,;:–—-]+\s*|\s+and\s+)"
    r"(?!(?:(?:so|but|then)\s+)?(?:I|I'm|it|it's|we|they|that|this|because|since|as|thanks|thank|cheers|great|good"
    r"|nice|please\W*$|ok|okay|from now on|danke|weil|denn|da|das|ich|er|sie|es|wir|mein\w*)\b)[a-zäöü]"
    r"|了?[，,；](?:请|以后|直接|改|就|都|只|要|给|用|写|把|按|叫)",
    re.IGNORECASE,
)


def _any(lead: str, forms: tuple[tuple[Takes, str], ...]) -> re.Pattern[str]:
    return re.compile(rf"^{lead}(?:{'|'.join(form for _, form in forms)})", re.IGNORECASE)


# The rules look for what only takes back; the rest are orders to them.
FREES, FREES_DE, FREES_ZH = _any(_LEAD, _FREES), _any(_LEAD_DE, _FREES_DE), _any(_LEAD_ZH, _FREES_ZH)
_TABLES = (
    (_FREES, FREES, False),
    (_FREES_DE, FREES_DE, False),
    (_FREES_ZH, FREES_ZH, False),
    (_ORDERS, _any(_LEAD, _ORDERS), True),
    (_ORDERS_ZH, _any(_LEAD_ZH, _ORDERS_ZH), True),
)
