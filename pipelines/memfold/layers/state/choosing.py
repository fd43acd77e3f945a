"""Which notes are entries of a state, and in what words. Few and right beats many: what an engine without a model notes
is the user's own sentences, with requests and courtesies around what they say. Knows no history."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memfold.extract.contract import NOTHING
from memfold.layers.orders import Heard
from memfold.text.cued import cued
from memfold.text.small_talk import brief, telling

# What the first key of an entry begins with that puts another right: the mark of that other's text (`layers.replaced`).
RIGHT = "instead|"
# The kind of the row of an exchange that has no topic. It counts as said, so the last exchange is the last.
ASIDE = "aside"
# The most characters of an entry, and of a topic.
TEXT, TOPIC = 220, 140

# Kinds of entries by the kinds of notes they are made of; orders of the user are requirements.
KINDS: Mapping[str, str] = {
    "instruction": "requirement",
    "preference": "requirement",
    "constraint": "constraint",
    "excluded": "excluded",
    "decision": "conclusion",
    "fact": "fact",
    "question": "question",
    "correction": "correction",
}


class Pick(NamedTuple):
    """What was chosen of a note: the kind of entry it becomes, and its words."""

    kind: str
    text: str
    about: str | None = None
    reason: str | None = None


def topic(summary: str, made_by: str) -> Iterator[Pick]:
    """What an exchange is about, from its summary; an exchange of thanks, praise and farewells is an aside, and so is
    one word that only answers: "My pick!", "Ben: correct"."""
    tells = telling(summary)
    text = _first(tells or summary)
    if made_by != NOTHING and len(text) > 3:
        yield Pick("topic" if tells and not brief(tells) else ASIDE, text)


def settles(said: Sequence[str], told: Callable[[str], tuple[str, str]]) -> Iterator[Pick]:
    """That the user says of what was open that it is done; `told` tells their own words."""
    for text in said:
        # Four texts of five have none of these words, and looking for the phrases takes as long as all else here.
        low = text.lower()
        if any(word in low for word in _DONE) and (match := _SETTLED.search(told(text)[0])):
            yield Pick("settled", match[0].strip()[:TEXT])
            return


def entry(note: Mapping[str, Any], heard: Heard, *, order: bool) -> Iterator[Pick]:
    """The entry that a note gives, if it gives one. `heard` are the user's words; `order` says that the note is an
    order of theirs (`memfold.layers.orders`)."""
    kind = KINDS.get(note["kind"])
    if kind is None or (kind == "requirement" and not order):
        return
    if note["said_by"] == "assistant":
        # What the assistant told is a fact; what it advises is nobody's decision.
        if kind != "fact":
            return
    elif note["said_by"] not in (None, "user") or not heard.says(note["text"]):
        return
    if kind != "requirement" and (_unmeant(note["text"], heard.own_text) or _of_others(note["text"], kind)):
        return
    text = required(note["kind"], note["text"]) if kind == "requirement" else concise(note["text"], kind)
    if (
        not text
        or (kind in _JUNK and _JUNK[kind].search(text))
        or (kind == "constraint" and (_abstract(text) or _unlimited(text)))
    ):
        return
    verbatim = _OWN_VOICE.search(text) is not None
    if verbatim and kind in _NEEDS and not _NEEDS[kind].search(text):
        return
    if note["kind"] == "preference" and verbatim and not _LIKING.search(text):
        return
    reason = note["reason"]
    if reason and (kind == "requirement" or (text.endswith(reason) and len(reason) * 2 > len(text))):
        reason = None
    yield Pick(kind, text, note["about"], reason)


def required(kind: str, text: str) -> str:
    """What an order of a kind requires, in the words of its entry."""
    return text if kind == "instruction" else concise(text, "requirement")


def told(note: Mapping[str, Any]) -> Iterator[Pick]:
    """The entry of a note that a program filed: its kind was chosen, and its words are no sentence around it."""
    if (kind := KINDS.get(note["kind"])) is not None:
        yield Pick(kind, note["text"], note["about"], note["reason"])


def concise(text: str, kind: str) -> str:
    """A note without what leads to it, what is asked behind it, and of a long constraint only what limits; empty where
    nothing is left that says something."""
    for _ in range(3):
        shorter = _LEADS.sub("", text, count=1).strip()
        if shorter == text:
            break
        text = shorter
    if _REQUEST.match(text):
        asked = _ENSURING.match(text)
        if asked is None:
            return ""
        text = text[asked.end() :]
    cut = _TAIL.search(text)
    if cut and cut.start() >= (15 if text.isascii() else 6):
        text = text[: cut.start()]
    if kind == "constraint" and (len(text) > TEXT // 2 or _TELLS.match(text)):
        limits = [part for part in clauses(text) if limiting(part)]
        text = "; ".join(limits) or text
    text = text.strip(" ,;:，；：")
    if len(text) > TEXT:
        text = text[: TEXT - 1].rsplit(" ", 1)[0] + "…"
    return text[:1].upper() + text[1:] if len(text) >= _LEAST else ""


def clauses(text: str) -> list[str]:
    """The clauses of an entry, which say one thing each."""
    return [part.strip() for part in _CLAUSES.split(text) if part.strip()]


def limiting(clause: str) -> bool:
    """Whether a clause says a limit."""
    return _LIMIT.search(clause) is not None


def _unmeant(text: str, said: str) -> bool:
    """Whether a note's words are asked and denied, or taken back as a joke, where the user said them."""
    place = said.find(text.rstrip("…"))
    behind = said[place + len(text) :][:40] if place >= 0 else ""
    return (
        _JOKE.search(text) is not None or _ASKED.match(behind) is not None or _JOKE.match(behind) is not None
    )


