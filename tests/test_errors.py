"""What disks and damaged files say becomes one line; what says something else stays an error of its own."""

from __future__ import annotations

import errno
import pickle

import pytest

from memfold.errors import SettingError, UnknownConversation, UnknownSpeaker, UserError, damaged, refused
from memfold.extract.engines.rules import Rules
from memfold.llm.budget import BudgetSpent

PLACE = ", /s/lance-table/src/io/commit.rs:1663:50"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        # As Lance 14 says them of a full disk, a read-only one, a limit on files, and a folder of another user.
        (
            OSError(f"LanceError(IO): Unable to copy data to file: No space left on device (os error 28){PLACE}"),
            "no space is left to write to store.root=s: make some",
        ),
        (OSError('LanceError(IO): Read-only file system (os error 30) at path "/s/.tmp2"'), "mounted read-only"),
        (OSError(f"LanceError(IO): File too large (os error 27){PLACE}"), "ulimit -f"),
        (ValueError(f"External error: LanceError(IO): Permission denied (os error 13){PLACE}"), "access is denied"),
        (RuntimeError(f"LanceError(IO): Disk quota exceeded (os error 122){PLACE}"), "disk quota"),
        (OSError(errno.ENOSPC, "No space left on device", "store/x"), "no space is left to write to store/x: make"),
    ],
)  # fmt: skip
def test_what_a_disk_refuses_is_a_line_with_its_cure(error: Exception, said: str) -> None:
    line = refused(error, "store.root=s")
    assert line is not None
    assert said in line
    assert line.endswith(", then run the same command again")
    assert damaged(error) is None


@pytest.mark.parametrize(
    "error",
    [
        ValueError("tokenizer: No such file (os error 28)"),  # not Lance's
        OSError(f"LanceError(IO): No such file or directory (os error 2){PLACE}"),
        OSError("LanceError(IO): Generic S3 error: operation timed out"),
        OSError(errno.ENOENT, "No such file or directory", "x.lance"),
        ValueError("Not found: the answer"),
        ValueError("Invalid user input: column nobody does not exist, /s/lance-core/src/x.rs:1:2"),
        RuntimeError("shapes (28,) and (30,) do not agree"),
    ],
)
def test_other_errors_are_neither(error: Exception) -> None:
    assert refused(error, "store.root=s") is None
    assert damaged(error) is None


@pytest.mark.parametrize(
    "text",
    [
        "LanceError(IO): Generic LocalFileSystem error: failed to fill whole buffer, /rustc/48/function.rs:250:5",
        "Not found: tmp/s/default/notes.lance/data/1010.lance, /s/lance-io/src/local.rs:273:40",
        "External error: Not found: tmp/my store/default/notes.lance/data/10.lance, /s/lance-io/src/local.rs:273:40",
        "Encountered corrupt file fsst: FSST symbol length at, /s/lance-encoding/src/fsst.rs:38:44",
        "LanceError(IO): Invalid range 0..3507 for object of size 3409 bytes, /rustc/48/function.rs:250:5",
        "Invalid user input: file does not appear to be a Lance file , /s/lance-file/src/reader.rs:797:24",
    ],
)  # fmt: skip
def test_a_damaged_file_is_said_in_lances_words_without_a_place_in_its_source(text: str) -> None:
    said = damaged(OSError(text))
    assert said is not None
    assert text.startswith(said)
    assert ".rs:" not in said


def test_an_error_says_the_same_in_another_process() -> None:
    for error in (
        UserError("store.root is empty: name a folder"),
        SettingError(Rules(), "history_tokens is -1: give 0 or more"),
        UnknownConversation("c1", ["c2", "c3"]),
        UnknownSpeaker("Ana", "c1", ["Ben"]),
        BudgetSpent("the budget of 10 tokens is too small", asked=False),
    ):
        sent = pickle.loads(pickle.dumps(error))
        assert (type(sent), str(sent), sent.__dict__) == (type(error), str(error), error.__dict__)
    assert str(SettingError(Rules(), "history_tokens is -1")) == "Rules.history_tokens is -1"
    # Not the settings, which may hold a key.
    assert "assistant_tokens" not in repr(SettingError(Rules(), "history_tokens is -1"))
