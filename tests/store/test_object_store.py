"""The root may be an object store's URL: the same job against a server that speaks S3."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import memfold
from memfold import UserError
from memfold.config import load
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.run.index import index
from memfold.run.job import Job, index_job
from memfold.store.catalog import Catalog
from memfold.store.erase import check, erase
from memfold.store.location import Location
from memfold.store.maintain import maintain
from memfold.store.tables import names
from memfold.store.verify import verify
from memfold.watch import Report
from support.filling import ROWS, SEGMENTS, fill, table
from support.given import Given, chat
from support.proxy import LOST, Proxy, proxied

pytestmark = pytest.mark.slow


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """What the S3 server says: a line a request."""
    return tmp_path / "requests"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, log: Path) -> Iterator[str]:
    """The address of an S3 server with one empty bucket, `memory`."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).with_name("moto_server")), "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as said:
        server = subprocess.Popen(command, stdout=said, stderr=said)
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


OPTIONS = {"allow_http": "true", "region": "us-east-1"}


def composed(root: str, address: str | None, *words: str) -> Job:
    """An index job as it is composed for a root, on the object store at an address or here."""
    options = {"endpoint": address, **OPTIONS} if address else {}
    named = [f"+store.options.{name}='{value}'" for name, value in options.items()]
    return index_job(load("index", ["source=synthetic", *words, f"store.root={root}", *named]))


@pytest.fixture
def proxy(bucket: str) -> Iterator[Proxy]:
    """A proxy to the server."""
    with proxied(bucket) as proxy:
        yield proxy


