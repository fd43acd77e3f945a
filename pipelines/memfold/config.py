"""From Hydra's composed config to validated objects, and from a wrong word to one clear line.

Each choice of a config group is one yaml whose `_target_` names a dataclass of memfold; its fields are the
config's fields, and its `__post_init__` refuses impossible values. This module knows nothing of what the
choices do.
"""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import json
import logging
import re
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import hydra
from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from memfold.errors import UserError

CONF = Path(__file__).resolve().parents[2] / "conf"


def load(name: str, overrides: list[str]) -> DictConfig:
    """The config `conf/<name>.yaml` with Hydra overrides applied; UserError says which word was wrong."""
    try:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            return compose(name, overrides=overrides)
    except (HydraException, OmegaConfBaseException) as error:
        raise UserError(_one_line(error)) from None


def build(node: DictConfig | Mapping[str, Any], group: str) -> Any:
    """The object a group's config describes, with every field checked for name, type and range.

    A field may hold such configs itself, alone, in a list or by name. Only classes of memfold are built: a config is
    also read back from a store, where it is data.
    """
    fields = dict(OmegaConf.to_container(node, resolve=True) if isinstance(node, DictConfig) else node)  # type: ignore[arg-type]
    target = fields.pop("_target_", None)
    if not isinstance(target, str) or not target.startswith("memfold."):
        raise UserError(f"{group}: _target_ must name a class of memfold, got {target!r}")
    module, _, name = target.rpartition(".")
    try:
        cls = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UserError(f"{group}: no class {target} ({error})") from None
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise UserError(f"{group}: {target} is not a configurable class")
    known = {field.name: field for field in dataclasses.fields(cls) if field.init}
    for key in fields:
        if key not in known:
            raise UserError(f"{group}.{key} is unknown; allowed: {', '.join(known) or 'nothing'}")
    inner = {key: _inner(value, f"{group}.{key}") for key, value in fields.items() if _holds_targets(value)}
    plain = {key: value for key, value in fields.items() if key not in inner}
    # OmegaConf checks the types of what is plain; a protocol's or a mapping's of objects it has no word for.
    checked = [key for key in known if key in plain or (key not in inner and _required(known[key]))]
    types = get_type_hints(cls)
    form = dataclasses.make_dataclass(cls.__name__, [(key, types[key]) for key in checked])
    try:
        given = OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(form), plain))
    except OmegaConfBaseException as error:
        raise UserError(f"{group}: {_one_line(error)}") from None
    return cls(**{key: getattr(given, key) for key in checked}, **inner)


def _holds_targets(value: Any) -> bool:
    """Whether a field's value is a config to build, or a list or a map of them."""
    if isinstance(value, Mapping):
        return "_target_" in value or any(map(_holds_targets, value.values()))
    return isinstance(value, list) and any(map(_holds_targets, value))


def _inner(value: Any, group: str) -> Any:
    """What a field's value describes: one object, or a list or a map of them and of nothing else."""
    if isinstance(value, Mapping) and "_target_" not in value:
        return {key: _inner(part, f"{group}.{key}") for key, part in value.items()}
    if isinstance(value, list):
        return tuple(_inner(part, f"{group}.{place}") for place, part in enumerate(value))
    if not isinstance(value, Mapping):
        raise UserError(f"{group} is {value!r}: give it a _target_ and fields, as those beside it have")
    return build(value, group)


def _required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def describe(config: DictConfig) -> str:
    """The resolved config as JSON with sorted keys, as it is recorded with a snapshot."""
    return json.dumps(OmegaConf.to_container(config, resolve=True), sort_keys=True, ensure_ascii=False)


def _as_ever(run: Callable[[DictConfig], None], config: DictConfig) -> None:
    # Hydra has every library log what it does, a line for each request to a model among it.
    logging.getLogger().setLevel(logging.WARNING)
    run(config)


def _one_line(error: Exception) -> str:
    """Hydra says the same thing over several lines: keep the place, what is wrong with it, and what is allowed."""
    lines = [line.strip() for line in str(error.__cause__ or error).splitlines() if line.strip()]
    place = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("full_key:")), "")
    if unknown := re.fullmatch(r"Key '(.+)' is not in struct", lines[0]):
        return f"{place or unknown[1]} is unknown (--cfg job shows what there is; +{place}=… adds to an open map)"
    rest = itertools.takewhile(lambda line: not line.startswith("Config search path"), lines)
    said = " ".join(line.lstrip("\t") for line in rest if not line.startswith(_REPEATED))
    return f"{place}: {said}" if place and not said.startswith(place) else said


# Lines of Hydra's and OmegaConf's errors that say where in their code, or the place once more.
_REPEATED = ("full_key:", "object_type=", "See https", "Set the env", "reference_type=")


def verbatim(*names: str) -> dict[str, str]:
    """The values that the command line gives for these names, as they stand; they are taken off it. Commas, colons,
    brackets and `${` mean something to Hydra's grammar, and of a conversation's id `1_000` it makes 1000."""
    named = [(argument, *argument.partition("=")) for argument in sys.argv[1:]]
    words = {name: value for _, name, equals, value in named if equals and name in names}
    sys.argv[1:] = [argument for argument, name, equals, _ in named if not (equals and name in names)]
    return words


def main(name: str, run: Callable[[DictConfig], None]) -> None:
    """A job's entry: compose `conf/<name>.yaml` with the command line's overrides and run.

    What the user can mend is one line on stderr and exit code 2. Hydra's own flags (`--multirun`, `--cfg`,
    `--help`, …) are Hydra's to handle.
    """
    overrides = sys.argv[1:]
    try:
        if any(word.startswith("-") for word in overrides):
            hydra.main(str(CONF), name, version_base="1.3")(partial(_as_ever, run))()
        else:
            run(load(name, overrides))
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
