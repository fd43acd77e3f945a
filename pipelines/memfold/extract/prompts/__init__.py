"""What a model is asked about a window, or about several short ones: one request, whose instructions are the same for
all.

The instructions are `extraction.md` and the answer's shape is `extraction.schema.json`; `EXTRACTION.version` is
the hash of both, of how they vary and of how a window is rendered. Knows nothing of endpoints and of how an answer is
judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from memfold.digest import digest
from memfold.extract.speaker import Said
from memfold.extract.windows import clip
from memfold.llm.generator import Prompt, Task
from memfold.llm.prompts import LANGUAGES, free_mark, harmless, instructed, prompt_of
from memfold.schema import Window
from memfold.text import tokens

# What is said in 100 letters takes about 27 ideographs, and an ideograph costs .7 tokens where a letter costs .26: with
# the same lengths an answer in Chinese could have 2.7 times the tokens.
DENSE = frozenset(("zh", "ja", "ko"))
SHARE = 0.27
# An answer about several exchanges has half as many tokens more for each, and they are short.
FACTS_TOGETHER, NOTES_TOGETHER = 4, 2

INSTRUCTIONS, _BASE = instructed(Path(__file__).parent, "extraction", 4)
_VARIED = digest(_BASE.version, SHARE, FACTS_TOGETHER, NOTES_TOGETHER, sorted(DENSE))
EXTRACTION = replace(_BASE, version=_VARIED[:12])


@cache
def extraction(exchanges: int, language: str = "en") -> Task:
    """The kind of request about so many exchanges in a language: its answer says something of each. The largest that
    the schema allows fits the generator's default `max_tokens`."""
    schema: Any = deepcopy(EXTRACTION.schema)
    listed = schema["properties"]["exchanges"]
    listed |= {"minItems": exchanges, "maxItems": exchanges}
    entry = listed["items"]["properties"]
    if exchanges > 1:
        entry["facts"]["maxItems"], entry["notes"]["maxItems"] = FACTS_TOGETHER, NOTES_TOGETHER
    if language in DENSE:
        note = entry["notes"]["items"]["properties"]
        texts = (
            *entry["facts"]["items"]["prefixItems"],
            entry["summary"],
            note["text"],
            note["about"],
            note["reason"],
            note["aspect"],
        )
        for text in texts:
            text["maxLength"] = round(SHARE * text["maxLength"])
    return replace(EXTRACTION, schema=schema, entries=exchanges)


# A pasted book would not fit in any model: of one message, its head and its tail. Four in a thousand of BEAM's
# messages are longer than 2,000 tokens, none than this.
MESSAGE_TOKENS = 6_000

# What is asked where an answer was not valid: of several windows about each alone, then once more with what was
# wrong, then about less text.
Repair = Literal["alone", "again", "user"]
REPAIRS: tuple[Repair, ...] = get_args(Repair)


def request(windows: Sequence[Window]) -> Prompt:
    """The request about windows that follow each other (1 or more), of one conversation and language."""
    return _request(windows, windows[0].history, [window.messages for window in windows])


def repair(window: Window, how: Repair, problem: str) -> Prompt | None:
    """Another request for a window; None where there is nothing else to ask than before. `problem` is what was wrong
    with the answer before, in words of this project and never of the model."""
    if how == "user":
        said = tuple((role, text) for role, text in window.messages if role == "user")
        return _request([window], (), [said]) if said else None
    return _request([window], window.history, [window.messages], problem if how == "again" else "")


def _request(
    windows: Sequence[Window], history: Said, exchanges: Sequence[Said], problem: str = ""
) -> Prompt:
    mark = free_mark([text for said in (history, *exchanges) for _, text in said])
    lines = [*([f"{mark} earlier"] if history else []), *_turns(mark, history)]
    for number, (window, said) in enumerate(zip(windows, exchanges, strict=True), start=1):
        lines.append(f"{mark} exchange {number}" + (f", {window.time:%Y-%m-%d}" if window.time else ""))
        lines.extend(_turns(mark, said))
    end = f"{mark} end"
    if len(windows) > 1:
        end += f", {len(windows)} exchanges"
    if windows[0].language in LANGUAGES:
        end += f", write in {LANGUAGES[windows[0].language]}"
    task = extraction(len(windows), windows[0].language)
    return prompt_of(INSTRUCTIONS, [*lines, end], task, windows[0].conversation_id, problem)


def _turns(mark: str, messages: Said) -> Iterator[str]:
    for role, text in messages:
        yield f"{mark} {role}"
        yield harmless(_fitting(text))


def _fitting(text: str) -> str:
    # A token is a byte at least, so most texts need no counting.
    if len(text.encode(errors="replace")) <= MESSAGE_TOKENS:
        return text
    return clip(text, tokens.count(text), MESSAGE_TOKENS)
