"""The root may be an object store's URL: the same job against a server that speaks S3."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import memfold
from memfold.config import load
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.run.watch import Report
from memfold.store.erase import check, erase

pytestmark = pytest.mark.slow


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an S3 server with one empty bucket, `memory`."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("moto_server")), "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(urllib.request.Request(f"{address}/memory", method="PUT")).close()
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait()


def test_index_query_and_erase_on_an_object_store(bucket: str, tmp_path: Path) -> None:
    options = {"endpoint": bucket, "allow_http": "true", "region": "us-east-1"}
    small = ["source=synthetic", "source.tokens=5000", "source.conversations=2"]
    opened = [f"+store.options.{name}='{value}'" for name, value in options.items()]
    there = index_job(load("index", [*small, "store.root=s3://memory/store", *opened]))
    here = index_job(load("index", [*small, f"store.root={tmp_path}"]))

    assert index(there, Report())["content_hash"] == index(here, Report())["content_hash"]
    assert index(there, Report())["snapshot"] == 1

    store = memfold.open("s3://memory/store", options=options)
    local = memfold.open(str(tmp_path))
    first, second = (c.conversation_id for c in store.conversations())
    question = "Who is in charge of the plan?"
    assert store.search(first, question) == local.search(first, question)

    erase(there.location, store.tables.all, first)
    check(there.location, store.tables.all, first)
    left = memfold.open("s3://memory/store", options=options)
    assert [c.conversation_id for c in left.conversations()] == [second]
    assert left.search(second, question) == local.search(second, question)


def test_what_a_model_wrote_is_kept_on_an_object_store(bucket: str) -> None:
    options = {"endpoint": bucket, "allow_http": "true", "region": "us-east-1"}
    opened = [f"+store.options.{name}='{value}'" for name, value in options.items()]
    with Endpoint() as endpoint:
        small = ["source=synthetic", "source.tokens=5000", "store.root=s3://memory/asked", *opened]
        asking = ["engine=openai", f"engine.base_url={endpoint.base_url}"]
        first = index_job(load("index", [*small, *asking]))
        done = index(first, Report())
        # Another configuration of the rest, so that everything is made anew and nothing asked anew.
        other = index_job(load("index", [*small, *asking, "store.tenant=other"]))
        again = index(replace(other, engine=index_job(load("index", [*small, *asking])).engine), Report())
        assert endpoint.seen.requests == done["exchanges"]
    assert again["content_hash"] == done["content_hash"]
