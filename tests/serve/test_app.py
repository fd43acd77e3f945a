"""The app over a real store, called as an ASGI server calls it."""

from __future__ import annotations

import asyncio
import json
import pickle
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from memfold import api
from memfold.context.readers.by_model import telling
from memfold.context.readers.model import INSTRUCTIONS, ByModel
from memfold.errors import UnknownConversation, UserError
from memfold.evaluate.simulated.endpoint import Endpoint, Messages
from memfold.llm.generator import Generator, Prompt
from memfold.serve.app import Limits, application
from memfold.serve.newest import Newest, Reading
from memfold.store.erase import erase
from support.asked import openai
from support.readers_asked import Answering, written

SAID = ["My cat is called Mia.", "The rent is due on March 3.", "我的狗叫小白。"]
PROBE = "/v1/conversations/{}/probe"
Call = tuple[str, str, Any]


def call(
    newest: Newest,
    *requests: Call,
    limits: Limits | None = None,
    host: str = "127.0.0.1:8000",
    headers: dict[str, str] | None = None,
) -> list[httpx.Response]:
    """The responses to (method, path, content) requests made at once."""

    async def calls() -> list[httpx.Response]:
        transport = httpx.ASGITransport(application(newest, limits or Limits()))
        async with httpx.AsyncClient(
            transport=transport, base_url=f"http://{host}", headers=headers
        ) as client:
            made = [client.request(method, path, content=content) for method, path, content in requests]
            return list(await asyncio.gather(*made))

    return asyncio.run(calls())


def ask(question: str = "What is my cat called?", **fields: object) -> bytes:
    return json.dumps({"question": question, **fields}).encode()


@pytest.fixture
def newest(reading: Reading, add) -> Newest:  # type: ignore[no-untyped-def]
    add("pets", SAID)
    return Newest(reading)


@pytest.mark.parametrize(
    "question", ["What is my cat called?", "When is the rent due?", "我的狗叫什么?", "\0"]
)
def test_answers_are_the_library_s(newest: Newest, question: str) -> None:
    store = newest.store()
    body = ask(question, k=2, budget=200, include_context=True)
    (response,) = call(newest, ("POST", PROBE.format("pets"), body))
    assert response.status_code == 200
    got, want = response.json(), store.ask("pets", question, 200)
    assert got["answer"] == want.text
    assert [(c["exchange_id"], tuple(c["message_ids"]), c["quote"]) for c in got["citations"]] == [
        (c.exchange_id, c.message_ids, c.quote) for c in want.citations
    ]
    assert [
        (h["exchange_id"], tuple(h["message_ids"]), h["score"], h["text"], h["why"]) for h in got["hits"]
    ] == [(h.exchange_id, h.message_ids, h.score, h.text, h.why) for h in store.search("pets", question, 2)]
    assert got["context"]["text"] == want.context.text
    assert got["context"]["tokens"] == want.context.tokens <= 200
    assert [part["label"] for part in got["context"]["parts"]] == [part.label for part in want.context.parts]
    assert got["snapshot"] == store.snapshot.number


def test_citations_and_hits_have_these_keys_and_no_others(newest: Newest) -> None:
    (response,) = call(newest, ("POST", PROBE.format("pets"), ask()))
    got = response.json()
    assert {name for each in got["citations"] for name in each} == {
        "exchange_id",
        "message_ids",
        "quote",
        "day",
    }
    assert {name for each in got["hits"] for name in each} == {
        "exchange_id", "message_ids", "score", "text", "why",
    }  # fmt: skip


def test_timings_add_up_and_the_text_is_left_out(newest: Newest) -> None:
    (response,) = call(newest, ("POST", PROBE.format("pets"), ask()))
    timings = response.json()["timings_ms"]
    assert timings.pop("total") == pytest.approx(sum(timings.values()), abs=0.1)
    assert set(timings) == {"search", "context", "read"}
    assert "text" not in response.json()["context"]


def test_conversations_are_listed_with_what_is_unknown_as_null(newest: Newest) -> None:
    (response,) = call(newest, ("GET", "/v1/conversations", None))
    (listed,) = response.json()["conversations"]
    assert listed == {
        "conversation_id": "pets",
        "exchanges": 3,
        "tokens": newest.store().conversations()[0].tokens,
        "first_time": None,
        "last_time": None,
    }


