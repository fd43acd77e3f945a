"""From messages to exchanges, and from exchanges to what an extractor sees of them.

An exchange is numbered while the messages stream by:

1. Exchanges are numbered 0, 1, 2 … inside their conversation; every message belongs to exactly one.
2. A user message opens a new exchange if the running one already holds a user, assistant or tool message.
   So several user messages in a row open one exchange each.
3. A conversation that opens with the assistant (or a tool) has an exchange 0 without user text.
4. A system message opens one if it begins another session, or in a source that names no sessions comes after a pause
   (`GAP`); the user message behind it joins it. Otherwise it belongs to the running exchange: a preamble to exchange 0.
5. Assistant and tool messages belong to the running exchange. But once the assistant has said something there, its next
   message opens an exchange if it begins another session or comes after a pause, as in rule 4: an agent may go on by
   itself days later. The first answer belongs to its question, even if it comes the next morning. A message of the
   assistant's of which nothing is left, as of an erased one, counts as said, so that erasing renumbers nothing.
6. A message of a branch that is no longer shown (`current` False) takes the number of the message before it, opens
   no exchange, and does not count for rule 2.
7. A memory that a program filed is an exchange by itself: it opens one where a user message would, and what follows it
   opens the next, whoever says it.

It knows nothing of models, tokenizers or segments: a message brings its own token count, and a window is the
same however the conversation is cut, as long as `HISTORY_EXCHANGES` exchanges before the cut are handed on.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, groupby

from memfold.schema import MEMORY, USERS, Message, Role, StoredMessage, Window, spoken

# A window never looks further back than this many exchanges, however short they are: code that cuts a conversation
# keeps that much of the earlier part, and no more.
HISTORY_EXCHANGES = 8

# A pause that ends a session in a source that names none (decision 23): six hours hold a working day's lunch, and part
# two days of any who sleeps.
GAP = timedelta(hours=6)

# A model reads the opening and the conclusion of a long answer; the opening says more.
HEAD_SHARE = 0.7
ELLIPSIS = "\n[…]\n"
# Tokens that a window holds of what the assistant and tools said in one exchange. Under one message of an agent's user
# stand hundreds of calls, which no model can read: it reads how they began and, for as many tokens, how they ended.
EXCHANGE_TOKENS = 4_000

# Whose words are cut to so many tokens, and how many others may have: all.
_OTHERS, _ALL = ("assistant", "tool"), sys.maxsize

# What an extraction depends on besides its messages, its engine and the engine's settings. It is part of the names of
# extractions: raise the number when the same messages make other windows.
WINDOWS = f"windows-3/{HISTORY_EXCHANGES}/{HEAD_SHARE}/{ELLIPSIS.strip()}/{EXCHANGE_TOKENS}"


@dataclass(frozen=True, slots=True)
class Numbering:
    """Where the numbering stands: the running exchange, and whether the next user message opens another; `filed` is
    whether it is a memory, so that any message does, and `answered` whether the assistant has said something in it.
    `session` and `time` are those of what was said last."""

    exchange_id: int = 0
    open: bool = False
    filed: bool = False
    answered: bool = False
    session: str | None = None
    time: datetime | None = None

    def after(self, message: Message | StoredMessage) -> Numbering:
        """The state after `message`; its `exchange_id` is the message's. What follows a message changes nothing of it,
        so that a conversation as of that message is the one that ended there."""
        if not message.current:
            return self
        system, filed = message.role == "system", message.role == MEMORY
        opens = self.open and self._opens(message)
        return Numbering(
            self.exchange_id + opens,
            not system or (self.open and not opens),
            self.filed if system and not opens else filed,
            (message.role == "assistant" and _says(message)) or (self.answered and not opens),
            *((self.session, self.time) if filed else (message.session, message.time or self.time)),
        )

    def _opens(self, message: Message | StoredMessage) -> bool:
        """Whether a message opens an exchange, where the running one is open."""
        if message.role == "system":
            return self._begins(message)
        goes_on = message.role == "assistant" and self.answered
        named = message.session is not None and self.session is not None
        unnamed = message.session is None and self.session is None
        return (
            self.filed or message.role in USERS or (goes_on and (named or unnamed) and self._begins(message))
        )

    def _begins(self, message: Message | StoredMessage) -> bool:
        """Whether a message begins another session."""
        if message.session is not None or self.session is not None:
            return message.session != self.session
        return message.time is not None and self.time is not None and message.time - self.time > GAP


def _says(message: Message | StoredMessage) -> bool:
    """Whether a message says something. An erased one, of which nothing is left, counts as having said something; one
    that only calls a tool does not."""
    return bool(message.content.strip()) or not message.attachments


def windows(
    messages: Sequence[StoredMessage],
    history: Sequence[StoredMessage],
    *,
    history_tokens: int,
    assistant_tokens: int,
    turns: Mapping[int, int] | None = None,
) -> list[Window]:
    """One window for each exchange in `messages`, in order.

    `messages` are consecutive and hold their exchanges whole; `history` are the messages right before them
    (`HISTORY_EXCHANGES` exchanges are enough, more are not looked at). A window's history is messages, newest
    first until one does not fit in `history_tokens`, at most `HISTORY_EXCHANGES` exchanges back; of a message
    longer than half of that stand its head and tail, so that a long answer leaves room for its question.
    What the assistant or a tool said keeps its head and its tail if it is longer than `assistant_tokens`, in the
    history too; of an exchange in which they said more than `EXCHANGE_TOKENS` the middle is left out. Attachments
    (calls, thoughts, documents) get the part of `assistant_tokens` that the message's words leave; in a user's message
    they get all of it. An exchange of which nothing is current has a window without messages. `turns` maps exchanges to
    their numbers in the source, if the source counts differently.
    """
    before: deque[list[tuple[Role, str, int]]] = deque(maxlen=HISTORY_EXCHANGES)
    spoke: deque[set[str]] = deque(maxlen=HISTORY_EXCHANGES + 1)
    for _, exchange in groupby(history, key=lambda message: message.exchange_id):
        whole = list(exchange)
        before.append(_seen(whole, assistant_tokens))
        spoke.append(_speakers(whole))
    result = []
    for exchange_id, exchange in groupby(messages, key=lambda message: message.exchange_id):
        whole = list(exchange)
        current = [message for message in whole if message.current]
        seen = _seen(current, assistant_tokens)
        spoke.append(_speakers(whole))
        result.append(
            Window(
                conversation_id=whole[0].conversation_id,
                exchange_id=exchange_id,
                messages=tuple((role, text) for role, text, _ in seen),
                history=_fitting(before, history_tokens),
                language=_language(current),
                time=next((message.time for message in current if message.time), None),
                speakers=frozenset().union(*spoke),
                turn=exchange_id if turns is None else turns.get(exchange_id),
                hollow=not all(message.text for message in whole),
            )
        )
        before.append(seen)
    return result


def clip(text: str, tokens: int, limit: int) -> str:
    """`text` of `tokens` tokens cut to about `limit`: its head and its tail, characters in proportion."""
    if tokens <= max(limit, 0):
        return text
    keep = len(text) * max(limit, 0) // tokens
    head = int(keep * HEAD_SHARE)
    tail = keep - head
    return text[:head] + ELLIPSIS + (text[-tail:] if tail else "")


def _seen(messages: Iterable[StoredMessage], assistant_tokens: int) -> list[tuple[Role, str, int]]:
    seen: list[tuple[Role, str, int]] = []
    for message in messages:
        if message.current:
            others = message.role in _OTHERS
            words = spoken(message.speaker, message.content, ())
            size = min(message.tokens, assistant_tokens if others else _ALL)
            said, attached = clip(words, message.tokens, size), message.text[len(words) :]
            # Its tokens are not counted where it is stored: one for four characters.
            more, room = len(attached) // 4, assistant_tokens - (size if others else 0)
            seen.append((message.role, said + clip(attached, more, room), size + min(more, max(room, 0))))
    return _without_middle(seen)


def _without_middle(seen: list[tuple[Role, str, int]]) -> list[tuple[Role, str, int]]:
    """The messages of an exchange without those in the middle that are too many, and a mark in their place."""
    sizes = [tokens if role in _OTHERS else 0 for role, _, tokens in seen]
    if sum(sizes) <= EXCHANGE_TOKENS:
        return seen
    behind = list(accumulate(reversed(sizes)))[::-1]
    # What was said last tells how it ended, however long it is.
    behind[max(n for n, (role, *_) in enumerate(seen) if role in _OTHERS)] = 0
    half = EXCHANGE_TOKENS // 2
    kept = [
        role not in _OTHERS or min(before, after) <= half
        for (role, *_), before, after in zip(seen, accumulate(sizes), behind, strict=True)
    ]
    if all(kept):
        return seen
    gap = kept.index(False)
    rest = [each for each, keep in zip(seen[gap:], kept[gap:], strict=True) if keep]
    return [*seen[:gap], ("tool", ELLIPSIS.strip(), 1), *rest]


def _speakers(messages: Iterable[StoredMessage]) -> set[str]:
    """A tool's speaker is the call that it answers: its words are nobody's name."""
    return {message.speaker for message in messages if message.speaker and message.role != "tool"}


def _fitting(before: Iterable[list[tuple[Role, str, int]]], budget: int) -> tuple[tuple[Role, str], ...]:
    if budget <= 0:
        return ()
    kept: list[tuple[Role, str]] = []
    half = budget // 2
    for role, text, tokens in reversed([message for exchange in before for message in exchange]):
        budget -= min(tokens, half)
        if budget < 0:
            break
        kept.append((role, clip(text, tokens, half)))
    return tuple(reversed(kept))


def _language(messages: Sequence[StoredMessage]) -> str:
    characters: dict[str, int] = {}
    for message in [m for m in messages if m.role in USERS] or messages:
        characters[message.language] = characters.get(message.language, 0) + len(message.content)
    return max(characters, key=characters.__getitem__, default="und")
