"""What was lost, or stayed, and nobody was told."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import memfold
from memfold.config import load
from memfold.digest import digest
from memfold.embed.contract import Vectors
from memfold.embed.minilm import MiniLM
from memfold.errors import UserError
from memfold.ingest.folding import Folding
from memfold.ingest.lake import FLOW, Lake, of_line
from memfold.ingest.read import read
from memfold.layers.layer import encoded
from memfold.run import amend
from memfold.run.amend import erase_message
from memfold.run.executor import Local
from memfold.run.index import index
from memfold.run.job import Job, index_job
from memfold.run.letters import Letters, dead_letters, wordless
from memfold.run.work import Made, Task, Worker
from memfold.schema import DeadLetter, Message
from memfold.store.catalog import Catalog
from memfold.store.erase import erase, forget_versions
from memfold.store.location import Location
from memfold.store.maintain import maintain
from memfold.store.upkeep import erased
from memfold.text import tokens
from memfold.watch import Report
from support.given import Then

SECRET = "zebra77"


def _source(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def _index(source: Path, root: Path, *more: str) -> dict[str, object]:
    words = ["index", [f"source.path={source}", f"store.root={root}", *more]]
    return index(index_job(load(*words)), Report())  # type: ignore[arg-type]


def _said(root: Path) -> dict[str, str]:
    rows = [row for batch in memfold.open(root).live("messages") for row in batch.to_pylist()]
    return {row["message_id"]: row["content"] for row in rows}


def _letters(root: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = dead_letters(Location(str(root))).read().to_pylist()
    return rows


def _holds(root: Path, words: str) -> list[str]:
    return [str(file) for file in root.rglob("*") if file.is_file() and words.encode() in file.read_bytes()]


def _turn(id: str | None, text: str, **more: Any) -> dict[str, Any]:
    return {"conversation_id": "c", "role": "user", "content": text, **({"id": id} if id else {}), **more}


@pytest.mark.parametrize(
    ("ids", "erased"), [(("a", "b", "a"), "a#2"), (("2", None, None), "2#2")], ids=["twice", "mixed"]
)
def test_an_erased_message_with_a_made_id_stays_out(
    tmp_path: Path, ids: tuple[str | None, ...], erased: str
) -> None:
    texts = ["I live in Rome.", "I like tea.", f"My PIN is {SECRET}."]
    source = _source(tmp_path / "c.jsonl", [_turn(*each) for each in zip(ids, texts, strict=True)])
    _index(source, tmp_path / "store")
    erase_message(Location(str(tmp_path / "store")), "c", erased, Report())
    _index(source, tmp_path / "store", "erased=skip")
    assert _said(tmp_path / "store")[erased] == ""
    assert "I live in Rome." in _said(tmp_path / "store").values()
    assert not _holds(tmp_path / "store", SECRET)


def test_an_erased_message_that_comes_twice_leaves_no_letter_of_its_words(tmp_path: Path) -> None:
    source = _source(tmp_path / "c.jsonl", [_turn("a", f"My PIN is {SECRET}."), _turn("b", "Thanks.")])
    _index(source, tmp_path / "store")
    erase_message(Location(str(tmp_path / "store")), "c", "a", Report())
    source.write_text(source.read_text() + "\n" + source.read_text().splitlines()[0])
    _index(source, tmp_path / "store", "erased=skip")
    assert not _holds(tmp_path / "store", SECRET)


@pytest.mark.parametrize("more", [(), (f"source.into={SECRET}",)], ids=["file", "joined"])
def test_no_recorded_configuration_keeps_the_id_of_an_erased_conversation(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    root, turns = tmp_path / "store", [{"role": "user", "content": text} for text in ("Hi.", "Bye.")]
    _index(_source(tmp_path / f"{'c' if more else SECRET}.jsonl", turns), root, *more)
    memfold.open(root).add_memory(SECRET, "Has a cat.", by="crm")
    assert _holds(root, SECRET)
    erase(Location(str(root)), SECRET)
    assert not _holds(root, SECRET)
    # What made the others stays known.
    assert {"engine", "embedder", "layers"} <= json.loads(memfold.open(root).snapshot.config).keys()


def test_a_store_in_its_source_is_not_read(tmp_path: Path) -> None:
    _source(tmp_path / "c.jsonl", [_turn("a", f"My PIN is {SECRET}."), _turn("b", "Thanks.")])
    root = tmp_path / "runs" / "store"
    _index(tmp_path, root)
    assert _index(tmp_path, root)["dead_letters"] == 0
    erase(Location(str(root)), "c")
    assert not _holds(root, SECRET)


def test_letters_of_what_cannot_be_read_keep_no_words_of_an_erased_message_either(tmp_path: Path) -> None:
    rows = [_turn("a", f"My PIN is {SECRET}."), _turn("b", "Thanks.")]
    source = _source(tmp_path / "c.jsonl", rows)
    _index(source, tmp_path / "store")
    erase_message(Location(str(tmp_path / "store")), "c", "a", Report())
    _source(source, [rows[0] | {"session": 1.5}, rows[1]])
    assert _index(source, tmp_path / "store")["dead_letters"] == 1
    assert not _holds(tmp_path / "store", SECRET)


def test_what_is_left_out_because_it_was_erased_is_counted(tmp_path: Path) -> None:
    rows = [_turn("a", "Hi."), {**_turn("a", "Hello."), "conversation_id": "d"}]
    source = _source(tmp_path / "c.jsonl", rows)
    _index(source, tmp_path / "store")
    erase(Location(str(tmp_path / "store")), "d")
    done = _index(source, tmp_path / "store", "erased=skip")
    assert (done["messages"], done["erased_left_out"]) == (1, 1)


def test_letters_of_a_conversation_of_which_a_message_was_erased_keep_no_words(tmp_path: Path) -> None:
    source = _source(tmp_path / "c.jsonl", [_turn(None, "Hi."), _turn(None, f"My PIN is {SECRET}.")])
    _index(source, tmp_path / "store")
    erase_message(Location(str(tmp_path / "store")), "c", "1", Report())
    _source(source, [_turn(None, "Hello."), *(json.loads(line) for line in source.read_text().splitlines())])
    assert _index(source, tmp_path / "store")["dead_letters"] == 3
    assert not _holds(tmp_path / "store", SECRET)
    assert all("erased=skip" in letter["reason"] for letter in _letters(tmp_path / "store"))


@pytest.mark.parametrize(
    ("of", "erased", "more"), [("c", "1", ()), ("me", "c/#1", ("source.into=me",))], ids=["alone", "joined"]
)
def test_a_conversation_without_ids_grows_and_brings_back_what_was_erased_of_it(
    tmp_path: Path, of: str, erased: str, more: tuple[str, ...]
) -> None:
    root, turns = tmp_path / "store", [_turn(None, text) for text in ("Hi.", SECRET, "Tea?", "No.", "Bye.")]
    source = _source(tmp_path / "c.jsonl", turns[:4])
    _index(source, root, *more)
    erase_message(Location(str(root)), of, erased, Report())
    _source(source, turns)
    skipped = _index(source, root, "erased=skip", *more)
    assert (skipped["dead_letters"], list(_said(root).values())) == (0, ["Hi.", "", "Tea?", "No.", "Bye."])
    _source(source, [*turns, _turn(None, "Wait.")])
    back = _index(source, root, *more)
    assert (back["dead_letters"], back["erased_messages_before"], back["corrected"]) == (0, 1, 1)
    assert list(_said(root).values()) == ["Hi.", SECRET, "Tea?", "No.", "Bye.", "Wait."]
    again = _index(source, root, "erased=skip", *more)
    assert (again["dead_letters"], _said(root)[erased]) == (0, "")


@pytest.mark.parametrize(
    ("into", "more", "at"),
    [((), (), 2), ((), ("replace=true",), 0), (("source.into=me",), ("replace=true",), 2)],
    ids=["added", "replaced", "joined"],
)
def test_no_other_message_is_taken_for_an_erased_one_without_an_id(
    tmp_path: Path, into: tuple[str, ...], more: tuple[str, ...], at: int
) -> None:
    root, turns = tmp_path / "store", [_turn(None, text) for text in ("Hi.", "Tea?", f"{SECRET}.")]
    turns[2] |= {"role": "assistant"}
    source = _source(tmp_path / "c.jsonl", turns)
    _index(source, root, *into)
    of, prefix = ("me", "c/#") if into else ("c", "")
    erase_message(Location(str(root)), of, f"{prefix}2", Report())
    before = _said(root)
    turns.insert(at, _turn(None, "I am allergic to peanuts."))
    _source(source, turns)
    assert _index(source, root, *into, "erased=skip", *more)["dead_letters"] == 4
    assert _said(root) == before
    assert all("use erased=index replace=true and erase again" in each["reason"] for each in _letters(root))
    # What the letters say helps.
    _index(source, root, *into, "replace=true")
    erase_message(Location(str(root)), of, f"{prefix}3", Report())
    left = [each["content"] for each in turns[:3]]
    assert list(_said(root).values()) == [*left, ""]
    assert not _holds(root, SECRET)


def test_ids_that_begin_again_in_the_next_session_replace_nothing(tmp_path: Path) -> None:
    first = [_turn("1", "I am allergic to peanuts.", time="2024-01-05"), _turn("2", "OK.", time="2024-01-05")]
    later = [_turn(id, f"Later {id}.", time="2024-02-09") for id in ("1", "2", "3")]
    _index(_source(tmp_path / "day1.jsonl", first), tmp_path / "store")
    done = _index(_source(tmp_path / "day2.jsonl", later), tmp_path / "store")
    assert (done["dead_letters"], "corrected" in done) == (2, False)
    assert _said(tmp_path / "store") == {"1": "I am allergic to peanuts.", "2": "OK.", "3": "Later 3."}
    assert all("replace=true" in letter["reason"] for letter in _letters(tmp_path / "store"))
    assert _index(tmp_path / "day2.jsonl", tmp_path / "store", "replace=true")["corrected"] == 2


@pytest.mark.parametrize("erased", [None, "2"])
def test_ids_begin_again_though_a_message_is_equal_or_was_erased(tmp_path: Path, erased: str | None) -> None:
    texts = ("Hi.", "I am allergic to peanuts.", "OK.")
    first = [_turn(str(n), text, time="2024-01-05") for n, text in enumerate(texts)]
    later = [
        _turn(str(n), text, time="2024-02-09") for n, text in enumerate(("Hi.", "Weather?", "Rain.", "Oh."))
    ]
    _index(_source(tmp_path / "day1.jsonl", first), tmp_path / "store")
    if erased:
        erase_message(Location(str(tmp_path / "store")), "c", erased, Report())
    _index(_source(tmp_path / "day2.jsonl", later), tmp_path / "store", "erased=skip")
    said = _said(tmp_path / "store")
    assert (said["1"], said["3"]) == ("I am allergic to peanuts.", "Oh.")


def test_a_clock_put_right_and_a_word_corrects(tmp_path: Path) -> None:
    def told(hour: int, word: str) -> list[dict[str, Any]]:
        return [
            _turn(str(n), each, time=f"2024-01-05T{hour:02}:00:00Z") for n, each in enumerate(("Hi.", word))
        ]

    source = _source(tmp_path / "c.jsonl", told(9, "I live in Roma."))
    _index(source, tmp_path / "store")
    assert _index(_source(source, told(11, "I live in Rome.")), tmp_path / "store")["corrected"] == 2
    one = _source(tmp_path / "d.jsonl", [_turn("n", "Rome", time="2024-01-05") | {"conversation_id": "d"}])
    _index(one, tmp_path / "store")
    _source(one, [_turn("n", "Oslo", time="2024-01-06") | {"conversation_id": "d"}])
    assert _index(one, tmp_path / "store")["corrected"] == 1


def test_a_source_that_moves_all_times_and_no_word_corrects_them(tmp_path: Path) -> None:
    def told(day: str) -> list[dict[str, Any]]:
        return [_turn("1", "I am allergic to peanuts.", time=day), _turn("2", "OK.", time=day)]

    source = _source(tmp_path / "c.jsonl", told("2024-01-05"))
    _index(source, tmp_path / "store")
    assert _index(_source(source, told("2024-02-09")), tmp_path / "store")["corrected"] == 2
    rows = [row for batch in memfold.open(tmp_path / "store").live("messages") for row in batch.to_pylist()]
    assert {f"{row['time']:%Y-%m-%d}" for row in rows} == {"2024-02-09"}


@pytest.mark.parametrize(("text", "time"), [("I am allergic to nuts.", "2024-01-05"), ("I am fine.", None)])
def test_what_says_something_else_at_the_same_time_corrects(
    tmp_path: Path, text: str, time: str | None
) -> None:
    dated = {} if time is None else {"time": time}
    source = _source(tmp_path / "c.jsonl", [_turn("1", "I am allergic to peanuts.", **dated)])
    _index(source, tmp_path / "store")
    assert _index(_source(source, [_turn("1", text, **dated)]), tmp_path / "store")["corrected"] == 1


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (("2024-04-05", "2024-01-05"), True),
        (("2024-01-05",) * 2, False),
        # No time lies an hour before the first instants of the year 1.
        (("0001-01-01T00:00:01Z", "2024-01-05"), False),
        (("9999-12-31T23:59:59Z", "0001-01-01T00:00:01Z"), True),
    ],
)
def test_a_conversation_that_goes_back_in_time_is_told_of(
    tmp_path: Path, times: tuple[str, str], said: bool
) -> None:
    rows = [_turn(str(n), "Hi.", time=time) for n, time in enumerate(times)]
    done = _index(_source(tmp_path / "c.jsonl", rows), tmp_path / "store")
    assert ["conversation 'c' goes back in time" in notice for notice in done.get("notices", [])] == [
        True
    ] * said  # type: ignore[attr-defined]


def _exported(path: Path, *answers: str) -> None:
    """An export of ChatGPT: a question with its answers so far, the last of which counts."""
    made = {
        "q": {"id": "q", "parent": None, "children": list(answers), "message": _node("q", "user", "Tea?")},
        **{
            name: {
                "id": name,
                "parent": "q",
                "children": [],
                "message": _node(name, "assistant", f"{name} says."),
            }
            for name in answers
        },
    }
    export = {"conversation_id": "c", "title": "Tea", "mapping": made, "current_node": answers[-1]}
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([export]))


def _node(id: str, role: str, text: str) -> dict[str, Any]:
    return {"id": id, "author": {"role": role}, "content": {"content_type": "text", "parts": [text]}}


@pytest.mark.parametrize("together", [True, False])
def test_of_two_exports_of_an_account_the_later_says_which_answer_counts(
    tmp_path: Path, together: bool
) -> None:
    _exported(tmp_path / "in" / "01" / "conversations.json", "a1")
    if not together:
        _index(tmp_path / "in", tmp_path / "store")
    _exported(tmp_path / "in" / "02" / "conversations.json", "a1", "a2")
    _index(tmp_path / "in", tmp_path / "store")
    rows = [row for batch in memfold.open(tmp_path / "store").live("messages") for row in batch.to_pylist()]
    assert {row["message_id"]: row["current"] for row in rows} == {"q": True, "a1": False, "a2": True}


def test_exports_that_repeat_each_other_do_not_go_back_in_time_and_older_parts_do(tmp_path: Path) -> None:
    turns = [_turn(str(n), f"Said {n}.", time=f"2024-0{n}-05") for n in (1, 3, 4)]
    (tmp_path / "in").mkdir()
    _source(tmp_path / "in" / "01.jsonl", turns[:2])
    _source(tmp_path / "in" / "02.jsonl", turns)
    assert not any(
        "goes back" in each for each in _index(tmp_path / "in", tmp_path / "store").get("notices", [])
    )  # type: ignore[attr-defined]
    older = _source(tmp_path / "older.jsonl", [_turn("9", "Said before.", time="2023-02-05")])
    (notice,) = _index(older, tmp_path / "store")["notices"]  # type: ignore[misc]
    assert "conversation 'c' goes back in time" in notice


def test_what_was_erased_stays_so_through_spark_whichever_branch_it_comes_on(tmp_path: Path) -> None:
    said = {"conversation_id": "c", "message_id": "a", "role": "assistant", "content": f"PIN {SECRET}."}
    empty = dict.fromkeys(FLOW.names)
    rows = [{**empty, **said, "current": current, "said": str(current)} for current in (True, False)]
    folded = Folding(frozenset({digest("c", "a")}))
    (batch,) = folded.over([pa.RecordBatch.from_pylist(rows, schema=FLOW)])
    assert batch.column("content").to_pylist() == ["", ""]


def test_rows_are_not_collected_where_records_are_lost(tmp_path: Path) -> None:
    source, location = _source(tmp_path / "c.jsonl", [_turn("a", "Hi.")]), Location(str(tmp_path / "store"))
    _index(source, tmp_path / "store")
    table = Path(location.uri("conversations"))
    shutil.move(table, tmp_path / "aside")
    with pytest.raises(UserError, match="nothing was done"):
        maintain(location)
    shutil.rmtree(table, ignore_errors=True)
    shutil.move(tmp_path / "aside", table)
    assert _said(tmp_path / "store") == {"a": "Hi."}
    assert not any(maintain(location).collected.values())


def test_two_first_jobs_do_not_mix_embedders(tmp_path: Path) -> None:
    catalog = Catalog(Location(str(tmp_path)))
    catalog.seal([], config="{}", embedder="one")
    with pytest.raises(UserError, match="meanwhile"):
        catalog.seal([], config="{}", embedder="other")


@pytest.mark.parametrize(
    ("name", "samples", "ids"),
    [
        ("x.json", (1, 2), {"LOCOMO-1", "LOCOMO-2"}),
        ("26.json", (None, None), {"LOCOMO-26", "LOCOMO-26-2"}),
        ("x.json", (None, None), {"x", "x-2"}),
    ],
)
def test_locomo_conversations_of_a_list_are_told_apart(
    tmp_path: Path, name: str, samples: tuple[int | None, ...], ids: set[str]
) -> None:
    turn = {"speaker": "Ann", "dia_id": "D1:1", "text": "Hi."}
    made = [{"conversation": {"session_1": [turn]}} | ({"sample_id": n} if n else {}) for n in samples]
    (tmp_path / name).write_text(json.dumps(made))
    items = list(read(tmp_path / name))
    assert {item.conversation_id for item in items if isinstance(item, Message)} == ids


@dataclass(frozen=True)
class _Bad(MiniLM):
    lost: int = 0
    first: float = 0.0

    def encode(self, texts: Any) -> Vectors:
        made = super().encode(texts[self.lost :])
        made[0] += self.first
        return made


@pytest.mark.parametrize(
    ("lost", "first", "said"),
    [(0, np.nan, "no number"), (0, 1.0, "whose length is not 1"), (1, 0.0, "vectors for")],
)
def test_vectors_that_are_none_are_refused(lost: int, first: float, said: str) -> None:
    with pytest.raises(UserError, match=said):
        encoded(_Bad(lost=lost, first=first), ["a", "b", "c"])


def test_a_million_blanks_are_counted() -> None:
    assert tokens.count("a" + " " * 1_200_000 + "b") > 9000


def test_extractions_whose_notes_an_erasure_took_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job enters parts in its journal while an erasure goes from table to table."""
    texts = ["I live in Rome.", "I prefer tea.", "My dog is called Rex."]
    source = _source(tmp_path / "c.jsonl", [_turn(str(n), text) for n, text in enumerate(texts)])
    whole = _index(source, tmp_path / "whole")["content_hash"]

    def killed(*_: object, **__: object) -> None:
        raise OSError("killed before the seal")

    with monkeypatch.context() as stopped:
        stopped.setattr(Catalog, "seal", killed)
        with pytest.raises(OSError, match="killed"):
            _index(source, tmp_path / "store")
    location = Location(str(tmp_path / "store"))
    erased(location, "notes", pc.field("conversation_id") == "c", alone=False)
    assert _index(source, tmp_path / "store")["content_hash"] == whole
    assert memfold.open(tmp_path / "store").verify() == whole


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 0.9])
def test_a_vector_that_is_none_is_found(tmp_path: Path, wrong: float) -> None:
    source = _source(tmp_path / "c.jsonl", [_turn("a", "I live in Rome."), _turn("b", "I like tea.")])
    _index(source, tmp_path / "store")
    (file,) = (tmp_path / "store" / "default" / "episodic.lance" / "data").iterdir()
    vector = pa.Table.from_batches(memfold.open(tmp_path / "store").live("episodic", ["vector"]))
    number = np.float32(vector["vector"][0].as_py()[7]).tobytes()
    assert file.read_bytes().count(number) == 1
    file.write_bytes(file.read_bytes().replace(number, np.float32(wrong).tobytes()))
    with pytest.raises(UserError, match=r"'c' .* in table episodic"):
        memfold.open(tmp_path / "store").verify()


