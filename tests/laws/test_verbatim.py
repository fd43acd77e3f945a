"""Law 1: every message that was accepted can be read back as it was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import memfold
from memfold.run.reconcile import identify
from memfold.schema import DeadLetter, Message, StoredMessage
from support.given import conversations, indexed, new_root, said

WORDS = ("role", "content", "time", "session", "speaker", "attachments", "current")


def accepted(messages: Iterable[Message]) -> list[tuple[str, tuple[object, ...]]]:
    rejected: list[DeadLetter] = []
    return [(item.message_id, words(item.message)) for item in identify(messages, rejected.append)]


def words(message: Message | StoredMessage) -> tuple[object, ...]:
    return tuple(getattr(message, name) for name in WORDS)


def assert_verbatim(given: list[Message], stored: list[StoredMessage]) -> None:
    assert [(m.message_id, words(m)) for m in stored] == accepted(given)
    assert [m.seq for m in stored] == list(range(len(stored)))
    assert len({m.message_id for m in stored}) == len(stored)


@settings(max_examples=8, deadline=None)
@given(conversations())
@example([said("hidden", id="x")])
@example([replace(said("only a branch"), current=False)])
@example([said("a", id="a"), said("b", id="a"), said("c", id="a#2")])
@example([said("hi"), said("hi", id="0")])
@example([said("", "system"), said("", "assistant"), said("", "tool"), said("")])
def test_messages_are_read_back_as_they_were(messages: list[Message]) -> None:
    with new_root() as root:
        indexed(root, messages)
        assert_verbatim(messages, list(memfold.open(str(root)).messages("c")))


@settings(max_examples=6, deadline=None)
@given(st.tuples(conversations("one"), conversations("two")), st.randoms(use_true_random=False))
def test_conversations_that_a_source_mixes_are_told_apart(
    both: tuple[list[Message], list[Message]], random: object
) -> None:
    waiting = [list(both[0]), list(both[1])]
    mixed = []
    while any(waiting):
        chosen = random.choice([part for part in waiting if part])  # type: ignore[attr-defined]
        mixed.append(chosen.pop(0))
    with new_root() as root:
        indexed(root, mixed)
        store = memfold.open(str(root))
        for name, messages in zip(("one", "two"), both, strict=True):
            assert_verbatim(messages, list(store.messages(name)))


@pytest.mark.parametrize(
    "change",
    [
        {"content": "hello "},
        {"content": "Hello"},
        {"role": "assistant"},
        {"time": None},
        {"attachments": ()},
        {"current": False},
        {"speaker": ""},
    ],
)
def test_control_the_check_sees_a_message_that_is_not_as_it_was(
    change: dict[str, object],
) -> None:
    message = replace(said("hello", minute=0), attachments=("a photo",))
    with new_root() as root:
        indexed(root, [message])
        stored = list(memfold.open(str(root)).messages("c"))
        assert_verbatim([message], stored)
        with pytest.raises(AssertionError):
            assert_verbatim([message], [replace(stored[0], **change)])  # type: ignore[arg-type]
