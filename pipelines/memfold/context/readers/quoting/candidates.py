"""The sentences of a context that may be quoted, each with its place; and parts of a long one.

Left out is what says nothing on its own: code, headings, list marks, formulas, greetings, an announcement that ends
with a colon, what stands before a mark of omission without saying anything. Knows no question.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from memfold.context.focus import MARK
from memfold.context.readers.quoting import days
from memfold.context.readers.quoting.data import RECORD, keys, units
from memfold.context.types import Context, Piece
from memfold.layers.orders import STANDING
from memfold.retrieve.sought import asks
from memfold.schema import ATTACHED, CALL, THOUGHT
from memfold.text.fences import blocks, unclosed, without_code
from memfold.text.language import language
from memfold.text.machine import readable
from memfold.text.scripts import HAN, KANA
from memfold.text.sentences import numbered, prose, sentences
from memfold.text.terms import terms
from memfold.text.wider import across, respelt, widened

SPOKEN = ("user", "assistant")
# Whose words are neither the user's nor the assistant's, and stand in a message all the same.
GIVEN = ("tool", "system")
# What a tool gave back in fewer characters is quoted whole, with its call.
_SHORT = 60


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a piece: verbatim, with its terms and those of what its words are too (`memfold.text.wider`), and
    the `day` it was said. `standing` is its exchange's among the hits, 1 for the best and 0 for the last and what is
    none; `cut` is whether how it ends is left out. `speaker` is the user who said it, where several speak. `keys` are
    the terms under which a tool's output gives a value."""

    piece: Piece
    text: str
    terms: frozenset[str]
    day: date | None
    standing: float
    cut: bool = False
    speaker: str = ""
    keys: frozenset[str] = frozenset()

    @property
    def exchange(self) -> int:
        """The number of the exchange that the sentence is from."""
        return self.piece.exchange_id

    @property
    def spoken(self) -> bool:
        """Whether it is somebody's words, and no note about them."""
        return self.piece.role in SPOKEN

    @property
    def data(self) -> bool:
        """Whether it is what a tool gave back."""
        return self.piece.role == "tool"

    def names(self, kind: str) -> bool:
        """Whether somebody said it and it holds the words of a `kind` of thing; False for an empty `kind`."""
        return self.spoken and bool(kind) and (kind in self.text or not set(terms(kind)) - self.terms)

    def without_call(self, text: str) -> str:
        """What is shown of it without the call that the tool's message begins with: nothing of the call alone."""
        call = call_of(self.piece.text)[1]
        return "" if text == call else text.removeprefix(f"{call}: ") if call else text

    @property
    def shows_call(self) -> bool:
        """Whether what a tool gave back is shown with its call, or the call alone is."""
        return self.data and self.text != self.quote

    @property
    def quote(self) -> str:
        """What a citation may give as said: nothing, where it is a note about what was said. A call is no word of what
        it gave back."""
        if self.data:
            return self.without_call(self.text)
        return self.text if self.piece.role in (*SPOKEN, *GIVEN, *STANDING) else ""


