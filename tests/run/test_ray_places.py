"""Workers for which a cluster has no place, and workers that die: the others do their tasks."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.connected import then

pytestmark = pytest.mark.slow

BEGINS = """
import os, signal, sys, threading, time
from dataclasses import replace
from pathlib import Path
import psutil, ray
from memfold.evaluate.simulated.endpoint import Endpoint, Pace
from memfold.run.ray import Ray
from support.asked import asking, talk
from support.given import chat, job, run

root = Path(sys.argv[1])
ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)

class Other:
    def placed(self):
        return True

def workers():
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if "ray::_Worker" in " ".join(process.cmdline()):
                found.append(process)
        except psutil.Error:
            pass
    return found
"""

# Another program holds one of two places from the beginning.
SHARED = """
other = ray.remote(num_cpus=1)(Other).remote()
ray.get(other.placed.remote())
done = run(replace(job(root, chat(200)), executor=Ray(workers=2)))
print("then:", done["exchanges"])
"""

# Another program waits for a place, and gets that of a worker that dies.
TAKEN = """
with Endpoint(Pace(speed=2.0)) as endpoint:
    def kill():
        while endpoint.seen.answered < 20:
            time.sleep(0.02)
        other = ray.remote(num_cpus=1)(Other).remote()
        waits = other.placed.remote()
        workers()[0].kill()
        ray.get(waits)
        kept.append(other)
    kept = []
    threading.Thread(target=kill, daemon=True).start()
    done = run(replace(asking(root, talk(200), endpoint.base_url, concurrency=8), executor=Ray(workers=2)))
    print("then:", done["exchanges"], len(kept))
"""

# All workers of a job with a budget die.
PAID = """
with Endpoint(Pace(speed=2.0)) as endpoint:
    def kill():
        while endpoint.seen.answered < 20:
            time.sleep(0.02)
        for each in workers():
            each.kill()
    threading.Thread(target=kill, daemon=True).start()
    job = asking(root, talk(200), endpoint.base_url, concurrency=8, budget_tokens=200_000)
    try:
        run(replace(job, executor=Ray(workers=2)))
    except Exception as error:
        asked = endpoint.seen.requests
        print("then:", type(error).__name__, "all workers of this job died" in str(error), asked < 200)
"""


def test_a_job_waits_for_no_worker_that_gets_no_place(tmp_path: Path) -> None:
    assert then(BEGINS + SHARED, tmp_path) == ["then: 200"]


def test_the_tasks_of_a_worker_that_died_go_to_another_if_its_place_is_taken(tmp_path: Path) -> None:
    assert then(BEGINS + TAKEN, tmp_path) == ["then: 200 1"]


def test_with_a_budget_no_worker_begins_again(tmp_path: Path) -> None:
    assert then(BEGINS + PAID, tmp_path) == ["then: UserError True True"]
