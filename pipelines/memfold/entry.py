"""A job's command line: from its words to a run, and from how that ends to one line on stderr and an exit code.

Knows no job: its name and what it runs are passed in.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NoReturn, cast

from memfold import streams
from memfold.build import build
from memfold.complaints import one_line_each
from memfold.config import NAMES, TEXTS, TEXTS_OF, buildable, import_named, literally, load, loaded
from memfold.errors import OF_LANCE, UnknownConversation, UserError, damaged, refused
from memfold.given import check_text
from memfold.help import page
from memfold.settings import settings
from memfold.words import key, literal
from memfold.yamls import CONF, groups

if TYPE_CHECKING:
    from omegaconf import DictConfig


# The setting that a job is about: a word without a key most likely gives it.
_ABOUT = {"index": "source.path", "ask": "question", "erase": "conversation", "show": "conversation"}


def main(name: str, run: Callable[[DictConfig], None]) -> None:
    """A job's entry point: compose `conf/<name>.yaml` with the command line's overrides, and run.

    What the user can correct is one line on stderr and exit code 2; an interrupt (Ctrl-C or SIGTERM) is one line and
    130; if it surfaced as another error, that is printed first. `--help` shows the job's own page; Hydra handles its
    other flags (`--multirun`, `--cfg`, …). What `run` has as `ended` is called once the job has ended well.
    """
    streams.prepare()
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
        _check_settings(name, words)
        _check_texts(name, words)
        if {"-h", "--help"} & set(words):
            made = {
                key(word): word.partition("=")[2] for word in words if not word.startswith(("+", "~", "-"))
            }
            print(page(name, _program(), made))
        elif any(word.startswith("-") for word in words):
            _by_hydra(name, run, words)
        else:
            _told(run, _settings(name, words))
        streams.check()
    except UserError as error:
        _fail(error)
    except OSError as error:
        said = refused(error)
        if said is None:
            raise
        _fail(UserError(said))


def _told(run: Callable[[DictConfig], None], config: DictConfig) -> None:
    """Run a job; UserError if Lance says that it may not write, or that a file is damaged or missing. For an unknown
    conversation the error also names the job that lists all."""
    try:
        run(config)
    except UnknownConversation as error:
        if error.near:
            raise
        raise UserError(f"{error}: jobs/list.py lists those there are") from None
    except OF_LANCE as error:
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


def _check_settings(name: str, words: Sequence[str]) -> None:
    """UserError if a word is not a setting. Beside a flag it may be the flag's own, and Hydra checks it."""
    if any(word.startswith("-") for word in words):
        return
    about = _ABOUT.get(name)
    given = {key(word) for word in words}
    for before, word in pairwise(["", *words]):
        if "=" in word or word.startswith("~"):
            continue
        # What a shell has parted from the word before it holds no blank.
        there = os.path.exists(word)  # noqa: PTH110 (a word too long for a name is no file)
        whole = "/" in word or (about not in given and (" " in word or there))
        if word.partition(".")[0] in groups(name):
            cure = f"write {word}=…"
        elif "=" in before and not (about and whole):
            cure = f"if it belongs to {key(before)}, put quotes around all of it"
        else:
            cure = f"write {about}={word!r}" if about else "write key=value"
        raise UserError(f"{word!r} is no setting: {cure} (--help lists the keys)")


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
    overrides = literally(name, asked.overrides, sweep=asked.multirun)
    elsewhere = (asked.config_path, asked.config_name, asked.config_dir, asked.experimental_rerun)
    if not (asked.hydra_help or asked.shell_completion or any(elsewhere)):
        for one in _runs(overrides) if asked.multirun else [overrides]:
            config = loaded(name, one)
            if asked.multirun:
                _ = [build(node, place) for place, node in buildable(config)]
    before = os.environ.get("HYDRA_FULL_ERROR")
    os.environ["HYDRA_FULL_ERROR"] = "1"  # to be given Hydra's errors instead of having them printed
    try:
        with one_line_each(), _leaving_nothing(overrides, ours=not any(elsewhere)) as more:
            sys.argv[1:] = [*flags, *more, *overrides]
            hydra.main(str(CONF), name, version_base="1.3")(partial(_as_ever, run))()
    finally:
        os.environ.pop("HYDRA_FULL_ERROR")
        if before is not None:
            os.environ["HYDRA_FULL_ERROR"] = before


@contextmanager
def _leaving_nothing(overrides: Sequence[str], *, ours: bool) -> Iterator[list[str]]:
    """Settings with which Hydra keeps no records of a run: they hold questions, ids and a store's secrets, where no
    erasure finds them. Those that the user gives are left out, and all of them if the configuration is not `ours`.
    Hydra's folders stay where a setting names one, or where a job is to work in one."""
    folders = ("hydra.run.dir", "hydra.sweep.dir")
    given = {key(word) for word in overrides}
    with tempfile.TemporaryDirectory(prefix="memfold-hydra-") as folder:
        none = ["hydra.output_subdir=null"] if ours else []
        if ours and not any(each.startswith("hydra.job_logging.") for each in given):
            none.append("hydra/job_logging=none")
        named = any(re.search(r"\$\{hydra[:.][^}]*dir", word) for word in overrides)
        if ours and not named and "hydra.job.chdir" not in given:
            none += [literal(f"{place}={folder}", folders, (), sweep=False) for place in folders]
        yield [word for word in none if key(word) not in given]


def _wrong_flag(message: str) -> NoReturn:
    unknown = message.partition("unrecognized arguments: ")[2].split()
    keys = [word.lstrip("-") for word in unknown if "=" in word]
    how = f"without dashes ({' '.join(keys)})" if keys else "key=value"
    raise UserError(f"{message}; {f'keys are written {how}, and ' if unknown else ''}--help lists the flags")


def _runs(words: Sequence[str]) -> list[list[str]]:
    """The words of each run of a sweep, as Hydra's own sweeper multiplies them; none if only Hydra can tell."""
    from hydra._internal.core_plugins.basic_sweeper import BasicSweeper
    from hydra.core.override_parser.overrides_parser import OverridesParser

    if any("glob(" in word or key(word).startswith(("hydra/", "hydra.sweeper")) for word in words):
        return []
    with one_line_each():
        parsed = OverridesParser.create().parse_overrides(list(words))
        (runs,) = BasicSweeper.split_arguments(parsed, None)
    return runs


def _as_ever(run: Callable[[DictConfig], None], config: DictConfig) -> None:
    # Hydra has every library log what it does, a line for each request to a model among it.
    logging.getLogger().setLevel(logging.WARNING)
    try:
        import_named(config)
        _told(run, config)
    except UserError as error:
        _fail(error)
