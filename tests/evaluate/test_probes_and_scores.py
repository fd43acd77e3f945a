from __future__ import annotations

import json
from pathlib import Path

import pytest

import memfold
from memfold.config import load
from memfold.embed.minilm import MiniLM
from memfold.evaluate import beam, locomo
from memfold.evaluate.evidence import Subject, baselines, outcomes
from memfold.evaluate.scores import coverage, coverage_opening, everything, hit, recall
from memfold.run.index import index
from memfold.run.job import index_job
from memfold.watch import Report
from support.retrieve_samples import message


@pytest.mark.parametrize(
    ("cited", "evidence"),
    [
        ([4, 60, 116], ("4", "60", "116")),
        ([[1, 2], [2, 3]], ("1", "2", "3")),
        ({"first_statement": [58], "second_statement": [24]}, ("58", "24")),
        ({"original": [7], "updated": [[7], [9]]}, ("7", "9")),
        (None, ()),
        ([], ()),
        (["12", "Session 4", None], ("12",)),
    ],
)
def test_beam_cites_in_many_shapes(tmp_path: Path, cited: object, evidence: tuple[str, ...]) -> None:
    path = tmp_path / "probing_questions.json"
    asked = {
        "event_ordering": [
            {"question": "When?", "ideal_answer": "Then.", "source_chat_ids": cited, "rubric": ["x"]}
        ]
    }
    path.write_text(json.dumps(asked))
    (probe,) = beam.probes(path, "100K-1")
    assert probe.evidence == evidence
    assert (probe.ability, probe.question, probe.answer, probe.rubric) == (
        "event_ordering",
        "When?",
        "Then.",
        ("x",),
    )
    assert probe.probe_id == "100K-1:event_ordering:0"


def test_locomo_cites_turns_in_strings_of_any_kind(tmp_path: Path) -> None:
    path = tmp_path / "26.json"
    qa = [
        {"question": "a", "answer": 2022, "evidence": ["D8:6; D9:17", "D8:06", "D"], "category": 1},
        {"question": "b", "adversarial_answer": "no", "evidence": [], "category": 5},
    ]
    path.write_text(json.dumps({"qa": qa}))
    first, second = locomo.probes(path, "LOCOMO-26")
    assert first.evidence == ("D8:6", "D9:17")
    assert (first.answer, first.ability) == ("2022", "multi_hop")
    assert (second.answer, second.evidence, second.ability) == ("no", (), "adversarial")


def test_real_probes_are_all_read(shared_data: Path) -> None:
    found = [beam.probes(path, "x") for path in sorted(shared_data.glob("beam/*/*/probing_questions.json"))]
    assert found
    assert {len(probes) for probes in found} <= {15, 20}
    assert all(p.evidence for probes in found for p in probes if p.ability == "information_extraction")
    turns = [p for path in sorted(shared_data.glob("locomo/*.json")) for p in locomo.probes(path, "x")]
    assert len(turns) > 900


def test_ranks_are_judged_at_a_cut() -> None:
    assert recall([5, 3, 1], {3, 9}, 2) == 0.5
    assert recall([5, 3, 1], {3, 9}, 1) == 0.0
    assert hit([5, 3, 1], {3, 9}, 2)
    assert not everything([5, 3, 1], {3, 9}, 3)
    assert everything([9, 3], {3, 9}, 2)


def test_coverage_counts_150_characters_of_a_message_whichever_they_are() -> None:
    sentences = [f"Sentence number {i} tells of the thing that was seen on day {i}." for i in range(20)]
    long = message(0, 0, "user", " ".join(sentences))
    short = message(1, 1, "user", "It rains. We stay at home.")
    assert coverage(" … ".join(sentences[7:11]), [long]) == 1.0
    assert coverage(sentences[7] + sentences[12], [long]) == 0.0
    assert coverage(sentences[7] * 5, [long]) == 0.0
    assert coverage("[3] It rains.\n  We stay at home.", [short]) == 1.0
    assert coverage("It rains.", [short]) == 0.0
    assert coverage(" ".join(sentences[:4]) + short.text, [long, short]) == 1.0
    clauses = ", ".join(f"then comes thing {i} to be done" for i in range(20))
    run_on = message(2, 2, "assistant", f"First comes this, {clauses}.")
    assert coverage(run_on.text[:220] + " …", [run_on]) == 1.0
    assert coverage(run_on.text[:120] + " …", [run_on]) == 0.0
    assert coverage("First comes this, to be done, thing 3, then comes", [run_on]) == 0.0


def test_coverage_by_openings_counts_what_begins_in_the_text() -> None:
    asked = message(0, 0, "user", "Why does\n\n it fail? ```py\nx = 1\n```" + " More words." * 60)
    answer = message(1, 0, "assistant", "Because " + "it is late and " * 80)
    short = message(2, 1, "user", "Thanks!")
    assert coverage_opening(asked.text + answer.text + short.text, [asked, answer, short]) == 1.0
    assert coverage_opening("Why does it fail?" + " More words." * 20, [asked]) == 1.0
    assert coverage_opening("Why does it fail?", [asked]) == 0.0
    assert coverage_opening(answer.text[:610], [answer]) == 1.0
    assert coverage_opening(answer.text[:590], [answer]) == 0.0
    assert coverage_opening("nothing", [asked, short]) == 0.0
    assert coverage_opening("Thanks!", [asked, short]) == 0.5


def test_a_stored_conversation_is_judged_probe_by_probe(tmp_path: Path) -> None:
    said = [
        *(f"My plan number {i} is about bread" for i in range(20)),
        "The kayak that I bought in Porto is green",
        "From now on answer me in French",
    ]
    lines = [
        {"conversation_id": "c", "role": "user", "content": text, "id": str(i)} for i, text in enumerate(said)
    ]
    source = tmp_path / "said.jsonl"
    source.write_text("\n".join(map(json.dumps, lines)))
    questions = tmp_path / "probing_questions.json"
    asked = "What colour is the kayak?"
    cited = [
        {"question": asked, "answer": "green", "source_chat_ids": []},
        {"question": asked, "answer": "green", "source_chat_ids": [20]},
    ]
    questions.write_text(json.dumps({"information_extraction": cited}))
    root = tmp_path / "store"
    index(index_job(load("index", [f"source.path={source}", f"store.root={root}"])), Report())

    subject = Subject("tiny", memfold.open(str(root)), "c", beam.probes(questions, "c"))
    ours, other = outcomes(subject, {"in order": lambda _: range(22)})
    assert (ours.system, other.system) == ("memfold", "in order")
    assert ours.values["recall@5"] == ours.values["coverage@4000"] == 1.0
    assert other.values == {"recall@5": 0.0, "recall@15": 0.0, "recall@50": 1.0, "hit@15": 0.0, "all@15": 0.0}

    rivals = baselines(subject, MiniLM(), dense_whole=True)
    assert all(rank(asked)[0] == 20 for rank in rivals.values())
