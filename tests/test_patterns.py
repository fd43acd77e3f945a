"""Patterns kept from one run to the next find what newly compiled ones find."""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memfold.patterns import kept

TEXT = "Straße 12, МОСКВА am 3.\nMärz K 日本"
PATTERNS: list[tuple[str | bytes, int]] = [
    (r"(?P<word>[^\W\d]+)\s+(?P<number>\d+)", 0),
    (r"москва|straße|k", re.IGNORECASE),
    (r"^\w+ (?# where) (?=.)", re.MULTILINE | re.VERBOSE),
    (r"(a)?(m)(?(1)x|\s)", 0),
    (r"[日本]{2}$", 0),
    (rb"a(m)", 0),
]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path))
    return tmp_path


def seen(pattern: re.Pattern[Any]) -> tuple[object, ...]:
    text = TEXT.encode() if isinstance(pattern.pattern, bytes) else TEXT
    found = [
        (match.span(), match.groups(), match.groupdict(), match.lastgroup) for match in pattern.finditer(text)
    ]
    return pattern.pattern, pattern.flags, pattern.groups, dict(pattern.groupindex), found


def compiled() -> list[tuple[object, ...]]:
    re.purge()
    return [seen(re.compile(*each)) for each in PATTERNS]


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was written down as numbers anew."""
    made: list[object] = []
    parse: Callable[..., Any] = re._parser.parse  # type: ignore[attr-defined]
    monkeypatch.setattr(re._parser, "parse", lambda *given: made.append(given[0]) or parse(*given))  # type: ignore[attr-defined]
    return made


def test_what_was_compiled_before_is_not_compiled_again(cache: Path, translated: list[object]) -> None:
    expected = compiled()
    with kept("ask"):
        assert compiled() == expected
    assert len(translated) == 2 * len(PATTERNS)
    with kept("ask"):
        assert compiled() == expected
    assert len(translated) == 2 * len(PATTERNS)
    assert compiled() == expected
    assert len(translated) == 3 * len(PATTERNS)


def test_what_is_compiled_afterwards_is_not_written_down(cache: Path) -> None:
    with kept("ask"):
        compiled()
    re.compile("a secret of the user")
    (path,) = cache.glob("patterns-*")
    assert b"secret" not in path.read_bytes()
    assert b"word" in path.read_bytes()


BROKEN = {(pattern, int(flags)): (0, [1, 2], 9, {}) for pattern, flags in PATTERNS}


@pytest.mark.parametrize("text", [b"", b"no marshal", marshal.dumps([]), marshal.dumps(BROKEN)])
def test_a_broken_file_is_as_none(cache: Path, text: bytes) -> None:
    expected = compiled()
    with kept("ask"):
        compiled()
    (path,) = cache.glob("patterns-*")
    path.write_bytes(text)
    with kept("ask"):
        assert compiled() == expected


def test_what_is_wrong_with_a_pattern_is_said_as_ever(cache: Path) -> None:
    for _ in range(2):
        with kept("ask"), pytest.raises(re.error, match="unterminated"):
            re.compile("a(b")


def test_without_a_folder_to_write_to_all_are_compiled(cache: Path) -> None:
    expected = compiled()
    cache.rmdir()
    cache.write_text("no folder")
    with kept("ask"):
        assert compiled() == expected
