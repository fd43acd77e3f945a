"""What the law tests are given: sources in memory, jobs over them, and conversations of any kind."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import strategies as st
from omegaconf import DictConfig

import memfold
from memfold.build import build
from memfold.config import load
from memfold.embed.contract import Embedder
from memfold.embed.minilm import MiniLM
from memfold.extract.contract import Engine
from memfold.layers.layer import Tools, equipped, tables
from memfold.run.executor import Executor, Local
from memfold.run.index import index
from memfold.run.job import Job, Source, recorded
from memfold.schema import DEAD_LETTERS, GENERATIONS, ROLES, DeadLetter, Message, Notice, Role, Title
from memfold.store.attempts import reread
from memfold.store.catalog import SNAPSHOTS, Catalog
from memfold.store.location import Location
from memfold.store.made import MADE
from memfold.store.record import CONVERSATIONS, Record
from memfold.store.tables import names, opened
from memfold.store.unsealed import JOBS, Unsealed
from memfold.watch import Report


@dataclass(frozen=True)
class Given:
    """A source that holds its items in memory."""

    items: tuple[Message | DeadLetter | Title | Notice, ...]

    def messages(self) -> Iterator[Message | DeadLetter | Title | Notice]:
        return iter(self.items)


@dataclass(frozen=True)
class Then:
    """A source that does something once it has given its messages, while the job that reads it runs."""

    source: Source
    act: Callable[[], object]

    def messages(self) -> Iterator[Message | DeadLetter | Title | Notice]:
        yield from self.source.messages()
        self.act()


@cache
def engine() -> Engine:
    made: Engine = build(load("index", ["source=synthetic"]).engine, "engine")
    return made


@cache
def embedder() -> Embedder:
    return MiniLM()


def job(
    root: Path,
    items: Sequence[Message | DeadLetter | Title | Notice],
    *,
    tenant: str = "default",
    executor: Executor | None = None,
    overrides: Sequence[str] = (),
) -> Job:
    """An index job over `items`, configured as jobs/index.py would be with these overrides."""
    config = _config(tuple(overrides))
    return Job(
        source=Given(tuple(items)),
        location=Location(str(root), tenant),
        engine=engine(),
        embedder=embedder(),
        executor=executor or Local(),
        layers={name: build(node, f"layers.{name}") for name, node in config.layers.items()},
        config=recorded(config),
    )


@cache
def _config(overrides: tuple[str, ...]) -> DictConfig:
    return load("index", ["source=synthetic", *overrides])


def run(job: Job) -> dict[str, object]:
    return index(job, Report())


def indexed(
    root: Path, items: Sequence[Message | DeadLetter | Title | Notice], tenant: str = "default"
) -> dict[str, object]:
    return run(job(root, items, tenant=tenant))


@contextmanager
def new_root() -> Iterator[Path]:
    """A root for one example of a property: pytest's tmp_path is one for all of them."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "store"


