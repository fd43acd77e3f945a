"""User text made ready for patterns: prose without code blocks, and the few sentences that say most. Knows no kinds of
notes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memfold.text.fences import without_code
from memfold.text.sentences import best_cut

# Beyond this a message is a pasted document: its opening and its end say what the user wants of it.
MAX_CHARACTERS = 8_000
# So near to where it is cut, a better place is looked for.
NEAR = 120
SUMMARY = 200

_FORMULAS = re.compile(r"\$\$.*?\$\$|\\\[.*?\\\]", re.DOTALL)
# Generated conversations number their user messages at the end: ` ->-> 1,25`.
_TRAILER = re.compile(r"(?<!\s)\s*->->[\d\s,.]*\Z")


def prose(text: str) -> str:
    """`text` without code blocks, displayed formulas and trailers, bounded in length."""
    if len(text) > MAX_CHARACTERS:
        half = MAX_CHARACTERS // 2
        rest = len(text) - half
        text = text[: best_cut(text, half - NEAR, half)] + "\n" + text[best_cut(text, rest, rest + NEAR) :]
    text = _FORMULAS.sub("\n", without_code(text, "\n"))
    return (_TRAILER.sub("", text) if "->->" in text else text).replace("’", "'")


def summarise(parts: Sequence[str], weights: Sequence[float]) -> str:
    """The weightiest `parts` in their own order, as many as fit in `SUMMARY` characters (the first one is cut)."""
    kept: list[int] = []
    room = SUMMARY
    for index in sorted(range(len(parts)), key=lambda i: (-weights[i], i)):
        need = len(parts[index]) + (1 if kept else 0)
        if not kept and need > SUMMARY:
            return shorten(parts[index], SUMMARY)
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
