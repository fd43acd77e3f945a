"""What a model wrote of each exchange, or what was recorded of it, as one line that may stand for the exchange."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pyarrow as pa

from memfold.extract.contract import by_rules

# Recorded summaries have 150 to 220 characters and stand alone. The prompt of memfold's own engines has the summary
# leave out what facts and notes say: a line that is shorter than this goes on with those.
ENOUGH = 120


def written(extractions: pa.Table | None, notes: pa.Table | None) -> dict[int, str]:
    """The lines, by exchange. None of what the rules wrote, which repeats the user's words.

    `extractions` and `notes` have the columns of `memfold.schema`; None where they are not there.
    """
    if extractions is None:
        return {}
    noted: dict[int, list[str]] = defaultdict(list)
    if notes is not None:
        columns = notes.sort_by([("exchange_id", "ascending"), ("n", "ascending")])
        for exchange, text in zip(
            *(columns[name].to_pylist() for name in ("exchange_id", "text")), strict=True
        ):
            noted[exchange].append(text)
    lines = {
        row["exchange_id"]: line(
            [
                row["summary"],
                *noted[row["exchange_id"]],
                *(f"{fact['key']} = {fact['value']}" for fact in row["facts"]),
            ]
        )
        for row in extractions.select(["exchange_id", "summary", "facts", "made_by"]).to_pylist()
        if not by_rules(row["made_by"])
    }
    return {exchange: text for exchange, text in lines.items() if text}


def line(parts: Iterable[str]) -> str:
    """So many of the parts, from the first on, as make `ENOUGH` characters; empty where all of them are."""
    said = ""
    for part in filter(None, parts):
        if len(said) >= ENOUGH:
            break
        said = f"{said.removesuffix('.')}; {part}" if said else part
    return said