def test_a_broken_table_leaves_no_words_in_its_letter(tmp_path: Path) -> None:
    rows = pa.Table.from_pylist([_turn("a", f"My PIN is {SECRET}."), _turn("b", "Thanks.")])
    with pa.ipc.new_stream(tmp_path / "c.arrow", rows.schema) as writer:
        writer.write_table(rows)
    whole = (tmp_path / "c.arrow").read_bytes()
    (tmp_path / "c.arrow").write_bytes(whole[:-8])  # without its end mark
    assert _index(tmp_path / "c.arrow", tmp_path / "store")["dead_letters"] == 1
    erase(Location(str(tmp_path / "store")), "c")
    assert not _holds(tmp_path / "store", SECRET)


def test_the_letter_of_a_record_whose_id_stands_behind_the_damage_has_no_words(tmp_path: Path) -> None:
    turns = [{"role": "user", "content": "Hi."}, {"role": "user", "content": f"My PIN is {SECRET}."}]
    record = json.dumps({"messages": turns, "id": "conv-1"})
    (tmp_path / "c.jsonl").write_text(record.replace('{"role"', '{x"role"').replace("{x", "{", 1) + "\n")
    _index(tmp_path / "c.jsonl", tmp_path / "store")
    assert list(_said(tmp_path / "store").values()) == ["Hi."]
    (letter,) = _letters(tmp_path / "store")
    assert (letter["conversation_id"], letter["raw"]) == ("conv-1", b"")
    assert not _holds(tmp_path / "store", SECRET)


