"""LoCoMo's probes (arXiv 2402.17753), from the `qa` list of a conversation's file."""

from __future__ import annotations

import json
import re
from pathlib import Path

from memfold.evaluate.probe import Probe

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}

# A turn is cited as D8:6. Some strings hold several ("D8:6; D9:17"), some miss digits or have leading zeros.
_TURN = re.compile(r"D(\d+):(\d+)")


def probes(path: Path, conversation_id: str) -> list[Probe]:
    """The probes in the file `path`, asked of `conversation_id`; the ability is LoCoMo's category by name."""
    asked = json.loads(path.read_text(encoding="utf-8"))["qa"]
    found = []
    for number, question in enumerate(asked):
        cited = " ".join(str(turn) for turn in question.get("evidence") or [])
        turns = dict.fromkeys(f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(cited))
        answer = str(question.get("answer", question.get("adversarial_answer", "")))
        found.append(
            Probe(
                probe_id=f"{conversation_id}:{number}",
                conversation_id=conversation_id,
                ability=CATEGORIES[question["category"]],
                question=question["question"],
                answer=answer,
                rubric=(answer,),
                evidence=tuple(turns),
                language="en",
            )
        )
    return found
