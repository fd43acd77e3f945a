"""What the logs of agents' programs have in common: lines that are no messages, and what the program itself wrote into
a user's message.

A log has a line for all that its program does, and most of them repeat what others say. They are counted, not rejected:
a session has thousands. Of a user's message the stretches that the program wrote become messages of the system, so that
nobody takes them for the user's orders. What the user said around one stays one message: a second one would open a
second exchange. Knows no program.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from memfold.ingest.agents import Calls, messages_of
from memfold.schema import Message, Notice

# How many kinds of lines are told by name, and how many are counted apart.
TOLD, KINDS = 20, 200
_KIND = re.compile(r"[\w.:-][\w.: -]{0,39}", re.ASCII)

# A log has a record per line and none of them holds others (`records.values`).
NO_CONTAINER = re.compile(rb"(?!)")
_BLANKS = re.compile(r"\s*+")

# A user's content or a piece of it: a text, or parts.
Said = TypeVar("Said", str, list[Any])

# A text's stretches in their order, each with whether the program wrote it.
Stretches = list[tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class Passed(Notice):
    """How many lines of a file are no messages, by kind. What is said of all files together is `Frames.told`."""

    kinds: tuple[tuple[str, int], ...] = ()


class Frames:
    """Counts lines that are no messages."""

    def __init__(self) -> None:
        self._kinds: Counter[str] = Counter()
        self._files = 0

    def add(self, *names: object) -> None:
        """Count a line, by its type and, where it has one, its type within that."""
        known = [name for name in names if isinstance(name, str) and _KIND.fullmatch(name)]
        self._count(" ".join(known) or "other", 1)

    def add_all(self, passed: Passed) -> None:
        """Count those of a file."""
        self._files += 1
        for kind, count in passed.kinds:
            self._count(kind, count)

    def _count(self, kind: str, count: int) -> None:
        room = kind in self._kinds or len(self._kinds) < KINDS
        self._kinds[kind if room else "other"] += count

    def told(self) -> Iterable[Passed]:
        """One notice of all that was counted; none where nothing was."""
        if not self._kinds:
            return
        of = f" in {self._files:,} files" if self._files > 1 else ""
        named = [f"{count:,} {kind}" for kind, count in self._kinds.most_common(TOLD)]
        if (more := self._kinds.total() - sum(count for _, count in self._kinds.most_common(TOLD))) > 0:
            named.append(f"{more:,} of other kinds")
        text = f"{self._kinds.total():,} lines{of} are no messages and are not read: {', '.join(named)}"
        yield Passed(text, tuple(self._kinds.items()))


def stretches(
    text: str, opening: re.Pattern[str], whole: re.Pattern[str], typed: Sequence[str] = ()
) -> Stretches:
    """A user's text, cut where the program's own words begin and end.

    `opening` matches the program's opening tags, by the name `tag`; one without its end is the user's. Inside the tags
    of `typed` stand the user's words. `whole` matches how a text begins that is the program's from start to end.
    """
    if whole.match(text):
        return [(True, text)]
    ends: list[tuple[bool, int]] = []
    unclosed: set[str] = set()
    place = 0
    while found := opening.search(text, place):
        tag, place = found["tag"], found.end()
        end = -1 if tag in unclosed else text.find(f"</{tag}>", place)
        if end < 0:
            unclosed.add(tag)
            continue
        # The blanks between two tags are behind the first.
        ends.append((False, max(found.start(), ends[-1][1] if ends else 0)))
        if tag in typed:
            ends += [(True, place), (False, end)]
        place = end + len(tag) + 3
        ends.append((True, _BLANKS.match(text, place).end()))  # type: ignore[union-attr]
    made: list[tuple[bool, int]] = []
    start, blank = 0, True
    for told, end in [*ends, (False, len(text))]:
        if start == end:
            continue
        # Blanks are nobody's: they go with what stands before them, or at the start with what follows.
        only = _BLANKS.fullmatch(text, start, end) is not None
        if made and (only or blank or told == made[-1][0]):
            made[-1] = (told if blank and not only else made[-1][0], end)
        else:
            made.append((told, end))
        start, blank = end, blank and only
    starts = [0, *(end for _, end in made)]
    return [(told, text[start:end]) for start, (told, end) in zip(starts, made, strict=False)] or [
        (False, text)
    ]


def of_user(
    calls: Calls,
    conversation: str | None,
    content: object,
    cut: Callable[[str], Stretches] | None,
    *,
    message_id: str | None,
    time: datetime | None,
) -> list[Message]:
    """The messages that a record written like a user's becomes: the user's words, and the program's as the system's.
    `cut` tells them apart; None: the program wrote all of it."""
    made: list[Message] = []
    for told, piece in [(True, content)] if cut is None else _divided_by_author(content, cut):
        made += messages_of(calls, conversation, {}, "system" if told else "user", piece, time=time)
    return _called(made, message_id)


def _divided_by_author(content: object, cut: Callable[[str], Stretches]) -> Sequence[tuple[bool, object]]:
    """The user's words and the program's in a content, each with whether it is the program's. `cut` divides the texts.
    What is not text is the user's; a blank text belongs to the part before it."""
    if isinstance(content, str):
        return _as_one(cut(content))
    if not isinstance(content, list):
        return [(False, content)]
    runs: list[tuple[bool, list[Any]]] = []
    for part in content:
        text = part.get("text") if isinstance(part, dict) else part
        if not isinstance(text, str):
            runs.append((False, [part]))
        elif runs and not text.strip():
            runs.append((runs[-1][0], [part]))
        else:
            pieces = _as_one(cut(text))
            runs += [
                (told, [{**part, "text": words} if isinstance(part, dict) else words])
                for told, words in pieces
            ]
    return _as_one(runs) or [(False, content)]


def _as_one(runs: Iterable[tuple[bool, Said]]) -> list[tuple[bool, Said]]:
    """All words of the user's as one piece, and one piece each for the program's words before and behind them."""
    made: list[tuple[bool, Said]] = []
    for told, piece in runs:
        same = [place for place, (other, _) in enumerate(made) if other == told]
        # The program's words join only if no words of the user's stand between them.
        if same and (not told or same[-1] == len(made) - 1):
            made[same[-1]] = (told, _joined(made[same[-1]][1], piece))
        else:
            made.append((told, piece))
    return made


def _joined(before: Said, behind: Said) -> Said:
    if isinstance(before, str) and not before.endswith("\n"):
        return before + "\n" + behind
    return before + behind


def _called(made: Sequence[Message], message_id: str | None) -> list[Message]:
    """The messages that one of a log became, with its id: the user's first one, or where there is none the first of
    all, has it, and the others have it with their place among them (`a#2`)."""
    kept = next((place for place, message in enumerate(made) if message.role == "user"), 0)
    if message_id is None:
        return list(made)
    return [
        replace(message, message_id=message_id if place == kept else f"{message_id}#{place + 1}")
        for place, message in enumerate(made)
    ]
