"""What an endpoint's statuses mean, and what a request that went wrong costs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from memfold.errors import UserError
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.extract.contract import FALLBACK
from memfold.extract.engines.model import ModelEngine
from memfold.extract.engines.rules import Rules
from memfold.extract.prompts import EXTRACTION
from memfold.llm.backends.openai import NO_QUOTA, OpenAI, _names, _seconds
from memfold.llm.budget import BudgetSpent, Ledger
from memfold.llm.generator import Prompt, Task, Usage
from memfold.llm.results import Results
from memfold.schema import Extraction
from support.asked import MODEL, openai, window

SAID = window("The budget of the garden is 5000 euros.")


def extract(endpoint: Endpoint, **settings: object) -> Extraction:
    (made,) = ModelEngine(openai(endpoint.base_url, **settings), Results(None, MODEL)).extract([SAID])
    assert isinstance(made, Extraction)
    return made


@pytest.fixture
def always(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    with Endpoint(faults=1.0, kinds=(request.param,), times=(99,)) as endpoint:
        yield endpoint


@pytest.mark.parametrize("always", ["status_401", "status_403"], indirect=True)
def test_a_wrong_key_stops_the_job_and_says_where_the_key_is_read(always: Endpoint) -> None:
    with pytest.raises(UserError, match="OPENAI_API_KEY"):
        extract(always)
    assert always.seen.requests == 1


@pytest.mark.parametrize("always", ["status_400", "status_413"], indirect=True)
def test_a_refused_request_is_not_sent_again_and_a_shorter_one_is(always: Endpoint) -> None:
    assert extract(always).made_by == Rules().signature + FALLBACK
    assert len(always.seen.bodies) == always.seen.requests == 3


@pytest.mark.parametrize("always", ["status_402"], indirect=True)
def test_a_spent_balance_stops_the_job(always: Endpoint) -> None:
    with pytest.raises(UserError, match=r"HTTP 402.*cannot pay.*run the job again"):
        extract(always)
    assert always.seen.requests == 1


@pytest.mark.parametrize(
    ("said", "broke"),
    [
        (b'{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}', True),
        (b'{"error": {"message": "You exceeded your quota", "type": "insufficient_quota"}}', True),
        # Whoever asks about the word is quoted with it.
        (b'{"error": {"message": "too long: what does insufficient_quota mean?", "code": 400}}', False),
        (b'{"error": "insufficient_quota"}', False),
        (b'["insufficient_quota"]', False),
        (b"insufficient_quota", False),
    ],
)
def test_an_account_that_cannot_pay_is_told_by_the_error_s_code_alone(said: bytes, broke: bool) -> None:
    assert _names(said, NO_QUOTA) is broke


@pytest.mark.parametrize("always", ["status_500", "status_503"], indirect=True)
def test_an_endpoint_that_never_answers_is_asked_so_often_and_no_more(always: Endpoint) -> None:
    with pytest.raises(UserError, match="does not answer"):
        extract(always, retries=2)
    assert always.seen.requests == 3
    assert len(always.seen.bodies) == 1


def test_the_key_comes_from_the_environment_and_stays_out_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMORY_KEY", "secret")
    settings = openai("http://127.0.0.1:1/v1", api_key_env="MEMORY_KEY")
    assert "secret" not in repr(settings)


def test_weights_behind_an_endpoint_are_told_apart_by_name_and_revision_alone() -> None:
    prompt = Prompt((("user", "Where is the garden?"),), EXTRACTION, "c")
    keys = [
        openai(url, **named).key(prompt)
        for url, named in (
            ("http://one", {}),
            ("http://two http://three", {}),
            ("http://one", {"revision": "fp8"}),
            ("http://one", {"model": "another"}),
        )
    ]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


def test_the_environment_names_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with Endpoint() as proxy:
        monkeypatch.setenv("http_proxy", proxy.base_url.removesuffix("/v1"))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        (made,) = ModelEngine(openai("http://model.invalid/v1"), Results(None, MODEL)).extract([SAID])
        assert isinstance(made, Extraction)
        assert not made.made_by.endswith(FALLBACK)
        assert proxy.seen.requests == 1
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        assert not extract(proxy).made_by.endswith(FALLBACK)


def test_free_text_is_asked_for_without_a_schema() -> None:
    settings = openai("http://127.0.0.1:1/v1")
    prompt = Prompt((("user", "Which one?"),), Task("which", "1", None), "c")
    assert "response_format" not in settings.body(prompt)
    assert "response_format" in settings.body(replace(prompt, task=EXTRACTION))


@pytest.mark.parametrize(
    ("header", "seconds"), [(None, None), ("7", 7.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None)]
)
def test_retry_after_is_read(header: str | None, seconds: float | None) -> None:
    assert _seconds(header) == seconds


def test_retry_after_may_be_a_date() -> None:
    later = _seconds(format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True))
    assert later is not None
    assert 3_500 < later <= 3_600


LONGEST = 100


def ledger(**settings: float) -> Ledger:
    return Ledger(OpenAI(base_url="http://host", model=MODEL, max_tokens=LONGEST, **settings))  # type: ignore[arg-type]


def test_what_may_have_run_is_charged_in_full_and_what_was_refused_is_not() -> None:
    spent = ledger(budget_tokens=1000)
    with spent.request(199, LONGEST) as reserved:
        reserved.charged = True
    assert spent.spent.tokens == 300
    with spent.request(199, LONGEST):
        pass
    assert spent.spent.tokens == 300
    with spent.request(199, LONGEST) as reserved:
        reserved.usage = Usage(prompt=150, completion=20)
    assert spent.spent.tokens == 470


def test_a_request_waits_for_room_and_is_refused_where_there_will_never_be_any() -> None:
    spent = ledger(budget_tokens=500)
    assert spent.room(199, LONGEST)
    with spent.request(199, LONGEST):
        assert not spent.room(199, LONGEST)
    assert spent.room(199, LONGEST)
    with pytest.raises(BudgetSpent, match="500 tokens"):
        spent.room(400, LONGEST)


def test_until_it_is_known_how_an_endpoint_counts_one_request_goes_alone() -> None:
    spent = ledger(budget_tokens=1_000)
    with spent.request(100, LONGEST) as reserved:
        assert not spent.room(100, LONGEST)
        reserved.usage = Usage(prompt=160, completion=0)
    with spent.request(100, LONGEST):
        assert spent.room(100, LONGEST)
    unbounded = ledger()
    with unbounded.request(0, LONGEST):
        assert unbounded.room(0, LONGEST)


def test_an_endpoint_that_counts_more_tokens_than_we_do_is_believed() -> None:
    spent = ledger(budget_tokens=1000)
    with spent.request(100, LONGEST) as reserved:
        reserved.usage = Usage(prompt=300, completion=0)
    assert spent.room(199, LONGEST)
    with pytest.raises(BudgetSpent):
        spent.room(201, LONGEST)


def test_money_is_counted_with_cached_tokens_at_their_price() -> None:
    spent = ledger(budget_usd=1.0, usd_prompt=2.0, usd_cached=0.5, usd_completion=4.0)
    with spent.request(1, LONGEST) as reserved:
        reserved.usage = Usage(prompt=100_000, completion=10_000, cached=60_000)
    assert spent.spent.usd == pytest.approx(0.08 + 0.03 + 0.04)


@pytest.mark.parametrize(
    ("budget", "shown"), [(0.005, "$0.005"), (0.2, "$0.2"), (20, "$20"), (1234.5, "$1,234.5")]
)
def test_a_budget_is_named_as_it_was_set(budget: float, shown: str) -> None:
    spent = ledger(budget_usd=budget, usd_prompt=1.0)
    with pytest.raises(BudgetSpent, match=f"^the budget of {re.escape(shown)} is too small"):
        spent.room(10**10, LONGEST)


@pytest.mark.parametrize(
    ("budget", "used"),
    [({"budget_tokens": 500}, "300"), ({"budget_usd": 0.0005, "usd_prompt": 1.0}, r"\$0\.0003")],
)
def test_a_budget_of_which_nothing_is_used_is_too_small_and_not_spent(
    budget: dict[str, float], used: str
) -> None:
    spent = ledger(**budget)
    with pytest.raises(BudgetSpent, match=rf"too small .*: raise engine\.{next(iter(budget))}$") as raised:
        spent.room(600, LONGEST)
    assert not raised.value.asked
    with spent.request(199, LONGEST) as reserved:
        reserved.usage = Usage(prompt=300, completion=0)
    with pytest.raises(
        BudgetSpent, match=rf"is spent \({used}( tokens)? used; the next request may take"
    ) as raised:
        spent.room(400, LONGEST)
    assert raised.value.asked


def test_workers_share_a_budget() -> None:
    whole = ModelEngine(
        openai("http://host", budget_tokens=1000, budget_usd=1.0, usd_prompt=1.0), Results(None, MODEL)
    )
    part = whole.share(4)
    assert (part.generator.budget_tokens, part.generator.budget_usd) == (200, 0.2)
    assert part.signature == whole.signature
    # As much is left here, for what is asked when the others are done.
    assert whole.asker.ledger.room(99, 100)
    with pytest.raises(BudgetSpent):
        whole.asker.ledger.room(100, 100)
    with pytest.raises(BudgetSpent, match=r"nothing for 2000 workers: raise engine\.budget_tokens") as raised:
        whole.share(2000)
    assert not raised.value.asked
