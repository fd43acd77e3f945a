"""Laws 4, 5 and 9 for every memory layer, in a store and through the real index job."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.laws import assert_as_of_in_store, assert_erases, assert_erases_a_message, assert_reruns
from support.layers import LAYERS


@pytest.mark.parametrize("name", LAYERS)
def test_a_job_run_again_ends_with_the_same_rows(name: str, tmp_path: Path) -> None:
    assert_reruns(LAYERS[name], tmp_path)


@pytest.mark.parametrize("name", LAYERS)
def test_as_of_a_message_is_the_conversation_that_ended_there(name: str, tmp_path: Path) -> None:
    assert_as_of_in_store(LAYERS[name], tmp_path)


@pytest.mark.parametrize("name", LAYERS)
def test_nothing_is_left_of_an_erased_conversation(name: str, tmp_path: Path) -> None:
    assert_erases(LAYERS[name], tmp_path)


@pytest.mark.parametrize("name", LAYERS)
def test_nothing_is_left_of_an_erased_message(name: str, tmp_path: Path) -> None:
    assert_erases_a_message(LAYERS[name], tmp_path)
