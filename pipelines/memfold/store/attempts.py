"""What Lance says when others write at the same moment, and trying again. Knows no table.

A change is made again if another writer committed first, and a read if its version was cleaned up.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from typing import TypeVar

from memfold.errors import OF_LANCE, OF_READING, UserError

# Attempts when other writers commit first, or a clean-up comes before a read.
TURNS = 20

# How Lance says that another writer committed first, or that so many did that no attempt was left. The word "conflict"
# may also stand in a URL, and in the reason why an outcome is unknown.
_CONFLICT = re.compile(r"ommit conflict for version \d|Too many concurrent writers\.")
# How it says that a commit was sent, and that neither its answer nor the version was to be had.
_UNKNOWN = re.compile(r"Commit result for version \d+ is unknown")

T = TypeVar("T")


def was_cleaned(error: Exception) -> bool:
    """Whether an error says that a file of a version is missing: a newer version replaced it, and it was cleaned up."""
    return "Not found" in str(error)


def reread(read: Callable[[], T]) -> T:
    """`read`, repeated on the newest version if the one it began with was cleaned up."""
    for turn in range(TURNS - 1):
        try:
            return read()
        except OF_READING as error:
            if not was_cleaned(error):
                raise
        _pause(turn)
    return read()


def retried(change: Callable[[], T], uri: str) -> T:
    """`change` of the table that lies at `uri`, repeated on the newest version if another writer committed first: Lance
    reports that and changes nothing. `change` must open the table itself, because a dataset opened before would
    conflict with the same commit again. Uncertain if the change may have been made."""
    turn = 0
    while True:
        try:
            return change()
        except OF_LANCE as error:
            check_known(error, uri)
            if turn == TURNS - 1 or not (conflicted(error) or was_cleaned(error)):
                raise
        _pause(turn)
        turn += 1


def conflicted(error: Exception) -> bool:
    """Whether an error says that another writer committed first, or that so many did that no attempt was left."""
    return bool(_CONFLICT.search(str(error))) and not uncertain(error)


def uncertain(error: Exception) -> bool:
    """Whether an error says that nobody knows whether a commit was made. To commit the same rows again may double
    them."""
    return bool(_UNKNOWN.search(str(error)))


class Uncertain(UserError):
    """A change of a table may have been made or not."""


def check_known(error: Exception, uri: str) -> None:
    """Uncertain if an error says that a change of the table at `uri` may have been made."""
    if uncertain(error):
        raise Uncertain(
            f"the object store did not say whether a change of {uri} was written: run the same command again"
        ) from None


def _pause(turn: int) -> None:
    time.sleep(random.uniform(0, 0.01 * min(2**turn, 64)))
