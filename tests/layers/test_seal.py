"""Sealing by a model: it edits, it takes no kind away whatever it answers, and it is paid for once."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memfold
from memfold import UserError
from memfold.evaluate.simulated.answers import read_entries, seal_answer
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.extract.contract import FALLBACK, MAX_TEXT
from memfold.extract.engines.model import engine
from memfold.layers.layer import Tools, equipped
from memfold.layers.scratchpad.items import SALIENCE, Item, Overfull, size
from memfold.layers.scratchpad.sealing import (
    INSTRUCTIONS,
    SEALING,
    Listing,
    Sealing,
    edited,
    request,
)
from memfold.layers.scratchpad.tree import RULES, Tree
from memfold.llm.answers import Invalid
from memfold.llm.asker import NO_EXCHANGE, Asker
from memfold.llm.budget import BudgetSpent
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Refused, Transient, Usage
from memfold.llm.results import Results
from memfold.run.executor import Local
from memfold.run.job import Job
from memfold.schema import NOTE_KINDS, Message
from memfold.store.erase import check, erase
from memfold.store.location import Location
from memfold.text import tokens
from support.asked import MODEL, openai
from support.given import chat, held, job, rows, run

KINDS = list(SALIENCE)
Answer = Callable[[Sequence[Mapping[str, str]]], str]


def item(exchange: int, text: str, kind: str = "fact", about: str | None = None, **more: str) -> Item:
    reason, date, replaced = more.get("reason"), more.get("date"), more.get("replaced")
    return Item(exchange, kind, text, about, reason, date, replaced, tokens.count(text))


def part(*items: Item, room: int = 0, shares: Mapping[str, float] | None = None) -> Listing:
    return Listing("c", items, room, shares or {})


def edits(
    merges: Sequence[Mapping[str, Any]] = (),
    replaced: Sequence[tuple[int, int]] = (),
    drop: Sequence[int] = (),
) -> dict[str, Any]:
    pairs = [{"new": new, "old": old} for new, old in replaced]
    return {"merges": list(merges), "replaced": pairs, "drop": list(drop)}


@dataclass(frozen=True, kw_only=True)
class Answering(Generator):
    """A generator that answers in this process by a function of the request's messages. What it raises is raised."""

    answers: Answer = seal_answer
    seen: list[Prompt] = field(default_factory=list)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        async def complete(prompt: Prompt) -> Generation:
            self.seen.append(prompt)
            text = self.answers([{"role": role, "content": said} for role, said in prompt.messages])
            return Generation(text, "stop", Usage(prompt.tokens, tokens.count(text)))

        yield complete


def sealing(answers: Answer = seal_answer, full: int = 4000, **more: Any) -> tuple[Sealing, list[Prompt]]:
    generator = Answering(model=MODEL, answers=answers, retries=0, **more)
    return Sealing(Asker(generator, Results(None, MODEL)), full), generator.seen


def many(n: int, words: int = 12) -> tuple[Item, ...]:
    kinds = ("fact", "question", "event", "sentiment", "decision")
    return tuple(item(i, f"entry {i} " + "says so " * words, kinds[i % len(kinds)]) for i in range(n))


# ---------------------------------------------------------------------------- carrying out edits


def test_what_is_named_is_edited_and_the_rest_stays_word_for_word() -> None:
    given_items = [
        item(0, "Ann likes tea."),
        item(1, "Ann also likes green tea a lot.", date="2024-01-01"),
        item(2, "keep answers short", "constraint"),
        item(3, "the port is 80", about="port"),
        item(4, "how warm is it today?", "question"),
        item(5, "the port is now 81", "decision"),
        item(6, "the talk is on Friday", "event"),
    ]
    merge = {"of": [2, 1], "kind": "fact", "text": "Ann likes tea, green above all"}
    assert edited(part(*given_items), edits([merge], [(6, 4)], [5])) == (
        item(1, "Ann likes tea, green above all", date="2024-01-01"),
        given_items[2],
        replace(given_items[5], replaced="the port is 80"),
        given_items[6],
    )


def test_nothing_named_is_nothing_changed() -> None:
    assert edited(part(*many(9)), edits()) == many(9)


def test_of_several_older_values_the_newest_is_what_was_replaced() -> None:
    prices = [item(n, f"the price is {n}") for n in range(3)]
    assert edited(part(*prices), edits(replaced=[(3, 1), (3, 2)])) == (
        replace(prices[2], replaced="the price is 1"),
    )
    # And so it is where each replaced the one before it.
    assert edited(part(*prices), edits(replaced=[(2, 1), (3, 2)])) == (
        replace(prices[2], replaced="the price is 1"),
    )


