"""What the rules write down about one exchange: facts, notes and a summary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from memfold.extract.contract import bounded, clean
from memfold.extract.engines.rules import de, en, zh
from memfold.extract.engines.rules.facts import facts as facts_of
from memfold.extract.engines.rules.opinions import ALONE, STATED, Opinion, opinions, parts, thing
from memfold.extract.engines.rules.rule import NOTE, apply, clause, stated
from memfold.extract.engines.rules.text import SUMMARY, prose, shorten, summarise
from memfold.extract.speaker import head
from memfold.given import composed
from memfold.schema import ATTACHED, Extraction, Fact, Note, Role, Window
from memfold.text.addressed import heads, leads
from memfold.text.aspects import kind
from memfold.text.blanks import in_clauses
from memfold.text.dates import Mention, joined, mentions
from memfold.text.sentences import Sentence, plain_sentences
from memfold.text.typed import Typed, typed

# An exchange with more than this is a pasted document; what stands first is kept.
MAX_FACTS = 24
MAX_NOTES = 16
# A sentence shorter than this, with nothing found in it, is only taken where there is no other.
MIN_PART = 12
# A date alone is no event: something must stand around it.
MIN_EVENT = 2
# The pattern of feelings leaves these out of what they are about.
_POINTED = re.compile(r"\b(?:the|my)\s+\Z", re.IGNORECASE)
# "…, happened on April 3" says nothing without the clause before it.
EVENT_CONTEXT = 40
# Of one sentence, a list of dates gives its first few.
MAX_EVENTS = 3


def extraction(window: Window) -> Extraction:
    """Of the window's own messages alone."""
    window = _composed(window)
    day = window.time.date() if window.time else None
    facts: list[Fact] = []
    notes: list[Note] = []
    parts: list[str] = []
    weights: list[float] = []
    judging = ""
    ordering = led = False
    said = _read(window, "user")
    whole = " ".join(sentence.text for sentence in said)
    alone = sum(not sentence.goes_on for sentence in said) == 1
    for sentence in said:
        # Below "Rules:" each line of a list is an order, whatever it looks like.
        ordering = ordering and sentence.listed
        # Behind "some rules for you: …" too, as long as they have no verb of their own.
        led = leads(sentence.text) or (led and _briefly(sentence))
        dates = mentions(sentence.text, day)
        found = [each for each in dates if _of_a_day(each)]
        ways = in_clauses(sentence.text) if sentence.chinese else typed(sentence.text, window.language, whole)
        expected = sentence.spelled(ways.text) if ways else sentence
        dated = [each for each in mentions(expected.text, day) if _of_a_day(each)] if ways else found
        front = len(head(sentence.text, window.speakers))
        its_facts = [
            replace(fact, value=ways.words(fact.value)) if ways else fact
            for fact in facts_of(expected, dated, front)
        ]
        judged = opinions(expected, judging, front)
        judging = judged[-1].object if judged else ""
        its_notes = [
            *_as_typed(ways, _noted(expected, ordering or led, alone=alone)),
            *_events(sentence, [each for each in joined(sentence.text, dates) if _touches(each, found)]),
            *_as_typed(ways, _feelings(expected)),
            *_as_typed(ways, _opinions(expected, judged)),
        ]
        ordering = ordering or heads(sentence.text)
        facts += its_facts
        notes += its_notes
        # A summary shows no more of a long sentence than how it begins.
        part = "" if sentence.goes_on else _plain(sentence)
        parts.append(part)
        weights.append(_weight(sentence, part, len(its_facts), its_notes))
    summary = summarise(parts, weights) or next((s.text for s in _read(window, "assistant")), "")
    return bounded(
        Extraction(
            summary=shorten(summary, SUMMARY),
            facts=tuple(dict.fromkeys(facts))[:MAX_FACTS],
            # The rules read notes from the user's words alone.
            notes=tuple(replace(note, said_by="user") for note in dict.fromkeys(notes))[:MAX_NOTES],
        ),
        window.messages,
    )


def _composed(window: Window) -> Window:
    """The window with each letter and its marks as one character. Some write "é" as two, which no pattern expects."""
    said = tuple((role, composed(text)) for role, text in window.messages)
    return replace(window, messages=said, speakers=frozenset(composed(name) for name in window.speakers))


