"""What an extraction costs that says each thing once: recorded ones as they are, and rewritten in the prompt's shape.

    python benchmarks/said_once.py …/extractions/*.jsonl

A recorded note of kind fact, a fact and a clause of a summary are left out where what remains says at least `HELD` of
their words; a note of a fact that says more becomes a fact. `kept` is the share of distinct words and numbers of the
recorded texts that the rewritten ones still hold. Appends a row to results/said_once.jsonl.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import keep

from memfold.extract.prompts import EXTRACTION
from memfold.text import tokens
from memfold.text.terms import terms

HELD = 0.75
_CLAUSE = re.compile(r"(?<=[;,.])\s+|\s+(?=(?:and|but|while)\s)")


def once(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded extraction with each thing said once: notes first, then facts, then what is left of the summary."""
    notes = [note for note in recorded["notes"] if note["kind"] != "fact"]
    said = _words(_texts({"notes": notes, "facts": [], "summary": ""}))
    facts = [pair for pair in recorded["facts"] if not _held(" ".join(pair), said)]
    said |= _words(" ".join(pair) for pair in facts)
    for note in recorded["notes"]:
        if note["kind"] == "fact" and not _held(note["text"], said):
            facts.append([note.get("about", "user"), note["text"]])
            said |= _words([note["text"]])
    clauses = [clause for clause in _CLAUSE.split(recorded["summary"]) if not _held(clause, said)]
    left = {"summary": " ".join(clauses)} if clauses else {}
    return {"exchange": 1, "facts": facts, "notes": notes, **left}


def as_recorded(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """The same in the shape that the prompt asked for before."""
    return {"exchange": 1, **{name: recorded[name] for name in ("facts", "summary", "notes")}}


def cost(entry: Mapping[str, Any]) -> int:
    """The tokens of an answer."""
    return tokens.count(json.dumps({"exchanges": [entry]}, ensure_ascii=False, separators=(",", ":")))


def _texts(entry: Mapping[str, Any]) -> list[str]:
    noted = [note.get(name) or "" for note in entry["notes"] for name in ("text", "about", "reason", "date")]
    return [*noted, *(" ".join(pair) for pair in entry["facts"]), entry.get("summary", "")]


def _words(texts: Iterable[str]) -> set[str]:
    return {term for text in texts for term in terms(text)}


def _held(text: str, said: set[str]) -> bool:
    """Whether what is said elsewhere says nearly all of a text, and all of its numbers."""
    words = set(terms(text))
    numbers = {word for word in words if any(map(str.isdigit, word))}
    return numbers <= said and len(words & said) >= HELD * len(words)


def measured(recorded: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    before, after = [as_recorded(one) for one in recorded], [once(one) for one in recorded]
    known = [_words(_texts(one)) for one in before]
    held = [_words(_texts(one)) for one in after]
    tokens_before, tokens_after = sum(map(cost, before)), sum(map(cost, after))
    return {
        "exchanges": len(recorded),
        "prompt": EXTRACTION.version,
        "tokens_before": round(tokens_before / len(recorded), 1),
        "tokens_after": round(tokens_after / len(recorded), 1),
        "fewer": round(1 - tokens_after / tokens_before, 4),
        "kept": round(sum(len(a & b) for a, b in zip(known, held, strict=True)) / sum(map(len, known)), 4),
        "facts": round(sum(len(one["facts"]) for one in after) / len(after), 2),
        "summaries": round(sum("summary" in one for one in after) / len(after), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    rows = []
    for file in parser.parse_args().files:
        recorded = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        rows.append({"file": file.stem, **measured(recorded)})
        print(rows[-1])
    print(keep("said_once", rows))


if __name__ == "__main__":
    main()
