"""Everything that others may use says what it does: modules, and classes and functions without a leading underscore."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    path for folder in ("pipelines", "kernels", "jobs") for path in (ROOT / folder).rglob("*.py")
)
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def silent(text: str) -> Iterator[str]:
    """What has no docstring. An overload has its implementation's."""

    def look(node: Documented, name: str) -> Iterator[str]:
        if not ast.get_docstring(node):
            yield name
        if isinstance(node, ast.Module | ast.ClassDef):
            for each in node.body:
                if isinstance(each, Documented) and not _private(each):
                    yield from look(each, f"{name}.{each.name}")

    yield from look(ast.parse(text), "module")


def _private(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return node.name.startswith("_") or any(ast.unparse(each) == "overload" for each in node.decorator_list)


def test_everything_public_has_a_docstring() -> None:
    assert {str(path): found for path in SOURCES if (found := [*silent(path.read_text())])} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = 1", ["module"]),
        ('"""M."""\ndef f(): ...\ndef _g(): ...', ["module.f"]),
        (
            '"""M."""\nclass A:\n    """A."""\n    async def f(self): ...\n    def __len__(self): ...',
            ["module.A.f"],
        ),
        ('"""M."""\nclass A:\n    @property\n    def f(self): ...', ["module.A", "module.A.f"]),
    ],
)
def test_control_what_says_nothing_is_found(text: str, found: list[str]) -> None:
    assert list(silent(text)) == found
