"""The engine that reads what was written down before: by a batch API, by an earlier system, by hand.

A line of its JSONL files is one exchange's extraction (`recorded.schema.json`): `conversation_id`, `exchange` (counted
from 0, without memories, which were filed later and elsewhere: `Window.turn`), and `facts`, `summary`, `notes` as they
are known. It goes through the gate that a model's answer goes through.
What is missing or not valid is written by the rules and says so; what cannot be used is told (`unused`). A line is not
taken where a message of its exchange is empty: it may have been erased, and what was written about it goes with it.
"""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson

from memfold.digest import digest
from memfold.errors import UserError
from memfold.extract.contract import FALLBACK, NOTHING, Before, Modelless, exchange_place
from memfold.extract.engines.rules import Rules
from memfold.extract.nothing import holds_nothing
from memfold.extract.parse import extraction, sound
from memfold.given import composed
from memfold.ingest.folder import Found, look, walk
from memfold.ingest.mend import fields_of, given
from memfold.ingest.records import Record, records
from memfold.ingest.rejecting import letter
from memfold.ingest.stream import UNREADABLE, Stream, by_line, why
from memfold.ingest.unit import natural
from memfold.llm.answers import Invalid
from memfold.schema import DeadLetter, Extraction, Notice, Window

# To be raised when the same lines give other extractions.
VERSION = "recorded-4"
# How much of what is wrong with a line its dead letter says.
REASON = 200

_LINE = jsonschema_rs.Draft202012Validator(
    json.loads(Path(__file__).with_name("recorded.schema.json").read_text(encoding="utf-8"))
)

# Threads share the counts. The lock is the module's, since an engine that holds a lock cannot be sent to a process.
_DROPPING = threading.Lock()

# An exchange: its conversation and its number, as the source counts.
Exchange = tuple[str, int]


