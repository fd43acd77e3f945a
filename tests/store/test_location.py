"""Where a store may be, and what is said of a place where it may not."""

from __future__ import annotations

import re
from pathlib import Path

import lance
import pytest

import memfold
from memfold import UserError
from memfold.store.location import SCHEMES, Location


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"root": 3}, "store.root=3 is of type int: give a folder"),
        ({"root": None}, "store.root=None is of type NoneType"),
        ({"root": b"x"}, "of type bytes"),
        ({"root": ""}, "store.root is empty"),
        ({"root": "  "}, "store.root is empty"),
        ({"root": "/a/\udcff"}, "store.root='/a/\\udcff' is no Unicode text"),
        ({"root": "foo://x"}, "nothing here stores at foo://; use a folder or one of s3://"),
        ({"root": "http://x/y"}, "nothing here stores at http://"),
        (
            {"root": "s3://x/a?b"},
            "the URL holds '?', and behind it no folder is what it seems: name one without it",
        ),
        ({"root": "s3://x/team#1"}, "the URL holds '#'"),
        ({"root": "s3://x/a/../b"}, "the URL holds '/..'"),
        ({"root": "s3://x/.."}, "the URL holds '/..'"),
        ({"root": "s3://x/a%2fb"}, "the URL holds '%2f'"),
        ({"root": "s3+ddb://x/y"}, "nothing here stores at s3+ddb://"),
        ({"root": "~nobody-here/x"}, "no home folder"),
        ({"root": "x", "tenant": None}, "store.tenant=None is not a tenant's name"),
        ({"root": "x", "tenant": 7}, "store.tenant=7 is not a tenant's name"),
        ({"root": "x", "tenant": "A"}, "use 1 to 64 of a-z"),
        ({"root": "x", "options": {"a": 1}}, "store.options={'a': 1}: give names and values that are text"),
        ({"root": "x", "options": "a"}, "store.options='a'"),
    ],
)
def test_what_cannot_be_is_one_line_with_the_cure(values: dict[str, object], said: str) -> None:
    with pytest.raises(UserError) as caught:
        Location(**values)  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_path_is_a_root() -> None:
    assert Location(Path("a") / "b") == Location("a/b")  # type: ignore[arg-type]
    assert Location("../a#b?%2F").folder == "../a#b?%2F/default"
    assert Location("s3://x/..a/b..").folder == "s3://x/..a/b../default"


def test_the_home_folder_is_written_with_a_tilde(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Location("~/s").local == tmp_path / "s" / "default"
    assert Location("~/s").uri("t") == str(tmp_path / "s" / "default" / "t.lance")


def test_lance_knows_every_scheme() -> None:
    with pytest.raises(ValueError, match="No object store provider") as caught:
        lance.dataset("foo://bucket/none")
    assert set(SCHEMES) <= set(re.findall(r"[\w+-]+", str(caught.value)))


@pytest.mark.parametrize("root", ["runs/s", "s", "./s"])
def test_a_submitted_job_leaves_no_store_in_rays_copy_of_the_folder(
    root: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RAY_JOB_CONFIG_JSON_ENV_VAR", "{}")
    with pytest.raises(UserError, match=r"is relative, .* give an absolute path"):
        Location(root)
    assert Location(str(tmp_path)).local == tmp_path / "default"
    assert Location("~/s").local is not None
    assert Location("s3://bucket/s").local is None


@pytest.mark.parametrize("root", [3, None])
def test_the_library_says_it_too(root: object) -> None:
    with pytest.raises(UserError, match=r"store\.root="):
        memfold.open(root)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("root", "above"),
    [
        ("/a/store/one", ("/a/store", "one")),
        ("/a/store/../one/", ("/a", "one")),
        ("/one", ("/", "one")),
        ("/a/My store", None),
        ("/", None),
        ("s3://bucket/store/one/", ("s3://bucket/store", "one")),
        ("s3://bucket/one", ("s3://bucket", "one")),
        ("s3://bucket", None),
        ("file:///one", None),
    ],
)
def test_a_root_may_be_the_folder_of_a_tenant(root: str, above: tuple[str, str] | None) -> None:
    options = {"region": "here"}
    made = Location(root, "two", options).above
    assert made == ([] if above is None else [Location(*above, options)])
