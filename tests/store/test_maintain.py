"""Maintenance: what nothing names goes, what anything names stays, and no running job or reader is disturbed."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pytest

import memfold
from memfold import UserError
from memfold.run.executor import Draw, Local
from memfold.run.work import Made, Worker
from memfold.schema import MESSAGES, Message
from memfold.store import maintain as maintaining
from memfold.store import unsealed
from memfold.store import verify as checking
from memfold.store.catalog import Catalog, History
from memfold.store.erase import erase
from memfold.store.live import table as placed_table
from memfold.store.location import Location
from memfold.store.maintain import maintain, tend
from memfold.store.tables import Placed, _session, names, opened
from memfold.store.unsealed import Unsealed
from memfold.store.upkeep import GRACE
from memfold.store.verify import readable
from memfold.watch import Report
from support.given import buried, chat, indexed, job, rows, run
from support.interrupts import interrupt_wait

NOW = timedelta(0)


@dataclass(frozen=True)
class Halting(Local):
    """Stops the job after so many tasks, as Ctrl-C does; counts the parts that were made."""

    after: int = 1_000
    made: list[int] = field(default_factory=list)

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        for n, each in enumerate(super().map(worker, draw)):
            if n == self.after:
                raise KeyboardInterrupt
            self.made.append(sum(map(len, each.parts.values())))
            yield each


def live(root: Path) -> dict[str, int]:
    """How many rows of each table the newest snapshot shows."""
    store = memfold.open(str(root))
    of = ("messages", "extractions", "notes", "episodic", "scratchpad", "timeline")
    return {name: sum(batch.num_rows for batch in store.live(name)) for name in of}


def placed(root: Path) -> dict[str, int]:
    """How many rows those tables hold, whoever may see them."""
    return {name: count for name, count in rows(root).items() if name in live(root)}


@pytest.fixture
def location(tmp_path: Path) -> Location:
    """A store of three snapshots, in which one conversation grew twice."""
    for exchanges in (2, 40, 70):
        indexed(tmp_path, [*chat(exchanges), *chat(3, "other")])
    return Location(str(tmp_path))


def test_an_unknown_column_is_named_and_more_days_than_there_are_end_nothing(
    location: Location, tmp_path: Path
) -> None:
    store = memfold.open(str(tmp_path))
    with pytest.raises(memfold.UserError, match="'notes' has no column 'bogus'; it has: segment"):
        list(store.live("notes", ["bogus"]))
    assert maintain(location, unsealed_days=1e300).unsealed == 0


def test_rows_that_only_old_snapshots_show_go_when_those_are_not_kept(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memfold.store.upkeep.GRACE", NOW)
    before = memfold.open(str(tmp_path))
    assert placed(tmp_path)["messages"] == 4 + 80 + 140 + 6  # two last segments that grew
    done = maintain(location, keep=0, unsealed_days=0)
    assert (done.running, done.records, sum(done.collected.values())) == (0, 0, 0)
    assert done.files_after < done.files_before
    assert memfold.open(str(tmp_path), as_of=1).verify()
    done = maintain(location, keep=1, unsealed_days=0)
    assert done.records == 2
    assert done.collected["messages"] == 84
    assert placed(tmp_path) == live(tmp_path)
    after = memfold.open(str(tmp_path))
    assert after.verify() == before.snapshot.content_hash
    assert [m.content for m in after.messages("c")] == [m.content for m in chat(70)]
    with pytest.raises(UserError, match="no longer kept"):
        before.verify()
    for name in set(names(location)) - {"jobs"}:  # maintenance takes its own row away last
        assert len(opened(location, name).versions()) == 1
    again = maintain(location, keep=1, unsealed_days=0)
    assert (again.records, sum(again.collected.values())) == (0, 0)
    assert indexed(tmp_path, [*chat(70), *chat(3, "other")])["content_hash"] == before.snapshot.content_hash


def test_the_newest_snapshots_stay_readable(location: Location, tmp_path: Path) -> None:
    maintain(location, keep=2, unsealed_days=0)  # one is this one's own
    for number, exchanges in ((3, 70), (4, 70)):
        store = memfold.open(str(tmp_path), as_of=number)
        assert store.verify() == store.snapshot.content_hash
        assert [c.exchanges for c in store.conversations() if c.conversation_id == "c"] == [exchanges]
    for number in (1, 2, 5):
        with pytest.raises(UserError, match="it has 3 to 4"):
            memfold.open(str(tmp_path), as_of=number)


def test_rows_that_nothing_names_go(location: Location, tmp_path: Path) -> None:
    """A driver that is killed between its commits and its journal leaves rows that nobody knows of."""
    table = Placed(location, "messages", MESSAGES)
    lost = table.read().slice(5, 20)
    table.commit([*table.write(lost), *table.write(lost)])
    whole = memfold.open(str(tmp_path)).verify()
    assert maintain(location, unsealed_days=99).collected["messages"] == 40
    assert memfold.open(str(tmp_path)).verify() == whole
    for number in (1, 2, 3):
        assert memfold.open(str(tmp_path), as_of=number).verify()


def test_many_runs_of_rows_go_in_several_deletes(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memfold.store.tables.RUNS_A_DELETE", 3)
    table = Placed(location, "messages", MESSAGES)
    lost = table.read()
    for n in range(10):
        table.commit(table.write(lost.slice(n, 1)))
        indexed(tmp_path, chat(1, f"between {n}"))
    assert maintain(location).collected["messages"] == 10
    assert memfold.open(str(tmp_path)).verify()


# ------------------------------------------------------------------------------------- killed jobs


def killed(root: Path, conversations: int = 3, after: int = 2) -> int:
    """A job that was stopped half way; returns how many parts it had made."""
    stopped = Halting(1, after)
    with pytest.raises(KeyboardInterrupt):
        run(job(root, many(conversations), executor=stopped))
    assert stopped.made
    return sum(stopped.made)


def many(conversations: int) -> list[Message]:
    return [message for n in range(conversations) for message in chat(130, f"c{n}")]


def test_what_a_killed_job_left_is_used_and_no_part_is_made_twice(tmp_path: Path) -> None:
    whole = Halting()
    reference = run(job(tmp_path / "never-killed", many(3), executor=whole))
    root = tmp_path / "store"
    made = killed(root)
    assert 0 < made < sum(whole.made)
    location = Location(str(root))
    assert len(list(Unsealed(location).journal.parts())) == made
    rest = Halting()
    done = run(job(root, many(3), executor=rest))
    assert done["content_hash"] == reference["content_hash"]
    assert made + sum(rest.made) == sum(whole.made)
    assert not any(maintain(location, keep=1, unsealed_days=0).collected.values())
    assert placed(root) == live(root)


def test_what_a_killed_job_left_and_was_cleaned_up_is_made_again(tmp_path: Path) -> None:
    indexed(tmp_path, chat(2, "kept"))
    location = Location(str(tmp_path))
    made = killed(tmp_path)
    kept = maintain(location)  # it is kept for days
    assert (kept.unsealed, sum(kept.collected.values())) == (0, 0)
    assert maintain(location, unsealed_days=0).unsealed == made
    assert placed(tmp_path) == live(tmp_path)
    again = Halting()
    run(job(tmp_path, many(3), executor=again))
    assert sum(again.made) > made
    assert memfold.open(str(tmp_path)).verify()
    assert placed(tmp_path) == live(tmp_path)


def test_leftovers_whose_rows_are_gone_are_not_used(tmp_path: Path) -> None:
    """The journal names them still: a clean-up that was killed after it took the rows away, say."""
    indexed(tmp_path, chat(2, "kept"))
    killed(tmp_path)
    location = Location(str(tmp_path))
    table = placed_table(location, "messages")
    gone = [part for kind, part in Unsealed(location).journal.parts() if kind == "messages"]
    assert len(gone) > 1
    table.drop([gone[0]])
    reference = run(job(tmp_path / "never-killed", [*many(3), *chat(2, "kept")]))
    assert run(job(tmp_path, many(3)))["content_hash"] == reference["content_hash"]
    assert memfold.open(str(tmp_path)).verify() == reference["content_hash"]


# ------------------------------------------------------------------------------- beside running jobs


@dataclass(frozen=True)
class Beside(Local):
    """Has something done while a job is at work: after each of its tasks, and what was done is kept."""

    do: list[object] = field(default_factory=list)
    done: list[object] = field(default_factory=list)

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        for each in super().map(worker, draw):
            yield each
            self.done.extend(do() for do in self.do)  # type: ignore[operator]


def test_beside_a_running_job_nothing_is_collected_and_it_ends_as_ever(
    location: Location, tmp_path: Path
) -> None:
    reference = indexed(tmp_path / "never", [*chat(3, "other"), *chat(70), *chat(200, "d")])
    beside = Beside(1, do=[lambda: maintain(location, keep=1, unsealed_days=0)])
    done = run(job(tmp_path, chat(200, "d"), executor=beside))
    assert done["content_hash"] == reference["content_hash"]
    assert [each.running for each in beside.done] == [1] * len(beside.done) != []  # type: ignore[attr-defined]
    assert all(each.collected == {} and not each.records for each in beside.done)  # type: ignore[attr-defined]
    assert memfold.open(str(tmp_path)).verify() == reference["content_hash"]
    assert memfold.open(str(tmp_path), as_of=1).verify()


def begun_since(root: Path) -> None:
    """A job takes the maintenance that sleeps for dead, and indexes a conversation."""
    buried(root)
    indexed(root, chat(5, "new"))


def stops_and_takes_nothing(location: Location, root: Path) -> None:
    """Maintenance finds that it counts as dead, and what the job sealed is there."""
    with pytest.raises(UserError, match="counts as dead: run it again"):
        maintain(location, keep=1, unsealed_days=0)
    assert memfold.open(str(root)).verify()
    assert len(list(memfold.open(str(root)).messages("new"))) == 10


def test_maintenance_that_slept_past_its_lease_collects_nothing_of_a_job_that_began_since(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = maintaining._named

    def asleep(*given: object) -> object:
        found = real(*given)  # type: ignore[arg-type]
        begun_since(tmp_path)
        return found

    monkeypatch.setattr(maintaining, "_named", asleep)
    stops_and_takes_nothing(location, tmp_path)


def test_maintenance_that_slept_as_it_sealed_removes_no_record_of_a_job_that_began_since(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job has filed its record, and its number is not in the seals that maintenance has read."""
    real, calls = Catalog.at, itertools.count()

    def asleep(catalog: Catalog, *given: int) -> History:
        found = real(catalog, *given)
        # Maintenance asks whether there is a store, what is sealed, and for the seal before its own and its own.
        if next(calls) == 3:
            monkeypatch.setattr(Catalog, "at", real)
            begun_since(tmp_path)
        return found

    monkeypatch.setattr(Catalog, "at", asleep)
    stops_and_takes_nothing(location, tmp_path)


