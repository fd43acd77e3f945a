"""Text cut into sentences: one splitter, and what the rules match their patterns on.

sentencex (Wikimedia) knows the marks, quotes and abbreviations of some 300 languages; decision 16 has the figures. What
it cuts wrongly in the texts of `tests/support/hard_sentences.py` is joined again here, by looking at the cut alone.
Knows the looks of Markdown and code, and no kinds of notes.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import sentencex

from memfold.text.calendar import WEEKDAYS
from memfold.text.language import UNKNOWN
from memfold.text.language import language as spoken
from memfold.text.reported import unquoted
from memfold.text.scripts import CJK, HAN, KANA

# A longer sentence is read in pieces: every pattern's cost is bounded by this.
MAX_SENTENCE = 600
# sentencex's time grows with the square of the open quotes in a line (1 MB of them: 257 s), so it is given this much:
# a sentence that is longer is joined again.
_AT_ONCE = 2_000
# How far a cut is looked back from.
_BACK = 48

_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = re.compile(r"\s")
# Without one of these an ASCII line is one sentence: of 38,193 lines of BEAM 32,654 have none.
_INNER_END = re.compile(r"[.!?][^\sA-Za-z0-9.!?]*\s+\S")
# Marks that close what stands before a cut: **Bold.** is one piece.
_CLOSING = re.compile(r"(?:\*\*|__|[\"'”’»」』)\]])+(?=\s)\s*")
# Missed: after ；, around what is bracketed with its own end mark, and within quotations longer than a sentence may be.
_MISSED = re.compile(
    r"；+[”’」』）]*|[。！？][）)]+|[.!?]\)\s+(?=[^\W\d_a-z])|(?<=[^\W\d_]{3}[.!?])\s+(?=\([^\W\d_a-z])"
)
_MAYBE_MISSED = re.compile(r"[；()（）]")
_LONG = re.compile(_MISSED.pattern + r"|[.!?][\"'”’»)\]]*\s+|[。！？]+[”’」』）]*")

# Abbreviations that sentencex lacks: before any word, and before a small letter, a number or what has no capitals.
_BEFORE_WORD = {
    "de": frozenset(["fa", "inkl", "exkl", "einschl", "zzgl", "hr", "fr"]),
    "fr": frozenset(["m", "mm", "mme", "mlle", "dr", "pr", "no", "av"]),
    "hi": frozenset(["डॉ", "प्रो", "श्री"]),
    "ja": frozenset(["st", "dr", "mr", "mrs"]),
    "zh": frozenset(["st", "dr", "mr", "mrs"]),
}
_SMALL = """
    vol ext approx aprox apt ch pág tél ej max min mo mon tue wed thu fri jan feb mär apr jun jul aug sep sept okt nov
    dez janv févr avr juil déc ок рис стр табл гл янв февр апр авг сент окт нояб дек др
