"""The threshold join: how near the kernel comes to the speed of matrix products, and what others take for the same.

    python benchmarks/kernels.py [--n 46000 262000] [--d 384] [--threshold 0.9] [--repeat 5] [--cpu-n 8000]

On a GPU, for each n in one conversation: the kernel's passes as a share of the roof (fp16 products of 8,192 x 8,192
matrices, measured in the same run) over the n (n - 1) / 2 products of the triangle; chunked eager torch and
`torch.compile(mode="max-autotune")` of the same chunks, both over the triangle in fp16, with how many candidates they
find; the memory that each takes beyond the vectors; FAISS beside them where it is installed (range search on the CPU:
it has none on a GPU). Medians, each run between events after a warm-up.

Without a GPU it is a dry run and says so: the numpy reference is timed against its own matrix products, and the kernel
must equal it in Triton's interpreter (in a process of its own). Times of a dry run say nothing about GPUs.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from harness import keep, versions

from memfold_kernels.threshold_join import Pairs, join, reference
from memfold_kernels.threshold_join.rows import checked

CHUNK = 8_192
# What the kernel is held to (on an H100): of the roof, and times faster than eager and than compiled torch.
WANTED = {"roof_share": 0.6, "times_eager": 3.0, "times_compiled": 1.5}


def vectors(n: int, d: int, seed: int = 0) -> np.ndarray[Any, Any]:
    """Unit vectors, of which a tenth are near an earlier one (10 to 15 % of what models noted was)."""
    draw = np.random.default_rng(seed)
    made = draw.standard_normal((n, d), np.float32)
    near = np.flatnonzero(draw.random(n) < 0.1)[1:]
    made[near] = made[draw.integers(0, near)] + draw.uniform(0.2, 0.6, (len(near), 1)) * made[near]
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def triangle(n: int, d: int) -> float:
    """Floating point operations of all products below the diagonal."""
    return float(n) * (n - 1) * d


def on_cpu(n: int, d: int, threshold: float) -> dict[str, object]:
    """The reference against the matrix products that it cannot do without, in turn, three times each."""
    some = vectors(n, d)
    ends = np.array([0, n])
    joined, products = [], []
    for _ in range(3):
        start = time.perf_counter()
        found = join(some, ends, threshold, by="reference")
        joined.append(time.perf_counter() - start)
        start = time.perf_counter()
        for first in range(0, n, reference.ROWS):
            for column in range(0, min(first + reference.ROWS, n), reference.COLUMNS):
                end = min(column + reference.COLUMNS, first + reference.ROWS)
                some[first : first + reference.ROWS] @ some[column:end].T
        products.append(time.perf_counter() - start)
    took, bare = statistics.median(joined), statistics.median(products)
    return {
        "what": "reference",
        "n": n,
        "d": d,
        "pairs": len(found.earlier),
        "seconds": round(took, 3),
        "products_seconds": round(bare, 3),
        "times_products": round(took / bare, 2),
        "seconds_32000_reckoned": round(took * (32_000 / n) ** 2, 1),
    }


def interpreted() -> Iterator[dict[str, object]]:
    """The kernel against the reference in this process, whose Triton interprets, over sizes, widths and densities."""
    for n, d, density in ((0, 64, 0.0), (1, 64, 0.0), (127, 384, 1e-3), (500, 1024, 1e-4), (4096, 64, 1e-6)):
        draw = np.random.default_rng(n)
        some = draw.standard_normal((n, d))
        for _ in range(round(density * n * n / 2)):
            one, other = draw.integers(0, n, 2)
            some[one] = some[other] + draw.uniform(0.2, 0.8) * draw.standard_normal(d)
        some = (some / np.linalg.norm(some, axis=1, keepdims=True)).astype(np.float32)
        ends = np.array([0, n // 3, n // 3, n]) if n == 500 else np.array([0, n])
        start = time.perf_counter()
        found, again = (join(some, ends, 0.7, by="kernel") for _ in range(2))
        took = time.perf_counter() - start
        right = join(some, ends, 0.7, by="reference")
        row: dict[str, object] = {"what": "interpreter", "n": n, "d": d, "pairs": len(right.earlier)}
        yield row | {
            "equal": same(found, right),
            "same_bytes_twice": same(found, again),
            "seconds_twice": round(took, 1),
        }


def same(one: Pairs, other: Pairs) -> bool:
    return (
        one.offsets.tobytes() == other.offsets.tobytes() and one.earlier.tobytes() == other.earlier.tobytes()
    )


def on_gpu(n: int, d: int, threshold: float, repeat: int) -> Iterator[dict[str, object]]:
    """A row of what the issue asks for one n."""
    import torch

    from memfold_kernels.threshold_join import kernel

    def timed(run: Callable[[], object]) -> tuple[float, int]:
        """Median seconds, and the most bytes beyond what there was."""
        run()
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        took = []
        for _ in range(repeat):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]
            start.record()
            run()
            end.record()
            torch.cuda.synchronize()
            took.append(start.elapsed_time(end) / 1000)
        return statistics.median(took), torch.cuda.max_memory_allocated() - before

    square = torch.randn(8192, 8192, device="cuda", dtype=torch.float16)
    roof = 2 * 8192.0**3 / timed(lambda: square @ square)[0]
    some = vectors(n, d)
    asked = checked(some, np.array([0, n]), threshold)
    half = torch.from_numpy(some).cuda().half()
    least = threshold - reference.half_margin_of(d)

    def chunk(rows: Any, columns: Any, shift: Any) -> Any:
        near = (rows @ columns.T) >= least
        return near & (
            torch.arange(columns.shape[0], device="cuda")[None, :]
            < torch.arange(rows.shape[0], device="cuda")[:, None] + shift
        )

    def chunked(by: Callable[..., Any]) -> Any:
        return sum(
            by(half[r : r + CHUNK], half[c : c + CHUNK], torch.tensor(r - c, device="cuda"))
            .nonzero()
            .shape[0]
            for r in range(0, n, CHUNK)
            for c in range(0, r + 1, CHUNK)
        )

    compiled = torch.compile(chunk, mode="max-autotune", dynamic=False)
    tile = kernel.tile_here()
    prepared = kernel.prepared(asked, tile, "cuda")
    passes, memory = timed(lambda: kernel.passes(prepared))
    marked, _ = timed(lambda: kernel.marked(prepared))
    whole, _ = timed(lambda: kernel.join(asked))
    eager, eager_memory = timed(lambda: chunked(chunk))
    fast, fast_memory = timed(lambda: chunked(compiled))
    first, again = kernel.join(asked), kernel.join(asked)
    candidates = len(kernel.candidates(asked, tile, "cuda")[1])
    row = {
        "what": "gpu",
        "gpu": torch.cuda.get_device_name(),
        "versions": versions("torch", "triton"),
        "n": n,
        "d": d,
        "tile": list(tile),
        "pairs": len(first.earlier),
        "candidates": candidates,
        "candidates_eager": int(chunked(chunk)),
        "same_bytes_twice": same(first, again),
        "equal": same(first, join(some, np.array([0, n]), threshold, by="reference"))
        if n <= 50_000
        else None,
        "roof_tflops": round(roof / 1e12, 1),
        "passes_seconds": passes,
        "mark_seconds": marked,
        "whole_seconds": whole,
        "eager_seconds": eager,
        "compiled_seconds": fast,
        "memory_bytes": memory,
        "memory_bytes_a_pair": round(memory / max(candidates, 1), 1),
        "eager_memory_bytes": eager_memory,
        "compiled_memory_bytes": fast_memory,
        "roof_share": round(triangle(n, d) / passes / roof, 3),
        "times_eager": round(eager / passes, 2),
        "times_compiled": round(fast / passes, 2),
        "wanted": WANTED,
    }
    yield row
    if importlib.util.find_spec("faiss") is not None and n <= 50_000:
        import faiss

        index = faiss.IndexFlatIP(d)
        index.add(some)
        start = time.perf_counter()
        limits, _, _ = index.range_search(some, threshold)
        yield {"what": "faiss", "n": n, "found": int(limits[-1]), "seconds": time.perf_counter() - start}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, nargs="+", default=[46_000, 262_000])
    parser.add_argument("--d", type=int, default=384)
    parser.add_argument("--threshold", type=float, default=0.9)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--cpu-n", type=int, default=8_000)
    parser.add_argument("--interpret", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.interpret:
        for row in interpreted():
            print(json.dumps(row), flush=True)
        return
    import torch

    rows: list[dict[str, object]] = []
    if torch.cuda.is_available():
        for n in chosen.n:
            rows += on_gpu(n, chosen.d, chosen.threshold, chosen.repeat)
    else:
        print(
            "no GPU is here: a dry run, of the reference and of the kernel in Triton's interpreter",
            file=sys.stderr,
        )
        rows.append(on_cpu(chosen.cpu_n, chosen.d, chosen.threshold))
        if importlib.util.find_spec("triton") is None:
            print(
                "Triton is not installed: the kernel is not run (pip install '.[kernels]')", file=sys.stderr
            )
        else:
            run = [sys.executable, __file__, "--interpret"]
            settings = os.environ | {"TRITON_INTERPRET": "1"}
            done = subprocess.run(run, env=settings, check=True, stdout=subprocess.PIPE, text=True)
            rows += map(json.loads, done.stdout.splitlines())
    for row in rows:
        print(json.dumps(row))
    print(keep("kernels", rows))
    if any(row.get("equal") is False or row.get("same_bytes_twice") is False for row in rows):
        sys.exit("the kernel differs from the reference, or from itself")


if __name__ == "__main__":
    main()