def candidates(context: Context, language: str = "en", *, items: bool = False) -> list[Candidate]:
    """Every quotable sentence outside the standing orders; sentences of better hits first, the user's before the
    assistant's. `language` is that of the question. With `items`, short items of the assistant's lists count too."""
    place = {hit.exchange_id: i for i, hit in enumerate(context.hits)}
    scores = [hit.score for hit in context.hits]
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    standing = {hit.exchange_id: (hit.score - low) / (high - low or 1.0) for hit in context.hits}
    when = days.said(context)
    pieces = [piece for piece in context.pieces if piece.role not in STANDING]
    pieces.sort(key=lambda p: (_RANK.get(p.role, len(_RANK)), place.get(p.exchange_id, len(place))))
    found, seen = list[Candidate](), set[tuple[int, str]]()
    tools = frozenset(name for piece in pieces for name in _TOOL.findall(piece.text))
    for piece in pieces:
        exchange = piece.exchange_id
        day, worth = when.get(exchange), standing.get(exchange, 0.0)
        if piece.role == "tool":
            output, call = call_of(piece.text, tools)
            for text, named, words in _given(_BESIDE.sub("", output), call):
                if (exchange, text) not in seen:
                    seen.add((exchange, text))
                    found.append(Candidate(piece, text, words, day, worth, keys=named))
            continue
        speaker, said = headed(piece.text, context.speakers) if piece.role == "user" else ("", piece.text)
        if piece.role == "assistant":
            said = _UNSAID.split(said, maxsplit=1)[0]
        called = frozenset(terms(speaker))
        for text, cut, words in _quotable(said, piece.role == "assistant", language, items):
            if (exchange, text) not in seen:
                seen.add((exchange, text))
                who = speaker if len(context.speakers) > 1 else ""
                found.append(
                    Candidate(piece, text, words | called if called else words, day, worth, cut, who)
                )
    return found


def headed(text: str, speakers: Collection[str]) -> tuple[str, str]:
    """Who of the `speakers` says a message, empty where none stands before it, and what is said (`schema.spoken`)."""
    speaker, mark, said = text.partition(": ")
    return (speaker, said) if mark and speaker in speakers else ("", text)


@lru_cache(maxsize=1024)
def call_of(text: str, tools: frozenset[str] = frozenset()) -> tuple[str, str]:
    """What a tool gave back, without marks of omission, and the call: the tool's name, with its arguments where they
    are known. Empty where it is not known."""
    text = text.removeprefix("… ").removesuffix(" …")
    if asked := _ASKED.match(text):
        end = text.find(f"{MARK}: ", asked.end())
        with suppress(ValueError, RecursionError):
            end = _JSON.raw_decode(text, asked.end() - 1)[1]
        end += text.startswith(MARK, end)
        if end > 0 and text.startswith(": ", end):
            return text[end + 2 :], text[:end]
    name, mark, said = text.partition(": ")
    return (said, name) if mark and (name in tools or _NAMED.match(text)) else (text, "")


@lru_cache(maxsize=1024)
def _given(text: str, call: str) -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    """What a tool gave back to a call, in sentences where it is prose, else in stretches of data: each with the terms
    of its keys and all of its terms. What is short says little without its call; beside what is longer the call stands
    by itself."""
    found = []
    if " " in call:
        bare = " ".join(text.split())
        short = 0 < len(bare) <= _SHORT and text[:1] not in "[{<"
        whole, named = f"{call}: {bare}" if short else call, keys(call)
        found.append((whole, named, _words(whole) | {key for key in named if "-" not in key}))
        if short:
            return tuple(found)
    for unit in units(text, call):
        told = [line for line, _ in quotable(unit.text, answers=False)] if _prose(unit.text) else []
        for line in told or [unit.text]:
            found.append(
                (
                    line,
                    unit.keys,
                    _words(line)
                    | _words(readable(line))
                    | unit.about
                    | {key for key in unit.keys if "-" not in key},
                )
            )
    return tuple(found)


def _prose(text: str) -> bool:
    return _DATA.search(text) is None and (len(text) > RECORD or _SENTENCE.search(text) is not None)


# Many lines of one context stand in the next: reading them anew was half of an answer's time.
@lru_cache(maxsize=8_192)
def _quotable(
    text: str, answers: bool, asked: str, items: bool
) -> tuple[tuple[str, bool, frozenset[str]], ...]:
    """The `quotable` sentences with their terms and those of what their words are too, without those with which an
    answer `closes` and the praise with which it opens."""
    return tuple(
        (sentence, cut, _read(sentence, asked))
        for i, (sentence, cut) in enumerate(quotable(text, answers, items))
        if not (answers and (closes(sentence) or (i == 0 and _PRAISE.fullmatch(sentence))))
    )


