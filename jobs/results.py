"""The generations that are kept: list, measure, prune. `python jobs/results.py store.root=… [action=prune] […]`.

`action=list` prints a JSON line for each model and conversation: generations, tokens, bytes. `action=prune` with
at least one of `model=…`, `conversation=…`, `before=2026-01-31` removes what all of them hold for; run it while
nothing else writes the tenant's store. Pruned generations are paid for again where they are needed again.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memfold.build import build
from memfold.entry import main
from memfold.errors import UserError

if TYPE_CHECKING:
    from omegaconf import DictConfig


def run(config: DictConfig) -> None:
    """List or prune what models wrote; print one JSON object per model and conversation, or one for what was pruned."""
    from memfold.llm.results import measure, prune
    from memfold.store.catalog import Catalog

    location = build(config.store, "store")
    Catalog(location).check()
    if config.action == "list":
        found = measure(location)
        for row in found:
            print(json.dumps(row, ensure_ascii=False))
        if not found:
            print(f"no answer of a model is kept under {location.root}", file=sys.stderr)
        return
    if config.action != "prune":
        raise UserError(f"action={config.action} is unknown: use list or prune")
    if config.model_ is None and config.conversation is None and config.before is None:
        raise UserError("prune needs model=…, conversation=… or before=…: name what to remove")
    before = None if config.before is None else day(config.before)
    gone = prune(location, model=config.model_, conversation_id=config.conversation, before=before)
    print(json.dumps({"pruned": gone}))


def day(text: str) -> datetime:
    """A date or time; UTC where it names no zone."""
    try:
        before = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(f"before={text} is no date: use 2026-01-31") from None
    return before if before.tzinfo else before.replace(tzinfo=UTC)


if __name__ == "__main__":
    main("results", run)
