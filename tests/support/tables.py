"""A model that is a table: what it answers about keys and entries is decided by their words alone.

`answers` is for `memfold.evaluate.simulated.endpoint.Endpoint`, so that requests go over real HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from memfold.evaluate.simulated.endpoint import Messages
from memfold.extract.engines.rules import Rules
from memfold.layers.keys import translating
from memfold.layers.state import sealing
from memfold.llm.asker import Asker
from memfold.llm.results import Results, generations
from memfold.store.location import Location
from support.asked import MODEL, openai

# What can be decided of: two entries of one kind about one of these are one.
THINGS = ("kayak", "violin", "rose", "camera", "train", "hive", "stove")

# One character of a text as one Chinese character, so that a secret in a text has a translation that can be found.
_LETTERS = {letter: chr(0x4E00 + n) for n, letter in enumerate("abcdefghijklmnopqrstuvwxyz0123456789")}


def chinese(text: str) -> str:
    """A text in a Chinese of our own."""
    return "，".join(
        "".join(map(_LETTERS.__getitem__, word)) for word in re.findall(r"[a-z0-9]+", text.lower())
    )


def listed(messages: Messages) -> list[str]:
    """The numbered lines of a request."""
    return [line.partition(" ")[2] for line in messages[-1]["content"].split("\n")[1:] if line[:1].isdigit()]


def translate(messages: Messages) -> str:
    """Every note in our Chinese."""
    return json.dumps({"texts": [chinese(note) for note in listed(messages)]}, ensure_ascii=False)


def tell(messages: Messages) -> str:
    """Entries of one kind that name one of `THINGS` are one: each with the first of them."""
    first: dict[tuple[str, str], int] = {}
    told = []
    for number, entry in enumerate(listed(messages), start=1):
        kind, _, text = entry.partition(": ")
        for thing in (thing for thing in THINGS if f"the {thing} " in f"{text.lower().rstrip('.')} "):
            earlier = first.setdefault((kind, thing), number)
            if earlier != number:
                told.append([number, earlier])
    return json.dumps({"same": told[-12:]})


ANSWERS: Mapping[str, Callable[[Messages], str]] = {
    translating.INSTRUCTIONS: translate,
    sealing.INSTRUCTIONS: tell,
}


@dataclass(frozen=True)
class AskingRules(Rules):
    """Rules that extract, and a model at an endpoint for whoever else asks: what it wrote is kept in the store."""

    base_url: str = ""
    location: Location | None = None

    @cached_property
    def asker(self) -> Asker:  # type: ignore[override]
        results = None if self.location is None else generations(self.location)
        return Asker(openai(self.base_url), Results(results, MODEL))

    def share(self, workers: int) -> AskingRules:
        return self

    def close(self) -> None:
        self.asker.close()


def pairs(rows: Sequence[Mapping[str, object]]) -> list[tuple[object, ...]]:
    """The pairs that were told among some rows of the state."""
    return [(row["exchange_id"], row["n"], *row["keys"]) for row in rows if row["kind"] == "same"]  # type: ignore[misc]