@pytest.mark.parametrize("status", [403, 404])
def test_an_erasure_that_may_delete_no_object_is_not_complete(
    bucket: str, proxy: Proxy, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lance goes on where an object cannot be deleted, and the text would stay there. A server that does not know how
    to delete many at once answers as if they were gone."""
    root = "s3://memory/store"
    index(composed(root, bucket, "source.tokens=2000", "source.conversations=2"), Report())
    there, refused = (Location(root, options={"endpoint": at, **OPTIONS}) for at in (bucket, proxy.address))
    name = memfold.open(root, options=there.options).conversations()[0].conversation_id
    monkeypatch.setattr("memfold.store.upkeep.PAUSES_S", ())
    proxy.becomes = lambda method, path, _: (
        status if method == "DELETE" or (method == "POST" and "delete" in path) else None
    )
    with pytest.raises(UserError, match=r"files of table .* cannot be deleted and .*right to delete"):
        erase(refused, name)
    assert not check(there, name).complete  # no table shows a row of it, and its files are there
    assert erase(there, name).complete
    assert check(there, name).complete


@pytest.mark.parametrize("table", ["conversations", "snapshots"])
def test_a_seal_whose_answer_is_lost_is_not_there_twice(bucket: str, proxy: Proxy, table: str) -> None:
    root = "s3://memory/conflicts"  # Lance says the word where an outcome is unknown, and a URL may hold it
    index(composed(root, bucket, "source.tokens=2000", "source.conversations=1"), Report())
    lost: list[str] = []

    def becomes(method: str, path: str, headers: dict[str, str]) -> int | None:
        """The first commit of the table is carried out, and whoever looks whether it was is turned away."""
        if method == "PUT" and not lost and f"/{table}.lance/_versions/" in path:
            lost.append(path)
            return LOST
        if method == "HEAD" and path in lost and len(lost) < 4:
            lost.append(path)
            return 403
        return None

    proxy.becomes = becomes
    done = index(composed(root, proxy.address, "source.tokens=2000", "source.conversations=2"), Report())
    assert len(lost) == 4
    there = Location(root, options={"endpoint": bucket, **OPTIONS})
    store = memfold.open(root, options=there.options)
    assert [each.conversation_id for each in store.conversations()] == ["synthetic-0-0", "synthetic-0-1"]
    assert store.verify() == done["content_hash"]
    assert maintain(there, keep=1).running == 0


def test_a_bucket_that_may_not_be_listed_is_named(proxy: Proxy) -> None:
    proxy.becomes = lambda *_: 403
    with pytest.raises(UserError, match=r"store\.root=s3://memory/store cannot be reached .*status: 403"):
        names(Location("s3://memory/store", options={"endpoint": proxy.address, **OPTIONS}))


def test_index_append_query_maintain_and_erase_on_an_object_store(bucket: str, tmp_path: Path) -> None:
    root, options = "s3://memory/store", {"endpoint": bucket, **OPTIONS}
    small = ("source.tokens=5000", "source.conversations=2")
    there, here = composed(root, bucket, *small), composed(str(tmp_path), None, *small)
    assert index(there, Report())["content_hash"] == index(here, Report())["content_hash"]
    assert index(there, Report())["snapshot"] == 1

    store, local = memfold.open(root, options=options), memfold.open(str(tmp_path))
    assert store.verify() == local.snapshot.content_hash
    first, second = (c.conversation_id for c in store.conversations())
    question = "Who is in charge of the plan?"
    assert store.search(first, question) == local.search(first, question)

    # Appended: the conversation grows, and as of the message it ended with it is what it was.
    before = list(store.messages(first))
    more = Given(tuple(replace(m, message_id=f"new-{m.message_id}") for m in chat(70, first)))
    for job in (there, here):
        index(replace(job, source=more), Report())
    grown, also = memfold.open(root, options=options), memfold.open(str(tmp_path))
    assert grown.verify() == also.verify() != store.snapshot.content_hash
    assert len(list(grown.messages(first))) == len(before) + 140
    last = before[-1].message_id
    then, same = (memfold.open(r, as_of=last, options=o) for r, o in ((root, options), (str(tmp_path), None)))
    assert list(then.messages(first)) == before
    assert then.search(first, question) == same.search(first, question)
    assert list(memfold.open(root, as_of=1, options=options).messages(first)) == before

    # Maintained: what only older snapshots show goes. All tables are found, by listing them.
    assert (
        set(names(there.location)) == set(names(here.location)) >= {"messages", "snapshots", "jobs", "made"}
    )
    done, counted = (maintain(job.location, keep=1, unsealed_days=0) for job in (there, here))
    assert done.collected == counted.collected
    assert done.collected["messages"] > 0
    assert memfold.open(root, options=options).verify() == grown.snapshot.content_hash

    erase(there.location, first)
    check(there.location, first)
    left = memfold.open(root, options=options)
    assert [c.conversation_id for c in left.conversations()] == [second]
    assert left.verify() == left.snapshot.content_hash
    here_too = memfold.open(str(tmp_path))
    assert left.search(second, question) == here_too.search(second, question)
    with pytest.raises(memfold.UserError, match="nothing is sealed"):
        memfold.open("s3://memory/nothing", options=options)
    with pytest.raises(
        memfold.UserError, match=r"tenant 'default' of the store s3://memory/store: set store\.root="
    ):
        memfold.open(f"{root}/default", options=options)


def test_what_a_model_wrote_is_kept_on_an_object_store(bucket: str) -> None:
    with Endpoint() as endpoint:
        words = ["source.tokens=5000", "engine=openai", f"engine.base_url={endpoint.base_url}"]
        first = composed("s3://memory/asked", bucket, *words)
        done = index(first, Report())
        # Another tenant, so that everything is made anew, with the same generations, so that nothing is asked anew.
        other = composed("s3://memory/asked", bucket, *words, "store.tenant=other")
        again = index(replace(other, engine=composed("s3://memory/asked", bucket, *words).engine), Report())
        assert endpoint.seen.requests == done["exchanges"]
    assert again["content_hash"] == done["content_hash"]


def requests(log: Path) -> int:
    """How many requests the server has answered, once it has said so of all of them."""
    before, now = -1, 0
    while before != now:
        time.sleep(0.3)
        before, now = now, log.read_text().count("HTTP/1.1")
    return now


def test_a_store_on_an_object_store_grows_and_writers_at_once_lose_nothing(bucket: str, log: Path) -> None:
    """What `benchmarks/store.py` measures, small and in requests: reading and inserting one more take as many in a
    store of eight times the conversations."""
    location = Location("s3://memory/grown", options={"endpoint": bucket, **OPTIONS})
    costs = []
    for first, last in ((0, 2), (2, 16)):
        names = [f"c{n}" for n in range(first, last)]
        parts = fill(location, names, tending=5)
        opened = table(location)
        opened.take([parts[0][0]])
        begun = requests(log)
        rows = opened.take([parts[-1][-1]])
        read = requests(log)
        assert opened.commit(opened.write(rows))
        costs.append((read - begun, requests(log) - read))
    (few_read, few_insert), (many_read, many_insert) = costs
    assert 0 < many_read <= few_read + 2
    assert 0 < many_insert <= few_insert + 2

    share = [[f"c{n}" for n in range(first, first + 4)] for first in (16, 18)]  # two are the other's too
    with ThreadPoolExecutor(len(share)) as pool:
        list(pool.map(lambda each: fill(location, each, tending=3), share))
    catalog = Catalog(location)
    shown = {each.conversation_id: each.messages for each in catalog.stream(catalog.at())}
    assert shown == {f"c{n}": SEGMENTS * ROWS for n in range(22)}
    maintain(location, keep=1, unsealed_days=0)
    sealed = catalog.at().newest
    assert sealed is not None
    assert verify(location, catalog.at()) == sealed.content_hash
    assert table(location).count() == 22 * SEGMENTS * ROWS
