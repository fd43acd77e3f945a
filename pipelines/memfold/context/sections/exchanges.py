"""What the sections of exchanges do: what the user said, and below it what the assistant answered, cut to a length."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

import numpy as np

from memfold.context.focus import MARK, Focus, weights
from memfold.context.outline import outline
from memfold.context.page import PATIENCE, Page
from memfold.context.sections.section import Probed
from memfold.context.types import Piece
from memfold.layers.episodic import key
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.standing import standing_of
from memfold.schema import CALL, StoredMessage
from memfold.text.fences import without_code
from memfold.text.scripts import characters
from memfold.text.terms import hashes
from memfold.text.units import KEPT

# Places in the ranking with the positions that hold them.
Ranks = Iterable[tuple[int, int]]


# How many characters further a clause with a number may end than a cut was asked for. All clauses brought to their ends
# cost a point of coverage at 5,000 tokens.
CLAUSE = 60
# Messages of the assistant that are shown of one exchange: the last, which answers, and of a hundred before it the
# first ones that bear on the question.
_ANSWERS = 4
# Outputs of tools that an exchange may have whose outputs are shown whatever they say: those of a hundred calls mostly
# say nothing of the question, and the section of tools shows those that do.
_RETURNED = 8
# A call that stands before its result whole (`memfold.ingest.agents.SHOWN`), as an attachment.
_CALL, _CALLED = re.compile(rf"{CALL} \S", re.ASCII), 180
# Exchanges whose answers are read at once; a context of 5,000 tokens shows about 45 with the points of their answers.
_BATCH = 16


def focus(probed: Probed) -> Focus:
    """What the question looks for, and what else the standing orders want in its answer."""
    view = probed.view
    orders = () if view.among_people else standing_of(view).binding(probed.asked.vectors[0])
    return Focus.of(probed.asked, view.episodes, orders)


def piece_of(episodes: Episodes, position: int, text: str, role: str = "user") -> Piece:
    """A text for an exchange, under the day on which its user spoke."""
    ids, day = episodes.message_ids[position], episodes.day(position)
    return Piece(int(episodes.exchange_id[position]), ids, role, text, day)


def add_users(page: Page, episodes: Episodes, ranks: Ranks, by: Focus, letters: int, short: int) -> None:
    """Offer about `letters` characters of what the user said in each exchange, or `short` of them on one line if these
    do not fit."""

    def said(_: int, position: int) -> Iterator[Piece]:
        text = episodes.user_text[position]
        yield piece_of(episodes, position, by.cut(text, letters))
        yield piece_of(episodes, position, by.line(text, short))

    add_first(page, ranks, said)


def add_first(page: Page, ranks: Ranks, offered: Callable[[int, int], Iterable[Piece]]) -> bool:
    """Of each exchange the first of `offered(rank, position)` that fits. Whether all of them were tried before the page
    was full."""
    missed = 0
    for rank, position in ranks:
        missed += not any(map(page.add, offered(rank, position)))
        if missed > PATIENCE:
            return False
    return True


def brief(episodes: Episodes, position: int, written: Mapping[int, str], letters: int) -> Piece:
    """One line for an exchange: the one in `written` that a model wrote of it, or else the opening of what the user
    said."""
    line = written.get(int(episodes.exchange_id[position]))
    if line is not None:
        return piece_of(episodes, position, line, "summary")
    return piece_of(episodes, position, opening(episodes.user_text[position], letters))


def add_briefs(
    page: Page,
    probed: Probed,
    positions: list[int],
    written: Mapping[int, str],
    letters: int,
    told: int,
    by: Callable[[str, int], str] = outline,
) -> bool:
    """A line for each exchange (`brief`) and, if no model wrote it, up to `told` letters of each answer below it, as
    `by` cuts them (0 is none). Whether all of them were tried before the page was full."""
    episodes, missed = probed.view.episodes, 0
    for batch in (positions[at : at + _BATCH] for at in range(0, len(positions), _BATCH)):
        exchanges = episodes.exchange_id[batch].tolist()
        untold = [exchange for exchange in exchanges if exchange not in written]
        messages = probed.view.said(untold) if told and untold else {}
        for position, exchange in zip(batch, exchanges, strict=True):
            line = brief(episodes, position, written, letters)
            if page.add(line):
                for message in _answers(page, probed, messages.get(exchange, ())):
                    text = by(message.text, told)
                    page.add(Piece(exchange, (message.message_id,), "assistant", text, line.day))
            elif (missed := missed + 1) > PATIENCE:
                return False
    return True


def add_answers(
    page: Page, probed: Probed, ranks: Ranks, letters: int, by: Callable[[str, int], str]
) -> None:
    """About `letters` of the assistant's messages, as `by` cuts them, under users' texts that are on the page."""
    episodes = probed.view.episodes
    shown = [i for _, i in ranks if int(episodes.exchange_id[i]) in page.said]
    messages = probed.view.said([int(episodes.exchange_id[i]) for i in shown]) if shown else {}
    for position in page.patiently(shown):
        exchange, day = int(episodes.exchange_id[position]), episodes.day(position)
        for message in _answers(page, probed, messages.get(exchange, ())):
            text = message.text.strip()
            if len(text) > characters(text, letters):
                text = _MARKS.sub(MARK, by(_prose(text), letters))
            page.add(Piece(exchange, (message.message_id,), "assistant", text, day))


def add_returned(page: Page, probed: Probed, letters: int, by: Callable[[str, int], str]) -> None:
    """About `letters` of what each tool returned, as `by` cuts it, in exchanges with few calls whose users' texts are
    on the page, the best exchange first."""
    episodes = probed.view.episodes
    used = {exchange for exchange, calls in probed.view.tools.items() if calls <= _RETURNED} & page.said
    if not used:
        return
    numbers = episodes.exchange_id[probed.ranking.order]
    shown = numbers[np.isin(numbers, list(used))].tolist()
    said = probed.view.said(shown)
    returned = (each for exchange in shown for each in said[exchange] if each.role == "tool" and each.current)
    for message in page.patiently(each for each in returned if each.message_id not in page.told):
        exchange, text = message.exchange_id, by(message.text, letters)
        page.add(Piece(exchange, (message.message_id,), "tool", text, episodes.day_of(exchange)))


def _answers(page: Page, probed: Probed, exchange: Iterable[StoredMessage]) -> list[StoredMessage]:
    """The assistant's current messages in an exchange, without its key and those on the page: of many the last one, and
    those with the rarest words of the question. What only calls a tool is shown with what that returned."""
    said = [each for each in exchange if each.current]
    keys = {each.seq for each in key(said)}
    told = [
        each for each in said if each.role == "assistant" and each.seq not in keys and not only_calls(each)
    ]
    if len(told) > _ANSWERS:
        rarity = weights(probed.asked.bags[0], probed.view.episodes, 1.0)
        worth = [sum(rarity[word] for word in sorted(rarity.keys() & _held(each.text))) for each in told]
        best = sorted((n for n in range(len(told) - 1) if worth[n]), key=lambda n: -worth[n])
        told = [told[n] for n in (*sorted(best[: _ANSWERS - 1]), len(told) - 1)]
    return [each for each in told if each.message_id not in page.told]


def only_calls(message: StoredMessage) -> bool:
    """Whether a message says nothing, and what it calls is short enough to stand whole before each result."""
    calls = message.attachments
    return (
        not message.content.strip()
        and any(calls)
        and all(map(_CALL.match, calls))
        and len(message.text) <= _CALLED
    )


@lru_cache(maxsize=KEPT)
def _held(text: str) -> frozenset[int]:
    """The hashed terms of a text."""
    return frozenset(hashes(text).tolist())


def cut(text: str, letters: int) -> str:
    """`text` up to the end of the word in which so many `letters` are reached (`characters`), marked where something
    was left out; up to the end of the clause where that brings the number it was about to say, or up to the number."""
    text = text.strip()
    room = characters(text, letters)
    if len(text) <= room:
        return text
    clause = _NUMBERED.match(text, room)
    if clause and clause.end() > room + CLAUSE:
        clause = _FIGURE.match(text, room)
    if clause and clause.end() <= room + CLAUSE:
        return text[: clause.end()].rstrip() + " …" * (clause.end() < len(text))
    end = _WORD_END.search(text, room)
    # Text without spaces (Chinese, base64) is cut where it stands.
    stop = end.start() if end and end.start() < room + 24 else room
    return text[:stop].rstrip() + " …"


# The rest of a ranking is shown by its openings, mostly the same for each question.
@lru_cache(maxsize=KEPT)
def opening(text: str, letters: int) -> str:
    """The beginning of `text` on one line and without its code blocks, unless it is nothing but code."""
    prose = " ".join(without_code(text, " ").split())
    return cut(prose or " ".join(text.split()), letters)


# Whole messages, of 5 kB.
@lru_cache(maxsize=KEPT // 4)
def _prose(text: str) -> str:
    """A text with a mark for each block of code, unless there is nothing else."""
    prose = without_code(text, f"\n{MARK}\n")
    return prose if prose.strip(f" \n{MARK}") else text


_MARKS = re.compile(rf"{MARK}(?:\s*{MARK})+")
# Up to a number in the same clause, and the rest of that clause; "March 3, 2024" is no two.
_YEAR = r",(?=\s(?:19|20)\d\d\b)"
_TO_DIGIT = rf"(?=[^\n]{{0,60}}?\d)(?:[^\n，、；：。！？,;:.!?\d]|[,;:.!?](?!\s)|{_YEAR})*\d"
_NUMBERED = re.compile(rf"{_TO_DIGIT}(?:[^\n，、；：。！？,;:.!?]|[,;:.!?](?!\s|\Z)|{_YEAR})*")
# Up to that number and what it is of.
_FIGURE = re.compile(rf"{_TO_DIGIT}(?:[^\s，、；：。！？,;:.!?]|[,:.](?=\d)|{_YEAR}\s)*(?: [^\W\d]\w*)?")
_WORD_END = re.compile(r"\s|(?<=[\u3000-\u303f\u3400-\u9fff\uff00-\uffef])")
