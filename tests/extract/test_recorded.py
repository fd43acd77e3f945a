"""Extractions that were written before: judged as a model's, completed by the rules, and nothing lost in silence."""

from __future__ import annotations

import gzip
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pyarrow as pa
import pytest

from memfold import UserError
from memfold.extract.contract import FALLBACK, MAX_SUMMARY, MAX_TEXT, MAX_VALUE, NOTHING
from memfold.extract.engines.recorded import Recorded
from memfold.extract.engines.rules import Rules
from memfold.extract.filed import Memory
from memfold.run.filing import file
from memfold.run.letters import dead_letters
from memfold.schema import DeadLetter, Note, Notice
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from support.asked import talk, window
from support.given import job, run, said, shown

BY_RULES = Rules(assistant_tokens=512).signature + FALLBACK
SAID = "I prefer tea. The budget of project c0 is 1000 euros."


def line(exchange: int = 0, of: str = "c", **fields: Any) -> str:
    if not fields:
        fields = {
            "facts": [["budget of project c0", "1000 euros"]],
            "summary": f"Project {of}{exchange} costs 1000 euros, and tea is liked.",
            "notes": [{"kind": "preference", "text": "The user likes tea best.", "about": "drinks"}],
        }
    return json.dumps({"conversation_id": of, "exchange": exchange, **fields}, ensure_ascii=False)


def recorded(folder: Path, *lines: str, name: str = "lines.jsonl") -> Recorded:
    path = folder / name
    path.write_text("\n".join(lines))
    return Recorded(str(path))


def letters(engine: Recorded, **exchanges: int) -> list[tuple[str, str]]:
    """Where the lines stood that could not be used, and why; no notice is among what is told."""
    told = list(engine.unused(exchanges))
    assert all(isinstance(item, DeadLetter) for item in told)
    return [(item.place, item.reason) for item in told if isinstance(item, DeadLetter)]


def test_what_was_recorded_is_what_is_stored(tmp_path: Path) -> None:
    engine = recorded(tmp_path, line(0), line(1, notes=[], facts=[], summary="Only this."))
    made = engine.extract([window(SAID), window("Anything else", exchange_id=1)])
    assert made[0].facts[0].value == "1000 euros"
    assert made[0].notes == (Note("preference", "The user likes tea best.", about="drinks", said_by="user"),)
    assert made[1].summary == "Only this."
    assert [one.made_by for one in made] == ["", ""]


@pytest.mark.parametrize("written", ["NFC", "NFD"])
@pytest.mark.parametrize("stored", ["NFC", "NFD"])
def test_a_line_s_conversation_may_be_written_in_another_unicode_form(
    tmp_path: Path, written: str, stored: str
) -> None:
    of = normalize(stored, "José")
    engine = recorded(tmp_path, line(of=normalize(written, "José")))
    (made,) = engine.extract([replace(window(SAID), conversation_id=of)])
    assert (made.made_by, made.facts[0].value) == ("", "1000 euros")
    assert engine.given(of, range(1))
    assert letters(engine, **{of: 1}) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"summary": "", "facts": [], "notes": []},
        {"summary": "tea " * 200},
        {"summary": "用户喜欢喝茶，项目的预算是一千欧元，他们在下个月开始工作。"},
        {"notes": [{"kind": "fact", "text": f"{i % 2}"} for i in range(10)]},
    ],
    ids=["nothing", "a loop", "another language", "the same again"],
)
def test_what_no_model_could_have_stored_is_written_by_the_rules_and_says_so(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    (made,) = recorded(tmp_path, line(**fields)).extract([window(SAID)])
    (by_rules,) = Rules(assistant_tokens=512).extract([window(SAID)])
    assert made == replace(by_rules, made_by=BY_RULES)
    assert made.notes


def test_what_is_far_too_long_is_cut_and_the_rest_of_the_line_kept(tmp_path: Path) -> None:
    long = " ".join(f"word{i}" for i in range(1_000))
    fields = {"summary": long, "facts": [["budget", long]], "notes": [{"kind": "fact", "text": long}]}
    engine = recorded(tmp_path, line(**fields))
    (made,) = engine.extract([window(SAID)])
    assert not made.made_by
    for text, most in (
        (made.summary, MAX_SUMMARY),
        (made.facts[0].value, MAX_VALUE),
        (made.notes[0].text, MAX_TEXT),
    ):
        assert long.startswith(text.removesuffix("…"))
        assert most - 10 < len(text) <= most
    assert not engine.fallbacks


def test_lines_that_are_of_no_use_are_counted_with_the_reason_and_an_exchange(tmp_path: Path) -> None:
    nothing = {"summary": "", "facts": [], "notes": []}
    foreign = "用户喜欢喝茶，项目的预算是一千欧元，他们在下个月开始工作。"
    wrong = line(5, notes=[{"kind": "order", "text": "x"}])
    engine = recorded(
        tmp_path, line(0), line(1, summary=foreign), line(2, **nothing), line(3, **nothing), wrong
    )
    done = run(replace(job(tmp_path / "store", talk(6)), engine=engine))
    assert done["fallback"] == 5
    assert done["fallback_reasons"] == {
        "it said nothing, such as conversation c, exchange 2": 2,
        "it was in another language than what it is about, such as conversation c, exchange 1": 1,
        "no line for it, such as conversation c, exchange 4": 1,
        "its line is not valid (dead letters), such as conversation c, exchange 5": 1,
    }


def test_what_is_missing_is_written_by_the_rules_and_thanks_need_nothing(tmp_path: Path) -> None:
    engine = recorded(tmp_path, line(0))
    asked = [window(SAID, exchange_id=1), window("Thank you!", "Welcome.", exchange_id=2)]
    assert [made.made_by for made in engine.extract(asked)] == [BY_RULES, NOTHING]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ('{"conversation_id": "c", "exchange": 1, "summary": "cut', "not JSON"),
        (
            '[{"conversation_id": "d", "summary": "secret"}]',
            "no recorded extraction: the line is no JSON object",
        ),
        ("[1]", "the line"),
        (line(exchange=-1), "exchange"),
        ('{"conversation_id": "c", "exchange": 1e20, "summary": "x"}', "exchange"),
        ('{"conversation_id": "c", "exchange": 99999999999999999999, "summary": "x"}', "exchange"),
        (line(1, sumary="x"), "sumary"),
        (line(1, facts=[["key"]]), "facts.0"),
        (
            line(1, notes=[{"kind": "order", "text": "x"}]),
            "notes.0.kind: is none of fact, event, preference,",
        ),
        (line(0), "stands already: lines.jsonl, line 1"),
    ],
)
def test_a_line_that_is_none_is_a_dead_letter_that_says_why(tmp_path: Path, broken: str, reason: str) -> None:
    engine = recorded(tmp_path, line(0), "", broken, line(2))
    ((place, why),) = letters(engine, c=3)
    assert place == "line 3"
    assert reason in why
    assert "\n" not in why
    assert sorted(n for _, n in engine.lines) == [0, 2]


