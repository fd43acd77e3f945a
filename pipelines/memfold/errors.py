"""The errors meant for the person at the keyboard, and the one that says that an account is off."""

from __future__ import annotations

import errno
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

# What the operating system refuses, and the cure.
_REFUSED = {
    errno.ENOSPC: "no space is left to write{to}: make some",
    errno.EDQUOT: "the disk quota leaves no space to write{to}: make some, or have it raised",
    errno.EFBIG: "a file would grow larger than is allowed (ulimit -f){to}: raise the limit",
    errno.EROFS: "nothing can be written{to}, which is mounted read-only: mount it for writing",
    errno.EACCES: "access is denied{to}: give this user the right to read and write there",
}
# What an error of Lance comes as, which has no classes of its own; and what one of a read comes as.
OF_LANCE = (OSError, RuntimeError, ValueError)
OF_READING = (OSError, ValueError)
# How Lance says what the operating system refused: its errors have no errno.
_OS_ERROR = re.compile(r"LanceError.*\(os error (\d+)\)", re.DOTALL)
# How Lance says that a file is not what was written: of 400 files damaged at random it said one of these of all that it
# could not read, except four at which it panicked.
_DAMAGED = re.compile(
    r"Encountered corrupt|failed to fill whole buffer|Not found: .*\.lance|Invalid range \S+ for object of size"
    r"|lance-file/src/(?!writer)|lance-encoding/src/"
)
# Where in its source Lance says what it says.
_PLACE = re.compile(r", /\S+:\d+:\d+$")


class UserError(Exception):
    """Something the user can mend: one line that names the place and the cure. Jobs print it and exit with 2. Its
    subclasses keep their arguments in `args`, so that they can be pickled."""


class AccountingError(Exception):
    """The tables do not hold what was written to them (law 2). Nothing was sealed."""


class SettingError(UserError):
    """A dataclass refuses one of its settings. `said` begins with the setting's name. The dataclass does not know where
    it stands in the config: whoever makes it from one adds the place (`standing_at`)."""

    def __init__(self, settings: object, said: str) -> None:
        # A name, not the settings themselves, which may hold a secret. An unpickled error is made from that name.
        super().__init__(settings if isinstance(settings, str) else type(settings).__name__, said)
        self.said = said

    def __str__(self) -> str:
        return f"{self.args[0]}.{self.said}"


@contextmanager
def standing_at(place: str) -> Iterator[None]:
    """Makes a SettingError a UserError that names the full key: the settings stand at `place` of the config."""
    try:
        yield
    except SettingError as error:
        raise UserError(f"{place}.{error.said}") from None


class UnknownConversation(UserError):
    """A snapshot shows no conversation of that id; `near` are ids like it that it does show."""

    def __init__(self, conversation_id: str, near: Sequence[str] = ()) -> None:
        super().__init__(conversation_id, near)
        self.near = near

    def __str__(self) -> str:
        there = f"; near to it: {', '.join(map(repr, self.near))}" if self.near else ""
        return f"there is no conversation {self.args[0]!r}{there}"


class UnknownSpeaker(UserError):
    """A conversation has no user of that name; `known` are those it has."""

    def __init__(self, speaker: str, conversation_id: str, known: Sequence[str]) -> None:
        super().__init__(speaker, conversation_id, known)

    def __str__(self) -> str:
        speaker, conversation_id, known = self.args
        users = f"whose users are {', '.join(known)}" if known else "whose source names no users"
        return f"speaker={speaker!r} is no user of conversation {conversation_id!r}, {users}"


def install(extra: str) -> str:
    """What to do where the packages of an `extra` in pyproject.toml are missing."""
    return f"pip install -e '.[{extra}]' in memfold's folder"


def lines_of(error: BaseException) -> list[str]:
    """What an error says, by lines, without blank ones."""
    return [line.strip() for line in str(error).splitlines() if line.strip()]


def refused(error: BaseException, where: str = "") -> str | None:
    """What the operating system refused and the cure, as one line, if an error of Python or Lance says so; `where` it
    was is named if the error does not name it."""
    number = getattr(error, "errno", None)
    if number is None and (found := _OS_ERROR.search(str(error))):
        number = int(found[1])
    to = getattr(error, "filename", None) or where
    said = _REFUSED.get(number) if number is not None else None
    return said and said.format(to=f" to {to}" if to else "") + ", then run the same command again"


@contextmanager
def aside() -> Iterator[None]:
    """A guard around making a temporary file and writing to it. If the operating system refuses, UserError names the
    folder of temporary files and TMPDIR, which moves it; the file itself has no name."""
    try:
        yield
    except FileNotFoundError as error:  # Python found no folder that it can write to
        raise UserError(f"{error.strerror}: name one that can be written to, TMPDIR=…") from None
    except OSError as error:
        said = refused(error, f"TMPDIR={tempfile.gettempdir()}")
        if said is None:
            raise
        raise UserError(said) from None


@contextmanager
def at_end(act: Callable[[], object], *hidden: type[Exception]) -> Iterator[None]:
    """Acts when the block has ended. If an error ended it, that one is raised, and none of the `hidden` types that
    `act` may raise."""
    try:
        yield
    except BaseException:
        with suppress(*hidden):
            act()
        raise
    act()


def damaged(error: BaseException) -> str | None:
    """What Lance says of a file that is damaged or missing, if an error says so."""
    said = _PLACE.sub("", str(error))
    return " ".join(said.split()) if _DAMAGED.search(str(error)) else None
