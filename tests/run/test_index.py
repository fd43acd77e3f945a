"""The index job: what it depends on, what it refuses, and how much it holds."""

from __future__ import annotations

import gc
import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import memfold
from memfold.digest import digest
from memfold.embed.minilm import MiniLM
from memfold.errors import AccountingError, UserError
from memfold.extract.engines.model import engine
from memfold.ingest.called import INSTRUCTIONS
from memfold.layers.layer import Tools, equipped
from memfold.llm.backends.vllm import Vllm
from memfold.run import index, making, tasks, tending
from memfold.run.executor import Draw, Local, Map
from memfold.run.letters import LETTERS_A_COMMIT
from memfold.run.plan import Naming, cut, place
from memfold.run.ray import Ray
from memfold.run.reconcile import identify
from memfold.run.work import Grow, Made, Make, Task, Worker, message_rows, stored
from memfold.schema import MESSAGES, SPAN, DeadLetter, Message
from memfold.store.catalog import Catalog
from memfold.store.erase import erase
from memfold.store.location import Location
from memfold.store.maintain import maintain
from memfold.store.part import Part
from memfold.store.tables import Keyed, Placed, opened
from memfold.store.unsealed import Lease, Unsealed, waits
from memfold.watch import Report
from support.given import Given, chat, found, indexed, job, rows, run, said, shown


def recipe(of: index.Job) -> str:
    return Naming(of.engine.signature, equipped(of.layers, Tools(of.embedder))).recipe


def test_a_record_is_named_by_what_its_rows_depend_on() -> None:
    base = job(Path("a"), chat(1))
    for same in (
        replace(base, location=Location("b", "other")),
        replace(base, executor=Ray(workers=3)),
        replace(base, config='{"other": 1}'),
        replace(base, embedder=MiniLM(threads=1)),
        replace(base, source=Given(tuple(chat(2)))),
    ):
        assert recipe(same) == recipe(base)
    for other in (
        job(Path("a"), chat(1), overrides=["layers.scratchpad.tokens=300"]),
        replace(base, embedder=MiniLM(max_length=128)),
    ):
        assert recipe(other) != recipe(base)
    assert Naming("another engine", equipped(base.layers, Tools(base.embedder))).recipe != recipe(base)


