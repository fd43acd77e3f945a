"""Composing: a job's words reach what they name, layers are chosen by name, and no unknown key is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from memfold import UserError
from memfold.build import build, build_group
from memfold.config import load
from memfold.layers.scratchpad.tree import Scratchpad
from memfold.run.job import chosen
from memfold.run.ray import Ray
from support.refused import refused


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
        ("exec=ray", ["exec"]),
        ("store.rot=x", ["rot"]),
        ("+store.rot=x", ["store.rot is unknown", "root", "tenant", "options"]),
        ("+executor.cpus=2", ["executor.cpus is unknown", "workers", "executor=ray has it"]),
        ("engine.budget_usd=1", ["engine.budget_usd is unknown", "engine=openai and engine=vllm have it"]),
        ("layers.keys.rules=true", ["layers.keys is unknown", "layers=[…,keys]"]),
        ("~executor.worker", ["executor.worker is unknown", "workers"]),
        ("model=smollm2-135m", ["engine.model", "add engine=vllm"]),
    ],
)
def test_an_unknown_key_is_one_line_that_says_which(override: str, said: list[str]) -> None:
    line = refused(override)
    for part in said:
        assert part in line


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("store.root=${engin.model}/x", "${engin.model} refers to no key"),
        ("engine._target_=${engin.model}", "${engin.model} refers to no key"),
        ("store.root=${oc.env:NO_SUCH_VARIABLE}", "NO_SUCH_VARIABLE"),
        ("store.root=${env:HOME}", "${oc.env:NAME}"),
        ("store.root=s-${engine}", "${engine} holds several settings: refer to one of them, as ${engine."),
        ("store.root=s-${layers.profile}", "${layers.profile} holds several settings: refer to one of them"),
        (
            "store.root=s-${source.languages}",
            "${source.languages} holds several settings: refer to one of them",
        ),
        ("store.root=s-${hydra:job.num}", "${hydra:…} is known only in a sweep"),
    ],
)
def test_a_reference_to_what_is_no_text_is_one_line_that_says_where(override: str, said: str) -> None:
    line = refused(override)
    assert line.startswith(override.partition("=")[0] + ": ")
    assert said in line


def test_the_yamls_key_of_a_text_that_is_named_as_a_group_is_no_key_of_the_command_line() -> None:
    with pytest.raises(UserError, match=r"model_ is unknown; write model=…"):
        load("results", ["model_=x"])
    assert load("results", ["model=x"]).model_ == "x"


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


def test_a_layer_of_ones_own_is_chosen_beside_the_others(own_layer: Path) -> None:
    words = [f"hydra.searchpath=[file://{own_layer}]", "layers=[scratchpad,toy]", "layers.toy.size=3"]
    config = load("index", words)
    built = build_group(config.layers, "layers")
    assert list(built) == ["scratchpad", "toy"]
    assert built["toy"].size == 3
    assert load("index", [*words, "+layers.toy.more=1"]).layers.toy.more == 1
    with pytest.raises(UserError, match=r"embedder\.nosuch is unknown"):
        load("index", [*words, "+embedder.nosuch=1"])
    with pytest.raises(UserError, match=r"layers\.toy\.siz is unknown"):
        build_group({"toy": {"_target_": "toy_layer_of_my_own.Toy", "siz": 1}}, "layers")


def test_a_class_of_ones_own_that_is_not_there_is_one_line(own_layer: Path) -> None:
    (own_layer / "layers" / "gone.yaml").write_text("# @package layers.gone\n_target_: no_such_module.Gone\n")
    with pytest.raises(UserError, match="PYTHONPATH"):
        load("index", [f"hydra.searchpath=[file://{own_layer}]", "layers=[gone]"])
