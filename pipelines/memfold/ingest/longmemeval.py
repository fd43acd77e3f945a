"""LongMemEval: one conversation a question, its sessions in three parallel lists. Dates have no zone: UTC."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memfold.ingest.mend import given
from memfold.ingest.normalise import attempt, carried, each, listed, mapping, message, name
from memfold.ingest.parts import Rejected
from memfold.ingest.records import Value
from memfold.ingest.unit import Unit
from memfold.schema import Item, Message

_CONTAINERS = re.compile(rb"haystack_sessions")


def read(unit: Unit) -> Iterator[Item]:
    """Messages session by session in the source's order, named `<session id>:<position>`."""
    return each(unit, _CONTAINERS, _question, lambda fields, _: given(fields, "question_id"))


def _question(value: Value) -> Iterator[Item]:
    data = mapping(value.data, "question")
    conversation = name(data.get("question_id"))
    if conversation is None:
        raise Rejected("no question_id")
    sessions, dates, ids = (
        _list(data, key) for key in ("haystack_sessions", "haystack_dates", "haystack_session_ids")
    )
    time: datetime | None = None
    for number, turns in enumerate(sessions):
        time = carried(dates[number] if number < len(dates) else None, time)
        session = ids[number] if number < len(ids) else f"session_{number + 1}"
        place = f"question {conversation} haystack_sessions[{number}]"
        if not isinstance(turns, list):
            yield value.refused("the session is not a list of turns", place)
            continue
        for position, turn in enumerate(turns):
            yield from attempt(
                value, f"{place}[{position}]", turn, _turn, conversation, session, position, time, turn
            )


def _list(data: dict[str, Any], key: str) -> list[Any]:
    found = data.get(key)
    if found is None and key != "haystack_sessions":
        return []
    return listed(found, key)


def _turn(
    conversation: str, session: object, position: int, time: datetime | None, turn: Any
) -> list[Message]:
    turn = mapping(turn, "turn")
    role, content, called = turn.get("role"), turn.get("content"), f"{name(session)}:{position}"
    return [message(conversation, role, content, message_id=called, time=time, session=session)]
