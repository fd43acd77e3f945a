"""The app under Ray Serve on this machine's loopback address. Knows nothing of what is answered."""

from __future__ import annotations

import errno
import http.client
import ipaddress
import logging
import os
import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import psutil

from memfold.cluster import cluster
from memfold.errors import UserError
from memfold.serve.app import Limits, application
from memfold.serve.newest import Newest, Reading
from memfold.serve.wire import rehearse

NAME = "memfold"
READY_S = 30.0
GONE_S = 10.0
# Ports of which one is taken for port 0. Ray starts before the service listens: its workers have 10002 to 19999, and a
# connection that it opens may get any port from 32768 on.
FREE = range(20_000, 32_768)
# Requests that may be open at once; a body that does not arrive is given up after half of `timeout_s`.
OPEN = 1_000


@dataclass(frozen=True)
class Loopback:
    """`host` is a loopback address, `port` 0 any free one; `address` is "local" (a Ray cluster of its own, gone
    with the job) or a running cluster's, of which this machine is the head. Before it answers, the service embeds ahead
    for `ahead_s` seconds (`wire.rehearse`). The rest are `Limits`; the time a reader may wait for a model comes on top
    of `timeout_s`."""

    host: str = "127.0.0.1"
    port: int = 8000
    address: str = "local"
    body_bytes: int = Limits.body_bytes
    timeout_s: float = Limits.timeout_s
    waiting: int = Limits.waiting
    ahead: int = Limits.ahead
    ahead_s: float = 4.0

    def __post_init__(self) -> None:
        if self.host == "localhost":
            object.__setattr__(self, "host", "127.0.0.1")
        try:
            here = ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            here = False
        if not here:
            raise UserError(
                f"serve.host={self.host} is not a loopback address: whoever reaches the service reads every "
                "conversation, since it knows no keys, tenants or limits a caller yet; use 127.0.0.1 or ::1"
            )
        if not 0 <= self.port <= 65535:
            raise UserError(f"serve.port={self.port}: use 0 (any free one) to 65535")
        if not 0 <= self.ahead_s <= 600:
            raise UserError(f"serve.ahead_s is {self.ahead_s}: give 0 to 600 seconds")
        _ = self.limits(0.0)

    def limits(self, model_s: float) -> Limits:
        """The app's limits; `model_s` is how long a probe may wait for a model."""
        return Limits(self.body_bytes, self.timeout_s, self.waiting, model_s, self.ahead)

    @contextmanager
    def serve(self, reading: Reading) -> Iterator[str]:
        """Answer probes until the block ends; gives the URL once they are answered.

        What can be known to be wrong is said before Ray starts. Nothing that was started outlives the block.
        """
        _ = reading.open().embedder  # the store and its embedder
        reading = replace(reading, location=reading.location.absolute)
        port = _free(self.host, self.port)
        started: list[psutil.Process] = []
        try:
            with cluster(self.address, 1, "serve.address") as ray:
                try:
                    with _deployed(self, port, reading) as url:
                        yield url
                finally:
                    if self.address == "local":
                        started = psutil.Process().children(recursive=True)
        finally:
            # Ray's shutdown does not wait for its workers, which are seen for a moment longer.
            if started and not ray.is_initialized():
                for left in psutil.wait_procs(started, timeout=GONE_S)[1]:
                    left.kill()


@contextmanager
def _deployed(service: Loopback, port: int, reading: Reading) -> Iterator[str]:
    from ray import serve

    logging.getLogger("ray.serve").setLevel(logging.WARNING)
    if serve.status().proxies:
        raise UserError(
            f"serve.address={service.address}: Ray Serve runs there already, at an address of its own choice; "
            "use serve.address=local or another cluster"
        )
    try:
        _start(serve, service, port, reading)
        host = f"[{service.host}]" if ":" in service.host else service.host
        _answers(service.host, port)
        yield f"http://{host}:{port}"
    finally:
        serve.shutdown()  # type: ignore[no-untyped-call]


def _start(serve: Any, service: Loopback, port: int, reading: Reading) -> None:
    limits = service.limits(reading.equipped.seconds)

    def build() -> Any:
        return _app(service, reading)

    quiet = {"log_level": "WARNING", "enable_access_log": False}
    # The app's own limits answer in JSON, Ray Serve's in plain text: so it hands everything on at once, and what
    # only sends its body slowly, or is to be refused, waits nowhere before the app.
    deployment = serve.deployment(
        serve.ingress(build)(),
        name=NAME,
        max_ongoing_requests=OPEN,
        max_queued_requests=-1,
        graceful_shutdown_timeout_s=limits.answer_s,
        graceful_shutdown_wait_loop_s=0.1,
        max_constructor_retry_count=1,
    )
    http_options = {"host": service.host, "port": port, "request_timeout_s": limits.answer_s + 1}
    serve.start(proxy_location="HeadOnly", http_options=http_options, logging_config=quiet)
    serve.run(deployment.bind(), name=NAME, route_prefix="/", logging_config=quiet)


def _app(service: Loopback, reading: Reading) -> Any:
    """The app over the newest snapshot, which has rehearsed."""
    newest = Newest(reading)
    newest.read(lambda store: rehearse(store, service.ahead_s, service.ahead))
    return application(newest, service.limits(reading.equipped.seconds))


def _free(host: str, port: int) -> int:
    """The port, if it can be listened at; any such one of `FREE` if it is 0."""
    why = ""
    for one in random.sample(FREE, 64) if port == 0 else [port]:
        try:
            with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
                # As the server will, or a port that was in use a minute ago is refused.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, one))
            return one
        except OSError as error:
            in_use = error.errno == errno.EADDRINUSE
            why = "is in use" if in_use else f"cannot be opened ({os.strerror(error.errno or 0)})"
    raise UserError(f"serve.port={port} of {host} {why}: choose another")


def _answers(host: str, port: int) -> None:
    connection = http.client.HTTPConnection(host, port, timeout=READY_S)
    try:
        connection.request("GET", "/v1/conversations")
        status = connection.getresponse().status
    except OSError as error:
        raise UserError(
            f"the service started, but nothing answers at {host}:{port} ({error}): "
            "the head of a named cluster must be this machine"
        ) from None
    finally:
        connection.close()
    if status != 200:
        raise UserError(f"the service at {host}:{port} answers with status {status}: see the cluster's logs")
