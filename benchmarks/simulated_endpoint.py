"""An OpenAI-compatible endpoint without a model: real HTTP, a model's pace, and seeded faults.

    python benchmarks/simulated_endpoint.py [--port N] [--faults 0.2] [--seed N] [--speed 100]

It reads the exchange out of memfold's request and answers with what the rules make of it, so an answer depends on
the request alone. Its clock is scaled: `speed` seconds of the model pass in one of ours. The pace is that of one
engine: prompts are read one after the other, tokens come for a whole batch at once, blocks of a prompt that were
seen before cost nothing.

A fault is drawn for an exchange by what its user says, so that the same exchanges fail in every run, whatever
order they come in; some fail once, some twice, some for ever. Besides those in `FAULTS` there is `status_401` for
any status.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import socket
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from memfold import tokens
from memfold.extract.engines.rules import Rules
from memfold.extract.prompts import INSTRUCTIONS
from memfold.schema import ROLES, Extraction, Role, Window

FAULTS = (
    "error_500",
    "error_429",
    "timeout",
    "dropped",
    "truncated",
    "wrong_schema",
    "repetition",
    "slow",
    "crash",
)
# How often a faulty exchange fails before it is answered; the last stands for "always".
TIMES = (1, 1, 1, 2, 1_000_000)
BLOCK = 16
CRASHED_S = 0.2


@dataclass(frozen=True)
class Pace:
    """Tokens a second: `prefill` of all prompts together, `decode` of one sequence; at most `batch` at once.

    The defaults are of the order of a 32B model in four bits on one large GPU. `cache` is the prefix cache's size
    in blocks of 16 tokens. `speed` 0 answers at once.
    """

    prefill: float = 8_000.0
    decode: float = 30.0
    batch: int = 64
    cache: int = 20_000
    speed: float = 0.0


@dataclass
class Seen:
    """What came in and went out. `faulted` holds the user's words of each exchange that met a fault."""

    requests: int = 0
    answered: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    faulted: set[str] = field(default_factory=set)
    bodies: Counter[str] = field(default_factory=Counter)


