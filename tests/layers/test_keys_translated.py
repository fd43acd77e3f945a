"""Keys in a second language: what is asked for, what an answer must be, what an exchange has without one, and that a
question in that language finds it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memfold
from memfold import UserError
from memfold.evaluate.simulated.endpoint import Endpoint, Messages
from memfold.extract.filed import Memory
from memfold.layers.keys import Keys
from memfold.layers.keys.translating import INSTRUCTIONS, TRANSLATING, Translating, request, translated
from memfold.layers.keys.wanted import MOST, Wanted
from memfold.layers.layer import Tools
from memfold.llm.answers import Invalid
from memfold.llm.asker import Asker
from memfold.llm.results import Results
from memfold.store.location import Location
from support.asked import MODEL, openai
from support.folding import Random
from support.given import Given, chat, held, job, run, shown
from support.readers_asked import INJECTIONS, answering, taken_apart
from support.tables import AskingRules, chinese, listed

NOTES = ("My harbour permit costs 400 euros.", "The bakery opens at seven.")
SAID = ("我的港口许可证要400欧元。", "面包店七点开门。")
WANTED = Wanted("c", 3, NOTES, "zh")
BOTH = ("layers=[episodic,keys]", "layers.keys.rules=true", "layers.keys.languages=[en,zh]")


def written(*texts: str) -> str:
    return json.dumps({"texts": texts}, ensure_ascii=False)


def asked(*answers: str) -> tuple[Translating, list[Any]]:
    generator, seen = answering(*answers)
    return Translating(Asker(generator, Results(None, MODEL))), seen


def test_the_texts_of_an_exchange_are_one_request_and_come_in_order() -> None:
    translating, seen = asked(written(*SAID))
    assert translating([WANTED]) == [SAID]
    assert len(seen) == 1
    assert translating([]) == []
    read = taken_apart(request(WANTED))
    assert list(read.sections) == ["notes", "end, translate into Chinese"]
    assert read.sections["notes"] == [f"1 {NOTES[0]}", f"2 {NOTES[1]}"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", written(), written(SAID[0]), written(*SAID, "x"), written(SAID[0], " \n"), written(*NOTES),
     written("x" * 1_000, SAID[1]), written("又是" * 200, SAID[1]), '{"texts":[1,2]}'],
)  # fmt: skip
def test_what_is_no_translation_is_asked_for_once_more_and_then_left(text: str) -> None:
    translating, seen = asked(text)
    assert translating([WANTED]) == [()]
    assert len(seen) == 2
    assert "An earlier answer was of no use" in seen[1].messages[1][1]
    again, seen = asked(text, written(*SAID))
    assert again([WANTED]) == [SAID]


@pytest.mark.parametrize("text", [each for each in INJECTIONS if each])
def test_what_was_noted_changes_nothing_of_the_request(text: str) -> None:
    read = taken_apart(request(WANTED._replace(texts=(text, NOTES[0]))))
    assert read.instructions == INSTRUCTIONS
    assert list(read.sections) == ["notes", "end, translate into Chinese"]
    assert len(read.sections["notes"]) == 2


@given(st.lists(st.text(), max_size=3))
def test_any_texts_are_bounded_lines_or_invalid(texts: list[str]) -> None:
    try:
        found = translated(WANTED, texts)
    except Invalid:
        return
    assert len(found) == len(NOTES)
    assert all(line and line == " ".join(line.split()) for line in found)


def test_what_is_wanted_is_what_holds_and_in_the_language_that_is_not_the_exchange_s_own() -> None:
    layer = Keys(languages=("en", "zh")).equip(Tools(Random()))
    row = {"conversation_id": "c", "exchange_id": 3, "facts": [{"key": "permit", "value": "400 euros"}]}
    notes = [{"kind": kind, "text": f"What I said of {kind} and of the bakery."} for kind in
             ("sentiment", "question", "event", "decision")]  # fmt: skip
    wanted = layer._wanted(row, notes)
    assert wanted is not None
    assert wanted.into == "zh"
    assert wanted.texts == (notes[2]["text"], notes[3]["text"], "permit: 400 euros")
    chinese_row = {**row, "facts": [{"key": "许可证", "value": "400欧元"}]}
    assert layer._wanted(chinese_row, []).into == "en"  # type: ignore[union-attr]
    german = [{"kind": "event", "text": "Die Bäckerei öffnet um sieben und schließt am Abend."}]
    assert layer._wanted({**row, "facts": []}, german).into == "en"  # type: ignore[union-attr]
    assert layer._wanted({**row, "facts": []}, notes[:2]) is None
    many = [{"kind": "event", "text": f"The bakery opens at {n}."} for n in range(20)]
    assert len(layer._wanted(row, many).texts) == MOST  # type: ignore[union-attr]
    assert TRANSLATING.schema is not None
    assert TRANSLATING.schema["properties"]["texts"]["maxItems"] == MOST


@pytest.mark.parametrize("languages", [["en"], ["en", "en"], ["en", "nl"], ["en", "zh", "de"]])
def test_languages_that_nobody_can_be_asked_for_are_refused(languages: list[str]) -> None:
    with pytest.raises(UserError, match=r"layers\.keys\.languages=.*give two languages, as \[en,zh\]"):
        Keys(languages=languages)  # type: ignore[arg-type]


def test_who_translates_is_in_the_version_only_where_it_is_wanted() -> None:
    asker = Asker(openai("http://none"), Results(None, MODEL))
    off, on = Keys(), Keys(languages=("en", "zh"))
    assert off.equip(Tools(Random(), asker)).version == off.equip(Tools(Random())).version
    versions = {on.equip(Tools(Random(), asker)).version, on.equip(Tools(Random())).version}
    assert len({*versions, off.equip(Tools(Random())).version}) == 3
    other = Asker(openai("http://none", model="other"), Results(None, "other"))
    assert on.equip(Tools(Random(), other)).version not in versions


# --------------------------------------------------------------------------------- in a store


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    def translate(messages: Messages) -> str:
        # The zebra is the one thing that everybody can say.
        return written(
            *("一匹斑马从动物园逃走了。" if "zebra" in note else chinese(note) for note in listed(messages))
        )

    with Endpoint(answers={INSTRUCTIONS: translate}) as server:
        yield server


def indexed(root: Path, endpoint: Endpoint, exchanges: int = 12) -> AskingRules:
    talk = chat(exchanges)
    talk[14] = replace(talk[14], content="We decided that the zebra escaped from the zoo.")
    engine = AskingRules(base_url=endpoint.base_url, location=Location(str(root)))
    run(replace(job(root, talk, overrides=BOTH), engine=engine))
    return engine


def test_a_question_in_the_second_language_finds_what_was_noted_in_the_first(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    indexed(tmp_path, endpoint)
    kinds = [(row["exchange_id"], row["kind"]) for row in shown(tmp_path, "keys").to_pylist()]
    assert [exchange for exchange, _ in kinds] == sorted(exchange for exchange, _ in kinds)
    assert {kind for _, kind in kinds} == {"note", "translated"}
    store = memfold.open(str(tmp_path))
    hits = store.search("c", "哪匹斑马逃走了？", k=3)
    assert hits[0].exchange_id == 7
    assert hits[0].why["translated"] > 0
    # A question in the conversation's own language does not hear that arm: the control.
    assert "translated" not in store.search("c", "Which zebra escaped?", k=1)[0].why


def test_what_was_translated_is_kept_under_its_exchange_and_not_asked_for_again(
    tmp_path: Path, endpoint: Endpoint
) -> None:
    indexed(tmp_path, endpoint, 70)
    asked = endpoint.seen.requests
    kept = held(tmp_path, "generations")["exchange_id"].to_pylist()
    assert len(kept) == asked
    assert len(set(kept)) == len(kept)
    assert min(kept) == 0
    indexed(tmp_path, endpoint, 74)  # the last segment is made anew, and asks for what is new in it
    assert endpoint.seen.requests == asked + 4


def test_an_engine_that_is_gone_keeps_no_memory_from_being_filed(tmp_path: Path, endpoint: Endpoint) -> None:
    """Filing makes the last segment anew: what was translated is kept, and what is filed is not translated."""
    talk = chat(4)
    engine = AskingRules(base_url=endpoint.base_url, location=Location(str(tmp_path)))
    base = replace(job(tmp_path, talk, overrides=BOTH), engine=engine)
    run(base)
    before = shown(tmp_path, "keys").to_pylist()
    endpoint.up = False
    filed = Memory("The zebra is called Zoe.", by="a program").message("c", "memory:1", talk[-1].time, None)
    run(replace(base, source=Given((*talk, filed)), files=True))
    after = shown(tmp_path, "keys").to_pylist()
    texts, kept = ([(row["kind"], row["text"]) for row in rows] for rows in (after, before))
    assert texts == [*kept, ("note", "The zebra is called Zoe.")]