@dataclass(frozen=True)
class Recorded(Modelless):
    """Extractions from the JSONL file or folder at `path`, packed or not. They are read at once, and a line is kept as
    its bytes (about 750 per exchange), so that workers need no files. UserError where none can be read."""

    path: str
    assistant_tokens: int = 512
    lines: dict[Exchange, bytes] = field(init=False, repr=False, compare=False, default_factory=dict)
    letters: list[DeadLetter] = field(init=False, repr=False, compare=False, default_factory=list)
    rules: Rules = field(init=False, repr=False)
    # How often the rules stood in, by reason and one exchange of that reason.
    dropped: Counter[str] = field(init=False, repr=False, compare=False, default_factory=Counter)
    example: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)
    # Exchanges whose line is no extraction.
    wrong: set[Exchange] = field(init=False, repr=False, compare=False, default_factory=set)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", Rules(assistant_tokens=self.assistant_tokens))
        root = _root(self.path)
        seen: dict[Exchange, str] = {}
        for part in self._parts(root):
            try:
                with part.open() as stream:
                    for record in records(stream, lines=True):
                        self._take(part, record, seen)
            except UNREADABLE as error:
                self.letters.append(letter(part, "file", f"cannot be read: {why(error)}", b""))
        if not self.lines:
            reason = f": {self.letters[0].place}: {self.letters[0].reason}" if self.letters else ""
            raise UserError(
                f"engine.path={self.path}: no recorded extraction could be read{reason}; README says what a line holds"
            )

    @property
    def signature(self) -> str:
        """The version, and the rules that write what is missing. What the lines say is `given`, not signed: one more
        line would have every conversation of a store extracted anew."""
        return f"{VERSION}/{self.rules.signature}"

    @property
    def history_tokens(self) -> int:
        """None: what was recorded was written by someone who had seen what they needed."""
        return 0

    @property
    def fallbacks(self) -> Counter[str]:
        """Why the rules stood in for a recorded extraction, each reason with an exchange, and how often."""
        with _DROPPING:
            return self.dropped.copy()

    def extract(self, windows: Sequence[Window], before: Before | None = None) -> list[Extraction]:
        """One extraction per window, in order: the recorded one, or what the rules write where there is none that is
        valid (nothing for thanks and greetings, as with a model)."""
        return [self._extract(window) for window in windows]

    def given(self, conversation_id: str, exchanges: range) -> str:
        """The digest of these exchanges' lines, however they lie in files: packing them or cutting them otherwise makes
        nothing anew."""
        lines = [
            (n, self.lines[at].decode())
            for n in exchanges
            if (at := (composed(conversation_id), n)) in self.lines
        ]
        return digest("lines-1", lines) if lines else ""

    def unused(self, exchanges: Mapping[str, int]) -> Iterator[DeadLetter | Notice]:
        """Dead letters for lines that could not be read or came twice; notices of those that are of no exchange."""
        yield from self.letters
        exchanges = {composed(of): number for of, number in exchanges.items()}
        strangers = sorted({of for of, _ in self.lines if of not in exchanges})
        if strangers:
            named = ", ".join(map(repr, strangers[:3])) + (", …" if len(strangers) > 3 else "")
            yield Notice(
                f"{self.path}: extractions of conversations that this job does not have are left out "
                f"({len(strangers)}): {named}"
            )
        beyond = sorted((of, n) for of, n in self.lines if of in exchanges and n >= exchanges[of])
        if beyond:
            of, n = beyond[0]
            yield Notice(
                f"{self.path}: extractions of exchanges that are not there are left out ({len(beyond)}), such as "
                f"exchange {n} of {of!r}, which has {exchanges[of]} (they count from 0)"
            )

    def _extract(self, window: Window) -> Extraction:
        at = None if window.turn is None else (composed(window.conversation_id), window.turn)
        line = None if at is None else self.lines.get(at)
        if line is not None and not window.hollow:
            try:
                # What is far too long was written that long: nobody can be asked for a shorter text.
                return sound(extraction(orjson.loads(line)), window, cut=True)
            except Invalid as error:
                self._drop(str(error), window)
        elif holds_nothing(window):
            return Extraction("", (), (), made_by=NOTHING)
        elif line is not None:
            # It may have been erased. The line would bring its words back.
            self._drop("a message of it is empty", window)
        else:
            wrong = at in self.wrong
            self._drop("its line is not valid (dead letters)" if wrong else "no line for it", window)
        (made,) = self.rules.extract([window])
        return replace(made, made_by=self.rules.signature + FALLBACK)

    def _drop(self, reason: str, window: Window) -> None:
        number = window.exchange_id if window.turn is None else window.turn
        place = exchange_place(window.conversation_id, number)
        with _DROPPING:
            self.dropped[f"{reason}, such as {self.example.setdefault(reason, place)}"] += 1

    def _parts(self, root: Path) -> Iterator[Stream]:
        """The files to read, in natural order; a dead letter for what cannot be read."""
        base = root if root.is_dir() else root.parent
        found = list(walk(root)) if root.is_dir() else [Found(root, look(root).fault)]
        for one in sorted(found, key=lambda one: natural(one.path)):
            part = Stream(one.path, one.path.relative_to(base).as_posix())
            if one.fault is not None:
                self.letters.append(letter(part, "file", f"cannot be read: {one.fault}", b""))
            elif one.path == root or by_line(one.path.name):
                yield part

    def _take(self, part: Stream, record: Record, seen: dict[Exchange, str]) -> None:
        """Keep a line, or a dead letter that says why it is of no use."""
        reason = record.fault
        value: Any = None
        if reason is None:
            try:
                value = orjson.loads(record.raw)
            except orjson.JSONDecodeError as error:
                reason = f"not JSON: {error}"
        if reason is None and not isinstance(value, dict):
            # Nobody knows whose words such a line holds, so the reason quotes none.
            reason = "no recorded extraction: the line is no JSON object"
        if reason is None:
            reason = next((_wrong(error) for error in _LINE.iter_errors(value)), None)
        if reason is None:
            # 3.0 is an integer in JSON.
            exchange = (composed(value["conversation_id"]), int(value["exchange"]))
            place = f"{part.name}, {record.place}"
            first = seen.setdefault(exchange, place)
            if first == place:
                self.lines[exchange] = bytes(record.raw)
                return
            reason = f"an extraction of this exchange stands already: {first} is taken"
        about, raw = (value, record.raw) if isinstance(value, dict) else (fields_of(record.raw), b"")
        of, number = given(about, "conversation_id"), about.get("exchange")
        if of is not None and isinstance(number, int) and not isinstance(number, bool):
            self.wrong.add((of, number))
        self.letters.append(letter(part, record.place, reason, raw, of))


def _root(path: Any) -> Path:
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise UserError(f"engine.path={path}: name a JSONL file or a folder of them, engine.path=…")
    root = Path(os.path.expanduser(os.fspath(path)))  # noqa: PTH111 - pathlib raises where there is no such home
    if not root.exists():
        raise UserError(
            f"engine.path={path}: does not exist: give the path of a JSONL file or a folder of them"
        )
    return root


def _wrong(error: Any) -> str:
    at = ".".join(str(step) for step in error.instance_path) or "the line"
    match error.kind:
        case jsonschema_rs.ValidationErrorKind.Required():
            said = f"{error.kind.property} is missing"
        case jsonschema_rs.ValidationErrorKind.Enum():
            said = f"is none of {', '.join(map(str, error.kind.options))}"
        case _:
            said = error.message
    return f"no recorded extraction: {at}: {said}"[:REASON]
