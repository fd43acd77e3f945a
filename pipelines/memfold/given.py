"""What a program hands in and what a config sets, looked at before it is used: a wrong value is one line and no error
of a library."""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from datetime import timedelta
from numbers import Integral

from memfold.errors import SettingError, UserError


def storable(text: str) -> bool:
    """Whether a table can hold the text: a lone surrogate, which stands for an invalid byte or half a character, is no
    Unicode."""
    if text.isascii():  # known without a look at the characters, which encoding copies
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def composed(text: str) -> str:
    """A text with each letter and its marks as one character (NFC). Ids and speakers are stored so, because names that
    look the same are the same, and text is read so, because patterns expect it."""
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)


def forms(name: str) -> list[str]:
    """What a name may be stored as: as it is given, composed, or decomposed by an earlier memfold."""
    return list(dict.fromkeys((name, composed(name), unicodedata.normalize("NFD", name))))


def held_as(name: str, held: Container[str | None]) -> str | None:
    """The first of a name's forms that is held; None if none is."""
    return next((form for form in forms(name) if form in held), None)


def check_text(name: str, value: object) -> None:
    """UserError unless the value is text that can be stored."""
    if not isinstance(value, str):
        raise UserError(f"{name}={value!r} is of type {type(value).__name__}: give text")
    if not storable(value):
        raise UserError(f"{name}={value!r} is no Unicode text: it holds an invalid byte or half a character")


def check_number(name: str, value: object, least: int, what: str = "") -> None:
    """UserError unless the value is a whole number, of `what`, and at least so much."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise UserError(f"{name} is {value!r}: give {least} or more{f' {what}' if what else ''}")


def check_least(settings: object, **least: float) -> None:
    """SettingError where one of `settings` is below its least value."""
    for name, value in least.items():
        if getattr(settings, name) < value:
            raise SettingError(settings, f"{name} is {getattr(settings, name)}: give {value} or more")


def check_shares(settings: object, *names: str) -> None:
    """SettingError where one of `settings` is no share."""
    for name in names:
        if not 0 <= getattr(settings, name) <= 1:
            raise SettingError(settings, f"{name} is {getattr(settings, name)}: give a share from 0 to 1")


def check_span(name: str, value: object) -> None:
    """UserError unless the value is a length of time above zero."""
    if not isinstance(value, timedelta) or value <= timedelta(0):
        raise UserError(f"{name}={value!r}: give a datetime.timedelta above zero, as timedelta(hours=6)")


def check_made(name: str, value: object, kind: type) -> None:
    """UserError unless the value is None or an instance of `kind`; a name, as the command line takes it, is neither."""
    if value is not None and not isinstance(value, kind):
        raise UserError(
            f"{name}={value!r} is of type {type(value).__name__}: give a {kind.__module__}.{kind.__name__}"
        )


def check_able(name: str, value: object, does: str) -> None:
    """UserError unless the value is None or has the method `does`."""
    if value is not None and not callable(getattr(value, does, None)):
        raise UserError(f"{name}={value!r} is of type {type(value).__name__}, which has no method {does}")
