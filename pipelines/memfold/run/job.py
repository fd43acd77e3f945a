"""An index job from its composed config (`conf/index.yaml`)."""

from __future__ import annotations

from omegaconf import DictConfig

from memfold.config import build, build_group, describe
from memfold.extract.engines.model import engine
from memfold.run.index import Job, Source


def index_job(config: DictConfig, source: Source | None = None) -> Job:
    """Every choice built and checked; UserError names the first that is wrong, before any work.

    `source` stands in for the configuration's.
    """
    location = build(config.store, "store")
    return Job(
        source=source or build(config.source, "source"),
        location=location,
        engine=engine(build(config.engine, "engine"), location),
        embedder=build(config.embedder, "embedder"),
        executor=build(config.executor, "executor"),
        layers=build_group(config.get("layers", {}), "layers"),  # `layers=[]` composes to no such key
        config=describe(config),
        erased=config.get("erased", "index"),
        replace=config.get("replace", False),
    )
