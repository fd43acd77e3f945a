"""OpenAI-compatible engines without a model: real HTTP, a model's pace, seeded faults, engines that die.

    python -m memfold.evaluate.simulated.endpoint [--engines 16] [--port N] [--faults 0.2] [--seed N] [--speed 1]
                                                  [--notes 90]

prints the base_urls of its engines on one line. It reads the exchanges out of memfold's request and answers with
what the rules make of each, and with notes of up to `notes` tokens of its own sentences (rules write a tenth of what a
model does), so an answer depends on the request alone; what else is asked is answered by the functions
in `answers`. What one request is answered is made once, for all engines, because this shares its cores with what is
measured against it.

Its clock is scaled: `speed` seconds of the model pass in one of ours. The pace is that of one engine: prompts are
read one after the other, tokens come for a whole batch at once and the slower the fuller it is, blocks of a prompt
that were seen before cost nothing. `GET /stats` says how busy each engine was, `POST /pace` with a pace as JSON sets
another and begins anew.

A fault is drawn for an exchange by what its user says, so that the same exchanges fail in every run, whatever
order they come in and whichever engine they meet; some fail once, some twice, some for ever. A request about several
meets the fault of the first that has one. Besides those in
`FAULTS` there is `status_401` for any status. A fault is one request's; `die` is an engine's: all its connections
are lost at once, new ones refused for a while, its cache is gone.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import heapq
import json
import random
import re
import socket
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, reduce
from operator import xor
from typing import Any

import orjson

from memfold.evaluate.simulated.answers import seal_answer, sentence_notes
from memfold.extract.engines.rules import Rules
from memfold.extract.prompts import INSTRUCTIONS
from memfold.layers.scratchpad import sealing
from memfold.schema import ROLES, Extraction, Note, Role, Window
from memfold.text import tokens

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
# What some of them write about each exchange.
WRONG: dict[str, dict[str, object]] = {
    "wrong_schema": {"exchange": 1, "facts": "none", "summary": 7, "notes": [{"kind": "rumour"}]},
    "repetition": {"exchange": 1, "facts": [], "summary": "and so on " * 120, "notes": []},
}
# How often a faulty exchange fails before it is answered; the last stands for "always".
TIMES = (1, 1, 1, 2, 1_000_000)
BLOCK = 16
TRICKLE = 16

Messages = Sequence[Mapping[str, str]]


@dataclass(frozen=True)
class Pace:
    """Tokens a second: `prefill` of all prompts together, `decode` of a sequence that is alone, `together` of a full
    batch of `batch` sequences. A step of the batch takes a constant and something for each sequence.

    The defaults are Qwen2.5-32B in four bits: 741 per second on an H200 and 52 for one sequence on an A100 are
    published; how fast it reads is of the right order. `cache` is the prefix cache's size in blocks of
    16 tokens. `speed` 0 answers at once.
    """

    prefill: float = 8_000.0
    decode: float = 52.0
    together: float = 741.0
    batch: int = 64
    cache: int = 20_000
    speed: float = 0.0

    def rate(self, sequences: int) -> float:
        """Tokens of each sequence in one of our seconds."""
        more = (self.batch / self.together - 1 / self.decode) / max(1, self.batch - 1)
        return self.speed / (1 / self.decode + max(0.0, more) * (sequences - 1))


@dataclass
class Seen:
    """What came in and went out, at all engines. `faulted` holds the user's words of each exchange that met a
    fault of its own, `bodies` how often each request came; `lost` requests were being answered when an engine died."""

    requests: int = 0
    answered: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    deaths: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    faulted: set[str] = field(default_factory=set)
    bodies: Counter[bytes] = field(default_factory=Counter)


@dataclass
class Use:
    """How busy an engine was, in seconds of ours: with at least one request in hand, and in taken places of its batch
    (one place for a second is 1). `late_s` is how much later than the model's clock would have it answers were given,
    in sum: this process not getting its share of a core. `first` and `last` are the moments of the first request and
    the last answer."""

    requests: int = 0
    busy_s: float = 0.0
    places_s: float = 0.0
    late_s: float = 0.0
    first: float = 0.0
    last: float = 0.0


@dataclass(frozen=True)
class _Answer:
    """What a request is answered, but for how much of it is cached; what is `said` in each of its exchanges decides its
    fault."""

    said: tuple[str, ...]
    text: str
    reason: str
    model: str
    prompt: int
    completion: int
    blocks: list[int]

    @cached_property
    def around(self) -> tuple[bytes, bytes]:
        """The body of the response, before and after the number of cached tokens."""
        message = {"role": "assistant", "content": self.text}
        usage = {
            "prompt_tokens": self.prompt,
            "completion_tokens": self.completion,
            "total_tokens": self.prompt + self.completion,
            "prompt_tokens_details": {"cached_tokens": "CACHED"},
        }
        whole = {
            "id": "simulated",
            "object": "chat.completion",
            "model": self.model,
            "choices": [{"index": 0, "finish_reason": self.reason, "message": message}],
            "usage": usage,
        }
        head, _, tail = orjson.dumps(whole).rpartition(b'"CACHED"')
        return head, tail


class Endpoint:
    """Engines on ports of their own, for as long as the block lasts: `with Endpoint() as endpoint: …`.

    `base_url` holds their addresses, with spaces between them. `answers` has functions for requests other than
    extraction, by the text of their first message; given the messages, they return what the model writes.
    """

    def __init__(
        self,
        pace: Pace | None = None,
        *,
        engines: int = 1,
        answers: Mapping[str, Callable[[Messages], str]] | None = None,
        notes: int = 0,
        faults: float = 0.0,
        kinds: tuple[str, ...] = FAULTS,
        times: tuple[int, ...] = TIMES,
        seed: int = 0,
        stall_s: float = 30.0,
        port: int = 0,
    ) -> None:
        self.pace = pace or Pace()
        self.seen = Seen()
        self.stall_s = stall_s
        self._answers = dict(answers or {})
        self._notes = notes
        self._faults, self._kinds, self._times, self._seed = faults, kinds, times, seed
        self._failed: Counter[str] = Counter()
        self._made: dict[bytes, _Answer | None] = {}
        self.engines = [SimulatedEngine(self, port + i if port else 0) for i in range(engines)]
        self.base_url = " ".join(engine.base_url for engine in self.engines)

    def __enter__(self) -> Endpoint:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._now(self.open())
        return self

    def __exit__(self, *_: object) -> None:
        self._now(self.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _now(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def open(self) -> None:
        """Have every engine listen at its port."""
        for engine in self.engines:
            await engine.listen()

    async def close(self) -> None:
        """Cut all connections and close the ports."""
        for engine in self.engines:
            engine.fall()
            engine.held.close()
        # The connections that were cut are let go of in the loop's next round.
        await asyncio.sleep(0)

    @property
    def up(self) -> bool:
        """Whether all engines take requests; set to False, they lose theirs and refuse more until it is True again."""
        return all(engine.listening for engine in self.engines)

    @up.setter
    def up(self, up: bool) -> None:
        """Start all engines, or stop them and cut their connections."""

        async def change() -> None:
            for engine in self.engines:
                if not up:
                    engine.fall()
                elif not engine.listening:
                    await engine.listen()

        self._now(change())

    def die(self, engine: int = 0, *, after: int = 0, down_s: float = 0.5) -> None:
        """Let one engine die when `after` more requests have come to it, for `down_s` seconds. Any thread."""

        async def plan() -> None:
            self.engines[engine].deaths.append((self.engines[engine].use.requests + after, down_s))

        self._now(plan())

    def stats(self) -> dict[str, Any]:
        """Counters of all engines and the use of each, up to this moment; `now` and the moments are of the
        machine's monotonic clock, `cpu_s` is this process's."""
        for engine in self.engines:
            engine.tick()
        counts = {name: value for name, value in vars(self.seen).items() if isinstance(value, int)}
        return {
            **counts,
            "bodies": len(self.seen.bodies),
            # Equal for equal requests, in whatever order they came.
            "said": reduce(xor, (int.from_bytes(name) for name in self.seen.bodies), 0).to_bytes(16).hex(),
            "engines": [asdict(engine.use) for engine in self.engines],
            "now": time.monotonic(),
            "cpu_s": time.process_time(),
        }

    def repace(self, pace: Pace) -> None:
        """Another pace, with counters and prefix caches as at the beginning. Only while nothing is under way."""
        self.pace, self.seen = pace, Seen()
        for engine in self.engines:
            engine.use = Use()
            engine.blocks.clear()

    # ------------------------------------------------------------------- what is answered

    def answer(self, body: bytes) -> tuple[_Answer | None, str | None]:
        """What a request is answered and the fault it meets; no answer where it is no request that is known."""
        name = hashlib.blake2b(body, digest_size=16).digest()
        self.seen.requests += 1
        self.seen.bodies[name] += 1
        if name not in self._made:
            self._made[name] = self._make(body)
        made = self._made[name]
        return made, self._fault(made.said) if made is not None and self._faults else None

    def _make(self, body: bytes) -> _Answer | None:
        try:
            asked = orjson.loads(body)
            model, messages = str(asked["model"]), asked["messages"]
            contents = [str(message["content"]) for message in messages]
            written = self._answers.get(contents[0])
        except (ValueError, LookupError, TypeError):
            return None
        said: tuple[str, ...]
        if written is not None:
            said, text = (contents[-1],), written(messages)
        elif contents[0] == INSTRUCTIONS and (seen := read(contents[-1])) is not None:
            said, text = tuple(map(_said, seen)), answer([self._noted(window) for window in seen])
        else:
            return None
        ids = [token for content in contents for token in tokens.encode(content)]
        blocks: list[int] = []
        for place in range(0, len(ids) - BLOCK + 1, BLOCK):
            blocks.append(hash((blocks[-1] if blocks else 0, *ids[place : place + BLOCK])))
        length, most = tokens.count(text), int(asked.get("max_tokens") or 1 << 30)
        reason = "stop" if length <= most else "length"
        if length > most:
            text, length = text[: len(text) * most // length], most
        return _Answer(said, text, reason, model, len(ids), length, blocks)

    def _noted(self, window: Window) -> Extraction:
        (made,) = Rules().extract([window])
        sentences = sentence_notes([text for _, text in window.messages], self._notes) if self._notes else []
        return replace(made, notes=(*made.notes, *(Note(kind=x["kind"], text=x["text"]) for x in sentences)))

    def _fault(self, exchanges: Sequence[str]) -> str | None:
        for said in exchanges:
            draw = random.Random(f"{self._seed}\n{said}")
            if draw.random() >= self._faults:
                continue
            kind, times = draw.choice(self._kinds), draw.choice(self._times)
            if self._failed[said] < times:
                self._failed[said] += 1
                self.seen.faulted.add(said)
                self.seen.faults[kind] += 1
                return kind
        return None


@dataclass(eq=False)
class _Request:
    """A request in hand: waiting for a place (`reading` None), or with one."""

    connection: _Connection
    made: _Answer
    cached: int = 0
    ends: float = 0.0
    reading: asyncio.TimerHandle | None = None

    def __lt__(self, other: _Request) -> bool:
        return self.ends < other.ends


class SimulatedEngine:
    """One engine: its port, its connections, its batch and its cache. For one event loop."""

    def __init__(self, endpoint: Endpoint, port: int) -> None:
        self.endpoint = endpoint
        self.use = Use()
        self.blocks: OrderedDict[int, None] = OrderedDict()
        # (number of the request at which it dies, for how long)
        self.deaths: list[tuple[int, float]] = []
        self.connections: set[_Connection] = set()
        # Bound and never listening: it keeps the port while the engine is down.
        self.held = _bound(port)
        self.port = self.held.getsockname()[1]
        self.base_url = f"http://127.0.0.1:{self.port}/v1"
        self._server: asyncio.Server | None = None
        self._waiting: deque[_Request] = deque()
        self._taken = 0
        self._ticked = 0.0
        # When the last prompt is read; the sequences that are being written, by where each ends on a clock that counts
        # the tokens every one of them has had; that clock, when it was right, and when the next sequence ends.
        self._read_until = 0.0
        self._writing: list[_Request] = []
        self._written = 0.0
        self._written_at = 0.0
        self._next: asyncio.TimerHandle | None = None

    @property
    def listening(self) -> bool:
        """Whether the engine accepts connections."""
        return self._server is not None

    async def listen(self) -> None:
        """Accept connections at its port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), sock=_bound(self.port))

    def fall(self) -> None:
        """Lose all connections and refuse new ones."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for connection in list(self.connections):
            connection.cut()
        self.blocks.clear()
        self._read_until = 0.0

    def _die(self, down_s: float) -> None:
        self.endpoint.seen.deaths += 1
        self.endpoint.seen.lost += self._taken + len(self._waiting)
        self.fall()
        loop = asyncio.get_running_loop()

        def wake() -> None:
            # Held for as long as it runs by the loop alone, so by a name of ours too.
            self._waking = loop.create_task(self.listen())

        loop.call_later(down_s, wake)

    def tick(self) -> None:
        """Account for the time since the last change."""
        now = time.monotonic()
        past, self._ticked = now - self._ticked, now
        if self._taken:
            self.use.busy_s += past
            self.use.places_s += past * self._taken

    def request(self, connection: _Connection, body: bytes) -> None:
        """Take in one request; the answer goes to `connection` once it has been written."""
        endpoint, use = self.endpoint, self.use
        use.requests += 1
        use.first = use.first or time.monotonic()
        if self.deaths and use.requests > self.deaths[0][0]:
            self._die(self.deaths.pop(0)[1])
            return
        made, fault = endpoint.answer(body)
        if made is None:
            connection.respond(400, b'{"error": {"message": "not a request of memfold\'s"}}')
        elif fault is not None:
            self._fail(connection, made, fault)
        elif not endpoint.pace.speed:
            self._answered(connection, made, self._cached(made))
        else:
            connection.request = asked = _Request(connection, made)
            if self._taken < endpoint.pace.batch:
                self._start(asked)
            else:
                self._waiting.append(asked)

    def _start(self, asked: _Request) -> None:
        """Give a request a place; its prompt is read after those before it."""
        self.tick()
        self._taken += 1
        asked.cached = self._cached(asked.made)
        pace, now = self.endpoint.pace, time.monotonic()
        reading = (asked.made.prompt - asked.cached) / pace.prefill / pace.speed
        self._read_until = due = max(now, self._read_until) + reading

        def read() -> None:
            self.use.late_s += time.monotonic() - due
            self._step()
            asked.ends = self._written + asked.made.completion
            heapq.heappush(self._writing, asked)
            self._plan()

        asked.reading = asyncio.get_running_loop().call_later(due - now, read)

    def _step(self) -> None:
        """Write on until now, and answer what is finished."""
        now = time.monotonic()
        if self._writing:
            self._written += (now - self._written_at) * self.endpoint.pace.rate(len(self._writing))
        self._written_at = now
        while self._writing and self._writing[0].ends <= self._written + 1e-6:
            asked = heapq.heappop(self._writing)
            late = (self._written - asked.ends) / self.endpoint.pace.rate(len(self._writing) + 1)
            self.use.late_s += late
            self._left(asked)
            self._answered(asked.connection, asked.made, asked.cached)

    def _plan(self) -> None:
        """Wake up when the next sequence ends."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if self._writing:
            rest = (self._writing[0].ends - self._written) / self.endpoint.pace.rate(len(self._writing))
            self._next = asyncio.get_running_loop().call_later(rest, self._wake)

    def _wake(self) -> None:
        self._step()
        self._plan()

    def give_up(self, asked: _Request) -> None:
        """Nobody waits for the request any more."""
        if asked in self._waiting:
            self._waiting.remove(asked)
        elif asked.reading is not None:
            asked.reading.cancel()
            if asked in self._writing:
                self._step()  # the request may end here and leave the list
            if asked in self._writing:
                self._writing.remove(asked)
                heapq.heapify(self._writing)
                self._plan()
            self._left(asked)

    def _left(self, asked: _Request) -> None:
        """The request leaves its place to the next that waits."""
        if asked.reading is None:
            return
        self.tick()
        asked.reading = asked.connection.request = None
        self._taken -= 1
        if self._waiting and self._taken < self.endpoint.pace.batch:
            self._start(self._waiting.popleft())

    def _answered(self, connection: _Connection, made: _Answer, cached: int) -> None:
        seen = self.endpoint.seen
        seen.answered += 1
        seen.prompt_tokens += made.prompt
        seen.cached_tokens += cached
        seen.completion_tokens += made.completion
        self.use.last = time.monotonic()
        head, tail = made.around
        connection.respond(200, b"%b%d%b" % (head, cached, tail))

    def _fail(self, connection: _Connection, made: _Answer, fault: str) -> None:
        endpoint = self.endpoint
        loop = asyncio.get_running_loop()
        text, reason = made.text, "stop"
        if fault in ("dropped", "crash"):
            # One answers nothing, the other stops half-way.
            if fault == "crash":
                connection.respond(200, b'{"choices": [', length=1000)
            connection.transport.close()
        elif fault in ("error_500", "error_429"):
            connection.respond(
                int(fault[-3:]), b'{"error": {"message": "simulated"}}', "Retry-After: 0.05\r\n"
            )
        elif fault.startswith("status_"):
            connection.respond(int(fault.removeprefix("status_")), b'{"error": {"message": "simulated"}}')
        elif fault == "timeout":
            loop.call_later(endpoint.stall_s, connection.cut)
        elif fault == "slow":
            # Byte after byte, never ending within anyone's patience.
            connection.respond(200, b"", length=1000)
            for place in range(TRICKLE):
                loop.call_later(endpoint.stall_s * place / TRICKLE, connection.write, b" ")
            loop.call_later(endpoint.stall_s, connection.cut)
        else:
            if fault == "truncated":
                text, reason = text[: len(text) // 2], "length"
            elif fault in WRONG:
                text = json.dumps({"exchanges": [WRONG[fault]] * len(made.said)})
            else:
                raise ValueError(f"there is no fault {fault!r}")
            wrong = replace(made, text=text, reason=reason, completion=tokens.count(text))
            self._answered(connection, wrong, self._cached(wrong))

    def _cached(self, made: _Answer) -> int:
        """How many tokens of a prompt's beginning are in the prefix cache; puts the rest there."""
        held, hits, running = self.blocks, 0, True
        for name in made.blocks:
            if name in held:
                hits += running
                held.move_to_end(name)
            else:
                running = False
                held[name] = None
        while len(held) > self.endpoint.pace.cache:
            held.popitem(last=False)
        return hits * BLOCK


class _Connection(asyncio.Protocol):
    """One connection: requests one after the other, as clients of HTTP/1.1 send them. No bodies in chunks."""

    transport: asyncio.Transport

    def __init__(self, engine: SimulatedEngine) -> None:
        self._engine = engine
        self._buffer = bytearray()
        self.request: _Request | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._engine.connections.add(self)

    def connection_lost(self, _: Exception | None) -> None:
        self._engine.connections.discard(self)
        if self.request is not None:
            self._engine.give_up(self.request)

    def cut(self) -> None:
        """End the connection at once, whatever is under way on it."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take the bytes in, and answer a request once it is there whole."""
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._buffer[:end])
        length = _LENGTH.search(head)
        size = int(length[1]) if length else 0
        if len(self._buffer) < end + 4 + size:
            return
        body = bytes(self._buffer[end + 4 : end + 4 + size])
        del self._buffer[: end + 4 + size]
        asked = head.split(b"\r\n", 1)[0].rpartition(b" ")[0].decode(errors="replace")
        # Whom a proxy is to ask is part of the path (RFC 9112, 3.2.2); it is this endpoint, whoever is meant.
        self._route(re.sub(" http://[^/]*", " ", asked), body)

    def _route(self, asked: str, body: bytes) -> None:
        engine = self._engine
        if asked == "POST /v1/chat/completions":
            engine.request(self, body)
        elif asked == "GET /stats":
            self.respond(200, orjson.dumps(engine.endpoint.stats()))
        elif asked == "POST /pace":
            engine.endpoint.repace(Pace(**orjson.loads(body)))
            self.respond(200, b"{}")
        else:
            self.respond(404, b'{"error": {"message": "not found"}}')

    def write(self, data: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(data)

    def respond(self, status: int, body: bytes, more: str = "", length: int | None = None) -> None:
        """A response with `body`, or its beginning where it is said to have another `length`."""
        size = len(body) if length is None else length
        head = (
            f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {size}\r\n{more}\r\n"
        )
        self.write(head.encode() + body)


_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def _bound(port: int) -> socket.socket:
    """A socket at a port that others of this process may share."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind(("127.0.0.1", port))
    return made


def _said(window: Window) -> str:
    return "\n".join(text for role, text in window.messages if role == "user")


def read(content: str) -> list[Window] | None:
    """The exchanges in a request of memfold's: the lines behind its marks. None if it is none."""
    lines = content.split("\n")
    mark = lines[0].split(" ")[0]
    found: list[list[tuple[Role, str]]] = []
    part = ""
    for line in lines:
        if line.startswith(f"{mark} "):
            word, _, number = line.removeprefix(f"{mark} ").split(",")[0].partition(" ")
            if word in ROLES:
                if part == "exchange":
                    found[-1].append((word, ""))
            elif part == "end":
                return None
            else:
                part = word
                if part == "exchange":
                    found.append([])
                    if number != str(len(found)):
                        return None
        elif part == "exchange" and found[-1]:
            role, text = found[-1][-1]
            found[-1][-1] = (role, f"{text}\n{line}" if text else line)
    if part != "end":
        return None
    return [Window("", 0, tuple(messages), (), "und", None) for messages in found]


def answer(exchanges: Sequence[Extraction]) -> str:
    """Extractions as a model writes them."""
    entries = [_entry(number, made) for number, made in enumerate(exchanges, start=1)]
    return json.dumps({"exchanges": entries}, ensure_ascii=False)


def _entry(number: int, made: Extraction) -> dict[str, object]:
    notes = [
        {
            name: value
            for name in ("kind", "text", "about", "reason", "date", "polarity")
            if (value := getattr(note, name)) is not None
        }
        for note in made.notes[:4]
    ]
    facts = [[fact.key, fact.value] for fact in made.facts[:8]]
    return {"exchange": number, "facts": facts, "notes": notes, "summary": made.summary or "-"}


async def _serve(endpoint: Endpoint) -> None:
    await endpoint.open()
    print(endpoint.base_url, flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Serve the engines until the process is interrupted; print their addresses on one line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engines", type=int, default=1)
    parser.add_argument("--port", type=int, default=8000, help="of the first engine; 0 for any")
    parser.add_argument("--faults", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--speed", type=float, default=1.0)
    parser.add_argument("--notes", type=int, default=0)
    chosen = parser.parse_args()
    pace = Pace(speed=chosen.speed)
    endpoint = Endpoint(
        pace,
        engines=chosen.engines,
        answers={sealing.INSTRUCTIONS: seal_answer},
        notes=chosen.notes,
        faults=chosen.faults,
        seed=chosen.seed,
        port=chosen.port,
    )
    asyncio.run(_serve(endpoint))


if __name__ == "__main__":
    main()
