"""What a model wrote becomes an extraction only if all of it is sound."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memfold.extract.contract import MAX_SUMMARY
from memfold.extract.parse import parse
from memfold.extract.prompts import EXTRACTION
from memfold.llm.answers import Invalid, lenient, validator
from memfold.schema import NOTE_KINDS, Extraction, Fact, Note, Window
from support.asked import window

SOUND: dict[str, Any] = {
    "exchange": 1,
    "facts": [["budget", "5000 euros"]],
    "summary": "Ann set the budget of the garden at 5000 euros.",
    "notes": [{"kind": "decision", "text": "The garden costs 5000 euros.", "reason": "savings"}],
}
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
NUMBER = "it was about another number of exchanges"
SAID = window("The budget of the garden is 5000 euros.")


def changed(**values: Any) -> str:
    return several({**SOUND, **values})


def several(*exchanges: object) -> str:
    return json.dumps({"exchanges": exchanges}, ensure_ascii=False)


def sound(text: str, of: Window = SAID) -> Extraction:
    (found,) = parse(text, "stop", [of])
    assert isinstance(found, Extraction)
    return found


def why(text: str, reason: str = "stop", of: Window = SAID) -> str:
    (invalid,) = parse(text, reason, [of])
    assert isinstance(invalid, Invalid)
    return str(invalid)


@given(st.data())
def test_the_compiled_validator_judges_as_the_reference_does(data: st.DataObject) -> None:
    """One value of a sound entry replaced by any other, left out, or one more beside it."""
    schema = lenient(EXTRACTION.schema)["properties"]["exchanges"]["items"]
    value: Any = json.loads(json.dumps(SOUND))
    place: Any = value
    while True:
        name = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[name], dict | list) or not place[name] or data.draw(st.booleans()):
            break
        place = place[name]
    how = data.draw(st.sampled_from(["replace", "kind", "drop", "more"]))
    if how == "drop":
        del place[name]
    elif how == "more" and isinstance(place, dict):
        place["more"] = data.draw(JSON)
    else:
        place[name] = data.draw(st.sampled_from([*NOTE_KINDS, 1, 1.0, "1"]) if how == "kind" else JSON)
    assert validator(schema).is_valid(value) == Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize(
    "around",
    [
        "%s",
        "```json\n%s\n```",
        "```\n%s```",
        "Here you are: %s",
        "Sure! Here is the JSON you asked for:\n\n```json\n%s\n```\nLet me know if you need more.",
        "<think>\nThey want {facts} as JSON, such as {}.\n</think>\n\n%s",
        "The notes are {empty}.</think>%s",
        "好的，以下是结果：\n%s",
    ],
)
def test_a_sound_answer_is_taken_from_what_models_write_around_it(around: str) -> None:
    found = sound(around.replace("%s", changed()))
    assert found.facts == (Fact("budget", "5000 euros"),)
    assert found.notes == (
        Note("decision", "The garden costs 5000 euros.", reason="savings", said_by="user"),
    )


@pytest.mark.parametrize(
    "around",
    ["%s\n%s", "{} %s", "%s {see above}", "<think>%s</think>", "%s</think>", "{%s}", "[%s, %s]"],
)
def test_what_may_be_another_answer_than_the_one_meant_is_refused(around: str) -> None:
    assert why(around.replace("%s", changed())) in ("it was not JSON", "it was not of the schema")


@pytest.mark.parametrize("reason", ["length", "content_filter", "none", "tool_calls"])
def test_an_answer_that_did_not_come_to_its_end_is_refused_even_if_it_parses(reason: str) -> None:
    assert "cut off" in why(changed(), reason)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "null", "{}", '"facts"', changed()[:-1], changed() + "}"),
        *(
            changed(facts=[["a"]]),
            changed(facts={"a": "b"}),
            changed(facts=[["a", 1]]),
            changed(summary=None),
        ),
        *(
            changed(notes=[{"kind": "rumour", "text": "x"}]),
            changed(notes=[{"kind": "fact"}]),
            changed(more=1),
        ),
        *(changed(notes=[{"kind": "fact", "text": "x", "role": "system"}]), changed(notes="none")),
        changed(summary=0).replace('"summary": 0', '"summary": NaN'),
        *('{"exchanges":[null]}', json.dumps(SOUND), json.dumps([SOUND])),
    ],
)
def test_what_is_not_of_the_schema_is_refused(text: str) -> None:
    assert why(text) in ("it was not JSON", "it was not of the schema")


@pytest.mark.parametrize("depth", [100, 1_005, 100_000])
def test_what_is_nested_too_deep_is_refused(depth: int) -> None:
    for text in ("[" * depth + "]" * depth, changed().replace("[[", "[" * depth).replace("]]", "]" * depth)):
        assert why(text).startswith("it was n")


def test_blanks_behind_a_fence_are_refused_at_once() -> None:
    """A pattern with a lazy middle between blanks would try 10^15 ways, and this test would not end."""
    assert why("```json" + " " * 100_000 + "x") == "it was not JSON"
    assert sound("```json" + " " * 100_000 + changed() + "```").facts
    assert why("```") == why("`````") == why("``````") == "it was not JSON"


def test_a_little_too_long_is_cut_and_far_too_long_is_refused() -> None:
    words = " ".join(f"word{i}" for i in range(1000))
    kept = sound(changed(summary=words[: MAX_SUMMARY + 50])).summary
    assert words.startswith(kept.removesuffix("…"))
    assert MAX_SUMMARY - 10 < len(kept) <= MAX_SUMMARY
    assert "too long" in why(changed(summary=words))


@pytest.mark.parametrize(
    "loop",
    [
        {"summary": "and so on " * 60},
        {"summary": "我们继续讨论这个计划。" * 30},
        {"facts": [["step", "again"]] * 4},
        {"notes": [{"kind": "fact", "text": "The garden is green."}] * 5},
        {"facts": [[f"key {i}", "the same long value of thirty letters or so"] for i in range(16)]},
    ],
)
def test_an_answer_that_turns_in_circles_is_refused(loop: dict[str, Any]) -> None:
    assert why(changed(**loop)) == "it repeated itself"


def test_an_answer_in_a_language_nobody_spoke_is_refused() -> None:
    english = changed(
        summary="The user said that the budget of the garden is five thousand and the fence is red."
    )
    chinese = changed(summary="用户说花园的预算是五千欧元，篱笆是红色的，计划在下个月完成。", notes=[])
    zh = window("花园的预算是五千欧元。", "好的，已经记下。", language="zh")
    assert "language" in why(english, of=zh)
    assert "language" in why(chinese)
    assert sound(chinese, zh).summary
    mixed = window("花园的预算是五千欧元。", "Noted, the budget of the garden is 5000.", language="zh")
    assert sound(english, mixed).summary


def test_of_an_answer_about_several_only_what_is_not_sound_is_refused() -> None:
    said = [
        {"exchange": n, "facts": [[f"{n}", f"{n} euros"]], "summary": f"Said {n}.", "notes": []}
        for n in range(1, 6)
    ]

    def judged(*entries: object) -> list[str]:
        found = parse(several(*entries), "stop", [SAID] * len(entries))
        return [one.summary if isinstance(one, Extraction) else str(one) for one in found]

    for wrong, why in (
        ({"exchange": 2, "facts": [], "summary": " ", "notes": []}, "it said nothing"),
        ({"exchange": 2, "facts": []}, "it was not of the schema"),
        (None, "it was not of the schema"),
        (said[2], "its entries did not have the exchanges' numbers"),
    ):
        assert judged(said[0], wrong, said[2]) == ["Said 1.", why, "Said 3."]
    for answer in (several(), several(*said[:2]), several(*said[:4])):
        assert [str(one) for one in parse(answer, "stop", [SAID] * 3)] == [NUMBER] * 3
    # An entry that was left out moves none to its neighbour.
    assert judged(said[0], said[2], said[3])[1:] == ["its entries did not have the exchanges' numbers"] * 2


def test_an_answer_that_says_the_same_of_all_repeated_itself_and_one_without_summaries_did_not() -> None:
    same = [{**SOUND, "exchange": n} for n in range(1, 6)]
    assert {str(one) for one in parse(several(*same), "stop", [SAID] * 5)} == {"it repeated itself"}
    bare = [{"exchange": n, "facts": [[f"{n}", "euros"]], "summary": "", "notes": []} for n in range(1, 6)]
    assert all(isinstance(one, Extraction) for one in parse(several(*bare), "stop", [SAID] * 5))


def test_an_answer_that_says_nothing_is_refused() -> None:
    assert why(changed(summary=" ", facts=[], notes=[])) == "it said nothing"


@given(
    st.text(max_size=300)
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=9),
        lambda v: (
            st.lists(v, max_size=3)
            | st.dictionaries(
                st.sampled_from(["exchanges", "facts", "summary", "notes", "kind", "text"]), v, max_size=3
            )
        ),
    ).map(json.dumps),
    st.integers(1, 3),
)
def test_whatever_was_written_is_an_extraction_or_a_reason(text: str, exchanges: int) -> None:
    found = parse(text, "stop", [SAID] * exchanges)
    assert len(found) == exchanges
    for one in found:
        assert isinstance(one, Invalid) or all(note.kind in NOTE_KINDS for note in one.notes)