def test_words_of_a_message_name_no_conversation(tmp_path: Path) -> None:
    said = f"My PIN is {SECRET}. WHERE conversation_id = 42; is wrong"
    record = json.dumps({"id": "conv-1", "messages": [{"role": "user", "content": said}] * 2})
    (tmp_path / "c.jsonl").write_text(record.replace('{"role"', '{x"role"').replace("{x", "{", 1) + "\n")
    _index(tmp_path / "c.jsonl", tmp_path / "store")
    assert [each.conversation_id for each in memfold.open(tmp_path / "store").conversations()] == ["conv-1"]


def test_recorded_lines_that_are_not_given_again_are_told_of(tmp_path: Path) -> None:
    rows = [_turn("a", "I live in Rome."), _turn("b", "I like tea.")]
    source = _source(tmp_path / "c.jsonl", rows)
    line = {"conversation_id": "c", "facts": [["home", "Rome"]]}
    first = _source(tmp_path / "first", [line | {"exchange": 0}, line | {"exchange": 1}])
    recorded = ("engine=recorded", f"engine.path={first}")
    assert "fallback_reasons" not in _index(source, tmp_path / "store", *recorded)
    _source(source, [*rows, _turn("c", "I have a dog.")])
    _source(first, [line | {"exchange": 2}])
    done = _index(source, tmp_path / "store", *recorded)
    assert done["fallback_reasons"] == {"no line for it, such as conversation c, exchange 0": 2}


