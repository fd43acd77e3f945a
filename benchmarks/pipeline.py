"""What memfold's own part of an LLM job costs, against simulated engines (simulated_endpoint.py, in a process of its
own): does it keep engines busy, how much CPU does it need, how long does the scratchpad take, what does growth cost.

    python benchmarks/pipeline.py busy --many DIR [DIR …] --one DIR [--engines 1 4 16] [--requests-per-s 50]
    python benchmarks/pipeline.py cpu DIR

DIR is one conversation of BEAM. `busy` indexes `--tokens` tokens out of many conversations (those of the folders, told
again under other ids, each copy with its number before every user message, so that no request is another's) and out
of one. An engine's pace is that of the published Qwen2.5-32B-AWQ on an H200 (`Pace`); the clock is slowed or hastened
so that all engines together answer about `--requests-per-s`, which is what the cores of this machine are good for:
with 16 engines at full speed it would be 160. Shares are of the time from the first request to the last answer, ramp
and tail included: `busy` with at least one request in hand (what a GPU's own counter says), `occupancy` of all places
in all batches. `late` says how far the simulator fell behind its clock, as a share of the places' time: above a few
per cent the machine was not quiet enough to tell.

`cpu` indexes one conversation and then has a bare client (httpx under asyncio, a client for each engine, equal
concurrency) send exactly the same bodies to the same simulator and read the answers, in turn. The index job's CPU is
its process's, all threads, from reading the source to the sealed snapshot; embedding, which is an engine too, is
measured by its threads' CPU clocks and taken out.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
from harness import keep
from simulated_endpoint import Pace

from memfold import tokens
from memfold.config import load
from memfold.digest import digest
from memfold.embed.contract import Embedder, Vectors
from memfold.embed.minilm import MiniLM
from memfold.extract import prompts
from memfold.extract.engines.openai import OpenAI
from memfold.extract.nothing import holds_nothing
from memfold.ingest import read
from memfold.run.fold import stored
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.run.plan import identify, place
from memfold.run.watch import Report
from memfold.schema import DeadLetter, Message
from memfold.windows import windows

MODEL = "simulated"


# ----------------------------------------------------------------------------- what is indexed


@dataclass(frozen=True)
class Told:
    """Conversations of BEAM in order, told again under other ids until `length` tokens are reached (0: once)."""

    folders: tuple[str, ...]
    length: int = 0

    def messages(self) -> Iterator[Message]:
        once = [
            [replace(m, conversation_id=name) for m in read(Path(folder), "beam") if isinstance(m, Message)]
            for name, folder in ((f"{n}", folder) for n, folder in enumerate(self.folders))
        ]
        said, copy = 0, 0
        while True:
            for messages in once:
                yield from messages if not copy else (_again(m, copy) for m in messages)
                said += sum(tokens.count(m.content) for m in messages) if self.length else 0
                if said >= self.length > 0:
                    return
            copy += 1
            if not self.length:
                return

    def fingerprint(self) -> str:
        return digest("told-1", self.folders, self.length)


def _again(message: Message, copy: int) -> Message:
    content = f"[{copy}]\n{message.content}" if message.role == "user" else message.content
    return replace(message, conversation_id=f"{message.conversation_id}-{copy}", content=content)


def bodies(source: Told) -> list[bytes]:
    """The requests that extraction sends about a source, in order."""
    g = OpenAI(model=MODEL, base_url="http://none")
    made: list[bytes] = []
    for _, said in groupby(source.messages(), key=lambda m: m.conversation_id):
        messages = [stored(item) for item in place(identify(said, _refuse))]
        for window in windows(
            messages, (), history_tokens=g.history_tokens, assistant_tokens=g.assistant_tokens
        ):
            prompt = prompts.ask(window)
            if prompt is not None and not holds_nothing(window):
                made.append(httpx.Request("POST", "http://none", json=g.body(prompt)).content)
    return made


def _refuse(letter: DeadLetter) -> None:
    raise SystemExit(f"{letter.place}: {letter.reason}")


# ----------------------------------------------------------------------------- what it is sent to


class Simulator:
    """Simulated engines in a process of their own."""

    def __init__(self, urls: str) -> None:
        self.urls = urls.split()
        self._root = self.urls[0].removesuffix("/v1")

    def pace(self, pace: Pace) -> None:
        """Set the pace; counters begin anew."""
        self._call("/pace", json.dumps(asdict(pace)).encode())

    def stats(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._call("/stats"))
        return found

    def _call(self, path: str, body: bytes | None = None) -> bytes:
        with urllib.request.urlopen(self._root + path, body, timeout=60) as answer:
            return bytes(answer.read())


@contextmanager
def simulator(engines: int) -> Iterator[Simulator]:
    script = Path(__file__).with_name("simulated_endpoint.py")
    command = [sys.executable, str(script), "--engines", str(engines), "--port", "0", "--speed", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Simulator(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


# ----------------------------------------------------------------------------- who sends it


@dataclass(frozen=True)
class Clocked:
    """An embedder whose calls leave the CPU time they took in `SPENT`."""

    embedder: Embedder

    @property
    def signature(self) -> str:
        return self.embedder.signature

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def encode(self, texts: Sequence[str]) -> Vectors:
        began = time.thread_time()
        made = self.embedder.encode(texts)
        SPENT.append(time.thread_time() - began)
        return made


SPENT: list[float] = []


def alone(work: Callable[..., Any], *arguments: object) -> Any:
    """What `work` returns in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def indexed(source: Told, urls: Sequence[str], concurrency: int, *overrides: str) -> dict[str, Any]:
    """An index job over new ground, with the CPU seconds of this process and of the embedder."""
    # The tokenizer's threads would be on nobody's clock.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with tempfile.TemporaryDirectory() as root:
        engine = ("engine=openai", f"engine.base_url='{' '.join(urls)}'", f"engine.model={MODEL}")
        settings = (*engine, f"engine.concurrency={concurrency}", f"store.root={root}", *overrides)
        config = load("index", ["source=synthetic", *settings])
        embedder = MiniLM(threads=1)
        embedder.encode(["The model is loaded."])
        job = replace(index_job(config, source), embedder=Clocked(embedder))
        began = _cpu()
        done = index(job, Report())
        return {**done, "cpu_s": _cpu() - began, "embedding_cpu_s": sum(SPENT)}


