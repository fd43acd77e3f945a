from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memfold.errors import UserError
from memfold.llm.backends.smollm2 import weights

PRINT = "from memfold.llm.backends.smollm2 import weights; print(weights())"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def folders(cache: Path) -> list[Path]:
    """What two processes got that asked for the weights at the same time, in an empty cache."""
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", PRINT],
            env={**os.environ, "MEMFOLD_CACHE": str(cache)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    answers = [process.communicate()[0] for process in asking]
    assert [process.returncode for process in asking] == [0, 0]
    return [Path(answer.strip().splitlines()[-1]) for answer in answers]


def test_processes_that_ask_at_once_get_one_folder_and_leave_nothing_else(
    folders: list[Path], cache: Path
) -> None:
    folder, other = folders
    assert folder == other
    assert {path.name for path in cache.iterdir()} == {folder.name, f"{folder.name}.lock"}


def test_weights_that_are_there_are_not_made_again(
    folders: list[Path], cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMFOLD_CACHE", str(cache))
    before = {path: path.stat() for path in folders[0].iterdir()}
    assert weights() == folders[0]
    assert {path: path.stat() for path in folders[0].iterdir()} == before


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_model_loads_and_follows_its_chat_template(folders: list[Path]) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folders[0], local_files_only=True)
    model = AutoModelForCausalLM.from_pretrained(folders[0], dtype="auto", local_files_only=True)
    asked = tokenizer.apply_chat_template(
        [{"role": "user", "content": "What is the capital of France? Answer with one word."}],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )
    made = model.generate(**asked, max_new_tokens=24, do_sample=False)[0][asked["input_ids"].shape[1] :]
    assert str(model.dtype) == "torch.bfloat16"
    assert "Paris" in tokenizer.decode(made, skip_special_tokens=True)
    assert made[-1] == tokenizer.eos_token_id


def test_without_the_package_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memfold.llm.backends.smollm2.find_spec", lambda name: None)
    with pytest.raises(UserError, match="make setup-vllm") as raised:
        weights()
    assert "\n" not in str(raised.value)
