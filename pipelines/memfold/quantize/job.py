"""The job: from a model's folder and a store to a checkpoint of 4 bits that was judged, with its card and its choice.

Nothing lies where a user would load it before the gate has let it pass: it is made aside, and what is refused is
taken away again, but for its card.
"""

from __future__ import annotations

import pydoc_data.topics
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memfold.api import Store
from memfold.digest import digest
from memfold.errors import UserError
from memfold.llm.backends.vllm import Vllm, loadable
from memfold.llm.results import Results, generations
from memfold.quantize import card, preflight
from memfold.quantize.asked import Request, requests
from memfold.quantize.backends.backend import Backend, precision
from memfold.quantize.folder import ModelFolder, aside, weights_digest
from memfold.quantize.gate import CHECKPOINT, GENERAL, ORIGINAL, ROUNDED, Figures, Gate
from memfold.quantize.sample import Calibration, Sample, Windows, divided, general, ordered, packed
from memfold.store.location import Location
from memfold.watch import Report
from memfold.yamls import CONF

if TYPE_CHECKING:
    from memfold.quantize.measure import Measure, Tokens

# So many conversations of either side are read, drawn by the seed: 64 × 64 requests are enough for 512 windows.
CONVERSATIONS = 64
TEXTS = (".txt", ".md", ".rst")


@dataclass(frozen=True)
class Quantize:
    """Everything the job is made of. `engine` is the original's, with its settings; `out` is the folder that the
    checkpoint is written to, `settings` the yaml that names it (empty: conf/model/<its name>.yaml)."""

    engine: Vllm
    location: Location
    backend: Backend
    calibration: Calibration
    gate: Gate
    out: str
    settings: str = ""

    def __post_init__(self) -> None:
        if self.engine.generator is None or self.engine.generator.checkpoint is None:
            raise UserError(
                "engine: a checkpoint is for engine=vllm: choose it, with model=… or engine.weights=…"
            )


@dataclass(frozen=True)
class Drawn:
    """What was drawn: windows of requests and general ones to calibrate on, `texts` of general text alone for the arm
    that is compared with, windows and requests for the gate."""

    calibration: Windows
    general: tuple[tuple[int, ...], ...]
    texts: tuple[tuple[int, ...], ...]
    judged: Windows
    asked: tuple[Request, ...]

    @property
    def windows(self) -> list[tuple[int, ...]]:
        """All that is calibrated on."""
        return [*self.calibration.windows, *self.general]


def quantize(job: Quantize, report: Report) -> dict[str, Any]:
    """Make and judge the checkpoint; returns what it did. UserError where something is missing or the gate refuses."""
    started = time.monotonic()
    preflight.packages(job.backend.needs)
    folder = original(job.engine)
    target, settings = preflight.free_place(job.out, Path(job.settings) if job.settings else None)
    check(job, folder, target)
    store = Store.open(job.location)
    calibrating, judging = divided(
        (one.conversation_id for one in store.stream()), job.calibration.held, job.calibration.seed
    )
    from memfold.quantize.measure import Measure, Tokens

    tokens = Tokens(folder.path)
    drawn = draw(job, store, tokens, calibrating, judging, report)
    with aside(target) as making:
        made, plain = making / "checkpoint", making / "general"
        report.stage(f"calibrating by {job.backend.name}", len(drawn.windows), "windows")
        job.backend.make(folder.path, drawn.windows, made)
        report.advance(len(drawn.windows))
        if job.gate.general_text:
            report.stage(f"calibrating on general text by {job.backend.name}", len(drawn.texts), "windows")
            job.backend.make(folder.path, drawn.texts, plain)
            report.advance(len(drawn.texts))
        measure = Measure(folder.path, tokens, drawn.judged.windows, drawn.asked, job.engine)
        arms = measured(job, folder, measure, made, plain, report)
        weights = weights_digest(made)
        name = card.name_of(job.engine.model, job.backend.name, weights)
        broken = job.gate.broken(arms)
        said = described(job, folder, drawn, arms, name, weights, broken)
        said["seconds"] = round(time.monotonic() - started, 1)
        if broken:
            refused = target.with_name(f"{target.name}.refused.json")
            card.write(refused, said)
            raise UserError(
                f"the checkpoint is refused and removed: {'; '.join(broken)}: its figures are in {refused}; calibrate "
                "on more (calibration.windows), use another backend, or loosen the limit"
            )
        card.write(made / card.CARD, said)
        made.rename(target)
    settings = settings or CONF / "model" / f"{name}.yaml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(card.choice(job.engine, name, target, _remarks(job, said)), encoding="utf-8")
    return {
        "model": name,
        "folder": str(target),
        "settings": str(settings),
        "weights": weights,
        "backend": job.backend.name,
        "gate": said["gate"]["table"],
        "seconds": said["seconds"],
    }


def original(engine: Vllm) -> ModelFolder:
    """The folder of the model that the engine loads."""
    return ModelFolder.of(loadable(engine))


