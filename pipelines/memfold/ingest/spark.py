"""Ingest by Spark: rows or files to messages, grouped and ordered by conversation, written by the workers.

    read ─ mapInArrow ─> FLOW ─ repartition by conversation ─ sort within partitions ─ mapInArrow ─> files of `ingested`

One exchange and one sort, and in Python a few batches at a time, however long a conversation is. A task that is done
twice (a lost executor, speculation) writes other files; only those of the attempt that Spark counts are committed.
Knows Spark's ways; what a row means is in `lake`, what is written in `staged`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pyarrow as pa

from memfold.errors import UserError
from memfold.ingest.lake import COLUMNS, NEEDED, Lake, batches, of_batch, of_items, of_line
from memfold.ingest.read import Reading, readings
from memfold.ingest.source import Files
from memfold.ingest.staged import Folding, Staged

# Four attempts at a task, as on a cluster: by itself a local session gives up after the first.
LOCAL = "local[*,4]"
# How long an address is given to answer.
ANSWERS_S = 10.0
SECONDS_A_LOOK = 1.0
# What a worker is handed at once. Spark's 10,000 rows and 64 MB are held several times over on the way.
BATCH_ROWS, BATCH_BYTES = 4096, 8 << 20

_FLOW = (
    "conversation_id string, major bigint, minor bigint, number bigint, said string, message_id string, role string, "
    "content string, time bigint, session string, speaker string, attachments array<string>, current boolean, "
    "title string, file string, place string, reason string, raw binary"
)
# Formats whose files Spark names beside each row, and the one where it also counts rows.
_OF_FILES, _COUNTED = ("parquet", "orc", "avro", "jsonl"), ("parquet",)
_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    "spark.sql.execution.arrow.maxBytesPerBatch": str(BATCH_BYTES),
    "spark.sql.execution.arrow.useLargeVarTypes": "false",
    # A file that cannot be read ends the job. It is never passed over.
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    # pandas writes nanoseconds, which Spark refuses; as numbers they are times to memfold.
    "spark.sql.legacy.parquet.nanosAsLong": "true",
}

_MASTER = re.compile(r"local(-cluster)?(\[[\w*, ]+\])?|yarn|(spark|k8s|mesos)://.+")

Advance = Callable[[int, int], None]  # tasks done, of how many that are known


@dataclass(frozen=True)
class Session:
    """Where Spark runs: `remote`, a Spark Connect server's address; or `master`, a cluster's (None: what spark-submit
    says, else this machine). `conf` are Spark's own settings, `partitions` in how many pieces conversations are put
    together (0: as Spark finds fit)."""

    master: str | None = None
    remote: str | None = None
    conf: dict[str, Any] = field(default_factory=dict)
    partitions: int = 0

    def __post_init__(self) -> None:
        if self.partitions < 0:
            raise UserError(f"spark.partitions={self.partitions}: use 0 (as Spark finds fit) or more")
        if self.master and self.remote:
            raise UserError(f"spark.master={self.master} and spark.remote={self.remote}: give one of them")
        if self.remote and not self.remote.startswith(("sc://", "local")):
            raise UserError(
                f"spark.remote={self.remote}: a Spark Connect server's address is sc://host:15002"
            )
        if self.master and not _MASTER.fullmatch(self.master):
            raise UserError(
                f"spark.master={self.master}: use local[4], spark://host:7077, yarn or k8s://https://host:443"
            )

    @property
    def here(self) -> bool:
        """Whether Spark reads the files of this machine and of no other."""
        if self.remote or self.master:
            return (self.remote or self.master or "").startswith("local")
        return "PYSPARK_GATEWAY_PORT" not in os.environ

    @property
    def settings(self) -> dict[str, str]:
        """Spark's own settings by their full names: `spark.executor.memory`."""
        return {name: str(value) for name, value in _flat(self.conf)}


