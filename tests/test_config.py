"""Configs: unknown and impossible words fail before any work, in one line that says which and what is allowed."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memfold import UserError
from memfold.build import build, build_group, describe
from memfold.config import load
from memfold.evaluate.synthetic import Synthetic
from memfold.layers.scratchpad.tree import Scratchpad
from memfold.run.executor import Local
from memfold.run.job import chosen
from memfold.run.ray import Ray
from support.command import command

ROOT = Path(__file__).resolve().parents[1]
GROUPS = ("source", "engine", "embedder", "executor", "store")


def built(*overrides: str) -> None:
    config = load("index", ["source=synthetic", *overrides])
    for name in GROUPS:
        build(config[name], name)
    build(config.layers.scratchpad, "layers.scratchpad")


def refused(*overrides: str) -> str:
    """The one line that says what is wrong with some overrides."""
    with pytest.raises(UserError) as caught:
        built(*overrides)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_the_defaults_build() -> None:
    config = load("index", ["source=synthetic"])
    assert build(config.executor, "executor") == Local()
    assert build(config.layers.scratchpad, "layers.scratchpad") == Scratchpad()
    assert build(config.source, "source") == Synthetic()


@pytest.mark.parametrize("job", ["erase", "retry"])
def test_a_job_that_indexes_again_chooses_nothing_by_itself(job: str) -> None:
    assert chosen(load(job, ["store.root=s"])) == {}
    assert list(chosen(load(job, ["store.root=s", "engine=rules"]))) == ["engine"]
    assert list(chosen(load(job, ["store.root=s", "layers=[keys]"]))) == ["layers"]


def test_overrides_reach_what_they_name() -> None:
    config = load("index", ["source=synthetic", "executor=ray", "executor.workers=3", "executor.cpus=1"])
    assert build(config.executor, "executor") == Ray(workers=3, cpus=1.0)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("executor=sparc", ["sparc", "local", "ray"]),
        ("engine=gpt", ["gpt", "rules"]),
        ("exec=ray", ["exec"]),
        ("store.rot=x", ["rot"]),
        ("+store.rot=x", ["store.rot is unknown", "root", "tenant", "options"]),
        ("+executor.cpus=2", ["executor.cpus is unknown", "workers"]),
        ("store.tenant=../x", ["../x", "1 to 64 of a-z"]),
        ("store.root=''", ["store.root is empty"]),
        ("store.root=pyproject.toml", ["pyproject.toml is a file; name a folder"]),
        ("source=gpt", ["source=gpt: use one of files "]),
        ("layers=[a]", ["layers has no choice 'a' (--help lists them)"]),
        ("source.tokens=many", ["source.tokens: 'many' is not a whole number"]),
        ("source.tokens=12", ["source.tokens=12", "1000"]),
        ("layers.scratchpad.tokens=5", ["tokens must be at least 100"]),
        ("embedder.max_length=100000", ["max_length is 100000", "8 to 512"]),
        ("embedder.threads=-1", ["threads is -1"]),
        ("a=b=c", ["a"]),
        ("=", ["="]),
    ],
)
def test_a_wrong_word_is_one_line_that_says_which(override: str, said: list[str]) -> None:
    line = refused(override)
    for part in said:
        assert part in line


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("workers=-1", "0 (one a core)"),
        ("cpus=0", "more than 0"),
        ("cpus=many", "executor.cpus: 'many' is not a number"),
    ],
)
def test_impossible_workers_are_refused(setting: str, said: str) -> None:
    assert said in refused("executor=ray", f"executor.{setting}")


@pytest.mark.parametrize(
    "target",
    [
        "os.system",
        "builtins.eval",
        "memfold_kernels.x",
        None,
        7,
        "memfold.nothing.Here",
        "memfold.config.load",
        "memfold",
    ],
)
def test_only_configurable_classes_of_memfold_are_built(target: object) -> None:
    with pytest.raises(UserError, match=r"^engine: "):
        build({"_target_": target}, "engine")


def test_a_description_is_the_resolved_config_in_a_fixed_order() -> None:
    one = load("index", ["source=synthetic", "source.seed=4", "executor=ray"])
    other = load("index", ["executor=ray", "source=synthetic", "source.seed=4"])
    assert describe(one) == describe(other)
    described = json.loads(describe(one))
    assert described["source"]["seed"] == 4
    assert list(described) == sorted(described)
    assert build(described["executor"], "executor") == Ray()


def job(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "jobs/index.py", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


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
        done = job(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_hydras_own_flags_are_hydras() -> None:
    done = job("--cfg", "job", "source=synthetic")
    assert done.returncode == 0
    assert "memfold.evaluate.synthetic.Synthetic" in done.stdout


OWN = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Toy:
    size: int = 1
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of yamls with a layer of one's own, whose module can be imported and is not yet."""
    (tmp_path / "toy_layer_of_my_own.py").write_text(OWN)
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "toy.yaml").write_text(
        "# @package layers.toy\n_target_: toy_layer_of_my_own.Toy\nsize: 2\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("toy_layer_of_my_own", None)


def test_layers_are_chosen_by_name() -> None:
    names = [
        list(load("index", ["source=synthetic", *words]).layers)
        for words in ([], ["layers=[scratchpad]"], ["layers=[episodic]"], ["layers=scratchpad"])
    ]
    every = ["episodic", "scratchpad", "subjects", "orders", "passages", "timeline", "state", "profile"]
    every += ["beliefs"]
    assert names == [every, ["scratchpad"], ["episodic"], ["scratchpad"]]
    config = load(
        "index", ["layers=[scratchpad]", "layers.scratchpad.tokens=300", "layers.scratchpad.full=1200"]
    )
    assert build_group(config.layers, "layers") == {"scratchpad": Scratchpad(300, 1200)}


def test_a_layer_of_ones_own_is_chosen_beside_the_others(own: Path) -> None:
    words = [f"hydra.searchpath=[file://{own}]", "layers=[scratchpad,toy]", "layers.toy.size=3"]
    config = load("index", words)
    built = build_group(config.layers, "layers")
    assert list(built) == ["scratchpad", "toy"]
    assert built["toy"].size == 3
    with pytest.raises(UserError, match=r"layers\.toy\.siz is unknown"):
        build_group({"toy": {"_target_": "toy_layer_of_my_own.Toy", "siz": 1}}, "layers")


def test_the_real_command_line_chooses_it_too(own: Path) -> None:
    words = [f"hydra.searchpath=[file://{own}]", "layers=[scratchpad,toy]", "--cfg", "job"]
    done = command("index", *words, PYTHONPATH=f"{own}:{':'.join(sys.path)}")
    assert done.code == 0, done.err
    assert "toy_layer_of_my_own.Toy" in done.out


def test_a_config_from_a_store_imports_nothing_but_memfold(own: Path) -> None:
    node = {"_target_": "toy_layer_of_my_own.Toy"}
    with pytest.raises(UserError, match="or of a module that is imported before"):
        build(node, "layers.toy")
    assert "toy_layer_of_my_own" not in sys.modules
    importlib.import_module("toy_layer_of_my_own")
    assert build(node, "layers.toy").size == 1


def test_a_class_of_ones_own_that_is_not_there_is_one_line(own: Path) -> None:
    (own / "layers" / "gone.yaml").write_text("# @package layers.gone\n_target_: no_such_module.Gone\n")
    with pytest.raises(UserError, match="PYTHONPATH"):
        load("index", [f"hydra.searchpath=[file://{own}]", "layers=[gone]"])


@pytest.mark.parametrize("nodes", [None, "scratchpad", ["scratchpad"]])
def test_a_group_that_is_no_map_is_one_line(nodes: object) -> None:
    with pytest.raises(UserError, match="is no list of choices"):
        build_group(nodes, "layers")  # type: ignore[arg-type]


def test_a_path_that_is_no_unicode_is_recorded_as_it_is() -> None:
    said = describe(load("index", ["source=synthetic", "engine=recorded", "engine.path=/a/\udcff 对话"]))
    assert "对话" in said.encode().decode()
    assert json.loads(said)["engine"]["path"] == "/a/\udcff 对话"


def test_a_layer_of_ones_own_without_its_package_is_told_which(own: Path) -> None:
    (own / "layers" / "bare.yaml").write_text("_target_: memfold.layers.keys.Keys\n")
    config = load("index", ["source=synthetic", f"hydra.searchpath=[file://{own}]", "layers=[episodic,bare]"])
    with pytest.raises(UserError, match=r"begin its yaml with the line '# @package layers\.<its name>'"):
        build_group(config.layers, "layers")


@pytest.mark.parametrize("word", ["question=???", "conversation=???"])
def test_what_would_be_taken_for_nothing_given_is_one_line(word: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "jobs" / "ask.py"), "store.root=nowhere", word],
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {word[:-4]}='???': three question marks alone")


def test_an_id_that_is_no_unicode_is_one_line() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "jobs" / "erase.py"), b"conversation=\xff"],
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error: conversation='\\udcff' is no Unicode text")
    assert done.stderr.count(b"\n") == 1
