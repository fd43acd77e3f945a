"""A budget of tokens and money: what a request may cost is set aside before it is sent.

It is not overrun where the endpoint counts the tokens of all requests alike, whatever its tokenizer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from memfold.errors import UserError
from memfold.llm.generator import Generator, Usage

MILLION = 1_000_000


class BudgetSpent(UserError):
    """The next request could overrun the budget; what was paid for is kept. `asked` says whether anything was."""

    def __init__(self, said: str, asked: bool = True) -> None:
        super().__init__(said, asked)
        self.asked = asked

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass
class Cost:
    """Tokens in and out together, and dollars."""

    tokens: int = 0
    usd: float = 0.0


@dataclass
class Reserved:
    """What is set aside for one request, until what it cost is known."""

    usage: Usage | None = None
    charged: bool = False


@dataclass
class Ledger:
    """What was spent in this process and what is set aside for requests under way. For one thread."""

    generator: Generator
    spent: Cost = field(default_factory=Cost)
    requests: int = 0
    _aside: Cost = field(default_factory=Cost)
    # How many tokens the endpoint counts for one of ours: other tokenizers than Qwen2.5's count more. Until it is
    # known, one request goes out at a time: 64 at once, each with 1.6 times the tokens, overran a budget by 15 %.
    _ratio: float | None = None

    @property
    def bounded(self) -> bool:
        """Whether there is a budget at all."""
        return bool(self.generator.budget_tokens or self.generator.budget_usd)

    def room(self, prompt_tokens: int, longest: int) -> bool:
        """Whether a request can be sent now whose answer has at most `longest` tokens. If not, it may be once others
        are settled; BudgetSpent if never."""
        most = self._most(prompt_tokens, longest)
        self._refuse(most)
        if self.bounded and self._aside.tokens and self._ratio is None:
            return False
        g = self.generator
        tokens = self.spent.tokens + self._aside.tokens + most.tokens
        usd = self.spent.usd + self._aside.usd + most.usd
        return not (g.budget_tokens and tokens > g.budget_tokens) and not (
            g.budget_usd and usd > g.budget_usd
        )

    @contextmanager
    def request(self, prompt_tokens: int, longest: int) -> Iterator[Reserved]:
        """Sets aside the most a request may cost, and settles it when the block ends: by the usage that was set,
        in full if it was `charged` without one, else by nothing. Ask `room` first."""
        most = self._most(prompt_tokens, longest)
        reserved = Reserved()
        self._aside.tokens += most.tokens
        self._aside.usd += most.usd
        try:
            yield reserved
        finally:
            self._aside.tokens -= most.tokens
            self._aside.usd -= most.usd
            if reserved.usage is not None:
                if prompt_tokens:
                    self._ratio = max(self._ratio or 1.0, reserved.usage.prompt / prompt_tokens)
                self._spend(self._price(reserved.usage))
            elif reserved.charged:
                self._spend(most)

    def _most(self, prompt_tokens: int, longest: int) -> Cost:
        return self._price(Usage(int(prompt_tokens * (self._ratio or 1.0)) + 1, longest))

    def _spend(self, cost: Cost) -> None:
        self.requests += 1
        self.spent.tokens += cost.tokens
        self.spent.usd += cost.usd

    def _price(self, usage: Usage) -> Cost:
        g = self.generator
        usd_cached = g.usd_prompt if g.usd_cached is None else g.usd_cached
        prompt = (usage.prompt - usage.cached) * g.usd_prompt + usage.cached * usd_cached
        return Cost(usage.prompt + usage.completion, (prompt + usage.completion * g.usd_completion) / MILLION)

    def _refuse(self, most: Cost) -> None:
        g = self.generator
        if g.budget_tokens and self.spent.tokens + most.tokens > g.budget_tokens:
            budget, used, more = (f"{n:,} tokens" for n in (g.budget_tokens, self.spent.tokens, most.tokens))
            setting = "engine.budget_tokens"
        elif g.budget_usd and self.spent.usd + most.usd > g.budget_usd:
            budget, used, more = f"${g.budget_usd:,.10g}", f"${self.spent.usd:,.4f}", f"${most.usd:,.4f}"
            setting = "engine.budget_usd"
        else:
            return
        if self.spent == Cost():
            raise BudgetSpent(
                f"the budget of {budget} is too small for the next request, which may take {more}: raise {setting}",
                asked=False,
            )
        raise BudgetSpent(f"the budget of {budget} is spent ({used} used; the next request may take {more})")
