"""A fifth of all exchanges meets a fault of some kind: the job ends, all of them are accounted for, and the others
are what they would have been.

`MEMFOLD_FAULT_EXCHANGES` is how many there are (300), `MEMFOLD_SEED` decides which fail and how (0).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from asked import asking, talk
from given import run
from simulated_endpoint import FAULTS, Endpoint

import memfold
from memfold.extract.contract import DEAD, FALLBACK

pytestmark = pytest.mark.slow

EXCHANGES = int(os.environ.get("MEMFOLD_FAULT_EXCHANGES", "300"))
SEED = int(os.environ.get("MEMFOLD_SEED", "0"))
A_CONVERSATION = 100


def extracted(root: Path) -> dict[tuple[str, int], dict[str, Any]]:
    rows = memfold.open(str(root)).tables.extractions.read().to_pylist()
    return {(row["conversation_id"], row["exchange_id"]): row for row in rows}


@pytest.mark.parametrize("fallback", [True, False])
def test_every_exchange_is_made_or_in_the_dead_letters_and_the_healthy_ones_are_as_ever(
    tmp_path: Path, fallback: bool
) -> None:
    messages = [m for i in range(EXCHANGES // A_CONVERSATION) for m in talk(A_CONVERSATION, f"c{i}")]
    settings = {"fallback": fallback, "retries": 5, "timeout_s": 1.0, "backoff_s": 0.05}
    with Endpoint() as endpoint:
        calm = run(asking(tmp_path / "calm", messages, endpoint.base_url, **settings))
    with Endpoint(faults=0.2, seed=SEED, stall_s=3.0) as endpoint:
        done = run(asking(tmp_path / "faults", messages, endpoint.base_url, **settings))
        seen = endpoint.seen
    assert set(seen.faults) == set(FAULTS)
    for count in ("messages", "exchanges", "tokens"):
        assert done[count] == calm[count]

    healthy, faulty = extracted(tmp_path / "calm"), extracted(tmp_path / "faults")
    said = {(m.conversation_id, int(m.message_id or 0) // 2): m.content for m in messages if m.role == "user"}
    assert healthy.keys() == faulty.keys() == said.keys()
    failed = {
        place for place, row in faulty.items() if row["made_by"] == DEAD or row["made_by"].endswith(FALLBACK)
    }
    assert failed
    assert {said[place] for place in failed} < seen.faulted
    # Not only those that met no fault: those that were repaired are the same too.
    assert all(faulty[place] == healthy[place] for place in said.keys() - failed)

    tables = memfold.open(str(tmp_path / "faults")).tables
    letters = {row["place"]: row["reason"] for row in tables.dead_letters.read().to_pylist()}
    dead = {f"conversation {c}, exchange {i}" for c, i in failed if not fallback}
    assert letters.keys() == dead
    assert all("tries were not answered" in reason or "it " in reason for reason in letters.values())
    # Whatever went wrong, no answer was asked for twice that had been given.
    kept = tables.generations.read(columns=["request"]).num_rows
    assert kept <= seen.answered
    print(
        f"FAULTS {EXCHANGES} exchanges, {len(seen.faulted)} faulty, {dict(seen.faults)}, failed {len(failed)}, "
        f"requests {seen.requests}, kept {kept}, {done['seconds']} s against {calm['seconds']} s"
    )
