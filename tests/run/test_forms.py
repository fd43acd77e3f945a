"""Ids and speakers in another Unicode form: as a Mac names a file, or as another keyboard writes it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from unicodedata import normalize

import pytest

import memfold
from memfold.ingest.source import Files
from memfold.run.amend import erase_message
from memfold.schema import Message, Role
from memfold.store.erase import check, erase
from memfold.store.location import Location
from memfold.watch import Report
from support.given import found, indexed, job, run

CHAT, ASKED, SPEAKER, SECRET = "Chat with José", "señal-0", "Zoë", "kumquat"
ROLES: tuple[Role, ...] = ("user", "assistant", "user", "assistant")


def said(form: str) -> list[Message]:
    """A conversation whose names have a Unicode form, as an earlier memfold stored it."""
    return [
        Message(
            normalize(form, CHAT),
            role,
            f"The secret word is {SECRET}." if n == 0 else "I live in Rome.",
            normalize(form, f"señal-{n}"),
            speaker=normalize(form, SPEAKER) if role == "user" else None,
        )
        for n, role in enumerate(ROLES)
    ]


def source(folder: Path, form: str) -> Path:
    """The same in a file of that name."""
    folder.mkdir(exist_ok=True)
    lines = (
        json.dumps({"id": each.message_id, "role": each.role, "content": each.content, "name": each.speaker})
        for each in said(form)
    )
    (folder / f"{normalize(form, CHAT)}.jsonl").write_text("\n".join(lines))
    return folder


def read(root: Path, folder: Path, **how: object) -> dict[str, object]:
    """An index job over files."""
    return run(replace(job(root, []), source=Files(str(folder)), **how))  # type: ignore[arg-type]


def shown(root: Path) -> dict[str, list[str]]:
    """The ids of the conversations, each with its messages'."""
    store = memfold.open(str(root))
    return {
        each.conversation_id: [message.message_id for message in store.messages(each.conversation_id)]
        for each in store.conversations()
    }


def test_both_forms_of_a_file_are_one_conversation(tmp_path: Path) -> None:
    root = tmp_path / "store"
    done = read(root, source(source(tmp_path / "src", "NFC"), "NFD"))
    assert shown(root) == {CHAT: [f"señal-{n}" for n in range(4)]}
    assert done["dead_letters"] == 4  # delivered twice
    assert read(root, source(tmp_path / "mac", "NFD"))["extracted"] == 0


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("copied", ["NFC", "NFD"])
@pytest.mark.parametrize("message", [None, ASKED])
def test_what_was_erased_stays_so_in_the_other_form(
    tmp_path: Path, stored: str, copied: str, message: str | None
) -> None:
    """A decomposed name is in stores of an earlier memfold."""
    root = tmp_path / "store"
    indexed(root, said(stored))
    location, typed = Location(str(root)), normalize("NFC" if stored == "NFD" else "NFD", CHAT)
    if message is None:
        assert erase(location, typed).complete
    else:
        assert erase_message(location, typed, message, Report()).complete
    assert not found(root / "default", SECRET)
    read(root, source(tmp_path / "src", copied), erased="skip")
    assert not found(root / "default", SECRET)
    if message is None:
        assert shown(root) == {}
        assert check(location, CHAT).complete


def test_a_stored_name_of_another_form_is_kept(tmp_path: Path) -> None:
    root = tmp_path / "store"
    indexed(root, said("NFD"))
    before = shown(root)
    for form in ("NFD", "NFC"):
        done = read(root, source(tmp_path / form, form))
        assert shown(root) == before
        assert not {"corrected", "left", "removed"} & done.keys()


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_a_name_is_found_in_whatever_form_it_is_asked_for(tmp_path: Path, stored: str, typed: str) -> None:
    indexed(tmp_path, said(stored))
    chat, asked, speaker = (normalize(typed, each) for each in (CHAT, ASKED, SPEAKER))
    store = memfold.open(str(tmp_path))
    assert SECRET in store.context(chat, "What is the secret word?", 500, speaker=speaker).text
    assert store.profile(chat, who=speaker).get("home") == "Rome"
    assert len(store.rows("messages", chat, as_of=asked)) == 1
    ids = [
        store.add_memory(chat, "The dentist expects me.", by="calendar", memory_id=normalize(form, "café"))
        for form in (typed, "NFC", "NFD")
    ]
    assert [each.new for each in ids] == [True, False, False]
    assert len(shown(tmp_path)) == 1


def test_two_forms_that_an_earlier_memfold_stored_are_erased_one_by_one(tmp_path: Path) -> None:
    indexed(tmp_path, [*said("NFC"), *said("NFD")])
    for left in (1, 0):
        erase(Location(str(tmp_path)), CHAT)
        assert len(shown(tmp_path)) == left
    assert not found(tmp_path / "default", SECRET)