def sent(path: str, urls: Sequence[str], concurrency: int) -> dict[str, Any]:
    """A bare client: the bodies of a file sent to the engines in turn, each answer read."""
    with Path(path).open("rb") as file:
        asked = [json.loads(line) for line in file]

    async def send() -> None:
        async with contextlib.AsyncExitStack() as stack:
            limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
            clients = [
                await stack.enter_async_context(httpx.AsyncClient(timeout=600, limits=limits)) for _ in urls
            ]
            gate = asyncio.Semaphore(concurrency * len(urls))

            async def one(number: int, body: dict[str, Any]) -> None:
                engine = number % len(urls)
                async with gate:
                    answer = await clients[engine].post(f"{urls[engine]}/chat/completions", json=body)
                    said = answer.json()["choices"][0]["message"]["content"]
                    assert isinstance(said, str)

            await asyncio.gather(*(one(number, body) for number, body in enumerate(asked)))

    began, started = _cpu(), time.monotonic()
    asyncio.run(send())
    return {"cpu_s": _cpu() - began, "seconds": time.monotonic() - started}


def _cpu() -> float:
    spent = resource.getrusage(resource.RUSAGE_SELF)
    return spent.ru_utime + spent.ru_stime


@contextmanager
def filed(made: Sequence[bytes]) -> Iterator[str]:
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(b"\n".join(made))
        file.flush()
        yield file.name


# ----------------------------------------------------------------------------- the questions