"""
_BEFORE_SMALL = frozenset(_SMALL.split())
# "6 p.m. Friday", and no new sentence.
_HOUR = re.compile(r"\d\s*[ap]\.m\.\Z", re.IGNORECASE)
_DAY = re.compile(
    rf"(?:{'|'.join(map(str.title, WEEKDAYS))})\b(?!\s+(?:is|was|will|works|would))|(?:[ECMP][SD]T|GMT|UTC)\b"
)
_UNSPACED = ("zh", "ja", "ko")
# Vowel signs of Devanagari are no letters to `re`.
_LAST_WORD = re.compile(rf"(?<![^\W\d_{CJK}])([^\W\d_{CJK}](?:[^\W\d_{CJK}]|[\u0900-\u0963])*)\.\Z")
_WORD_BACK = 12
_LIST_MARK = re.compile(r"\s*[(（]?\d{1,3}\.")
# The number of the next item at the end of a sentence, and the first number at the start of a line.
_COUNTER = re.compile(r"(?<=[\s:：])(\d{1,2})\.\s+\Z")
_FIRST = re.compile(r"\s*1\.\s")
_HEADED = re.compile(r"[:：]\s*1\.\s+\Z")
# A German ordinal ("im 2. Stock"), unless the next word is no noun and so begins a sentence ("am 15. Danach").
_ORDINAL = re.compile(
    r"\b(?:(?<!\bI )[ai]m|zum|vom|beim|de[rmns]|das|die|bis|ab|seit|(?:[mdsk]?ein|ihr|unser|euer)(?:e[rmns]?)?"
    r"|jede[rmns]?)\s+\d{1,2}\.\Z",
    re.IGNORECASE,
)
_BEGINS = re.compile(
    r"(?:Ich|Du|Er|Sie|Es|Wir|Ihr|Man|Der|Die|Das|Den|Dem|Dies(?:e[nmrs]?)?|(?:[MDSK]ein|Ein|Ihr|Unser|Eur)(?:e[nmrs]?)?"
    r"|Euer|Jede[nmrs]?|Alle[ns]?|Viele|Da|Dann|Danach|Dabei|Dafür|Damit|Daher|Darum|Deshalb|Denn|Dort|Hier|Bitte|Danke"
    r"|Leider|Vielleicht|Und|Oder|Aber|Also|Auch|Nur|Noch|Schon|Nicht|Wer|Was|Wie|Wo|Wann|Warum|Wenn|Weil|Ob|Falls|Bis"
    r"|Seit|Seitdem|Vorher|Nachher|Vom|Zum|Zur|Am|Im|In|An|Ab|Auf|Aus|Bei|Mit|Nach|Von|Zu|Für|Um|Jetzt|Nun|Heute"
    r"|Gestern|Morgen|Ist|Sind|War|Hat|Habe|Kann|Muss|Soll|Wird|Gibt|Ja|Nein)\b"
)
# "3. Oktober": a short German text may be taken for another language.
_DAY_NUMBER = re.compile(r"(?<![\w.,:])\d{1,2}\.\Z")
_MONTH_DE = re.compile(
    r"(?:Jänner|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b|(?:Jan|Feb|Mär|Okt|Dez)\.(?!\w)"
)
# A month's name that other languages share tells nothing by itself: "I turned 30. August was hot."
_MONTH = re.compile(r"(?:April|August|September|November)\b")
# A Korean date, 2024. 3. 15.
_DATE_KO = re.compile(r"(?:19|20)\d\d(?:\.\s+\d{1,2}){0,2}\.\Z")
# Something said, and that somebody said it: "Really?" she asked.
_QUOTES = tuple(mark + quote for mark in ".!?。！？؟।…" for quote in '"”’»」』')
_SAYS = re.compile(
    r"[—–-]\s|と|って|이?라고|라며|하고|\w{1,3}[问問说說道答喊叫]|(?:سأل|قال|أجاب|صاح|رد)\w*\s|\S+\s(?:पूछा|कहा|बोला)"
)
_SEMICOLON = re.compile(r"(?<=;)\s+")
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}]")
_BULLET = re.compile(
    r"\s*(?:[-*+>|]+\s|•|#{1,6}\s|\d{1,3}[.)]\s|\d{1,3}、|[（(]?[一二三四五六七八九十]{1,3}[）)、]|[（(]\d{1,3}[）)])\s*(?=\S)"
)
# Where text that is too long is cut, the best first: behind a line or sentence; before a conjunction and its subject;
# behind a mark; between small words, which are no part of a name, date or figure; at a blank. What stands behind "he
# says," is his, what stands behind "and" is not: so marks come later. What stands behind a colon may only be shown.
_CUTS = (
    re.compile(r"\n|[.!?]\s|[。！？]"),
    re.compile(
        r"\s(?=(?:and|but|so|because|then) (?:I|we|my|our|he|she|it|they|there|this|the|then|now)\b)"
        r"|(?=但是|可是|然后|所以|而且|因为)",
        re.IGNORECASE,
    ),
    re.compile(r"[,;]\s|[，；、]"),
    re.compile(r"(?<=\s)[a-z]+\s(?=[a-z]+\s)|[了啊吧呢嘛]"),
    re.compile(r"\s"),
)
_MARKUP = re.compile(r"\*\*|__|`")
_CODE_END = re.compile(r"[{};]\s*$")
_CODE_LINE = re.compile(
    r"[{};]$|^(?:import \w|from [\w.]+ import|def \w|class \w+[(:]|return\b.*[()\[\];]"
    r"|(?:const|let|var) \w+ =|func \w|fn \w|"
    r"#include|SELECT |CREATE TABLE|INSERT INTO|@\w+|</?[a-z!]|//|/\*|\$ |>>>"
    r"|[\w.\[\]'\"]+ ?[-+]?=|[\w.]+\([^)]*\)[:{]?$)"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def sentences(text: str, language: str = "und") -> Iterator[str]:
    """The sentences of `text`, each with the blanks behind it: joined they are `text`. A line's end ends a sentence.

    `language` is an ISO 639-1 code; for one that is not known the library's rules for English stand in.
    """
    for line in text.splitlines(keepends=True):
        if line.isascii() and not _INNER_END.search(line):
            yield line
        else:
            yield from (_kept if len(line) <= _SHORT else _cut)(line, language)


def _cut(line: str, language: str) -> tuple[str, ...]:
    """The sentences of a line."""
    found = []
    end = 0
    for piece in _mended(_parts(line, language), language):
        begin, end = end, end + len(piece)
        start = begin
        for cut in _missed(piece):
            found.append(line[start : begin + cut])
            start = begin + cut
        found.append(line[start:end])
    return tuple(found)


# The rules and several layers ask for the sentences of the same line. Longer lines are not kept: 8,192 lines of 600
# characters would take up to 247 MB.
_SHORT = 200
_kept = lru_cache(maxsize=8192)(_cut)


def _missed(piece: str) -> Iterator[int]:
    """Where a piece is to be cut further."""
    pattern = _LONG if len(piece) > MAX_SENTENCE else _MISSED if _MAYBE_MISSED.search(piece) else None
    if pattern:
        yield from (match.end() for match in pattern.finditer(piece) if match.end() < len(piece))


def _parts(line: str, language: str) -> Iterator[tuple[str, bool]]:
    """What sentencex makes of a line, of which it is shown a part at once; each with whether a sentence ends there, as
    far as sentencex tells: it may also be where the part that was shown ends."""
    # It takes UTF-8, which has no lone surrogates.
    line = line if line.isascii() else _SURROGATE.sub("\ufffd", line)
    start = 0
    while start < len(line):
        found = _segmented(line[start : start + _AT_ONCE], language)
        ends = start + _AT_ONCE >= len(line)
        # The last piece may go on. It is looked at again, unless most of what was shown would be.
        if not ends and len(found) > 1 and len(found[-1]) <= _AT_ONCE // 2:
            del found[-1]
            ends = True
        yield from ((piece, True) for piece in found[:-1])
        yield found[-1], ends
        start += sum(map(len, found))


def _segmented(text: str, language: str) -> list[str]:
    """The pieces into which sentencex cuts a text. If it panics, it gets the text with spaces for all blanks; if it
    panics again, the text is one piece."""
    try:
        return list(sentencex.segment(language, text))
    except BaseException as error:
        # "A\u00a0." makes it cut within a character. Its panic is no `Exception`, and no module exports its type.
        if type(error).__name__ != "PanicException":
            raise
    plain = _BLANK.sub(" ", text)
    if plain == text:
        return [text]
    found = _segmented(plain, language)
    ends = itertools.accumulate(map(len, found), initial=0)
    return [text[start:end] for start, end in itertools.pairwise(ends)]


def _mended(parts: Iterator[tuple[str, bool]], language: str) -> Iterator[str]:
    """The pieces of `parts` joined where they are cut wrongly."""
    held: list[str] = []
    tail, ended = "", True
    for piece, ends in parts:
        if held and (closing := _CLOSING.match(piece)):
            held.append(closing[0])
            tail += closing[0]
            piece = piece[closing.end() :]
            if not piece:
                ended = ends
                continue
        if held and ended and not _joined(tail, piece, language):
            yield "".join(held)
            held, tail = [], ""
        held.append(piece)
        tail, ended = (tail + piece)[-_BACK:], ends
    if held:
        yield "".join(held)


def _joined(before: str, after: str, language: str) -> bool:
    """Whether a cut between the end of a piece and the piece `after` it is none."""
    first = after[0]
    # Paths, addresses and versions have no blank; no sentence begins with a comma.
    if (before[-1].isascii() and not before[-1].isspace() and first.isascii()) or first in ",，、;；:：%º":
        return True
    before = before.rstrip()
    if before.endswith(_QUOTES):
        return first.islower() or _SAYS.match(after) is not None
    if not before.endswith("."):
        return False
    if match := _LAST_WORD.search(before[-_WORD_BACK:]):
        word, small = match[1], not first.isupper()
        if len(word) == 1 and (small if not word.isupper() else language in _UNSPACED):
            return True
        if word == "Ms" or (_HOUR.search(before) and _DAY.match(after)):  # "ms" is a unit
            return True
        word = word.casefold()
        return word in _BEFORE_WORD.get(language, ()) or (small and word in _BEFORE_SMALL)
    if _LIST_MARK.fullmatch(before):
        return True
    if _DAY_NUMBER.search(before) and (
        _MONTH_DE.match(after) or (_MONTH.match(after) and (language == UNKNOWN or _ORDINAL.search(before)))
    ):
        return True
    if language == "de":
        return _ORDINAL.search(before) is not None and not _BEGINS.match(after)
    return language == "ko" and _DATE_KO.search(before) is not None


def numbered(found: Iterable[str]) -> Iterator[str]:
    """The sentences of a text, with each item of an inline list beginning with its number. `sentences` cuts "Check
    first: 1. Empty the queue 2. Move the alarms" behind each number. The list begins its line or follows a colon."""
    line: list[str] = []
    for each in found:
        line.append(each)
        if each.endswith("\n"):
            yield from _with_numbers(line)
            line = []
    yield from _with_numbers(line)


