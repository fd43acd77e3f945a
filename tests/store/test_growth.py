"""A store that grows: inserting and reading cost as many operations in a large one, and writers at once lose nothing.

`benchmarks/store.py` measures the same in time and at size.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import lance
import pytest

import memfold
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from memfold.store.maintain import maintain, tend
from memfold.store.part import Part
from memfold.store.tables import among, names, opened
from memfold.store.upkeep import FRAGMENTS
from memfold.store.verify import verify
from support.filling import ROWS, SEGMENTS, fill, table
from support.given import chat, indexed


@pytest.fixture
def location(tmp_path: Path) -> Location:
    return Location(str(tmp_path))


def conversations(first: int, last: int) -> list[str]:
    return [f"c{n}" for n in range(first, last)]


def read(dataset: lance.LanceDataset, part: Part) -> tuple[int, int]:
    """What reading one part costs where the table is open: operations and bytes."""
    ids = list(range(part.first, part.first + part.rows))
    dataset._take_rows(ids)
    dataset.io_stats_incremental()
    assert dataset._take_rows(ids).num_rows == part.rows
    done = dataset.io_stats_incremental()
    return done.read_iops, done.read_bytes


def test_reading_a_segment_costs_as_much_wherever_it_lies(location: Location) -> None:
    fill(location, conversations(0, 2))
    few = table(location).open()
    assert few is not None
    [[first, *_], *_] = parts = fill(location, conversations(2, 60), tending=10)
    many = table(location).open()
    assert many is not None
    assert many.count_rows() == 30 * few.count_rows()
    costs = [read(many, each) for each in (first, parts[30][1], parts[-1][-1])]
    smallest = read(few, Part("", 0, ROWS, ""))
    assert max(costs)[0] <= smallest[0] + 1
    assert max(size for _, size in costs) <= 2 * smallest[1]

    # Control: by a filter on its segment it is found by looking through all files.
    many.io_stats_incremental()
    assert many.to_table(filter=among("segment", [first.name])).num_rows == ROWS
    assert many.io_stats_incremental().read_iops > 5 * smallest[0]


def test_opening_a_conversation_opens_each_table_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the seals once more, to see that the snapshot is still kept: what it takes in any store. They were opened
    seven times, and each other table twice."""
    indexed(tmp_path, [*chat(3), *chat(3, "d")])
    seen: Counter[str] = Counter()
    real = lance.dataset

    def counting(uri: str, **options: object) -> lance.LanceDataset:
        seen[Path(uri).stem] += 1
        return real(uri, **options)

    monkeypatch.setattr(lance, "dataset", counting)
    assert memfold.open(tmp_path).search("c", "what was said?")
    assert seen.pop("snapshots") == 2
    assert set(seen.values()) == {1}
    assert {"conversations", "episodic"} <= seen.keys()


def test_where_rows_lie_is_read_once_for_each_version(location: Location) -> None:
    """Rows were collected from between others, so each id has to be told apart."""
    parts = [part for each in fill(location, conversations(0, 8), tending=4) for part in each]
    table(location).drop(parts[1::3])
    tend(location)

    def cost() -> int:
        dataset = opened(location, "messages")
        assert dataset is not None
        assert dataset._take_rows([parts[-1].first]).num_rows == 1
        return int(dataset.io_stats_incremental().read_iops)

    first, again = cost(), cost()
    assert again < first
    fill(location, ["new"])
    assert again < cost()  # another version


def test_files_and_versions_do_not_pile_up(location: Location) -> None:
    """Of 90 commits of each table: merged whenever there are many small ones, and one by one they would be 90."""
    fill(location, conversations(0, 90), tending=10)
    found = {name: len(opened(location, name).get_fragments()) for name in names(location)}
    assert max(found.values()) < FRAGMENTS + 10, found


def test_inserting_opens_no_file_that_was_there(location: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those of its own commit, however many there are."""
    seen: list[str] = []
    scanner = lance.LanceFragment.scanner

    def counting(fragment: lance.LanceFragment, **options: object) -> object:
        seen.append(fragment.data_files()[0].path)
        return scanner(fragment, **options)

    monkeypatch.setattr(lance.LanceFragment, "scanner", counting)
    fill(location, conversations(0, 30))
    assert len(seen) == len(set(seen)) == 30


def test_a_conversation_that_several_writers_write_is_there_once(location: Location) -> None:
    share = [conversations(n, n + 6) for n in (0, 4, 8, 12)]  # a third of each is another's too
    with ThreadPoolExecutor(len(share)) as pool:
        list(pool.map(lambda each: fill(location, each, tending=2), share))
    whole(location, 18)


def whole(location: Location, count: int) -> None:
    """Nothing is lost and nothing doubled, in what the snapshot shows and in the table."""
    catalog = Catalog(location)
    shown = {each.conversation_id: each.messages for each in catalog.stream(catalog.at())}
    assert shown == dict.fromkeys(conversations(0, count), SEGMENTS * ROWS)
    sealed = catalog.at().newest
    assert sealed is not None
    assert verify(location, catalog.at()) == sealed.content_hash
    maintain(location, keep=1, unsealed_days=0)
    assert verify(location, catalog.at()) == sealed.content_hash
    assert table(location).count() == count * SEGMENTS * ROWS
