"""BEAM's probes (arXiv 2510.27246), from the `probing_questions.json` beside a conversation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memfold.evaluate.probe import Probe

# The reference answer goes by another name for each ability.
_ANSWERS = ("answer", "ideal_answer", "ideal_response", "ideal_summary", "expected_compliance")


def probes(path: Path, conversation_id: str) -> list[Probe]:
    """The probes in the file `path`, asked of `conversation_id`.

    `source_chat_ids` may be a list, nested lists, lists by name, or nothing. In the 10M layout it counts through
    all plans in order, as the message ids of memfold do.
    """
    asked = json.loads(path.read_text(encoding="utf-8"))
    return [
        Probe(
            probe_id=f"{conversation_id}:{ability}:{number}",
            conversation_id=conversation_id,
            ability=ability,
            question=question["question"],
            answer=str(next((question[name] for name in _ANSWERS if question.get(name)), "")),
            rubric=tuple(str(line) for line in _list(question.get("rubric"))),
            evidence=tuple(dict.fromkeys(_ids(question.get("source_chat_ids")))),
            language="en",
        )
        for ability, questions in asked.items()
        for number, question in enumerate(questions)
    ]


def _ids(cited: Any) -> Iterator[str]:
    """Every message id in `cited`, however deep, in order."""
    if isinstance(cited, dict):
        yield from _ids([*cited.values()])
    elif isinstance(cited, list):
        for part in cited:
            yield from _ids(part)
    elif cited is not None and str(cited).strip().isdigit():
        yield str(int(cited))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
