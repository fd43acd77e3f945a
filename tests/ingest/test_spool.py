"""Messages gathered by conversation, in memory or on disk."""

from __future__ import annotations

from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.ingest.spool import Spool
from memfold.schema import Message
from support.given import conversations, said


@pytest.mark.parametrize("limit", [0, 300, 1 << 20])
@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("abc").flatmap(lambda name: conversations(name, max_size=4)), max_size=6))
def test_each_conversation_is_read_in_the_order_it_was_added(limit: int, drawn: list[list[Message]]) -> None:
    added = [message for part in drawn for message in part]
    with closing(Spool(limit)) as spool:
        for message in added:
            spool.add(message)
        names = sorted({message.conversation_id for message in added})
        assert spool.conversations() == names
        for name in names * 2:  # it can be read again
            assert list(spool.read(name)) == [message for message in added if message.conversation_id == name]


def test_two_conversations_can_be_read_side_by_side() -> None:
    with closing(Spool(0)) as spool:
        for n in range(5):
            spool.add(said(f"one {n}", of="one"))
            spool.add(said(f"two {n}", of="two"))
        pairs = list(zip(spool.read("one"), spool.read("two"), strict=True))
        assert [(a.content, b.content) for a, b in pairs] == [(f"one {n}", f"two {n}") for n in range(5)]


def test_what_is_added_after_reading_is_read_too() -> None:
    with closing(Spool(1)) as spool:
        spool.add(said("first"))
        assert len(list(spool.read("c"))) == 1
        spool.add(said("second"))
        assert [message.content for message in spool.read("c")] == ["first", "second"]


def test_a_conversation_that_was_never_added_is_empty() -> None:
    with closing(Spool()) as spool:
        assert list(spool.read("c")) == []
        assert spool.conversations() == []
