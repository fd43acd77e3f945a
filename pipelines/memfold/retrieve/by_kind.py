"""What a config sets anew for questions of one kind (`memfold.retrieve.kinds`): checks it, and applies it to parts by
their names. Knows no part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from memfold.errors import UserError, standing_at
from memfold.retrieve.kinds import KINDS

T = TypeVar("T")

# Settings of some parts, by the parts' names.
Settings = Mapping[str, Mapping[str, Any]]


def check_kinds(kinds: Iterable[str], group: str) -> None:
    """UserError where one of these is no kind of question; `group` is the full key of their map."""
    for name in kinds:
        if name not in KINDS:
            raise UserError(f"{group}.{name} is no kind of question: there are {', '.join(KINDS)}")


def check_names(names: Iterable[str], parts: Collection[str], place: str) -> None:
    """UserError where one of these is the name of no part."""
    for name in names:
        if name not in parts:
            raise UserError(f"{place} names {name!r}, which does not exist: use some of {', '.join(parts)}")


def changed(parts: Mapping[str, T], settings: Settings, place: str) -> dict[str, T]:
    """`parts` with some settings of some of them set anew. Settings of a part that is not there are left: it was taken
    away. UserError where a setting is unknown, or no value for it."""
    return {
        name: _changed(part, settings[name], f"{place}.{name}") if settings.get(name) else part
        for name, part in parts.items()
    }


def _changed(part: Any, settings: Mapping[str, Any], place: str) -> Any:
    known = {field.name: getattr(part, field.name) for field in fields(part)} if is_dataclass(part) else {}
    for name, value in settings.items():
        if name not in known:
            raise UserError(f"{place}.{name} is unknown; there are: {', '.join(known) or 'none'}")
        if not _fits(value, known[name]):
            raise UserError(f"{place}.{name} is {value!r}: give {_LIKE.get(type(known[name]), 'a value')}")
    with standing_at(place):
        return replace(part, **settings)


def _fits(value: object, known: object) -> bool:
    """Whether a value is of the kind of the one that it stands for."""
    if known is None:
        return value is None or isinstance(value, int | float | str)
    if isinstance(known, bool) or isinstance(value, bool):
        return isinstance(known, bool) and isinstance(value, bool)
    if isinstance(known, float):
        return isinstance(value, int | float)
    return isinstance(value, list | tuple if isinstance(known, tuple) else type(known))


_LIKE = {float: "a number", int: "a whole number", bool: "true or false", str: "a text", tuple: "a list"}
