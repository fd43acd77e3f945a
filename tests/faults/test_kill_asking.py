"""A job that asks a model is killed in the middle: what was paid for is there, and one run again ends the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memfold.evaluate.simulated.endpoint import Endpoint, Pace
from memfold.llm.results import A_COMMIT

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 16


def job(root: Path, base_url: str) -> subprocess.Popen[str]:
    source = ("source=synthetic", "source.tokens=30000", "source.conversations=6", "embedder.threads=1")
    engine = ("engine=openai", f"engine.base_url={base_url}", f"engine.concurrency={AT_ONCE}")
    command = [sys.executable, "jobs/index.py", *source, *engine, f"store.root={root}"]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def hash_of(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    return str(json.loads(output.splitlines()[-1])["content_hash"])


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("asked_to", [signal.SIGTERM, signal.SIGINT])
def test_a_job_that_is_told_to_end_does_so_at_once_and_pays_again_for_what_was_under_way(
    tmp_path: Path, asked_to: signal.Signals
) -> None:
    with Endpoint(Pace(speed=20.0)) as endpoint:
        first = job(tmp_path, endpoint.base_url)
        while endpoint.seen.answered < 70:
            assert first.poll() is None
            time.sleep(0.01)
        first.send_signal(asked_to)
        _, errors = first.communicate(timeout=30)
        assert first.returncode == 130
        assert errors.splitlines()[-1].startswith("error: interrupted; what is finished is kept")
        assert endpoint.seen.answered < 120
        hash_of(job(tmp_path, endpoint.base_url))
        assert endpoint.seen.requests - len(endpoint.seen.bodies) <= AT_ONCE


def test_a_killed_job_pays_again_for_what_was_under_way_and_no_more(tmp_path: Path) -> None:
    with Endpoint(Pace(speed=20.0)) as endpoint:
        first = job(tmp_path / "store", endpoint.base_url)
        while endpoint.seen.answered < 100:
            try:
                first.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            pytest.fail(f"the job ended before it was killed: {first.communicate()}")
        first.kill()
        first.communicate()
        made = hash_of(job(tmp_path / "store", endpoint.base_url))
        seen = endpoint.seen
        # What waited for a commit, what a commit was being made of, and what was being answered.
        assert seen.requests - len(seen.bodies) <= 2 * A_COMMIT + AT_ONCE
        assert len(seen.bodies) > 150
        asked = seen.requests
        assert hash_of(job(tmp_path / "store", endpoint.base_url)) == made
        assert seen.requests == asked
        assert hash_of(job(tmp_path / "never-killed", endpoint.base_url)) == made
