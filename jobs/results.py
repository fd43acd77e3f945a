"""The generations that are kept: list, measure, prune. `python jobs/results.py store.root=… [action=prune] […]`.

`action=list` prints a JSON line for each model and conversation: generations, tokens, bytes. `action=prune` with
at least one of `model=…`, `conversation=…`, `before=2026-01-31` removes what all of them hold for; run it while
nothing else writes the tenant's store. Pruned generations are paid for again where they are needed again.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial

from omegaconf import DictConfig

from memfold.config import build, main, verbatim
from memfold.errors import UserError
from memfold.llm.results import measure, prune


def run(config: DictConfig, words: dict[str, str]) -> None:
    location = build(config.store, "store")
    if config.action == "list":
        for row in measure(location):
            print(json.dumps(row, ensure_ascii=False))
        return
    if config.action != "prune":
        raise UserError(f"action={config.action} is unknown: use list or prune")
    if not words and config.before is None:
        raise UserError("prune needs model=…, conversation=… or before=…: name what to remove")
    try:
        before = None if config.before is None else datetime.fromisoformat(str(config.before))
    except ValueError:
        raise UserError(f"before={config.before} is no date: use 2026-01-31") from None
    if before is not None and before.tzinfo is None:
        before = before.replace(tzinfo=UTC)
    gone = prune(location, model=words.get("model"), conversation_id=words.get("conversation"), before=before)
    print(json.dumps({"pruned": gone}))


if __name__ == "__main__":
    main("results", partial(run, words=verbatim("model", "conversation")))
