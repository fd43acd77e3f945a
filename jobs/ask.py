"""Ask questions of a conversation: `python jobs/ask.py store.root=… conversation=… [question="…"]`; see `--help`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memfold.config import main
from memfold.errors import UserError
from memfold.lean import without_pandas

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """Answer the question that `config` names, or each line of stdin, and print the answers."""
    without_pandas()
    from memfold.context.types import readable
    from memfold.serve.newest import Reading
    from memfold.serve.wire import Refused, parse, probe
    from memfold.text import tokens

    if not config.conversation:
        raise UserError('conversation is missing: give conversation="…"')
    # A quarter of the way to the first answer: the vocabulary is read while the store is opened and a model loaded.
    threading.Thread(target=tokens.count, args=("",), daemon=True).start()
    reading = Reading.of(config)
    asked, refused = 0, 0
    try:
        store = reading.open()
        for question in questions(config.question):
            try:
                asking = {name: config[name] for name in ("budget", "k", "now", "speaker")}
                request = parse({"question": question, **asking})
                answered = probe(store, config.conversation, request)
            except Refused as error:
                # Of many questions, one that cannot be asked stops none of the others.
                if config.question is not None or error.status == 404:
                    raise UserError(error.message) from None
                print(f"error: {error.message}", file=sys.stderr)
                refused += 1
            else:
                said = readable(answered.answer, answered.citations)
                shown = answered.model_dump_json(exclude_unset=True) if config.json else said
                print(shown if config.json or not asked else f"\n{shown}", flush=True)
            asked += 1
    finally:
        reading.close()
    if not asked:
        raise UserError('question is missing: give question="…", or questions on stdin, one a line')
    if refused:
        raise UserError(f"{refused} of {asked} questions were not answered")


def questions(given: str | None) -> Iterator[str]:
    """The one that is given, or those on stdin, one a line; at a terminal they are asked for until an empty one."""
    if given is not None:
        if not given:
            raise UserError('question is empty: give question="…"')
        yield given
        return
    typed = sys.stdin.isatty()
    while True:
        if typed:
            print("question> ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line or (typed and not line.strip()):
            return
        if line.strip():
            yield line.strip()


if __name__ == "__main__":
    main("ask", run)
