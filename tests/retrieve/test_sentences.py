"""The arm over sentences: an exchange is as near as its nearest one, and what is near to all is near to none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from memfold.embed.contract import Vectors
from memfold.layers.layer import Span
from memfold.layers.sentences import SentenceRows
from memfold.retrieve import sentences
from memfold.retrieve.arms.sentences import BySentence
from memfold.retrieve.fuse import Retrieval, rank
from memfold.retrieve.query import Query, pose
from memfold.retrieve.sentences import Sentences
from memfold.retrieve.view import View
from memfold.text.sentences import MAX_SENTENCE
from support.retrieve_samples import DIMENSION, conversation, encode, view, with_rows

SAID = [f"Question {n} about bread" for n in range(12)]


def with_sentences(*said: tuple[int, str]) -> View:
    return with_rows(view(conversation(SAID)), "sentences", said)


class Other:
    """An embedder that asks in another way, and knows Chinese."""

    signature, dimension, multilingual = "other", DIMENSION, True

    def encode(self, texts: Sequence[str]) -> Vectors:
        return encode(texts)

    def ask(self, texts: Sequence[str]) -> Vectors:
        return -encode(texts)


def held(vectors: Sequence[Sequence[float]], owners: Sequence[int], exchanges: int) -> Sentences:
    found = np.array(vectors, np.float32)
    return Sentences(
        found / np.linalg.norm(found, axis=1, keepdims=True), np.array(owners, np.int64), exchanges
    )


def test_an_exchange_is_as_near_as_its_nearest_sentence() -> None:
    seen = with_sentences(
        *((n, f"bread {n}") for n in range(12)), (7, "the zebra sleeps"), (99, "zebra zebra")
    )
    scores = BySentence().score(seen, pose("zebra", encode))
    assert scores is not None
    assert scores.argmax() == 7
    assert len(scores) == 12


def test_what_is_near_to_everything_is_near_to_nothing() -> None:
    # Two sentences that say one thing, and a hub between all of them that the question comes nearer to.
    hub, alone = [1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0]
    others = [[0.0, 1.0, 0.2, 0.1], [0.1, 0.0, 1.0, 0.1], [0.0, 0.1, 0.1, 1.0]]
    found = held([hub, alone, *others], range(5), 5)
    asked = np.array([0.8, 0.45, 0.25, 0.3], np.float32)
    asked /= np.linalg.norm(asked)
    assert (found.vectors @ asked).argmax() == 0
    assert found.nearest(asked).argmax() == 1


@pytest.mark.parametrize("count", [1, 2, 5, 70])
def test_crowding_is_the_mean_of_the_nearest_others(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "_BLOCK", 16)
    vectors = np.random.default_rng(3).normal(size=(count, 8))
    found = held(vectors.tolist(), range(count), count)
    cosines = found.vectors @ found.vectors.T
    for row, crowding in enumerate(found.crowding):
        others = sorted(np.delete(cosines[row], row), reverse=True)[: sentences.NEIGHBOURS]
        assert crowding == pytest.approx(np.mean(others) if others else -1.0, abs=1e-5)


def test_of_many_sentences_neighbours_are_looked_for_among_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "AMONG", 10)
    found = held(np.random.default_rng(4).normal(size=(50, 8)).tolist(), range(50), 50)
    assert found.crowding.max() < 0.999  # nobody is its own neighbour


def test_without_the_layer_it_has_nothing_to_say_and_changes_nothing() -> None:
    asked = pose("bread", encode)
    plain = view(conversation(SAID))
    assert BySentence().score(plain, asked) is None
    assert BySentence().score(with_sentences(), asked) is None
    arms = {name: arm for name, arm in Retrieval().arms.items() if name != "sentences"}
    assert (
        rank(plain, asked, Retrieval()).scores.tolist() == rank(plain, asked, Retrieval(arms)).scores.tolist()
    )


def test_a_multilingual_embedder_is_weighed_in_chinese_as_in_english() -> None:
    said = ["预算是三千元", *SAID]
    plain = view(conversation(said))
    asked = pose("预算是多少", encode)
    assert isinstance(asked.query, Query)
    usual, other = (rank(each, asked, Retrieval()) for each in (plain, replace(plain, embedder=Other)))
    assert usual.parts["lexical"][0] / other.parts["lexical"][0] == pytest.approx(0.8 / 0.36)
    assert usual.parts["dense"][0] / other.parts["dense"][0] == pytest.approx(0.2 / 0.64)


def test_questions_are_embedded_by_what_embeds_questions() -> None:
    plain = view(conversation(SAID))
    assert plain.questions is plain.vectors
    other = replace(plain, embedder=Other)
    assert np.array_equal(other.questions(["bread"]), -encode(["bread"]))


def test_a_long_sentence_has_a_vector_for_each_of_its_pieces() -> None:
    read: list[str] = []

    class Reading:
        signature, dimension = "reading", 2

        def encode(self, texts: Sequence[str]) -> Vectors:
            read.extend(texts)
            return np.full((len(texts), 2), 0.5**0.5, np.float32)

    text = "It rained. " + "we went on and we saw a bridge " * 40
    rows = pa.table({"conversation_id": ["c"], "exchange_id": [0], "user_text": [text]})
    (made,) = SentenceRows(Reading(), 48).leaves([Span("s", {"episodic": rows})])
    assert (read[0], "".join(read)) == ("It rained. ", text)
    assert max(map(len, read)) <= MAX_SENTENCE
    assert made.num_rows == len(read) == 4
