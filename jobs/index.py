"""Index conversations: `python jobs/index.py source.path=… store.root=… [executor=ray] [engine=…]`; see `--help`.

Prints one JSON object on its last line; progress goes to stderr.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from memfold.config import main
from memfold.lean import collecting_rarely, without_pandas

if TYPE_CHECKING:
    from omegaconf import DictConfig


MINILM = "memfold.embed.minilm.MiniLM"


def run(config: DictConfig) -> None:
    """Index the source and print the job's counts."""
    from memfold.embed import minilm

    # Load the embedder that most stores use while the rest is imported and the source is read.
    if config.embedder["_target_"] == MINILM:
        threading.Thread(target=minilm.begin).start()
    without_pandas()
    from memfold.run.index import index
    from memfold.run.job import index_job
    from memfold.run.watch import Report, memory

    collecting_rarely()
    job = index_job(config)
    report = Report(shown=True)
    with memory() as used:
        try:
            done = index(job, report)
        finally:
            report.close()
    print(json.dumps({**done, "peak_rss_mb": round(used.peak_mb)}))


if __name__ == "__main__":
    main("index", run)
