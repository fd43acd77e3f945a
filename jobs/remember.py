"""File single facts into a conversation: `python jobs/remember.py store.root=… conversation=… by=… text=…`.

Or many from stdin, a JSON object a line: `{"text": "…", "kind": "preference", "about": "…"}`, with `conversation_id`
and `by` where the command names none. Prints a JSON line for each memory. Run again it changes nothing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from memfold.build import build
from memfold.entry import main
from memfold.errors import UserError

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from memfold.extract.filed import Memory


def run(config: DictConfig) -> None:
    """File what `config` names, or each line of stdin."""
    from memfold.run.filing import file
    from memfold.watch import Report

    given: dict[str, list[Memory]] = {}
    try:
        for conversation, memory in _given(config):
            given.setdefault(conversation, []).append(memory)
    except UserError as error:
        raise UserError(f"{error}; nothing was filed") from None
    if not given:
        raise UserError('text is missing: give text="…", or memories on stdin, a JSON object a line')
    with closing(Report(shown=True)) as report:
        filed = file(build(config.store, "store"), given, begin=config.begin, report=report)
    for each in filed:
        print(json.dumps(asdict(each), ensure_ascii=False))


def _given(config: DictConfig) -> Iterator[tuple[str, Memory]]:
    """The memories, each with its conversation."""
    from memfold.digest import digest
    from memfold.extract.filed import FIELDS

    common = {"by": config.by} | {name: config[name] for name in FIELDS}
    common = {name: value for name, value in common.items() if value is not None}
    if config.text is not None:
        place = "the command"
        yield _memory({**common, "text": config.text}, _conversation(config.conversation, place), place)
        return
    said: Counter[tuple[str, ...]] = Counter()
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        place = f"line {number} of stdin"
        try:
            fields = json.loads(line)
        except ValueError as error:
            raise UserError(f"{place} is not JSON ({error}): give one object a line") from None
        if not isinstance(fields, dict):
            raise UserError(f'{place} is no object: give {{"text": "…"}}')
        conversation = _conversation(fields.pop("conversation_id", config.conversation), place)
        # The same fields twice are two memories, and the same file again the same ones.
        same = conversation, *sorted(map(repr, {**common, **fields}.items()))
        said[same] += 1
        name = digest("line-1", conversation, list(same[1:]), said[same])[:16]
        yield _memory({**common, "memory_id": name, **fields}, conversation, place)


def _conversation(given: Any, place: str) -> str:
    from memfold.extract.filed import conversation

    if given is None:
        raise UserError(f'{place}: conversation is missing: give conversation="…"')
    try:
        return conversation(given)
    except UserError as error:
        raise UserError(f"{place}: {error}") from None


def _memory(fields: dict[str, Any], conversation: str, place: str) -> tuple[str, Memory]:
    from memfold.extract.filed import given

    return conversation, given(fields, place)


if __name__ == "__main__":
    main("remember", run)
