"""Law 6: a tenant's name chooses a folder and cannot leave it; nothing of one tenant is seen by another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memfold
from memfold.schema import DeadLetter
from memfold.store.location import Location
from support.given import chat, files, indexed, job, rows, run

HOSTILE = [
    "", ".", "..", "../x", "../../etc", "x/..", "x/y", "/etc", "\\\\x", "x\\y", "~", "~root", "-x", "x-", "_x", "x_",
    "x y", " x", "x ", "x\n", "\nx", "x\x00", "x.lance", "X", "Default", "ｄｅｆａｕｌｔ", "dеfault", "défault",
    "default\u200b", "x" * 65, "file:x", "s3://x", "%2e%2e", "$HOME", "${oc.env:HOME}", "x;y", "x'y", '"', "*", "默认",
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_refused_before_anything_is_read_or_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(memfold.UserError, match="is not a tenant's name: use 1 to 64"):
        memfold.open(str(tmp_path / "store"), tenant=name)
    with pytest.raises(memfold.UserError, match="is not a tenant's name"):
        indexed(tmp_path / "store", chat(1), tenant=name)
    assert list(tmp_path.iterdir()) == []


@given(st.text())
def test_any_name_is_refused_or_is_one_folder_under_the_root(name: str) -> None:
    try:
        location = Location("/srv/memory", name)
    except memfold.UserError:
        return
    assert location.local is not None
    assert location.local.resolve().parent == Path("/srv/memory")
    assert Location("s3://bucket/m/", name).uri("messages") == f"s3://bucket/m/{name}/messages.lance"


@pytest.mark.parametrize("name", ["a", "0", "default", "team-1_b", "x" * 64])
def test_plain_names_are_taken(name: str) -> None:
    assert Location("root", name).local == Path("root") / name


def test_two_tenants_with_one_conversation_id_see_only_their_own(tmp_path: Path) -> None:
    mine, theirs = chat(6, mark="walrus "), chat(6, mark="ostrich ")
    broken = DeadLetter("a.jsonl", "line 1", "not JSON", b"ostrich", "c")
    indexed(tmp_path, mine, tenant="one")
    alone = memfold.open(str(tmp_path), "one")
    kept = files(tmp_path / "one")
    indexed(tmp_path, [*theirs, broken, *chat(2, "only-theirs")], tenant="two")

    assert files(tmp_path / "one") == kept
    one, two = memfold.open(str(tmp_path), "one"), memfold.open(str(tmp_path), "two")
    assert [c.conversation_id for c in one.conversations()] == ["c"]
    assert [c.conversation_id for c in two.conversations()] == ["c", "only-theirs"]
    for store, own, other in (
        (one, "walrus", "ostrich"),
        (two, "ostrich", "walrus"),
        (alone, "walrus", "ostrich"),
    ):
        hits = store.search("c", f"What about {other} and the budget?", 100)
        texts = [hit.text for hit in hits]
        texts += [message.content for message in store.messages("c")]
        texts += [message.content for message in store.working("c")]
        assert all(own in text and other not in text for text in texts)
        assert len(hits) == 6
        shown = (
            store.context("c", "What is my budget?", 4000).text + store.ask("c", f"Who is the {other}?").text
        )
        shown += " ".join(item.text for item in store.scratchpad("c"))
        assert own in shown
        assert f"{other} My" not in shown
        assert f"{other} Here" not in shown
    for question in (lambda: one.search("only-theirs", "x"), lambda: list(one.messages("only-theirs"))):
        with pytest.raises(memfold.UserError, match="no conversation 'only-theirs'"):
            question()
    assert rows(tmp_path, "one").get("dead_letters", 0) == 0
    assert rows(tmp_path, "two")["dead_letters"] == 1
    assert one.snapshot.number == two.snapshot.number == 1


def test_control_one_tenant_for_both_mixes_what_they_said(tmp_path: Path) -> None:
    indexed(tmp_path, chat(6, mark="walrus "), tenant="one")
    kept = files(tmp_path / "one")
    # The same ids under the same tenant: a correction of the whole conversation.
    indexed(tmp_path, chat(6, mark="ostrich "), tenant="one")
    assert files(tmp_path / "one") != kept
    assert all("ostrich" in message.content for message in memfold.open(str(tmp_path), "one").messages("c"))


def test_a_tenant_without_a_snapshot_has_nothing_to_open(tmp_path: Path) -> None:
    indexed(tmp_path, chat(1), tenant="one")
    with pytest.raises(memfold.UserError, match=r"nothing is sealed .* for tenant 'two'"):
        memfold.open(str(tmp_path), "two")


def test_an_equal_job_of_another_tenant_is_not_taken_for_done(tmp_path: Path) -> None:
    first = job(tmp_path, chat(3), tenant="one")
    done = run(first)
    again = run(replace(first, location=Location(str(tmp_path), "two")))
    assert again["content_hash"] == done["content_hash"]
    assert len(list(memfold.open(str(tmp_path), "two").messages("c"))) == 6
