"""Erase a conversation from every table and old version: `python jobs/erase.py store.root=… conversation=…`.

Prints the receipt as one JSON object. Safe beside running jobs. An interrupted erasure is
finished by running it again.
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
    from memfold.store.erase import erase

    if not config.conversation:
        raise UserError("conversation is missing: name the one to erase, conversation=…")
    location = build(config.store, "store")
    receipt = erase(location, config.conversation)
    print(json.dumps(asdict(receipt), default=str))


if __name__ == "__main__":
    main("erase", run)
