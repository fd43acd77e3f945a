"""Short exchanges share a request, and what goes wrong with one of them is that one's alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.errors import UserError
from memfold.evaluate.simulated.endpoint import Endpoint, answer, read
from memfold.extract.contract import DEAD
from memfold.extract.engines.model import ModelEngine
from memfold.extract.engines.rules import Rules
from memfold.extract.prompts import INSTRUCTIONS, extraction
from memfold.extract.together import SHORT, segment_of, together
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Transient, Usage
from memfold.llm.results import Results
from memfold.run.letters import dead_letters
from memfold.schema import SPAN, Extraction, Window
from memfold.store.location import Location
from support.asked import MODEL, asking, model, openai, retried, talk, window
from support.given import run, shown

SHORT_ONES = [
    window(f"The budget of garden {n} is 5000 euros.", "Noted.", exchange_id=n) for n in range(2 * 6 + 1)
]


def said(number: int, length: int, language: str) -> Window:
    return Window("c", number, (("user", "x" * length),), (), language, None)


@given(
    st.lists(st.tuples(st.integers(1, SHORT + 9), st.sampled_from(["en", "zh"])), max_size=30),
    st.integers(1, 7),
)
def test_windows_are_asked_about_in_order_and_no_request_is_about_more_than_it_may(
    lengths: list[tuple[int, str]], most: int
) -> None:
    windows = [said(number, *each) for number, each in enumerate(lengths)]
    groups = list(together(windows, most))
    assert [one for group in groups for one in group] == windows
    for group in groups:
        assert len(group) <= most
        assert len({one.language for one in group}) == 1
        assert len(group) == 1 or sum(len(one.messages[0][1]) for one in group) <= SHORT
    # As many together as may be.
    for group, behind in pairwise(groups):
        more = (*group, behind[0])
        full = len(group) == most or sum(len(one.messages[0][1]) for one in more) > SHORT
        assert full or len({one.language for one in more}) > 1
    # What is said later regroups nothing but the last.
    assert list(together([*windows, said(99, 1, "en")], most))[: max(0, len(groups) - 1)] == groups[:-1]


def placed(of: str, numbers: Sequence[int]) -> list[Window]:
    return [
        replace(window(f"The budget of {of}{n} is {1000 + n} euros.", exchange_id=n), conversation_id=of)
        for n in numbers
    ]


# As a worker is given them: several conversations, one of them with two segments and a part of a third.
MANY = [
    *placed("a", range(3)),
    *placed("b", range(2 * SPAN + 5)),
    *placed("c", range(SPAN - 2, SPAN + 2)),
    *placed("d", range(1)),
]


def test_no_request_reaches_across_a_conversation_or_a_segment() -> None:
    for group in together(MANY, 6):
        assert len({(one.conversation_id, one.exchange_id // SPAN) for one in group}) == 1
    apart = [list(each) for _, each in groupby(MANY, segment_of)]
    assert list(together(MANY, 6)) == [group for each in apart for group in together(each, 6)]


def test_segments_given_together_get_what_they_get_one_after_the_other() -> None:
    apart = [list(each) for _, each in groupby(MANY, segment_of)]
    with Endpoint(faults=0.1, kinds=("wrong_schema",), times=(99,)) as endpoint:
        one = model(endpoint.base_url, together=6)
        expected = [made for each in apart for made in one.extract(each)]
        requests = endpoint.seen.requests
    with Endpoint(faults=0.1, kinds=("wrong_schema",), times=(99,)) as endpoint:
        assert model(endpoint.base_url, together=6).extract(MANY) == expected
        assert endpoint.seen.requests == requests


def test_an_endpoint_that_dies_among_many_segments_stops_the_call() -> None:
    """One answer in a call of thousands of exchanges must not leave all others to the rules."""
    answers = 0

    @dataclass(frozen=True, kw_only=True)
    class Dies(Generator):
        @asynccontextmanager
        async def session(self) -> AsyncIterator[Complete]:
            async def complete(prompt: Prompt) -> Generation:
                nonlocal answers
                answers += 1
                if answers > 3:
                    raise Transient("no connection", gone=True)
                seen = read(prompt.messages[-1][1])
                assert seen is not None
                return Generation(answer(Rules().extract(seen)), "stop", Usage(1, 1))

            yield complete

    engine = ModelEngine(Dies(model=MODEL, retries=0, concurrency=2, together=1), Results(None, MODEL))
    with pytest.raises(UserError, match="does not answer"):
        engine.extract(MANY)
    assert answers < len(MANY)


def test_short_exchanges_share_a_request_and_get_the_rows_they_would_have_alone() -> None:
    with Endpoint() as endpoint:
        shared = model(endpoint.base_url, together=6)
        made = shared.extract(SHORT_ONES)
        assert endpoint.seen.requests == 3
        alone = model(endpoint.base_url, together=1)
        assert shared.signature != alone.signature
        assert [replace(one, made_by="") for one in made] == [  # type: ignore[type-var]
            replace(one, made_by="")  # type: ignore[type-var]
            for one in alone.extract(SHORT_ONES)
        ]


@pytest.mark.parametrize("wrong", ["number", "entry", "all"])
def test_what_is_wrong_with_one_is_asked_about_alone(wrong: str) -> None:
    asked: list[int] = []

    def written(messages: Sequence[Mapping[str, str]]) -> str:
        seen = read(messages[-1]["content"])
        assert seen is not None
        asked.append(len(seen))
        made: list[Extraction] = Rules().extract(seen)
        if len(seen) > 1:
            if wrong == "all":
                return "I would rather not."
            made = made[1:] if wrong == "number" else [Extraction(" ", (), ()), *made[1:]]
        return answer(made).replace('"-"', '" "')

    with Endpoint(answers={INSTRUCTIONS: written}) as endpoint:
        engine = model(endpoint.base_url, together=6)
        made = engine.extract(SHORT_ONES[:6])
    assert asked == ([6, 1] if wrong == "entry" else [6, *[1] * 6])
    expected = Rules().extract(SHORT_ONES[:6])
    assert made == [replace(one, made_by=engine.signature) for one in expected]


@dataclass(frozen=True, kw_only=True)
class OneByOne(Generator):
    """Has no answer to a request about several."""

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        async def complete(prompt: Prompt) -> Generation:
            seen = read(prompt.messages[-1][1])
            assert seen is not None
            if len(seen) > 1:
                raise Transient("too many at once")
            return Generation(answer(Rules().extract(seen)), "stop", Usage(1, 1))

        yield complete


def test_an_endpoint_that_answers_nothing_about_several_is_asked_about_each() -> None:
    said = [window(f"The budget of garden {n} is 5000 euros.", exchange_id=n) for n in range(SPAN)]
    engine = ModelEngine(OneByOne(model=MODEL, retries=0), Results(None, MODEL))
    assert engine.extract(said) == [replace(one, made_by=engine.signature) for one in Rules().extract(said)]


def test_an_answer_about_several_may_be_longer() -> None:
    generator = openai("http://none", max_tokens=800)
    assert [generator.longest(extraction(n)) for n in (1, 2, 6)] == [800, 1_200, 2_800]


def test_one_that_is_never_answered_leaves_its_neighbours(tmp_path: Path) -> None:
    messages = talk(SPAN)
    settings = {"together": 6, "fallback": False, "retries": 1}
    with Endpoint(faults=0.05, kinds=("error_500",), times=(99,)) as endpoint:
        run(asking(tmp_path, messages, endpoint.base_url, **settings))
        failed = len(endpoint.seen.faulted)
    made_by = shown(tmp_path, "extractions").column("made_by").to_pylist()
    assert 0 < failed < 10
    assert made_by.count(DEAD) == failed
    assert dead_letters(Location(str(tmp_path))).count() == failed
    with Endpoint() as endpoint:
        job = asking(tmp_path, messages, endpoint.base_url, **settings)
        assert retried(job)["failed"] == 0
        # What they were asked about in was never answered either, and is asked again; nothing else is.
        assert 0 < endpoint.seen.requests <= failed


def test_a_retry_asks_again_about_what_failed_and_not_about_those_it_was_asked_with(tmp_path: Path) -> None:
    messages = talk(SPAN)
    settings = {"together": 6, "fallback": False}
    with Endpoint(faults=0.1, kinds=("wrong_schema",), times=(99,)) as endpoint:
        run(asking(tmp_path, messages, endpoint.base_url, **settings))
        failed = len(endpoint.seen.faulted)
    assert failed > 0
    with Endpoint() as endpoint:
        done = retried(asking(tmp_path, messages, endpoint.base_url, **settings))
        assert (done["retried"], done["failed"]) == (failed, 0)
        assert endpoint.seen.requests == failed
