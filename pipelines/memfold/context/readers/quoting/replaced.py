"""What a later sentence of the user's says is no longer so, by its name: after "I drive a Toyota Yaris" the sentence "I
sold the Yaris and got a Mazda" is what holds, in whichever words it is asked for. In English alone: other scripts show
no names. And what takes an order back. Knows no ranking."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.readers.quoting.worth import states_nothing
from memfold.retrieve.sought import asks_for_first
from memfold.text.language import language
from memfold.text.terms import terms
from memfold.text.withdrawn import withdrawal


def updates(question: str, lead: Candidate, rows: Sequence[Candidate]) -> list[Candidate]:
    """The later sentences that say, one after the other, that what `lead` answers has been left or replaced, in order
    of time; none where the question does not ask for what holds now of the user."""
    found = list[Candidate]()
    if lead.piece.role != "user" or not _HOLDS.search(question) or _held(question):
        return found
    value = _value(lead.text, set(terms(question)))
    said = [row for row in rows if row.piece.role == "user" and row.speaker == lead.speaker]
    for row in sorted(said, key=lambda row: row.exchange):
        gone = _GONE.search(row.text)
        later = row.exchange > (found or [lead])[-1].exchange and not states_nothing(row.text)
        # One name is the other, or says more of it: New Balance is not New York.
        named = _words(gone["gone"] or gone["ended"]) if gone else frozenset[str]()
        if later and gone and named and value and (named <= value or value <= named):
            found.append(row)
            value = _value(row.text[gone.end() :], frozenset())
    return found


def taken_back(lead: Candidate, rows: Sequence[Candidate]) -> list[Candidate]:
    """The later sentence with which the user takes back the order that `lead` is, the last if there are several. What
    tells of somebody ("I bought the blue curtains") is no order."""
    later = [
        row
        for row in ([] if _TELLS.match(lead.text) else rows)
        if lead.piece.role == row.piece.role == "user"
        and row.exchange > lead.exchange
        and row.speaker == lead.speaker
        and (back := withdrawal(row.text)) is not None
        and back.of(lead.text, None)
    ]
    return sorted(later, key=lambda row: row.exchange)[-1:]


def holds_now(question: str) -> bool:
    """Whether a question asks for the present state of anybody or anything, and not for an earlier one."""
    return _PRESENT.search(question) is not None and not _held(question)


def _held(question: str) -> bool:
    """Whether a question asks for an earlier state. The German "was" is "what"."""
    found = (match[0].lower() for match in _HELD.finditer(question))
    return asks_for_first(question) or any(word != "was" or language(question) != "de" for word in found)


def _value(text: str, asked: Set[str]) -> frozenset[str]:
    """The words of the name that answers: the first behind the first word that is asked for, else the last before it.
    Of "I use Notion on my Pixel" the Pixel is not what is used for notes. Where nothing is `asked`, the first name."""
    first = next((w.start() for w in _WORD.finditer(text) if not asked or asked & set(terms(w[0]))), None)
    if first is None:
        return frozenset()
    names = [name for name in _NAME.finditer(text) if _words(name[0])]
    behind = [name[0] for name in names if name.start() >= first]
    before = [name[0] for name in names if name.start() < first]
    return _words((behind[:1] or before[-1:] or [""])[0]) - {w for w in _words(text) if asked & set(terms(w))}


def _words(name: str) -> frozenset[str]:
    """The words of a name without its titles."""
    return frozenset(word for word in _WORD.findall(name) if len(word) > 1 and not _NO_NAME.fullmatch(word))


# What holds now of the user is asked for, and not what was.
_HOLDS = re.compile(
    r"\b(?:do|am|are) (?:I|we)\b|\b(?:is|are) (?:my|our)\b|\b(?:what|who)['’]s (?:my|our)\b", re.IGNORECASE
)
_PRESENT = re.compile(
    r"\b(?:is|are|am|do|does|has|have|(?:what|who|where)['’]s)\b|\b(?:ist|sind|hat|habe|haben|kostet|nutze|nutzt)\b"
    r"|现在|目前|如今",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:did|was|were|had|used to|before|previous(?:ly)?|former(?:ly)?|old|ever"
    r"|war|waren|wurden?|hatten?|früher\w*)\b|以前|之前|过去",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w&+]+(?:[-’'][\w&+]+)*")
_NO_NAME = re.compile(r"I(?:['’]\w+)?|My|Our|The|A|An|Dr|Mr|Mrs|Ms|Prof|St")
_NAME = re.compile(r"\b[A-Z][\w&+'’-]*\.?(?: [A-Z0-9][\w&+'’-]*\.?){0,3}")
# What only happens at a place ("I left Berlin on Monday") ends nothing.
_GONE = re.compile(
    r"(?<![iI]f )\b(?:I|[Ww]e)(?:['’]ve| have)?(?: \w+ly| just| also| then)? (?:sold|cancell?ed|quit|dropped|ditched"
    r"|gave up|got rid of|replaced|traded in|traded|resigned from|stopped (?:using|seeing|going to|working (?:at|for))"
    r"|(?:switched|changed|migrated|moved) (?:away )?from|left(?=[^.]* and (?:joined|opened|started|moved|signed)\b))"
    rf"(?: (?:at|with|from))?(?: (?:my|our|the))?(?: old)? (?P<gone>{_NAME.pattern})"
    rf"|(?P<ended>{_NAME.pattern}) (?:has |is )?(?:retired|broke|closed down|shut down|died)\b"
    r"(?=.*\b(?:now|instead|replaced|new)\b)"
)
_TELLS = re.compile(
    r"\W*(?:i|we|he|she|they|it|the|my|our|his|her|their|this|that)\s"
    r"(?!(?:want|wish|prefer|need|like|would|expect|always|never)\b)",
    re.IGNORECASE,
)
