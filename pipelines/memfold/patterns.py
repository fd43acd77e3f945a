"""Regular expressions that modules compile when they are imported, kept for a job's next run.

Python writes a pattern down as numbers, in Python, and makes the matcher of them, in C. The first takes .3 s of the 2.4
of the processor that a question takes (203 patterns of memfold, 170 of what it imports; decision 49), and its result is
the same as long as Python is. So the numbers are kept, as bytecode is. Where anything is not as expected, Python
compiles as ever. Knows no pattern.
"""

from __future__ import annotations

import importlib
import marshal
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import local
from typing import Any

from memfold.cache import cache_folder, is_ours
from memfold.errors import UserError

# The C half of `re`, which has no type stubs.
_sre: Any = importlib.import_module("_sre")

# What a matcher is made of: its flags, numbers, how many groups, and their names.
Made = tuple[int, list[int], int, dict[str, int]]
Known = dict[tuple[str | bytes, int], Made]


@contextmanager
def kept(job: str) -> Iterator[None]:
    """Inside, what was compiled in an earlier run is not compiled again, and what is new is kept for the next.

    Only for imports: a pattern made of a question's words would be written to disk with them.
    """
    compiler = getattr(re, "_compiler", None)  # Python 3.11 and later
    if compiler is None:
        yield
        return
    try:
        path = cache_folder() / f"patterns-{job}.{sys.hexversion:x}-{_sre.MAGIC}"
    except UserError:  # no home folder
        yield
        return
    known = _read(path)
    used: Known = {}
    compile_, code = compiler.compile, compiler._code
    compiler.compile, compiler._code = _looked_up(known, used, compile_, code)
    try:
        yield
    finally:
        compiler.compile, compiler._code = compile_, code
    if used.keys() - known.keys():
        _write(path, used)


def _looked_up(
    known: Known, used: Known, compile_: Callable[..., re.Pattern[Any]], code: Callable[..., list[int]]
) -> tuple[Callable[..., re.Pattern[Any]], Callable[..., list[int]]]:
    """The compiler's two functions: the first looks for what is known, the second keeps what it writes."""
    written = local()  # imports go on in several threads

    def writing(*given: Any) -> list[int]:
        written.code = code(*given)
        return written.code  # type: ignore[no-any-return]

    def compiling(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
        if not isinstance(pattern, str | bytes):
            return compile_(pattern, flags)
        name = (pattern, int(flags))
        if name in known:
            with suppress(Exception):
                found = _matcher(pattern, *known[name])
                used[name] = known[name]
                return found
        found = compile_(pattern, flags)
        used[name] = (found.flags, list(map(int, written.code)), found.groups, dict(found.groupindex))
        return found

    return compiling, writing


def _matcher(
    pattern: str | bytes, flags: int, code: list[int], groups: int, names: dict[str, int]
) -> re.Pattern[Any]:
    by_number: list[str | None] = [None] * (groups + 1)
    for name, number in names.items():
        by_number[number] = name
    return _sre.compile(pattern, flags, code, groups, names, tuple(by_number))  # type: ignore[no-any-return]


def _read(path: Path) -> Known:
    """What is kept; nothing where that cannot be read, or is another user's."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        kept = marshal.loads(path.read_bytes()) if is_ours(path) else {}
        if isinstance(kept, dict):
            return kept
    return {}


def _write(path: Path, used: Known) -> None:
    """The file appears whole or not at all; without a writable folder, everything is compiled every time."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as aside:
            aside.write(marshal.dumps(used))
        Path(aside.name).replace(path)