@pytest.mark.parametrize(
    "name", ["a/b", "a/probe", "/", "..", "a b?c#d%2F&é", "会话 1", "line\nfeed", "'; --", "probe", "\u202e"]
)
def test_any_id_can_be_asked_for(reading: Reading, add, name: str) -> None:  # type: ignore[no-untyped-def]
    add(name, SAID)
    newest = Newest(reading)
    (response,) = call(newest, ("POST", PROBE.format(quote(name, safe="").replace(".", "%2E")), ask()))
    assert response.status_code == 200, response.text
    assert response.json()["answer"] == newest.store().ask(name, "What is my cat called?").text


@pytest.mark.parametrize("name", ["other", "pets/", "Pets", "%FF", "%00", "..%2Fpets", "pets%20"])
def test_an_unknown_conversation_is_404(newest: Newest, name: str) -> None:
    (response,) = call(newest, ("POST", PROBE.format(name), ask()))
    assert response.status_code == 404
    assert "there is no conversation" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/v1/conversations/", 404),
        ("POST", "/v1/conversations//probe", 404),
        ("GET", PROBE.format("pets"), 405),
        ("DELETE", "/v1/conversations", 405),
    ],
)
def test_other_ways_in_are_errors_in_json(newest: Newest, method: str, path: str, status: int) -> None:
    (response,) = call(newest, (method, path, None))
    assert response.status_code == status
    assert "/v1/conversations" in response.json()["error"]["message"]


def test_a_wrong_probe_is_refused_by_field(newest: Newest) -> None:
    (response,) = call(newest, ("POST", PROBE.format("pets"), ask(k=0)))
    assert response.status_code == 422
    assert set(response.json()["error"]["fields"]) == {"k"}


def test_a_body_may_be_as_large_as_the_limit_and_no_larger(newest: Newest) -> None:
    limits = Limits(body_bytes=1000)
    fits = ask().ljust(1000)
    responses = call(
        newest,
        ("POST", PROBE.format("pets"), fits),
        ("POST", PROBE.format("pets"), fits + b" "),
        limits=limits,
    )
    assert [response.status_code for response in responses] == [200, 413]
    assert "1000 bytes" in responses[1].json()["error"]["message"]


def test_a_body_that_does_not_arrive_is_408_and_holds_up_nobody(newest: Newest) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b'{"question":'
        await asyncio.Event().wait()

    path = PROBE.format("pets")
    slow = [("POST", path, endless()) for _ in range(8)]
    responses = call(newest, *slow, ("POST", path, ask()), limits=Limits(timeout_s=4, waiting=2))
    assert [response.status_code for response in responses] == [408] * 8 + [200]


def test_what_takes_too_long_is_503(newest: Newest) -> None:
    (response,) = call(newest, ("POST", PROBE.format("pets"), ask()), limits=Limits(timeout_s=0.0001))
    assert response.status_code == 503
    assert response.headers["retry-after"] == "1"
    assert "try again" in response.json()["error"]["message"]


def test_a_full_queue_is_429(newest: Newest) -> None:
    probes = [("POST", PROBE.format("pets"), ask())] * 8
    responses = call(newest, *probes, limits=Limits(waiting=3, timeout_s=60))
    assert sorted(response.status_code for response in responses) == [200] * 3 + [429] * 5
    refused = next(response for response in responses if response.status_code == 429)
    assert refused.headers["retry-after"] == "1"


