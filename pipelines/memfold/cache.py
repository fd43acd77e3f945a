"""A folder of files that are made once and then only read, shared by every process of this user."""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from memfold.errors import UserError


def cache_folder() -> Path:
    """`$MEMFOLD_CACHE`, or the platform's place for caches; UserError where the user has no home folder."""
    if chosen := os.environ.get("MEMFOLD_CACHE"):
        return Path(chosen)
    if chosen := os.environ.get("XDG_CACHE_HOME"):
        return Path(chosen) / "memfold"
    try:
        home = Path.home()
    except RuntimeError:
        raise UserError("this user has no home folder: set MEMFOLD_CACHE to a writable folder") from None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "memfold"


def is_ours(path: Path) -> bool:
    """Whether a file is this user's own: what another wrote is not read. OSError where there is none."""
    return path.stat().st_uid == os.getuid()


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The file `name` of the cache, made by `make(path)` if it does not exist.

    The file appears whole or not at all: it is written elsewhere and renamed. Processes that need it at the same time
    wait for the first, so that eight workers do not quantise one model eight times.
    """
    folder = cache_folder()
    target = folder / name
    if target.exists():
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.exists():
                with tempfile.TemporaryDirectory(dir=folder, prefix=f"{name}.") as aside:
                    make(Path(aside) / name)
                    (Path(aside) / name).replace(target)
    except OSError as error:
        raise UserError(
            f"cannot write {target}: {error.strerror}; set MEMFOLD_CACHE to a writable folder"
        ) from error
    return target