def test_letters_outlive_the_erasure_of_a_message_without_their_words(tmp_path: Path) -> None:
    wrong = [_turn("x", f"Again: {SECRET}.", role="boss"), _turn("y", f"And: {SECRET}.", role=SECRET)]
    source = _source(tmp_path / "c.jsonl", [_turn("a", f"My PIN is {SECRET}."), _turn("b", "Hi."), *wrong])
    assert _index(source, tmp_path / "store")["dead_letters"] == 2
    erase_message(Location(str(tmp_path / "store")), "c", "a", Report())
    letters = _letters(tmp_path / "store")
    assert [letter["raw"] for letter in letters] == [b"", b""]
    assert all(letter["reason"].startswith("unknown role; ") and letter["seen_at"] for letter in letters)
    assert not _holds(tmp_path / "store", SECRET)


@pytest.mark.parametrize(
    ("erased", "left"),
    [
        ("message", ["c.jsonl"] * 2),
        ("conversation", []),
        ("conversation that another job indexes anew", ["other.jsonl"]),
    ],
)
def test_letters_outlive_the_erasure_of_a_message_beside_their_job(
    tmp_path: Path, erased: str, left: list[str]
) -> None:
    store = tmp_path / "store"
    wrong = [_turn("x", f"Again: {SECRET}.", role="boss"), _turn("y", "And more.", role="chief")]
    source = _source(tmp_path / "c.jsonl", [_turn("a", f"My PIN is {SECRET}."), _turn("b", "Hi."), *wrong])
    other = _source(tmp_path / "other.jsonl", [_turn("b", "Hello."), _turn("z", "?", role="chair")])

    def act() -> None:
        erase_message(Location(str(store)), "c", "a", Report())
        if erased != "message":
            erase(Location(str(store)), "c")
        if "anew" in erased:
            _index(other, store)

    _index(source, store)
    job = index_job(load("index", [f"source.path={source}", f"store.root={store}"]))
    index(replace(job, source=Then(job.source, act)), Report())
    letters = _letters(store)
    assert [(letter["file"], letter["raw"]) for letter in letters] == [(file, b"") for file in left]
    assert SECRET not in str(letters)


