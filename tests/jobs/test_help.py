"""Each job's `--help`: what it does, its keys, its groups with their choices, and examples that compose."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from memfold.cli import jobs
from memfold.config import load
from memfold.help import page
from memfold.yamls import CONF, groups
from support.command import command

JOBS = sorted(jobs())


def test_every_job_has_its_yaml_and_every_yaml_its_job() -> None:
    assert sorted(path.stem for path in CONF.glob("*.yaml")) == JOBS


@pytest.mark.parametrize("job", JOBS)
def test_help_is_the_jobs_own(job: str) -> None:
    shown = page(job, f"memfold {job}", {})
    assert f"usage: memfold {job} " in shown
    assert "powered by Hydra" not in shown
    assert "kuberay" not in shown
    for name in yaml.safe_load((CONF / f"{job}.yaml").read_text()):
        if name not in ("defaults", "store", "source", "executor"):
            assert re.search(rf"^  {name.rstrip('_')}=\S*  +\w", shown, re.MULTILINE), name
    for group, default in groups(job).items():
        line = next(line for line in shown.splitlines() if line.startswith(f"  {group} "))
        for path in (CONF / group).glob("*.yaml"):
            assert path.stem in line
        assert line.endswith(f"(default: {default if default != 'null' else 'none'})")


def test_help_shows_the_keys_of_the_choices_beside_it() -> None:
    asked = page("ask", "memfold ask", {"engine": "vllm", "model": "smollm2-135m"})
    assert re.search(r"^  engine\.model=HuggingFaceTB/SmolLM2-135M-Instruct  +\w", asked, re.MULTILINE)
    assert "\n  engine.model=" not in page("ask", "memfold ask", {})
    assert "\n  engine.base_url=" in command("ask", "engine=openai", "--help").out


def test_help_shows_what_a_job_sets_of_a_group() -> None:
    assert re.search(r"^  store\.root=runs/demo  +\w", page("demo", "memfold demo", {}), re.MULTILINE)


@pytest.mark.parametrize("job", JOBS)
def test_at_least_two_examples_compose(job: str) -> None:
    lines = page(job, "memfold x", {}).splitlines()
    examples = lines[lines.index("examples") + 1 : lines.index("flags") - 1]
    assert len(examples) >= 2
    for example in examples:
        words = [word for word in shlex.split(example.partition("<")[0])[2:] if "=" in word]
        load(job, words)


def test_the_real_command_line_shows_it(tmp_path: Path) -> None:
    for flag in ("--help", "-h"):
        done = command("erase", flag, folder=tmp_path)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith("Erase a conversation")
        assert "conversation=…" in done.out
