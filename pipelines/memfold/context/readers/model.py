"""A reader that asks a model: it answers from the context alone, cites lines of it, says what contradicts itself, and
says so when the context does not hold the answer.

The instructions are `by_model/prompts/answer.md`, the answer's shape is `answer.schema.json`. What a model wrote is
data: what nobody sees and a citation that is not in the context are dropped, an answer that is left without any is
asked for again and then not given. Where there is no valid answer in the language it must be in, the extractive reader
answers, the usage says `fallback` and `problem` why.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from memfold.context.readers.by_model.asking import Asking, Outcome
from memfold.context.readers.by_model.filtering import ModelFilter
from memfold.context.readers.by_model.telling import ModelTeller
from memfold.context.readers.by_model.translating import ModelTranslator
from memfold.context.readers.extractive import Extractive
from memfold.context.readers.unread import unread, words
from memfold.context.tongue import due, named
from memfold.context.types import Answer, Context, Equipped, added
from memfold.embed.contract import Encode
from memfold.errors import SettingError, UserError
from memfold.extract.contract import clean
from memfold.given import check_least
from memfold.llm.answers import Invalid, answered, check_language, check_texts, validator
from memfold.llm.generator import Generation, Generator, Prompt, Task
from memfold.llm.prompts import free_mark, harmless, instructed, language_name, prompt_of
from memfold.text.fences import BLOCK
from memfold.text.language import UNKNOWN, language

INSTRUCTIONS, ANSWER = instructed(Path(__file__).parent / "by_model" / "prompts", "answer", 2)
UNSUPPORTED = "no line that it names is in the record"
SHORTER = "set context.window to what the model takes, or context.budget to less"
ASKED = 2
# Characters; three times as much is not an answer any more.
LONGEST = 6_000
# Things that contradict each other are at least two.
SIDES = 2

_VALIDATOR = validator(ANSWER.schema)

# Numbers in brackets, as a model cites lines: "[12]", "[12, 2024-03-01]". Code and an index ("rows[0]") are none.
_CODE = rf"{BLOCK}|`[^`\n]+`"
_INDEX = r"[A-Za-z0-9_)]\(?(?:\[[^\]\n]*\])+"
_CITED = r"[\[［【]\s*[0-9]+(?:\s*[,，、;；]\s*[0-9][0-9-]*)*\s*[\]］】]"
_MARK = re.compile(
    rf"{_CODE}|{_INDEX}|(?P<first>^)?[ \t]*(?P<mark>{_CITED})(?(first)[ \t]*)", re.DOTALL | re.MULTILINE
)
_NUMBER = re.compile(r"(?<![0-9-])[0-9]+(?![0-9-])")
# So many characters before a mark tell that it was copied from the record with them.
BEFORE = 6
# What is in no language, and where a quote may end.
_NEUTRAL = re.compile(rf"{_CODE}|https?://\S+", re.DOTALL)
_ENDS = re.compile(r"[.,;:!?\n\"“”„«»()。，、；：！？「」『』《》（）]+")


@dataclass(frozen=True)
class ByModel:
    """The choice of a model, the configured engine's, to read contexts and with `filter` to choose the notes in them,
    among the `shown` nearest chunks. With `translate` a question in another language than the conversation's is
    searched in both. With `kinds` it tells the kind of each question (`memfold.retrieve.kinds`).

    An answer has at most `max_tokens` tokens. It is waited for `timeout_s` seconds, a repair included, and kind,
    translation and choice of notes before it as long each. Without a valid answer the extractive reader answers,
    without a choice the nearest notes are read, without a translation the question is searched as it was put, and
    without a kind the rules tell it.
    """

    max_tokens: int = 800
    timeout_s: float = 60.0
    filter: bool = True
    shown: int = 24
    translate: bool = False
    kinds: bool = False

    def __post_init__(self) -> None:
        check_least(self, max_tokens=1)
        if not 1 <= self.shown <= 100:
            raise SettingError(self, f"shown is {self.shown}: give 1 to 100 chunks")
        if not 0 < self.timeout_s <= 600:
            raise SettingError(
                self, f"timeout_s is {self.timeout_s}: give more than 0 and at most 600 seconds"
            )

    def equip(self, generator: Generator | None) -> Equipped:
        """See `memfold.context.types.ReaderSettings`."""
        if generator is None:
            raise UserError(
                "reader=model needs a model: add engine=openai engine.base_url=… engine.model=…, or reader=extractive"
            )
        asking = Asking(generator, self.timeout_s)
        filter = ModelFilter(asking, self.shown) if self.filter else None
        translator = ModelTranslator(asking) if self.translate else None
        teller = ModelTeller(asking) if self.kinds else None
        seconds = self.timeout_s * (1 + self.filter + self.translate + self.kinds)
        return Equipped(ModelReader(asking, self.max_tokens), filter, translator, teller, seconds)


@dataclass(frozen=True)
class Reply:
    """What a valid answer says: `lines` and `sides` are of the context, `sides` are (line, what it says)."""

    text: str
    lines: tuple[int, ...]
    sides: tuple[tuple[int, str], ...]


NOTHING = Reply("", (), ())


@dataclass(frozen=True)
class ModelReader:
    """A reader (`memfold.context.types.Reader`)."""

    asking: Asking
    max_tokens: int

    @cached_property
    def task(self) -> Task:
        """The kind of request, with the longest answer that was configured."""
        return replace(ANSWER, max_tokens=self.max_tokens)

    def read(self, question: str, context: Context, encode: Encode) -> Answer:
        """The answer to `question`; without citations where the context does not hold it. UserError where the user must
        mend something: a wrong key, a model that is not there, a spent budget."""
        said = words(question, context)
        if answered := unread(context.query(question), said, context):
            return answered
        known = {line for part in context.parts for line in part.exchange_ids}
        asked = self._asked(question, context, known) if known else Outcome(NOTHING, {})
        usage = {**added(context.usage, asked.usage), "context_tokens": float(context.tokens)}
        if asked.value is None and asked.problem != UNSUPPORTED:
            answer = Extractive().read(question, context, encode)
            return replace(answer, usage={**answer.usage, **usage, "fallback": 1.0}, problem=asked.problem)
        if asked.value is None:
            usage["unsupported"] = 1.0
        if asked.value is None or not asked.value.lines:
            return Answer(said.nothing, (), context, usage, asked.problem)
        return Answer(_text(asked.value), tuple(map(context.cite, asked.value.lines)), context, usage)

    def _asked(self, question: str, context: Context, known: Collection[int]) -> Outcome[Reply]:
        return self.asking.answer(
            lambda problem: prompted(
                question, context.text, named(question, context), self.task, problem, context.labels
            ),
            lambda made: judged(made, question, context, known),
            ASKED,
            shorter=SHORTER,
        )

    def compared(self, said: Iterable[str], speakers: Collection[str] = ()) -> Iterator[str]:
        """Nothing: the model reads the context as it is."""
        return iter(())

    def close(self) -> None:
        """Let go of the model; the next question opens it again."""
        self.asking.close()


def prompted(
    question: str,
    record: str,
    tongue: str,
    task: Task = ANSWER,
    problem: str = "",
    labels: Mapping[str, str] = MappingProxyType({}),
) -> Prompt:
    """The request: the record, which is a context's text, and the question. `tongue` is the language to answer in ("":
    as it likes), and `problem` what was wrong with the answer before, in words of this project. `labels` are those that
    a template shows for the sections' own.

    The record's own structure cannot be forged (see `memfold.context.page`), its place in the request neither. What
    comes first is the same for every question, so that a server's prefix cache serves it: the mark too, unless a text
    holds it.
    """
    mark = free_mark([question, record], stable=True)
    instructions = INSTRUCTIONS
    for label, shown in labels.items():
        instructions = instructions.replace(f'"{label}"', f'"{shown}"')
    lines = [
        f"{mark} record",
        harmless(record),
        f"{mark} question",
        harmless(question),
        f"{mark} end" + (f", answer in {tongue} unless a standing order says otherwise" if tongue else ""),
    ]
    return prompt_of(instructions, lines, task, problem=problem)


def judged(made: Generation, question: str, context: Context, known: Collection[int]) -> Reply:
    """`reply` to a question; Invalid too if what it says in its own words is in another language than it must be."""
    found = reply(made, known, context.text)
    wanted = due(question, context)
    said = "\n".join([found.text, *(says for _, says in found.sides)])
    parts = (part.strip() for part in _ENDS.split(_NEUTRAL.sub("\n", said)))
    own = " ".join(part for part in parts if part not in context.text)
    if wanted is not None and language(own) != UNKNOWN:
        try:
            check_language(own, wanted, [question])
        except Invalid:
            raise Invalid(
                f"it was not in {language_name(wanted) or 'the language of the question'}"
            ) from None
    return found


def reply(made: Generation, known: Collection[int], record: str = "") -> Reply:
    """What an answer says of the lines in `known`, in their order; no lines where it says that there is nothing. In its
    text, numbers in brackets that are none of its lines and not copied from the `record` are taken out.

    Invalid if it is no answer, or if it rests on no line that is known.
    """
    value = answered(made.text, made.finish_reason, _VALIDATOR)
    text = clean(value["answer"]).strip()
    said = [(int(side["line"]), " ".join(clean(side["says"]).split())) for side in value["contradiction"]]
    check_texts([(text, LONGEST), *((says, LONGEST) for _, says in said)], [])
    said = [(line, _cited(says, {line}, record)) for line, says in said]
    sides = tuple(dict.fromkeys((line, says) for line, says in said if line in known and says))
    if len(sides) < SIDES:
        sides = ()
    if not value["found"] and not sides:
        return NOTHING
    carried = {*map(int, value["lines"]), *(line for line, _ in sides)}.intersection(known)
    text = _cited(text, carried, record)
    if not text and not sides:
        raise Invalid("it said nothing")
    if not carried:
        raise Invalid(UNSUPPORTED)
    return Reply(text, tuple(sorted(carried)), sides)


def _cited(text: str, lines: Collection[int], record: str) -> str:
    """`text` without the numbers in brackets that are none of `lines` and not copied from the `record`."""
    numbers = set(map(str, lines))

    def kept(found: re.Match[str]) -> str:
        """What of a match stays in the text."""
        mark = found["mark"]
        if mark is None:
            return found[0]
        line = text[: found.start("mark")].rpartition("\n")[2]
        copied = len(line) >= BEFORE and line[-BEFORE:] + mark in record
        cited = _NUMBER.findall(mark)
        known = [number for number in cited if number in numbers]
        if copied or line.rstrip().endswith("=") or (known == cited and "-" not in mark):
            return found[0]
        return found[0].replace(mark, f"[{', '.join(known)}]") if known else ""

    return _MARK.sub(kept, text).strip()


def _text(found: Reply) -> str:
    """The answer with the numbers of its lines behind it; the sides of a contradiction below it, each with its own."""
    own = {line for line, _ in found.sides}
    marks = "".join(f"[{line}]" for line in found.lines if line not in own)
    first = " ".join(part for part in (found.text, marks) if part)
    return "\n".join([*([first] if first else []), *(f"- {says} [{line}]" for line, says in found.sides)])