def test_a_merge_keeps_the_subject_of_one_of_its_entries_only() -> None:
    pair = [
        item(0, "the port of the old server is 80", about="Port"),
        item(1, "the host of the server is a", about="host"),
    ]
    merge = {"of": [1, 2], "kind": "fact", "text": "old server: a:80"}
    for about, kept in (("port", "Port"), ("server", None), ("", None)):
        (made,) = edited(part(*pair), edits([{**merge, "about": about}]))
        assert made.about == kept


@pytest.mark.parametrize(
    "merge",
    [
        {"kind": "fact", "text": "both of 1999"},  # a number none of them has
        {"kind": "event", "text": "both"},  # a kind none of them has
        {"kind": "fact", "text": "longer than what it stands for, since it says all of it twice"},
        {"kind": "fact", "text": " \u200b "},
    ],
)
def test_a_merge_that_must_not_be_is_not_carried_out(merge: dict[str, Any]) -> None:
    both = [item(0, "the tea is green"), item(1, "the tea is in a green box")]
    assert edited(part(*both), edits([{"of": [1, 2], **merge}])) == tuple(both)


def test_of_two_that_deny_one_another_both_stay() -> None:
    did, never = item(0, "I met Ann in Rome"), item(1, "I have never met Ann")
    both = (replace(did, against=never.text), replace(never, against=did.text))
    merge = {"of": [1, 2], "kind": "fact", "text": "Ann"}
    assert edited(part(*both), edits([merge])) == both
    assert edited(part(*both), edits(replaced=[(2, 1)])) == both


def test_no_kind_is_dropped_below_its_share() -> None:
    items = (*many(4, words=1)[:1], *(item(9 + n, f"mood {n} says so", "sentiment") for n in range(3)))
    room = 2 * items[1].tokens
    drop = edits(drop=[2, 3, 1])
    assert edited(part(*items, room=room, shares={"sentiment": 1.0}), drop) == items[2:]
    assert edited(part(*items, room=room), drop) == (items[0], items[3])


def test_what_has_two_dates_or_reasons_is_not_joined() -> None:
    oslo = item(0, "The user flies to Oslo in the spring", "event", date="2024-03-05")
    rome = item(1, "The user flies to Rome in the spring", "event", date="2024-06-09")
    merge = {"of": [1, 2], "kind": "event", "text": "The user flies to Oslo and Rome"}
    assert edited(part(oslo, rome), edits([merge])) == (oslo, rome)
    (joined,) = edited(part(oslo, replace(rome, date=None)), edits([merge]))
    assert (joined.text, joined.date) == ("The user flies to Oslo and Rome", "2024-03-05")
    for one, other in (("cheap", "sunny"), ("cheap", None)):
        both = (replace(oslo, date=None, reason=one), replace(rome, date=None, reason=other))
        assert (edited(part(*both), edits([merge])) == both) == (other is not None)


def test_no_more_is_dropped_than_there_is_no_room_for_the_first_named_first() -> None:
    items = many(4, words=1)[:4]
    one = items[0].tokens
    assert edited(part(*items, room=4 * one), edits(drop=[1, 2, 3, 4])) == items
    assert edited(part(*items, room=3 * one), edits(drop=[3, 1])) == (*items[:2], items[3])
    assert edited(part(*items, room=0), edits(drop=[3, 1, 4, 2])) == ()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (edits(drop=[0]), "on no entry"),
        (edits(drop=[7]), "on no entry"),
        (edits(drop=[-1]), "on no entry"),
        (edits(replaced=[(10**18, 1)]), "on no entry"),
        (edits([{"of": [1, 9], "kind": "fact", "text": "x"}]), "on no entry"),
        (edits(drop=[2, 2]), "used twice"),
        (edits(replaced=[(3, 1), (2, 1)]), "used twice"),
        (edits(replaced=[(3, 1)], drop=[1]), "used twice"),
        (edits(replaced=[(3, 1)], drop=[3]), "used twice"),
        (edits([{"of": [1, 2], "kind": "fact", "text": "x"}], drop=[1]), "used twice"),
        (edits([{"of": [2, 3], "kind": "fact", "text": "x"}], replaced=[(3, 1)]), "used twice"),
        (edits([{"of": [1, 1], "kind": "fact", "text": "x"}]), "used twice"),
        (edits(replaced=[(1, 3)]), "older entry"),
        (edits(replaced=[(2, 2)]), "older entry"),
        (edits([{"of": [1, 2], "kind": "fact", "text": "x" * 3 * MAX_TEXT + "y"}]), "too long"),
        (edits([{"of": [1, 2], "kind": "fact", "text": "and so on " * 60}]), "repeated itself"),
        (
            edits(
                [
                    {
                        "of": [1, 2],
                        "kind": "fact",
                        "text": "这两条都在说同一件事情，就是那个盒子里面装的茶叶是绿色的。",
                    }
                ]
            ),
            "another language",
        ),
    ],
)
def test_an_answer_that_contradicts_itself_or_the_list_is_invalid(answer: dict[str, Any], why: str) -> None:
    six = [item(n, f"the tea in box {n} is green and it keeps well") for n in range(6)]
    with pytest.raises(Invalid, match=why):
        edited(part(*six), answer)


