"""Tells documents of keys and values (YAML) without a fence: from the first key to where the shape ends.

People write "city: Graz" of themselves too. A document is told by what they do not write: a key whose text stands
indented below it ("prompt: |"), keys within keys, "---" above the first one, or a key that only programs have.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from memfold.text.spans import HEAD, Span, begins

_KEY = re.compile(
    r"(?P<indent>[ \t]*)(?P<item>(?:-[ \t]+)*)[\"']?(?P<key>[a-z_][\w./-]{0,60})[\"']?:"
    r"(?:[ \t]+(?P<value>\S.*)|[ \t]*)\Z",
    re.DOTALL,
)
_BLOCK = re.compile(r"[|>][-+\d]{0,2}[ \t]*(?:#.*)?\Z")
_BESIDE = re.compile(r"[ \t]*(?:-[ \t]|#|(?:---|\.\.\.)[ \t]*\Z)")
_TOP = "---"
# Of these one beside another key tells a document; of "role", "description" and "run" people write of themselves.
_OF_PROGRAMS = re.compile(
    r"(?:apiVersion|kind|metadata|spec|model|temperature|prompt|system|instructions|content|jobs|steps|uses|services|env"
    r"|script|\w+_\w+|runs-on)\Z"
)


def mapped(text: str) -> Iterator[Span]:
    """The documents of keys and values in a text."""
    lines = text.split("\n")
    at = begins(text)
    n = 0
    while n < len(lines):
        end = _end(lines, n)
        if end > n and _document(lines[n:end]):
            yield at[n], at[end]
        n = max(end, n + 1)


def _end(lines: Sequence[str], n: int) -> int:
    """Behind the last line that has the shape of a document from line `n` on; `n` where none begins there. A blank line
    is part of one where what follows is indented. Text below "prompt: |" may have lost its indentation."""
    if not (_KEY.match(lines[n][:HEAD]) or lines[n].rstrip() == _TOP):
        return n
    end = n
    key = block = -1
    flat = False
    for m in range(n, len(lines)):
        line = lines[m][:HEAD]
        if not line.strip():
            continue
        indent = len(line) - len(line.lstrip())
        if end < m and (not indent or end == n):
            break
        if not (0 <= block < indent or (flat and end == m)):
            block = -1
            if found := _KEY.match(line):
                key = indent
                block = indent if _BLOCK.match(found["value"] or "") else -1
                flat = block >= 0 and not _indented(lines, m + 1, block)
            elif not (_BESIDE.match(line) or 0 <= key < indent):
                break
        end = m + 1
    return end


def _indented(lines: Sequence[str], n: int, indent: int) -> bool:
    return n < len(lines) and len(lines[n]) - len(lines[n].lstrip()) > indent


def _document(lines: Sequence[str]) -> bool:
    """Whether lines of this shape are a document."""
    keys = [_KEY.match(line[:HEAD]) for line in lines]
    found = [key for key in keys if key]
    if not found:
        return False
    blocks = any(_BLOCK.match(key["value"] or "") for key in found)
    top = lines[0].rstrip() == _TOP and keys[1:2] != [None]
    nested = any(
        above and below and not below["item"] and len(below["indent"]) > len(above["indent"])
        for above, below in itertools.pairwise(keys)
    )
    return (
        blocks or top or nested or (len(found) > 1 and any(_OF_PROGRAMS.match(key["key"]) for key in found))
    )