def check(job: Quantize, folder: ModelFolder, target: Path) -> None:
    """All that can be known to go wrong with this model here."""
    preflight.divisible(folder, job.backend.group_size)
    preflight.fits_context(folder.config, job.calibration.tokens)
    preflight.disk(folder, target, 1 + job.gate.general_text)
    tokens = job.calibration.windows * job.calibration.tokens
    preflight.memory(preflight.needed_bytes(folder, 2 if precision() == "bfloat16" else 4, tokens))


def draw(
    job: Quantize,
    store: Store,
    tokens: Tokens,
    calibrating: Sequence[str],
    judging: Sequence[str],
    report: Report,
) -> Drawn:
    """What is calibrated and judged on. General text alone has as many windows, or as many as there are."""
    c = job.calibration
    stream = tokens.text(general_text(c.text))
    texts = general(stream, min(c.windows, len(stream) // c.tokens), c.tokens, c.seed)
    if job.gate.general_text and not texts:
        raise UserError(
            f"gate.general_text=true: the general text has {len(stream):,} tokens, less than one window of {c.tokens} "
            "to calibrate on: name a folder with more text (calibration.text=…), or set gate.general_text=false"
        )
    shared = general(stream, c.general_windows, c.tokens, c.seed)
    results = Results(generations(job.location), job.engine.model)

    def read(conversations: Iterable[str]) -> list[Request]:
        found: list[Request] = []
        for conversation_id in conversations:
            found += requests(store, conversation_id, job.engine, results, c.seed)
            report.advance()
        return found

    calibrating, judging = calibrating[:CONVERSATIONS], judging[:CONVERSATIONS]
    report.stage("reading", len(calibrating) + len(judging), "conversations")
    own, held = read(calibrating), read(judging)
    return Drawn(
        packed(ordered(_samples(own, tokens), c.seed), c.windows - c.general_windows, c.tokens),
        shared,
        texts,
        packed(ordered(_samples(held, tokens), c.seed), job.gate.windows, c.tokens),
        to_answer(held, job.gate.prompts, c.seed),
    )


def _samples(found: Iterable[Request], tokens: Tokens) -> list[Sample]:
    return [
        Sample(one.stage, one.language, one.conversation_id, tokens.request(one), one.written is not None)
        for one in found
    ]


def to_answer(found: Sequence[Request], count: int, seed: int) -> tuple[Request, ...]:
    """The extraction requests that the gate has answered, of about one length together."""
    drawn = sorted(
        (one for one in found if one.stage == "extraction"), key=lambda one: digest(seed, one.prompt.messages)
    )[:count]
    if not drawn:
        raise UserError(
            "the conversations that are kept for the gate ask for no extraction: index longer ones"
        )
    return tuple(sorted(drawn, key=lambda one: one.prompt.tokens))


def general_text(folder: str) -> str:
    """All texts of a folder, in the order of their names; those of Python's documentation where none is named."""
    if not folder:
        return "\n\n".join(text for _, text in sorted(pydoc_data.topics.topics.items()))
    root = Path(folder).expanduser()
    files = sorted(path for path in root.rglob("*") if path.suffix in TEXTS and path.is_file())
    if not files:
        raise UserError(
            f"calibration.text={folder}: holds no texts ({', '.join(TEXTS)}): name a folder that does"
        )
    return "\n\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


def measured(
    job: Quantize, folder: ModelFolder, measure: Measure, made: Path, plain: Path, report: Report
) -> dict[str, Figures]:
    """The figures of every arm."""
    arms: dict[str, Figures] = {}

    def arm(name: str, figures: Figures) -> None:
        arms[name] = figures
        report.advance()

    report.stage("judging", 3 + job.gate.general_text, "arms")
    arm(ORIGINAL, measure.original())
    arm(ROUNDED, measure.rounded(folder.linears, job.backend.group_size))
    if job.gate.general_text:
        arm(GENERAL, measure.checkpoint(plain))
    arm(CHECKPOINT, measure.checkpoint(made))
    return arms


def described(
    job: Quantize,
    folder: ModelFolder,
    drawn: Drawn,
    arms: dict[str, Figures],
    name: str,
    weights: str,
    broken: Sequence[str],
) -> dict[str, Any]:
    """The card."""
    c = job.calibration
    return {
        "model": name,
        "original": {"model": job.engine.model, "weights": weights_digest(folder.path)},
        "weights": weights,
        "backend": {"name": job.backend.name, **vars(job.backend)},
        "calibration": {
            **{key: value for key, value in vars(c).items() if key != "text"},
            "general_windows": len(drawn.general),
            "general_digest": digest(drawn.general),
            **card.samples(drawn.calibration, c.seed),
        },
        "gate": {
            "limits": vars(job.gate),
            "windows": card.samples(drawn.judged, c.seed),
            "answers": len(drawn.asked),
            "general_text_windows": len(drawn.texts) if job.gate.general_text else 0,
            "table": card.table(arms),
            "broken": list(broken),
        },
    }


def _remarks(job: Quantize, said: dict[str, Any]) -> list[str]:
    row = said["gate"]["table"][CHECKPOINT]
    return [
        f"{job.engine.model} in 4 bits by {job.backend.name}, group {job.backend.group_size}: perplexity "
        f"{row['perplexity_ratio']} times the original's,",
        f"KL {row['kl']} nats a token, {row['valid_json']} of the answers valid; {card.CARD} in its folder says more.",
    ]
