"""Which of the sentences that answer gives the newest value, and which older ones it replaces."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from memfold.context.readers.quoting import abstain, measures, worth
from memfold.context.readers.quoting.candidates import Candidate, stretches
from memfold.context.readers.quoting.choose import denied, figures, in_words
from memfold.context.readers.quoting.compared import Compared
from memfold.context.readers.quoting.meant import shape
from memfold.context.readers.quoting.reading import Reading
from memfold.context.readers.quoting.renewed import CHANGED_WORTH, RENEWED, renewed, values_asked
from memfold.context.readers.quoting.replaced import holds_now, taken_back, updates
from memfold.context.readers.quoting.revalued import CHANGED, of_another_owner
from memfold.retrieve.sought import asks
from memfold.text.scripts import IDEOGRAPHS
from memfold.text.terms import terms

# A new value of a habit needs only this share of it: often it names the thing by "every day" alone.
_HABIT_CHANGED = 0.85


def newest(one: Compared, chosen: Sequence[int]) -> tuple[Candidate, list[Candidate], list[Candidate]]:
    """Of the `chosen` sentences, the best first: the one with the newest value, the older ones that it replaces, newest
    first, and the rest in order of time."""
    reading = one.reading
    few, how, want, question = one.few, reading.how, reading.want, reading.query.text
    lead, older = chosen[0], list[int]()
    one_value = not (want.first or want.several)
    if want.point in ("figure", "date") and one_value:
        same = [i for i in chosen if i == lead or not of_another_owner(question, few[i].text)]
        if reading.query.language == "zh":
            lead, same = _of_the_asked(reading, [(i, few[i]) for i in same])
        else:
            same = [i for i in same if i == lead or _of_the_kind(few[i].text, few[lead].text)]
        renewing = [i for i in same if RENEWED.search(few[i].text)]
        lead, older = _surely(
            one, chosen, lead, one.ranked.update(lead, same, how.twin, how.nearly, renewing)
        )
    if not older and one_value and not want.advice and holds_now(question):
        lead, older = _surely(one, chosen, lead, renewed(one, lead))
    best, before = few[lead], [few[i] for i in older]
    if not older and not want.first and (later := updates(question, best, reading.rows)):
        *earlier, last = [best, *later]
        best, before = last, earlier[::-1]
    # An order that was taken back is no answer without what took it back.
    if not before and not want.first and (back := taken_back(best, reading.rows)):
        best, before = back[0], [best]
    in_the_end = not before and one_value and _ASKS_FOR_THE_END.search(question)
    if in_the_end and (final := _last_of(best, [few[i] for i in chosen])):
        best, before = final, [best]
    if one_value and (since := _reported(reading, best) or _put_right(reading, best)):
        best, before = since, [best, *before]
    rest = [few[i] for i in chosen if i not in (lead, *older)]
    return (
        best,
        before,
        sorted((row for row in rest if row not in (best, *before)), key=lambda row: row.exchange),
    )


def _surely(
    one: Compared, chosen: Sequence[int], lead: int, found: tuple[int, list[int]]
) -> tuple[int, list[int]]:
    """The newest value and the older ones that were `found`. The `lead` alone where the newest denies what is asked;
    the newest alone where the user gives another value of its unit later, which may be newer: in one of `chosen`, or in
    a sentence with as much of the question. Of a value that is told every week not all are chosen."""
    newest, older = found
    best, asked = one.few[newest], one.reading.weight
    held = worth.carried(best.terms, asked)
    before = frozenset[str]().union(*(measures.units(one.few[i].text) for i in older))
    told = {unit for unit in measures.units(best.text) if unit in before or not unit}
    another = any(
        row.piece.role == "user"
        and row.exchange > best.exchange
        and figures(row.text) - figures(best.text)
        # A number alone, beside "15 problems", may count anything.
        and any(unit in told or (unit and measures.alike(unit, told)) for unit in measures.units(row.text))
        for i, row in enumerate(one.few)
        if i in chosen or worth.carried(row.terms, asked) >= held
    )
    if older and _denies(best.text, asked.keys()):
        return lead, []
    return (newest, []) if another else found


def _of_the_kind(text: str, lead: str) -> bool:
    """Whether a value of a text may be a newer or older one of the lead's; a number in words may be of anything."""
    return in_words(text) or in_words(lead) or measures.same_kind(text, lead)


