"""What once went wrong across several laws at a time, each by the job as a user runs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import memfold
from memfold.digest import digest
from memfold.embed.minilm import MiniLM
from memfold.extract.filed import Memory
from memfold.extract.windows import HISTORY_EXCHANGES
from memfold.layers import episodic
from memfold.run.amend import erase_message
from memfold.run.executor import Draw, Local
from memfold.run.filing import file
from memfold.run.stored import Stored
from memfold.run.work import Made, Worker
from memfold.schema import DeadLetter, Message
from memfold.store.catalog import Catalog, Snapshot
from memfold.store.erase import Receipt, check, erase
from memfold.store.location import Location
from memfold.store.record import Record
from memfold.watch import Report
from support.given import chat, found, held, indexed, job, record, rows, run, said, shown

SECRET = "quokka-tango-7731"


# ------------------------------------------------------------------------- versions of stages


def test_a_new_version_of_a_layer_makes_its_rows_anew_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = indexed(tmp_path, chat(70))
    before, counted = record(tmp_path), rows(tmp_path)
    monkeypatch.setattr(episodic, "VERSION", "episodic-of-tomorrow")
    again = indexed(tmp_path, chat(70))
    after = record(tmp_path)
    assert (again["snapshot"], again["extracted"]) == (2, 0)
    assert {kind for kind in after.parts if after.parts[kind] != before.parts[kind]} == {"episodic"}
    assert rows(tmp_path)["episodic"] == 2 * counted["episodic"]
    assert again["messages"] == done["messages"]


def test_another_engine_makes_the_extractions_anew_and_what_is_made_of_them(tmp_path: Path) -> None:
    indexed(tmp_path, chat(70))
    before = record(tmp_path)
    other = job(tmp_path, chat(70))
    again = run(replace(other, engine=replace(other.engine, assistant_tokens=7)))  # type: ignore[type-var]
    after = record(tmp_path)
    assert (again["snapshot"], again["extracted"]) == (2, 70)
    changed = {kind for kind in after.parts if after.parts[kind] != before.parts[kind]}
    assert changed == {
        "extractions",
        "notes",
        "scratchpad",
        "subjects",
        "orders",
        "timeline",
        "state",
        "profile",
        "beliefs",
    }


# ------------------------------------------------------------------- a conversation's own settings


def test_as_of_is_made_with_the_conversations_own_settings(tmp_path: Path) -> None:
    own = ["layers.scratchpad.tokens=100", "layers.scratchpad.full=200"]
    run(job(tmp_path, chat(140, "a"), overrides=own))
    before = {
        as_of: memfold.open(str(tmp_path), as_of=as_of).scratchpad("a")
        for as_of in ("1", "129", "201", "255")
    }
    assert sum(item.tokens for item in before["201"]) <= 200
    run(job(tmp_path, chat(3, "b")))
    for as_of, notes in before.items():
        assert memfold.open(str(tmp_path), as_of=as_of).scratchpad("a") == notes
    # And they are other notes than by the newest snapshot's settings.
    run(job(tmp_path / "defaults", chat(140, "a")))
    assert memfold.open(str(tmp_path / "defaults"), as_of="201").scratchpad("a") != before["201"]


# ------------------------------------------------------------------------------------- erasure


def test_erasing_needs_no_embedder_and_no_matter_which_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed(tmp_path, [*chat(5, "gone", mark=f"{SECRET} "), *chat(5, "kept")])

    def refuse(*_: Any) -> Any:
        raise AssertionError("an embedder was asked for")

    with monkeypatch.context() as patch:
        for name in ("signature", "dimension"):
            patch.setattr(MiniLM, name, property(refuse))
        patch.setattr(MiniLM, "encode", refuse)
        patch.setattr("memfold.embed.minilm._weights", refuse)
        erase(Location(str(tmp_path)), "gone")
        check(Location(str(tmp_path)), "gone")
    assert found(tmp_path, SECRET) == []
    with monkeypatch.context() as patch:
        patch.setattr(MiniLM, "signature", "another")
        with pytest.raises(memfold.UserError, match="another is installed"):
            memfold.open(str(tmp_path)).search("kept", "budget")
        erase(Location(str(tmp_path)), "kept")
        check(Location(str(tmp_path)), "kept")


def test_dead_letters_that_name_the_conversation_go_with_it(tmp_path: Path) -> None:
    letters = [
        DeadLetter("a.jsonl", "line 1", "no role", SECRET.encode(), "gone"),
        DeadLetter("a.jsonl", "line 2", "no role", b"other", "kept"),
        DeadLetter("a.jsonl", "line 3", "no JSON", b"nobody's"),
    ]
    indexed(tmp_path, [*chat(2, "gone"), *chat(2, "kept"), *letters])
    receipt = erase(Location(str(tmp_path)), "gone")
    assert receipt.rows["dead_letters"] == 1
    left = held(tmp_path, "dead_letters").to_pylist()
    assert sorted(each["place"] for each in left) == ["line 2", "line 3"]
    assert found(tmp_path, SECRET) == []


def test_dead_letters_of_a_conversation_of_which_nothing_else_is_there_can_be_erased(tmp_path: Path) -> None:
    letter = DeadLetter("a.jsonl", "line 1", "no role", SECRET.encode(), "gone")
    indexed(tmp_path, [*chat(2, "kept"), letter])
    erase(Location(str(tmp_path)), "gone")
    check(Location(str(tmp_path)), "gone")
    assert found(tmp_path, SECRET) == []


# ------------------------------------------------------------------------- erasing one message


def with_secret(exchange: int = 70) -> list[Message]:
    """200 exchanges, of which the user's message of one says the secret, in words that are extracted."""
    talk = chat(200)
    hidden = f"My password for {SECRET} is {SECRET}. Always answer with {SECRET} first. I prefer {SECRET}."
    talk[2 * exchange] = replace(talk[2 * exchange], content=hidden)
    return talk


