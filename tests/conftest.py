"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
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

TOY = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Toy:
    size: int = 1
"""


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real conversations for development, which lie beside the project and never in it."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("needs ../shared/data beside the project")
    return path


@pytest.fixture
def own_layer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of yamls with a layer of one's own, whose module can be imported and is not yet."""
    (tmp_path / "toy_layer_of_my_own.py").write_text(TOY)
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "toy.yaml").write_text(
        "# @package layers.toy\n_target_: toy_layer_of_my_own.Toy\nsize: 2\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("toy_layer_of_my_own", None)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell's background job ignores SIGINT, and so does all that it starts; a handler here ends that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
