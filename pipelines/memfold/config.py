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
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

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
            config = compose(name, overrides=overrides)
    except (HydraException, OmegaConfBaseException) as error:
        raise UserError(_one_line(error)) from None
    _import_named(config)
    return config


def _import_named(config: DictConfig) -> None:
    """Import the modules of classes that are not memfold's: the user named them."""
    for group, node in _choices(config):
        module, _, name = str(node["_target_"]).rpartition(".")
        if not module or module in sys.modules or module.startswith("memfold."):
            continue
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise UserError(
                f"{group}: no class {module}.{name} ({error}): install it, or name its folder in PYTHONPATH"
            ) from None


def _choices(node: DictConfig, group: str = "") -> Iterator[tuple[str, DictConfig]]:
    """Every node that names a class, with its full key."""
    for name, value in node.items_ex(resolve=False):
        if isinstance(value, DictConfig) and not value._is_none() and not value._is_missing():
            place = group + str(name)
            if "_target_" in value:
                yield place, value
            yield from _choices(value, f"{place}.")


def build(node: DictConfig | Mapping[str, Any], group: str) -> Any:
    """The object a group's config describes, with every field checked for name, type and range.

    Only classes of memfold and of modules that are imported already are built: a config is also read back from a
    store, where it is data. What the user's own words and yamls name, `load` imports.
    """
    fields = dict(OmegaConf.to_container(node, resolve=True) if isinstance(node, DictConfig) else node)  # type: ignore[arg-type]
    target = fields.pop("_target_", None)
    module, _, name = target.rpartition(".") if isinstance(target, str) else ("", "", "")
    if not module.startswith("memfold.") and module not in sys.modules:
        raise UserError(
            f"{group}: _target_ must name a class of memfold, or of a module that is imported before; got {target!r}"
        )
    try:
        cls = getattr(sys.modules.get(module) or importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UserError(f"{group}: no class {target} ({error})") from None
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        raise UserError(f"{group}: {target} is not a configurable class")
    known = [field.name for field in dataclasses.fields(cls) if field.init]
    for key in fields:
        if key not in known:
            raise UserError(f"{group}.{key} is unknown; allowed: {', '.join(known) or 'nothing'}")
    try:
        return OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(cls), fields))
    except OmegaConfBaseException as error:
        raise UserError(f"{group}: {_one_line(error)}") from None


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
