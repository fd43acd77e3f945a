"""Workers of a cluster ask, keep and pay like one process: a budget stops them all, and the next run goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memfold.evaluate.simulated.endpoint import Endpoint

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BUDGET = 60_000


def index(root: Path, base_url: str, *more: str) -> subprocess.CompletedProcess[str]:
    source = ("source=synthetic", "source.tokens=30000", "source.conversations=3")
    engine = ("engine=openai", f"engine.base_url={base_url}")
    command = [sys.executable, "jobs/index.py", *source, *engine, f"store.root={root}", *more]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_budget_stops_all_workers_and_the_next_run_asks_the_rest(tmp_path: Path) -> None:
    ray = ("executor=ray", "executor.workers=2")
    with Endpoint() as endpoint:
        stopped = index(tmp_path / "ray", endpoint.base_url, *ray, f"engine.budget_tokens={BUDGET}")
        assert stopped.returncode == 2
        (line,) = [line for line in stopped.stderr.splitlines() if line.startswith("error:")]
        assert "exchanges to extract remain" in line
        assert endpoint.seen.prompt_tokens + endpoint.seen.completion_tokens <= BUDGET
        assert endpoint.seen.requests > 20
        done = index(tmp_path / "ray", endpoint.base_url, *ray)
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout.splitlines()[-1])
        assert endpoint.seen.requests == len(endpoint.seen.bodies) == said["exchanges"]
        alone = index(tmp_path / "local", endpoint.base_url)
        assert json.loads(alone.stdout.splitlines()[-1])["content_hash"] == said["content_hash"]
