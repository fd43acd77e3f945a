"""What a reader is given: one source, be it a file, a zip, or a folder whose files are one conversation."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memfold.ingest.records import UNREADABLE, Part

_EXPORT = re.compile(r"conversations(-\d+)?\.json", re.IGNORECASE)


def natural(path: Path | str) -> list[tuple[int, str]]:
    """Sort key in which plan-2 comes before plan-10."""
    return [(int(run), "") if run.isdecimal() else (-1, run) for run in re.split(r"(\d+)", str(path))]


@dataclass(frozen=True, slots=True)
class Unit:
    """`files` are read in order as one source; `path` is the file, or the folder they make up.

    `base` is what dead letters name files relative to.
    """

    path: Path
    files: tuple[Path, ...]
    base: Path

    def name(self, path: Path) -> str:
        return path.relative_to(self.base).as_posix() if path.is_relative_to(self.base) else path.as_posix()

    def parts(self) -> Iterator[Part]:
        """The streams to read: the files, or a zip's conversations. A broken zip is one part, unreadable."""
        for path in self.files:
            members = members_of(path) if zipfile.is_zipfile(path) else []
            if members:
                yield from (Part(path, f"{self.name(path)}/{member}", member) for member in members)
            else:
                yield Part(path, self.name(path))


def members_of(path: Path) -> list[str]:
    """The members of a zip that hold conversations, in natural order."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if _EXPORT.fullmatch(name.rpartition("/")[2])]
    except UNREADABLE:
        return []
    return sorted(names, key=natural)
