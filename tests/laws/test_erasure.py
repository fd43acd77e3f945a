"""Law 9: an erased conversation is in no table, layer or old version, and there is a receipt that can be checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow.compute as pc
import pytest

import memfold
from memfold.schema import DeadLetter, Message
from memfold.store.catalog import Catalog
from memfold.store.erase import RECEIPTS, Receipt, check, erase
from memfold.store.location import Location
from memfold.store.record import gone
from memfold.store.tables import Keyed, opened
from memfold.store.unsealed import Unsealed
from memfold.store.upkeep import erased as purged
from support.given import chat, found, indexed, job, run

SECRET = "quokka-tango-7731"
ID = "private-conversation-55"


# The tables that hold something of a conversation after a job by rules: they generate nothing.
HOLDING = {
    "messages",
    "extractions",
    "notes",
    "episodic",
    "scratchpad",
    "subjects",
    "timeline",
    "state",
    "beliefs",
    "orders",
    "passages",
    "profile",
    "dead_letters",
    "conversations",
}


def secrets(exchanges: int) -> list[Message]:
    return chat(exchanges, ID, mark=f"{SECRET} ")


def erased(root: Path, conversation_id: str = ID) -> Receipt:
    return erase(Location(str(root)), conversation_id)


def hashes(root: Path) -> dict[str, str]:
    catalog = Catalog(Location(str(root)))
    return {record.conversation_id: record.content_hash for record in catalog.stream(catalog.at())}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store with four snapshots and older versions of every table: two conversations that grew, and dead letters."""
    letters: Sequence[DeadLetter] = [
        DeadLetter("a.jsonl", "line 9", "no role", SECRET.encode(), ID),
        DeadLetter("a.jsonl", "line 10", "no role", b"other", "kept"),
    ]
    indexed(tmp_path, [*secrets(4), *letters])
    indexed(tmp_path, chat(4, "kept"))
    indexed(tmp_path, [*secrets(70), secrets(1)[0]])
    indexed(tmp_path, [*chat(70, "kept"), *chat(2, "also-kept")])
    return tmp_path


def test_nothing_of_an_erased_conversation_is_in_any_file(root: Path) -> None:
    assert len(found(root, SECRET)) >= 4  # the search does find what is there
    assert found(root, ID)
    before = hashes(root)
    receipt = erased(root)
    assert found(root, SECRET) == []
    assert found(root, ID) == []
    assert hashes(root) == {name: kept for name, kept in before.items() if name != ID}
    assert receipt.rows["messages"] == 140 + 8  # also those of the segment that grew
    assert receipt.rows["dead_letters"] == 2
    assert {name for name, count in receipt.rows.items() if count} == HOLDING


def test_nothing_is_left_where_each_conversation_has_files_of_its_own(tmp_path: Path) -> None:
    indexed(tmp_path, chat(2, "kept"))
    indexed(tmp_path, secrets(2))
    erased(tmp_path)
    assert found(tmp_path, SECRET) == []
    assert found(tmp_path, ID) == []


def test_control_deleting_rows_leaves_the_text_in_the_files(root: Path) -> None:
    for name in HOLDING:
        table = opened(Location(str(root)), name)
        assert table is not None
        table.delete(f"conversation_id = '{ID}'")
        assert table.count_rows() > 0
    assert found(root, SECRET)


def test_the_other_conversations_are_read_as_before(root: Path) -> None:
    then = memfold.open(str(root))
    messages, hits = list(then.messages("kept")), then.search("kept", "kayak budget", 5)
    erased(root)
    now = memfold.open(str(root))
    assert [c.conversation_id for c in now.conversations()] == ["also-kept", "kept"]
    assert list(now.messages("kept")) == messages
    assert now.search("kept", "kayak budget", 5) == hits
    assert now.verify() == now.snapshot.content_hash
    with pytest.raises(memfold.UserError, match=f"no conversation '{ID}'"):
        now.search(ID, "budget")


def test_older_snapshots_are_readable_without_it(root: Path) -> None:
    erased(root)
    for number, exchanges in ((2, 4), (3, 4), (4, 70), (5, 70)):
        store = memfold.open(str(root), as_of=number)
        assert {c.conversation_id: c.exchanges for c in store.conversations()}["kept"] == exchanges
        assert len(list(store.messages("kept"))) == 2 * exchanges
        assert store.search("kept", "budget", 3)
        assert ID not in {c.conversation_id for c in store.conversations()}
    assert memfold.open(str(root), as_of=1).conversations() == []


