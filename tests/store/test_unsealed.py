"""Who works on a store, what it made and did not seal, and who waits for whom."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from memfold import UserError
from memfold.digest import digest
from memfold.store import unsealed as module
from memfold.store.location import Location
from memfold.store.part import Part
from memfold.store.unsealed import Unsealed


@pytest.fixture
def unsealed(tmp_path: Path) -> Unsealed:
    location = Location(str(tmp_path))
    location.make()
    return Unsealed(location)


def part(n: int) -> Part:
    return Part(digest(n), n, 1, digest("rows", n), n)


def at_work(unsealed: Unsealed) -> int:
    """How many jobs are known to run."""
    with unsealed.alone() as alone:
        return alone.beside


def test_a_job_is_known_while_it_runs(unsealed: Unsealed) -> None:
    assert at_work(unsealed) == 0
    with unsealed.running() as one, unsealed.running():
        assert at_work(unsealed) == 2
        one.check()
    assert at_work(unsealed) == 0


def test_what_a_job_made_is_there_until_it_ends_well(unsealed: Unsealed) -> None:
    parts = [("a", "notes", part(1)), ("a", "messages", part(2)), ("a\x00", "notes", part(3))]

    def stopped() -> None:
        with unsealed.running() as job:
            job.made(parts)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert at_work(unsealed) == 0
    with unsealed.running() as job:
        job.made([("b", "notes", part(4)), ("", "notes", part(5)), ("b", "notes", part(4)._replace(first=9))])
        left = unsealed.left()
        assert left.parts("a") == {("notes", digest(1)): part(1), ("messages", digest(2)): part(2)}
        assert left.parts("a\x00") == {("notes", digest(3)): part(3)}
        assert left.parts("") == {("notes", digest(5)): part(5)}
        assert left.parts("b").keys() == {("notes", digest(4))}
        assert left.parts("c") == {}
        assert len(list(unsealed.journal.parts())) == 6
    assert sorted(each.tokens for _, each in unsealed.journal.parts()) == [1, 2, 3]
    assert unsealed.journal.forget(timedelta(days=1)) == 0
    assert unsealed.journal.forget(timedelta(0)) == 3
    assert unsealed.left().parts("a") == {}


# ---------------------------------------------------------------------------------- taken for dead


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> float:
    """Jobs are taken for dead so soon, and looked at often."""
    monkeypatch.setattr(module, "DEAD_AFTER", timedelta(seconds=1))
    monkeypatch.setattr(module, "WATCH_S", 1.0)
    monkeypatch.setattr(module, "SEEN_S", 0.1)
    monkeypatch.setattr(module, "LOOK_S", 0.02)
    return 1.0


def sleepy(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """While it is set, rows are not renewed by who made them."""
    asleep = threading.Event()
    real = module.Lease.seen
    monkeypatch.setattr(module.Lease, "seen", lambda job: True if asleep.is_set() else real(job))
    return asleep


def off(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Those who work have a clock that differs so much from that of whoever looks."""
    real = module.Lease.row
    monkeypatch.setattr(module.Lease, "row", lambda job: dated(real(job), by))


def dated(row: pa.Table, by: timedelta) -> pa.Table:
    """A lease's row as one that was renewed so much later."""
    seen = pc.add(row["seen_at"], pa.scalar(by)).cast(module.INSTANT)
    return row.set_column(2, "seen_at", seen).cast(module.JOBS)


def test_a_job_that_works_for_long_is_not_taken_for_dead(unsealed: Unsealed, soon: float) -> None:
    with unsealed.running() as job:
        time.sleep(1.5 * soon)
        assert at_work(unsealed) == 1
        job.check()