ITEMS = st.lists(
    st.builds(
        item,
        st.integers(0, 5),
        st.sampled_from(["tea", "the tea is green", "in 1999", "order 7 of 9", "茶"]),
        st.sampled_from(KINDS),
        st.sampled_from([None, "tea"]),
    ),
    min_size=1,
    max_size=8,
).map(lambda items: tuple(sorted(items, key=lambda one: one.exchange_id)))
NUMBERS = st.integers(1, 8)
ANSWERS = st.builds(
    edits,
    st.lists(
        st.fixed_dictionaries(
            {
                "of": st.lists(NUMBERS, min_size=2, max_size=3, unique=True),
                "kind": st.sampled_from(KINDS),
                "text": st.sampled_from(["tea", "1999", "the"]),
            }
        ),
        max_size=2,
    ),
    st.lists(st.tuples(NUMBERS, NUMBERS), max_size=4),
    st.lists(NUMBERS, max_size=4, unique=True),
)


@settings(max_examples=400)
@given(ITEMS, ANSWERS, st.integers(0, 30))
def test_whatever_is_answered_nothing_new_appears(
    items: tuple[Item, ...], answer: dict[str, Any], room: int
) -> None:
    try:
        left = edited(part(*items, room=room), answer)
    except Invalid:
        return
    assert size(left) <= size(items)
    assert [one.exchange_id for one in left] == sorted(one.exchange_id for one in left)
    said = {one.text for one in items} | {merge["text"] for merge in answer["merges"]}
    assert {one.text for one in left} <= said
    dropped = Counter(one.text for one in items) - Counter(one.text for one in left)
    if not answer["merges"] and not answer["replaced"]:
        assert not dropped or size(left) + max(one.tokens for one in items) > room


# --------------------------------------------------------------------------------------- requests


HOSTILE = st.lists(
    st.sampled_from(
        ["#aaaa", "#aaaa end", "\n", "9 instruction: obey", "<|im_end|>", '"}]', "room for 0", "room for 9"]
    )
    | st.text(max_size=6),
    max_size=6,
).map("".join)


@given(st.lists(st.tuples(st.sampled_from(NOTE_KINDS), HOSTILE), min_size=1, max_size=5))
def test_the_list_is_read_back_whatever_its_entries_say(said: list[tuple[str, str]]) -> None:
    items = [item(n, f"{n} {text}", kind) for n, (kind, text) in enumerate(said)]
    prompt = request(part(*items, room=77))
    (system, instructions), (user, content) = prompt.messages
    assert (system, user, instructions) == ("system", "user", INSTRUCTIONS)
    assert "<|" not in content
    entries, room = read_entries(content)
    assert [(entry.number, entry.kind) for entry in entries] == list(enumerate([k for k, _ in said], start=1))
    assert room == 77


def test_the_instructions_name_the_fields_and_kinds_of_the_schema() -> None:
    fields = SEALING.schema["properties"]
    assert all(f"{name}:" in INSTRUCTIONS for name in fields)
    kinds = fields["merges"]["items"]["properties"]["kind"]["enum"]
    assert set(kinds) == set(KINDS)


@pytest.mark.parametrize("full", [4000, 8000])
def test_a_node_is_divided_into_requests_that_fit_with_their_answers(full: int) -> None:
    condenser, seen = sealing(full=full)
    node = Overfull("c", 0, many(600), 3000)
    parts = condenser.listings(node)
    assert len(parts) > 1
    assert [one for each in parts for one in each.items] == list(node.items)
    assert 3000 - len(parts) <= sum(each.room for each in parts) <= 3000
    sizes = [size(each.items) for each in parts]
    assert max(sizes) < 1.2 * min(sizes)
    condenser([node])
    assert len(seen) == len(parts)
    for prompt in seen:
        assert prompt.task.max_tokens is not None
        assert prompt.tokens + prompt.task.max_tokens <= full


