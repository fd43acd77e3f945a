"""The layer of keys and its settings: which texts become keys of an exchange, and their rows. Asks no model itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from memfold.embed.contract import Embedder
from memfold.errors import UserError
from memfold.extract.contract import by_rules
from memfold.extract.filed import MADE_BY
from memfold.layers.keys.wanted import MOST, Wanted
from memfold.layers.layer import (
    Leaves,
    Span,
    Tools,
    column,
    encoded,
    extractions,
    leaves_of,
    notes_by_exchange,
)
from memfold.llm.prompts import LANGUAGES, language_name
from memfold.schema import required
from memfold.text.language import language, or_english

if TYPE_CHECKING:
    from memfold.layers.keys.translating import Translating

# To be raised when rows of the same extractions and vectors come out otherwise.
VERSION = "keys-3"
KINDS = ("note", "summary", "fact")
# The kind of a key in the second language.
TRANSLATED = "translated"
# Notes of which there is none: what passes, and what was asked and is answered by others.
PASSING = ("sentiment", "question")
# How many languages keys are in at most.
TWO = 2


# A key: its exchange's row, its kind and its text.
Key = tuple[dict[str, Any], str, str]


@dataclass(frozen=True)
class Keys:
    """The layer's settings: `kinds` are those of what was written that become keys, of note, summary and fact; with
    `rules` also of what the rules wrote. With two `languages`, as [en, zh], notes and facts are keys in the first of
    them that is not the exchange's own, where the engine has a model."""

    kinds: tuple[str, ...] = ("note",)
    rules: bool = False
    languages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("kinds", "languages"):
            object.__setattr__(self, name, tuple(getattr(self, name)))  # a config has no tuples
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise UserError(f"layers.keys.kinds: no key is a {unknown[0]!r}: give some of {', '.join(KINDS)}")
        unknown = [each for each in self.languages if language_name(each) is None]
        if unknown or (self.languages and len(set(self.languages)) != TWO):
            raise UserError(
                f"layers.keys.languages={list(self.languages)}: give two languages, as [en,zh], or none; there are "
                f"{', '.join(sorted(['en', *LANGUAGES]))}"
            )

    def equip(self, tools: Tools) -> KeyRows:
        """The layer with its embedder, and with who translates where that is wanted and there is a model."""
        if not self.languages or tools.asker is None:
            return KeyRows(tools.embedder, self.kinds, self.rules, self.languages)
        # What asks a model takes 0.03 s to import, and opening a store does not need it.
        from memfold.layers.keys.translating import Translating

        return KeyRows(tools.embedder, self.kinds, self.rules, self.languages, Translating(tools.asker))


@dataclass(frozen=True)
class KeyRows(Leaves):
    """The layer (`memfold.layers.layer.Layer`): leaves only, since keys belong to their exchange."""

    embedder: Embedder
    kinds: tuple[str, ...]
    rules: bool
    languages: tuple[str, ...] = ()
    translating: Translating | None = None

    name = "keys"
    reads = ("extractions", "notes")
    by_exchange = True

    @property
    def version(self) -> str:
        """See `Layer`."""
        made = f"{VERSION}:{','.join(self.kinds)}:{self.rules}:{self.embedder.signature}"
        if not self.languages:
            return made
        who = self.translating.signature if self.translating is not None else "nobody"
        return f"{made}:{','.join(self.languages)}:{who}"

    @property
    def table(self) -> pa.Schema:
        """A row per key: what it says and its vector of `dimension` float32."""
        return pa.schema(
            [
                required("segment", pa.string()),
                required("exchange_id", pa.int64()),
                required("conversation_id", pa.string()),
                required("kind", pa.string()),
                required("text", pa.string()),
                required("vector", pa.list_(pa.float32(), self.embedder.dimension)),
            ]
        )

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """Rows of some segments; all their texts go to the embedder together."""
        keys = [list(self._keys(span)) for span in spans]
        if self.translating is not None:
            keys = self._in_two(self.translating, spans, keys)
        every = list(chain.from_iterable(keys))
        texts = [text for _, _, text in every]
        columns = {
            "exchange_id": [row["exchange_id"] for row, _, _ in every],
            "conversation_id": [row["conversation_id"] for row, _, _ in every],
            "kind": [kind for _, kind, _ in every],
            "text": texts,
            "vector": column(encoded(self.embedder, texts)),
        }
        return leaves_of(spans, keys, columns, self.table)

    def _keys(self, span: Span) -> Iterator[Key]:
        """The keys of a segment, by exchange and in the order of `kinds`."""
        for row, notes in self._written(span):
            texts = {
                "note": [note["text"] for note in notes],
                "summary": [row["summary"]],
                "fact": list(map(_fact, row["facts"])),
            }
            for kind in self.kinds:
                yield from ((row, kind, text) for text in dict.fromkeys(texts[kind]) if text)

    def _written(self, span: Span) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """The extractions of a segment that give keys, in order, each with its notes."""
        notes = span.once(notes_by_exchange)
        for row in span.once(extractions):
            if self.rules or not by_rules(row["made_by"]):
                yield row, notes.get(row["exchange_id"], [])

    def _in_two(
        self, translating: Translating, spans: Sequence[Span], keys: Sequence[Sequence[Key]]
    ) -> list[list[Key]]:
        """The keys of some segments, behind those of each exchange the ones in its second language. What programs filed
        is left: filing asks no model."""
        wanted = [
            (place, row, asked)
            for place, span in enumerate(spans)
            for row, notes in self._written(span)
            if row["made_by"] != MADE_BY and (asked := self._wanted(row, notes)) is not None
        ]
        said = translating([asked for _, _, asked in wanted])
        both = [list(each) for each in keys]
        for (place, row, _), texts in zip(wanted, said, strict=True):
            both[place] += ((row, TRANSLATED, text) for text in dict.fromkeys(texts))
        return [sorted(each, key=lambda one: one[0]["exchange_id"]) for each in both]

    def _wanted(self, row: dict[str, Any], notes: Sequence[dict[str, Any]]) -> Wanted | None:
        """What is asked for of an exchange: what its notes say that holds, and then its facts."""
        holding = (note["text"] for note in notes if note["kind"] not in PASSING)
        texts = tuple(islice(dict.fromkeys([*holding, *map(_fact, row["facts"])]), MOST))
        if not texts:
            return None
        own = or_english(language(" ".join(texts)))
        into = next(each for each in self.languages if each != own)
        return Wanted(row["conversation_id"], row["exchange_id"], texts, into)


def _fact(fact: dict[str, Any]) -> str:
    return f"{fact['key']}: {fact['value']}"