# Another question cuts other lines from the same sentences.
@lru_cache(maxsize=8_192)
def _words(sentence: str) -> frozenset[str]:
    return widened(set(terms(sentence))) | respelt(sentence)


def _read(sentence: str, asked: str) -> frozenset[str]:
    """The terms of a sentence for a question in the language `asked`."""
    own = (asked == "zh") == bool(_HAN.search(sentence))
    return _words(sentence) if own else across(_words(sentence))


def code(context: Context) -> list[Candidate]:
    """The blocks of code, without the fence that ends each, and without terms."""
    when = days.said(context)
    return [
        Candidate(piece, unclosed(block[0].partition("…")[0]), frozenset(), when.get(piece.exchange_id), 0.0)
        for piece in context.pieces
        if piece.role in SPOKEN
        for block in blocks(piece.text)
        if "\n" in block[0]
    ]


def whole_lines(text: str, most: int) -> str:
    """The beginning of `text` up to the end of a line, at most `most` characters; verbatim."""
    return text if len(text) <= most else text[: text.rfind("\n", 0, most)].rstrip()


def of_roles(context: Context, roles: Collection[str]) -> list[Candidate]:
    """The pieces of some roles, each as it stands: standing orders, entries of the profile."""
    when = days.said(context)
    return [
        Candidate(piece, piece.text, frozenset(terms(piece.text)), when.get(piece.exchange_id), 0.0)
        for piece in context.pieces
        if piece.role in roles
    ]


def quotable(text: str, answers: bool = True, items: bool = False) -> Iterator[tuple[str, bool]]:
    """The sentences of `text` that say something on their own, verbatim, and whether they are cut off by a mark of
    omission. `answers` is whether the assistant wrote it: users write "my landlord is Rosa" without a full stop, in
    answers such lines are headings, unless they are `items` of a list in Chinese."""
    spoken = language(text)
    for part in _FORMULA.split(without_code(text, "\n")):
        found = numbered(sentences(part, spoken))
        for sentence in found if answers else _with_neighbours(part, found):
            spans = _OMITTED.split(sentence.strip())
            for i, span in enumerate(spans, start=1):
                for line in _LINE.split(span):
                    bare = _MARKS.sub("", line).strip()
                    whole = not answers and len(spans) == 1 and bare == span
                    whole = whole or (items and _ITEM.match(line) is not None)
                    if not _nothing(bare, _WORDS if whole else _UNSTOPPED):
                        yield bare, i < len(spans)


def _with_neighbours(text: str, found: Iterable[str]) -> list[str]:
    """The sentences of `text`; one of a single word stays with its neighbour: "Piranesi. my pick!" with the next one,
    if that goes on in small letters, else "We live in Leeds. Yorkshire." with the one before it."""
    # A capital begins something else: "Brilliant! My doctor agrees."
    forward = _joined(text, found, lambda one, two: _alone(one) and (two[:1].islower() or two[:1].isdigit()))
    return _joined(text, forward, lambda one, two: _alone(two) and not (_alone(one) or asks(one)))


def _joined(text: str, found: Iterable[str], together: Callable[[str, str], bool]) -> list[str]:
    """Sentences of `text`; those that stand `together` there are one."""
    said = list[str]()
    for sentence in map(str.strip, found):
        if said and together(said[-1], sentence) and f"{said[-1]} {sentence}" in text:
            said[-1] = f"{said[-1]} {sentence}"
        else:
            said.append(sentence)
    return said


def _alone(sentence: str) -> bool:
    """Whether a sentence is one word, or one figure, that says something with its neighbour."""
    return _ONE_WORD.fullmatch(sentence) is not None and not _INTERJECTION.match(sentence)


def closes(text: str) -> bool:
    """Whether a sentence of an answer only promises to do as it is told, or says what good the answer will do."""
    return _CLOSING.match(text) is not None


