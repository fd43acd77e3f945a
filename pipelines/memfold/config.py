"""From a command line and Hydra's yamls to validated objects, and from a wrong word to one clear line.

Each choice of a config group is one yaml whose `_target_` names a dataclass; its fields are the config's fields, and
its `__post_init__` refuses impossible values. This module knows nothing of what the choices do.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import itertools
import json
import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any, NoReturn, Union, cast, get_args, get_origin, get_type_hints

from memfold.errors import UserError, damaged, refused
from memfold.given import check_text
from memfold.help import groups, page
from memfold.settings import settings
from memfold.words import key, literal

if TYPE_CHECKING:
    from omegaconf import DictConfig

_HERE = Path(__file__).resolve()
# In an installed wheel the yamls and the jobs lie in the package, in a checkout beside the sources.
_HOME = _HERE.parent if (_HERE.parent / "conf").is_dir() else _HERE.parents[2]
CONF = _HOME / "conf"
JOBS = _HOME / "jobs"

# What is taken from a command line as it stands, whatever characters it holds: in people's words nothing means
# anything; in names, `${key}` refers to another setting. A key that ends with a dot stands for all that begin so. In a
# sweep (`-m`) a comma stands between values, and a comma in quotes is a comma.
TEXTS = (
    *("conversation", "question", "message", "as_of", "before", "now", "speaker"),
    *("text", "by", "about", "reason", "date", "aspect", "who", "time", "memory_id"),
)
NAMES = (
    *("source.path", "store.root", "store.tenant", "store.options.", "embedder.model"),
    *("source.columns.", "source.store.root", "source.store.tenant", "spark.master", "spark.remote"),
    *("out", "settings", "calibration.text"),
    *("engine.path", "engine.base_url", "engine.model", "engine.weights", "engine.api_key_env"),
)
# Texts of one job whose name is a group's: to Hydra a group's name is always a choice, so the yaml's key is `model_`.
TEXTS_OF = {"results": ("model",)}
# Maps of choices, built by `build_group`: users may add keys of their own.
OPEN = ("layers",)


def load(name: str, overrides: Sequence[str]) -> DictConfig:
    """The config `conf/<name>.yaml` with Hydra overrides applied; UserError says which word was wrong.

    Paths, names, ids and questions (`TEXTS`, `NAMES`) are taken as they stand. A `+key` that nothing reads is refused.
    """
    return _load(name, _literal(name, overrides))


def _load(name: str, words: Sequence[str]) -> DictConfig:
    """`load` of words in Hydra's grammar."""
    try:
        config = _composed(name, words)
    except _Unknown as unknown:
        _refuse(unknown.place, _plain(name, words), name)
    added = [key(word) for word in words if word.startswith("+") and not key(word).startswith("hydra.")]
    if added:
        plain = _plain(name, words)
        for place in added:
            if not _is_read(plain, place):
                _refuse(place, plain, name)
    _check_types(name, words, config)
    _import_named(config)
    return config


def _check_types(name: str, words: Sequence[str], config: DictConfig) -> None:
    """UserError where one of the job's own keys is true or false by default, or a number, and is given otherwise:
    `replace=no` is text to Hydra, and any text would count as true. What a class has `build` checks."""
    own = {key(word) for word in words} - {*TEXTS, *NAMES, *groups(CONF, name)}
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


def _composed(name: str, words: Sequence[str]) -> DictConfig:
    from hydra import compose, initialize_config_dir

    with _one_line_each(), initialize_config_dir(str(CONF), version_base="1.3"):
        return compose(name, overrides=list(words))


def _plain(name: str, words: Sequence[str]) -> DictConfig:
    """The config with the choices that were made, and nothing else set: the keys there are."""
    chosen = groups(CONF, name)
    return _composed(name, [word for word in words if word[:1].isalpha() and key(word) in chosen])


def _literal(name: str, words: Sequence[str], *, sweep: bool = False) -> list[str]:
    own = TEXTS_OF.get(name, ())
    texts = (*TEXTS, *(f"{one}_" for one in own))
    renamed = [word.replace("=", "_=", 1) if key(word) in own else word for word in words]
    return [literal(word, texts, NAMES, sweep=sweep) for word in renamed]


def _no_choice(group: str, node: object) -> str:
    above, _, last = group.rpartition(".")
    if last == "_target_":
        return (
            f"{group}={node!r} stands where the names of {above} belong: begin its yaml with the line "
            f"'# @package {above}.<its name>'"
        )
    return f"{group}={node!r} is not a known choice: --help lists the choices"


