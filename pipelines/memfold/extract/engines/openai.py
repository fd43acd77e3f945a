"""A model behind any OpenAI-compatible endpoint: vLLM's server, a hosted API, a proxy. Speaks HTTP, knows no store."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any

import httpx

from memfold import tokens
from memfold.errors import UserError
from memfold.extract.generate import Complete, Generation, Generator, Refused, Transient, Usage
from memfold.extract.prompts import SCHEMA, Prompt

# An answer of `max_tokens` tokens is a few kilobytes: an endpoint that sends megabytes is not one.
MAX_BYTES = 4 << 20
CONNECT_S = 10.0
# Statuses that speak of the moment and not of the request.
MOMENTARY = frozenset((408, 409, 425, 429))


@dataclass(frozen=True, kw_only=True)
class OpenAI(Generator):
    """`base_url` ends before /chat/completions; the key is read from the environment variable `api_key_env`
    (none there: none is sent). `timeout_s` is for one whole answer, however slowly it trickles."""

    base_url: str
    api_key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 120.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.base_url.startswith(("http://", "https://")):
            raise UserError(f"engine.base_url={self.base_url!r}: use an http:// or https:// address")
        if self.timeout_s <= 0:
            raise UserError(f"engine.timeout_s={self.timeout_s}: use more than 0")

    def session(self) -> AbstractAsyncContextManager[Complete]:
        return self._session()

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[Complete]:
        key = os.environ.get(self.api_key_env, "")
        async with httpx.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx.Timeout(self.timeout_s, connect=min(CONNECT_S, self.timeout_s)),
            limits=httpx.Limits(max_connections=self.concurrency, max_keepalive_connections=self.concurrency),
        ) as client:
            yield partial(self._complete, client)

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The request as it is sent."""
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": role, "content": content} for role, content in prompt.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }
        if self.structured:
            asked["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "extraction", "schema": SCHEMA},
            }
        return asked

    async def _complete(self, client: httpx.AsyncClient, prompt: Prompt) -> Generation:
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        try:
            async with (
                asyncio.timeout(self.timeout_s),
                client.stream("POST", url, json=self.body(prompt)) as answer,
            ):
                content = b""
                async for part in answer.aiter_bytes():
                    content += part
                    if len(content) > MAX_BYTES:
                        raise Transient(f"an answer of more than {MAX_BYTES} bytes", paid=True)
        except (TimeoutError, httpx.TimeoutException) as error:
            sent = not isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout)
            raise Transient(f"no answer within {self.timeout_s:g} s", paid=sent) from None
        except httpx.TransportError as error:
            refused = isinstance(error, httpx.ConnectError)
            raise Transient(
                "no connection" if refused else "the connection was lost", paid=not refused
            ) from None
        except httpx.InvalidURL as error:
            raise UserError(f"engine.base_url={self.base_url!r} is no address: {error}") from None
        if answer.status_code != 200:
            self._refuse(answer.status_code, answer.headers.get("retry-after"))
        return _generation(content, prompt)

    def _refuse(self, status: int, retry_after: str | None) -> None:
        if status in (401, 403):
            raise UserError(
                f"{self.base_url} answers {status}: set the key in the environment variable {self.api_key_env}"
            )
        if status in (404, 405) or 300 <= status < 400:
            raise UserError(
                f"{self.base_url} answers {status}: there is no model {self.model!r} at that address "
                "(engine.base_url ends before /chat/completions)"
            )
        if status in MOMENTARY or status >= 500:
            raise Transient(f"HTTP {status}", wait=_seconds(retry_after))
        raise Refused(f"the request was refused (HTTP {status})")


def _generation(content: bytes, prompt: Prompt) -> Generation:
    """What an answer's body holds. One that is not of the protocol came from something between: try again."""
    try:
        answer = httpx.Response(200, content=content).json()
        choice = answer["choices"][0]
        text, reason = choice["message"]["content"] or "", choice["finish_reason"] or "none"
        usage = answer.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        if not (isinstance(text, str) and isinstance(reason, str)):
            raise TypeError
        prompted, completed = usage.get("prompt_tokens"), usage.get("completion_tokens")
        counted = Usage(
            prompt.tokens if prompted is None else int(prompted),
            tokens.count(text) if completed is None else int(completed),
            int(details.get("cached_tokens") or 0),
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        raise Transient("an answer that is not of the protocol", paid=True) from None
    return Generation(text, reason, counted)


def _seconds(retry_after: str | None) -> float | None:
    """A Retry-After header, in seconds: it holds seconds or a date."""
    if retry_after is None:
        return None
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