def _denies(text: str, asked: Collection[str]) -> bool:
    """Whether a text denies what is asked and gives no value of it elsewhere: "I've never completed any proofs, take
    x^3" does not replace 7 proofs, "I had never tried one before, but completed 15 proofs" does."""
    return denied(text, asked) and not any(
        any(map(str.isdecimal, part)) and not set(terms(part)).isdisjoint(asked) and not denied(part, asked)
        for part in stretches(text)
    )


def _of_the_asked(reading: Reading, rows: Sequence[tuple[int, Candidate]]) -> tuple[int, list[int]]:
    """Among sentences in Chinese: the best one with a value that may answer the question, and all with such a value. To
    an embedder "46台" is near to "138一台". Only the first sentence if none has such a value."""
    question, asked = reading.query.text, reading.weight.keys() - _OF_ANY
    # A span between two events has no newest value.
    if reading.ends:
        return rows[0][0], [rows[0][0]]

    def tells(row: Candidate) -> bool:
        """Whether a clause gives such a value for the thing in question, or names no thing."""
        return any(
            measures.fits(question, part)
            and _NUMBERED.search(part)
            and (not asked.isdisjoint(terms(part)) or _ONLY_A_VALUE.fullmatch(part))
            for part in _parts(row.text)
        )

    found = [(i, row) for i, row in rows if tells(row)]
    if not found:
        return rows[0][0], [rows[0][0]]
    lead, best = found[0]
    if measures.habit(question) or measures.habit(best.text):
        found = [(i, row) for i, row in found if i == lead or not measures.one_day(row.text)]
    return lead, [i for i, _ in found]


def _parts(text: str) -> list[str]:
    """The clauses of a text in Chinese. A space ends a clause too, unless the text puts spaces around its figures."""
    return (_BREAK_AROUND if _SPACED.search(text) else _BREAK).split(text)


def changed(one: Compared, chosen: Sequence[int]) -> list[int]:
    """The best later statement of the user's which says that something has changed since the first of `chosen`, if it
    answers nearly as well. It often says "it" for what the question names, and so was not chosen."""
    few, lead, value = one.few, chosen[0], one.ranked.worth
    if one.reading.want.first:
        return []
    # What has changed may change again: then the first change is what the next one is nearly as good as.
    least = CHANGED_WORTH * min(value[i] for i in chosen if i == lead or _told_change(one, i))
    later = [
        i
        for i, row in enumerate(few)
        if i not in chosen
        and row.piece.role == "user"
        and row.exchange > few[lead].exchange
        and value[i] >= least * (_HABIT_CHANGED if _same_habit(one.reading, row.text) else 1)
        and CHANGED.search(row.text)
        and not of_another_owner(one.reading.query.text, row.text)
    ]
    return [max(later, key=lambda i: float(value[i]))] if later else []


def _same_habit(reading: Reading, text: str) -> bool:
    """Whether a question in Chinese asks for the value of a habit, and a text gives one."""
    question = reading.query.text
    return (
        reading.query.language == "zh"
        and measures.habit(question)
        and measures.habit(text)
        and measures.fits(question, text)
    )


def _told_change(one: Compared, i: int) -> bool:
    """Whether the user says in a sentence that something has changed."""
    row = one.few[i]
    return row.piece.role == "user" and CHANGED.search(row.text) is not None


