"""The form that an answer takes: a list, two sides, a sum, a span of time, facts; or that nothing answers."""

from __future__ import annotations

from memfold.context.readers.quoting import abstain, apart, bound, compose, facts, lists, own, quotes
from memfold.context.readers.quoting.asked import wanted
from memfold.context.readers.quoting.candidates import clause_ends
from memfold.context.readers.quoting.compared import Compared, compare
from memfold.context.readers.quoting.compose import Shown
from memfold.context.readers.quoting.considered import considered
from memfold.context.readers.quoting.frames import Frame, length
from memfold.context.readers.quoting.reading import Reading, read
from memfold.context.readers.quoting.settings import Settings
from memfold.context.readers.quoting.support import by_another, suffices, support
from memfold.context.readers.quoting.total import sure, total
from memfold.context.types import Context
from memfold.embed.contract import Encode
from memfold.retrieve.query import Query
from memfold.retrieve.reckon import asks_total

# Where several users speak, a sentence gains this if it stands up to two exchanges before or after the best one.
BESIDE = 0.3
# If the question asks for things of a kind, a sentence may be worth this many times `margin` less than the best.
THINGS = 2.0

# The affirming side of a contradiction gains this share of its likeness to the denying side.
ALIKE = 0.3

# How many times `margin` less than the best a sentence may be worth, by what is asked for and whether several are.
# Without it answers hold .740 of the words of BEAM's labels for updates, not .946; without `BESIDE` .702 of LoCoMo's
# for single facts, not .759.
_WIDER = {("figure", False): 2.0, ("figure", True): 1.5}

# The text, empty where nothing answers; what it quotes; and how well it is supported, 0 to 1.
Said = tuple[str, list[Shown], float]


def answer(how: Settings, words: Frame, query: Query, context: Context, encode: Encode) -> Said:
    """What answers the question. `encode` is asked for the sentences that are compared, if there are any, and once more
    for single words where a word of the question stands nowhere in the context."""
    known, left = own.entries(query.text, context)
    if not known:
        return _answer(how, words, query, context, encode)
    told, text, quoted = [(row, row.text) for row in known], "", list[Shown]()
    if left:
        text, quoted, _ = _answer(how, words, context.query(left), context, encode)
    return "\n".join(filter(None, [*compose.lines(words, told), text])), [*told, *quoted], 1.0


def _answer(how: Settings, words: Frame, query: Query, context: Context, encode: Encode) -> Said:
    want = wanted(query)
    if want.orders:
        return (*lists.orders(words, context), 1.0)
    reading = read(how, words, query, want, context)
    if query.stretch is not None:
        text, told = lists.throughout(reading)
        return text, told, float(bool(told))
    few = considered(reading)
    return _compared(compare(reading, few, encode), encode) if few else ("", [], 0.0)


def _compared(one: Compared, encode: Encode) -> Said:
    reading = one.reading
    how, want, words = reading.how, reading.want, reading.words
    if reading.query.broad:
        return (*lists.listed(one), 1.0)
    if want.bound and (obeyed := bound.obeyed(one)):
        return "\n".join([words.orders, *compose.lines(words, obeyed)]), obeyed, 1.0
    # Users mention things of a kind in passing, and far apart.
    things = want.things and len(reading.context.speakers) > 1
    ranked = one.ranked if things else one.ranked.beside(BESIDE)
    many = things or want.advice or want.several or want.told
    wider = THINGS if things else _WIDER.get((want.point or "", want.several), 1)
    chosen = ranked.best(how.many if many else how.spans, how.margin * wider, how.characters)
    found = support(one, encode)
    if want.kind == "contradiction" and (
        sides := one.ranked.sides(reading.weight, how.side, ALIKE * bool(reading.thing))
    ):
        return (*_differ(one, sides), found.nearest)
    if want.kind == "count" and asks_total(reading.query.text) and (added := _added(reading)):
        return (*added, 1.0)
    enough = suffices(one, chosen, found)
    # What was found of the one thing that is named needs no other support.
    if reading.ends and (reading.thing or enough) and (between := _between(one)):
        return (*between, found.nearest)
    if not enough:
        if binding := bound.of_topic(reading):
            return "\n".join([words.orders, *compose.lines(words, binding)]), binding, found.nearest
        return "", [], found.nearest
    if another := by_another(one):
        return words.another.format(named=reading.whose, other=another), [], found.nearest
    return (*facts.facts(one, chosen), found.nearest)


def _differ(one: Compared, sides: tuple[int, list[int]]) -> tuple[str, list[Shown]]:
    words = one.reading.words
    rows = sorted((one.few[i] for i in (sides[0], *sides[1])), key=lambda row: row.exchange)
    shown = [quotes.quote(one.reading, row) for row in rows]
    return "\n".join([words.differ, *compose.lines(words, shown), words.which]), shown


def _between(one: Compared) -> tuple[str, list[Shown]] | None:
    reading = one.reading
    rows, ends = reading.rows, reading.ends
    told = [piece for piece in reading.context.pieces if piece.role == "reckoned"]
    # What the context reckons first was right in 21 of 32 spans of BEAM, what is reckoned here in 9 of 18 of them.
    found = (
        apart.reckoned(told, rows, ends)
        or apart.ends_of(one.datings, one.around, ends, one.ends, rows)
        or apart.reckoned_next(told, rows, ends)
    )
    if found is None:
        return None
    words, (first, last) = reading.words, sorted(found, key=lambda dating: dating.day)
    time = length(words, first.day, last.day, reading.want.unit)
    shown = [(dating.row, _whole(dating)) for dating in (first, last)]
    title = words.apart.format(length=time, a=first.day.isoformat(), b=last.day.isoformat())
    return "\n".join([title, *compose.lines(words, shown)]), shown


def _added(reading: Reading) -> tuple[str, list[Shown]] | None:
    """The total that is asked for: of the one thing that is named, or if its terms surely are what is asked."""
    query, words = reading.query, reading.words
    found = total(reading.context, reading.rows)
    if found is None:
        return None
    asked = abstain.amounts_to(query.topic) if query.language == "en" else frozenset[str]()
    if not reading.thing and not sure(found, reading.rows, query.text, asked):
        return None
    shown = [quotes.quote(reading, row) for row in dict.fromkeys(found.rows)]
    title = words.added.format(total=found.said, terms=found.terms)
    return "\n".join([title, *compose.lines(words, shown)]), shown


def _whole(dating: apart.Dating) -> str:
    """The clauses of a sentence around what is dated, whole."""
    text, (start, stop) = dating.row.text, dating.place
    cuts = [0, *clause_ends(text), len(text)]
    first = max(cut for cut in cuts if cut <= start)
    last = min(cut for cut in cuts if cut >= stop)
    return text[first:last].strip(" ,;，；-–—")
