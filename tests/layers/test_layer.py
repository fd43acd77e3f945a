"""Merging lifted rows: a union by key, in the order of keys."""

from __future__ import annotations

import pyarrow as pa

from memfold.layers.layer import merge
from memfold.schema import key, required

ROWS = pa.schema([key("segment", pa.string()), key("exchange_id", pa.int64()), required("text", pa.string())])


def rows(*exchanges: int) -> pa.Table:
    return pa.Table.from_pylist(
        [{"segment": "s", "exchange_id": n, "text": f"said {n}"} for n in exchanges], schema=ROWS
    )


def test_each_key_is_kept_once_in_the_order_of_keys() -> None:
    assert merge([rows(10, 2), rows(2, 9), rows(10)]).equals(rows(2, 9, 10))


def test_merging_is_a_union() -> None:
    one, two, three = rows(1, 2), rows(2, 3), rows(4)
    assert merge([merge([one, two]), three]).equals(merge([one, merge([three, two])]))
    assert merge([one, one]).equals(one)
    assert merge([one, rows()]).equals(one)
