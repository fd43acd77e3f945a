"""Answer probes over HTTP on this machine: `python jobs/serve.py store.root=… [serve.port=…]`.

Prints one JSON line with the URL when probes are answered, and runs until it is interrupted or terminated.
"""

from __future__ import annotations

import json
import signal

from omegaconf import DictConfig

from memfold.config import build, main
from memfold.serve.loopback import Loopback
from memfold.serve.newest import Reading


def stop(signum: int, frame: object) -> None:
    raise SystemExit(0)


def run(config: DictConfig) -> None:
    service: Loopback = build(config.serve, "serve")
    reading = Reading(
        location=build(config.store, "store"),
        retrieval=build(config.retrieval, "retrieval"),
        reader=build(config.reader, "reader"),
    )
    with service.serve(reading) as url:
        # Not before: Ray sets its own while it starts.
        for which in (signal.SIGINT, signal.SIGTERM):
            signal.signal(which, stop)
        print(json.dumps({"url": url}), flush=True)
        while True:
            signal.pause()


if __name__ == "__main__":
    main("serve", run)
