"""List what a store holds: `python jobs/list.py store.root=… [what=conversations|letters|snapshots]`.

Prints a JSON line for each conversation (title, sizes, times), for each reason of dead letters (how many, with an
example), or for each snapshot. Letters stay when their file was corrected: `seen_at` is when the job began that met
them last, so those of corrected files are older than the last job that read the file. Letters of messages that were
left out of a conversation are met again only when the conversation has changed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memfold.build import build
from memfold.entry import main
from memfold.lean import leaving
from memfold.streams import lost

if TYPE_CHECKING:
    from omegaconf import DictConfig


@leaving
def run(config: DictConfig) -> None:
    """Print the conversations, dead letters or snapshots of the store."""
    from memfold.run.listing import listed

    for row in listed(build(config.store, "store"), config.what):
        print(json.dumps(row, ensure_ascii=False, default=str))
        if lost() is not None:  # who reads the lines has read enough
            break


if __name__ == "__main__":
    main("list", run)
