"""From a path to messages: which files, in which format, by which reader.

Knows the formats by name and nothing of what is in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from memfold.errors import UserError
from memfold.ingest import (
    beam,
    canonical,
    chatgpt,
    claude,
    claude_code,
    codex,
    langchain,
    locomo,
    longmemeval,
    openai,
    sharegpt,
)
from memfold.ingest.folder import Found, look, walk
from memfold.ingest.logs import Frames, Passed
from memfold.ingest.normalise import SHOWN, Untimed, untimed
from memfold.ingest.recognise import EMPTY, UNKNOWN, UTF_16, is_named_as_one, is_other, recognise, unlike
from memfold.ingest.rejecting import ENDED, FILE, FOLDER, kind_of, letter
from memfold.ingest.stream import HEAD, Stream, head_of, why
from memfold.ingest.unit import Unit, natural
from memfold.schema import DeadLetter, Item, Message, Notice, Title

Reader = Callable[[Unit], Iterator[Item]]

# How many conversations that are in several files, or files of which nothing is read, are told one by one; the others
# are counted.
NOTICES = 20

READERS: dict[str, Reader] = {
    "beam": beam.read,
    "locomo": locomo.read,
    "longmemeval": longmemeval.read,
    "openai": openai.read,
    "sharegpt": sharegpt.read,
    "chatgpt": chatgpt.read,
    "claude": claude.read,
    "claude_code": claude_code.read,
    "codex": codex.read,
    "langchain": partial(openai.read, ids=langchain.NAMED),
    "canonical": canonical.read,
}
FORMATS: tuple[str, ...] = tuple(READERS)


def read(path: str | Path, format: str | None = None) -> Iterator[Item]:
    """Every message of a file, or of a folder's files in natural order; dead letters for what is none.

    A conversation's title comes before its first message; a notice says what else there is to know. `format`
    None (or "auto"): each file's is recognised by its content. Raises UserError at once, before the first
    message, if the path does not exist, holds nothing to read, or the format is unknown.
    """
    return _items(readings(path, format))


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing to read of a path: a file, or a folder whose files are one conversation. `format` None: by its content.

    `given` says that it is all of the path, so that a named format holds whatever it looks like; `faults` are what
    cannot be read of it. It can be sent to another process, which sees the same files.
    """

    unit: Unit
    format: str | None
    given: bool
    faults: tuple[Found, ...]

    def items(self) -> Iterator[Item]:
        """What it holds, as its reader reads it."""
        for one in self.faults:
            place = FOLDER if one.folder else FILE
            yield letter(
                Stream(one.path, self.unit.name(one.path)), place, f"cannot be read: {one.fault}", b""
            )
        reader = self.format if self.given and self.format else _reader(self.unit.files, self.format)
        yield from READERS[reader](self.unit) if reader else _unrecognised(self.unit)

    def seems(self) -> str | None:
        """The format that a file looks like, if another one was named; None too if it looks like none."""
        if self.format is None or not self.unit.path.is_file():
            return None
        found = recognise(self.unit.path)
        return None if found == self.format else found


def readings(path: str | Path, format: str | None = None) -> list[Reading]:
    """What `read` reads, thing by thing and in its order. Raises UserError as `read` does."""
    root, chosen = Path(path), _format(format)
    base = root if root.is_dir() else root.parent
    made = []
    for whole, group in groupby(_found(root, chosen), key=lambda one: _whole(root, one.path)):
        several = list(group)
        unit = Unit(whole, tuple(one.path for one in several if one.fault is None), base)
        # A source that is one file is what its user says it is.
        made.append(
            Reading(unit, chosen, whole == root, tuple(one for one in several if one.fault is not None))
        )
    return made


def source_files(path: str | Path, format: str | None = None) -> list[Path]:
    """The files that `read` would read, in its order. Raises UserError as `read` does."""
    return [found.path for found in _found(Path(path), _format(format)) if found.fault is None]


def _format(format: str | None) -> str | None:
    if format is None or format == "auto":
        return None
    if format not in READERS:
        raise UserError(
            f"source.format={format}: memfold reads no such format: give one of {', '.join(FORMATS)}, or auto"
        )
    return format


def _found(root: Path, format: str | None) -> list[Found]:
    """What there is to read at `root`, and what there cannot be read, in order."""
    try:
        inside = list(walk(root)) if root.is_dir() else [_file(root, format)]
    except (OSError, ValueError) as error:  # such as a name longer than the file system allows
        raise UserError(f"source.path={root}: cannot be read: {why(error)}") from None
    found = [one for one in inside if one.path == root or not is_other(one.path)]
    # A source that is one file was looked at, and is what its user says it is.
    if root.is_dir() and not any(one.fault is None and _reader([one.path], format) for one in found):
        fault = next((f"{one.path.name} cannot be read: {one.fault}" for one in found if one.fault), None)
        named = f"files of format {format}" if format else f"known formats are {', '.join(FORMATS)}"
        raise UserError(
            f"source.path={root}: no readable conversations in the folder {root.name}: {fault or named}"
        )
    return sorted(found, key=lambda one: (natural(_whole(root, one.path)), natural(one.path)))