def test_a_renewal_that_fails_is_tried_again(unsealed: Unsealed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEEN_S", 0.01)
    errors, renewed = [OSError("busy"), UserError("the object store cannot be reached")], threading.Event()

    def seen(job: module.Lease) -> bool:
        if errors:
            raise errors.pop()
        renewed.set()
        return True

    monkeypatch.setattr(module.Lease, "seen", seen)
    with unsealed.running():
        assert renewed.wait(60)


def test_a_job_that_was_asleep_and_taken_for_dead_stays_dead(
    unsealed: Unsealed, soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It renews its row when it wakes up: that must not bring it back, for what it made may be gone."""
    asleep = sleepy(monkeypatch)
    with unsealed.running() as job:
        job.check()
        asleep.set()
        time.sleep(1.2 * soon)
        assert at_work(unsealed) == 0
        asleep.clear()
        time.sleep(0.5)
        assert at_work(unsealed) == 0
        with pytest.raises(
            UserError, match="counts as dead: run it again, it goes on from what it had committed"
        ):
            job.check()


def test_a_job_that_was_asleep_while_nobody_watched_goes_on(
    unsealed: Unsealed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its row is an hour old, and it finds that out before it renews it by itself."""
    monkeypatch.setattr(module, "SEEN_S", 3600.0)
    with unsealed.running() as job:
        assert unsealed._jobs.replace(dated(job.row(), timedelta(hours=-1))) == 1
        job.check()
        (seen_at,) = unsealed._jobs.read()["seen_at"].to_pylist()
        assert seen_at > job.started
        assert at_work(unsealed) == 1


def test_jobs_on_a_machine_whose_clock_is_behind_are_not_taken_for_dead(
    unsealed: Unsealed, soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    off(monkeypatch, timedelta(minutes=-4))
    said: list[str] = []
    with unsealed.running() as job:
        for alone in (
            unsealed,
            Unsealed(unsealed.location),
        ):  # one that knows the job, and one that has seen nothing
            with alone.alone(said.append) as other:
                assert other.beside == 1
        time.sleep(1.5 * soon)
        assert at_work(unsealed) == 1
        job.check()
    assert said
    assert at_work(unsealed) == 0


def test_a_job_that_died_on_a_machine_whose_clock_is_ahead_keeps_nobody_waiting_for_long(
    unsealed: Unsealed, soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as ahead:
        off(ahead, timedelta(hours=5))
        unsealed._jobs.insert(module.Lease(unsealed, "dead", module.datetime.now(module.UTC), True).row())
    before = time.monotonic()
    assert at_work(unsealed) == 0
    assert time.monotonic() - before >= soon
    assert unsealed._jobs.read()["job"].to_pylist() == []


def test_a_running_job_that_works_alone_itself_counts_who_may_be_dead(
    unsealed: Unsealed, soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not wait until that is known."""
    with monkeypatch.context() as behind:
        off(behind, timedelta(hours=-1))
        unsealed._jobs.insert(module.Lease(unsealed, "old", module.datetime.now(module.UTC), False).row())
    with unsealed.running() as job, unsealed.alone(within=job) as alone:
        assert alone.beside == 1
    assert at_work(unsealed) == 0


# -------------------------------------------------------------------------------------------- alone


def test_a_job_begins_when_nobody_is_alone_and_says_once_that_it_waits(
    unsealed: Unsealed, soon: float
) -> None:
    began, said = threading.Event(), []
    with unsealed.running(said.append):
        assert not said

    def job() -> None:
        with unsealed.running(lambda _: said.append(began.is_set())):
            began.set()

    thread = threading.Thread(target=job)
    with unsealed.alone() as alone:
        thread.start()
        assert not began.wait(2 * soon)
        assert alone.beside == 0
    assert began.wait(20)
    thread.join()
    assert said == [False]


def test_who_died_alone_keeps_nobody_waiting(unsealed: Unsealed, soon: float) -> None:
    dead = module.Lease(unsealed, "dead", module.datetime.now(module.UTC), True)
    unsealed._jobs.insert(dead.row())
    before = time.monotonic()
    with unsealed.running():
        assert time.monotonic() - before > soon / 2
    assert at_work(unsealed) == 0


def test_of_many_at_one_moment_one_is_alone_and_no_job_beside_it_is_unknown(
    unsealed: Unsealed, soon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # None of them dies: on a machine at full load a living one renews its row later than `soon`.
    monkeypatch.setattr(module, "DEAD_AFTER", timedelta(minutes=3))
    inside: list[str] = []
    wrong: list[str] = []
    lock = threading.Lock()

    def enter(kind: str) -> None:
        for _ in range(4):
            with unsealed.alone() if kind == "alone" else unsealed.running() as job:
                with lock:
                    inside.append(kind)
                    jobs, alone = inside.count("job"), inside.count("alone")
                    if alone > 1 or (alone and jobs > (job.beside if kind == "alone" else jobs)):
                        wrong.append(f"{kind}: {inside}, {job.beside}")
                    if kind == "job" and alone:
                        wrong.append(f"a job began beside one that is alone: {inside}")
                time.sleep(0.01)
                with lock:
                    inside.remove(kind)

    threads = [
        threading.Thread(target=enter, args=(kind,)) for kind in ["alone", "alone", "alone", "job", "job"]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
