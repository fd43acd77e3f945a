"""Ingest by Spark: rows or files to messages, grouped and ordered by conversation, written by the workers.

    read ─ mapInArrow ─> FLOW ─ repartition by conversation ─ sort within partitions ─ mapInArrow ─> files of `ingested`

One exchange and one sort, and in Python a few batches at a time, however long a conversation is. A task that is done
twice (a lost executor, speculation) writes other files; only those of the attempt that Spark counts are committed.
Knows Spark's ways; what a row means is in `lake`, what is written in `folding`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import tzinfo
from functools import partial
from itertools import chain
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

import pyarrow as pa

from memfold.beside import every
from memfold.errors import UserError
from memfold.ingest.folder import walk
from memfold.ingest.folding import Folding
from memfold.ingest.lake import (
    COLUMNS,
    FLOW,
    NEEDED,
    Lake,
    at,
    batches,
    label,
    of_batch,
    of_items,
    of_line,
    on_disk,
)
from memfold.ingest.read import Reading, readings
from memfold.ingest.source import Files
from memfold.ingest.staged import Staged
from memfold.schema import DeadLetter
from memfold.zones import zone

SECONDS_A_LOOK = 1.0
# Formats whose files Spark names beside each row, and the one where it also counts rows.
_OF_FILES, _COUNTED = ("parquet", "orc", "avro", "jsonl"), ("parquet",)
_PASSED = "not read: Spark passes over names that begin with _ or . or end with ._COPYING_"
_LEADS_NOWHERE = "not read: the link leads to nothing that can be read"
# What has a meaning of its own in a path that Hadoop reads.
_GLOB = re.compile(r"[\\*?\[\]{}]")
# What Spark and its kin leave beside files, and which holds no rows.
_MARKS = re.compile(r"_SUCCESS|_metadata|_common_metadata|_committed_.*|_started_.*|\..*\.crc")
Advance = Callable[[int, int], None]  # tasks done, of how many that are known


def flow(spark: Any, source: Lake | Files) -> Any:
    """All rows of the source as a frame of `FLOW`, in any order."""
    from pyspark.sql.pandas.types import from_arrow_schema

    columns, clock = from_arrow_schema(FLOW), zone(source.zone)
    if isinstance(source, Files):
        found = readings(source.path, source.format)
        return spark.range(0, len(found), 1, len(found)).mapInArrow(partial(_of_files, found, clock), columns)
    path = source.path
    here = None if source.format == "table" else on_disk(path)
    if here is not None and here.exists():
        path = f"{'file://' if path.startswith('file://') else ''}{here}"
    if source.format not in _OF_FILES:
        if source.format == "table":
            # A session that goes on takes a table's files to be those that it saw first.
            spark.catalog.refreshTable(path)
            rows = spark.table(path)
        else:
            rows = spark.read.format(source.format).load(path)
        return _chosen(rows, source).mapInArrow(partial(_of_rows, path, clock), columns)
    made = _of_folder(spark, source, path, columns)
    passed = [(label(each, path), _PASSED) for each in _hidden(spark, path)]
    if here is not None and here.is_dir():
        links = (each.path for each in walk(here) if each.fault is not None and each.path.is_symlink())
        passed += [(label(str(each), str(here)), _LEADS_NOWHERE) for each in sorted(links)]
    if not passed:
        return made
    letters = [DeadLetter(file, "file", reason, b"", None) for file, reason in passed]
    return made.unionAll(spark.range(0, 1, 1, 1).mapInArrow(partial(_of_letters, letters), columns))


def _of_folder(spark: Any, source: Lake, path: str, columns: Any) -> Any:
    """The rows of a lake's files as a frame of `FLOW`."""
    from pyspark.sql import functions

    folders = _folder_columns(spark, path)
    reader = spark.read.option("recursiveFileLookup", str(not folders).lower())
    if source.format == "jsonl":
        named = [functions.col(_quoted(each, None)) for each in sorted(folders)]
        lines = reader.text(_literal(path)).select(
            functions.col("value").cast("binary").alias("line"),
            functions.col("_metadata.file_path").alias("file"),
            (functions.to_json(functions.struct(*named)) if named else functions.lit("{}")).alias("folders"),
        )
        return lines.mapInArrow(partial(_of_lines, source), columns)
    # By itself Spark takes one file's columns for all files', and what others have beside them is lost.
    if source.format in ("parquet", "orc"):
        reader = reader.option("mergeSchema", "true")
    if source.format == "parquet":
        # By itself Spark checks no page's checksum: a flipped bit made another message.
        reader = reader.option("parquet.page.verify-checksum.enabled", "true")
    rows = reader.format(source.format).load(_literal(path))
    if asked := {source.called(each) for each in COLUMNS} & folders:
        alone = reader.option("recursiveFileLookup", "true").format(source.format).load(_literal(path))
        for each in sorted(asked & {*alone.columns}):
            raise UserError(
                f"source.path={path}: the column {each} stands in files and in the names of their folders "
                f"({each}=…), so the files' values would be lost: rename the folders, or write the files without "
                "it; nothing was ingested"
            )
    chosen = _chosen(rows, source)
    nanos = _nanoseconds(spark, rows, chosen, source)
    return chosen.mapInArrow(partial(_of_rows, path, zone(source.zone), nanos=nanos), columns)


