"""What calibrates: drawn evenly, by a seed, in windows of one length."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.errors import UserError
from memfold.quantize.sample import Calibration, Sample, divided, general, ordered, packed

STRATA = [("extraction", "en"), ("extraction", "zh"), ("sealing", "en"), ("answer", "en")]


def sample(n: int, stratum: int = 0, conversation: str = "a", length: int = 10) -> Sample:
    stage, language = STRATA[stratum]
    return Sample(stage, language, conversation, (*divmod(n, 50_000), *range(length - 2)))


samples = st.lists(
    st.builds(sample, st.integers(0, 10**6), st.integers(0, 3), st.sampled_from("abc"), st.integers(3, 40)),
    max_size=30,
)


@settings(max_examples=25)
@given(samples, st.randoms(use_true_random=False))
def test_the_order_samples_come_in_does_not_matter(given: list[Sample], random: object) -> None:
    shuffled = list(given)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert ordered(shuffled, 1) == ordered(given, 1)
    # The control: another seed is another order, where there is anything to order.
    assert len(ordered(given, 1)) == len({one.digest for one in given})


def test_another_seed_is_another_order() -> None:
    given = [sample(n) for n in range(20)]
    assert ordered(given, 1) != ordered(given, 2)


def test_every_beginning_is_even_over_stages_languages_and_conversations() -> None:
    # A hundred times as many of one stratum and conversation as of the others.
    given = [sample(n) for n in range(400)]
    given += [
        sample(1000 + 100 * s + 10 * n + (c == "c"), s, c) for s in range(4) for c in "bc" for n in range(4)
    ]
    first = ordered(given, 0)[:16]
    assert set(Counter((one.stage, one.language) for one in first).values()) == {4}
    for stratum in STRATA[1:]:
        of = Counter(one.conversation_id for one in first if (one.stage, one.language) == stratum)
        assert of == {"b": 2, "c": 2}
    of = Counter(one.conversation_id for one in first if (one.stage, one.language) == STRATA[0])
    assert sorted(of.values()) == [1, 1, 2]


def test_long_samples_of_one_stage_do_not_crowd_out_the_others() -> None:
    long = [sample(n, 2, length=100) for n in range(10)]
    short = [sample(100 + n, 0, length=10) for n in range(100)]
    first = ordered([*long, *short], 0)[:33]
    tokens = Counter[str]()
    for one in first:
        tokens[one.stage] += len(one.tokens)
    assert abs(tokens["sealing"] - tokens["extraction"]) <= 100


def test_windows_have_one_length_and_hold_every_sample_in_turn() -> None:
    made = packed([sample(n) for n in range(10)], 3, 25)
    assert [len(window) for window in made.windows] == [25, 25, 25]
    assert len(made.samples) == 8
    assert made.left_over == 5
    whole = [token for one in made.samples for token in one.tokens]
    assert [token for window in made.windows for token in window] == whole[:75]


def test_what_is_longer_than_a_window_keeps_both_ends() -> None:
    made = packed([Sample("sealing", "en", "a", tuple(range(100)))], 1, 10)
    assert made.windows == ((0, 1, 2, 3, 4, 95, 96, 97, 98, 99),)
    assert made.clipped == 1


def test_too_little_says_how_much_there_is() -> None:
    with pytest.raises(UserError, match=r"give 20 tokens and 100 .*to 2 or fewer"):
        packed([sample(0), sample(1)], 10, 10)


def test_general_text_is_drawn_by_the_seed_and_never_twice() -> None:
    stream = list(range(1000))
    drawn = general(stream, 5, 20, 0)
    assert len(set(drawn)) == 5
    assert drawn == general(stream, 5, 20, 0) != general(stream, 5, 20, 1)
    assert general(stream, 0, 20, 0) == ()
    with pytest.raises(UserError, match=r"50 windows of the 51 asked for: name a folder"):
        general(stream, 51, 20, 0)


@settings(max_examples=25)
@given(st.sets(st.text(min_size=1, max_size=5), min_size=2, max_size=30), st.integers(0, 9))
def test_no_conversation_is_on_both_sides(ids: set[str], seed: int) -> None:
    calibrating, judging = divided(ids, 0.25, seed)
    assert calibrating
    assert judging
    assert sorted([*calibrating, *judging]) == sorted(ids)
    assert divided(sorted(ids, reverse=True), 0.25, seed) == (calibrating, judging)


@pytest.mark.parametrize("count", [0, 1])
def test_one_conversation_cannot_judge_itself(count: int) -> None:
    with pytest.raises(UserError, match=f"holds {count} conversations: index at least 2"):
        divided(["a"][:count], 0.25, 0)


def test_the_share_of_general_text_is_counted_in_windows() -> None:
    assert Calibration(windows=16, general=0.25).general_windows == 4
    assert Calibration(windows=16, general=0).general_windows == 0
