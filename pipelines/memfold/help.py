"""A job's `--help`, read from its yamls: what it does, its keys, its groups with their choices, examples.

In `conf/<job>.yaml` the comment at the top says what the job does; its indented lines are examples. A comment behind a
key says what the key is, there and in a group's yamls. Knows nothing of what is composed from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from memfold.yamls import CONF, choices, groups, package_of

_LINE = re.compile(r"( *)(\w+):(?:\s+(.*?))?(?:\s\s+#\s+(.*))?")
_FLAGS = """\
--cfg job           print the whole configuration and do nothing else
-m, --multirun      one run for each value: key=a,b (a comma in quotes is a comma)
--config-dir DIR    look for choices of one's own in DIR too; hydra.searchpath=[file://DIR] does the same
--hydra-help        Hydra's other flags"""


def page(job: str, program: str, made: Mapping[str, str]) -> str:
    """The help of a job; `program` is how it was called, and `made` are the choices made beside `--help`, by group:
    their keys are shown."""
    said, examples = _head(CONF / f"{job}.yaml")
    default = groups(job)
    own = [*_written(CONF / f"{job}.yaml", "")]
    chosen = [line for group in default for line in _of_group(group, made.get(group, default[group]))]
    # What is read last holds: a group's choice sets what an engine's yaml has, and the job's yaml sets either.
    value = {place: there for place, there, _ in (*chosen, *own)}
    keys = {f"{place}={value[place] or '…'}": about for place, _, about in (*own, *chosen) if about}
    offered = [(group, _choices(group, default[group])) for group in default]
    parts = [
        said,
        f"usage: {program} [key=value …] [group=choice …] [flag …]",
        _block("keys", [*keys.items()]),
        _block("groups (group=choice --help shows the keys of a choice)", offered),
        "\n".join(["examples", *(f"  {program} {example}" for example in examples)]),
        "\n".join(["flags", *(f"  {line}" for line in _FLAGS.splitlines())]),
    ]
    return "\n\n".join(part for part in parts if part)


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


def _written(path: Path, above: str) -> Iterator[tuple[str, str, str]]:
    """The full keys of a yaml, each with what it is set to, and those that stand in no other with the comment behind
    them. One whose name is a group's ends with an underscore there."""
    within: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if key := _LINE.fullmatch(line):
            within[len(key[1]) // 2 :] = [key[2].rstrip("_")]
            value = "" if key[3] in (None, "null", "???") else key[3].strip("'\"")
            yield f"{above}{'.'.join(within)}", value, "" if key[1] else key[4] or ""


def _of_group(group: str, choice: str) -> Iterator[tuple[str, str, str]]:
    for name in re.findall(r"[\w.-]+", choice):
        path = CONF / group / f"{name}.yaml"
        if path.is_file():
            yield from _written(path, f"{package_of(path, group)}.")


def _choices(group: str, default: str) -> str:
    return f"{', '.join(sorted(choices(group)))} (default: {default if default != 'null' else 'none'})"


def _block(title: str, rows: list[tuple[str, str]]) -> str:
    if not rows:
        return ""
    width = min(36, max(len(name) for name, _ in rows))
    return "\n".join([title, *(f"  {name:<{width}}  {said}" for name, said in rows)])
