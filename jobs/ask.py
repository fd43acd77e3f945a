"""Ask questions of a conversation: `python jobs/ask.py store.root=… conversation=… [question="…"]`; see `--help`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from memfold.entry import main
from memfold.errors import UserError
from memfold.lean import leaving, without_collecting, without_pandas
from memfold.serve.limits import within
from memfold.streams import lost

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from memfold.api import Store


@leaving
def run(config: DictConfig) -> None:
    """Answer the question that `config` names, or each line of stdin, and print the answers."""
    from memfold.embed import minilm

    # Load the embedder that most stores use while the rest is imported.
    loading = [threading.Thread(target=minilm.begin)]
    loading[0].start()
    with without_collecting():
        without_pandas()
        from memfold.serve.newest import Newest, Reading
        from memfold.text import tokens

    if not config.conversation:
        raise UserError('conversation is missing: give conversation="…"')
    # A quarter of the way to the first answer: the vocabulary is read while the store is opened and a model loaded.
    threading.Thread(target=tokens.count, args=("",), daemon=True).start()
    reading = Reading.of(config)
    asked, refused = 0, 0
    try:
        newest = Newest(reading)
        # And the embedder while the conversation is read, or a question typed. The end waits for it.
        loading.append(threading.Thread(target=_load_embedder, args=(newest.store(),)))
        loading[1].start()
        for question in questions(config.question):
            try:
                shown = newest.read(partial(answered, config=config, question=question))
            except _Refused as error:
                # Of many questions, one that cannot be asked stops none of the others.
                if config.question is not None:
                    raise
                print(f"error: {error}", file=sys.stderr)
                refused += 1
            else:
                print(shown if config.json or not asked else f"\n{shown}", flush=True)
            asked += 1
            if lost() is not None:  # who reads the answers has read enough
                break
        for thread in loading:
            thread.join()
    finally:
        reading.close()
    if not asked:
        raise UserError('question is missing: give question="…", or questions on stdin, one a line')
    if refused:
        raise UserError(f"{refused} of {asked} questions were not answered")


def _load_embedder(store: Store) -> None:
    # What is wrong with it the first question says.
    with suppress(UserError):
        store.embedder.encode([""])


class _Refused(UserError):
    """A question that cannot be asked."""


def answered(store: Store, config: DictConfig, question: str) -> str:
    """The answer as it is printed."""
    asking = {name: config[name] for name in ("budget", "k", "now", "speaker")}
    plain = asking["now"] is None and asking["speaker"] is None
    if plain and not config.json and within(question, asking["budget"], asking["k"]):
        # Without the service's models, whose import takes a tenth of the time to the first answer.
        return str(store.ask(config.conversation, question, asking["budget"]))
    from memfold.context.types import readable
    from memfold.serve.wire import Refused, parse, probe

    try:
        found = probe(store, config.conversation, parse({"question": question, **asking}))
    except Refused as error:
        raise (UserError if error.status == 404 else _Refused)(error.message) from None
    return (
        found.model_dump_json(exclude_unset=True) if config.json else readable(found.answer, found.citations)
    )


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
