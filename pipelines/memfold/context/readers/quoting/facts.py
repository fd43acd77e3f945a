"""The answer to a question for facts: the quotes that answer best, with what binds and what replaces what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memfold.context.readers.quoting import bound, compose, worth
from memfold.context.readers.quoting.asked import asks_for_name
from memfold.context.readers.quoting.behind import behind, other_replied
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.readers.quoting.choose import REPEATED, done
from memfold.context.readers.quoting.compared import Compared
from memfold.context.readers.quoting.compose import Shown
from memfold.context.readers.quoting.newest import changed, newest
from memfold.context.readers.quoting.quotes import message, quote
from memfold.context.readers.quoting.reading import Reading
from memfold.context.readers.quoting.told import told
from memfold.embed.likeness import cosines
from memfold.retrieve.best import best_first
from memfold.retrieve.reckon import amounts, singular
from memfold.retrieve.sought import asks_for_advice


def facts(one: Compared, chosen: Sequence[int]) -> tuple[str, list[Shown]]:
    """The `chosen` sentences, the best first, as an answer."""
    reading = one.reading
    few, want, words = one.few, reading.want, reading.words
    chosen = _of_kind(one, chosen)
    lines, shown = bound.standing(one)
    given_up, options = bound.given_up(reading, [few[i] for i in chosen] if want.advice else [])
    lines, shown = [*lines, *given_up], [*shown, *options]
    # "How did I …" may ask for what the user said of it.
    best = few[chosen[0]]
    own = best.piece.role == "user" and done(best.piece.text) and not asks_for_advice(reading.query.text)
    if want.told and (said := told(one, asked=not own)):
        if best.piece.role == "user":
            said.insert(0, message(reading, best))
        return "\n".join([*lines, words.quotes, *compose.lines(words, said)]), [*shown, *said]
    # What was answered when it was asked before is the advice that there is.
    advised = told(one, asked=False) if want.advice else []
    if advised:
        given = {row.text for row, _ in advised}
        chosen = [i for i in chosen if few[i].text not in given] or chosen[:1]
    chosen = [*chosen, *changed(one, chosen)]
    best, before, rest = newest(one, chosen)
    named = _named_beside(reading, best)
    groups = (
        [(words.newest, [best]), (words.before, before), (words.quotes, rest)]
        if before
        else [(words.quotes, [best, *rest])]
    )
    said_in = {few[i].exchange for i in chosen}
    told_of = {few[i].exchange for i in chosen if few[i].piece.role == "assistant"}
    for title, group in groups:
        rows = list(group)
        if named is not None and best in group:
            rows[1:1] = [named]
        rows = [each for row in rows for each in (row, *other_replied(reading, row, said_in))]
        rows = [
            each for row in rows for each in (row, *behind(reading, row, best=row is best, shown=told_of))
        ]
        quoted = [message(reading, row) if row is best else quote(reading, row) for row in rows]
        quoted = [one for one in compose.once(quoted) if not _within(one, quoted)]
        lines += [title, *compose.lines(words, quoted)] if quoted else []
        shown += quoted
    listed = [best, *rest]
    if not before and len(listed) > 1 and all(_counts(want.counted, row) for row in listed):
        lines.append(words.counted.format(n=len(listed)))
    return "\n".join([*lines, *compose.lines(words, advised)]), [*shown, *advised]


def _within(one: Shown, others: Sequence[Shown]) -> bool:
    """Whether what is shown of a sentence stands in more that is shown of its message."""
    return any(one[0].piece is row.piece and one[1] in text and one[1] != text for row, text in others)


def _of_kind(one: Compared, chosen: Sequence[int]) -> list[int]:
    """The statements to count. Where the best of `chosen` and another one name the kind of thing that is counted, those
    that name it, and then others that do, until there are `many`: each from another exchange, with as much of the
    question, and not a repetition. Otherwise `chosen`."""
    reading, said = one.reading, one.ranked.vectors
    few, counted = one.few, reading.want.counted
    naming = [i for i in chosen if few[i].names(counted)]
    if len(naming) < 2 or naming[0] != chosen[0]:
        return [*chosen]
    held = [worth.carried(row.terms, reading.weight) for row in few]
    used = {few[i].exchange for i in naming}
    for i in map(int, best_first(one.ranked.worth)):
        row = few[i]
        alike = row.piece.role == few[naming[0]].piece.role and row.names(counted)
        fresh = row.exchange not in used and cosines(said[naming], said[i]).max() < REPEATED
        if alike and fresh and held[i] >= min(held[j] for j in naming):
            naming, used = [*naming, i][: reading.how.many], used | {row.exchange}
    return naming


def _counts(unit: str, row: Candidate) -> bool:
    """Whether a sentence names the kind of thing that is counted, and gives no number of such things."""
    if not row.names(unit) or _NTH.search(row.text):
        return False
    number = rf"\b{re.escape(singular(unit))}s? (?:no\.? ?|#)?\d"
    numbered = re.search(number, row.text, re.IGNORECASE) is not None
    return not numbered and not any(amounts(row.text, row.exchange, unit))


def _named_beside(reading: Reading, row: Candidate) -> Candidate | None:
    """If the question asks for a name and this sentence tells none: another one said in the same exchange that tells
    the name of "her" or "it", or of "his dad", the one with most of what is asked."""
    if not asks_for_name(reading.query.text) or _NAME_TOLD.search(row.text):
        return None
    beside = [
        one
        for one in reading.rows
        if one.exchange == row.exchange and one.spoken and one is not row
        if _NAME_TOLD.search(one.text) and _OF_IT.search(one.text)
    ]
    return max(beside, key=lambda one: worth.carried(one.terms, reading.weight), default=None)


# "The third fitting", "number four": such a statement says itself how many there were.
_NTH = re.compile(
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|last"
    r"|(?:number|no\.|#) ?\w+)\b|第[\d一二两三四五六七八九十]",
    re.IGNORECASE,
)
_NAME_TOLD = re.compile(
    r"\b(?:named?|called|names? (?:is|are)|goes by) (?!for\b)|叫|取名|起名|名字是|名为"
    r"|\b(?:his|her|its|their) (?:\w+ ){1,2}is (?-i:[A-Z])|[他她它]们?的?[^，。是]{1,4}是(?![不个一的])",
    re.IGNORECASE,
)
_OF_IT = re.compile(r"\b(?:his|hers?|him|he|she|its?|they|them|their)\b|[他她它]", re.IGNORECASE)
