"""What stands beside the project's modules, importable under pytest's importlib mode: the simulated endpoint in
benchmarks/, the helpers in tests/laws/given.py and tests/extract/asked.py."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
for folder in (ROOT / "benchmarks", ROOT / "tests" / "laws", ROOT / "tests" / "extract"):
    sys.path.insert(0, str(folder))
