"""What a reader is given: one source, be it a file, a zip, or a folder whose files are one conversation."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memfold.given import composed
from memfold.ingest.stream import UNREADABLE, Stream, unpacked

# What a file's name ends with; `v1.2` has no such end.
_ENDING = re.compile(r"(?<=.)\.[A-Za-z]\w*$")
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
        """What dead letters call a file: its path relative to `base`."""
        return path.relative_to(self.base).as_posix() if path.is_relative_to(self.base) else path.as_posix()

    def label(self, path: Path | None = None) -> str:
        """What a conversation is called that is named for its file, or for `path`: `a/26` for `a/26.json`.

        Folders are named from the source's own on; that one itself by its name alone.
        """
        path = path or self.path
        inside = path.relative_to(self.base).parts if path.is_relative_to(self.base) else (path.name,)
        *folders, last = inside or (self.base.resolve().name or "/",)
        if not path.is_dir():
            last = _ENDING.sub("", unpacked(last))
        return composed("/".join((*folders, last)).encode("utf-8", "backslashreplace").decode())

    def parts(self) -> Iterator[Stream]:
        """The streams to read: the files, or a zip's conversations. A broken zip is one part, unreadable."""
        for path in self.files:
            members = members_of(path) if zipfile.is_zipfile(path) else []
            if members:
                yield from (Stream(path, f"{self.name(path)}/{member}", member) for member in members)
            else:
                yield Stream(path, self.name(path))


def members_of(path: Path) -> list[str]:
    """The members of a zip that hold conversations, in natural order."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if _EXPORT.fullmatch(name.rpartition("/")[2])]
    except UNREADABLE:
        return []
    return sorted(names, key=natural)