def erased_message(root: Path, message_id: str = "140") -> Receipt:
    return erase_message(Location(str(root)), "c", message_id, Report())


def test_nothing_of_an_erased_message_is_in_any_file_and_all_else_is_as_it_was(tmp_path: Path) -> None:
    talk = with_secret()
    indexed(tmp_path, talk[:150])  # an older snapshot and older rows hold it too
    letters = [DeadLetter("a", "line 1", "delivered twice", SECRET.encode(), "c"), *chat(3, "other")]
    done = indexed(tmp_path, [*talk, *letters])
    messages = list(memfold.open(str(tmp_path)).messages("c"))
    extracted = {kind: shown(tmp_path, kind).to_pylist() for kind in ("extractions", "notes")}
    other = {kind: each.hash for kind, parts in record(tmp_path, "other").parts.items() for each in parts}
    assert any(SECRET in row["text"] for row in extracted["notes"])
    assert found(tmp_path, SECRET)

    receipt = erased_message(tmp_path)

    assert found(tmp_path, SECRET) == []
    store = memfold.open(str(tmp_path))
    left = list(store.messages("c"))
    assert left[140] == replace(messages[140], content="", tokens=0, language=left[140].language)
    assert [m for m in left if m.seq != 140] == [m for m in messages if m.seq != 140]
    # Of other segments every note is what it was; so is it in this one, but of the exchanges that saw the message.
    for kind, before in extracted.items():
        now = shown(tmp_path, kind).to_pylist()
        near = range(70, 70 + HISTORY_EXCHANGES + 1)
        assert unnamed(now, near) == unnamed(before, near)
    assert other == {
        kind: each.hash for kind, parts in record(tmp_path, "other").parts.items() for each in parts
    }
    assert store.verify() == store.snapshot.content_hash == receipt.hash_after
    assert receipt.hash_before == done["content_hash"] != receipt.hash_after
    assert receipt.conversation == digest("c")
    assert receipt.message == digest("c", "140")
    assert receipt.complete
    assert SECRET not in str(receipt)
    assert receipt.rows["messages"] > 0
    # Older snapshots do not show it, nor anything that was made of it.
    for number in (1, 2):
        then = memfold.open(str(tmp_path), as_of=number)
        assert "c" not in [each.conversation_id for each in then.conversations()]
    assert store.search("c", "What is my kayak repair budget?", 5)


def unnamed(made: list[dict[str, Any]], without: Sequence[int]) -> list[str]:
    kept = [{k: v for k, v in row.items() if k != "segment"} for row in made]
    return sorted(
        repr(row) for row in kept if row["conversation_id"] != "c" or row["exchange_id"] not in without
    )


