"""How fast the service answers: `python benchmarks/serve.py SOURCE…`, e.g. a conversation of BEAM.

Indexes the source into a fresh store by rules, starts `jobs/serve.py`, and asks the first conversation over HTTP from
this process, on one connection: `--probes` made-up questions in sequence that were not asked before, then the same
once more; as many new ones when nobody asked for `--idle` seconds; then `--at-once` new ones from as many threads. A
probe waits for the whole answer. Says probes a second (`new`, `repeated`, `after_idle`), the middle and the slowest
twentieth in ms, and of those at once how many got which status, and whether all came in JSON, 429 and 503 with
Retry-After. Words of questions are drawn from the conversation, seeded. Its last line on stdout is one JSON object.
Others on the machine make it slower: `load` is how many processes ran.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from harness import ROOT, keep

import memfold
from memfold.api import Store

ASKED = (
    "What did I decide about {0} and {1}?",
    "When did I first mention {0}?",
    "How many times did we talk about {0} with {1}?",
    "Which {0} did I choose for the {1}?",
    "What went wrong with {0} when I changed {1}?",
    "Why did I prefer {0} over {1}?",
)


class Answered(NamedTuple):
    status: int
    milliseconds: float
    is_told: bool  # in JSON, and a 429 or 503 says when to try again


def questions(store: Store, conversation_id: str, number: int, seed: int) -> list[str]:
    """Different questions about words that the conversation says."""
    said = " ".join(message.text for message in store.messages(conversation_id) if message.role == "user")
    words = sorted({word.lower() for word in re.findall(r"[A-Za-z]{5,}", said)})
    draw = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < number:
        found[draw.choice(ASKED).format(*draw.sample(words, 2))] = None
    return list(found)


def ask(connection: http.client.HTTPConnection, conversation_id: str, question: str) -> Answered:
    """One probe, from sending it to having its answer."""
    began = time.perf_counter()
    path = f"/v1/conversations/{quote(conversation_id, safe='')}/probe"
    connection.request("POST", path, json.dumps({"question": question}), {"Content-Type": "application/json"})
    response = connection.getresponse()
    body = response.read()
    took = 1e3 * (time.perf_counter() - began)
    in_json = response.getheader("Content-Type", "").startswith("application/json") and bool(json.loads(body))
    again = response.status not in (429, 503) or bool(response.getheader("Retry-After"))
    return Answered(response.status, took, in_json and again)


def percentile(times: list[float], share: float) -> float:
    return round(sorted(times)[min(int(share * len(times)), len(times) - 1)], 1)


def in_sequence(address: str, conversation_id: str, asked: list[str]) -> dict[str, float]:
    """Probes a second, p50 and p95 in ms."""
    connection = http.client.HTTPConnection(address, timeout=60)
    began = time.perf_counter()
    answered = [ask(connection, conversation_id, question) for question in asked]
    took = time.perf_counter() - began
    connection.close()
    if any(each.status != 200 for each in answered):
        raise SystemExit(f"not all were answered: {Counter(each.status for each in answered)}")
    times = [each.milliseconds for each in answered]
    return {
        "per_s": round(len(asked) / took, 1),
        "p50_ms": percentile(times, 0.5),
        "p95_ms": percentile(times, 0.95),
    }


def at_once(address: str, conversation_id: str, asked: list[str]) -> dict[str, Any]:
    """All at the same moment, each on a connection of its own."""

    def one(question: str) -> Answered:
        connection = http.client.HTTPConnection(address, timeout=60)
        try:
            return ask(connection, conversation_id, question)
        finally:
            connection.close()

    began = time.perf_counter()
    with ThreadPoolExecutor(len(asked)) as pool:
        answered = list(pool.map(one, asked))
    times = [each.milliseconds for each in answered]
    return {
        "statuses": {
            str(status): count for status, count in Counter(each.status for each in answered).items()
        },
        "all_s": round(time.perf_counter() - began, 2),
        "p50_ms": percentile(times, 0.5),
        "p95_ms": percentile(times, 0.95),
        "all_in_json": all(each.is_told for each in answered),
    }


def main() -> None:
    """Run it and keep the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--probes", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--idle", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rows = []
    for source in given.sources:
        with tempfile.TemporaryDirectory(prefix="memfold-serve-") as folder:
            jobs = [
                sys.executable,
                str(ROOT / "jobs" / "index.py"),
                f"source.path={source}",
                f"store.root={folder}/s",
            ]
            subprocess.run(jobs, check=True, stdout=subprocess.DEVNULL)
            store = memfold.open(f"{folder}/s")
            known = store.conversations()[0]
            asked = questions(store, known.conversation_id, 2 * given.probes + given.at_once, given.seed)
            command = [
                sys.executable,
                str(ROOT / "jobs" / "serve.py"),
                f"store.root={folder}/s",
                "serve.port=0",
            ]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
                try:
                    assert service.stdout is not None
                    address = urlsplit(json.loads(service.stdout.readline())["url"]).netloc
                    before = os.getloadavg()[0]
                    new = in_sequence(address, known.conversation_id, asked[: given.probes])
                    again = in_sequence(address, known.conversation_id, asked[: given.probes])
                    time.sleep(given.idle)
                    later = in_sequence(
                        address, known.conversation_id, asked[given.probes : 2 * given.probes]
                    )
                    together = at_once(address, known.conversation_id, asked[2 * given.probes :])
                finally:
                    service.terminate()
                    service.wait(60)
        row = {
            "source": "/".join(Path(source).parts[-2:]),
            "exchanges": known.exchanges,
            "tokens": known.tokens,
            "probes": given.probes,
            "new": new,
            "repeated": again,
            "after_idle": {"idle_s": given.idle, **later},
            "at_once": {"probes": given.at_once, **together},
            "load": round(before, 1),
        }
        print(json.dumps(row), flush=True)
        rows.append(row)
    keep("serve", rows)


if __name__ == "__main__":
    main()
