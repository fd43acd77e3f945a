"""A layer that memfold does not know: wired by a yaml, made by the job, read without its program; and a twin that
breaks the contract, which every law catches. That the toy keeps the laws is in test_merge.py and test_layers.py: it is
a line of `support.layers`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import memfold
from memfold.layers.layer import leaf_name
from support import twin
from support.above import Above
from support.folding import assert_as_of, assert_merges
from support.given import chat, found, held, job, record, rows, run, shown
from support.laws import assert_as_of_in_store, assert_erases, assert_reruns
from support.layers import HERE, LAYERS
from support.toy import Toy

TOY = LAYERS["toy"]
TWIN = (*TOY, "layers.toy._target_=support.twin.Twin")
TALK = chat(200)


def test_the_toy_counts_what_was_said(tmp_path: Path) -> None:
    run(job(tmp_path, TALK, overrides=[*TOY, "layers.toy.least=4"]))
    made = shown(tmp_path, "toy").to_pylist()
    segments = [TALK[128 * n : 128 * (n + 1)] for n in range(4)]
    said = [[w for m in each for w in m.content.split() if len(w) >= 4] for each in segments]
    counts = [len(words) for words in said]
    assert [row["words"] for row in made] == [*counts, sum(counts[:3]), counts[3], sum(counts)]
    assert made[-1]["longest"] == max((w for words in said for w in words), key=lambda w: (len(w), w))


# Each law, and what it says of a layer that breaks it.
LAWS: dict[str, tuple[Callable[[Sequence[str], Path], None], str]] = {
    "merge": (lambda overrides, _: assert_merges(overrides, 40, [4, 8, 13], 1), "one name, and other rows"),
    "as of": (lambda overrides, _: assert_as_of(overrides, 40, 20), "toy as of 21"),
    "as of in a store": (assert_as_of_in_store, "toy as of 1"),
    "rerun": (assert_reruns, "run again, it ends with other rows"),
    "erasure": (assert_erases, "words of it are left"),
}


@pytest.mark.parametrize("law", LAWS)
def test_control_the_toys_twin_breaks_every_law(
    law: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(twin, "HEARD", [])
    holds, broken = LAWS[law]
    with pytest.raises(AssertionError, match=broken):
        holds(TWIN, tmp_path)


@pytest.mark.parametrize(("name", "whose"), [("Astray", "segment"), ("Foreign", "conversation_id")])
def test_rows_that_no_erasure_would_find_are_not_written(name: str, whose: str, tmp_path: Path) -> None:
    astray = (*TOY, f"layers.toy._target_=support.twin.{name}")
    with pytest.raises(
        memfold.UserError, match=rf"layers\.toy: {whose} of a row is not that of the part it is in"
    ):
        run(job(tmp_path, TALK, overrides=astray))
    assert found(tmp_path, "astray") == []


# ------------------------------------------------------------------------- with it, and without it


def test_a_store_that_knew_no_toy_is_given_one_and_nothing_else_is_made(tmp_path: Path) -> None:
    plain = run(job(tmp_path / "grown", TALK, overrides=["layers=[episodic,scratchpad]"]))
    before = {name: held(tmp_path / "grown", name) for name in rows(tmp_path / "grown")}
    counted = rows(tmp_path / "grown")
    old = record(tmp_path / "grown")

    done = run(job(tmp_path / "grown", TALK, overrides=TOY))

    assert (done["extracted"], done["dead_letters"], done["snapshot"]) == (0, 0, 2)
    assert done["messages"] == plain["messages"]
    new = record(tmp_path / "grown")
    assert {kind: parts for kind, parts in new.parts.items() if kind != "toy"} == old.parts
    assert len(new.parts["toy"]) == 4 + 2 + 1
    after = rows(tmp_path / "grown")
    assert {name for name in after if after[name] != counted.get(name)} == {
        "toy",
        "conversations",
        "snapshots",
    }
    for name in old.parts:
        assert held(tmp_path / "grown", name).equals(before[name])
    assert run(job(tmp_path / "whole", TALK, overrides=TOY))["content_hash"] == done["content_hash"]
    then = memfold.open(str(tmp_path / "grown"), as_of=1)
    assert then.verify() == plain["content_hash"]
    assert sum(batch.num_rows for batch in then.live("toy")) == 0


def test_a_store_that_knew_no_toy_is_read_where_the_toy_is_configured(tmp_path: Path) -> None:
    run(job(tmp_path, TALK))
    run(job(tmp_path, chat(3, "b"), overrides=TOY))
    store = memfold.open(str(tmp_path))
    for as_of in (None, "128"):
        seen = memfold.open(str(tmp_path), as_of=as_of)._shown("c")
        assert seen.leaves("toy") is None
        assert seen.root("toy") is None
        assert seen.leaves("episodic") is not None
    assert store.search("c", "What is my kayak repair budget?")
    assert store.verify() == store.snapshot.content_hash


READ_ALONE = """
import sys, memfold
store = memfold.open(sys.argv[1])
assert store.verify() == store.snapshot.content_hash
assert store.search("c", "What is my kayak repair budget?", 5)
assert store.scratchpad("c")
assert sum(batch.num_rows for batch in store.live("toy")) == 7
then = memfold.open(sys.argv[1], as_of="128")
assert then.search("c", "What is my kayak repair budget?", 5)
assert then.scratchpad("c")
assert len(list(then.messages("c"))) == 129
assert (then._shown("c").leaves("toy"), then._shown("c").root("toy")) == (None, None)
try:
    raise SystemExit(then.rows("toy", "c"))