def test_many_at_once_are_answered_as_one_by_one_and_share_what_is_open(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", SAID)
    newest, probes = (
        Newest(reading),
        [("POST", PROBE.format("pets"), ask(f"What is cat {i % 5}?")) for i in range(50)],
    )
    responses = call(newest, *probes, limits=Limits(timeout_s=60))
    assert [response.status_code for response in responses] == [200] * 50
    store = reading.open()
    alone = [store.ask("pets", f"What is cat {i}?").text for i in range(5)]
    assert [response.json()["answer"] for response in responses] == alone * 10
    assert newest.store()._view("pets") is newest.store()._view("pets")


def test_only_names_of_this_machine_are_answered(newest: Newest) -> None:
    for host, status in [
        ("localhost", 200),
        ("[::1]:8000", 200),
        ("127.0.0.1", 200),
        ("evil.example:8000", 403),
        ("127.0.0.1.evil.example", 403),
    ]:
        (response,) = call(newest, ("GET", "/v1/conversations", None), host=host)
        assert response.status_code == status, host


def test_no_page_of_another_site_can_ask(newest: Newest) -> None:
    for origin, status in [
        ("http://127.0.0.1:8000", 200),
        ("http://evil.example", 403),
        ("http://127.0.0.1:9000", 403),
        ("null", 403),
    ]:
        post = ("POST", PROBE.format("pets"), ask())
        (response,) = call(newest, post, headers={"Origin": origin, "Content-Type": "text/plain"})
        assert response.status_code == status, origin


def test_a_newer_snapshot_is_answered_from_and_what_was_erased_is_gone(
    newest: Newest, reading: Reading, add
) -> None:  # type: ignore[no-untyped-def]
    post = ("POST", PROBE.format("pets"), ask())
    (before,) = call(newest, post)
    add("house", SAID)
    (after,) = call(newest, post)
    assert (before.json()["snapshot"], after.json()["snapshot"]) == (1, 2)
    erase(reading.location, "pets")
    (gone,) = call(newest, post)
    assert gone.status_code == 404


@pytest.mark.parametrize("filter", [True, False], ids=["notes are chosen", "it is answered"])
def test_what_is_erased_while_a_model_is_waited_for_is_not_told(
    reading: Reading,
    add,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
    filter: bool,
) -> None:
    monkeypatch.setattr(api, "LOOK_S", 0.0)

    async def complete(prompt: Prompt) -> str:
        assert erase(reading.location, "pets").complete
        return '{"keep": [1]}' if filter else written("Mia.", 0)

    model = by_model(reading, Answering(model="simulated", complete=complete), filter=filter)
    add("house", SAID)
    add("pets", SAID)
    store = model.open()
    with pytest.raises(UnknownConversation, match="there is no conversation 'pets'"):
        store.context("pets", "Which cat?") if filter else store.ask("pets", "Which cat?")
    add("pets", SAID)
    (gone,) = call(Newest(model), ("POST", PROBE.format("pets"), ask()), limits=Limits(model_s=60))
    assert gone.status_code == 404


def test_an_error_shows_no_insides(newest: Newest, reading: Reading) -> None:
    assert reading.location.local is not None
    for table in reading.location.local.glob("*.lance"):
        if table.stem != "snapshots":
            shutil.rmtree(table / "data", ignore_errors=True)
    (response,) = call(newest, ("POST", PROBE.format("pets"), ask()))
    assert response.status_code == 500
    assert set(response.json()["error"]) == {"message"}
    assert "Traceback" not in response.text
    assert str(reading.location.local) not in response.text


@pytest.mark.parametrize("wrong", [{"body_bytes": 0}, {"waiting": 0}, {"timeout_s": 0}, {"timeout_s": 1e9}])
def test_impossible_limits_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=f"Limits.{next(iter(wrong))}"):
        Limits(**wrong)


def by_model(reading: Reading, generator: Generator, **settings: Any) -> Reading:
    return replace(reading, equipped=ByModel(**settings).equip(generator))


