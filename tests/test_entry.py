"""A job's command line: what the user can correct ends with code 2 and one line, and Hydra's own flags are Hydra's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.command import ROOT, command


def test_a_job_ends_with_code_2_and_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    wrong = [
        ("source=synthetic", "store.tenant=../x", f"store.root={tmp_path}/s"),
        ("source=synthetic", "source.tokens=1000", f"store.root={tmp_path}/file/below"),
        (f"source.path={tmp_path}/none", f"store.root={tmp_path}/s"),
        (f"source.path={tmp_path}", "source.format=word", f"store.root={tmp_path}/s"),
        (f"source.path={tmp_path}", f"store.root={tmp_path}/s"),
        (f"store.root={tmp_path}/s",),
    ]
    for words in wrong:
        done = command("index", *words)
        assert (done.code, done.out) == (2, "")
        assert done.line.startswith("error: ")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_hydras_own_flags_are_hydras() -> None:
    done = command("index", "--cfg", "job", "source=synthetic")
    assert done.code == 0
    assert "memfold.evaluate.synthetic.Synthetic" in done.out


def test_a_layer_of_ones_own_is_chosen_on_the_real_command_line(own_layer: Path) -> None:
    words = [f"hydra.searchpath=[file://{own_layer}]", "layers=[scratchpad,toy]", "--cfg", "job"]
    done = command("index", *words, PYTHONPATH=f"{own_layer}:{':'.join(sys.path)}")
    assert done.code == 0, done.err
    assert "toy_layer_of_my_own.Toy" in done.out


@pytest.mark.parametrize("word", ["question=???", "conversation=???"])
def test_what_would_be_taken_for_nothing_given_is_one_line(word: str) -> None:
    done = command("ask", "store.root=nowhere", word)
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith(f"error: {word[:-4]}='???': three question marks alone")


def test_an_id_that_is_no_unicode_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "jobs" / "erase.py"), b"conversation=\xff"],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: conversation='\\udcff' is no Unicode text")
    assert done.stderr.count(b"\n") == 1