def test_a_job_whose_clock_is_ahead_leaves_no_letters_of_what_was_erased_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = _source(tmp_path / "c.jsonl", [_turn("a", "Hi."), _turn("x", SECRET, role="boss")])
    _index(source, tmp_path / "store")
    ahead = datetime.now(UTC) + timedelta(hours=1)

    def late(*given: Any, **more: Any) -> Letters:
        return Letters(*given, **more, began=ahead)

    monkeypatch.setattr("memfold.run.index.Letters", late)
    job = index_job(load("index", [f"source.path={source}", f"store.root={tmp_path / 'store'}"]))
    act = partial(erase, Location(str(tmp_path / "store")), "c")
    index(replace(job, source=Then(job.source, act)), Report())
    assert not _letters(tmp_path / "store")
    assert act().complete
    assert not _holds(tmp_path / "store", SECRET)


@pytest.mark.parametrize("older", [False, True])
def test_a_job_that_fails_leaves_no_letters_of_what_was_erased_beside_it(tmp_path: Path, older: bool) -> None:
    """Nor does one that began before the erasure and ended after it."""
    store = tmp_path / "store"
    turns = [_turn("a", "Hi."), _turn("x", f"My PIN is {SECRET}.", role="boss")]
    source = _source(tmp_path / "c.jsonl", turns)
    _index(source, store)

    def job() -> Job:
        return index_job(load("index", [f"source.path={source}", f"store.root={store}"]))

    def fails() -> None:
        def act() -> None:
            erase(Location(str(store)), "c")
            raise UserError("the budget is spent")

        beside = job()
        with pytest.raises(UserError, match="budget"):
            index(replace(beside, source=Then(beside.source, act)), Report())

    if older:
        around = job()
        index(replace(around, source=Then(around.source, fails)), Report())
    else:
        fails()
    assert not _letters(store)
    assert erase(Location(str(store)), "c").complete
    assert not _holds(store, SECRET)


