"""The dated things that a phrase of a question may mean: one end of the time that is asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from memfold.retrieve.best import best_first
from memfold.retrieve.dated import Dated, dated_of
from memfold.retrieve.episodes import Episodes
from memfold.retrieve.lexical import Scores
from memfold.retrieve.moved import asks_for_old, noun
from memfold.retrieve.named import Thing
from memfold.retrieve.reckon import names_a_day
from memfold.retrieve.sought import untrue
from memfold.retrieve.view import View
from memfold.text.dates import untold
from memfold.text.scripts import IDEOGRAPHS, PAIR
from memfold.text.terms import hashed

# A date that was said in a sentence counts by the words of its clause, its exchange's words, and its exchange's vector;
# the day of saying stands for what has no date of its own, behind it.
SENTENCE, EXCHANGE, VECTOR, BEHIND = 0.45, 0.3, 0.5, 0.3
# The day on which an exchange was said scores this much less if the user names another day in it: "I have a demo
# planned for February 5".
NAMED = 0.3
# A date that the assistant proposed scores this much less than one that the user gave. With .2 in both places the best
# pair was right in 19 of 32 spans of BEAM, with .3 in 21.
PROPOSED = 0.3
# A date about the one thing that the question names scores this much more; one about another of its kind counts for
# nothing.
ABOUT = 0.3
# For such a thing a date scores this much less if its sentence says that it is wrong, and if it is the day on which the
# sentence was said ("this morning I …"); where the end of something is asked for, if a part of it was done then.
UNTRUE = 0.6
# Beside the exchange nearest to a phrase, the first that is almost as near: that is where it began.
NEAR = 0.9
# A day from which a user says that something was moved scores this much less than the new day, or more where it is the
# old one that is asked for.
MOVED = 0.3
# The day of a message that reports an event scores this much above all other days.
HAPPENED = 0.2
_HAPPENED = re.compile(
    rf"(?:^|[，。！；、\s])(?:今[天早晚]|刚刚?|终于|总算|已经|我们?)*(?P<what>[{IDEOGRAPHS}]{{2,8}}?)"
    r"(?:(?:很|挺|特别|非常|都)?(?:顺利|成功|结束|完成)[了啦]?|[完好]?[了啦])(?=[，。！；、~～…\s]|$)"
)
# Where a phrase is about the end of something, a time from one day to another counts by its last.
_ENDING = re.compile(r"\b(?:finish|end|complet|deadline|due|final|last)|结束|完成|截止", re.IGNORECASE)


def ends(view: View, phrases: Sequence[str], most: int, thing: Thing | None = None) -> list[list[Dated]]:
    """For each phrase up to `most` dated things, best first; among them, on the day it was said, the exchange
    nearest to it. `thing` is the one that the question names of several of a kind."""
    vectors = view.vectors(list(phrases))
    about = _about(view, thing) if thing and dated_of(view).rows else None
    return [_ends(view, phrase, vector, most, about) for phrase, vector in zip(phrases, vectors, strict=True)]


def _about(view: View, thing: Thing) -> Scores:
    """What each date gains or loses by what its sentence says of `thing`; -inf if it is about another of its kind."""
    episodes, dated = view.episodes, dated_of(view)
    scores = np.array(
        [
            -np.inf
            if thing.another(row.text)
            else ABOUT * thing.about(row.text, episodes.user_text[position]) - UNTRUE * untrue(row.text)
            for row, position in zip(dated.rows, dated.positions, strict=True)
        ]
    )
    days = np.array([row.first for row in dated.rows], "datetime64[D]")
    that_day = days == episodes.dates[dated.positions]
    return np.asarray(scores - UNTRUE * that_day, np.float64)


def _ends(
    view: View, phrase: str, vector: NDArray[np.float32], most: int, about: Scores | None
) -> list[Dated]:
    episodes, dated = view.episodes, dated_of(view)
    ids = hashed(phrase)[0]
    # Not by BLAS: its second thread has to be woken first, 3 to 12 ms on a busy machine where this takes .8.
    alike = np.einsum("ed,d->e", episodes.vectors, vector)
    exchange = EXCHANGE * _share(episodes.bm25.score(ids)) + VECTOR * alike
    found: dict[tuple[int, date], Dated] = {}
    if dated.rows:
        scores = SENTENCE * _share(dated.bm25.score(ids)) + exchange[dated.positions]
        scores -= PROPOSED * dated.proposed
        if about is not None:
            scores += about
        old, ending = asks_for_old(phrase), _ENDING.search(phrase) is not None
        if ending:
            scores -= UNTRUE * dated.partly
        scores = _moved(view, phrase, scores, old)
        for i in map(int, best_first(scores)):
            if len(found) == most or scores[i] == -np.inf:
                break
            row, move = dated.rows[i], dated.moves.get(i)
            last = names_a_day(row) and (ending if move is None or not move.both else not old)
            row = replace(row, first=row.last if last else row.first, score=float(scores[i]))
            found.setdefault((row.exchange_id, row.first), row)
    known = np.flatnonzero(~np.isnat(episodes.said))
    if len(known):
        near = exchange[known]
        for place in dict.fromkeys((int(near.argmax()), int((near >= NEAR * near.max()).argmax()))):
            best = int(known[place])
            if untold(episodes.user_text[best], episodes.dates[best].item()):
                continue
            behind = BEHIND + NAMED * (int(episodes.exchange_id[best]) in dated.by_user)
            said = _said(episodes, best, float(exchange[best]) + SENTENCE - behind)
            found.setdefault((said.exchange_id, said.first), said)
    for place in _happened(view, phrase):
        highest = max((each.score for each in found.values()), default=0.0)
        said = _said(episodes, place, highest + HAPPENED)
        found[said.exchange_id, said.first] = said
    return sorted(found.values(), key=lambda each: -each.score)


def _said(episodes: Episodes, place: int, score: float) -> Dated:
    """An exchange, dated by the day on which it was said."""
    day, exchange = episodes.dates[place].item(), int(episodes.exchange_id[place])
    return Dated(
        day, day, episodes.user_text[place], "", "user", exchange, episodes.message_ids[place], score
    )


def _moved(view: View, phrase: str, scores: Scores, old: bool) -> Scores:
    """The scores of all dates where users say that what `phrase` names was moved: each new day takes the place of the
    older ones, which fall behind it. Where the `old` day is asked for, the new ones fall behind.

    A day can have been moved only if it had not passed when that was said, and is older only if its clause has all
    words of the phrase and of the move. A move that names less than the phrase ("the defense was moved") counts only
    if every such day before it has all words of the phrase: else it may be about another thing.
    """
    dated, asked = dated_of(view), noun(phrase)
    moves = [(i, move.what) for i, move in dated.moves.items() if asked and move.what.likely(asked)]
    if asked is None or not moves:
        return scores
    said = view.episodes.dates[dated.positions]
    meant = np.array([asked.terms <= held for held in dated.terms])
    scores, behind = scores.copy(), np.zeros(len(scores), np.bool_)
    for i, what in moves:
        before = np.array([what.terms <= held for held in dated.terms[:i]], np.bool_)
        before &= dated.days[:i] >= said[i]
        if scores[i] == -np.inf or (before & ~meant[:i] & ~dated.proposed[:i]).any():
            continue
        older = np.flatnonzero(before & meant[:i] & (dated.days[:i] != dated.days[i]))
        if len(older):
            behind[i if old else older], meant[i] = True, True
            scores[i] = max(scores[i], scores[older].max())
    return np.asarray(scores - MOVED * behind, np.float64)


def _happened(view: View, phrase: str) -> list[int]:
    """The exchanges that report, in Chinese, exactly the event that a phrase names ("出院啦"): the day of the report
    counts more than planned days. Empty if reports come from several days."""
    pairs, said = _pairs(phrase), view.episodes.dates
    found = [
        place
        for place, text in enumerate(view.episodes.user_text if pairs else ())
        if not np.isnat(said[place]) and any(pair in text for pair in pairs) and _reports(text, pairs)
    ]
    return found if len({said[place].item() for place in found}) == 1 else []


def happened(text: str, phrase: str) -> bool:
    """Whether a text reports, in Chinese, an event in words of a phrase alone."""
    pairs = _pairs(phrase)
    return bool(pairs) and _reports(text, pairs)


def _reports(text: str, pairs: frozenset[str]) -> bool:
    return any(_pairs(match["what"]) <= pairs for match in _HAPPENED.finditer(text))


def _pairs(text: str) -> frozenset[str]:
    """The pairs of neighbouring ideographs."""
    return frozenset(text[i : i + 2] for i in range(len(text) - 1) if PAIR.match(text, i))


def _share(scores: Scores) -> Scores:
    return np.asarray(scores / max(float(scores.max(initial=0.0)), 1e-9), np.float64)
