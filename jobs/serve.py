"""Answer probes over HTTP on this machine: `python jobs/serve.py store.root=… [serve.port=…]`.

With `reader=model engine=openai engine.base_url=… engine.model=…` a model answers; an answer may then take
`reader.timeout_s` longer than `serve.timeout_s`, and as much again for each of `reader.filter`, `reader.translate`
and `reader.kinds` that is on.
Prints one JSON line with the URL when probes are answered, and runs until it is interrupted or terminated.
"""

from __future__ import annotations

import io
import json
import signal
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

from memfold.build import build
from memfold.entry import main

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from memfold.serve.loopback import Loopback

STOPS = (signal.SIGINT, signal.SIGTERM)


def stoppable() -> None:
    """Have `stop` handle the signals that end the service."""
    for which in STOPS:
        signal.signal(which, stop)


def stop(signum: int, frame: object) -> None:
    """Leave the block that serves, so that Ray's processes end too. Further signals are ignored meanwhile."""
    for which in STOPS:
        signal.signal(which, signal.SIG_IGN)  # a second Ctrl-C would leave processes behind
    # Ray would print that its controller, which ends itself, failed and will be tried again for ever.
    sys.stdout = io.StringIO()
    raise SystemExit(0)


def run(config: DictConfig) -> None:
    """Serve the store until a signal stops the process."""
    from memfold.serve.newest import Reading

    service: Loopback = build(config.serve, "serve")
    reading = Reading.of(config)
    stoppable()
    try:
        # Ray reports by printing.
        with redirect_stdout(sys.stderr), service.serve(reading) as url:
            print(json.dumps({"url": url}), file=sys.__stdout__, flush=True)
            while True:
                signal.pause()
    except SystemExit:
        # While Ray starts, it may turn the exit that `stop` raises into another: code 1 was seen, and an empty stderr.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            raise
        raise SystemExit(0) from None


if __name__ == "__main__":
    main("serve", run)
