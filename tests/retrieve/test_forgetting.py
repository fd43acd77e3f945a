"""What fades out of hits and contexts by age, use and importance, is counted, and is found where it is asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import memfold
from memfold.api import Store
from memfold.build import build
from memfold.config import load
from memfold.context.assemble import Packing
from memfold.context.found import Found, Means, probe
from memfold.context.readers.extractive import Extractive
from memfold.retrieve.forgetting import DAYS, EPOCH, Forgetting
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.view import View
from memfold.schema import Message
from support.given import START, job, run
from support.retrieve_samples import conversation, view

NEVER, MONTH = Forgetting(), Forgetting(half_life=30.0)
DAY = timedelta(days=1)
# A day an exchange, of 200 days: kayaks once, bees on every fiftieth day, the rest of nothing twice.
SAID = [f"chatter{n} babble{n} murmur{n} prattle{n}" for n in range(200)]
SAID[3] = "kayak varnish dries"
SAID[5] = SAID[55] = SAID[105] = SAID[155] = "beekeeping hive honey"


def seen(said: list[str] = SAID) -> View:
    return view(conversation(said))


def asked(of: View, policy: Forgetting, question: str = "kayak varnish", *, forgotten: bool = False) -> Found:
    means = Means(Retrieval(forgetting=policy), Packing(), Extractive())
    return probe(of, question, means, forgotten=forgotten)


def test_nothing_is_forgotten_unless_it_is_asked_for() -> None:
    found = asked(seen(), NEVER)
    assert found.forgotten == frozenset()
    assert found.hits(1)[0].exchange_id == 3
    assert found.context(1_000).forgotten == 0


def test_what_is_old_and_nobody_came_back_to_is_in_no_hit_and_no_context() -> None:
    found = asked(seen(), MONTH)
    assert 3 in found.forgotten
    assert 3 not in {hit.exchange_id for hit in found.hits(200)}
    context = found.context(5_000)
    assert context.forgotten == len(found.forgotten) > 100
    shown = {exchange for part in context.parts for exchange in part.exchange_ids}
    assert shown
    assert not shown & found.forgotten


def test_it_is_still_there_and_found_where_it_is_asked_for() -> None:
    found = asked(seen(), MONTH, forgotten=True)
    assert found.hits(1)[0].exchange_id == 3
    assert "kayak varnish" in found.context(1_000).text
    assert len(found.view.episodes) == 200


def test_age_alone_archives_after_two_half_lives() -> None:
    gone = MONTH.archived(seen([f"lonely{n}" for n in range(200)]))
    assert gone.tolist() == list(range(139))


def test_what_came_back_fades_later() -> None:
    of = seen()
    gone = set(MONTH.archived(of).tolist())
    assert 5 not in gone
    assert {4, 6} <= gone
    assert 5 in replace(MONTH, use=0.0, near=1.0).archived(
        seen([s if n != 155 else "x" for n, s in enumerate(SAID)])
    )


def test_asked_in_the_course_of_it_only_what_was_said_by_then_counts() -> None:
    start = datetime(2024, 3, 1, 12, tzinfo=UTC)
    of = seen()
    for day in (10, 80, 199):
        gone = MONTH.archived(of, start + day * DAY)
        assert gone.tolist() == MONTH.archived(seen(SAID[: day + 1])).tolist()
        assert not len(gone) or gone.max() < day


def test_of_the_days_that_are_asked_for_a_view_keeps_the_last_only() -> None:
    """A request names its day."""

    class Counting(Forgetting):
        def faded(self, view: View, day: int) -> NDArray[np.int64]:
            made.append(day)
            return np.array([day])

    made, of, policy = list[int](), seen(["tea"]), Counting(half_life=1)
    for day in (*range(3 * DAYS), 3 * DAYS - 1, 2 * DAYS, 0):
        then = START + day * DAY
        assert policy.archived(of, then).tolist() == [then.toordinal() - EPOCH]
    assert made == [(START + day * DAY).toordinal() - EPOCH for day in (*range(3 * DAYS), 0)]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["kayak", "bees", "tax", "chess"]), min_size=1, max_size=60),
    st.floats(0.5, 20),
    st.integers(0, 59),
)
def test_as_of_any_moment_it_forgets_what_it_did_then(said: list[str], half_life: float, end: int) -> None:
    policy = Forgetting(half_life=half_life)
    end = 1 + end % len(said)
    then = policy.archived(seen(said[:end]))
    assert np.array_equal(
        then,
        policy.archived(
            seen(said),
            datetime(2024, 3, end, 23, tzinfo=UTC)
            if end < 31
            else datetime(2024, 3, 1, 23, tzinfo=UTC) + (end - 1) * DAY,
        ),
    )


def test_control_counting_what_came_later_would_be_caught() -> None:
    said = ["kayak", *["tax"] * 20, "kayak"]
    policy = Forgetting(half_life=5.0)
    now = datetime(2024, 3, 21, 23, tzinfo=UTC)
    assert 0 in policy.archived(seen(said), now)
    assert 0 not in policy.archived(seen(said))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"half_life": -1.0}, "half_life is -1.0: give 0 or more"),
        ({"least": 0.0}, "least is 0.0: give more than 0"),
    ],
)
def test_an_impossible_policy_is_refused(settings: dict[str, float], told: str) -> None:
    with pytest.raises(memfold.UserError, match=f"Forgetting.{told}"):
        Forgetting(**settings)


def test_it_is_off_by_default_and_set_by_a_line_of_config() -> None:
    assert build(load("ask", []).retrieval, "retrieval").forgetting == NEVER == Retrieval().forgetting
    set_so = load("ask", ["retrieval.forgetting.half_life=30"])
    assert build(set_so.retrieval, "retrieval").forgetting == MONTH


TALK = {
    "en": (
        "My name is Ann and I live in Oslo.",
        "Always answer in French.",
        "We ruled out the blue tiles because they are slippery.",
        "My sister's recital is on 5 May 2026 in the town hall.",
        "I had a sandwich with old cheese for lunch.",
        "What did I have for lunch?",
    ),
    "zh": (
        "我叫林小雨，我住在奥斯陆。",
        "以后请一律用法语回答。",
        "我们排除了蓝色瓷砖，因为太滑。",
        "我妹妹的音乐会在2026年5月5日。",
        "我午饭吃了一个旧奶酪三明治。",
        "我午饭吃了什么？",
    ),
}


@pytest.mark.parametrize("language", TALK)
def test_what_something_rests_on_that_holds_is_not_forgotten(language: str, tmp_path: Path) -> None:
    *said, question = TALK[language]
    talk = [Message("c", "user", text, f"u{n}", START + n * DAY) for n, text in enumerate(said)]
    talk.append(Message("c", "user", "xyzzy", "last", START + 700 * DAY))
    run(job(tmp_path, talk))
    opened = memfold.open(tmp_path, retrieval=Retrieval(forgetting=MONTH))
    opened.add_memory("c", "Has a cat.", by="p", time=START + 701 * DAY)
    store: Store = opened.newest()
    found = store.probe("c", question)
    assert found.forgotten == {4}, "the lunch alone, and neither what holds nor what is to come"
    assert store.probe("c", question, now=START + 2_000 * DAY).forgotten == {3, 4, 5}
    assert said[4] not in found.context(2_000).text
    assert said[4] in store.context("c", question, 2_000, forgotten=True).text
    assert store.search("c", question, 1, forgotten=True)[0].exchange_id == 4
    assert len(list(store.messages("c"))) == 7, "nothing is destroyed"


def test_a_memory_that_is_filed_later_makes_nothing_older(tmp_path: Path) -> None:
    said = ["kayak varnish dries", "the tax is paid", "chess at noon", "a new kiln"]
    talk = [Message("c", "user", text, f"u{n}", START + n * DAY) for n, text in enumerate(said)]
    run(job(tmp_path, talk))
    opened = memfold.open(tmp_path, retrieval=Retrieval(forgetting=MONTH))
    opened.add_memory("c", "Has a cat.", by="p", time=START + 700 * DAY)
    opened.add_memory("new", "Has a dog.", by="p", begin=True, time=START + 700 * DAY)
    store: Store = opened.newest()
    assert store.probe("c", "kayak").forgotten == frozenset()
    assert {1, 2} <= store.probe("c", "kayak", now=START + 700 * DAY).forgotten
    assert store.probe("new", "dog").forgotten == frozenset(), "where nothing was said, nothing is old"