def build(node: DictConfig | Mapping[str, Any], group: str) -> Any:
    """The object that a group's config describes, with every field checked for name, type and range.

    A field may itself hold such configs: one, a list or a map of them. Only classes of memfold and of modules that are
    imported already are built, because a config is also read back from a store, where it is data. `load` imports the
    modules that the user's own command line and yamls name.
    """
    if not isinstance(node, Mapping):
        raise UserError(_no_choice(group, node))
    fields = _container(node)
    cls = _class(fields.pop("_target_", None), group)
    known = _fields(cls)
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
    if not checked:
        return cls(**right, **inner)
    plain = {key: plain[key] for key in checked if key in plain}
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    form = dataclasses.make_dataclass(cls.__name__, [(key, types[key]) for key in checked])
    try:
        given = OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(form), plain))
    except OmegaConfBaseException as error:
        between = "." if _place(_lines(error)) else ": "
        raise UserError(f"{group}{between}{_one_line(error)}") from None
    return cls(**{key: getattr(given, key) for key in checked}, **right, **inner)


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
        return tuple(_inner(part, f"{group}.{place}") for place, part in enumerate(value))
    if not isinstance(value, Mapping):
        raise UserError(f"{group} is {value!r}: give it a _target_ and fields, as those beside it have")
    return build(value, group)


def _required(cls: type, name: str) -> bool:
    field = next(field for field in dataclasses.fields(cls) if field.name == name)
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def build_group(nodes: DictConfig | Mapping[str, Any], group: str) -> dict[str, Any]:
    """The objects of a group that holds several choices (`layers`), by their names, in the order they were chosen;
    UserError where there is none."""
    if not isinstance(nodes, Mapping):
        raise UserError(f"{group}={nodes!r} is no list of choices: see --help for what there is")
    if not nodes:
        raise UserError(f"{group} is empty: choose at least one, {group}=[…] (--help lists them)")
    return {str(name): build(node, f"{group}.{name!s}") for name, node in nodes.items()}


def _class(target: object, group: str) -> type:
    """The dataclass that a `_target_` names, of memfold or of a module that is imported already."""
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
        raise UserError(
            f"{group}: {target} is no dataclass: write @dataclass above it; its fields are the settings"
        )
    return cls


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
    from omegaconf import DictConfig

    for name, value in node.items_ex(resolve=False):
        if isinstance(value, DictConfig) and not value._is_none() and not value._is_missing():
            place = f"{group}{name!s}"
            if "_target_" in value:
                yield place, value
            yield from _choices(value, f"{place}.")


def _outermost(config: DictConfig) -> Iterator[tuple[str, DictConfig]]:
    """The choices that stand in no other choice, which builds those in it."""
    last = None
    for place, node in _choices(config):
        if last is None or not place.startswith(f"{last}."):
            last = place
            yield place, node


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
    hint = get_type_hints(cls).get(field) if field in _fields(cls) else None
    return hint is not None and (not below or get_origin(hint) in (dict, Mapping))


def _named(config: DictConfig, parts: Sequence[str]) -> tuple[int, type] | None:
    """The nearest class above a key that the config names, and how deep it stands."""
    for depth in range(len(parts) - 1, 0, -1):
        node = _node(config, parts[:depth])
        if isinstance(node, Mapping) and "_target_" in node:
            return depth, _class(node["_target_"], ".".join(parts[:depth]))
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


def _fields(cls: type) -> list[str]:
    return [field.name for field in dataclasses.fields(cls) if field.init]


def _refuse(place: str, config: DictConfig, name: str) -> NoReturn:
    """Raise the error that nothing reads a key, with the keys near to it."""
    parts = place.split(".")
    named = _named(config, parts)
    if named is not None:
        depth, cls = named
        above = ".".join(parts[:depth])
        raise UserError(f"{place} is unknown; {above} has: {', '.join(_fields(cls)) or 'nothing'}")
    known = [*groups(CONF, name), *_keys(config)]
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


def describe(config: DictConfig | Mapping[str, Any]) -> str:
    """The resolved config as JSON with sorted keys, as it is recorded with a snapshot. A byte of a path that is no
    Unicode is escaped, which JSON reads back."""
    said = json.dumps(_container(config), sort_keys=True, ensure_ascii=False)
    return said.encode("utf-8", "backslashreplace").decode()


class _Unknown(UserError):
    """A key that the composed config does not have."""

    def __init__(self, place: str) -> None:
        super().__init__(f"{place} is unknown (--help lists what there is)")
        self.place = place


