"""Tests that need a GPU, or need that there is none."""

from __future__ import annotations

import pytest

from memfold_kernels.threshold_join import _gpu


def skip_unless(here: bool) -> None:
    """Skip the test unless the kernels find a GPU (`here`), or find none. Importing torch to look takes 2 s."""
    if _gpu() != here:
        pytest.skip("no GPU is here" if here else "a GPU is here")