def test_a_job_that_slept_through_a_clean_up_seals_nothing_and_its_next_run_does(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is taken for dead, and what it had made is taken away while it slept."""
    monkeypatch.setattr(unsealed, "SEEN_S", 3600.0)
    # It commits after it slept, however slow the machine is.
    monkeypatch.setattr("memfold.run.making.SECONDS_A_COMMIT", 3600.0)
    hidden: list[object] = []

    def asleep() -> None:
        with monkeypatch.context() as dead:
            dead.setattr(unsealed, "DEAD_AFTER", NOW)
            dead.setattr(unsealed, "WATCH_S", 0.0)
            with Unsealed(location).alone() as alone:
                assert alone.beside == 0
        hidden.append(maintain(location, keep=1, unsealed_days=0))

    beside = Beside(1, do=[asleep])
    with pytest.raises(UserError, match="counts as dead: run it again"):
        run(job(tmp_path, chat(200, "d"), executor=beside))
    assert hidden
    assert memfold.open(str(tmp_path)).verify()
    assert [c.conversation_id for c in memfold.open(str(tmp_path)).conversations()] == ["c", "other"]
    run(job(tmp_path, chat(200, "d")))
    assert memfold.open(str(tmp_path)).verify()


def test_a_seal_that_was_asleep_loses_its_number_to_a_clean_up(location: Location, tmp_path: Path) -> None:
    """Between filing its records and taking a number a process may sleep for as long as it likes."""
    catalog = Catalog(location)
    (record,) = catalog.records(catalog.at(), ["c"]).values()
    real = catalog._seals.insert
    turns = itertools.count()

    def late(rows: object) -> int:
        if next(turns) == 0:
            assert maintain(location, unsealed_days=0).records == 1
        return real(rows)  # type: ignore[arg-type]

    object.__setattr__(catalog._seals, "insert", late)
    newest = catalog.at().newest
    assert newest is not None
    sealed, left = catalog.seal([replace(record, title="new")], config="{}", embedder=newest.embedder)
    assert (sealed.number, left, next(turns)) == (5, [], 2)
    found = Catalog(location).record(Catalog(location).at(), "c")
    assert found is not None
    assert found.title == "new"


def test_tending_merges_files_and_keeps_what_readers_may_have_open(
    location: Location, tmp_path: Path
) -> None:
    for n in range(30):
        indexed(tmp_path, chat(1, f"small {n}"))
    reader = memfold.open(str(tmp_path))
    assert len(opened(location, "messages").get_fragments()) < 30  # each job tends
    assert GRACE > NOW
    tend(location)
    assert reader.verify() == reader.snapshot.content_hash
    assert all(memfold.open(str(tmp_path), as_of=n).verify() for n in (1, 10, 33))


def test_merges_have_ended_when_tending_has_though_it_is_interrupted(
    location: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, merged = threading.Event(), list[str]()
    first, second, *_ = names(location)

    def compact(_: Location, name: str, **how: object) -> None:
        if name == first:
            raise KeyboardInterrupt
        if name == second:
            go_on.wait(30)
            merged.append(name)

    monkeypatch.setattr(maintaining, "compact", compact)
    interrupt_wait(2, go_on.set)
    with pytest.raises(KeyboardInterrupt):
        tend(location)
    assert merged == [second]


# --------------------------------------------------------------------------------------- verifying


@pytest.mark.parametrize("how", ["lost", "changed", "record lost"])
def test_verifying_finds_what_is_not_as_it_was_sealed(location: Location, tmp_path: Path, how: str) -> None:
    store = memfold.open(str(tmp_path))
    assert store.verify() == store.snapshot.content_hash
    if how == "record lost":
        dataset = opened(location, "conversations")
        dataset.delete("conversation_id = 'other'")
        with pytest.raises(UserError, match="are not those that were sealed"):
            memfold.open(str(tmp_path)).verify()
        return
    dataset = opened(location, "messages")
    if how == "lost":
        dataset.delete("conversation_id = 'other' AND seq = 1")
    else:
        dataset.update({"content": "'something else'"}, where="conversation_id = 'other' AND seq = 1")
    with pytest.raises(UserError, match=r"'other' .* does not hold the rows .* in table messages.*erase it"):
        memfold.open(str(tmp_path)).verify()


def largest(location: Location, table: str) -> Path:
    """The largest file of a table's rows."""
    folder = Path(location.folder) / f"{table}.lance" / "data"
    return max(folder.iterdir(), key=lambda file: file.stat().st_size)


def damage(file: Path, how: str) -> None:
    """What disks and people do to a file."""
    data = file.read_bytes()
    if how == "missing":
        file.unlink()
    elif how == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif how == "empty":
        file.write_bytes(b"")
    elif how == "zeros":
        file.write_bytes(bytes(len(data)))
    else:  # in the part that says where the columns lie
        file.write_bytes(data[:-600] + bytes(byte ^ 0x11 for byte in data[-600:-40]) + data[-40:])


@pytest.mark.parametrize("how", ["missing", "cut", "empty", "zeros", "flipped"])
def test_verifying_names_the_conversation_of_a_file_that_is_damaged(
    location: Location, tmp_path: Path, how: str
) -> None:
    damage(largest(location, "messages"), how)
    with pytest.raises(
        UserError, match=r"^conversation 'c' .* in table messages: .*erase it and index it again$"
    ):
        memfold.open(str(tmp_path)).verify()


def test_verifying_names_all_conversations_whose_table_is_gone(location: Location, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "default" / "notes.lance")
    with pytest.raises(
        UserError, match=r"^conversation '(c|other)' .* in table notes.*; the same holds for '(c|other)'$"
    ):
        memfold.open(str(tmp_path)).verify()


def test_a_store_that_does_not_answer_is_not_called_damaged(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(
            "LanceError(IO): Generic S3 error: operation timed out, /s/lance-io/src/object_reader.rs:1:2"
        )

    monkeypatch.setattr(checking, "_hashes", fail)
    with pytest.raises(OSError, match="operation timed out"):
        memfold.open(str(tmp_path)).verify()


@pytest.mark.parametrize("table", ["conversations", "snapshots"])
def test_a_table_without_which_no_conversation_is_known_is_named(location: Location, table: str) -> None:
    readable(location)
    _session.cache_clear()  # what was read of a file is not read again
    damage(largest(location, table), "cut")
    with pytest.raises(UserError, match=rf"a file of table {table} .*damaged or missing \(.*\): put it back"):
        readable(location)


@pytest.mark.parametrize("back", [False, True], ids=["erased for good", "indexed again"])
def test_what_a_damaged_file_held_is_erased_as_the_errors_say(
    location: Location, tmp_path: Path, back: bool
) -> None:
    damage(largest(location, "episodic"), "cut")
    with pytest.raises(
        UserError, match=r"'c' is no longer shown, but .*damaged or missing.*run it with keep=1"
    ):
        erase(location, "c")
    # Not "something was erased since": the newest snapshot shows nothing of it.
    assert [each.conversation_id for each in memfold.open(str(tmp_path)).conversations()] == ["other"]
    if back:
        indexed(tmp_path, chat(70))
    maintain(location, keep=1)
    if not back:
        assert erase(location, "c").complete
    store = memfold.open(str(tmp_path))
    assert store.verify() == store.snapshot.content_hash


@pytest.mark.parametrize("whole", [False, True], ids=["a file", "a table"])
def test_a_job_does_not_say_that_all_is_there_where_files_are_gone(
    location: Location, tmp_path: Path, whole: bool
) -> None:
    if whole:
        shutil.rmtree(tmp_path / "default" / "episodic.lance")
    else:
        damage(largest(location, "episodic"), "missing")
    with pytest.raises(
        UserError, match=r"table episodic.* gone.*: put .* back.*; or erase what .*verify=true"
    ):
        indexed(tmp_path, chat(70))
    # As the error says.
    with pytest.raises(UserError, match=r"^conversation '.*' .* in table episodic"):
        memfold.open(str(tmp_path)).verify()
    for name in ("c", "other"):
        with contextlib.suppress(UserError):
            erase(location, name)
    maintain(location, keep=1)
    indexed(tmp_path, chat(70))
    store = memfold.open(str(tmp_path))
    assert [each.conversation_id for each in store.conversations()] == ["c"]
    assert store.verify() == store.snapshot.content_hash


def test_files_that_an_erasure_took_away_meanwhile_are_not_gone(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, table = Placed.open, placed_table(location, "messages")

    def opened_before_it(self: Placed) -> object:
        monkeypatch.setattr(Placed, "open", whole)
        dataset = whole(self)
        erase(location, "other")
        return dataset

    monkeypatch.setattr(Placed, "open", opened_before_it)
    assert table.gone() == []
    damage(largest(location, "messages"), "missing")
    assert len(table.gone()) == 1


def test_after_an_erasure_damage_is_still_called_damage(location: Location, tmp_path: Path) -> None:
    store = memfold.open(str(tmp_path))
    erase(location, "other")
    damage(largest(location, "messages"), "missing")
    with pytest.raises(UserError, match=r"'c' .* in table messages"):
        memfold.open(str(tmp_path)).verify()
    with pytest.raises(UserError, match=r"something was erased .* open the newest"):
        store.verify()


def test_impossible_values_are_refused(location: Location, tmp_path: Path) -> None:
    for wrong in ({"keep": -1}, {"unsealed_days": -0.5}):
        with pytest.raises(UserError, match="use 0 or more"):
            maintain(location, **wrong)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="nothing is sealed"):
        maintain(Location(str(tmp_path / "none")))
    with pytest.raises(UserError, match="there is no table 'snapshots'"):
        list(memfold.open(str(tmp_path)).live("snapshots"))


def test_what_takes_long_says_how_far_it_is(location: Location, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(shown=True)
    store = memfold.open(location.root)
    report.stage("verifying", store.snapshot.conversations, "conversations")
    store.verify(report.advance)
    maintain(location, report=report)
    report.close()
    said = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    tables = len(names(location))
    assert said == [
        "verifying of 2 conversations",
        "verifying: 2 of 2 conversations",
        f"collecting of {tables} tables",
        f"collecting: {tables} of {tables} tables",
        f"merging files of {tables} tables",
        f"merging files: {tables} of {tables} tables",
    ]


def test_who_waits_for_another_erasure_says_so(location: Location) -> None:
    said: list[str] = []
    with Unsealed(location).alone():
        thread = threading.Thread(target=erase, args=(location, "c", said.append))
        thread.start()
        while thread.is_alive() and not said:
            time.sleep(0.05)
    thread.join()
    (line,) = said
    assert line == (
        "waiting for an erasure or a clean-up of this store to end, or to see whether a job still runs "
        "(3 minutes if it was killed)"
    )


def test_a_table_of_which_a_snapshot_shows_nothing_still_has_its_columns(
    location: Location, tmp_path: Path
) -> None:
    shown = pa.Table.from_batches(memfold.open(str(tmp_path)).live("notes"))
    for each in memfold.open(str(tmp_path)).conversations():
        erase(location, each.conversation_id)
    left = memfold.open(str(tmp_path))
    assert pa.Table.from_batches(left.live("notes")).equals(shown.slice(0, 0))
    assert pa.Table.from_batches(left.live("notes", ["kind"])).schema.names == ["kind"]
