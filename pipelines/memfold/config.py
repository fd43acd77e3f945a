"""Composing: from a job's name and a command line's words to its config, with every wrong word refused.

The yamls lie in `conf/`, one for each choice of a group. Knows neither how objects are made of a config (but that a
`_target_` names a class, whose fields are keys) nor what runs with it.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, get_origin, get_type_hints

from memfold.build import fields_of, named_class
from memfold.complaints import UnknownChoice, UnknownKey, one_line_each
from memfold.errors import UserError
from memfold.words import key, literal
from memfold.yamls import CONF, choices, groups, having, package_of, top_keys

if TYPE_CHECKING:
    from omegaconf import DictConfig

# What is taken from a command line as it stands, whatever characters it holds: in people's words nothing means
# anything; in names, `${key}` refers to another setting. A key that ends with a dot stands for all that begin so. In a
# sweep (`-m`) a comma stands between values, and a comma in quotes is a comma.
TEXTS = (
    *("conversation", "question", "message", "as_of", "before", "now", "speaker"),
    *("text", "by", "about", "reason", "date", "aspect", "who", "time", "memory_id"),
)
NAMES = (
    *("source.path", "source.into", "store.root", "store.tenant", "store.options.", "embedder.model"),
    *("source.columns.", "source.store.root", "source.store.tenant", "spark.master", "spark.remote"),
    *("out", "settings", "calibration.text"),
    *("engine.path", "engine.base_url", "engine.model", "engine.weights", "engine.api_key_env"),
)
# Texts of one job whose name is a group's: to Hydra a group's name is always a choice, so the yaml's key is `model_`.
TEXTS_OF = {"results": ("model",)}
_QUOTES = "'\""
# How a reference to one of Hydra's own settings begins.
_OF_HYDRA = "${hydra"
# References to other settings in a text.
_REFERENCES = re.compile(r"(?<!\\)\$\{([A-Za-z_][\w.]*)\}")
# Maps of choices, built by `build_group`: users may add keys of their own.
OPEN = ("layers",)


def load(name: str, overrides: Sequence[str]) -> DictConfig:
    """The config `conf/<name>.yaml` with Hydra overrides applied; UserError says which word was wrong.

    Paths, names, ids and questions (`TEXTS`, `NAMES`) are taken as they stand. A `+key` that nothing reads is refused.
    """
    return loaded(name, literally(name, overrides), to_hydra=True)


def loaded(name: str, words: Sequence[str], *, to_hydra: bool = False) -> DictConfig:
    """`load` of words that are in Hydra's grammar already. References to Hydra's own settings, which are known once it
    runs, are checked only if `to_hydra`."""
    try:
        config = _composed(name, words)
    except UnknownKey as unknown:
        _refuse(unknown.place, _plain(name, words), name)
    added = [key(word) for word in words if word.startswith("+") and not key(word).startswith("hydra.")]
    if added:
        plain = _plain(name, words)
        for place in added:
            if not _is_read(plain, place):
                _refuse(place, plain, name)
    _check_references(config, to_hydra=to_hydra)
    import_named(config)
    _check_packages(name, words, config)
    _check_types(name, words, config)
    return config


def literally(name: str, words: Sequence[str], *, sweep: bool = False) -> list[str]:
    """A job's words in Hydra's grammar: `TEXTS` and `NAMES` as they stand (`memfold.words.literal`)."""
    own = TEXTS_OF.get(name, ())
    inner = [f"{one}_" for one in own]
    for word in words:
        if key(word) in inner:
            raise UserError(f"{key(word)} is unknown; write {key(word).rstrip('_')}=…")
    renamed = [word.replace("=", "_=", 1) if key(word) in own else word for word in words]
    return [literal(word, (*TEXTS, *inner), NAMES, sweep=sweep) for word in renamed]


def import_named(config: DictConfig) -> None:
    """Import the modules of classes that are not memfold's: the user named them."""
    for group, node in _choices(config):
        module, _, name = str(node["_target_"]).rpartition(".")
        if not module or module.startswith("memfold."):
            continue
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise UserError(
                f"{group}: no class {module}.{name} ({error}): install it, or name its folder in PYTHONPATH"
            ) from None