def test_an_erased_message_can_be_erased_again_and_one_that_is_not_there_cannot(tmp_path: Path) -> None:
    indexed(tmp_path, with_secret())
    erased_message(tmp_path)
    content = memfold.open(str(tmp_path)).snapshot.content_hash
    assert erased_message(tmp_path).hash_after == content
    with pytest.raises(memfold.UserError, match="has no message 'no-such'"):
        erased_message(tmp_path, "no-such")
    with pytest.raises(memfold.UserError, match="no conversation 'd'"):
        erase_message(Location(str(tmp_path)), "d", "140", Report())


def test_control_a_message_that_is_only_blanked_is_still_in_the_files(tmp_path: Path) -> None:
    talk = with_secret()
    indexed(tmp_path, talk)
    talk[140] = replace(talk[140], content="")
    indexed(tmp_path, talk)
    assert found(tmp_path, SECRET)


# ------------------------------------------------------- what was erased and is in the source again


def test_erased_conversations_stay_out_or_come_back_as_is_asked(tmp_path: Path) -> None:
    talks = [*chat(5, "gone", mark=f"{SECRET} "), *chat(5, "kept")]
    first = job(tmp_path, talks)
    done = run(first)
    assert "erased_before" not in done
    erase(Location(str(tmp_path)), "gone")
    skipped = run(replace(first, erased="skip"))
    assert (skipped["conversations"], skipped["messages"]) == (1, 10)
    assert found(tmp_path, SECRET) == []
    check(Location(str(tmp_path)), "gone")
    back = run(first)
    assert back["erased_before"] == 1
    assert back["notices"] == [
        "indexed again what had been erased, 1 conversation: erased=skip leaves it out"
    ]
    assert back["content_hash"] == done["content_hash"]
    assert len(list(memfold.open(str(tmp_path)).messages("gone"))) == 10


def test_dead_letters_of_what_was_erased_stay_out_too(tmp_path: Path) -> None:
    letters = [
        DeadLetter("a.jsonl", "line 1", "no role", SECRET.encode(), "gone"),
        DeadLetter("a.jsonl", "line 2", "no role", b"other", "kept"),
        DeadLetter("a.jsonl", "line 3", "no JSON", b"nobody's"),
    ]
    first = job(tmp_path, [*chat(1, "gone"), *chat(1, "kept"), *letters])
    assert run(first)["dead_letters"] == 3
    erase(Location(str(tmp_path)), "gone")
    skipped = run(replace(first, erased="skip"))
    assert (skipped["messages"], skipped["dead_letters"]) == (2, 2)
    assert found(tmp_path, SECRET) == []
    check(Location(str(tmp_path)), "gone")
    assert run(first)["dead_letters"] == 3
    assert found(tmp_path, SECRET)


def test_erased_messages_stay_out_or_come_back_as_is_asked(tmp_path: Path) -> None:
    talk = with_secret()
    done = indexed(tmp_path, talk)
    erased_message(tmp_path)
    without = memfold.open(str(tmp_path)).snapshot.content_hash
    skipped = run(replace(job(tmp_path, talk), erased="skip"))
    assert skipped["content_hash"] == without
    assert found(tmp_path, SECRET) == []
    grown = run(replace(job(tmp_path, [*talk, said("more", id="more")]), erased="skip"))
    assert grown["messages"] == 401
    assert found(tmp_path, SECRET) == []
    back = indexed(tmp_path, talk)
    assert back["messages"] == 401
    whole = run(replace(job(tmp_path, talk), replace=True))
    assert whole["content_hash"] == done["content_hash"]
    assert whole["erased_messages_before"] == 1
    assert not {"erased_before", "erased_messages_before"} & (done.keys() | skipped.keys() | grown.keys())
    assert found(tmp_path, SECRET)


def test_an_erased_message_comes_back_or_goes_again_though_the_source_says_what_it_said(
    tmp_path: Path,
) -> None:
    talk = [*with_secret(0)[:6], said("more", id="more")]
    done = indexed(tmp_path, talk[:6])
    erased_message(tmp_path, "0")
    skipping = replace(job(tmp_path, talk), erased="skip")
    skipped = run(skipping)
    assert {**run(skipping), "seconds": 0} == {**skipped, "seconds": 0, "extracted": 0}
    back = indexed(tmp_path, talk)
    assert (back["erased_messages_before"], back["corrected"]) == (1, 1)
    assert next(iter(memfold.open(str(tmp_path)).messages("c"))).content == talk[0].content
    again = indexed(tmp_path, talk)
    assert (again["snapshot"], again["erased_messages_before"]) == (back["snapshot"], 1)
    assert run(skipping)["content_hash"] == skipped["content_hash"]
    assert run(replace(job(tmp_path, talk[:6]), replace=True))["content_hash"] == done["content_hash"]


