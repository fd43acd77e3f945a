"""The gate's arithmetic, and what it refuses."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace

import pytest

from memfold.quantize.gate import CHECKPOINT, ORIGINAL, ROUNDED, ArmAnswer, Figures, Gate, agreement, figures
from memfold.schema import Window

WINDOW = Window("c", 0, (("user", "My fence is 2 m high and I prefer oak."),), (), "en", None)


def answer(facts: list[list[str]], notes: list[dict[str, str]], reason: str = "stop") -> ArmAnswer:
    entry = {"exchange": 1, "facts": facts, "notes": notes, "summary": "They plan a fence."}
    return ArmAnswer(json.dumps({"exchanges": [entry]}), reason, (WINDOW,))


GOOD = answer([["fence: height", "2 m"]], [{"kind": "preference", "text": "They prefer oak."}])
OTHER = answer([["fence: height", "3 m"]], [{"kind": "preference", "text": "They prefer pine."}])


def test_figures_of_the_original_agree_with_themselves() -> None:
    found = figures(200.0, 0.0, 100, [GOOD], [GOOD])
    assert found.perplexity == pytest.approx(math.exp(2))
    assert (found.kl, found.valid, found.facts, found.kinds, found.length, found.repeats) == (
        0,
        1,
        1,
        1,
        0,
        0,
    )


def test_another_value_is_no_agreement_and_the_same_kind_is() -> None:
    found = figures(200.0, 30.0, 100, [OTHER], [GOOD])
    assert found.kl == pytest.approx(0.3)
    assert (found.facts, found.kinds) == (0, 1)


def test_what_was_cut_off_is_invalid_a_length_stop_and_agrees_with_nothing() -> None:
    found = figures(1.0, 0.0, 1, [replace(GOOD, finish_reason="length"), GOOD], [GOOD, GOOD])
    assert (found.valid, found.length) == (0.5, 0.5)
    assert found.facts == pytest.approx(2 / 3)


def test_a_text_in_circles_is_a_repetition() -> None:
    found = figures(1.0, 0.0, 1, [ArmAnswer("the fence is high " * 40, "length", (WINDOW,))], [GOOD])
    assert (found.repeats, found.valid) == (1, 0)


def test_where_the_original_gave_nothing_nothing_can_agree() -> None:
    bad = ArmAnswer("{", "length", (WINDOW,))
    assert figures(1.0, 0.0, 1, [GOOD], [bad]).facts is None
    assert agreement([]) is None
    assert agreement([(Counter("ab"), Counter("bc"))]) == 0.5


def test_a_likelihood_beyond_floats_is_infinite_and_refused() -> None:
    lost = figures(1e9, 1.0, 1, [GOOD], [GOOD])
    assert lost.perplexity == math.inf
    assert any(line.startswith("perplexity") for line in Gate().broken({**arms(), CHECKPOINT: lost}))


def arms(**changed: float | None) -> dict[str, Figures]:
    original = figures(200.0, 0.0, 100, [GOOD], [GOOD])
    rounded = replace(original, perplexity=original.perplexity * 1.04, kl=0.08)
    made = replace(original, perplexity=original.perplexity * 1.02, kl=0.03, facts=0.8, kinds=0.9)
    return {ORIGINAL: original, ROUNDED: rounded, CHECKPOINT: replace(made, **changed)}  # type: ignore[arg-type]


def test_a_good_checkpoint_passes() -> None:
    assert Gate().broken(arms()) == []
    assert Gate().broken(arms(facts=None, kinds=None)) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"perplexity": 100.0}, "gate.perplexity allows 1.05"),
        ({"perplexity": math.nan}, "gate.perplexity"),
        ({"kl": 0.2}, "gate.kl allows 0.1"),
        ({"kl": 0.09}, "gate.below_rounding"),
        ({"kl": math.nan}, "gate.kl"),
        ({"valid": 0.9}, "gate.valid allows 0.03"),
        ({"facts": 0.4}, "gate.facts allows 0.5"),
        ({"kinds": 0.4}, "gate.kinds allows 0.5"),
        ({"length": 0.2}, "gate.length allows 0.03"),
        ({"repeats": 0.2}, "gate.repeats allows 0.03"),
    ],
)
def test_each_limit_refuses_by_itself(changed: dict[str, float], said: str) -> None:
    assert any(said in line for line in Gate().broken(arms(**changed)))


def test_a_limit_can_be_moved() -> None:
    assert Gate(kl=0.3, below_rounding=False).broken(arms(kl=0.2)) == []
