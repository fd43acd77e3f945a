"""From what a model wrote about exchanges to extractions, or to the reason why there is none.

An answer is judged as all are (`memfold.llm.answers`), its entries each for themselves: one that is of no use leaves
the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memfold.extract import prompts
from memfold.extract.contract import (
    MAX_ASPECT,
    MAX_KEY,
    MAX_REASON,
    MAX_SUMMARY,
    MAX_TEXT,
    MAX_VALUE,
    bounded,
)
from memfold.llm.answers import SAME, Invalid, answered, check_language, check_texts, lenient, validator
from memfold.schema import JUDGING, NOTE_KINDS, Extraction, Fact, Note, Window

# Entries are judged apart from the answer they are in: one that is off the schema leaves the others.
_SCHEMA: Any = lenient(prompts.EXTRACTION.schema)
_NOTE: Any = _SCHEMA["properties"]["exchanges"]["items"]["properties"]["notes"]["items"]["properties"]
# Nobody is asked for notes of facts, which are pairs; one that comes nevertheless is kept.
_NOTE["kind"]["enum"] = list(NOTE_KINDS)
_NOTE["said_by"]["enum"] = [*_NOTE["said_by"]["enum"], "user"]
_ENTRY = validator(_SCHEMA["properties"]["exchanges"].pop("items"))
_ANSWER = validator(_SCHEMA)


def parse(text: str, finish_reason: str, windows: Sequence[Window]) -> list[Extraction | Invalid]:
    """What a generation about some windows holds of each: its extraction, or why that is none."""
    try:
        entries = answered(text, finish_reason, _ANSWER)["exchanges"]
        if len(entries) != len(windows):
            raise Invalid("it was about another number of exchanges")
    except Invalid as error:
        return [error] * len(windows)
    numbered = enumerate(zip(entries, windows, strict=True), start=1)
    found = [
        _sound(entry, window, number if len(windows) > 1 else None) for number, (entry, window) in numbered
    ]
    same = Counter(found)
    return [Invalid("it repeated itself") if same[one] >= SAME else one for one in found]


def _sound(entry: Any, window: Window, number: int | None) -> Extraction | Invalid:
    try:
        return _extraction(entry, window, number)
    except Invalid as error:
        return error
    except RecursionError:
        return Invalid("it was nested too deep")


def _extraction(value: Any, window: Window, number: int | None) -> Extraction:
    """The extraction in an entry, which is to be of this number: of several, each must say which exchange it is about,
    so that one left out moves none to its neighbour."""
    if not _ENTRY.is_valid(value):
        raise Invalid("it was not of the schema")
    if number is not None and value["exchange"] != number:
        raise Invalid("its entries did not have the exchanges' numbers")
    return sound(extraction(value), window)


def extraction(value: Mapping[str, Any]) -> Extraction:
    """What an entry of the schema says, unbounded; a field that it leaves out is empty."""
    return Extraction(
        summary=value.get("summary", ""),
        facts=tuple(Fact(key, said) for key, said in value.get("facts", ())),
        notes=tuple(_note(note) for note in value.get("notes", ())),
    )


def sound(found: Extraction, window: Window, *, cut: bool = False) -> Extraction:
    """`found` within its bounds; Invalid where it is no extraction of the window: far too long (but with `cut`), in
    circles, in another language, or empty. The gate for whatever was written about an exchange."""
    statements = [(fact.key, fact.value) for fact in found.facts] + [(n.kind, n.text) for n in found.notes]
    texts = [(text[:limit] if cut else text, limit) for text, limit in _texts(found)]
    check_texts(texts, statements)
    said = " ".join((found.summary, *(note.text for note in found.notes)))
    check_language(said, window.language, [text for _, text in window.messages])
    kept = bounded(found, window.messages)
    if not kept.summary and not kept.facts and not kept.notes:
        raise Invalid("it said nothing")
    return kept


def _note(note: Mapping[str, Any]) -> Note:
    judges = note["kind"] in JUDGING
    return Note(
        kind=note["kind"],
        text=note["text"],
        about=note.get("about") or None,
        reason=note.get("reason") or None,
        date=note.get("date") or None,
        polarity=_number(note.get("polarity")) if judges else None,
        said_by=note.get("said_by"),
        aspect=(note.get("aspect") or None) if judges else None,
        strength=_number(note.get("strength")) if judges else None,
    )


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _texts(found: Extraction) -> Iterator[tuple[str, int]]:
    """Every text of an extraction with the bound it is stored within."""
    yield found.summary, MAX_SUMMARY
    for fact in found.facts:
        yield fact.key, MAX_KEY
        yield fact.value, MAX_VALUE
    for note in found.notes:
        yield note.text, MAX_TEXT
        yield note.about or "", MAX_TEXT
        yield note.reason or "", MAX_REASON
        yield note.aspect or "", MAX_ASPECT
