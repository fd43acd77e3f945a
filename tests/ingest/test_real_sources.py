"""BEAM and LoCoMo as published: every message, with its id, and no dead letter."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from memfold.ingest.read import read
from memfold.schema import DeadLetter, Message
from memfold.text.language import language


def messages(path: Path) -> list[Message]:
    found = list(read(path))
    assert [item for item in found if isinstance(item, DeadLetter)] == []
    return [item for item in found if isinstance(item, Message)]


def test_beam_counts_ids_and_words(shared_data: Path) -> None:
    found: dict[str, list[Message]] = {}
    for message in messages(shared_data / "beam"):
        found.setdefault(message.conversation_id, []).append(message)
    folders = sorted((shared_data / "beam").glob("*/*"))
    assert set(found) == {f"{folder.parent.name}-{folder.name}" for folder in folders}
    for folder in folders:
        plans = [folder] if (folder / "chat.json").exists() else [folder / f"plan-{n}" for n in range(9)]
        source = [
            said
            for plan in plans
            for batch in json.loads((plan / "chat.json").read_bytes())
            for turn in batch["turns"]
            for said in turn
        ]
        read_back = found[f"{folder.parent.name}-{folder.name}"]
        assert [message.message_id for message in read_back] == [str(n) for n in range(len(source))]
        for message, said in zip(read_back, source, strict=True):
            assert message.role == said["role"]
            assert said["content"].startswith(message.content)
            assert message.time is not None
            if message.role == "assistant":
                assert message.content == said["content"]
            else:
                assert "->->" not in message.content


def test_beam_ids_match_what_its_probes_cite(shared_data: Path) -> None:
    """The 10M conversation's probes cite ids counted through all plans, far past one plan's 2,014."""
    probes = (shared_data / "beam/10M/5/probing_questions.json").read_text()
    ids = {message.message_id for message in messages(shared_data / "beam/10M/5")}
    cited = {
        str(n)
        for probe in chain.from_iterable(json.loads(probes).values())
        for n in _integers(probe.get("source_chat_ids"))
    }
    assert max(map(int, cited)) > 2014
    assert cited <= ids


def _integers(data: object) -> list[int]:
    if isinstance(data, int):
        return [data]
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [number for piece in inner for number in _integers(piece)]


def test_locomo_counts_ids_and_words(shared_data: Path) -> None:
    for path in sorted((shared_data / "locomo").glob("*.json")):
        data = json.loads(path.read_bytes())
        turns = [turn for n in range(1, 100) for turn in data.get(f"session_{n}", ())]
        found = messages(path)
        assert {message.conversation_id for message in found} == {f"LOCOMO-{path.stem}"}
        assert [(m.message_id, m.speaker, m.content) for m in found] == [
            (turn["dia_id"], turn["speaker"], turn["text"]) for turn in turns
        ]
        assert all(message.time is not None for message in found)
        assert sum(bool(message.attachments) for message in found) == sum(
            "blip_caption" in turn for turn in turns
        )


@pytest.mark.parametrize("name", ["beam/100K", "locomo"])
def test_nearly_all_of_it_is_english(name: str, shared_data: Path) -> None:
    found = messages(shared_data / name)
    assert sum(language(message.content) == "en" for message in found) / len(found) > 0.995
