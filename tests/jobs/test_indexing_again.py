"""`jobs/erase.py` and `jobs/retry.py` index again: each conversation by the settings that it was indexed with."""

from __future__ import annotations

import io
import json
import runpy
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memfold.build import describe
from memfold.config import load
from memfold.errors import UserError
from memfold.evaluate.simulated.endpoint import Endpoint
from memfold.extract.contract import FALLBACK
from memfold.llm.results import generations
from memfold.run.job import index_job, recorded_job
from memfold.schema import Message
from memfold.store.erase import receipts
from memfold.store.location import Location
from memfold.yamls import JOBS
from support.asked import talk
from support.given import Given, found, run, shown
from support.layers import LAYERS

KEYS = "layers=[episodic,scratchpad,subjects,orders,passages,timeline,state,profile,beliefs,keys]"
TOY = LAYERS["toy"]
SECRET = "quokka-tango-7731"


def indexed(root: Path, items: Sequence[Message], *words: str) -> dict[str, object]:
    """What jobs/index.py does with these words, of messages at hand."""
    config = load("index", ["source=synthetic", f"store.root={root}", *words])
    return run(replace(index_job(config), source=Given(tuple(items))))


def job(name: str, root: Path, *words: str) -> list[dict[str, Any]]:
    """What a job prints."""
    with pytest.MonkeyPatch.context() as patch:
        out = io.StringIO()
        patch.setattr("sys.stdout", out)
        runpy.run_path(str(JOBS / f"{name}.py"))["run"](load(name, [f"store.root={root}", *words]))
    return [json.loads(line) for line in out.getvalue().splitlines()]


def made_by(root: Path) -> Counter[str]:
    return Counter(shown(root, "extractions")["made_by"].to_pylist())


def summaries(root: Path) -> list[str]:
    rows = shown(root, "extractions").sort_by(
        [("conversation_id", "ascending"), ("exchange_id", "ascending")]
    )
    found: list[str] = rows["summary"].to_pylist()
    return found


def recorded(path: Path, exchanges: int, of: str = "c") -> str:
    lines = []
    for n in range(exchanges):
        text = f"Tea {n} is liked, and {SECRET}-{n} was said."
        notes = [{"kind": "fact", "text": text}]
        lines.append({"conversation_id": of, "exchange": n, "summary": text, "notes": notes})
    path.write_text("\n".join(map(json.dumps, lines)))
    return f"engine.path={path}"


def test_an_erased_message_leaves_what_was_recorded_of_the_others(tmp_path: Path) -> None:
    root, lines = tmp_path / "store", tmp_path / "lines.jsonl"
    said = ("engine=recorded", recorded(lines, 9))
    indexed(root, talk(9), *said, KEYS)
    before, keys = summaries(root), shown(root, "keys").num_rows
    assert found(root, f"{SECRET}-4 ")
    job("erase", root, "conversation=c", "message=8")
    after = summaries(root)
    # Of the exchange itself the line is not taken any more: it may tell what was erased.
    assert after[:4] + after[5:] == before[:4] + before[5:]
    assert found(root, f"{SECRET}-4 ") == []
    assert shown(root, "keys").num_rows == keys - 1
    # A job over the same source and lines, without what was erased, finds everything made.
    done = indexed(root, talk(9), *said, KEYS, "erased=skip")
    assert (done["extracted"], done["snapshot"]) == (0, 3)
    assert found(root, f"{SECRET}-4 ") == []


def test_where_the_engine_is_gone_one_line_says_so_and_another_can_be_chosen(tmp_path: Path) -> None:
    root, lines = tmp_path / "store", tmp_path / "lines.jsonl"
    indexed(root, talk(4), "engine=recorded", recorded(lines, 4), KEYS)
    lines.unlink()
    with pytest.raises(UserError, match=r"lines.jsonl: does not exist.* another engine=…") as caught:
        job("erase", root, "conversation=c", "message=2")
    assert "\n" not in str(caught.value)
    assert not receipts(Location(str(root)))
    with pytest.raises(UserError, match=r"^engine\.path="):
        job("erase", root, "conversation=c", "message=2", "engine=recorded", f"engine.path={lines}")
    job("erase", root, "conversation=c", "message=2", "engine=rules")
    assert {name.partition("-")[0] for name in made_by(root)} == {"rules"}
    # What says nothing any more needs no engine.
    assert job("erase", root, "conversation=c", "message=2")[0]["complete"]


def test_an_erased_message_asks_a_model_about_what_saw_it_alone(tmp_path: Path) -> None:
    with Endpoint() as endpoint:
        asking = ("engine=openai", f"engine.base_url={endpoint.base_url}", "engine.model=simulated")
        indexed(tmp_path, talk(140), *asking, "engine.together=1", "engine.retries=0")
        asked, before = endpoint.seen.requests, made_by(tmp_path)
        job("erase", tmp_path, "conversation=c", "message=40")
        assert 0 < endpoint.seen.requests - asked <= 9
        assert made_by(tmp_path) == before
    # Without the endpoint it stays, and the line says what can be done.
    with pytest.raises(UserError, match=r"message '80' is not erased yet: .* does not answer .*engine=rules"):
        job("erase", tmp_path, "conversation=c", "message=80")
    assert found(tmp_path, "tea number 40")
    assert job("erase", tmp_path, "conversation=c", "message=80", "engine=rules")[0]["complete"]
    assert found(tmp_path, "tea number 40.") == []


