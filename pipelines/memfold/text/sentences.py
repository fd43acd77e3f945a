"""Text cut into sentences, in two ways: word for word, to be quoted, and plain, to be matched with patterns.

They differ where Markdown, semicolons and abbreviations are: what is quoted must be found in the text again, what is
matched must not be taken apart. Knows the looks of Markdown, code and Chinese punctuation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memfold.text.scripts import HAN, KANA

# A run-on longer than this is cut: every pattern's cost is bounded by it.
MAX_SENTENCE = 600

_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}]")

# Not after a single capital ("J. Smith"), a list number at the line's start, or the commonest abbreviations.
_END = re.compile(
    r"[。！？；]+[”’」』）]*"
    r"|(?<!\b[A-Z])(?<!^\d)(?<!^\d\d)(?<!\b[Dd]r)(?<!\bMrs)(?<!\bM[rs])(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)"
    r"[.!?]+[\"'”’)\]]*(?=\s+[^\sa-z])"
)
_CUT = re.compile(
    r"\n+|(?<=[。！？；])|(?<=[.!?;])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)"
    r"(?<!\bvs\.)(?<!\bNo\.)(?<!\bSt\.)(?<!\betc\.)(?<!\b[A-Z]\.)(?<!^\d\.)(?<!^\d\d\.)[\"'”’)\]]?\s+",
    re.MULTILINE,
)
_BULLET = re.compile(
    r"\s*(?:[-*+>|]+\s|•|#{1,6}\s|\d{1,3}[.)]\s|\d{1,3}、|[（(]?[一二三四五六七八九十]{1,3}[）)、]|[（(]\d{1,3}[）)])\s*(?=\S)"
)
_BLANKS = re.compile(r"\s+")
_MARKUP = re.compile(r"\*\*|__|`")
_CODE_LINE = re.compile(
    r"[{};]$|^(?:import \w|from [\w.]+ import|def \w|class \w+[(:]|return\b.*[()\[\];]"
    r"|(?:const|let|var) \w+ =|func \w|fn \w|"
    r"#include|SELECT |CREATE TABLE|INSERT INTO|@\w+|</?[a-z!]|//|/\*|\$ |>>>"
    r"|[\w.\[\]'\"]+ ?[-+]?=|[\w.]+\([^)]*\)[:{]?$)"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def verbatim_sentences(text: str) -> Iterator[str]:
    """The sentences of `text` verbatim: cut at line ends, after 。！？；, and after . ! ? before a new beginning."""
    for line in text.splitlines():
        start = 0
        for match in _END.finditer(line):
            if span := line[start : match.end()].strip():
                yield span
            start = match.end()
        if span := line[start:].strip():
            yield span


def around(text: str, start: int, end: int, characters: int) -> str:
    """The sentence that a stretch of `text` stands in, cut as `verbatim_sentences` cuts; of a longer one so many
    characters around the stretch, marked where something was left out."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    # A sentence that begins or ends further away is cut in any case.
    for match in _END.finditer(text, max(first, start - characters), min(last, end + characters)):
        if match.end() <= start:
            first = match.end()
        elif match.end() >= end:
            last = match.end()
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
    """One sentence of prose. `listed`: it stood in a list or heading. `words` are its lower-cased Latin words."""

    text: str
    listed: bool
    chinese: bool
    words: frozenset[str]


def plain_sentences(text: str) -> list[Sentence]:
    """The sentences of prose, which has no code blocks, without list marks, emphasis and lines of code."""
    found = []
    for piece in _CUT.split(text):
        mark = _BULLET.match(piece)
        body = _MARKUP.sub("", piece[mark.end() :] if mark else piece)
        body = _BLANKS.sub(" ", body).strip()[:MAX_SENTENCE]
        if len(body) < 2 or _CODE_LINE.search(body):
            continue
        chinese = _HAN.search(body) is not None and _KANA.search(body) is None
        words = frozenset(_WORD.findall(body.lower()))
        if chinese or words:
            found.append(Sentence(body, mark is not None, chinese, words))
    return found