def test_letters_of_many_conversations_that_were_erased_beside_their_job_go(tmp_path: Path) -> None:
    location, when = Location(str(tmp_path)), datetime.now(UTC)
    location.make()
    job, later = (Letters(dead_letters(location), when + timedelta(minutes=m)) for m in (-1, 1))
    for letters, reason in ((job, "old"), (later, "new")):
        for n in range(40):
            letters.add(DeadLetter("f", f"line {n}", reason, SECRET.encode(), f"c{n}"))
        letters.flush()
    job.erase(lambda: ({digest(f"c{n}"): when for n in range(30)}, ()))
    left = [(row["conversation_id"], row["reason"]) for row in _letters(tmp_path)]
    assert sorted(left) == sorted(
        [(f"c{n}", "new") for n in range(40)] + [(f"c{n}", "old") for n in range(30, 40)]
    )


def test_a_letter_that_another_job_filed_after_the_erasure_stays(tmp_path: Path) -> None:
    store = tmp_path / "store"
    source = _source(tmp_path / "c.jsonl", [_turn("a", "Hi."), _turn("x", "?", role="boss")])

    def act() -> None:
        erase(Location(str(store)), "c")
        _index(source, store)

    _index(source, store)
    job = index_job(load("index", [f"source.path={source}", f"store.root={store}"]))
    index(replace(job, source=Then(job.source, act)), Report())
    assert list(_said(store).values()) == ["Hi."]
    assert len(_letters(store)) == 1


def test_a_letter_without_words_loses_those_of_its_reason_too() -> None:
    once = wordless(DeadLetter("c.jsonl", "line 3", f"unknown role: {SECRET}", b"", "c"))
    # As a version wrote it that kept the reason whole.
    before = replace(once, reason=once.reason.replace("role", f"role: {SECRET}"))
    assert before.reason != once.reason == wordless(once).reason == wordless(before).reason


def test_a_letter_filed_while_a_message_is_erased_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = _source(
        tmp_path / "c.jsonl", [_turn("a", "Hi."), _turn("b", "Hello."), _turn("x", "?", role="boss")]
    )
    _index(source, tmp_path / "store")
    location = Location(str(tmp_path / "store"))

    def forget(*given: Any, **more: Any) -> dict[str, int]:
        job = Letters(dead_letters(location))
        job.add(DeadLetter("c.jsonl", "line 9", "unknown role: x", b"other", "c"))
        job.flush()
        return forget_versions(*given, **more)

    monkeypatch.setattr(amend, "forget_versions", forget)
    erase_message(location, "c", "a", Report())
    assert {letter["place"] for letter in _letters(tmp_path / "store")} == {"line 3", "line 9"}


def _export(of: str, text: str) -> dict[str, Any]:
    """A conversation as ChatGPT exports it: its id stands behind its messages."""
    nodes = {"r": {"id": "r", "parent": None, "children": ["m1"], "message": None}}
    for n, said in enumerate([text, "Noted.", "Bye."], 1):
        author = {"role": "assistant" if n == 2 else "user"}
        told = {"id": f"m{n}", "author": author, "content": {"parts": [said]}}
        nodes[f"m{n}"] = {
            "id": f"m{n}",
            "parent": f"m{n - 1}" if n > 1 else "r",
            "children": [],
            "message": told,
        }
    return {"title": "t", "mapping": nodes, "conversation_id": of, "id": of}


@pytest.mark.parametrize("damage", ["inside", "cut", "cut early", "quote"])
def test_a_broken_export_leaves_no_words_where_no_erasure_finds_them(tmp_path: Path, damage: str) -> None:
    good = json.dumps([_export("conv-0", "I like tea."), _export("conv-1", f"My PIN is {SECRET}.")])
    at = good.rindex('"id": "m3"')
    early = good.index(SECRET) + len(SECRET)
    bad = {
        "inside": good[:at] + good[at:].replace('"m3"', "m3x", 1),
        "cut": good[:at],
        "cut early": good[:early],
        # One quote too many in the second title hides every key behind it.
        "quote": good[: good.rindex('"t"')] + '"a "t"' + good[good.rindex('"t"') + 3 : early],
    }
    export = tmp_path / "conversations.json"
    export.write_text(bad[damage])
    assert _index(export, tmp_path / "store")["dead_letters"] == 1
    (letter,) = _letters(tmp_path / "store")
    assert letter["conversation_id"] == ("conv-1" if damage == "inside" else None)
    export.write_text(good)
    _index(export, tmp_path / "store")
    assert erase(Location(str(tmp_path / "store")), "conv-1").complete
    assert not _holds(tmp_path / "store", SECRET)


def test_a_conversation_whose_id_cannot_be_stored_leaves_no_words(tmp_path: Path) -> None:
    export = tmp_path / "conversations.json"
    export.write_text(
        json.dumps([_export("conv-0", "I like tea."), _export("\ud83d", f"My PIN is {SECRET}.")])
    )
    assert _index(export, tmp_path / "store")["dead_letters"] == 3
    assert not _holds(tmp_path / "store", SECRET)


