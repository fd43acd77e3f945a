"""The state sealed by a model: two entries that say one thing in other words become one, and nothing else changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memfold
from memfold import UserError
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.extract.contract import FALLBACK
from memfold.extract.engines.rules import Rules
from memfold.layers.layer import Group, Tools
from memfold.layers.replaced import mark
from memfold.layers.state import State
from memfold.layers.state.candidates import TABLE
from memfold.layers.state.choosing import RIGHT
from memfold.layers.state.history import SAME, WHOLE, link, stand
from memfold.layers.state.sealing import (
    CARRIED,
    FAN,
    INSTRUCTIONS,
    LONGEST_LIST,
    SEALING,
    Listing,
    SealedState,
    Sealing,
    request,
    same,
)
from memfold.layers.state.stated import Stand
from memfold.layers.state.wording import alike
from memfold.llm.answers import Invalid
from memfold.llm.asker import Asker
from memfold.llm.results import Results
from memfold.schema import Message
from memfold.store.location import Location
from memfold.text import tokens
from support.asked import MODEL, openai
from support.folding import Random
from support.given import START, job, rows, run, shown
from support.layers import LAYERS
from support.readers_asked import INJECTIONS, answering, taken_apart
from support.tables import AskingRules, tell


def entry(exchange: int, text: str, kind: str = "conclusion", n: int = 0, **more: Any) -> dict[str, Any]:
    words = sorted(set(text.lower().strip(".").split()))
    made = dict.fromkeys(TABLE.names) | {
        "segment": "s",
        "conversation_id": "c",
        "kind": kind,
        "text": text,
    }
    keys = [f"frame|{kind}|{'|'.join(words)}"]
    return {**made, "exchange_id": exchange, "n": n, "keys": keys, "words": words, **more}


def told(*made: dict[str, Any]) -> Stand:
    return stand(pa.Table.from_pylist(list(made), schema=TABLE))


def linked(later: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    places = [(each["exchange_id"], each["n"]) for each in (later, earlier)]
    return {**later, "time": None, "words": [], **link(places[0], places[1])}


DEPLOY = entry(3, "We deploy on Friday.")
RELEASE = entry(9, "The release goes out at the end of the week.")
OTHER = entry(12, "We use Redis.")


def test_of_two_entries_that_are_one_the_first_holds_and_the_second_repeats_it() -> None:
    apart, one = told(DEPLOY, RELEASE, OTHER), told(DEPLOY, RELEASE, OTHER, linked(RELEASE, DEPLOY))
    assert [each.text for each in apart.holding("conclusion")] == [
        each["text"] for each in (DEPLOY, RELEASE, OTHER)
    ]
    assert [each.text for each in one.holding("conclusion")] == [DEPLOY["text"], OTHER["text"]]
    assert [each.state for each in one.entries] == ["holds", "repeated", "holds"]


def test_what_changes_the_second_changes_the_one_that_stands_for_it() -> None:
    # It has most words of the second, and its key: rules find it by those, and by none of the first.
    changed = entry(20, "The release goes out at the end of the month.", keys=[RELEASE["keys"][0]])
    one = told(DEPLOY, RELEASE, changed, linked(RELEASE, DEPLOY))
    assert [each.text for each in one.holding("conclusion")] == [changed["text"]]
    assert one.holding("conclusion")[0].replaced == DEPLOY["text"]
    assert len(told(DEPLOY, RELEASE, changed).holding("conclusion")) == 2


def test_what_was_given_up_before_is_not_taken_for_what_is_said_anew() -> None:
    changed = entry(5, "We deploy on Monday.", keys=[DEPLOY["keys"][0]])
    one = told(DEPLOY, changed, RELEASE, linked(RELEASE, DEPLOY))
    assert [each.text for each in one.holding("conclusion")] == [changed["text"], RELEASE["text"]]


@pytest.mark.parametrize(
    "more", [{"kind": "correction"}, {"keys": [f"{RIGHT}{mark(OTHER['text'])}", *RELEASE["keys"]]}]
)
def test_what_puts_another_right_does_so_whatever_it_repeats(more: dict[str, Any]) -> None:
    facts = [{**each, "kind": "fact"} for each in (OTHER, DEPLOY)]
    late = {**RELEASE, "exchange_id": 20, "kind": "fact", **more}
    assert told(*facts, late, linked(late, facts[1])) == told(*facts, late)


@pytest.mark.parametrize("hidden", [DEPLOY, RELEASE])
def test_a_pair_of_which_one_is_not_shown_changes_nothing(hidden: dict[str, Any]) -> None:
    left = [each for each in (DEPLOY, RELEASE) if each is not hidden]
    assert told(*left, linked(RELEASE, DEPLOY)) == told(*left)


def test_only_entries_of_one_kind_and_with_the_same_numbers_are_one() -> None:
    assert alike("fact", "It costs 5 euros.", "correction", "5 euros is the price.")
    assert not alike("fact", "It costs 5 euros.", "fact", "It costs 6 euros.")
    assert not alike("fact", "It costs 5 euros.", "fact", "It is not cheap.")
    assert not alike("fact", "We deploy.", "constraint", "We deploy.")
    dear, cheap = entry(1, "It costs 50 euros."), entry(2, "The price is 40 euros.")
    assert len(told(dear, cheap, linked(cheap, dear)).holding("conclusion")) == 2


# ----------------------------------------------------------------------------- what is asked

LISTING = Listing("c", (DEPLOY, RELEASE, OTHER))


def test_a_list_is_asked_about_once_and_its_pairs_are_places() -> None:
    generator, seen = answering('{"same":[[2,1]]}')
    sealing = Sealing(Asker(generator, Results(None, MODEL)))
    assert sealing([LISTING, Listing("c", (DEPLOY,)), Listing("", ())]) == [
        ([((9, 0), (3, 0))], sealing.signature),
        ([], sealing.signature),
        ([], sealing.signature),
    ]
    assert len(seen) == 1
    read = taken_apart(request(LISTING))
    assert read.sections["entries"][0] == "1 conclusion: We deploy on Friday."
    assert list(read.sections) == ["entries", "end: 3 entries"]


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"same":[[2]]}', '{"same":[[4,1]]}', '{"same":[[1,2]]}', '{"same":[[2,2]]}',
     '{"same":[[3,1],[3,2]]}', '{"same":[["2","1"]]}', '{"same":[[2,0]]}'],
)  # fmt: skip
def test_an_answer_of_no_use_is_asked_for_once_more_and_then_rules_stand(text: str) -> None:
    generator, seen = answering(text)
    sealing = Sealing(Asker(generator, Results(None, MODEL)))
    assert sealing([LISTING]) == [([], sealing.signature + FALLBACK)]
    assert len(seen) == 2


@given(st.lists(st.lists(st.integers(-1, 5), min_size=2, max_size=2), max_size=5))
def test_any_pairs_are_of_what_was_listed_or_invalid(pairs: list[list[int]]) -> None:
    try:
        found = same(LISTING, pairs)
    except Invalid:
        return
    assert all(later > earlier for later, earlier in found)
    assert {place for pair in found for place in pair} <= {(3, 0), (9, 0), (12, 0)}


@pytest.mark.parametrize("text", [each for each in INJECTIONS if each])
def test_what_was_said_changes_nothing_of_the_request(text: str) -> None:
    read = taken_apart(request(Listing("c", (DEPLOY, entry(4, text)))))
    assert read.instructions == INSTRUCTIONS
    assert list(read.sections) == ["entries", "end: 2 entries"]
    assert len(read.sections["entries"]) == 2


def test_what_is_listed_and_carried_is_bounded_by_the_newest() -> None:
    generator, seen = answering('{"same":[]}')
    layer = SealedState(Sealing(Asker(generator, Results(None, MODEL))), span=1)
    whole = {**OTHER, "kind": WHOLE, "keys": [], "words": [], "n": 0}
    children = []
    for child in range(FAN):
        said = [entry(child * 50 + n, f"Thing {child}x{n} is {'very ' * 40}{n}x{child}.") for n in range(50)]
        ends = {**whole, "exchange_id": child * 50 + 49}
        children.append(pa.Table.from_pylist([*said, ends], schema=TABLE))
    (node,) = layer.nodes([Group("node", children)])
    kinds = node["kind"].to_pylist()
    assert kinds == ["conclusion"] * CARRIED + [WHOLE]
    assert node["exchange_id"].to_pylist() == [*range(200 - CARRIED, 200), 199]
    assert set(node["segment"].to_pylist()) == {"node"}
    asked = seen[0].messages[1][1]
    assert LONGEST_LIST * 0.9 < tokens.count(asked) < LONGEST_LIST + 50
    assert "49x3." in asked
    # Of three nodes there is none that is whole, and nobody is asked.
    (edge,) = layer.nodes([Group("edge", children[:3])])
    assert WHOLE not in edge["kind"].to_pylist()
    assert len(seen) == 1


def test_the_longest_answer_fits() -> None:
    assert SEALING.schema is not None
    most = SEALING.schema["properties"]["same"]["maxItems"]
    answer = json.dumps({"same": [[200 + n, 100 + n] for n in range(most)]}, indent=1)
    assert SEALING.max_tokens is not None
    assert tokens.count(answer) < SEALING.max_tokens


def test_who_seals_is_in_the_version_and_rules_need_nobody() -> None:
    asker = Asker(openai("http://none"), Results(None, MODEL))
    by_rules, chosen = State(), State(sealed_by="engine")
    assert by_rules.equip(Tools(Random(), asker)) == by_rules
    versions = {chosen.equip(Tools(Random(), each)).version for each in (None, asker)}
    assert len({*versions, by_rules.version}) == 3
    with pytest.raises(UserError, match=r"layers\.state\.sealed_by='gpt' must be engine or rules"):
        State(sealed_by="gpt")


# --------------------------------------------------------------------------------- in a store

SEALED = (*LAYERS["state"], "layers.state.sealed_by=engine")


def talk(exchanges: int, said: dict[int, str]) -> list[Message]:
    return [
        Message("c", role, text, f"{2 * n + place}", START)  # type: ignore[arg-type]
        for n in range(exchanges)
        for place, (role, text) in enumerate(
            [("user", said.get(n, f"Tell me about topic {n}.")), ("assistant", f"Answer {n}.")]
        )
    ]


SAID = {
    5: "We decided to sell the kayak on Friday.",
    20: "I settled on giving the kayak away this week.",
    70: "We decided to sell the violin on Friday.",
    180: "I settled on giving the violin away this week.",
}


def conclusions(root: Path, **at: Any) -> list[str]:
    store = memfold.open(str(root))
    return [each.text for each in store.state("c", **at).standing.holding("conclusion")]


def test_in_a_store_what_was_said_twice_stands_once_within_a_segment_and_across_segments(
    tmp_path: Path,
) -> None:
    with Endpoint(answers={INSTRUCTIONS: tell}) as endpoint:
        engine = AskingRules(base_url=endpoint.base_url, location=Location(str(tmp_path / "sealed")))
        made = job(tmp_path / "sealed", talk(260, SAID), overrides=SEALED)
        run(replace(made, engine=engine))
        # The first segment, and the node over four: nobody is asked of one entry, or of the right edge.
        assert endpoint.seen.requests == 2
    run(job(tmp_path / "rules", talk(260, SAID), overrides=LAYERS["state"]))
    apart, sealed = conclusions(tmp_path / "rules"), conclusions(tmp_path / "sealed")
    assert len(apart) == 4
    assert sealed == [apart[0], apart[2]]
    found = shown(tmp_path / "sealed", "state").to_pylist()
    assert {row["text"].split("/")[0] for row in found if row["kind"] == WHOLE} == {"state-2"}
    assert {row["text"] for row in found if row["kind"] == SAME} == {""}
    # As of a message in the third segment only what was within the first is one yet; of the fourth, nothing more.
    assert conclusions(tmp_path / "sealed", as_of="301") == [apart[0], apart[2]]
    assert conclusions(tmp_path / "sealed", as_of="401") == [apart[0], *apart[2:]]
    assert conclusions(tmp_path / "sealed", as_of="61") == apart[:2]


def test_without_a_model_nothing_is_sealed_and_the_state_is_that_of_the_rules(tmp_path: Path) -> None:
    run(job(tmp_path / "none", talk(130, SAID), overrides=SEALED))
    run(job(tmp_path / "rules", talk(130, SAID), overrides=LAYERS["state"]))
    stores = [memfold.open(str(tmp_path / name)) for name in ("none", "rules")]
    assert stores[0].state("c") == stores[1].state("c")
    assert {row["text"] for row in shown(tmp_path / "none", "state").to_pylist() if row["kind"] == WHOLE} == {
        "nobody"
    }
    assert "generations" not in rows(tmp_path / "none")
    assert Rules().asker is None
