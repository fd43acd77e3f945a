"""Many at once on one store, with SIGKILLs: nothing lost, nothing doubled, and no reader sees a gap.

`MEMFOLD_ROUNDS` is how many rounds are made of each test (1), `MEMFOLD_SEED` decides sources and moments (0). That a
victim lived when it was killed is counted, and a round in which none did fails.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import memfold
from memfold.schema import Message
from memfold.store.location import Location
from memfold.store.maintain import maintain
from support.given import buried, chat, indexed, rows, said
from support.writing import Writer, at_once, beside, heard, read, tend

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("MEMFOLD_ROUNDS", "1"))
SEED = int(os.environ.get("MEMFOLD_SEED", "0"))
LAYERS = ("messages", "extractions", "notes", "episodic", "scratchpad", "timeline")


def live(root: Path) -> dict[str, int]:
    """How many rows of each table the newest snapshot shows."""
    store = memfold.open(str(root))
    return {name: sum(batch.num_rows for batch in store.live(name)) for name in LAYERS}


def cleaned(root: Path) -> None:
    """After maintenance the tables hold exactly the rows that the newest snapshot shows."""
    before = memfold.open(str(root)).verify()
    buried(root)
    done = maintain(Location(str(root)), keep=1, unsealed_days=0)
    assert done.running == 0
    assert memfold.open(str(root)).verify() == before
    assert {name: rows(root)[name] for name in LAYERS} == live(root)


def held(root: Path, as_of: int | None = None) -> dict[str, list[tuple[str, str]]]:
    """(id, words) of all messages, by conversation."""
    store = memfold.open(str(root), as_of=as_of)
    return {
        each.conversation_id: [(m.message_id, m.content) for m in store.messages(each.conversation_id)]
        for each in store.conversations()
    }


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_writers_jobs_and_maintenance_at_once(turn: int, tmp_path: Path) -> None:
    """Sixteen writers of beginnings of the same conversations, two jobs over all of them, one that maintains, one that
    reads. Whoever comes last, each conversation ends as its longest beginning."""
    draw = Random(f"{SEED}-writers-{turn}")
    whole = {f"c{n}": chat(exchanges, f"c{n}") for n, exchanges in enumerate((66, 5, 30))}
    root = tmp_path / "store"
    reference = indexed(tmp_path / "undisturbed", [message for each in whole.values() for message in each])

    def moments(share: float) -> list[float]:
        return [draw.uniform(0.5, 6.0)] if draw.random() < share else []

    writers = []
    for _ in range(16):
        items: list[Message] = []
        for name in draw.sample(sorted(whole), 2):
            items += whole[name][: draw.randrange(1, len(whole[name]))]
        writers.append(Writer(root, items, moments(0.5)))
    jobs = [Writer(root, [m for each in whole.values() for m in each], moments(1.0)) for _ in range(2)]
    wanted = {name: [(m.message_id, m.content) for m in each] for name, each in whole.items()}
    others = {
        "tended": beside(tend, root, tmp_path / "tended"),
        "read": beside(read, root, tmp_path / "read", wanted),
    }
    try:
        at_once([*writers, *jobs])
        counted = {name: heard(other, tmp_path / name) for name, other in others.items()}
    finally:
        for other in others.values():
            other.kill()
            other.join()

    assert [line for each in [*writers, *jobs] for line in each.wrong] == []
    wrong = [path.read_text() for path in tmp_path.glob("*.wrong")]
    assert wrong == []
    kills = sum(each.kills for each in [*writers, *jobs])
    assert kills > 0
    assert all(counted.values())
    assert memfold.open(str(root)).verify() == reference["content_hash"]
    assert held(root) == wanted
    cleaned(root)
    print(
        f"WRITERS round {turn}: {kills} kills, {counted['tended']} maintained, {counted['read']} read, hash equal"
    )


def ends(draw: Random, base: Sequence[Message], mine: int) -> list[Message]:
    """One job's source: the conversation with an end of its own, or with a correction, or a part of it and an end."""
    of = base[0].conversation_id
    end = [said(f"end {mine}, word {n}", of=of, id=f"{mine}-{n}") for n in range(draw.randrange(1, 9))]
    match draw.choice(["end", "correction", "part"]):
        case "end":
            return [*base, *end]
        case "correction":
            at = draw.randrange(len(base))
            changed = replace(base[at], content=f"corrected by {mine}")
            return [*base[:at], changed, *base[at + 1 :], *(end if draw.random() < 0.5 else [])]
        case _:
            return [*base[draw.randrange(len(base)) :], *end]
    raise AssertionError


