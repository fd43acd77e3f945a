"""Which requests calibrate, in which order, and how they are cut into windows of one length.

Everything is drawn by a seed from digests of what is drawn, so the order in which samples come does not matter. Knows
tokens as numbers and no tokenizer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from memfold.digest import digest
from memfold.errors import SettingError, UserError


@dataclass(frozen=True)
class Sample:
    """One text as tokens, and the stratum it is of. `recorded` says that an answer of the model stands at its end."""

    stage: str
    language: str
    conversation_id: str
    tokens: tuple[int, ...]
    recorded: bool = False

    @cached_property
    def digest(self) -> str:
        """The hash of its tokens."""
        return digest(self.tokens)


@dataclass(frozen=True)
class Calibration:
    """How much is calibrated on: `windows` of `tokens` tokens each, of which the share `general` is general text, the
    files of the folder `text` (empty: the topics of Python's own documentation). `seed` draws, `held` is the share of
    the conversations that is kept for the gate."""

    windows: int = 128
    tokens: int = 2048
    general: float = 0.25
    text: str = ""
    seed: int = 0
    held: float = 0.25

    def __post_init__(self) -> None:
        if self.windows < 1:
            raise SettingError(
                self, f"windows is {self.windows}: give 1 or more, 128 for a checkpoint to use"
            )
        if not 64 <= self.tokens <= 32_768:
            raise SettingError(self, f"tokens is {self.tokens}: give 64 to 32768, 2048 as a rule")
        if not 0 <= self.general < 1:
            raise SettingError(self, f"general is {self.general}: give a share from 0 to less than 1")
        if not 0 < self.held < 1:
            raise SettingError(self, f"held is {self.held}: give a share between 0 and 1, such as 0.25")

    @property
    def general_windows(self) -> int:
        """How many of the windows are general text."""
        return round(self.windows * self.general)


@dataclass(frozen=True)
class Windows:
    """Windows of one length, and the samples they were cut from."""

    windows: tuple[tuple[int, ...], ...]
    samples: tuple[Sample, ...]
    clipped: int
    left_over: int

    def counts(self) -> dict[str, dict[str, int]]:
        """How many samples and tokens, by stage, language and conversation (of which only how many there are)."""
        return {
            "stages": dict(sorted(Counter(one.stage for one in self.samples).items())),
            "languages": dict(sorted(Counter(one.language for one in self.samples).items())),
            "totals": {
                "windows": len(self.windows),
                "tokens": sum(map(len, self.windows)),
                "samples": len(self.samples),
                "conversations": len({one.conversation_id for one in self.samples} - {""}),
                "recorded": sum(one.recorded for one in self.samples),
                "clipped": self.clipped,
                "left_over_tokens": self.left_over,
            },
        }


def divided(conversations: Iterable[str], held: float, seed: int) -> tuple[list[str], list[str]]:
    """The conversations to calibrate on and those for the gate, at least one each. UserError where there is one."""
    drawn = sorted(set(conversations), key=lambda one: (digest(seed, "held", one), one))
    if len(drawn) < 2:
        raise UserError(
            f"store.root holds {len(drawn)} conversations: index at least 2, to calibrate on one and judge by another"
        )
    count = min(max(1, round(len(drawn) * held)), len(drawn) - 1)
    return drawn[count:], drawn[:count]


def ordered(samples: Iterable[Sample], seed: int) -> list[Sample]:
    """The samples in an order of which every beginning is as even as it can be: next comes one of the stage and
    language that has the fewest tokens so far, and of that the conversation whose turn it is; no text twice."""
    strata: dict[tuple[str, str], dict[str, list[Sample]]] = {}
    for one in {one.digest: one for one in sorted(samples, key=_place)}.values():
        strata.setdefault((one.stage, one.language), {}).setdefault(one.conversation_id, []).append(one)
    queues = {stratum: _turns(by, seed) for stratum, by in sorted(strata.items())}
    taken = dict.fromkeys(queues, 0)
    result = []
    while queues:
        stratum = min(queues, key=lambda one: (taken[one], one))
        sample = queues[stratum].pop()
        taken[stratum] += len(sample.tokens)
        result.append(sample)
        if not queues[stratum]:
            del queues[stratum]
    return result


def _place(sample: Sample) -> tuple[str, str, str, str]:
    return sample.digest, sample.stage, sample.language, sample.conversation_id


def _turns(by: dict[str, list[Sample]], seed: int) -> list[Sample]:
    """A stratum's samples, the next at the end: one of each conversation, then the second of each, and so on."""
    turns = [
        (turn, digest(seed, conversation), sample)
        for conversation, of in by.items()
        for turn, sample in enumerate(sorted(of, key=lambda one: digest(seed, one.digest)))
    ]
    return [sample for *_, sample in sorted(turns, key=lambda one: one[:2], reverse=True)]


def packed(samples: Sequence[Sample], windows: int, tokens: int) -> Windows:
    """The first samples one behind the other, cut into so many windows of so many tokens.

    A sample longer than a window keeps its beginning and its end, half of a window each: instructions and answer.
    UserError where there are too few samples.
    """
    wanted, stream, used, clipped = windows * tokens, list[int](), list[Sample](), 0
    for sample in samples:
        if len(stream) >= wanted:
            break
        whole = sample.tokens
        if len(whole) > tokens:
            clipped += 1
            tail = tokens // 2
            whole = whole[: tokens - tail] + whole[len(whole) - tail :]
        stream.extend(whole)
        used.append(sample)
    if len(stream) < wanted:
        raise UserError(
            f"the conversations give {len(stream):,} tokens and {wanted:,} are asked for: index more of them, or set "
            f"calibration.windows and gate.windows to {math.floor(len(stream) / tokens)} or fewer"
        )
    cut = tuple(tuple(stream[at : at + tokens]) for at in range(0, wanted, tokens))
    return Windows(cut, tuple(used), clipped, len(stream) - wanted)


def general(stream: Sequence[int], windows: int, tokens: int, seed: int) -> tuple[tuple[int, ...], ...]:
    """So many windows of general text, drawn by the seed. UserError where the text is too short."""
    if windows == 0:
        return ()
    cut = [tuple(stream[at : at + tokens]) for at in range(0, len(stream) - tokens + 1, tokens)]
    if len(cut) < windows:
        raise UserError(
            f"the general text has {len(stream):,} tokens, {len(cut)} windows of the {windows} asked for: name a "
            "folder with more text (calibration.text=…), or set calibration.general lower"
        )
    return tuple(sorted(cut, key=lambda one: digest(seed, one))[:windows])