def clause(text: str, least: int, most: int) -> str:
    """The beginning of a sentence up to the first clause's end after `least` characters, at most about `most` and
    without a request behind a statement; verbatim."""
    if (asks := _ASKS_THEN.search(text)) and asks.start() >= _ENOUGH:
        text = text[: asks.start()]
    if len(text) <= most:
        return text
    ends = [match.start() for match in _CLAUSE_END.finditer(text, 0, most)]
    end = next((end for end in ends if end >= least), None)
    if end is None:
        space = text.rfind(" ", 0, most)
        end = space if space > least else most
    return text[:end].rstrip(" ,;:，；：、-–—(")


def stretches(text: str) -> list[str]:
    """The clauses of a sentence, verbatim."""
    cuts = [0, *clause_ends(text), len(text)]
    found = (text[a:b].strip(" ,;，；-–—") for a, b in itertools.pairwise(cuts))
    return [part for part in found if part]


def clause_ends(text: str) -> list[int]:
    """Where the clauses of a sentence end."""
    return [match.end() for match in _CLAUSE_END.finditer(text)]


@lru_cache(maxsize=8_192)
def _nothing(text: str, unstopped: int) -> bool:
    words = len(_WORD.findall(text)) + len(_LETTER.findall(text)) / 2
    if (
        words < (_WORDS if _STOPPED.search(text) else unstopped)
        or text.endswith((":", "："))
        or text.startswith("#")
    ):
        return True
    if _EMPHASISED.fullmatch(text) or _PLEASANTRY.match(text):
        return True
    return not any(_ANY_LETTER.search(body) for body, _ in prose(text))


