"""What all requests have in common: instructions from a file, and text put between marks so that it stays text.

What a conversation says stands between marks that occur nowhere in it, and nothing in it can be read as a model's
special token: no text changes a request's structure. Knows nothing of what is asked.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from memfold.digest import digest
from memfold.llm.generator import Prompt, Task

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

# A translation has at most so many times the letters or tokens of its text, and so many more: 20 Chinese characters
# have up to 90 letters in English, and names come twice.
_LONGER, _SPARE = 4, 60


def instructed(folder: Path, name: str, rendering: int) -> tuple[str, Task]:
    """The instructions `<name>.md` of `folder` and the kind of request they begin, whose answers are of
    `<name>.schema.json`. `rendering` is to be raised when its requests are rendered in another way."""
    instructions = (folder / f"{name}.md").read_text(encoding="utf-8").strip()
    schema = json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8"))
    return instructions, Task(name, digest(rendering, instructions, schema)[:12], schema)


def language_name(language: str) -> str | None:
    """What a language (ISO 639-1) is called in a request; None where nobody can be asked for it."""
    return "English" if language == "en" else LANGUAGES.get(language)


def prompt_of(
    instructions: str, lines: Iterable[str], task: Task, conversation_id: str = "", problem: str = ""
) -> Prompt:
    """The request: instructions, and the lines that they are about. `problem` is what was wrong with the answer before,
    in words of this project; it stands at the end, since the lines before it are in the engine's cache."""
    text = "\n".join(lines)
    if problem:
        text += f"\nAn earlier answer was of no use: {problem}. Answer with one short, valid JSON object."
    return Prompt((("system", instructions), ("user", text)), task, conversation_id)


def longest_translation(length: int) -> int:
    """How long a translation of a text of `length` tokens or characters may be, in the same unit."""
    return _LONGER * length + _SPARE


def harmless(text: str) -> str:
    """`text` without a model's special tokens: a space breaks them."""
    return _SPECIAL.sub(lambda found: found[0] + " ", text)


def numbered(number: int, text: str) -> str:
    """A text as one line of a list, whatever is in it."""
    return f"{number} {harmless(' '.join(text.split()))}"


def listed(what: str, lines: Sequence[str], end: str, *, stable: bool = False) -> list[str]:
    """A list between two marked ones (`free_mark`): the first says `what` they are, the last says `end`."""
    mark = free_mark(lines, stable=stable)
    return [f"{mark} {what}", *lines, f"{mark} end{end}"]


def free_mark(texts: Sequence[str], *, stable: bool = False) -> str:
    """A line's beginning that none of the texts holds: the first that fits, of a row that the texts decide; with
    `stable` of one that is the same for all texts. Each is longer than the one before it, so that no text can hold them
    all."""
    drawn = (digest(salt, [] if stable else texts)[: SHORTEST_MARK + salt] for salt in itertools.count())
    marks = ("#" + "".join(chr(97 + int(c, 16)) for c in digits) for digits in drawn)
    return next(mark for mark in marks if not any(mark in text for text in texts))
