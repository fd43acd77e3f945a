"""Snapshots: numbered, sealed at once, and each made of the newest record of every conversation before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from memfold import UserError
from memfold.digest import digest
from memfold.store import catalog as module
from memfold.store import divide
from memfold.store.attempts import Uncertain
from memfold.store.catalog import Catalog, Snapshot
from memfold.store.location import Location
from memfold.store.maintain import maintain
from memfold.store.part import Part
from memfold.store.record import Record, gone, rows_of
from memfold.store.upkeep import clean, compact


def record(name: str, hash: str = "h", title: str | None = None) -> Record:
    part = Part(digest("m", name, hash), 7, 2, digest("rows", hash), 9)
    return Record(
        conversation_id=name, title=title, messages=2, exchanges=1, tokens=9, first_time=None,
        last_time=datetime(2024, 3, 1, 9, tzinfo=UTC), rejected=0, said=digest("said"), recipe=digest("recipe"),
        parts={"messages": (part,), "notes": (Part(digest("n"), -1, 0, digest(), 0), part)},
        content_hash=digest(hash),
    )  # fmt: skip


def seal(catalog: Catalog, *records: Record, before: dict[str, str] | None = None) -> Snapshot:
    sealed, left = catalog.seal(records, config="{}", embedder="embedder", before=before)
    assert left == []
    return sealed


def newest(catalog: Catalog, number: int | None = None) -> dict[str, Record]:
    """What a snapshot shows, whoever filed it."""
    shown = {each.conversation_id: replace(each, uid="") for each in catalog.stream(catalog.at(number))}
    found = catalog.records(catalog.at(number), list(shown))
    assert {name: replace(each, uid="") for name, each in found.items()} == shown
    return shown


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    location = Location(str(tmp_path))
    location.make()
    return Catalog(location)


def test_nothing_is_sealed_in_the_beginning(catalog: Catalog) -> None:
    assert catalog.history().newest is None
    assert catalog.sealed() == 0
    with pytest.raises(UserError, match=r"nothing is sealed .* index something into it first"):
        catalog.at()


def test_no_store_begins_in_the_folder_of_another_stores_tenant(catalog: Catalog) -> None:
    root = catalog.location.root
    seal(catalog, record("a"))
    within = Catalog(Location(f"{root}/default"))
    said = (
        f"is the folder of tenant 'default' of the store {root}: set store.root={root} store.tenant=default"
    )
    for asked in (within.history, within.at, within.check):
        with pytest.raises(UserError, match=re.escape(said)):
            asked()
    link = Path(root).with_name("A link")
    link.symlink_to(f"{root}/default")
    with pytest.raises(UserError, match="A link is the folder of tenant 'default'"):
        Catalog(Location(str(link))).at()
    assert Catalog(Location(f"{root}/other")).history().newest is None


def test_a_store_that_lies_in_anothers_is_still_read(tmp_path: Path) -> None:
    inner = Catalog(Location(str(tmp_path / "default")))
    seal(inner, record("a"))
    seal(Catalog(Location(str(tmp_path))), record("b"))
    assert list(newest(inner)) == ["a"]


def test_snapshots_are_numbered_from_one(catalog: Catalog) -> None:
    sealed = [seal(catalog, record("a", str(n))) for n in range(11)]
    assert [snapshot.number for snapshot in sealed] == list(range(1, 12))
    assert catalog.sealed() == 11
    for snapshot in sealed:
        history = catalog.at(snapshot.number)
        assert history.newest == snapshot
        assert sorted(history.numbers.values()) == list(range(1, snapshot.number + 1))
        assert history.numbers[snapshot.uid] == snapshot.number
    found = catalog.record(catalog.at(10), "a")
    assert found is not None
    assert (found.content_hash, found.uid) == (digest("9"), sealed[9].uid)


def test_a_record_is_read_as_it_was_filed(catalog: Catalog) -> None:
    filed = [record("a"), record("b", title="Über Brot"), replace(record("c"), parts={}, last_time=None)]
    sealed = seal(catalog, *filed)
    for each in filed:
        assert catalog.record(catalog.at(), each.conversation_id) == replace(each, uid=sealed.uid)
    (listed,) = (x for x in catalog.stream(catalog.at(), ["title", "tokens"]) if x.title)
    assert (listed.conversation_id, listed.tokens, listed.parts) == ("b", 9, {})


def test_a_conversation_is_its_newest_record(catalog: Catalog) -> None:
    seal(catalog, record("b", "1"), record("a", "1"))
    seal(catalog, record("a", "2"))
    assert newest(catalog) == {"a": record("a", "2"), "b": record("b", "1")}
    assert newest(catalog, 1) == {"a": record("a", "1"), "b": record("b", "1")}
    assert catalog.records(catalog.at(), ["b", "nobody"]).keys() == {"b"}
    assert catalog.records(catalog.at(), []) == {}


def test_many_are_looked_up_as_a_few_are(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    seal(catalog, *(record(f"c{n}", "1") for n in range(20)))
    seal(catalog, *(record(f"c{n}", "2") for n in range(0, 20, 3)), gone("c1"))
    wanted = [f"c{n}" for n in range(0, 20, 2)] + ["c1", "nobody"]
    few = catalog.records(catalog.at(), wanted)
    assert few.keys() == set(wanted) - {"nobody"}
    assert few["c1"].removed
    monkeypatch.setattr(module, "LOOKED_UP", 3)
    assert catalog.records(catalog.at(), wanted) == few


def test_a_snapshots_hash_is_over_all_that_is_visible_and_not_removed(
    catalog: Catalog, tmp_path: Path
) -> None:
    first = seal(catalog, record("a", "1"), record("b", "2"))
    other = Catalog(Location(str(tmp_path), "other"))
    other.location.make()
    seal(other, record("b", "2"))
    assert seal(other, record("a", "1")).content_hash == first.content_hash
    removed = seal(catalog, gone("a"))
    assert (removed.conversations, first.conversations) == (1, 2)
    assert list(newest(catalog)) == ["b"]
    assert seal(catalog, record("a", "2")).content_hash != first.content_hash
    assert seal(catalog, record("a", "1")).content_hash == first.content_hash
    assert seal(catalog, gone("a")).content_hash == removed.content_hash
    for number in range(1, catalog.sealed() + 1):
        history = catalog.at(number)
        assert history.newest is not None
        assert catalog.content_hash(history) == history.newest.content_hash


def test_a_job_that_changed_nothing_seals_what_was_visible(catalog: Catalog) -> None:
    first = seal(catalog, record("a"))
    assert seal(catalog).content_hash == first.content_hash


def test_jobs_that_seal_at_the_same_moment_get_a_number_each(catalog: Catalog) -> None:
    seal(catalog)
    with ThreadPoolExecutor(4) as threads:
        sealed = list(threads.map(lambda n: seal(catalog, record(f"c{n}")), range(4)))
    assert sorted(snapshot.number for snapshot in sealed) == [2, 3, 4, 5]
    history = catalog.at()
    assert sorted(newest(catalog)) == ["c0", "c1", "c2", "c3"]
    assert history.newest is not None
    assert history.newest.content_hash == catalog.content_hash(history)
    assert history.newest.conversations == 4


@pytest.mark.parametrize("table", ["_records", "_seals"])
@pytest.mark.parametrize("written", [True, False])
def test_what_nobody_knows_to_be_filed_is_filed_under_another_uid(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch, table: str, written: bool
) -> None:
    uid = seal(catalog, record("a", "1")).uid
    of, how = getattr(catalog, table), "append" if table == "_records" else "insert"
    real, asked = getattr(of, how), 0

    def unknown(rows: pa.Table) -> int | None:
        nonlocal asked
        asked += 1
        done = real(rows) if written or asked > 1 else None
        if asked == 1:
            raise Uncertain("unknown")
        return done

    monkeypatch.setattr(of, how, unknown)
    sealed = seal(catalog, record("a", "2"), record("b"), before={"a": uid})
    assert (sealed.number, catalog.sealed()) == (2, 2)
    assert newest(catalog) == {"a": record("a", "2"), "b": record("b")}
    assert catalog.content_hash(catalog.at()) == sealed.content_hash
    maintain(catalog.location, keep=1)
    assert newest(catalog) == {"a": record("a", "2"), "b": record("b")}


def test_a_seal_ends_where_nobody_ever_knows_what_is_filed(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(rows: pa.Table) -> None:
        raise Uncertain("unknown")

    seal(catalog, record("a"))
    monkeypatch.setattr(catalog._records, "append", unknown)
    with pytest.raises(Uncertain):
        seal(catalog, record("b"))
    assert catalog.sealed() == 1


def test_a_record_that_was_filed_twice_is_one(catalog: Catalog) -> None:
    """An earlier memfold filed a record again where it was not known whether it was."""
    filed = [record("a"), record("b")]
    sealed = seal(catalog, *filed)
    catalog._records.append(rows_of(filed[:1], sealed.uid))
    assert [each.conversation_id for each in catalog.stream(catalog.at())] == ["a", "b"]
    assert catalog.content_hash(catalog.at()) == sealed.content_hash
    maintain(catalog.location, keep=1)
    seal(catalog, gone("a"))
    assert list(newest(catalog)) == ["b"]
    assert list(newest(catalog, 2)) == ["a", "b"]


def test_what_another_seal_changed_since_it_was_read_is_left_out(catalog: Catalog) -> None:
    first = seal(catalog, record("a", "1"), record("b", "1"))
    seal(catalog, record("a", "theirs"))
    before = {"a": first.uid, "b": first.uid}
    mine = [record("a", "mine"), record("b", "mine"), record("new", "mine")]
    sealed, left = catalog.seal(mine, config="{}", embedder="embedder", before=before)
    assert left == ["a"]
    assert newest(catalog) == {"a": record("a", "theirs"), "b": mine[1], "new": mine[2]}
    again, left = catalog.seal(mine, config="{}", embedder="embedder", before=before)
    assert (left, again) == (["a", "b", "new"], sealed)


def test_what_changes_between_looking_and_sealing_is_seen_on_the_next_look(catalog: Catalog) -> None:
    """The number is what two seals compete for: who loses it looks again."""
    uid = seal(catalog, record("a", "1")).uid
    asked = 0

    def erased_meanwhile() -> list[str]:
        nonlocal asked
        asked += 1
        if asked == 1:
            seal(catalog, record("a", "theirs"))
        return ["b"] if asked == 2 else []

    mine = [record("a", "mine"), record("b", "mine"), record("c", "mine")]
    sealed, left = catalog.seal(
        mine, config="{}", embedder="embedder", before={"a": uid}, left_out=erased_meanwhile
    )
    assert (asked, sealed.number, sorted(left)) == (2, 3, ["a", "b"])
    assert newest(catalog) == {"a": record("a", "theirs"), "c": mine[2]}
    # What was filed under the uid that got no number is in no snapshot, and a clean-up takes it away.
    assert len(list(catalog.everything())) == 6
    assert maintain(catalog.location).records == 3
    assert len(list(catalog.everything())) == 3
    assert newest(catalog) == {"a": record("a", "theirs"), "c": mine[2]}


def test_a_job_that_stops_on_its_look_seals_nothing(catalog: Catalog) -> None:
    def dead() -> list[str]:
        raise UserError("taken for dead")

    seal(catalog, record("a"))
    with pytest.raises(UserError, match="taken for dead"):
        catalog.seal([record("b")], config="{}", embedder="embedder", left_out=dead)
    assert sorted(newest(catalog)) == ["a"]
    assert catalog.sealed() == 1


def test_a_snapshot_that_is_not_there(catalog: Catalog) -> None:
    seal(catalog)
    with pytest.raises(UserError, match=r"no snapshot 2 .* it has 1 alone"):
        catalog.at(2)


def test_a_snapshot_that_is_not_kept_is_refused_and_never_has_a_gap(catalog: Catalog) -> None:
    seal(catalog, record("a", "1"), record("b", "1"))
    old = catalog.at()
    seal(catalog, record("a", "2"))
    maintain(catalog.location, keep=1)
    with pytest.raises(UserError, match=r"no snapshot 1 .* it has 3 alone"):
        catalog.at(1)
    for read in (
        lambda: catalog.record(old, "a"),
        lambda: catalog.record(old, "b"),
        lambda: list(catalog.stream(old)),
    ):
        with pytest.raises(
            UserError, match=r"snapshot 1 .* no longer kept, 3 is the oldest: open the store again"
        ):
            read()
    assert newest(catalog) == {"a": record("a", "2"), "b": record("b", "1")}


def test_a_listing_holds_the_ids_of_one_part_at_a_time(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether each conversation has one record or several, of which some are of no snapshot or say that it is gone."""
    monkeypatch.setattr(divide, "ROWS", 20)
    names = [f"c{n}" for n in range(100)]
    seal(catalog, *(record(name, "1") for name in names))
    seal(catalog, *(record(name, "2") for name in names[::2]))
    seal(catalog, *(gone(name) for name in names[::5]))
    catalog._records.append(rows_of([record("c1", "unsealed")], "nobody"))
    with closing(catalog._divided(catalog.at(), ())) as divided:
        assert divided.parts == 9
    expected = {name: record(name, "2" if n % 2 == 0 else "1") for n, name in enumerate(names) if n % 5}
    assert newest(catalog) == expected
    assert newest(catalog, 1) == {name: record(name, "1") for name in names}


def test_a_reader_that_streams_beside_a_clean_up_is_given_each_conversation_once(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(40):
        seal(catalog, record(f"c{n}"))
    others = Catalog(catalog.location)
    real, begun = catalog._records.batches, 0

    def batches(columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        nonlocal begun
        for n, batch in enumerate(real(columns)):
            if n == (0 if begun else 3) and begun < 3:
                begun += 1
                seal(others, record("later"), record("c1", "later"))
                compact(catalog.location, "conversations", least=2)
                clean(catalog.location, "conversations", alone=True)
                raise OSError("LanceError(IO): Not found: …/data/1.lance")
            yield batch

    monkeypatch.setattr(catalog._records, "batches", batches)
    found = [(each.conversation_id, each.content_hash) for each in catalog.stream(catalog.at())]
    assert begun == 3
    assert sorted(found) == sorted((f"c{n}", digest("h")) for n in range(40))
