from __future__ import annotations

from typing import Any

import pytest

from memfold.api import Store
from memfold.serve import again
from memfold.serve.again import Again
from memfold.serve.newest import Newest, Reading
from memfold.serve.wire import ProbeRequest, ProbeResponse, Refused
from memfold.store.erase import erase

CAT = "What is my cat called?"


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that were really looked for."""
    looked: list[str] = []
    probe = again.probe

    def looking(store: Store, conversation_id: str, request: ProbeRequest) -> ProbeResponse:
        looked.append(request.question)
        return probe(store, conversation_id, request)

    monkeypatch.setattr(again, "probe", looking)
    return looked


def said(response: ProbeResponse) -> dict[str, Any]:
    return response.model_dump(exclude={"timings_ms"})


@pytest.fixture
def newest(reading: Reading, add) -> Newest:  # type: ignore[no-untyped-def]
    add("pets", ["My cat is called Mia.", "The rent is due on March 3."])
    add("home", ["My cat is called Tom."])
    return Newest(reading)


def test_what_is_asked_again_is_answered_the_same_and_not_looked_for(
    newest: Newest, found: list[str]
) -> None:
    answers, request = Again(), ProbeRequest(question=CAT)
    first, second = (answers.probe(newest.store(), "pets", request) for _ in range(2))
    assert found == [CAT]
    assert said(first) == said(second)
    assert first.timings_ms["total"] > 0 == second.timings_ms["total"]


@pytest.mark.parametrize(
    "other", [{"question": "Who is my cat?"}, {"k": 2}, {"budget": 90}, {"now": "2020-01-01T00:00:00Z"}]
)
def test_another_request_is_another_answer(newest: Newest, found: list[str], other: dict[str, Any]) -> None:
    answers = Again()
    for fields in ({}, other):
        answers.probe(newest.store(), "pets", ProbeRequest.model_validate({"question": CAT, **fields}))
    assert len(found) == 2


def test_another_conversation_is_another_answer(newest: Newest) -> None:
    answers, request = Again(), ProbeRequest(question=CAT)
    there, here = (answers.probe(newest.store(), name, request).answer for name in ("pets", "home"))
    assert "Mia" in there
    assert "Tom" in here


def test_nothing_outlives_its_snapshot(newest: Newest, reading: Reading) -> None:
    answers, request = Again(), ProbeRequest(question=CAT)
    before = newest.store()
    answers.probe(before, "pets", request)
    answers.probe(before, "home", request)
    erase(reading.location, "pets")
    after = newest.store()
    with pytest.raises(Refused, match="pets"):
        answers.probe(after, "pets", request)
    assert answers.probe(after, "home", request).snapshot == after.snapshot.number > before.snapshot.number
    # Not even for who still reads the older one.
    with pytest.raises(Refused, match="pets"):
        answers.probe(after, "pets", request)


def test_what_is_still_read_of_an_older_snapshot_is_not_kept_for_the_newer(
    newest: Newest, add, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    answers, request, probe = Again(), ProbeRequest(question=CAT), again.probe
    before = newest.store()
    add("home", ["My cat is called Tom.", "My cat is called Leo now."])
    after = newest.store()

    def slowly(store: Store, conversation_id: str, asked: ProbeRequest) -> ProbeResponse:
        if store is before:  # somebody else is answered from the newer one meanwhile
            answers.probe(after, "pets", request)
        return probe(store, conversation_id, asked)

    monkeypatch.setattr(again, "probe", slowly)
    assert answers.probe(before, "home", request).snapshot == before.snapshot.number
    assert answers.probe(after, "home", request).snapshot == after.snapshot.number


def test_the_last_ones_are_kept_but_no_long_texts(newest: Newest, found: list[str]) -> None:
    answers, store = Again(2), newest.store()
    for k in (1, 2, 3, 3, 2, 1):
        answers.probe(store, "pets", ProbeRequest(question=CAT, k=k))
    assert len(found) == 4
    for _ in range(2):
        answers.probe(store, "pets", ProbeRequest(question=CAT, include_context=True))
    assert len(found) == 6
