"""The table of generations: the first row counts, look-ups stay small, commits are shared, and a kill costs little."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc
import pytest

from memfold.llm import asker, results
from memfold.llm.asker import Asker
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Task, Usage
from memfold.llm.results import A_COMMIT, Results, Writer, generations, tended
from memfold.store.location import Location
from memfold.store.tables import Table
from support.asked import MODEL

TASK = Task("any", "1", None)


def asked(n: int, of: str = "c") -> Prompt:
    return Prompt((("user", f"question {n}"),), TASK, of)


def write(table: Table, *rows: tuple[str, str]) -> None:
    writer = Results(table, MODEL).writer(1)
    for key, text in rows:
        writer.add(key, "c", 0, Generation(text, "stop", Usage(1, 1)))
    writer.write()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """An empty table, which is worth indexing however small it is."""
    monkeypatch.setattr(results, "WORTH_INDEXING", 1)
    return generations(Location(str(tmp_path)))


def test_the_first_row_counts_through_compaction_and_an_index(table: Table) -> None:
    def found() -> dict[str, str]:
        return {key: one.text for key, one in Results(table, MODEL).find(["k", "l", "m"]).items()}

    write(table, ("gone", "x"))
    write(table, ("l", "l first"), ("a", "a"))
    write(table, ("k", "k first"), ("b", "b"))
    assert tended(table.location)
    write(table, ("l", "l second"), ("k", "k second"))
    write(table, ("k", "k third"))
    expected = {"k": "k first", "l": "l first"}
    assert found() == expected
    table.delete(pc.field("request") == "gone")
    table.open().optimize.compact_files(materialize_deletions_threshold=0.0, num_threads=1)
    assert found() == expected
    assert tended(table.location)
    table.open().optimize.compact_files()
    write(table, ("k", "k fourth"), ("m", "m first"))
    assert found() == expected | {"m": "m first"}
    # The negative control: with the first row gone the second counts.
    table.delete((pc.field("request") == "k") & (pc.field("text") == "k first"))
    assert found() == expected | {"k": "k second", "m": "m first"}


def test_tending_twice_does_nothing_the_second_time_and_nothing_where_there_is_no_table(table: Table) -> None:
    assert not tended(table.location)
    write(table, ("k", "k"))
    assert tended(table.location)
    assert not tended(table.location)


def test_the_table_is_tended_while_others_write_and_look_up(table: Table) -> None:
    def worker(number: int) -> None:
        for n in range(25):
            write(table, (f"{number}-{n}", "x"))
            assert Results(table, MODEL).find([f"{number}-{n}"])

    write(table, ("k", "k"))
    with ThreadPoolExecutor(6) as threads:
        workers = [threads.submit(worker, number) for number in range(4)]
        while not all(one.done() for one in workers):
            both = [threads.submit(tended, table.location) for _ in range(2)]
            [one.result() for one in both]
        [one.result() for one in workers]
    assert table.count() == 101
    keys = [f"{number}-{n}" for number in range(4) for n in range(25)]
    assert set(Results(table, MODEL).find(keys)) == set(keys)


def test_keys_of_a_conversation_are_neighbours_and_of_two_are_two() -> None:
    generator = Instant(model=MODEL)
    one = {generator.key(asked(n)) for n in range(100)}
    other = {generator.key(asked(n, "d")) for n in range(100)}
    assert len(one | other) == 200
    ordered = sorted(one | other)
    assert set(ordered[:100]) in (one, other)
    assert all(len(key) == 32 for key in ordered)


@dataclass(frozen=True, kw_only=True)
class Instant(Generator):
    """Answers after `after_s` seconds."""

    after_s: float = 0.0

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        async def complete(prompt: Prompt) -> Generation:
            await asyncio.sleep(self.after_s if "slow" not in prompt.messages[0][1] else 3_600.0)
            return Generation("x", "stop", Usage(1, 1))

        yield complete


def ask(by: Asker, *prompts: Prompt) -> None:
    async def all_of_them() -> None:
        async with by.calling(kept) as call:
            await asyncio.gather(*(call.generation(prompt, 0) for prompt in prompts))

    kept = by.look_up(prompts)
    by.call(all_of_them)


def test_calls_share_a_commit_and_each_ends_when_what_it_was_answered_is_kept(table: Table) -> None:
    by = Asker(Instant(model=MODEL, after_s=0.2), Results(table, MODEL))

    def call(number: int) -> None:
        prompts = [asked(n, f"c{number}") for n in range(4)]
        ask(by, *prompts)
        assert len(Results(table, MODEL).find([by.generator.key(prompt) for prompt in prompts])) == 4

    with ThreadPoolExecutor(8) as threads:
        [one.result() for one in [threads.submit(call, number) for number in range(8)]]
    by.close()
    assert table.count() == 32
    # The first version holds nothing. Without sharing there were a commit for each of the calls.
    assert len(table.open().versions()) - 1 <= 4


def test_what_is_answered_is_kept_within_seconds_while_others_are_waited_for(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asker, "KEPT_WITHIN_S", 0.1)
    by = Asker(Instant(model=MODEL), Results(table, MODEL))
    slow = Prompt((("user", "slow"),), TASK, "c")
    with ThreadPoolExecutor(1) as threads:
        call = threads.submit(ask, by, asked(1), slow)
        deadline = time.monotonic() + 60
        while not table.count():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert not call.done()
        by.close()


def test_no_more_answers_wait_to_be_kept_than_requests_are_under_way(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, add = 0, Writer.add

    def counted(writer: Writer, *row: object, instead: bool) -> None:
        nonlocal most
        add(writer, *row, instead=instead)  # type: ignore[arg-type]
        most = max(most, len(writer))

    monkeypatch.setattr(Writer, "add", counted)
    by = Asker(Instant(model=MODEL, concurrency=8), Results(table, MODEL))

    async def all_of_them() -> None:
        async def gated(n: int) -> None:
            async with call.gate:
                await call.generation(asked(n), 0)

        async with by.calling(dict.fromkeys(by.generator.key(asked(n)) for n in range(300))) as call:
            await asyncio.gather(*(gated(n) for n in range(300)))

    by.call(all_of_them)
    by.close()
    assert table.count() == 300
    assert most <= A_COMMIT + 8


def test_what_was_looked_up_is_not_looked_up_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    looked, find = [], Results.find

    def counted(kept: Results, keys: list[str]) -> dict[str, Generation]:
        looked.append(len(keys))
        return find(kept, keys)

    monkeypatch.setattr(Results, "find", counted)
    by = Asker(Instant(model=MODEL), Results(table, MODEL))
    ask(by, *(asked(n) for n in range(20)))
    ask(by, *(asked(n) for n in range(30)))
    by.close()
    assert looked == [20, 30]
    assert table.count() == 30
