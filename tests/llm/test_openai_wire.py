"""What may come over the wire, or from the environment, instead of an answer: none of it ends a job in a traceback."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memfold.errors import UserError
from memfold.extract.contract import FALLBACK
from memfold.extract.engines.model import ModelEngine
from memfold.llm.backends import openai as backend
from memfold.llm.results import Results, generations
from memfold.schema import Extraction
from memfold.store.location import Location
from support.asked import MODEL, openai, window

SAID = window("The budget of the garden is 5000 euros.")
ENTRY = {
    "exchange": 1,
    "facts": [["budget of the garden", "5000 euros"]],
    "summary": "The garden.",
    "notes": [],
}
SOUND = json.dumps({"exchanges": [ENTRY]})


@contextmanager
def server(status: int, body: bytes) -> Iterator[str]:
    """Somebody who gives every request the same answer."""

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self._answer()

        def do_CONNECT(self) -> None:
            self._answer()

        def _answer(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"127.0.0.1:{listening.server_port}"
        finally:
            listening.shutdown()
            thread.join()


def answer(usage: object, content: object = SOUND, reason: str = "stop") -> bytes:
    choice = {"message": {"content": content}, "finish_reason": reason}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def model(address: str, **settings: Any) -> ModelEngine:
    return ModelEngine(openai(f"http://{address}/v1", **{"retries": 1, **settings}), Results(None, MODEL))


def extract(engine: ModelEngine) -> Extraction:
    (made,) = engine.extract([SAID])
    engine.close()
    assert isinstance(made, Extraction)
    return made


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000,
        b"<html>",
        b"",
        answer({}, content=7),
        answer([1]),
        b'{"choices": []}',
        b"\xff\xfe",
    ],
    ids=["deep", "html", "empty", "number", "list", "none", "bytes"],
)
def test_what_is_not_of_the_protocol_is_tried_again_and_then_said(body: bytes) -> None:
    with server(200, body) as address, pytest.raises(UserError, match=r"not of the protocol"):
        extract(model(address))


@pytest.mark.parametrize("status", [204, 101, 503, 429])
def test_a_status_that_is_no_refusal_is_tried_again(status: int) -> None:
    with server(status, b"") as address, pytest.raises(UserError, match=r"does not answer"):
        extract(model(address, timeout_s=2.0))


@pytest.mark.parametrize(
    ("status", "after_s", "paid"),
    [(504, 0.0, True), (524, 0.0, True), (504, 60.0, False), (503, 0.0, False), (500, 0.0, False)],
)
def test_an_answer_that_a_gateway_did_not_wait_for_counts_as_paid(
    status: int, after_s: float, paid: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that says so before `after_s` has not waited."""
    monkeypatch.setattr(backend, "LATE_S", after_s)
    with server(status, b"") as address:
        engine = model(address, timeout_s=2.0, budget_tokens=50_000)
        with pytest.raises(UserError, match=r"does not answer"):
            extract(engine)
    assert (engine.asker.ledger.spent.tokens > 0) == paid


@pytest.mark.parametrize("count", ["Infinity", "1e999", "NaN", str(10**30), str(-(10**9)), '"many"', "null"])
def test_tokens_that_cannot_be_are_counted_here(count: str) -> None:
    body = answer({"prompt_tokens": "?", "completion_tokens": "?"}).replace(b'"?"', count.encode())
    with server(200, body) as address:
        engine = model(address, budget_tokens=5_000)
        assert not extract(engine).made_by.endswith(FALLBACK)
        assert 100 < engine.asker.ledger.spent.tokens < 5_000


@pytest.mark.parametrize("reason", ["stop", "stop\ud83d"])
def test_half_of_a_surrogate_pair_is_judged_as_it_is_kept(tmp_path: Path, reason: str) -> None:
    results = Results(generations(Location(str(tmp_path))), MODEL)
    body = answer({}, SOUND.replace("garden.", "garden \ud83d."), reason)
    with server(200, body) as address:
        first, again = (
            extract(ModelEngine(openai(f"http://{address}/v1"), results)) for _ in ("asked", "kept")
        )
    assert first == again
    assert (first.summary == "The garden ?.") == (reason == "stop")
    assert results.table is not None
    assert all("?" in row["text"] + row["finish_reason"] for row in results.table.read().to_pylist())


def test_more_cached_tokens_than_tokens_cost_nothing_less() -> None:
    prices = {"usd_prompt": 1.0, "usd_cached": 0.1, "usd_completion": 2.0, "budget_usd": 1.0}
    usage = {"prompt_tokens": 50, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 5_000}}
    with server(200, answer(usage)) as address:
        engine = model(address, **prices)
        extract(engine)
        assert engine.asker.ledger.spent.usd == pytest.approx((50 * 0.1 + 5 * 2.0) / 1e6)


