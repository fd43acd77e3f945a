"""That what is measured as a checkpoint is the checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from memfold.errors import UserError
from memfold.quantize.measure import Measure
from support.checkpoints import model_folder, write_tensors

LAYER = "model.layers.0.mlp.down_proj"


@pytest.fixture
def measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Measure:
    """The measure of a model of one layer of ones, which gives no figures."""
    found = object.__new__(Measure)
    found.folder = model_folder(tmp_path / "original", {f"{LAYER}.weight": (64, 128)})
    model = torch.nn.Module()
    at = model
    *path, last = LAYER.split(".")
    for name in path:
        at.add_module(name, torch.nn.Module())
        at = at.get_submodule(name)
    linear = torch.nn.Linear(128, 64, bias=False)
    torch.nn.init.ones_(linear.weight)
    at.add_module(last, linear)
    found.model = model
    monkeypatch.setattr(Measure, "_figures", lambda self: None)
    return found


def quantised(folder: Path, layer: str) -> Path:
    """A checkpoint of zeros as AutoAWQ writes it."""
    folder.mkdir()
    parts = {
        "qweight": torch.zeros(128, 8, dtype=torch.int32),
        "qzeros": torch.zeros(2, 8, dtype=torch.int32),
        "scales": torch.ones(2, 64, dtype=torch.float16),
    }
    write_tensors(folder / "model.safetensors", {f"{layer}.{name}": part for name, part in parts.items()})
    return folder


def test_a_checkpoint_takes_the_place_of_the_weights_before(measure: Measure, tmp_path: Path) -> None:
    measure.checkpoint(quantised(tmp_path / "made", LAYER))
    assert not measure.model.get_parameter(f"{LAYER}.weight").any()


def test_a_checkpoint_with_other_names_is_not_judged_by_the_weights_before(
    measure: Measure, tmp_path: Path
) -> None:
    other = quantised(tmp_path / "made", LAYER.replace("model.", "model.language_model."))
    with pytest.raises(UserError, match=rf"1 of the model's layers .* {LAYER}.weight among them"):
        measure.checkpoint(other)


def test_a_layer_that_was_left_as_it_is_does_not_pass_as_quantised(measure: Measure, tmp_path: Path) -> None:
    left = model_folder(tmp_path / "made", {f"{LAYER}.weight": (64, 128)})
    with pytest.raises(UserError, match="not quantised under their names"):
        measure.checkpoint(left)
