"""List what a store holds: `python jobs/list.py store.root=… [what=conversations|letters|snapshots]`.

Prints a JSON line for each conversation (title, sizes, times), for each reason of dead letters (how many, with an
example), or for each snapshot.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memfold.config import build, main
from memfold.lean import leaving

if TYPE_CHECKING:
    from omegaconf import DictConfig


@leaving
def run(config: DictConfig) -> None:
    """Print the conversations, dead letters or snapshots of the store."""
    from memfold.run.listing import listed

    for row in listed(build(config.store, "store"), config.what):
        print(json.dumps(row, ensure_ascii=False, default=str))


if __name__ == "__main__":
    main("list", run)