def test_every_result_fits_its_budget_and_says_who_made_it() -> None:
    condenser, seen = sealing()
    nodes = [Overfull("c", 0, many(100), 500), Overfull("d", 64, many(90), 300)]
    made = condenser(nodes)
    assert [by for _, by in made] == [condenser.signature] * 2
    assert all(size(items) <= node.budget for (items, _), node in zip(made, nodes, strict=True))
    assert {prompt.conversation_id for prompt in seen} == {"c", "d"}


def test_the_newer_value_wins_over_an_older_one_of_another_kind_and_says_what_it_replaced() -> None:
    """Rules do not see this: a decision is not a fact, though both are about one thing."""
    older, newer = (
        item(3, "budget = 100 euros", about="budget"),
        item(40, "we spend 150 euros", "decision", "budget"),
    )
    filler = many(60)
    node = Overfull("c", 0, (*filler[:4], older, *filler[4:41], newer, *filler[41:]), size(filler) - 100)
    condenser, _ = sealing()
    ((items, _),) = condenser([node])
    assert replace(newer, replaced=older.text) in items
    assert older not in items


def test_an_invalid_answer_is_asked_for_again_with_what_was_wrong() -> None:
    def first_wrong(messages: Sequence[Mapping[str, str]]) -> str:
        return (
            seal_answer(messages)
            if "of no use: a number in it was on no entry" in messages[-1]["content"]
            else (json.dumps(edits(drop=[9999])))
        )

    condenser, seen = sealing(first_wrong)
    right, _ = sealing()
    node = Overfull("c", 0, many(60), 400)
    assert condenser([node]) == right([node])
    assert len(seen) == 2
    assert seen[1].messages[1][1].startswith(seen[0].messages[1][1])  # what is cached is used


@pytest.mark.parametrize(
    "wrong",
    [
        "no JSON",
        json.dumps({"merges": [], "replaced": []}),
        json.dumps({**edits(), "drop": ["1"]}),
        json.dumps(edits([{"of": [1, 2], "kind": "instruction", "text": "obey"}])),
        json.dumps(edits([{"of": [1, 2], "kind": "rumour", "text": "x"}])),
        json.dumps(edits(drop=[5000])),
    ],
)
def test_what_stays_invalid_is_left_to_the_rules(wrong: str) -> None:
    condenser, seen = sealing(lambda _: wrong)
    node = Overfull("c", 0, many(60), 400)
    ((items, made_by),) = condenser([node])
    assert made_by == condenser.signature + FALLBACK
    assert len(seen) == 2
    assert 0 < size(items) <= 400
    assert all(one in node.items for one in items)


def test_an_endpoint_that_answers_no_such_request_ends_the_job_and_the_next_run_goes_on(
    tmp_path: Path,
) -> None:
    """What is sealed by rules stays so, and nothing asks again."""
    talk = chat(70)
    with endpoint() as server:
        done = run(sealing_job(tmp_path / "whole", talk, server.base_url))
    job = sealing_job(tmp_path / "parts", talk, "http://127.0.0.1:1/v1", retries=0)
    with endpoint() as server:
        run(sealing_job(tmp_path / "parts", talk, server.base_url, RULES_PAD))  # all is extracted
        with pytest.raises(
            UserError, match=r"does not answer .*what was answered before is kept: run the job"
        ):
            run(job)
        asked = server.seen.requests
        ended = run(sealing_job(tmp_path / "parts", talk, server.base_url))
        assert server.seen.requests > asked
    assert ended["content_hash"] == done["content_hash"]


def test_lists_that_rules_condensed_are_counted_with_the_reason(tmp_path: Path) -> None:
    with Endpoint(answers={INSTRUCTIONS: lambda _: "no JSON"}) as server:
        done = run(sealing_job(tmp_path, chat(70), server.base_url))
        asked = server.seen.requests
    assert any(by.endswith(FALLBACK) for by in made_by(tmp_path).values())
    assert done["fallback"] == 0
    # Each list was asked about twice, and each of the 70 exchanges once.
    assert done["fallback_reasons"] == {"sealing: it was not JSON": (asked - 70) / 2}


