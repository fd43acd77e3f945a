"""Which of the ranked sentences are quoted: for a fact, for a list, for both sides of a contradiction.

Everything is a choice among rows that lie parallel to a matrix of unit vectors and a vector of worths. Knows no frame.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from memfold.context.readers.quoting import worth as nearness
from memfold.context.readers.quoting.candidates import GIVEN, Candidate, stretches
from memfold.embed.contract import Vectors
from memfold.embed.likeness import cosines
from memfold.retrieve.best import best_first
from memfold.retrieve.reckon import on_top
from memfold.text.numbers import ENGLISH
from memfold.text.scripts import IDEOGRAPHS
from memfold.text.terms import terms

# How many stretches of what tools gave back in one exchange are quoted, and how much less than the first the others may
# be worth.
TOOLS, NEXT = 2, 0.1

Worths = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ranked:
    """Sentences with their vectors, (n, d), how well each answers, (n,), and the part of that which is nearness to the
    question, (n,). `keyed` is what of a worth is due to keys of values: what was said may be that much worse than such
    a value, and is quoted beside it."""

    rows: Sequence[Candidate]
    vectors: Vectors
    worth: Worths
    near: Worths
    keyed: Worths | float = 0.0

    def best(self, limit: int, margin: float, characters: int) -> list[int]:
        """Of different exchanges, the best first, none worth `margin` less than the best, together of at most
        `characters` (a single longer one is cut by who shows it). What tools gave back in an exchange counts by itself,
        and is up to `TOOLS` stretches that are nearly as good."""
        chosen: list[int] = []
        room, used, said = characters, Counter[tuple[int, bool]](), set[str]()
        lead = dict[tuple[int, bool], float]()
        plain = self.worth - self.keyed
        least = float(plain.max()) - margin if len(self.rows) else 0.0
        top = self.worth.max(initial=-np.inf)
        for i in map(int, best_first(self.worth)):
            row = self.rows[i]
            if len(chosen) == limit or self.worth[i] < least:
                break
            size = min(len(row.text), characters)
            # To an embedder one record is near to the next.
            fresh = row.text not in said and not any(
                not row.data and self.vectors[i] @ self.vectors[j] >= REPEATED for j in chosen
            )
            place = row.exchange, row.data
            if row.data and used[place] and plain[i] < lead[place] - NEXT:
                continue
            # One call is near to the next too, and one that returned something else answers nothing.
            if row.data and not row.quote and self.worth[i] < top - NEXT:
                continue
            if size <= room and used[place] < (TOOLS if row.data else 1) and fresh:
                chosen.append(i)
                room -= size
                used[place] += 1
                lead.setdefault(place, float(plain[i]))
                said.add(row.text)
        return chosen

    def beside(self, gain: float) -> Ranked:
        """The same; but where several users speak, sentences near the best one gain `gain`, and stay behind it, since
        users answer each other in short turns."""
        lead = int(self.worth.argmax()) if len(self.rows) else 0
        if not (len(self.rows) and self.rows[lead].speaker):
            return self
        apart = np.array([abs(row.exchange - self.rows[lead].exchange) for row in self.rows])
        near = (apart > 0) & (apart <= _NEAR)
        worth = np.where(near, np.minimum(self.worth + gain, self.worth[lead] - 1e-6), self.worth)
        return replace(self, worth=worth)

    def update(
        self, lead: int, chosen: Sequence[int], twin: float, nearly: float, renewed: Collection[int] = ()
    ) -> tuple[int, list[int]]:
        """The newest value of what `lead` states, and the older ones, newest first: sentences of a cosine of at least
        `twin` to it, of which the later one names a figure that the other one lacks; a newer one must be worth at most
        `nearly` less, or be one of the `renewed`, which say that there is a new value. Where one of them adds to what
        was said before ("another 150 euros") nothing is replaced, unless the newest is one of the `renewed`."""
        # Of two records the later one need not be of the same thing.
        if self.rows[lead].data:
            return lead, []
        first = self.rows[lead]
        alike = cosines(self.vectors, self.vectors[lead])
        same = [
            i
            for i in chosen
            if i != lead
            and not self.rows[i].data
            and alike[i] >= twin
            and (
                self.rows[i].exchange < first.exchange
                or self.worth[i] >= self.worth[lead] - nearly
                or i in renewed
            )
            # A sentence without a number gives no value, and one with the same numbers no newer one.
            and _gives_value(self.rows[i].text)
            and _renews(*sorted((first, self.rows[i]), key=lambda row: row.exchange))
        ]
        newest, *older = sorted([lead, *same], key=lambda i: -self.rows[i].exchange)
        later = [newest, *older][:-1]
        if newest not in renewed and any(on_top(self.rows[i].text) for i in later):
            return lead, []
        return newest, older

    def listed(self, limit: int, alike: float, near: float, worse: float = np.inf) -> list[int]:
        """`limit` sentences spread over subjects and time, in order of time: each loses `alike` of its likeness to the
        one chosen before that is most like it, and `near` where one was chosen close by. None is worth less than the
        best by more than `worse`."""
        if not len(self.rows):
            return []
        exchange = np.array([row.exchange for row in self.rows], np.float64)
        reach = (exchange.max() - exchange.min()) / (2 * limit) + 1
        likeness, beside = np.zeros(len(self.rows)), np.zeros(len(self.rows), bool)
        # Only what is among the best is listed, so that a large number does not bring in what is off the subject.
        least = max(np.sort(self.worth)[-min(3 * limit, len(self.rows))], self.worth.max() - worse)
        free = self.worth >= least
        chosen = list[int]()
        for _ in range(min(limit, int(free.sum()))):
            value = self.worth - alike * likeness - near * beside
            best = int(np.where(free, value, -np.inf).argmax())
            chosen.append(best)
            free[best] = False
            likeness = np.maximum(likeness, cosines(self.vectors, self.vectors[best]))
            beside |= np.abs(exchange - exchange[best]) < reach
        return sorted(chosen, key=lambda i: (self.rows[i].exchange, i))

    def sides(self, asked: Collection[str], least: float, alike: float = 0.0) -> tuple[int, list[int]] | None:
        """A statement that denies what is asked and one that affirms it, or two of different exchanges where the second
        is nearly as good; each at least `least` near, none of them the assistant's. None where there are not both. What
        affirms is the user's own, of another exchange, and no order; it gains `alike` times its likeness to what
        denies."""
        denies = np.array([denied(row.text, asked) for row in self.rows], bool)
        states = np.array([not nearness.states_nothing(row.text) for row in self.rows], bool)
        user = np.array([row.piece.role not in ("assistant", *GIVEN) for row in self.rows], bool)
        # What was done is told in the past; what is tried, wanted or not understood is no claim to have done it.
        did = np.array([done(row.text) for row in self.rows], float)
        tried = np.array([bool(_TRIED.search(row.text)) for row in self.rows], float)
        near = self.near >= least
        noted = np.array([not row.spoken for row in self.rows], float)
        # "I've never …" denies more than an error message that says what does not exist.
        never = np.array([bool(_NEVER.search(row.text)) for row in self.rows], float)
        no = _top(self.worth + 0.2 * never, denies & user & near)
        claimed = self.near + 0.15 * did - 0.15 * tried * (1 - did) - 0.15 * noted
        if alike and no is not None:
            claimed = claimed + alike * cosines(self.vectors, self.vectors[no])
        affirms = user & states & ~denies & near
        if no is not None:
            lead = self.rows[no]
            affirms &= np.array(
                [
                    row.exchange != lead.exchange
                    and (not row.spoken or own(row.text, asked))
                    and not _within(row.text, lead.text)
                    for row in self.rows
                ],
                bool,
            )
        yes = list[int]()
        while len(yes) < 2 and (one := _top(claimed, affirms)) is not None:
            yes.append(one)
            affirms &= np.array([row.exchange != self.rows[one].exchange for row in self.rows], bool)
            affirms &= claimed >= claimed[yes[0]] - _AS_GOOD
        return None if no is None or not yes else (no, yes)


def denied(text: str, asked: Collection[str]) -> bool:
    """Whether a clause of `text` denies something of what is asked. A message that it quotes denies nothing."""
    text = _QUOTED.sub(" ", text)
    parts = stretches(text)
    for i, part in enumerate(parts):
        if match := _DENIAL.search(part):
            rest = part[match.start() :]
            # "I have never, in all those years, used it". The next clause may be of another: "I didn't, Rosa did".
            if _OPEN.search(rest):
                rest += " " + " ".join(parts[i + 1 : i + 3])
            # "… the sandbox, since I have never done it": what is denied was named before.
            said = set(terms(_named_before(part, text) or rest))
            if said & set(asked) and not (set(asked) - said and _names_another(rest, asked)):
                return True
    return False


def _names_another(text: str, asked: Collection[str]) -> bool:
    """Whether a text holds only one word of the question and a name behind it that the question lacks: "quit Siemens"
    is not "quit the gym"."""
    words = [*_WORD.finditer(text)]
    held = [i for i, word in enumerate(words) if set(terms(word[0])) & set(asked)]
    behind = words[held[0] + 1][0] if len(held) == 1 and held[0] + 1 < len(words) else ""
    return len(behind) > 2 and behind[0].isupper() and not behind.isupper()


def in_words(text: str) -> bool:
    """Whether a text holds a number in words, in English or Chinese."""
    return _IN_WORDS.search(text) is not None


def figures(text: str) -> frozenset[str]:
    """The numbers in digits that a text holds: "20", "5.3.0"."""
    return frozenset(_FIGURE.findall(text))


def _gives_value(text: str) -> bool:
    return bool(figures(text)) or in_words(text)


def _renews(old: Candidate, new: Candidate) -> bool:
    """Whether the later of two sentences names a figure that the other one lacks, another one of the same thing, or
    others in words."""
    one, two = figures(old.text), figures(new.text)
    counts = {thing: figure for figure, thing in _COUNT.findall(old.text)}
    again = any(counts.get(thing, figure) != figure for figure, thing in _COUNT.findall(new.text))
    return bool(two - one) or again or (one != two and in_words(new.text))


def own(text: str, asked: Collection[str]) -> bool:
    """Whether a clause of `text` that has something of what is asked is the user's own: of "I" or "we", or, where
    nobody is named, of what was done ("moved it to Bonn"); and no order."""
    if _TELLS.search(text):
        return False
    return any(
        _FIRST.search(part) and not _FOR_OTHERS.search(part) and set(terms(part)) & set(asked)
        for part in stretches(_QUOTED.sub(" ", text))
    )


def _within(text: str, denial: str) -> bool:
    """Whether no figure of `text` goes beyond what `denial` denies: "never further than 10 km" allows 10."""
    never = _DENIAL.search(denial)
    bound = _BEYOND.match(denial, never.end()) if never else None
    if bound is None:
        return False
    limit, unit = _number(bound["limit"]), (bound["sign"] or bound["unit"]).lower()
    figures = [_number(figure) for sign, figure, of in _AMOUNT.findall(text) if (sign or of).lower() == unit]
    return bool(figures) and all(found >= limit if bound["less"] else found <= limit for found in figures)


def _number(figure: str) -> float:
    return float(figure.replace(",", ""))


def done(text: str) -> bool:
    """Whether a text tells that somebody did something."""
    return _DONE.search(text) is not None


def _named_before(part: str, text: str) -> str:
    """What stands in `text` before a clause that only points back to it; empty where the clause does not."""
    return text[: text.find(part)] if _BACK.search(part) else ""


def _top(worth: Worths, allowed: NDArray[np.bool_]) -> int | None:
    return int(np.where(allowed, worth, -np.inf).argmax()) if allowed.any() else None


# Exchanges of people who answer each other: of LoCoMo's evidence .645 is cited without, .685 with two, .683 with four.
_NEAR = 2
_BACK = re.compile(
    r"\b(?:done|used|tried|written|made|did|do|had|seen|met|touched) (?:it|this|that|one|so|them|any)\b"
    r"(?: before)?\W*$",
    re.IGNORECASE,
)
# A second one that affirms is shown where it is at most so much less near: which of them is meant, words tell badly.
_AS_GOOD = 0.15
# Of what is said nearly word for word again, the better placed is enough.
REPEATED = 0.95
_DONE = re.compile(
    r"\b(?:I|we|he|she|they)(?:['’]ve| have|['’]s| has| had|['’]d)? (?:(?:just|already|also|recently|finally) )?"
    r"(?:\w{3,}ed|been|met|went|got|took|did|wrote|made|built|found|gave|had|won|read|sent|set|ran|began|spent)\b"
    rf"|[{IDEOGRAPHS}](?:了|过|完)",
    re.IGNORECASE,
)
_TRIED = re.compile(
    r"\b(?:trying to|want to|need to|going to|planning to|plan to|thinking (?:of|about)|having trouble"
    r"|not sure|struggling)\b"
    r"|想要?|打算|准备|试着",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\b(?:never|haven['’]?t|have not|did(?:n['’]?t| not)|no (?:prior |previous )?experience)\b|从未|从来没|从没",
    re.IGNORECASE,
)
_OTHERS = (
    r"(?:my|our)\s+(?:\w+\s+)?(?:wife|husband|partner|(?:girl|boy)?friends?|fianc\w+|sons?|daughters?|kids?|child\w*"
    r"|brothers?|sisters?|mother|father|mum|mom|dad|parents?|uncle|aunt|cousins?|grand\w+|neighbou?rs?|boss|manager"
    r"|colleagues?|teachers?|clients?|doctor|landlord)\b"
)
# Whose statement it is: "I", "we", what is mine or ours, or, where nobody is named, what was done.
_FIRST = re.compile(
    rf"\b(?:I|we)\b|\b(?!{_OTHERS})(?:my|our)\s"
    r"|^\W*(?:(?:and|but|so|also|then|just|already|recently|finally|actually)\s+)*"
    r"(?:\w{3,}ed|been|met|went|got|took|did|wrote|made|built|gave|had|sent|set|ran)\b"
    r"|我|咱",
    re.IGNORECASE,
)
# Who fetches coffee for another drinks none.
_FOR_OTHERS = re.compile(
    rf"\b(?:bought|buy|got|get|ordered|order|brought|fetched|cooked|made)\b.*\bfor\s+{_OTHERS}(?!['’]s)",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"^\W*(?:(?:please|pls|so|and|but|just|now|ok(?:ay)?|also|then)\b[\s,]*)*"
    r"(?:stop|don['’]?t|do not|never|always|remember|remind|use|give|show|tell|write|make|keep|avoid|suggest|recommend"
    r"|explain|include|add|let['’]?s|call|answer|reply|assume|skip|drop|forget|put|set)\s"
    r"|^(?:请|别|不要|不许|以后|记得)",
    re.IGNORECASE,
)
_OPEN = re.compile(r"(?:never|ever|not yet|to|with|have not|has not|[hH]a(?:ve|s|d)n['’]?t)\W*\Z")
_WORD = re.compile(rf"[^\W\d_{IDEOGRAPHS}]+")
_BEYOND = re.compile(
    r"[^,;.]{0,30}?\b(?:(?P<less>less|fewer|shorter|lower|under|below)|more|further|farther|longer|higher|bigger|faster|over"
    r"|above|beyond)(?:\s+than)?\s+(?P<sign>[$€£¥]?)(?P<limit>\d[\d,]*(?:\.\d+)?)\s?(?P<unit>[^\W\d_]+|%|)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?<![\d:.,-])([$€£¥]?)(?<![\d:.,-])(\d(?:[\d,]*\d)?(?:\.\d+)?)\s?([^\W\d_]+|%|)")
# "3 cats".
_COUNT = re.compile(r"(?<![\d.,])(\d+)\s([a-z]+)", re.IGNORECASE)
_FIGURE = re.compile(r"\d+(?:[.,:/]\d+)*")
_IN_WORDS = re.compile(
    rf"\b(?:{'|'.join(ENGLISH)}|once|twice|half|dozen)\b|[一二两三四五六七八九十]", re.IGNORECASE
)
# A message that is quoted; what is shorter is a name.
_QUOTED = re.compile(r'"[^"]{16,}"|“[^“”]{16,}”')
# "I don't understand why …" asks for an explanation, and denies nothing that was done.
_DENIAL = re.compile(
    r"\b(?:never|haven['’]?t|hasn['’]?t|hadn['’]?t|didn['’]?t|doesn['’]?t|isn['’]?t|wasn['’]?t|not yet|"
    r"don['’]?t(?! (?:\w+ )?(?:(?:understand|know|get|see) (?:why|how|what|if|whether)|mind|forget|worry)\b)|"
    r"have not|has not|had not|did not|do not|does not|am not|no (?:prior |previous )?experience|without ever|yet to"
    r"|new to|unfamiliar)\b|从未|从来没|从没|没有?(?=[^，。]{0,4}过)|并没有|还没|不曾|未曾|没(?=[^，。]*过)",
    re.IGNORECASE,
)