def buildable(config: DictConfig) -> Iterator[tuple[str, DictConfig]]:
    """The outermost choices: each builds those within it. A choice that refers to Hydra's own settings is left out,
    because they are known only once Hydra runs."""
    from omegaconf import OmegaConf

    last = None
    for place, node in _choices(config):
        if last is None or not place.startswith(f"{last}."):
            last = place
            if not any(_OF_HYDRA in text for _, text in _texts(OmegaConf.to_container(node))):
                yield place, node


def _check_types(name: str, words: Sequence[str], config: DictConfig) -> None:
    """UserError where one of the job's own keys is true or false by default, or a number, and is given otherwise:
    `replace=no` is text to Hydra, and any text would count as true. What a class has `build` checks."""
    own = {key(word) for word in words} - {*TEXTS, *NAMES, *groups(name)}
    own = {place for place in own if "." not in place and "/" not in place and place in config}
    if not own:
        return
    defaults = _plain(name, words)
    for place in sorted(own):
        default, given = defaults.get(place), config.get(place)
        if isinstance(default, bool) and not isinstance(given, bool):
            raise UserError(f"{place}={given}: give {place}=true or {place}=false")
        if type(default) is int and (isinstance(given, bool) or not isinstance(given, int | float)):
            raise UserError(f"{place}={given}: give a number, as {place}={default}")


def _check_packages(name: str, words: Sequence[str], config: DictConfig) -> None:
    """UserError where a choice sets keys of another group and what is chosen there has no such keys: `model=…` sets
    those of engine=vllm."""
    known = groups(name)
    for word in words:
        group, _, choice = word.partition("=")
        path = CONF / group / f"{choice.strip(_QUOTES)}.yaml"
        if group not in known or not path.is_file():
            continue
        package = package_of(path, group)
        node = _node(config, [package])
        if package == group or not isinstance(node, Mapping) or "_target_" not in node:
            continue
        has = fields_of(named_class(node["_target_"], package))
        wrong = [one for one in top_keys(path) if one not in has]
        if wrong:
            others = having(package, wrong)
            raise UserError(
                f"{word} sets {package}.{wrong[0]}, which the chosen {package} does not have: "
                f"add {' or '.join(f'{package}={one}' for one in others)}"
            )


def _check_references(config: DictConfig, *, to_hydra: bool) -> None:
    """UserError where `${…}` refers to nothing, to what only Hydra knows, once it runs, or within a text to settings
    that are no text."""
    from omegaconf import DictConfig, ListConfig, OmegaConf

    for place, text in _texts(OmegaConf.to_container(config)):
        if "${" in text and (to_hydra or _OF_HYDRA not in text):
            with one_line_each():
                found = OmegaConf.select(config, place)
            for name in _REFERENCES.findall(text) if isinstance(found, str) else ():
                below = OmegaConf.select(config, name)
                if isinstance(below, DictConfig | ListConfig):
                    keys = [*_keys(below, f"{name}.")] if isinstance(below, DictConfig) else []
                    one = f", as ${{{keys[0]}}}" if keys else ""
                    raise UserError(f"{place}: ${{{name}}} holds several settings: refer to one of them{one}")


