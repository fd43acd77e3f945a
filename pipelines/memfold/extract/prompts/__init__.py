"""What a model is asked about a window, or about several short ones: one request, whose instructions are the same for
all.

The instructions are `extraction.md` and the answer's shape is `extraction.schema.json`; `EXTRACTION.version` is
the hash of both and of how a window is rendered. What a conversation says stands between marks that occur nowhere
in it, and nothing in it can be read as a model's special token: no text changes the request's structure. Knows
nothing of endpoints and of how an answer is judged.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from memfold import tokens
from memfold.digest import digest
from memfold.extract.generate import Prompt, Task
from memfold.schema import Role, Window
from memfold.windows import clip

_HERE = Path(__file__).parent


def instructed(name: str, rendering: int) -> tuple[str, Task]:
    """The instructions `<name>.md` of this folder and the kind of request they begin, whose answers are of
    `<name>.schema.json`. `rendering` is to be raised when its requests are rendered in another way."""
    instructions = (_HERE / f"{name}.md").read_text(encoding="utf-8").strip()
    schema = json.loads((_HERE / f"{name}.schema.json").read_text(encoding="utf-8"))
    return instructions, Task(name, digest(rendering, instructions, schema)[:12], schema)


INSTRUCTIONS, EXTRACTION = instructed("extraction", 3)


@cache
def extraction(exchanges: int) -> Task:
    """The kind of request about so many exchanges: its answer says something of each."""
    schema: Any = deepcopy(EXTRACTION.schema)
    schema["properties"]["exchanges"] |= {"minItems": exchanges, "maxItems": exchanges}
    return replace(EXTRACTION, schema=schema, entries=exchanges)


# A pasted book would not fit in any model: of one message, its head and its tail. Four in a thousand of BEAM's
# messages are longer than 2,000 tokens, none than this.
MESSAGE_TOKENS = 6_000

# The language is named where it is not English, because models lapse into the language of their instructions.
LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
}

# What chat templates make of roles. A server that tokenizes a rendered template reads these in a message as its own.
_SPECIAL = re.compile(
    r"<(?=[|｜])|<(?=/?(?:s|bos|eos|unk|pad|think|tool_call|tool_response|start_of_turn|end_of_turn)>)"
    r"|<(?=(?:start_of_image|end_of_utterance)>)|\[(?=/?(?:INST|[A-Z]+(?:_[A-Z]+)+)\])|<(?=</?SYS>>)",
    re.IGNORECASE,
)

SHORTEST_MARK = 4

Said = Sequence[tuple[Role, str]]

# What is asked where an answer was not valid: of several windows about each alone, then once more with what was
# wrong, then about less text.
Repair = Literal["alone", "again", "user"]
REPAIRS: tuple[Repair, ...] = ("alone", "again", "user")


def ask(windows: Sequence[Window]) -> Prompt:
    """The request for windows that follow each other, of one conversation and language."""
    return _request(windows, windows[0].history, [window.messages for window in windows])


def repair(window: Window, how: Repair, problem: str) -> Prompt | None:
    """Another request for a window; None where there is nothing else to ask than before. `problem` is what was wrong
    with the answer before, in words of this project and never of the model."""
    if how == "user":
        said = tuple((role, text) for role, text in window.messages if role == "user")
        return _request([window], (), [said]) if said else None
    last = f"An earlier answer was of no use: {problem}. Answer with one short, valid JSON object."
    return _request([window], window.history, [window.messages], last if how == "again" else "")


def _request(windows: Sequence[Window], history: Said, exchanges: Sequence[Said], last: str = "") -> Prompt:
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
    content = "\n".join([*lines, end, *([last] if last else [])])
    messages = (("system", INSTRUCTIONS), ("user", content))
    return Prompt(messages, extraction(len(windows)), windows[0].conversation_id)


def _turns(mark: str, messages: Said) -> Iterator[str]:
    for role, text in messages:
        yield f"{mark} {role}"
        yield harmless(_fitting(text))


def harmless(text: str) -> str:
    """`text` without a model's special tokens: a space breaks them."""
    return _SPECIAL.sub(lambda found: found[0] + " ", text)


def _fitting(text: str) -> str:
    # A token is a byte at least, so most texts need no counting.
    if len(text.encode(errors="replace")) <= MESSAGE_TOKENS:
        return text
    return clip(text, tokens.count(text), MESSAGE_TOKENS)


def free_mark(texts: Sequence[str]) -> str:
    """A line's beginning that none of the texts holds: the first that fits, of a row that the texts decide. Each is
    longer than the one before it, so that no text can hold them all."""
    drawn = (digest(salt, texts)[: SHORTEST_MARK + salt] for salt in itertools.count())
    marks = ("#" + "".join(chr(97 + int(c, 16)) for c in digits) for digits in drawn)
    return next(mark for mark in marks if not any(mark in text for text in texts))
