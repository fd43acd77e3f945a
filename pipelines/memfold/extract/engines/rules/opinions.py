"""What a sentence of the user says of things: object, aspect, how good or bad, and how firmly.

Be choosy: a wrong belief outlives its sentence. Only what the user states themselves counts ("I hate the packaging",
"the coffee tastes great", "我不喜欢茶的味道"), clause by clause, so that what stands behind a "but" is judged by
itself; questions, wishes, conditions, requests and what others say or like give nothing, nor does a thing that is
neither pointed at ("the", "my", "这") nor known by kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memfold.extract.engines.rules.rule import at_words, compiled
from memfold.extract.engines.rules.sentiment import VERDICT, polarity
from memfold.text.aspects import ASPECTS, TYPES, aspect, bare, kind
from memfold.text.calendar import MONTH_NAMES, WEEKDAYS
from memfold.text.scripts import HAN
from memfold.text.sentences import Sentence
from memfold.text.terms import lexicon

# How much a statement counts as evidence: one of liking or disliking, a judgement, and either of them hedged.
STATED, JUDGED, HEDGED = 1.0, 0.8, 0.4
# "Okay" is .41 and "not boring" .43: less is no opinion.
LEAST = 0.42
# Of one sentence, a review gives its first few.
MOST = 4
# The most words of a judgement after its verb, and of the name of a thing.
REACH = 3
# Aspects that are things of their own where nothing was judged before.
ALONE = frozenset(["commute", "weather", "workload", "management", "music"])
WORDS = 4


@dataclass(frozen=True, slots=True)
class Opinion:
    """`start` and `end` are of the clause in the sentence's text; `object` "" is whatever was judged before."""

    object: str
    aspect: str
    polarity: float
    strength: float
    start: int
    end: int
    reason: str | None = None


def opinions(sentence: Sentence, before: str = "", head: int = 0) -> list[Opinion]:
    """The opinions in a sentence; `before` is the object that the sentence before it judged, for "the taste" alone, and
    `head` how many characters in front name its speaker."""
    text = sentence.text
    said = text[head:]
    if _NOT_SAID_ZH.search(said) if sentence.chinese else _not_said(said):
        return []
    found: list[Opinion] = []
    of = before
    for start, end, because in _clauses(text, head, _CUT_ZH if sentence.chinese else _CUT):
        if because and found:
            found[-1] = _because(found[-1], text[start:end])
        read = _chinese(text[start:end]) if sentence.chinese else _english(text[start:end])
        if read is None or (because and found and not read[0]):
            continue
        name, what, value, strength = read
        if not name and not of and strength == STATED and what in ALONE:
            name, what = what, ""
        # "It" is what this sentence judged; "the taste" may be of what the one before did.
        name = name or (of if what or found else "")
        of = name or of
        if name and abs(value) >= LEAST:
            found.append(Opinion(name, what, value, strength, start, end))
    return found[:MOST]


def parts(name: str) -> tuple[str, str]:
    """A name as the object and its aspect: "the taste of this coffee" is ("coffee", "taste"); an aspect that is said
    alone has the object ""."""
    said = _named(name.strip(" ,.!，。！\"'“”"))
    for pattern in _SPLITS:
        match = pattern.match(said)
        if match:
            thing, what = _named(match["thing"]), _named(match["what"])
            if _EMPTY.match(thing):  # the view from the top is one thing
                continue
            # Neither a sense of purpose nor the rush of the water is judged apart from it; the stay at a hotel is.
            part = kind(what) or match.groupdict().get("link") != "of" or _OWN.match(match["thing"])
            if what in ASPECTS or (kind(thing) and part) or not thing.isascii():
                return thing, aspect(what)
    if said in ASPECTS and said not in TYPES:
        return "", ASPECTS[said]
    head, _, last = said.rpartition(" ")
    if head and last in ASPECTS and (kind(head) or last not in TYPES):
        return head, ASPECTS[last]
    match = _JOINED_ZH.match(said)
    if match and match["what"] not in TYPES:
        return _named(match["thing"]), aspect(match["what"])
    return said, ""


def _because(opinion: Opinion, reason: str) -> Opinion:
    return Opinion(
        opinion.object, opinion.aspect, opinion.polarity, opinion.strength, opinion.start, opinion.end,
        reason.strip(" ,.!，。！") or None,
    )  # fmt: skip


