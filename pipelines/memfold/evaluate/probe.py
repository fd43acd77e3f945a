"""A probe: one question asked of one conversation, with what a right answer rests on.

Knows nothing of where probes come from (BEAM, LoCoMo, the synthetic source) or how they are scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Ability = Literal[
    "abstention",
    "contradiction_resolution",
    "event_ordering",
    "information_extraction",
    "instruction_following",
    "knowledge_update",
    "multi_session_reasoning",
    "preference_following",
    "summarization",
    "temporal_reasoning",
]
"""BEAM's ten (arXiv 2510.27246)."""
ABILITIES: tuple[Ability, ...] = get_args(Ability)


@dataclass(frozen=True, slots=True)
class Probe:
    """A question with its reference answer.

    `evidence` are the message ids a right answer rests on, as the source names them; empty for an
    abstention. `rubric` is what an answer should contain. `ability` is one of `ABILITIES` for BEAM
    and the synthetic source; other benchmarks keep their own names.
    """

    conversation_id: str
    ability: str
    question: str
    answer: str
    rubric: tuple[str, ...]
    evidence: tuple[str, ...]
    language: str
    probe_id: str = ""