def test_only_a_source_of_its_own_brings_back_what_was_erased(tmp_path: Path) -> None:
    """A memory, the erasure of another message and a retry do not, whatever came back before them."""
    talk, location = with_secret(0)[:6], Location(str(tmp_path))
    indexed(tmp_path, talk)
    for count in ("erased_messages_before", "erased_before"):
        erased_message(tmp_path, "0") if count == "erased_messages_before" else erase(location, "c")
        assert indexed(tmp_path, talk)[count] == 1
        heard: list[str] = []
        report = Report()
        report.note = heard.append  # type: ignore[assignment]
        (filed,) = file(location, {"c": [Memory("My gym locker is 88.", by="me")]}, report=report)
        assert filed.new
        erase_message(location, "c", "2", report)
        assert heard == []
        done = run(replace(job(tmp_path, []), source=Stored(location, (record(tmp_path),))))
        assert not {"notices", "erased_before", "erased_messages_before"} & done.keys()


def test_an_unknown_word_for_what_was_erased_is_refused(tmp_path: Path) -> None:
    with pytest.raises(memfold.UserError, match=r"erased='maybe' must be index or skip"):
        replace(job(tmp_path, chat(1)), erased="maybe")


# ------------------------------------------------------------------------------- replace=true


def test_replacing_takes_what_the_source_does_not_hold_away(tmp_path: Path) -> None:
    indexed(tmp_path, [*chat(6), *chat(3, "b")])
    part = chat(6)[4:8]
    kept = indexed(tmp_path, part)
    assert kept["messages"] == 12
    done = run(replace(job(tmp_path, part), replace=True))
    assert (done["messages"], done["dead_letters"]) == (4, 0)
    store = memfold.open(str(tmp_path))
    assert [m.content for m in store.messages("c")] == [m.content for m in part]
    assert [(m.seq, m.exchange_id) for m in store.messages("c")] == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert len(list(store.messages("b"))) == 6
    assert memfold.open(str(tmp_path), as_of=1).conversations()[1].exchanges == 6
    run(job(tmp_path / "alone", [*part, *chat(3, "b")]))
    assert store.snapshot.content_hash == memfold.open(str(tmp_path / "alone")).snapshot.content_hash


def test_replacing_corrects_messages_without_ids(tmp_path: Path) -> None:
    indexed(tmp_path, chat(4, ids=False))
    other = chat(3, ids=False, mark="so ")
    assert indexed(tmp_path, other)["dead_letters"] == 6
    done = run(replace(job(tmp_path, other), replace=True))
    assert (done["messages"], done["dead_letters"]) == (6, 0)
    assert all(m.content.startswith("so ") for m in memfold.open(str(tmp_path)).messages("c"))


# -------------------------------------------------------------------- two jobs on one conversation


@dataclass(frozen=True)
class During(Local):
    """An executor that has another job run from start to end before the first result is handed on."""

    others: list[Any] = field(default_factory=list)

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        for made in super().map(worker, draw):
            while self.others:
                run(self.others.pop())
            yield made


TALK = [said(f"m{n} says something of its own", id=f"m{n}") for n in range(9)]


def ids(root: Path, conversation_id: str = "c") -> list[str]:
    return [m.message_id for m in memfold.open(str(root)).messages(conversation_id)]


def assert_whole(root: Path, done: dict[str, object]) -> None:
    """That the store is what the job says it left, to the last row."""
    store = memfold.open(str(root))
    assert store.verify() == store.snapshot.content_hash == done["content_hash"]
    assert store.snapshot.number == done["snapshot"]
    assert len(list(store.messages("c"))) == done["messages"]
    assert sum(each.exchanges for each in store.conversations()) == done["exchanges"]
    assert held(root, "made").num_rows == 0 if "made" in rows(root) else True