def _texts(node: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text in a config, as it is written, with its full key."""
    if isinstance(node, str):
        yield place, node
    elif isinstance(node, dict | list):
        for name, below in node.items() if isinstance(node, dict) else enumerate(node):
            yield from _texts(below, f"{place}.{name}" if place else str(name))


def _composed(name: str, words: Sequence[str]) -> DictConfig:
    from hydra import compose, initialize_config_dir

    try:
        with one_line_each(), initialize_config_dir(str(CONF), version_base="1.3"):
            return compose(name, overrides=list(words))
    except UnknownChoice as unknown:
        place = next((one for one in NAMES if one.startswith(f"{unknown.group}.")), None)
        if place is None or "/" not in unknown.choice:
            raise
        raise UserError(f"{unknown}, or give a path as {place}={unknown.choice}") from None


def _plain(name: str, words: Sequence[str]) -> DictConfig:
    """The config with the choices that were made, from wherever their yamls are, and nothing else set: the keys there
    are."""
    chosen = {*groups(name), "hydra.searchpath"}
    return _composed(name, [word for word in words if word[:1].isalpha() and key(word) in chosen])


def _choices(node: DictConfig, group: str = "") -> Iterator[tuple[str, DictConfig]]:
    """Every node that names a class, with its full key."""
    from omegaconf import DictConfig

    for name, value in node.items_ex(resolve=False):
        if isinstance(value, DictConfig) and not value._is_none() and not value._is_missing():
            place = f"{group}{name!s}"
            if "_target_" in value:
                yield place, value
            yield from _choices(value, f"{place}.")


def _is_read(config: DictConfig, place: str) -> bool:
    """Whether a key that is missing in a config would be read: it is a field of a class that the config names there,
    or belongs to a map that is open by design."""
    parts = place.replace("/", ".").split(".")
    if parts[0] in OPEN and parts[1:]:
        return True
    named = _named(config, parts)
    if named is None:
        return _node(config, parts) is not None
    depth, cls = named
    field, *below = parts[depth:]
    hint = get_type_hints(cls).get(field) if field in fields_of(cls) else None
    return hint is not None and (not below or get_origin(hint) in (dict, Mapping))


def _named(config: DictConfig, parts: Sequence[str]) -> tuple[int, type] | None:
    """The nearest class above a key that the config names, and how deep it stands."""
    for depth in range(len(parts) - 1, 0, -1):
        node = _node(config, parts[:depth])
        if isinstance(node, Mapping) and "_target_" in node:
            return depth, named_class(node["_target_"], ".".join(parts[:depth]))
    return None


def _node(config: DictConfig, parts: Sequence[str]) -> Any:
    """What stands at a key, as it was written; None if nothing does."""
    from omegaconf import DictConfig

    node: Any = config
    for part in parts:
        if not isinstance(node, DictConfig) or node._is_none() or part not in node.keys():  # noqa: SIM118 (not ???)
            return None
        node = node._get_node(part)
    return node


def _refuse(place: str, config: DictConfig, name: str) -> NoReturn:
    """Raise the error that nothing reads a key, with the keys near to it."""
    parts = place.split(".")
    named = _named(config, parts)
    if named is not None:
        depth, cls = named
        above = ".".join(parts[:depth])
        fields, missing = fields_of(cls), parts[depth]
        inner = _node(config, parts[:-1])
        if missing in fields and isinstance(inner, Mapping):
            above, fields = ".".join(parts[:-1]), [str(one) for one in inner]
        others = [] if missing in fields else [f"{above}={one}" for one in having(above, [missing])]
        raise UserError(
            f"{place} is unknown; {above} has: {', '.join(fields) or 'nothing'}"
            + (f" ({' and '.join(others)} {'has' if len(others) == 1 else 'have'} it)" if others else "")
        )
    group, choice = parts[0], ".".join(parts[1:2])
    if group in OPEN and choice in choices(group):
        raise UserError(
            f"{place} is unknown, because {choice} is none of the {group}: add it, {group}=[…,{choice}]"
        )
    known = [*groups(name), *_keys(config)]
    if place in known:
        raise UserError(f"+{place} adds nothing: it is there already; write {place}=…")
    last = difflib.get_close_matches(parts[-1], {one.rpartition(".")[2] for one in known}, 3)
    near = difflib.get_close_matches(place, known, 3, 0.5)
    near += [one for one in known if one.rpartition(".")[2] in last and one not in near][:3]
    tops = dict.fromkeys(one.partition(".")[0] for one in known)
    there = f"near to it: {', '.join(near)}" if near else f"there are: {', '.join(tops)}"
    raise UserError(
        f"{place} is unknown to the job {name}, which would ignore it; {there} (--help says more)"
    )


def _keys(config: DictConfig, above: str = "") -> Iterator[str]:
    """The full keys of all values."""
    from omegaconf import DictConfig

    for name, node in config.items_ex(resolve=False):
        if isinstance(node, DictConfig) and not node._is_none() and len(node):
            yield from _keys(node, f"{above}{name!s}.")
        elif name != "_target_":
            yield f"{above}{name!s}"