def _with_numbers(line: list[str]) -> Iterator[str]:
    numbers = [_COUNTER.search(each) for each in line]
    counted = [int(number[1]) for number in numbers if number]
    first = 2 if line and _FIRST.match(line[0]) else 1
    listed = first == 2 or any(_HEADED.search(each) for each in line)
    if not listed or len(counted) < 3 - first or counted != list(range(first, first + len(counted))):
        yield from line
        return
    carried = ""
    for each, number in zip(line, numbers, strict=True):
        end = number.start(1) if number else len(each)
        yield carried + each[:end]
        carried = each[end:]
    if carried:
        yield carried


def around(text: str, start: int, end: int, characters: int) -> str:
    """The sentence that a stretch of `text` stands in, cut as `sentences` cuts; of a longer one so many
    characters around the stretch, marked where something was left out."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    # A sentence that begins or ends further away is cut in any case.
    at, far = max(first, start - characters), min(last, end + characters)
    for sentence in sentences(text[at:far], spoken(text[at:far])):
        at += len(sentence)
        if at <= start:
            first = at
        elif at >= end:
            last = at if at < far else last
            break
    begin, stop = first, last
    if last - first > characters:
        begin = max(first, min(start - max(characters - (end - start), 0) // 2, last - characters))
        stop = min(last, begin + characters)
        # Whole words, where words have ends.
        while first < begin < start and not text[begin - 1].isspace() and text[begin].isascii():
            begin += 1
        while end < stop < last and not text[stop].isspace() and text[stop].isascii():
            stop -= 1
    cut = text[begin:stop].strip()
    return f"{'… ' if begin > first else ''}{cut}{' …' if stop < last else ''}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose, or a piece of a long one. `listed`: it stood in a list or heading. `words` are its
    lower-cased Latin words. `goes_on`: it is not the first piece of its sentence."""

    text: str
    listed: bool
    chinese: bool
    words: frozenset[str]
    goes_on: bool = False

    def spelled(self, text: str) -> Sentence:
        """The same sentence in another spelling."""
        return replace(self, text=text, words=_words(text))