def _file(path: Path, format: str | None) -> Found:
    if not path.exists():
        raise UserError(
            f"source.path={path}: does not exist: give the path of a file or a folder of conversations"
        )
    if fault := look(path).fault:
        raise UserError(f"source.path={path}: cannot be read: {fault}")
    with path.open("rb"):  # raises what stands in the way of it
        pass
    if format is None and recognise(path) is None:
        named = f"name it with source.format=…; known formats are {', '.join(FORMATS)}"
        if not is_named_as_one(path):
            named = "convert it to JSON, JSON lines, Parquet or Arrow (README.md, Index)"
        cures = {
            EMPTY: "name a file or a folder of conversations",
            UTF_16: "save it as UTF-8",
            UNKNOWN: named,
        }
        part = Stream(path, "")
        head, broken = head_of(part, HEAD)
        if broken:
            raise UserError(f"source.path={path}: {broken}: give the file whole, or unpacked")
        fault = unlike(part, head)
        cure = f": {cures[fault]}" if fault in cures else ""  # a zip's fault says what to do
        raise UserError(f"source.path={path}: the file is {fault}{cure}")
    return Found(path)


def _reader(files: Iterable[Path], format: str | None) -> str | None:
    """The format that files are read in together; None where they are none of memfold's.

    A named format is that of files which end as conversations do; any other must look like one.
    """
    for file in files:
        if format and is_named_as_one(file):
            return format
        if recognised := recognise(file):
            return format or recognised
    return None


def _whole(root: Path, file: Path) -> Path:
    whole = beam.whole(file)
    return whole if whole.is_relative_to(root) else file


def _items(found: list[Reading]) -> Iterator[Item]:
    """Thing by thing, and what is to be said of all."""
    holders = _Holders()
    for reading in found:
        yield from holders.watch(reading.unit.name(reading.unit.path), reading.items(), reading.seems)
    yield from holders.summary()


def _unrecognised(unit: Unit) -> Iterator[DeadLetter]:
    """A dead letter for each file, which says what the file looks like or why it cannot be read. The file may hold
    damaged conversations, and no erasure would find their words here, so the letter holds no bytes."""
    for path in unit.files:
        part = Stream(path, unit.name(path))
        head, fault = head_of(part, HEAD)
        yield letter(part, FILE, fault or unlike(part, head), b"")


class _Holders:
    """Which file holds which conversation, over all files of a source."""

    def __init__(self) -> None:
        self._holder: dict[str, str] = {}
        self._titled: set[str] = set()
        self._shared: set[str] = set()
        self._told = self._unread = self._untimed = 0
        self._shown: list[str] = []
        self._passed = Frames()

    def watch(self, file: str, items: Iterable[Item], seems: Callable[[], str | None]) -> Iterator[Item]:
        """The items of a file, a title only once, of all files' notices the first; and a notice where an earlier file
        holds the same conversation, or nothing or only a part of the file is read; `seems` then says which format
        it looks like. Lines that are no messages are summed up."""
        last = fault = None
        ended: list[DeadLetter] = []
        messages = 0
        for item in items:
            if isinstance(item, DeadLetter):
                yield item
                if item.place in (FILE, FOLDER):
                    yield from self._left_out(item)
                else:
                    fault = fault or item
                    ended += [item] if kind_of(item.reason) in ENDED else []
                continue
            if isinstance(item, Passed):
                self._passed.add_all(item)
                continue
            if isinstance(item, Untimed):
                self._untimed += 1
                self._shown += [item.text] if len(self._shown) < SHOWN else []
                continue
            if isinstance(item, Notice):
                self._told += 1
                if self._told > NOTICES:
                    continue
            if isinstance(item, (Message, Title)) and item.conversation_id != last:
                last = item.conversation_id
                yield from self._meet(file, last)
            if isinstance(item, Title):
                if item.conversation_id in self._titled:
                    continue
                self._titled.add(item.conversation_id)
            messages += isinstance(item, Message)
            yield item
        if last is None and fault is not None:
            like = seems()
            cure = f" (it looks like source.format={like})" if like else ""
            yield from self._left_out(fault, f"nothing of it is read{cure}")
        elif last is not None:
            for letter in ended:
                # Of a zip or a folder nobody knows how many messages this part of it gave.
                read = f", {messages:,} message{'s' * (messages > 1)}" if letter.file == file else ""
                yield from self._left_out(letter, f"only a part of it is read{read}")

    def _left_out(self, letter: DeadLetter, what: str = "nothing of it is read") -> Iterator[Notice]:
        self._unread += 1
        if self._unread <= NOTICES:
            yield Notice(f"{letter.file}: {what}: {letter.reason}")

    def _meet(self, file: str, conversation: str) -> Iterator[Notice]:
        holder = self._holder.setdefault(conversation, file)
        if holder == file or conversation in self._shared:
            return
        self._shared.add(conversation)
        if len(self._shared) <= NOTICES:
            yield Notice(
                f"{holder} and {file} both hold conversation {conversation!r}: "
                "their messages are read as one conversation"
            )

    def summary(self) -> Iterator[Notice]:
        """What the notices one by one left out."""
        yield from self._passed.told()
        if self._untimed:
            yield Notice(untimed(self._untimed, self._shown))
        if (more := len(self._shared) - NOTICES) > 0:
            yield Notice(f"{more} more conversations are held by more than one file each: read as one each")
        if (more := self._told - NOTICES) > 0:
            yield Notice(f"{more} more files name no conversation_id: read as one conversation each")
        if (more := self._unread - NOTICES) > 0:
            yield Notice(
                f"{more} more files or folders of which nothing or only a part is read: see the dead letters"
            )
