"""Law 4: a finished job run again changes nothing, and one content comes to one hash whichever way it came.

What being killed changes is in tests/faults/test_kill.py.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import memfold
from memfold.ingest.source import Files
from memfold.run.ray import Ray
from memfold.schema import Message
from memfold.store.erase import erase
from memfold.store.location import Location
from support.given import chat, files, indexed, job, rows, run
from support.laws import content


def lines(messages: Sequence[Message], *, ids: bool) -> list[str]:
    made: list[dict[str, Any]] = []
    for message in messages:
        assert message.time is not None
        line = {
            "conversation_id": message.conversation_id,
            "role": message.role,
            "content": message.content,
            "created_at": message.time.isoformat(),
        }
        made.append(line | ({"id": message.message_id} if ids else {}))
    return [json.dumps(line) for line in made]


def from_files(root: Path, parts: Sequence[Sequence[str]], name: str) -> dict[str, object]:
    folder = root / name
    folder.mkdir()
    for place, part in enumerate(parts):
        (folder / f"part-{place}.jsonl").write_text("".join(line + "\n" for line in part))
    return run(replace(job(root / f"{name}-store", []), source=Files(str(folder), "openai")))


TALK = chat(70)
TWO = [*TALK, *chat(5, "b")]


def same(done: dict[str, object], *, as_in: dict[str, object]) -> bool:
    facts = ("content_hash", "messages", "exchanges", "tokens")
    return [done[name] for name in facts] == [as_in[name] for name in facts]


# --------------------------------------------------------------------------------- a finished job


def test_a_finished_job_run_again_leaves_every_byte_as_it_was(tmp_path: Path) -> None:
    done = indexed(tmp_path, TWO)
    before = content(tmp_path)
    again = indexed(tmp_path, TWO)
    assert content(tmp_path) == before
    assert done["extracted"] == 75
    assert again == {**done, "seconds": again["seconds"], "extracted": 0}


def test_a_finished_job_run_again_and_again_does_not_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memfold.store.upkeep.GRACE", timedelta(0))
    indexed(tmp_path, chat(3))
    indexed(tmp_path, chat(3))
    before = len(files(tmp_path))
    for _ in range(3):
        indexed(tmp_path, chat(3))
    assert len(files(tmp_path)) == before


def test_a_job_over_what_is_stored_already_writes_no_row_of_it_again(tmp_path: Path) -> None:
    """Another job, since it names its source otherwise; but what it would make is there."""
    done = indexed(tmp_path, TWO)
    before = rows(tmp_path)
    again = indexed(tmp_path, TWO[len(TALK) :] + TALK)
    assert same(again, as_in=done)
    assert rows(tmp_path) == before


def test_a_job_whose_conversations_changed_since_is_not_taken_for_done(tmp_path: Path) -> None:
    done = indexed(tmp_path, chat(3))
    indexed(tmp_path, chat(5))
    indexed(tmp_path, chat(2, "elsewhere"))
    assert indexed(tmp_path, chat(3))["messages"] == 10  # a part of what is stored: nothing is taken back
    assert done["messages"] == 6


def test_what_a_source_lacks_is_counted_each_time_and_goes_where_it_is_to(tmp_path: Path) -> None:
    talk = chat(6)
    indexed(tmp_path, talk[:10])
    part = [*talk[:4], *talk[10:]]
    done = indexed(tmp_path, part)
    assert (done["messages"], done["left"]) == (12, 6)
    before = content(tmp_path)
    assert {**indexed(tmp_path, part), "seconds": 0, "extracted": 6} == {**done, "seconds": 0}
    assert content(tmp_path) == before
    # A memory that a program filed is no source's, and not missed in one.
    memfold.open(tmp_path).add_memory("c", "Has a cat.", by="p")
    assert indexed(tmp_path, part)["left"] == 6
    whole = run(replace(job(tmp_path, part), replace=True))
    assert (whole["messages"], whole["removed"]) == (7, 6)
    before = content(tmp_path)
    again = run(replace(job(tmp_path, part), replace=True))
    assert not {"left", "removed"} & again.keys()
    assert content(tmp_path) == before


def test_what_a_source_could_not_correct_it_replaces_where_it_is_to(tmp_path: Path) -> None:
    talk = chat(3)
    indexed(tmp_path, talk[:4])
    part = [replace(talk[1], content="No, it takes a week."), *talk[2:]]
    done = indexed(tmp_path, part)
    assert (done["messages"], done["dead_letters"], done["left"]) == (6, 1, 1)
    again = indexed(tmp_path, part)
    assert (again["snapshot"], again["dead_letters"], again["left"]) == (done["snapshot"], 1, 1)
    whole = run(replace(job(tmp_path, part), replace=True))
    assert (whole["messages"], whole["dead_letters"]) == (5, 0)


def test_what_other_jobs_added_does_not_undo_a_finished_one(tmp_path: Path) -> None:
    first = indexed(tmp_path, chat(3))
    second = indexed(tmp_path, chat(2, "elsewhere"))
    before = content(tmp_path)
    again = indexed(tmp_path, chat(3))
    assert content(tmp_path) == before
    assert (again["messages"], again["snapshot"]) == (first["messages"], second["snapshot"])
    assert again["content_hash"] == second["content_hash"]


def test_an_erased_conversation_comes_back_by_the_same_job(tmp_path: Path) -> None:
    done = indexed(tmp_path, TWO)
    erase(Location(str(tmp_path)), "b")
    assert same(indexed(tmp_path, TWO), as_in=done)
    assert len(list(memfold.open(str(tmp_path)).messages("b"))) == 10


@pytest.mark.parametrize("setting", ["full=20000", "tokens=9000"])
def test_other_settings_make_the_rows_anew_that_depend_on_them(setting: str, tmp_path: Path) -> None:
    done = indexed(tmp_path, TALK)
    before = rows(tmp_path)
    again = run(job(tmp_path, TALK, overrides=[f"layers.scratchpad.{setting}"]))
    assert again["snapshot"] == 2
    assert again["extracted"] == 0
    assert again["content_hash"] != done["content_hash"]
    grown = {name for name, count in rows(tmp_path).items() if count != before[name]}
    assert grown == {"scratchpad", "subjects", "conversations", "snapshots"}
    assert same(run(job(tmp_path, TALK)), as_in=done)


# ------------------------------------------------------------------------------ one content, one hash


def test_one_file_and_the_same_in_three_come_to_one_hash(tmp_path: Path) -> None:
    for ids in (True, False):
        made = lines(TWO, ids=ids)
        whole = from_files(tmp_path, [made], f"whole-{ids}")
        split = from_files(tmp_path, [made[:40], made[40:41], made[41:]], f"split-{ids}")
        assert same(split, as_in=whole)
        assert whole["messages"] == len(TWO)


def test_the_order_of_conversations_in_a_source_does_not_matter(tmp_path: Path) -> None:
    names = ("b", "a", "10", "9", "c")
    talks = [chat(4 + place, name) for place, name in enumerate(names)]
    mixed = [message for turn in zip(*talks, strict=False) for message in turn]
    mixed += [message for talk in talks for message in talk[len(talks[0]) :]]
    done = indexed(tmp_path / "one", [message for talk in talks for message in talk])
    assert same(indexed(tmp_path / "two", [m for talk in talks[::-1] for m in talk]), as_in=done)
    assert same(indexed(tmp_path / "three", mixed), as_in=done)
    for talk in random.Random(1).sample(talks, len(talks)):  # and a job each
        last = indexed(tmp_path / "four", talk)
    assert last["content_hash"] == done["content_hash"]


@pytest.mark.parametrize("ids", [True, False])
def test_a_source_that_grew_five_times_comes_to_the_hash_of_one_made_whole(ids: bool, tmp_path: Path) -> None:
    talk = chat(140, ids=ids)
    whole = indexed(tmp_path / "whole", talk)
    for end in (1, 60, 128, 129, 280):
        grown = indexed(tmp_path / "grown", talk[:end])
    assert same(grown, as_in=whole)
    assert memfold.open(str(tmp_path / "grown")).verify() == whole["content_hash"]


def test_five_parts_with_ids_come_to_the_hash_of_one_made_whole(tmp_path: Path) -> None:
    talk = chat(140)
    whole = indexed(tmp_path / "whole", talk)
    for start, end in ((0, 1), (1, 60), (60, 128), (128, 129), (129, 280)):
        appended = indexed(tmp_path / "parts", talk[start:end])
    assert same(appended, as_in=whole)
    assert appended["dead_letters"] == 0


def test_parts_that_overlap_come_to_the_same_hash(tmp_path: Path) -> None:
    whole = indexed(tmp_path / "whole", TALK)
    for start, end in ((0, 80), (40, 120), (100, 140)):
        appended = indexed(tmp_path / "parts", TALK[start:end])
    assert same(appended, as_in=whole)
    assert appended["dead_letters"] == 0


def test_appending_makes_the_last_segments_only(tmp_path: Path) -> None:
    talk = chat(200)
    indexed(tmp_path, talk[:260])
    before = rows(tmp_path)["messages"]
    indexed(tmp_path, talk)
    # 260 messages are two full segments and 4 messages of the third, which grows to 128; the last has 16.
    assert rows(tmp_path)["messages"] - before == 128 + 16


@pytest.mark.parametrize(
    "change",
    [
        {"content": "My violin lessons budget is 1 dollar."},
        {"role": "system"},
        {"message_id": "other"},
        {"time": None},
        {"speaker": "Ann"},
        {"current": False},
        {"attachments": ("a photo",)},
    ],
)
def test_control_another_content_comes_to_another_hash(change: dict[str, Any], tmp_path: Path) -> None:
    talk = chat(4)
    done = indexed(tmp_path / "one", talk)
    talk[2] = replace(talk[2], **change)
    assert indexed(tmp_path / "two", talk)["content_hash"] != done["content_hash"]


def test_control_swapped_messages_come_to_another_hash(tmp_path: Path) -> None:
    talk = chat(4)
    done = indexed(tmp_path / "one", talk)
    assert (
        indexed(tmp_path / "two", [*talk[2:4], *talk[:2], *talk[4:]])["content_hash"] != done["content_hash"]
    )


# ------------------------------------------------------------------------------------------- on Ray


@pytest.mark.slow
def test_ray_comes_to_the_hash_of_this_process(tmp_path: Path) -> None:
    talks = [message for place in range(6) for message in chat(10 + 20 * place, f"c{place}")]
    done = indexed(tmp_path / "local", talks)
    on_ray = run(job(tmp_path / "ray", talks, executor=Ray(workers=3, cpus=0.5)))
    assert same(on_ray, as_in=done)
    assert rows(tmp_path / "ray") == rows(tmp_path / "local")
    before = content(tmp_path / "ray")
    again = run(job(tmp_path / "ray", talks))  # finished there is finished here
    assert content(tmp_path / "ray") == before
    assert same(again, as_in=done)
