"""What the tests of contexts and readers import under pytest's importlib mode: the samples of the retrieval tests, the
simulated endpoint, and what reads and answers a reader's requests."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (
    ROOT / "benchmarks",
    *(ROOT / "tests" / name for name in ("retrieve", "laws", "extract", "context")),
):
    sys.path.insert(0, str(folder))
