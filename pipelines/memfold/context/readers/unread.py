"""What any reader answers without reading: to small talk, and where a context has no room for a line."""

from __future__ import annotations

from memfold.context.readers.quoting.frames import Frame, frame
from memfold.context.tongue import answer_in
from memfold.context.types import Answer, Context
from memfold.retrieve.query import Query


def words(question: str, context: Context) -> Frame:
    """What memfold itself says, in the language that the user wants, or asks in."""
    return frame(answer_in(question, context))


def unread(query: Query, said: Frame, context: Context) -> Answer | None:
    """The answer to small talk, or that no line fits into the budget; None for what a reader has to answer."""
    if query.typed.kind == "smalltalk":
        text = said.idle
    elif context.left_out and not context.parts:
        text = said.no_room.format(budget=context.budget)
    else:
        return None
    return Answer(text, (), context, {**context.usage, "context_tokens": float(context.tokens)})
