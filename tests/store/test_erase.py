"""Erasing beside everything else that may go on in a store. What erasing leaves is `tests/laws/test_erasure.py`'s."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest

import memfold
from memfold import UserError, api
from memfold.run import amend as amending
from memfold.run.amend import erase_message
from memfold.run.executor import Draw, Local
from memfold.run.forgotten import Forgotten
from memfold.run.index import index
from memfold.run.job import Job
from memfold.run.letters import dead_letters
from memfold.run.work import Made, Worker
from memfold.schema import DeadLetter, Message, Notice, Title
from memfold.store import erase as erasing
from memfold.store import unsealed, upkeep
from memfold.store.erase import Receipt, check, erase
from memfold.store.location import Location
from memfold.store.maintain import maintain
from memfold.store.tables import opened
from memfold.store.unsealed import Unsealed
from memfold.watch import Report
from support.given import Given, buried, chat, found, indexed, job, rows, run

SECRET = "zanzibar"


@dataclass(frozen=True)
class Meanwhile(Local):
    """Has something done once, when the job has made its `at`th task and before it commits or plans more; 0: when it
    has made all."""

    do: Callable[[], object] = dict
    at: int = 1
    did: list[object] = field(default_factory=list)

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        for n, each in enumerate(super().map(worker, draw), start=1):
            if n == self.at and not self.did:
                self.did.append(self.do())
            yield each
        if not self.at:
            self.did.append(self.do())


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a task made is committed when it is made."""
    monkeypatch.setattr("memfold.run.making.SECONDS_A_COMMIT", 0.0)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unsealed, "LOOK_S", 0.02)


@pytest.fixture
def location(tmp_path: Path) -> Location:
    indexed(tmp_path, [*chat(70, "c", mark=SECRET), *chat(3, "kept")])
    return Location(str(tmp_path))


def whole(root: Path, *names: str) -> None:
    """The store is what it was sealed as, and shows these conversations."""
    store = memfold.open(str(root))
    assert store.verify() == store.snapshot.content_hash
    assert [each.conversation_id for each in store.conversations()] == sorted(names)


@pytest.mark.parametrize("at", [1, 2])
def test_a_job_that_runs_leaves_out_what_was_erased_meanwhile(
    location: Location, tmp_path: Path, at: int
) -> None:
    """Before it has committed anything of it, and after."""
    executor = Meanwhile(1, lambda: erase(location, "c"), at)
    grown = [*chat(400, "c", mark=SECRET), *chat(5, "kept"), *chat(300, "new")]
    done = run(job(tmp_path, grown, executor=executor))
    (receipt,) = executor.did
    assert isinstance(receipt, Receipt)
    assert not receipt.complete  # a job ran, and may have written files since
    assert done["notices"] == ["conversation 'c' was erased while this job ran: it is left out"]
    assert (done["conversations"], done["messages"]) == (2, 610)
    whole(tmp_path, "kept", "new")
    check(location, "c")
    # A version that went at once would leave its number to a commit of the job that is on its way.
    assert len(opened(location, "messages").versions()) > 1
    maintain(location, keep=1, unsealed_days=0)
    again = erase_again(location)
    assert again.complete
    assert len(opened(location, "messages").versions()) == 1
    assert found(tmp_path, SECRET) == []
    assert indexed(tmp_path, chat(2, "c"))["conversations"] == 1  # it may come back
    whole(tmp_path, "c", "kept", "new")


def erase_again(location: Location) -> Receipt:
    """While nothing runs: what the job wrote and nobody committed goes too."""
    indexed(Path(location.root), chat(1, "c"))
    return erase(location, "c")


