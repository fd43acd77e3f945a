"""What binds an answer beside the quotes: standing orders, preferences, and options that were given up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memfold.context.readers.quoting import compose, worth
from memfold.context.readers.quoting.asked import RULE
from memfold.context.readers.quoting.candidates import Candidate
from memfold.context.readers.quoting.compared import Compared
from memfold.context.readers.quoting.compose import Shown
from memfold.context.readers.quoting.reading import EXCLUDED, Reading, gives_up
from memfold.layers.state.wording import option
from memfold.retrieve.sought import asks_how_to_answer
from memfold.text.scripts import PAIR
from memfold.text.terms import terms

# Where it is asked what the assistant shall do, an order answers that holds this share of the weight of the words.
BOUND = 0.5
# An option that was given up is named where it has this share of the weight of the question's words.
GIVEN_UP = 0.2
# The share in Chinese, where half of the pairs of characters cross the border of a word ("价要", "要注").
_BOUND_ZH = 0.2

# Words with which a question asks for orders ("which rules do you follow when …", "in which unit do I want …"), and
# which no order needs to hold.
_OBEYED = frozenset(
    terms(
        "rule rules order orders instruction instructions follow obey"
        " unit format language currency form style want like prefer need expect"
    )
)

# What a question about an order asks for, and the words of an order that answers it: "call me Kim" does not hold the
# word "address", and "use bullet points" does not hold "format".
_KINDS = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE))
    for asked, said in (
        (r"称呼|(?:叫|喊)我", r"(?:叫|喊|称呼)我|\bcall me\b"),
        (
            r"格式|形式|样式|排版|风格|多长|篇幅",
            r"要点|简[短洁明]|表格|列表|列成|分[点条段]|段落?|一句话|字以内|标题|大白话|口语|啰嗦|客套|结论|表情|emoji|markdown"
            r"|\b(?:bullet|short|brief|concise|tables?|lists?|points)\b",
        ),
        (
            r"不(?:想|愿|爱|让|准|许)(?:意)?再?听?[你您]",
            r"别再?(?:跟|对|和)?我?(?:说|提|讲)|不要再?(?:说|提|讲)|不许(?:说|提)",
        ),
        (r"[跟对和]我(?:说话|讲话|聊天)", r"[跟对和]我(?:说话|讲话|聊天)"),
        # "What should you ask me before doing?", of "no new dependencies without my approval".
        (
            r"\byou (?:\w+ )?(?:ask|check with|tell|warn) me (?:\w+ )?(?:before|first)\b",
            r"\b(?:ask|asking|check with|checking with|tell|telling|warn|consult|consulting) me\b"
            r"|\bmy (?:\w+ )?(?:ok(?:ay)?|approval|permission|consent|confirmation)\b",
        ),
        (
            r"语言|哪[国种]?语|什么(?:话|文字)|\blanguage\b",
            r"[中英法德日韩俄]文|西班牙[语文]|[汉英法德日韩俄]语|普通话|粤语|用\s?[A-Z][\w+#]+"
            r"|\b(?:English|Chinese|German|French|Spanish|Japanese)\b",
        ),
    )
)

_EXPLAIN_ZH = re.compile(
    r"(?:[给跟为]我|帮我)(?:再|好好|详细|简单)?(?:讲|说|解释|介绍|分析|翻译|写|列|算|做)(?![了过的])|^(?:请|麻烦)?(?:讲讲|讲一下|解释|介绍|翻译|分析)"
)
_RULE = re.compile(rf"{RULE}|我的?(?:规矩|规则|要求)", re.IGNORECASE)


def standing(one: Compared) -> tuple[list[str], list[Shown]]:
    """The orders and preferences that bind this answer: those that fit, two of each at most; of preferences the best
    where advice is asked for."""
    reading, fits = one.reading, one.fits
    how, words, advice = reading.how, reading.words, reading.want.advice
    lines, shown = [], list[Shown]()
    for role, title, least in (
        ("instruction", words.orders, how.order),
        ("preference", words.prefers, how.preference),
    ):
        ranked = sorted(
            (i for i, row in enumerate(reading.orders) if row.piece.role == role), key=lambda i: -fits[i]
        )
        fitting = [i for i in ranked if fits[i] >= least][: 2 if advice else 1]
        if not fitting and advice:
            fitting = [i for i in ranked[:1] if fits[i] >= least / 2]
        if fitting and (advice or role == "instruction"):
            quoted = [(reading.orders[i], reading.orders[i].text) for i in fitting]
            lines += [title, *compose.lines(words, quoted)]
            shown += quoted
    return lines, shown


def obeyed(one: Compared) -> list[Shown]:
    """The orders that hold most of the question's words, in order of time; none where they hold less than `BOUND` of
    their weight. If none does: the orders that give the name, form or language in question, or, for "my rule about …",
    the order nearest in meaning."""
    reading = one.reading
    given = [i for i, row in enumerate(reading.orders) if row.piece.role == "instruction"]
    weight = {term: share for term, share in reading.weight.items() if term not in _OBEYED}
    held = {i: worth.carried(reading.orders[i].terms, weight) for i in given}
    bound = _BOUND_ZH if asks_how_to_answer(reading.query.text) else BOUND
    least = max(bound, 0.8 * max(held.values(), default=0.0))
    chosen = [i for i in given if held[i] >= least]
    told = [said for asked, said in _KINDS if asked.search(reading.query.text)]
    if not chosen or asks_how_to_answer(reading.query.text):
        chosen = [i for i in given if any(said.search(reading.orders[i].text) for said in told)] or chosen
    if not chosen and _RULE.search(reading.query.text):
        nearest = sorted(given, key=lambda i: -one.fits[i])[:1]
        chosen = [i for i in nearest if one.fits[i] >= reading.how.order / 2]
    said = sorted((reading.orders[i] for i in chosen), key=lambda row: row.exchange)
    return [(row, row.text) for row in said[-reading.how.spans :]]


def of_topic(reading: Reading) -> list[Shown]:
    """The orders that share a word with a request for an explanation, in Chinese: "以后讲语法都带例句" binds every
    explanation of grammar, even of a rule that the conversation never mentions."""
    if not _EXPLAIN_ZH.search(reading.query.text):
        return []
    words = {term for term in reading.weight if len(term) == 2 and PAIR.fullmatch(term)}
    given = (row for row in reading.orders if row.piece.role == "instruction")
    return [(row, row.text) for row in given if not words.isdisjoint(row.terms)][-reading.how.spans :]


def given_up(reading: Reading, quoted: Sequence[Candidate]) -> tuple[list[str], list[Shown]]:
    """Options that were given up and bear on the question, or that a quote names, with their reasons, so that none is
    proposed again."""
    proposed = set().union(*(row.terms for row in quoted if row.piece.role != "excluded"))
    rows = {
        row.exchange: row
        for row in filter(gives_up, reversed(reading.rows))
        if worth.carried(row.terms, reading.weight) >= GIVEN_UP
        or reading.explains(row)
        or not option(row.text.removeprefix(EXCLUDED)).isdisjoint(proposed)
    }
    shown = [(row, row.text) for _, row in sorted(rows.items())][-2:]
    return ([reading.words.excluded, *compose.lines(reading.words, shown)] if shown else []), shown
