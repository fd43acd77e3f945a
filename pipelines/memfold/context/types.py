"""The values that a context and an answer are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memfold.embed.contract import Encode
from memfold.retrieve.kinds import Teller, Typed
from memfold.retrieve.query import Query, analyse
from memfold.retrieve.ranking import Hit
from memfold.retrieve.stretch import Stretch
from memfold.retrieve.translated import Translator

if TYPE_CHECKING:
    from memfold.llm.generator import Generator
    from memfold.retrieve.notes import Filter


@dataclass(frozen=True, slots=True)
class Citation:
    """Where something was said. `quote` is the span an answer took from there, verbatim; `day` is when that was, as
    "2024-03-01", empty where it is not known."""

    exchange_id: int
    message_ids: tuple[str, ...]
    quote: str = ""
    day: str = ""


# A tuple is made in a third of the time of a frozen dataclass, and a context is offered 140.
class Piece(NamedTuple):
    """One stretch of a context's text: what it says, who said it, and where it comes from. `day` is the one under which
    it stands on the page, as "2024-03-01", empty where it stands under none. `note` stands behind the
    text; the context adds it, and nobody said it."""

    exchange_id: int
    message_ids: tuple[str, ...]
    role: str
    text: str
    day: str = ""
    note: str = ""


# What stands in an order's note before the text of the order that it replaced.
BEFORE = "before: "


@dataclass(frozen=True, slots=True)
class Filled:
    """A labelled section of a context. `tokens` counts the section with its label and its pieces' labels."""

    label: str
    text: str
    exchange_ids: tuple[int, ...]
    tokens: int
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """`text` is what the reader gets, `tokens` its length in Qwen2.5 tokens, `hits` the search behind it, `usage`
    what a model cost that had a say in it.

    `budget` is the limit in tokens. `left_out` counts the pieces that did not fit, by the label of their section, in
    the order of sections, which is that of their priority. It is a lower bound: a section stops offering after some
    failures. `forgotten` is how many exchanges are archived (`memfold.retrieve.forgetting`). `labels` are the
    labels that the template shows for others. `typed` is the kind of the question where a model told it; None where
    it is in the question's words. `stretch` is the time of which the question asks for everything, or None.
    `speakers` are the names of the users. `worked` are the shown exchanges in which tools were used.

    In `text` a piece begins with its exchange's number in brackets; `cite` says which messages that is.
    """

    text: str
    tokens: int
    parts: tuple[Filled, ...]
    hits: tuple[Hit, ...]
    usage: Mapping[str, float] = field(default_factory=dict)
    budget: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    forgotten: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)
    typed: Typed | None = None
    stretch: Stretch | None = None
    speakers: frozenset[str] = frozenset()
    worked: frozenset[int] = frozenset()

    @property
    def agent(self) -> bool:
        """Whether a tool was used in any exchange that is shown."""
        return bool(self.worked)

    @property
    def pieces(self) -> Iterator[Piece]:
        """All pieces, section after section."""
        return (piece for part in self.parts for piece in part.pieces)

    def query(self, question: str) -> Query:
        """What this context's question asks for; its kind is the one that a model told, if one did."""
        read = analyse(question)
        read = read if self.typed is None else replace(read, typed=self.typed)
        return read if self.stretch is None else read.throughout(self.stretch)

    def cite(self, exchange_id: int) -> Citation:
        """The messages behind an exchange number that stands in the text; KeyError if it does not."""
        pieces = [piece for piece in self.pieces if piece.exchange_id == exchange_id]
        if not pieces:
            raise KeyError(f"no exchange {exchange_id} in this context")
        return Citation(exchange_id, tuple(dict.fromkeys(each for p in pieces for each in p.message_ids)))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` answers the probe and `citations` say on what it rests: none means that the evidence is not there. In
    `text` a day in brackets behind a word of a quote ("yesterday [2024-03-04]") is no part of the quote.

    `usage` is what it cost, by name: `context_tokens`; of the quoting reader `support`, the worth of its best quote;
    where a model was asked, its `requests`, `prompt_tokens`, `cached_tokens` and `completion_tokens`, and 1 under
    `untyped`, `untranslated`, `unfiltered`, `unsupported` or `fallback` where the kind it told, its translation of the
    question, its choice of notes, its citations or its answer was of no use. Of the last two `problem` says why, in one
    line: what the endpoint said, which may quote the conversation, or what was wrong with what the model wrote.
    """

    text: str
    citations: tuple[Citation, ...]
    context: Context = field(repr=False)
    usage: Mapping[str, float] = field(default_factory=dict)
    problem: str = ""

    def __str__(self) -> str:
        return readable(self.text, self.citations)


def readable(answer: str, citations: Iterable[Citation]) -> str:
    """An answer, and below it the day and the messages that each number in brackets stands for."""
    days, ids = dict[int, str](), dict[int, dict[str, None]]()
    for cited in citations:
        days[cited.exchange_id] = cited.day
        ids.setdefault(cited.exchange_id, {}).update(dict.fromkeys(cited.message_ids))
    lines = [
        f"[{exchange}] {f'{days[exchange]}, ' if days[exchange] else ''}messages {', '.join(of)}"
        for exchange, of in ids.items()
    ]
    return "\n".join([answer, *([""] if lines else []), *lines])


def added(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """Two usages as one."""
    return {name: one.get(name, 0.0) + other.get(name, 0.0) for name in {**one, **other}}


class Reader(Protocol):
    """Turns a context into an answer, from the context alone; from any thread, and it may wait for a model. `encode`
    is the store's embedder."""

    def read(self, question: str, context: Context, encode: Encode) -> Answer:
        """The answer to `question`; without citations if the context does not hold it."""
        ...

    def compared(self, said: Iterable[str], speakers: Collection[str] = ()) -> Iterator[str]:
        """What `read` would embed of some messages, so that it can be embedded before anybody asks; nothing where it
        compares nothing by itself."""
        ...

    def close(self) -> None:
        """Let go of what is open; the next question opens it again."""
        ...


class Equipped(NamedTuple):
    """A reader and the other parts that ask its model: `filter` chooses the notes it reads, `translator` says a
    question in the conversation's language, `teller` tells its kind. They wait for the model `seconds` at most, all
    together."""

    reader: Reader
    filter: Filter | None = None
    translator: Translator | None = None
    teller: Teller | None = None
    seconds: float = 0.0


class ReaderSettings(Protocol):
    """A reader as its yaml in `conf/reader/` builds it: settings, to be equipped before it reads."""

    def equip(self, generator: Generator | None) -> Equipped:
        """The reader. `generator` is the configured engine's model, None if it has none. UserError if the reader needs
        one or would not ask it."""
        ...