@contextmanager
def _one_line_each() -> Iterator[None]:
    """Turns errors of Hydra, OmegaConf and YAML into UserErrors."""
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException
    from yaml import MarkedYAMLError, YAMLError

    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        lines = _lines(error)
        if unknown := re.fullmatch(r"Key '(.+)' is not in struct", lines[0]):
            raise _Unknown(_place(lines) or unknown[1]) from None
        raise UserError(_one_line(error)) from None
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{mark.name}, line {mark.line + 1}" if mark else "a yaml"
        raise UserError(f"{where} is not YAML ({error.problem or error.context}): correct it") from None
    except YAMLError as error:
        raise UserError(f"a yaml cannot be read: {' '.join(str(error).split())}") from None


def _lines(error: Exception) -> list[str]:
    return [line.strip() for line in str(error.__cause__ or error).splitlines() if line.strip()] or [
        type(error).__name__
    ]


def _place(lines: Sequence[str]) -> str:
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("full_key:")), "")


def _one_line(error: Exception) -> str:
    """Hydra spreads an error over several lines: keep the place, what is wrong, and what is allowed."""
    lines = _lines(error)
    place = _place(lines)
    rest = itertools.takewhile(lambda line: not line.startswith("Config search path"), lines)
    said = " ".join(line.lstrip("\t") for line in rest if not line.startswith(_REPEATED))
    for theirs, ours in _SAID:
        said = theirs.sub(ours, said)
    return f"{place}: {said}" if place and not said.startswith(place) else said


# Lines of Hydra's and OmegaConf's errors that say where in their code, or the place once more.
_REPEATED = ("full_key:", "object_type=", "See https", "Set the env", "reference_type=")
# What Hydra and OmegaConf say, and what a user of memfold can do something with.
_SAID = [
    (re.compile(theirs), ours)
    for theirs, ours in (
        (r"Value ('.*') of type '.*' could not be converted to Integer", r"\1 is not a whole number"),
        (r"Value ('.*') of type '.*' could not be converted to Float", r"\1 is not a number"),
        (r"Value ('.*') is not a valid bool .*", r"\1 is neither true nor false"),
        (r"In '.*': Could not find '(.+)/(.+)' Available options in '.*': (.+)", r"\1=\2: use one of \3"),
        (r"In '.*': Could not load '(.+)/(.+)'\.", r"\1 has no choice '\2' (--help lists them)"),
        (r"Could not override '(.+)'\. No match in .*", r"\1 is no key of this job (--help lists them)"),
    )
]


def main(name: str, run: Callable[[DictConfig], None]) -> None:
    """A job's entry point: compose `conf/<name>.yaml` with the command line's overrides, and run.

    What the user can correct is one line on stderr and exit code 2; an interrupt (Ctrl-C or SIGTERM) is one line and
    130; if it surfaced as another error, that is printed first. `--help` shows the job's own page; Hydra handles its
    other flags (`--multirun`, `--cfg`, …). What `run` has as `ended` is called once the job has ended well.
    """
    words = sys.argv[1:]
    heard: list[int] = []

    def interrupt(signum: int, frame: object) -> None:
        heard.append(signum)
        raise KeyboardInterrupt

    # What stops a container is heard as Ctrl-C is: a process that is killed loses seconds of a model's answers.
    signal.signal(signal.SIGTERM, interrupt)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's background job ignores it
        signal.signal(signal.SIGINT, interrupt)
    try:
        _run(name, run, words)
    except BaseException as error:
        # Ray may turn the interrupt into an exit with code 1, and code that tidies up behind it may fail.
        if not (heard or isinstance(error, KeyboardInterrupt)):
            raise
        if not isinstance(error, KeyboardInterrupt | SystemExit):
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
        print(
            "error: interrupted; what is finished is kept, and the same command goes on from there",
            file=sys.stderr,
        )
        raise SystemExit(130) from None
    if ended := getattr(run, "ended", None):
        ended()


def _run(name: str, run: Callable[[DictConfig], None], words: Sequence[str]) -> None:
    """Run a job as its words say. SystemExit, behind one line on stderr, if the user can correct what is wrong."""
    try:
        _check_texts(name, words)
        if {"-h", "--help"} & set(words):
            print(page(CONF, name, _program()))
        elif any(word.startswith("-") for word in words):
            _by_hydra(name, run, words)
        else:
            _told(run, _settings(name, words))
        sys.stdout.flush()  # here, so that a reader who has read enough is no error at the end
    except UserError as error:
        _fail(error)
    except BrokenPipeError:  # the reader of the output has read enough
        _write_no_more()
    except OSError as error:
        said = refused(error)
        if said is None:
            raise
        _write_no_more()
        _fail(UserError(said))


