"""What tests of the engines that ask a model are given: conversations, an engine at an endpoint, a job with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from memfold.extract.engines.model import ModelEngine, engine
from memfold.llm.backends.openai import OpenAI
from memfold.llm.results import Results
from memfold.run.job import Job
from memfold.run.retry import failed, retry
from memfold.schema import Message, Window
from memfold.store.location import Location
from memfold.watch import Report
from support.given import job

MODEL = "simulated"


def openai(base_url: str, **settings: Any) -> OpenAI:
    """An engine that does not wait long: what it tests does not depend on how long that is. It asks about each exchange
    alone, so that requests are exchanges, where a test says nothing else."""
    quick = {"timeout_s": 30.0, "backoff_s": 0.01, "model": MODEL, "together": 1}
    return OpenAI(base_url=base_url, **{**quick, **settings})


def model(base_url: str, **settings: Any) -> ModelEngine:
    """An engine that keeps what it is answered to itself."""
    return ModelEngine(openai(base_url, **settings), Results(None, MODEL))


def asking(root: Path, items: Sequence[Message], base_url: str, **settings: Any) -> Job:
    """An index job that asks the endpoint."""
    made = engine(openai(base_url, **settings), Location(str(root)))
    return replace(job(root, items), engine=made)


def retried(job: Job) -> dict[str, object]:
    """What a retry of everything that failed returns."""
    return retry(job, Report(), failed(job.location))


def talk(exchanges: int, of: str = "c", **extra: str) -> list[Message]:
    """A conversation whose exchanges all differ and all hold something."""
    messages: list[Message] = []
    for i in range(exchanges):
        text = extra.get(
            f"at_{i}", f"I prefer tea number {i}. The budget of project {of}{i} is {1000 + i} euros."
        )
        messages.append(Message(of, "user", text, message_id=f"{2 * i}"))
        messages.append(Message(of, "assistant", f"Noted: project {of}{i}.", message_id=f"{2 * i + 1}"))
    return messages


def window(user: str, assistant: str = "Sure.", *, language: str = "en", exchange_id: int = 0) -> Window:
    said = (("user", user), ("assistant", assistant))
    return Window(
        "c", exchange_id, said, (), language, None, turn=exchange_id, hollow=not (user and assistant)
    )
