"""What the assistant said, where that is asked for or advises: an exchange in its own order, and a block of code."""

from __future__ import annotations

import re

from memfold.context.focus import MARK
from memfold.context.readers.quoting import worth
from memfold.context.readers.quoting.candidates import Candidate, whole_lines
from memfold.context.readers.quoting.candidates import code as blocks
from memfold.context.readers.quoting.compared import Compared
from memfold.context.readers.quoting.compose import Shown, once
from memfold.context.readers.quoting.quotes import item
from memfold.context.readers.quoting.reading import Reading
from memfold.retrieve.sought import asks
from memfold.schema import ATTACHED
from memfold.text.terms import terms

# A block of code must hold this share of the weight of the question's words.
CODE = 0.2
# So many of an exchange's best sentences tell how well it answers.
BEST = 3


def told(one: Compared, *, asked: bool) -> list[Shown]:
    """What the assistant said in the exchange that answers best, in its order, as far as there is room, and the code.
    Advice seldom repeats the words of its question, so what the user said there counts too. Unless that is what is
    `asked` for, its best sentence must answer nearly as well as the best of all."""
    return [*_exchange(one, asked=asked), *_code(one.reading)]


def _exchange(one: Compared, *, asked: bool) -> list[Shown]:
    reading = one.reading
    best: dict[int, list[float]] = {}
    about: dict[int, float] = {}
    for row, value in zip(one.few, one.ranked.worth.tolist(), strict=True):
        if row.piece.role == "assistant":
            best.setdefault(row.exchange, []).append(value)
        elif row.spoken:
            about[row.exchange] = max(value, about.get(row.exchange, 0.0))
    least = one.ranked.worth.max() - reading.how.margin
    best = {each: values for each, values in best.items() if asked or max(values) >= least}
    if not best:
        return []
    lead = max(best, key=lambda each: sum(sorted(best[each])[-BEST:]) + about.get(each, 0.0))
    if asked and (whole := _whole(reading, lead)):
        return [whole]
    shown, room = list[Shown](), reading.how.characters
    for row in reading.rows:
        if row.exchange == lead and row.piece.role == "assistant" and not _offers(row):
            said = item(reading, row)
            room -= len(said[1])
            if room < 0:
                break
            shown.append(said)
    return once(shown)


def _whole(reading: Reading, exchange: int) -> Shown | None:
    """An answer of one message, whole, if it is short, or a short list in Chinese some of whose items are too short to
    be quoted alone: only two of five items on a card were quoted, and "词义" was lost. Of "What do you call …? A
    bulldozer." the second sentence says too little to be quoted by itself."""
    said = [row for row in reading.answers if row.exchange == exchange]
    if len({row.piece.text for row in said}) != 1:
        return None
    text = said[0].piece.text.partition(ATTACHED)[0].strip()
    rest = text[text.find(said[0].text) :]
    if len(rest) <= reading.how.item and "\n" not in rest and not any(map(_offers, said)):
        return said[0], rest
    items = (line for line in text.split("\n") if _ITEM.match(line))
    lost = reading.query.language == "zh" and any(not any(row.text in line for row in said) for line in items)
    return (said[0], text) if lost and len(text) <= reading.how.quote and MARK not in text else None


def _offers(row: Candidate) -> bool:
    """Whether a sentence asks whether the answer shall go on, as its end often does."""
    return asks(row.text) and _OFFERS.search(row.text) is not None


def _code(reading: Reading) -> list[Shown]:
    """The beginning of the block of code that holds most of what is asked, where code is asked for."""
    if not _CODE_ASKED.search(reading.query.text):
        return []
    shown = [(row, whole_lines(row.text, reading.how.characters // 2)) for row in blocks(reading.context)]
    held = [worth.carried(frozenset(terms(text)), reading.weight) for _, text in shown]
    best = max(range(len(shown)), key=held.__getitem__, default=None)
    return [] if best is None or held[best] < CODE else [shown[best]]


_ITEM = re.compile(r"\s*(?:[-*•]|\d{1,2}[.、)])\s*\S")
_CODE_ASKED = re.compile(
    r"\b(?:code|snippets?|scripts?)\b|\b(?:show|write|give|create)\b.{0,60}"
    r"\b(?:implement\w*|function|class|quer(?:y|ies)|endpoints?|config\w*|example)\b|代码|脚本|函数",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"\b(?:would you like|do you (?:want|need|have)|(?:shall|should|can|may) I|(?:want|like) me to"
    r"|any (?:other |more )?questions|(?:does|did) (?:this|that)|(?:is|are) there anything|what do you think"
    r"|möchtest du|möchten Sie|soll ich|hast du noch)\b"
    r"|需要我|要不要我|想让我|还有(?:什么|别的|其他)|您?觉得(?:怎么样|如何)",
    re.IGNORECASE,
)