def _flat(node: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in node.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", str(value).lower() if isinstance(value, bool) else value


@contextmanager
def session(asked: Session) -> Iterator[Any]:
    """A Spark session, ended with the block; one that is there already is used and left as it is. UserError where there
    is none to be had."""
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
            from pyspark.sql import SparkSession
    except ImportError as error:
        raise UserError(f"Spark is not installed ({error}): pip install 'memfold[spark]'") from None
    there = SparkSession.getActiveSession()
    if there is None:
        if asked.remote is None or asked.remote.startswith("local"):
            _java()
        _answers(asked)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("memfold ingest")
    if asked.remote:
        builder = builder.remote(asked.remote)
    elif asked.master or not submitted:
        builder = builder.master(asked.master or LOCAL)
        # Spark's log is of no use to who did not submit to it: what went wrong is said in one line.
        quiet = {
            "spark.ui.showConsoleProgress": "false",
            "spark.ui.enabled": "false",
            "spark.log.level": "ERROR",
        }
        for name, value in quiet.items():
            builder = builder.config(name, value)
    for name, value in asked.settings.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
        with tempfile.TemporaryFile() as log:
            try:
                with _stderr_to(log, there is None and not submitted):
                    made = builder.getOrCreate()
            except Exception as error:
                raise _refused(error, asked, _tail(log)) from None
        try:
            for name, value in {**_SETTINGS, **asked.settings}.items():
                if name.startswith("spark.sql.") and made.conf.isModifiable(name):
                    made.conf.set(name, value)
            yield made
        finally:
            if there is None:
                made.stop()


@contextmanager
def _stderr_to(log: Any, really: bool) -> Iterator[None]:
    """What processes that are started in the block say on stderr goes to a file: the JVM greets with eight lines."""
    if not really:
        yield
        return
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(log.fileno(), 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(before, 2)
        os.close(before)


def _tail(log: Any) -> str:
    log.seek(0)
    lines = [line.strip() for line in log.read()[-20_000:].decode(errors="replace").splitlines()]
    found = [line for line in lines if "Exception" in line or "Error" in line or "error" in line]
    return found[-1] if found else ""


def _java() -> None:
    home = os.environ.get("JAVA_HOME")
    cure = "install Java 17 or 21 (a JRE without a screen will do) or set JAVA_HOME to its folder"
    if home and not os.access(Path(home) / "bin" / "java", os.X_OK):
        raise UserError(f"JAVA_HOME={home}: there is no bin/java in it: {cure}, or unset it")
    if not home and shutil.which("java") is None:
        raise UserError(f"Spark needs Java, and there is none on the PATH: {cure}")


def _answers(asked: Session) -> None:
    """Look whether somebody listens where Spark would try for minutes; UserError where nobody does."""
    name, address = ("remote", asked.remote) if asked.remote else ("master", asked.master)
    if address is None or not address.startswith(("sc://", "spark://")):
        return
    for each in address.partition(";")[0].split(","):
        at = urlparse(each if "://" in each else f"spark://{each}")
        try:
            port = at.port or {"sc": 15002}.get(at.scheme, 7077)
            socket.create_connection((at.hostname or "", port), timeout=ANSWERS_S).close()
            return
        except (OSError, ValueError) as error:
            cause = getattr(error, "strerror", None) or error
    raise UserError(
        f"spark.{name}={address}: no Spark answers there ({cause}): start it, or correct the address"
    )


# --------------------------------------------------------------------------------- the plan


def check(asked: Session, source: Lake | Files) -> None:
    """UserError where there is nothing to read, as far as that is known before Spark is asked."""
    if not asked.here or not isinstance(source, Lake) or source.format == "table" or "://" in source.path:
        return
    if not Path(source.path).exists():
        raise UserError(
            f"source.path={source.path}: does not exist: give the folder of a lake, or its address"
        )


def flow(spark: Any, source: Lake | Files) -> Any:
    """All rows of the source as a frame of `FLOW`, in any order."""
    if isinstance(source, Files):
        found = readings(source.path, source.format)
        return spark.range(0, len(found), 1, len(found)).mapInArrow(partial(_of_files, found), _FLOW)
    from pyspark.sql import functions

    path = source.path
    if source.format != "table" and "://" not in path and Path(path).exists():
        path = str(Path(path).absolute())
    if source.format == "jsonl":
        lines = spark.read.text(path).select(
            functions.col("value").cast("binary").alias("line"),
            functions.col("_metadata.file_path").alias("file"),
        )
        return lines.mapInArrow(partial(_of_lines, source), _FLOW)
    if source.format == "table":
        rows = spark.table(path)
    else:
        reader = spark.read.format(source.format)
        # By itself Spark takes one file's columns for all files', and what others have beside them is lost.
        rows = (reader.option("mergeSchema", "true") if source.format in ("parquet", "orc") else reader).load(
            path
        )
    return _chosen(rows, source, functions).mapInArrow(partial(_of_rows, path), _FLOW)


def _chosen(rows: Any, lake: Lake, functions: Any) -> Any:
    """The columns that memfold asks for, by its names, a row a message."""
    col, lit = functions.col, functions.lit
    listed = _field(rows.schema, lake.called("messages"))
    in_list = listed is not None and hasattr(listed, "elementType") and hasattr(listed.elementType, "fields")
    if lake.columns.get("messages") and not in_list:
        _refuse(lake, "messages", rows.schema, "list of structs of that name")
    top = ("conversation_id", "title") if in_list else tuple(each for each in COLUMNS if each != "messages")
    inner = (
        [each for each in COLUMNS if each not in ("messages", "conversation_id", "title", "seq")]
        if in_list
        else []
    )
    element = listed.elementType if in_list else None
    for each in ("conversation_id", "role", "content") if in_list else NEEDED:
        schema = element if each in inner else rows.schema
        if _field(schema, lake.called(each)) is None:
            _refuse(lake, each, schema, "such column")
    for each, called in lake.columns.items():
        if (
            called
            and each != "messages"
            and _field(element if each in inner else rows.schema, called) is None
        ):
            _refuse(lake, each, element if each in inner else rows.schema, "such column")
    chosen = [
        col(_quoted(lake.called(each))).alias(each) for each in top if _field(rows.schema, lake.called(each))
    ]
    none = lit(None)
    file = col("_metadata.file_path") if lake.format in _OF_FILES else none.cast("string")
    row = col("_metadata.row_index") if lake.format in _COUNTED else none.cast("bigint")
    chosen += [file.alias("_file"), row.alias("_row")]
    if not in_list:
        return rows.select(*chosen, none.cast("int").alias("_at"))
    exploded = rows.select(
        *chosen, functions.posexplode_outer(col(_quoted(lake.called("messages")))).alias("_at", "_each")
    )
    fields = [
        col(f"_each.{_quoted(lake.called(each))}").alias(each)
        for each in inner
        if _field(element, lake.called(each)) is not None
    ]
    is_listed = functions.when(col("_at").isNotNull(), True).alias("listed")
    above = [col(each) for each in top if _field(rows.schema, lake.called(each))]
    return exploded.select(
        *above, col("_at").alias("seq"), *fields, is_listed, col("_file"), col("_row"), col("_at")
    )


def _field(schema: Any, called: str) -> Any:
    """The type of a column, a dot leading into structs; None where there is none."""
    names = {each.name: each.dataType for each in getattr(schema, "fields", ())}
    if called in names:
        return names[called]
    head, dot, rest = called.partition(".")
    return _field(names[head], rest) if dot and head in names else None


def _quoted(called: str) -> str:
    return ".".join(f"`{each.replace('`', '``')}`" for each in called.split("."))


def _refuse(lake: Lake, column: str, schema: Any, what: str) -> None:
    there = ", ".join(each.name for each in getattr(schema, "fields", ()))
    raise UserError(
        f"source.columns.{column}={lake.called(column)}: source.path={lake.path} has no {what}; it has: {there}"
    )


def gathered(frame: Any, partitions: int) -> Any:
    """A frame of `FLOW`, each conversation in one partition, together and in order: one exchange, one sort."""
    col = _column()
    key = ["conversation_id"] if partitions == 0 else [partitions, "conversation_id"]
    # Behind the place stands all that tells rows at one place from each other, so that the order is the same each time.
    return frame.repartition(*key).sortWithinPartitions(
        "conversation_id",
        *("major", "minor"),
        col("number").asc_nulls_last(),
        col("role").desc(),
        *("message_id", "said", "file", "place"),
    )


def _column() -> Any:
    from pyspark.sql import functions

    return functions.col


def written(frame: Any, table: Staged, erased: frozenset[str] = frozenset()) -> Any:
    """A frame of one row for each partition that is not empty: which files were written and what they hold, as JSON."""
    return frame.mapInArrow(partial(_write, table, erased), "told string")


def _of_files(found: Sequence[Reading], numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in numbers:
        for number in batch.column(0).to_pylist():
            yield from batches(of_items(found[number].items(), number))


def _of_lines(lake: Lake, lines: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in lines:
        of = zip(batch.column("line"), batch.column("file").to_pylist(), strict=True)
        # An empty line is nothing, as everywhere.
        given = ((line.as_py(), file) for line, file in of)
        yield from batches(
            chain.from_iterable(of_line(line, file, lake) for line, file in given if line.strip())
        )


def _of_rows(path: str, rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in rows:
        yield from batches(of_batch(batch, path))


def _write(table: Staged, erased: frozenset[str], rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    folding = Folding(erased)
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
    }
    yield pa.RecordBatch.from_pydict({"told": [json.dumps(told)]})


# --------------------------------------------------------------------------------- running it


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
    tracker, ended = spark.sparkContext.statusTracker(), threading.Event()
    seen: dict[int, tuple[int, int]] = {}

    def look() -> None:
        running = True
        while running:
            running = not ended.wait(SECONDS_A_LOOK)
            active = tracker.getActiveStageIds()
            seen.update({stage: (tasks, tasks) for stage, (_, tasks) in seen.items() if stage not in active})
            for stage in active:
                if (info := tracker.getStageInfo(stage)) is not None:
                    seen[stage] = info.numCompletedTasks, info.numTasks
            advance(sum(n for n, _ in seen.values()), sum(n for _, n in seen.values()))

    thread = threading.Thread(target=look, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


# What Spark says, and what it means to who asked: the pattern is looked for in the whole of its message.
_MEANS = (
    (
        r"PATH_NOT_FOUND|Path does not exist",
        "source.path={path}: does not exist: give the folder of a lake, or its address",
    ),
    (
        r"UNABLE_TO_INFER_SCHEMA",
        "source.path={path}: holds nothing in source.format={format}: name the format it is in",
    ),
    (
        r"TABLE_OR_VIEW_NOT_FOUND",
        "source.path={path}: the session knows no such table: name it in full, catalog.schema.table",
    ),
    (
        r"DATA_SOURCE_NOT_FOUND|Failed to find (?:the )?data source",
        "source.format={format}: this Spark session cannot read it: add its package, "
        "+spark.conf.spark.jars.packages=…, and what else its makers say",
    ),
    (
        r"CANNOT_MERGE_SCHEMAS|CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE|COLUMN_DATA_TYPE_MISMATCH",
        "source.path={path}: a column has one type in some files and another in others ({said}): ingest them apart, as "
        "lakes of their own, or write the column anew",
    ),
    (
        r"FAILED_READ_FILE|Could not read footer|is not a Parquet file|CANNOT_READ_FILE",
        "source.path={path}: {file} cannot be read ({said}): mend it or take it away; nothing was ingested",
    ),
    (
        r"ModuleNotFoundError: No module named 'memfold|No module named 'memfold",
        "the Python of Spark's workers has no memfold: install it there, or send an environment that has it "
        "(--archives; see the README)",
    ),
    (
        r"PYTHON_VERSION_MISMATCH",
        "Spark's workers run another Python than this one: set spark.pyspark.python to one of the same version",
    ),
)


@contextmanager
def told(source: Lake | Files) -> Iterator[None]:
    """Spark's errors as UserErrors, where it is known what they mean to who asked; those of workers too."""
    from pyspark.errors import PySparkException

    try:
        yield
    except PySparkException as error:
        raise _meaning(str(error), source) from None
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("py4j", "grpc"):
            raise
        raise _meaning(str(error), source) from None


def _meaning(text: str, source: Lake | Files) -> UserError:
    if found := re.search(r"UserError: (.+)", text):
        return UserError(found[1])
    file = re.search(r"(?:file:|s3a?:|hdfs:|gs:|abfss?:)/[^\s,;]+?\.\w+(?=[\s.,;:]|$)", text)
    said = _said(text)
    for pattern, means in _MEANS:
        if re.search(pattern, text):
            called = Path(file[0]).name if file else "a file"
            return UserError(means.format(path=source.path, format=source.format, said=said, file=called))
    return UserError(f"source.path={source.path}: Spark ended with: {said}; nothing was ingested")


def _said(text: str) -> str:
    """The innermost cause of an error, in a line."""
    causes = re.findall(r"Caused by: (?:[\w.$]+: )?(.+)", text) or [
        text.strip().splitlines()[0] if text.strip() else ""
    ]
    said = re.sub(r"\s*SQLSTATE: \w+", "", str(causes[-1]))
    return " ".join(said.split())[:300]


def _refused(error: Exception, asked: Session, tail: str) -> UserError:
    """Why there is no session, in a line."""
    text = tail or str(error)
    if "UnsupportedClassVersionError" in text or "class file version" in text:
        return UserError("Spark needs Java 17 or newer: install it, or set JAVA_HOME to its folder")
    where = f"spark.remote={asked.remote}" if asked.remote else f"spark.master={asked.master or LOCAL}"
    return UserError(f"{where}: Spark did not start ({_said(text)}): correct it, or spark.conf")
