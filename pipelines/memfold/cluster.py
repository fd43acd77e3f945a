"""A connection to Ray, for whatever runs on it: workers of a job, engines, the service. Knows none of them."""

from __future__ import annotations

import logging
import os
import secrets
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from memfold.errors import UserError

# Ray Data and Ray's defaults reserve 30 % of memory for objects; two segments a worker need a few megabytes.
OBJECT_STORE_BYTES = 256 << 20


@contextmanager
def cluster(address: str, cpus: float | None = None) -> Iterator[Any]:
    """A connection to Ray, ended with the block; the module `ray`. "local" starts a cluster of its own.

    A connection that is there already (a submitted job's, a test's) is used and left as it is.
    """
    # Ray reads its authentication from the environment when it is imported, and would write a token of its
    # own into the home folder: the one for a cluster of our own lives as long as the process.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    if address == "local" and "RAY_AUTH_MODE" not in os.environ:
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
        with warnings.catch_warnings():
            # Ray starts its processes by fork and exec at once, which Lance's threads survive.
            warnings.filterwarnings("ignore", message="lance is not fork-safe")
            # Off the main thread Ray warns that it handles no SIGTERM there: whoever started us does.
            main = threading.current_thread() is threading.main_thread()
            level = logging.WARNING if main else logging.ERROR
            ray.init(address=address, log_to_driver=False, logging_level=level, **options)
    except ConnectionError as error:
        cause = str(error).splitlines()[0]
        raise UserError(f"executor.address={address}: no Ray cluster answers there ({cause})") from None
    try:
        yield ray
    finally:
        ray.shutdown()
