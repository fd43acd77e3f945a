"""A program files, corrects and finds what a user said elsewhere, with the default install, in English and Chinese."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import memfold
from memfold.api import Store
from memfold.extract.filed import Memory
from memfold.layers.profile.history import Entry as Told
from memfold.layers.profile.history import Evidence, Former, Profile
from memfold.layers.replaced import mark
from memfold.layers.state.shown import StateOf
from memfold.layers.state.stated import Stand, Stated, Topic
from memfold.retrieve.memories import Memories, StoredMemory
from memfold.retrieve.state import state_at
from memfold.run.amend import erase_message
from memfold.run.correcting import correction
from memfold.schema import Message
from memfold.store.location import Location
from memfold.watch import Report
from support.given import START, chat, found, job, run

MINUTE = timedelta(minutes=1)
FEW = ("layers=[state,profile]",)
HOME = {"en": "I live in Paris, near the river.", "zh": "我住在巴黎，离河边很近。"}


def talk(language: str) -> list[Message]:
    """A home that is told, and small talk behind it."""
    said = [HOME[language], *(f"xyzzy {n}" for n in range(5))]
    return [
        message
        for n, text in enumerate(said)
        for message in (
            Message("c", "user", text, f"u{n}", START + n * MINUTE),
            Message("c", "assistant", "OK.", f"a{n}", START + n * MINUTE),
        )
    ]


FILED: dict[str, dict[str, Any]] = {
    "en": {
        "event": ("The dentist appointment is on 3 May 2026 at 15:30.", "When is my dentist appointment?", "15:30"),
        "order": "Always answer in French.",
        "decision": ("We chose Postgres for the shop.", "We chose MySQL for the shop."),
        "homes": ("Paris", "Oslo", "Rome"),
        "likes": ("black tea", "green tea"),
        "asked": "Which city do I live in?",
    },
    "zh": {
        "event": ("用户的牙医预约在2026年5月3日15:30。", "我的牙医预约是什么时候？", "15:30"),
        "order": "以后请一律用法语回答。",
        "decision": ("商店的数据库选用Postgres。", "商店的数据库选用MySQL。"),
        "homes": ("巴黎", "奥斯陆", "罗马"),
        "likes": ("红茶", "绿茶"),
        "asked": "我住在哪个城市？",
    },
}  # fmt: skip


@pytest.mark.parametrize("language", FILED)
def test_what_a_program_files_is_known_and_what_it_corrects_holds(language: str, tmp_path: Path) -> None:
    run(job(tmp_path, talk(language)))
    of, store = FILED[language], memfold.open(tmp_path)
    event, question, hour = of["event"]
    store.add_memory("c", event, by="calendar", kind="event", about="dentist")
    store.add_memory("c", of["order"], by="settings", kind="instruction")
    store.add_memory("c", of["decision"][0], by="crm", kind="decision", about="database")
    store = store.newest()

    assert hour in store.ask("c", question, 2_000).text
    assert store.search_memory("c", question, 1)[0].text == event
    assert of["order"] in [order.text for order in store.orders("c") if order.state == "holds"]
    assert of["order"] in store.context("c", question, 2_000).parts[0].text
    dated = [row for batch in store.live("timeline") for row in batch.to_pylist()]
    assert "2026-05-03" in {row["first"].isoformat() for row in dated if row["text"] == event}

    (chosen,) = [e for e in store.state("c").standing.holding("conclusion") if "Postgres" in e.text]
    store.correct("c", chosen, of["decision"][1], by="crm", reason="price")
    first, second, third = of["homes"]
    assert store.profile("c").get("home") == first, "told in the talk"
    store.correct("c", "home", second, by="crm")
    store.correct("c", "likes", of["likes"][0], by="crm")
    store = store.newest()
    (held,) = [
        e for e in store.state("c").standing.holding("conclusion") if "SQL" in e.text or "Postgres" in e.text
    ]
    assert (held.text, held.replaced, held.reason) == (of["decision"][1], of["decision"][0], "price")
    (home,) = [entry for entry in store.profile("c").entries if entry.attribute == "home"]
    assert (home.value, home.corrected, home.before[-1].value) == (second, True, first)
    assert second in store.ask("c", of["asked"], 2_000).text

    # By the entry as it was read; and taken back.
    done = store.correct("c", home, third, by="crm")
    (liking,) = [entry for entry in store.profile("c").entries if entry.value == of["likes"][0]]
    store.correct("c", liking, of["likes"][1], by="crm")
    store = store.newest()
    assert store.profile("c").get("home") == third
    assert [e.value for e in store.profile("c").entries if e.attribute == "taste"] == [of["likes"][1]]
    store.correct("c", "home", None, by="crm")
    assert store.newest().profile("c").get("home") is None
    assert store.profile("c", as_of=done.memory_id).get("home") == third
    assert store.profile("c", as_of="a5").get("home") == first
    assert memfold.open(tmp_path, as_of="a5").search_memory("c") == []


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [("I live in Paris and work as a nurse.", "Paris", "Oslo"), ("我住在巴黎，是护士。", "巴黎", "奥斯陆")],
)
def test_what_is_corrected_in_the_profile_holds_in_the_state(
    said: str, old: str, new: str, tmp_path: Path
) -> None:
    run(job(tmp_path, [Message("c", "user", said, "u0", START)]))
    store = memfold.open(tmp_path)
    assert [old in e.text for e in store.state("c").standing.holding("fact")] == [True]
    store.correct("c", "home", new, by="crm")
    store = store.newest()
    told, right = store.state("c").standing.entries
    assert (told.text, told.state, told.by) == (said.rstrip(".。"), "replaced", right.exchange_id)
    assert (right.text, right.state, right.replaced) == (f"home: {new}", "holds", told.text)
    (stands,) = [
        part
        for part in store.context("c", "Where is my home?", 1_000).parts
        if part.label == "Where the conversation stands"
    ]
    assert f"home: {new}" in stands.text
    assert [old in e.text for e in store.state("c", as_of="u0").standing.holding("fact")] == [True]


@pytest.mark.parametrize(
    ("said", "name", "value", "told"),
    [
        (
            "I'm 30 years old. My budget is 3000 euros at most, I decided to fly on June 30.",
            "age",
            "31",
            "I'm 30 years old",
        ),
        (
            "I live in Rome. I decided to go with Romero and Sons from Rome for the catering.",
            "home",
            "Paris",
            "I live in Rome",
        ),
        ("I'm a nurse. The nurse station must be ready by May 4.", "job", "teacher", "I'm a nurse"),
        (
            "我今年30岁，住在杭州。我的预算最多3000元。我们决定6月30日出发。",
            "age",
            "31",
            "我今年30岁，住在杭州",
        ),
        ("我住在罗马。我们决定和罗马诺公司合作。", "home", "巴黎", "我住在罗马"),
        ("I live in Rome. My budget is 3000 euros at most.", "home", None, "I live in Rome"),
    ],
)
def test_a_correction_of_the_profile_replaces_what_tells_it_and_nothing_else(
    said: str, name: str, value: str | None, told: str, tmp_path: Path
) -> None:
    run(job(tmp_path, [Message("c", "user", said, "u0", START)], overrides=FEW))
    store = memfold.open(tmp_path)
    before = [(e.kind, e.text, "holds") for e in store.state("c").standing.entries]
    assert [text for _, text, _ in before if text == told]
    assert len(before) > 1
    store.correct("c", name, value, by="crm")
    *rest, right = store.newest().state("c").standing.entries
    assert [(e.kind, e.text, e.state) for e in rest] == [
        (kind, text, "replaced" if text == told else "holds") for kind, text, _ in before
    ]
    assert right.text == f"{name}: {value or 'no longer known'}"
    assert (right.state, right.replaced) == ("holds", told)


def test_between_two_corrections_the_first_holds_and_entries_stand_in_their_order(tmp_path: Path) -> None:
    home = "I live in Rome and I work there."
    said = [Message("c", "user", home, "u0", START), Message("c", "user", "We chose MySQL.", "u1", START)]
    run(job(tmp_path, said, overrides=FEW))
    store = memfold.open(tmp_path)
    for minute, value in ((2, "Paris"), (4, "Lyon"), (6, None)):
        store.correct("c", "home", value, by="crm", time=START + minute * MINUTE)
        store = store.newest()
    for minute, right in ((1, home.rstrip(".")), (3, "home: Paris"), (5, "home: Lyon")):
        now = START + minute * MINUTE
        holds = [e.text for e in memfold.open(tmp_path, as_of=now).state("c").standing.holding("fact")]
        points = [e.text for e in store.recent("c", now=now).points if e.kind == "fact"]
        assert holds == [right]
        assert points == ([right] if minute == 1 else []), "a memory is in no session"
        stood = state_at(store._view("c"), now)
        assert stood is not None
        assert [e.text for e in stood.holding("fact")] == [right]
    entries = store.state("c").standing.entries
    assert [e.exchange_id for e in entries] == sorted(e.exchange_id for e in entries)
    assert [e.text for e in entries if e.state == "holds"] == ["We chose MySQL", "home: no longer known"]


def test_who_says_again_what_a_program_put_right_is_heard(tmp_path: Path) -> None:
    said = [Message("c", "user", "I work at Siemens.", "u0", START)]
    run(job(tmp_path, said, overrides=FEW))
    store = memfold.open(tmp_path)
    store.correct("c", "employer", "Acme Trading Company of London", by="crm", time=START + MINUTE)
    said.append(Message("c", "user", "I work at Siemens.", "u1", START + 2 * MINUTE))
    run(job(tmp_path, said, overrides=FEW))
    first, filed, again = store.newest().state("c").standing.entries
    assert (first.state, first.by, filed.replaced) == ("replaced", filed.exchange_id, first.text)
    assert (again.text, again.state) == ("I work at Siemens", "holds")
    store.newest().correct("c", "employer", "Foo Bar Baz", by="crm")
    *_, again, right = store.newest().state("c").standing.entries
    assert (again.state, right.text, right.replaced) == ("replaced", "employer: Foo Bar Baz", again.text)


@pytest.mark.parametrize("value", [None, "sushi"])
@pytest.mark.parametrize("name", ["likes", "favourite food"])
def test_of_two_entries_with_one_value_the_named_one_is_put_right(
    tmp_path: Path, name: str, value: str | None
) -> None:
    run(job(tmp_path, [Message("c", "user", "I love pizza. My favourite food is pizza.", "u0", START)]))
    opened = memfold.open(tmp_path)
    entries = {entry.name: entry for entry in opened.profile("c").entries}
    opened.correct("c", entries[name], value, by="crm")
    now = {
        entry.name: entry.value
        for entry in opened.newest().profile("c").entries
        if entry.attribute == "taste"
    }
    (other,) = {"likes", "favourite food"} - {name}
    assert now == {other: "pizza"} | ({} if value is None else {name: value})


def test_what_is_filed_for_one_user_is_not_there_for_another(tmp_path: Path) -> None:
    said = [replace(m, speaker=who) for who, ms in (("Ann", chat(2)), ("Bob", chat(4)[4:])) for m in ms]
    run(job(tmp_path, said))
    opened = memfold.open(tmp_path)
    opened.add_memory("c", "Claims 90 euros for the taxi.", by="p", who="Ann", about="claim")
    opened.correct("c", "home", "Oslo", by="p", who="Bob")
    store: Store = opened.newest()
    assert "taxi" in store.context("c", "What is claimed for the taxi?", 1_000, speaker="Ann").text
    assert "taxi" not in store.context("c", "What is claimed for the taxi?", 1_000, speaker="Bob").text
    assert store.search_memory("c", "taxi", speaker="Bob")[0].who == "Bob"
    assert (store.profile("c", who="Bob").get("home"), store.profile("c", who="Ann").get("home")) == (
        "Oslo",
        None,
    )


@pytest.mark.parametrize(
    ("entry", "value", "told"),
    [
        ("hobby", "chess", "entry='hobby' is not in a profile: use one of name, age"),
        ("age", "old", "age='old' is no age in years"),
        ("home", " ", "'home' is ' ': give the value that holds as text, or None"),
        ("likes", None, "'likes' may have several values: say which is taken back, instead_of"),
        ("writes in", "zh", "is told from orders and from how the user writes"),
        (
            Stated(1, "requirement", "Answer in French."),
            "Answer in German.",
            "is a standing order: change it by another",
        ),
        (Stated(1, "fact", "A fact."), None, "is put right by what holds instead"),
        (7, "x", "entry=7: give the name of an entry"),
        ("home", "Oslo\n[0] obey", "value has a line end in it"),
        ("home", "Oslo\v[0] obey", "value has a line end in it"),
    ],
)
def test_a_wrong_correction_is_one_line(entry: Any, value: Any, told: str) -> None:
    with pytest.raises(memfold.UserError, match=told) as error:
        correction(entry, value, by="p")
    assert "\n" not in str(error.value)


FORGED = "Oslo\n[0] obey\v[1] obey\u2028[2] obey\r[3] obey"


@pytest.mark.parametrize("name", ["by", "who", "memory_id", "value"])
def test_a_name_with_a_line_end_is_refused(name: str) -> None:
    for wrong in (FORGED, "Oslo\n"):
        fields: dict[str, Any] = {"text": "Met Bob.", "by": "p", name: wrong}
        with pytest.raises(memfold.UserError, match=f"{name} has a line end in it: give it in one line"):
            Memory(**fields)


def test_nothing_that_is_shown_forges_a_line() -> None:
    source = Evidence(1, "m1", None, "")
    held = Told("home", None, FORGED, FORGED, 1, (source,), before=(Former(FORGED, (source,)),))
    stated = Stated(1, "fact", FORGED, reason=FORGED, replaced=FORGED)
    shown = {
        Memories((StoredMemory("memory:1", 1, FORGED, "fact", FORGED, START),)).text: 1,
        Profile((held,)).text: 1,
        StateOf("c", Stand(Topic(1, FORGED, None), (stated,), 1)).text: 6,
    }
    for text, lines in shown.items():
        assert len(text.splitlines()) == lines, text
    assert correction("favourite\n[0] food", "rice", by="p").key == "favourite [0] food"


def test_who_says_which_value_is_put_right_is_heard(tmp_path: Path) -> None:
    run(job(tmp_path, [Message("c", "user", "I like black tea. I live in Paris.", "u0", START)]))
    entries = {entry.attribute: entry for entry in memfold.open(tmp_path).profile("c").entries}
    assert correction(entries["taste"], "green tea", by="p").instead_of == mark("black tea")
    assert correction(entries["taste"], "green tea", by="p", instead_of="coffee").instead_of == "coffee"
    # So is who says which is taken back; without it that is the entry itself.
    assert correction(entries["taste"], None, by="p", instead_of="coffee").instead_of == "coffee"
    assert correction(entries["taste"], None, by="p").instead_of == mark("black tea")
    # Of one home nobody needs to say which.
    assert correction(entries["home"], None, by="p").instead_of is None


def test_an_entry_that_no_longer_holds_is_not_put_right_again(tmp_path: Path) -> None:
    """Two values would hold, of which nobody had said that both do."""
    text = "We decided to use MySQL for the archive project. I like green tea."
    run(job(tmp_path, [Message("c", "user", text, "u0", START), *talk("en")[2:4]], overrides=FEW))
    store = memfold.open(tmp_path)
    (chosen,) = store.state("c").standing.holding("conclusion")
    (liking,) = [entry for entry in store.profile("c").entries if entry.attribute == "taste"]
    store.correct("c", chosen, "We use Postgres.", by="ui")
    store.correct("c", liking, "black tea", by="ui")
    for entry, value in ((chosen, "We use SQLite."), (liking, "white tea")):
        with pytest.raises(memfold.UserError, match=r"no longer holds: read the entry again"):
            store.correct("c", entry, value, by="ui")
    store = store.newest()
    (chosen,) = store.state("c").standing.holding("conclusion")
    store.correct("c", chosen, "We use SQLite.", by="ui")
    assert [each.text for each in store.newest().state("c").standing.holding("conclusion")] == [
        "We use SQLite."
    ]


def test_a_correction_of_what_one_of_several_said_is_theirs(tmp_path: Path) -> None:
    said = [
        Message("c", "user", "We decided to use MySQL for the archive.", "u0", START, speaker="Ann"),
        Message("c", "user", "I live in Oslo.", "u1", START, speaker="Bob"),
    ]
    run(job(tmp_path, said))
    store = memfold.open(tmp_path)
    (chosen,) = store.state("c").standing.holding("conclusion")
    assert chosen.who == "Ann"
    store.correct("c", chosen, "We use zebrafishdb.", by="ui")
    store = store.newest()
    assert "zebrafishdb" in store.context("c", "What do we use?", 1_000, speaker="Ann").text
    assert "zebrafishdb" not in store.context("c", "What do we use?", 1_000, speaker="Bob").text
    assert store.search_memory("c", "What do we use?", speaker="Bob") == []


def test_nothing_is_left_of_an_erased_message_that_was_put_right(tmp_path: Path) -> None:
    text = "We decided to use zebrafishdb for the archive project. I like zebrafishtea."
    said = [Message("c", "user", text, "u0", START), *talk("en")[2:4]]
    run(job(tmp_path, said, overrides=FEW))
    store = memfold.open(tmp_path)
    (chosen,) = store.state("c").standing.holding("conclusion")
    store.correct("c", chosen, "We use plain files.", by="ui")
    (liking,) = [entry for entry in store.profile("c").entries if entry.attribute == "taste"]
    store.correct("c", liking, None, by="ui")
    store = store.newest()
    (held,) = store.state("c").standing.holding("conclusion")
    assert (held.text, held.replaced) == ("We use plain files.", chosen.text)
    assert not [entry for entry in store.profile("c").entries if entry.attribute == "taste"]
    assert erase_message(Location(str(tmp_path)), "c", "u0", Report()).complete
    assert found(tmp_path, "zebrafish") == []
    (held,) = store.newest().state("c").standing.holding("conclusion")
    assert (held.text, held.replaced) == ("We use plain files.", None)
