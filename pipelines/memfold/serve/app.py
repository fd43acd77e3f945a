"""The HTTP app: `POST /v1/conversations/{id}/probe` and `GET /v1/conversations`. Knows nothing of Ray.

Its own body limit, time limit and queue hold wherever it runs; Ray Serve's stand behind them. Errors are
`{"error": {"message": …, "fields": {…}}}`. It trusts whoever reaches it: keep it on loopback.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from memfold.api import Store
from memfold.errors import SettingError, UserError
from memfold.given import check_least
from memfold.serve.again import Again
from memfold.serve.ahead import Ahead
from memfold.serve.newest import Newest
from memfold.serve.wire import Refused, conversations, parse, probe

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

log = logging.getLogger(__name__)

# A page elsewhere that points its own name at 127.0.0.1 (DNS rebinding) reaches a loopback port through the
# user's browser; it cannot choose the Host header.
_HERE = re.compile(r"(localhost|127\.[0-9.]+|\[::1\])(:[0-9]+)?", re.IGNORECASE)


@dataclass(frozen=True)
class Limits:
    """A body of at most `body_bytes`; an answer, the body's arrival included, within `timeout_s`, and `model_s` on top
    where a model may be waited for; at most `waiting` requests in the queue, those being answered counted: more would
    only time out. While nobody asks, `ahead` texts of the conversation asked last are embedded, 0: none."""

    body_bytes: int = 64 << 10
    timeout_s: float = 10.0
    waiting: int = 64
    model_s: float = 0.0
    ahead: int = 4096

    def __post_init__(self) -> None:
        check_least(self, body_bytes=1, waiting=1, ahead=0)
        if not 0 < self.timeout_s <= 600:
            raise SettingError(
                self, f"timeout_s is {self.timeout_s}: give more than 0 and at most 600 seconds"
            )

    @property
    def answer_s(self) -> float:
        """How long an answer may take in all."""
        return self.timeout_s + self.model_s


class _Anything(Convertor[str]):
    """A conversation's id: any characters, `/` and line feeds among them."""

    regex = r"(?s:.+)"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("anything", _Anything())


class _Queue:
    """Work in the order it came, on threads of its own: one a core where a probe is computation from start to end;
    where it waits for a model, so many that all in the queue may wait at once."""

    def __init__(self, length: int, threads: int) -> None:
        self._length = length
        self.waiting = 0
        self._threads = ThreadPoolExecutor(threads, "probe")

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns; Refused with 429 if the queue is full."""
        if self.waiting >= self._length:
            raise Refused(429, f"{self.waiting} requests are waiting already: try again in a second")
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self.waiting -= 1


def application(newest: Newest, limits: Limits) -> Starlette:
    """The ASGI app over one store."""
    queue = _Queue(limits.waiting, limits.waiting if limits.model_s else os.cpu_count() or 1)
    # What a model says, and what it cost, is another thing each time.
    find = probe if limits.model_s else Again().probe
    ahead = Ahead(newest, limits.ahead, lambda: queue.waiting)

    async def answer(ask: Callable[[Store], BaseModel]) -> Response:
        found = await queue.run(lambda: newest.read(ask))
        return Response(found.model_dump_json(exclude_unset=True), media_type="application/json")

    async def list_conversations(request: Request) -> Response:
        return await answer(conversations)

    async def post_probe(request: Request) -> Response:
        asked = parse(await _body(request, limits))
        conversation_id = request.path_params["conversation_id"]
        found = await answer(lambda store: find(store, conversation_id, asked))
        ahead.asked(conversation_id)
        return found

    app = Starlette(
        routes=[
            Route("/v1/conversations", _door(list_conversations, limits), methods=["GET"]),
            Route(
                "/v1/conversations/{conversation_id:anything}/probe",
                _door(post_probe, limits),
                methods=["POST"],
            ),
        ],
        exception_handlers={HTTPException: _no_route},
    )
    app.router.redirect_slashes = False
    return app


async def _body(request: Request, limits: Limits) -> bytes:
    body = bytearray()
    try:
        async with asyncio.timeout(limits.timeout_s / 2):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limits.body_bytes:
                    raise Refused(413, f"the body is larger than {limits.body_bytes} bytes")
    except TimeoutError:
        raise Refused(408, f"the body did not arrive within {limits.timeout_s / 2:g} s") from None
    return bytes(body)


def _door(endpoint: Endpoint, limits: Limits) -> Endpoint:
    """What holds for every request: from this machine, in time, and an error is JSON that shows no insides."""

    async def respond(request: Request) -> Response:
        """The endpoint's response, or the error as JSON."""
        try:
            if not _HERE.fullmatch(request.headers.get("host", "")):
                raise Refused(403, "only this machine is answered: use http://127.0.0.1 or http://localhost")
            if not _own(request):
                raise Refused(403, "pages of other sites are not answered")
            # Serve's own limit can be lifted by a request's header, so it is not the one that counts.
            async with asyncio.timeout(limits.answer_s):
                return await endpoint(request)
        except TimeoutError:
            why = f"not answered within {limits.answer_s:g} s, perhaps while a long conversation is opened"
            return _refusal(Refused(503, f"{why}: try again"))
        except Refused as refused:
            return _refusal(refused)
        except UserError as error:
            # It stays so until somebody mends it, and 503 says that it passes: clients come back at once, and again.
            return _refusal(Refused(500, f"not answered: {error}"))
        except ClientDisconnect:
            return Response(status_code=499)
        except Exception:
            log.exception("a request failed")
            return _refusal(Refused(500, "this is a bug in memfold; the service's log has the details"))

    return respond


def _own(request: Request) -> bool:
    """Whether no browser sent it on behalf of another site: those say whose page it was."""
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host")


def _refusal(refused: Refused) -> Response:
    headers = {"Retry-After": "1"} if refused.status in (429, 503) else None
    return JSONResponse(refused.body(), refused.status, headers)


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = "there are POST /v1/conversations/{id}/probe and GET /v1/conversations"
    return JSONResponse(Refused(error.status_code, message).body(), error.status_code, error.headers)