@pytest.mark.parametrize(
    ("format", "name", "broken"),
    [
        ("chatgpt", "conversations.json", f'[{{"title": "About {SECRET}'),
        ("chatgpt", "conversations.json", f'["title": "About {SECRET}", "mapping": {{}}}}]'),
        ("claude", "conversations.json", f'[{{"name": "My {SECRET} talk'),
        ("longmemeval", "l.json", f'[{{"question": "What about {SECRET}?" "question_type": "x"}}]'),
        ("openai", "w.jsonl", f'{{"title": "{SECRET} talk", "conversation_i'),
        ("openai", "w.jsonl", f'{{"conversation_id" "c", "messages": [{{"content": "{SECRET}"}}]}}'),
        ("openai", "w.jsonl", f'{{"title": "{SECRET}", "messages": []}}'),
        ("openai", "w.jsonl", f'{{"conversation_id": 1.5, "role": "{SECRET}", "content": "{SECRET}"}}'),
        ("sharegpt", "s.jsonl", f'{{"id: "c", "conversations": [{{"from": "human", "value": "{SECRET}"}}]}}'),
        ("sharegpt", "s.jsonl", f'{{"title": "{SECRET}", "conversations": 7}}'),
        (
            "claude_code",
            "c.jsonl",
            f'{{"type": "user", "sessionId": 1.5, "message": {{"content": "{SECRET}"}}}}',
        ),
        ("claude_code", "c.jsonl", f'{{"type": "user", "message": {{"content": "{SECRET}'),
        ("codex", "r.jsonl", f'{{"type": "response_item", "payload": {{"content": "{SECRET}'),
        ("locomo", "l.json", f'[{{"session_1": []}}, {{"session_1": [], "qa": "{SECRET}"}}]'),
    ],
)
def test_a_record_whose_conversation_nobody_knows_leaves_no_words(
    tmp_path: Path, format: str, name: str, broken: str
) -> None:
    (tmp_path / name).write_text(broken)
    found = [item for item in read(tmp_path / name, format) if isinstance(item, DeadLetter)]
    assert found
    assert SECRET not in str(found)


@pytest.mark.parametrize("broken", ["lines that became one", "a record that holds the next"])
def test_bytes_that_may_be_of_another_conversation_are_not_kept(tmp_path: Path, broken: str) -> None:
    if broken == "lines that became one":
        name, format = "c.jsonl", "openai"
        turns = [_turn("a", f"My PIN is {SECRET}."), _turn("b", "Hi.", conversation_id="other")]
        bad = json.dumps(turns[0]) + json.dumps(turns[1]) + "\n" + json.dumps(turns[1])
    else:
        name, format = "conversations.json", "claude"
        talks = [
            {"uuid": of, "chat_messages": [{"uuid": f"{of}-1", "sender": "human", "text": text}]}
            for of, text in (("other", "Hi."), ("c", f"My PIN is {SECRET}."), ("last", "Bye."))
        ]
        bad = json.dumps(talks).replace('"Hi."}]}', '"Hi."}]')
    (tmp_path / name).write_text(bad)
    assert _index(tmp_path / name, tmp_path / "store", f"source.format={format}")["dead_letters"]
    assert "Hi." in _said(tmp_path / "store").values()
    if any(SECRET in each for each in _said(tmp_path / "store").values()):
        erase(Location(str(tmp_path / "store")), "c")
    assert not _holds(tmp_path / "store", SECRET)


@pytest.mark.parametrize("broken", ["joined", "behind"])
def test_what_was_whole_before_the_damage_is_read(tmp_path: Path, broken: str) -> None:
    if broken == "joined":
        (tmp_path / "conversations.jsonl").write_text(
            json.dumps(_turn("a", "Hi.")) + json.dumps(_turn("b", "Oh."))
        )
        source = tmp_path / "conversations.jsonl"
    else:
        export = json.dumps([{"conversation_id": "c"} | _export("c", "Hi.") | {"moderation": [1]}])
        source = tmp_path / "conversations.json"
        source.write_text(export.replace("[1]", "[1"))
    assert _index(source, tmp_path / "store")["dead_letters"]
    assert "Hi." in _said(tmp_path / "store").values()


def test_damage_whose_place_nobody_knows_loses_nothing_before_it(tmp_path: Path) -> None:
    turns = [
        {"speaker": "Ann", "dia_id": f"D1:{n}", "text": text} for n, text in enumerate(["Hey.", "Look."])
    ]
    talk = json.dumps({"session_1": turns, "session_2": turns[:1], "summary": {"a": ["b"], "c": 1}}, indent=1)
    (tmp_path / "27.json").write_text("".join(talk.rsplit("]", 1)))
    found = [item.content for item in read(tmp_path / "27.json", "locomo") if isinstance(item, Message)]
    assert found == ["Hey.", "Look.", "Hey."]


def test_messages_whose_id_stands_behind_damage_beside_them_get_no_other(tmp_path: Path) -> None:
    record = {"messages": [_turn("a", f"My PIN is {SECRET}.")], "meta": {"x": 1}, "id": "c"}
    (tmp_path / "m.jsonl").write_text(json.dumps(record).replace('"x": 1', '"x" 1') + "\n")
    found = list(read(tmp_path / "m.jsonl", "openai"))
    assert not any(isinstance(item, Message) for item in found)
    assert any(isinstance(item, DeadLetter) for item in found)
    assert SECRET not in str(found)


def test_a_message_with_a_member_called_as_its_container_is_not_closed_in_its_middle(tmp_path: Path) -> None:
    turns = [
        {"id": "a", "role": "user", "content": "Hi."},
        {"role": "user", "messages": [1], "x": 1, "id": "b"},
    ]
    broken = json.dumps({"conversation_id": "c", "messages": turns}).replace('"x": 1', '"x" 1')
    (tmp_path / "m.jsonl").write_text(broken + "\n")
    found = list(read(tmp_path / "m.jsonl", "openai"))
    assert [item.content for item in found if isinstance(item, Message)] == ["Hi."]
    assert [item.place for item in found if isinstance(item, DeadLetter)] == ["line 1"]


