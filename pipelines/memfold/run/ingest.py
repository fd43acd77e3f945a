"""The ingest job: a lake, or files that one machine does not read alone, to the table an index job starts from.

Spark's workers read, normalise, gather and write; the driver commits once. No row passes through here. Killed before
the commit, it leaves the table as it was.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from memfold.digest import digest
from memfold.errors import OF_LANCE, AccountingError, UserError, at_end
from memfold.ingest import spark, spark_session
from memfold.ingest.lake import Lake, on_disk
from memfold.ingest.normalise import SHOWN, untimed
from memfold.ingest.source import Files
from memfold.ingest.staged import Staged, staged
from memfold.run.forgotten import check_erased, erased_meanwhile
from memfold.store.catalog import Catalog
from memfold.store.erase import Erased, receipts
from memfold.store.location import Location
from memfold.store.tables import among
from memfold.store.unsealed import Lease, Unsealed
from memfold.store.upkeep import clean, erased
from memfold.watch import Report


@dataclass(frozen=True)
class Ingest:
    """Everything an ingest is made of. `erased` says what is done about conversations and messages that were erased and
    are in the source: "index" takes them in again, "skip" leaves them out."""

    source: Lake | Files
    location: Location
    session: spark_session.Session
    erased: str = "index"

    def __post_init__(self) -> None:
        if not isinstance(self.source, Lake | Files):
            raise UserError("Spark reads source=lake and source=files: choose one of them")
        check_erased(self.erased)
        if isinstance(self.source, Files) and self.source.into is not None:
            raise UserError(
                "source.into: Spark keeps conversations apart: index the files without it, jobs/index.py source.into=…"
            )
        source = self.source
        reads_files = isinstance(source, Lake) and source.format != "table"
        lake, folder = on_disk(source.path), on_disk(self.location.absolute.folder)
        # What Spark reads of the store's own files would outlive an erasure.
        if reads_files and lake and folder and folder.resolve().is_relative_to(lake.resolve()):
            raise UserError(
                f"store.root={self.location.root} lies in source.path={source.path}, and Spark reads every file there: "
                "name another store.root"
            )


def ingest(job: Ingest, report: Report) -> dict[str, object]:
    """Run the job; returns what it did: messages, conversations, dead_letters and their reasons, seconds."""
    began = time.monotonic()
    spark_session.check(job.session, job.source)
    Catalog(job.location).history()  # refuses a place where no store may begin
    job.location.make()
    location = job.location.absolute
    table = staged(location)
    table.create()
    # Ends last: a task that Spark stops with its session may still be writing a file.
    with Unsealed(location).running(report.say) as running:
        let_go = partial(_let_go, table, running, report)
        with at_end(let_go, *OF_LANCE, UserError):
            done = _ingested(job, table, running, report)
    return {**done, **report.told(), "seconds": round(time.monotonic() - began, 3)}


def _let_go(table: Staged, running: Lease, report: Report) -> None:
    """Remove what the table held before, and files of workers that were not committed: nobody would find erased text
    there. Where another job runs, its files stay, and versions for a while (`upkeep.GRACE`)."""
    with Unsealed(table.location).alone(report.say, within=running) as alone:
        alone.check()
        clean(table.location, table.name, alone=not alone.beside)


def _ingested(job: Ingest, table: Staged, running: Lease, report: Report) -> dict[str, object]:
    """Read the source and put it into the table; returns the counts."""
    source, location = job.source, table.location
    report.say("starting Spark")
    with spark_session.session(job.session) as session, spark_session.told(source):
        filed = running.settled(lambda: receipts(location))
        stays = filed if job.erased == "skip" else ()
        forgotten = frozenset(each.what for each in stays)
        amended = frozenset(each.conversation for each in stays if each.message)
        rows = spark.gathered(spark.flow(session, source), job.session.partitions)
        report.stage("ingesting", unit="tasks")
        done = 0

        def advance(now: int, _: int) -> None:
            nonlocal done
            report.advance(max(0, now - done))
            done = max(now, done)

        told = spark.collected(session, spark.written(rows, table, forgotten, amended), advance)
        letters: Counter[str] = Counter()
        for each in told:
            letters.update(each["letters"])
        report.dead += letters
        messages = sum(each["messages"] for each in told)
        left_out = sum(each["erased_before"] for each in told)
        if not messages and not left_out:
            raise UserError(_nothing(source, letters))
        running.check()
        try:
            table.replace([f for each in told for f in each["fragments"]], messages + letters.total())
        except ValueError as error:
            raise AccountingError(
                f"{messages} messages and {letters.total()} dead letters were counted and {error}: nothing was "
                "ingested, run the job again"
            ) from None
        notices = _without_erased(location, table, filed)
        if count := sum(each["untimed"] for each in told):
            notices.append(untimed(count, [shown for each in told for shown in each["shown"]][:SHOWN]))
            report.note(notices[-1])
    return {
        "messages": messages,
        "conversations": sum(each["conversations"] for each in told),
        "dead_letters": letters.total(),
        **({"erased_before": left_out} if left_out else {}),
        **({"notices": notices} if notices else {}),
    }


def _nothing(source: Lake | Files, letters: Counter[str]) -> str:
    if not letters:
        return f"source.path={source.path}: holds no rows: give the folder of a lake, or its address"
    most = ", ".join(f"{count:,} × {reason}" for reason, count in letters.most_common(2))
    return (
        f"source.path={source.path}: no row is a message ({most}): say which columns mean what, "
        "source.columns.content=…; nothing was ingested"
    )


def _without_erased(location: Location, table: Staged, before: Collection[Erased]) -> list[str]:
    """Take away what was erased while this job read it; says of each what was done.

    An erasure files its receipt before it takes rows away: either it was filed by now, or it finds what was committed.
    """
    of = {each.conversation for each in receipts(location) if each not in before}
    if not of:
        return []
    ids = {
        each
        for batch in table.batches(["conversation_id"])
        for each in batch.column(0).unique().to_pylist()
        if each
    }
    gone = sorted(each for each in ids if digest(each) in of)
    if gone:
        erased(location, table.name, among("conversation_id", gone), alone=False)
    return [erased_meanwhile(each) for each in gone]