def _named(name: str) -> str:
    said = bare(_PAST.sub("", name.strip()))
    return _FRESH.sub("", said).removesuffix("'s").strip()


def _clauses(text: str, head: int, cut: re.Pattern[str]) -> Iterator[tuple[int, int, bool]]:
    """Where each clause behind `head` starts and ends, and whether it gives the reason of the one before."""
    at, because = head, False
    for match in cut.finditer(text, head):
        if match.start() > at:
            yield at, match.start(), because
        at, because = match.end(), bool(match["because"])
    if at < len(text):
        yield at, len(text), because


# ------------------------------------------------------------------------------------- English

_ASKS = compiled(
    r"""\W*(?:if|unless|whether|suppose|imagine|please|can|could|would|should|do|does|did|is|are|how|what
      |which|who|why|when|where|write|give|tell|show|help|make|add|use|create|explain)\b"""
)
_OTHERS_SAY = at_words(
    r"(?:he|she|they|people|reviews?|customers?)\s+(?:say|says|said|think|thinks|thought|believe)s?\b",
    "chprst",
)
# "The camera is great, night vision a bit grainy".
_SO = r"(?:a\ bit|a\ little|really|way\ too|too|so|very|super|pretty|quite|kinda|kind\ of|not\ so|not\ very)"
_CUT = compiled(
    rf"""(?=[\s,;–—]|\b[abthwy])(?:\s*(?:,\s*)?\b(?:but|although|though|however|whereas|while|yet
        |(?P<because>because))\b,?\s+
      |\s*;\s*|\s*[–—]\s*|\s*,\s+(?=[a-z-]+(?:\ [a-z-]+)?\ {_SO}\ [a-z-]+(?:[.,!]|\W*$))
      |\s*,?\s+and\s+(?=(?:the|its|their|my|our|this|these|I|we|it)\b)
      |\s*,\s+(?=(?:the|its|their|my|our|this|these|I|we|it)\b))"""
)
_LEAD = r"""^\W*(?:(?:and|also|so|well|honestly|overall|personally|actually|still|besides|plus|yes|no|anyway|okay
    |to\ be\ honest|in\ general|I\ have\ to\ say|I\ must\ say|by\ the\ way)\b[,:]?\s+)*"""
