"""An address where no Ray cluster answers: one line with the cure, and soon."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import psutil
import pytest

from memfold import UserError, cluster
from memfold.submitted import submitted


@pytest.fixture
def closed() -> str:
    """An address on loopback where nobody listens."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def silent() -> Iterator[str]:
    """An address where somebody listens and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def other() -> Iterator[str]:
    """An address where another server than Ray's speaks gRPC."""
    server = grpc.server(ThreadPoolExecutor(1))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None)


def refused(address: str) -> str:
    with pytest.raises(UserError) as caught, cluster.cluster(address):
        pytest.fail("there is no cluster")
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(f"executor.address={address}: no Ray cluster answers there (")
    assert "ray start --head" in line
    return line


@pytest.mark.parametrize("form", ["{}", "ray://{}"])
def test_where_nobody_listens_is_said_at_once(closed: str, form: str) -> None:
    began = time.monotonic()
    assert "refused" in refused(form.format(closed))
    assert time.monotonic() - began < cluster.ANSWERS_S


@pytest.mark.parametrize("form", ["{}", "ray://{}"])
def test_who_listens_and_says_nothing_is_not_waited_for(
    silent: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "ANSWERS_S", 1.0)
    assert "did not answer within 1 s" in refused(form.format(silent))


@pytest.mark.parametrize("form", ["{}", "ray://{}"])
def test_another_server_that_speaks_grpc_is_no_cluster(other: str, form: str) -> None:
    began = time.monotonic()
    assert "is no Ray cluster: unimplemented" in refused(form.format(other))
    assert time.monotonic() - began < cluster.ANSWERS_S


def test_rays_clients_ping_so_too() -> None:
    from ray.core.generated.ray_client_pb2 import ClusterInfoRequest, ClusterInfoType

    assert ClusterInfoRequest(type=ClusterInfoType.PING).SerializeToString() == cluster.PING[1]