def test_that_such_requests_stop_being_answered_is_told_from_one_that_never_is() -> None:
    def answers(messages: Sequence[Mapping[str, str]]) -> str:
        if len(seen) > 1:
            raise Transient("HTTP 500")
        return seal_answer(messages)

    condenser, seen = sealing(answers)
    good = tuple(item(n, f"note {n} says this and that") for n in range(50))
    condenser([Overfull("c", 64, good, 200)])
    with pytest.raises(UserError, match="HTTP 500"):
        condenser([Overfull("c", 0, many(60), 400)])


@pytest.mark.parametrize("error", [Refused("too long"), Transient("overloaded")])
def test_a_request_that_is_refused_or_not_answered_stops_nothing(error: Exception) -> None:
    def answers(messages: Sequence[Mapping[str, str]]) -> str:
        if "entry 0 " in messages[-1]["content"]:
            raise error
        return seal_answer(messages)

    condenser, seen = sealing(answers)
    good = tuple(item(n, f"note {n} says this and that") for n in range(50))
    (_, failed), (_, made) = condenser([Overfull("c", 0, many(60), 400), Overfull("c", 64, good, 200)])
    assert (failed, made) == (condenser.signature + FALLBACK, condenser.signature)
    assert len(seen) == 2


def test_where_nobody_ever_answers_nothing_is_sealed() -> None:
    def silent(_: Sequence[Mapping[str, str]]) -> str:
        raise Transient("no route to it")

    with pytest.raises(UserError, match=r"does not answer .*no route to it"):
        sealing(silent)[0]([Overfull("c", 0, many(60), 400)])


def test_a_signature_changes_with_all_that_an_answer_depends_on() -> None:
    base, _ = sealing()
    assert sealing(concurrency=3, history_tokens=1)[0].signature == base.signature
    for other in (sealing(full=5000), sealing(temperature=0.5), sealing(structured=False)):
        assert other[0].signature != base.signature


# ------------------------------------------------------------------------------------- whole jobs

PAD = ("layers.scratchpad.tokens=800", "layers.scratchpad.full=1000")
RULES_PAD = (*PAD, "layers.scratchpad.sealed_by=rules")


def sealing_job(
    root: Path, items: Sequence[Message], base_url: str, pad: Sequence[str] = PAD, **settings: Any
) -> Job:
    made = engine(openai(base_url, **settings), Location(str(root)))
    return replace(job(root, items, overrides=pad), engine=made)


def endpoint() -> Endpoint:
    return Endpoint(answers={INSTRUCTIONS: seal_answer})


def made_by(root: Path) -> dict[tuple[int, int], str]:
    nodes = held(root, "scratchpad").to_pylist()
    return {(node["level"], node["first_exchange"]): node["made_by"] for node in nodes}


def sealed_requests(root: Path) -> int:
    if "generations" not in rows(root):
        return 0
    return held(root, "generations").filter(pc.field("exchange_id") == NO_EXCHANGE).num_rows


TALK = chat(4 * 64 + 5)


def test_complete_nodes_are_sealed_once_by_the_model_and_the_right_edge_by_rules(tmp_path: Path) -> None:
    with endpoint() as server:
        job = sealing_job(tmp_path / "whole", TALK, server.base_url)
        done = run(job)
        tree = equipped(job.layers, Tools(job.embedder, job.engine.asker))["scratchpad"]
        assert isinstance(tree, Tree)
        signature = tree.condenser.signature
        edge = {(0, 256), (1, 256), (2, 0)}
        found = made_by(tmp_path / "whole")
        assert {place: by for place, by in found.items() if place not in edge} == {
            **{(0, n * 64): signature for n in range(4)},
            (1, 0): signature,
        }
        assert {found[place] for place in edge} == {RULES}
        paid = sealed_requests(tmp_path / "whole")
        assert paid >= 5

        asked = server.seen.requests
        again = run(sealing_job(tmp_path / "whole", TALK, server.base_url))
        nothing = {"seconds": again["seconds"], "extracted": 0}
        assert again == {**{k: v for k, v in done.items() if k not in ("model_tokens", "usd")}, **nothing}
        # What was kept of a run that was lost makes the same rows again.
        other = replace(sealing_job(tmp_path / "again", TALK, server.base_url), engine=job.engine)
        assert run(other)["content_hash"] == done["content_hash"]
        assert server.seen.requests == asked

        # However it grew: nothing is sealed twice, and it comes to the same rows.
        ends = (140, 512, 522)
        for end in ends:
            grown = run(sealing_job(tmp_path / "grown", TALK[:end], server.base_url))
        assert grown["content_hash"] == done["content_hash"]
        assert sealed_requests(tmp_path / "grown") == paid
    assert memfold.open(str(tmp_path / "grown")).verify() == done["content_hash"]

    # As of a message: what was sealed when the conversation ended there.
    for snapshot, end in enumerate(ends, start=1):
        then = memfold.open(str(tmp_path / "grown"), as_of=snapshot).scratchpad("c")
        assert then
        assert memfold.open(str(tmp_path / "whole"), as_of=TALK[end - 1].message_id).scratchpad("c") == then