def files(root: Path) -> dict[str, bytes]:
    """Every file under a root, by its path, with its bytes."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def found(root: Path, text: str) -> list[str]:
    """The files under a root that hold `text`, in their bytes or in their names."""
    wanted = text.encode()
    return [path for path, held in files(root).items() if wanted in held or text in path]


def record(root: Path, of: str = "c") -> Record:
    """What the newest snapshot shows of a conversation."""
    catalog = Catalog(Location(str(root)))
    seen = catalog.record(catalog.at(), of)
    assert seen is not None
    return seen


def rows(root: Path, tenant: str = "default") -> dict[str, int]:
    """How many rows each table holds, whoever may see them. A folder that a kill left without a version holds none."""
    location = Location(str(root), tenant)

    def count() -> dict[str, int]:
        tables = {name: opened(location, name) for name in names(location)}
        return {name: 0 if table is None else table.count_rows() for name, table in tables.items()}

    return reread(count)


def held(root: Path, table: str, tenant: str = "default") -> pa.Table:
    """All rows that a table holds, whoever may see them."""
    dataset = opened(Location(str(root), tenant), table)
    assert dataset is not None
    return dataset.to_table()


def shown(root: Path, table: str, tenant: str = "default") -> pa.Table:
    """The rows of a table that the newest snapshot shows."""
    store = memfold.open(str(root), tenant)
    return pa.Table.from_batches(list(store.live(table)))


def schemas(job: Job) -> dict[str, pa.Schema]:
    """Every table that a store of this job has, with its columns as the code declares them."""
    made = tables(job.location, equipped(job.layers, Tools(job.embedder, job.engine.asker)))
    return {
        **{name: table.schema for name, table in made.items()},
        "generations": GENERATIONS,
        "dead_letters": DEAD_LETTERS,
        "conversations": CONVERSATIONS,
        "snapshots": SNAPSHOTS,
        "jobs": JOBS,
        "made": MADE,
    }


def stored_schemas(root: Path, tenant: str = "default") -> dict[str, pa.Schema]:
    """Every table that lies under a root, with the columns it has there."""
    location = Location(str(root), tenant)
    return {name: opened(location, name).schema for name in names(location)}


START = datetime(2024, 3, 1, 9, tzinfo=UTC)


def said(
    text: str, role: Role = "user", *, of: str = "c", id: str | None = None, minute: int | None = None
) -> Message:
    return Message(of, role, text, id, None if minute is None else START + timedelta(minutes=minute))


# Topics far enough from each other for a search to tell them apart.
TOPICS = (
    "sourdough starter", "kayak repair", "tax return", "violin lessons", "rose pruning", "chess openings",
    "solar panels", "marathon training", "sign language", "beekeeping", "film cameras", "train timetable",
)  # fmt: skip


def chat(exchanges: int, of: str = "c", *, mark: str = "", ids: bool = True) -> list[Message]:
    """A conversation of which each layer makes rows (facts, updates, instructions, preferences, opinions, dates); ids
    are the numbers of the messages."""
    made: list[Message] = []
    for n in range(exchanges):
        topic = TOPICS[n * 7 % len(TOPICS)]
        user = f"{mark}My {topic} budget is {100 + n} dollars, and question {n} is about {topic}."
        if n % 5 == 0:
            user += f" Always mention {topic} first when I ask about the weather."
        if n % 7 == 3:
            user += (
                f" I prefer short answers about {topic}. We decided to postpone plan {n} because it rains."
            )
        if n % 6 == 2:
            user += f" Part {n} of the {topic} starts in two weeks."
        if n % 8 in (0, 5):
            user += (
                f" I really like the {topic} coach."
                if n % 8
                else f" I was disappointed with the {topic} coach."
            )
        reply = f"{mark}Here is answer {n} about {topic}: it takes {n + 2} days."
        for place, (role, text) in enumerate([("user", user), ("assistant", reply)]):
            number = 2 * n + place
            made.append(
                Message(
                    of,
                    "user" if role == "user" else "assistant",
                    text,
                    str(number) if ids else None,
                    START + timedelta(minutes=7 * number),
                    f"session-{n // 6}",
                )
            )
    return made


# Any text but lone surrogates, which no reader lets through: they have no UTF-8.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
CLOCKS = [UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3, minutes=30))]
TIMES = st.none() | st.datetimes(
    datetime(1990, 1, 1), datetime(2090, 1, 1), timezones=st.sampled_from(CLOCKS)
)  # microseconds: what the table holds


def messages(of: str = "c") -> st.SearchStrategy[Message]:
    """Any message of one conversation, without id or with one that may be another's too."""
    return st.builds(
        Message,
        conversation_id=st.just(of),
        role=st.sampled_from(ROLES),
        content=st.sampled_from(["", "\x00", "a\x00b", "\r\n\u2028\x85", "Always answer in French."]) | TEXT,
        message_id=st.none() | st.sampled_from(["0", "1", "2", "a", "a#2", ""]),
        time=TIMES,
        session=st.none() | TEXT,
        speaker=st.none() | TEXT,
        attachments=st.lists(TEXT, max_size=2).map(tuple),
        current=st.booleans(),
    )


def conversations(of: str = "c", min_size: int = 1, max_size: int = 8) -> st.SearchStrategy[list[Message]]:
    return st.lists(messages(of), min_size=min_size, max_size=max_size)


def buried(root: Path) -> None:
    """Remove all leases of a store, as if another job had taken their jobs for dead."""
    Unsealed(Location(str(root)))._jobs.delete(pc.field("job").is_valid())