def test_a_broken_line_is_filed_under_its_conversation(tmp_path: Path) -> None:
    engine = recorded(tmp_path, line(0), '{"conversation_id": "d", "summary": "cut')
    (letter,) = engine.unused({"c": 1})
    assert isinstance(letter, DeadLetter)
    assert letter.conversation_id == "d"


def test_a_broken_line_of_an_unknown_conversation_leaves_no_words(tmp_path: Path) -> None:
    engine = recorded(tmp_path, line(0), '{"exchange": 1, "summary": "My PIN is zebra", "conversation_i')
    (letter,) = engine.unused({"c": 1})
    assert isinstance(letter, DeadLetter)
    assert (letter.conversation_id, letter.raw) == (None, b"")


def test_what_is_of_no_exchange_of_the_job_is_said_in_one_line_each(tmp_path: Path) -> None:
    engine = recorded(tmp_path, line(0), line(7), line(0, "x"), line(1, "y"))
    told = list(engine.unused({"c": 5}))
    assert all(isinstance(item, Notice) for item in told)
    strangers, beyond = (item.text for item in told if isinstance(item, Notice))
    assert "that this job does not have are left out (2): 'x', 'y'" in strangers
    assert "exchange 7 of 'c', which has 5" in beyond


def test_a_folder_is_read_in_order_packed_or_not_and_only_its_lines(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "README.md").write_text("no extraction")
    (tmp_path / "b" / "part-10.jsonl").write_text(line(1, summary="second"))
    (tmp_path / "b" / "part-9.jsonl.gz").write_bytes(gzip.compress(line(1, summary="first").encode()))
    with pa.CompressedOutputStream(str(tmp_path / "a.jsonl.zst"), "zstd") as stream:
        stream.write(line(0).encode())
    (tmp_path / "c.jsonl.gz").write_bytes(b"\x1f\x8b broken")
    engine = Recorded(str(tmp_path))
    assert json.loads(engine.lines["c", 1])["summary"] == "first"
    (place, why), (where, fault) = letters(engine, c=2)
    assert (place, why) == (
        "line 1",
        "an extraction of this exchange stands already: b/part-9.jsonl.gz, line 1 is taken",
    )
    assert (where, fault.split(":")[0]) == ("file", "cannot be read")


def test_what_was_given_is_the_lines_and_not_how_they_lie(tmp_path: Path) -> None:
    one = recorded(tmp_path, line(0), line(1), line(70), line(0, "d"))
    of = one.given("c", range(2))
    assert recorded(tmp_path, line(1), line(0), name="turned.jsonl").given("c", range(2)) == of
    # Of other exchanges and conversations any line may change.
    assert recorded(tmp_path, line(0), line(1), line(70, summary="x")).given("c", range(2)) == of
    for other in (
        recorded(tmp_path, line(0)),
        recorded(tmp_path, line(0), line(2)),
        recorded(tmp_path, line(0), line(1, summary="x")),
    ):
        assert other.given("c", range(2)) != of
        assert other.signature == one.signature
    assert one.given("c", range(70)) == of
    assert one.given("c", range(2, 70)) == one.given("x", range(2)) == ""
    assert Recorded(one.path, assistant_tokens=9).signature != one.signature
    assert pickle.loads(pickle.dumps(one)).extract([window(SAID)]) == one.extract([window(SAID)])


