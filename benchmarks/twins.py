"""What folding twins does to the notes of a conversation: how many stand for others, what tokens that saves, and each
pair, to be read by hand.

    python benchmarks/twins.py DIR [--cosine 0.9] [--meaning] [--synthetic 1000000] [--show PAIRS.txt]

DIR holds recorded extractions, a JSONL file a conversation (`conversation_id`, `exchange`, `facts` as pairs,
`summary`, `notes`). `--synthetic` adds the synthetic source at so many tokens, of which a sensible engine's notes are
made from the plan; what folding does to the values that are asked for, `benchmarks/scratchpad.py --twins` says. A
conversation's items are united as one node holds them. `alike_in_words` counts what agrees literally; with `--meaning`,
which takes a vector an item, `by_meaning_alone` are the items with an earlier one of their kind as near, whatever the
words.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from harness import keep
from scratchpad import made
from sealing_cost import Written, items, written

from memfold.embed.minilm import MiniLM
from memfold.layers.orders import STANDING
from memfold.layers.scratchpad.items import Item, size, united
from memfold.layers.scratchpad.twins import folded, literally
from memfold_kernels.threshold_join import join


def recorded(file: Path) -> Written:
    """A file of recorded extractions."""

    def extractions() -> Iterator[tuple[int, Mapping[str, Any]]]:
        for line in file.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            facts = [{"key": key, "value": value} for key, value in one["facts"]]
            yield one["exchange"], {"summary": one["summary"], "facts": facts, "notes": one["notes"]}

    return written(extractions())


def measured(name: str, of: Written, cosine: float, embedder: MiniLM) -> tuple[dict[str, object], list[str]]:
    """The row of a conversation, and its folded pairs as text."""
    whole = united([item for each in items(of) for item in each if item.kind not in STANDING])
    (left,) = folded([whole], cosine, embedder, "reference")
    row: dict[str, object] = {
        "conversation": name,
        "cosine": cosine,
        "items": len(whole),
        "folded": len(whole) - len(left),
        "folded_share": round(1 - len(left) / len(whole), 4),
        "alike_in_words": len(whole) - len({literally(item) for item in whole}),
        "tokens": size(whole),
        "tokens_saved": size(whole) - size(left),
        "tokens_saved_share": round(1 - size(left) / size(whole), 4),
        "folded_by_kind": dict(Counter(item.kind for item in whole) - Counter(item.kind for item in left)),
    }
    by_words: dict[tuple[object, ...], list[Item]] = {}
    for item in whole:
        by_words.setdefault(literally(item), []).append(item)
    pairs = []
    for item in left:
        alike = by_words[literally(item)]
        stood_for = [
            one for one in alike if one not in left and one.exchange_id in (*item.also, item.exchange_id)
        ]
        pairs += [
            f"{one.exchange_id}: {one.text}\n{item.exchange_id}: {item.text}\n"
            for one in stood_for
            if one.text != item.text
        ]
    return row, pairs


def by_meaning(of: Written, cosine: float, embedder: MiniLM) -> dict[str, object]:
    """How many items have an earlier one of their kind as near, whatever the words: a vector an item."""
    whole = united([item for each in items(of) for item in each if item.kind not in STANDING])
    kinds = sorted(whole, key=lambda item: item.kind)
    ends = np.cumsum([0, *Counter(item.kind for item in kinds).values()]).astype(np.int64)
    pairs = join(embedder.encode([item.text for item in kinds]), ends, cosine)
    return {
        "by_meaning_alone": int(np.count_nonzero(np.diff(pairs.offsets))),
        "pairs_by_meaning": len(pairs.earlier),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("extractions", type=Path)
    parser.add_argument("--cosine", type=float, default=0.9)
    parser.add_argument("--synthetic", type=int, default=0)
    parser.add_argument("--meaning", action="store_true")
    parser.add_argument("--show", type=Path)
    chosen = parser.parse_args()
    embedder = MiniLM()
    conversations = {file.stem: recorded(file) for file in sorted(chosen.extractions.glob("*.jsonl"))}
    if chosen.synthetic:
        conversations["synthetic"] = made(chosen.synthetic, 0).rows
    rows, shown = [], []
    for name, of in conversations.items():
        row, pairs = measured(name, of, chosen.cosine, embedder)
        if chosen.meaning:
            row |= by_meaning(of, chosen.cosine, embedder)
        rows.append(row)
        shown += pairs
        print(json.dumps(row), flush=True)
    if chosen.show:
        chosen.show.write_text("\n".join(shown), encoding="utf-8")
    print(keep("twins", rows))


if __name__ == "__main__":
    main()
