from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as runs
from hypothesis import strategies as st

from memfold.errors import UserError
from memfold.retrieve.query import Query, analyse
from memfold.retrieve.search import Retrieval, Standing, hits, said_outside, search
from support.retrieve_samples import conversation, encode, episodes

FILLER = [
    f"Question {i} on {topic}" for i, topic in enumerate(["bread", "cars", "tax", "birds", "chess"] * 8)
]


def ask(said: list[str], question: str, **fields: float) -> list[int]:
    return search(
        episodes(conversation(said)), analyse(question), encode, settings=Retrieval(**fields)
    ).order.tolist()


def test_the_exchange_that_says_it_is_first() -> None:
    said = [*FILLER[:20], "The sourdough starter lives in the cellar", *FILLER[20:]]
    assert ask(said, "Where does the sourdough starter live?")[0] == 20


def test_one_call_encodes_both_forms_of_the_question() -> None:
    calls: list[list[str]] = []

    def counted(texts: list[str]) -> np.ndarray:
        calls.append(list(texts))
        return encode(texts)

    found = episodes(conversation(FILLER))
    search(
        found, analyse("Can you remind me what I said about chess openings?"), counted, settings=Retrieval()
    )
    search(found, analyse("chess openings"), counted, settings=Retrieval())
    assert [len(call) for call in calls] == [2, 1]


def test_a_neighbour_of_evidence_rises() -> None:
    said = [*FILLER[:20], "The sourdough starter lives in the cellar", "Is it fine?", *FILLER[20:]]
    query = analyse("sourdough starter cellar")
    ranking = search(episodes(conversation(said)), query, encode, settings=Retrieval(neighbour=0.2))
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
    found = episodes(conversation(said, answer=""))
    ranking = search(
        found, analyse("What colour is the kayak that Ann bought?"), encode, settings=Retrieval()
    )
    assert "surroundings" in ranking.parts
    assert set(ranking.order[:3].tolist()) <= {2, 3, 4}
    talkative = search(episodes(conversation(said)), analyse("kayak colour"), encode, settings=Retrieval())
    assert "surroundings" not in talkative.parts


def test_what_was_said_outside_a_named_range_comes_last() -> None:
    found = episodes(conversation(FILLER))
    ranking = search(found, analyse("chess from 2024-03-05 to 2024-03-14"), encode, settings=Retrieval())
    assert sorted(ranking.order[:10].tolist()) == list(range(4, 14))
    assert all("outside_dates" in ranking.why(i) for i in ranking.order[10:])


def test_a_range_that_almost_nothing_lies_in_is_ignored() -> None:
    found = episodes(conversation(FILLER))
    assert said_outside(found, (date(2024, 3, 1), date(2024, 3, 5)), 5) is not None
    assert said_outside(found, (date(2024, 3, 1), date(2024, 3, 4)), 5) is None
    assert (
        said_outside(episodes(conversation(FILLER, start=None)), (date(2000, 1, 1), date(2100, 1, 1)), 1)
        is None
    )


def orders() -> Standing:
    rows = [
        (7, "instruction", "Always show prices in euros", "prices"),
        (9, "preference", "I prefer trains for travel plans", "travel plans"),
        (5, "instruction", "Never mention calories", None),
    ]
    return Standing.of(rows, encode)


def test_the_fitting_instruction_has_a_place_near_the_top() -> None:
    found = episodes(conversation(FILLER))
    query = analyse("What do these prices come to?")
    without = search(found, query, encode, settings=Retrieval(neighbour=0.0)).order.tolist()
    ranking = search(
        found, query, encode, standing=orders(), settings=Retrieval(neighbour=0.0, standing_rank=3)
    )
    assert ranking.order.tolist().index(7) == min(without.index(7), 2)
    assert sorted(ranking.order.tolist()) == list(range(len(found)))
    assert [i for i in ranking.order if i != 7] == [i for i in without if i != 7]
    assert "standing" in ranking.why(7)
    assert orders().text[ranking.standing[0][0]] == "Always show prices in euros"


