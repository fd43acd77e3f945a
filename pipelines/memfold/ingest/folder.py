"""What is in a folder, with links followed, and what of it cannot be read.

What stands in its own place comes before what is linked, and nothing comes twice: so a file keeps its own name,
and links in a circle end. Knows nothing of formats.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memfold.ingest.stream import why
from memfold.ingest.unit import natural


@dataclass(frozen=True, slots=True)
class Found:
    """A file, or what is none; `fault` says why it cannot be read."""

    path: Path
    fault: str | None = None
    folder: bool = False


def walk(root: Path) -> Iterator[Found]:
    """All files below `root` but hidden ones, and what there cannot be read, in no order that means anything."""
    seen = {os.path.realpath(root)}
    folders, links = [root], list[Path]()
    while folders or links:
        if folders:
            path = folders.pop()
            try:
                entries = _entries(path)
            except OSError as error:
                yield Found(path, why(error), folder=True)
                continue
            links += (entry for entry in entries if entry.is_symlink())
            links.sort(key=natural, reverse=True)
            standing = [entry for entry in entries if not entry.is_symlink()]
        else:
            standing = [links.pop()]
        for path in standing:
            found = look(path)
            if found.fault is None:
                real = os.path.realpath(path)
                if real in seen:
                    continue
                seen.add(real)
            if found.folder:
                # A store may lie in the source. Its tables hold no files to read, and their first bytes in dead letters
                # would outlive an erasure.
                if not (path.suffix == ".lance" and (path / "_versions").is_dir()):
                    folders.append(path)
            else:
                yield found


def _entries(folder: Path) -> list[Path]:
    with os.scandir(folder) as entries:
        return [folder / entry.name for entry in entries if not entry.name.startswith((".", "__MACOSX"))]


def look(path: Path) -> Found:
    """What stands at a path, links followed; it is not opened."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return Found(path, why(error))
    if stat.S_ISDIR(mode):
        return Found(path, folder=True)
    return Found(path, None if stat.S_ISREG(mode) else "it is no file and no folder")
