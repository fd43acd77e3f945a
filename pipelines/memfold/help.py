"""A job's `--help`, read from its yamls: what it does, its keys, its groups with their choices, examples.

In `conf/<job>.yaml` the comment at the top says what the job does; its indented lines are examples. A comment behind a
key says what the key is, there and in a group's yamls. Knows nothing of what is composed from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_KEY = re.compile(r"(\w+):(?:\s+(.*?))?\s\s+#\s+(.*)")
_DEFAULT = re.compile(r"\s+- (?:override )?/?(\w+): (.+)")
_INHERITED = re.compile(r"\s+- (\w+)\s*$")
_FLAGS = """\
--cfg job           print the whole configuration and do nothing else
-m, --multirun      one run for each value: key=a,b (a comma in quotes is a comma)
--config-dir DIR    look for choices of one's own in DIR too; hydra.searchpath=[file://DIR] does the same
--hydra-help        Hydra's other flags"""


def page(conf: Path, job: str, program: str) -> str:
    """The help of a job; `program` is how it was called."""
    said, examples = _head(conf / f"{job}.yaml")
    chosen = groups(conf, job)
    keys = [
        *_keys(conf / f"{job}.yaml", ""),
        *(line for group in chosen for line in _of_group(conf, group, chosen)),
    ]
    choices = [(group, _choices(conf / group, default)) for group, default in chosen.items()]
    parts = [
        said,
        f"usage: {program} [key=value …] [group=choice …] [flag …]",
        _block("keys", keys),
        _block("groups (group=choice; --cfg job shows the keys of what is chosen)", choices),
        "\n".join(["examples", *(f"  {program} {example}" for example in examples)]),
        "\n".join(["flags", *(f"  {line}" for line in _FLAGS.splitlines())]),
    ]
    return "\n\n".join(part for part in parts if part)


def groups(conf: Path, job: str) -> dict[str, str]:
    """The groups of a job, each with its default choice as it is written there."""
    found: dict[str, str] = {}
    for line in (conf / f"{job}.yaml").read_text(encoding="utf-8").splitlines():
        if inherited := _INHERITED.fullmatch(line):
            if inherited[1] != "_self_":
                found |= groups(conf, inherited[1])
        elif default := _DEFAULT.fullmatch(line):
            found[default[1]] = default[2].strip()
    return found


def purpose(path: Path) -> str:
    """The first line of what a job's yaml says it does: a sentence."""
    return next(iter(_head(path)[0].splitlines()), "")


def _head(path: Path) -> tuple[str, list[str]]:
    """What the comment at the top of a yaml says, and the examples in it."""
    said: list[str] = []
    examples: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        text = line.removeprefix("#")
        if text.startswith("     "):
            examples.append(text.strip())
        elif text.strip():
            said.append(text.strip())
    return "\n".join(said), examples


def _keys(path: Path, above: str) -> Iterator[tuple[str, str]]:
    """The keys of a yaml that have a comment behind them, with their defaults. One whose name is a group's ends with an
    underscore there."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if key := _KEY.fullmatch(line):
            default = "" if key[2] in (None, "null", "???") else key[2].strip("'\"")
            yield f"{above}{key[1].rstrip('_')}={default or '…'}", key[3]


def _of_group(conf: Path, group: str, chosen: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name in re.findall(r"[\w.-]+", chosen[group]):
        path = conf / group / f"{name}.yaml"
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            package = re.match(r"# @package (\S+)", text)
            yield from _keys(path, f"{package[1] if package else group}.")


def _choices(folder: Path, default: str) -> str:
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    return f"{', '.join(names)} (default: {default if default != 'null' else 'none'})"


def _block(title: str, rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    width = min(36, max(len(name) for name, _ in rows))
    return "\n".join([title, *(f"  {name:<{width}}  {said}" for name, said in rows)])
