"""Every engine, with the overrides by which a job is given it. A new engine is one line here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memfold.build import build
from memfold.config import load

# Its name, its class, what must be said of it, and whether it answers without anyone to ask.
ENGINES = [
    ("rules", "memfold.extract.engines.rules.Rules", [], True),
    ("openai", "memfold.llm.backends.openai.OpenAI", ["engine.model=m"], False),
    ("vllm", "memfold.llm.backends.vllm.Vllm", ["model=smollm2-135m"], False),
    ("recorded", "memfold.extract.engines.recorded.Recorded", ["engine.path={folder}/lines.jsonl"], True),
]


def configured(folder: Path, name: str, overrides: list[str]) -> Any:
    line = {"conversation_id": "c", "exchange": 0, "summary": "Ann has 30 euros for tea."}
    (folder / "lines.jsonl").write_text(json.dumps(line))
    chosen = [override.format(folder=folder) for override in overrides]
    return build(load("index", ["source=synthetic", f"engine={name}", *chosen]).engine, "engine")
