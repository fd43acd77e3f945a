"""The helpers of three test folders and the simulated endpoint, importable under pytest's importlib mode."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT / "benchmarks", *(ROOT / "tests" / name for name in ("laws", "extract", "store"))):
    sys.path.insert(0, str(folder))