def _read(window: Window, role: Role) -> list[Sentence]:
    # Nobody said what is attached: a document's words are its author's.
    said = (text.partition(f" {ATTACHED}")[0] for speaker, text in window.messages if speaker == role)
    return plain_sentences("\n".join(prose(clean(text)) for text in said), window.language)


def _as_typed(ways: Typed | None, notes: Iterable[Note]) -> Iterator[Note]:
    """Notes of a sentence with the words that were typed."""
    if ways is None:
        yield from notes
        return
    for note in notes:
        about, reason = (each and ways.words(each) for each in (note.about, note.reason))
        yield replace(note, text=ways.words(note.text), about=about, reason=reason)


# Rules that go on are short and begin as rules do: "and no new dependencies". What else stands behind them may be a
# task: "Translate the following text".
BRIEF = 20
_RULED = re.compile(
    r"\W*(?:(?:and|also|und|auch)\s+)?(?:no|never|always|only|don['’]?t|do\s+not|dont|keep|stick\s+to|stay|prefer|avoid|be|use"
    r"|kein\w*|nie|niemals|immer|nur|nicht|bleib\w*|vermeid\w*)\b(?![^.!?]*\b(?:this|that|today|now|here|jetzt|heute|hier)\b)"
    r"[^?]*\Z",
    re.IGNORECASE,
)


def _briefly(sentence: Sentence) -> bool:
    """Whether a sentence goes on with what the user began to order."""
    return len(sentence.text.split()) <= BRIEF and _RULED.match(sentence.text) is not None


# Encouragement may have this many more words: a name, "you know".
LEFT = 2
_WORDS = re.compile(r"[^\W\d_]{2,}")
_ORDERS = re.compile(
    r"\b(?:always|never|don['’]?t|do not|please|from now on|whenever|immer|nie|ab jetzt)\b|[每请總总]|以后|永远",
    re.IGNORECASE,
)

# Fewer words in Latin letters within a Chinese sentence are a name or a term, not a clause.
MIN_CLAUSE = 3
_LATIN_CLAUSE = re.compile(r"(?:(?<=[，。；！,])|\A)\s*[A-Za-z][^\u4e00-\u9fff，。；！？]*(?=[，。；！,]|$)")

# Few messages are in German, whose cues are no English words, or rare ones.
_LATIN = (*de.RULES, *en.RULES)


def _noted(sentence: Sentence, ordered: bool, *, alone: bool) -> Iterator[Note]:
    language = zh if sentence.chinese else en
    rules = zh.RULES if sentence.chinese else _LATIN
    noted = apply(rules, sentence, language.CLAUSES, alone=alone)
    if sentence.chinese and len(sentence.words) >= MIN_CLAUSE:
        noted = _with_latin(list(noted), sentence)
    found = (note for note in noted if note.kind != "instruction" or not _cheers(note.text))
    if not ordered:
        return found
    order = Note("instruction", shorten(sentence.text.rstrip(" .。;；,，"), NOTE))
    return chain([order], (note for note in found if note.kind != "instruction"))


def _with_latin(found: list[Note], sentence: Sentence) -> Iterator[Note]:
    """The notes found in a Chinese sentence, and those of other kinds from its English or German clauses: "Always call
    me Kevin, 谢谢"."""
    yield from found
    kinds = {note.kind for note in found}
    if zh.QUOTES.search(sentence.text):
        return
    for match in _LATIN_CLAUSE.finditer(sentence.text):
        latin = replace(sentence.spelled(match[0].strip()), chinese=False)
        if len(latin.words) < MIN_CLAUSE:
            continue
        for note in apply(_LATIN, latin, en.CLAUSES):
            if note.kind not in kinds:
                kinds.add(note.kind)
                yield note


def _cheers(text: str) -> bool:
    """Whether an order is only encouragement or a farewell: "Never give up!", and not "Don't be shy, always tell me
    when I'm wrong"."""
    cheers = (en.CHEERS, de.CHEERS, zh.CHEERS)
    starts = [match.start() for each in cheers if (match := each.search(text))]
    if not starts or _ORDERS.search(text[: min(starts)]):
        return False
    rest = text[min(starts) :]
    for each in cheers:
        rest = each.sub(" ", rest)
    return not _ORDERS.search(rest) and len(_WORDS.findall(rest)) <= LEFT