_HOW = (
    r"(?:(?:really|absolutely|truly|totally|quite|just|still|also|actually|do|honestly|especially|particularly"
    r"|kind\ of|kinda|sort\ of)\s+)*"
)
# "That sounds great" and "that trip" answer somebody: what the user judges is theirs, or at hand.
_POINTED = r"(?:the|this|these|my|our|its|their)"
_LIKING = compiled(
    rf"""{_LEAD}(?:I|we)(?:'ve|\ have)?\s+{_HOW}
      (?P<how>(?:don't|do\ not|didn't|did\ not|never|no\ longer|can't|cannot)\s+(?:really\s+)?)?{_HOW}
      (?P<verb>loved?|liked?|adored?|enjoy(?:ed)?|hated?|disliked?|loathed?|detest(?:ed)?|stand|bear)
      \s+(?P<thing>(?!to\b|it\s+when\b|how\b|that\b(?!\s\w+\s*$)|you\b|him\b|her\b|them\b|me\b)[^,.!?;:]{{2,80}})"""
)
# "Loved the tram ride": a chat leaves out who did.
_LIKED = compiled(
    rf"""{_LEAD}{_HOW}(?P<how>(?:(?:didn't|did\ not|never)\s+)?)(?P<verb>loved|liked|adored|enjoyed|hated|disliked)\s+
      (?P<thing>(?:the|my|our|its)\s+[^,.!?;:]{{2,80}})"""
)
# Who does not go back there thinks little of it. "I'm never drinking again" names no thing.
_NEVER_AGAIN = compiled(
    rf"""{_LEAD}(?:(?:I|we)(?:'m|'re|'ll|\s+am|\s+are|\s+will|\s+would)?\s+)?(?P<how>never|not)\s+(?:ever\s+)?
      (?:fly(?:ing)?(?:\s+with)?|us(?:e|ing)|buy(?:ing)?(?:\s+from)?|order(?:ing)?\s+from|book(?:ing)?\s+with
        |stay(?:ing)?\s+(?:at|in)|eat(?:ing)?\s+at|go(?:ing)?\s+back\s+to|shop(?:ping)?\s+at
        |watch(?:ing)?)\s+
      (?P<thing>[^,.!?;:]{{2,50}}?)\s+(?P<ever>ever\s+)?again\b"""
)
_NO_NAME = lexicon(
    "i it we you he she they what this that there here my our his her so and but then now today tonight yesterday "
    "mr mrs ms miss dr sir last next one everything nothing life work school god that those all grandma grandpa granny "
    "nana oma opa mam"
) | {*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *MONTH_NAMES}
_NO_BRAND = compiled(
    r"(?:it|this|that|them|him|her|there|these|those|anything|something|anyone|alone|you|home|one|work|drunk|time)\b"
)
_THAT = compiled(r"^(?:that|those)\b(?=\ \w)")
_NEVER = -0.75
_FAN = compiled(
    rf"{_LEAD}(?:I'm|I\ am|we're|we\ are)\s+(?P<how>not\s+)?(?:a\s+)?(?:really\s+)?(?:big\s+|huge\s+)?"
    r"(?:fan|fond)\s+of\s+(?P<thing>[^,.!?;:]{2,80})"
)
_IS = (
    r"(?:is|are|was|were|isn't|aren't|wasn't|weren't|has\ been|have\ been|tastes?|tasted|smells?|smelled|looks?|looked"
    r"|feels?|felt)"
)
_JUDGING = compiled(
    rf"""{_LEAD}(?:(?P<think>(?:I|we)\s+(?:think|find|found|feel|believe|guess|thought))\s+(?:that\s+)?)?
      (?P<thing>it|they|{_POINTED}\s+[^,.!?;:]{{1,60}}?)(?<!'s)\s+(?P<is>{_IS})\s+(?P<said>[^;:?]{{2,80}})$"""
)
# What is called by a name, told by its capitals: a judgement names its kind ("the best film"), or the name has two
# words or a figure, so that it is no person.
_CALLED = re.compile(
    r"(?:(?:The|A|An)\s)?(?!I\b)[A-Z][\w'’&.-]*(?:\s(?:(?:of|the|and|in|to|a|an|at|de|la|le)\s){0,2}(?:[A-Z](?!\b)|\d)[\w'’&.-]*){0,5}"
)
_NAME_IS = compiled(
    rf"{_LEAD}(?:(?:I|we)\s+(?:think|thought|believe|feel)\s+(?:that\s+)?)?(?P<thing>[^,!?;:]{{2,60}}?)\s+(?P<is>is|was|are|were"
    r"|isn't|wasn't)\s+(?P<said>[^;:?]{2,80})$"
)
_GOES_ON = compiled(
    r"\s*(?:[.!,;(…]|$|(?:so|very)\s+much\b|a\s+lot\b|but\b|because\b|when\b|though\b|too\b|btw\b|lol\b|tbh\b|more\b"
    r"|yesterday\b|last\b|last\s+\w+\b|and\s+(?:I|it|the)\b|the\s+most\b)"
)
# "App is the weak spot": a chat leaves out "the". What is good or bad for something is no judgement of somebody's.
_BARE_IS = compiled(
    rf"{_LEAD}(?P<thing>(?:[a-z-]+\s+)?[a-z-]+)\s+(?P<is>is|was|are|were|isn't|wasn't|aren't|weren't|tastes|tasted|looks|smells)"
    r"\s+(?P<said>[^;:?]{2,60})$"
)
_BARE = compiled(rf"^\W*(?P<thing>[a-z-]+(?:\ [a-z-]+)?)\ (?P<said>{_SO}\ [a-z-]+)\W*$")
_ONE = compiled(r"(?:not\ )?(?:such\ an?|an?|the|my)\b")
_FOR = compiled(r"\b(?:for|to|if|when|than|as|in|on|of|enough)\b")
# "I find the course boring": no verb, so the judgement is the last words.
_FINDING = compiled(
    rf"""{_LEAD}(?:I|we)\s+(?:find|found)\s+(?P<thing>{_POINTED}\s+[^,.!?;:]{{2,50}}?)
      \s+(?P<said>(?:(?:very|really|so|quite|rather|too|not|a\ bit|extremely|pretty)\s+)*[a-z-]+)\W*$"""
)
# Where a name ends: what goes on, and what is only said by the way ("pizza lol", "hiking btw").
_STOPS = compiled(
    r"\s*[(<\u2600-\u27bf\U0001f300-\U0001faff].*$|\s+(?:[–—-]|lol|lmao|haha\w*|btw|tbh|imh?o|ngl|tho)(?!\S).*$"
    r"|\s+(?:again|anyway|as\ well|honestly|actually|really|today|tonight|tomorrow|yesterday|right\ now|ever|yet|always"
    r"|please|thanks)\W*$"
    r"|\s+(?:because|when|where|while|after|before|that|which|who|so|if|for|as|and|than|every|even|more|very|a\ lot|now"
    r"|anymore|too|at\ all|to|since|with|during|lately|here|there|these\ days|in\ the\ (?:morning|evening)s?"
    r"|together|hard|each|around|all)\b.*$"
)
_HEDGES = compiled(
    r"\b(?:maybe|perhaps|I\ guess|kind\ of|kinda|sort\ of|a\ bit|a\ little|somewhat|probably|might)\b"
)
_FRESH = re.compile(
    r"^(?:(?:new|old|own|latest|current|whole|first|second|very)\s+|新的?|旧的?|老(?![师板公婆家虎鼠人]))"
)
_PAST = re.compile(
    r"\s+(?:I|we)\s+(?:bought|had|got|ordered|tried|read|saw|watched|use|used)\b.*$", re.IGNORECASE
)