def busy(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    sources = {"one": Told((options.one,))} if options.one else {}
    if options.many:
        sources["many"] = Told(tuple(options.many), options.tokens)
    for name, source in sources.items():
        made = bodies(source)
        with simulator(max(options.engines)) as engines, filed(made) as path:
            # Once at once: afterwards the simulator knows all answers, and has cores to spare for its clock.
            alone(sent, path, engines.urls[:1], 64)
            stats = engines.stats()
            each = 1 / len(made)
            unread = (stats["prompt_tokens"] - stats["cached_tokens"]) * each
            pace = Pace()
            full = min(pace.prefill / unread, pace.together / (stats["completion_tokens"] * each))
            for count in options.engines:
                speed = round(options.requests_per_s / (count * full), 3)
                engines.pace(replace(pace, speed=speed))
                load = os.getloadavg()[0]
                done = alone(indexed, source, engines.urls[:count], pace.batch, *options.overrides)
                yield {
                    "question": "busy",
                    "conversations": name,
                    "engines": count,
                    **_used(engines.stats(), count, pace),
                    "tokens": done["tokens"],
                    "exchanges": done["exchanges"],
                    "job_s": done["seconds"],
                    "cpu_s": round(done["cpu_s"], 1),
                    "embedding_cpu_s": round(done["embedding_cpu_s"], 1),
                    "pace": {**asdict(pace), "speed": speed},
                    "overrides": options.overrides,
                    "load_before": round(load, 2),
                }


def _used(stats: dict[str, Any], count: int, pace: Pace) -> dict[str, object]:
    """The engines' shares of the time from the first request to the last answer."""
    used = stats["engines"][:count]
    first = min((use["first"] for use in used if use["first"]), default=0.0)
    seconds = max(use["last"] for use in used) - first
    shares = [use["busy_s"] / seconds for use in used]
    places = [use["places_s"] / seconds / pace.batch for use in used]
    return {
        "busy": round(sum(shares) / count, 4),
        "busy_least": round(min(shares), 4),
        "occupancy": round(sum(places) / count, 4),
        "occupancy_least": round(min(places), 4),
        "late": round(sum(use["late_s"] for use in used) / sum(use["places_s"] for use in used), 4),
        "seconds": round(seconds, 2),
        "requests": stats["requests"],
        "cached_share": round(stats["cached_tokens"] / stats["prompt_tokens"], 3),
    }


def cpu(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    source = Told((options.folder,))
    made = bodies(source)
    with simulator(options.engines) as engines, filed(made) as path:
        alone(sent, path, engines.urls[:1], options.concurrency)
        for _ in range(options.rounds):
            load = os.getloadavg()[0]
            engines.pace(Pace())
            done = alone(
                indexed, source, engines.urls, options.concurrency, "layers.scratchpad.sealed_by=rules"
            )
            asked = engines.stats()
            engines.pace(Pace())
            bare = alone(sent, path, engines.urls, options.concurrency)
            again = engines.stats()
            if (asked["requests"], asked["bodies"]) != (again["requests"], again["bodies"]):
                raise SystemExit(f"the two did not send the same: {asked}, {again}")
            a_thousand = 1000 / done["exchanges"]
            own = done["cpu_s"] - done["embedding_cpu_s"]
            yield {
                "question": "cpu",
                "exchanges": done["exchanges"],
                "requests": asked["requests"],
                "engines": options.engines,
                "concurrency": options.concurrency,
                "cpu_s_per_1000": round(own * a_thousand, 3),
                "embedding_cpu_s_per_1000": round(done["embedding_cpu_s"] * a_thousand, 3),
                "bare_cpu_s_per_1000": round(bare["cpu_s"] * a_thousand, 3),
                "ratio": round(own / bare["cpu_s"], 3),
                "seconds": done["seconds"],
                "bare_seconds": round(bare["seconds"], 2),
                "load_before": round(load, 2),
            }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    questions = parser.add_subparsers(required=True)
    one = questions.add_parser("busy")
    one.add_argument("--many", nargs="+", default=[])
    one.add_argument("--one")
    one.add_argument("--tokens", type=int, default=10_000_000)
    one.add_argument("--engines", type=int, nargs="+", default=[1, 4, 16])
    one.add_argument("--requests-per-s", type=float, default=50.0)
    one.add_argument("--overrides", nargs="*", default=[], help="of the index job's configuration")
    one.set_defaults(ask=busy)
    two = questions.add_parser("cpu")
    two.add_argument("folder")
    two.add_argument("--engines", type=int, default=1)
    two.add_argument("--concurrency", type=int, default=64)
    two.add_argument("--rounds", type=int, default=2)
    two.set_defaults(ask=cpu)
    options = parser.parse_args()
    for row in options.ask(options):
        print(json.dumps(row), flush=True)
        keep("pipeline", [row])


if __name__ == "__main__":
    main()
