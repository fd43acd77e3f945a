"""jobs/serve.py as a person runs it: over real HTTP it answers as the library does, and it leaves nothing behind."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

import psutil
import pytest

from memfold.api import Store
from memfold.context.readers.model import INSTRUCTIONS
from memfold.embed.minilm import MiniLM
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.evaluate.synthetic import Synthetic
from memfold.extract.engines.rules import Rules
from memfold.ingest.source import Files
from memfold.layers.episodic import Episodic
from memfold.layers.scratchpad.tree import Scratchpad
from memfold.run.executor import Local
from memfold.run.index import index
from memfold.run.job import Job, Source
from memfold.serve.newest import Reading
from memfold.store.location import Location
from memfold.watch import Report

ROOT = Path(__file__).resolve().parents[2]
CONFIG = {
    "embedder": {"_target_": "memfold.embed.minilm.MiniLM"},
    "layers": {
        "episodic": {"_target_": "memfold.layers.episodic.Episodic"},
        "scratchpad": {"_target_": "memfold.layers.scratchpad.tree.Scratchpad"},
    },
}
AWKWARD = "a/b?c#d%2F é/probe 会话\n.."

pytestmark = pytest.mark.slow


def fold(root: Path, source: Source) -> None:
    config = json.dumps(CONFIG)
    index(
        Job(
            source,
            Location(str(root)),
            Rules(),
            MiniLM(),
            Local(),
            {"episodic": Episodic(), "scratchpad": Scratchpad()},
            config,
        ),
        Report(),
    )


def talk(path: Path, conversation_id: str) -> Files:
    messages = [
        {"role": "user", "content": "My cat is called Mia."},
        {"role": "assistant", "content": "A fine name."},
    ]
    path.write_text(json.dumps({"conversation_id": conversation_id, "messages": messages}) + "\n")
    return Files(str(path), "auto")


def command(root: Path, *overrides: str) -> list[str]:
    return [sys.executable, str(ROOT / "jobs" / "serve.py"), f"store.root={root}", "serve.port=0", *overrides]


@dataclass(frozen=True)
class Service:
    """A running service, asked over HTTP."""

    address: tuple[str, int]

    def call(self, method: str, path: str, body: bytes | None = None) -> tuple[int, dict[str, object]]:
        connection = http.client.HTTPConnection(*self.address, timeout=60)
        try:
            connection.request(method, path, body)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def probe(self, conversation_id: str, **fields: object) -> tuple[int, dict[str, object]]:
        path = f"/v1/conversations/{quote(conversation_id, safe='')}/probe"
        return self.call("POST", path, json.dumps(fields).encode())

    def raw(self, request: bytes) -> bytes:
        """The first bytes of the response to bytes that are left standing as a request."""
        with socket.create_connection(self.address, timeout=60) as connection:
            connection.sendall(request)
            return connection.recv(1000)


@contextmanager
def running(root: Path, stop: signal.Signals, *overrides: str) -> Iterator[Service]:
    """The service until the block ends; then it is stopped, and whatever it leaves behind fails the test."""
    with subprocess.Popen(
        command(root, *overrides), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        started: list[psutil.Process] = []
        try:
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            started = psutil.Process(process.pid).children(recursive=True)
            assert any("raylet" in child.name() for child in started)
            url = urlsplit(json.loads(line)["url"])
            assert url.hostname is not None
            assert url.port is not None
            yield Service((url.hostname, url.port))
        finally:
            process.send_signal(stop)
            rest, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert rest == ""
    assert "graceful_shutdown" not in errors
    assert [child for child in started if child.is_running()] == []


def questions() -> list[tuple[str, str]]:
    return [
        (probe.conversation_id, probe.question)
        for probe in Synthetic(tokens=20_000, conversations=2).probes()
    ]


def same(got: dict[str, object], store: Store, conversation_id: str, question: str) -> None:
    want, hits = store.ask(conversation_id, question), store.search(conversation_id, question)
    assert got["answer"] == want.text
    assert got["citations"] == [
        {"exchange_id": c.exchange_id, "message_ids": list(c.message_ids), "quote": c.quote, "day": c.day}
        for c in want.citations
    ]
    assert isinstance(got["hits"], list)
    assert [(h["exchange_id"], h["message_ids"], h["text"]) for h in got["hits"]] == [
        (h.exchange_id, list(h.message_ids), h.text) for h in hits
    ]
    assert [h["score"] for h in got["hits"]] == pytest.approx([h.score for h in hits], abs=1e-4)
    assert got["snapshot"] == store.snapshot.number


def test_it_answers_as_the_library_does_and_leaves_no_process(tmp_path: Path) -> None:
    root = tmp_path / "store"
    fold(root, Synthetic(tokens=20_000, conversations=2))
    with running(root, signal.SIGTERM, "serve.timeout_s=10", "serve.waiting=4") as service:
        store = Reading(Location(str(root))).open()
        asked = questions()
        assert len(asked) >= 10
        for conversation_id, question in asked[:40]:
            status, got = service.probe(conversation_id, question=question)
            assert status == 200, got
            same(got, store, conversation_id, question)

        # A snapshot sealed while it runs, of a conversation with an awkward id.
        fold(root, talk(tmp_path / "talk.jsonl", AWKWARD))
        status, listed = service.call("GET", "/v1/conversations")
        assert (status, listed["snapshot"]) == (200, 2)
        assert isinstance(listed["conversations"], list)
        assert AWKWARD in [known["conversation_id"] for known in listed["conversations"]]
        status, got = service.probe(AWKWARD, question="What is my cat called?")
        assert status == 200, got
        same(got, Reading(Location(str(root))).open(), AWKWARD, "What is my cat called?")

        first, question = asked[0]
        assert service.probe("nobody", question="x")[0] == 404
        assert service.probe(first, question=" ")[0] == 422
        assert service.probe(first, question="x", budget=-1)[0] == 422
        assert service.probe(first, question="x", tenant="other")[0] == 422
        path = f"/v1/conversations/{quote(first, safe='')}/probe"
        assert service.call("POST", path, b"{")[0] == 400
        assert service.call("POST", path, b" " * 70_000)[0] == 413
        assert service.call("GET", path)[0] == 405

        # A body that never arrives, from a caller who asks Ray Serve for no time limit.
        lines = [
            f"POST {path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Length: 9",
            "X-Request-Timeout-Seconds: 0",
        ]
        assert b" 408 " in service.raw("\r\n".join([*lines, "", "{"]).encode())

        # More at once than may wait: each is answered or told to come back.
        with ThreadPoolExecutor(50) as callers:
            statuses = list(callers.map(lambda _: burst(service, path, question), range(100)))
        assert set(statuses) <= {200, 429}
        assert 200 in statuses


def burst(service: Service, path: str, question: str) -> int:
    """The status of one of many; whatever it is, the answer is JSON, and a refusal says when to come back."""
    connection = http.client.HTTPConnection(*service.address, timeout=60)
    connection.request("POST", path, json.dumps({"question": question}).encode())
    response = connection.getresponse()
    body = json.loads(response.read())
    connection.close()
    assert response.status == 200 or (response.headers["Retry-After"] == "1" and "error" in body)
    return response.status


@pytest.mark.parametrize("begun", ["raylet", "ServeController"])
def test_it_can_be_stopped_while_it_starts(tmp_path: Path, begun: str) -> None:
    fold(tmp_path / "store", talk(tmp_path / "talk.jsonl", "pets"))
    with subprocess.Popen(
        command(tmp_path / "store"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        started: list[psutil.Process] = []
        while process.poll() is None and not any(begun in name(child) for child in started):
            time.sleep(0.05)
            started = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGTERM)
        rest, errors = process.communicate(timeout=60)
    assert (process.returncode, rest) == (0, ""), errors
    assert [child for child in started if child.is_running()] == []


def name(process: psutil.Process) -> str:
    try:
        return " ".join([process.name(), *process.cmdline()])
    except psutil.NoSuchProcess:
        return ""


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["serve.host=0.0.0.0"], "serve.host=0.0.0.0 is not a loopback address"),
        (["serve.waiting=0"], "serve.waiting"),
        (["store.root=nowhere"], "nothing is sealed under nowhere"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(tmp_path: Path, overrides: list[str], said: str) -> None:
    done = subprocess.run(
        command(tmp_path, *overrides), capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_model_answers_in_the_service(tmp_path: Path) -> None:
    root = tmp_path / "store"
    fold(root, talk(tmp_path / "talk.jsonl", "pets"))
    written = {"lines": [0], "found": True, "contradiction": [], "answer": "Mia."}
    with Endpoint(answers={INSTRUCTIONS: lambda _: json.dumps(written)}) as endpoint:
        asked = [
            "reader=model",
            "engine=openai",
            f"engine.base_url={endpoint.base_url}",
            "engine.model=simulated",
        ]
        with running(root, signal.SIGINT, *asked) as service, ThreadPoolExecutor(8) as callers:
            questions = [f"What is my cat called? {i}" for i in range(8)]
            answers = list(callers.map(lambda question: service.probe("pets", question=question), questions))
            assert [(status, got["answer"]) for status, got in answers] == [(200, "Mia. [0]")] * 8
            endpoint.up = False
            status, got = service.probe("pets", question="What is my cat called?")
            assert status == 200
            assert got["answer"] == "Quoted from this conversation:\n- “My cat is called Mia.” [0]"
            assert isinstance(got["usage"], dict)
            assert got["usage"]["fallback"] == 1
