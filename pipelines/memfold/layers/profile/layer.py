"""The layer: every row is one thing that was said of the user, or how often they used a language. What of it holds is
told from all rows when they are read (`history`), so that it is right as of any message without a merge.

Only the user's own words count: not what was pasted or quoted, put out by a tool, or said by the assistant. What a
model wrote down counts where it stands in those words. Where the source names its speakers, each has a profile.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from memfold.extract.contract import by_rules
from memfold.extract.filed import filed
from memfold.given import composed
from memfold.layers.layer import Leaves, Span, Tools, apart, extractions, said_by_user, tabled
from memfold.layers.orders import answer_language, language_left, orders
from memfold.layers.profile import en, zh
from memfold.layers.profile.claim import ATTRIBUTES, Claim, an_age, is_style
from memfold.layers.profile.en.typed import as_typed, typed
from memfold.layers.profile.history import Entry, says
from memfold.layers.profile.worked_on import before_the_work
from memfold.schema import INSTANT, MEMORY, StoredMessage, required
from memfold.text.blanks import with_commas
from memfold.text.language import UNKNOWN, clearly, language
from memfold.text.reported import unquoted
from memfold.text.scripts import IDEOGRAPH
from memfold.text.sentences import around, sentences
from memfold.text.terms import plain
from memfold.text.whole import whole
from memfold.text.withdrawn import withdrawal

# To be raised when rows of the same messages, extractions and notes come out otherwise.
VERSION = "profile-23"

# A row keeps its sentence, cut to this many characters around what was found.
SENTENCE = 240
# The language of a shorter text is a guess: "ok", a name, a link.
WRITTEN = 24
# A sentence is read in parts of this many characters, each with so many more on either side of it: the time for text
# without an end grows with its square. A claim is of the part that it begins in; `in_earnest` looks back as far.
LONGEST, BESIDE = 1_000, 160
# The most rows that one message gives, the first ones: more are a story.
ROWS = 24

# Where a row comes from: the user's words; what a model wrote of them; how they wrote; what a program put right.
SAID, NOTED, USED, FILED = "said", "noted", "used", "filed"

TABLE = pa.schema(
    [
        required("segment", pa.string()),
        required("exchange_id", pa.int64()),
        required("n", pa.int32()),
        required("conversation_id", pa.string()),
        required("message_id", pa.string()),
        pa.field("who", pa.string()),
        required("attribute", pa.string()),
        pa.field("key", pa.string()),
        pa.field("value", pa.string()),
        pa.field("instead_of", pa.string()),
        required("correction", pa.bool_()),
        required("source", pa.string()),
        required("count", pa.int32()),
        pa.field("time", INSTANT),
        required("quote", pa.string()),
    ]
)

# How a model names what it wrote of the user; its "name" and "location" are anybody's.
_NOTED = re.compile(
    r"(?:the )?user(?:'s)? (?:(?P<name>(?:full )?name)|(?P<age>age)|(?P<job>job|job title"
    r"|profession|occupation)"
    r"|(?P<employer>employer|workplace)|(?P<home>home|home city|residence|place of residence"
    r"|location|city)|(?P<from>home ?town|origin))",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d{1,3}")


@dataclass(frozen=True)
class Profile(Leaves):
    """The layer (`memfold.layers.layer.Layer`). It has no settings."""

    name = "profile"
    version = VERSION
    table = TABLE
    reads = ("messages", "extractions", "notes")

    def equip(self, tools: Tools) -> Profile:
        """The layer itself: it needs nothing."""
        return self

    def leaves(self, spans: Sequence[Span]) -> Sequence[pa.Table]:
        """One row a claim, in the order it was made, and one for each language that was used, at its first use."""
        return tabled([_rows(span) for span in spans], TABLE)


def _rows(span: Span) -> list[dict[str, Any]]:
    spoke = [each for those in span.once(said_by_user).values() for each in those]
    # What a program files is its own words, whatever it looks like.
    own = {
        each.seq: composed(each.content if each.role == MEMORY else span.once(apart)(each.content)[0])
        for each in spoke
    }
    found = []
    ended: dict[str | None, bool] = {}
    for each in spoke:
        made = list(_claimed(each, own[each.seq], behind=ended.get(each.speaker, False)))
        ended[each.speaker] = bool(made) and own[each.seq].rstrip().endswith(
            made[-1]["quote"].removeprefix("… ")
        )
        found += made
    # Of "Paris, not London" a model may write down either: the user's own sentence goes before.
    told = {(row["exchange_id"], row["attribute"]) for row in found}
    found += [row for row in _noted(span, own) if (row["exchange_id"], row["attribute"]) not in told]
    found += _used([each for each in spoke if each.role != MEMORY], own)
    found.sort(key=lambda row: row["exchange_id"])
    count: Counter[int] = Counter()
    for row in found:
        row |= {"segment": span.name, "n": count[row["exchange_id"]]}
        count[row["exchange_id"]] += 1
    return found


def _row(of: StoredMessage, claim: Claim, source: str, quote: str, count: int = 1) -> dict[str, Any]:
    return {
        "exchange_id": of.exchange_id,
        "conversation_id": of.conversation_id,
        "message_id": of.message_id,
        "who": of.speaker,
        "attribute": claim.attribute,
        "key": claim.key,
        "value": claim.value,
        "instead_of": claim.instead_of,
        "correction": claim.correction,
        "source": source,
        "count": count,
        "time": of.time,
        "quote": quote,
    }


def _parts(text: str, spoken: str) -> Iterator[tuple[str, int, range]]:
    """The sentences of a text in the language `spoken`, a long one in parts: each with what is beside it, where that
    begins in the text, and where the part itself is."""
    at = 0
    for sentence in sentences(text, spoken):
        for begin in range(0, len(sentence), LONGEST):
            first, end = max(0, begin - BESIDE), begin + LONGEST
            yield sentence[first : end + BESIDE], at + first, range(at + begin, at + end)
        at += len(sentence)


def claimed(text: str, behind: bool = False) -> Iterator[Claim]:
    """What a text of the user's own words, composed (NFC), says of them, in its order; each thing once. What stands
    behind a request to work on a text counts as that text. `behind`: the message before it ended with something of
    them."""
    # Before quotations are blanks too.
    bare = unquoted(with_commas(text))
    spoken = language(bare)
    ways = typed(bare, spoken)
    bare = ways.text if ways else bare
    seen: set[tuple[str, str | None, str | None, str | None]] = set()
    corrects, opens, end = False, True, before_the_work(bare)
    # Of a value that puts right what was said right before it: whether anything was.
    just = behind
    for sentence, at, part in _parts(bare, spoken):
        chinese = IDEOGRAPH.search(sentence) is not None
        of = zh if chinese else en
        made = list(of.claims(sentence, corrects, opens))
        if chinese and re.search(r"\bI\b|\b[Mm]y\b", sentence):
            made += en.claims(sentence, corrects, opens)
        made = [
            each
            for each in made
            if just or not (each.follows or (each.attribute == "?" and each.instead_of is None))
        ]
        for claim in sorted(made, key=lambda each: each.start):
            start = at + claim.start
            if start >= end:
                return
            if start not in part:
                continue
            claim = replace(claim, start=start)
            if ways:
                claim = as_typed(ways, claim)
            # Of what is taken back there may be several: "I'm not vegan" and "I eat fish now".
            back = claim.instead_of if claim.value is None else None
            if (key := (claim.attribute, claim.key, claim.value, back)) not in seen:
                seen.add(key)
                yield claim
        corrects, opens = of.denies(sentence), opens and of.greets(sentence)
        just = bool(made)


def tells(text: str, entry: Entry) -> bool:
    """Whether a text of an exchange that told an entry tells it: as a claim of the user's, or as what a program filed
    ("home: Rome"). That the value stands in it is not enough: "I decided to fly on June 30" tells no age."""
    name, _, value = text.partition(": ")
    if name == entry.name and says(Claim(entry.attribute, value, 0, entry.key), entry):
        return True
    own = composed(text.removeprefix(f"{entry.who}: "))
    return any(says(claim, entry) for claim in claimed(own, behind=True))


def _claimed(of: StoredMessage, own: str, *, behind: bool) -> Iterator[dict[str, Any]]:
    right = filed(of.attachments) if of.role == MEMORY else {}
    if right.get("attribute") in ATTRIBUTES:
        # What a program puts right names its attribute; its words are no sentence of the user's.
        value, instead_of = right.get("value"), right.get("instead_of")
        if value is not None and instead_of is not None:
            back = Claim(right["attribute"], None, 0, right.get("key"), instead_of, correction=True)
            yield _row(of, back, FILED, of.content)
            instead_of = None
        claim = Claim(right["attribute"], value, 0, right.get("key"), instead_of, correction=True)
        yield _row(of, claim, FILED, of.content)
        return
    for n, claim in enumerate(claimed(own, behind)):
        if n == ROWS:
            return
        yield _row(of, claim, SAID, around(own, claim.start, claim.start + 1, SENTENCE))


def _noted(span: Span, own: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """What a model wrote of the user, and the standing orders on how to answer and what takes them back, whoever
    wrote them down."""
    by_exchange = span.once(said_by_user)
    for row in span.once(extractions):
        if not by_rules(row["made_by"]):
            for fact in row["facts"]:
                yield from _fact(fact, by_exchange.get(row["exchange_id"], ()), own)
    for note in span.once(orders):
        those = by_exchange.get(note["exchange_id"], ())
        if not those or note["about"]:
            continue
        back = withdrawal(note["text"])
        if back or is_style(note["text"]):
            yield _row(those[0], Claim("answers", note["text"], 0, "asked"), NOTED, note["text"])
        if note["kind"] == "instruction" and (value := answer_language(note["text"])):
            yield _row(those[0], Claim("answer language", value, 0), NOTED, note["text"])
        elif back and back.takes != "ban" and (old := language_left(back)):
            claim = Claim("answer language", None, 0, instead_of=old, correction=True)
            yield _row(those[0], claim, NOTED, note["text"])


def _fact(
    fact: Mapping[str, str], spoke: Sequence[StoredMessage], own: Mapping[int, str]
) -> Iterator[dict[str, Any]]:
    """A fact of a model about the user, if its value stands in the user's own words, before any text that they ask
    to have worked on."""
    match = _NOTED.fullmatch(fact["key"].strip())
    if match is None or match.lastgroup is None:
        return
    attribute, value = match.lastgroup, fact["value"].split(",")[0].strip()
    if attribute in ("home", "from"):
        value = fact["value"].strip()
    if attribute == "age":
        digits = _DIGITS.search(value)
        value = digits[0] if digits and an_age(digits[0]) else ""
    for each in spoke:
        words = own[each.seq][: before_the_work(own[each.seq])]
        if len(value) <= 60 and whole(plain(value), plain(words)):
            key = ("latin" if value[0].isascii() else "han") if attribute == "name" else None
            found = whole(value, words)
            at = found.start() if found else 0
            quote = around(own[each.seq], at, at + len(value), SENTENCE)
            yield _row(each, Claim(attribute, value, at, key), NOTED, quote)
            return


def _used(spoke: Sequence[StoredMessage], own: Mapping[int, str]) -> Iterator[dict[str, Any]]:
    """The languages that each speaker wrote in, with how often, at the first use."""
    first: dict[tuple[str | None, str], StoredMessage] = {}
    count: Counter[tuple[str | None, str]] = Counter()
    for each in spoke:
        text = own[each.seq].strip()
        if len(text) < (WRITTEN if text.isascii() else WRITTEN // 4):
            continue
        if (spoken := clearly(text)) != UNKNOWN:
            first.setdefault((each.speaker, spoken), each)
            count[each.speaker, spoken] += 1
    for (who, spoken), each in first.items():
        yield _row(each, Claim("writes", spoken, 0), USED, "", count[who, spoken])
