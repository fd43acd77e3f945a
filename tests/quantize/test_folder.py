"""What is known of a model's folder before work begins, what of it cannot work, and what a checkpoint leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from memfold.build import build
from memfold.config import load
from memfold.errors import UserError
from memfold.llm.backends.vllm import Vllm
from memfold.llm.generator import Prompt, Task
from memfold.quantize import card, preflight
from memfold.quantize.folder import ModelFolder, aside, weights_digest
from memfold.quantize.sample import Sample, packed
from memfold.quantize.weights import dense, rounded, words
from support.checkpoints import model_folder, write_tensors

SMALL = {"model.embed_tokens.weight": (100, 64), "model.layers.0.mlp.down_proj.weight": (64, 128)}


def test_a_folder_tells_its_layers_and_its_size(tmp_path: Path) -> None:
    found = ModelFolder.of(model_folder(tmp_path, SMALL))
    assert found.linears == {"model.layers.0.mlp.down_proj.weight": (64, 128)}
    assert found.parameters == 6_400 + 8_192
    assert found.quantised_bytes == 8_192 * 9 // 16 + 2 * 6_400


def test_a_size_that_fits_is_named_where_the_group_does_not(tmp_path: Path) -> None:
    found = ModelFolder.of(model_folder(tmp_path, {"model.layers.0.mlp.up_proj.weight": (64, 576)}))
    preflight.divisible(found, 64)
    with pytest.raises(UserError, match=r"up_proj.weight has 576 inputs, which is no multiple: set .*=64$"):
        preflight.divisible(found, 128)


def test_a_layer_that_cannot_be_packed_is_named(tmp_path: Path) -> None:
    found = ModelFolder.of(model_folder(tmp_path, {"model.layers.0.mlp.up_proj.weight": (60, 128)}))
    with pytest.raises(UserError, match="has 60 outputs, no multiple of 8"):
        preflight.divisible(found, 64)


def test_memory_and_disk_are_reckoned_from_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ModelFolder.of(model_folder(tmp_path, SMALL))
    needed = preflight.needed_bytes(found, 4, 1000)
    assert needed > 4 * found.parameters + preflight.PROCESS
    preflight.memory(needed, needed)
    with pytest.raises(
        UserError, match=r"1\.5 GB of memory free and 1\.5 GB needed: set calibration.windows"
    ):
        preflight.memory(needed, needed - 1)
    wide = model_folder(tmp_path / "wide", SMALL, hidden_size=5120, intermediate_size=27648)
    # What AutoAWQ was seen to hold beside the weights at Qwen2.5-32B's shapes.
    assert preflight.needed_bytes(ModelFolder.of(wide), 4, 64) - 4 * found.parameters > 6.6e9
    preflight.disk(found, tmp_path / "new" / "out", 2)
    monkeypatch.setattr("memfold.quantize.preflight.shutil.disk_usage", lambda _: Usage())
    with pytest.raises(UserError, match=r"0.0 GB free, .* for 2 checkpoints: make room"):
        preflight.disk(found, tmp_path / "new" / "out", 2)


class Usage:
    free = 10


def test_other_weights_have_another_digest_and_other_keys(tmp_path: Path) -> None:
    """So nothing that the original wrote is ever taken for what the checkpoint would write, nor of another one."""
    one = model_folder(tmp_path / "one", SMALL)
    other = model_folder(tmp_path / "other", SMALL, fill=2.0)
    assert weights_digest(one) == weights_digest(one) != weights_digest(other)
    original = Vllm(model="Qwen/Qwen2.5-32B-Instruct")
    prompt = Prompt((("user", "?"),), Task("t", "1", None))
    keys = {original.key(prompt)}
    for folder in (one, other):
        name = card.name_of(original.model, "autoawq", weights_digest(folder))
        settings = tmp_path / f"{name}.yaml"
        # Both at one place, the second where the first was.
        settings.write_text(card.choice(original, name, tmp_path / "same", ["said"]))
        keys.add(chosen(settings).key(prompt))
    assert len(keys) == 3


def test_the_choice_is_one_that_engine_vllm_loads_with_the_originals_settings(tmp_path: Path) -> None:
    engine = build(load("retry", ["engine=vllm", "model=smollm2-135m"]).engine, "engine")
    path = tmp_path / "model" / "ours.yaml"
    path.parent.mkdir()
    path.write_text(card.choice(engine, "ours", tmp_path / "weights", ["a", "b"]))
    assert path.read_text().startswith("# @package engine\n# a\n# b\nmodel: ours\n")
    config = load("retry", [f"hydra.searchpath=[file://{tmp_path}]", "engine=vllm", "model=ours"])
    made = build(config.engine, "engine")
    assert (made.model, made.weights, made.dtype) == ("ours", str(tmp_path / "weights"), "bfloat16")
    for name in (
        "cpus",
        "engines",
        "max_model_len",
        "max_tokens",
        "together",
        "frequency_penalty",
        "concurrency",
    ):
        assert getattr(made, name) == getattr(engine, name)


def chosen(path: Path) -> Vllm:
    return Vllm(**yaml.safe_load(path.read_text()))


def test_a_card_holds_counts_and_digests_and_no_text() -> None:
    samples = [Sample("answer", "en", "Alice's divorce", tuple(range(n, n + 20)), n > 0) for n in (0, 40)]
    said: dict[str, Any] = card.samples(packed(samples, 2, 20), 0)
    assert said["totals"] == {
        "windows": 2,
        "tokens": 40,
        "samples": 2,
        "conversations": 1,
        "recorded": 1,
        "clipped": 0,
        "left_over_tokens": 0,
    }
    assert said["stages"] == {"answer": 2}
    assert "Alice" not in json.dumps(said)
    assert len({one["digest"] for one in said["samples"]}) == 2
    assert said["windows_digest"] != card.samples(packed(samples[::-1], 2, 20), 0)["windows_digest"]


def test_words_of_four_bits_come_apart_in_their_order() -> None:
    packed_word = torch.tensor([[sum(n << (4 * n) for n in range(7))]], dtype=torch.int32)
    assert words(packed_word).tolist() == [[0, 1, 2, 3, 4, 5, 6, 0]]
    assert words(packed_word, (0, 2, 4, 6, 1, 3, 5, 7)).tolist() == [[0, 4, 1, 5, 2, 6, 3, 0]]
    assert words(torch.tensor([[-1]], dtype=torch.int32)).tolist() == [[15.0] * 8]


def test_rounding_to_nearest_is_within_half_a_step_and_keeps_what_needs_none() -> None:
    torch.manual_seed(0)
    weight = torch.randn(6, 128)
    steps = (weight.view(-1, 64).amax(1) - weight.view(-1, 64).amin(1)) / 15
    error = (rounded(weight, 64) - weight).view(-1, 64).abs().amax(1)
    # The zero point is rounded too, so the ends may be off by a whole step.
    assert (error <= 1.01 * steps).all()
    assert error.median() < 0.6 * steps.median()
    whole = torch.arange(16.0).repeat(2, 8) - 5
    assert torch.equal(rounded(whole, 64), whole)
    assert not torch.equal(rounded(weight, 128), rounded(weight, 64))


def test_both_formats_read_back_as_what_was_packed(tmp_path: Path) -> None:
    torch.manual_seed(0)
    numbers, zeros = torch.randint(0, 16, (16, 64)), torch.randint(0, 16, (16, 2))
    scales = torch.rand(16, 2).to(torch.bfloat16).float()
    weight = (numbers - zeros.repeat_interleave(32, 1)) * scales.repeat_interleave(32, 1)
    name = "model.layers.0.mlp.up_proj"
    gemm = {
        f"{name}.qweight": _pack(numbers.T, (0, 2, 4, 6, 1, 3, 5, 7)),
        f"{name}.qzeros": _pack(zeros.T, (0, 2, 4, 6, 1, 3, 5, 7)),
        f"{name}.scales": scales.T.contiguous().half(),
        "model.norm.weight": torch.ones(4),
    }
    compressed = {
        f"{name}.weight_packed": _pack(numbers, range(8)),
        f"{name}.weight_zero_point": _pack(zeros.T, range(8)).T.contiguous(),
        f"{name}.weight_scale": scales,
        f"{name}.weight_shape": torch.tensor([16, 64]),
        "model.norm.weight": torch.ones(4),
    }
    for tensors in (gemm, compressed):
        # In two files, as a large model's are: a layer's parts may be apart.
        write_tensors(tmp_path / "model-1.safetensors", dict(list(tensors.items())[:1]))
        write_tensors(tmp_path / "model-2.safetensors", dict(list(tensors.items())[1:]))
        read = {key: (value, was) for key, value, was in dense(tmp_path, torch.bfloat16)}
        assert set(read) == {f"{name}.weight", "model.norm.weight"}
        assert read[f"{name}.weight"][1]
        assert not read["model.norm.weight"][1]
        torch.testing.assert_close(read[f"{name}.weight"][0], weight.to(torch.bfloat16))


def _pack(numbers: torch.Tensor, order: Any) -> torch.Tensor:
    groups = numbers.reshape(numbers.shape[0], -1, 8)[..., list(order)].long()
    whole = (groups << torch.arange(0, 32, 4)).sum(-1)
    return torch.where(whole >= 2**31, whole - 2**32, whole).to(torch.int32)


def test_what_a_killed_job_left_is_taken_away_and_nothing_stays_behind(tmp_path: Path) -> None:
    model_folder(tmp_path / ".out.making" / "checkpoint", SMALL)
    with aside(tmp_path / "out") as making:
        assert list(making.iterdir()) == []
        model_folder(making / "checkpoint", SMALL)
        (making / "checkpoint").rename(tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_two_jobs_do_not_make_one_checkpoint(tmp_path: Path) -> None:
    with aside(tmp_path / "out") as making:
        made = model_folder(making / "checkpoint", SMALL)
        with pytest.raises(UserError, match="another job is making it: wait for that one"):
            aside(tmp_path / "out").__enter__()
        assert made.exists()
        with aside(tmp_path / "other"):
            pass
    assert list(tmp_path.iterdir()) == []
