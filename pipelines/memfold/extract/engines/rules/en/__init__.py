"""What English sentences give as notes and leave out of a summary; `rule.py` says how a table of rules is read.

This gathers what the reader of rules needs of a language, which for Chinese is all in `zh.py`.
"""

from __future__ import annotations

from memfold.extract.engines.rules.en import at_work, notes, orders, pairs, wishes
from memfold.extract.engines.rules.en.clauses import CLAUSES
from memfold.extract.engines.rules.en.feelings import FEELING, JUDGING, POLARITY, TURNED
from memfold.extract.engines.rules.en.summary import BARE, NOISE, OPENING, closes
from memfold.extract.engines.rules.en.wording import CHEERS
from memfold.extract.engines.rules.rule import Rule

__all__ = [
    "BARE",
    "CHEERS",
    "CLAUSES",
    "FEELING",
    "JUDGING",
    "NOISE",
    "OPENING",
    "POLARITY",
    "RULES",
    "TURNED",
    "closes",
]

# Of the rules of a kind the first that finds something wins.
RULES: tuple[Rule, ...] = (*orders.RULES, *wishes.RULES, *at_work.RULES, *pairs.RULES, *notes.RULES)