def _reported(reading: Reading, best: Candidate) -> Candidate | None:
    """The agent's last statement behind `best` that has the same words of the question and a value of the same kind. It
    counts only in an exchange where the agent used a tool or the user said that something is new: "Good: the call
    closes on 13 March" repeats "they moved the deadline, it's 13 March now"."""
    held, units = best.terms & reading.weight.keys(), measures.units(best.text)
    if not reading.context.agent or best.data or len(held) < 2:
        return None
    theirs = [row for row in reading.rows if row.piece.role == "user" and not asks(row.text)]
    backed = reading.context.worked.union(row.exchange for row in theirs if RENEWED.search(row.text))

    def another_value(row: Candidate, than: Candidate) -> bool:
        """Whether a sentence holds the same words of the question and gives another value of the same kind."""
        alike = not units or not units.isdisjoint(measures.units(row.text))
        told = held <= row.terms and abstain.holds_point(reading.want.point, row.text) and alike
        return told and {*_FIGURE_OR_NAME.findall(row.text)} != {*_FIGURE_OR_NAME.findall(than.text)}

    later = [
        row
        for row in reading.rows
        if row.piece.role == "assistant" and row.exchange > best.exchange and row.exchange in backed
        if another_value(row, best) and not (worth.states_nothing(row.text) or _of_another(row.text))
    ]
    last = max(later, key=lambda row: row.exchange, default=None)
    # The user's own later statement counts more.
    if last and any(row.exchange > last.exchange and another_value(row, last) for row in theirs):
        return None
    return last


def _of_another(text: str) -> bool:
    """Whether a clause with a value, or the first clause, supposes something, tells of the past, gives a difference, or
    is about another thing."""
    first, *others = stretches(text) or [text]
    return any(map(_OF_ANOTHER.search, [first, *filter(_FIGURE_OR_NAME.search, others)]))


def _last_of(best: Candidate, chosen: Sequence[Candidate]) -> Candidate | None:
    """The user's last statement after `best`, among the `chosen`, that gives a value of the same kind and says that
    something has changed or is final. It answers a question about what was so "in the end"."""
    values = measures.units(best.text)
    later = [
        row
        for row in chosen
        if row.piece.role == "user" and row.exchange > best.exchange and not worth.states_nothing(row.text)
        if (CHANGED.search(row.text) or _FINAL.search(row.text)) and values & measures.units(row.text)
    ]
    return max(later, key=lambda row: row.exchange, default=None)


def _put_right(reading: Reading, best: Candidate) -> Candidate | None:
    """The user's next sentence after their own `best` if it corrects a value ("no wait, 14:30"), or else a later one
    that drops what `best` names ("scrap the lavender")."""
    if best.piece.role != "user" or best.speaker:
        return None
    values = values_asked(reading, best)
    for one in reading.said_next(best):
        right = _RIGHT.match(one.text)
        value = right and measures.begins(one.text[right.end() :])
        # "Sorry, running late, call me at 15:00" and "No, 380 euros is too much" correct nothing.
        if right and value and value[0] in values and _ENDS.match(one.text, right.end() + value[1]):
            return one
    if chosen := _chosen_then(reading, best):
        return chosen
    later = [row for row in reading.rows if row.piece.role == "user" and row.exchange > best.exchange]
    return next(
        (row for row in later if not asks(row.text) and best.terms.intersection(_dropped(row.text))), None
    )


def _chosen_then(reading: Reading, best: Candidate) -> Candidate | None:
    """The user's short choice of another value of the same shape in the next exchanges: "then 2.3.1" behind "pin it to
    2.2.3"."""
    told = {shape(value): value for value in _SHAPED.findall(best.piece.text)}
    for row in sorted(reading.rows, key=lambda row: row.exchange):
        near = row.piece.role == "user" and 0 < row.exchange - best.exchange <= _TURNS
        found = _CHOICE.match(row.text) if near and not asks(row.text) else None
        if found and told.get(shape(found[1]), found[1]) != found[1] and _ENDS.match(row.text, found.end()):
            return row
    return None


def _dropped(text: str) -> frozenset[str]:
    """The terms of what a sentence drops."""
    found = (match[1] for match in _DROPS.finditer(text))
    return frozenset(term for words in found for term in terms(words))


