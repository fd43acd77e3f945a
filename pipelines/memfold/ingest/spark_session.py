"""A Spark session: on this machine, a cluster's or a Spark Connect server's; and what Spark's errors mean to who asked.

Spark's own log does not reach the terminal of who did not submit to Spark. Knows no rows.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from memfold.errors import UserError, install
from memfold.ingest.lake import Lake
from memfold.ingest.source import Files

# Four attempts at a task, as on a cluster: by itself a local session gives up after the first.
LOCAL = "local[*,4]"
# How long an address is given to answer.
ANSWERS_S = 10.0
# What a worker is handed at once. Spark's 10,000 rows and 64 MB are held several times over on the way. With 4,096 rows
# and 8 MB a worker with a conversation of 20M tokens took 1.61 times what one with short ones took, with these 1.28.
BATCH_ROWS, BATCH_BYTES = 1024, 1 << 20

_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    "spark.sql.execution.arrow.maxBytesPerBatch": str(BATCH_BYTES),
    "spark.sql.execution.arrow.useLargeVarTypes": "false",
    # As numbers, the folders conversation_id=007 and conversation_id=7 are one conversation.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    # A file that cannot be read ends the job. It is never passed over.
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
    # pandas writes nanoseconds, which Spark refuses; as numbers they are times to memfold.
    "spark.sql.legacy.parquet.nanosAsLong": "true",
}

_NOT_THERE = "source.path={path}: does not exist: give the folder of a lake, or its address"
# How a JVM says that its heap is not to be had.
_HEAP = re.compile(r"Invalid \w+ heap size|Could not reserve enough space|insufficient memory", re.IGNORECASE)
_MASTER = re.compile(r"local(-cluster)?(\[[\w*, ]+\])?|yarn|(spark|k8s|mesos)://.+")


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
    """A Spark session, ended with the block; one that is there already is used, and its settings are set
    back. UserError where there is none to be had."""
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas")
            from pyspark.errors import PySparkException
            from pyspark.sql import SparkSession
    except ImportError as error:
        raise UserError(f"Spark is not installed ({error}): {install('spark')}") from None
    there = SparkSession.getActiveSession()
    if there is None:
        if asked.remote is None or asked.remote.startswith("local"):
            _java()
        answers(asked)
    os.environ.setdefault("PYSPARK_PYTHON", asked.settings.get("spark.pyspark.python", sys.executable))
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
                with _said_to(log, there is None and not submitted):
                    made = builder.getOrCreate() if there is None else there
            except Exception as error:
                raise _refused(error, asked, _tail(log)) from None
        before: dict[str, str | None] = {}
        try:
            for name, value in {**_SETTINGS, **asked.settings}.items():
                # Spark calls a setting it does not know, such as a catalog's, not modifiable, and yet takes it.
                if name.startswith("spark.sql.") and (made.conf.isModifiable(name) or name in asked.settings):
                    was = made.conf.get(name, None)
                    with suppress(PySparkException):  # one that holds from the start on
                        made.conf.set(name, value)
                        before[name] = was
            yield made
        finally:
            if there is None:
                made.stop()
            else:
                for name, old in before.items():
                    made.conf.unset(name) if old is None else made.conf.set(name, old)


@contextmanager
def _said_to(log: Any, really: bool) -> Iterator[None]:
    """What processes that are started in the block say goes to a file: the JVM greets with eight lines on stderr, and
    one without memory says so on stdout."""
    if not really:
        yield
        return
    streams = {1: sys.stdout, 2: sys.stderr}
    before = {number: os.dup(number) for number in streams}
    for number, stream in streams.items():
        stream.flush()
        os.dup2(log.fileno(), number)
    try:
        yield
    finally:
        for number, stream in streams.items():
            stream.flush()
            os.dup2(before[number], number)
            os.close(before[number])


def _tail(log: Any) -> str:
    """The line of a log that says why: a JVM that has no heap says that before other errors, Spark says it last."""
    log.seek(0)
    lines = [line.strip() for line in log.read()[-20_000:].decode(errors="replace").splitlines()]
    found = [line for line in lines if "Exception" in line or "Error" in line or "error" in line]
    return next((line for line in lines if _HEAP.search(line)), found[-1] if found else "")


def _java() -> None:
    home = os.environ.get("JAVA_HOME")
    cure = "install Java 17 or 21 (a JRE without a screen will do) or set JAVA_HOME to its folder"
    if home and not os.access(Path(home) / "bin" / "java", os.X_OK):
        raise UserError(f"JAVA_HOME={home}: there is no bin/java in it: {cure}, or unset it")
    if not home and shutil.which("java") is None:
        raise UserError(f"Spark needs Java, and there is none on the PATH: {cure}")


def answers(asked: Session) -> None:
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


def check(asked: Session, source: Lake | Files) -> None:
    """UserError where there is nothing to read, as far as that is known before Spark is asked."""
    if not asked.here or not isinstance(source, Lake) or source.format == "table" or "://" in source.path:
        return
    if not Path(source.path).exists():
        raise UserError(_NOT_THERE.format(path=source.path))


# What Spark says, and what it means to who asked: the pattern is looked for in the whole of its message.
_MEANS = (
    (r"PATH_NOT_FOUND|Path does not exist", _NOT_THERE),
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
        r"No module named 'memfold",
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
    if _HEAP.search(text):
        return UserError(
            f"+spark.conf.spark.driver.memory: Spark's driver has no such memory here ({_said(text)}): set it to what "
            "this machine has free, 2g for instance"
        )
    where = f"spark.remote={asked.remote}" if asked.remote else f"spark.master={asked.master or LOCAL}"
    return UserError(f"{where}: Spark did not start ({_said(text)}): correct it, or spark.conf")
