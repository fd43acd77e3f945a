"""Erase a conversation from every table and old version: `python jobs/erase.py store.root=… conversation=…`.

Prints the receipt as one JSON object. The id is taken as it stands, whatever characters it holds. Run it while nothing
else writes the tenant's store. An interrupted erasure is finished by running it again.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial

from omegaconf import DictConfig

import memfold
from memfold.config import build, main, verbatim
from memfold.errors import UserError
from memfold.store.erase import erase


def run(config: DictConfig, words: dict[str, str]) -> None:
    if not words.get("conversation"):
        raise UserError("conversation is missing: name the one to erase, conversation=…")
    location = build(config.store, "store")
    tables = memfold.open(location.root, location.tenant, options=location.options).tables
    receipt = erase(location, tables.all, words["conversation"])
    print(json.dumps(asdict(receipt), default=str))


if __name__ == "__main__":
    main("erase", partial(run, words=verbatim("conversation")))
