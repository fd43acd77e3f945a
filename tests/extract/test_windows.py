"""Numbering exchanges while they stream, and the windows an extractor sees."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memfold.extract.windows import (
    ELLIPSIS,
    EXCHANGE_TOKENS,
    HEAD_SHARE,
    HISTORY_EXCHANGES,
    WINDOWS,
    Numbering,
    clip,
    windows,
)
from memfold.schema import BLANK, ROLES, Message, Role, StoredMessage


def say(role: Role, content: str = "x", current: bool = True) -> Message:
    return Message("c", role, content, current=current)


def ids(*messages: Message) -> list[int]:
    state, found = Numbering(), []
    for each in messages:
        state = state.after(each)
        found.append(state.exchange_id)
    return found


def stored(messages: list[Message], tokens: int = 10, language: str = "en") -> list[StoredMessage]:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        StoredMessage(
            conversation_id=m.conversation_id,
            seq=seq,
            message_id=str(seq),
            exchange_id=exchange_id,
            role=m.role,
            content=m.content,
            time=start + timedelta(minutes=seq),
            session=None,
            speaker=m.speaker,
            attachments=m.attachments,
            current=m.current,
            language=language,
            tokens=tokens,
        )
        for seq, (exchange_id, m) in enumerate(zip(ids(*messages), messages, strict=True))
    ]


def test_a_user_message_opens_an_exchange_that_its_answer_belongs_to() -> None:
    assert ids(say("user"), say("assistant"), say("user"), say("assistant")) == [0, 0, 1, 1]


def test_every_user_message_in_a_row_opens_its_own_exchange() -> None:
    assert ids(say("user"), say("user"), say("user"), say("assistant")) == [0, 1, 2, 2]


def test_an_opening_assistant_has_exchange_0_to_itself() -> None:
    assert ids(say("assistant"), say("assistant"), say("user"), say("assistant")) == [0, 0, 1, 1]


def test_a_system_preamble_joins_the_first_user_message() -> None:
    assert ids(say("system"), say("system"), say("user"), say("assistant")) == [0, 0, 0, 0]


def at(role: Role, hour: int | None, session: str | None = None) -> Message:
    time = None if hour is None else datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
    return replace(say(role), time=time, session=session)


def test_a_system_message_later_on_belongs_to_the_running_exchange() -> None:
    assert ids(say("user"), say("assistant"), say("system"), say("user")) == [0, 0, 0, 1]
    soon = [at("user", 0), at("assistant", 1), at("system", 6), at("assistant", 6), at("user", 7)]
    assert ids(*soon) == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("sessions", [("a", "a", "b"), (None, None, "b"), ("a", "a", None)])
def test_a_system_message_that_begins_a_session_opens_the_exchange_of_what_follows(
    sessions: tuple[str | None, ...],
) -> None:
    first, second, next_one = sessions
    talk = [at("user", 0, first), at("assistant", 0, second), at("system", 0, next_one)]
    assert ids(*talk, at("system", 0, next_one), at("user", 0, next_one), at("assistant", 0, next_one)) == [
        *(0, 0, 1, 1, 1, 1)
    ]
    assert ids(*talk, at("assistant", 0, next_one), at("user", 0, next_one)) == [0, 0, 1, 1, 2]


def test_a_pause_ends_a_session_in_a_source_that_names_none() -> None:
    talk = [at("user", 0), at("assistant", None), at("system", 7), at("user", 7), at("assistant", 7)]
    assert ids(*talk) == [0, 0, 1, 1, 1]
    assert ids(*(replace(each, session="a") for each in talk)) == [0, 0, 0, 1, 1]
    gone = at("system", 7)
    assert ids(talk[0], replace(gone, current=False), talk[3]) == [0, 0, 1]


def test_an_agent_that_goes_on_by_itself_in_another_session_opens_an_exchange() -> None:
    talk = [at("user", 0), at("assistant", 9), at("tool", 19), at("assistant", 19)]
    assert ids(*talk, at("assistant", 26), at("tool", 26), at("assistant", 27)) == [0, 0, 0, 0, 1, 1, 1]
    assert ids(at("user", 0, "a"), at("assistant", 0, "b"), at("assistant", 0, "c")) == [0, 0, 1]
    assert ids(at("user", 0, "a"), at("tool", 9), at("assistant", 18, "b")) == [0, 0, 0]
    called = replace(at("assistant", 0), content="", attachments=("function f {}",))
    assert ids(at("user", 0), called, at("tool", 0), at("assistant", 14)) == [0, 0, 0, 0]


def test_erasing_an_answer_renumbers_nothing() -> None:
    talk = [at("user", 0), at("assistant", 0), at("assistant", 9), at("user", 10)]
    erased = replace(talk[1], **BLANK)
    assert ids(*talk) == ids(talk[0], erased, *talk[2:]) == [0, 0, 1, 2]


def test_a_memory_begins_no_session_and_ends_none() -> None:
    filed = replace(at("memory", 9), content="a fact")
    assert ids(at("user", 0, "a"), filed, at("system", 0, "a"), at("user", 0, "a")) == [0, 1, 1, 2]


def test_tool_messages_belong_to_the_running_exchange_and_fill_it() -> None:
    assert ids(say("user"), say("tool"), say("assistant"), say("tool"), say("user")) == [0, 0, 0, 0, 1]
    assert ids(say("tool"), say("user")) == [0, 1]


def test_a_branch_no_longer_shown_neither_opens_nor_counts() -> None:
    gone = say("user", current=False)
    assert ids(gone, say("user"), gone, say("assistant"), gone, say("user")) == [0, 0, 0, 0, 0, 1]


roles = st.sampled_from(ROLES)
conversations = st.lists(
    st.builds(say, roles, st.text(max_size=30), st.booleans() | st.just(True)), max_size=40
)


@settings(deadline=None)
@given(conversations)
def test_ids_begin_at_0_and_are_consecutive(messages: list[Message]) -> None:
    found = ids(*messages)
    assert len(found) == len(messages)
    assert found[:1] in ([], [0])
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(found))


@settings(deadline=None)
@given(conversations.filter(bool), st.integers(0, 60), st.integers(0, 12), st.data())
def test_a_window_does_not_depend_on_where_the_conversation_was_cut(
    messages: list[Message], history_tokens: int, assistant_tokens: int, data: st.DataObject
) -> None:
    whole = stored(messages)
    budget = {"history_tokens": history_tokens, "assistant_tokens": assistant_tokens}
    expected = windows(whole, [], **budget)
    at = data.draw(st.integers(0, len(expected)))
    head = [m for m in whole if m.exchange_id < at]
    tail = [m for m in whole if m.exchange_id >= at]
    bound = [m for m in head if m.exchange_id >= at - HISTORY_EXCHANGES]
    assert windows(head, [], **budget) + windows(tail, bound, **budget) == expected
    assert windows(tail, head, **budget) == expected[at:]


def test_history_goes_from_the_newest_backwards_until_a_message_does_not_fit() -> None:
    messages = stored([say("user", text) for text in "abcd"])
    assert windows(messages, [], history_tokens=29, assistant_tokens=99)[3].history == (
        ("user", "b"),
        ("user", "c"),
    )
    assert windows(messages, [], history_tokens=30, assistant_tokens=99)[3].history == (
        ("user", "a"),
        ("user", "b"),
        ("user", "c"),
    )


def test_a_long_answer_leaves_room_in_the_history_for_its_question() -> None:
    messages = stored([say("user", "u" * 400), say("assistant", "v" * 400), say("user", "w")], tokens=100)
    (user, assistant) = windows(messages, [], history_tokens=100, assistant_tokens=99)[1].history
    assert (user[0], user[1][:100], user[1][-50:]) == ("user", "u" * 100, "u" * 50)
    assert (assistant[0], assistant[1][:100], assistant[1][-50:]) == ("assistant", "v" * 100, "v" * 50)
    assert max(len(user[1]), len(assistant[1])) < 220


def test_history_reaches_back_a_bounded_number_of_exchanges() -> None:
    messages = stored([say("user", str(i)) for i in range(HISTORY_EXCHANGES + 3)], tokens=0)
    last = windows(messages, [], history_tokens=1_000, assistant_tokens=1)[-1]
    assert [text for _, text in last.history] == [str(i) for i in range(2, HISTORY_EXCHANGES + 2)]


def test_only_the_assistant_is_cut_and_keeps_its_head_and_its_tail() -> None:
    text = "begin " + "middle " * 200 + "end"
    messages = stored([say("user", text), say("assistant", text)], tokens=400)
    (user, assistant) = windows(messages, [], history_tokens=0, assistant_tokens=40)[0].messages
    assert user == ("user", text)
    assert assistant[1].startswith("begin ")
    assert assistant[1].endswith("end")
    assert ELLIPSIS in assistant[1]
    assert len(assistant[1]) == pytest.approx(len(text) / 10, abs=len(ELLIPSIS) + 1)


@settings(deadline=None)
@given(st.text(), st.integers(0, 50), st.integers(-1, 50))
def test_clipping_never_lengthens_by_more_than_its_mark(text: str, tokens: int, limit: int) -> None:
    assert len(clip(text, tokens, limit)) <= len(text) + len(ELLIPSIS)
    if tokens <= limit:
        assert clip(text, tokens, limit) == text


def test_a_window_shows_what_is_current_with_speaker_and_attachment() -> None:
    shown = Message("c", "user", "look", speaker="Ann", attachments=("a photo",))
    messages = stored([say("user", "old", current=False), shown, say("assistant", "nice")])
    (window,) = windows(messages, [], history_tokens=0, assistant_tokens=99)
    assert window.messages == (("user", "Ann: look [attached: a photo]"), ("assistant", "nice"))
    assert window.time == messages[1].time


@pytest.mark.parametrize("assistant_tokens", [300, 900, 1_900])
def test_of_hundreds_of_calls_a_window_shows_the_first_and_the_last(assistant_tokens: int) -> None:
    said = [say("user", "Go.")]
    for n in range(100):
        said += [say("assistant", f"call {n}"), say("tool", f"result {n} " + "x" * 8_000)]
    said += [say("assistant", "All is done."), say("user", "Thanks.")]
    sized = [replace(each, tokens=len(each.content) // 4) for each in stored(said)]
    first, second = windows(sized, (), history_tokens=300, assistant_tokens=assistant_tokens)
    texts = [text for _, text in first.messages]
    assert (texts[0], texts[-1]) == ("Go.", "All is done.")
    assert texts.count("[…]") == 1
    assert EXCHANGE_TOKENS * 2 < sum(map(len, texts)) < EXCHANGE_TOKENS * 4 + 200
    assert second.messages == (("user", "Thanks."),)
    assert sum(map(len, dict(second.history).values())) < 2_000


def test_what_was_said_last_is_shown_before_a_system_message_too() -> None:
    said = [
        say("user"),
        *(say("assistant", "x" * 8_400) for _ in range(9)),
        say("assistant", "Done."),
        say("system"),
    ]
    sized = [replace(each, tokens=len(each.content) // 4) for each in stored(said)]
    (window,) = windows(sized, (), history_tokens=0, assistant_tokens=2_500)
    assert [text for _, text in window.messages] == ["x", "[…]", "Done.", "x"]


def test_the_arguments_of_a_call_are_cut_as_an_answer_is() -> None:
    call = Message("c", "assistant", "", attachments=("function write " + "x" * 40_000,))
    (window,) = windows(stored([say("user"), call], tokens=0), (), history_tokens=0, assistant_tokens=100)
    assert len(window.messages[1][1]) < 500


def test_a_window_says_whether_a_message_of_its_exchange_is_empty_shown_or_not() -> None:
    def hollow(*talk: Message) -> bool:
        sized = [replace(each, tokens=len(each.content) // 4) for each in stored(list(talk))]
        (window,) = windows(sized, [], history_tokens=0, assistant_tokens=2_500)
        return window.hollow

    long = [say("tool", "x" * 8_400) for _ in range(9)]
    assert not hollow(say("user"), *long)
    assert hollow(say("user"), *long[:5], say("tool", ""), *long[5:])
    assert hollow(say("user"), say("assistant", "", current=False), say("assistant"))


def test_what_is_attached_takes_the_room_that_words_leave() -> None:
    document = Message("c", "user", "Sum it up.", attachments=("document " + "x" * 40_000,))
    thought = Message("c", "assistant", f"{'y' * 390} So it is 77.", attachments=("thinking " + "z" * 4_000,))
    sized = [
        replace(each, tokens=len(each.content) // 4) for each in stored([document, thought, say("user")])
    ]
    first, second = windows(sized, (), history_tokens=1_000, assistant_tokens=100)
    (_, asked), (_, answered) = first.messages
    assert asked.startswith("Sum it up. [attached: document xxx")
    assert len(asked) < 450
    assert "So it is 77." in answered
    assert len(answered) < 450
    assert [role for role, _ in second.history] == ["user", "assistant"]


def test_an_exchange_of_which_nothing_is_shown_still_has_its_window() -> None:
    messages = stored([say("user", "old", current=False)])
    (window,) = windows(messages, [], history_tokens=9, assistant_tokens=9)
    assert (window.exchange_id, window.messages, window.language) == (0, (), "und")


def test_the_language_is_that_of_most_of_the_user_s_text() -> None:
    english = stored(
        [say("system", "be brief, and be kind to everyone"), say("assistant", "a long English answer")]
    )
    chinese = stored([say("user", "你好")], language="zh")
    (window,) = windows([*english[:1], *chinese, *english[1:]], [], history_tokens=0, assistant_tokens=9)
    assert window.language == "zh"
    (opening,) = windows(english, [], history_tokens=0, assistant_tokens=9)
    assert opening.language == "en"


def test_what_windows_are_made_with_is_in_their_name() -> None:
    assert WINDOWS.startswith("windows-3/")
    assert all(str(each) in WINDOWS for each in (HISTORY_EXCHANGES, HEAD_SHARE, ELLIPSIS.strip()))
