"""Every ASCII text that a pattern matches holds one of its cues: read from the pattern itself."""

from __future__ import annotations

import re
import re._constants as op  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from memfold.extract.engines.rules import en
from memfold.layers.profile import worked_on
from memfold.layers.state import choosing
from memfold.text import addressed
from memfold.text.cued import Cued

PATTERNS = {
    "addressed._SHOWS": addressed._SHOWS,
    "addressed._OTHERS": addressed._OTHERS,
    "choosing._TAIL": choosing._TAIL,
    **{f"worked_on.{n}": each for n, each in enumerate(worked_on._BEGINS)},
    **{f"en.{n}": rule.pattern for n, rule in enumerate(en.RULES) if isinstance(rule.pattern, Cued)},
}

# Without case these match the letters s, k and i.
FOLDED = frozenset(map(ord, "\u017f\u212a\u0130\u0131"))

# How a text that matches may begin: whether it holds a cue by now, and the letters that are certain at its end.
State = tuple[bool, str]


def lacking(cued: Cued) -> set[str]:
    """The ends of the ASCII texts that match and need not hold a cue."""

    def after(state: State, letter: str) -> State:
        held, end = state
        end = (end + letter)[-24:]
        return held or end.endswith(cued.cues), end

    def through(states: set[State], items: Iterable[tuple[Any, Any]]) -> set[State]:
        for kind, of in items:
            states = step(states, kind, of)
        return states

    def step(states: set[State], kind: Any, of: Any) -> set[State]:
        if kind is op.LITERAL and of not in FOLDED:
            return {after(state, chr(of).lower()) for state in states} if of < 128 else set()
        if kind is op.IN and all(each is op.LITERAL and code not in FOLDED for each, code in of):
            letters = {chr(code).lower() for _, code in of if code < 128}
            return {after(state, letter) for state in states for letter in letters}
        if kind is op.BRANCH:
            return set().union(*(through(states, each) for each in of[1]))
        if kind is op.SUBPATTERN:
            return through(states, of[-1])
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            least, most, inner = of
            once = through(states, inner)
            more = {(held, "") for held, _ in once} if most > 1 else set()
            return once | more | (states if least == 0 else set())
        if kind is op.ATOMIC_GROUP:
            return through(states, of)
        if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):
            return states
        return {(held, "") for held, _ in states}

    flags = cued.pattern.flags & (re.IGNORECASE | re.VERBOSE | re.MULTILINE)
    ends = through({(False, "")}, parser.parse(cued.pattern.pattern, flags))
    return {end for held, end in ends if not held}


@pytest.mark.parametrize("name", PATTERNS)
def test_each_match_holds_a_cue(name: str) -> None:
    assert PATTERNS[name].pattern.flags & re.IGNORECASE
    assert all(cue == cue.lower() and cue.isascii() for cue in PATTERNS[name].cues)
    assert lacking(PATTERNS[name]) == set()


def test_these_are_all() -> None:
    folder = Path(str(files("memfold")))
    made = sum(len(re.findall(r"\bcued\(\n", path.read_text())) for path in folder.rglob("*.py"))
    assert made == len(PATTERNS)


def test_a_pattern_that_can_do_without_its_cues_is_found() -> None:
    for pattern in (
        r"due|by",
        r"\bd(?:ue)?",
        r"due\s*by|d[uv]e",
        r"(?:due)*",
        r"du\we",
        "\u017f|due",
        "[\u212a]|due",
    ):
        assert lacking(Cued(re.compile(pattern, re.IGNORECASE), ("due",))), pattern
    for pattern in (
        r"\bdue\s+(?:by|on)",
        r"o(?:ver|n)due",
        r"d(?:ue)",
        r"(?:due)+x",
        r"überall|due",
        r"(?!x)d[u]e",
    ):
        assert not lacking(Cued(re.compile(pattern, re.IGNORECASE), ("due",))), pattern


def test_it_is_looked_for_where_a_cue_stands_and_in_other_scripts() -> None:
    cued = Cued(re.compile(r"\bdue\b|到期", re.IGNORECASE), ("due",))
    assert [bool(cued.search(text)) for text in ("It is DUE", "residue", "已到期", "paid")] == [
        True,
        False,
        True,
        False,
    ]
