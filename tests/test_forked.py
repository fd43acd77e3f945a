"""A process that was forked from one that had used memfold says what to do, where it would wait without end."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

import memfold
from memfold import forked
from memfold.embed.cores import share_out
from memfold.forked import unforked
from support import given

pytestmark = pytest.mark.filterwarnings("ignore:lance is not fork-safe")


def in_a_fork(work: Callable[[], object]) -> str:
    """What a forked child says of some work: nothing, or the error that it ended with."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        signal.alarm(20)  # ends a child that waits
        said = b"it did not end"
        try:
            work()
            said = b""
        except Exception as error:
            said = str(error).encode()
        finally:
            os.write(into, said)
            os._exit(0)
    os.close(into)
    with os.fdopen(out, "rb") as told:
        said = told.read().decode()
    _, status = os.waitpid(child, 0)
    return said if status == 0 else f"ended by signal {status}"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("forked")
    given.indexed(root, given.chat(8, "chat"))
    memfold.open(root).ask("chat", "What is my budget?")
    return root


@pytest.mark.parametrize("work", ["open", "ask", "conversations", "embed"])
def test_what_was_used_before_a_fork_is_refused_behind_it(work: str, root: Path) -> None:
    store = memfold.open(root)
    store.ask("chat", "What is my budget?")
    works: dict[str, Callable[[], object]] = {
        "open": lambda: memfold.open(root),
        "ask": lambda: store.ask("chat", "What else do I keep?"),
        "conversations": store.conversations,
        "embed": lambda: share_out(["a", "b"], 2, lambda places: None),
    }
    assert in_a_fork(works[work]).startswith("this process was forked from one that had used memfold")


def test_a_child_may_use_what_its_parent_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "_process", None)
    assert in_a_fork(lambda: (unforked(), unforked())) == ""
    unforked()
    assert in_a_fork(unforked) != ""