_NUMBERED = re.compile(r"[\d一二两三四五六七八九十百千万半今明昨后]|[周底初末节]")
_SPACED = re.compile(rf"\d\s[{IDEOGRAPHS}]")
_BREAK = re.compile(rf"[，。；！？]|(?<=[{IDEOGRAPHS}])\s+(?=[{IDEOGRAPHS}\d])|(?<=\d)\s+(?=[{IDEOGRAPHS}])")
_BREAK_AROUND = re.compile(rf"[，。；！？]|(?<=[{IDEOGRAPHS}])\s+(?=[{IDEOGRAPHS}])")
# Words that every value shares: the price of the bus does not answer for the price of the scan.
_OF_ANY = frozenset(term for words in ("花了", "多少", "钱", "价", "现在") for term in terms(words))
# A clause that has a value and names nothing: "现在是25号", "改成6个了".
_ONLY_A_VALUE = re.compile(
    rf"(?:[\d.,:：一二两三四五六七八九十百千万半月日号点元块个周天年改到至定在是现就要了吧啦已经又再也过变成为换降涨推迟提前延后约大概左右每给报价砍花先最终来说好凌晨早中晚上下午]"
    rf"|\s|(?<=\d)[{IDEOGRAPHS}])+"
)
_IN_THE_END = (
    r"\b(?:in the end|finally|ended? up|eventually|after all|at last|schließlich|letztendlich|am ende)\b"
    r"|最后|最终"
)
_ASKS_FOR_THE_END = re.compile(_IN_THE_END, re.IGNORECASE)
_FINAL = re.compile(rf"{_IN_THE_END}|\bfinal\b", re.IGNORECASE)
# Words that announce a correction, up to its value.
_RIGHT = re.compile(
    r"\W*(?:(?:oh|ah|oops|sorry|wait|actually|correction|scrap that|my (?:mistake|bad)|i mean(?:t)?|nope|nein|halt|doch"
    r"|no(?=\W*[,.!:;–-]|\s+(?:wait|sorry|actually)\b))\b[\s,.:!;–-]*)+"
    r"(?:(?:it|that|he|she|they)(?:['’]s| is| said| was)? )?"
    r"(?:(?:make it|at|on|by|for|until|the|about|rather|now|only|um|am) )*|\W*(?:不对|不是|等等|更正)[，,：: ]*",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"(?:^\W*|[,.;:!–-]\s*)(?:(?:ok(?:ay)?|please|pls|so|and|but|no|nah|actually|then|oh|well|let's)\b[\s,]*)*"
    r"(?:scrap|ditch|forget about) (?:the |that |my |our )?(\w+(?: \w+)?)",
    re.IGNORECASE,
)
# So many exchanges later a choice may still be of the same.
_TURNS = 3
# A figure that has a shape: a version, a time, a price, a date.
_SHAPED = re.compile(
    r"(?<![\w.:/-])(?:v?\d+(?:[.:/-]\d+)+|[$€£]\d[\d.,]*\d|\d{1,2}(?:st|nd|rd|th))(?![\w:/-])"
)
# "At 7:15" alone may answer anything.
_CHOICE = re.compile(
    r"(?=\D{0,40}\b(?:then|let['’]?s|take|use|go|make it|pick|choose|stay|stick|dann|nimm|nehmen)\b)"
    r"\W*(?:(?:hm+|ok(?:ay)?|well|right|fine|so|yes|then|let['’]?s|we['’]?ll|i['’]?ll|just|take|use|go|make it|have|do"
    r"|pick|choose|stay|stick|with|for|at|on|to|the|dann|nimm|nehmen wir)\b[\s,.:]*)+"
    rf"({_SHAPED.pattern})",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:\Z|[.,;!?)。，！]|(?:instead|then|not|sorry|please|pls|lol|haha)\b)", re.IGNORECASE
)
# "27", "on Monday", "in Cologne".
_FIGURE_OR_NAME = re.compile(r"\d[\d.,:]*\d|\d|(?<=[\w,] )[A-Z]\w+")
# Words for what is supposed, past, a difference, or about another thing.
_OF_ANOTHER = re.compile(
    r"\b(?:[Ii]f|[Uu]nless|doubt\w*|would|could|might|suppos\w+|assum\w+|[Aa]nother|[Oo]ther|[Ll]ast|[Pp]revious(?:ly)?"
    r"|used to|ago|more|less|extra|cheaper|higher|lower)\b|\b[Ii]n (?:19|20)\d\d\b|\b(?:falls|wenn|letzte\w*)\b"
    r"|\b(?:was|were)\b(?! (?:moved|changed|extended|postponed|shifted|set|put|raised|lowered|updated)\b)"
    r"|如果|去年|上(?:个月|周)"
)