@pytest.mark.parametrize(("exchanges", "at"), [(3, 0), (600, 2)])
def test_a_conversation_that_was_never_sealed_is_erased_from_under_the_job_that_makes_it(
    location: Location, tmp_path: Path, at_once: None, exchanges: int, at: int
) -> None:
    """The job has read no record that could have changed. It finds out when it seals, or when it reads what is gone."""
    executor = Meanwhile(1, lambda: erase(location, "new"), at)
    done = run(job(tmp_path, chat(exchanges, "new", mark=SECRET), executor=executor))
    (receipt,) = executor.did
    assert isinstance(receipt, Receipt)
    assert receipt.rows["messages"] > 0
    assert done["notices"] == ["conversation 'new' was erased while this job ran: it is left out"]
    whole(tmp_path, "c", "kept")
    check(location, "new")


def test_a_job_drops_its_tasks_for_conversations_that_were_erased(location: Location, tmp_path: Path) -> None:
    """Six conversations are erased while their inner nodes wait to be made; the job indexes the seventh."""
    gone = [f"gone{n}" for n in range(6)]

    class Erasing(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            erased = False
            for each in super().map(worker, draw):
                if not each.messages and not erased:
                    erased = True
                    for name in gone:
                        erase(location, name)
                yield each

    talk = [each for name in (*gone, "left") for each in chat(66, name)]
    done = run(job(tmp_path, talk, executor=Erasing(1)))
    assert done["conversations"] == 1
    whole(tmp_path, "c", "kept", "left")


def test_dead_letters_of_what_is_erased_while_a_job_reads_it_go_too(
    location: Location, tmp_path: Path
) -> None:
    """The job has taken them in before the erasure, and stores them after it."""

    class Read(Given):
        def messages(self) -> Iterator[Message | DeadLetter | Title | Notice]:
            yield DeadLetter("a.jsonl", "line 1", "no role", SECRET.encode(), "c")
            yield DeadLetter("a.jsonl", "line 2", "no role", b"other", "kept")
            assert not erase(location, "c").complete
            yield from self.items

    done = index(replace(job(tmp_path, chat(1, "new")), source=Read(tuple(chat(1, "new")))), Report())
    check(location, "c")
    left = dead_letters(location).read()["conversation_id"].to_pylist()
    assert (left, done["dead_letters"]) == (["kept"], 2)
    assert erase(location, "c").complete
    assert found(tmp_path, SECRET) == []


def test_erasing_a_message_beside_a_job_that_has_read_it(location: Location, tmp_path: Path) -> None:
    """The job would bring its words back, for its source holds them."""
    target = chat(70, "c", mark=SECRET)[20]
    assert target.message_id is not None
    executor = Meanwhile(1, lambda: erase_message(location, "c", target.message_id or "", Report()))
    done = run(job(tmp_path, chat(400, "c", mark=SECRET), executor=executor))
    assert executor.did
    whole(tmp_path, "c", "kept")
    store = memfold.open(str(tmp_path))
    said = {message.message_id: message.content for message in store.messages("c")}
    assert said[target.message_id] == ""
    assert len(said) == 800 == done["messages"]
    assert sum(text == "" for text in said.values()) == 1


def test_a_job_that_begins_while_something_is_erased_waits_for_it(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import memfold.store.erase as module

    real, ended = module.purged, threading.Event()
    seen: list[bool] = []

    def late() -> None:
        indexed(tmp_path, chat(9, "c"))
        seen.append(ended.is_set())

    thread = threading.Thread(target=late)

    def purged(*args: object, **how: object) -> object:
        thread.start()
        thread.join(3)
        done = real(*args, **how)  # type: ignore[arg-type]
        ended.set()
        return done

    monkeypatch.setattr(module, "purged", purged)
    erase(location, "c")
    thread.join()
    assert seen == [True]
    whole(tmp_path, "c", "kept")
    assert found(tmp_path, SECRET) == []


def test_erasing_beside_maintenance_waits_for_its_turn(location: Location, tmp_path: Path) -> None:
    done: list[Receipt] = []
    thread = threading.Thread(target=lambda: done.append(erase(location, "c")))
    with Unsealed(location).alone():
        thread.start()
        thread.join(1)
        assert not done
        assert {each.conversation_id for each in memfold.open(str(tmp_path)).conversations()} == {"c", "kept"}
    thread.join()
    assert done[0].complete
    whole(tmp_path, "kept")


def test_an_erasure_that_was_killed_is_ended_by_running_it_again(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import memfold.store.erase as module

    real, left = module.erased, [0]

    def erased(*args: object, **how: object) -> int:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return real(*args, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "erased", erased)
    for stop in (1, 3, 5, 7):
        left[0] = stop
        with pytest.raises(KeyboardInterrupt):
            erase(location, "c")
        whole(tmp_path, "kept")
        with pytest.raises(UserError, match="not erased"):
            check(location, "c")
    left[0] = 0
    receipt = erase(location, "c")
    assert receipt.complete
    assert check(location, "c") == receipt
    assert found(tmp_path, SECRET) == []
    whole(tmp_path, "kept")


def test_a_reader_of_what_is_erased_is_told_so(location: Location, tmp_path: Path) -> None:
    store = memfold.open(str(tmp_path))
    messages = store.messages("kept")
    next(messages)
    erase(location, "c")
    assert len(list(messages)) == 5
    with pytest.raises(
        UserError, match=r"something was erased .* since snapshot 1 was sealed.*open the newest"
    ):
        store.verify()
    with pytest.raises(UserError, match="there is no conversation 'c'"):
        list(store.messages("c"))
    assert rows(tmp_path)["messages"] == 6


def test_where_there_is_no_store_none_is_begun(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match=r"there is no conversation 'c' under .* tenant 'default' has no store there"
    ):
        erase(Location(str(tmp_path / "mistyped")), "c")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UserError, match="is no Unicode text"):
        erase(Location(str(tmp_path)), "\udcff")


def test_an_erasure_that_begins_as_a_job_looks_for_receipts_is_waited_for(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job may not take its receipt for that of an erasure that has ended: its rows would be purged too."""
    begun, seen = threading.Event(), threading.Event()
    real, look = erasing.purged, Forgotten.__init__

    def purged(*args: object) -> object:
        begun.set()
        seen.wait(20)
        return real(*args)  # type: ignore[arg-type]

    def looks(self: Forgotten, *args: object, **how: object) -> None:
        if not thread.is_alive() and not begun.is_set():
            thread.start()
            begun.wait(20)
        look(self, *args, **how)  # type: ignore[arg-type]
        seen.set()

    thread = threading.Thread(target=erase, args=(location, "c"))
    monkeypatch.setattr(erasing, "purged", purged)
    monkeypatch.setattr(Forgotten, "__init__", looks)
    done = run(job(tmp_path, chat(5, "c")))
    thread.join()
    assert done["messages"] == 10
    whole(tmp_path, "c", "kept")


def test_what_another_job_added_while_a_message_was_erased_stays(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The erasure indexes the conversation as it read it, which is no longer all of it."""
    grown, real = chat(72, "c", mark=SECRET), amending.index

    def late(of: Job, report: Report) -> dict[str, object]:
        monkeypatch.setattr(amending, "index", real)
        indexed(tmp_path, grown)
        return real(of, report)

    monkeypatch.setattr(amending, "index", late)
    target = grown[20].message_id
    assert erase_message(location, "c", target or "", Report()).complete
    whole(tmp_path, "c", "kept")
    said = {message.message_id: message.content for message in memfold.open(str(tmp_path)).messages("c")}
    assert said == {each.message_id: each.content for each in grown} | {target: ""}


def test_a_job_takes_nothing_that_another_one_is_about_to_remove(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One job had planned what was erased and commits it. Another brings it back, and seals before the first ends."""
    monkeypatch.setattr("memfold.run.making.SECONDS_A_COMMIT", 0.0)

    @dataclass(frozen=True)
    class Late(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            for n, each in enumerate(super().map(worker, draw)):
                if not n:
                    erase(location, "c")
                yield each
            indexed(tmp_path, chat(300, "c"))

    done = run(job(tmp_path, [*chat(300, "c"), *chat(2, "new")], executor=Late(1)))
    assert done["notices"] == ["conversation 'c' was erased while this job ran: it is left out"]
    whole(tmp_path, "c", "kept", "new")


def test_a_job_that_brings_something_back_goes_on_where_it_was_stopped(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memfold.run.making.SECONDS_A_COMMIT", 0.0)

    @dataclass(frozen=True)
    class Stopped(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            for n, each in enumerate(super().map(worker, draw)):
                if n == 2:
                    raise KeyboardInterrupt
                yield each

    erase(location, "c")
    with pytest.raises(KeyboardInterrupt):
        run(job(tmp_path, chat(400, "c"), executor=Stopped(1)))
    assert 0 < int(str(run(job(tmp_path, chat(400, "c")))["extracted"])) < 400
    whole(tmp_path, "c", "kept")


def test_an_erasure_that_slept_past_its_lease_removes_nothing_more(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = erasing._counted

    def slept(of: Location, where: object) -> dict[str, int]:
        found = real(of, where)
        if Unsealed(of)._jobs.count():
            buried(tmp_path)  # another one took it for dead
        return found

    monkeypatch.setattr(erasing, "_counted", slept)
    with pytest.raises(UserError, match="counts as dead: run it again"):
        erase(location, "c")
    monkeypatch.undo()
    assert rows(tmp_path)["messages"] == 146
    whole(tmp_path, "kept")
    assert erase(location, "c").complete
    assert rows(tmp_path)["messages"] == 6


@pytest.mark.parametrize("message", [None, "0"])
@pytest.mark.parametrize("mounted", [True, False])
def test_a_store_that_goes_away_while_it_is_erased_from_gets_no_receipt(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str | None, mounted: bool
) -> None:
    folder = tmp_path / "default"

    def away(purge: Callable[..., Any]) -> Callable[..., Any]:
        def purging(*arguments: Any) -> Any:
            folder.rename(tmp_path / "moved")
            if mounted:
                folder.mkdir()  # the mount point
                arguments[-1].seen()
            return purge(*arguments)

        return purging

    monkeypatch.setattr(erasing, "purged", away(erasing.purged))
    monkeypatch.setattr(amending, "forget_versions", away(amending.forget_versions))
    with pytest.raises(UserError, match="is gone, or another stands there: put it back"):
        erase(location, "c") if message is None else erase_message(location, "c", message, Report())
    assert not (folder.exists() and any(folder.iterdir())), "another store is begun there"
    monkeypatch.undo()
    shutil.rmtree(folder, ignore_errors=True)
    (tmp_path / "moved").rename(folder)
    monkeypatch.setattr(unsealed, "WATCH_S", 0.0)
    monkeypatch.setattr(unsealed, "DEAD_AFTER", timedelta(0))
    again = erase(location, "c") if message is None else erase_message(location, "c", message, Report())
    assert again.complete
    assert bool(found(tmp_path, SECRET)) is (message is not None)


def test_a_receipt_is_dated_after_those_before_it_whatever_the_clock_says(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ahead(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:
            return datetime.now(tz) + timedelta(minutes=2)

    with monkeypatch.context() as clock:
        clock.setattr(erasing, "datetime", Ahead)
        first = erase(location, "c")
    with Unsealed(location).running():
        indexed(tmp_path, chat(2, "c"))
        again = erase(location, "c")
    assert (first.complete, again.complete) == (True, False)
    assert check(location, "c") == again
    assert erase(location, "c").complete


def test_what_comes_after_an_erasure_is_erased_by_the_same_command(
    location: Location, tmp_path: Path
) -> None:
    """The network may hold back a file that was sent before."""
    shutil.copytree(tmp_path / "default" / "messages.lance" / "data", tmp_path / "late")
    assert erase(location, "c").complete
    for file in (tmp_path / "late").iterdir():
        file.rename(tmp_path / "default" / "messages.lance" / "data" / file.name)
    assert found(tmp_path, SECRET) != []
    again = erase(location, "c")
    assert found(tmp_path, SECRET) == []
    assert again.complete
    assert check(location, "c") == again
    whole(tmp_path, "kept")


@pytest.mark.parametrize("kept", ["tag", "branch"])
def test_nothing_is_erased_where_a_tag_or_a_branch_would_keep_it(
    location: Location, tmp_path: Path, kept: str
) -> None:
    dataset = opened(location, "messages")
    assert dataset is not None
    if kept == "tag":
        dataset.tags.create("mine", dataset.version)
    else:
        dataset.create_branch("mine")
    for gone in (lambda: erase(location, "c"), lambda: erase_message(location, "c", "0", Report())):
        with pytest.raises(
            memfold.UserError, match=r"table messages .* has 'mine' among its .*delete\('mine'\)"
        ):
            gone()
    indexed(tmp_path, chat(4, "kept"))
    whole(tmp_path, "c", "kept")
    dataset = opened(location, "messages")
    assert dataset is not None
    (dataset.tags if kept == "tag" else dataset.branches).delete("mine")
    assert erase(location, "c").complete
    assert found(tmp_path, SECRET) == []


def test_what_is_tagged_stays_and_no_job_minds_it(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = opened(location, "messages")
    assert dataset is not None
    dataset.tags.create("mine", dataset.version)
    monkeypatch.setattr(upkeep, "GRACE", timedelta(0))
    indexed(tmp_path, chat(4, "kept"))
    maintain(location, keep=1)
    tagged = opened(location, "messages")
    assert tagged is not None
    assert tagged.checkout_version("mine").count_rows() == dataset.count_rows()


def test_an_open_store_forgets_what_is_erased_and_keeps_what_is_not(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "LOOK_S", 0.0)
    store = memfold.open(str(tmp_path))
    asked = "What is my budget?"
    assert SECRET.strip() in store.context("c", asked, 2_000).text
    kept = store.context("kept", asked, 2_000).text
    indexed(tmp_path, chat(75, "c", mark=SECRET))
    assert SECRET.strip() in store.context("c", asked, 2_000).text, "it shows its snapshot"
    erase_message(location, "c", "0", Report())
    with pytest.raises(memfold.UserError):
        store.context("c", asked, 2_000)
    now = store.newest()
    assert SECRET.strip() in now.context("c", asked, 2_000).text
    erase(location, "c")
    for reads in (now.context, now.search, now.ask):
        with pytest.raises(memfold.UserError, match="no conversation 'c'"):
            reads("c", asked)
    with pytest.raises(memfold.UserError, match="no conversation 'c'"):
        now.state("c")
    assert store.context("kept", asked, 2_000).text == kept


@pytest.mark.parametrize("message", [None, "0"])
def test_an_open_store_that_looked_between_an_erasure_s_seal_and_its_end_forgets_too(
    location: Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, message: str | None
) -> None:
    monkeypatch.setattr(api, "LOOK_S", 0.0)
    store = memfold.open(str(tmp_path))
    store.context("c", "What is my budget?", 2_000)

    def asked_before(purge: Callable[..., Any]) -> Callable[..., Any]:
        def purging(*arguments: Any) -> Any:
            assert SECRET.strip() in store.context("c", "What is my budget?", 2_000).text
            return purge(*arguments)

        return purging

    monkeypatch.setattr(erasing, "purged", asked_before(erasing.purged))
    monkeypatch.setattr(amending, "forget_versions", asked_before(amending.forget_versions))
    if message is None:
        erase(location, "c")
    else:
        erase_message(location, "c", message, Report())
    with pytest.raises(memfold.UserError, match="no conversation 'c'"):
        store.context("c", "What is my budget?", 2_000)