def test_a_preference_takes_no_place_and_zero_gives_none() -> None:
    found = episodes(conversation(FILLER))
    query = analyse("Make my travel plans for May")
    kept = search(found, query, encode, standing=orders(), settings=Retrieval(standing_rank=0))
    assert kept.order.tolist() == search(found, query, encode, settings=Retrieval()).order.tolist()
    assert "standing" not in kept.parts
    placed = search(
        found, query, encode, standing=orders(), settings=Retrieval(standing_rank=2, standing_minimum=0)
    )
    assert sorted(placed.order[:2].tolist()) == [5, 7]


def test_an_order_that_does_not_fit_takes_no_place() -> None:
    found = episodes(conversation(FILLER))
    ranking = search(found, analyse("birds"), encode, standing=orders(), settings=Retrieval(standing_rank=1))
    assert "standing" not in ranking.parts


def test_a_question_in_chinese_leans_on_words() -> None:
    said = [*FILLER[:20], "我把签证材料放在蓝色文件夹里了", *FILLER[20:]]
    found = episodes(conversation(said))
    ranking = search(found, analyse("签证材料放在哪里?"), encode, settings=Retrieval(chinese_dense=0.0))
    assert int(ranking.order[0]) == 20
    assert "dense" not in ranking.why(20)


def test_an_order_of_an_exchange_that_cannot_be_seen_is_passed_over() -> None:
    found = episodes(conversation(FILLER[:6]))
    ranking = search(
        found,
        analyse("prices"),
        encode,
        standing=orders(),
        settings=Retrieval(standing_rank=1, standing_minimum=0),
    )
    assert int(ranking.order[0]) == 5


def test_hits_say_where_they_come_from_and_why() -> None:
    found = episodes(conversation(FILLER))
    ranking = search(found, analyse("birds"), encode, settings=Retrieval())
    first = hits(found, ranking, 3)[0]
    assert first.message_ids == (f"m{2 * first.exchange_id}", f"m{2 * first.exchange_id + 1}")
    assert first.text == FILLER[first.exchange_id]
    assert sum(first.why.values()) == pytest.approx(first.score, abs=1e-3)
    assert len(hits(found, ranking, 1000)) == len(FILLER)


@runs(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=6), st.text(max_size=40))
def test_any_conversation_and_question_give_a_ranking_of_all(said: list[str], question: str) -> None:
    found = episodes(conversation(said))
    ranking = search(found, analyse(question), encode, standing=orders(), settings=Retrieval())
    assert sorted(ranking.order.tolist()) == list(range(len(said)))
    assert np.isfinite(ranking.scores).all()


def test_broad_questions_gather_runs() -> None:
    said = [*FILLER[:10], "kayak trip", "Pack the tent", "And the stove", "kayak repair", *FILLER[10:]]
    found = episodes(conversation(said))

    def scores(broad: bool) -> np.ndarray:
        query = Query("kayak", "kayak", None, broad, "en")
        return search(found, query, encode, settings=Retrieval()).scores

    narrow, broad = scores(False), scores(True)
    assert (broad[11:13] > narrow[11:13]).all()
    assert set(np.argsort(-broad)[:4].tolist()) == {10, 11, 12, 13}


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"dense": 1.5}, r"retrieval\.dense is 1\.5"),
        ({"range_minimum": -1}, r"retrieval\.range_minimum is -1"),
        ({"lexical": 0.0, "dense": 0.0, "terse_wide": 0.0}, "nothing would be searched"),
        ({"terse_wide": 0.9}, "at most 0.7"),
    ],
)
def test_impossible_settings_are_refused(fields: dict[str, float], says: str) -> None:
    with pytest.raises(UserError, match=says):
        Retrieval(**fields)  # type: ignore[arg-type]
