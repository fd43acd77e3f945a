"""LoCoMo: two people over many sessions, as one conversation a file or as the published list of ten.

Both are people, so every turn is a user's: each becomes an exchange of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from memfold.ingest.mend import given
from memfold.ingest.normalise import attempt, carried, each, mapping, message
from memfold.ingest.parts import Rejected
from memfold.ingest.records import Value
from memfold.ingest.unit import Unit
from memfold.schema import Item, Message

_SESSION = re.compile(r"session_(\d+)")
_CONTAINERS = re.compile(rb"session_\d+|conversation|\$")


def read(unit: Unit) -> Iterator[Item]:
    """Messages session by session; a session's date is the time of its turns."""
    label = unit.label()
    return each(unit, _CONTAINERS, partial(_conversation, label), partial(conversation_of, label))


def _conversation(label: str, value: Value) -> Iterator[Item]:
    data = mapping(value.data, "conversation")
    talk = mapping(data.get("conversation", data), "conversation")
    conversation = conversation_of(label, data, value.number)
    time: datetime | None = None
    for key in sorted(filter(_SESSION.fullmatch, talk), key=lambda key: int(key.removeprefix("session_"))):
        time = carried(talk.get(f"{key}_date_time"), time)
        turns = talk[key]
        if not isinstance(turns, list):
            yield value.refused("the session is not a list of turns", key, conversation)
            continue
        for number, turn in enumerate(turns, 1):
            yield from attempt(value, f"{key} turn {number}", turn, _turn, conversation, key, time, turn)


def conversation_of(label: str, data: dict[str, Any], number: int) -> str:
    """26 (of 26.json) or the sample_id "conv-26" -> LOCOMO-26, else the sample_id, else the label and position."""
    sample = given(data, "sample_id")
    called = label if sample is None else sample
    digits = called.removeprefix("conv-")
    if digits.isdecimal():
        called = f"LOCOMO-{digits}"
    return called if sample is not None or number <= 1 else f"{called}-{number}"


def _turn(conversation: str, session: str, time: datetime | None, turn: Any) -> list[Message]:
    turn = mapping(turn, "turn")
    caption = turn.get("blip_caption")
    if caption is not None and not isinstance(caption, str):
        raise Rejected("the blip_caption is not a string")
    made = message(
        conversation,
        "user",
        turn.get("text"),
        message_id=turn.get("dia_id"),
        time=time,
        session=session,
        speaker=turn.get("speaker"),
        attachments=(caption,) if caption else (),
    )
    return [made]
