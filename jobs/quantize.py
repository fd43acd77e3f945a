"""Make a checkpoint of 4 bits: `python jobs/quantize.py store.root=… engine.weights=FOLDER out=…`; see `--help`.

Runs in an environment of its own (`make setup-quantize`: .venv-quantize/bin/python). Prints one JSON object on its last
line; progress goes to stderr.
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
    """Make and judge the checkpoint and print what came of it."""
    from memfold.quantize.job import Quantize, quantize
    from memfold.watch import Report

    job = Quantize(
        engine=build(config.engine, "engine"),
        location=build(config.store, "store"),
        backend=build(config.backend, "backend"),
        calibration=build(config.calibration, "calibration"),
        gate=build(config.gate, "gate"),
        out=config.out or "",
        settings=config.settings or "",
    )
    with closing(Report(shown=True)) as report:
        done = quantize(job, report)
    print(json.dumps(done))


if __name__ == "__main__":
    main("quantize", run)
