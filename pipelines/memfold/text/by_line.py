"""Tells what is somebody else's by its lines: logs, chats, talks, machines, code without a fence and tables.

Each form is a line of `_FORMS`: what opens a stretch that ends at the next blank line, or how lines begin that stand
one below the other, and what tells them from the user's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from memfold.text.put_out import heads_machine
from memfold.text.spans import Span, begins, heads

Match = re.Match[str]
# From one line to before another.
Run = tuple[int, int]
# From the beginnings of all lines, "" for a blank one or one that is taken, to those of the form.
Form = Callable[[Sequence[str]], Iterator[Run]]

# What begins with a time, in logs and chats.
_TIMED = re.compile(
    r"\W?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T, ]+\d{1,2}:\d\d|\[?\d{1,2}:\d\d(?::\d\d|[^\]]{0,9}\])"
    r"|\d{1,2}:\d\d[ ]+(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b"
)
# A subtitle, or what is changed in a file.
_STRETCH = re.compile(r"\d\d:\d\d:\d\d[.,]\d+[ \t]*-->|diff --git |@@ -\d")
_NAME_AND_TIME = re.compile(r"[^:]{1,30}\b\d{1,2}:\d\d(?:[ \t]*[AP]M)?$")
# Who speaks, before what they say.
_SPEAKER = re.compile(r"([^\W\d_][^:：\d.!?。！？]{0,24})[:：]")
_SPEAKERS = frozenset(("me", "i", "you", "user", "human", "ich", "du", "benutzer", "我", "你", "用户"))
_NO_SPEAKERS = frozenset(
    ("rule", "note", "order", "important", "please", "reminder", "step", "规则", "要求", "注意", "regel")
)
# Before what a machine is said to speak.
_MACHINE = re.compile(
    r"[\[(*#]*[ \t]*(?:system(?:\s+(?:message|prompt|note))?|\w*prompt|assistant|chatbot|ai|bot|agent|tool"
    r"|function|developer|support|output|observation|系统(?:消息|提示)?|助手|客服|机器人|工具|assistent|kundendienst|ausgabe)"
    r"[ \t]*(?:[\])*]+[ \t]*[:：]?|\**[:：])\**[ \t]*|#+[ \t]*(?:system|assistant|developer|tool)$",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"(?P<code>(?:def|class|import|const|let|var|function|public|private|static)[ ][\w.]+[ ]*(?:[(:;={,]|$)"
    r"|from[ ][\w.]+[ ]import\b|#include\b|[\w.\[\]]+[ ]*[-+*/]?=[ ]*[\"'\d\[{(]"
    r"|[\w.]+\(.*\)[ ]*[;{]?$|[{}\[\]()]+[;,]?$|\"[\w -]+\"[ ]*:|\{[ ]*\""
    r"|</?[a-z][\w-]*[^<>]*>|//|/\*|\$[ ]\w|(?:INSERT|SELECT|UPDATE|DELETE|CREATE)[ ]|[^\t]+\t)|#"
)
_SEPARATED = re.compile(r"(?:[^,，]*,(?=\S)){2}")


def by_line(text: str, *, wary: bool = False) -> Iterator[Span]:
    """What is somebody else's by its lines, each form on what those before it leave. If `wary`, no words
    below a machine's head are the user's."""
    lines = heads(text)
    taken = [False] * len(lines)
    for form in _WARY_FORMS if wary else _FORMS:
        for first, last in [*form(lines)]:
            taken[first:last] = [True] * (last - first)
            lines[first:last] = [""] * (last - first)
    if any(taken):
        at = begins(text)
        yield from ((at[first], at[last]) for first, last in _runs(taken))


def _to_blank(opens: Callable[[Sequence[str], int], object]) -> Form:
    """Lines from one that opens a stretch to the next blank one."""

    def found(lines: Sequence[str]) -> Iterator[Run]:
        end = 0
        for n, head in enumerate(lines):
            if n >= end and head and opens(lines, n):
                end = next((m for m in range(n + 1, len(lines)) if not lines[m]), len(lines))
                yield n, end

    return found


def _in_a_row(pattern: re.Pattern[str], tells: Callable[[Sequence[Match]], bool]) -> Form:
    """Lines one below the other that begin so, if together they tell that they are of this form."""

    def found(lines: Sequence[str]) -> Iterator[Run]:
        matches = list(map(pattern.match, lines))
        for first, last in _runs(matches):
            if tells([match for match in matches[first:last] if match]):
                yield first, last

    return found


def _runs(marks: Sequence[object]) -> list[Run]:
    """The runs of what is set."""
    if not any(marks):
        return []
    edges = [n for n, (a, b) in enumerate(pairwise((False, *map(bool, marks), False))) if a != b]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _shows_changes(lines: Sequence[str], n: int) -> bool:
    """Whether a stretch stands from here on, of what was changed in a file perhaps below its old and new name."""
    renamed = lines[n].startswith("--- ") and n + 1 < len(lines) and lines[n + 1].startswith("+++ ")
    return renamed or _STRETCH.match(lines[n]) is not None


def _speaks_below(lines: Sequence[str], n: int, *, wary: bool) -> bool:
    """Whether a machine speaks from here on, and not on this line alone."""
    machine = _MACHINE.match(lines[n])
    return machine.end() == len(lines[n]) if machine else heads_machine(lines, n, wary=wary)


def _chatted(lines: Sequence[str]) -> Iterator[Run]:
    """Two or more names with times, each above a line that is said."""
    end = 0
    for n in range(len(lines)):
        if n < end:
            continue
        end = n
        while end + 1 < len(lines) and lines[end + 1] and _NAME_AND_TIME.match(lines[end]):
            end += 2
        if end - n > 2:
            yield n, end


def _talk(speakers: Sequence[Match]) -> bool:
    """Whether what stands before the lines are speakers: one of them twice, or "me"."""
    names = Counter(speaker[1].strip().casefold() for speaker in speakers)
    return len(speakers) > 1 and any(
        (name in _SPEAKERS or count > 1) and name not in _NO_SPEAKERS for name, count in names.items()
    )


def _forms(*, wary: bool) -> tuple[Form, ...]:
    return (
        _to_blank(_shows_changes),
        _in_a_row(_TIMED, any),
        _chatted,
        _in_a_row(_SPEAKER, _talk),
        _to_blank(partial(_speaks_below, wary=wary)),
        _in_a_row(_MACHINE, any),
        # Code, and the comments beside it.
        _in_a_row(_CODE, lambda lines: any(line["code"] for line in lines)),
        _in_a_row(_SEPARATED, lambda lines: len(lines) > 1),
    )


_FORMS, _WARY_FORMS = _forms(wary=False), _forms(wary=True)