def _not_said(text: str) -> bool:
    """Whether the user only asks, or says what others say."""
    return text.endswith("?") or bool(_ASKS.match(text) or _OTHERS_SAY.search(text))


def _english(clause: str) -> tuple[str, str, float, float] | None:
    if match := _NEVER_AGAIN.match(clause):
        return _shunned(match)
    match = _LIKING.match(clause) or _FAN.match(clause) or _LIKED.match(clause)
    if match:
        said = dict(match.groupdict())
        how, verb = (said["how"] or "").strip(), (said.get("verb") or "like").lower()
        of = thing(said["thing"]) or _called(said["thing"], alone=verb.endswith("ed"))
        if of is None or (verb in ("stand", "bear") and how.lower() not in ("can't", "cannot")):
            return None
        judged = "hate" if verb in ("stand", "bear") else f"{how} {verb}".strip()
        value = polarity(f"I {_adverbs(clause, match)}{judged} it", chinese=False)
        return *of, value, _firm(clause, STATED)
    match = _FINDING.match(clause) or _JUDGING.match(clause)
    if match is None:
        return _named_or_bare(clause)
    if not _VERDICT.match(match["said"]):
        return None
    name = match["thing"]
    it = name.lower().strip() in ("it", "they")
    of = ("", "") if it else thing(name)
    if of is None or _is_state(name) or not (it or of[1] or kind(of[0]) or _OWN.match(name)):
        return _named_or_bare(clause)
    return _judged(clause, match, of)


def _judged(clause: str, match: re.Match[str], of: tuple[str, str]) -> tuple[str, str, float, float]:
    """The judgement in a clause that says what a thing is like."""
    verb = match.groupdict().get("is", "is").lower()
    # What a thing is like stands first: "handled in a file with RESTful routes" says nothing of it.
    judged = " ".join(_HEDGES.sub("", _BUT_WHY.sub("", match["said"].split(",")[0])).split()[:REACH])
    judged = judged.replace("pretty ", "quite ")  # which the library takes for a compliment: "pretty dull"
    # A child that looks lovely has no design.
    of_verb = aspect(verb) if aspect(verb) != verb and kind(of[0]) not in ("person", "animal") else ""
    value = polarity(f"it {verb} {judged}", chinese=False)
    return of[0], of[1] or of_verb or _implied(judged), value, _firm(clause, JUDGED)


def _shunned(match: re.Match[str]) -> tuple[str, str, float, float] | None:
    """Where somebody says that they never go again, or what they never use."""
    name = _THAT.sub("the", match["thing"].strip())
    if match["how"].lower() == "not" and not (match["ever"] or " ever " in match[0].lower()):
        return None
    of = thing(name) or _called(name, alone=True)
    if of is None and len(name.split()) == 1 and name.isalpha() and not _NO_BRAND.match(name):
        of = name.lower(), ""
    # "Never go back to drinking again" is a resolution.
    habit = of is None or of[0].endswith("ing")
    return None if of is None or habit or kind(of[0]) in ("person", "animal") else (*of, _NEVER, STATED)


