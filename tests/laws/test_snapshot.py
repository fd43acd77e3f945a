"""Law 5: a reader sees one snapshot from start to end, or an older one by asking for it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import memfold
from memfold.api import Store
from memfold.ingest.source import Files
from memfold.schema import Message
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from memfold.store.record import Record, rows_of
from memfold.store.tables import Table, names, opened
from support.given import START, chat, conversations, indexed, new_root, said

QUESTIONS = ("What is my budget for kayak repair?", "always answer", "When did I say something about 2030?")


def shown(store: Store) -> dict[str, object]:
    """All that a reader can be shown of a store."""
    return {
        "conversations": store.conversations(),
        "messages": {
            c.conversation_id: list(store.messages(c.conversation_id)) for c in store.conversations()
        },
        "hits": [store.search(c.conversation_id, QUESTIONS[0], 5) for c in store.conversations()],
        "notes": [store.scratchpad(c.conversation_id) for c in store.conversations()],
        "hash": store.verify(),
    }


def named(messages: list[Message]) -> list[Message]:
    return [replace(message, message_id=f"m{place}") for place, message in enumerate(messages)]


@pytest.mark.parametrize("left", ["nothing", "a folder", "another store"])
def test_an_open_store_that_is_gone_says_so(tmp_path: Path, left: str) -> None:
    indexed(tmp_path, chat(4, "c"))
    store = memfold.open(str(tmp_path))
    (tmp_path / "default").rename(tmp_path / "moved")
    if left == "a folder":
        (tmp_path / "default").mkdir()
    if left == "another store":  # with as many seals
        indexed(tmp_path, chat(4, "d"))
    asks: tuple[Callable[[], object], ...] = (
        store.conversations,
        store.newest,
        store.verify,
        lambda: store.working("c"),
        lambda: store.search("c", QUESTIONS[0]),
        lambda: list(store.live("messages")),
        lambda: store.add_memory("c", "The dentist expects me at 15:30.", by="calendar"),
        lambda: store.add_memory("new", "The dentist expects me at 15:30.", by="calendar", begin=True),
    )
    for ask in asks:
        with pytest.raises(memfold.UserError, match="is gone, or another stands there: put it back"):
            ask()
    assert not list(tmp_path.glob("default/*")) or memfold.open(str(tmp_path)).snapshot.number == 1


# ------------------------------------------------------------------------------- as of a message


def assert_same_view(one: Store, other: Store, *, cut: bool = False) -> None:
    """That two stores show the same of conversation c; its notes and contexts only where no exchange is cut."""
    assert list(one.messages("c")) == list(other.messages("c"))
    for budget in (0, 20, 4000):
        assert one.working("c", budget) == other.working("c", budget)
    for question in QUESTIONS:
        hits, others = (
            {hit.exchange_id: hit for hit in store.search("c", question, 1000)} for store in (one, other)
        )
        assert hits.keys() == others.keys()
        for exchange, hit in hits.items():
            assert hit.message_ids == others[exchange].message_ids
            assert hit.text == others[exchange].text
            assert hit.score == pytest.approx(others[exchange].score, abs=1e-5)
        if not cut:
            assert one.context("c", question, 500).text == other.context("c", question, 500).text
    if not cut:
        assert one.scratchpad("c") == other.scratchpad("c")


def assert_as_of_is_truncation(full: Path, messages: list[Message], last: int) -> None:
    seen = memfold.open(str(full), as_of=messages[last].message_id)
    stored = list(memfold.open(str(full)).messages("c"))
    exchange = stored[last].exchange_id
    cut = last + 1 < len(stored) and stored[last + 1].exchange_id == exchange
    with new_root() as root:
        indexed(root, messages[: last + 1])
        assert_same_view(seen, memfold.open(str(root)), cut=cut)
    if cut:
        whole = [message for message in stored if message.exchange_id < exchange]
        if not whole:
            assert seen.scratchpad("c") == ()
            return
        with new_root() as root:
            indexed(root, messages[: len(whole)])
            assert seen.scratchpad("c") == memfold.open(str(root)).scratchpad("c")


@settings(max_examples=5, deadline=None)
@given(conversations(max_size=10).map(named), st.integers(0, 9))
@example(
    named([said("", "system"), said("hello"), said("Always answer in French."), said("yes", "assistant")]), 2
)
@example(named([said("hi"), said("yes", "assistant"), said("Be brief.", "system"), said("and now?")]), 2)
@example(
    named([said("hi", minute=0), said("Be brief.", "system", minute=999), said("and now?", minute=999)]), 1
)
@example(named([replace(said("a branch"), current=False), said("hello")]), 0)
@example(named([said("hi"), replace(said("x"), current=False), said("", "assistant")]), 1)
def test_as_of_a_message_is_the_conversation_that_ended_there(messages: list[Message], last: int) -> None:
    with new_root() as root:
        indexed(root, messages)
        assert_as_of_is_truncation(root, messages, last % len(messages))


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A conversation of 140 exchanges: segments end after messages 127 and 255."""
    root = tmp_path_factory.mktemp("long")
    indexed(root, chat(140))
    return root


