"""What memfold's own part of an LLM job costs, against simulated engines in a process of their own:
does it keep engines busy, how much CPU does it need, how long does the scratchpad take, what does growth cost.

    python benchmarks/pipeline.py busy --many DIR [DIR …] --one DIR [--engines 1 4 16] [--requests-per-s 50] [--notes N]
    python benchmarks/pipeline.py cpu DIR
    python benchmarks/pipeline.py seal DIR [--notes 90 180 360]
    python benchmarks/pipeline.py append DIR

DIR is one conversation of BEAM. `busy` indexes `--tokens` tokens out of many conversations (those of the folders, told
again under other ids, each copy with its number before every user message, so that no request is another's) and out
of one. What the engines write has up to `--notes` tokens of notes an exchange, as a model's has. An engine's pace is
that of the published Qwen2.5-32B-AWQ on an H200 (`Pace`); the clock is slowed or hastened so that all engines together
answer about `--requests-per-s`, which is what the cores of this machine are good for. Shares are of the time from the
first request to the last answer, ramp and tail included: `busy` with at least one request in hand (what a GPU's own
counter says), `occupancy` of all places in all batches; `of_full_rate` is how many requests a second were answered of
those that full engines would have. `late` says how far the simulator fell behind its clock, as a share of the places'
time: above a few per cent the machine was not quiet enough to tell.

`cpu` indexes one conversation, indexes it again by the rules that the simulator answers by, and then has bare clients
(httpx and aiohttp under asyncio, a client for each engine, equal concurrency) send exactly the same bodies to the same
simulator and read the answers, in turn. A job's CPU is its process's, all threads, from reading the source to the
sealed snapshot; embedding and the rules, which are engines, are measured by their threads' CPU clocks and taken out.
`indexing` is what the job by rules takes so: reading, counting tokens, terms, rows, sealing, hashes, which a client has
no part in. `asking` is what asking a model adds to it: prompts, requests, answers judged and kept.

`seal` measures the wall time of sealing a conversation's scratchpad, in the model's seconds: memfold's tree; a chain
of the same requests (notes gathered in order, condensed to 15K tokens whenever they pass 30K, one step after the
other; the lists of one step go out together, as they do in the tree); and, by the pace alone, the reference's chain,
each step of which writes 15K tokens. The notes are sentences of the conversation (sealing_cost.py), up to `--notes`
tokens of them an exchange. The simulator knew all answers before.

`append` indexes a conversation without its last hundredth, then the whole into the same store, and gives the model's
tokens of the second job as a share of those of the first, taken to the whole.
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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import aiohttp
import httpx
from harness import keep
from sealing_cost import Stored, Written, chain, extracted, items, volumes

from memfold.build import build
from memfold.config import load
from memfold.embed.contract import Embedder, Vectors
from memfold.embed.minilm import MiniLM
from memfold.evaluate.conversations import as_stored, asked_about, conversation
from memfold.evaluate.simulated.endpoint import Pace
from memfold.extract.contract import Before
from memfold.extract.engines.rules import Rules
from memfold.ingest.read import read
from memfold.layers.scratchpad.items import Item, Overfull, size, united
from memfold.layers.scratchpad.sealing import Sealing
from memfold.layers.scratchpad.tree import Scratchpad, Tree
from memfold.llm.asker import Asker
from memfold.llm.backends.openai import OpenAI
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.schema import Extraction, Message, Window
from memfold.text import tokens
from memfold.watch import Report

MODEL = "simulated"


# ----------------------------------------------------------------------------- what is indexed


@dataclass(frozen=True)
class Told:
    """Conversations of BEAM in order, told again under other ids until `length` tokens are reached (0: once), without
    the last `hundredths` of the messages of each."""

    folders: tuple[str, ...]
    length: int = 0
    hundredths: int = 0

    def messages(self) -> Iterator[Message]:
        once = [
            [replace(m, conversation_id=name) for m in read(Path(folder), "beam") if isinstance(m, Message)]
            for name, folder in ((f"{n}", folder) for n, folder in enumerate(self.folders))
        ]
        once = [messages[: len(messages) * (100 - self.hundredths) // 100] for messages in once]
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


def _again(message: Message, copy: int) -> Message:
    content = f"[{copy}]\n{message.content}" if message.role == "user" else message.content
    return replace(message, conversation_id=f"{message.conversation_id}-{copy}", content=content)


def bodies(source: Told, *overrides: str) -> list[bytes]:
    """The requests that extraction sends about a source, in order."""
    chosen = ("source=synthetic", "engine=openai", f"engine.model={MODEL}", *overrides)
    g = build(load("index", chosen).engine, "engine")
    return [
        compact(g.body(prompt))
        for _, said in groupby(source.messages(), key=lambda m: m.conversation_id)
        for _, prompt in asked_about(as_stored(said), g)
    ]


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
def simulator(engines: int, notes: int = 0) -> Iterator[Simulator]:
    command = [sys.executable, "-m", "memfold.evaluate.simulated.endpoint", "--engines", str(engines)]
    command += ["--port", "0", "--speed", "0"]
    command += ["--notes", str(notes)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Simulator(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()


# ----------------------------------------------------------------------------- who sends it


SPENT: list[float] = []


@contextmanager
def clocked() -> Iterator[None]:
    """The block's CPU time on this thread goes to `SPENT`."""
    began = time.thread_time()
    yield
    SPENT.append(time.thread_time() - began)


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
        with clocked():
            return self.embedder.encode(texts)


