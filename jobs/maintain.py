"""Keep a store small and quick: `python jobs/maintain.py store.root=… [keep=1] [unsealed_days=7] [verify=true]`.

Collects rows that no readable snapshot names, merges small files and lets old versions go; prints one JSON object. Safe
beside jobs and readers: while a job runs nothing is collected, and `running` says so. With `verify=true` every row of
the newest snapshot is read and hashed first, and nothing is touched where it is not what was sealed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from memfold.config import build, main
from memfold.errors import UserError

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """Compact, collect and, where `config` says so, verify the store; print what was done."""
    import memfold
    from memfold.store.maintain import maintain

    location = build(config.store, "store")
    if not isinstance(config.keep, int) or not isinstance(config.unsealed_days, int | float):
        raise UserError(f"keep={config.keep}, unsealed_days={config.unsealed_days}: use numbers")
    told: dict[str, object] = {}
    if config.verify:
        told["verified"] = memfold.open(location.root, location.tenant, options=location.options).verify()
    print(json.dumps(asdict(maintain(location, keep=config.keep, unsealed_days=config.unsealed_days)) | told))


if __name__ == "__main__":
    main("maintain", run)