except memfold.UserError as error:
    assert "no class of that name is there" in str(error)
from memfold.store.erase import check, erase
from memfold.store.location import Location
erase(Location(sys.argv[1]), "c")
check(Location(sys.argv[1]), "c")
assert not sum(batch.num_rows for batch in memfold.open(sys.argv[1]).live("toy"))
assert not [name for name in sys.modules if name.startswith("support")]
"""


def test_a_store_with_the_toy_is_read_and_erased_by_a_program_that_does_not_have_it(tmp_path: Path) -> None:
    run(job(tmp_path, TALK, overrides=TOY))
    done = subprocess.run(
        [sys.executable, "-c", READ_ALONE, str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path)["toy"] == 0


def test_a_job_without_the_toy_leaves_it_out_and_one_with_it_finds_it(tmp_path: Path) -> None:
    done = run(job(tmp_path, TALK, overrides=TOY))
    counted = rows(tmp_path)
    assert "toy" not in {*run(job(tmp_path, TALK)), *record(tmp_path).parts}
    again = run(job(tmp_path, TALK, overrides=TOY))
    assert again["content_hash"] == done["content_hash"]
    assert rows(tmp_path)["messages"] == counted["messages"]


# ------------------------------------------------------------------------- a layer made of another


def test_a_layer_made_of_another_is_named_for_it_and_made_after_it(tmp_path: Path) -> None:
    run(job(tmp_path, TALK, overrides=LAYERS["above"]))
    made = record(tmp_path).parts
    assert [part.name for part in made["above"][:4]] == [
        leaf_name(Above(), [part.name]) for part in made["toy"][:4]
    ]
    toy = [row["words"] for row in shown(tmp_path, "toy").to_pylist()]
    above = [row["words"] for row in shown(tmp_path, "above").to_pylist()]
    assert above == [*toy[:4], sum(toy[:2]), sum(toy[2:4]), sum(toy[:4])]
    assert leaf_name(Above(), ["x"]) != leaf_name(Above(many=7), ["x"]) != leaf_name(Toy(), ["x"])


def test_other_settings_of_a_layer_make_anew_what_is_made_of_it(tmp_path: Path) -> None:
    run(job(tmp_path, TALK, overrides=LAYERS["above"]))
    before = record(tmp_path).parts
    done = run(job(tmp_path, TALK, overrides=[*LAYERS["above"], "layers.toy.least=5"]))
    assert done["extracted"] == 0
    after = record(tmp_path).parts
    assert {kind for kind in after if after[kind] != before[kind]} == {"toy", "above"}
    run(job(tmp_path, TALK, overrides=[*LAYERS["above"], "layers.toy.least=5", "layers.above.many=9"]))
    last = record(tmp_path).parts
    assert {kind for kind in last if last[kind] != after[kind]} == {"above"}


def test_a_layer_whose_other_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(
        memfold.UserError, match=r"lacks layers that others read \(above reads toy\): add them"
    ):
        run(job(tmp_path, TALK, overrides=[HERE, "layers=[episodic,above]"]))
    assert not tmp_path.joinpath("default", "messages.lance").exists()