@pytest.mark.parametrize("last", [0, 1, 126, 127, 128, 129, 200, 255, 279])
def test_as_of_a_message_at_the_edges_of_segments(long: Path, last: int) -> None:
    assert_as_of_is_truncation(long, chat(140), last)


def test_as_of_the_middle_of_an_exchange_no_later_word_of_it_is_shown(tmp_path: Path) -> None:
    talk = named([
        said("My sourdough starter is called Bubbles.", minute=0),
        said("A lovely name.", "assistant", minute=1),
        said("Which flour do you recommend for Bubbles?", minute=2),
        said("For Bubbles I recommend quillon flour.", "assistant", minute=3),
    ])  # fmt: skip
    indexed(tmp_path, talk)

    def shown(last: int) -> str:
        seen = memfold.open(tmp_path, as_of=f"m{last}")
        found = seen.probe("c", "Which flour did you recommend for Bubbles?")
        return (
            f"{found.hits()} {found.context(4000)} {found.answer()} {seen.recent('c')} {seen.sessions('c')}"
        )

    assert "quillon" in shown(3)
    assert "recommend for Bubbles?" in shown(2)
    assert "quillon" not in shown(2)


def test_control_the_whole_conversation_is_not_what_it_was_before(long: Path, tmp_path: Path) -> None:
    indexed(tmp_path, chat(140)[:-2])
    with pytest.raises(AssertionError):
        assert_same_view(memfold.open(str(long)), memfold.open(str(tmp_path)))


def test_as_of_a_message_that_is_not_there(long: Path) -> None:
    store = memfold.open(str(long), as_of="no-such-message")
    with pytest.raises(memfold.UserError, match="conversation 'c' has no such message"):
        store.search("c", "anything")


# ---------------------------------------------------------------------------------- as of a time


def at(minute: float) -> datetime:
    return START + timedelta(minutes=minute)


def seen_at(root: Path, moment: datetime) -> list[str]:
    return [message.message_id for message in memfold.open(str(root), as_of=moment).messages("c")]


def test_as_of_a_time_is_what_was_said_by_then(tmp_path: Path) -> None:
    indexed(
        tmp_path, [said("a", id="a", minute=0), said("b", id="b", minute=10), said("c", id="c", minute=20)]
    )
    assert seen_at(tmp_path, at(0)) == ["a"]
    assert seen_at(tmp_path, at(9.999)) == ["a"]
    assert seen_at(tmp_path, at(10)) == ["a", "b"]
    assert seen_at(tmp_path, at(1000)) == ["a", "b", "c"]
    eastern = at(10).astimezone(datetime.fromisoformat("2024-01-01T00:00:00+09:00").tzinfo)
    assert seen_at(tmp_path, eastern) == ["a", "b"]
    with pytest.raises(
        memfold.UserError, match="nothing of conversation 'c' is known to have been said by then"
    ):
        seen_at(tmp_path, at(-1))