def test_a_line_costs_the_segment_of_its_exchange(tmp_path: Path) -> None:
    items = [*talk(3, "a"), *talk(70, "b")]

    def indexed(lines: list[str], root: str = "store") -> tuple[dict[str, object], set[str]]:
        """What a job says, and the conversations that its snapshot holds anew."""
        location = Location(str(tmp_path / root))
        done = run(replace(job(tmp_path / root, items), engine=recorded(tmp_path, *lines)))
        catalog = Catalog(location)
        newest = catalog.at().newest
        assert newest is not None
        return done, {each.conversation_id for each in catalog.stream(catalog.at()) if each.uid == newest.uid}

    lines = [line(n, of) for of, exchanges in (("a", 3), ("b", 69)) for n in range(exchanges)]
    first, _ = indexed(lines)
    assert (first["extracted"], first["fallback"]) == (73, 1)
    grown, anew = indexed([*lines, line(69, "b")])
    assert (grown["extracted"], grown["fallback"], anew) == (6, 0, {"b"})
    assert indexed([*lines, line(69, "b")], "whole")[0]["content_hash"] == grown["content_hash"]
    # Of no exchange, and of no conversation.
    beside, _ = indexed([*lines, line(69, "b"), line(70, "b"), line(0, "x")])
    assert (beside["extracted"], beside["snapshot"]) == (0, grown["snapshot"])
    changed, anew = indexed([line(0, "a"), line(1, "a", summary="Tea is liked."), *lines[2:], line(69, "b")])
    assert (changed["extracted"], anew) == (3, {"a"})
    assert indexed(lines)[0]["content_hash"] == first["content_hash"]


def test_memories_move_no_line_to_another_exchange(tmp_path: Path) -> None:
    root, items = tmp_path / "store", talk(4)
    engine = recorded(tmp_path, *map(line, range(4)))
    run(replace(job(root, items[:4]), engine=engine))
    file(Location(str(root)), {"c": [Memory("The boat is sold.", by="test")]})
    done = run(replace(job(root, items), engine=engine))
    assert done["fallback"] == 0
    rows = shown(root, "extractions").sort_by("exchange_id")
    costs = [f"Project c{n} costs 1000 euros, and tea is liked." for n in range(4)]
    assert rows["summary"].to_pylist() == [*costs[:2], "", *costs[2:]]


def test_a_line_is_not_taken_where_a_message_of_its_exchange_may_have_been_erased(tmp_path: Path) -> None:
    engine = recorded(tmp_path, *map(line, range(3)))
    asked = [
        window("", "Tea is on its way, at 5."),
        window(SAID, "", exchange_id=1),
        window("", "", exchange_id=2),
    ]
    made = engine.extract(asked)
    assert [each.made_by for each in made] == [BY_RULES, BY_RULES, NOTHING]
    assert not any("costs 1000 euros, and tea is liked" in each.summary for each in made)
    # A blank is no word, and nothing that was erased leaves one.
    (kept,) = engine.extract([window(SAID, " ")])
    assert kept.made_by == ""


@pytest.mark.parametrize(
    ("path", "text"), [("", "name a JSONL"), ("{}/nowhere", "does not exist"), ("{}", "line 1: not JSON")]
)
def test_where_there_is_none_one_line_says_so(tmp_path: Path, path: str, text: str) -> None:
    (tmp_path / "lines.jsonl").write_text("{\n")
    with pytest.raises(UserError, match=text) as caught:
        Recorded(path.format(tmp_path))
    assert "\n" not in str(caught.value)


def test_a_job_stores_counts_and_tells(tmp_path: Path) -> None:
    engine = recorded(tmp_path, line(0), line(1), "{", line(1), line(9), line(0, "elsewhere"))
    root = tmp_path / "store"
    items = [*talk(3), said("I prefer coffee.", of="d", id="d0")]
    of = replace(job(root, items), engine=engine)
    done = run(of)
    assert (done["extracted"], done["fallback"], done["dead_letters"]) == (4, 2, 2)
    assert isinstance(done["notices"], list)
    assert len(done["notices"]) == 2
    rows = shown(root, "extractions").sort_by(
        [("conversation_id", "ascending"), ("exchange_id", "ascending")]
    )
    assert rows["made_by"].to_pylist() == [engine.signature, engine.signature, BY_RULES, BY_RULES]
    assert rows["summary"].to_pylist()[0] == "Project c0 costs 1000 euros, and tea is liked."
    assert {row["file"] for row in dead_letters(Location(str(root))).read().to_pylist()} == {"lines.jsonl"}
    again = run(of)
    assert (again["extracted"], again["content_hash"]) == (0, done["content_hash"])
    # Another file: what it says is taken.
    changed = recorded(tmp_path, line(0, summary="Otherwise."), name="other.jsonl")
    run(replace(of, engine=changed))
    assert "Otherwise." in shown(root, "extractions")["summary"].to_pylist()
