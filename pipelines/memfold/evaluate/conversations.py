"""A conversation as the index job stores it, and what extraction asks a model about it, for benchmarks that run no
job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from memfold.extract import prompts
from memfold.extract.nothing import holds_nothing
from memfold.extract.together import together
from memfold.extract.windows import windows
from memfold.ingest.read import read
from memfold.llm.generator import Generator, Prompt
from memfold.run.plan import place
from memfold.run.reconcile import identify
from memfold.run.work import stored
from memfold.schema import SPAN, DeadLetter, Message, StoredMessage, Window


def conversation(path: Path) -> list[StoredMessage]:
    """The conversation in a folder of BEAM or a file of LoCoMo."""
    form = "beam" if path.is_dir() else "locomo"
    return as_stored(m for m in read(path, form) if isinstance(m, Message))


def as_stored(messages: Iterable[Message]) -> list[StoredMessage]:
    """The messages of one conversation as they are stored. One that would be a dead letter ends the benchmark."""
    return [stored(item) for item in place(identify(messages, _refuse))]


def asked_about(
    messages: Sequence[StoredMessage], settings: Generator
) -> Iterator[tuple[tuple[Window, ...], Prompt]]:
    """The first requests about a conversation, in order, each with the exchanges it is about."""
    seen = windows(
        messages, (), history_tokens=settings.history_tokens, assistant_tokens=settings.assistant_tokens
    )
    for _, segment in groupby(seen, key=lambda window: window.exchange_id // SPAN):
        yield from first_asked(segment, settings)


def first_asked(call: Iterable[Window], settings: Generator) -> Iterator[tuple[tuple[Window, ...], Prompt]]:
    """The first requests of one call of the engine, in order, each with the exchanges it is about."""
    telling = [window for window in call if not holds_nothing(window)]
    for group in together(telling, settings.together):
        yield group, prompts.request(group)


def _refuse(letter: DeadLetter) -> None:
    raise SystemExit(f"{letter.place}: {letter.reason}")