def test_several_probes_wait_for_a_model_at_the_same_time(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", SAID)
    together = asyncio.Barrier(3)

    async def complete(prompt: Prompt) -> str:
        # Whoever came alone would wait here until the reader gives it up.
        await together.wait()
        return written("Mia.", 0)

    generator = Answering(model="simulated", complete=complete)
    newest = Newest(by_model(reading, generator, filter=False, timeout_s=30))
    limits = Limits(waiting=3, model_s=30)
    responses = call(
        newest, *[("POST", PROBE.format("pets"), ask(f"Cat {i}?")) for i in range(3)], limits=limits
    )
    assert [response.json()["answer"] for response in responses] == ["Mia. [0]"] * 3
    assert [response.json()["usage"].get("fallback") for response in responses] == [None] * 3


def test_a_model_tells_the_kind_of_a_question_and_its_failure_is_said(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", SAID)

    def kind(messages: Messages) -> str:
        # Both questions are asked at once: their order is nobody's.
        talk = "Moin 0" in messages[-1]["content"]
        return '{"kind":"smalltalk","answered":false,"advice":false}' if talk else "no kind"

    answers = {INSTRUCTIONS: lambda _: written("Mia.", 0), telling.INSTRUCTIONS: kind}
    with Endpoint(answers=answers) as endpoint:
        newest = Newest(by_model(reading, openai(endpoint.base_url), filter=False, kinds=True))
        idle, answered = call(newest, *[("POST", PROBE.format("pets"), ask(f"Moin {i}")) for i in range(2)])
    assert (idle.json()["hits"], idle.json()["citations"], idle.json()["usage"]["requests"]) == ([], [], 1)
    assert answered.json()["answer"] == "Mia. [0]"
    assert (answered.json()["usage"]["untyped"], answered.json()["usage"]["requests"]) == (1, 2)


def test_a_model_s_time_comes_on_top(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", SAID)

    async def complete(prompt: Prompt) -> str:
        await asyncio.sleep(1.2)
        return written("Mia.", 0)

    generator = Answering(model="simulated", complete=complete)
    newest = Newest(by_model(reading, generator, filter=False, timeout_s=20))
    newest.read(lambda store: store.search("pets", "cat"))
    probe = ("POST", PROBE.format("pets"), ask())
    (late,), (answered,) = (call(newest, probe, limits=Limits(timeout_s=1, model_s=s)) for s in (0, 20))
    assert (late.status_code, answered.status_code) == (503, 200)


def test_a_reading_goes_to_another_process_and_answers_there(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", SAID)
    with Endpoint(answers={INSTRUCTIONS: lambda _: written("Mia.", 0)}) as endpoint:
        here = by_model(reading, openai(endpoint.base_url), filter=False)
        assert here.open().ask("pets", "Which cat?").text == "Mia. [0]"
        there = pickle.loads(pickle.dumps(here))
        (response,) = call(Newest(there), ("POST", PROBE.format("pets"), ask()))
    assert response.json()["answer"] == "Mia. [0]"
    assert response.json()["usage"]["completion_tokens"] > 0


@pytest.mark.parametrize(
    ("kind", "settings", "cure"),
    [
        ("status_401", {}, "set the key"),
        ("status_404", {}, "there is no model"),
        ("dropped", {"budget_tokens": 10}, "the budget of 10 tokens is too small"),
    ],
)
def test_what_must_be_mended_at_the_model_is_500_with_the_cure_and_no_time_to_come_back(
    reading: Reading,
    add,  # type: ignore[no-untyped-def]
    kind: str,
    settings: dict[str, Any],
    cure: str,
) -> None:
    add("pets", SAID)
    answers = {INSTRUCTIONS: lambda _: written("Mia.", 0)}
    with Endpoint(answers=answers, faults=1.0, kinds=(kind,)) as endpoint:
        newest = Newest(by_model(reading, openai(endpoint.base_url, **settings), filter=False))
        (response,) = call(newest, ("POST", PROBE.format("pets"), ask()))
    assert response.status_code == 500
    assert cure in response.json()["error"]["message"]
    assert "retry-after" not in response.headers


def test_an_answer_without_the_model_says_why(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("pets", SAID)
    answers = {INSTRUCTIONS: lambda _: written("Mia.", 0)}
    with Endpoint(answers=answers, faults=0.0, kinds=("status_400",)) as endpoint:
        newest = Newest(by_model(reading, openai(endpoint.base_url), filter=False))
        (sound,) = call(newest, ("POST", PROBE.format("pets"), ask()))
    with Endpoint(answers=answers, faults=1.0, kinds=("status_400",)) as endpoint:
        newest = Newest(by_model(reading, openai(endpoint.base_url), filter=False))
        (refused,) = call(newest, ("POST", PROBE.format("pets"), ask()))
    assert "problem" not in sound.json()
    assert (refused.status_code, refused.json()["usage"]["fallback"]) == (200, 1)
    assert refused.json()["problem"] == "HTTP 400, 'simulated'"
