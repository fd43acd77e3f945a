"""A connection to Ray, for whatever runs on it: workers of a job, engines, the service. Knows none of them."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from memfold.errors import UserError

# Ray Data and Ray's defaults reserve 30 % of memory for objects; two segments a worker need a few megabytes.
OBJECT_STORE_BYTES = 256 << 20
# How long an address is given to answer. Ray itself tries for ten minutes without a word.
ANSWERS_S = 10.0
# Ray gives a cluster of our own 30 seconds to start. One start of 30 on a machine at full load took longer.
STARTS = 3
# What is killed is waited for: at most so long, since nobody may collect what another process started.
ENDED_S = 10.0
CLIENT = "ray://"
CLIENT_PORT = "10001"
# What a Ray cluster is asked to know it by, as a path of gRPC and a message of protobuf: its id, and of its server for
# clients a PING (`ClusterInfoType` 6 of ray_client.proto in field 1).
IDENTITY = "/ray.rpc.NodeInfoGcsService/GetClusterId", b""
PING = "/ray.rpc.RayletDriver/ClusterInfo", b"\x08\x06"


@contextmanager
def cluster(address: str, cpus: float | None = None, key: str = "executor.address") -> Iterator[Any]:
    """A connection to Ray, closed at the end of the block; gives the module `ray`. "local" starts a cluster of its own.

    An existing connection (a submitted job's, a test's) is used and left open. UserError, which names the setting
    `key`, if no cluster answers at the address within `ANSWERS_S`.
    """
    # Ray reads its authentication from the environment when it is imported, and would write a token of its
    # own into the home folder: the one for a cluster of our own lives as long as the process. Where the program has
    # imported Ray already, its processes and this one would not agree, and the cluster would not start.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    if address == "local" and "RAY_AUTH_MODE" not in os.environ and "ray" not in sys.modules:
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    import ray

    if ray.is_initialized():
        yield ray
        return
    options: dict[str, Any] = {}
    if address == "local":
        options = {"num_cpus": cpus, "object_store_memory": OBJECT_STORE_BYTES, "include_dashboard": False}
    try:
        if address != "local":
            _answers(_server(address), ANSWERS_S, PING if address.startswith(CLIENT) else IDENTITY)
        with warnings.catch_warnings():
            # Ray starts its processes by fork and exec at once, which Lance's threads survive.
            warnings.filterwarnings("ignore", message="lance is not fork-safe")
            # Off the main thread Ray warns that it handles no SIGTERM there: whoever started us does.
            main = threading.current_thread() is threading.main_thread()
            level = logging.WARNING if main else logging.ERROR
            with _own_handler() if main else nullcontext():
                _connect(ray, key, address=address, log_to_driver=False, logging_level=level, **options)
    except (ConnectionError, ValueError) as error:
        cause = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(
            f"{key}={address}: no Ray cluster answers there ({cause}): start one (ray start --head), correct the "
            f"address, or use {key}=local"
        ) from None
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def _own_handler() -> Iterator[None]:
    """Keeps a handler of SIGTERM that was set before. Ray sets two of its own while it starts: the first exits with 15,
    and the other, which stays, aborts the process and leaves those that Ray started."""
    ours = signal.getsignal(signal.SIGTERM)
    if not callable(ours):
        yield
        return
    try:
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, ours)
    except SystemExit as ended:
        if ended.code == signal.SIGTERM:
            ours(signal.SIGTERM, None)
        raise


def _connect(ray: Any, key: str, **options: Any) -> None:
    """Call `ray.init`, and again if Ray's own processes did not start in time; UserError after `STARTS` attempts."""
    for attempt in range(1, STARTS + 1):
        try:
            ray.init(**options)
            return
        except (KeyboardInterrupt, SystemExit):
            # Ray's own end of them leaves two agents behind for up to a minute.
            _end_children_of(Path(ray.__file__).parent)
            raise
        except Exception as error:
            # Ray's node.py raises Exception itself for the raylet, and a RuntimeError of many lines for the GCS.
            if type(error) is not Exception and not str(error).startswith("Failed to start GCS"):
                raise
            # Ray ends its processes only when this one exits: the next attempt would start beside them.
            _end_children_of(Path(ray.__file__).parent)
            if attempt == STARTS:
                why = str(error).partition("\n")[0]
                raise UserError(
                    f"{key}={options['address']}: Ray did not start in {STARTS} attempts ({why}): is this "
                    "machine busy? Try again"
                ) from None


def _end_children_of(package: Path) -> None:
    """End the child processes whose command names a file of a package, and theirs: Ray's agents have other names."""
    import psutil  # on use: whoever asks a store a question would wait for it, 18 ms

    ended = []
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # or is a zombie
            if any(str(package) in word for word in child.cmdline()):
                ended.append(child)
                ended += child.children(recursive=True)
    for process in ended:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(ended, timeout=ENDED_S)


def _server(address: str) -> str:
    """The host:port that a cluster's address stands for; ConnectionError or ValueError if it stands for none."""
    if address == "auto":
        from ray._private import services

        found = services.canonicalize_bootstrap_address(address)
        if found is None:
            raise ConnectionError("there is none on this machine")
        address = found
    client = address.startswith(CLIENT)
    host, colon, port = address.removeprefix(CLIENT).partition("?")[0].rpartition(":")
    if client and (not colon or not port.isdigit()):
        host, port = f"{host}{colon}{port}", CLIENT_PORT
    if not host or not port.isdigit():
        raise ValueError("an address is host:port")
    return f"{host}:{port}"


def _answers(server: str, seconds: float, asked: tuple[str, bytes]) -> None:
    """Check that a Ray cluster answers what is `asked`; ConnectionError if none does in time.

    Other servers that speak HTTP/2 accept the connection too; `ray.init` would then retry for minutes and print a line
    each time.
    """
    import grpc
    from ray._private.grpc_utils import init_grpc_channel

    ends = time.monotonic() + seconds
    host, _, port = server.rpartition(":")
    try:
        # By itself gRPC tries again where nobody listens, and does not say which of the two it met.
        socket.create_connection((host.strip("[]"), int(port)), timeout=seconds).close()
    except OSError as error:
        raise ConnectionError(error.strerror or str(error)) from None
    channel = init_grpc_channel(server)
    silent = f"whatever listens there did not answer within {seconds:g} s"
    try:
        grpc.channel_ready_future(channel).result(timeout=max(0.1, ends - time.monotonic()))
        method, message = asked
        channel.unary_unary(method)(message, timeout=max(0.1, ends - time.monotonic()))
    except grpc.FutureTimeoutError:
        raise ConnectionError(silent) from None
    except grpc.RpcError as error:
        code = error.code()
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            raise ConnectionError(silent) from None
        # A cluster that wants a token is one: Ray says what is missing.
        if code not in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
            raise ConnectionError(f"whatever listens there is no Ray cluster: {code.name.lower()}") from None
    finally:
        channel.close()
