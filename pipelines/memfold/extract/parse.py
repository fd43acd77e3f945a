"""From what a model wrote to extractions, or to the reason why there is none.

Everything is checked, whatever the endpoint promised: that the model came to an end, that it wrote JSON of the
schema, within bounds, without turning in circles, in the conversation's language. The reasons are this module's
own words: nothing a model wrote comes back in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson
from jsonschema import Draft202012Validator

from memfold.extract import prompts
from memfold.extract.contract import MAX_KEY, MAX_REASON, MAX_SUMMARY, MAX_TEXT, MAX_VALUE, bounded
from memfold.ingest.language import language
from memfold.schema import Extraction, Fact, Note, Window

# What is a little too long is cut, what is far too long was not meant.
FAR = 3
# Text of more than this many characters, of whose runs of `RUN` fewer than `DISTINCT` are distinct, is a loop.
# Rules' and models' sound output over BEAM stays above 0.75, three sentences in a circle are below 0.4.
LOOP = 240
RUN = 12
DISTINCT = 0.5
# The same statement this often is a loop too, however short.
SAME = 4
# Less text than this has no language to speak of: names and numbers.
LEGIBLE = 60
# Scripts tell of themselves; between languages in Latin letters a short text is easily mistaken, so they pass.
_SCRIPTS = frozenset(
    [
        "zh",
        "ja",
        "ko",
        "ru",
        "uk",
        "sr",
        "ar",
        "fa",
        "ur",
        "he",
        "el",
        "hi",
        "mr",
        "bn",
        "ta",
        "te",
        "th",
        "ka",
        "hy",
    ]
)
_FENCE = "```"

# What a schema asks of an engine that can hold a model to it, and what is not worth another request where it cannot:
# what is too long is cut, and what is empty is dropped. A list that may be of several lengths has a `maxItems`; a pair
# is a pair.
_LENGTHS = frozenset(("minLength", "maxLength", "maxItems"))


def lenient(schema: Any) -> Any:
    """A JSON schema without its lengths."""
    if isinstance(schema, Mapping):
        dropped = _LENGTHS | ({"minItems"} if "maxItems" in schema else set())
        return {name: lenient(part) for name, part in schema.items() if name not in dropped}
    return [lenient(part) for part in schema] if isinstance(schema, list) else schema


# Entries are judged apart from the answer they are in: one that is off the schema leaves the others.
_SCHEMA: Any = lenient(prompts.EXTRACTION.schema)
_ENTRY = Draft202012Validator(_SCHEMA["properties"]["exchanges"].pop("items"))
_ANSWER = Draft202012Validator(_SCHEMA)


class Invalid(Exception):
    """A generation that is of no use; `str` says why, in a few words that may be shown to a model."""


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
    found = Extraction(
        summary=value["summary"],
        facts=tuple(Fact(key, said) for key, said in value["facts"]),
        notes=tuple(_note(note) for note in value["notes"]),
    )
    statements = [(fact.key, fact.value) for fact in found.facts] + [(n.kind, n.text) for n in found.notes]
    check_texts(list(_texts(found)), statements)
    said = " ".join((found.summary, *(note.text for note in found.notes)))
    check_language(said, window.language, [text for _, text in window.messages])
    kept = bounded(found)
    if not kept.summary and not kept.facts and not kept.notes:
        raise Invalid("it said nothing")
    return kept


def answered(text: str, finish_reason: str, validator: Draft202012Validator) -> Any:
    """The JSON value a generation holds, of the validator's schema; Invalid says why it holds none."""
    if finish_reason != "stop":
        known = finish_reason if finish_reason in ("length", "content_filter", "abort") else "another reason"
        raise Invalid(f"it was cut off ({known})")
    said = text.strip()
    if said.startswith(_FENCE) and said.endswith(_FENCE) and len(said) >= 2 * len(_FENCE):
        said = said[len(_FENCE) : -len(_FENCE)].removeprefix("json")
    try:
        value = orjson.loads(said)
        valid = validator.is_valid(value)
    except orjson.JSONDecodeError:
        raise Invalid("it was not JSON") from None
    except RecursionError:
        raise Invalid("it was nested too deep") from None
    if not valid:
        raise Invalid("it was not of the schema")
    return value


def check_texts(texts: Sequence[tuple[str, int]], statements: Sequence[tuple[str, str]]) -> None:
    """Invalid if one of the texts is far longer than the bound beside it, or if an answer turns in circles: within a
    text, or by its statements, each with what it is about or of."""
    if any(len(text) > FAR * limit for text, limit in texts):
        raise Invalid("a text in it was far too long")
    if any(count >= SAME for count in Counter(statements).values()):
        raise Invalid("it repeated itself")
    for text in (*(text for text, _ in texts), "\n".join(said for _, said in statements)):
        runs = len(text) - RUN + 1
        if len(text) > LOOP and len({text[i : i + RUN] for i in range(runs)}) < DISTINCT * runs:
            raise Invalid("it repeated itself")


def check_language(said: str, wanted: str, heard: Iterable[str]) -> None:
    """Invalid if `said` is in another script's language than the one wanted, and in none of the texts heard."""
    if len(said.encode()) < LEGIBLE:
        return
    wrote = language(said)
    if (
        wrote != wanted
        and (wrote in _SCRIPTS or wanted in _SCRIPTS)
        and wrote not in set(map(language, heard))
    ):
        raise Invalid("it was in another language than what it is about")


def _note(note: dict[str, Any]) -> Note:
    polarity = note.get("polarity")
    return Note(
        kind=note["kind"],
        text=note["text"],
        about=note.get("about") or None,
        reason=note.get("reason") or None,
        date=note.get("date") or None,
        polarity=float(polarity) if polarity is not None and note["kind"] == "sentiment" else None,
    )


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
