"""`source=files`: conversations in files, as the jobs are configured with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from memfold.errors import UserError
from memfold.ingest.joined import joined
from memfold.ingest.mend import id_of
from memfold.ingest.normalise import clocked
from memfold.ingest.read import read, source_files
from memfold.schema import Item
from memfold.store.location import SCHEME
from memfold.zones import zone


@dataclass(frozen=True, slots=True)
class Files:
    """A file or a folder, in a named format or "auto". Raises UserError if there is nothing to read.

    `path` may be a `pathlib.Path` too; a `~` at its start is the home folder. `into` joins all
    conversations into one of that name (`memfold.ingest.joined`). `zone` is the time zone in which days are
    counted. Without it each time keeps its own zone, and a time without a zone counts as UTC.
    """

    path: str
    format: str = "auto"
    into: str | None = None
    zone: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", _local(self.path))
        if self.into == "":
            raise UserError(
                "source.into is empty: name the conversation that joins all others, or leave it out"
            )
        object.__setattr__(self, "into", id_of(self.into))
        zone(self.zone)
        source_files(self.path, self.format)

    def messages(self) -> Iterator[Item]:
        """Messages, titles, dead letters and notices, streamed in the order of the files. UserError where there is none
        of them."""
        item = None
        items = clocked(read(self.path, self.format), zone(self.zone))
        for item in items if self.into is None else joined(items, self.into):
            yield item
        if item is None:
            raise UserError(
                f"source.path={self.path}: holds no message: name a file or a folder of conversations"
            )


def _local(path: object) -> str:
    """The path as the file system takes it."""
    if path is None or path == "":
        raise UserError("source.path is missing: name a file or a folder, source.path=…")
    if not isinstance(path, (str, os.PathLike)):
        raise UserError(f"source.path={path}: not a path: name a file or a folder, source.path=…")
    named = os.path.expanduser(os.fspath(path))  # noqa: PTH111 - pathlib raises where there is no such home
    if found := SCHEME.match(named):
        raise UserError(
            f"source.path={named}: memfold reads files and folders, not {found[1]}:// addresses: "
            "fetch it, then name the file or folder"
        )
    return named
