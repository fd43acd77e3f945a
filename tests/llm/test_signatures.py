"""What rows say of the model that made them, to the letter: another letter, and all that it made is made again."""

from __future__ import annotations

from dataclasses import replace

from memfold.extract.engines.model import EXTRACTION, ModelEngine
from memfold.extract.engines.rules import Rules
from memfold.layers.keys.translating import TRANSLATING, Translating
from memfold.layers.scratchpad import sealing as scratchpad
from memfold.layers.state import sealing as state
from memfold.llm.asker import Asker
from memfold.llm.backends.openai import OpenAI
from memfold.llm.results import Results
from support.asked import MODEL, openai


class OtherRules(Rules):
    @property
    def signature(self) -> str:
        return "rules-0"


def signatures(generator: OpenAI) -> list[str]:
    results = Results(None, MODEL)
    asker = Asker(generator, results)
    return [
        ModelEngine(generator, results, OtherRules()).signature,
        Translating(asker).signature,
        scratchpad.Sealing(asker, 2_000).signature,
        state.Sealing(asker).signature,
    ]


def test_a_signature_is_what_it_was_in_stores_that_are_there() -> None:
    assert signatures(openai("http://127.0.0.1:1/v1")) == [
        f"llm-6/simulated/{EXTRACTION.version}/c4c79ea3",
        f"keys-2/simulated/{TRANSLATING.version}/d05b67ba",
        f"seal-4/simulated/{scratchpad.SEALING.version}/7f3d606f",
        f"state-2/simulated/{state.SEALING.version}/e98b4a26",
    ]


def test_whatever_answers_depend_on_changes_all_of_them() -> None:
    base = openai("http://127.0.0.1:1/v1")
    for other in (
        replace(base, temperature=0.5),
        replace(base, structured=False),
        replace(base, model="other"),
    ):
        assert not set(signatures(base)) & set(signatures(other))
