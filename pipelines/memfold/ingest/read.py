"""From a path to messages: which files, in which format, by which reader.

Knows the formats by name and nothing of what is in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from memfold.errors import UserError
from memfold.ingest import beam, canonical, chatgpt, claude, locomo, longmemeval, openai, sharegpt
from memfold.ingest.recognise import SUFFIXES, is_other, recognise
from memfold.ingest.records import RAW, UNREADABLE, letter
from memfold.ingest.unit import Unit, natural
from memfold.schema import DeadLetter, Message

Reader = Callable[[Unit], Iterator[Message | DeadLetter]]

READERS: dict[str, Reader] = {
    "beam": beam.read,
    "locomo": locomo.read,
    "longmemeval": longmemeval.read,
    "openai": openai.read,
    "sharegpt": sharegpt.read,
    "chatgpt": chatgpt.read,
    "claude": claude.read,
    "canonical": canonical.read,
}
FORMATS: tuple[str, ...] = tuple(READERS)


def read(path: str | Path, format: str | None = None) -> Iterator[Message | DeadLetter]:
    """Every message of a file, or of a folder's files in natural order; dead letters for what is none.

    `format` None (or "auto"): each file's is recognised by its content. Raises UserError at once, before the
    first message, if the path does not exist, holds nothing to read, or the format is unknown.
    """
    chosen = _format(format)
    root = Path(path)
    return _messages(_units(root, _files(root, chosen)), chosen)


def source_files(path: str | Path, format: str | None = None) -> list[Path]:
    """The files that `read` would read, in its order. Raises UserError as `read` does."""
    return _files(Path(path), _format(format))


def _format(format: str | None) -> str | None:
    if format is None or format == "auto":
        return None
    if format not in READERS:
        raise UserError(f"unknown format {format!r}: give one of {', '.join(FORMATS)}, or auto")
    return format


def _files(root: Path, format: str | None) -> list[Path]:
    try:
        exists = root.exists()
    except OSError:  # such as a name longer than the file system allows
        exists = False
    if not exists:
        raise UserError(f"{root} does not exist: give the path of a file or a folder of conversations")
    named = (
        f"it should hold files of format {format}" if format else f"known formats are {', '.join(FORMATS)}"
    )
    if root.is_file():
        if format is None and recognise(root) is None:
            raise UserError(f"{root} is in no known format: name it with format=…; {named}")
        return [root]
    inside = [file for file in root.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file()]
    visible = [file for file in inside if not _hidden(file.relative_to(root))]
    files = [file for file in visible if not is_other(file)]
    if not any(format or recognise(file) for file in files):
        raise UserError(f"no readable conversations in {root}: {named}")
    return sorted(files, key=lambda file: (natural(_whole(root, file)), natural(file)))


def _hidden(relative: Path) -> bool:
    return any(piece.startswith((".", "__MACOSX")) for piece in relative.parts)


def _whole(root: Path, file: Path) -> Path:
    whole = beam.whole(file)
    return whole if whole.is_relative_to(root) else file


def _units(root: Path, files: list[Path]) -> Iterator[Unit]:
    """Files one by one; those of a folder of plans together."""
    base = root if root.is_dir() else root.parent
    for whole, group in groupby(files, key=lambda file: _whole(root, file)):
        yield Unit(whole, tuple(group), base)


def _messages(units: Iterator[Unit], format: str | None) -> Iterator[Message | DeadLetter]:
    for unit in units:
        reader = format or recognise(unit.files[0])
        if reader is None:
            yield from _unrecognised(unit)
        else:
            yield from READERS[reader](unit)


def _unrecognised(unit: Unit) -> Iterator[DeadLetter]:
    """A dead letter for each file, with what it begins with or why that cannot be read."""
    for part in unit.parts():
        head = b""
        try:
            with part.open() as stream:
                head = stream.read(RAW)
            reason = "in no known format" if head else "empty"
        except UNREADABLE as error:
            reason = f"cannot be read: {error}"
        yield letter(part, "file", reason, head)