def prose(text: str, language: str = "und") -> Iterator[tuple[str, bool]]:
    """The sentences of prose, which has no code blocks, without list marks, emphasis and lines of code, each with
    whether it stood in a list or heading; what stands between semicolons is one of its own."""
    for sentence in sentences(text, language):
        pieces = _SEMICOLON.split(sentence) if ";" in sentence else [sentence]
        # A line of code ends in a semicolon, a sentence goes on behind it.
        goes_on = len(pieces) > 1 and not (_CODE_END.search(pieces[-1]) or any(map(_codes, pieces)))
        for n, piece in enumerate(pieces, 1):
            mark = _BULLET.match(piece)
            body = _MARKUP.sub("", piece[mark.end() :] if mark else piece)
            body = " ".join(body.split())
            line = body.removesuffix(";") if goes_on and n < len(pieces) else body
            if len(body) >= 2 and not _CODE_LINE.search(line):
                yield body, mark is not None


def _codes(piece: str) -> bool:
    """Whether what stands between semicolons is code."""
    line = piece.strip().removesuffix(";")
    return "{" in line or _CODE_LINE.search(line) is not None


def plain_sentences(text: str, language: str = "und") -> list[Sentence]:
    """The sentences of `prose` that the rules can read: in Chinese, or with a word in Latin letters. One longer than
    `MAX_SENTENCE` is several."""
    found = []
    for body, listed in prose(text, language):
        for n, piece in enumerate(map(str.strip, in_pieces(body))):
            chinese = not piece.isascii() and _HAN.search(piece) is not None and _KANA.search(piece) is None
            words = _words(piece)
            if chinese or words:
                found.append(Sentence(piece, listed, chinese, words, goes_on=n > 0))
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def in_pieces(sentence: str) -> Iterator[str]:
    """A sentence in pieces of at most `MAX_SENTENCE` characters: joined they are the sentence."""
    # What is quoted is kept in one piece, so that it is known for a quotation.
    shown = unquoted(sentence) if len(sentence) > MAX_SENTENCE else sentence
    start = 0
    while len(sentence) - start > MAX_SENTENCE:
        end = best_cut(shown, start + MAX_SENTENCE // 2, start + MAX_SENTENCE)
        yield sentence[start:end]
        start = end
    yield sentence[start:]


def best_cut(text: str, least: int, most: int) -> int:
    """Where to cut a text that is too long, above `least` and up to `most` characters: at the last of the best places
    there (`_CUTS`), at `most` where there is none."""
    ends = (max((match.end() for match in cut.finditer(text, least, most)), default=0) for cut in _CUTS)
    return next(filter(None, ends), most)