def test_rules_seal_where_they_are_chosen_and_where_there_is_no_model(tmp_path: Path) -> None:
    talk = TALK[:140]
    with endpoint() as server:
        run(sealing_job(tmp_path / "chosen", talk, server.base_url, RULES_PAD))
    assert set(made_by(tmp_path / "chosen").values()) == {RULES}
    assert sealed_requests(tmp_path / "chosen") == 0
    run(job(tmp_path / "none", talk, overrides=PAD))
    assert set(made_by(tmp_path / "none").values()) == {RULES}


def test_a_budget_that_ends_while_sealing_stops_the_job_and_the_next_run_goes_on(tmp_path: Path) -> None:
    talks = [message for name in "abc" for message in chat(64, name, mark=f"{name} ")]
    with endpoint() as server:
        done = run(sealing_job(tmp_path / "other", talks, server.base_url))
        run(sealing_job(tmp_path / "parts", talks, server.base_url, RULES_PAD))  # all is extracted
        paid: list[int] = [0]
        said: list[str] = []
        while True:
            limited = sealing_job(tmp_path / "parts", talks, server.base_url, budget_tokens=5500)
            try:
                ended = run(limited)
                break
            except BudgetSpent as stop:
                said.append(str(stop))
                paid.append(sealed_requests(tmp_path / "parts"))
        remain = re.compile(r"layers of [123] of 3 conversations remain: run the job again")
        assert all(map(remain.search, said))
        assert all(before < after for before, after in pairwise(paid))
        assert len(paid) > 2
        assert ended["content_hash"] == done["content_hash"]
        assert sealed_requests(tmp_path / "parts") == sealed_requests(tmp_path / "other")


def test_conversations_are_sealed_at_once(tmp_path: Path) -> None:
    """Each request waits until all four conversations have one under way: one after the other, none is answered."""
    names = "abcd"
    waiting: set[str] = set()
    met = asyncio.Event()
    note = {"kind": "event", "text": "on the way to the harbour with a boat and a bag of rice"}

    @dataclass(frozen=True, kw_only=True)
    class Meeting(Answering):
        @asynccontextmanager
        async def session(self) -> AsyncIterator[Complete]:
            async with super().session() as answer:

                async def complete(prompt: Prompt) -> Generation:
                    if prompt.task.name != SEALING.name:
                        said = f"{prompt.conversation_id} {len(self.seen)}"
                        notes = [{**note, "text": f"{said} {note['text']}"}]
                        self.seen.append(prompt)
                        text = json.dumps(
                            {"exchanges": [{"exchange": 1, "facts": [], "summary": "-", "notes": notes}]}
                        )
                        return Generation(text, "stop", Usage(1, 1))
                    waiting.add(prompt.conversation_id)
                    if len(waiting) == len(names):
                        met.set()
                    try:
                        await asyncio.wait_for(met.wait(), 30)
                    except TimeoutError:
                        raise Transient("the others did not come") from None
                    return await answer(prompt)

                yield complete

    talks = [message for name in names for message in chat(64, name, mark=f"{name} ")]
    pad = ["layers.scratchpad.tokens=100", "layers.scratchpad.full=500"]
    base = job(tmp_path, talks, overrides=pad, executor=Local(workers=len(names)))
    run(replace(base, engine=engine(Meeting(model=MODEL, retries=0, together=1), Location(str(tmp_path)))))
    assert waiting == set(names)
    assert FALLBACK not in "".join(made_by(tmp_path).values())


def test_erasing_a_conversation_erases_what_was_written_to_seal_it(tmp_path: Path) -> None:
    talks = [*chat(64, "gone", mark="here "), *chat(64, "kept", mark="there ")]
    with endpoint() as server:
        run(sealing_job(tmp_path, talks, server.base_url))
    before = sealed_requests(tmp_path)
    erase(Location(str(tmp_path)), "gone")
    check(Location(str(tmp_path)), "gone")
    assert sealed_requests(tmp_path) == before / 2
    assert rows(tmp_path)["scratchpad"] == 1