@pytest.mark.parametrize(("jobs", "killed"), [(2, True), (4, False), (8, True)])
@pytest.mark.parametrize("turn", range(ROUNDS))
def test_jobs_at_once_over_one_conversation(turn: int, jobs: int, killed: bool, tmp_path: Path) -> None:
    """The order in which ends are appended is that of the seals; what is there, and what each job said, is not."""
    draw = Random(f"{SEED}-jobs-{turn}-{jobs}-{killed}")
    root = tmp_path / "store"
    bases = {name: chat(exchanges, name) for name, exchanges in (("a", 65), ("b", 3))}
    for base in bases.values():
        indexed(root, base)
    sources = [ends(draw, bases["a" if n % 3 else "b"], n) for n in range(jobs)]
    sources[1] = ends(draw, bases["b"], 1)  # of two jobs, too, both are over one conversation
    writers = [
        Writer(root, source, [draw.uniform(0.2, 2.5)] if killed and (n == 0 or draw.random() < 0.5) else [])
        for n, source in enumerate(sources)
    ]
    at_once(writers)
    assert [line for each in writers for line in each.wrong] == []

    offered: dict[tuple[str, str], set[str]] = defaultdict(set)
    for message in [*bases["a"], *bases["b"], *(m for source in sources for m in source)]:
        assert message.message_id is not None
        offered[message.conversation_id, message.message_id].add(message.content)
    now = held(root)
    assert sum(map(len, now.values())) == len(offered)  # each once, and all of them
    for name, said_of in now.items():
        assert len({id for id, _ in said_of}) == len(said_of)
        for id, words in said_of:
            assert words in offered[name, id]
    for name, base in bases.items():  # in order, and every end in the order of its source
        order = [id for id, _ in now[name]]
        for source in [base, *(s for s in sources if s[0].conversation_id == name)]:
            assert [id for id in order if id in {m.message_id for m in source}] == [
                m.message_id for m in source
            ]
    # A correction that was not taken is in the dead letters, and none is lost.
    letters = {bytes(raw).decode() for raw in _letters(root)}
    for (name, id), words in offered.items():
        stored = dict(now[name])[id]
        if len(words) > 1:
            assert {w for w in words if w.startswith("corrected") and w != stored} <= letters | _shown(
                root, name, id
            )
    # What each job said it left is what its snapshot holds.
    for writer in writers:
        (name,) = {m.conversation_id for m in writer.items}
        then = held(root, writer.said["snapshot"])[name]
        assert writer.said["messages"] == len(then)
        assert {m.message_id for m in writer.items} <= {id for id, _ in then}
    store = memfold.open(str(root))
    assert store.verify() == store.snapshot.content_hash
    union = [
        m
        for name in bases
        for m in _as_held(now[name], name, [*bases[name], *(m for s in sources for m in s)])
    ]
    assert indexed(tmp_path / "one", union)["content_hash"] == store.snapshot.content_hash
    cleaned(root)
    print(
        f"JOBS round {turn}: {jobs} jobs, {sum(w.kills for w in writers)} kills, {store.snapshot.number} seals"
    )


def _as_held(now: list[tuple[str, str]], name: str, offered: Sequence[Message]) -> list[Message]:
    """One source that says all that is held, in the order in which it is held."""
    by = {(m.message_id, m.content): m for m in offered if m.conversation_id == name}
    return [by[each] for each in now]


def _letters(root: Path) -> list[bytes]:
    from memfold.run.letters import dead_letters

    with suppress(KeyError):
        return dead_letters(Location(str(root))).read(["raw"])["raw"].to_pylist()
    return []


def _shown(root: Path, name: str, id: str) -> set[str]:
    """What a message said in any snapshot."""
    newest = memfold.open(str(root)).snapshot.number
    return {dict(held(root, n).get(name, [])).get(id, "") for n in range(1, newest + 1)}
