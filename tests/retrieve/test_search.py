from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from memfold.errors import UserError
from memfold.retrieve.arms.dense import Dense
from memfold.retrieve.arms.lexical import Lexical
from memfold.retrieve.arms.surroundings import Surroundings
from memfold.retrieve.fuse import Retrieval, rank, weights
from memfold.retrieve.kinds import Typed
from memfold.retrieve.query import Asked, analyse, pose
from memfold.retrieve.ranking import Ranking, hits
from memfold.retrieve.standing import standing_of
from memfold.retrieve.steps.dates import Dates, said_outside
from memfold.retrieve.steps.neighbours import Neighbours
from memfold.retrieve.steps.orders import Orders
from support.retrieve_samples import conversation, encode, order, ranked, retrieval, view

FILLER = [
    f"Question {i} on {topic}" for i, topic in enumerate(["bread", "cars", "tax", "birds", "chess"] * 8)
]


def test_the_exchange_that_says_it_is_first() -> None:
    said = [*FILLER[:20], "The sourdough starter lives in the cellar", *FILLER[20:]]
    assert ranked(view(conversation(said)), "Where does the sourdough starter live?").order[0] == 20


def test_one_call_encodes_both_forms_of_the_question() -> None:
    calls: list[list[str]] = []

    def counted(texts: list[str]) -> np.ndarray:
        calls.append(list(texts))
        return encode(texts)

    pose("Can you remind me what I said about chess openings?", counted)
    pose("chess openings", counted)
    assert [len(call) for call in calls] == [2, 1]


def test_a_neighbour_of_evidence_rises() -> None:
    said = [*FILLER[:20], "The sourdough starter lives in the cellar", "Is it fine?", *FILLER[20:]]
    ranking = ranked(
        view(conversation(said)), "sourdough starter cellar", retrieval(neighbours={"weight": 0.2})
    )
    evidence = ranking.why(20)["lexical"] + ranking.why(20)["dense"]
    assert ranking.why(21)["neighbour"] == pytest.approx(0.2 * evidence, abs=1e-3)
    assert 21 in ranking.order[:3].tolist()


def test_terse_chats_are_read_with_their_surroundings() -> None:
    said = [
        "Ann: hi",
        "Bob: hello",
        "Ann: I bought a kayak",
        "Bob: which colour?",
        "Ann: green",
        *(["Bob: ok"] * 30),
    ]
    ranking = ranked(view(conversation(said, answer="")), "What colour is the kayak that Ann bought?")
    assert "surroundings" in ranking.parts
    assert set(ranking.order[:3].tolist()) <= {2, 3, 4}
    talkative = ranked(view(conversation(said)), "kayak colour")
    assert "surroundings" not in talkative.parts


def test_what_was_said_outside_a_named_range_comes_last() -> None:
    ranking = ranked(view(conversation(FILLER)), "chess from 2024-03-05 to 2024-03-14")
    assert sorted(ranking.order[:10].tolist()) == list(range(4, 14))
    assert all("outside_dates" in ranking.why(i) for i in ranking.order[10:])


def test_a_range_that_almost_nothing_lies_in_is_ignored() -> None:
    found = view(conversation(FILLER)).episodes
    assert said_outside(found, (date(2024, 3, 1), date(2024, 3, 5))) is not None
    assert said_outside(found, (date(2024, 3, 1), date(2024, 3, 4))) is None
    undated = view(conversation(FILLER, start=None)).episodes
    assert said_outside(undated, (date(2000, 1, 1), date(2100, 1, 1))) is None


def test_an_arm_may_weigh_less_than_another_takes_from_it() -> None:
    found = view(conversation(FILLER))
    for arms in ({"dense": {"weight": 0.1}}, {"surroundings": {"weight": 0.9}}):
        assert len(ranked(found, "birds", retrieval(**arms)).order) == len(FILLER)
    alone = Retrieval(arms={name: arm for name, arm in Retrieval().arms.items() if name != "dense"})
    assert len(ranked(found, "birds", alone).order) == len(FILLER)


def test_the_ends_of_a_conversation_have_one_neighbour() -> None:
    scores = np.array([-1.0, -1.0, -1.0, 3.0, -1.0])
    near, weight = Neighbours(), Neighbours().weight

    def gained(scores: np.ndarray) -> list[float]:
        found = view(conversation(FILLER[: len(scores)]))
        before = Ranking.of({"x": scores}, len(scores))
        after = near.apply(found, pose("birds", found.encode), before)
        return list(np.round((after.scores - before.scores) / weight, 6))

    assert gained(scores) == [-1, -1, 3, -1, 3]
    assert gained(scores[:1]) == [0]


ORDERS = [
    order(7, "instruction", "Always show prices in euros", "prices"),
    order(9, "preference", "I prefer trains for travel plans", "travel plans"),
    order(5, "instruction", "Never mention calories"),
]


def with_orders(question: str, said: list[str] = FILLER, **fields: dict[str, float]) -> list[int]:
    return ranked(view(conversation(said), ORDERS), question, retrieval(**fields)).order.tolist()


