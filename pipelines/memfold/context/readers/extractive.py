"""A reader that writes no word of its own: it answers in quotes of the conversation, or says that nothing answers.

Fixed sentences frame the quotes. They say that quotes contradict each other, how many days lie between their dates,
which value is the newest, and which standing order applies. A sentence is worth more the nearer it is to the question,
by meaning and by rare words, and the higher search ranked its exchange. The reader draws no conclusions: a language
model can, from the same context. Its parts are the modules of `quoting`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memfold.context.readers.quoting import compose, worth
from memfold.context.readers.quoting.answer import answer
from memfold.context.readers.quoting.candidates import headed, quotable
from memfold.context.readers.quoting.compared import EMBEDDED
from memfold.context.readers.quoting.settings import Settings
from memfold.context.readers.unread import unread, words
from memfold.context.types import Answer, Context, Equipped
from memfold.embed.contract import Encode
from memfold.errors import UserError

if TYPE_CHECKING:
    from memfold.llm.generator import Generator


@dataclass(frozen=True)
class Extractive(Settings):
    """The reader; what it is set by, see `Settings`."""

    def equip(self, generator: Generator | None) -> Equipped:
        """See `memfold.context.types.ReaderSettings`. It reads by itself."""
        if generator is not None:
            raise UserError(
                f"the engine is {generator.model}, and this reader asks no model: add reader=model, or leave engine out"
            )
        return Equipped(self)

    def close(self) -> None:
        """Nothing is open."""

    def compared(self, said: Iterable[str], speakers: Collection[str] = ()) -> Iterator[str]:
        """What `read` would embed of some messages: their sentences, without the name of the speaker before them, and
        the words of those sentences."""
        for text in said:
            for sentence, _ in quotable(headed(text, speakers)[1]):
                yield sentence[:EMBEDDED]
                yield from worth.words(sentence).values()

    def read(self, question: str, context: Context, encode: Encode) -> Answer:
        """The answer to `question` from `context` alone; without citations where the evidence is not there.

        `encode` gives unit vectors. It is called once with the sentences considered, and once more with single words
        where a word of the question stands nowhere in the context.
        """
        query, said = context.query(question), words(question, context)
        if answered := unread(query, said, context):
            return answered
        text, shown, support = answer(self, said, query, context, encode)
        usage = {**context.usage, "context_tokens": float(context.tokens), "support": round(support, 4)}
        return Answer(text or said.nothing, compose.citations(shown) if text else (), context, usage)
