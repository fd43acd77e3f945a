"""Fuzzy recall: shared keywords, likeness and lateness added as they are, and nothing recalled below the least."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from memfold import UserError
from memfold.build import build
from memfold.config import load
from memfold.retrieve.arms.likeness import Likeness
from memfold.retrieve.arms.overlap import Overlap
from memfold.retrieve.arms.recency import Recency
from memfold.retrieve.fuse import Retrieval
from memfold.retrieve.keywords import PART, Keywords
from memfold.retrieve.query import pose
from memfold.retrieve.ranking import hits
from support.retrieve_samples import conversation, encode, ranked, view


def fuzzy(*overrides: str) -> Retrieval:
    made: Retrieval = build(
        load("ask", ["store.root=x", "retrieval=fuzzy", *overrides]).retrieval, "retrieval"
    )
    return made


@pytest.mark.parametrize(
    ("text", "question", "share"),
    [
        ("kayak", "kayak", 1.0),
        ("kayak repair", "kayak", 1 / 2),
        ("kayak repair kayak", "kayak repair", 1.0),
        ("the kayak", "a kayak", 1.0),
        ("sourdough", "violin", 0.0),
        ("", "kayak", 0.0),
        ("kayak", "the of", 0.0),
        ("kayaking", "kayak", 1.0),  # one word by its stem
        ("database42", "database", PART / (2 - PART)),  # one holds the other
        ("cart", "art", 0.0),  # too short to be a part
        ("我喜欢咖啡", "咖啡", 3 / 8),  # 咖, 啡 and 咖啡 of 喜 欢 咖 啡 我喜 喜欢 欢咖 咖啡
    ],
)
def test_keywords_overlap_by_what_either_has(text: str, question: str, share: float) -> None:
    assert Keywords.of([text, "unlike"]).overlap(question)[0] == pytest.approx(share)


def test_a_rare_word_weighs_more_where_asked() -> None:
    texts = ["budget kayak", "budget violin", "budget rose", "budget train"]
    plain, rare = Keywords.of(texts).overlap("kayak"), Keywords.of(texts).overlap("kayak", rare=True)
    assert rare[0] > plain[0]
    assert Keywords.of(texts).overlap("budget", rare=True)[0] < Keywords.of(texts).overlap("budget")[0]


def test_what_was_said_lately_is_worth_more_and_after_a_day_all_is_worth_the_same() -> None:
    end = datetime(2024, 3, 9, tzinfo=UTC)
    ages = [72, 24, 12, 0]
    said = conversation(["a", "b", "c", "d"], "")
    said = [replace(each, time=end - timedelta(hours=age)) for each, age in zip(said, ages, strict=True)]
    question = pose("b", encode)
    assert Recency().score(view(said), question) == pytest.approx([0.7, 0.7, 0.85, 1.0])
    undated = view(conversation(["a", "b"], "", start=None))
    assert Recency().score(undated, question) == pytest.approx([0.7, 0.7])


def test_the_score_is_the_sum_as_the_seed_has_it() -> None:
    seen = view(conversation(["the kayak is red", "violin lessons", "rose pruning"]))
    question = pose("which kayak is red", encode)
    parts = [arm.score(seen, question) for arm in (Overlap(), Likeness(), Recency())]
    whole = ranked(seen, "which kayak is red", fuzzy())
    assert whole.scores == pytest.approx(0.4 * parts[0] + 0.4 * parts[1] + 0.2 * parts[2])
    assert all(part.min() >= 0 and part.max() <= 1 + 1e-6 for part in parts)


def test_nothing_is_recalled_below_the_least_and_no_more_than_five() -> None:
    seen = view(conversation(["rose pruning", *["the red kayak"] * 8, "violin"]))
    found = ranked(seen, "the red kayak", fuzzy())
    assert len(found.order) == 5
    assert not {0, 9} & set(found.order.tolist())
    assert len(hits(seen.episodes, found, 15)) == 5
    assert len(ranked(seen, "tax return", fuzzy()).order) == 0
    assert len(ranked(seen, "tax return", fuzzy("retrieval.steps.cutoff.least=0")).order) == 5


def test_the_least_adapts_to_a_talk_in_which_all_is_alike() -> None:
    said = [f"the kayak budget of week {n}" for n in range(12)]
    said[7] = "the kayak budget of week 7 was spent on paint"
    seen = view(conversation(said))
    fixed = ranked(seen, "kayak budget spent on paint", fuzzy())
    adapted = ranked(seen, "kayak budget spent on paint", fuzzy("retrieval.steps.cutoff.adapts=1.5"))
    assert len(fixed.order) == 5
    assert adapted.order.tolist() == [7]


def test_kinds_of_questions_are_set_as_in_the_default() -> None:
    assert not fuzzy().of("smalltalk").arms
    of = fuzzy("+retrieval.kinds.count.settings.cutoff.most=15")
    assert [vars(of.of(kind).steps["cutoff"])["most"] for kind in ("count", "recall")] == [15, 5]
    assert set(fuzzy().kinds) == set(Retrieval().kinds)


@pytest.mark.parametrize(
    "override",
    ["retrieval.arms.recency.floor=2", "retrieval.arms.recency.hours=0", "retrieval.steps.cutoff.most=-1"],
)
def test_what_cannot_be_is_refused_in_one_line(override: str) -> None:
    with pytest.raises(UserError) as caught:
        fuzzy(override)
    assert "\n" not in str(caught.value)


def test_a_context_holds_only_what_was_recalled() -> None:
    from memfold.context.assemble import Packing
    from memfold.context.found import Means, probe
    from memfold.context.readers.extractive import Extractive

    said = ["rose pruning is on Monday", "the red kayak is in the shed", "violin lessons cost much"]
    means: Any = Means(fuzzy(), Packing(), Extractive())
    found = probe(view(conversation(said)), "Where is the red kayak?", means)
    shown = {piece.exchange_id for part in found.context(2_000).parts for piece in part.pieces}
    assert shown == {1}
    assert [hit.exchange_id for hit in found.hits()] == [1]
    assert np.all(found.ranking.scores <= 1)
