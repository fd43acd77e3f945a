"""Try again what an engine failed at: `python jobs/retry.py store.root=… engine=… [embedder=…] [executor=…]`.

Takes exchanges the rules stood in for and those in the dead letters, from the store itself, and asks for them
alone. Give the engine the settings it had: with others, use jobs/index.py. Run it while nothing else writes the
tenant's store. Prints one JSON object.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memfold.config import build, main

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """Ask the engine again for what it failed at and print the counts."""
    from memfold.run.job import index_job
    from memfold.run.retry import Stored, retry
    from memfold.run.watch import Report

    nothing = Stored(build(config.store, "store"))
    report = Report(shown=True)
    try:
        print(json.dumps(retry(index_job(config, nothing), report)))
    finally:
        report.close()


if __name__ == "__main__":
    main("retry", run)
