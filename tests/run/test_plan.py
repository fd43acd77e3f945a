"""What a source adds to what is stored: ids, conflicts, places and segments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.embed.minilm import MiniLM
from memfold.ingest.called import INSTRUCTIONS
from memfold.layers.layer import Tools, equipped
from memfold.run.plan import Naming, Work, cut, place
from memfold.run.reconcile import Changes, Identified, identify, reconcile
from memfold.schema import SPAN, DeadLetter, Message, Role
from support.given import chat, job, said


def identified(messages: Sequence[Message]) -> tuple[list[Identified], list[DeadLetter]]:
    letters: list[DeadLetter] = []
    return list(identify(messages, letters.append)), letters


def reconciled(
    stored: Sequence[Message], source: Sequence[Message], *, joined: bool = False, **how: Any
) -> Iterator[Identified]:
    """`reconcile` over messages; what is stored has ids."""
    held = [Identified(item.message_id, None, item.message) for item in identified(stored)[0]]
    return reconcile(
        source=lambda reject: identify(source, reject, joined=joined),
        stored=lambda: iter(held),
        roles={item.message_id: item.message.role for item in held},
        **how,
    )


def after(
    stored: Sequence[Message], source: Sequence[Message], *, joined: bool = False
) -> tuple[list[tuple[str, str]], list[DeadLetter]]:
    """(id, words) of the conversation after a source, and what was rejected. What is stored has ids."""
    letters: list[DeadLetter] = []
    made = reconciled(stored, source, joined=joined, reject=letters.append)
    return [(item.message_id, item.message.content) for item in made], letters


def changed(stored: Sequence[Message], source: Sequence[Message], *, whole: bool = False) -> list[Changes]:
    """What is told of what a source changes; `whole`, it takes the place of what is stored."""
    told: list[Changes] = []
    list(reconciled(stored, source, reject=lambda _: None, replace=whole, tell=told.append))
    return told


def ids(*names: str | None, word: str = "word") -> list[Message]:
    return [said(f"{word} {place}", id=name) for place, name in enumerate(names)]


# ------------------------------------------------------------------------------------------- ids


def test_a_message_without_id_is_called_by_its_position() -> None:
    items, letters = identified(ids(None, "x", None))
    assert [(item.message_id, item.within) for item in items] == [("0", ""), ("x", None), ("2", "")]
    assert letters == []


def test_instructions_beside_the_messages_move_no_position() -> None:
    talk, added = ids(None, None), [("0", "word 0"), ("1", "word 1")]
    beside = said("Be brief.", "system", id=INSTRUCTIONS)
    whole = [beside, *talk]
    assert [item.message_id for item in identified(whole)[0]] == ["#system", "0", "1"]
    # A store from before they were read takes them in, and loses and rejects nothing.
    assert after(talk, whole) == ([("#system", "Be brief."), *added], [])
    assert changed(talk, whole, whole=True) == [Changes()]
    other = replace(beside, content="Be kind.")
    assert after(whole, [other, *talk, said("more")])[0] == [
        *(("#system", "Be kind."), *added, ("2", "more"))
    ]
    # Another page of the conversation repeats them.
    _, letters = identified([*whole, beside, *talk])
    assert [letter.reason for letter in letters] == ["delivered twice: same id, same words"]


def test_instructions_that_changed_do_not_hide_that_ids_begin_again() -> None:
    def day(nth: int) -> list[Message]:
        start = nth * 24 * 60
        rules = said(f"It is day {nth}.", "system", id=INSTRUCTIONS)
        return [rules, *(said(f"day {nth}, {n}", id=str(n), minute=start + n) for n in range(4))]

    kept, letters = after(day(1), day(3))
    assert kept == [(item.message_id, item.message.content) for item in identified(day(1))[0]]
    assert len(letters) == 5


@pytest.mark.parametrize("of", ["", "kayak/"])
def test_instructions_of_messages_that_are_rejected_are_too(of: str) -> None:
    names = [f"{of}#{n}" for n in range(3)] if of else [None] * 3
    stored = ids(*names)
    other = [said("Be brief.", "system", id=f"{of}{INSTRUCTIONS}"), *ids(*names, word="other")]
    kept, letters = after(stored, other, joined=bool(of))
    assert kept == [(item.message_id, item.message.content) for item in identified(stored)[0]]
    assert len(letters) == 4


def test_a_repeated_id_is_made_its_own() -> None:
    items, letters = identified(ids("a", "a", "b", "a"))
    assert [item.message_id for item in items] == ["a", "a#2", "b", "a#3"]
    assert letters == []


def test_a_made_id_never_takes_one_that_is_in_use() -> None:
    assert [i.message_id for i in identified(ids("a", "a", "a#2"))[0]] == ["a", "a#2", "a#2#2"]
    assert [i.message_id for i in identified(ids("a#2", "a", "a"))[0]] == ["a#2", "a", "a#3"]
    assert [i.message_id for i in identified(ids("1", None))[0]] == ["1", "1#2"]


def test_a_position_and_an_equal_id_are_two_messages_even_in_the_same_words() -> None:
    items, letters = identified([said("hi"), said("hi", id="0")])
    assert [item.message_id for item in items] == ["0", "0#2"]
    assert letters == []


def test_the_same_id_and_words_are_delivered_twice() -> None:
    message = said("hello", id="a", minute=3)
    items, letters = identified([message, replace(message, content="other"), message, message])
    assert [item.message_id for item in items] == ["a", "a#2"]
    assert [letter.place for letter in letters] == [
        "conversation c, message a at position 2",
        "conversation c, message a at position 3",
    ]
    assert {letter.reason for letter in letters} == {"delivered twice: same id, same words"}


def test_equal_words_without_ids_are_two_messages() -> None:
    assert len(identified([said("ok"), said("ok")])[0]) == 2


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(st.sampled_from([None, "0", "1", "2", "a", "a#2", "a#2#2", ""]), st.sampled_from("xy"))
    )
)
def test_every_message_gets_an_id_of_its_own_or_is_rejected(drawn: list[tuple[str | None, str]]) -> None:
    messages = [said(text, id=name) for name, text in drawn]
    items, letters = identified(messages)
    assert len({item.message_id for item in items}) == len(items)
    assert len(items) + len(letters) == len(messages)
    for end in range(len(messages)):  # and keeps it when the conversation grows
        assert identified(messages[:end])[0] == items[: len(identified(messages[:end])[0])]


# ------------------------------------------------------------------------------------- conflicts


def test_nothing_stored_the_source_is_taken_as_it_is() -> None:
    assert after([], ids("a", None)) == ([("a", "word 0"), ("1", "word 1")], [])


def test_a_source_that_holds_every_stored_id_is_the_whole_conversation() -> None:
    stored = ids("a", "b")
    corrected = ids("a", "x", "b", word="new")
    assert after(stored, corrected) == ([("a", "new 0"), ("x", "new 1"), ("b", "new 2")], [])


def test_a_part_adds_what_is_new_after_what_is_stored() -> None:
    assert after(ids("a", "b"), ids("y", "x")) == (
        [("a", "word 0"), ("b", "word 1"), ("y", "word 0"), ("x", "word 1")],
        [],
    )


def test_a_part_that_repeats_what_is_stored_adds_nothing_and_rejects_nothing() -> None:
    stored = ids("a", "b", "d")
    assert after(stored, stored[1:2]) == ([("a", "word 0"), ("b", "word 1"), ("d", "word 2")], [])


def test_a_part_cannot_correct_a_message() -> None:
    kept, letters = after(ids("a", "b"), [said("other", id="b"), said("more", id="z")])
    assert kept == [("a", "word 0"), ("b", "word 1"), ("z", "more")]
    (letter,) = letters
    assert letter.place == "conversation c, message b"
    assert letter.raw == b"other"
    assert "index it whole to correct it" in letter.reason


def test_a_conversation_without_ids_grows_by_repeating_it() -> None:
    assert after(ids(None, None), ids(None, None, None)) == (
        [("0", "word 0"), ("1", "word 1"), ("2", "word 2")],
        [],
    )


def test_a_shorter_copy_without_ids_takes_nothing_back() -> None:
    assert after(ids(None, None, None), ids(None)) == (
        [("0", "word 0"), ("1", "word 1"), ("2", "word 2")],
        [],
    )


def test_messages_without_ids_that_say_something_else_are_rejected() -> None:
    kept, letters = after(ids(None, None), ids(None, None, None, word="other"))
    assert kept == [("0", "word 0"), ("1", "word 1")]
    assert [letter.raw for letter in letters] == [b"other 0", b"other 1", b"other 2"]
    assert all("give the messages ids" in letter.reason for letter in letters)


def test_messages_with_ids_are_taken_beside_ones_without_that_are_rejected() -> None:
    kept, letters = after(ids(None, None), [said("other"), said("new", id="n")])
    assert kept == [("0", "word 0"), ("1", "word 1"), ("n", "new")]
    assert [letter.raw for letter in letters] == [b"other"]


def test_what_a_source_changes_is_told() -> None:
    stored = ids("a", "b", "d")
    assert changed([], stored) == []
    assert changed(stored, [*stored, said("more", id="e")]) == [Changes()]
    assert changed(stored, [*ids("a", "b", word="new"), stored[2]]) == [Changes(corrected=2)]
    assert changed(stored, [stored[0], said("more", id="e")]) == [Changes(left=2)]
    assert changed(stored, [stored[0], said("other", id="b")]) == [Changes(left=1)]  # and corrects nothing
    assert changed(stored, stored[:1], whole=True) == [Changes(removed=2)]
    assert changed(stored, ids("a", "b", word="new"), whole=True) == [Changes(corrected=2, removed=1)]
    memory = Message("c", "memory", "filed", "memory:1")
    assert changed([*stored, memory], stored[:2], whole=True) == [Changes(removed=1)]
    assert changed([*stored, memory], stored) == [Changes()]
    assert changed(ids(None, None), ids(None, word="other")) == [Changes(left=1)]


def test_what_a_source_delivers_twice_is_rejected_once() -> None:
    part = said("new", id="n")
    assert len(after(ids("a"), [part, part])[1]) == 1
    assert len(after(ids("a"), [*ids("a"), part, part])[1]) == 1


def test_a_rejected_message_keeps_its_first_bytes_only() -> None:
    _, (letter,) = after(ids("a", "b"), [said("é" * 10_000, id="b")])
    assert len(letter.raw) == 4096


# -------------------------------------------------------------------------------------- segments


def naming(engine: str = "e", embedder: str = "v") -> Naming:
    """The layers there are, as they would be named with another embedder."""
    made = equipped(job(Path("a"), []).layers, Tools(MiniLM()))
    named = replace(made["episodic"], embedder=Called(embedder))  # type: ignore[type-var]
    return Naming(engine, {**made, "episodic": named})


@dataclass(frozen=True)
class Called:
    """An embedder of which only the name is asked."""

    signature: str
    dimension: int = 4


def works(messages: Sequence[Message], engine: str = "e", embedder: str = "v") -> list[Work]:
    return list(cut(place(identified(messages)[0]), naming(engine, embedder)))


def test_a_segment_is_64_exchanges_and_keeps_the_tail_of_the_one_before() -> None:
    made = works(chat(2 * SPAN + 1))
    assert [work.exchanges for work in made] == [64, 64, 1]
    assert [item.seq for work in made for item in work.messages] == list(range(4 * SPAN + 2))
    assert made[0].history == ()
    assert [item.exchange_id for item in made[1].history] == [n // 2 + 56 for n in range(16)]


@pytest.mark.parametrize("at", [0, 127, 128, 257])
def test_a_change_renames_its_segment_and_what_reads_it(at: int) -> None:
    messages = chat(130)
    before = works(messages)
    messages[at] = replace(messages[at], content="changed")
    now = works(messages)
    changed = at // 128
    reads = {name: layer.reads for name, layer in naming().layers.items()}
    for n, (old, new) in enumerate(zip(before, now, strict=True)):
        # An extraction may look back over the edge.
        edge = n in (changed, changed + 1)
        renamed = {"messages": n == changed, "extractions": edge, "notes": edge}
        for name, of in reads.items():
            renamed[name] = any(renamed[each] for each in of)
        assert {name: old.names[name] != new.names[name] for name in old.names} == renamed


def test_names_tell_engine_embedder_and_conversation_apart() -> None:
    (base,) = works(chat(1))
    (engine,) = works(chat(1), "other", "v")
    (embedder,) = works(chat(1), "e", "other")
    (elsewhere,) = works(chat(1, "d"))

    def renamed(work: Work) -> set[str]:
        return {name for name in base.names if work.names[name] != base.names[name]}

    reads = {name: layer.reads for name, layer in naming().layers.items()}
    derived = {name for name, of in reads.items() if {"extractions", "notes"} & set(of)}
    assert renamed(engine) == {"extractions", "notes", *derived}
    assert renamed(embedder) == {"episodic"}
    assert renamed(elsewhere) == set(base.names)
    assert base.names.keys() == {"messages", "extractions", "notes", *reads}
    # Notes lie beside the extractions they were written with, and share their name; no other two do.
    assert len(set(base.names.values())) == len(base.names) - 1


def test_an_attempt_at_extraction_has_a_name_of_its_own_and_the_newest_counts() -> None:
    (first,) = works(chat(1))
    name = first.names["extractions"]
    (retried,) = cut(place(identified(chat(1))[0]), replace(naming(), made={name}, again={name}))
    second = retried.names["extractions"]
    assert second != name
    for made, again, wanted in (
        ({name}, set[str](), name),
        ({name, second}, set[str](), second),
        ({second}, set[str](), second),
        (set[str](), {name}, second),
    ):
        (work,) = cut(place(identified(chat(1))[0]), replace(naming(), made=made, again=again))
        assert work.names["extractions"] == wanted
    (third,) = cut(place(identified(chat(1))[0]), replace(naming(), made={name, second}, again={second}))
    assert third.names["extractions"] not in (name, second)
    assert third.names["messages"] == first.names["messages"]


def test_nothing_has_no_segments() -> None:
    assert works([]) == []


# ------------------------------------------------------------------------- ids that begin again

MONDAY, WEDNESDAY = datetime(2025, 5, 5, 9, tzinfo=UTC), datetime(2025, 5, 7, 9, tzinfo=UTC)


def day(word: str, at: datetime, *names: str, session: str | None = None) -> list[Message]:
    return [
        replace(said(f"{word} {name}", id=name), time=at + timedelta(minutes=n), session=session)
        for n, name in enumerate(names)
    ]


def test_another_day_under_the_ids_of_the_first_replaces_nothing_whatever_stands_beside_it() -> None:
    """Instructions without a time, and other sessions."""
    rules = [replace(said("Be brief.", id="0"), role="system")]
    other = day("other", MONDAY, "x", "y", session="s")
    for beside in ([], rules, other, [*rules, *other]):
        stored = [*beside, *day("Monday", MONDAY, "1", "2", session="daily")]
        kept, letters = after(stored, [*beside, *day("Wednesday", WEDNESDAY, "1", "2", "3", session="daily")])
        assert kept == [(each.message_id, each.content) for each in stored] + [("3", "Wednesday 3")]
        assert [letter.reason.partition(",")[0] for letter in letters] == [
            "under the ids that are stored the source says something else"
        ] * 2


def test_a_correction_is_no_other_day() -> None:
    """One session moved by hours, or written anew, or moved to another week with a word put right; sessions renamed."""
    other = day("b", WEDNESDAY, "3", "4", session="t")
    stored = [*day("a", MONDAY, "1", "2", session="s"), *other]
    week = day("a", MONDAY + timedelta(days=7), "1", "2", session="s")
    untimed = [replace(each, time=None) for each in stored]
    for before, moved in (
        (stored, [*day("A", MONDAY + timedelta(hours=2), "1", session="s"), *stored[1:]]),
        (stored, [*day("A", MONDAY + timedelta(hours=2), "1", "2", session="s"), *other]),
        (stored, [week[0], replace(week[1], content="right"), *other]),
        (
            untimed,
            [replace(each, session="new", content=each.content.replace("a 1", "right")) for each in untimed],
        ),
    ):
        assert after(before, moved) == ([(each.message_id, each.content) for each in moved], [])


def test_of_joined_conversations_one_without_ids_that_changed_is_rejected_and_the_others_grow() -> None:
    stored = ids("a/#0", "a/#1", "b/#0", "b/1")
    changed = replace(stored[0], content="another word")
    source = [changed, stored[1], said("new", id="a/#2"), *stored[2:], said("more", id="b/#1")]
    kept, letters = after(stored, source, joined=True)
    assert kept == [(each.message_id, each.content) for each in stored] + [("b/#1", "more")]
    assert [letter.place.rpartition(" ")[2] for letter in letters] == ["a/#0", "a/#1", "a/#2"]
    assert {letter.reason.partition(",")[0] for letter in letters} == {"the message has no id"}
    # Where nothing was joined these are ids like others, and the source corrects.
    assert after(stored, source) == ([(each.message_id, each.content) for each in source], [])


def test_exchanges_are_also_numbered_as_their_source_counts_them_without_memories() -> None:
    def turns(*roles: Role) -> Mapping[int, int]:
        talk = [said("word", role, id=str(n)) for n, role in enumerate(roles)]
        (work,) = cut(place(identified(talk)[0]), naming())
        return work.turns

    assert turns("user", "assistant", "memory", "user") == {0: 0, 2: 1}
    # Whoever wrote down what a memory parts had seen both halves.
    assert turns("user", "memory", "assistant", "user") == {3: 1}
    assert turns("user", "memory", "memory", "assistant", "assistant", "user") == {4: 1}
    assert turns("system", "memory", "user", "assistant") == {1: 0}
    before = [said("word", "memory", id="m"), *chat(SPAN)]
    first, second = cut(place(identified(before)[0]), naming())
    assert (first.turns[1], second.turns) == (0, {SPAN: SPAN - 1})
    parted = [*chat(SPAN)[:-1], *(said("word", "memory", id=f"m{n}") for n in range(9)), chat(SPAN)[-1]]
    _, second = cut(place(identified(parted)[0]), naming())
    assert second.turns == {}
