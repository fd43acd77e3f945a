"""The index job: what it depends on, what it refuses, and how much it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from memfold.run.fold import Fold, Rows

import memfold
from memfold.embed.minilm import MiniLM
from memfold.layers.scratchpad.tree import Scratchpad
from memfold.run.executor import Local, Task
from memfold.run.index import LETTERS_A_COMMIT
from memfold.run.ray import Ray
from memfold.schema import DeadLetter
from memfold.store.location import Location
from support.given import Given, chat, indexed, job, run, said


def test_a_job_is_named_by_what_its_rows_depend_on() -> None:
    base = job(Path("a"), chat(1))
    for same in (
        replace(base, location=Location("b", "other")),
        replace(base, executor=Ray(workers=3)),
        replace(base, config='{"other": 1}'),
        replace(base, embedder=MiniLM(threads=1)),
    ):
        assert same.key == base.key
    for other in (
        replace(base, source=Given(tuple(chat(2)))),
        replace(base, scratchpad=Scratchpad(tokens=300)),
        replace(base, embedder=MiniLM(max_length=128)),
    ):
        assert other.key != base.key


def test_another_embedder_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    indexed(tmp_path, chat(2))

    class Unread:
        def messages(self) -> Iterator[DeadLetter]:
            raise AssertionError("the source was read")

        def fingerprint(self) -> str:
            return "unread"

    other = replace(job(tmp_path, []), source=Unread(), embedder=MiniLM(max_length=128))
    with pytest.raises(
        memfold.UserError, match=r"was embedded by .*choose that embedder again, or index into a new"
    ):
        run(other)


def test_a_root_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(memfold.UserError, match="cannot be written"):
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
    assert indexed(tmp_path, many)["dead_letters"] == len(many)
    assert memfold.open(str(tmp_path)).tables.dead_letters.count() == len(many)


@dataclass(frozen=True)
class Counting(Local):
    """Counts how many tasks are drawn whose result is not handed on yet."""

    ahead: list[int] = field(default_factory=list)

    def map(self, fold: Fold, tasks: Iterable[Task]) -> Iterator[Rows]:
        drawn = 0

        def counted() -> Iterator[Task]:
            nonlocal drawn
            for task in tasks:
                drawn += 1
                yield task

        for done, rows in enumerate(super().map(fold, counted()), start=1):
            self.ahead.append(drawn - done + 1)
            yield rows


@pytest.mark.parametrize("workers", [1, 2])
def test_segments_are_drawn_as_threads_become_free(tmp_path: Path, workers: int) -> None:
    ahead: list[int] = []
    run(job(tmp_path, chat(900), executor=Counting(workers, ahead)))
    assert len(ahead) == 15
    assert max(ahead) <= 2 * (workers + 1)


def test_results_in_any_order_seal_the_same(tmp_path: Path) -> None:
    class Backwards(Local):
        def map(self, fold: Fold, tasks: Iterable[Task]) -> Iterator[Rows]:
            return iter(list(super().map(fold, tasks))[::-1])

    talk = [*chat(130), *chat(3, "b")]
    done = indexed(tmp_path / "forwards", talk)
    assert (
        run(job(tmp_path / "backwards", talk, executor=Backwards()))["content_hash"] == done["content_hash"]
    )


def test_the_count_is_of_what_was_said(tmp_path: Path) -> None:
    done = indexed(tmp_path, [said("hello"), said("hello", "assistant"), said("hello")])
    assert (done["messages"], done["exchanges"], done["tokens"], done["dead_letters"]) == (3, 2, 3, 0)
