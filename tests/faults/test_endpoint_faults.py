"""A fifth of all exchanges meets a fault of some kind and engines die meanwhile: the job ends, all exchanges are
accounted for, and those that met no fault of their own are what they would have been.

`MEMFOLD_FAULT_EXCHANGES` is how many there are (300), `MEMFOLD_SEED` decides which fail and how (0).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memfold.evaluate.simulated.endpoint import FAULTS, Endpoint, Pace
from memfold.extract.contract import DEAD, FALLBACK
from memfold.llm.results import generations
from memfold.run.letters import dead_letters
from memfold.store.location import Location
from support.asked import asking, talk
from support.given import run, shown

pytestmark = [
    pytest.mark.slow,
    # The endpoint's own: what it drops on purpose its server leaves to be collected.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

EXCHANGES = int(os.environ.get("MEMFOLD_FAULT_EXCHANGES", "300"))
SEED = int(os.environ.get("MEMFOLD_SEED", "0"))
A_CONVERSATION = 100
ENGINES = 4
DEATHS = 5
# As many requests at an engine at once as it has places for, so that a death meets some that are being answered.
AT_ONCE = 16
PACE = Pace(prefill=1e6, decode=2e3, together=2e4, batch=AT_ONCE, speed=1.0)


def extracted(root: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """What a reader sees of each exchange, with its notes."""
    rows = shown(root, "extractions").to_pylist()
    found = {place_of(row): {**row, "notes": []} for row in rows}
    assert len(found) == len(rows)
    for note in shown(root, "notes").sort_by("n").to_pylist():
        found[place_of(note)]["notes"].append(note)
    return found


def place_of(row: dict[str, Any]) -> tuple[str, int]:
    return row["conversation_id"], row["exchange_id"]


@pytest.mark.parametrize(("fallback", "together"), [(True, 6), (False, 1)])
def test_every_exchange_is_made_or_in_the_dead_letters_and_the_healthy_ones_are_as_ever(
    tmp_path: Path, fallback: bool, together: int
) -> None:
    messages = [m for i in range(EXCHANGES // A_CONVERSATION) for m in talk(A_CONVERSATION, f"c{i}")]
    settings = {"fallback": fallback, "together": together, "retries": 5, "timeout_s": 3.0, "backoff_s": 0.05}
    with Endpoint() as endpoint:
        calm = run(asking(tmp_path / "calm", messages, endpoint.base_url, **settings))
        asked = endpoint.seen.requests
    with Endpoint(PACE, engines=ENGINES, faults=0.2, seed=SEED, stall_s=9.0) as endpoint:
        # One after the other, each while about a seventh of an engine's requests pass; the first dies twice.
        for death in range(DEATHS):
            endpoint.die(death % ENGINES, after=asked * (death + 1) // (7 * ENGINES), down_s=0.3)
        done = run(asking(tmp_path / "faults", messages, endpoint.base_url, concurrency=AT_ONCE, **settings))
        seen = endpoint.seen
    assert set(seen.faults) == set(FAULTS)
    assert seen.deaths == DEATHS
    # A death is more than a missed connection: it takes what was being answered with it.
    assert seen.lost > 0
    for count in ("messages", "exchanges", "tokens"):
        assert done[count] == calm[count]

    healthy, faulty = extracted(tmp_path / "calm"), extracted(tmp_path / "faults")
    said = {(m.conversation_id, int(m.message_id or 0) // 2): m.content for m in messages if m.role == "user"}
    assert healthy.keys() == faulty.keys() == said.keys()
    failed = {
        place for place, row in faulty.items() if row["made_by"] == DEAD or row["made_by"].endswith(FALLBACK)
    }
    assert failed
    # None failed for a death: another engine answered.
    assert {said[place] for place in failed} < seen.faulted
    # Not only those that met no fault: those that were repaired are the same too.
    assert all(faulty[place] == healthy[place] for place in said.keys() - failed)
    assert len(said.keys() - failed) > 0.8 * len(said)

    location = Location(str(tmp_path / "faults"))
    letters = {row["place"]: row["reason"] for row in dead_letters(location).read().to_pylist()}
    dead = {f"conversation {c}, exchange {i}" for c, i in failed if not fallback}
    assert letters.keys() == dead
    assert dead_letters(location).count() == len(dead)
    assert all("tries were not answered" in reason or "it " in reason for reason in letters.values())
    # Whatever went wrong, no answer was asked for twice that had been given.
    kept = generations(location).count()
    assert kept <= seen.answered
    print(
        f"FAULTS {EXCHANGES} exchanges, {len(seen.faulted)} faulty, {dict(seen.faults)}, {seen.deaths} deaths that "
        f"took {seen.lost} requests, failed {len(failed)}, requests {seen.requests}, kept {kept}, "
        f"{done['seconds']} s against {calm['seconds']} s"
    )


def test_what_only_met_a_death_is_answered_by_another_engine(tmp_path: Path) -> None:
    messages = [m for i in range(3) for m in talk(64, f"c{i}")]
    settings = {"fallback": False, "retries": 3, "concurrency": AT_ONCE, "timeout_s": 30.0}
    with Endpoint() as endpoint:
        calm = run(asking(tmp_path / "calm", messages, endpoint.base_url, **settings))
    with Endpoint(PACE, engines=ENGINES) as endpoint:
        # All but one go for good; the last that is left answers everything.
        for engine in range(ENGINES - 1):
            endpoint.die(engine, after=3 + engine, down_s=3_600.0)
        done = run(asking(tmp_path / "deaths", messages, endpoint.base_url, **settings))
        seen = endpoint.seen
    assert seen.deaths == ENGINES - 1
    assert seen.lost > 0
    assert dead_letters(Location(str(tmp_path / "deaths"))).count() == 0
    assert done["content_hash"] == calm["content_hash"]


def test_all_engines_die_and_one_comes_back_and_the_job_goes_on(tmp_path: Path) -> None:
    messages = talk(120)
    with Endpoint(PACE, engines=2) as endpoint:
        endpoint.die(0, after=10, down_s=3_600.0)
        endpoint.die(1, after=15, down_s=0.3)
        job = asking(tmp_path, messages, endpoint.base_url, concurrency=AT_ONCE, retries=9, backoff_s=0.1)
        done = run(job)
        assert endpoint.seen.deaths == 2
    assert done["exchanges"] == 120
    assert {row["made_by"] for row in extracted(tmp_path).values()} == {job.engine.signature}