class ClockedRules(Rules):
    """The rules, whose calls leave the CPU time they took in `SPENT` too."""

    def extract(self, windows: Sequence[Window], before: Before | None = None) -> list[Extraction]:
        with clocked():
            return super().extract(windows, before)


def alone(work: Callable[..., Any], *arguments: object, **named: object) -> Any:
    """What `work` returns in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments, **named).result()


def indexed(
    source: Told,
    urls: Sequence[str],
    concurrency: int,
    *overrides: str,
    root: str = "",
    by_rules: bool = False,
) -> dict[str, Any]:
    """An index job, with the CPU seconds of this process and of its engines here; over new ground where no `root` is.
    `by_rules` it asks nobody and writes the same."""
    # The tokenizer's threads would be on nobody's clock.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with tempfile.TemporaryDirectory() as new:
        engine = ("engine=openai", f"engine.base_url='{' '.join(urls)}'", f"engine.model={MODEL}")
        settings = (*engine, f"engine.concurrency={concurrency}", f"store.root={root or new}", *overrides)
        config = load("index", ["source=synthetic", *settings])
        embedder = MiniLM(threads=1)
        embedder.encode(["The model is loaded."])
        job = replace(index_job(config), source=source, embedder=Clocked(embedder))
        if by_rules:
            job = replace(job, engine=ClockedRules(OpenAI.history_tokens, OpenAI.assistant_tokens))
        began = _cpu()
        done = index(job, Report())
        return {**done, "cpu_s": _cpu() - began, "engines_cpu_s": sum(SPENT)}


Post = Callable[[bytes], Awaitable[bytes]]
JSON = {"Content-Type": "application/json"}


@asynccontextmanager
async def _by_aiohttp(url: str, concurrency: int) -> AsyncIterator[Post]:
    connector = aiohttp.TCPConnector(limit=concurrency)
    async with aiohttp.ClientSession(connector=connector, headers=JSON) as client:

        async def post(body: bytes) -> bytes:
            async with client.post(f"{url}/chat/completions", data=body) as answer:
                return await answer.read()

        yield post


@asynccontextmanager
async def _by_httpx(url: str, concurrency: int) -> AsyncIterator[Post]:
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    async with httpx.AsyncClient(limits=limits, timeout=600, headers=JSON) as client:

        async def post(body: bytes) -> bytes:
            return (await client.post(f"{url}/chat/completions", content=body)).content

        yield post


CLIENTS = {"aiohttp": _by_aiohttp, "httpx": _by_httpx}


def compact(body: dict[str, Any]) -> bytes:
    """A body as the product writes it, by the standard library."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def sent(path: str, urls: Sequence[str], concurrency: int, library: str = "aiohttp") -> dict[str, Any]:
    """A bare client: the bodies of a file made into JSON and sent to the engines in turn, each answer read."""
    with Path(path).open("rb") as file:
        asked = [json.loads(line) for line in file]

    async def send() -> None:
        gate = asyncio.Semaphore(concurrency * len(urls))
        async with contextlib.AsyncExitStack() as stack:
            posts = [await stack.enter_async_context(CLIENTS[library](url, concurrency)) for url in urls]

            async def one(number: int, body: dict[str, Any]) -> None:
                async with gate:
                    answer = json.loads(await posts[number % len(urls)](compact(body)))
                    assert isinstance(answer["choices"][0]["message"]["content"], str)

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
        made = bodies(source, *options.overrides)
        with simulator(max(options.engines), options.notes) as engines, filed(made) as path:
            # Once at once: afterwards the simulator knows all answers, and has cores to spare for its clock.
            alone(sent, path, engines.urls[:1], 64)
            asked = engines.stats()
            for count in options.engines:
                pace = _pace(asked, count, options.requests_per_s)
                engines.pace(pace)
                load = os.getloadavg()[0]
                done = alone(indexed, source, engines.urls[:count], pace.batch, *options.overrides)
                yield {
                    "question": "busy",
                    "conversations": name,
                    "engines": count,
                    **(used := _used(engines.stats(), count, pace)),
                    "of_full_rate": round(used["requests"] / used["seconds"] / options.requests_per_s, 4),
                    "tokens": done["tokens"],
                    "exchanges": done["exchanges"],
                    "job_s": done["seconds"],
                    "cpu_s": round(done["cpu_s"], 1),
                    "embedding_cpu_s": round(done["engines_cpu_s"], 1),
                    "pace": asdict(pace),
                    "notes": options.notes,
                    "overrides": options.overrides,
                    "load_before": round(load, 2),
                }