# What a tool returned besides its words.
_BESIDE = re.compile(rf"(?: {re.escape(ATTACHED)}[^\]\n]*\])+$")
_CALLED = re.compile(rf"{re.escape(ATTACHED)}{CALL} ", re.ASCII)
# Calls and thoughts are not sentences that the model said.
_UNSAID = re.compile(rf"{_CALLED.pattern}|{re.escape(ATTACHED)}{THOUGHT} ", re.ASCII)
_TOOL = re.compile(rf"{_CALLED.pattern}([^\s\]{{\[]+)(?=[\s\]])", re.ASCII)
# Where the arguments of a call begin.
_ASKED = re.compile(r"[\w./:-]+ [\[{]")
_JSON = json.JSONDecoder()
# A name before what is no sentence: "lookup_order: {…}".
_NAMED = re.compile(r"[\w.-]+: (?=[\[{<]|--- |[\w.-]+ ?[:=])")
_DATA = re.compile(r"[{}=|<>\t]|^[+-] |\w: ?\S{1,80}$")
_SENTENCE = re.compile(r"[^\W\d]{2,} \W*[^\W\d]{2,}.*[.!?。！？]\W*$", re.DOTALL)
# Words of a sentence, two Han characters or kana to one; of what has no stop at its end, a list's entry or a heading,
# more.
_WORDS, _UNSTOPPED = 2, 5
_STOPPED = re.compile(r"[.!?。！？；]\W*$")
_ENOUGH = 40
_RANK = {"user": 0, "assistant": 1}
_FORMULA = re.compile(r"\\\[.*?(?:\\\]|\Z)", re.DOTALL)
_OMITTED = re.compile(r"(?<!\s)\s*…(?:\s+|$)")
# Where an answer that was put on one line began a new one: before a heading, or an item in bold or its number.
_LINE = re.compile(r"(?<!\s)\s+(?=#{2,6} |(?:[-*•]|\d{1,2}\.) \*\*)|(?<=\*\*)\s+(?=\d{1,2}\.$)")
_MARKS = re.compile(r"^\s*(?:(?:[-*+>•|]+|\d{1,3}[.)])\s+)+")
# An item of a list in Chinese has no stop and is short: "睡前一小时不看手机". In English such a line is a heading.
_ITEM = re.compile(rf"\s*(?:[-*•]|\d{{1,2}}[.)、])\s+[{HAN}]")
_HAN = re.compile(f"[{HAN}]")
_ONE_WORD = re.compile(r"(?:[^\W\d_][\w'’-]+|[$€£]?\d[\d.,:]*\d|\d)[.!]+")
_INTERJECTION = re.compile(
    r"(?:ok(?:ay)?|yes|yeah|yep|no|nope|hi|hey|hello|oh|ah|ugh|hm+|wow|lol|haha\w*|thanks?|thx|great|perfect|cool|nice|done|ta|cheers|yay|yup|aye|whoa|aww+|omg|enjoy|lovely|amazing|congrats\w*"
    r"|sure|sorry|well|right|exactly|indeed|awesome|good|please|anyway|btw|damn|morning|evening|ja|nein|gut|danke|super|hallo|bitte)\b",
    re.IGNORECASE,
)
_EMPHASISED = re.compile(r"(?:\*\*|__)[^*_]*(?:\*\*|__)[:：]?|\|.*\||[-=_*\s|]+")
# Words that are whole: "His name is Robert." is no greeting.
_PLEASANTRY = re.compile(
    r"(?:(?:certainly|of course|absolutely|sure|great|perfect|awesome|thanks?(?: you)?|thank you"
    r"|you're welcome|no problem"
    r"|sounds (?:good|great)|got it|okay?|hello|hi|hey|congratulations|happy to help|i'd be happy to help"
    r"|feel free to|let me know|let's (?:go|walk|break|dive)|here(?:'s| is| are)\b[^.]{0,80}$"
    r"|hope this helps|good luck)(?!\w)|当然|好的|没问题|谢谢|不客气)[^.!?。！？]{0,60}[.!?。！？]*$",
    re.IGNORECASE,
)
# "Nice improvement!", "Good to know.", "Well handled."
_PRAISE = re.compile(
    r"(?:(?:that['’]s|what) an? )?(?:(?:nice|good|great|lovely|wonderful|excellent|brilliant|smart|fantastic|amazing)"
    r"(?-i:(?: [a-z'’]+){0,2}|, (?:that|this|it)(?: [a-z'’]+){1,3})|well (?:done|put|said|\w+ed))[.!]+",
    re.IGNORECASE,
)
# How an answer promises to do as it is told, and how it ends: "By following these steps, you can ensure that …", or the
# rest of that.
_CLOSING = re.compile(
    r"(?:absolutely|sure|certainly|of course|got it|understood)[,!.] I(?:['’]ll| will)\b"
    r"|(?:by|with) (?:\w+ing|these|this|those)\b.{0,160}?\byou(?:['’]ll| can| will| should| are)\b"
    r"|(?:following )?(?:these|this) (?:\w+ ){0,3}(?:will|should|can) (?:\w+ )?(?:help|ensure|allow|give|provide"
    r"|make|enable|contain)\b"
    r"|below is\b|(?-i:you) (?:can|will|should)\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"(?=(?:,(?! (?:19|20)\d\d\b)|;| -| –| —) )|(?<=[，；、])(?!$)|(?= (?:but|because|so that|and (?:I"
    r"|we|now|also|then)) )"
)
_ASKS_THEN = re.compile(
    r"(?:,|;| -| –)?\s+(?:(?:so|and|but|also|now) )*(?:I(?:'m| was| am) (?:just )?wondering|(?:can|could"
    r"|would|will) you\b"
    r"|(?:how|what|which|where|should|is it|do you|any) (?:can|could|should|do|does|would|is|are|I|this"
    r"|that|tips|advice|kind)\b"
    r".*\?*$|please\b)|[，,](?:你)?(?:能不能|能否|可不可以|可以帮|请|帮我)",
    re.IGNORECASE | re.DOTALL,
)
_WORD = re.compile(rf"[^\W\d_{HAN}{KANA}]{{2,}}|\d[\d.,:/-]*")
_LETTER = re.compile(f"[{HAN}{KANA}]")
_ANY_LETTER = re.compile(r"[^\W\d_]")