def _of_others(text: str, kind: str) -> bool:
    """Whether a limit is somebody else's. What others may not eat limits who cooks for them."""
    return kind == "constraint" and _THEIRS.match(text) is not None and _DIET.search(text) is None


def _abstract(text: str) -> bool:
    """Whether a limit is one of mathematics: of no money, measure or things, or of a variable."""
    return bool(_LIMITS.search(text)) and (bool(_VARIABLE.search(text)) or not _AMOUNT.search(text))


def _unlimited(text: str) -> bool:
    """Whether what looks like a limit limits nothing: it was reached, or only has a limit's word in it."""
    limits = [part for part in clauses(text) if limiting(part)] or [text]
    return all(_NO_LIMIT.search(part) for part in limits)


def _first(summary: str) -> str:
    text = _LEADS.sub("", _COURTESY.sub("", summary).strip()).strip()
    text = text[:1].upper() + text[1:]
    if len(text) > TOPIC:
        ends = [match.end() for match in _ENDS.finditer(text[:TOPIC])]
        text = text[: ends[-1]] if ends and ends[-1] > 30 else text[: TOPIC - 1].rsplit(" ", 1)[0] + "…"
    return text


_LEAST = 4
_ENDS = re.compile(r"[.!?](?=\s)|[。！？]")
_COURTESY = re.compile(
    r"^(?:(?:hi|hello|hey|thanks|thank you|ok(?:ay)?|sure|great)\b[^.,!?]{0,30}[.,!?]\s*)+", re.I
)
# Not in a number: of "up to £240,000" the state held £240. "It's now …" is said of what stands before it.
_CLAUSES = re.compile(
    r"(?:,(?!\d)|(?<!\d),)(?!\s*it(?:['’]s| is) now\b)\s*(?:and|but|so|which|while|plus)?\s*|;\s*"
    r"|\s+(?=and I(?:'ve| have|'m| am| need| want)\b)|[，；]"
)
_LIMIT = re.compile(
    r"\b(?:must|cannot|can't|deadline|budget|limit|cap|under|within|at (?:most|least)|no (?:more|less"
    r"|later|fewer)"
    r"|maximum|minimum|below|above|exceed|only|allergic|due|required|not allowed|afford)\b"
    r"|必须|不能|不得|最多|至少|不超过|预算|截止|上限|以内|只能|过敏|之前|控制在|不低于",
    re.IGNORECASE,
)
_LEADS = re.compile(
    r"^(?:(?:and|but|so|also|plus|since|because|as|given|considering|especially|particularly|well"
    r"|ok(?:ay)?|now|though"
    r"|while|however|by the way|btw|remember|keep in mind|note|then|means|even though|the fact"
    r"|I know)\b[\s,]*"
    r"(?:that\b\s*)?(?:since\b\s*|given\b\s*)?"
    r"|I(?:'m| am) (?:also )?(?:trying|hoping|looking|aiming|working) to (?:meet|stick to|keep to|hit)\s+"
    r"|I(?:'m| am) (?:kinda |kind of |also |currently |really )?(?:trying|hoping|looking|aiming) to\s+"
    r"|(?:但是?|不过|而且|所以|因为|然后|另外|对了|其实)[，,\s]*)",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please\s+)?(?:can|could|would|will) (?:you|someone|I|we)\b|(?:please )?(?:help|remind) (?:me|us)\b"
    r"|what\b|how\b"
    r"|which\b|why\b"
    r"|(?:do|does|is|are|should) (?:you|I|we|it|this|there)\b|I(?:'d| would)? (?:need|want|like"
    r"|love) (?:you|some help|help)\b"
    r"|(?:请问?|能不能|能否|可以|你能|怎么|如何|为什么|帮我)",
    re.IGNORECASE,
)
# "Sold the place? No — I withdrew." That a clause ends in a question alone says nothing: in 34 of 34 rows of BEAM it
# was a premise ("any tips, considering I've declined the offer?").
_ASKED = re.compile(
    r"[\s\"'”’)]*[?？]+\s*(?:(?:no|nope|nah|never)(?=\s*(?:[,.!;—–-]|$|way\b))|of course not\b"
    r"|(?:不是|没有|才不)(?=[，。！]|$))",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"(?:^|[.!?…,;—–-]+)\s*(?:(?:just |only )?(?:kidding|joking)|jk|(?:just )?(?:a )?joke|haha,? no|lol,? no"
    r"|of course not)\b(?=\W*(?:$|[.,;!…—–-]))|(?:^|[。！，…]+)(?:开玩笑|逗你玩|骗你的|才怪)",
    re.IGNORECASE,
)
_ANYONE = (
    r"(?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc\w+|son|daughter|brother|sister|mother|father|mom|mum|dad"
    r"|parents|uncle|aunt|cousin|nephew|niece|grand\w+|friend|neighbou?r|boss|manager|colleague|co-?worker|roommate"
    r"|flatmate|classmate)"
)
# "He's got a project with a £90k budget", "my boss must finish her slides", "Tom has a budget for his kitchen".
_THEIRS = re.compile(
    r"(?:(?:and|but|so|also|well)\s+)?"
    r"(?:(?:he|she)(?:['’]s|\s+(?:\w+ly\s+)?(?:has|had|must|needs|can|cannot|can['’]t))\b"
    rf"|(?:my|our)\s+(?:\w+\s+)?{_ANYONE}(?:\s+(?-i:[A-Z][a-z]+))?(?!.*\b(?:I|we|me|us)\b)"
    r"(?:['’]s\s+(?:got|budget|limit|deadline)\b|\s+(?:has|had)\s+(?!to\b)|\s+(?:\w+\s+){1,4}?(?:his|her)\b)"
    r"|(?-i:[A-Z][a-z]+)\s+has\s+an?\s+(?:\w+\s+)?(?:budget|limit|deadline)\b.*\b(?:his|her)\b)",
    re.IGNORECASE,
)
_DIET = re.compile(
    r"\b(?:allerg\w+|vegetarian|vegan|lactose|gluten|diabetic|coeliac|celiac|eat)\b", re.IGNORECASE
)
_ENSURING = re.compile(r".*?\b(?:make sure|ensure|so that|while)\s+(?:that\s+)?(?:(?=\w))", re.IGNORECASE)
_TAIL = cued(
    re.compile(
        r"[,;.]?\s*(?:\b(?:and|but|so|which is why|then)\s+)?(?:\bany (?:help|advice|tips?|guidance"
        r"|suggestions?|ideas?)\b"
        r"|\b(?:can|could|would) (?:you|someone|I)\b|\bplease (?:help|advise|let)\b|\bI(?:'d"
        r"| would) (?:love|like|appreciate)\b"
        r"|\bI was wondering\b|\b(?:what|how) (?:do|should|can|would|could)\b|\bhere(?:'s| is| are)\b"
        r"|\bdo you (?:think|have|know)\b"
        r"|\blet me know\b|\bI(?:'m| am) not (?:really |quite |entirely )?sure\b|\bI need (?:some )?help\b"
        r"|\bI want to make sure\b"
        r"|\bI(?:'m| am) (?:looking for|wondering|hoping|worried|trying)\b|\bso I(?:'m"
        r"| am) starting from scratch\b"
        r"|\b(?:and|so) I (?:was|am) (?:just )?(?:wondering|asking)\b"
        r"|[，,]?(?:你能|能不能|能否|请问|怎么办|你觉得|该怎么|可以帮))",
        re.IGNORECASE,
    ),
    "any |can |could |would |please |i'd |wondering|what |how |here|do you|let me|i'm |i am |i need|i want|i was ",
)
_ME = r"(?:I|we)(?:'m|'re|'ve| am| are| have)?\b"
_JUNK: Mapping[str, re.Pattern[str]] = {
    # A question for the assistant, answered as soon as it is asked, is nothing that stands open between the two.
    "question": re.compile(
        rf"\b{_ME}[^,;]{{0,40}}?(?:sure|unsure|wonder(?:ing)?|certain|clear|know|confused)\b[^,;]{{0,12}}?\b"
        r"(?:how|what|where|why|when|who|about|it|if (?:this|that|it|there|my|I)\b|whether (?:this|that"
        r"|it|there|my)\b"
        r"|that (?:this|it|I))"
        r"|\bhow (?:to|do|can|should)\b.{0,120}\?|\b(?:best|right|correct|optimal|good) (?:way|approach"
        r"|one)\b"
        r"|不(?:太)?(?:确定|知道)(?:该)?(?:怎么|如何|为什么|什么)",
        re.IGNORECASE,
    ),
    "fact": re.compile(
        r"\bstarting from scratch\b|\blogical contradiction\b|\b(?:in|into|with|on|for|about) (?:this"
        r"|that|it)(?: project)?$"
        r"|\bI(?:'ve| have) (?:started|created|written|known|tried)\b|\bI(?:'m| am) an? (?:bit|little|loss)\b"
        r"|^(?:like|similar|it|the one|as|such|I (?:studied|worked) on)\b|\\",
        re.IGNORECASE,
    ),
    "correction": re.compile(
        r"^(?:like|similar|it|the one|I (?:studied|worked) on)\b|\\|\bthen I corrected\b", re.IGNORECASE
    ),
    "conclusion": re.compile(
        r"^.{0,30}\b(?:on|with|for|to) (?:it|this|that|them)\W*$|\\"
        r"|\b(?:the|this|that|your|two|one|first|second|option|approach|example|step)s? (?:\w+ )?"
        r"(?:you (?:\w+ )?(?:provided|gave|suggested|mentioned|shared|described|proposed|listed)|\d+)\b"
        r"|^let's (?:go|stick) with exploring",
        re.IGNORECASE,
    ),
    "excluded": re.compile(
        r"\bnot using\b.{0,80}\b(?:correctly|consistently|properly|right|enough)\b"
        r"|\bmoved away from (?:it|this|that)\b|\\",
        re.IGNORECASE,
    ),
    # What was measured limits nothing, nor does a case that is only supposed, nor mathematics (`_abstract` too).
    "constraint": re.compile(
        r"\b(?:currently|takes?|took|getting|returns?|error|exception|calculated|checked|corrected"
        r"|states|ratio)\b"
        r"|converge|[\\∈²³λ]|[a-z]\([a-z]|\w=\w|^(?:if"
        r"|we know|similar|like|was|is|are)\b",
        re.IGNORECASE,
    ),
}
# "I can only imagine", "reduced the latency to under 100 ms", "made a budget spreadsheet": 21 of 122 constraints.
_NO_LIMIT = re.compile(
    r"\b(?:can|could) only (?:imagine|hope|guess|wonder|assume|agree|dream|recommend|say|speak)\b"
    r"|^\W*(?:(?:and|but|so|since|that) )*(?:I|we)(?:['’](?:ve|d)| have| had)? (?:\w+ly |already |also |just |since "
    r"|even )*(?:(?:reduced|cut)(?! (?:the|our|my) (?:\w+ )?(?:budget|limit|quota|cap|maximum|deadline)\b)"
    r"|boosted|improved|tested|received|created|built|added|been trying|tried|found(?! out)|heard"
    r"|managed to|planned to|passed|hit|reached|made an?)\b"
    r"|\bbudget(?:ing)? (?:spread)?(?:sheet|app|template|tracker|planner|proposal|report|meeting|review|talk"
    r"|discussion)s?\b"
    r"|(?:^|\band )(?:it|this|(?:the |my |our )?(?:page|app|site)) (?:now )?(?:loads|runs|responds|returns|finishes)"
    r" (?:within|under|below)\b"
    r"|\bwhat happens if\b|\bcan['’]t be both\b|^(?:specifically )?when\b",
    re.IGNORECASE,
)
_LIMITS = re.compile(r"\blimit (?:is|of|point|as)\b|\bthe limit\b", re.IGNORECASE)
_VARIABLE = re.compile(r"\bas [b-hj-z]\b|[→∞]", re.IGNORECASE)
# Money, a share, or a number with what it counts: "$900", "500 euros", "20MB", "12 guests", "500元"; not "0 when".
_AMOUNT = re.compile(
    r"[$€£¥]\s*\d|\d\s*[$€£¥%]|\d\s*(?!(?:as|when|if|for|and|or|but|so|at|from|in|on|by|of|is|to|since"
    r"|because|then|where|which|while|with|plus|minus|times)\b)[^\W\d_]{2}|\d\s*[一-鿿]",
    re.IGNORECASE,
)
# An imperative asks the assistant for something; what limits it stands behind.
_TELLS = re.compile(
    r"(?:provide|give|show|explain|suggest|recommend|tell|create|make|write|find)\b", re.IGNORECASE
)
_LIKING = re.compile(
    # Of a mere liking, what answers are to be like: "I like sardines" requires nothing.
    r"\b(?:prefer\w*|preference\w*|favou?r\w*|rather|want|keen|inclined|works best|suits"
    r"|(?:like|love|enjoy|hate|dislike|fan)\b[^.;!?]*\b(?:you|answers?|repl(?:y|ies)|responses?|explanations?"
    r"|examples?|lists?|tables?|bullets?|summar(?:y|ies)|sources|emojis?))\b"
    r"|喜欢|偏好|偏爱|宁愿|宁可|最爱|讨厌|愿意|倾向|习惯|不想|受不了|爱",
    re.IGNORECASE,
)
_OWN_VOICE = re.compile(r"\b(?:I|I'm|I've|we|we've|my)\b|我", re.IGNORECASE)
_SPECIFIC = re.compile(
    r"\d|\b(?:never|name|live|born|vegetarian|vegan|married|single|allergic)\b|(?<=\S )[A-Z][\w&-]+"
    r"|\bI(?:'m| am) an?\b"
    r"|[一-鿿]",
)
# What an entry in the user's own words must have.
CHOICE = re.compile(
    r"\b(?:whether|which|between|or|vs|versus|undecided|decide[ds]?|torn|debating|tbd|hesitating)\b"
    r"|还是|哪|要不要|是否|待定|没定|没决定|没想好|没确定|纠结|犹豫|拿不定",
    re.IGNORECASE,
)
_NEEDS: Mapping[str, re.Pattern[str]] = {"fact": _SPECIFIC, "correction": _SPECIFIC, "question": CHOICE}
_DONE = (
    *(
        "resolved",
        "fixed",
        "solved",
        "sorted",
        "worked",
        "works now",
        "the trick",
        "figured out",
        "got it working",
    ),
    *("解决", "搞定", "修好", "可以了", "行了", "成功了"),
)
_SETTLED = re.compile(
    r"\b(?:that|it|this|everything|the (?:issue|problem|bug|error|fix))(?:'s| is| was|'s been| has been"
    r"| now)*\s+"
    r"(?:(?:all |finally |now |fully )*(?:resolved|fixed|solved|sorted(?: out)?)|worked|works now"
    r"|did the trick)\b[^.!?\n]{0,80}"
    r"|\bI(?:'ve| have)? (?:finally |just |already )*(?:fixed|solved|resolved|sorted out|figured out"
    r"|got it working)\b"
    r"[^.!?\n]{0,80}"
    r"|[^，。！？\s]{0,10}(?:问题|错误|这个)[^，。！？\n]{0,10}(?:解决了|修好了|搞定了)"
    r"|(?:已经|终于)(?:解决|搞定|修好)了?"
    r"|(?:这样|这)(?:就)?(?:可以了|行了|成功了)",
    re.IGNORECASE,
)
