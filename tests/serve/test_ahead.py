from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from numpy.typing import NDArray

from memfold.embed.minilm import MiniLM
from memfold.serve import ahead
from memfold.serve.ahead import Ahead
from memfold.serve.newest import Newest, Reading
from memfold.serve.wire import REHEARSED, rehearse
from memfold.store.erase import erase

SAID = [
    "My cat is called Mia. She was born in Bonn.",
    "The rent is due on March 3.",
    "I moved to Jena in May.",
]
BORN = "Where was she born?"


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were really embedded."""
    texts: list[str] = []
    encode = MiniLM.encode

    def encoding(self: MiniLM, wanted: Sequence[str]) -> NDArray[Any]:
        texts.extend(wanted)
        return encode(self, wanted)

    monkeypatch.setattr(MiniLM, "encode", encoding)
    monkeypatch.setattr(ahead, "IDLE_S", 0.01)
    return texts


@pytest.fixture
def newest(reading: Reading, add) -> Newest:  # type: ignore[no-untyped-def]
    add("pets", SAID)
    add("home", ["My cat is called Tom."])
    return Newest(reading)


def done(doing: Ahead, *conversations: str) -> None:
    """Asked one after the other, each until nothing is left to do."""
    for conversation_id in conversations:
        doing.asked(conversation_id)
        if doing._thread.ident is not None:
            doing._thread.join(20)
        assert not doing._thread.is_alive()


@pytest.mark.parametrize("most", [0, 99])
def test_what_is_embedded_ahead_no_question_waits_for(newest: Newest, encoded: list[str], most: int) -> None:
    store = newest.store()
    want = Newest(newest._reading).store().ask("pets", BORN)
    done(Ahead(newest, most, lambda: 0), "pets")
    encoded.clear()
    assert store.ask("pets", BORN) == want
    waited = {"She was born in Bonn.", "The rent is due on March 3."} & set(encoded)
    assert bool(waited) == (most == 0)


def test_it_is_done_once_a_snapshot_and_as_far_as_is_wanted(
    newest: Newest, reading: Reading, encoded: list[str]
) -> None:
    doing = Ahead(newest, 4, lambda: 0)
    encoded.clear()
    done(doing, "pets")
    assert len(encoded) == 4
    done(doing, "home", "pets", "home")
    some = len(encoded)
    assert some > 4
    erase(reading.location, "home")
    done(doing, "pets")
    assert len(encoded) == some + 4


def test_nothing_is_embedded_while_somebody_waits_and_then_it_is_for_the_conversation_asked_last(
    newest: Newest, encoded: list[str]
) -> None:
    waiting, seen = [1] * 5, list[int]()
    encoded.clear()

    def looked() -> int:
        seen.append(len(encoded))
        if len(waiting) == 1:
            doing._conversation = "home"
        return waiting.pop() if waiting else 0

    doing = Ahead(newest, 99, looked)
    done(doing, "pets")
    # Five looks while somebody waits; how many follow until the pause is long enough depends on the machine.
    assert len(seen) > 5
    assert set(seen[:6]) == {0}
    assert encoded[0] == "My cat is called Tom."
    assert not any("Mia" in text or "rent" in text for text in encoded)


NEWEST = "2031-05-01T12:00:00Z"


@pytest.mark.parametrize(("seconds", "most"), [(0.0, 99), (60.0, 0), (60.0, 99)])
def test_a_service_that_starts_embeds_ahead_for_the_conversation_with_the_newest_message(
    newest: Newest, add, encoded: list[str], seconds: float, most: int
) -> None:  # type: ignore[no-untyped-def]
    add("travel", ["I flew to Oslo. My seat was by the window."], NEWEST)
    store = newest.store()
    rehearse(store, seconds, most)
    ahead = {text for text in encoded if text in ("I flew to Oslo.", "My seat was by the window.")}
    assert len(ahead) == (2 if seconds and most else 0)
    assert "She was born in Bonn." not in encoded
    encoded.clear()
    store.ask("travel", "Where was my seat?")
    assert ("My seat was by the window." in encoded) == (not ahead)


@pytest.mark.parametrize(
    ("seconds", "most", "embedded"), [(1e-9, 999, REHEARSED), (60.0, 3 * REHEARSED, 3 * REHEARSED)]
)
def test_a_service_that_starts_embeds_no_longer_and_no_more_than_it_is_told(
    newest: Newest, add, encoded: list[str], seconds: float, most: int, embedded: int
) -> None:  # type: ignore[no-untyped-def]
    said = [f"I met my friend number {n} in the year {1900 + n}." for n in range(60)]
    add("travel", said, NEWEST)
    store = newest.store()
    rehearse(store, 0.0, 0)
    encoded.clear()
    rehearse(store, seconds, most)
    assert len(encoded) == embedded


@pytest.mark.parametrize("table", ["messages", "episodic"])
def test_a_damaged_conversation_keeps_no_service_from_starting(
    newest: Newest, reading: Reading, add, table: str
) -> None:  # type: ignore[no-untyped-def]
    folder = Path(reading.location.root) / reading.location.tenant / f"{table}.lance" / "data"
    before = set(folder.iterdir())
    add("travel", ["I flew to Oslo. My seat was by the window."], NEWEST)
    for file in set(folder.iterdir()) - before:
        file.unlink()
    fresh = Newest(reading)
    fresh.read(lambda store: rehearse(store, 60.0, 99))
    assert fresh.store().ask("pets", BORN).citations
