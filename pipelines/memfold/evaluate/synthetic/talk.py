"""The talk around a planted sentence: what the user says besides, and what the assistant answers.

Knows nothing of truth or probes. It repeats no planted value; now and then the assistant names a figure of
its own.
"""

from __future__ import annotations

from datetime import date

from memfold.evaluate.synthetic.bank import Bank, Draw, dealt, pick
from memfold.evaluate.synthetic.plan import Step, sentence


def _venture(draw: Draw, step: Step) -> str:
    """What a sentence beside the planted one is about: as often as not the same venture, else any of the time."""
    return step.thread.venture.name if draw() < 0.5 else pick(draw, step.cast).name


def _aside(bank: Bank, draw: Draw, step: Step) -> str:
    if draw() < 0.5:
        text = bank.gossip.format(who=pick(draw, bank.people), did=pick(draw, bank.doings))
    else:
        text = pick(draw, bank.asides).format(e=_venture(draw, step))
    if draw() < 0.4 and bank.join.strip() not in text:
        text = text.removesuffix(bank.stop) + bank.join + pick(draw, bank.tails) + bank.stop
    return sentence(text)


def _shortened(text: str, step: Step) -> str:
    """`text` with a venture's name said once, unless one of the same noun is named beside it."""
    named = [
        venture for venture in {*step.cast, step.thread.venture, step.thread.twin} if venture.name in text
    ]
    for venture in named:
        if sum(other.short == venture.short for other in named) == 1:
            head, name, rest = text.partition(venture.name)
            text = head + name + rest.replace(venture.name, venture.short)
    return text


def user_text(bank: Bank, draw: Draw, step: Step) -> str:
    """Some 30 to 140 tokens: an opener, asides, a request, and the planted sentence somewhere among them."""
    asides = [_aside(bank, draw, step) for _ in range(1 + int(draw() * 4))]
    opener, request = pick(draw, bank.openers), sentence(pick(draw, bank.requests), e=_venture(draw, step))
    if draw() < 0.25:
        parts = [opener, *asides, request, pick(draw, bank.afterthoughts), step.sentence]
    else:
        asides.insert(int(draw() * (len(asides) + 1)), step.sentence)
        parts = [opener, *asides, request]
    text = bank.gap.join(part for part in parts if part)
    return _shortened(text, step) if draw() < 0.5 else text


def reply(bank: Bank, draw: Draw, step: Step, today: date, characters: int) -> str:
    """An answer of about `characters`: prose, lists and code, none of its phrases twice in a row."""
    heading = dealt(draw, bank.headings)
    shape, lead, act = dealt(draw, bank.shapes), dealt(draw, bank.leads), dealt(draw, bank.acts)
    reason, condition, risk = (
        dealt(draw, bank.reasons),
        dealt(draw, bank.conditions),
        dealt(draw, bank.risks),
    )

    def advice() -> str:
        return next(shape).format(
            lead=next(lead),
            act=next(act),
            other=next(act),
            reason=next(reason),
            condition=next(condition),
            risk=next(risk),
        )

    def listed() -> str:
        mark = pick(draw, ("- ", "* ", ""))
        lines = [advice() for _ in range(3 + int(draw() * 3))]
        items = "\n".join(f"{mark or f'{number}. '}{line}" for number, line in enumerate(lines, 1))
        return f"**{next(heading)}**\n{items}"

    def snippet() -> str:
        text = pick(draw, bank.code)
        return text.replace("{n}", str(2 + int(draw() * 30))).replace("{m}", str(1 + int(draw() * 9)))

    parts = [sentence(pick(draw, bank.greetings), e=step.thread.venture.name)]
    attribute = step.thread.attribute
    if attribute and draw() < 0.3:
        figure = bank.value(attribute.value, draw, today)
        parts.append(pick(draw, bank.advice).format(label=attribute.label, v=figure))
    closer = pick(draw, bank.closers)
    left = characters - sum(len(part) + 2 for part in parts) - len(closer)
    coded = draw() < 0.8
    while left > 0:
        if left < 500 * characters // 4000:
            block = advice()
        elif draw() < 0.45:
            block = bank.gap.join(advice() for _ in range(2 + int(draw() * 3)))
        elif coded:
            block = listed()
        else:
            block, coded = snippet(), True
        if len(block) + 2 > 2 * left:
            break
        parts.append(block)
        left -= len(block) + 2
    return "\n\n".join([*parts, closer])
