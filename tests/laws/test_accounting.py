"""Law 2: messages read = messages indexed + messages in dead letters; a job whose count is off fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memfold
from memfold.errors import AccountingError
from memfold.ingest.source import Files
from memfold.run.executor import Draw, Local
from memfold.run.work import Made, Worker
from memfold.schema import DeadLetter, Notice
from memfold.store.location import Location
from memfold.store.tables import Placed
from support.given import chat, held, indexed, job, rows, run

GOOD = {"conversation_id": "c", "role": "user", "content": "hello"}
LINES = st.lists(
    st.sampled_from(
        [
            json.dumps(GOOD),
            json.dumps({**GOOD, "id": "1"}),
            json.dumps({**GOOD, "id": "1", "content": "other words"}),
            json.dumps({**GOOD, "conversation_id": "d", "role": "assistant"}),
            json.dumps({**GOOD, "role": "nobody"}),
            json.dumps({**GOOD, "content": 7}),
            json.dumps({"role": "user", "content": "of no conversation"}),
            json.dumps({**GOOD, "created_at": "not a time"}),
            "{broken",
            "[]",
            "null",
            '"\\ud800"',
        ]
    ),
    max_size=12,
)


@settings(max_examples=8, deadline=None)
@given(LINES)
def test_every_line_is_indexed_or_a_dead_letter(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    root = tmp_path_factory.mktemp("accounting")
    file = root / "chat.jsonl"
    file.write_text("\n".join([json.dumps(GOOD), *lines, json.dumps(GOOD)]) + "\n")
    source = Files(str(file), "openai")
    read = [each for each in source.messages() if not isinstance(each, Notice)]
    assert len(read) == len(lines) + 2

    done = run(replace(job(root / "store", []), source=source))

    store = memfold.open(str(root / "store"))
    letters = rows(root / "store").get("dead_letters", 0)
    kept = sum(len(list(store.messages(c.conversation_id))) for c in store.conversations())
    assert done["messages"] == kept == rows(root / "store")["messages"]
    assert done["dead_letters"] == letters
    assert kept + letters == len(read)
    assert sum(c.exchanges for c in store.conversations()) == done["exchanges"]


def test_a_message_delivered_twice_is_a_dead_letter_that_says_so(tmp_path: Path) -> None:
    messages = chat(3)
    done = indexed(tmp_path, [*messages, messages[2]])
    assert (done["messages"], done["dead_letters"]) == (6, 1)
    (letter,) = held(tmp_path, "dead_letters").to_pylist()
    assert letter["conversation_id"] == "c"
    assert "message 2 at position 6" in letter["place"]
    assert "delivered twice" in letter["reason"]
    assert letter["raw"] == messages[2].content.encode()


def test_dead_letters_alone_are_counted_and_kept(tmp_path: Path) -> None:
    letter = DeadLetter("a.jsonl", "line 1", "not JSON", b"{broken")
    with pytest.raises(memfold.UserError, match="nothing of the source could be read: 2 dead letters"):
        indexed(tmp_path, [letter, replace(letter, place="line 2")])
    assert {each["place"] for each in held(tmp_path, "dead_letters").to_pylist()} == {"line 1", "line 2"}


TABLES = ("messages", "extractions", "notes", "episodic", "scratchpad", "timeline")


@pytest.mark.parametrize("table", TABLES)
def test_control_a_row_that_is_lost_on_its_way_fails_the_job_and_seals_nothing(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Placed.write

    def losing(of: Placed, rows: pa.Table) -> list[str]:
        return write(of, rows.slice(0, rows.num_rows - 1) if of.name == table else rows)

    monkeypatch.setattr(Placed, "write", losing)
    with pytest.raises(AccountingError, match=f"conversation 'c'.*table {table}"):
        indexed(tmp_path, chat(70))
    with pytest.raises(memfold.UserError, match="nothing is sealed"):
        memfold.open(str(tmp_path))


@dataclass(frozen=True)
class Losing(Local):
    """An executor that loses the last row of one table of the segment it made last."""

    table: str = "messages"

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        for made in super().map(worker, draw):
            if parts := made.parts.get(self.table):
                last = parts[-1]
                parts[-1] = last._replace(part=last.part._replace(rows=last.part.rows - 1))
            yield made


@pytest.mark.parametrize("table", ["messages", "extractions"])
def test_control_a_row_lost_by_an_executor_fails_the_job_and_seals_nothing(
    table: str, tmp_path: Path
) -> None:
    with pytest.raises(AccountingError, match="conversation c, segment"):
        run(job(tmp_path, chat(70), executor=Losing(table=table)))
    with pytest.raises(memfold.UserError, match="nothing is sealed"):
        memfold.open(str(tmp_path))


@pytest.mark.parametrize("table", TABLES)
def test_control_a_row_lost_after_sealing_fails_verification(table: str, tmp_path: Path) -> None:
    indexed(tmp_path, chat(3))
    store = memfold.open(str(tmp_path))
    assert store.verify() == store.snapshot.content_hash
    of = Placed(Location(str(tmp_path)), table, held(tmp_path, table).schema)
    assert of.delete("_rowid = 0") == 1
    with pytest.raises(memfold.UserError, match=f"does not hold the rows that were sealed in table {table}"):
        store.verify()
