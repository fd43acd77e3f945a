"""What a generator is: something that completes one request, once. And the ways it can fail.

A generator is a model behind an endpoint or on a cluster, with its settings. It does not know what is asked or
why, keeps nothing and tries nothing twice: `memfold.llm.asker` does that, the same for all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from memfold.digest import digest
from memfold.errors import SettingError
from memfold.given import check_least
from memfold.text import tokens

# Qwen2.5's template: <|im_start|>, the role, a newline, <|im_end|>, a newline; and the same to open the answer.
TEMPLATE_TOKENS = 5


@dataclass(frozen=True, slots=True)
class Task:
    """A kind of request. `version` is the hash of all that its requests have in common (instructions, schema, how
    they are rendered), `schema` the JSON schema of its answers (None: they are free text), `max_tokens` the longest
    answer (None: the generator's setting, and half as much again for each of its `entries` but the first)."""

    name: str
    version: str
    schema: Mapping[str, Any] | None
    max_tokens: int | None = None
    entries: int = 1


@dataclass(frozen=True, slots=True)
class Prompt:
    """One request: its messages as (role, content), what kind it is, and the conversation it is about, whose
    requests share what an engine has cached."""

    messages: tuple[tuple[str, str], ...]
    task: Task
    conversation_id: str = ""

    @property
    def tokens(self) -> int:
        """The tokens of the request, with the handful a chat template puts around each message."""
        return sum(tokens.count(content) + TEMPLATE_TOKENS for _, content in self.messages) + TEMPLATE_TOKENS


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the generator counted them; `cached` of the prompt's were found in a prefix cache."""

    prompt: int
    completion: int
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Generation:
    """What a model wrote, and why it stopped: "stop", "length" or what else the endpoint calls it."""

    text: str
    finish_reason: str
    usage: Usage

    def __post_init__(self) -> None:
        # JSON may hold half of a surrogate pair, which no table takes: what is judged must be what is kept.
        for name in ("text", "finish_reason"):
            object.__setattr__(self, name, getattr(self, name).encode(errors="replace").decode())


class Transient(Exception):
    """No answer this time: try again, after `wait` seconds if the generator asked for that. `paid` says that the
    model may have run all the same (a timeout, a lost connection), so its tokens count. `gone` says that the engine
    was not reached or was lost, so another one may answer. `limited` says that requests come too fast. `said` is in the
    endpoint's words, as in `Refused`."""

    def __init__(
        self,
        reason: str,
        *,
        wait: float | None = None,
        paid: bool = False,
        gone: bool = False,
        limited: bool = False,
        said: str = "",
    ) -> None:
        super().__init__(reason)
        self.wait = wait
        self.paid = paid
        self.gone = gone
        self.limited = limited
        self.said = said


class Refused(Exception):
    """This request will never be answered (too long, filtered); another may be. `str` says so in this project's
    words. `said` says so in the endpoint's, which may quote the conversation: it is meant for people and goes into
    no request."""

    def __init__(self, reason: str, said: str = "") -> None:
        super().__init__(reason)
        self.said = said


# Digits of a key that say whose it is. Two conversations of one beginning are two neighbours more.
_OWNER = 8


def key_of(conversation_id: str, asked: str) -> str:
    """The key of a generation, 32 hex digits: whose it is, and the hash of what was asked."""
    owner = digest(conversation_id.encode(errors="replace").decode())[:_OWNER]
    return owner + asked[: len(asked) - _OWNER]


Complete = Callable[[Prompt], Awaitable[Generation]]


@dataclass(frozen=True, kw_only=True)
class Generator(ABC):
    """The settings every generator has. `model` is the name results are kept under: the same weights at another
    address are the same model.

    `history_tokens` and `assistant_tokens` bound the windows, `max_tokens` an answer. One request is about up to
    `together` short exchanges. On each of its engines `concurrency` requests are under way at once, of all processes
    together, each tried again up to `retries` times after about `backoff_s`, doubled each time. `frequency_penalty`
    keeps small models from turning in circles. A budget of 0 is none; a price is in US dollars for a million tokens, of
    cached ones None: the same as of others. `fallback` lets the rules answer where the model does not; without it such
    an exchange is a dead letter.
    """

    model: str
    history_tokens: int = 256
    assistant_tokens: int = 512
    max_tokens: int = 800
    together: int = 6
    temperature: float = 0.0
    frequency_penalty: float = 0.0
    structured: bool = True
    fallback: bool = True
    concurrency: int = 64
    retries: int = 5
    backoff_s: float = 0.5
    budget_tokens: int = 0
    budget_usd: float = 0.0
    usd_prompt: float = 0.0
    usd_cached: float | None = None
    usd_completion: float = 0.0

    def __post_init__(self) -> None:
        if not self.model:
            raise SettingError(self, "model is empty: name the model, as its endpoint calls it")
        check_least(self, max_tokens=1, together=1, concurrency=1, retries=0, backoff_s=0, temperature=0)
        check_least(self, history_tokens=0, assistant_tokens=0)
        check_least(self, budget_tokens=0, budget_usd=0, usd_prompt=0, usd_completion=0)
        if self.budget_usd and not (self.usd_prompt or self.usd_completion):
            raise SettingError(
                self,
                "budget_usd needs the prices engine.usd_prompt and engine.usd_completion, in dollars for a million "
                "tokens",
            )

    @property
    def generator(self) -> Generator:
        """This generator. A configuration may name an engine or a generator, and both say whom they ask."""
        return self

    @property
    def checkpoint(self) -> str | None:
        """The folder or hub name of the weights that are loaded here; None for weights behind an endpoint."""
        return None

    @property
    def address(self) -> str:
        """Where its endpoint is and the setting that says so, for errors; nothing where it has none."""
        return ""

    @property
    def width(self) -> int:
        """How many requests all its engines take at once; several processes share these places."""
        return self.concurrency

    def longest(self, task: Task) -> int:
        """The longest answer to such a request, in tokens."""
        if task.max_tokens is not None:
            return task.max_tokens
        # Six short exchanges with three facts and two notes each are 780 tokens: as long as one answer may be.
        return self.max_tokens * (1 + task.entries) // 2

    def sampling(self, task: Task) -> dict[str, Any]:
        """What an answer depends on besides the model and the request."""
        return {
            "temperature": self.temperature,
            "frequency_penalty": self.frequency_penalty,
            "max_tokens": self.longest(task),
            "structured": self.structured,
        }

    @property
    def identity(self) -> tuple[str, ...]:
        """Which weights answer, and in what form: whatever changes answers and is no request's. By default the name."""
        return (self.model,)

    def signed(self, kind: str, task: Task, *settings: Any) -> str:
        """What rows say of whoever made them by asking this generator: the kind of rows and how answers are judged,
        the model, the prompt, and the hash of all else that they depend on, `settings` among it."""
        rest = digest(self.identity, self.sampling(task), *settings)
        return f"{kind}/{self.model}/{task.version}/{rest[:8]}"

    def key(self, prompt: Prompt) -> str:
        """What the generation for `prompt` is kept under, 32 hex digits: the hash of the conversation, then that of
        weights, prompt version and schema, sampling, and the request's messages.

        So the keys of a conversation are neighbours, and what is asked about together lies in a few pages of an index:
        1,024 keys were looked up among a million in 7 ms, and in 93 ms where they lay anywhere.
        """
        asked = ("generation-2", self.identity, prompt.task.version, self.sampling(prompt.task))
        return key_of(prompt.conversation_id, digest(*asked, prompt.messages))

    def counted(self) -> Generator:
        """This generator with the number of its engines filled in. May connect to a cluster to count them; raises
        UserError if there are none."""
        return self

    @abstractmethod
    def session(self) -> AbstractAsyncContextManager[Complete]:
        """Opens whatever is needed to complete requests, for as long as the block lasts.

        The function it gives completes one request; it raises Transient, Refused, or UserError where no request
        will ever be answered (a wrong key, a model that is not there).
        """