def _literal(path: str) -> str:
    """The path as Hadoop takes it for itself: by their text `[`, `{`, `*` and others stand for paths of other names."""
    return _GLOB.sub(r"\\\g<0>", path)


def _folder_columns(spark: Any, path: str) -> set[str]:
    """The columns that Spark takes from the lake's folders, named column=value. UserError where only some files lie in
    such folders: Spark would pass over the others."""
    depth = len(PurePosixPath(at(path)).parts)
    files = (
        spark.read.format("binaryFile")
        .option("recursiveFileLookup", "true")
        .load(_literal(path))
        .inputFiles()
    )
    columns = {
        each: {part.partition("=")[0] for part in _parts(each)[depth:-1] if "=" in part} for each in files
    }
    without = [each for each in files if not columns[each]]
    if without and len(without) < len(files):
        raise UserError(
            f"source.path={path}: {label(min(without), path)} and {len(without) - 1:,} others lie in no folder named "
            "column=value, as other files do, and would not be read: ingest them apart, as a lake of their own; "
            "nothing was ingested"
        )
    return {unquote(each) for named in columns.values() for each in named}


def _nanoseconds(spark: Any, rows: Any, chosen: Any, lake: Lake) -> pa.DataType | None:
    """The type of a Parquet lake's times if they count nanoseconds, which Spark reads as numbers; None for others, and
    with Spark Connect, which does not show it. UserError where some files have a zone and others none."""
    kinds = {each.name: each.dataType.typeName() for each in chosen.schema.fields}
    if lake.format != "parquet" or kinds.get("time") != "long" or not hasattr(spark, "_jvm"):
        return None
    name = re.escape(lake.called("time").rpartition(".")[2])
    column = re.compile(rf"\bint64 {name} \(TIMESTAMP\(NANOS,(true|false)\)\)")
    hadoop, parquet = spark._jvm.org.apache.hadoop.fs, spark._jvm.org.apache.parquet.hadoop
    settings = spark._jsparkSession.sessionState().newHadoopConf()
    found: set[str] = set()
    files = [hadoop.Path(spark._jvm.java.net.URI(each)) for each in rows.inputFiles()]
    # The first file says whether all are to be looked at.
    for some in (files[:1], files[1:]):
        there = spark._jvm.java.util.ArrayList()
        for each in some:
            there.add(each.getFileSystem(settings).getFileStatus(each))
        for footer in parquet.ParquetFileReader.readAllFootersInParallel(settings, there, True):
            found.update(column.findall(footer.getParquetMetadata().getFileMetaData().getSchema().toString()))
        if not found:
            return None
    if len(found) > 1:
        raise UserError(
            f"source.path={lake.path}: the times in {lake.called('time')} have a zone in some files and none in "
            "others: ingest them apart, as lakes of their own; nothing was ingested"
        )
    return pa.timestamp("ns", "UTC" if found == {"true"} else None)


def _parts(file: str) -> tuple[str, ...]:
    return PurePosixPath(at(file)).parts


