"""Ingest a data lake with Spark: `python jobs/ingest_spark.py source.path=… store.root=…`; see `--help`.

Or `spark-submit … jobs/ingest_spark.py source.path=…`. `jobs/index.py source=table store.root=…` then indexes what was
read. Prints one JSON object on its last line; progress goes to stderr.
"""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

from memfold.build import build
from memfold.entry import main

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """Ingest the source and print the job's counts."""
    from memfold.run.ingest import Ingest, ingest
    from memfold.watch import Report

    job = Ingest(
        source=build(config.source, "source"),
        location=build(config.store, "store"),
        session=build(config.spark, "spark"),
        erased=config.erased,
    )
    with closing(Report(shown=True)) as report:
        done = ingest(job, report)
    print(json.dumps(done))


if __name__ == "__main__":
    main("ingest_spark", run)
