"""Tests of what is said where there is no GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

without_a_gpu = pytest.mark.skipif(Path("/dev/nvidia0").exists(), reason="a GPU is here")