def test_the_cluster_that_the_environment_names_is_looked_at_too(
    closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", closed)
    assert "refused" in refused("auto")


@pytest.mark.parametrize("address", ["nonsense", "127.0.0.1", "127.0.0.1:port", ":1", "", "http://127.0.0.1"])
def test_what_is_no_address_is_said_so(address: str) -> None:
    assert "an address is host:port" in refused(address)


def test_the_setting_is_named_as_it_is_called(closed: str) -> None:
    with (
        pytest.raises(UserError, match=f"^serve.address={closed}: "),
        cluster.cluster(closed, key="serve.address"),
    ):
        pytest.fail("there is no cluster")


def test_a_submitted_job_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not submitted()
    monkeypatch.setenv("RAY_JOB_CONFIG_JSON_ENV_VAR", "{}")
    assert submitted()
    monkeypatch.delenv("RAY_JOB_CONFIG_JSON_ENV_VAR")
    shipped = tmp_path / "runtime_resources" / "working_dir_files" / "_ray_pkg_1"
    shipped.mkdir(parents=True)
    monkeypatch.chdir(shipped)
    assert submitted()


def test_ray_still_says_so_by_that_name() -> None:
    from ray._private.runtime_env.constants import RAY_JOB_CONFIG_JSON_ENV_VAR

    assert RAY_JOB_CONFIG_JSON_ENV_VAR == "RAY_JOB_CONFIG_JSON_ENV_VAR"


JOINS = """
import sys
from memfold.cluster import cluster
with cluster(sys.argv[1]) as ray:
    print(ray.cluster_resources())
"""
HEAD = """
import subprocess, sys, ray
ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
joins = [sys.executable, "-c", sys.argv[1], ray.get_runtime_context().gcs_address]
subprocess.run(joins, timeout=60, check=True)
"""


@pytest.mark.slow
def test_a_cluster_that_answers_is_joined() -> None:
    words = [sys.executable, "-c", HEAD, JOINS]
    # Without a token of the test's own Ray would write one into the home folder.
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "'CPU': 1.0" in done.stdout


@pytest.mark.slow
def test_a_program_that_imported_ray_before_gets_a_cluster_of_its_own(tmp_path: Path) -> None:
    words = [sys.executable, "-c", "import ray\n" + JOINS, "local"]
    # Ray writes a token of its own into the home folder.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RAY_AUTH")}
    done = subprocess.run(
        words,
        env=environment | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "'CPU'" in done.stdout


# Waits until it is ended, or until nobody holds its stdin any more.
WAITING = "import sys; sys.stdin.read()"


def waiting(program: str = WAITING, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", program, *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    # `Popen` returns inside exec, before the process has the command by which it is found: seen in 499 of 800 starts.
    while psutil.Process(process.pid).cmdline() != command:
        time.sleep(0.001)
    return process


@dataclass
class Slow:
    """`ray.init` on a machine where the first starts time out, as seen at full load; each leaves a process."""

    failures: int
    error: Exception
    left: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __call__(self, **options: object) -> None:
        import ray

        if len(self.left) < self.failures:
            self.left.append(waiting(WAITING, str(Path(ray.__file__).with_name("raylet"))))
            raise self.error


NOT_UP = [
    Exception("The current node timed out during startup."),
    RuntimeError("Failed to start GCS.  Last 0 lines of error files:\n\nTraceback (most recent call last)"),
]


@pytest.fixture(params=NOT_UP, ids=["raylet", "GCS"])
def slow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    import ray

    slow = Slow(cluster.STARTS, request.param)
    monkeypatch.setattr(ray, "init", slow)
    yield slow
    for process in slow.left:
        process.kill()
        process.wait()


def test_a_start_that_took_too_long_is_tried_again_and_leaves_nothing(slow: Slow) -> None:
    slow.failures -= 1
    with waiting() as another:
        with cluster.cluster("local", 1):
            assert len(slow.left) == slow.failures
            assert all(not psutil.pid_exists(process.pid) for process in slow.left)
            assert another.poll() is None
        another.kill()


@pytest.fixture
def ended() -> Iterator[list[int]]:
    """The signals that a handler of SIGTERM was called for, which ends the process as a service does."""
    signals: list[int] = []

    def end(signum: int, frame: object) -> None:
        signals.append(signum)
        raise SystemExit(0)

    before = signal.signal(signal.SIGTERM, end)
    yield signals
    signal.signal(signal.SIGTERM, before)


def test_a_handler_of_sigterm_holds_while_ray_runs(ended: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr(ray, "init", lambda **_: signal.signal(signal.SIGTERM, signal.SIG_IGN))
    with pytest.raises(SystemExit) as exit, cluster.cluster("local", 1):
        signal.raise_signal(signal.SIGTERM)
    assert (ended, exit.value.code) == ([signal.SIGTERM], 0)


def test_sigterm_while_ray_starts_ends_as_without_ray_and_leaves_nothing(
    ended: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray

    agent = f"import subprocess; subprocess.run([{sys.executable!r}, '-c', {WAITING!r}])"
    with waiting(agent, str(Path(ray.__file__).with_name("raylet"))) as process:
        started = psutil.Process(process.pid)
        while not started.children():
            time.sleep(0.01)
        agents = started.children()

        def init(**_: object) -> None:
            signal.signal(signal.SIGTERM, lambda signum, _: sys.exit(signum))
            signal.raise_signal(signal.SIGTERM)

        monkeypatch.setattr(ray, "init", init)
        with pytest.raises(SystemExit) as exit, cluster.cluster("local", 1):
            pytest.fail("it goes on")
        assert (ended, exit.value.code) == ([signal.SIGTERM], 0)
        left = psutil.wait_procs([started, *agents], timeout=10)[1]
        for each in left:
            each.kill()
        assert left == []


def test_a_machine_too_busy_for_ray_to_start_is_one_line(slow: Slow) -> None:
    """As Ray says it, seen with 20 processes for each core."""
    with (
        pytest.raises(
            UserError,
            match=r"^executor.address=local: Ray did not start in 3 attempts \([^\n]*\): is this machine busy",
        ),
        cluster.cluster("local", 1),
    ):
        pass