def test_the_fitting_instruction_has_a_place_near_the_top() -> None:
    question, alone = "What do these prices come to?", {"weight": 0.0}
    without = ranked(view(conversation(FILLER)), question, retrieval(neighbours=alone)).order.tolist()
    found = view(conversation(FILLER), ORDERS)
    ranking = ranked(found, question, retrieval(neighbours=alone, orders={"rank": 3}))
    assert ranking.order.tolist().index(7) == min(without.index(7), 2)
    assert sorted(ranking.order.tolist()) == list(range(len(FILLER)))
    assert [i for i in ranking.order if i != 7] == [i for i in without if i != 7]
    assert "standing" in ranking.why(7)
    (best, _), *_ = standing_of(found).fit(pose(question, encode).vectors[0])
    assert best.text == "Always show prices in euros"


def test_a_preference_takes_no_place_and_zero_gives_none() -> None:
    question = "Make my travel plans for May"
    kept = with_orders(question, orders={"rank": 0})
    assert kept == ranked(view(conversation(FILLER)), question).order.tolist()
    assert sorted(with_orders(question, orders={"rank": 2, "minimum": 0.0})[:2]) == [5, 7]


def test_an_order_that_does_not_fit_takes_no_place() -> None:
    ranking = ranked(view(conversation(FILLER), ORDERS), "birds", retrieval(orders={"rank": 1}))
    assert "standing" not in ranking.parts


def test_a_question_in_chinese_leans_on_words() -> None:
    said = [*FILLER[:20], "我把签证材料放在蓝色文件夹里了", *FILLER[20:]]
    ranking = ranked(view(conversation(said)), "签证材料放在哪里?", retrieval(dense={"chinese": 0.0}))
    assert int(ranking.order[0]) == 20
    assert "dense" not in ranking.why(20)


def test_an_order_of_an_exchange_that_cannot_be_seen_is_passed_over() -> None:
    assert with_orders("prices", FILLER[:6], orders={"rank": 1, "minimum": 0.0})[0] == 5


def test_hits_say_where_they_come_from_and_why() -> None:
    found = view(conversation(FILLER))
    ranking = ranked(found, "birds")
    first = hits(found.episodes, ranking, 3)[0]
    assert first.message_ids == (f"m{2 * first.exchange_id}", f"m{2 * first.exchange_id + 1}")
    assert first.text == FILLER[first.exchange_id]
    assert sum(first.why.values()) == pytest.approx(first.score, abs=1e-3)
    assert len(hits(found.episodes, ranking, 1000)) == len(FILLER)


@runs(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=40))
def test_any_conversation_and_question_give_a_ranking_of_all(said: list[str], question: str) -> None:
    ranking = ranked(view(conversation(said), ORDERS), question)
    there = range(0 if analyse(question).typed.kind == "smalltalk" else len(said))
    assert sorted(ranking.order.tolist()) == list(there)
    assert np.isfinite(ranking.scores).all()


def test_broad_questions_gather_runs() -> None:
    said = [*FILLER[:10], "kayak trip", "Pack the tent", "And the stove", "kayak repair", *FILLER[10:]]
    found, narrow = view(conversation(said)), pose("kayak", encode)
    assert not narrow.query.broad
    broad = Asked(replace(narrow.query, typed=Typed("summary")), narrow.vectors, narrow.bags)
    few, many = (rank(found, asked, Retrieval()).scores for asked in (narrow, broad))
    assert (many[11:13] > few[11:13]).all()
    assert set(np.argsort(-many)[:4].tolist()) == {10, 11, 12, 13}


def test_what_an_arm_weighs_is_taken_from_those_it_stands_for() -> None:
    arms = {name: arm for name, arm in Retrieval().arms.items() if name != "keyed"}
    assert weights(arms, ["lexical", "dense"], "en") == {"lexical": 0.36, "dense": 0.64}
    heard = ["lexical", "dense", "surroundings"]
    spoken = weights(arms, heard, "en")
    assert spoken == pytest.approx({"lexical": 0.26, "dense": 0.54, "surroundings": 0.2})
    # Meaning has less to give in Chinese; nothing falls below 0.
    taken = weights({**arms, "dense": Dense(chinese=0.1)}, heard, "zh")
    assert taken == pytest.approx({"lexical": 0.7, "dense": 0.0, "surroundings": 0.4})


def test_an_arm_with_nothing_to_say_changes_nothing() -> None:
    class Silent(Dense):
        def score(self, view: object, asked: Asked) -> None:  # type: ignore[override]
            return None

    found = view(conversation(FILLER))
    both = ranked(found, "birds", Retrieval(arms={**Retrieval().arms, "silent": Silent()}))
    assert both.scores.tolist() == ranked(found, "birds").scores.tolist()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: retrieval(dense={"weight": 1.5}), r"retrieval\.arms\.dense\.weight is 1\.5"),
        (lambda: retrieval(dense={"chinese": -1.0}), r"retrieval\.arms\.dense\.chinese is -1"),
        (lambda: Retrieval(arms={"lexical": Lexical(weight=0.0)}), "nothing would be searched"),
        (lambda: retrieval(surroundings={"instead_of": ["words"]}), "'words', which is no arm"),
        (lambda: Retrieval(arms={"dates": Dates()}), r"retrieval\.arms\.dates is no arm"),
        (lambda: Retrieval(steps={"dense": Dense()}), r"retrieval\.steps\.dense is no step"),
        (lambda: Surroundings(reach=-1), "reach is -1"),
        (lambda: Neighbours(broad=2.0), r"Neighbours\.broad is 2\.0"),
        (lambda: Orders(slots=-1), r"Orders\.slots is -1"),
    ],
)
def test_impossible_settings_are_refused(make: Callable[[], object], says: str) -> None:
    with pytest.raises(UserError, match=says):
        make()