def _called(name: str, *, alone: bool) -> tuple[str, str] | None:
    """What a name of its own is of. One word may be a person's, unless it is judged in a way that few say of persons
    (`alone`)."""
    match = _CALLED.match(name)
    if match is None or not _GOES_ON.match(name[match.end() :]):
        return None
    words = match[0].rstrip(".").split()
    if (
        words[0].lower().strip(".") in _NO_NAME
        or kind(match[0]) == "person"
        or (len(words) == 1 and not alone)
    ):
        return None
    return bare(match[0].rstrip(".")), ""


def _named_or_bare(clause: str) -> tuple[str, str, float, float] | None:
    """The judgement of what is called by its name, or of a thing that a chat names without "the"."""
    match = _NAME_IS.match(clause)
    if match and _VERDICT.match(match["said"]):
        # "The best film", and not "bad for sleep".
        sort = kind(_FOR.split(match["said"])[0]) if _ONE.match(match["said"]) else ""
        of = _called(match["thing"], alone=sort not in ("", "person", "animal"))
        if of is not None:
            return _judged(clause, match, of)
    if match := _BARE.match(clause):  # of what its sentence judged
        if kind(match["thing"]) in ("person", "animal") or not _VERDICT.match(match["said"]):
            return None
        judged = _HEDGES.sub("", match["said"]).replace("pretty ", "quite ")
        value = polarity(f"it is {judged}", chinese=False)
        return "", aspect(match["thing"]), value, _firm(clause, JUDGED)
    match = _BARE_IS.match(clause)
    if match is None or not _VERDICT.match(match["said"]) or _FOR.search(match["said"]):
        return None
    of = parts(match["thing"])
    known = not of[0] or kind(match["thing"].split()[-1]) in (
        "device",
        "software",
        "food",
        "drink",
        "clothing",
    )
    if not known or _is_state(match["thing"]) or match["thing"].split()[0].lower() in _NO_NAME:
        return None
    return _judged(clause, match, of)


def _is_state(name: str) -> bool:
    """Whether a name stands for a part of somebody's body, or for something measured in a person: "my back", "my son's
    grades"; not "my laptop's memory"."""
    whose = name.rpartition("'s ")[0].split()
    return _STATE.search(name) is not None and (not whose or kind(whose[-1]) == "person")


def thing(name: str) -> tuple[str, str] | None:
    """The object and its aspect that an English name is of; None where it points at nothing that can be told apart: no
    determiner and no known kind, a clause, a long description, what means nothing alone ("progress", "a kind of
    proof"), thanks for what "you" did."""
    pair = _PAIR.match(name)
    if _TELLS.search(name) or (pair and not (kind(pair[1]) or pair[1].lower() in ASPECTS)):
        return None
    name = _STOPS.sub("", name.strip())
    known = bool(_DETERMINED.match(name)) or (len(name.split()) < WORDS and bool(kind(name)))
    if not known or _NO_THING.search(name):
        return None
    found = parts(name)
    if _ITS.match(name):
        return "", aspect(" ".join(found).strip())
    return None if len(found[0].split()) > WORDS or _EMPTY.match(found[0]) else found


def _implied(said: str) -> str:
    """The aspect that a judgement names by itself: "expensive" is of the price."""
    match = _IMPLIES.search(said)
    # Ignoring case also takes "ſlow" and "delicıous", which no table holds.
    return _IMPLIED.get(match[0].lower(), "") if match else ""


_IMPLIED = {
    **dict.fromkeys(
        ["expensive", "overpriced", "cheap", "pricey", "affordable", "贵", "便宜", "实惠", "划算"], "price"
    ),
    **dict.fromkeys(["comfortable", "uncomfortable", "comfy", "舒服", "舒适"], "comfort"),
    **dict.fromkeys(["slow", "sluggish", "fast", "laggy", "慢", "快", "卡顿"], "speed"),
    **dict.fromkeys(["delicious", "tasty", "bland", "好吃", "难吃", "好喝", "难喝", "美味"], "taste"),
}
_IMPLIES = re.compile(
    rf"\b(?:{'|'.join(w for w in _IMPLIED if w.isascii())})\b|{'|'.join(w for w in _IMPLIED if not w.isascii())}",
    re.IGNORECASE,
)
_BUT_WHY = compiled(r"\s+(?:because|since|so\ that|for|to|when|if)\b.*$")


