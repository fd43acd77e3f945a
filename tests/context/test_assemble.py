from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retrieve_samples import conversation, encode, episodes

from memfold import tokens
from memfold.context.assemble import ALSO, CLOSEST, STANDING, Packing, assemble, cut, opening
from memfold.context.types import Context
from memfold.errors import UserError
from memfold.retrieve.query import analyse
from memfold.retrieve.search import Retrieval, Standing, search
from memfold.schema import StoredMessage

SAID = [
    f"My note {i} about {topic}: {'and so on ' * i}"
    for i, topic in enumerate(["bread", "cars", "tax", "birds"] * 15)
]
ANSWER = "Let me answer that at some length. " * 40
ORDERS = [
    (3, "instruction", "Always show prices in euros", "prices"),
    (8, "preference", "I prefer trains", None),
]


def pack(
    said: Sequence[str],
    question: str,
    budget: int,
    orders: Sequence[tuple[int, str, str, str | None]] = (),
    **fields: float,
) -> Context:
    messages = conversation(said, ANSWER)
    found = episodes(messages)
    standing = Standing.of(orders, encode)
    ranking = search(found, analyse(question), encode, standing=standing, settings=Retrieval())
    packing = Packing(**fields)  # type: ignore[arg-type]
    return assemble(found, ranking, fetcher(messages), budget=budget, standing=standing, packing=packing)


def fetcher(messages: Sequence[StoredMessage]):  # type: ignore[no-untyped-def]
    by_exchange: dict[int, list[StoredMessage]] = defaultdict(list)
    for message in messages:
        by_exchange[message.exchange_id].append(message)

    def fetch(exchanges: Sequence[int]) -> Mapping[int, Sequence[StoredMessage]]:
        return {exchange: by_exchange[exchange] for exchange in exchanges}

    return fetch


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(st.characters(codec="utf-8"), max_size=200), max_size=12),
    st.text(max_size=30),
    st.integers(0, 1500),
)
def test_a_context_never_exceeds_its_budget(said: list[str], question: str, budget: int) -> None:
    context = pack(said, question, budget, [(0, "instruction", "Always be brief", None)])
    assert context.tokens == tokens.count(context.text) <= budget
    assert context.text == "".join(part.text for part in context.parts)


@pytest.mark.parametrize("budget", [300, 2_000, 4_000])
def test_a_budget_is_used_up_where_there_is_more_to_say(budget: int) -> None:
    assert 0.9 * budget < pack(SAID, "What about bread?", budget).tokens <= budget


def test_standing_orders_are_always_there_within_their_share() -> None:
    context = pack(SAID, "What do I like about birds?", 300, ORDERS)
    first = context.parts[0]
    assert first.label == STANDING
    assert "Always show prices in euros" in first.text
    assert first.tokens <= 300 * 0.15
    many = [(i, "instruction", f"Always mention topic number {i} when asked", None) for i in range(60)]
    crowded = pack(SAID, "What do I like about birds?", 2_000, many)
    assert 0 < crowded.parts[0].tokens <= 2_000 * 0.15
    assert len(crowded.parts) == 3


def test_the_layers_thin_out_along_the_ranking() -> None:
    context = pack(SAID, "What about bread?", 4_000, reference=4_000, answered=3, whole=6, opening=60)
    parts = {part.label: part for part in context.parts}
    assert [piece.role for piece in parts[CLOSEST].pieces] == ["user", "assistant"] * 3
    answers = [piece for piece in parts[CLOSEST].pieces if piece.role == "assistant"]
    assert all(600 <= len(piece.text) <= 630 for piece in answers)
    asked = [int(hit.exchange_id) for hit in context.hits]
    pieces = {p.exchange_id: p.text for part in context.parts for p in part.pieces if p.role == "user"}
    assert all(pieces[e] == SAID[e].strip() for e in asked[:6])
    assert all(len(text) <= 90 for e, text in pieces.items() if e not in asked[:6])


def test_every_line_says_where_it_comes_from_in_the_order_of_the_conversation() -> None:
    context = pack(SAID, "What about bread?", 4_000)
    for part in context.parts:
        exchanges = [int(n) for n in re.findall(r"^\[(\d+)\] ", part.text, re.MULTILINE)]
        assert exchanges == sorted(exchanges)
        assert set(exchanges) == set(part.exchange_ids)
        days = re.findall(r"^(\d{4}-\d\d-\d\d)$", part.text, re.MULTILINE)
        assert days == sorted(days)
    exchange = context.parts[0].exchange_ids[0]
    assert context.cite(exchange).message_ids[0] == f"m{2 * exchange}"
    with pytest.raises(KeyError, match="no exchange 99"):
        context.cite(99)


def test_what_is_left_goes_to_more_answers() -> None:
    few = SAID[:12]
    context = pack(few, "bread", 14_000, answered=2, reference=14_000)
    answered = {p.exchange_id for part in context.parts for p in part.pieces if p.role == "assistant"}
    assert answered == set(range(12))
    assert any(p.role == "assistant" for part in context.parts if part.label == ALSO for p in part.pieces)


def test_nothing_to_say_and_no_room_are_an_empty_context() -> None:
    assert pack([], "bread", 1_000).text == ""
    empty = pack(SAID, "bread", 0, ORDERS)
    assert (empty.text, empty.tokens, empty.parts) == ("", 0, ())
    assert len(empty.hits) == 15
    with pytest.raises(UserError, match="budget is -1"):
        pack(SAID, "bread", -1)


def test_branches_that_are_not_shown_are_not_packed() -> None:
    from dataclasses import replace

    messages = conversation(["bread"], "")
    hidden = replace(messages[0], seq=1, role="assistant", content="never shown", current=False)
    found = episodes(messages)
    ranking = search(found, analyse("bread"), encode, settings=Retrieval())
    context = assemble(found, ranking, lambda _: {0: [*messages, hidden]}, budget=14_000)
    assert "bread" in context.text
    assert "never shown" not in context.text


@given(st.text(), st.integers(1, 60))
def test_a_cut_is_a_beginning_of_the_text(text: str, characters: int) -> None:
    short = cut(text, characters)
    assert text.strip().startswith(short.removesuffix(" …").rstrip() if short != text.strip() else short)
    assert len(short) <= characters + 26


def test_openings_leave_code_out_unless_there_is_nothing_else() -> None:
    assert opening("See\n```py\nx = 1\n```\nwhy?", 240) == "See why?"
    assert opening("```py\nx = 1", 240) == "```py x = 1"


@pytest.mark.parametrize("fields", [{"standing": 1.5}, {"opening": 0}, {"answered": -1}])
def test_impossible_packings_are_refused(fields: dict[str, float]) -> None:
    with pytest.raises(UserError, match=f"packing.{next(iter(fields))}"):
        Packing(**fields)  # type: ignore[arg-type]
