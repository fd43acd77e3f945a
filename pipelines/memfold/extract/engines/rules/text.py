"""User text made ready for patterns: prose without code, in sentences, and the few sentences that say most.

Knows the looks of Markdown, code and Chinese punctuation; knows no kinds of notes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Beyond this a message is a pasted document: its opening and its end say what the user wants of it.
MAX_CHARACTERS = 8_000
# A run-on longer than this is cut: every pattern's cost is bounded by it.
MAX_SENTENCE = 600
SUMMARY = 200

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA = re.compile("[\u3040-\u30ff]")

_BLOCKS = re.compile(r"```.*?(?:```|\Z)|\$\$.*?\$\$|\\\[.*?\\\]", re.DOTALL)
# Generated conversations number their user messages at the end: ` ->-> 1,25`.
_TRAILER = re.compile(r"(?<!\s)\s*->->[\d\s,.]*\Z")
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


def lexicon(text: str) -> frozenset[str]:
    """The words of a table written as one line."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose. `listed`: it stood in a list or heading. `words` are its lower-cased Latin words."""

    text: str
    listed: bool
    chinese: bool
    words: frozenset[str]


def prose(text: str) -> str:
    """`text` without code blocks, displayed formulas and trailers, bounded in length."""
    if len(text) > MAX_CHARACTERS:
        half = MAX_CHARACTERS // 2
        text = text[:half] + "\n" + text[-half:]
    return _TRAILER.sub("", _BLOCKS.sub("\n", text)).replace("’", "'")


def sentences(text: str) -> list[Sentence]:
    """The sentences of `prose`, without list marks, emphasis and lines of code."""
    found = []
    for piece in _CUT.split(text):
        mark = _BULLET.match(piece)
        body = _MARKUP.sub("", piece[mark.end() :] if mark else piece)
        body = _BLANKS.sub(" ", body).strip()[:MAX_SENTENCE]
        if len(body) < 2 or _CODE_LINE.search(body):
            continue
        chinese = HAN.search(body) is not None and _KANA.search(body) is None
        words = frozenset(_WORD.findall(body.lower()))
        if chinese or words:
            found.append(Sentence(body, mark is not None, chinese, words))
    return found


def summarise(parts: Sequence[str], weights: Sequence[float], limit: int = SUMMARY) -> str:
    """The weightiest `parts` in their own order, as many as fit in `limit` characters (the first one is cut)."""
    kept: list[int] = []
    room = limit
    for index in sorted(range(len(parts)), key=lambda i: (-weights[i], i)):
        need = len(parts[index]) + (1 if kept else 0)
        if not kept and need > limit:
            return shorten(parts[index], limit)
        if need <= room and weights[index] > 0:
            kept.append(index)
            room -= need
    return " ".join(parts[index] for index in sorted(kept))


def shorten(text: str, limit: int) -> str:
    """`text` cut to `limit` characters at a comma or a space where there is one in its last third."""
    text = text.strip()
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    for stop in ("，", ", ", " "):
        at = head.rfind(stop)
        if at > limit * 2 // 3:
            return head[:at].rstrip(" ,，") + "…"
    return head.rstrip() + "…"
