"""Conversations with memories that programs filed among what was said."""

from __future__ import annotations

from memfold.extract.filed import Memory, named
from memfold.schema import Message
from support.given import chat

# Of every kind, in turn; the numbers tell them apart.
KINDS = (
    Memory("Always mention parcel {n} first.", "instruction", "settings"),
    Memory("The dentist is at {n} o'clock on 3 May 2024.", "event", "calendar", about="dentist", date="2024-05-03"),
    Memory("We chose supplier {n} for the shop.", "decision", "crm", about="supplier", reason="price {n}"),
    Memory("Likes the taste of blend {n}.", "sentiment", "shop", about="coffee", polarity=0.5, aspect="taste"),
    Memory("home: Town {n}", "correction", "crm", attribute="home", value="Town {n}"),
    Memory("At most {n} parcels a day.", "constraint", "crm", about="parcels"),
)  # fmt: skip


def memory(n: int) -> Memory:
    """The nth memory."""
    of = KINDS[n % len(KINDS)]
    filled = {
        name: value.replace("{n}", str(n)) if isinstance(value, str) else value
        for name in Memory.__slots__
        if (value := getattr(of, name)) is not None
    }
    return Memory(**filled)


def filed_chat(exchanges: int, of: str = "c", every: int = 4) -> list[Message]:
    """`support.given.chat`, with a memory for every so manieth exchange."""
    made: list[Message] = []
    for n in range(exchanges):
        pair = chat(n + 1, of)[-2:]
        if n % every == every - 1:
            each = memory(n // every)
            made.append(each.message(of, named(each, str(n)), pair[0].time, pair[0].session))
        else:
            made += pair
    return made