@pytest.mark.parametrize("address", ["http://", "http://[::1/v1", "http://host:x/v1", "ftp://host/v1", ""])
def test_what_is_no_address_is_refused_before_any_work(address: str) -> None:
    with pytest.raises(UserError, match=r"base_url.*give an http:// or https:// address"):
        openai(address)


@pytest.mark.parametrize(
    ("address", "shown"),
    [("ftp://me:se/cret@host", "ftp://host"), ("me:secret@host/v1", "host/v1"),
     ("host/v1?key=secret", "host/v1"), ("ftp://host/v1", "ftp://host/v1")],
)  # fmt: skip
def test_what_is_no_address_is_shown_without_its_password(address: str, shown: str) -> None:
    with pytest.raises(UserError, match=f"^OpenAI.base_url is '{shown}': give"):
        openai(f"http://host/v1 {address}")


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, b"<html>", r"\(engine\.base_url=http://{}/v1\) does not answer \(.*not of the protocol"),
        (500, b"<html>", r"\(engine\.base_url=http://{}/v1\) does not answer \(.*HTTP 500"),
        (400, b"<html>", r"\(engine\.base_url=http://{}/v1\) refuses everything"),
        (401, b"", "^http://{}/v1 answers HTTP 401"),
        (402, b"", "^http://{}/v1 answers HTTP 402"),
        (404, b"", "^http://{}/v1 answers 404"),
    ],
)
def test_an_endpoint_without_answers_is_named_and_no_secret_is(status: int, body: bytes, said: str) -> None:
    with server(status, body) as address:
        settings = openai(f"http://me:secret@{address}/v1?key=secret", retries=0)
        engine = ModelEngine(settings, Results(None, MODEL))
        with pytest.raises(UserError, match=said.format(re.escape(address))) as raised:
            engine.extract(
                [window(f"The budget of garden {n} is 5000 euros.", exchange_id=n) for n in range(2)]
            )
    assert "secret" not in str(raised.value)


def test_all_endpoints_that_are_down_are_named() -> None:
    engine = ModelEngine(
        openai("http://127.0.0.1:1/v1  http://localhost:2/v1/", retries=0), Results(None, MODEL)
    )
    with pytest.raises(
        UserError, match=r"base_url=http://127\.0\.0\.1:1/v1 http://localhost:2/v1/\) does not answer"
    ):
        extract(engine)


def test_a_host_that_no_name_server_can_be_asked_about_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(UserError, match=r"base_url"):
        extract(model(f"{'x' * 70}.com"))


@pytest.mark.parametrize("key", ["a\x07b", "schlüssel", "one\ntwo"])
def test_a_key_that_is_none_is_said_without_showing_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UserError, match=r"OPENAI_API_KEY has characters") as raised:
        extract(model("127.0.0.1:1"))
    assert key not in str(raised.value)


def test_a_key_may_end_in_a_newline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret\n")
    with server(200, answer({})) as address:
        assert not extract(model(address)).made_by.endswith(FALLBACK)


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "http://host:x"])
def test_a_proxy_that_cannot_be_used_is_blamed_and_not_the_endpoint(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("all_proxy", proxy)
    with pytest.raises(UserError, match=r"proxy .*ALL_PROXY.*NO_PROXY"):
        extract(model("model.invalid"))


def test_a_proxy_without_a_scheme_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(200, answer({})) as proxy:
        monkeypatch.setenv("all_proxy", proxy)
        assert not extract(model("model.invalid")).made_by.endswith(FALLBACK)


@pytest.mark.parametrize(("status", "said"), [(407, r"a name and a password"), (502, r"does not answer")])
def test_a_proxy_that_refuses_is_paid_nothing(
    status: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(status, b"") as proxy:
        monkeypatch.setenv("https_proxy", f"http://{proxy}")
        settings = openai("https://model.invalid/v1", retries=1, budget_tokens=5_000)
        engine = ModelEngine(settings, Results(None, MODEL))
        with pytest.raises(UserError, match=said):
            extract(engine)
        assert engine.asker.ledger.spent.tokens == 0


def test_an_endpoint_that_takes_no_connection_is_paid_nothing() -> None:
    with socket.socket() as full, socket.socket() as first:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        first.connect(full.getsockname())
        engine = model(f"127.0.0.1:{full.getsockname()[1]}", timeout_s=0.5, budget_tokens=5_000)
        with pytest.raises(UserError, match=r"no connection within"):
            extract(engine)
        assert engine.asker.ledger.spent.tokens == 0