def _adverbs(clause: str, match: re.Match[str]) -> str:
    words = re.findall(
        r"\b(?:really|absolutely|truly|totally|quite|especially|particularly|kind of|kinda|sort of)\b",
        clause[: match.start("thing")],
    )
    return "".join(f"{word} " for word in words)


def _firm(clause: str, strength: float) -> float:
    return HEDGED if _HEDGES.search(clause) else strength


_ITS = compiled(r"^(?:its|their)\b")
_OWN = compiled(r"^(?:my|our)\b")
_NO_THING = compiled(
    r"\b(?:you|your|you're|you've|me|him|them|myself|is|are|was|were|will|would|might|may|could|can|not|what|how|why|I|says?|said|thinks"
    r"|reckons?|told|claims)\b|[\"“”]"
)
# In "the warm and charming nature" the first word is no thing, nor is a speech in "the speech says that …".
_PAIR = compiled(
    r"^(?:(?:the|this|these|those|my|our|its|their)\s+)?([\w-]+)\s+and\s+(?!(?:the|this|these|those|my|our|its|their|an?|I|we"
    r"|it|they|he|she|you|how|that|what|to|am|is|are)\s)[\w-]+\s+(?!(?:it|I|we|they|he|she|you|that|which|who|of|in|on|at|for"
    r"|with|to|from|is|are|was|were|and|or|so|because|when|here|there|too|all|as)\b)\w"
)
_TELLS = compiled(
    r"\b(?:says?|said|shows?|showed|means?|meant|suggests?|proves?|tells?|told)\s+(?:\w+\s+)?that\b"
)
# What stands in a name's front and is of anything, and what means nothing by itself: "the ability to wait".
_EMPTY = compiled(
    r"^(?:(?:goals?|aims?|dreams?|plans?|ways?|thoughts?|ideas?|facts?|kinds?|sorts?|ones?|things?|lot|times?|days?|favou?rites?"
    r"|part|rest|fam|chances?|opportunit(?:y|ies)|same|best|most|first|last|next|others?|following|points?|reasons?|questions?"
    r"|problems?|issues?|answers?|results?|differences?|needs?|hopes?|guess|potential|connections?|love|being|having|taking"
    r"|getting|making|doing|going|living)\b|(?:[\w-]+\s+){0,3}?(?:ways?|things?|ones?|moments?)(?:\s|$)"
    r"|(?:types?|bit|weeks?|months?|years?|weekends?|top|bottom|side|end|beginning|start|responses?|outcomes?|steps?"
    r"|abilit(?:y|ies)|progress|experiences?|responsibilit(?:y|ies)|tasks?|decisions?|details|basics)"
    r"(?:\s+(?:of|in|at|on|for|from|to|with|about|between)\b|$))"
)
# How one's body is, and what is measured, is a fact of the day: "my back is terrible", "my heart rate is good".
_STATE = compiled(
    r"\b(?:arms?|backs?|blood|cancer|cough|ears?|eyes?|eyesight|feet|foot|grades?|hands?|headaches?|health|hearing|hearts?"
    r"|hips?|knees?|legs?|lungs?|marks|memory|nose|pain|pressure|pulse|rates?|scores?|shoulders?|skin|stomach|teeth|throat"
    r"|tooth|vision|wrists?)$"
)
# A judgement stands first. Who is "great at" or "good with" something is able to do it.
_VERDICT = compiled(
    rf"""\W*(?:(?:not|never|no\ longer|so|too|very|really|quite|just|still|also|always|rather|such|as|kind\ of|kinda
      |sort\ of|maybe|perhaps|probably|a\ bit|a\ little|somewhat|super|pretty|been|an?|the|all|even|more|most|way|much
      |(?!(?:love|(?:un)?friend|ug)ly\b)\w{{2,15}}ly)\s+){{0,5}}+
      (?:[\w-]+\s+and\s+)?(?:{VERDICT}|weak\ (?:spot|point|link))\b(?!\s+(?:at(?!\s+all\b)|with)\b)"""
)
_DETERMINED = compiled(r"^(?:the|this|these|those|my|our|its|their)\s+\w")

# ------------------------------------------------------------------------------------- Chinese