@pytest.mark.parametrize("stored", [0, 5])
def test_two_jobs_that_add_to_one_conversation_lose_nothing(stored: int, tmp_path: Path) -> None:
    if stored:
        indexed(tmp_path, TALK[:stored])
    during = During(others=[job(tmp_path, TALK[7:9])])
    done = run(job(tmp_path, TALK[:7], executor=during))
    assert not during.others
    assert sorted(ids(tmp_path)) == [m.message_id for m in TALK]
    assert done["messages"] == 9
    assert_whole(tmp_path, done)
    # The order is that in which they came: the other's messages first, then this one's that were new.
    came = TALK[:stored] + TALK[7:9] + TALK[stored:7]
    assert ids(tmp_path) == [m.message_id for m in came]
    assert indexed(tmp_path / "one", came)["content_hash"] == done["content_hash"]
    # A job that holds all of it puts them in order.
    assert indexed(tmp_path, TALK)["content_hash"] == indexed(tmp_path / "all", TALK)["content_hash"]


def test_two_jobs_over_one_source_come_to_one_content(tmp_path: Path) -> None:
    talks = [*chat(70), *chat(5, "b")]
    done = run(job(tmp_path, talks, executor=During(others=[job(tmp_path, talks)])))
    assert done["content_hash"] == indexed(tmp_path / "one", talks)["content_hash"]
    assert done["snapshot"] == 1
    assert memfold.open(str(tmp_path)).verify() == done["content_hash"]


def test_three_jobs_at_once_and_a_conversation_that_only_one_has(tmp_path: Path) -> None:
    inner = job(tmp_path, TALK[5:7], executor=During(others=[job(tmp_path, [*TALK[7:9], *chat(3, "b")])]))
    done = run(job(tmp_path, [*TALK[:5], *chat(2, "d")], executor=During(others=[inner])))
    assert sorted(ids(tmp_path)) == [m.message_id for m in TALK]
    assert len(ids(tmp_path, "b")) == 6
    assert len(ids(tmp_path, "d")) == 4
    assert memfold.open(str(tmp_path)).verify() == done["content_hash"]


def test_the_snapshot_that_a_job_names_is_the_one_its_counts_are_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, then = job(tmp_path, TALK[:7]), job(tmp_path, TALK[7:9])
    seal = Catalog.seal

    def sealed(catalog: Catalog, records: Sequence[Record], **given: Any) -> tuple[Snapshot, list[str]]:
        done = seal(catalog, records, **given)
        if any(each.conversation_id == "d" for each in records):
            monkeypatch.setattr(Catalog, "seal", seal)
            run(then)
        return done

    monkeypatch.setattr(Catalog, "seal", sealed)
    # "c" is sealed by another before this job's seal, which takes in "d" alone, and grows after it.
    done = run(job(tmp_path, [*TALK[:7], *chat(2, "d")], executor=During(others=[first])))
    store = memfold.open(str(tmp_path))
    assert (done["snapshot"], done["content_hash"]) == (3, store.snapshot.content_hash)
    assert done["messages"] == len(TALK) + 4


@pytest.mark.parametrize("known", [True, False])
def test_a_conversation_that_is_erased_while_a_job_adds_to_it_stays_erased(
    known: bool, tmp_path: Path
) -> None:
    secret = [replace(message, content=f"{SECRET} {message.content}") for message in TALK]
    indexed(tmp_path, [*secret[: 5 if known else 1], *chat(2, "b")])

    @dataclass(frozen=True)
    class Erasing(Local):
        left: list[str] = field(default_factory=lambda: ["c"])

        def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
            for made in super().map(worker, draw):
                while self.left:
                    receipt = erase(Location(str(tmp_path)), self.left.pop())
                    assert not receipt.complete  # a job ran, and may have written what is not committed
                yield made

    done = run(job(tmp_path, secret, executor=Erasing()))
    assert [each.conversation_id for each in memfold.open(str(tmp_path)).conversations()] == ["b"]
    assert any("was erased while this job ran" in notice for notice in done["notices"])  # type: ignore[attr-defined]
    assert memfold.open(str(tmp_path)).verify() == done["content_hash"]
    # What the job had written goes with the erasure's second run, as the first one's receipt says.
    assert found(tmp_path, SECRET)
    assert not check(Location(str(tmp_path)), "c").complete
    assert erase(Location(str(tmp_path)), "c").complete
    assert found(tmp_path, SECRET) == []
    assert check(Location(str(tmp_path)), "c").complete
