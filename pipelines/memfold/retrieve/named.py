"""The one thing that a question names of several of a kind, and which sentences are about another of them.

What was said of the Kiln Street school is no answer about the Vicar's Garden school, however many words they share. In
English a thing is a name in capitals before a common noun; in Chinese the longest run of the question that several
texts hold, with the longest ending that other names share. Knows no ranking and no page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from memfold.text.scripts import IDEOGRAPHS

# A name is known as one where so many of the texts hold it.
KNOWN = 2
# In Chinese any run of words might be one: it has this many letters, and more texts hold it.
LETTERS, KNOWN_RUNS = 4, 3
# Exchanges of a ranking whose texts are looked at for the names of things.
EXCHANGES = 60
# Letters of a question that are looked at for one.
LOOKED_AT = 160


@dataclass(frozen=True)
class Thing:
    """`name` is what it is called, `others` what others of its kind are, `kind` the ending that all of them share."""

    name: str
    others: frozenset[str]
    kind: str = ""

    def about(self, text: str, message: str = "") -> bool:
        """Whether a text names it, by its kind alone where the `message` that it is from names it in full and no
        other."""
        if self.name in text:
            return True
        return bool(self.kind) and self.kind in text and not self.another(text) and self.name in message

    def another(self, text: str) -> bool:
        """Whether a text names others of its kind and not it."""
        return self.name not in text and any(other in text for other in self.others)


def named(question: str, texts: Sequence[str]) -> Thing | None:
    """The thing that a question names, where some of the texts do; None where it names none, or several."""
    question = question[-LOOKED_AT:]
    thing = _chinese(question, texts) if _RUN.search(question) else _english(question, texts)
    return None if thing and any(other in question for other in thing.others) else thing


def _english(question: str, texts: Sequence[str]) -> Thing | None:
    found = {
        name
        for match in _CALLED.finditer(question)
        for words in range(len(match["noun"].split()), 0, -1)
        if sum((name := " ".join([match["name"], *match["noun"].split()[:words]])) in text for text in texts)
        >= KNOWN
    }
    # "The Jetty Lane sewing" stands where the sewing circle does.
    longest = [name for name in found if not any(name != other and name in other for other in found)]
    if len(longest) != 1:
        return None
    name = longest[0]
    noun = " ".join(word for word in name.split() if word.islower())
    called = re.compile(
        rf"\b(?:the|my|our) ({_NAME} {re.escape(noun)})\b|^(?:The|My|Our) ({_NAME} {re.escape(noun)})\b"
    )
    others = {match[1] or match[2] for text in texts for match in called.finditer(text)}
    return Thing(
        name, frozenset(each for each in others if not each.endswith(name) and each not in name), noun
    )


def _chinese(question: str, texts: Sequence[str]) -> Thing | None:
    """By runs, from the longest on: as many texts hold a run as hold its beginning."""
    runs = [part for run in _RUN.findall(question) for part in run.split("的")]
    for run in sorted(runs, key=len, reverse=True):
        for size in range(len(run), LETTERS - 1, -1):
            for start in range(len(run) - size + 1):
                name = run[start : start + size]
                if name[0] in _GRAMMAR or name[-1] in _GRAMMAR:
                    continue
                if sum(name in text for text in texts) >= KNOWN_RUNS:
                    return _alike(name, texts)
    return None


def _alike(name: str, texts: Sequence[str]) -> Thing:
    """A thing with the names that end as its does, by the longest ending that others share; they stand in several texts
    themselves."""
    for start in range(1, len(name) - 1):
        kind = name[start:]
        heads = Counter(
            text[place - 2 : place]
            for text in texts
            if name not in text
            for place in _places(kind, text)
            if place >= 2
        )
        known = {head + kind for head, count in heads.items() if count >= KNOWN_RUNS}
        if known := {other for other in known if other not in name and _RUN.fullmatch(other)}:
            return Thing(name, frozenset(known), kind)
    return Thing(name, frozenset())


def _places(part: str, text: str) -> list[int]:
    return [match.start() for match in re.finditer(re.escape(part), text)]


_NAME = r"(?:[A-Z][\w'’&-]*)(?: [A-Z][\w'’&-]*){0,3}"
# Words that carry grammar are no noun, and what they stand before is named by itself: "Craig and", "Bonn in".
_NO_NOUN = (
    r"(?:a|about|after|again|all|an|and|any|are|as|at|be|been|before|by|did|do|does|during|for|from|had|has|have|he|her"
    r"|him|his|how|if|in|into|is|it|its|like|my|of|on|or|our|she|since|so|than|that|the|their|them|then|there|they|this"
    r"|to|until|was|we|were|what|when|where|which|while|who|why|will|with|without|would|you|your)\b"
)
_CALLED = re.compile(
    rf"(?:(?<=\bthe )|(?<=\bmy )|(?<=\bour ))(?P<name>{_NAME})(?P<noun>(?: (?!{_NO_NOUN})[a-zé-]+){{1,2}})"
)
_RUN = re.compile(rf"[{IDEOGRAPHS}]{{{LETTERS},}}")
# Letters that begin or end no name.
_GRAMMAR = frozenset("的了吗呢吧啊呀么在去给我你他她它们跟和与为把对从到有是着过要那这请就都还")
