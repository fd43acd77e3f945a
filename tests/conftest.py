"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# A deadline on each example would be a timed assert.
settings.register_profile("memfold", deadline=None)
settings.load_profile("memfold")

ROOT = Path(__file__).resolve().parents[1]

# What tests hand to processes they start, Ray's workers among them, may be of `support`.
_PATHS = [str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
os.environ["PYTHONPATH"] = os.pathsep.join(path for path in _PATHS if path)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real conversations for development, which lie beside the project and never in it."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("needs ../shared/data beside the project")
    return path
