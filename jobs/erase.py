"""Erase a conversation, or one message of it, from every table and old version.

`python jobs/erase.py store.root=… conversation=… [message=… engine=… layers=…]`. Prints the receipt as one JSON object.
The ids are taken as they stand, whatever characters they hold. An interrupted erasure is finished by running it again.
It may run beside other jobs; where one ran, the receipt says `complete: false`, and erasing again when none runs
completes it. Where a message is erased, the conversation is indexed again without its words: give the engine and the
layers the settings they had.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial

from omegaconf import DictConfig

from memfold.config import build, main, verbatim
from memfold.errors import UserError
from memfold.run.amend import erase_message
from memfold.run.job import index_job
from memfold.run.retry import Stored
from memfold.run.watch import Report
from memfold.store.erase import erase


def run(config: DictConfig, words: dict[str, str]) -> None:
    conversation, message = words.get("conversation"), words.get("message")
    if not conversation:
        raise UserError("conversation is missing: name the one to erase, conversation=…")
    location = build(config.store, "store")
    if message is None:
        receipt = erase(location, conversation)
    else:
        report = Report()
        try:
            receipt = erase_message(index_job(config, Stored(location)), conversation, message, report)
        finally:
            report.close()
    print(json.dumps(asdict(receipt), default=str))


if __name__ == "__main__":
    main("erase", partial(run, words=verbatim("conversation", "message")))