def _hidden(spark: Any, path: str) -> list[str]:
    """Files and folders of a lake that Spark passes over for their names and that hold something, without the marks
    that Spark itself leaves there. A server of Spark Connect does not show them."""
    if not hasattr(spark, "_jvm"):
        return []
    above = _literal(path).rstrip("/")
    root = spark._jvm.org.apache.hadoop.fs.Path(above or "/")
    system = root.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())
    found: list[str] = []
    while system.globStatus(spark._jvm.org.apache.hadoop.fs.Path(f"{above}/*")):
        for each in (
            system.globStatus(spark._jvm.org.apache.hadoop.fs.Path(f"{above}/{{[_.]*,*._COPYING_}}")) or ()
        ):
            name = each.getPath().getName()
            column = name.startswith("_") and "=" in name
            if not column and not _MARKS.fullmatch(name) and (each.isDirectory() or each.getLen()):
                found.append(each.getPath().toUri().toString())
        above += "/{[^_.]*,_*=*}"
    return sorted(found)


def _chosen(rows: Any, lake: Lake) -> Any:
    """The columns that memfold asks for, by its names, a row a message."""
    from pyspark.sql import functions

    col, lit = functions.col, functions.lit
    listed = _field(rows.schema, lake.called("messages"))
    in_list = listed is not None and hasattr(listed, "elementType") and hasattr(listed.elementType, "fields")
    if lake.columns.get("messages") and not in_list:
        _refuse(lake, "messages", rows.schema, "list of structs of that name")
    top = ("conversation_id", "title") if in_list else tuple(each for each in COLUMNS if each != "messages")
    inner = [each for each in COLUMNS if each not in (*top, "messages", "seq")] if in_list else []
    element = listed.elementType if in_list else None
    asked = [each for each, called in lake.columns.items() if called and each != "messages"]
    for each in (*(("conversation_id", "role", "content") if in_list else NEEDED), *asked):
        schema = element if each in inner else rows.schema
        if _field(schema, lake.called(each)) is None:
            _refuse(lake, each, schema, "such column")
    chosen = [
        col(_quoted(lake.called(each), rows.schema)).alias(each)
        for each in top
        if _field(rows.schema, lake.called(each))
    ]
    none = lit(None)
    file = col("_metadata.file_path") if lake.format in _OF_FILES else none.cast("string")
    row = col("_metadata.row_index") if lake.format in _COUNTED else none.cast("bigint")
    chosen += [file.alias("_file"), row.alias("_row")]
    if not in_list:
        return rows.select(*chosen, none.cast("int").alias("_at"))
    every = col(_quoted(lake.called("messages"), rows.schema))
    # Only of Parquet Spark tells the rows' numbers.
    which = (
        col("_metadata.row_index")
        if lake.format in _COUNTED
        else functions.xxhash64(functions.to_json(every))
    )
    first = none.cast("string")
    if element is not None and _field(element, lake.called("time")) is not None:
        first = functions.get(every, lit(0))
        for each in _names(lake.called("time"), element):
            first = first.getField(each)
    exploded = rows.select(
        *chosen,
        *(which.alias("_listed"), first.alias("_began")),
        functions.posexplode_outer(every).alias("_at", "_each"),
    )
    fields = [
        col(f"_each.{_quoted(lake.called(each), element)}").alias(each)
        for each in inner
        if _field(element, lake.called(each)) is not None
    ]
    is_listed = functions.when(col("_at").isNotNull(), True).alias("listed")
    above = [col(each) for each in top if _field(rows.schema, lake.called(each))]
    return exploded.select(
        *(*above, col("_at").alias("seq"), *fields, is_listed),
        *map(col, ("_file", "_row", "_at", "_listed", "_began")),
    )


def _field(schema: Any, called: str) -> Any:
    """The type of a column, a dot leading into structs; None where there is none."""
    names = {each.name: each.dataType for each in getattr(schema, "fields", ())}
    if called in names:
        return names[called]
    head, dot, rest = called.partition(".")
    return _field(names[head], rest) if dot and head in names else None


def _names(called: str, schema: Any) -> list[str]:
    return called.split(".") if schema is not None and called not in schema.fieldNames() else [called]


def _quoted(called: str, schema: Any) -> str:
    return ".".join(f"`{each.replace('`', '``')}`" for each in _names(called, schema))


