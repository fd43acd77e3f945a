"""Index conversations: `python jobs/index.py source.path=… store.root=… [executor=ray] [engine=…]`; see `--help`.

Prints one JSON object on its last line; progress goes to stderr.
"""

from __future__ import annotations

import json
import threading
from contextlib import closing
from typing import TYPE_CHECKING

from memfold.entry import main
from memfold.lean import collecting_rarely, without_pandas

if TYPE_CHECKING:
    from omegaconf import DictConfig


# An embedder that is loaded early, and the executor whose workers are threads of this process.
HERE = ("memfold.embed.minilm.MiniLM", "memfold.run.executor.Local")


def run(config: DictConfig) -> None:
    """Index the source and print the job's counts."""
    # Load the embedder while the rest is imported and the source is read.
    if (config.embedder["_target_"], config.executor["_target_"]) == HERE:
        from memfold.embed import minilm

        threading.Thread(target=minilm.begin).start()
    without_pandas()
    from memfold.memory import memory
    from memfold.run.index import index
    from memfold.run.job import index_job
    from memfold.watch import Report

    collecting_rarely()
    job = index_job(config)
    with memory() as used, closing(Report(shown=True)) as report:
        done = index(job, report)
    print(json.dumps({**done, "peak_rss_mb": round(used.peak_mb)}))


if __name__ == "__main__":
    main("index", run)
