"""What an index job says of words that are wrong: composed and built as the job does it, and no further."""

from __future__ import annotations

import pytest

from memfold import UserError
from memfold.build import build
from memfold.config import load

GROUPS = ("source", "engine", "embedder", "executor", "store")


def refused(*overrides: str) -> str:
    """The one line that says what is wrong with some overrides."""
    with pytest.raises(UserError) as caught:
        _built(*overrides)
    line = str(caught.value)
    assert "\n" not in line
    return line


def _built(*overrides: str) -> None:
    config = load("index", ["source=synthetic", *overrides])
    for name in GROUPS:
        build(config[name], name)
    build(config.layers.scratchpad, "layers.scratchpad")
