"""Text cut into units that can be left out or shown one by one: blocks, lines, sentences, clauses.

A unit is as large as a limit allows and ends where something ends: a block (a paragraph, a list, a block of code), or
in a longer block a line, in a longer line a sentence, in a longer sentence a clause. Only a clause longer than the
limit is cut between words. Knows places in the text, no question and no budget.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from unicodedata import category

from memfold.text.fences import blocks
from memfold.text.language import language
from memfold.text.sentences import sentences

# Where a stretch of text begins and ends, in characters.
Place = tuple[int, int]

# Texts whose units are kept by whoever cuts the same ones often: cutting the messages of a context anew was a quarter
# of making it.
KEPT = 4_096


# A heading or an item of a list, by the mark at the beginning of its line.
_HEAD = re.compile(
    r"(?<![^\n])[^\S\n]*(?:#{1,6}[^\S\n]|(?:[-*•]|\d{1,3}[.)])[^\S\n]|\d{1,3}、|[（(]?[一二三四五六七八九十]{1,3}[、）)]|\*\*)"
)


def heads(text: str, place: Place) -> bool:
    """Whether the unit at `place` begins a heading or an item of a list."""
    return _HEAD.match(text, place[0]) is not None


def units(text: str, longest: int) -> Iterator[Place]:
    """The units of `text` of at most `longest` characters, in order; together they hold all of it but white space. The
    text is read only as far as units are asked for."""
    at = 0
    for code in blocks(text):
        yield from _prose(text, at, code.start(), longest)
        yield from _block(text, *code.span(), longest)
        at = code.end()
    yield from _prose(text, at, len(text), longest)


def joined(places: Iterable[Place], longest: int) -> Iterator[Place]:
    """Neighbours taken together as long as they have at most `longest` characters."""
    first = last = -1
    for start, end in places:
        if first >= 0 and end - first > longest:
            yield first, last
            first = -1
        first = start if first < 0 else first
        last = end
    if first >= 0:
        yield first, last


def _prose(text: str, start: int, end: int, longest: int) -> Iterator[Place]:
    for block in _between(_EMPTY_LINE, text, start, end):
        yield from _block(text, *block, longest)


def _block(text: str, start: int, end: int, longest: int) -> Iterator[Place]:
    if end - start <= longest:
        yield start, end
        return
    for first, last in _between(_LINE_END, text, start, end):
        if last - first <= longest:
            yield first, last
            continue
        line = text[first:last]
        for sentence in sentences(line, language(line)):
            said = sentence.rstrip()
            # The segmenter makes a sentence of a record separator, which is only white space.
            if said:
                yield from _sentence(text, first, first + len(said), longest)
            first += len(sentence)


def _sentence(text: str, start: int, end: int, longest: int) -> Iterable[Place]:
    if end - start <= longest:
        return [(start, end)]
    clauses: list[Place] = []
    for first, last in _between(_CLAUSE_END, text, start, end):
        if last - first <= longest:
            clauses.append((first, last))
        else:
            clauses.extend(joined((word.span() for word in _WORD.finditer(text, first, last)), longest))
    # "So, however," is no unit.
    return joined(clauses, longest)


def _between(gap: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Place]:
    """What stands between the matches of `gap`, without white space at its end, where that is more than white space."""
    while start < end and text[start].isspace():
        start += 1
    end = _stripped(text, start, end)
    for match in gap.finditer(text, start, end):
        if match.start() > start:
            yield start, _stripped(text, start, match.start())
        start = match.end()
    if end > start:
        yield start, end


def _stripped(text: str, start: int, end: int) -> int:
    """Where the text from `start` to `end` ends without the white space at its end."""
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


# It leaves the white space before the line end to `_between`: a pattern that begins with white space takes ten times as
# long, and one that began at each of 60,000 blanks took 11 s.
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n\s*")
# A formula on lines of its own is one with its brackets: "the chance is: \\[" alone ends before its number.
_LINE_END = re.compile(r"(?<!\s)(?<!\\\[)\s*\n(?!\s*\\\])\s*")
# The white space behind a comma or the like, so that 12,500 and 10:30 stay whole; in Chinese the end of any.
_CLAUSE_END = re.compile(r"(?<=[,;:])\s+|(?<=[，、；：])\s*")
# What is drawn with the character before it: no stretch is cut before it, nor behind what joins emoji.
# Ideographs and Hangul hold none of it, and looking through them takes 4 of 5 ms.
_MARKED = (*range(0x300, 0x3100), *range(0xA660, 0xAC00), *range(0xFB00, 0x10000))
_DRAWN_WITH = "".join(mark for mark in map(chr, _MARKED) if category(mark)[0] == "M") + "\u200d"
# A character of Chinese, or what stands between white space; of base64 a stretch.
_STRETCH = r"(?:(?![\u3400-\u9fff])\S){1,200}"
_WORD = re.compile(
    rf"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]|{_STRETCH}(?![{_DRAWN_WITH}])(?<!\u200d)|{_STRETCH}"
)