def _of_a_day(found: Mention) -> bool:
    """Whether a date names a day, or might; "in May" is no date of an event."""
    return found.day is not None or not found.first


def _touches(whole: Mention, found: Sequence[Mention]) -> bool:
    return any(each.overlaps(whole.start, whole.end) for each in found)


def _events(sentence: Sentence, found: Sequence[Mention]) -> Iterator[Note]:
    """What a sentence says of its dates; what goes on from one day to another has the first."""
    language = zh if sentence.chinese else en
    for when in found[:MAX_EVENTS]:
        # A relative date nobody can resolve, or one that only asks, is no event.
        if when.first is None and when.relative:
            continue
        text = clause(sentence.text, when.start, when.end, language.CLAUSES, EVENT_CONTEXT)
        if len(text) - len(when.literal) >= MIN_EVENT:
            yield Note(
                "event", shorten(stated(text), NOTE), date=when.first.isoformat() if when.first else None
            )


def _feelings(sentence: Sentence) -> Iterator[Note]:
    language = zh if sentence.chinese else en
    match = language.FEELING.search(sentence.text)
    # Ignoring case also takes "diſappointed", which no table holds.
    polarity = language.POLARITY.get(match["word"].lower()) if match else None
    if match is None or polarity is None:
        return
    if match["how"] and language.TURNED.search(match["how"]):
        polarity = -polarity / 2
    text = clause(sentence.text, match.start(), match.end(), language.CLAUSES)
    judges = match["about"] and match["word"].lower() in language.JUDGING
    name, aspect = _felt(sentence, match) if judges else ("", "")
    if polarity < 0 and kind(name) == "person":  # "I'm annoyed with my son" is no dislike.
        name = aspect = ""
    yield Note(
        "sentiment",
        shorten(stated(text), NOTE),
        about=name or aspect or None,
        polarity=polarity,
        aspect=(name and aspect) or None,
        strength=STATED,
    )


def _felt(sentence: Sentence, match: re.Match[str]) -> tuple[str, str]:
    """What a feeling is about, as object and aspect; nothing where that is no thing: "glad to be back"."""
    if sentence.chinese:  # the pattern itself ends the name
        return parts(match["about"])
    pointed = _POINTED.search(sentence.text[: match.start("about")])
    name, aspect = thing((pointed[0] if pointed else "") + match["about"]) or ("", "")
    return (name, aspect) if name or aspect in ALONE else ("", "")


def _opinions(sentence: Sentence, judged: Sequence[Opinion]) -> Iterator[Note]:
    for opinion in judged:
        text = sentence.text[opinion.start : opinion.end].strip(" ,，;；:：-–—.。")
        yield Note(
            "sentiment",
            shorten(text, NOTE),
            about=opinion.object,
            reason=opinion.reason,
            polarity=opinion.polarity,
            aspect=opinion.aspect or None,
            strength=opinion.strength,
        )


def _plain(sentence: Sentence) -> str:
    language = zh if sentence.chinese else en
    text = sentence.text
    if language.BARE.match(text):
        return ""
    noise = language.NOISE if sentence.chinese or en.closes(text) else en.OPENING
    # Courtesy, then the request behind it: each removal may bring the next to the front.
    for _ in range(2):
        plain = noise.sub("", text).strip(" ,，")
        if plain == text:
            break
        text = plain
    return text[:1].upper() + text[1:]


def _weight(sentence: Sentence, part: str, facts: int, notes: Sequence[Note]) -> float:
    """How much a sentence says: what was found in it, a little for its length, less in a list."""
    if not part:
        return 0.0
    # A doubt or a mood says that something is asked, not what.
    telling = sum(note.kind not in ("question", "sentiment") for note in notes)
    if len(part) < MIN_PART and not facts and not telling:
        return 0.1
    return (1 + facts + 2 * telling + min(len(part), SUMMARY) / SUMMARY) * (0.5 if sentence.listed else 1.0)
