"""What beliefs are after many statements: how soon they settle, what grows, what an observation costs (decision 25).

    python benchmarks/beliefs.py [--large 100000]

Statements are the synthetic source's own (`memfold.evaluate.synthetic.feelings`), read by the rules and folded by the
layer as a job folds them: leaves of 64 exchanges with one statement each, and a tree. Vectors are a stand-in's, so that
what is timed is the layer. Prints a line per row, appends them to results/beliefs.jsonl; draws results/beliefs-*.svg.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
from harness import RESULTS, keep

from memfold.embed.contract import Vectors
from memfold.evaluate.synthetic.feelings import THINGS, Feeling, feelings, say
from memfold.evaluate.synthetic.plan import chance
from memfold.extract.engines.rules import Rules
from memfold.layers.beliefs import FAN, BeliefRows, Beliefs
from memfold.layers.beliefs.held import Belief, beliefs
from memfold.layers.layer import Group, Span, Tools
from memfold.schema import MESSAGES, NOTES, SPAN, Note, Window

Row = dict[str, object]
WIDTH, HEIGHT, EDGE = 640, 320, 48
COLOURS = ("#2a9d3a", "#c0392b", "#7f8c8d", "#2c5fa8")
# A profile has settled where no share is further from its last value than this.
NEAR = 0.1


@dataclass(frozen=True)
class StandIn:
    """An embedder that costs nothing."""

    signature = "stand-in"
    dimension = 384

    def encode(self, texts: Sequence[str]) -> Vectors:
        return np.full((len(texts), 384), 384**-0.5, np.float32)


@cache
def noted(text: str, language: str) -> tuple[Note, ...]:
    (found,) = Rules().extract([Window("c", 0, (("user", text),), (), language, None)])
    return tuple(note for note in found.notes if note.kind == "sentiment")


def notes(said: Sequence[Feeling], language: str, first: int = 0) -> pa.Table:
    """The notes of some statements, an exchange each."""
    rows = [
        {
            "segment": "s",
            "exchange_id": first + place,
            "n": n,
            "conversation_id": "c",
            "time": None,
            **asdict(note),
        }
        for place, one in enumerate(said)
        for n, note in enumerate(noted(one.text, language))
    ]
    return pa.Table.from_pylist(rows, schema=NOTES)


def span(said: Sequence[Feeling], language: str, first: int = 0) -> Span:
    """A segment of some statements, an exchange each."""
    messages = [
        {
            "segment": "", "seq": place, "conversation_id": "c", "message_id": str(place), "exchange_id": place,
            "role": "user", "content": one.text, "attachments": [], "current": True, "language": language, "tokens": 0,
        }
        for place, one in enumerate(said, first)
    ]  # fmt: skip
    made = pa.Table.from_pylist(messages, schema=MESSAGES)
    return Span("", {"messages": made, "notes": notes(said, language, first)})


def layer(**settings: float) -> BeliefRows:
    return Beliefs(**settings).equip(Tools(StandIn()))  # type: ignore[arg-type]


def folded(of: BeliefRows, said: Sequence[Feeling], language: str) -> pa.Table:
    """The root over some statements."""
    spans = [span(said[at : at + SPAN], language, at) for at in range(0, len(said), SPAN)]
    parts = list(of.leaves(spans))
    while len(parts) > 1:
        parts = list(of.nodes([Group("", parts[at : at + FAN]) for at in range(0, len(parts), FAN)]))
    return parts[0]


# ----------------------------------------------------------------------------------- questions


def converge(_: int) -> Iterator[Row]:
    """30 observations of one aspect, 20 times with other draws."""
    settled, gaps, drawn = [], [], []
    for seed in range(20):
        draw = chance("converge", seed).random
        said = [
            say(draw, "en", "coffee", "taste", 2 if draw() < 0.5 else 1 if draw() < 0.7 else -1)
            for _ in range(30)
        ]
        (shares,) = profiles(said, "en").values()
        last = shares[-1]
        far = [max(abs(one - other) for one, other in zip(each, last, strict=True)) for each in shares]
        settled.append(next(n for n in range(1, 31) if max(far[n - 1 :]) <= NEAR))
        gaps.append(far[14])
        drawn.append(shares)
    plot("converge", "coffee, taste: 30 observations", drawn[0], ("for", "against", "neutral"))
    yield {
        "question": "converge",
        "observations": 30,
        "draws": 20,
        "settled_after_median": statistics.median(settled),
        "settled_after_most": max(settled),
        "near": NEAR,
        "gap_at_15_mean": round(statistics.mean(gaps), 3),
        "gap_at_15_most": round(max(gaps), 3),
    }


def apart(_: int) -> Iterator[Row]:
    """The taste of a thing is loved and its packaging hated, in turn."""
    draw = chance("apart").random
    for language, thing in (("en", "coffee"), ("zh", "咖啡")):
        both = [
            say(draw, language, thing, *(("taste", 2) if n % 2 else ("packaging", -2))) for n in range(30)
        ]
        together = {unit.aspect: unit for unit in beliefs(folded(layer(), both, language)).units}
        alone = beliefs(folded(layer(), [one for one in both if one.aspect == "taste"], language)).units
        yield {
            "question": "apart",
            "language": language,
            "units": len(together),
            **{name: shares(unit) for name, unit in together.items()},
            "taste_alone": shares(alone[0]),
        }


def conflict(_: int) -> Iterator[Row]:
    """15 times for, then 30 times against."""
    draw = chance("conflict").random
    said = [say(draw, "en", "coffee", "taste", 2 if n < 15 else -2) for n in range(45)]
    (seen,) = profiles(said, "en").values()
    plot("conflict", "coffee, taste: 15 times for, then 30 against", seen, ("for", "against", "neutral"))
    steps = [max(abs(a - b) for a, b in zip(one, other, strict=True)) for one, other in pairwise(seen[14:])]
    yield {
        "question": "conflict",
        "at_15": seen[14],
        "at_30": seen[29],
        "at_45": seen[44],
        "largest_step_after_15": round(max(steps), 3),
        "against_leads_from": next(n for n, (pos, neg, _) in enumerate(seen, 1) if neg > pos),
        "steps_backwards": sum(one[1] > other[1] + 1e-9 for one, other in pairwise(seen[14:])),
    }


def graded(_: int) -> Iterator[Row]:
    """How firmly it is said, by what a unit of that one statement holds."""
    for language, lines in {
        "en": (
            "I really hate the coffee.",
            "I don't like the coffee.",
            "I kind of like the coffee.",
            "I like the coffee.",
            "I absolutely love the coffee.",
        ),
        "zh": (
            "我非常讨厌这咖啡。",
            "我不喜欢这咖啡。",
            "这咖啡还算不错。",
            "我喜欢这咖啡。",
            "我非常喜欢这咖啡。",
        ),
    }.items():
        for line in lines:
            (unit,) = beliefs(folded(layer(), [Feeling("", "", 1, line)], language)).units
            yield {"question": "graded", "said": line, **shares(unit), "weight": unit.weight}


def grow(_: int) -> Iterator[Row]:
    """Units after up to 500 dialogues of one observation each: merged and dropped, updated only, and not updated."""
    for language in THINGS:
        said = list(feelings(500, 0, language))
        held, plain = [], []
        for count in range(20, 501, 20):
            root = folded(layer(), said[:count], language)
            held.append(len(beliefs(root).units))
            plain.append(root.num_rows)
        plot(
            f"growth-{language}",
            f"units after 500 dialogues ({language})",
            [
                (float(count), float(one), float(other))
                for count, one, other in zip(range(20, 501, 20), plain, held, strict=True)
            ],
            ("without updates", "updated", "updated, merged, dropped"),
            every=20,
        )
        root = beliefs(folded(layer(), said, language))
        seen = sum(len(noted(one.text, language)) for one in said)
        yield {
            "question": "grow",
            "language": language,
            "observations": seen,
            "keys": len({(one.object, one.aspect) for one in said}),
            "units_at_100_300_500": [held[4], held[14], held[24]],
            "updated_only_at_500": plain[-1],
            "fewer": round(1 - len(root.units) / seen, 3),
            "merged": sum(change.state == "merged" for change in root.log),
            "dropped": sum(change.state == "dropped" for change in root.log),
            "entropy": round(root.entropy, 1),
            "entropy_before": round(root.entropy_before, 1),
        }


def large(count: int) -> Iterator[Row]:
    """So many observations, appended a segment at a time: what a segment costs, and what is held."""
    of = layer()
    said = list(feelings(count, 1, "en"))
    spans = [span(said[at : at + SPAN], "en", at) for at in range(0, count, SPAN)]
    leaves: list[pa.Table] = []
    points = sorted({min(n, count) for n in (1_000, 10_000, 30_000, 100_000, count)})
    for at in points:
        here = spans[len(leaves) : -(-at // SPAN)]
        begun = time.process_time()
        leaves += of.leaves(here)
        leaf = (time.process_time() - begun) / max(1, len(here)) / SPAN
        begun, parts, edge = time.process_time(), leaves, 0.0
        while len(parts) > 1:
            groups = [Group("", parts[i : i + FAN]) for i in range(0, len(parts), FAN)]
            start = time.process_time()
            last = of.nodes(groups[-1:])
            edge += time.process_time() - start
            parts = [*of.nodes(groups[:-1]), *last]
        whole = time.process_time() - begun
        begun = time.process_time()
        root = beliefs(parts[0])
        yield {
            "question": "large",
            "observations": at,
            "units": len(root.units),
            "us_per_observation_in_leaves": round(1e6 * leaf, 1),
            "us_per_observation_in_all_nodes": round(1e6 * (whole - edge) / at, 1),
            "ms_for_the_right_edge": round(1e3 * edge, 1),
            "root_kb": parts[0].nbytes // 1_000,
            "read_cpu_ms": round(1e3 * (time.process_time() - begun), 1),
        }


# ---------------------------------------------------------------------------------------- tools


def profiles(said: Sequence[Feeling], language: str) -> Mapping[tuple[str, str], list[tuple[float, ...]]]:
    """The shares of each unit after each statement, by object and aspect."""
    found: dict[tuple[str, str], list[tuple[float, ...]]] = {}
    for count in range(1, len(said) + 1):
        for unit in beliefs(folded(layer(), said[:count], language)).units:
            each = tuple(round(share, 4) for share in (unit.pos, unit.neg, unit.neu))
            found.setdefault((unit.object, unit.aspect), []).append(each)
    return found


def shares(unit: Belief) -> dict[str, float]:
    return {
        "pos": round(unit.pos, 3),
        "neg": round(unit.neg, 3),
        "neu": round(unit.neu, 3),
        "bits": round(unit.entropy, 3),
    }


def plot(
    name: str, title: str, points: Sequence[Sequence[float]], lines: Sequence[str], every: int = 1
) -> Path:
    """Curves over a count of statements, as SVG."""
    top = max(max(each) for each in points)
    top = 1.0 if top <= 1 else top
    path = RESULTS / f"beliefs-{name}.svg"

    def x(place: int) -> float:
        return EDGE + place * (WIDTH - 2 * EDGE) / max(1, len(points) - 1)

    def y(value: float) -> float:
        return HEIGHT - EDGE - value / top * (HEIGHT - 2 * EDGE)

    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><text x="{EDGE}" y="20">{title}</text>',
        f'<path d="M{EDGE} {EDGE}V{HEIGHT - EDGE}H{WIDTH - EDGE}" stroke="#333" fill="none"/>',
        f'<text x="6" y="{y(top) + 4:.0f}">{top:g}</text><text x="6" y="{y(0) + 4:.0f}">0</text>',
        f'<text x="{x(len(points) - 1) - 24:.0f}" y="{HEIGHT - EDGE + 18}">{len(points) * every}</text>',
    ]
    for place, (line, colour) in enumerate(zip(lines, COLOURS, strict=False)):
        curve = " ".join(f"{x(n):.1f},{y(each[place]):.1f}" for n, each in enumerate(points))
        drawn.append(f'<polyline points="{curve}" fill="none" stroke="{colour}" stroke-width="2"/>')
        drawn.append(f'<text x="{EDGE + 150 * place}" y="38" fill="{colour}">{line}</text>')
    path.write_text("\n".join([*drawn, "</svg>"]) + "\n", encoding="utf-8")
    return path


QUESTIONS = {
    "converge": converge,
    "apart": apart,
    "conflict": conflict,
    "graded": graded,
    "grow": grow,
    "large": large,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--large", type=int, default=100_000)
    parser.add_argument("--only", nargs="+", choices=QUESTIONS, default=list(QUESTIONS))
    chosen = parser.parse_args()
    rows = []
    for name in chosen.only:
        for row in QUESTIONS[name](chosen.large):
            print(json.dumps(row, ensure_ascii=False), flush=True)
            rows.append(row)
    print(keep("beliefs", rows))


if __name__ == "__main__":
    main()
