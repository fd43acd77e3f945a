"""What disks say becomes one line; what says something else stays an error of its own."""

from __future__ import annotations

import errno

import pytest

from memfold.errors import refused

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
        (OSError(errno.ENOSPC, "No space left on device", "/tmp/x"), "no space is left to write to /tmp/x: make"),
    ],
)  # fmt: skip
def test_what_a_disk_refuses_is_a_line_with_its_cure(error: Exception, said: str) -> None:
    line = refused(error, "store.root=s")
    assert line is not None
    assert said in line
    assert line.endswith(", then run the same command again")


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
def test_other_errors_stay_as_they_are(error: Exception) -> None:
    assert refused(error, "store.root=s") is None
