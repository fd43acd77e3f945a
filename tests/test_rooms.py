"""Folders import downwards only: what is above may be taken away without those below noticing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "pipelines" / "memfold"

# From the ground up; a folder imports none that comes after it. Those on one line are one room.
ROOMS = (
    (
        *(
            "errors",
            "forked",
            "given",
            "complaints",
            "build",
            "config",
            "entry",
            "settings",
            "words",
            "help",
            "yamls",
            "moment",
            "cli",
            "streams",
            "lean",
            "once",
            "cache",
            "digest",
            "zones",
        ),
        *("schema", "cluster", "submitted", "watch", "beside", "memory"),
    ),
    ("text",),
    ("store",),
    ("embed",),
    ("llm",),
    ("ingest",),
    ("extract",),
    ("layers",),
    ("retrieve",),
    ("context",),
    ("run",),
    ("api",),
    ("serve",),
    ("evaluate",),
    ("quantize",),
)
FLOOR = {name: floor for floor, names in enumerate(ROOMS) for name in names}
# Imported by anyone, because it builds anyone: so it may know only this.
BUILDER, BUILDER_KNOWS = "build", {"errors", "complaints"}

Import = tuple[str, str, str]  # where, the room it is in, the room it imports


def rooms(package: Path) -> set[str]:
    return {path.relative_to(package).with_suffix("").parts[0] for path in package.rglob("*.py")} - {
        "__init__"
    }


def imports(package: Path) -> Iterator[Import]:
    """Every import of one room by another, wherever in a module it stands. The package's own door, `__init__.py`, is
    none of its rooms: it lets in whoever imports memfold."""
    known = rooms(package)
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        here = parts[0]
        if here == "__init__":
            continue
        where = (package.name, *parts[:-1])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name in _named(node, where):
                top, _, rest = name.partition(".")
                room = rest.partition(".")[0]
                if top == package.name and room in known and room != here:
                    yield f"{'/'.join(parts)}.py:{getattr(node, 'lineno', 0)}", here, room


def _named(node: ast.AST, where: tuple[str, ...]) -> list[str]:
    """What an import names, in full; `where` is the package of the module it stands in."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    base = where[: len(where) + 1 - node.level] if node.level else ()
    base = (*base, *([node.module] if node.module else []))
    return [".".join((*base, alias.name)) for alias in node.names]


def upwards(package: Path) -> list[str]:
    return [f"{at} imports {room}" for at, here, room in imports(package) if FLOOR[room] > FLOOR[here]]


def knots(package: Path) -> list[str]:
    """The rooms that import themselves by way of others."""
    above: dict[str, set[str]] = {}
    for _, here, room in imports(package):
        above.setdefault(here, set()).add(room)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = [start]
        while todo:
            new = above.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        return seen

    return sorted(room for room in above if room in reached(room))


def made_up(root: Path, **modules: str) -> Path:
    package = root / "memfold"
    for name, text in modules.items():
        path = package / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return package


def test_every_room_has_its_place() -> None:
    assert rooms(PACKAGE) == set(FLOOR)


def test_no_room_imports_one_above_it() -> None:
    assert upwards(PACKAGE) == []


def test_no_room_imports_itself_by_way_of_others() -> None:
    assert knots(PACKAGE) == []


def test_what_builds_anything_knows_nothing() -> None:
    assert {room for _, here, room in imports(PACKAGE) if here == BUILDER} <= BUILDER_KNOWS


def test_an_import_upwards_is_found_wherever_it_stands(tmp_path: Path) -> None:
    package = made_up(
        tmp_path,
        errors="import json\n",
        text__tokens="from memfold.errors import UserError\n",
        llm__pool="from memfold.text import tokens\nfrom memfold import layers\n",
        llm__backends__vllm="def f():\n    import memfold.run.ray\n",
        layers__layer="if TYPE_CHECKING:\n    from memfold.api import Store\nfrom memfold import llm\n",
        run__ray="from ..layers import layer\nfrom .. import errors\nfrom ..serve.app import App\n",
        api="import memfold\n",
        serve__app="",
    )
    assert upwards(package) == [
        "layers/layer.py:2 imports api",
        "llm/backends/vllm.py:2 imports run",
        "llm/pool.py:2 imports layers",
        "run/ray.py:3 imports serve",
    ]


def test_a_knot_is_found(tmp_path: Path) -> None:
    package = made_up(
        tmp_path,
        text__terms="from memfold.store import tables\n",
        store__tables="from memfold.embed import cache\n",
        embed__cache="from memfold.text import terms\n",
        llm__pool="from memfold.text import terms\n",
    )
    assert knots(package) == ["embed", "store", "text"]
