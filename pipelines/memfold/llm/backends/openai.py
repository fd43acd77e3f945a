"""A model behind any OpenAI-compatible endpoint, or several of them: vLLM's servers, a hosted API, a proxy. Speaks
HTTP, knows no store."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import orjson

from memfold.errors import SettingError, UserError
from memfold.llm.generator import Complete, Generation, Generator, Prompt, Refused, Transient, Usage
from memfold.llm.pool import Pool
from memfold.text import tokens

# An answer of `max_tokens` tokens is a few kilobytes: an endpoint that sends megabytes is not one.
MAX_BYTES = 4 << 20
# Characters of an endpoint's words about a refused request that are worth a line.
SAID = 300
CONNECT_S = 10.0
# An engine that is not there gets nothing for so long, if there are others: a restart takes longer, and asking once in
# a while costs nothing. One that lost a connection may be: if it is not, the next try is refused.
REST_S = 2.0
# An answer that says it took more says nothing: budgets are reckoned from this.
MOST_TOKENS = 1 << 31
# Statuses that speak of the moment and not of the request.
MOMENTARY = frozenset((408, 409, 425, 429))
# Requests come too fast. But for OpenAI it is also the status of an account that cannot pay, with this code.
LIMITED = 429
NO_QUOTA = "insufficient_quota"
# What a proxy says of an engine that is not there. It says so at once: without a rest, the engine would always be the
# idlest, and get all requests.
ABSENT = frozenset((502, 503, 504))
# What a gateway says that waited too long: the engine behind it may have written all the same, and is paid for that.
# One that says so sooner has not waited: its engine is only starting, or gone.
LATE, LATE_S = frozenset((504, 524)), 5.0


@dataclass(frozen=True, kw_only=True)
class OpenAI(Generator):
    """`base_url` ends before /chat/completions; several, with spaces between them, are engines of one pool. The key
    is read from the environment variable `api_key_env` (none there: none is sent). `timeout_s` is for one whole
    answer, however slowly it trickles. An endpoint does not say which weights it serves under a name: where that
    changes, name another `revision` (any word), or what the former ones answered counts for these too."""

    base_url: str
    revision: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 120.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for url in self.urls or [""]:
            if not _is_address(url):
                # There may be a password before the @, and a key behind the path.
                shown = re.sub(r"^(\w+://)?\S*@|[?#].*", r"\1", url)
                raise SettingError(self, f"base_url is {shown!r}: give an http:// or https:// address")
        if self.timeout_s <= 0:
            raise SettingError(self, f"timeout_s is {self.timeout_s}: give more than 0 seconds")

    @property
    def urls(self) -> list[str]:
        """The addresses of the endpoints, one engine each."""
        return self.base_url.split()

    @property
    def address(self) -> str:
        """The endpoints, and the setting that names them."""
        return f"engine.base_url={' '.join(map(_shown, self.urls))}"

    @property
    def width(self) -> int:
        """How many requests all endpoints take at once."""
        return self.concurrency * len(self.urls)

    @property
    def identity(self) -> tuple[str, ...]:
        """The model's name and its revision: nothing more is known of weights behind an endpoint."""
        return (self.model, self.revision)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Complete]:
        """The connections to all endpoints, open while the block lasts."""
        key = os.environ.get(self.api_key_env, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise UserError(
                f"the key in the environment variable {self.api_key_env} has characters that no key has"
            )
        bearer = {"Authorization": f"Bearer {key}"} if key else {}
        async with aiohttp.ClientSession(
            headers={"Content-Type": "application/json", **bearer},
            timeout=aiohttp.ClientTimeout(total=self.timeout_s, sock_connect=self._connect_s),
            connector=aiohttp.TCPConnector(limit=self.width),
        ) as client:
            # Looked up once: left to the client, each request reads the environment and ~/.netrc again, in a thread,
            # which costs half as much as sending it (0.4 of 0.75 s of CPU for 778 requests).
            engines = [(url, _proxy(url)) for url in self.urls]
            yield partial(self._complete, client, Pool(engines, self.concurrency))

    @property
    def _connect_s(self) -> float:
        # Less than for the whole, or it could not be told whether the request was sent.
        return min(CONNECT_S, self.timeout_s / 2)

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """The request as it is sent."""
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": role, "content": content} for role, content in prompt.messages],
            "temperature": self.temperature,
            "max_tokens": self.longest(prompt.task),
        }
        if self.frequency_penalty:
            asked["frequency_penalty"] = self.frequency_penalty
        if self.structured and prompt.task.schema is not None:
            asked["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": prompt.task.name, "schema": prompt.task.schema},
            }
        return asked

    async def _complete(
        self, client: aiohttp.ClientSession, pool: Pool[tuple[str, str | None]], prompt: Prompt
    ) -> Generation:
        async with pool.engine(prompt.conversation_id) as engine:
            try:
                return await self._completed(client, *engine, prompt)
            except Transient as error:
                if error.gone:
                    pool.rest(engine, REST_S)
                raise

    async def _completed(
        self, client: aiohttp.ClientSession, url: str, proxy: str | None, prompt: Prompt
    ) -> Generation:
        address, shown, began = f"{url.rstrip('/')}/chat/completions", _shown(url), time.monotonic()
        try:
            body = orjson.dumps(self.body(prompt))
        except orjson.JSONEncodeError:
            raise Refused("the request is no Unicode text") from None
        try:
            async with client.post(address, data=body, proxy=proxy, allow_redirects=False) as answer:
                content = b""
                async for part in answer.content.iter_any():
                    content += part
                    if len(content) > MAX_BYTES:
                        raise Transient(f"an answer of more than {MAX_BYTES} bytes", paid=True)
        except aiohttp.ConnectionTimeoutError:
            raise Transient(f"no connection within {self._connect_s:g} s", gone=True) from None
        except TimeoutError:
            raise Transient(f"no answer within {self.timeout_s:g} s", paid=True) from None
        except aiohttp.ClientConnectorCertificateError as error:
            raise UserError(
                f"the certificate of {shown} is not trusted here ({error.certificate_error}): name a file of those "
                "that are in SSL_CERT_FILE"
            ) from None
        except aiohttp.ClientHttpProxyError as error:
            if error.status == 407:
                raise UserError(
                    f"the proxy before {shown} wants a name and a password: put them into the address that "
                    "HTTP_PROXY or HTTPS_PROXY gives"
                ) from None
            raise Transient(f"no connection (the proxy says {error.status})", gone=True) from None
        except aiohttp.ClientConnectorError as error:
            raise Transient(f"no connection ({error.strerror or type(error).__name__})", gone=True) from None
        except ValueError as error:
            why = (
                "" if isinstance(error, aiohttp.InvalidURL) else f": {error}"
            )  # that one quotes the whole URL
            raise UserError(f"engine.base_url={shown!r} is no address{why}") from None
        except (aiohttp.ClientError, OSError):
            raise Transient("the connection was lost", paid=True) from None
        if answer.status != 200:
            waited = time.monotonic() - began
            self._refuse(url, answer.status, answer.headers.get("retry-after"), content, waited)
        return _generation(content, prompt)

    def _refuse(
        self, url: str, status: int, retry_after: str | None, content: bytes, waited_s: float
    ) -> None:
        shown, said = _shown(url), _said(content)
        words = f"HTTP {status}{said and f', {said!r}'}"
        if status == 402 or (status == LIMITED and _names(content, NO_QUOTA)):
            raise UserError(
                f"{shown} answers {words}: the account behind the key cannot pay; what was answered before is kept: "
                "run the job again when it can"
            )
        if status in (401, 403):
            raise UserError(
                f"{shown} answers {words}: set the key in the environment variable {self.api_key_env}, or have it "
                "allowed to use the model; what was answered before is kept"
            )
        if status in (404, 405) or 300 <= status < 400:
            raise UserError(
                f"{shown} answers {status}: there is no model {self.model!r} at that address "
                "(engine.base_url ends before /chat/completions)"
            )
        if status in MOMENTARY or status >= 500:
            raise Transient(
                f"HTTP {status}",
                wait=_seconds(retry_after),
                gone=status in ABSENT,
                limited=status == LIMITED,
                paid=status in LATE and waited_s >= LATE_S,
                said=words,
            )
        if status < 400:
            raise Transient(f"HTTP {status}, which the protocol does not know", paid=True)
        raise Refused(f"the request was refused (HTTP {status})", words)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _shown(url: str) -> str:
    """An address without what may be secret in it: a name and a password, and what follows its path."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _proxy(url: str) -> str | None:
    """The proxy that the environment names for `url` (`HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`)."""
    parts = urlsplit(url)
    named = getproxies()
    proxy = named.get(parts.scheme) or named.get("all")
    if proxy is None or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if not _is_address(proxy):
        raise UserError(
            f"the proxy that the environment names for {_shown(url)} has no http:// address: correct "
            f"{parts.scheme.upper()}_PROXY or ALL_PROXY, or name the host in NO_PROXY"
        )
    return proxy


def _generation(content: bytes, prompt: Prompt) -> Generation:
    """What an answer's body holds. One that is not of the protocol came from something between: try again."""
    try:
        answer = json.loads(content)
        choice = answer["choices"][0]
        text, reason = choice["message"]["content"] or "", choice["finish_reason"] or "none"
        usage = answer.get("usage") or {}
        details = usage.get("prompt_tokens_details") or {}
        if not (isinstance(text, str) and isinstance(reason, str)):
            raise TypeError
        prompted, completed, cached = (
            _tokens(said)
            for said in (
                usage.get("prompt_tokens"),
                usage.get("completion_tokens"),
                details.get("cached_tokens"),
            )
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise Transient("an answer that is not of the protocol", paid=True) from None
    prompted = prompt.tokens if prompted is None else prompted
    completed = tokens.count(text) if completed is None else completed
    return Generation(text, reason, Usage(prompted, completed, min(cached or 0, prompted)))


def _said(content: bytes) -> str:
    """What an endpoint says about a request it refuses, in a line of up to `SAID` characters: the message of the
    protocol's error, or the body as it is."""
    try:
        answer: Any = json.loads(content)
        while isinstance(answer, dict):
            answer = next(answer[name] for name in ("error", "message", "detail") if name in answer)
        text = answer if isinstance(answer, str) else str(answer)
    except (ValueError, StopIteration, RecursionError):
        text = content[: 4 * SAID].decode(errors="replace")
    return " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * SAID]).split())[:SAID]


def _names(content: bytes, code: str) -> bool:
    """Whether the protocol's error has this code; its message may say anything, also what was asked."""
    try:
        error = json.loads(content)["error"]
        return code in (error.get("code"), error.get("type"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _tokens(said: Any) -> int | None:
    """How many an endpoint says they were; None where it says nothing that can be."""
    return int(said) if isinstance(said, int | float) and 0 <= said <= MOST_TOKENS else None


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
