"""What memfold asks a model about the conversations of a store, and what the model wrote then.

Three stages: extraction (every exchange), sealing (the notes of a conversation), answer (the user's own questions,
asked again over the context that is found for them). Where the store keeps a generation of the engine for the very
request, it comes with it. Knows no tokenizer and nothing of weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memfold.api import Store
from memfold.context.readers.model import prompted
from memfold.context.tongue import named
from memfold.digest import digest
from memfold.evaluate.conversations import asked_about
from memfold.layers.scratchpad.items import Overfull, size
from memfold.layers.scratchpad.sealing import Sealing, request
from memfold.layers.scratchpad.tree import Scratchpad
from memfold.llm.asker import Asker
from memfold.llm.generator import Generation, Generator, Prompt
from memfold.llm.results import Results
from memfold.schema import StoredMessage, Window
from memfold.text.language import language
from memfold.text.sentences import sentences

# Requests of one stage and conversation to choose from: a long conversation has thousands.
AT_HAND = 64
# A question shorter than this is "Right?" or "ok?", and finds nothing.
A_QUESTION = 20
# A context of this many tokens leaves room for instructions, question and answer in a window of 2,048.
CONTEXT = 1_000


@dataclass(frozen=True)
class Request:
    """One request, the stage and the language it is of, what it is about (the windows of an extraction), and what the
    engine wrote for it, where that is kept."""

    stage: str
    language: str
    conversation_id: str
    prompt: Prompt
    windows: tuple[Window, ...] = ()
    written: Generation | None = None


def requests(
    store: Store, conversation_id: str, engine: Generator, results: Results | None, seed: int
) -> list[Request]:
    """Up to `AT_HAND` requests of each stage about a conversation, drawn by `seed`; `results` are the generations that
    are kept."""
    messages = list(store.messages(conversation_id))
    found = [
        *_some(_extractions(conversation_id, messages, engine), seed),
        *_some(_sealings(conversation_id, store, engine), seed),
        *_answers(conversation_id, store, messages, seed),
    ]
    keys = [engine.key(one.prompt) for one in found]
    kept: Mapping[str, Generation] = results.find(keys) if results else {}
    return [replace(one, written=kept.get(key)) for one, key in zip(found, keys, strict=True)]


def _some(found: Iterator[Request], seed: int) -> list[Request]:
    return sorted(found, key=lambda one: digest(seed, one.prompt.messages))[:AT_HAND]


def _extractions(
    conversation_id: str, messages: Sequence[StoredMessage], engine: Generator
) -> Iterator[Request]:
    for group, prompt in asked_about(messages, engine):
        yield Request("extraction", group[0].language, conversation_id, prompt, group)


def _sealings(conversation_id: str, store: Store, engine: Generator) -> Iterator[Request]:
    """Requests to make the scratchpad's notes half as long."""
    items = store.scratchpad(conversation_id)
    if not items:
        return
    sealing = Sealing(Asker(engine), Scratchpad().full)
    node = Overfull(conversation_id, items[0].exchange_id, items, max(1, size(items) // 2))
    for listing in sealing.listings(node):
        said = " ".join(item.text for item in listing.items)
        yield Request("sealing", language(said), conversation_id, request(listing, task=sealing.task))


def _answers(
    conversation_id: str, store: Store, messages: Sequence[StoredMessage], seed: int
) -> Iterator[Request]:
    said = (message for message in messages if message.current and message.role == "user")
    # Each once; a text that is asked again and again would be drawn as often.
    asked = dict.fromkeys(one for message in said for one in _questions(message.content))
    for question in sorted(asked, key=lambda one: digest(seed, one))[:AT_HAND]:
        context = store.context(conversation_id, question, CONTEXT)
        if context.parts:
            prompt = prompted(question, context.text, named(question, context), labels=context.labels)
            yield Request("answer", language(question), conversation_id, prompt)


def _questions(text: str) -> Iterator[str]:
    for sentence in sentences(text):
        whole = sentence.strip()
        if whole.endswith(("?", "？", "؟")) and len(whole.encode()) >= A_QUESTION:
            yield whole