def test_layers_of_ones_own_are_made_again_where_they_are_named(tmp_path: Path) -> None:
    """Of a layer whose module nobody imports a recorded configuration knows the name alone."""
    indexed(tmp_path, talk(4), *TOY)
    (words,) = shown(tmp_path, "toy")["words"].to_pylist()
    own = [word for word in TOY if word.startswith(("layers=", "hydra."))]
    with pytest.MonkeyPatch.context() as patch:
        patch.delitem(sys.modules, "support.toy")
        with pytest.raises(UserError, match=r"the layers toy, which .* layers=\[…\]"):
            job("erase", tmp_path, "conversation=c", "message=0")
        assert job("erase", tmp_path, "conversation=c", "message=0", *own)[0]["complete"]
    assert shown(tmp_path, "toy")["words"].to_pylist() == [words - len(talk(1)[0].content.split())]


def test_layers_whose_recorded_settings_are_refused_are_named_with_the_cure() -> None:
    config = json.loads(describe(load("index", ["source=synthetic"])))
    config["layers"]["scratchpad"]["tokens"] = 5
    with pytest.raises(
        UserError, match=r"tokens must be .*; the conversation was indexed so: .* layers=\[…\]"
    ):
        recorded_job(Location("s"), json.dumps(config), Given(()))


def test_a_retry_takes_each_conversation_by_its_own_settings(tmp_path: Path) -> None:
    root, lines = tmp_path / "store", tmp_path / "lines.jsonl"
    with Endpoint(faults=1.0, kinds=("wrong_schema",), times=(99,)) as endpoint:
        asking = ("engine=openai", f"engine.base_url={endpoint.base_url}", "engine.model=simulated")
        indexed(root, talk(3, "a"), *asking, KEYS)
        indexed(root, talk(3, "b"), *asking, KEYS, "executor.workers=2")
        indexed(root, talk(3, "c"), "engine=recorded", recorded(lines, 2))
        indexed(root, talk(3, "d"))
        rules = {name for name in made_by(root) if name.endswith(FALLBACK)}
        assert len(rules) == 2
        port = endpoint.engines[0].port
    recorded(lines, 3)
    keys = shown(root, "keys").num_rows
    with Endpoint(port=port):
        done = job("retry", root)
    assert [(each["retried"], each["failed"], each["conversations"]) for each in done] == [
        (6, 0, 2),
        (1, 0, 1),
    ]
    assert not any(name.endswith(FALLBACK) for name in made_by(root))
    assert keys < shown(root, "keys").num_rows
    assert set(shown(root, "keys")["conversation_id"].to_pylist()) == {"a", "b"}
    assert job("retry", root) == [{"retried": 0, "failed": 0}]


def test_a_retry_by_another_engine_is_by_that(tmp_path: Path) -> None:
    root, lines = tmp_path / "store", tmp_path / "lines.jsonl"
    indexed(root, talk(3), "engine=recorded", recorded(lines, 2), KEYS)
    with Endpoint() as endpoint:
        chosen = ("engine=openai", f"engine.base_url={endpoint.base_url}", "engine.model=simulated")
        (done,) = job("retry", root, *chosen)
    assert (done["retried"], done["failed"]) == (1, 0)
    assert {name.partition("/")[0] for name in made_by(root)} == {"llm-6"}
    assert shown(root, "keys").num_rows


def test_a_retry_goes_on_where_one_engine_is_gone(tmp_path: Path) -> None:
    root, gone, there = tmp_path / "store", tmp_path / "gone.jsonl", tmp_path / "there.jsonl"
    indexed(root, talk(3, "a"), "engine=recorded", recorded(gone, 2, "a"))
    indexed(root, talk(3, "b"), "engine=recorded", recorded(there, 2, "b"))
    gone.unlink()
    recorded(there, 3, "b")
    with pytest.raises(UserError, match=r"gone\.jsonl.*or choose another engine=…"):
        job("retry", root)
    assert sum(made_by(root).values()) == 6
    assert sum(n for name, n in made_by(root).items() if name.endswith(FALLBACK)) == 1


def test_a_retry_that_asks_no_model_keeps_what_a_model_wrote(tmp_path: Path) -> None:
    root, lines = tmp_path / "store", tmp_path / "lines.jsonl"
    with Endpoint() as endpoint:
        indexed(
            root, talk(3), "engine=openai", f"engine.base_url={endpoint.base_url}", "engine.model=simulated"
        )
    kept = generations(Location(str(root)))
    paid = kept.count()
    assert paid
    indexed(root, talk(3), "engine=recorded", recorded(lines, 2))
    recorded(lines, 3)
    assert [each["retried"] for each in job("retry", root)] == [1]
    assert kept.count() == paid
