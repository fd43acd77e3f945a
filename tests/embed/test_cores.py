"""How texts are shared out among threads."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from memfold.embed import cores
from memfold.embed.cores import GROUP, share_out


def groups(lengths: Sequence[int], threads: int) -> list[Sequence[int]]:
    taken: list[Sequence[int]] = []
    share_out(["x" * length for length in lengths], threads, taken.append)
    return taken


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
@pytest.mark.parametrize("texts", [0, 1, 3, 64, 200])
def test_each_text_is_given_once_and_no_group_is_too_large(texts: int, threads: int) -> None:
    taken = groups([n % 7 for n in range(texts)], threads)
    assert sorted(place for group in taken for place in group) == list(range(texts))
    assert all(0 < len(group) <= GROUP for group in taken)


def test_one_thread_takes_all_it_may_at_once_the_longest_first() -> None:
    assert groups([1, 3, 2], 1) == [[1, 2, 0]]
    assert [len(group) for group in groups([1] * (GROUP + 1), 1)] == [GROUP, 1]


def test_several_threads_leave_each_other_something_to_the_last() -> None:
    lengths = [1000, *[10] * 100]
    taken = groups(lengths, 2)
    assert [0] in taken  # a long one is work enough
    assert all(sum(lengths[place] for place in group) <= 250 for group in taken if group != [0])
    assert sum(len(group) == 1 for group in taken) >= 4


def test_what_fails_in_a_thread_is_raised() -> None:
    def fail(places: Sequence[int]) -> None:
        if 0 in places:
            raise ValueError("the shortest")

    with pytest.raises(ValueError, match="the shortest"):
        share_out(["x" * n for n in range(50)], 2, fail)


def test_a_question_does_not_wait_for_threads_that_encode_for_a_job() -> None:
    done, encoded = threading.Event(), list[Sequence[int]]()
    for _ in range(cores.CORES):
        cores._pool().submit(done.wait)
    question = threading.Thread(
        target=share_out, args=(["as asked", "its topic"], 2, encoded.append), daemon=True
    )
    question.start()
    question.join(30)
    waits = question.is_alive()
    done.set()
    assert not waits
    assert sorted(place for group in encoded for place in group) == [0, 1]
