"""Whether what is said of a date came before the day of saying or comes after it, by the verb of its clause.

In English the nearest verb before the date tells, or else the first one behind it; in Chinese what stands behind. There
is no tagger: words are verbs by these tables and by their endings, and only what is certain is told. Knows no calendar.
"""

from __future__ import annotations

import re
from enum import Enum

from memfold.text.terms import lexicon


class Tense(Enum):
    """`UNCLEAR` is a verb of the past that may not be the date's ("bought a dress for the wedding on Saturday"), and
    `OTHER` one that tells neither: what is, what could be, what was arranged."""

    PAST = "past"
    FUTURE = "future"
    UNCLEAR = "unclear"
    OTHER = "other"


# They tell of the past without a verb, or are rarer verbs of it.
_BACK = lexicon(
    "since ago last previous previously earlier former formerly been increase decrease growth improvement rose arose"
    " bit sought shot spun shone dealt wept crept knelt bent clung fled bred lit overcame understood undertook withdrew"
)
# How far from a date its verb is looked for, in characters.
_REACH = 160


# ---------------------------------------------------------------------------------------- English


_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bvs)[.!?]+[\"')\]*]*(?=\s|\Z)|[\n;。！？；]"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?|\d+|[,:(]", re.IGNORECASE)

_WILL = lexicon(
    "will won't shall gonna must should need needs want wants plan plans planning intend intends hope hopes hoping aim"
    " aims aiming please let's due upcoming"
)
_IS = lexicon("am is are isn't aren't i'm we're you're they're it's he's she's that's there's who's what's")
# What is arranged, if it is told in the present: "we are getting married on Friday".
_COMING = lexicon(
    "going flying leaving getting having meeting moving visiting coming starting hosting arriving travelling traveling"
    " celebrating holding returning launching graduating marrying attending presenting staying seeing opening closing"
)
# "My goal is to finish by June."
_GOAL = lexicon("deadline goal goals target aim plan")
_HAVE = lexicon("have has haven't hasn't having i've we've you've they've")
_WAS = lexicon("was were wasn't weren't had hadn't got felt seemed became stayed kept")
_NEITHER = lexicon(
    "can can't cannot could couldn't would wouldn't may might used do does don't doesn't i'd we'd you'd he'd she'd"
    " they'd happens gets"
)
# "School starts on Friday"; as a verb after a pronoun also "we fly".
_TIMETABLE = lexicon(
    "comes leaves starts begins flies arrives goes lands departs returns opens closes ends moves travels"
)
_TIMETABLE_OF_US = lexicon("come leave start begin fly arrive go land depart return open close move travel")
_PAST = lexicon(
    "did didn't went came saw took gave began ran wrote drove ate drank flew rode sang swam spoke woke broke chose fell"
    " forgot grew knew threw wore stole shook tore rang sank shrank swore froze hid blew drew"
)
# They are participles too, like the regular ones in -ed.
_IRREGULAR = lexicon(
    "met made said found left held brought caught won lost paid sent spent slept sat stood bought built led fed sold"
    " told heard read thought taught meant set learnt stuck struck dug hung swung slid bled swept fought laid lent"
)
# They are participles alone: "fitting done on Friday".
_PARTICIPLE = lexicon(
    "done taken fallen broken written driven eaten seen chosen thrown stolen torn worn woken begun hidden drawn frozen"
    " bitten blown beaten born"
)
# "He's been to Rome on Friday."
_BEEN_TO = lexicon("to at in back out")
# Where it has happened there is no other thing that the date could be of: "the car's broken down on Friday".
_HAPPENED = lexicon("fallen broken died crashed collapsed burst")
# They tell the past and the present in one form, and the past only behind a subject of their own.
_UNMARKED = lexicon("put cut let hit quit shut split burst beat hurt")
# Looked for at every word behind or before a date: joined at each it took a third of the time.
_BARE = _PARTICIPLE | _UNMARKED
_TOLD_BY = _IRREGULAR | _BARE
_ALONE = lexicon("burst quit")
_PARTICLE = lexicon("up down off out back")
# Behind one of these such a verb is not of the past, and a participle is of a verb further before.
_BEHIND_ANOTHER = (
    _WILL
    | _IS
    | _HAVE
    | _NEITHER
    | lexicon("to did didn't let help make be been if when always usually often then")
)
_REGULAR = re.compile(
    r"(?!based|related|united|naked|sacred|wicked|crooked|hundred|ahmed|mohammed|jared|alfred)[a-z]{2,}[^\We]ed"
    r"|agreed|died"
)
# What was told, wanted or arranged on one day may be of another. What was told is of the date right behind it: "she
# told me on Friday", but "she told me the concert on Friday is off".
_REPORTED = lexicon(
    "told said asked mentioned announced noticed realized realised discovered heard learned learnt remembered reminded"
    " proposed accepted confirmed signed registered enrolled"
)
_ARRANGED = _REPORTED | lexicon(
    "scheduled rescheduled booked planned arranged reserved agreed decided moved postponed pushed delayed promised"
    " invited expected hoped wanted needed supposed meant set offered organized organised prepared committed aimed"
    " targeted suggested requested read thought worried added extended shifted changed assigned hired appointed"
    " allowed cancelled canceled estimated intended required projected anticipated allocated recommended"
)
_PRONOUN = lexicon("me us him her them you it up")
# "We moved to Rome on Friday", but "we moved the call to Friday".
_MOVED = ("", "on", "in", "into", "out", "to", "back", "here", "house")
_ADVERB = re.compile(
    r"not|never|also|just|already|finally|both|even|still|ever|(?!family|reply|supply|july|emily)[a-z]+ly"
)
_SUBJECT = lexicon("i we he she they you who which")
_DETERMINER = lexicon(
    "the a an my our your his her their its this that these those some any all no each every new"
)
# Behind these a participle is of a thing ("the finished report", "send signed forms") or of a verb further before.
_NO_SUBJECT = _DETERMINER | lexicon(
    "well more most very so too for with of in on at by from about after before without be been being to and or get"
    " gets getting send make makes use keep see find bring receive submit review provide include buy feel look looks"
)
# "I want it finished by Friday."
_CAUSES = lexicon("want wants need needs get gets getting have has having like make see")
# What stands between a verb of the past and a date that may not be its own.
_OF_ANOTHER = re.compile(
    r"\b(?:about|regarding|whether|until|till|tickets?|invit\w+|reservations?|appointments?|reminders?|bookings?|slots?"
    r"|deadlines?|schedules?|flights?|plans?)\b"
    r"|(?:\w\ and|,)\ (?:i|we|he|she|they|it|you|the|my|our|his|her|their)\b"
    r"|[\w,]\ (?:but|so|because|if|when|which|who|where|while|how|why)\b|\b(?:that|between)\b"
    r"|(?:,|\band|\bbut|\bso)\s*\Z"
    # "He broke his arm, surgery on Friday".
    r"|,\ (?!(?:in|at|to|with|near|again|finally|and|here|there|just|\w+ly|\w+ed)\b)(?:[\w'’-]+\ ){1,3}\Z"
    r"|\bto\ (?:reject|cancel|decline|move|postpone|book|schedule|reschedule|plan|arrange|choose|pick)\b"
    r"|\w\ for\ (?:the|my|our|his|her|their|this|an?)\b"
    r"|\band\ (?:then\ )?(?:take|meet|see|visit|present|join|attend|marry|finish|pick|get|do|have)\b"
    r"|\w\ to\ (?!(?:the|an?|my|our|his|her|their|its|your|this|me|us|him|them|it|you|work|school|bed)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
# "Dad has fallen again, on Friday": behind such a date the clause is over, and the comma opens none.
_OVER = re.compile(r"(?:\ (?:morning|afternoon|evening|night))?\s*(?:[,.!?;)]|\Z)", re.IGNORECASE)
_COMMA = re.compile(r",\s*\Z")
# And between one of the future and a date.
_EARLIER = re.compile(r"\b(?:about|regarding|after|because|as|when|from(?!\s*\Z))\b", re.IGNORECASE)
_OPENING = lexicon("on in by at and but so then also just early late")
_STOPS = lexicon(": but so because if when which who while")


# If something was moved to a date or booked for it, or if the date is free, the date lies ahead, whatever the tense.
# Otherwise "they double booked 20 sept", said in March, would be of the year before.
_SET = re.compile(
    r"""\b(?<!originally\ )(?<!initially\ )(?:
      (?:moved|postponed|rescheduled|pushed|delayed|shifted|booked|reserved|scheduled)
        (?:\ (?!(?:but|and|so|because|when|after|before)\b)[\w'’-]+){0,4}?\ (?:to|for|from|until|till)
      |booked|reserved|(?P<free>free|available)\ on
      |chose|picked|(?:go|going|went)\ (?:for|with)
    )\ (?:the\ )?(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\ )?\Z""",
    re.IGNORECASE | re.VERBOSE,
)
# "I was still free on 5 October".
_WAS_FREE = re.compile(r"\b(?:was|were|been|wasn['’]?t|weren['’]?t)\ (?:\w+\ )?\Z", re.IGNORECASE)
_FREE = re.compile(
    r"\ (?:is|are)\ (?:(?:still|also|only|double|fully|already)\ )?(?:free|available|booked)\b", re.IGNORECASE
)

# Says that the date has passed: "moved to 5 October last year", "booked for 20 september and they lost my bag". "Last
# week" and "an hour ago" say when it was moved, and "and we had to tell everyone" what was done then.
_BEEN = re.compile(
    r"[^.!?;\n]{0,40}?\b(?:(?:last|previous)\ (?:year|spring|summer|autumn|fall|winter)|years?\ ago"
    r"|(?:and|so|but|which|where)\ (?:\w+\ ){0,3}?"
    r"(?:went|lost|won|met|stayed|enjoyed|loved|hated|talked|missed|arrived))\b",
    re.IGNORECASE | re.VERBOSE,
)


def arranged(text: str, start: int, end: int) -> bool:
    """Whether something was moved to the date from `start` to `end` or booked for it, or it is free or booked."""
    if _BEEN.match(text, end):
        return False
    first = max(start - _REACH // 2, 0)
    before = _SET.search(text, first, start)
    if before and before["free"]:
        return _WAS_FREE.search(text, first, before.start()) is None
    return before is not None or _FREE.match(text, end) is not None


# "Let's set it" and "let me read it" tell nothing of the past, nor does what somebody is: "I'm excited".
_LOOKS_BACK = _IRREGULAR - lexicon("set read") | _PARTICIPLE
_STATE = _IS | lexicon("get gets be")


def plans(text: str, start: int, end: int) -> bool:
    """Whether the sentence around the date from `start` to `end` arranges, proposes or asks for something ("wedding",
    "flight", "works for me"), and neither measures nor remembers something. Without this check "HbA1c 7.1 (3 march)"
    and "churn in march is 4%" named a day ahead."""
    first, last = _sentence(text, start, end)
    beside = _KNOWN.search(text, first, start) or _VALUE.match(text, end)
    return beside is None and (_PLANNED.search(text, first, last) is not None or text[last : last + 1] == "?")


_PLANNED = re.compile(
    r"\b(?:wedding|party|birthday|launch\w*|releas(?:e|es|ing)|go(?:es)?[ -]live|deploy\w*|exams?|trip|flights?"
    r"|holidays?|vacation|concert|appointment|deadline|due|plans?|planned|planning|viewing|conference|race|marathon|recital"
    r"|ceremony|interview|festival|tickets?|deliver(?:y|ies|s)|mov(?:e|es|ing)|com(?:e|es|ing)|start(?:s|ing)"
    r"|begin(?:s|ning)?|open(?:s|ing)|arriv(?:e|es|ing)|leav(?:e|es|ing)|fly|flies|flying|travel(?:s|l?ing)?|join|back"
    r"|possible|free|available|works?\ for|suits?|can|could|should|shall|let['’]?s|call|pay|send|then|until|till"
    r"|by\ the|reserv\w*|book(?:ing)?|instead|earliest|latest|maybe|perhaps|propos\w+|tbd|picked|chose|went\ with"
    r"|settled\ on|save\ the\ date)\b",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\b(?:remember\w*|died|death|anniversary|invoice|outage|incident|crash|results?|weight|score|churn|total)\b"
    r"|[(\[]\s*(?:on\ )?\Z",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\s?[:=)\]]")


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around a place begins and ends, within reach."""
    stop = _END.search(text, end, end + _REACH)
    return _beginning(text, start), stop.start() if stop else min(end + _REACH, len(text))


def _beginning(text: str, start: int) -> int:
    first = max(start - _REACH, 0)
    return max((boundary.end() for boundary in _END.finditer(text, first, start)), default=first)


def looks_back(text: str, start: int, end: int) -> bool:
    """Whether the sentence around the date from `start` to `end` tells anything of the past, be it of another thing: a
    verb in the past, a participle, "since"."""
    first, last = _sentence(text, start, end)
    words = [_lowered(each[0], opens=not n) for n, each in enumerate(_WORD.finditer(text, first, last))]
    return any(
        word in _BACK
        or _told(words, n) in (Tense.PAST, Tense.UNCLEAR)
        or (
            (word in _LOOKS_BACK or _REGULAR.fullmatch(word))
            and not _STATE.issuperset(words[n - 1 : n] or [""])
        )
        for n, word in enumerate(words)
    )


def tense(text: str, start: int, end: int) -> Tense | None:
    """What an English text says of the date from `start` to `end`; None where no verb is near."""
    first = _beginning(text, start)
    before = list(_WORD.finditer(text, first, start))
    words = [_lowered(each[0], opens=not n) for n, each in enumerate(before)]
    # In "sat 4 october" it is Saturday and no verb.
    if words[-1:] == ["sat"] and text[start].isdigit():
        del before[-1], words[-1]
    for n in reversed(range(len(words))):
        told = _told(words, n)
        if told is None:
            continue
        if told is Tense.FUTURE and _EARLIER.search(text, before[n].end(), start):
            return Tense.OTHER
        # "I had a flight on Friday" is of Friday, "I booked a flight on Friday" may be of another day.
        had = words[n] == "had" and words[n + 1 : n + 2] != ["to"]
        comma = _COMMA.search(text, before[n].end(), start) if _OVER.match(text, end) else None
        until = comma.start() if comma else start
        if told is Tense.PAST and not had and _OF_ANOTHER.search(text, before[n].end(), until):
            return Tense.UNCLEAR
        return told
    told = _behind(text, end, opens=_OPENING.issuperset(words))
    return Tense.FUTURE if told is None and "deadline" in words else told


def _behind(text: str, at: int, *, opens: bool) -> Tense | None:
    """What the first verb behind a date tells, as far as its clause goes; behind one that `opens` it a comma may
    stand."""
    stop = _END.search(text, at, at + _REACH)
    words = [_lowered(each[0]) for each in _WORD.finditer(text, at, stop.start() if stop else at + _REACH)]
    for n, word in enumerate(words):
        told = _told(words, n)
        if told is not None:
            # "On Friday we booked" is of that day, "the call on Friday confirmed" need not be.
            own = opens and told is Tense.OTHER and word in _ARRANGED and words[n - 1] in _SUBJECT
            return Tense.PAST if own else told
        if word == "," and not (opens and n < 3):
            return Tense.UNCLEAR if _goes_on(words, n + 1) else None
        if word in _STOPS:
            return None
    return None


def _goes_on(words: list[str], start: int) -> bool:
    """Whether what stands behind a comma tells of the past: "client meeting on Friday, they liked it" has been, "exam
    on Friday, I read all night" may be ahead."""
    for n, word in enumerate(words[start:], start):
        if word in _STOPS:
            return False
        if (told := _told(words, n)) is not None:
            by_others = word in _REPORTED and words[n - 1] not in ("i", "we", ",")
            return told in (Tense.PAST, Tense.UNCLEAR) or by_others
    return False


def _lowered(word: str, *, opens: bool = False) -> str:
    """A word as the tables have it; a name ("Will", "Ahmed") and the month May keep their capital."""
    lowered = word.lower().replace("’", "'")
    return lowered if opens or word.islower() or lowered.split("'")[0] == "i" else word


def _told(words: list[str], n: int) -> Tense | None:
    """What the word at `n` tells; None where it is no verb, or one that leans on another before it."""
    word = words[n]
    before = [each for each in words[max(n - 6, 0) : n] if not _ADVERB.fullmatch(each)]
    last = before[-1] if before else ""
    after = next((each for each in words[n + 1 :] if not _ADVERB.fullmatch(each)), "")
    if word in _WILL or word.endswith("'ll"):
        if last in _DETERMINER or (word, after) == ("due", "to"):
            return None
        return Tense.UNCLEAR if last in _WAS or last.startswith("did") else Tense.FUTURE
    if (word in _TIMETABLE and last not in _DETERMINER) or (
        word in _TIMETABLE_OF_US and last in ("i", "we", "you", "they", "and")
    ):
        return Tense.FUTURE
    if word in _IS:
        return Tense.FUTURE if after in _COMING or not _GOAL.isdisjoint(before) else Tense.OTHER
    # "I had to do it on Friday", "Mum let us have it on Friday".
    if (last == "to" or before[-2:-1] in (["let"], ["made"])) and (word in _HAVE or word in _NEITHER):
        return None
    if word in _HAVE or word in _NEITHER:
        return Tense.OTHER
    if word in _WAS and last in _HAVE:  # "I've got an appointment", "I've felt"
        return Tense.OTHER if word == "got" else Tense.UNCLEAR
    if word in _WAS:
        not_yet = word.startswith("w") and after in ("going", "about", "to", "thinking")
        return Tense.UNCLEAR if not_yet else Tense.PAST
    if word in _PAST:
        return Tense.PAST
    if word == "been":
        went = after in _BEEN_TO and (last in _HAVE or last.endswith("'s"))
        return Tense.PAST if went else None
    if not (word in _TOLD_BY or _REGULAR.fullmatch(word)):
        return None
    arranged = word in _ARRANGED and not (word == "moved" and after in _MOVED)
    if last in _WAS:
        return Tense.UNCLEAR if arranged else Tense.PAST
    if last.endswith("'s") and word in _HAPPENED:
        return Tense.PAST
    if last in _IS:
        return Tense.FUTURE if arranged else Tense.OTHER
    if last in _HAVE:  # "I've booked", "I've met him"; but "we'll have met"
        if " ".join(before[-2:-1]).endswith(("will", "'ll")):
            return Tense.FUTURE
        return Tense.PAST if word in _HAPPENED else Tense.OTHER if arranged else Tense.UNCLEAR
    # "The finished report", "5 integrated examples", "to send signed forms".
    if last in _NO_SUBJECT or last.isdecimal() or before[-2:-1] == ["to"]:
        return None
    if word in _BARE:
        begins = max((i + 1 for i, each in enumerate(before) if not each[0].isalnum()), default=0)
        if not _BEHIND_ANOTHER.isdisjoint(before[begins:]) or not _own(last, word, after):
            return None
        if last.endswith("'s"):  # "the car's done on Friday" may be ahead
            return Tense.UNCLEAR
    if word in _REPORTED and _PRONOUN.issuperset(words[n + 1 :]):
        return Tense.PAST
    caused = last not in _SUBJECT and not _CAUSES.isdisjoint(before)
    return Tense.OTHER if arranged or caused else Tense.PAST


def _own(last: str, word: str, after: str) -> bool:
    """Whether a participle without a verb, or a verb that has no past form, is told of what stands before it."""
    if word in _PARTICIPLE:
        return last not in _SUBJECT and last != ""
    if not last.isalpha() or last == "you":
        return False
    with_object = after in _DETERMINER | _PRONOUN | _PARTICLE
    return with_object or word in _ALONE or last in _SUBJECT or last[0].isupper()


# ------------------------------------------------- German, French, Spanish, Italian, Portuguese

# Behind a number stands the dot of a day: "vom 20. November bis zum 3. Dezember".
_END_ABROAD = re.compile(r"(?<!\d)[.!?](?=\s|\Z)|[\n;]")
_BREAK_ABROAD = re.compile(rf"{_END_ABROAD.pattern}|,")
# What was booked for a day or moved to it lies ahead, whenever that was done.
_FOR_ABROAD = re.compile(
    r"\b(?:(?:für\ den|auf\ den|zum|para\ (?:el|o|dia)|pour\ le|per\ il|au|al|ao)\s|per\ l['’])\Z",
    re.IGNORECASE,
)
_PAST_ABROAD = re.compile(
    r"""\b(?:
      war(?:en|st)?|hatten?|wurden?|seit\ dem
      # A participle that ends its clause: "habe geheiratet", not "habe meinen ersten Tag".
      |(?:hab(?:en?|t)?|has?t)\b.*\b(?-i:[a-zäöü]*ge[a-zäöüß]{2,}|(?:be|ver|er|ent|zer)[a-zäöüß]{2,})(?:t|en)
        (?=\s*(?:[,)]|\Z|\b(?:und|oder|aber|weil|als)\b))
      |(?:bin|bist|ist|sind)\b.*\b\w*ge(?:fahren|gangen|kommen|flogen|zogen|worden|wesen|storben|boren|reist)
      |(?:j['’]ai|tu\ as|(?:il|elle|on|qui)\ a|avons|avez|ont)\ (?:\w+ée?s?|\w+[^e\W]u|\w*[mr]is|\w+it|eu)
      |me\ suis|t['’]es|s['’]est|se\ sont|nous\ nous\ sommes|vous\ vous\ êtes|depuis\ le
      |(?:suis|es|est|sommes|êtes|sont)\ (?:all|arriv|part|ven|n|mor|rest|rentr|entr|tomb|retourn)(?:ée?|ie?|ue?|te?)s?
      |(?:ét|av)(?:ais|ait|ions|iez|aient)
      |fui|fue|fuimos|fueron|eran?|estuv\w+|tuv\w+|hice|hizo|hicimos
      |(?:he|has|ha|hemos|han)\ \w+(?:[ai]do|cho|sto|rto)|\w{2,}(?<!est)amos|(?-i:[a-zñáéíóú]+(?:aron|ieron|ó))
      |me\ \w+[^\Wr]é
      |(?:ho|hai|ha|abbiamo|avete|hanno)\ (?:\w+[aiu]to|fatto|preso|visto)|ero|erano|eravamo|aveva(?:no|mo)?
      |(?:mi|ti|si|ci|vi)\ (?:sono|sei|è|siamo|siete)\ \w+[aiu]t[oaie]
      |(?:sono|sei|è|siamo|siete)\ (?:andat|stat|nat|arrivat|partit|venut|tornat|mort)[oaie]
      |foi|fomos|foram|eram|estive|esteve|tive|teve|(?:me|se)\ \w+(?:[^\Wr]ei|ou)|\w+(?:ei-me|ou-se)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)


def looks_back_abroad(text: str, start: int, end: int) -> bool:
    """Whether a form of the past stands around the date from `start` to `end`, from where its clause begins to where
    its sentence ends."""
    first = max(start - _REACH, 0)
    if _FOR_ABROAD.search(text, first, start):
        return False
    begins = max((each.end() for each in _BREAK_ABROAD.finditer(text, first, start)), default=first)
    stop = _END_ABROAD.search(text, end, end + _REACH)
    return _PAST_ABROAD.search(text, begins, stop.start() if stop else end + _REACH) is not None


# --------------------------------------------------------------------------------------- Chinese

_ZH_CLAUSE = re.compile(r"[^，,。！？!?；;\n]*")
_ZH_HOUR = re.compile(r"(?:早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜裡|凌晨|晚|早)?")
# 到周五 and 是周五 are of a verb before them, and 本来周五 did not come to pass.
_ZH_NOT_OWN = re.compile(r"(?:[到至是在于於为為约約订訂买買]|本来|本來|原本|原定)\Z")
_ZH_WILL_BEFORE = re.compile(r"(?:[将將会會要定]|预计|預計|计划|計劃|打算|准备|準備|安排)(?:于|於|在)\Z")
_ZH_WILL = re.compile(
    r"即将|即將|[将將][于於在要会會去]|(?<!开)(?<!開)[会會][去来來有到在把给給跟和再]"
    r"|要[去来來交考开開上做跟和给給到参參出搬飞飛回结結见見带帶办辦加跑买買看写寫打面]"
    r"|打算|准备|準備|计划|計劃|必须|必須|记得|記得"
)
# 了 behind a verb and before something: at the end of a clause it may also tell what is about to be.
_ZH_PAST = re.compile(
    r"(?<![约約订訂定排改报報为為除算买買下])了(?![解结結不吧吗嗎呢啊])(?=\w)|把\w{1,8}了"
    r"|[去来來吃看见見做问問说說聊试試用谈談跑玩][过過](?![来來去程期敏滤濾分度年])"
    r"|[没沒]有?[去来來吃睡能跑做见見看赶趕]"
)
# Of these 太 and 快 tell how it is or what is about to be, 再 what comes after it, and the verbs what may be of another
# day.
_ZH_NEITHER = re.compile(
    r"太|快|该|該|不|就|再|一起|安排|预[约約]|預約|报名|報名|决定|決定|取消|推迟|推遲|改[到成期]|通知|[约約][好了]|[订訂]了"
    r"|[说說讲講问問听聽]|告诉|告訴|知道|发现|發現|答应|答應|觉得|覺得|以为|以為"
)


def chinese_tense(text: str, start: int, end: int) -> Tense | None:
    """What a Chinese text says of the date from `start` to `end`; None where nothing tells."""
    before = text[max(start - 6, 0) : start]
    if _ZH_WILL_BEFORE.search(before):
        return Tense.FUTURE
    hour = _ZH_HOUR.match(text, end)
    at = hour.end() if hour else end
    if _ZH_NOT_OWN.search(before) or text[at : at + 1] in ("的", "之"):  # 周五的 is of a thing
        return None
    clause = _ZH_CLAUSE.match(text, at + (text[at : at + 1] in ("，", ",")), at + _REACH)
    said = clause[0] if clause else ""
    if _ZH_NEITHER.search(said):
        return None
    will, past = _ZH_WILL.search(said), _ZH_PAST.search(said)
    if will and past:
        return None
    return Tense.FUTURE if will else Tense.PAST if past else None
