"""What each memory layer must keep to in a store, through the real index job. `overrides` choose the layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import memfold
from memfold.layers.layer import Tools, equipped
from memfold.run.amend import erase_message
from memfold.run.executor import Draw, Local
from memfold.run.work import Made, Worker
from memfold.schema import Message
from memfold.store.erase import check, erase
from memfold.store.location import Location
from memfold.watch import Report
from support.folding import settings, unnamed
from support.given import chat, embedder, files, found, job, run, shown

SECRET, ID = "quokka-tango-7731", "private-conversation-55"


@dataclass(frozen=True)
class Stopped(Local):
    """An executor that is interrupted after so many tasks; what was made by then is committed or, `hard`, lost."""

    after: int = 1
    hard: bool = False

    def map(self, worker: Worker, draw: Draw) -> Iterator[Made]:
        for done, made in enumerate(super().map(worker, draw)):
            if done == self.after:
                raise OSError("killed") if self.hard else KeyboardInterrupt
            yield made


def content(root: Path) -> dict[str, bytes]:
    """Every file of a store but those of the table that says which jobs run: each job enters itself and leaves."""
    return {path: held for path, held in files(root).items() if "/jobs.lance/" not in path}


def assert_reruns(overrides: Sequence[str], root: Path) -> None:
    """Law 4: stopped on the way, run again, grown or run once more, a job ends with one content."""
    talks = [*chat(300), *chat(70, "b")]
    done = run(job(root / "whole", talks, overrides=overrides))
    for name in settings(overrides):
        assert shown(root / "whole", name).num_rows, (
            f"{name} makes no row of support.given.chat: say what it keeps"
        )
    for hard in (False, True):
        stopped = root / f"stopped-{hard}"
        with pytest.raises(OSError if hard else KeyboardInterrupt):
            run(job(stopped, talks, overrides=overrides, executor=Stopped(after=1, hard=hard)))
        again = run(job(stopped, talks, overrides=overrides))
        assert again["content_hash"] == done["content_hash"], "run again, it ends with other rows"
        assert memfold.open(str(stopped)).verify() == done["content_hash"]
    for end in (1, 200, 380, len(talks)):
        grown = run(job(root / "grown", talks[:end], overrides=overrides))
    assert grown["content_hash"] == done["content_hash"]
    before = content(root / "whole")
    run(job(root / "whole", talks, overrides=overrides))
    assert content(root / "whole") == before


def assert_as_of_in_store(overrides: Sequence[str], root: Path) -> None:
    """Law 5: as of a message, each layer shows what it does where the conversation ended there. A message that is not
    its exchange's last ends it for layers made of messages alone: nothing is extracted of part of an exchange."""
    talk = chat(200)
    run(job(root / "whole", talk, overrides=overrides))
    layers = equipped(settings(overrides), Tools(embedder()))
    for last in (1, 2, 127, 128, 199, 383, 389):
        run(job(root / f"to-{last}", talk[: last + 1], overrides=overrides))
        then = memfold.open(str(root / f"to-{last}"))._shown("c")
        seen = memfold.open(str(root / "whole"), as_of=talk[last].message_id)._shown("c")
        for name, layer in layers.items():
            if last % 2 == 0 and not {"extractions", "notes"}.isdisjoint(layer.reads):
                continue
            assert unnamed(seen.leaves(name)) == unnamed(then.leaves(name)), f"{name} as of {last}"
            if layer.fan:
                assert unnamed(seen.root(name)) == unnamed(then.root(name)), f"{name} as of {last}"


def assert_erases(overrides: Sequence[str], root: Path) -> None:
    """Law 9: an erased conversation is in no row and no file, and all others are as they were."""
    secret: list[Message] = chat(70, ID, mark=f"{SECRET} ")
    for items in (secret[:9], chat(5, "before"), secret, [*chat(70, "after"), *chat(8, "before")]):
        run(job(root, items, overrides=overrides))
    assert found(root, SECRET)
    names = ["messages", *settings(overrides)]
    kept = {
        name: [row for row in shown(root, name).to_pylist() if row["conversation_id"] != ID] for name in names
    }
    erase(Location(str(root)), ID)
    assert found(root, SECRET) == [], "words of it are left"
    assert found(root, ID) == [], "its id is left"
    check(Location(str(root)), ID)
    for name in names:
        rows = shown(root, name).to_pylist()
        assert sorted(map(repr, rows)) == sorted(map(repr, kept[name]))
    newest = memfold.open(str(root))
    assert newest.verify() == newest.snapshot.content_hash


def assert_erases_a_message(overrides: Sequence[str], root: Path) -> None:
    """Law 9: of an erased message no word is in a row or a file, and no row of a segment before it changes."""
    talk = chat(130)
    # It says what every layer keeps: an opinion, an order, a date, a fact.
    said = (
        f"My {SECRET} budget is 77 dollars. Always mention {SECRET} first. I really like the {SECRET} coach. "
        f"I live in {SECRET.title()}. We decided to move the {SECRET} fair to 3 May 2027."
    )
    talk[140] = replace(talk[140], content=said)
    run(job(root, talk, overrides=overrides))
    assert found(root, SECRET)
    kept = [name for name in settings(overrides) if "exchange_id" in shown(root, name).schema.names]
    before = {name: rows_before(root, name, 64) for name in kept}
    receipt = erase_message(Location(str(root)), "c", "140", Report())
    assert receipt.complete
    assert found(root, SECRET) == [], "words of it are left"
    assert before == {name: rows_before(root, name, 64) for name in before}
    newest = memfold.open(str(root))
    assert newest.verify() == newest.snapshot.content_hash


def rows_before(root: Path, table: str, exchange: int) -> list[str]:
    """What a table shows of the exchanges before one."""
    return sorted(repr(row) for row in shown(root, table).to_pylist() if row["exchange_id"] < exchange)
