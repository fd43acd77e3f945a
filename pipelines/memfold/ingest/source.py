"""`source=files`: conversations in files, as the jobs are configured with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from memfold.errors import UserError
from memfold.ingest.read import read, source_files
from memfold.schema import DeadLetter, Message


@dataclass(frozen=True, slots=True)
class Files:
    """A file or a folder, in a named format or "auto". Raises UserError if there is nothing to read."""

    path: str
    format: str = "auto"

    def __post_init__(self) -> None:
        if not isinstance(self.path, str) or not self.path:
            raise UserError("source.path is not given: set it to a file or a folder of conversations")
        source_files(self.path, self.format)

    def messages(self) -> Iterator[Message | DeadLetter]:
        """Messages and dead letters, streamed in the order of the files."""
        return read(self.path, self.format)

    def fingerprint(self) -> str:
        """A hash of the format, the files' names relative to the path, and their bytes."""
        root = Path(self.path)
        base = root if root.is_dir() else root.parent
        digest = blake2b(self.format.encode(), digest_size=16)
        for file in source_files(root, self.format):
            relative = file.relative_to(base).as_posix().encode("utf-8", "surrogateescape")
            digest.update(b"\0%d\0%s\0%d\0" % (len(relative), relative, file.stat().st_size))
            with file.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    digest.update(chunk)
        return digest.hexdigest()
