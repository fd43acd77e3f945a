"""Erase a conversation, or one message of it, from every table and old version.

`python jobs/erase.py store.root=… conversation=… [message=…]`. Prints the receipt as one JSON object.
With `check=true` nothing is erased: the receipt of an erased conversation is checked and printed.
An interrupted erasure is finished by running it again. It may run beside other jobs; where one ran, the receipt says
`complete: false`: old versions may still hold the text, and erasing again when no job runs completes it. Where a
message is erased, the conversation is indexed again without its words, by the engine and the layers that it was indexed
with, or by those given: `engine=… layers=…`.
"""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from memfold.build import build
from memfold.entry import main
from memfold.errors import UserError

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """Erase what `config` names and print the receipt."""
    from memfold.store.erase import check, erase
    from memfold.watch import Report

    if not config.conversation:
        raise UserError("conversation is missing: name the one to erase, conversation=…")
    location = build(config.store, "store")
    with closing(Report(shown=True)) as report:
        if config.check:
            if config.message is not None:
                raise UserError("check=true checks the receipt of a whole conversation: leave message out")
            receipt = check(location, config.conversation)
        elif config.message is None:
            receipt = erase(location, config.conversation, report.say)
        else:
            from memfold.run.amend import erase_message
            from memfold.run.job import chosen, recorded_job

            by = partial(recorded_job, chosen=chosen(config))
            receipt = erase_message(location, config.conversation, config.message, report, by)
    print(json.dumps(asdict(receipt), default=str))


if __name__ == "__main__":
    main("erase", run)