def test_as_of_a_time_repairs_times_that_run_ahead_and_keeps_what_has_none(tmp_path: Path) -> None:
    late, after, untimed, last = (
        said("late", id="late", minute=500),
        said("after", id="after", minute=1),
        said("untimed", id="untimed"),
        said("last", id="last", minute=2),
    )
    indexed(tmp_path, [late, after, untimed, last, said("later", id="later")])
    assert seen_at(tmp_path, at(1)) == ["late", "after"]
    assert seen_at(tmp_path, at(2)) == ["late", "after", "untimed", "last"]


def test_as_of_a_time_where_no_time_is_known(tmp_path: Path) -> None:
    indexed(tmp_path, [said("a"), said("b")])
    with pytest.raises(memfold.UserError, match="is known to have been said by then"):
        seen_at(tmp_path, datetime(2200, 1, 1, tzinfo=UTC))


def test_as_of_a_time_without_zone_is_refused(long: Path) -> None:
    with pytest.raises(memfold.UserError, match="has no time zone"):
        memfold.open(str(long), as_of=datetime(2024, 1, 1))


def test_as_of_a_time_and_as_of_its_message_are_one_view(long: Path) -> None:
    messages = chat(140)
    moment = messages[130].time
    assert_same_view(memfold.open(str(long), as_of=moment), memfold.open(str(long), as_of="130"))


Node = tuple[str, str | None, str, int]  # its name, its parent, who said it, and when

# A question was answered, and asked on; then it was edited, and that branch is shown. Depth first, what was given up
# stands before it and says things of its future.
EDITED: list[Node] = [
    ("hello", None, "user", 0),
    ("left", "hello", "assistant", 60),
    ("left-on", "left", "user", 61),
    ("kept", "hello", "assistant", 10),
    ("kept-on", "kept", "user", 20),
    ("kept-end", "kept-on", "assistant", 70),
]
# An answer was made anew, and then the user went back to the first: what was given up stands behind, and is older.
WENT_BACK: list[Node] = [
    ("hello", None, "user", 0),
    ("kept", "hello", "assistant", 10),
    ("kept-on", "kept", "user", 70),
    ("left", "hello", "assistant", 30),
]


@pytest.mark.parametrize(
    ("tree", "current", "seen"),
    [
        (
            EDITED,
            "kept-end",
            {
                5: ["hello"],
                10: ["hello", "kept"],
                20: ["hello", "kept", "kept-on"],
                60: ["hello", "left", "kept", "kept-on"],
                70: ["hello", "left", "left-on", "kept", "kept-on", "kept-end"],
            },
        ),
        (
            WENT_BACK,
            "kept-on",
            {10: ["hello", "kept"], 69: ["hello", "kept"], 70: ["hello", "kept", "kept-on"]},
        ),
    ],
)
def test_as_of_a_time_runs_along_the_current_branch_of_a_tree(
    tmp_path: Path, tree: list[Node], current: str, seen: dict[int, list[str]]
) -> None:
    mapping: dict[str, object] = {}
    for name, parent, role, minute in tree:
        said = {"id": name, "author": {"role": role}, "create_time": at(minute).timestamp()}
        mapping[name] = {
            "id": name,
            "parent": parent,
            "children": [child for child, of, _, _ in tree if of == name],
            "message": {**said, "content": {"content_type": "text", "parts": [f"text of {name}"]}},
        }
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([{"conversation_id": "c", "mapping": mapping, "current_node": current}]))
    root = tmp_path / "store"
    indexed(root, list(Files(str(export)).messages()))
    assert {minute: seen_at(root, at(minute)) for minute in seen} == seen


# ------------------------------------------------------------------------------- as of a snapshot


