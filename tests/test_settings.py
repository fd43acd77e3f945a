"""Kept settings are those that Hydra composes, and no word that means itself is in the file they are kept in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from memfold.config import NAMES, TEXTS, load
from memfold.settings import KEPT, Settings, settings
from memfold.yamls import CONF


class Composing:
    """What composes a job's words, counted."""

    def __init__(self, job: str, conf: Path = CONF) -> None:
        self.job, self.conf, self.times = job, conf, 0

    def __call__(self, words: Sequence[str]) -> dict[str, Any]:
        self.times += 1
        made = OmegaConf.to_container(load(self.job, words))
        assert isinstance(made, dict)
        return {str(name): value for name, value in made.items()}

    def of(self, *words: str) -> Settings | None:
        return settings(self.job, words, self.conf, self, TEXTS, NAMES)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("job", "words"),
    [
        ("ask", ("store.root=~/My Chats, 2024 (1)", "conversation=1_000", "question=a: ${b}, 'c'\n\\")),
        (
            "ask",
            ("conversation=对话", "k=3", "json=true", "retrieval=fuzzy", "context.sections.notes.share=0.1"),
        ),
        ("index", ("source.path=2024_01", "layers=[episodic,orders]", "store.tenant=a")),
        ("serve", ("serve.port=0",)),
        ("list", ()),
    ],
)
def test_they_are_what_hydra_composes_made_or_kept(job: str, words: tuple[str, ...]) -> None:
    compose = Composing(job)
    composed = OmegaConf.to_container(load(job, words), resolve=True)
    assert compose.of(*words) == composed == compose.of(*words)
    assert compose.times == 1


def test_memfold_on_the_path_need_not_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def installed(name: str) -> str:
        if name == "memfold":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr("memfold.settings.version", installed)
    assert Composing("list").of() == OmegaConf.to_container(load("list", ()), resolve=True)


def test_another_question_finds_them_and_is_in_no_file(cache: Path) -> None:
    compose = Composing("ask")
    for question in ("the first secret", "the second secret"):
        found = compose.of(f"question={question}", "conversation=her secret", "store.root=a secret place")
        assert found is not None
        assert (found.question, found["conversation"], found.store["root"]) == (
            *(question, "her secret"),
            "a secret place",
        )
    assert compose.times == 1
    again = compose.of()
    assert again is not None
    assert again.question is None
    assert not any("secret" in path.read_text() for path in cache.iterdir())


@pytest.mark.parametrize(
    ("job", "words"),
    [
        ("ask", ("+question=a",)),
        ("ask", ("store.root='a'",)),
        ("ask", ("store.root=${oc.env:HOME}/a",)),
        ("ask", ("store.options.region=a",)),
        ("ask", ("question=???",)),
        ("ask", ("hydra.searchpath=[file:///a]",)),
        ("index", ()),
        ("index", ("source=table",)),
    ],
)
def test_what_only_omegaconf_can_tell_is_left_to_it(job: str, words: tuple[str, ...]) -> None:
    compose = Composing(job)
    assert compose.of(*words) is None
    assert compose.of(*words) is None
    assert compose.times <= 1


@pytest.mark.parametrize("linked", [False, True])
def test_a_yaml_that_changed_is_composed_anew(linked: bool, tmp_path: Path) -> None:
    conf = tmp_path / "conf"
    shutil.copytree(CONF, conf)
    folder = conf / "context"
    if linked:
        folder = folder.rename(tmp_path / "context")
        (conf / "context").symlink_to(folder)
    compose = Composing("ask", conf)
    compose.of()
    with (folder / "default.yaml").open("a") as yaml:
        yaml.write("# changed\n")
    compose.of()
    assert compose.times == 2


def test_what_an_editor_leaves_beside_yamls_is_none_of_them(tmp_path: Path) -> None:
    conf = tmp_path / "conf"
    shutil.copytree(CONF, conf)
    (conf / ".#ask.yaml").symlink_to("nowhere")
    (conf / "._ask.yaml").write_bytes(b"\xff\x00")
    compose = Composing("ask", conf)
    assert compose.of() == compose.of() is not None
    assert compose.times == 1


def test_where_yamls_name_other_folders_nothing_is_kept(tmp_path: Path) -> None:
    conf = tmp_path / "conf"
    shutil.copytree(CONF, conf)
    with (conf / "ask.yaml").open("a") as yaml:
        yaml.write("hydra:\n  searchpath: [file:///my/conf]\n")
    assert Composing("ask", conf).of() is None


def test_options_of_a_store_are_left_on_no_disk(cache: Path) -> None:
    compose = Composing("ask")
    assert compose.of("++store.options={secret: hunter3}") is None
    assert not any("hunter3" in path.read_text() for path in cache.iterdir())


def test_without_a_home_folder_they_are_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("MEMFOLD_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert Composing("ask").of() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": ', '{"NAME": 7}'])
def test_a_file_that_cannot_be_read_is_none(cache: Path, text: str) -> None:
    compose = Composing("ask")
    found = compose.of()
    (name,) = json.loads((cache / "settings-ask.json").read_text())
    (cache / "settings-ask.json").write_text(text.replace("NAME", name))
    assert compose.of() == found
    assert compose.times == 2


def test_without_a_folder_to_write_to_they_are_composed(cache: Path) -> None:
    cache.write_text("no folder")
    compose = Composing("ask")
    assert compose.of() == compose.of() == OmegaConf.to_container(load("ask", []), resolve=True)
    assert compose.times == 2


def test_few_are_kept(cache: Path) -> None:
    compose = Composing("list")
    for place in range(KEPT + 2):
        settings("list", [f"what={place}"], CONF, lambda words: {"what": words[0]}, (), ())
    assert compose.of() is not None
    assert len(json.loads((cache / "settings-list.json").read_text())) == KEPT
