"""Snapshots: numbered, sealed at once, and each made of the newest record of every conversation before it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memfold import UserError
from memfold.store.catalog import Catalog, Record, Segment, Snapshot, content_hash
from memfold.store.location import Location

DRAFT = Snapshot(0, "", datetime(2024, 1, 1, tzinfo=UTC), "job", "{}", "embedder", (), 1, 1, 1, 0, "")


def record(name: str, hash: str = "h") -> Record:
    return Record(name, 2, 1, 9, None, None, (Segment("m", "x", "e", "r"),), ("n",), hash)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return Catalog(Location(str(tmp_path)))


def test_nothing_is_sealed_in_the_beginning(catalog: Catalog) -> None:
    assert catalog.snapshots() == []
    with pytest.raises(UserError, match=r"nothing is sealed .* index something into it first"):
        catalog.at()


def test_snapshots_are_numbered_from_one(catalog: Catalog) -> None:
    sealed = [catalog.seal([record("a", str(n))], DRAFT) for n in range(11)]
    assert [snapshot.number for snapshot in sealed] == list(range(1, 12))
    assert catalog.snapshots() == sealed
    assert [snapshot.number for snapshot in catalog.at(10)] == list(range(1, 11))
    assert catalog.records(catalog.at(10))["a"].content_hash == "9"


def test_a_conversation_is_its_newest_record(catalog: Catalog) -> None:
    catalog.seal([record("b", "1"), record("a", "1")], DRAFT)
    catalog.seal([record("a", "2")], DRAFT)
    assert catalog.records(catalog.at()) == {"a": record("a", "2"), "b": record("b", "1")}
    assert catalog.records(catalog.at(1)) == {"a": record("a", "1"), "b": record("b", "1")}
    assert catalog.records(catalog.at(), "b") == {"b": record("b", "1")}
    assert catalog.changed(catalog.at()[-1].uid) == {"a": record("a", "2")}


def test_a_snapshots_hash_is_over_all_that_is_visible_and_not_removed(catalog: Catalog) -> None:
    first = catalog.seal([record("a", "1"), record("b", "2")], DRAFT)
    assert first.content_hash == content_hash([record("b", "2"), record("a", "1")])
    gone = catalog.seal([replace(record("a"), removed=True)], DRAFT)
    assert gone.content_hash == content_hash([record("b", "2")])
    assert list(catalog.records(catalog.at())) == ["b"]
    assert content_hash([record("a", "2"), record("b", "1")]) != first.content_hash


def test_a_job_that_changed_nothing_seals_what_was_visible(catalog: Catalog) -> None:
    first = catalog.seal([record("a")], DRAFT)
    assert catalog.seal([], DRAFT).content_hash == first.content_hash


def test_jobs_that_seal_at_the_same_moment_get_a_number_each(catalog: Catalog) -> None:
    catalog.seal([], DRAFT)
    with ThreadPoolExecutor(4) as threads:
        sealed = list(threads.map(lambda n: catalog.seal([record(f"c{n}")], DRAFT), range(4)))
    assert sorted(snapshot.number for snapshot in sealed) == [2, 3, 4, 5]
    newest = catalog.at()
    assert list(catalog.records(newest)) == ["c0", "c1", "c2", "c3"]
    assert newest[-1].content_hash == content_hash(list(catalog.records(newest).values()))


def test_a_snapshot_that_is_not_there(catalog: Catalog) -> None:
    catalog.seal([], DRAFT)
    with pytest.raises(UserError, match=r"no snapshot 2 .* it has 1 to 1"):
        catalog.at(2)


def test_what_is_forgotten_is_in_no_snapshot(catalog: Catalog) -> None:
    catalog.seal([record("a"), record("b")], DRAFT)
    catalog.seal([record("a", "2")], DRAFT)
    assert catalog.forget("a") == 2
    assert catalog.records(catalog.at()).keys() == {"b"}
    assert catalog.records(catalog.at(1)).keys() == {"b"}
