from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.serve.limits import BUDGET, QUESTION_CHARACTERS, K, within
from memfold.serve.wire import ProbeRequest, Refused, parse


def refusal(body: bytes) -> Refused:
    with pytest.raises(Refused) as refused:
        parse(body)
    return refused.value


def test_a_question_alone_is_a_probe_with_the_library_s_defaults() -> None:
    asked = parse('{"question": "什么时候?"}'.encode())
    assert asked == ProbeRequest(question="什么时候?", budget=None, k=15, include_context=False)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"question=x", b'{"question": "x"} y', b"\xff\xfe", b'{"question": "\xff"}']
)
def test_what_is_no_json_is_400(body: bytes) -> None:
    refused = refusal(body)
    assert refused.status == 400
    assert "not JSON" in refused.message


@pytest.mark.parametrize("body", [b"null", b"[]", b'"x"', b"7", b'[{"question": "x"}]'])
def test_json_that_is_no_object_is_422(body: bytes) -> None:
    refused = refusal(body)
    assert refused.status == 422
    assert "JSON object" in refused.message


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("question", "", "must not be empty"),
        ("question", " \n\t　", "must not be empty"),
        ("question", 7, "string"),
        ("question", None, "string"),
        ("question", "x" * (QUESTION_CHARACTERS + 1), str(QUESTION_CHARACTERS)),
        ("budget", BUDGET[0] - 1, str(BUDGET[0])),
        ("budget", BUDGET[1] + 1, str(BUDGET[1])),
        ("budget", 10**40, str(BUDGET[1])),
        ("budget", "300", "integer"),
        ("budget", True, "integer"),
        ("budget", 1.5, "integer"),
        ("k", K[0] - 1, str(K[0])),
        ("k", K[1] + 1, str(K[1])),
        ("k", None, "integer"),
        ("include_context", "yes", "boolean"),
        ("tenant", "other", "question, budget, k, now, speaker, include_context"),
    ],
)
def test_a_wrong_field_is_named_with_what_is_allowed(field: str, value: object, said: str) -> None:
    refused = refusal(json.dumps({"question": "x", field: value}).encode())
    assert refused.status == 422
    assert list(refused.fields) == [field]
    assert said in refused.fields[field]


def test_a_time_that_is_none_names_its_field_once() -> None:
    refused = refusal(b'{"question": "x", "now": "2024"}')
    assert refused.fields["now"].count("now") == 0


def test_all_wrong_fields_are_named_at_once() -> None:
    refused = refusal(b'{"k": 0, "budget": "x", "else": 1}')
    assert set(refused.fields) == {"question", "k", "budget", "else"}
    assert refused.fields["question"] == "required"


def test_half_a_surrogate_pair_is_refused() -> None:
    assert refusal(rb'{"question": "\ud800"}').status in (400, 422)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@given(st.binary(max_size=80) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_a_probe_or_refused(body: bytes) -> None:
    try:
        asked = parse(body)
    except Refused as refused:
        status, said = refused.status, json.dumps(refused.body())
    else:
        status, said = 200, asked.question.strip()
    assert status in (200, 400, 422)
    assert said


@given(
    st.text(min_size=1, max_size=50).filter(lambda text: text.strip()),
    st.integers(*BUDGET),
    st.integers(*K),
    st.booleans(),
)
def test_every_probe_survives_the_wire(question: str, budget: int, k: int, include_context: bool) -> None:
    asked = ProbeRequest(question=question, budget=budget, k=k, include_context=include_context)
    assert parse(asked.model_dump_json().encode()) == asked


@given(
    st.text(max_size=5) | st.just("x" * (QUESTION_CHARACTERS + 1)),
    st.integers(-1, BUDGET[1] + 1) | st.booleans() | st.text(max_size=2) | st.none(),
    st.integers(-1, K[1] + 1) | st.floats(0, 9) | st.none(),
)
def test_what_is_within_the_limits_is_what_is_parsed(question: str, budget: object, k: object) -> None:
    try:
        parse({"question": question, "budget": budget, "k": k})
    except Refused:
        assert not within(question, budget, k)
    else:
        assert within(question, budget, k)
