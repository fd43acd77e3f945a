"""What is said of something that is rejected: its dead letter, the letter's reason, and the reason's kind.

Knows no reader.
"""

from __future__ import annotations

import re
from textwrap import shorten

from memfold.given import storable
from memfold.ingest.mend import id_of, names_another
from memfold.ingest.stream import UNREAD, Stream
from memfold.schema import RAW_BYTES, DeadLetter

# Where a dead letter stands of which nothing is read.
FILE, FOLDER = "file", "folder"
# Kinds of reasons for which nothing behind a place is read.
IN_THE_MIDDLE, TOO_EARLY = "the file ends in the middle of it", "the file ends before its JSON does"
ENDED = frozenset((UNREAD, IN_THE_MIDDLE, TOO_EARLY))
# Characters of a reason; the longest of memfold's own has 104.
REASON = 120
_NOT_KEPT = (
    "its words are not kept, since messages of this conversation were erased (erased=skip leaves those out)"
)
# What a reason quotes, cut off or not.
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"?')


def letter(part: Stream, place: str, reason: str, raw: bytes, conversation_id: object = None) -> DeadLetter:
    """A dead letter that can be stored: bounded, and without lone surrogates in its words.

    It holds no words if nobody knows its conversation, if an id cannot be stored, or if `raw` names another
    conversation: no erasure would find them. `raw` is of what was parsed: bytes that cannot be parsed may be of any
    conversation, whatever ids stand in them.
    """
    named = id_of(conversation_id)
    if named is not None and not storable(named):
        named = None
    if named is None or names_another(raw, named):
        raw, reason = b"", _QUOTED.sub('"…"', reason)
    file, place, reason = (
        text.encode("utf-8", "backslashreplace").decode() for text in (part.name, place, reason)
    )
    return DeadLetter(file, place, reason, raw[:RAW_BYTES], named)


def kind_of(reason: str) -> str:
    """A dead letter's reason without what differs from one letter to the next: the part up to the first colon."""
    return shorten(reason.partition(":")[0], REASON, placeholder=" …")


def unquoting(reason: str) -> str:
    """A dead letter's reason without what it quotes, where messages of its conversation were erased."""
    return f"{kind_of(reason.removesuffix(f'; {_NOT_KEPT}'))}; {_NOT_KEPT}"
