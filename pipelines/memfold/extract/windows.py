"""From messages to exchanges, and from exchanges to what an extractor sees of them.

An exchange is numbered while the messages stream by:

1. Exchanges are numbered 0, 1, 2 … inside their conversation; every message belongs to exactly one.
2. A user message opens a new exchange if the running one already holds a user, assistant or tool message.
   So several user messages in a row open one exchange each.
3. A conversation that opens with the assistant (or a tool) has an exchange 0 without user text.
4. A system message never opens an exchange: a preamble joins the first user message in exchange 0, a later
   one belongs to the running exchange.
5. Assistant and tool messages belong to the running exchange.
6. A message of a branch that is no longer shown (`current` False) takes the number of the running exchange
   and neither opens one nor counts for rule 2.
7. A memory that a program filed is an exchange by itself: it opens one where a user message would, and what follows it
   opens the next, whoever says it.

It knows nothing of models, tokenizers or segments: a message brings its own token count, and a window is the
same however the conversation is cut, as long as `HISTORY_EXCHANGES` exchanges before the cut are handed on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from memfold.schema import MEMORY, USERS, Message, Role, StoredMessage, Window

# A window never looks further back than this many exchanges, however short they are: code that cuts a conversation
# keeps that much of the earlier part, and no more.
HISTORY_EXCHANGES = 8

# A model reads the opening and the conclusion of a long answer; the opening says more.
HEAD_SHARE = 0.7
ELLIPSIS = "\n[…]\n"

# What an extraction depends on besides its messages, its engine and the engine's settings. It is part of the names of
# extractions: raise the number when the same messages make other windows.
WINDOWS = f"windows-1/{HISTORY_EXCHANGES}/{HEAD_SHARE}/{ELLIPSIS.strip()}"


@dataclass(frozen=True, slots=True)
class Numbering:
    """Where the numbering stands: the running exchange, and whether the next user message opens another; `filed` is
    whether it is a memory, so that any message does."""

    exchange_id: int = 0
    open: bool = False
    filed: bool = False

    def after(self, message: Message | StoredMessage) -> Numbering:
        """The state after `message`; its `exchange_id` is the message's."""
        if not message.current or message.role == "system":
            return self
        opens = self.open and (self.filed or message.role in USERS)
        return Numbering(self.exchange_id + opens, True, message.role == MEMORY)


def windows(
    messages: Sequence[StoredMessage],
    history: Sequence[StoredMessage],
    *,
    history_tokens: int,
    assistant_tokens: int,
) -> list[Window]:
    """One window for each exchange in `messages`, in order.

    `messages` are consecutive and hold their exchanges whole; `history` are the messages right before them
    (`HISTORY_EXCHANGES` exchanges are enough, more are not looked at). A window's history is messages, newest
    first until one does not fit in `history_tokens`, at most `HISTORY_EXCHANGES` exchanges back; of a message
    longer than half of that stand its head and tail, so that a long answer leaves room for its question.
    Assistant text longer than `assistant_tokens` keeps its head and its tail, in the history too.
    An exchange of which nothing is current has a window without messages.
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
    return [
        (
            message.role,
            clip(message.text, message.tokens, assistant_tokens),
            min(message.tokens, assistant_tokens),
        )
        if message.role == "assistant"
        else (message.role, message.text, message.tokens)
        for message in messages
        if message.current
    ]


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
