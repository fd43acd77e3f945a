"""What a job's words compose to, kept for its next run: Hydra takes a fifth of the time to a first answer.

Knows no config: the function that composes is passed in. Words that are taken literally (a question, an id, a path) are
removed before and put back afterwards, so no file of the cache holds them, and another question finds what was kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from memfold.cache import cache_folder, is_ours
from memfold.errors import UserError
from memfold.words import verbatim

# Compositions kept of each job: who asks mostly asks in one or two ways.
KEPT = 8


class Settings(dict[str, Any]):
    """Composed settings, read by key or attribute as OmegaConf's are; the groups in them are plain."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def settings(
    job: str,
    words: Sequence[str],
    conf: Path,
    compose: Callable[[Sequence[str]], Mapping[str, Any]],
    texts: Sequence[str],
    names: Sequence[str],
) -> Settings | None:
    """The settings of a job whose yamls lie in `conf`, composed or kept; None if only OmegaConf can compose them, or
    say what is wrong. `compose` gives what words stand for, with no reference filled in; `texts` and `names` are
    keys whose values are taken literally (`memfold.words`)."""
    stand, rest = verbatim(words, texts, names)
    if stand is None or any(word.lstrip("+~").startswith("hydra") for word in rest):
        return None
    try:
        path, name = cache_folder() / f"settings-{job}.json", _name(conf, rest)
    except (OSError, UserError):  # a yaml that cannot be read, no home folder
        return None
    if name is None:
        return None
    kept = _read(path)
    if name not in kept:
        made = dict(compose(rest))
        kept[name] = made if _is_plain(made) and not _holds_options(made) else None
        _write(path, dict([*kept.items()][-KEPT:]))
    composed = kept[name]
    if composed is None:
        return None
    found = Settings(composed)
    return found if all(_put(found, *pair) for pair in stand) and not _is_missing(found) else None


def _name(conf: Path, words: Sequence[str]) -> str | None:
    """What a composition depends on: its words, every yaml, and who composes. None where yamls lie elsewhere too."""
    parts: list[tuple[str, str]] = []
    for folder, _, files in os.walk(conf, followlinks=True):
        for file in files:
            # What begins with a dot is an editor's or another system's.
            if file.endswith(".yaml") and not file.startswith("."):
                path = Path(folder, file)
                text = path.read_bytes().decode(errors="surrogateescape")
                if "searchpath" in text:
                    return None
                parts.append((os.path.relpath(path, conf), text))
    made_by = [_version(name) for name in ("memfold", "hydra-core")]
    return hashlib.blake2b(
        json.dumps([made_by, list(words), sorted(parts)]).encode(), digest_size=16
    ).hexdigest()


def _version(name: str) -> str | None:
    """The version that is installed; None of what is on the path and not installed, as memfold is in .venv-vllm."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _read(path: Path) -> dict[str, dict[str, Any] | None]:
    """What is kept; nothing where that cannot be read, or is another user's."""
    with suppress(OSError, ValueError):
        kept = json.loads(path.read_text(encoding="utf-8")) if is_ours(path) else {}
        if isinstance(kept, dict):
            return {name: made for name, made in kept.items() if made is None or isinstance(made, dict)}
    return {}


def _holds_options(made: Any) -> bool:
    """Whether it holds options of a store. They may be secrets, and are never written to disk."""
    if isinstance(made, dict):
        return bool(made.get("options")) or any(map(_holds_options, made.values()))
    return False


def _write(path: Path, kept: Mapping[str, Any]) -> None:
    """The file appears whole or not at all; without a writable folder, everything is composed every time."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as aside:
            json.dump(kept, aside)
        Path(aside.name).replace(path)


def _is_plain(value: Any) -> bool:
    """Whether JSON gives it back as it is, and there is nothing left to fill in or to import."""
    if isinstance(value, dict):
        target = value.get("_target_", "memfold.")
        names = all(isinstance(name, str) for name in value)
        return names and str(target).startswith("memfold.") and all(map(_is_plain, value.values()))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return "${" not in value if isinstance(value, str) else value is None or isinstance(value, int | float)


def _put(found: dict[str, Any], place: str, value: str) -> bool:
    """Set a value; whether there is such a place, and it holds one."""
    *above, last = place.split(".")
    for name in above:
        below = found.get(name)
        if not isinstance(below, dict):
            return False
        found = below
    if last not in found or isinstance(found[last], dict | list):
        return False
    found[last] = value
    return True


def _is_missing(value: Any) -> bool:
    """Whether a value is left that has to be given."""
    if isinstance(value, dict | list):
        return any(map(_is_missing, value.values() if isinstance(value, dict) else value))
    return bool(value == "???")
