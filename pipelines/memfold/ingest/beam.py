"""BEAM: batches of turns of messages. Ten plans make one conversation, its ids counted through all of them.

The layouts: `100K/1/chat.json`, a list of batches; `10M/5/plan-N/chat.json`, the same for each plan; and the
published tables' rows, whose `chat` is a list of batches or of {"plan-N": batches}.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from memfold.ingest.mend import given
from memfold.ingest.normalise import attempt, carried, filled, mapping, message
from memfold.ingest.records import Value, values
from memfold.ingest.stream import unpacked
from memfold.ingest.unit import Unit
from memfold.schema import DeadLetter, Item, Message

_CONTAINERS = re.compile(rb"turns|chat|plan-\d+")
_PLAN = re.compile(r"plan-(\d+)")
_SIZE = re.compile(r"\d+[KM]")
# How the questions were generated left marks such as " ->-> 3,12", " ->-> 3,N/A" and " ->-> 3,", twice of
# 14,000 with the generator's remarks after them (the longest 270 characters).
_ARTEFACT = re.compile(r"(?<!\s)\s*->->\s*\d+\s*,.{0,400}\Z", re.DOTALL)


def read(unit: Unit) -> Iterator[Item]:
    """Messages in the source's order. A time anchor covers what follows it, to the next one."""
    walk = _Walk(conversation_of(unit))

    def whose(fields: dict[str, Any], number: int) -> str:
        row = f"{walk.conversation}-{number}" if "chat" in fields else walk.conversation
        return given(fields, "conversation_id") or row

    for part in unit.parts():
        walk.begin_plan()
        for value in values(part, _CONTAINERS, whose):
            if isinstance(value, DeadLetter):
                yield value
            elif isinstance(value.data, dict) and "chat" in value.data:
                yield from filled(
                    value, _Walk(str(value.named())).messages(value, value.data["chat"], value.place)
                )
            else:
                yield from filled(value, walk.messages(value, value.data, f"batch {value.number}"))


def conversation_of(unit: Unit) -> str:
    """`100K/1/chat.json` -> 100K-1 and `10M/5` -> 10M-5, wherever they are; else `a/chat.json` -> a, `a/x.json` -> a/x.

    The first two are what BEAM calls them; the others are named for their place in the source.
    """
    path = unit.path.parent if _is_chat(unit.path) else unit.path
    size = path.resolve().parent.name
    return f"{size}-{Unit(path, (), path.parent).label()}" if _SIZE.fullmatch(size) else unit.label(path)


def whole(file: Path) -> Path:
    """The folder of plans that a plan's file is part of; any other file is a whole."""
    return file.parent.parent if _is_chat(file) and _PLAN.fullmatch(file.parent.name) else file


def _is_chat(file: Path) -> bool:
    return unpacked(file.name) == "chat.json"


class _Walk:
    """Down one conversation: the time that covers, and how far ids are shifted in this plan."""

    def __init__(self, conversation: str) -> None:
        self.conversation = conversation
        self.time: datetime | None = None
        self.count = 0
        self.offset: int | None = None

    def begin_plan(self) -> None:
        self.offset = None

    def messages(self, value: Value, data: Any, place: str, level: int = 0) -> Iterator[Item]:
        """Whatever of batches, turns and messages `data` is."""
        if isinstance(data, dict) and "turns" in data:
            self.time = carried(data.get("time_anchor"), self.time)
            yield from self.messages(value, data["turns"], place, 1)
        elif isinstance(data, dict) and data and all(_PLAN.fullmatch(key) for key in data):
            for key in sorted(data, key=lambda key: int(key.removeprefix("plan-"))):
                self.begin_plan()
                yield from self.messages(value, data[key] or [], key, 0)
        elif isinstance(data, list) and level < 3:
            word = ("batch", "turn", "message")[level]
            for number, inner in enumerate(data, 1):
                flat = level == 1 and isinstance(inner, dict)
                where = f"{place} {'message' if flat else word} {number}"
                yield from self.messages(value, inner, where, level + 1)
        else:
            yield from attempt(value, place, data, self._message, self.conversation, data)
            self.count += 1

    def _message(self, conversation: str, data: Any) -> list[Message]:
        data = mapping(data)
        self.time = carried(data.get("time_anchor"), self.time)
        content = data.get("content")
        if data.get("role") == "user" and isinstance(content, str):
            content = _ARTEFACT.sub("", content)
        called = self._id(data)
        return [message(conversation, data.get("role"), content, message_id=called, time=self.time)]

    def _id(self, data: dict[str, Any]) -> object:
        number = data.get("id")
        if not isinstance(number, int) or isinstance(number, bool):
            return number
        if self.offset is None:
            # A source whose ids already run through the plans is left as it is.
            self.offset = self.count if number < self.count else 0
        return number + self.offset