@pytest.mark.parametrize(
    ("format", "name", "lines"),
    [
        ("openai", "bare.jsonl", [{"role": "user", "content": "Hi."}, {"data": [_turn("a", SECRET)]}]),
        ("openai", "bare.jsonl", [{"role": "user", "content": "Hi."}, [_turn("a", SECRET)]]),
        (
            "beam",
            "rows.jsonl",
            [
                {"conversation_id": "d", "chat": [[{"role": "user", "content": "Hi."}]]},
                {"conversation_id": "c", "messages": SECRET},
            ],
        ),
    ],
)
def test_a_letter_holds_no_words_of_another_conversation(
    tmp_path: Path, format: str, name: str, lines: list[object]
) -> None:
    (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (letter,) = (item for item in read(tmp_path / name, format) if isinstance(item, DeadLetter))
    assert letter.conversation_id == name.partition(".")[0]
    assert SECRET not in str(letter)


def test_equal_letters_of_several_conversations_stay_apart(tmp_path: Path) -> None:
    talks = [{"sample_id": f"conv-{n}", "session_1": [{"text": "Hi."}, {"text": 5}]} for n in range(3)]
    (tmp_path / "l.json").write_text(json.dumps(talks))
    done = _index(tmp_path / "l.json", tmp_path / "store", "source.format=locomo")
    letters = _letters(tmp_path / "store")
    assert done["dead_letters"] == len(letters) == 3
    assert len({letter["conversation_id"] for letter in letters}) == 3


def test_letters_that_say_the_same_are_kept_one_by_one(tmp_path: Path) -> None:
    lines = [json.dumps({"seq": n, "role": "user", "content": f"Word {n}."}).encode() for n in range(5)]
    found = [each for line in lines for each in of_line(line, "lake/a.jsonl", Lake("lake", "jsonl"))]
    letters = [each for each in found if isinstance(each, DeadLetter)]
    location = Location(str(tmp_path))
    location.make()
    for _ in range(2):  # a second job meets the same ones
        job = Letters(dead_letters(location))
        for letter in letters:
            job.add(letter, read=True)
        job.flush()
        assert dead_letters(location).count() == 5


def test_a_reason_quotes_no_words_where_no_conversation_is_known(tmp_path: Path) -> None:
    export = _export("\ud83d", "I like tea.")
    export["mapping"]["m1"]["message"]["author"]["role"] = SECRET
    (tmp_path / "conversations.json").write_text(json.dumps([_export("conv-0", "Hi."), export]))
    _index(tmp_path / "conversations.json", tmp_path / "store")
    assert 'unknown role: "…" is none of ' in str(_letters(tmp_path / "store"))
    assert not _holds(tmp_path / "store", SECRET)


def test_half_a_character_as_a_key_of_a_broken_record_ends_no_job(tmp_path: Path) -> None:
    broken = '{"\\ud83d": 1, "role": "user", "content": "broken'
    (tmp_path / "c.jsonl").write_text(json.dumps(_turn("a", "Hi.")) + "\n" + broken + "\n")
    assert _index(tmp_path / "c.jsonl", tmp_path / "store")["dead_letters"] == 1
    (letter,) = _letters(tmp_path / "store")
    assert letter["reason"].startswith("not JSON")
    assert letter["raw"] == b""


def test_a_file_that_nothing_is_read_of_leaves_no_words(tmp_path: Path) -> None:
    rows = pa.Table.from_pylist([_turn("a", f"My PIN is {SECRET}.")])
    pq.write_table(rows, tmp_path / "cut.parquet", compression="none")
    whole = (tmp_path / "cut.parquet").read_bytes()
    source = tmp_path / "source"
    source.mkdir()
    (source / "cut.parquet").write_bytes(whole[4:])
    with zipfile.ZipFile(source / "cut.zip", "w") as packed:
        packed.writestr("conversations.json", json.dumps([_export("conv-1", f"My PIN is {SECRET}.")]))
    (source / "cut.zip").write_bytes((source / "cut.zip").read_bytes()[:-40])
    _source(source / "good.jsonl", [_turn("b", "Hi.")])
    assert _index(source, tmp_path / "store")["dead_letters"] == 2
    assert {letter["conversation_id"] for letter in _letters(tmp_path / "store")} == {None}
    assert not _holds(tmp_path / "store", SECRET)


def test_a_recorded_line_about_an_empty_message_is_told_of(tmp_path: Path) -> None:
    rows = [_turn("a", "My garden in Rome."), _turn("b", "", role="assistant"), _turn("d", "I like tea.")]
    source = _source(tmp_path / "c.jsonl", rows)
    line = {"conversation_id": "c", "facts": [["home", "Rome"]]}
    lines = _source(tmp_path / "lines", [line | {"exchange": 0}, line | {"exchange": 1}])
    done = _index(source, tmp_path / "store", "engine=recorded", f"engine.path={lines}")
    assert done["fallback_reasons"] == {"a message of it is empty, such as conversation c, exchange 0": 1}


class _Backwards(Local):
    """Gives back what was made last first, as workers may."""

    def map(self, worker: Worker, draw: Callable[[], Task | None]) -> Iterator[Made]:
        made = []
        while (task := draw()) is not None:
            made.append(worker(task))
        yield from reversed(made)


def test_reasons_do_not_depend_on_the_order_in_which_tasks_come_back(tmp_path: Path) -> None:
    rows = [_turn(f"m{n}", f"I like tea number {n}.", conversation_id=f"c{n // 64}") for n in range(20 * 64)]
    source = _source(tmp_path / "c.jsonl", rows)
    lines = _source(tmp_path / "lines", [{"conversation_id": "c0", "exchange": 0, "summary": "tea"}])
    words = [f"source.path={source}", f"store.root={tmp_path / 'store'}", "layers=[timeline]"]
    job = index_job(load("index", [*words, "engine=recorded", f"engine.path={lines}"]))
    done = index(replace(job, executor=_Backwards()), Report())
    assert done["fallback"] == len(rows) - 1
    assert list(done["fallback_reasons"].values()) == [len(rows) - 1]  # type: ignore[attr-defined]