class Endpoint:
    """A server in a thread of its own, for as long as the block lasts: `with Endpoint() as endpoint: …`."""

    def __init__(
        self,
        pace: Pace | None = None,
        *,
        faults: float = 0.0,
        kinds: tuple[str, ...] = FAULTS,
        times: tuple[int, ...] = TIMES,
        seed: int = 0,
        stall_s: float = 30.0,
        port: int = 0,
    ) -> None:
        self.pace = pace or Pace()
        self.seen = Seen()
        self.up = True
        self._faults, self._kinds, self._times, self._seed, self._stall = faults, kinds, times, seed, stall_s
        self._port = port
        self._failed: Counter[str] = Counter()
        self._blocks: OrderedDict[bytes, None] = OrderedDict()
        self._down_until = 0.0

    def __enter__(self) -> Endpoint:
        app = Starlette(routes=[Route("/v1/chat/completions", self._answer, methods=["POST"])])
        listening = socket.create_server(("127.0.0.1", self._port))
        self.base_url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        config = uvicorn.Config(
            app, log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()

    async def _answer(self, request: Request) -> Response:
        body = await request.json()
        seen = self.seen
        seen.requests += 1
        prompt = [message["content"] for message in body["messages"]]
        seen.bodies[hashlib.sha256(json.dumps(prompt).encode()).hexdigest()] += 1
        window = read(prompt[-1]) if prompt[0] == INSTRUCTIONS else None
        if window is None:
            return JSONResponse({"error": {"message": "not a request of memfold's"}}, 400)
        if not self.up or time.monotonic() < self._down_until:
            seen.faulted.add(_said(window))
            return _Dropped()
        (made,) = Rules().extract([window])
        text = answer(made)
        fault = self._fault(window)
        if fault in ("error_500", "error_429", "dropped", "crash"):
            if fault == "crash":
                self._down_until = time.monotonic() + CRASHED_S
                self._blocks.clear()
            return _refusal(fault)
        if fault and fault.startswith("status_"):
            return JSONResponse({"error": {"message": "simulated"}}, int(fault.removeprefix("status_")))
        if fault == "timeout":
            await asyncio.sleep(self._stall)
            return _Dropped()
        reason = "stop"
        if fault == "truncated":
            text, reason = text[: len(text) // 2], "length"
        elif fault == "wrong_schema":
            text = json.dumps({"facts": "none", "summary": 7, "notes": [{"kind": "rumour"}]})
        elif fault == "repetition":
            text = json.dumps({"facts": [], "summary": "and so on " * 120, "notes": []})
        usage = await self._pace(prompt, text)
        seen.answered += 1
        answered = {
            "id": "simulated",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": text}}
            ],
            "usage": usage,
        }
        if fault == "slow":
            return StreamingResponse(
                self._trickle(json.dumps(answered).encode()), media_type="application/json"
            )
        return JSONResponse(answered)

    async def _trickle(self, content: bytes) -> AsyncIterator[bytes]:
        """An answer that comes byte after byte and never ends within anyone's patience."""
        for place in range(16):
            yield content[place : place + 1]
            await asyncio.sleep(self._stall / 16)

    def _fault(self, window: Window) -> str | None:
        said = _said(window)
        draw = random.Random(f"{self._seed}\n{said}")
        if draw.random() >= self._faults:
            return None
        kind, times = draw.choice(self._kinds), draw.choice(self._times)
        if self._failed[said] >= times:
            return None
        self._failed[said] += 1
        self.seen.faulted.add(said)
        self.seen.faults[kind] += 1
        return kind

    async def _pace(self, prompt: list[str], text: str) -> dict[str, Any]:
        """Waits as long as a model would take; returns the usage."""
        ids = [
            token for content in prompt for token in tokens._encoding().encode(content, disallowed_special=())
        ]
        cached = self._cached(ids)
        completion = tokens.count(text)
        seen = self.seen
        seen.prompt_tokens += len(ids)
        seen.cached_tokens += cached
        seen.completion_tokens += completion
        if self.pace.speed:
            if not hasattr(self, "_batch"):
                self._batch, self._prefill = asyncio.Semaphore(self.pace.batch), asyncio.Lock()
            async with self._batch:
                async with self._prefill:
                    await asyncio.sleep((len(ids) - cached) / self.pace.prefill / self.pace.speed)
                await asyncio.sleep(completion / self.pace.decode / self.pace.speed)
        return {
            "prompt_tokens": len(ids),
            "completion_tokens": completion,
            "total_tokens": len(ids) + completion,
            "prompt_tokens_details": {"cached_tokens": cached},
        }

    def _cached(self, ids: list[int]) -> int:
        """How many tokens of a prompt's beginning are in the prefix cache; puts the rest there."""
        name, hits, running = b"", 0, True
        for place in range(0, len(ids) - BLOCK + 1, BLOCK):
            name = hashlib.blake2b(name + str(ids[place : place + BLOCK]).encode(), digest_size=16).digest()
            running = running and name in self._blocks
            hits += running
            self._blocks[name] = None
            self._blocks.move_to_end(name)
        while len(self._blocks) > self.pace.cache:
            self._blocks.popitem(last=False)
        return hits * BLOCK


class _Dropped(Response):
    """A connection that ends in the middle of an answer."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"1000")]})
        await send({"type": "http.response.body", "body": b'{"choices": [', "more_body": False})


def _said(window: Window) -> str:
    return "\n".join(text for role, text in window.messages if role == "user")


def _refusal(fault: str) -> Response:
    if fault == "error_500":
        return JSONResponse({"error": {"message": "simulated"}}, 500)
    if fault == "error_429":
        return JSONResponse({"error": {"message": "simulated"}}, 429, {"Retry-After": "0.05"})
    return _Dropped()


def read(content: str) -> Window | None:
    """The exchange in a request of memfold's: the lines behind its marks. None if it is none."""
    lines = content.split("\n")
    mark = lines[0].split(" ")[0]
    messages: list[tuple[Role, str]] = []
    part = ""
    for line in lines:
        if line.startswith(f"{mark} "):
            word = line.removeprefix(f"{mark} ").split(",")[0]
            if word in ROLES:
                if part == "exchange":
                    messages.append((word, ""))  # type: ignore[arg-type]
            elif part == "end":
                return None
            else:
                part = word
        elif part == "exchange" and messages:
            role, text = messages[-1]
            messages[-1] = (role, f"{text}\n{line}" if text else line)
    if part != "end":
        return None
    return Window("", 0, tuple(messages), (), "und", None)


def answer(made: Extraction) -> str:
    """An extraction as a model writes it."""
    notes = [
        {
            name: value
            for name in ("kind", "text", "about", "reason", "date", "polarity")
            if (value := getattr(note, name)) is not None
        }
        for note in made.notes[:12]
    ]
    facts = [[fact.key, fact.value] for fact in made.facts[:16]]
    return json.dumps({"facts": facts, "summary": made.summary or "-", "notes": notes}, ensure_ascii=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--faults", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--speed", type=float, default=1.0)
    chosen = parser.parse_args()
    pace = Pace(speed=chosen.speed)
    with Endpoint(pace, faults=chosen.faults, seed=chosen.seed, port=chosen.port) as endpoint:
        print(endpoint.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