_NOT_SAID_ZH = re.compile(
    r"[？?]\s*$|[吗呢]\W*$|怎么样|^\W*(?:如果|要是|假如|假设|希望|但愿|请|帮我|能否|是否|可以|我?想要?|我?需要|打算)"
    r"|(?:他|她|他们|她们|人们|大家|别人|朋友)(?:都)?(?:说|觉得|认为)|评论"
)
_CUT_ZH = re.compile(
    r"[，,；;。！!、]*\s*(?:但是|可是|不过|然而|但|只是|虽然|尽管|而且|(?P<because>因为|由于))|[，,；;。！!]+\s*"
)
_VERY_ZH = r"(?:也|还|真的|真|非常|很|特别|最|一直|十分|太|超级|挺|其实|越来越|都|更)*"
_ZH_ASPECT = "|".join(sorted((w for w in ASPECTS if re.match(f"[{HAN}]", w)), key=len, reverse=True))
_ZH_TYPE = "|".join(sorted((w for w in TYPES if re.match(f"[{HAN}]", w)), key=len, reverse=True))
_LIKING_ZH = re.compile(
    rf"^\W*(?:所以|其实|说实话|总的来说|反正)?我们?{_VERY_ZH}(?P<verb>不(?:太|怎么|再)?(?:喜欢|爱)|喜欢|爱上了?|爱(?![人情心好])|讨厌|厌恶"
    rf"|受不了|热爱|欣赏|享受|痛恨|恨|嫌)(?P<thing>(?![你您他她它们]|去|吃|喝|看|听|做|玩|用)[^，。！？；]{{1,20}})"
)
_POINTED_ZH = r"(?:(?:这|那)(?:[个款家部本台双杯种次件辆门副张间条份碗])?|我们?的?新?|我家的?)?"
_JUDGING_ZH = re.compile(
    rf"^\W*(?P<think>我(?:觉得|认为|感觉))?"
    rf"(?P<thing>{_POINTED_ZH}(?:(?=[\d ]*[A-Za-z])[A-Za-z0-9 ]{{2,20}}|[^的，说他她你对]{{0,4}}?(?:{_ZH_TYPE})))"
    rf"(?:的?(?P<what>{_ZH_ASPECT})|的(?P<other>[{HAN}]{{1,4}}?)(?={_VERY_ZH[:-1]}|不|让|令))?(?P<said>.{{1,24}})$"
)
_ALONE_ZH = re.compile(rf"^\W*(?:它的?|我觉得)?(?P<what>{_ZH_ASPECT})(?P<said>[^的].{{0,24}})$")
_JOINED_ZH = re.compile(rf"^(?P<thing>[^的]{{0,6}}?(?:{_ZH_TYPE}))(?P<what>{_ZH_ASPECT})$")
# What others like, feel and say is theirs.
_LIKED_ZH = re.compile(
    rf"^(?:也|还|都|又|就|上次|今天|昨天)*(?:说(?!话)|问|觉得|认为|建议|告诉)|^的?{_VERY_ZH}不?{_VERY_ZH}(?:喜欢|爱|讨厌|恨|想|要|满意|开心|高兴|失望|担心|生气|紧张|兴奋|自豪|害怕|难过)"
)
_HEDGES_ZH = re.compile(r"可能|也许|大概|好像|有点|有些|还算|稍微")


def _chinese(clause: str) -> tuple[str, str, float, float] | None:
    strength = STATED
    match = _LIKING_ZH.match(clause)
    if match:
        name, what = parts(match["thing"])
        judged = clause[: match.start("thing")]
    elif match := _ALONE_ZH.match(clause):
        name, what, judged, strength = "", aspect(match["what"]), match["said"], JUDGED
    elif (match := _JUDGING_ZH.match(clause)) and not _LIKED_ZH.match(match["said"]):
        judged, strength = match["said"], JUDGED
        name, what = _named(match["thing"]), aspect(match["what"] or match["other"]) or _implied(judged)
    else:
        return None
    return name, what, polarity(judged, chinese=True), HEDGED if _HEDGES_ZH.search(clause) else strength


# A name in two parts, with the groups of the thing and of what of it.
_SPLITS = (
    compiled(
        r"^(?P<what>[^,]{2,30}?)\s+(?P<link>of|at|in|on|from)\s+(?P<thing>(?:the|this|these|my|our|its)?\s*\S.{1,60})$"
    ),
    compiled(r"^(?P<thing>.{2,50}?)(?:'s|s')\s+(?P<what>[^']{2,30})$"),
    re.compile(rf"^(?P<thing>.*?[{HAN}A-Za-z0-9]+)的(?P<what>[{HAN}]{{1,6}})$"),
)