def test_what_was_said_and_how_it_is_made_are_all_that_makes_work(tmp_path: Path) -> None:
    """A job that finds both as they were reads nothing and makes nothing, wherever and by whomever it is run."""

    class Idle(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            raise AssertionError("something is made")

    talk = [*chat(70), *chat(2, "b")]
    first = indexed(tmp_path, talk)
    again = run(job(tmp_path, talk[::-1][:4][::-1] + talk[:-4], executor=Idle()))
    assert (again["snapshot"], again["content_hash"]) == (first["snapshot"], first["content_hash"])
    with pytest.raises(AssertionError, match="something is made"):
        run(job(tmp_path, [*talk, said("more", id="more")], executor=Idle()))


@dataclass(frozen=True)
class Watched(Local):
    """Notes when workers start, when they end, and when the source has been read to its end."""

    seen: list[str] = field(default_factory=list)

    @contextmanager
    def started(self, worker: Worker) -> Iterator[Map]:
        self.seen.append("started")
        try:
            with super().started(worker) as mapped:
                yield mapped
        finally:
            self.seen.append("ended")

    def reading(self, items: Sequence[Message], fails: bool = False) -> Any:
        seen = self.seen

        class Source:
            def messages(self) -> Iterator[Message]:
                yield from items
                if fails:
                    raise OSError("the disk is gone")
                seen.append("read")

        return Source()


def test_workers_start_beside_the_reading_where_something_is_certain_to_be_made(tmp_path: Path) -> None:
    seen: list[str] = []
    watched = Watched(seen=seen)
    talk = chat(3)
    first = replace(job(tmp_path, [], executor=watched), source=watched.reading(talk))
    for of, expected in (
        (replace(first, source=watched.reading(talk, fails=True)), ["started", "ended"]),
        (first, ["started", "read", "ended"]),
        (first, ["read"]),  # nothing is new
        (replace(first, source=watched.reading(chat(4))), ["read", "started", "ended"]),
        (replace(first, source=watched.reading([])), ["read"]),
    ):
        seen.clear()
        with suppress(OSError):
            run(of)
        assert seen == expected


def test_another_embedder_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    indexed(tmp_path, chat(2))

    class Unread:
        def messages(self) -> Iterator[DeadLetter]:
            raise AssertionError("the source was read")

    other = replace(job(tmp_path, []), source=Unread(), embedder=MiniLM(max_length=128))
    with pytest.raises(
        memfold.UserError, match=r"was embedded by .*choose that embedder again, or index into a new"
    ):
        run(other)


def test_a_root_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(memfold.UserError, match="is a file; name a folder"):
        indexed(tmp_path / "file", chat(1))


def test_a_source_that_fails_on_the_way_seals_nothing_and_can_be_run_again(tmp_path: Path) -> None:
    class Failing(Given):
        def messages(self) -> Iterator[DeadLetter]:
            yield DeadLetter("a", "line 1", "bad", b"")
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        run(replace(job(tmp_path, []), source=Failing(())))
    with pytest.raises(memfold.UserError, match="nothing is sealed"):
        memfold.open(str(tmp_path))
    assert indexed(tmp_path, chat(1))["messages"] == 2


def test_more_dead_letters_than_one_commit_holds_are_all_kept(tmp_path: Path) -> None:
    many = [DeadLetter("a", f"line {n}", "bad", b"\xff\x00") for n in range(2 * LETTERS_A_COMMIT + 1)]
    assert indexed(tmp_path, [*many, *chat(1)])["dead_letters"] == len(many)
    assert rows(tmp_path)["dead_letters"] == len(many)


def test_a_source_of_which_nothing_can_be_read_is_refused_and_says_where_the_reasons_are(
    tmp_path: Path,
) -> None:
    with pytest.raises(
        memfold.UserError, match=r"nothing of the source could be read: 1 dead letters, which say why"
    ):
        indexed(tmp_path, [DeadLetter("a", "line 1", "bad", b"")])
    assert rows(tmp_path)["dead_letters"] == 1


@dataclass(frozen=True)
class Counting(Local):
    """Counts how many tasks are drawn whose result is not handed on yet."""

    ahead: list[int] = field(default_factory=list)

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        drawn = 0

        def counted() -> Task | None:
            nonlocal drawn
            task = draw()
            drawn += task is not None
            return task

        for done, made in enumerate(super().map(worker, counted), start=1):
            self.ahead.append(drawn - done + 1)
            yield made


@pytest.mark.parametrize("workers", [1, 2])
def test_tasks_are_drawn_as_threads_become_free(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memfold.run.tasks.EXCHANGES_A_TASK", 64)
    ahead: list[int] = []
    run(job(tmp_path, chat(900), executor=Counting(workers, ahead)))
    assert len(ahead) == 15 + 1  # and the inner nodes
    assert max(ahead) <= workers + 1


def test_who_plans_counts_no_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting them may start a cluster while another thread starts the one of Ray's workers: a job with engine=vllm on
    executor=ray started two, and shut one of them down under its workers."""
    drawn: list[Task] = []

    class Planning(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            drawn.extend(iter(draw, None))
            raise UserError("planned")

    def counted(_: Vllm) -> Vllm:
        raise AssertionError("engines are counted")

    monkeypatch.setattr(Vllm, "counted", counted)
    planned = job(tmp_path, chat(5 * SPAN), executor=Planning())
    with pytest.raises(UserError, match="planned"):
        run(replace(planned, engine=engine(Vllm(model="any"), planned.location)))
    # And in tasks of a segment each: an engine that is waited for has several in flight.
    assert [task.exchanges for task in drawn if isinstance(task, Make)] == 5 * [SPAN]


def test_results_in_any_order_seal_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memfold.run.tasks.EXCHANGES_A_TASK", 64)

    class Backwards(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            """All that is to be had, last first; and then what those results made ready."""
            for _ in range(2):
                yield from list(super().map(worker, draw))[::-1]

    talk = [*chat(130), *chat(3, "b")]
    done = indexed(tmp_path / "forwards", talk)
    backwards = run(job(tmp_path / "backwards", talk, executor=Backwards()))
    assert backwards["content_hash"] == done["content_hash"]
    assert memfold.open(str(tmp_path / "backwards")).verify() == done["content_hash"]


class Noting(Local):
    """Does one task after the other, and notes each as the conversation grown (None: none) and the exchanges asked."""

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        while (task := draw()) is not None:
            noted.append((getattr(task, "conversation_id", None), task.exchanges))
            if isinstance(task, Grow):
                grown.append(task.levels["scratchpad"])
            yield worker(task)


noted: list[tuple[str | None, int]] = []
grown: list[Sequence[Sequence[object]]] = []


def test_the_end_of_a_job_is_in_small_tasks_and_no_tree_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long conversation beside short ones: its inner nodes are made before the last of those."""
    monkeypatch.setattr(making, "SEGMENTS_TO_GROW", 3)
    monkeypatch.setattr(making, "SECONDS_A_COMMIT", 3600.0)
    monkeypatch.setattr(tasks, "EXCHANGES_A_TASK", 128)
    noted.clear()
    talk = [*chat(150, "long"), *(each for n in range(250) for each in chat(1, f"short{n}"))]
    run(job(tmp_path, talk, executor=Noting(), overrides=["layers=[episodic,scratchpad]"]))
    assert [n for n, (grown, _) in enumerate(noted) if grown == "long"] == [2]
    # The first tasks grow. Then a task has half of what is left behind it, 224 and 149 exchanges, and then a segment.
    assert [exchanges for _, exchanges in noted] == [64, 112, 0, 75, 64, 64, 21]


def test_a_layer_that_makes_too_few_leaves_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memfold.layers.timeline.Timeline.leaves", lambda self, spans: [])
    with pytest.raises(ValueError, match="layer timeline made 0 leaves of 2 spans: make one of each"):
        run(job(tmp_path, [*chat(1, "a"), *chat(1, "b")]))


def test_a_task_leaves_nothing_that_only_the_garbage_collector_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collector runs rarely in a job, and a span that is garbage holds the rows of a segment."""
    left: list[int] = []

    class Collecting(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            while (task := draw()) is not None:
                gc.collect()
                gc.disable()
                try:
                    made = worker(task)
                    left.append(gc.collect())
                finally:
                    gc.enable()
                yield made

    monkeypatch.setattr(tasks, "EXCHANGES_A_TASK", 12)
    run(job(tmp_path, [each for n in range(4) for each in chat(12, f"c{n}")], executor=Collecting()))
    assert len(left) == 4
    assert left[1:] == [0, 0, 0]  # the first task imports


def test_inner_nodes_are_made_while_segments_still_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those over whole spans each time that there are enough segments, the others at the end, and each once."""
    talk, layers = chat(64 * 17 + 5, "long"), ["layers=[episodic,scratchpad]"]
    whole = run(job(tmp_path / "whole", talk, overrides=layers))
    monkeypatch.setattr(making, "SEGMENTS_TO_GROW", 4)
    monkeypatch.setattr(making, "SECONDS_A_COMMIT", 0.0)
    monkeypatch.setattr(tasks, "EXCHANGES_A_TASK", 64)
    noted.clear()
    grown.clear()
    early = run(job(tmp_path / "early", talk, executor=Noting(), overrides=layers))
    assert early["content_hash"] == whole["content_hash"]
    # Of 18 segments: a node over each four, after 16 one over those, and at the end the right edge.
    assert [[len(level) for level in levels if level] for levels in grown] == [
        [1],
        [1],
        [1],
        [1, 1],
        [1, 1, 1],
    ]


@pytest.mark.parametrize(("segments_to_grow", "merged"), [(3, 3), (4, 2)])
def test_a_long_conversations_files_are_merged_while_its_inner_nodes_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, segments_to_grow: int, merged: int
) -> None:
    """Files are merged before the first seal and after it in any case."""
    asked: list[Location] = []
    merge = tending.merge

    def merging(location: Location) -> None:
        asked.append(location)
        merge(location)

    monkeypatch.setattr(making, "SEGMENTS_TO_GROW", segments_to_grow)
    monkeypatch.setattr(index, "merge", merging)
    monkeypatch.setattr(tending, "merge", merging)
    done = run(job(tmp_path, chat(150, "long")))
    assert len(asked) == merged
    assert memfold.open(str(tmp_path)).verify() == done["content_hash"]


def test_the_first_seal_leaves_no_file_that_was_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it nobody reads; after it a file that was merged stays for readers. It stays where another job writes,
    too: if a version goes at once, a commit that is on its way may take its number."""
    monkeypatch.setattr("memfold.run.tasks.EXCHANGES_A_TASK", 2)

    def files(root: Path = tmp_path) -> tuple[int, int]:
        """How many lie there, and how many of them the newest version names."""
        there = len(list((root / "default" / "messages.lance" / "data").iterdir()))
        dataset = opened(Location(str(root)), "messages")
        return there, sum(len(fragment.data_files()) for fragment in dataset.get_fragments())

    def talks(of: str) -> list[Message]:
        return [message for n in range(30) for message in chat(2, f"{of}{n}")]

    done = run(job(tmp_path, talks("a")))
    assert files() == (1, 1)
    assert memfold.open(str(tmp_path)).verify() == done["content_hash"]
    run(job(tmp_path, talks("b")))
    there, named = files()
    assert named < there

    other = Location(str(tmp_path / "other"))
    other.make()
    with Unsealed(other).running():
        run(job(tmp_path / "other", talks("a")))
    there, named = files(tmp_path / "other")
    assert named < there


def test_a_job_that_an_executor_leaves_unfinished_seals_nothing(tmp_path: Path) -> None:
    class Lazy(Local):
        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            yield from list(super().map(worker, draw))[:-1]

    with pytest.raises(AccountingError, match="were planned and not made"):
        run(job(tmp_path, chat(130), executor=Lazy()))
    with pytest.raises(memfold.UserError, match="nothing is sealed"):
        memfold.open(str(tmp_path))


def test_parts_that_were_written_wrong_are_found_before_they_are_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers hash what they read back from their files, and the driver counts it."""
    real = Placed.written
    monkeypatch.setattr(
        Placed, "written", lambda table, files, columns=None: real(table, files, columns).slice(1)
    )
    with pytest.raises(
        AccountingError, match="2 rows were written to table messages and 1 of them are there"
    ):
        indexed(tmp_path, chat(1))
    with pytest.raises(memfold.UserError, match="nothing is sealed"):
        memfold.open(str(tmp_path))


def test_leftovers_that_are_not_what_was_read_are_not_sealed(tmp_path: Path) -> None:
    """A journal that lies about how many rows a part has."""
    reference = job(tmp_path, chat(3))
    naming = Naming(reference.engine.signature, equipped(reference.layers, Tools(reference.embedder)))
    (work,) = cut(place(identify(chat(3), print)), naming)
    location = Location(str(tmp_path))
    location.make()
    table = Placed(location, "messages", MESSAGES)
    table.create()
    rows = message_rows([[stored(item) for item in work.messages[:5]]], [work.names["messages"]])[0]
    (first,) = table.commit(table.write(rows))
    part = Part(work.names["messages"], first, 5, digest("x"), 1)
    Lease(Unsealed(location), "killed", datetime.now(UTC), alone=False).made([("c", "messages", part)])
    with pytest.raises(AccountingError, match=r"hold \(5, 3\) rows .* and \(6, 3\) were written"):
        run(reference)


def test_the_count_is_of_what_was_said(tmp_path: Path) -> None:
    done = indexed(tmp_path, [said("hello"), said("hello", "assistant"), said("hello")])
    assert (done["messages"], done["exchanges"], done["tokens"], done["dead_letters"]) == (3, 2, 3, 0)


def test_what_becomes_of_stored_messages_is_counted_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def told(items: list[Message], *, whole: bool = False) -> tuple[dict[str, object], str]:
        report = Report(shown=True)
        done = index.index(replace(job(tmp_path, items), replace=whole), report)
        report.close()
        return {
            name: done[name] for name in ("corrected", "left", "removed") if name in done
        }, capsys.readouterr().err

    talk = chat(3)
    assert told([*talk, *chat(1, "d")])[0] == {}
    assert told(talk)[0] == {}
    counts, said_of = told([replace(talk[0], content="Porto, not Lisbon."), *talk[1:]])
    assert counts == {"corrected": 1}
    assert "replaced by the source's version: 1" in said_of
    counts, said_of = told(talk[2:])
    assert counts == {"left": 2}
    assert "not in the source and stay (replace=true takes them away): 2" in said_of
    counts, said_of = told(talk[3:], whole=True)
    assert counts == {"removed": 3}
    assert "not in the source and are taken away (replace=true): 3" in said_of


def test_instructions_beside_the_messages_are_taken_into_a_store_and_renumber_nothing(tmp_path: Path) -> None:
    talk = [said(f"word {n}", who) for n in range(SPAN + 16) for who in ("user", "assistant")]
    beside = said("Be brief.", "system", id=INSTRUCTIONS)

    def filed(messages: Sequence[Message], root: str = "store") -> dict[str, object]:
        told = run(job(tmp_path / root, messages, overrides=("layers=[orders]",)))
        assert (told["dead_letters"], told.get("left", 0)) == (0, 0)
        return told

    filed(talk[:-20])  # as it was before they were read
    taken = filed([beside, *talk[:-20]])
    assert filed([beside, *talk[:-20]])["content_hash"] == taken["content_hash"]
    grown = filed([beside, *talk])
    assert grown["content_hash"] == filed([beside, *talk], "whole")["content_hash"]
    assert grown["extracted"] == 16
    shown_now = shown(tmp_path / "store", "messages").sort_by("seq").to_pylist()
    assert [row["message_id"] for row in shown_now] == ["#system", *(str(n) for n in range(len(talk)))]
    # Written anew, they take the place of the old ones.
    assert filed([replace(beside, content="Be kind."), *talk])["corrected"] == 1


def test_a_job_that_waits_for_who_works_alone_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = job(tmp_path, chat(2))
    made.location.make()
    with Unsealed(made.location).alone():
        thread = threading.Thread(target=index.index, args=(made, Report(shown=True)))
        thread.start()
        said = ""
        while thread.is_alive() and not said:
            said += capsys.readouterr().err
            time.sleep(0.05)
        assert said == waits() + "\n"
    thread.join()
    assert "waiting" not in capsys.readouterr().err
    assert [each.exchanges for each in memfold.open(str(tmp_path)).conversations()] == [2]


@pytest.mark.parametrize("lost", ["snapshots", "conversations"])
def test_a_store_that_lost_its_records_or_their_seals_is_not_begun_anew(tmp_path: Path, lost: str) -> None:
    """As after a copy that was cut off: what is indexed into it would have maintenance remove all the rest."""
    run(job(tmp_path, [*chat(3, "old"), *chat(2, "kept")]))
    run(job(tmp_path, chat(3, "kept")))
    shutil.rmtree(tmp_path / "default" / f"{lost}.lance")
    before = sorted(tmp_path.rglob("*.lance"))
    with pytest.raises(UserError, match=f"table {lost} under .* (is gone|does not hold).*put .*back"):
        run(job(tmp_path, chat(4, "kept")))
    with pytest.raises(UserError, match=f"table {lost} under|does not hold the records"):
        maintain(Location(str(tmp_path)), keep=1, unsealed_days=0)
    assert [path for path in before if not path.exists()] == []


def restored(root: Path, name: str) -> None:
    """A store of the conversations a and b, whose table was put back from a copy that was made before b."""
    run(job(root, chat(2, "a")))
    shutil.copytree(root / "default" / f"{name}.lance", root / "copy")
    run(job(root, chat(2, "b", mark="Mia ")))
    shutil.rmtree(root / "default" / f"{name}.lance")
    (root / "copy").rename(root / "default" / f"{name}.lance")


def test_a_table_that_is_older_than_the_records_is_not_written_on(tmp_path: Path) -> None:
    restored(tmp_path, "messages")
    before = sorted((tmp_path / "default").glob("*/data/*"))
    with pytest.raises(UserError, match=r"the table messages never held 4 of the rows .*older.*put it back"):
        run(job(tmp_path, chat(2, "c")))
    assert [path for path in before if not path.exists()] == []
    assert rows(tmp_path)["messages"] == 4
    # As the error says.
    with pytest.raises(UserError, match=r"^conversation 'b' .* in table messages"):
        memfold.open(tmp_path).verify()
    erase(Location(str(tmp_path)), "b")
    maintain(Location(str(tmp_path)), keep=1)
    run(job(tmp_path, [*chat(2, "b"), *chat(2, "c")]))
    store = memfold.open(tmp_path)
    assert store.verify() == store.snapshot.content_hash


def test_what_others_wrote_over_rows_that_a_record_names_is_not_shown_as_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restored(tmp_path, "messages")
    monkeypatch.setattr(index._Run, "check_whole", lambda _: None)  # as a job before this check
    run(job(tmp_path, chat(2, "c")))
    store = memfold.open(tmp_path)
    for reads in (store.messages, lambda of: [store.context(of, "Mia's budget?")]):
        assert list(reads("c"))
        with pytest.raises(UserError, match=r"conversation 'b' was erased.*lost rows.*verify=true"):
            list(reads("b"))
    with pytest.raises(UserError, match="verify=true"):
        run(job(tmp_path, chat(3, "b")))


def test_records_that_are_older_than_the_seals_are_not_written_on(tmp_path: Path) -> None:
    restored(tmp_path, "conversations")
    with pytest.raises(UserError, match=r"table conversations .*does not hold .*put that table back"):
        run(job(tmp_path, chat(2, "c")))
    catalog = Catalog(Location(str(tmp_path)))
    assert catalog.sealed() == 2


def test_a_seal_whose_records_are_erased_hinders_no_job(tmp_path: Path) -> None:
    run(job(tmp_path, [*chat(2, "a"), *chat(2, "b")]))
    erase(Location(str(tmp_path)), "b")
    assert run(job(tmp_path, chat(3, "a")))["snapshot"] == 3
    maintain(Location(str(tmp_path)), keep=1)
    assert run(job(tmp_path, chat(4, "a")))["snapshot"] == 5


def test_a_table_that_was_put_back_half_ends_all_that_writes(tmp_path: Path) -> None:
    """Its files of rows hold text, and no version names them."""
    location = Location(str(tmp_path))
    run(job(tmp_path, chat(2, mark="Mia ")))
    versions = tmp_path / "default" / "messages.lance" / "_versions"
    versions.rename(tmp_path / "aside")
    for act in (
        lambda: erase(location, "c"),
        lambda: maintain(location, keep=1),
        lambda: run(job(tmp_path, chat(3))),
    ):
        with pytest.raises(
            UserError, match=r"table messages under .* no version in messages.lance/_versions"
        ):
            act()
    (tmp_path / "aside").rename(versions)
    assert erase(location, "c").complete
    assert found(tmp_path, "Mia") == []


def test_a_first_job_that_was_killed_before_its_seal_has_lost_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Keyed.insert

    def killed(table: Keyed, rows: pa.Table) -> int:
        if table.name == "snapshots":
            raise KeyboardInterrupt
        return real(table, rows)

    with monkeypatch.context() as kill:
        kill.setattr(Keyed, "insert", killed)
        with pytest.raises(KeyboardInterrupt):
            run(job(tmp_path, chat(3)))
    assert run(job(tmp_path, chat(3)))["snapshot"] == 1
