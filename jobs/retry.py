"""Try again what an engine failed at: `python jobs/retry.py store.root=… [engine=…] [executor=…]`.

Takes exchanges the rules stood in for and those in the dead letters, from the store itself, and asks for them
alone, each conversation's by the engine and the layers that it was indexed with. Another `engine=…` writes anew the
conversations of which something failed. Run it while nothing else writes the tenant's store. Prints a JSON object for
each choice of engine, embedder and layers that they were indexed with, most often one.
"""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

from memfold.build import build
from memfold.entry import main
from memfold.errors import UserError

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """Ask the engine again for what it failed at and print the counts."""
    from memfold.run.job import chosen, recorded_job
    from memfold.run.retry import by_settings, retry
    from memfold.run.stored import Stored
    from memfold.watch import Report

    location, executor = build(config.store, "store"), build(config.executor, "executor")
    before = by_settings(location)
    stopped: UserError | None = None
    for recorded, those in before.items():
        try:
            with closing(Report(shown=True)) as report:
                job = recorded_job(
                    location, recorded, Stored(location), chosen=chosen(config), executor=executor
                )
                print(json.dumps(retry(job, report, those)), flush=True)
        except UserError as error:
            # What was indexed by another engine can still be tried.
            stopped = stopped or error
    if stopped is not None:
        raise stopped
    if not before:
        print(json.dumps({"retried": 0, "failed": 0}))


if __name__ == "__main__":
    main("retry", run)