def _refuse(lake: Lake, column: str, schema: Any, what: str) -> None:
    there = ", ".join(each.name for each in getattr(schema, "fields", ()))
    raise UserError(
        f"source.columns.{column}={lake.called(column)}: source.path={lake.path} has no {what}; it has: {there}"
    )


def gathered(frame: Any, partitions: int) -> Any:
    """A frame of `FLOW`, each conversation in one partition, together and in order: one exchange, one sort."""
    from pyspark.sql.functions import col

    key = ["conversation_id"] if partitions == 0 else [partitions, "conversation_id"]
    # Behind the place stands all that tells rows at one place from each other, so that the order is the same each time.
    return frame.repartition(*key).sortWithinPartitions(
        "conversation_id",
        col("began").asc_nulls_last(),
        *("row", "major", "minor"),
        col("number").asc_nulls_last(),
        col("role").desc(),
        *("message_id", "said", "file", "place"),
    )


def written(
    frame: Any, table: Staged, erased: frozenset[str] = frozenset(), amended: frozenset[str] = frozenset()
) -> Any:
    """A frame of one row for each partition that is not empty: which files were written and what they hold, as JSON."""
    return frame.mapInArrow(partial(_write, table, erased, amended), "told string")


def _of_files(
    found: Sequence[Reading], clock: tzinfo | None, numbers: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in numbers:
        for number in batch.column(0).to_pylist():
            yield from batches(of_items(found[number].items(), number), clock)


def _of_lines(lake: Lake, lines: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in lines:
        of = zip(*(batch.column(each) for each in ("line", "file", "folders")), strict=True)
        # An empty line is nothing, as everywhere.
        given = ((line.as_py(), file.as_py(), json.loads(named.as_py())) for line, file, named in of)
        yield from batches(
            chain.from_iterable(
                of_line(line, file, lake, named) for line, file, named in given if line.strip()
            ),
            zone(lake.zone),
        )


def _of_letters(letters: Sequence[DeadLetter], _: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches(letters)


def _of_rows(
    path: str, clock: tzinfo | None, rows: Iterator[pa.RecordBatch], *, nanos: pa.DataType | None = None
) -> Iterator[pa.RecordBatch]:
    for batch in rows:
        yield from batches(of_batch(batch, path, nanos), clock)


def _write(
    table: Staged, erased: frozenset[str], amended: frozenset[str], rows: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    folding = Folding(erased, amended)
    folded = folding.over(rows)
    first = next(folded, None)
    if first is None:
        return
    fragments = table.write(chain([first], folded))
    told = {
        "fragments": fragments,
        "messages": folding.messages,
        "conversations": folding.conversations,
        "erased_before": folding.erased_before,
        "letters": dict(folding.letters),
        "untimed": folding.untimed,
        "shown": folding.shown,
    }
    yield pa.RecordBatch.from_pydict({"told": [json.dumps(told)]})


def collected(spark: Any, frame: Any, advance: Advance) -> list[dict[str, Any]]:
    """What each partition told, in the partitions' order."""
    with _watched(spark, advance):
        return [json.loads(row[0]) for row in frame.collect()]


@contextmanager
def _watched(spark: Any, advance: Advance) -> Iterator[None]:
    """Say how many tasks are done, until the block ends."""
    if not hasattr(spark, "_jsc"):  # Spark Connect tells by itself
        done: dict[int, tuple[int, int]] = {}

        def told(stages: Any, *_: Any, **__: Any) -> None:
            done.update({each.stage_id: (each.num_completed_tasks, each.num_tasks) for each in stages or ()})
            advance(sum(n for n, _ in done.values()), sum(n for _, n in done.values()))

        spark.registerProgressHandler(told)
        try:
            yield
        finally:
            spark.removeProgressHandler(told)
        return
    tracker = spark.sparkContext.statusTracker()
    seen: dict[int, tuple[int, int]] = {}

    def look() -> None:
        """Say it now."""
        active = tracker.getActiveStageIds()
        seen.update({stage: (tasks, tasks) for stage, (_, tasks) in seen.items() if stage not in active})
        for stage in active:
            if (info := tracker.getStageInfo(stage)) is not None:
                seen[stage] = info.numCompletedTasks, info.numTasks
        advance(sum(n for n, _ in seen.values()), sum(n for _, n in seen.values()))

    with every(SECONDS_A_LOOK, look, name="progress", once_more=True):
        yield
