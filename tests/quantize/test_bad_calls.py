"""What is wrong with a call is one line with the cure, and exit code 2, before hours of work."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memfold.entry import main
from memfold.errors import UserError
from memfold.quantize.gate import Gate
from memfold.quantize.job import draw, general_text, to_answer
from memfold.quantize.sample import Calibration
from memfold.store.location import Location
from memfold.watch import Report
from memfold.yamls import JOBS
from support.checkpoints import model_folder
from support.command import command

LAYER = {"model.layers.0.mlp.down_proj.weight": (64, 128)}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of models, each with one thing wrong, and a sound one."""
    root = tmp_path_factory.mktemp("models")
    for name in ("sound", "no-config", "no-weights", "no-tokenizer", "no-template", "cut-off", "not-json"):
        model_folder(root / name, LAYER)
    model_folder(root / "odd", {"model.layers.0.mlp.down_proj.weight": (64, 100)})
    model_folder(root / "other", {"transformer.h.0.attn.c_attn.weight": (64, 64)})
    model_folder(root / "quantised", LAYER, quantization_config={"bits": 4})
    (root / "no-config" / "config.json").unlink()
    (root / "no-weights" / "model.safetensors").unlink()
    (root / "no-tokenizer" / "tokenizer_config.json").unlink()
    (root / "no-template" / "tokenizer_config.json").write_text("{}")
    (root / "not-json" / "config.json").write_text("{")
    whole = root / "cut-off" / "model.safetensors"
    whole.write_bytes(whole.read_bytes()[:-10])
    (root / "file").write_text("")
    return root


def called(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """The line that the job says instead of running."""
    run = runpy.run_path(str(JOBS / "quantize.py"))["run"]
    monkeypatch.setattr(sys, "argv", ["jobs/quantize.py", *words])
    with pytest.raises(SystemExit) as ended:
        main("quantize", run)
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


SOUND = ["engine.model={models}/sound", "out={out}", "settings={out}.yaml", "backend.group_size=64"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["engine.model={models}/nowhere"], "is no folder: name the one that holds the model's config.json"),
        (["engine.model={models}/no-config"], "holds no config.json: name a model's folder"),
        (["engine.model={models}/not-json"], "cannot be read (Expecting"),
        (["engine.model={models}/no-weights"], "holds no weights as safetensors: save them so"),
        (
            ["engine.model={models}/no-tokenizer"],
            "holds no tokenizer_config.json: copy the model's tokenizer",
        ),
        (["engine.model={models}/no-template"], "has no chat template: take the instruction-tuned model"),
        (["engine.model={models}/quantised"], "is quantised already: name the folder of the original"),
        (
            ["engine.model={models}/cut-off"],
            "is no whole safetensors file (it is cut off): fetch the model again",
        ),
        (["engine.model={models}/odd"], "has 100 inputs, which is no multiple: this model cannot"),
        (["engine.model={models}/other"], "has no layers that are quantised here"),
        (["backend=gptq"], "gptq"),
        (["backend.group_size=48"], "backend.group_size=48: use one of 32, 64, 128"),
        (["backend.clip=perhaps"], "backend.clip: "),
        (["backend=llmcompressor", "backend.observer=best"], "backend.observer=best: use one of minmax, mse"),
        (["out="], "out is not given: name the folder"),
        (["out={models}/sound"], "exists already: name another, or remove it"),
        (["out={models}/file/out"], "is no folder that can be written to: name another with out=…"),
        (["settings={models}/file/a.yaml"], "name another with settings=…"),
        (["settings={out}"], "will be there: name a file elsewhere with settings=…"),
        (["out={out}/made", "settings={out}"], "will be there: name a file elsewhere with settings=…"),
        (["calibration.windows=0"], "calibration.windows is 0: give 1 or more"),
        (["calibration.windows=100000000"], "GB needed: set calibration.windows or"),
        (["calibration.tokens=8192"], "the model reads at most 4096: set calibration.tokens=4096 or lower"),
        (["calibration.tokens=5"], "calibration.tokens is 5: give 64 to 32768"),
        (["calibration.general=1"], "calibration.general is 1.0: give a share from 0 to less than 1"),
        (["calibration.held=0"], "calibration.held is 0.0: give a share between 0 and 1"),
        (["gate.kl=0"], "gate.kl is 0.0: give more than 0"),
        (["gate.perplexity=0.9"], "gate.perplexity is 0.9: give a ratio of 1 or more"),
        (["gate.facts=2"], "gate.facts is 2.0: give a share from 0 to 1"),
        (["gate.windows=0"], "gate.windows is 0: give 1 or more"),
        (["store.root={out}-nothing"], "nothing"),
    ],
)
def test_a_bad_call_is_one_line(
    words: list[str],
    said: str,
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # What these calls stop at comes after, and is the same in every environment.
    monkeypatch.setattr("memfold.quantize.preflight.find_spec", lambda name: name)
    given = [word.format(models=models, out=tmp_path / "out") for word in (*SOUND, *words)]
    assert said in called(given, monkeypatch, capsys)
    assert list(tmp_path.iterdir()) == []


def test_only_vllm_loads_a_checkpoint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "a checkpoint is for engine=vllm: choose it" in called(["engine=rules"], monkeypatch, capsys)


def test_without_the_packages_the_environment_is_named(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("memfold.quantize.preflight.find_spec", lambda name: None if name == "awq" else name)
    given = [word.format(models=models, out=tmp_path / "out") for word in SOUND]
    assert "not installed here (awq): make setup-quantize" in called(given, monkeypatch, capsys)


def test_a_full_disk_is_said_before_work_begins(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("memfold.quantize.preflight.find_spec", lambda name: name)
    monkeypatch.setattr("memfold.quantize.preflight.shutil.disk_usage", lambda _: SimpleNamespace(free=1_000))
    given = [word.format(models=models, out=tmp_path / "out") for word in SOUND]
    assert "for 2 checkpoints: make room" in called(given, monkeypatch, capsys)


def test_the_real_command_line_ends_so(models: Path, tmp_path: Path) -> None:
    done = command("quantize", f"engine.model={models}/sound", f"out={models}/sound", folder=tmp_path)
    assert done.code == 2
    assert done.line.startswith("error: ")


def test_a_folder_without_texts_and_conversations_without_exchanges_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"calibration.text=.*: holds no texts \(.txt, .md, .rst\)"):
        general_text(str(tmp_path))
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "b.json").write_text(json.dumps({}))
    assert general_text(str(tmp_path)) == "one"
    assert len(general_text("")) > 400_000
    with pytest.raises(UserError, match="ask for no extraction: index longer ones"):
        to_answer([], 3, 0)


def test_general_text_of_less_than_a_window_is_refused_before_conversations_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("too short")
    tokens: Any = SimpleNamespace(text=lambda text: list(text.encode()))
    engine = SimpleNamespace(model="made-up")

    def drawn(gate: Gate) -> None:
        calibration = Calibration(windows=4, tokens=64, general=0.0, text=str(tmp_path))
        job: Any = SimpleNamespace(
            engine=engine, location=Location(str(tmp_path)), calibration=calibration, gate=gate
        )
        draw(job, no_store, tokens, [], [], Report())

    no_store: Any = None
    with pytest.raises(
        UserError, match=r"9 tokens, less than one window of 64 .* set gate.general_text=false"
    ):
        drawn(Gate())
    with pytest.raises(UserError, match="the conversations give 0 tokens"):
        drawn(Gate(general_text=False))
