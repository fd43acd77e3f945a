"""What a long job shows of itself while it runs. Knows no job."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

# A line this often where there is no terminal: a log of a night stays under a thousand lines.
SECONDS_A_LINE = 30.0
REASONS_SHOWN = 3
# A reason may quote an error's words, so there may be as many as exchanges.
REASONS_TOLD = 20


@dataclass
class Report:
    """The progress of a job. If `shown`, it goes to stderr: a bar on a terminal, lines elsewhere (at least one at
    the start and the end of each stage). Shows the stage, how much of it is done, the rate and the time left; dead
    letters by reason, the exchanges that the rules stood in for, and the tokens and dollars spent. `told` gives the
    same counts for the job's JSON."""

    shown: bool = False
    dead: Counter[str] = field(default_factory=Counter)
    fallback: int = 0
    # By process: each says what it has spent since it began, and why the rules stood in.
    spent: dict[str, tuple[int, float]] = field(default_factory=dict)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)
    _stage: str = ""
    _unit: str = ""
    _done: int = 0
    _total: int | None = None
    _began: float = 0.0
    _last: float = 0.0
    _bar: Any = None
    _task: Any = None

    def stage(self, name: str, total: int | None = None, unit: str = "messages") -> None:
        """Begin a stage of `total` units (None: unknown)."""
        self.close()
        self._stage, self._total, self._unit, self._done = name, total, unit, 0
        self._began = self._last = time.monotonic()
        if self.shown and sys.stderr.isatty():
            self._draw()
        else:
            of = "" if total is None else f" of {total:,} {unit}"
            self._line(f"{name}{of}")

    def advance(self, by: int = 1) -> None:
        """Count so many more units as done."""
        self._done += by
        now = time.monotonic()
        if self._bar is not None:
            said = self._how_far(now) + self._notes()
            self._bar.update(self._task, completed=self._done, said=said)
        elif now - self._last >= SECONDS_A_LINE:
            self._last = now
            self._line(f"{self._stage}: {self._how_far(now)}{self._notes()}")

    def expect(self, more: int) -> None:
        """Add units to the stage, or with a negative number take them away."""
        if self._total is not None:
            self._total += more
        if self._bar is not None:
            self._bar.update(self._task, total=self._total)

    def note(self, text: str) -> None:
        """Say something in the midst of a stage."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False, highlight=False)
        else:
            self._line(text)

    def say(self, text: str) -> None:
        """Print a line between stages."""
        self.close()
        self._line(text)

    def close(self) -> None:
        """End the last stage."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        if self._stage:
            now = time.monotonic()
            self._line(f"{self._stage}: {self._how_far(now)}, {now - self._began:.1f} s{self._notes()}")
            self._stage = ""

    def told(self) -> dict[str, object]:
        """The counts that are not 0."""
        tokens, usd = self._spent()
        found: dict[str, object] = {"dead_letter_reasons": dict(self.dead.most_common())} if self.dead else {}
        if reasons := self._reasons():
            found["fallback_reasons"] = dict(reasons.most_common(REASONS_TOLD))
        if tokens:
            found |= {"model_tokens": tokens, "usd": round(usd, 6)}
        return found

    def _spent(self) -> tuple[int, float]:
        return sum(tokens for tokens, _ in self.spent.values()), sum(usd for _, usd in self.spent.values())

    def _reasons(self) -> Counter[str]:
        return sum(self.reasons.values(), Counter[str]())

    def _notes(self) -> str:
        tokens, usd = self._spent()
        reasons = self._reasons()
        notes = [
            f"{self.dead.total():,} dead letters{_most(self.dead)}" if self.dead else "",
            f"{self.fallback:,} exchanges by the rules instead{_most(reasons)}" if self.fallback else "",
            f"{tokens:,} tokens, ${usd:,.2f}" if tokens else "",
        ]
        return "".join(f"; {note}" for note in notes if note)

    def _how_far(self, now: float) -> str:
        took = now - self._began
        rate = self._done / took if took > 0 else 0.0
        text = f"{self._done:,}" + ("" if self._total is None else f" of {self._total:,}") + f" {self._unit}"
        text += f", {rate:,.0f} per s"
        if self._total is not None and rate > 0 and self._total > self._done:
            text += f", {timedelta(seconds=round((self._total - self._done) / rate))} left"
        return text

    def _line(self, text: str) -> None:
        if self.shown:
            print(text, file=sys.stderr, flush=True)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[said]}", markup=False),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task(self._stage, total=self._total, said="")
        self._bar.start()


def _most(reasons: Counter[str]) -> str:
    """The most frequent of some reasons, in brackets."""
    shown = ", ".join(f"{count:,} × {reason}" for reason, count in reasons.most_common(REASONS_SHOWN))
    return f" ({shown})" if shown else ""
