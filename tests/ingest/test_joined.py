"""Many conversations as one, each a session of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memfold
from memfold.errors import UserError
from memfold.ingest.joined import PAUSE, joined
from memfold.ingest.source import Files
from memfold.schema import DeadLetter, Item, Message, Notice, Role, Title
from support.given import START, job, run, said

BREAD = [
    said("My bread budget is 20 dollars.", of="bread", id="1", minute=0),
    said("Noted.", "assistant", of="bread", id="2", minute=5),
    said("Bake at 230 degrees.", of="bread", id="3", minute=600),
    said("Done.", "assistant", of="bread", id="4", minute=610),
]
KAYAK = [
    said("The kayak leaks at its stern.", of="kayak", minute=3),
    said("Seal it.", "assistant", of="kayak", minute=4),
]


def told(items: Sequence[Item]) -> list[tuple[str | None, str | None, str]]:
    return [
        (each.message_id, each.session, each.content)
        for each in joined(items, "me")
        if isinstance(each, Message)
    ]


def test_conversations_are_sessions_in_order_of_time_and_tear_no_exchange_apart() -> None:
    assert told([*BREAD, *KAYAK]) == [
        ("bread/1", "bread", "My bread budget is 20 dollars."),
        ("bread/2", "bread", "Noted."),
        ("kayak/#0", "kayak", "The kayak leaks at its stern."),
        ("kayak/#1", "kayak", "Seal it."),
        ("bread/3", "bread", "Bake at 230 degrees."),
        ("bread/4", "bread", "Done."),
    ]
    assert {each.conversation_id for each in joined(BREAD, "me") if isinstance(each, Message)} == {"me"}


def test_a_session_keeps_its_name_behind_its_conversation() -> None:
    assert told([replace(KAYAK[0], session="s1")]) == [
        ("kayak/#0", "kayak/s1", "The kayak leaks at its stern.")
    ]


def test_instructions_beside_the_messages_move_no_position() -> None:
    beside = said("Be brief.", "system", of="kayak", id="#system")
    assert [name for name, _, _ in told([beside, *KAYAK])] == ["kayak/#system", "kayak/#0", "kayak/#1"]


def test_without_times_the_order_is_the_sources() -> None:
    untimed = [replace(each, time=None) for each in BREAD]
    late = [replace(each, time=START + timedelta(days=9)) for each in KAYAK]
    assert [name for name, _, _ in told([*late, *untimed])] == [
        *("kayak/#0", "kayak/#1"),
        *("bread/1", "bread/2", "bread/3", "bread/4"),
    ]


def test_letters_are_of_the_one_conversation_and_notices_stay() -> None:
    letter = DeadLetter("f", "line 3", "no role", b"{}", "bread")
    nobodys = replace(letter, conversation_id=None)
    notice = Notice("f: read")
    found = [*joined([Title("bread", "Bread"), letter, nobodys, notice], "me")]
    assert found == [replace(letter, conversation_id="me"), nobodys, notice]


roles: st.SearchStrategy[Role] = st.sampled_from(("user", "assistant", "tool", "system"))
talks = st.lists(
    st.builds(
        Message,
        st.sampled_from("abc"),
        roles,
        st.text("xy", max_size=3),
        time=st.none() | st.integers(0, 300).map(lambda n: START + n * PAUSE / 10),
        current=st.booleans() | st.just(True),
    ),
    max_size=30,
)


@settings(deadline=None)
@given(talks)
def test_nothing_is_lost_and_what_follows_a_user_stays_behind_them(messages: list[Message]) -> None:
    found = told(messages)
    by_conversation = {name: [each for each in messages if each.conversation_id == name] for name in "abc"}
    expected = {
        f"{name}/#{n}": each.content for name, held in by_conversation.items() for n, each in enumerate(held)
    }
    assert {name: content for name, _, content in found} == expected
    assert len(found) == len(messages)
    place = {name: n for n, (name, _, _) in enumerate(found)}
    for name, held in by_conversation.items():
        opens = [n for n, each in enumerate(held) if each.role == "user" and each.current]
        for _, group in groupby(range(len(held)), key=lambda n: sum(each <= n for each in opens)):
            places = [place[f"{name}/#{n}"] for n in group]
            assert places == list(range(places[0], places[0] + len(places)))


def write(path: Path, messages: Sequence[Message]) -> None:
    lines = [
        {
            "conversation_id": each.conversation_id,
            "id": each.message_id,
            "role": each.role,
            "content": each.content,
            "created_at": each.time.isoformat() if each.time else None,
        }
        for each in messages
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_all_conversations_are_asked_together_and_one_that_goes_on_is_appended(tmp_path: Path) -> None:
    chats = tmp_path / "chats"
    chats.mkdir()
    for name, messages in (("bread", BREAD[:2]), ("kayak", KAYAK)):
        write(chats / f"{name}.jsonl", messages)

    def index(store: str) -> dict[str, object]:
        return run(replace(job(tmp_path / store, []), source=Files(str(chats), "openai", into="me")))

    first = index("grown")
    assert (first["conversations"], first["messages"]) == (1, 4)
    write(chats / "bread.jsonl", BREAD)
    grown = index("grown")
    assert grown["content_hash"] == index("fresh")["content_hash"] == index("grown")["content_hash"]
    store = memfold.open(str(tmp_path / "grown"))
    assert [each.conversation_id for each in store.conversations()] == ["me"]
    answer = store.ask("me", "Where does the kayak leak?")
    assert "The kayak leaks at its stern." in answer.text
    assert [each.message_ids for each in answer.citations] == [("kayak/#0", "kayak/#1")]
    assert "230" in store.ask("me", "At how many degrees do I bake?").text


def test_an_empty_name_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", BREAD)
    with pytest.raises(UserError, match=r"^source\.into is empty"):
        Files(str(tmp_path / "a.jsonl"), into="")
