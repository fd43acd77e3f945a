"""What goes over the wire: a probe and its answer as JSON, and what is wrong with a probe that is refused.

`probe` is the whole of the service over `memfold.open`'s surface. Knows nothing of HTTP servers or Ray.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from memfold.api import Store
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Citation, Context
from memfold.errors import UnknownConversation, UnknownSpeaker, UserError
from memfold.moment import time_of
from memfold.retrieve.ranking import Hit
from memfold.serve.limits import BUDGET, QUESTION_CHARACTERS, K

# Texts that are embedded ahead between two looks at the clock.
REHEARSED = 16
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class ProbeRequest(BaseModel):
    """A probe. `budget` is in Qwen2.5 tokens, by default the config's; `k` is how many hits are listed; `now` is when
    it is asked in the course of the conversation, `speaker` who of its users asks; `include_context` asks for the
    text."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    question: str = Field(max_length=QUESTION_CHARACTERS)
    budget: int | None = Field(default=None, ge=BUDGET[0], le=BUDGET[1])
    k: int = Field(default=15, ge=K[0], le=K[1])
    now: str | None = None
    speaker: str | None = None
    include_context: bool = False

    @field_validator("question")
    @classmethod
    def _asks_something(cls, question: str) -> str:
        if not question.strip():
            raise PydanticCustomError("empty", "must not be empty")
        return question

    @field_validator("now")
    @classmethod
    def _is_a_time(cls, now: str | None) -> str | None:
        try:
            if now is not None:
                time_of(now, "now")
        except UserError as error:
            raise PydanticCustomError("time", "{said}", {"said": str(error).removeprefix("now=")}) from None
        return now


class _Answered(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class PartShown(_Answered):
    """One section of a context, without its text."""

    label: str
    tokens: int
    exchange_ids: list[int]


class ContextShown(_Answered):
    """A context by its parts; `text` is set, and sent, only if it was asked for."""

    tokens: int
    parts: list[PartShown]
    text: str = ""


class ProbeResponse(BaseModel):
    """`snapshot` is the number of the one that was read; `usage` is `Answer.usage`, tokens and what went wrong with a
    model; `problem`, sent only if there is one, is `Answer.problem`, why the model's answer was of no use; `timings_ms`
    are wall-clock, `total` the sum, and 0 where the service knew the answer (`again`)."""

    answer: str
    citations: tuple[Citation, ...]
    hits: list[Hit]
    context: ContextShown
    snapshot: int
    usage: dict[str, float]
    problem: str = ""
    timings_ms: dict[str, float]


class ConversationShown(_Answered):
    """What the store holds of one conversation. Times are UTC, None where the source named none."""

    conversation_id: str
    exchanges: int
    tokens: int
    first_time: datetime | None
    last_time: datetime | None


class Conversations(BaseModel):
    """The conversations of one snapshot."""

    snapshot: int
    conversations: list[ConversationShown]


class Refused(Exception):
    """A request that is not answered: an HTTP status, one sentence, and what is wrong with which field."""

    def __init__(self, status: int, message: str, fields: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.fields = fields or {}

    def body(self) -> dict[str, object]:
        """The JSON object that the caller gets."""
        error: dict[str, object] = {"message": self.message}
        return {"error": {**error, "fields": self.fields} if self.fields else error}


def parse(body: bytes | dict[str, object]) -> ProbeRequest:
    """The probe in a request's body, or of named values. Refused: 400 for no JSON, 422 for impossible fields."""
    try:
        return (
            ProbeRequest.model_validate(body)
            if isinstance(body, dict)
            else ProbeRequest.model_validate_json(body)
        )
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        if details[0]["type"] == "json_invalid":
            raise Refused(
                400, f"the body is not JSON ({details[0]['msg'].removeprefix('Invalid JSON: ')})"
            ) from None
        if not details[0]["loc"]:
            raise Refused(422, 'the body must be a JSON object, e.g. {"question": "…"}') from None
        fields = {".".join(map(str, detail["loc"])): _complaint(detail) for detail in details}
        wrong = "; ".join(f"{name}: {complaint}" for name, complaint in fields.items())
        raise Refused(422, wrong, fields) from None


def _complaint(detail: ErrorDetails) -> str:
    if detail["type"] == "extra_forbidden":
        return f"unknown; allowed: {', '.join(ProbeRequest.model_fields)}"
    if detail["type"] == "missing":
        return "required"
    return detail["msg"].replace("Input should", "should").replace("String should", "should")


def probe(store: Store, conversation_id: str, request: ProbeRequest) -> ProbeResponse:
    """Answer a probe as `Store.search`, `context` and `ask` do. Refused: there is no such conversation (404)
    or speaker (422)."""
    started = time.perf_counter()
    try:
        found = store.probe(conversation_id, request.question, now=request.now, speaker=request.speaker)
    except UnknownConversation as error:
        raise Refused(404, str(error)) from None
    except UnknownSpeaker as error:
        raise Refused(422, str(error)) from None
    hits = found.hits(request.k)
    searched = time.perf_counter()
    context = found.context(request.budget)
    assembled = time.perf_counter()
    answer = found.answer(request.budget)
    ended = time.perf_counter()
    timings = {
        "search": searched - started,
        "context": assembled - searched,
        "read": ended - assembled,
        "total": ended - started,
    }
    response = ProbeResponse(
        answer=answer.text,
        citations=answer.citations,
        hits=hits,
        context=ContextShown.model_validate(context) if request.include_context else _parts(context),
        snapshot=store.snapshot.number,
        usage=dict(answer.usage),
        timings_ms={name: round(seconds * 1e3, 2) for name, seconds in timings.items()},
    )
    if answer.problem:
        response.problem = answer.problem
    return response


def rehearse(store: Store, ahead_s: float, most: int) -> None:
    """Opens the smallest conversation for a probe: the embedder is then in memory, which takes the first probe 1 s.
    Then opens the conversation with the newest message, and embeds up to `most` texts ahead, for about `ahead_s`
    seconds. No model is asked."""
    known = store.conversations()
    if not known:
        return
    alone = replace(store, means=replace(store.means, translator=None, teller=None))
    smallest = min(known, key=lambda each: each.tokens)
    found = alone.probe(smallest.conversation_id, "What was said first?")
    replace(found, means=replace(found.means, reader=Extractive(), filter=None)).answer(1_000)
    if ahead_s and most:
        until = time.monotonic() + ahead_s
        newest = max(known, key=lambda each: each.last_time or _LONG_AGO)
        # If that conversation is damaged, whoever asks it is told; the others are answered.
        with suppress(Exception):
            # Nobody waits yet, so all cores may work.
            for _ in islice(store.ahead(newest.conversation_id, at_once=REHEARSED), most):
                if time.monotonic() >= until:
                    break


def _parts(context: Context) -> ContextShown:
    return ContextShown(
        tokens=context.tokens, parts=[PartShown.model_validate(part) for part in context.parts]
    )


def conversations(store: Store) -> Conversations:
    """What the snapshot holds."""
    shown = [ConversationShown.model_validate(known) for known in store.conversations()]
    return Conversations(snapshot=store.snapshot.number, conversations=shown)
