"""The threshold join: against all pairs in float64, by the reference here and by the kernel in Triton's interpreter."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from memfold_kernels.threshold_join import Pairs, join, reference
from memfold_kernels.threshold_join.rows import exact
from support.gpu import skip_unless

SUPPORT = Path(__file__).resolve().parents[1] / "support"


class Case(NamedTuple):
    """What `join` is given."""

    vectors: np.ndarray[Any, Any]
    cu_seqlens: np.ndarray[Any, Any]
    threshold: float


def vectors(n: int, d: int, density: float = 0.0, seed: int = 0) -> np.ndarray[Any, Any]:
    """Unit vectors, of which some `density` of all pairs are near one another, at every angle."""
    draw = np.random.default_rng(seed)
    made = draw.standard_normal((n, d))
    for _ in range(round(density * n * n / 2)):
        one, other = draw.integers(0, n, 2)
        made[one] = made[other] + draw.uniform(0.2, 0.8) * draw.standard_normal(d)
    made /= np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-9)
    return made.astype(np.float32)


def bounds(*sizes: int) -> np.ndarray[Any, Any]:
    return np.cumsum([0, *sizes]).astype(np.int64)


def at_the_edge(d: int) -> np.ndarray[Any, Any]:
    """A row and others whose cosines to it lie within 1e-6 of 0.9: no float16 and not every float32 tells the side."""
    made = np.zeros((64, d), np.float32)
    made[0, 0] = 1
    for place in range(1, 64):
        made[place, 0] = 0.9 + (place - 32) * 3e-8
        made[place, place] = np.sqrt(1 - made[place, 0] ** 2)
    return made


def below_the_least(d: int) -> Case:
    """A row, rows exact in float16 whose product with it is 5e-7 below what makes a candidate, and twins."""
    cosine = float(np.float16(0.9))
    made = np.zeros((60, d), np.float32)
    made[0, 0] = 1
    made[1:, 0] = cosine
    made[np.arange(1, 60), np.arange(1, 60)] = np.sqrt(1 - cosine**2)
    made[59] = made[58]
    return Case(made, bounds(60), cosine + reference.half_margin_of(d) + 5e-7)


RAGGED = (0, 1, 3, 127, 0, 130, 2, 2, 60)
CASES: dict[str, Case] = {
    "nothing": Case(np.empty((0, 64), np.float32), bounds(), 0.9),
    "no conversation has rows": Case(np.empty((0, 64), np.float32), bounds(0, 0), 0.9),
    "one": Case(vectors(1, 64), bounds(1), 0.9),
    "127": Case(vectors(127, 64, 1e-3), bounds(127), 0.8),
    "500, dense": Case(vectors(500, 64, 1e-2), bounds(500), 0.6),
    "500 of 384": Case(vectors(500, 384, 1e-3), bounds(500), 0.9),
    "500, two pairs": Case(vectors(500, 64, 2e-5), bounds(500), 0.7),
    "4,096, eight pairs": Case(vectors(4096, 64, 1e-6), bounds(4096), 0.8),
    "ragged, of 1,024": Case(vectors(sum(RAGGED), 1024, 1e-2), bounds(*RAGGED), 0.7),
    "ragged, of 96": Case(vectors(sum(RAGGED), 96, 1e-2), bounds(*RAGGED), 0.7),
    "all rows equal": Case(np.repeat(vectors(1, 64), 300, axis=0), bounds(100, 200), 1 - 1e-6),
    "at the edge": Case(at_the_edge(64), bounds(64), 0.9),
    "below the least": below_the_least(64),
}
# How far the products of the kernel's first and last pass are off from those of the second, run by run.
TWICE, APART = ((0.0, 0.0),) * 2, ((0.0, 1e-6), (0.0, -1e-6), (1e-6, 0.0), (-1e-6, 0.0))
# The interpreter takes 8 s for it.
LARGE = "4,096, eight pairs"
# A tile of eight parts, most of which do not hold the diagonal, where each row would mark its part by itself.
SMALL = (16, 64, 128, 8, 1, 1)
IN_SMALL = ("at the edge", "ragged, of 96")


def plainly(case: Case) -> list[tuple[int, int]]:
    """All pairs, compared one by one in float64."""
    found = []
    for first, end in zip(case.cu_seqlens[:-1], case.cu_seqlens[1:], strict=True):
        mine = case.vectors[first:end].astype(np.float64)
        near = np.tril(mine @ mine.T >= case.threshold, -1)
        found += [(int(later + first), int(earlier + first)) for later, earlier in np.argwhere(near)]
    return sorted(found)


def listed(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.later.tolist(), pairs.earlier.tolist(), strict=True))


def bytes_of(pairs: Pairs) -> tuple[bytes, bytes]:
    return pairs.offsets.tobytes(), pairs.earlier.tobytes()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[bytes, bytes]]]:
    pytest.importorskip("triton", reason="the extra `kernels` is not installed; Triton has Linux wheels only")
    folder = tmp_path_factory.mktemp("joined")
    cases = {name: (tuple(case), None, TWICE[name == LARGE :]) for name, case in CASES.items()}
    cases["apart"] = (tuple(CASES["below the least"]), None, APART)
    cases |= {f"small, {name}": (tuple(CASES[name]), SMALL, APART) for name in IN_SMALL}
    (folder / "cases").write_bytes(pickle.dumps(cases))
    run = [sys.executable, str(SUPPORT / "joined.py"), str(folder / "cases"), str(folder / "done")]
    subprocess.run(run, check=True, env=os.environ | {"OMP_NUM_THREADS": "1"})
    done: dict[str, list[tuple[bytes, bytes]]] = pickle.loads((folder / "done").read_bytes())
    return done


@pytest.mark.parametrize("name", CASES)
def test_the_reference_finds_what_all_pairs_one_by_one_do(name: str) -> None:
    found = join(*CASES[name], by="reference")
    assert listed(found) == plainly(CASES[name])
    assert (found.offsets.dtype, found.earlier.dtype) == (np.int64, np.int64)


@pytest.mark.parametrize("name", CASES)
def test_the_kernel_finds_the_same_to_the_byte_and_twice(
    name: str, kernel: dict[str, list[tuple[bytes, bytes]]]
) -> None:
    found = join(*CASES[name], by="reference")
    assert kernel[name] == [bytes_of(found)] * (1 if name == LARGE else 2)


def test_passes_that_add_up_in_another_order_find_the_same(
    kernel: dict[str, list[tuple[bytes, bytes]]],
) -> None:
    found = join(*CASES["below the least"], by="reference")
    assert listed(found) == [(59, 58)]
    assert kernel["apart"] == [bytes_of(found)] * 4


@pytest.mark.parametrize("name", IN_SMALL)
def test_tiles_of_many_parts_find_the_same(name: str, kernel: dict[str, list[tuple[bytes, bytes]]]) -> None:
    assert kernel[f"small, {name}"] == [bytes_of(join(*CASES[name], by="reference"))] * 4


def test_on_a_gpu_the_kernel_finds_the_same_to_the_byte_and_twice() -> None:
    skip_unless(here=True)
    for name, case in CASES.items():
        found = join(*case, by="reference")
        for _ in range(2):
            assert bytes_of(join(*case, by="kernel")) == bytes_of(found), name


def test_the_cases_hold_what_they_are_named_for() -> None:
    number = {name: len(plainly(case)) for name, case in CASES.items()}
    assert number["500, two pairs"] == 2
    assert number[LARGE] == 8
    assert number["all rows equal"] == 100 * 99 // 2 + 200 * 199 // 2
    assert 20 < number["at the edge"] < 44
    assert min(number["ragged, of 96"], number["ragged, of 1,024"]) > 0


def test_control_half_precision_alone_is_wrong_at_the_edge() -> None:
    case = CASES["at the edge"]
    half = case.vectors.astype(np.float16).astype(np.float32)
    near = np.argwhere(np.tril(half @ half.T >= case.threshold, -1))
    assert [tuple(map(int, pair)) for pair in near] != plainly(case)


def test_blocks_smaller_than_a_conversation_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["ragged, of 1,024"]
    whole = listed(join(*case, by="reference"))
    for height, width in ((1, 1), (7, 5), (64, 32)):
        monkeypatch.setattr(reference, "ROWS", height)
        monkeypatch.setattr(reference, "COLUMNS", width)
        assert listed(join(*case, by="reference")) == whole


def test_the_exact_cosine_is_the_same_for_any_batch() -> None:
    some = vectors(40, 100, seed=3)
    later, earlier = np.arange(1, 40), np.arange(39)
    together = exact(some, later, earlier)
    assert all(exact(some, later[k : k + 1], earlier[k : k + 1])[0] == together[k] for k in range(39))
    assert together == pytest.approx(np.einsum("ij,ij->i", some[1:].astype(float), some[:-1]), abs=1e-15)


def changed(place: int, value: object) -> Sequence[Any]:
    good: list[Any] = [vectors(4, 8), bounds(1, 3), 0.9]
    good[place] = value
    return good


def spoilt(value: float) -> np.ndarray[Any, Any]:
    some = vectors(4, 8)
    some[2, 5] = value
    return some


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        (changed(0, spoilt(np.nan)), "row 2 holds NaN or infinity"),
        (changed(0, spoilt(np.inf)), "row 2 holds NaN or infinity"),
        (changed(0, spoilt(3.0)), "row 2 has length"),
        (changed(0, np.zeros((4, 8), np.float32)), "row 0 has length 0: scale every row to length 1"),
        (changed(0, vectors(4, 8).astype(float)), r"float32 of shape \(n, d\) is needed, this is float64"),
        (changed(0, vectors(4, 8)[0]), r"float32 of shape \(n, d\) is needed"),
        (changed(1, np.array([0, 5])), "must rise from 0 to n=4"),
        (changed(1, np.array([0, 3, 2, 4])), "must rise from 0 to n=4"),
        (changed(1, np.array([0.0, 4.0])), "int64 of shape"),
        (changed(2, 0.0), "must be above 0 and at most 1"),
        (changed(2, float("nan")), "must be above 0 and at most 1"),
    ],
)
def test_what_cannot_be_joined_is_refused(asked: Sequence[Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        join(*asked)


def test_who_is_to_join_must_be_known() -> None:
    with pytest.raises(ValueError, match="by='gpu' must be one of auto, kernel, reference"):
        join(*CASES["one"], by="gpu")


def test_a_kernel_without_a_gpu_is_refused() -> None:
    skip_unless(here=False)
    with pytest.raises(RuntimeError, match=r"no GPU is here|is not installed"):
        join(*CASES["127"], by="kernel")


# What a block of a GPU of each capability may have of shared memory, in bytes (CUDA C++ Programming Guide, table of
# technical specifications).
SHARED = {"9.0": 232_448, "8.0": 166_912}
COMPILED = """
import contextlib, io, json, re, sys, triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from memfold_kernels.threshold_join import kernel
floats = {"vectors": "*fp16", "scores": "*fp32", "threshold": "fp32", "counts": "*i32", "marks": "*u8"}
found = {}
# A tile's marks are the bits of a byte.
assert all(tile.columns <= 8 * tile.part for tile in (*kernel.TILE.values(), kernel.ANY, kernel.INTERPRETER))
for name in sys.argv[1:]:
    major, minor = map(int, name.split("."))
    tile = kernel.TILE[major, minor]
    shape = {"STRETCHES": 16, "D": 384, "BM": tile.rows, "BN": tile.columns, "BK": tile.depth, "PART": tile.part}
    for one in (kernel._mark, kernel._count, kernel._fill):
        given = {key: shape[key] for key in one.arg_names if key in shape}
        kinds = {key: "constexpr" if key in shape else floats.get(key, "*i64") for key in one.arg_names}
        by_16 = {(n,): [["tt.divisibility", 16]] for n, key in enumerate(one.arg_names) if kinds[key][0] == "*"}
        with contextlib.redirect_stdout(io.StringIO()) as log:
            made = triton.compile(
                ASTSource(one, kinds, constexprs=given, attrs=by_16),
                target=GPUTarget("cuda", 10 * major + minor, 32),
                options={"num_warps": tile.warps, "num_stages": tile.stages},
            )
        ptx = made.asm["ptx"]
        products = ptx.count("wgmma.mma_async") + ptx.count("mma.sync") + ptx.count("tcgen05.mma")
        spilt = int(re.search(r"(\\d+) bytes spill stores", log.getvalue())[1])
        found[f"{name} {one.__name__}"] = [made.metadata.shared, products, spilt]
print(json.dumps(found))
"""


def test_the_kernels_compile_for_gpus_that_are_not_here(tmp_path: Path) -> None:
    """Their tiles fit the shared memory, use the tensor cores and spill nothing: what the interpreter does not see."""
    pytest.importorskip("triton", reason="the extra `kernels` is not installed; Triton has Linux wheels only")
    settings = os.environ | {
        "TRITON_CACHE_DIR": str(tmp_path),
        "TRITON_DEFAULT_FP_FUSION": "1",
        "TRITON_DUMP_PTXAS_LOG": "1",
    }
    run = [sys.executable, "-c", COMPILED, *SHARED]
    done = subprocess.run(run, check=True, env=settings, stdout=subprocess.PIPE, text=True)
    found = json.loads(done.stdout)
    assert len(found) == 3 * len(SHARED)
    for name, (shared, products, spilt) in found.items():
        assert shared <= SHARED[name.split()[0]], name
        assert products > 0, name
        assert spilt == 0, name
