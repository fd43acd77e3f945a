"""Law 2: messages read = messages indexed + messages in dead letters; a job whose count is off fails."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memfold.run.fold import Fold, Rows

import memfold
from memfold.ingest.source import Files
from memfold.run.executor import Local, Task
from memfold.run.index import AccountingError
from memfold.schema import DeadLetter
from support.given import chat, indexed, job, run

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


@settings(max_examples=15, deadline=None)
@given(LINES)
def test_every_line_is_indexed_or_a_dead_letter(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    root = tmp_path_factory.mktemp("accounting")
    file = root / "chat.jsonl"
    file.write_text("\n".join([json.dumps(GOOD), *lines, json.dumps(GOOD)]) + "\n")
    source = Files(str(file), "openai")
    read = list(source.messages())
    assert len(read) == len(lines) + 2

    done = run(replace(job(root / "store", []), source=source))

    store = memfold.open(str(root / "store"))
    letters = store.tables.dead_letters.read()
    kept = sum(len(list(store.messages(c.conversation_id))) for c in store.conversations())
    assert done["messages"] == kept == store.tables.messages.count()
    assert done["dead_letters"] == letters.num_rows
    assert kept + letters.num_rows == len(read)
    assert sum(c.exchanges for c in store.conversations()) == done["exchanges"]


def test_a_message_delivered_twice_is_a_dead_letter_that_says_so(tmp_path: Path) -> None:
    messages = chat(3)
    done = indexed(tmp_path, [*messages, messages[2]])
    assert (done["messages"], done["dead_letters"]) == (6, 1)
    (letter,) = memfold.open(str(tmp_path)).tables.dead_letters.read().to_pylist()
    assert letter["conversation_id"] == "c"
    assert "message 2 at position 6" in letter["place"]
    assert "delivered twice" in letter["reason"]
    assert letter["raw"] == messages[2].content.encode()


def test_dead_letters_alone_are_counted_and_sealed(tmp_path: Path) -> None:
    letter = DeadLetter("a.jsonl", "line 1", "not JSON", b"{broken")
    done = indexed(tmp_path, [letter, replace(letter, place="line 2")])
    assert (done["messages"], done["dead_letters"]) == (0, 2)
    assert memfold.open(str(tmp_path)).conversations() == []


@dataclass(frozen=True)
class Losing:
    """An executor that loses the last row of one table of the segment it made last."""

    table: str

    @property
    def threads(self) -> int:
        return 0

    def map(self, fold: Fold, tasks: Iterable[Task]) -> Iterator[Rows]:
        made = list(Local().map(fold, tasks))
        made[-1][self.table] = made[-1][self.table].slice(0, made[-1][self.table].num_rows - 1)
        return iter(made)


@pytest.mark.parametrize("table", ["messages", "extractions", "episodic"])
def test_control_a_lost_row_fails_the_job_and_seals_nothing(table: str, tmp_path: Path) -> None:
    messages = chat(70)
    with pytest.raises(AccountingError, match="conversation c, segment"):
        run(job(tmp_path, messages, executor=Losing(table)))
    with pytest.raises(memfold.UserError, match="nothing is sealed"):
        memfold.open(str(tmp_path))


def test_control_a_row_lost_after_sealing_fails_verification(tmp_path: Path) -> None:
    indexed(tmp_path, chat(3))
    store = memfold.open(str(tmp_path))
    assert store.verify() == store.snapshot.content_hash
    import pyarrow.compute as pc

    store.tables.extractions.purge(pc.field("exchange_id") == 1)
    with pytest.raises(memfold.UserError, match="does not hold the rows that were sealed"):
        store.verify()
