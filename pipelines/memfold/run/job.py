"""An index job: what it is made of, from its composed config (`conf/index.yaml`) or from one that was recorded with
conversations."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from memfold.build import build, build_group, describe
from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.extract.contract import Engine
from memfold.extract.engines.model import engine
from memfold.ingest.source import Files
from memfold.layers.layer import Configured, embedder_of, layers_of
from memfold.run.executor import Executor, Local
from memfold.run.forgotten import check_erased
from memfold.run.stored import Stored
from memfold.schema import Item
from memfold.store.location import Location

if TYPE_CHECKING:
    from omegaconf import DictConfig


class Source(Protocol):
    """Where conversations come from."""

    def messages(self) -> Iterator[Item]:
        """Everything the source holds, in its order. It is read once."""
        ...


@dataclass(frozen=True)
class Job:
    """Everything an index job is made of. `config` is what is recorded of its configuration (`recorded`).

    `again` names extractions to attempt once more. `erased` says what to do with conversations and messages of the
    source that were erased: "index" takes them in again and says so, "skip" leaves them out. With `replace`, a
    conversation of the source replaces the stored one, except for memories that programs filed; without it, stored
    messages that the source does not hold stay. With `files` the source is memories: the record keeps the digest of the
    source that the conversation was read from, so that indexing that source again takes little more than hashing it.
    Such a job begins a conversation only if it `begins` them.
    """

    source: Source
    location: Location
    engine: Engine
    embedder: Embedder
    executor: Executor
    layers: Mapping[str, Configured]
    config: str = "{}"
    again: frozenset[str] = frozenset()
    erased: str = "index"
    replace: bool = False
    files: bool = False
    begins: bool = True

    @property
    def brings_back(self) -> bool:
        """Whether the source may hold what was erased. Memories and what the store itself holds do not."""
        return not (self.files or isinstance(self.source, Stored))

    @property
    def joined(self) -> bool:
        """Whether the source joins conversations (`memfold.ingest.joined`)."""
        return isinstance(self.source, Files) and self.source.into is not None

    def __post_init__(self) -> None:
        check_erased(self.erased)


# What makes the job over a source by a recorded configuration: `recorded_job`, or one with other choices.
By = Callable[[Location, str, Source], Job]
# What the rows of a conversation depend on besides its messages: the groups that a recorded configuration decides.
SETTINGS = ("engine", "embedder", "layers")


def index_job(config: DictConfig) -> Job:
    """Every choice built and checked; UserError names the first that is wrong, before any work."""
    location = build(config.store, "store")
    return Job(
        source=build(config.source, "source"),
        location=location,
        engine=engine(build(config.engine, "engine"), location),
        embedder=build(config.embedder, "embedder"),
        executor=build(config.executor, "executor"),
        layers=build_group(config.get("layers", {}), "layers"),  # `layers=[]` composes to no such key
        config=recorded(config),
        erased=config.get("erased", "index"),
        replace=config.get("replace", False),
    )


def recorded(config: DictConfig | Mapping[str, Any]) -> str:
    """What is recorded of a configuration with a snapshot: how memories are made, and not of what. The settings of a
    source may hold a conversation's id (its file's name, `into`), and no erasure would find it there."""
    return describe({name: node for name, node in _plain(config).items() if name != "source"})


def recorded_job(
    location: Location,
    config: str,
    source: Source,
    *,
    chosen: Mapping[str, Any] | None = None,
    executor: Executor | None = None,
) -> Job:
    """The job that was recorded as `config`, over another source: it makes anew only what depends on what changed.

    `chosen` are configs of `SETTINGS` that take the place of the recorded ones, None where nobody can choose. It works
    in this process unless an `executor` is given. UserError where the engine or a layer cannot be had here.
    """
    settings: dict[str, Any] = json.loads(config) | dict(chosen or {})
    config = recorded(settings)
    picked = chosen or {}
    with _as_indexed("layers" in picked, "from a shell, give the erase or retry job layers=[…]"):
        layers = layers_of(config)
    if missing := [name for name in settings["layers"] if name not in layers]:
        raise UserError(
            f"the conversation was indexed with the layers {', '.join(missing)}, which this program cannot make: "
            "import their modules before; from a shell, give the erase or retry job layers=[…], with their yamls, or "
            "without them, which takes them out of the conversation"
        )
    other = "" if chosen is None else ", or choose another engine=…"
    with _as_indexed("engine" in picked, f"mend that{other}"):
        made = engine(build(settings["engine"], "engine"), location)
    return Job(
        source=source,
        location=location,
        engine=made,
        embedder=embedder_of(config),
        executor=executor or Local(),
        layers=layers,
        config=config,
    )


def chosen(config: DictConfig) -> dict[str, Any]:
    """Which of `SETTINGS` a command line chose, as plain configs."""
    plain = _plain(config)
    return {name: plain[name] for name in SETTINGS if name in plain}


def _plain(config: DictConfig | Mapping[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(describe(config))
    return plain


@contextmanager
def _as_indexed(chosen: bool, cure: str) -> Iterator[None]:
    """Errors about settings that were recorded, and not `chosen` now, say so and name the cure."""
    try:
        yield
    except UserError as error:
        if chosen:
            raise
        raise UserError(f"{error}; the conversation was indexed so: {cure}") from None
