"""Workers of a cluster ask, keep and pay like one process: a budget stops them all, and the next run goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memfold.evaluate.simulated.endpoint import Endpoint
from support.connected import then

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


# A program that is connected to Ray, and goes on where its job is interrupted: a notebook, a service.
GOES_ON = """
import os, signal, sys, threading, time
from dataclasses import replace
from pathlib import Path
import psutil, ray
from memfold.evaluate.simulated.endpoint import Endpoint, Pace
from memfold.llm.results import generations
from memfold.run.ray import Ray
from support.asked import asking, talk
from support.given import run

signal.signal(signal.SIGINT, signal.default_int_handler)  # tests that run in the background ignore interrupts
root, cluster = Path(sys.argv[1]), {"num_cpus": 2, "include_dashboard": False, "log_to_driver": False}
ray.init(address="local", **cluster)
def works(process):
    try:
        return "_Worker" in " ".join(process.cmdline())
    except psutil.Error:
        return False
with Endpoint(Pace(speed=2.0)) as endpoint:
    def interrupt():
        while endpoint.seen.answered < 20:
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    job = replace(asking(root, talk(200), endpoint.base_url, concurrency=8), executor=Ray(workers=2))
    try:
        run(job)
    except KeyboardInterrupt:
        answered = endpoint.seen.answered
        kept = generations(job.location).count()
        ends = time.monotonic() + 20
        while (workers := list(filter(works, psutil.Process().children(recursive=True)))) and time.monotonic() < ends:
            time.sleep(0.1)
        # What was on its way when the workers closed their connections is not kept: at most what both ask at once.
        print("then:", ray.is_initialized(), len(workers), answered == endpoint.seen.answered, answered - kept <= 8)
ray.shutdown()
"""


def test_an_interrupted_job_leaves_no_worker_on_a_cluster_that_goes_on(tmp_path: Path) -> None:
    assert then(GOES_ON, tmp_path) == ["then: True 0 True True"]