def _pace(asked: dict[str, Any], engines: int, requests_per_s: float) -> Pace:
    """A clock by which full engines answer so many of the requests that were `asked` a second, together."""
    pace = Pace()
    reading = (asked["prompt_tokens"] - asked["cached_tokens"]) / pace.prefill
    writing = asked["completion_tokens"] / pace.together
    one = asked["requests"] / max(reading, writing)
    return replace(pace, speed=round(requests_per_s / (engines * one), 3))


def _used(stats: dict[str, Any], count: int, pace: Pace) -> dict[str, float]:
    """The engines' shares of the time from the first request to the last answer."""
    used = stats["engines"][:count]
    seconds = _span(used)
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


def _span(used: Sequence[dict[str, float]]) -> float:
    """Seconds from the first request to the last answer."""
    return max(use["last"] for use in used) - min(use["first"] for use in used if use["requests"])


def cpu(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    source = Told((options.folder,))
    made = bodies(source)
    with simulator(options.engines) as engines, filed(made) as path:
        alone(sent, path, engines.urls[:1], 64)
        pace = _pace(engines.stats(), options.engines, options.requests_per_s)
        for _ in range(options.rounds):
            load = os.getloadavg()[0]
            engines.pace(pace)
            done = alone(indexed, source, engines.urls, pace.batch, "layers.scratchpad.sealed_by=rules")
            asked = engines.stats()
            bare: dict[str, float] = {}
            for library in CLIENTS:
                engines.pace(pace)
                bare[library] = alone(sent, path, engines.urls, pace.batch, library)["cpu_s"]
                again = engines.stats()
                if any(asked[name] != again[name] for name in ("requests", "bodies", "said")):
                    raise SystemExit(f"the two did not send the same: {asked}, {again}")
            without = alone(indexed, source, engines.urls, pace.batch, by_rules=True)
            own = done["cpu_s"] - done["engines_cpu_s"]
            indexing = without["cpu_s"] - without["engines_cpu_s"]
            a_thousand = 1000 / done["exchanges"]
            spent = {"whole": own, "indexing": indexing, "asking": own - indexing}
            yield {
                "question": "cpu",
                "exchanges": done["exchanges"],
                "requests": asked["requests"],
                "engines": options.engines,
                **{f"{name}_cpu_s_per_1000": round(s * a_thousand, 3) for name, s in spent.items()},
                "embedding_cpu_s_per_1000": round(done["engines_cpu_s"] * a_thousand, 3),
                **{f"bare_{name}_cpu_s_per_1000": round(s * a_thousand, 3) for name, s in bare.items()},
                **{
                    f"{what}_over_bare_{name}": round(spent[what] / s, 3)
                    for what in ("whole", "asking")
                    for name, s in bare.items()
                },
                "seconds": done["seconds"],
                "pace": asdict(pace),
                "load_before": round(load, 2),
            }


def seal(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    messages = conversation(Path(options.folder))
    with simulator(options.engines) as engines:
        for most in options.notes:
            rows = extracted(messages, most)
            lengths = volumes(rows)
            written, pace = chain(lengths), Pace()
            row: dict[str, object] = {
                "question": "seal",
                "tokens": sum(message.tokens for message in messages),
                "notes_an_exchange": round(sum(lengths) / len(lengths), 1),
                "engines": options.engines,
                "reference_requests": written["requests"],
                "reference_tokens": written["prompt"] + written["completion"],
                "reference_s": round(written["prompt"] / pace.prefill + written["completion"] / pace.decode),
            }
            # A chain is long and needs little of this machine, so its clock may be hastened.
            for shape, speed in ((_tree, 1.0), (_chain, 8.0)):
                name = shape.__name__.strip("_")
                engines.pace(Pace())
                shape(rows, engines.urls)
                engines.pace(replace(pace, speed=speed))
                load, began = os.getloadavg()[0], time.monotonic()
                row[f"{name}_root_tokens"] = shape(rows, engines.urls)
                seconds, asked = time.monotonic() - began, engines.stats()
                row[f"{name}_s"] = round(seconds * speed, 1)
                row[f"{name}_engines_s"] = round(_span(asked["engines"]) * speed, 1)
                row[f"{name}_requests"] = asked["requests"]
                row[f"{name}_tokens"] = asked["prompt_tokens"] + asked["completion_tokens"]
                row[f"{name}_speed"], row[f"{name}_load_before"] = speed, round(load, 2)
            row["times_shorter"] = round(row["chain_s"] / row["tree_s"], 1)  # type: ignore[operator]
            row["of_chain_tokens"] = round(row["tree_tokens"] / row["chain_tokens"], 3)  # type: ignore[operator]
            row["of_reference_tokens"] = round(row["tree_tokens"] / row["reference_tokens"], 3)  # type: ignore[operator]
            yield row


def _sealing(urls: Sequence[str]) -> Sealing:
    # Nothing is kept: what is asked twice is paid for twice.
    asker = Asker(OpenAI(model=MODEL, base_url=" ".join(urls), timeout_s=3_600.0))
    return Sealing(asker, Scratchpad().full)


def _tree(rows: Written, urls: Sequence[str]) -> int:
    """Seal the notes by the tree; the tokens of its root."""
    sealing = _sealing(urls)
    root = Stored(rows).grow(Tree(Scratchpad(), sealing), rows.exchanges)
    sealing.asker.close()
    return size(root.items)


def _chain(rows: Written, urls: Sequence[str]) -> int:
    """Seal the notes one step after the other; the tokens of what is left."""
    sealing = _sealing(urls)
    held: tuple[Item, ...] = ()
    for of_exchange in items(rows):
        held = (*held, *of_exchange)
        if size(held) > Scratchpad().full:
            ((held, _),) = sealing([Overfull("c", 0, united(held), Scratchpad().tokens)])
    sealing.asker.close()
    return size(held)


def append(options: argparse.Namespace) -> Iterator[dict[str, object]]:
    with simulator(1) as engines, tempfile.TemporaryDirectory() as root:
        spent = []
        for source in (Told((options.folder,), hundredths=1), Told((options.folder,))):
            engines.pace(Pace())
            done = alone(indexed, source, engines.urls, 64, root=root)
            asked = engines.stats()
            spent.append((done, asked["requests"], asked["prompt_tokens"] + asked["completion_tokens"]))
        (before, first_requests, first), (after, requests, grown) = spent
        share = (after["tokens"] - before["tokens"]) / after["tokens"]
        yield {
            "question": "append",
            "tokens": after["tokens"],
            "appended": round(share, 5),
            "first_requests": first_requests,
            "requests": requests,
            "first_model_tokens": first,
            "model_tokens": grown,
            "of_indexing": round(grown / (first / (1 - share)), 5),
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
    one.add_argument("--notes", type=int, default=90)
    one.add_argument("--overrides", nargs="*", default=[], help="of the index job's configuration")
    one.set_defaults(ask=busy)
    two = questions.add_parser("cpu")
    two.add_argument("folder")
    two.add_argument("--engines", type=int, default=4)
    two.add_argument("--rounds", type=int, default=2)
    two.add_argument("--requests-per-s", type=float, default=50.0)
    two.set_defaults(ask=cpu)
    three = questions.add_parser("seal")
    three.add_argument("folder")
    three.add_argument("--notes", type=int, nargs="+", default=[90, 180, 360])
    three.add_argument("--engines", type=int, default=16)
    three.set_defaults(ask=seal)
    four = questions.add_parser("append")
    four.add_argument("folder")
    four.set_defaults(ask=append)
    options = parser.parse_args()
    for row in options.ask(options):
        print(json.dumps(row), flush=True)
        keep("pipeline", [row])


if __name__ == "__main__":
    main()
