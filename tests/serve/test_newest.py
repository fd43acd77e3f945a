from __future__ import annotations

import shutil

import pytest

from memfold.api import Store
from memfold.errors import UserError
from memfold.serve.newest import Newest, Reading
from memfold.store.erase import erase


def ids(store: Store) -> list[str]:
    return [known.conversation_id for known in store.conversations()]


def test_there_must_be_something_to_read(reading: Reading) -> None:
    with pytest.raises(UserError, match="nothing is sealed"):
        Newest(reading)


def test_an_open_store_is_kept_until_a_newer_snapshot_is_sealed(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("one", ["My cat is called Mia."])
    newest = Newest(reading)
    first = newest.store()
    assert newest.store() is first
    add("two", ["My dog is called Rex."])
    assert ids(newest.store()) == ["one", "two"]
    assert ids(first) == ["one"]


def test_a_store_that_is_removed_or_made_anew_is_not_answered_from_memory(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("one", ["My cat is called Mia."])
    newest = Newest(reading)
    assert newest.read(ids) == ["one"]
    folder = reading.location.local
    assert folder is not None
    shutil.rmtree(folder)
    with pytest.raises(UserError, match="is gone, or another stands there: put it back"):
        newest.store()
    # As many snapshots as before, so that their number does not tell.
    add("two", ["My dog is called Rex."])
    assert newest.read(ids) == ["two"]


def test_what_is_erased_while_it_is_read_is_read_again_without_it(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("one", ["My cat is called Mia."])
    add("two", ["My dog is called Rex."])
    newest = Newest(reading)
    seen: list[list[str]] = []

    def ask(store: Store) -> int:
        seen.append(ids(store))
        if len(seen) == 1:
            erase(reading.location, "one")
        return sum(len(store.search(name, "What is it called?")) for name in seen[-1])

    assert newest.read(ask) == 1
    assert seen == [["one", "two"], ["two"]]


def test_an_error_without_a_newer_snapshot_is_raised(reading: Reading, add) -> None:  # type: ignore[no-untyped-def]
    add("one", ["My cat is called Mia."])
    with pytest.raises(UserError, match="no conversation 'three'"):
        Newest(reading).read(lambda store: store.search("three", "What is it called?"))
