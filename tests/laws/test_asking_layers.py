"""Laws 3, 4, 5 and 9 for layers whose rows a model had a say in: keys in two languages, the state sealed by the
engine. The model is a table behind a real endpoint; whoever reads a store has none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.layers.keys.layer import KeyRows
from memfold.layers.layer import Layer, Tools, equipped
from memfold.layers.state import sealing
from memfold.run.amend import erase_message
from memfold.run.job import Job
from memfold.schema import NOTES, Message
from memfold.watch import Report
from support import folding, laws
from support.folding import Random, Segment, assert_as_of, assert_merges
from support.given import chat, found, job, run, shown
from support.tables import ANSWERS, THINGS, AskingRules, chinese, pairs

ASKING: dict[str, tuple[str, ...]] = {
    "keys": ("layers=[keys]", "layers.keys.rules=true", "layers.keys.languages=[en,zh]"),
    "state": ("layers=[state]", "layers.state.sealed_by=engine"),
}
# In a store both at once: what takes the time is the jobs.
BOTH = ("layers=[keys,state]", *ASKING["keys"][1:], *ASKING["state"][1:])
CUTS = st.lists(st.integers(0, 100), max_size=4)
# One thing in two ways, so that rules leave them apart.
TOLD = ("The {} goes to Rosa.", "By the end of May somebody named Rosa owns the {} for good.")
WAYS = ("We decided to sell the {} on Friday.", "I settled on giving the {} away this week.")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(answers=ANSWERS) as server:
        yield server


def deciding(exchanges: int, of: str = "c", *, mark: str = "", ids: bool = True) -> list[Message]:
    """`chat`, whose user says little and decides things twice: what is noted is asked about over HTTP."""
    talk = chat(exchanges, of, mark=mark, ids=ids)
    for n in range(exchanges):
        said = WAYS[n // 5 % 2].format(THINGS[n // 10 % len(THINGS)]) if n % 5 == 0 else "Tell me more of it."
        talk[2 * n] = replace(talk[2 * n], content=f"{mark}{said}")
    return talk


@contextmanager
def folded_by_a_model(endpoint: Endpoint) -> Iterator[None]:
    """Folding with layers that ask the endpoint, of facts that say one thing in several ways."""
    right = folding.conversation
    engine = AskingRules(base_url=endpoint.base_url)

    def fresh(of: Mapping[str, Any]) -> dict[str, Layer]:
        made = equipped(of, Tools(Random(), engine.asker))
        return {name: folding._short(layer) for name, layer in made.items()}

    def conversation(exchanges: int, layers: Mapping[str, Layer]) -> list[Segment]:
        return [
            replace(each, rows={**each.rows, "notes": telling(each)}) for each in right(exchanges, layers)
        ]

    def telling(segment: Segment) -> pa.Table:
        rows = segment.rows["notes"].to_pylist()
        for row in rows:
            row |= {"kind": "fact", "said_by": "assistant", "about": None}
            at = row["exchange_id"]
            row["text"] = TOLD[at // 5 % 2].format(THINGS[at % len(THINGS)])
        return pa.Table.from_pylist(rows, schema=NOTES)

    try:
        with patch.object(folding, "fresh", fresh), patch.object(folding, "conversation", conversation):
            yield
    finally:
        engine.close()


@contextmanager
def jobs_ask(endpoint: Endpoint) -> Iterator[None]:
    """Index jobs over `deciding`, whose layers ask the endpoint."""
    engines: list[AskingRules] = []

    def asking(root: Path, items: Sequence[Any], **more: Any) -> Job:
        made = job(root, items, **more)
        engines.append(AskingRules(base_url=endpoint.base_url, location=made.location))
        return replace(made, engine=engines[-1])

    try:
        with patch.object(laws, "job", asking), patch.object(laws, "chat", deciding):
            yield
    finally:
        for engine in engines:
            engine.close()


@pytest.mark.parametrize("name", ASKING)
@settings(max_examples=6)
@given(n=st.integers(1, 60), ends=CUTS, seed=st.integers(0, 2**32))
def test_any_cutting_any_order_and_any_worker_make_the_same_rows(
    endpoint: Endpoint, name: str, n: int, ends: list[int], seed: int
) -> None:
    with folded_by_a_model(endpoint):
        assert_merges(ASKING[name], n, ends, seed)


@pytest.mark.parametrize("name", ASKING)
@settings(max_examples=6)
@given(n=st.integers(1, 60), end=st.integers(0, 60))
def test_as_of_an_exchange_is_the_conversation_that_ended_there(
    endpoint: Endpoint, name: str, n: int, end: int
) -> None:
    with folded_by_a_model(endpoint):
        assert_as_of(ASKING[name], n, end)


def test_the_model_had_a_say_in_what_is_compared(endpoint: Endpoint) -> None:
    with folded_by_a_model(endpoint), folding.short_segments():
        made = {name: folding.in_one_go(folding.settings(of), 50).parts for name, of in ASKING.items()}
    keys = [row for rows in made["keys"].values() for row in rows.to_pylist()]
    assert {row["kind"] for row in keys} == {"note", "translated"}
    parts = [rows.to_pylist() for rows in made["state"].values()]
    told = [pair for rows in parts for pair in pairs(rows)]
    # Within a segment of three exchanges, and across those.
    assert any(int(later) - int(str(key).split("|")[0]) > 3 for later, _, key in told)  # type: ignore[call-overload]
    assert len(told) > 5


def test_a_job_run_again_ends_with_the_same_rows(endpoint: Endpoint, tmp_path: Path) -> None:
    with jobs_ask(endpoint):
        laws.assert_reruns(BOTH, tmp_path)
    assert "translated" in shown(tmp_path / "whole", "keys")["kind"].to_pylist()
    assert pairs(shown(tmp_path / "whole", "state").to_pylist())


def test_as_of_a_message_is_the_conversation_that_ended_there(endpoint: Endpoint, tmp_path: Path) -> None:
    with jobs_ask(endpoint):
        laws.assert_as_of_in_store(BOTH, tmp_path)


@pytest.mark.parametrize("name", ASKING)
def test_control_what_a_model_makes_of_an_unfinished_part_is_not_what_a_reader_sees(
    endpoint: Endpoint, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "keys":
        monkeypatch.setattr(KeyRows, "by_exchange", False)
    else:
        monkeypatch.setattr(sealing, "_newest", lambda rows, whole: rows[-1] if rows else None)
    with jobs_ask(endpoint), pytest.raises(AssertionError, match=f"{name} as of"):
        laws.assert_as_of_in_store(ASKING[name], tmp_path)


def test_nothing_is_left_of_an_erased_conversation(endpoint: Endpoint, tmp_path: Path) -> None:
    with jobs_ask(endpoint):
        laws.assert_erases(BOTH, tmp_path)


def test_nothing_is_left_of_an_erased_message(endpoint: Endpoint, tmp_path: Path) -> None:
    talk = deciding(70)
    secret = "quokka tango"
    talk[8] = replace(talk[8], content=f"We decided to call it {secret} 7731.")
    with jobs_ask(endpoint):
        run(laws.job(tmp_path, talk, overrides=BOTH))
        assert found(tmp_path, secret)
        assert found(tmp_path, chinese(secret))
        asking = laws.job(tmp_path, [], overrides=BOTH)
        again = lambda location, config, source: replace(asking, source=source)  # noqa: E731
        erase_message(asking.location, "c", "8", Report(), again)
    assert found(tmp_path, secret) == found(tmp_path, chinese(secret)) == []
