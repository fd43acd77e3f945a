"""The arm over keys in a second language: it speaks for a question in another language, and else not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from memfold import UserError
from memfold.retrieve.arms.translated import InSecondLanguage
from memfold.retrieve.fuse import Retrieval, rank
from memfold.retrieve.query import pose
from memfold.retrieve.view import View
from support.retrieve_samples import DIMENSION, conversation, encode, view

SAID = ["My harbour permit costs 400 euros.", "The bakery opens at seven.", "I planted two apple trees."]
KEYS = [(0, "港口许可证四百欧元"), (1, "面包店七点开门"), (2, "种了两棵苹果树")]
ASKED = "面包店几点开门？"


def with_keys(keys: Sequence[tuple[int, str]], kind: str = "translated") -> View:
    vectors = encode([text for _, text in keys])
    flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), DIMENSION)
    rows = pa.table(
        {
            "exchange_id": pa.array([n for n, _ in keys], pa.int64()),
            "kind": [kind] * len(keys),
            "text": [text for _, text in keys],
            "vector": flat,
        }
    )
    plain = view(conversation(SAID))
    return replace(plain, leaves=lambda layer, *of: rows if layer == "keys" else plain.leaves(layer, *of))


def test_it_finds_the_exchange_whose_key_has_the_words_of_the_question() -> None:
    questions = ["港口许可证要多少钱？", ASKED, "种了几棵苹果树？"]
    for place, question in enumerate(questions):
        scores = InSecondLanguage().score(with_keys(KEYS), pose(question, encode))
        assert scores is not None
        assert int(np.argmax(scores)) == place

    def first(seen: View) -> list[int]:
        return [int(rank(seen, pose(each, encode), Retrieval()).order[0]) for each in questions]

    assert first(with_keys(KEYS)) == [0, 1, 2]
    # The exchanges themselves say nothing in that language: the control.
    assert first(view(conversation(SAID))) != [0, 1, 2]


def test_an_exchange_without_a_key_is_not_found_by_it() -> None:
    scores = InSecondLanguage().score(with_keys([KEYS[0], KEYS[2]]), pose(ASKED, encode))
    assert scores is not None
    assert scores[1] == min(scores)


@pytest.mark.parametrize("question", ["When does the bakery open?", "Bakery?", "Mia?"])
def test_it_is_silent_where_question_and_conversation_have_one_language(question: str) -> None:
    assert InSecondLanguage().score(with_keys(KEYS), pose(question, encode)) is None


def test_only_keys_in_the_language_of_the_question_count() -> None:
    """Of what was said in Chinese the second key is English, and in French there is none."""
    keys = [*KEYS[:1], (1, "The bakery opens at seven"), KEYS[2]]
    scores = InSecondLanguage().score(with_keys(keys), pose(ASKED, encode))
    assert scores is not None
    assert scores[1] == min(scores)
    french = pose("À quelle heure ouvre la boulangerie du village ?", encode)
    assert InSecondLanguage().score(with_keys(KEYS), french) is None


def test_it_is_silent_where_there_are_no_such_keys() -> None:
    assert InSecondLanguage().score(with_keys(KEYS, "note"), pose(ASKED, encode)) is None
    assert InSecondLanguage().score(view(conversation(SAID)), pose(ASKED, encode)) is None


@pytest.mark.parametrize("name", ["words", "chinese_words"])
def test_an_impossible_share_is_refused(name: str) -> None:
    with pytest.raises(UserError, match=f"{name} is 1.5: give a share from 0 to 1"):
        InSecondLanguage(**{name: 1.5})  # type: ignore[arg-type]
