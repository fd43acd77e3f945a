"""Whether what a model wrote is an answer at all.

Everything is checked, whatever the endpoint promised: that the model came to an end, that it wrote JSON of the
schema, within bounds, without turning in circles, in the conversation's language. The reasons are this module's
own words: nothing a model wrote comes back in them. Knows nothing of what was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jsonschema_rs
import orjson

from memfold.text.language import BY_SCRIPT, language

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
# What a model that reasons writes behind its thoughts.
THOUGHT = "</think>"
# What a schema asks of an engine that can hold a model to it, and what is not worth another request where it cannot:
# what is too long is cut, and what is empty is dropped. A list that may be of several lengths has a `maxItems`; a pair
# is a pair.
_LENGTHS = frozenset(("minLength", "maxLength", "maxItems"))


class Invalid(Exception):
    """A generation that is of no use; `str` says why, in a few words that may be shown to a model."""


Validator = jsonschema_rs.Draft202012Validator


def validator(schema: Any) -> Validator:
    """A validator of a JSON schema (draft 2020-12). Compiled: the same verdicts as the package jsonschema's, 80 to 150
    times as fast (decision 10)."""
    return Validator(schema)


def lenient(schema: Any) -> Any:
    """A JSON schema without its lengths."""
    if isinstance(schema, Mapping):
        dropped = _LENGTHS | ({"minItems"} if "maxItems" in schema else set())
        return {name: lenient(part) for name, part in schema.items() if name not in dropped}
    return [lenient(part) for part in schema] if isinstance(schema, list) else schema


def answered(text: str, finish_reason: str, validator: Validator) -> Any:
    """The JSON value a generation holds, of the validator's schema; Invalid says why it holds none."""
    if finish_reason != "stop":
        known = finish_reason if finish_reason in ("length", "content_filter", "abort") else "another reason"
        raise Invalid(f"it was cut off ({known})")
    try:
        value = _value(text)
        valid = validator.is_valid(value)
    except orjson.JSONDecodeError:
        raise Invalid("it was not JSON") from None
    except RecursionError:
        raise Invalid("it was nested too deep") from None
    if not valid:
        raise Invalid("it was not of the schema")
    return value


def _value(text: str) -> Any:
    """The JSON value that a text is, or the one object in it: many a model writes its thoughts, a sentence or a fence
    around it."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        said = text.rpartition(THOUGHT)[2]
        return orjson.loads(said[said.find("{") : said.rfind("}") + 1])


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
        and (wrote in BY_SCRIPT or wanted in BY_SCRIPT)
        and wrote not in set(map(language, heard))
    ):
        raise Invalid("it was in another language than what it is about")
