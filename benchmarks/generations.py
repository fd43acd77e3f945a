"""How long it takes to find and to append generations, by how many there are.

    python benchmarks/generations.py [--rows 1000 100000 1000000] [--root DIR]

For each size: one look-up of 64 and of 1,024 keys without an index (scan), with the index that
`memfold.llm.results.tended` makes, and with the index and `TAIL` commits that it does not know (tail); narrowed by a
condition on the conversation instead of an index; and one append of 32 rows. Medians of `TIMES`, with the table opened
anew each time, as a worker does.
The last line is JSON; rows go to results/generations.jsonl.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import pyarrow as pa
import pyarrow.compute as pc
from harness import keep

from memfold.digest import digest
from memfold.llm.generator import key_of
from memfold.llm.results import A_COMMIT, Results, generations, tended
from memfold.schema import GENERATIONS
from memfold.store.location import Location
from memfold.store.tables import Table

TIMES = 9
KEYS = (64, 1_024)
TAIL = 100
A_FILE = 100_000
# As many generations as 10 million tokens of conversation give.
A_CONVERSATION = 8_301
# An answer about one exchange, in characters.
TEXT = 700


def conversation(n: int) -> str:
    return f"conversation-{n // A_CONVERSATION}"


def key(n: int) -> str:
    return key_of(conversation(n), digest(n))


def made(first: int, last: int) -> pa.Table:
    """Rows that hold as much as generations do, with keys that can be known."""
    count, now = last - first, datetime.now(UTC)
    said = "".join(random.Random(first).choices("abcdefghijklmnopqrstuvwxyz     ", k=2 * TEXT))
    columns: dict[str, list[object]] = {
        "request": [key(n) for n in range(first, last)],
        "conversation_id": [conversation(n) for n in range(first, last)],
        "exchange_id": list(range(first, last)),
        "model": ["model"] * count,
        "text": [f"{n}{said[n % TEXT : n % TEXT + TEXT]}" for n in range(first, last)],
        "finish_reason": ["stop"] * count,
        "prompt_tokens": [900] * count,
        "completion_tokens": [160] * count,
        "cached_tokens": [400] * count,
        "written_at": [now] * count,
    }
    return pa.table(columns).cast(GENERATIONS)


def timed(work: Callable[[], object]) -> float:
    """The median of some runs, in milliseconds."""
    seconds = []
    for _ in range(TIMES):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return round(1e3 * median(seconds), 2)


def looked_up(table: Table, rows: int, keys: int, of: str) -> float:
    """Milliseconds to look up so many keys: "new" ones of one conversation, none of which is there, as in a first run;
    "one" conversation's, which are there; or those of "any"."""
    results, draw = Results(table, "model"), random.Random(0)
    most = min(rows, A_CONVERSATION)

    def find() -> None:
        start = draw.randrange(max(1, rows // most)) * most
        numbers = [draw.randrange(rows) if of == "any" else start + draw.randrange(most) for _ in range(keys)]
        if of == "new":
            assert not results.find([key_of(conversation(n), digest("new", n)) for n in numbers])
        else:
            wanted = {key(n) for n in numbers if n < rows}
            assert len(results.find(wanted)) == len(wanted)

    return timed(find)


def narrowed(table: Table, keys: int) -> float:
    """Milliseconds to find so many keys of one conversation by a condition on it, without an index."""
    draw, most = random.Random(0), min(A_CONVERSATION, table.count())

    def find() -> None:
        wanted = [key(draw.randrange(most)) for _ in range(keys)]
        where = (pc.field("conversation_id") == conversation(0)) & pc.field("request").isin(wanted)
        assert table.read(where=where).num_rows == len(set(wanted))

    return timed(find)


def measured(root: Path, rows: int) -> dict[str, object]:
    location = Location(str(root / str(rows)))
    location.make()
    table = generations(location)
    for first in range(0, rows, A_FILE):
        table.append(made(first, min(rows, first + A_FILE)))
    line: dict[str, object] = {"rows": rows}

    def look(how: str) -> None:
        for keys in KEYS:
            line.update(
                {f"{how}_{of}_{keys}_ms": looked_up(table, rows, keys, of) for of in ("new", "one", "any")}
            )

    look("scan")
    line |= {f"narrowed_one_{keys}_ms": narrowed(table, keys) for keys in KEYS}
    started = time.perf_counter()
    tended(location)
    line["tend_s"] = round(time.perf_counter() - started, 2)
    look("index")
    after = iter(range(rows, rows + 1_000_000, A_COMMIT))

    def append() -> None:
        first = next(after)
        table.append(made(first, first + A_COMMIT))

    line["append_ms"] = timed(append)
    for _ in range(TAIL - TIMES):
        append()
    line["append_after_tail_ms"] = timed(append)
    look("tail")
    return line


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 100_000, 1_000_000])
    parser.add_argument("--root", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.root) as folder:
        lines = [measured(Path(folder), rows) for rows in arguments.rows]
    for line in lines:
        print(line, flush=True)
    keep("generations", lines)
    print(json.dumps({"generations": lines}))


if __name__ == "__main__":
    main()
