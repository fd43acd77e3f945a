"""Hashes: nothing runs into its neighbour, and a vector does not count."""

from __future__ import annotations

import hashlib

import orjson
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memfold.digest import digest, rows_digests

PARTS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)


def kinds(value: object) -> object:
    """The value with its types: to Python True is 1."""
    return [kinds(part) for part in value] if isinstance(value, list) else (type(value), value)


@given(st.lists(PARTS), st.lists(PARTS))
def test_equal_digests_mean_equal_parts(one: list[object], other: list[object]) -> None:
    assert (digest(*one) == digest(*other)) == (kinds(one) == kinds(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("a", None), ("a",)),
        (("a", ""), ("a",)),
        ((["a"], "b"), ("a", ["b"])),
        (("1",), (1,)),
        (('a","b',), ("a", "b")),
        (("\x00",), ("",)),
    ],
)
def test_nothing_runs_into_its_neighbour(one: tuple[object, ...], other: tuple[object, ...]) -> None:
    assert digest(*one) != digest(*other)


def test_a_digest_is_32_hexadecimal_digits_and_never_changes() -> None:
    """Stored rows are named by it: another value here would make every store be indexed anew."""
    assert digest("messages-1", "c", [(0, "a", None)]) == "856481e69777b2279f7c83e31d611712"


def rows(text: str = "a", vector: float = 0.5, more: int = 0) -> pa.Table:
    made = [{"text": text, "vector": [vector]}] + [{"text": "b", "vector": [vector]}] * more
    return pa.Table.from_pylist(made)


def one(table: pa.Table) -> str:
    (hashed,) = rows_digests(table, [table.num_rows])
    return hashed


def test_rows_are_hashed_without_their_vectors() -> None:
    assert one(rows(vector=0.1)) == one(rows(vector=0.2))
    assert one(rows()) != one(rows("A"))


def test_rows_are_hashed_one_by_one_in_their_order() -> None:
    both = rows(more=1)
    assert one(both) == one(pa.concat_tables([both.slice(0, 1), both.slice(1)]))
    assert one(both) != one(pa.concat_tables([both.slice(1), both.slice(0, 1)]))
    assert len({one(rows(more=n)) for n in range(3)}) == 3


def test_parts_that_lie_one_after_the_other_are_hashed_as_if_each_lay_alone() -> None:
    parts = [rows("a"), rows(more=2), rows().slice(0, 0), rows("b")]
    sizes = [part.num_rows for part in parts]
    assert rows_digests(pa.concat_tables(parts), sizes) == list(map(one, parts))
    assert rows_digests(rows(more=2), [2, 1]) != rows_digests(rows(more=2), [1, 2])


@pytest.mark.parametrize("sizes", [[], [1], [1, 2], [3]])
def test_sizes_that_are_not_the_rows_are_refused(sizes: list[int]) -> None:
    with pytest.raises(ValueError, match="2 rows are no"):
        rows_digests(rows(more=1), sizes)


def test_the_order_of_columns_does_not_matter_and_their_names_do() -> None:
    table = pa.table({"a": ["x"], "b": ["y"]})
    assert one(table) == one(table.select(["b", "a"]))
    assert one(table) != one(table.rename_columns(["b", "a"]))


LISTS = st.lists(st.lists(st.integers(-(2**31), 2**31 - 1) | st.none(), max_size=4) | st.none(), max_size=5)


@given(LISTS, st.integers(0, 5))
def test_lists_of_numbers_are_hashed_as_json_writes_them(
    lists: list[list[int | None] | None], start: int
) -> None:
    table = pa.table({"counts": pa.array(lists, pa.list_(pa.int32())), "n": range(len(lists))}).slice(start)
    lines = b"\n".join(orjson.dumps(row) for row in table.to_pylist())
    assert one(table) == hashlib.blake2b(lines, digest_size=16).hexdigest()