@pytest.fixture
def grown(tmp_path: Path) -> tuple[Path, Store, Store, dict[str, object]]:
    """A store with a reader that has read, one that has only opened it, and then two further jobs."""
    indexed(tmp_path, chat(70))
    before = memfold.open(str(tmp_path))
    then = shown(before)
    unread = memfold.open(str(tmp_path))
    indexed(tmp_path, chat(80))
    indexed(tmp_path, chat(3, "another"))
    return tmp_path, before, unread, then


def test_a_reader_keeps_what_it_opened(grown: tuple[Path, Store, Store, dict[str, object]]) -> None:
    root, before, unread, then = grown
    assert shown(before) == then
    assert shown(unread) == then
    assert shown(memfold.open(str(root), as_of=1)) == then


def test_each_snapshot_can_be_asked_for(grown: tuple[Path, Store, Store, dict[str, object]]) -> None:
    root = grown[0]
    newest = memfold.open(str(root))
    assert newest.snapshot.number == 3
    assert [(c.conversation_id, c.exchanges) for c in newest.conversations()] == [("another", 3), ("c", 80)]
    second = memfold.open(str(root), as_of=2)
    assert [(c.conversation_id, c.exchanges) for c in second.conversations()] == [("c", 80)]
    assert second.verify() == second.snapshot.content_hash
    with pytest.raises(memfold.UserError, match="no conversation 'another'"):
        list(second.messages("another"))
    with pytest.raises(memfold.UserError, match=r"no snapshot 4.*it has 1 to 3"):
        memfold.open(str(root), as_of=4)
    for number in (0, -1):
        with pytest.raises(memfold.UserError, match=f"as_of={number}: snapshots are numbered from 1"):
            memfold.open(str(root), as_of=number)


def test_control_a_later_snapshot_shows_something_else(
    grown: tuple[Path, Store, Store, dict[str, object]],
) -> None:
    root, _, _, then = grown
    now = shown(memfold.open(str(root)))
    assert all(now[part] != then[part] for part in then)


# ------------------------------------------------------------------------------- a killed job's rows


def leave_behind(root: Path, record: Record) -> None:
    """What a job killed just before sealing leaves: its rows, and its record under a uid that nobody sealed."""
    with new_root() as other:
        indexed(other, chat(5, "ghost"))
        for name in set(names(Location(str(other)))) - {"conversations", "snapshots"}:
            its = opened(Location(str(other)), name)
            assert its is not None
            Table(Location(str(root)), name, its.schema).append(its.to_table())
    Catalog(Location(str(root)))._records.append(rows_of([record], uuid.uuid4().hex))


def records(root: Path) -> dict[str, Record]:
    catalog = Catalog(Location(str(root)))
    return {record.conversation_id: record for record in catalog.stream(catalog.at())}


def test_what_a_killed_job_left_is_not_seen(tmp_path: Path) -> None:
    indexed(tmp_path, chat(70))
    then = shown(memfold.open(str(tmp_path)))
    mine = records(tmp_path)["c"]
    leave_behind(tmp_path, replace(mine, conversation_id="ghost"))
    torn = {kind: parts[:1] for kind, parts in mine.parts.items()}
    leave_behind(tmp_path, replace(mine, parts=torn, content_hash="0f" * 16))
    assert shown(memfold.open(str(tmp_path))) == then
    done = indexed(tmp_path, chat(70))
    assert (done["content_hash"], done["snapshot"]) == (then["hash"], 1)


def test_control_the_same_records_are_seen_once_they_are_sealed(tmp_path: Path) -> None:
    indexed(tmp_path, chat(70))
    then = shown(memfold.open(str(tmp_path)))
    ghost = replace(records(tmp_path)["c"], conversation_id="ghost")
    leave_behind(tmp_path, ghost)
    catalog = Catalog(Location(str(tmp_path)))
    newest = memfold.open(str(tmp_path)).snapshot
    catalog.seal([ghost], config=newest.config, embedder=newest.embedder)
    assert [c.conversation_id for c in memfold.open(str(tmp_path)).conversations()] == ["c", "ghost"]
    assert then["conversations"] != memfold.open(str(tmp_path)).conversations()
