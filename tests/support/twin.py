"""The toy's twin, which breaks the contract: what it makes depends on what it made before, whoever's it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from support.toy import Toy

# All that was heard, from whomever, by this process.
HEARD: list[str] = []


@dataclass(frozen=True)
class Twin(Toy):
    """The toy with a memory of its own."""

    def row(self, name: str, of: str, count: int, words: Sequence[str]) -> pa.Table:
        HEARD.extend(words)
        return super().row(name, of, len(HEARD), HEARD)


class Astray(Toy):
    """The toy that puts its rows into another part."""

    def row(self, name: str, of: str, count: int, words: Sequence[str]) -> pa.Table:
        return super().row("astray", of, count, words)


class Foreign(Toy):
    """The toy that gives its rows to another conversation."""

    def row(self, name: str, of: str, count: int, words: Sequence[str]) -> pa.Table:
        return super().row(name, "astray", count, words)