def _told(run: Callable[[DictConfig], None], config: DictConfig) -> None:
    """Run a job; UserError where Lance says that it may not write, or that a file is damaged or missing."""
    try:
        run(config)
    except (OSError, RuntimeError, ValueError) as error:
        if getattr(error, "errno", None) is not None:
            raise
        store = f"store.root={(config.get('store') or {}).get('root')}"
        said = refused(error, store)
        if said is None and (file := damaged(error)):
            said = (
                f"a file under {store} is damaged or missing ({file}): jobs/maintain.py verify=true names the "
                "conversations to erase and index again; rows that belong to none go with keep=1"
            )
        if said is None:
            raise
        raise UserError(said) from None


def _write_no_more() -> None:
    """Take what is still buffered for stdout nowhere, so that the interpreter's end does not fail with it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _check_texts(name: str, words: Sequence[str]) -> None:
    """UserError where an id or a question is no text that can be stored (a path may be none), or what OmegaConf takes
    for a value that is not given."""
    for word in words:
        if key(word) not in (*TEXTS, *TEXTS_OF.get(name, ())):
            continue
        if word.partition("=")[2] == "???":
            raise UserError(
                f"{key(word)}='???': three question marks alone mean that no value is given; write something else"
            )
        check_text(key(word), word.partition("=")[2])


def _settings(name: str, words: Sequence[str]) -> DictConfig:
    """As `load`, but in most runs without Hydra."""

    def compose(rest: Sequence[str]) -> dict[str, Any]:
        from omegaconf import OmegaConf

        return cast("dict[str, Any]", OmegaConf.to_container(load(name, rest)))

    # A text whose key is a group's is renamed for Hydra.
    found = None if name in TEXTS_OF else settings(name, words, CONF, compose, TEXTS, NAMES)
    return load(name, words) if found is None else cast("DictConfig", found)


def _program() -> str:
    return sys.argv[0] if sys.argv[0].startswith("memfold ") else f"python {sys.argv[0]}"


def _fail(error: UserError) -> NoReturn:
    print(f"error: {error}", file=sys.stderr)
    raise SystemExit(2) from None


def _by_hydra(name: str, run: Callable[[DictConfig], None], words: Sequence[str]) -> None:
    """Run as Hydra's flags say, after reporting everything that can be known to be wrong."""
    import hydra
    from hydra._internal.utils import get_args_parser

    parser = get_args_parser()
    parser.error = _wrong_flag  # type: ignore[method-assign]
    asked = parser.parse_intermixed_args(list(words))
    # Hydra takes the overrides in one row only.
    flags = list(words)
    for override in asked.overrides:
        flags.remove(override)
    sys.argv[1:] = [*flags, *_literal(name, asked.overrides, sweep=asked.multirun)]
    elsewhere = (asked.config_path, asked.config_name, asked.config_dir, asked.experimental_rerun)
    if not (asked.hydra_help or asked.shell_completion or any(elsewhere)):
        overrides = _literal(name, asked.overrides, sweep=asked.multirun)
        for one in _runs(overrides) if asked.multirun else [overrides]:
            config = _load(name, one)
            if asked.multirun:
                _ = [build(node, place) for place, node in _outermost(config)]
    before = os.environ.get("HYDRA_FULL_ERROR")
    os.environ["HYDRA_FULL_ERROR"] = "1"  # to be given Hydra's errors instead of having them printed
    try:
        with _one_line_each():
            hydra.main(str(CONF), name, version_base="1.3")(partial(_as_ever, run))()
    finally:
        os.environ.pop("HYDRA_FULL_ERROR")
        if before is not None:
            os.environ["HYDRA_FULL_ERROR"] = before


def _wrong_flag(message: str) -> NoReturn:
    raise UserError(f"{message}; --help lists the flags")


def _runs(words: Sequence[str]) -> list[list[str]]:
    """The words of each run of a sweep, as Hydra's own sweeper multiplies them; none if only Hydra can tell."""
    from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
    from hydra.core.override_parser.overrides_parser import OverridesParser

    if any("glob(" in word or key(word).startswith(("hydra/", "hydra.sweeper")) for word in words):
        return []
    with _one_line_each():
        parsed = OverridesParser.create().parse_overrides(list(words))
        (runs,) = BasicSweeper.split_arguments(parsed, None)
    return runs


def _as_ever(run: Callable[[DictConfig], None], config: DictConfig) -> None:
    # Hydra has every library log what it does, a line for each request to a model among it.
    logging.getLogger().setLevel(logging.WARNING)
    try:
        _import_named(config)
        _told(run, config)
    except UserError as error:
        _fail(error)
