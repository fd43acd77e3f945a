"""Objects from configuration: what a node's `_target_` names, made of its fields, and each of them checked.

A node's `_target_` names a dataclass, whose fields are the config's; its `__post_init__` refuses impossible values.
Knows neither the yamls and the command line that a config comes from, nor what the objects do.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, cast, get_args, get_origin, get_type_hints

from memfold.complaints import one_line, place
from memfold.errors import UserError, standing_at

if TYPE_CHECKING:
    from omegaconf import DictConfig


class NoClass(UserError):
    """This program does not have the class that a `_target_` names."""


def build(node: DictConfig | Mapping[str, Any], group: str) -> Any:
    """The object that a group's config describes, with every field checked for name, type and range.

    A field may itself hold such configs: one, a list or a map of them. Only classes of memfold and of modules that are
    imported already are built, because a config is also read back from a store, where it is data. `load` imports the
    modules that the user's own command line and yamls name.
    """
    if not isinstance(node, Mapping):
        raise UserError(_no_choice(group, node))
    fields = _container(node)
    cls = named_class(fields.pop("_target_", None), group)
    known = fields_of(cls)
    for name in fields:
        if name not in known:
            raise UserError(f"{group}.{name} is unknown; allowed: {', '.join(known) or 'nothing'}")
        if fields[name] == "???":
            raise UserError(f"{group}.{name} is not given: set {group}.{name}=… (--help says what it is)")
    inner = {key: _inner(value, f"{group}.{key}") for key, value in fields.items() if _holds_targets(value)}
    plain = {key: value for key, value in fields.items() if key not in inner}
    types = get_type_hints(cls)
    # What has the very type that is asked for is right; of the rest of what is plain OmegaConf checks and converts the
    # types, for 2 ms an object; a protocol's or a mapping's of objects it has no word for.
    right = {key: value for key, value in plain.items() if _fits(value, types[key])}
    checked = [
        key
        for key in known
        if key not in right and (key in plain or (key not in inner and _required(cls, key)))
    ]
    form = [(key, types[key]) for key in checked]
    converted = _converted(cls.__name__, form, plain, group) if form else {}
    with standing_at(group):
        return cls(**converted, **right, **inner)


def _converted(
    name: str, form: Sequence[tuple[str, Any]], plain: Mapping[str, Any], group: str
) -> dict[str, Any]:
    """The fields of a `form`, converted to their types by OmegaConf; UserError if it cannot, or if one is missing."""
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    structured = OmegaConf.structured(dataclasses.make_dataclass(name, form))
    try:
        given = OmegaConf.to_object(
            OmegaConf.merge(structured, {key: plain[key] for key, _ in form if key in plain})
        )
    except OmegaConfBaseException as error:
        between = "." if place(error) else ": "
        raise UserError(f"{group}{between}{one_line(error)}") from None
    return {key: getattr(given, key) for key, _ in form}


def build_group(nodes: DictConfig | Mapping[str, Any], group: str) -> dict[str, Any]:
    """The objects of a group that holds several choices (`layers`), by their names, in the order they were chosen;
    UserError where there is none."""
    if not isinstance(nodes, Mapping):
        raise UserError(f"{group}={nodes!r} is no list of choices: see --help for what there is")
    if not nodes:
        raise UserError(f"{group} is empty: choose at least one, {group}=[…] (--help lists them)")
    return {str(name): build(node, f"{group}.{name!s}") for name, node in nodes.items()}


def describe(config: DictConfig | Mapping[str, Any]) -> str:
    """The resolved config as JSON with sorted keys, as it is recorded with a snapshot. A byte of a path that is no
    Unicode is escaped, which JSON reads back."""
    said = json.dumps(_container(config), sort_keys=True, ensure_ascii=False)
    return said.encode("utf-8", "backslashreplace").decode()


def named_class(target: object, group: str) -> type:
    """The dataclass that a `_target_` names, of memfold or of a module that is imported already; `NoClass` if there is
    none of that name."""
    module, _, name = target.rpartition(".") if isinstance(target, str) else ("", "", "")
    if not module.startswith("memfold.") and module not in sys.modules:
        raise NoClass(
            f"{group}: _target_ must name a class of memfold, or of a module that is imported before; got {target!r}"
        )
    try:
        # Waits where another thread is importing it: until then it stands among the modules without its classes.
        cls = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise NoClass(f"{group}: no class {target} ({error})") from None
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        raise UserError(
            f"{group}: {target} is no dataclass: write @dataclass above it; its fields are the settings"
        )
    return cls


def fields_of(cls: type) -> list[str]:
    """The names of the fields that a config may set."""
    return [field.name for field in dataclasses.fields(cls) if field.init]


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value has exactly the expected type, or one of the expected types. A list may stand for a tuple, as
    OmegaConf gives it."""
    origin, of = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in of)
    if origin is list or (origin is tuple and of[1:] == (...,)):
        return type(value) is list and all(_fits(each, of[0]) for each in value)
    if origin is dict:
        return type(value) is dict and all(
            _fits(name, of[0]) and _fits(part, of[1]) for name, part in value.items()
        )
    return hint is Any or type(value) is hint


def _container(node: DictConfig | Mapping[str, Any]) -> dict[str, Any]:
    """A config as plain dicts and lists, with references filled in."""
    if isinstance(node, dict):
        return dict(node)
    from omegaconf import OmegaConf

    return cast("dict[str, Any]", OmegaConf.to_container(cast("DictConfig", node), resolve=True))


def _holds_targets(value: Any) -> bool:
    """Whether a field's value is a config to build, or a list or a map of them."""
    if isinstance(value, Mapping):
        return "_target_" in value or any(map(_holds_targets, value.values()))
    return isinstance(value, list) and any(map(_holds_targets, value))


def _inner(value: Any, group: str) -> Any:
    """What a field's value describes: one object, or a list or a map of nothing but objects."""
    if isinstance(value, Mapping) and "_target_" not in value:
        return {key: _inner(part, f"{group}.{key}") for key, part in value.items()}
    if isinstance(value, list):
        return tuple(_inner(part, f"{group}.{at}") for at, part in enumerate(value))
    if not isinstance(value, Mapping):
        raise UserError(f"{group} is {value!r}: give it a _target_ and fields, as those beside it have")
    return build(value, group)


def _required(cls: type, name: str) -> bool:
    field = next(field for field in dataclasses.fields(cls) if field.name == name)
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _no_choice(group: str, node: object) -> str:
    above, _, last = group.rpartition(".")
    if last == "_target_":
        return (
            f"{group}={node!r} stands where the names of {above} belong: begin its yaml with the line "
            f"'# @package {above}.<its name>'"
        )
    return f"{group}={node!r} is not a known choice: --help lists the choices"
