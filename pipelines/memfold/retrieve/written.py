"""One line for each exchange, from what a model wrote of it or what was recorded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from memfold.extract.contract import by_rules
from memfold.extract.filed import MADE_BY
from memfold.once import derived
from memfold.retrieve.view import View
from memfold.text.scripts import characters

# Letters. Recorded summaries have 150 to 220 and say everything. The prompt of memfold's own engines leaves out of the
# summary what facts and notes say, so a line shorter than this continues with those.
ENOUGH = 120


def written(extractions: pa.Table | None, notes: Callable[[], pa.Table | None]) -> dict[int, str]:
    """The lines, by exchange. An exchange that the rules wrote of has none, since they repeat the user's words, and
    neither has a memory that a program filed, since it is short already.

    `extractions` and the rows that `notes` returns have the columns of `memfold.schema`; either may be None. `notes` is
    called only if there are lines.
    """
    if extractions is None:
        return {}
    makers = {
        name
        for name in pc.unique(extractions["made_by"]).to_pylist()
        if not (by_rules(name) or name == MADE_BY)
    }
    if not makers:
        return {}
    kept = extractions.select(["exchange_id", "summary", "facts", "made_by"])
    rows = kept.filter(pc.field("made_by").isin(sorted(makers))).to_pylist()
    noted = _noted(notes())
    lines = {
        row["exchange_id"]: line(
            [
                row["summary"],
                *noted[row["exchange_id"]],
                *(f"{fact['key']} = {fact['value']}" for fact in row["facts"]),
            ]
        )
        for row in rows
    }
    return {exchange: text for exchange, text in lines.items() if text}


def line(parts: Iterable[str]) -> str:
    """The parts, joined on one line, up to the one that reaches `ENOUGH` letters; empty if all parts are empty."""
    said = ""
    for part in filter(None, (" ".join(part.split()) for part in parts)):
        if len(said) >= characters(said, ENOUGH):
            break
        said = f"{said.rstrip('.。')}; {part}" if said else part
    return said


def _noted(notes: pa.Table | None) -> dict[int, list[str]]:
    """The notes' texts by exchange, in their order."""
    noted: dict[int, list[str]] = defaultdict(list)
    if notes is not None:
        rows = notes.select(["exchange_id", "n", "text"]).sort_by(
            [("exchange_id", "ascending"), ("n", "ascending")]
        )
        for row in rows.to_pylist():
            noted[row["exchange_id"]].append(row["text"])
    return noted


@derived
def written_of(view: View) -> Mapping[int, str]:
    """A line that a model wrote of each exchange; nothing where the rules wrote."""
    return written(view.extracted("extractions"), lambda: view.extracted("notes"))
