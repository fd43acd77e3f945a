"""Keep a store small and quick: `python jobs/maintain.py store.root=… [keep=1] [unsealed_days=7] [verify=true]`.

Collects rows that no readable snapshot names, merges small files and lets old versions go; prints one JSON object,
progress goes to stderr. Safe beside jobs and readers: while a job runs nothing is collected, and `running` says so.
With `verify=true` every row of the newest snapshot is read and hashed first, and every other table read; nothing is
touched where a file is damaged or a row is not what was sealed.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from memfold.build import build
from memfold.entry import main
from memfold.errors import UserError

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """Compact, collect and, where `config` says so, verify the store; print what was done."""
    from memfold.api import Store
    from memfold.store.maintain import maintain
    from memfold.store.verify import readable
    from memfold.watch import Report

    location = build(config.store, "store")
    if not isinstance(config.keep, int):
        raise UserError(f"keep={config.keep}: give a whole number of snapshots, 0 for all")
    told: dict[str, object] = {}
    with closing(Report(shown=True)) as report:
        if config.verify:
            readable(location)
            store = Store.open(location)
            report.stage("verifying", store.snapshot.conversations, "conversations")
            told["verified"] = store.verify(report.advance)
        done = maintain(location, keep=config.keep, unsealed_days=config.unsealed_days, report=report)
    print(json.dumps(asdict(done) | told))


if __name__ == "__main__":
    main("maintain", run)