def test_the_receipt_checks(root: Path) -> None:
    before = memfold.open(str(root)).snapshot.content_hash
    receipt = erased(root)
    assert memfold.open(str(root)).verify() == receipt.hash_after
    assert check(Location(str(root)), ID) == receipt
    assert receipt.hash_before == before
    assert receipt.hash_after == memfold.open(str(root)).snapshot.content_hash != before
    assert SECRET not in str(receipt)
    assert ID not in str(receipt)


@pytest.mark.parametrize(
    ("column", "value"),
    [("hash_before", "0" * 32), ("rows", json.dumps({"messages": 0})), ("receipt", "0" * 32)],
)
def test_control_an_altered_receipt_is_told(root: Path, column: str, value: str) -> None:
    erased(root)
    location = Location(str(root))
    receipts = Keyed(location, "receipts", RECEIPTS)
    newest = receipts.read().sort_by("erased_at").slice(1)
    assert receipts.delete(pc.field("receipt").is_valid()) == 2
    place = newest.column_names.index(column)
    receipts.insert(newest.set_column(place, RECEIPTS.field(column), [[value]]))
    with pytest.raises(memfold.UserError, match=r"receipt .* was altered"):
        check(location, ID)


def test_a_receipt_does_not_check_while_rows_are_left(root: Path) -> None:
    erased(root)
    indexed(root, secrets(2))
    with pytest.raises(memfold.UserError, match="is not erased"):
        check(Location(str(root)), ID)


def test_there_is_no_receipt_for_what_was_never_erased(root: Path) -> None:
    with pytest.raises(memfold.UserError, match="no receipt for 'never-there'"):
        check(Location(str(root)), "never-there")


def test_erasing_twice_files_another_receipt(root: Path) -> None:
    first = erased(root)
    again = erased(root)
    assert again.complete
    assert check(Location(str(root)), ID) == again != first


@pytest.mark.parametrize(
    "tables", [(), ("messages",), ("conversations",), tuple(sorted(HOLDING - {"notes"}))]
)
def test_an_erasure_that_was_killed_half_way_is_finished_by_another(
    root: Path, tables: Sequence[str]
) -> None:
    location, catalog = Location(str(root)), Catalog(Location(str(root)))
    newest = memfold.open(str(root)).snapshot
    catalog.seal([gone(ID)], config=newest.config, embedder=newest.embedder)
    for name in tables:
        purged(location, name, pc.field("conversation_id") == ID, alone=True)
    assert found(root, SECRET)
    erased(root)
    assert found(root, SECRET) == []
    assert ID not in hashes(root)


def test_the_only_conversation_can_be_erased_and_indexed_again(tmp_path: Path) -> None:
    first = job(tmp_path, secrets(3))
    done = run(first)
    erased(tmp_path)
    assert found(tmp_path, SECRET) == []
    assert memfold.open(str(tmp_path)).conversations() == []
    again = run(first)
    assert again["content_hash"] == done["content_hash"]
    assert again["messages"] == 6
    assert memfold.open(str(tmp_path)).verify() == done["content_hash"]


def unsealed(root: Path, patch: pytest.MonkeyPatch) -> None:
    """What a first job leaves that dies when it would seal."""

    def died(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with patch.context() as dying:
        dying.setattr(Catalog, "seal", died)
        with pytest.raises(KeyboardInterrupt):
            indexed(root, secrets(3))


def test_what_a_first_job_left_unsealed_can_be_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsealed(tmp_path, monkeypatch)
    assert found(tmp_path, SECRET)
    receipt = erased(tmp_path)
    assert receipt.complete
    assert receipt.rows["messages"] == 6
    assert found(tmp_path, SECRET) == []
    assert check(Location(str(tmp_path)), ID) == receipt
    assert indexed(tmp_path, chat(3, "kept"))["messages"] == 6


def test_erasing_what_was_never_sealed_is_finished_by_another_where_it_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsealed(tmp_path, monkeypatch)

    def died(location: Location, where: object, *_: object) -> None:
        for name in HOLDING - {"conversations"}:
            table = opened(location, name)
            if table is not None:
                table.delete(where)
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr("memfold.store.erase.purged", died)
        with pytest.raises(KeyboardInterrupt):
            erased(tmp_path)
    assert found(tmp_path, SECRET)  # in older versions
    assert erased(tmp_path).complete
    assert found(tmp_path, SECRET) == []


def test_what_a_first_job_is_writing_is_not_erased_under_its_hands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsealed(tmp_path, monkeypatch)
    with Unsealed(Location(str(tmp_path))).running():
        with pytest.raises(memfold.UserError, match=r"has sealed nothing yet: erase .* when it has ended"):
            erased(tmp_path)
        assert found(tmp_path, SECRET)
