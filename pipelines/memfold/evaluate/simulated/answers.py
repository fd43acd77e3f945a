"""What a sensible model answers to requests other than extraction, decided by the request alone.

For `Endpoint(answers={sealing.INSTRUCTIONS: seal_answer})` of endpoint.py, and for generators without a network.
It has no understanding: it edits what repeats itself word by word, and gives up what is least telling.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memfold.layers.scratchpad.sealing import SEALING
from memfold.text import tokens
from memfold.text.language import language
from memfold.text.sentences import sentences

# What a later entry about the same subject makes out of date.
VALUES = ("fact", "decision", "correction")
# In the order in which they are given up.
LEAST = ("sentiment", "question", "fact", "event", "excluded", "constraint", "decision", "correction")
_EDITS: Any = SEALING.schema
MERGES, PAIRS, DROPS = (_EDITS["properties"][name]["maxItems"] for name in ("merges", "replaced", "drop"))
SAME_WORDS = 3
MOST = 12
LONGEST = 300

_ENTRY = re.compile(r"(\d+) (\w+): (.*)")
_ABOUT = re.compile(r" \(about (.*)\)$")
_ROOM = re.compile(r"room for (\d+)")


# About what extraction by a model makes of sentences; any other mixture costs the same.
KINDS = (
    *["fact"] * 11,
    *["event"] * 3,
    *["decision"] * 2,
    *("constraint", "preference", "instruction", "excluded", "sentiment"),
)
SHORTEST_SENTENCE, LONGEST_SENTENCE = 30, 200


class Listed(NamedTuple):
    """One numbered entry of a request for sealing."""

    number: int
    kind: str
    text: str
    about: str


def seal_answer(messages: Sequence[Mapping[str, str]]) -> str:
    """The edits of a list of entries: the later of two about one subject over the earlier, entries that begin with the
    same words as one that adds what else the others say, and of the rest the least telling and oldest until there is
    room."""
    entries, room = read_entries(messages[-1]["content"])
    pairs = _replaced(entries)
    gone = {number for pair in pairs for number in pair}
    merges = _merges([entry for entry in entries if entry.number not in gone])
    gone |= {number for merge in merges for number in merge["of"]}  # type: ignore[attr-defined]
    left = sum(tokens.count(entry.text) for entry in entries if entry.number not in {old for _, old in pairs})
    drop: list[int] = []
    for entry in sorted(
        (entry for entry in entries if entry.number not in gone),
        key=lambda entry: (LEAST.index(entry.kind), entry.number),
    ):
        if left <= room or len(drop) == DROPS:
            break
        drop.append(entry.number)
        left -= tokens.count(entry.text)
    replaced = [{"new": new, "old": old} for new, old in pairs]
    return json.dumps(
        {"merges": merges, "replaced": replaced, "drop": drop}, ensure_ascii=False, separators=(",", ":")
    )


def sentence_notes(messages: Sequence[str], most: int) -> list[dict[str, Any]]:
    """Sentences of an exchange as notes: as many as fit in `most` tokens."""
    said = "\n".join(messages)
    draw = random.Random(said)
    made = []
    for sentence in sentences(said, language(said)):
        text = " ".join(sentence.split())[:LONGEST_SENTENCE].strip("#*-| ")
        length = tokens.count(text)
        if len(text) >= SHORTEST_SENTENCE and length <= most:
            most -= length
            made.append({"kind": "question" if text.endswith("?") else draw.choice(KINDS), "text": text})
    return made


def read_entries(content: str) -> tuple[list[Listed], int]:
    """The entries of a request for sealing, and how many tokens there is room for."""
    lines = content.split("\n")
    mark = lines[0].split(" ")[0]
    last = next(place for place, line in enumerate(lines) if line.startswith(f"{mark} end"))
    entries = []
    for line in lines[1:last]:
        found = _ENTRY.fullmatch(line)
        assert found is not None, line
        text, about = found[3], _ABOUT.search(found[3])
        subject = about[1] if about else text.split(" = ")[0] if " = " in text else ""
        entries.append(Listed(int(found[1]), found[2], _ABOUT.sub("", text), subject.casefold()))
    room = _ROOM.search(lines[last])
    assert room is not None, lines[last]
    return entries, int(room[1])


def _replaced(entries: Sequence[Listed]) -> list[tuple[int, int]]:
    newest: dict[str, int] = {}
    pairs = []
    for entry in entries:
        if entry.kind in VALUES and entry.about:
            if entry.about in newest:
                pairs.append((entry.number, newest[entry.about]))
            newest[entry.about] = entry.number
    return pairs[-PAIRS:]


def _merges(entries: Sequence[Listed]) -> list[dict[str, object]]:
    alike: dict[tuple[str, ...], list[Listed]] = defaultdict(list)
    for entry in entries:
        words = entry.text.split()
        if len(words) > SAME_WORDS:
            alike[entry.kind, *words[:SAME_WORDS]].append(entry)
    merges: list[dict[str, object]] = []
    for (kind, *_), group in alike.items():
        said = group[0].text
        of = [group[0].number]
        for entry in group[1:]:
            known = said.split()
            rest = " ".join(word for word in entry.text.split() if word not in known)
            if rest and len(said) + len(rest) < LONGEST and len(of) < MOST:
                said, of = f"{said}; {rest}", [*of, entry.number]
        if len(of) > 1 and len(merges) < MERGES:
            merges.append({"of": of, "kind": kind, "text": said})
    return merges
