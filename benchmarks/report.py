"""A table of a results file: of each command the newest run, with the columns asked for.

    python benchmarks/report.py probe [--columns tokens search_ms commit] [--all] [--rows 40]

`probe` is `benchmarks/results/probe.jsonl`. Without `--columns` those are shown that have more than one value, and the
commit. Lists and nested values are shown as JSON.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import polars as pl
from harness import RESULTS

# Where a row came from, and no figure.
PROVENANCE = ("command", "commit", "hardware", "python", "time")


def table(path: Path, columns: list[str], *, everything: bool = False) -> pl.DataFrame:
    """The rows of a file of results, the newest run of each command unless `everything` is asked for."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    flat = [
        {key: json.dumps(value) if isinstance(value, list | dict) else value for key, value in line.items()}
        for line in lines
    ]
    rows = pl.from_dicts(flat, infer_schema_length=None, strict=False)
    if not everything:
        rows = rows.filter(pl.col("time") == pl.col("time").max().over("command"))
    if not columns:
        columns = [name for name in rows.columns if name not in PROVENANCE and rows[name].n_unique() > 1] + [
            "commit"
        ]
    if unknown := [name for name in columns if name not in rows.columns]:
        raise SystemExit(f"--columns {unknown[0]}: {path.name} has {', '.join(rows.columns)}")
    return rows.select(columns)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = sorted(path.stem for path in RESULTS.glob("*.jsonl"))
    parser.add_argument("name", choices=names, metavar=f"{{{','.join(names)}}}")
    parser.add_argument("--columns", nargs="+", default=[])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--rows", type=int, default=40)
    chosen = parser.parse_args()
    found = table(RESULTS / f"{chosen.name}.jsonl", chosen.columns, everything=chosen.all)
    with pl.Config(tbl_rows=chosen.rows, tbl_cols=-1, tbl_width_chars=160, tbl_hide_column_data_types=True):
        print(found)


if __name__ == "__main__":
    main()
