"""Keys are what an engine wrote about an exchange, and nothing that the rules wrote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import memfold
from memfold import UserError
from memfold.build import build
from memfold.config import load
from memfold.extract.contract import FALLBACK
from memfold.extract.engines.rules import Rules
from memfold.layers.keys import Keys
from memfold.schema import Extraction, Fact, Note, Window
from support.given import chat, embedder, job, rows, run, shown

LAYERS = ("layers=[episodic,scratchpad,keys]",)


@dataclass(frozen=True)
class Writes(Rules):
    """Writes of each exchange what no user said; the third is left to the rules."""

    signature = "writes-1"  # type: ignore[assignment]

    def extract(self, windows: Sequence[Window]) -> list[Extraction]:
        return [self._made(window) for window in windows]

    def _made(self, window: Window) -> Extraction:
        if window.exchange_id == 2:
            (made,) = super().extract([window])
            return replace(made, made_by=Rules().signature + FALLBACK)
        event = "A zebra escaped." if window.exchange_id == 6 else f"It rained {window.exchange_id} times."
        notes = (Note("event", event), Note("fact", "It was late."))
        if window.exchange_id == 5:
            notes = ()
        return Extraction(f"Weather, {window.exchange_id}.", (Fact("animal", "zebra"),), notes)


def indexed(root: Path, *overrides: str, engine: Rules | None = None) -> None:
    run(replace(job(root, chat(8), overrides=[*LAYERS, *overrides]), engine=engine or Writes()))


def kept(root: Path) -> list[tuple[int, str, str]]:
    found = shown(root, "keys").sort_by("exchange_id").to_pylist()
    return [(row["exchange_id"], row["kind"], row["text"]) for row in found]


def test_notes_are_keys_of_their_exchange_and_the_rules_notes_are_none(tmp_path: Path) -> None:
    indexed(tmp_path)
    told = [n for n in range(8) if n not in (2, 5)]
    assert [(n, kind) for n, kind, _ in kept(tmp_path)] == [(n, "note") for n in told for _ in range(2)]
    assert [text for n, _, text in kept(tmp_path) if n == 6] == ["A zebra escaped.", "It was late."]
    row = shown(tmp_path, "keys").slice(0, 1).to_pylist()[0]
    assert np.allclose(row["vector"], embedder().encode([row["text"]])[0], atol=1e-2)


def test_each_kind_is_a_key_where_it_is_chosen_and_the_rules_where_they_are(tmp_path: Path) -> None:
    indexed(tmp_path / "all", "layers.keys.kinds=[summary,fact]")
    first = [found[1:] for found in kept(tmp_path / "all") if found[0] == 0]
    assert first == [("summary", "Weather, 0."), ("fact", "animal: zebra")]
    indexed(tmp_path / "rules", engine=Rules())
    assert rows(tmp_path / "rules")["keys"] == 0
    indexed(tmp_path / "asked", "layers.keys.rules=true", engine=Rules())
    assert rows(tmp_path / "asked")["keys"] > 0


def test_an_exchange_is_raised_by_what_only_its_note_says(tmp_path: Path) -> None:
    question = "Which animal escaped, the zebra?"
    indexed(tmp_path / "with")
    run(replace(job(tmp_path / "without", chat(8)), engine=Writes()))
    found, before = (
        memfold.open(str(tmp_path / name)).search("c", question, k=8) for name in ("with", "without")
    )
    assert [hit.exchange_id for hit in found if hit.why["keyed"] > 0] == [6]
    assert not any("keyed" in hit.why for hit in before)
    places = [[hit.exchange_id for hit in hits].index(6) for hits in (found, before)]
    assert places[0] < places[1]
    # As of a message: the keys of what was said by then.
    then = memfold.open(str(tmp_path / "with"), as_of="7").search("c", question)
    assert {hit.exchange_id for hit in then} == {0, 1, 2, 3}


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(UserError, match=r"layers\.keys\.kinds: no key is a 'title'"):
        Keys(("title",))
    config = load("index", ["source=synthetic", *LAYERS])
    assert build(config.layers["keys"], "layers.keys") == Keys()
