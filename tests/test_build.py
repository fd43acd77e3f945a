"""Objects from configs: only of memfold's classes and imported ones, every field checked before any work."""

from __future__ import annotations

import importlib
import json
import sys
import threading
from pathlib import Path
from types import ModuleType

import pytest

from memfold import UserError
from memfold.build import build, build_group, describe
from memfold.config import load
from memfold.evaluate.synthetic import Synthetic
from memfold.layers.scratchpad.tree import Scratchpad
from memfold.run.executor import Local
from memfold.run.ray import Ray
from support.refused import refused


def test_the_defaults_build() -> None:
    config = load("index", ["source=synthetic"])
    assert build(config.executor, "executor") == Local()
    assert build(config.layers.scratchpad, "layers.scratchpad") == Scratchpad()
    assert build(config.source, "source") == Synthetic()


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("store.tenant=../x", ["../x", "1 to 64 of a-z"]),
        ("store.root=''", ["store.root is empty"]),
        ("store.root=pyproject.toml", ["pyproject.toml is a file; name a folder"]),
        ("source.tokens=12", ["source.tokens=12", "1000"]),
        ("layers.scratchpad.tokens=5", ["tokens must be at least 100"]),
        ("embedder.max_length=100000", ["max_length is 100000", "8 to 512"]),
        ("embedder.threads=-1", ["threads is -1"]),
    ],
)
def test_an_impossible_value_is_one_line_that_says_which(override: str, said: list[str]) -> None:
    line = refused(override)
    for part in said:
        assert part in line


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("workers=-1", "0 (one a core)"),
        ("cpus=0", "more than 0"),
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


def test_a_path_that_is_no_unicode_is_recorded_as_it_is() -> None:
    said = describe(load("index", ["source=synthetic", "engine=recorded", "engine.path=/a/\udcff 对话"]))
    assert "对话" in said.encode().decode()
    assert json.loads(said)["engine"]["path"] == "/a/\udcff 对话"


def test_a_config_from_a_store_imports_nothing_but_memfold(own_layer: Path) -> None:
    node = {"_target_": "toy_layer_of_my_own.Toy"}
    with pytest.raises(UserError, match="or of a module that is imported before"):
        build(node, "layers.toy")
    assert "toy_layer_of_my_own" not in sys.modules
    importlib.import_module("toy_layer_of_my_own")
    assert build(node, "layers.toy").size == 1


def test_a_class_whose_module_another_thread_imports_is_waited_for(
    own_layer: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, asked = threading.Event(), threading.Event()
    monkeypatch.setitem(sys.modules, "moments", ModuleType("moments"))
    vars(sys.modules["moments"]).update(begun=begun, asked=asked)
    file = own_layer / "toy_layer_of_my_own.py"
    file.write_text(f"import moments\nmoments.begun.set()\nmoments.asked.wait()\n{file.read_text()}")
    importing = threading.Thread(target=importlib.import_module, args=("toy_layer_of_my_own",))
    importing.start()
    begun.wait()
    import_module = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", lambda name: asked.set() or import_module(name))
    try:
        assert build({"_target_": "toy_layer_of_my_own.Toy"}, "layers.toy").size == 1
    finally:
        asked.set()
        importing.join()


@pytest.mark.parametrize("nodes", [None, "scratchpad", ["scratchpad"]])
def test_a_group_that_is_no_map_is_one_line(nodes: object) -> None:
    with pytest.raises(UserError, match="is no list of choices"):
        build_group(nodes, "layers")  # type: ignore[arg-type]


def test_a_layer_of_ones_own_without_its_package_is_told_which(own_layer: Path) -> None:
    (own_layer / "layers" / "bare.yaml").write_text("_target_: memfold.layers.keys.Keys\n")
    config = load(
        "index", ["source=synthetic", f"hydra.searchpath=[file://{own_layer}]", "layers=[episodic,bare]"]
    )
    with pytest.raises(UserError, match=r"begin its yaml with the line '# @package layers\.<its name>'"):
        build_group(config.layers, "layers")
