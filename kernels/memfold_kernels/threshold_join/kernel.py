"""The join as three Triton kernels: mark, count, fill.

Work is cut into items: a block of rows against a stretch of the columns it meets. `mark` multiplies every tile (fp16
in, fp32 sums) and keeps which parts of its columns have a product of at least the threshold less what fp16 may be off.
In long conversations few do, so nearly all of the work is these products and the largest of each tile. `count`
multiplies the marked parts again and keeps how many candidates each row has in each item; a prefix sum then gives each
row of each item its place; `fill` multiplies them once more and writes the candidates there. Nothing is added
atomically and no place depends on who comes first, so two runs give the same bytes. What lies in the band that fp16
leaves open is reckoned exactly afterwards, from the float32 vectors (`reference.settled`), so the pairs are the
reference's.

Nobody promises that a GPU adds up the same numbers in the same order in two passes. `mark` finds the parts of all pairs
in any order. `count` counts from a little lower, by as much as two sums may differ: what `fill` finds always has its
place, and the places that it does not need stay `NOBODY`.

Memory besides vectors and pairs: for each row at most `STRETCHES` counts, ends and places (320 bytes), and a byte a
tile, n^2 / 2^15 to 2^16 bytes (1 or 2 MB at n = 262,000).

Import it with TRITON_INTERPRET=1 in the environment to run it without a GPU; tensors then lie in main memory. There the
programs run one after the other, which hides races: here no two programs write one place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
import triton
import triton.language as tl
from numpy.typing import NDArray

from memfold_kernels.threshold_join.reference import half_margin_of, settled, sums_of
from memfold_kernels.threshold_join.rows import Ints, Pairs, Rows

INTERPRETED = bool(triton.knobs.runtime.interpret)

# The most items that a block of rows is cut into: enough to even out the triangle over all processors, few enough that
# counts and places stay small beside the vectors (768 bytes a row in fp16 at d = 384).
STRETCHES = 16
# The fewest tiles of an item, so that a short conversation is one.
TILES = 8
# What stands in a place that `count` saw a candidate for and `fill` did not.
NOBODY = -1


class Tile(NamedTuple):
    """The shape of a tile (rows, columns, how much of d at once), how many of its columns are a part (8 parts at most),
    and how many warps and stages a program has."""

    rows: int
    columns: int
    depth: int
    part: int
    warps: int
    stages: int


# By compute capability. On an H100 (9.0, Triton 3.6.0) all passes over 262,000 rows take 47 ms with this shape, 51 with
# 256 x 128 and 57 with 128 x 128; one loop over the steps of all tiles took 53, since it spills registers. The other
# shapes are not tuned; they fit the shared memory of each GPU (227, 163 and 99 KB per block). `fill` holds a place of
# 64 bits for each product: for a whole tile these took 256 KB of shared memory, for 128 columns most of the registers,
# so it takes parts. Nothing is spilt with these shapes. This is a table and not `triton.autotune`: that fails without a
# GPU, and its choice differs from run to run.
TILE: dict[tuple[int, int], Tile] = {
    (10, 0): Tile(128, 256, 64, 32, 8, 3),
    (9, 0): Tile(128, 256, 64, 32, 8, 3),
    (8, 0): Tile(128, 128, 64, 16, 8, 3),
    (8, 6): Tile(128, 128, 32, 16, 4, 3),
    (8, 9): Tile(128, 128, 32, 16, 4, 3),
}
ANY = Tile(64, 64, 32, 32, 4, 2)
# Fewer, larger steps: the interpreter takes its time by the operation.
INTERPRETER = Tile(128, 256, 128, 128, 1, 1)


def tile_here() -> Tile:
    """The tile for the GPU at hand, or for the interpreter."""
    if INTERPRETED:
        return INTERPRETER
    return TILE.get(torch.cuda.get_device_capability(), ANY)


class Items(NamedTuple):
    """What there is to do: of each item its block of rows, which of the block's stretches it is, its first column and
    the one after the last, and where its tiles' marks begin; all int64 of shape (items,).

    They are sorted by first column, so that the programs that run at once read the same columns: 262,000 rows have four
    times the vectors that an H100's cache holds."""

    block: Ints
    stretch: Ints
    first: Ints
    end: Ints
    mark: Ints
    stretches: int
    tiles: int


def items(low: Ints, high: Ints, tile: Tile) -> Items:
    """The items of a question. Blocks of rows that meet nothing have none."""
    n, blocks = len(low), -(-len(low) // tile.rows)
    padded = blocks * tile.rows - n
    meets = low < high
    left = np.pad(np.where(meets, low, n), (0, padded), constant_values=n).reshape(blocks, tile.rows).min(1)
    right = np.pad(np.where(meets, high, 0), (0, padded)).reshape(blocks, tile.rows).max(1)
    widest = int(max((right - left).max(initial=0), 0))
    per_item = max(TILES, -(-widest // (STRETCHES * tile.columns))) * tile.columns
    number = np.maximum(-(-(right - left) // per_item), 0)
    block = np.repeat(np.arange(blocks), number)
    stretch = np.arange(len(block)) - np.repeat(np.cumsum(number) - number, number)
    first = left[block] + stretch * per_item
    order = np.argsort(first, kind="stable")
    block, stretch, first = block[order], stretch[order], first[order]
    end = np.minimum(first + per_item, right[block])
    marks = -(-(end - first) // tile.columns)
    return Items(
        block, stretch, first, end, np.cumsum(marks) - marks, int(number.max(initial=0)), int(marks.sum())
    )


# No annotations but constexpr below: Triton's compiler looks every name up, and knows none of typing's.


@triton.jit  # type: ignore[untyped-decorator]
def _products(  # type: ignore[no-untyped-def]
    rows, columns, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    """The tile of products of the BM rows and BN columns that begin at two pointers, fp32 of shape (BM, BN)."""
    depth = tl.arange(0, BK)
    # Offsets of 32 bits from a pointer that moves: pointers of their own for each element took twice the registers.
    a = tl.arange(0, BM)[:, None] * D + depth[None, :]
    b = tl.arange(0, BN)[None, :] * D + depth[:, None]
    score = tl.zeros((BM, BN), tl.float32)
    for done in range(0, D, BK):
        score = tl.dot(tl.load(rows + done + a), tl.load(columns + done + b), score)
    return score


@triton.jit
def _within(bound, start, stop):  # type: ignore[no-untyped-def]
    """Bounds of rows as columns of an item, counted from its first. In 32 bits: with 64 a tile's comparisons alone took
    more registers than there are."""
    return tl.minimum(tl.maximum(bound - start, 0), stop - start).to(tl.int32)


@triton.jit
def _near(score, threshold, column, least, most):  # type: ignore[no-untyped-def]
    """Which products of a tile are candidates: the likeness is enough, and the row meets the column."""
    return (score >= threshold) & (column[None, :] >= least[:, None]) & (column[None, :] < most[:, None])


@triton.jit  # type: ignore[untyped-decorator]
def _mark(  # type: ignore[no-untyped-def]
    vectors, block, first, end, mark, marks, threshold,
    D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PART: tl.constexpr,
):  # fmt: skip
    item = tl.program_id(0)
    start, stop = tl.load(first + item), tl.load(end + item)
    rows = vectors + tl.load(block + item) * BM * D
    seen = marks + tl.load(mark + item)
    for tile in range(tl.cdiv(stop - start, BN).to(tl.int32)):
        score = _products(rows, vectors + (start + tile * BN) * D, D, BM, BN, BK)
        # One comparison per tile, since hardly any has a mark. The other passes check whether the row meets the column.
        if tl.max(tl.max(score, axis=1), axis=0) >= threshold:
            best = tl.max(tl.reshape(tl.max(score, axis=0), (BN // PART, PART)), axis=1)
            bits = (best >= threshold).to(tl.int32) << tl.arange(0, BN // PART)
            tl.store(seen + tile, tl.sum(bits, axis=0).to(tl.uint8))


@triton.jit  # type: ignore[untyped-decorator]
def _item(low, high, block, first, end, mark, marks, BM: tl.constexpr):  # type: ignore[no-untyped-def]
    """This program's item: its first row, its rows, its first column and the one after the last, the bounds of the
    columns that each row meets, and the marks of its tiles."""
    item = tl.program_id(0)
    begin = tl.load(block + item) * BM
    row = begin + tl.arange(0, BM)
    start, stop = tl.load(first + item), tl.load(end + item)
    least, most = _within(tl.load(low + row), start, stop), _within(tl.load(high + row), start, stop)
    return begin, row, start, stop, least, most, marks + tl.load(mark + item)


@triton.jit  # type: ignore[untyped-decorator]
def _count(  # type: ignore[no-untyped-def]
    vectors, low, high, block, stretch, first, end, mark, marks, counts, threshold,
    STRETCHES: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    PART: tl.constexpr,
):  # fmt: skip
    begin, row, start, stop, least, most, seen = _item(low, high, block, first, end, mark, marks, BM)
    total = tl.zeros((BM,), tl.int32)
    for tile in range(tl.cdiv(stop - start, BN).to(tl.int32)):
        bits = tl.load(seen + tile).to(tl.int32)
        if bits != 0:
            for number in range(BN // PART):
                if (bits >> number) & 1 != 0:
                    part = tile * BN + number * PART
                    score = _products(vectors + begin * D, vectors + (start + part) * D, D, BM, PART, BK)
                    near = _near(score, threshold, part + tl.arange(0, PART), least, most)
                    total += tl.sum(near.to(tl.int32), axis=1)
    tl.store(counts + row * STRETCHES + tl.load(stretch + tl.program_id(0)), total)


@triton.jit  # type: ignore[untyped-decorator]
def _fill(  # type: ignore[no-untyped-def]
    vectors, low, high, block, stretch, first, end, mark, marks, places, earlier, scores, threshold,
    STRETCHES: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    PART: tl.constexpr,
):  # fmt: skip
    begin, row, start, stop, least, most, seen = _item(low, high, block, first, end, mark, marks, BM)
    place = tl.load(places + row * STRETCHES + tl.load(stretch + tl.program_id(0)))
    for tile in range(tl.cdiv(stop - start, BN).to(tl.int32)):
        bits = tl.load(seen + tile).to(tl.int32)
        if bits != 0:
            for number in range(BN // PART):
                if (bits >> number) & 1 != 0:
                    part = tile * BN + number * PART
                    score = _products(vectors + begin * D, vectors + (start + part) * D, D, BM, PART, BK)
                    column = part + tl.arange(0, PART)
                    near = _near(score, threshold, column, least, most)
                    one = near.to(tl.int32)
                    to = place[:, None] + (tl.cumsum(one, axis=1) - one)
                    tl.store(earlier + to, tl.broadcast_to((start + column)[None, :], (BM, PART)), mask=near)
                    tl.store(scores + to, score, mask=near)
                    place += tl.sum(one, axis=1)


class Prepared(NamedTuple):
    """A question on the device: what the passes are given, their shape, how many items there are, the least product
    of a candidate, and how much lower `count` begins."""

    given: tuple[torch.Tensor, ...]
    shape: dict[str, Any]
    tile: Tile
    items: Items
    blocks: int
    least: float
    lower: float


def prepared(asked: Rows, tile: Tile, device: str) -> Prepared:
    """The question, its vectors in fp16, on the device."""
    vectors, low, high, threshold = asked
    n, d = vectors.shape
    todo = items(low, high, tile)
    blocks, depth = -(-n // tile.rows), -(-d // tile.depth) * tile.depth
    # Rows and columns beyond the last are zeros that meet nothing, so no load needs a mask.
    height = blocks * tile.rows + tile.columns
    half = torch.zeros((height, depth), dtype=torch.float16, device=device)
    half[:n, :d] = torch.from_numpy(vectors).to(device).to(torch.float16)
    bounds = [torch.zeros(height, dtype=torch.int64, device=device) for _ in range(2)]
    for bound, of in zip(bounds, (low, high), strict=True):
        bound[:n] = torch.from_numpy(of).to(device)
    work = [torch.from_numpy(column).to(device) for column in todo[:5]]
    shape: dict[str, Any] = {
        "D": depth,
        "BM": tile.rows,
        "BN": tile.columns,
        "BK": tile.depth,
        "PART": tile.part,
        "num_warps": tile.warps,
        "num_stages": tile.stages,
    }
    return Prepared(
        (half, *bounds, *work), shape, tile, todo, blocks, threshold - half_margin_of(d), 2 * sums_of(d)
    )


def marked(question: Prepared) -> torch.Tensor:
    """The first pass: of each tile which parts may have candidates, a bit each; uint8 of shape (tiles,)."""
    (vectors, _, _, block, _, first, end, mark), shape, _, todo, _, least, _ = question
    marks = torch.zeros(todo.tiles, dtype=torch.uint8, device=vectors.device)
    _mark[(len(todo.block),)](vectors, block, first, end, mark, marks, least, **shape)
    return marks


def passes(question: Prepared) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """All passes: where each row's places of each stretch end; of each place its column, or `NOBODY`, and product."""
    given, shape, tile, todo, blocks, least, lower = question
    marks, grid, step = marked(question), (len(todo.block),), todo.stretches
    counts = torch.zeros(blocks * tile.rows * step, dtype=torch.int32, device=marks.device)
    _count[grid](*given, marks, counts, least - lower, STRETCHES=step, **shape)
    ends = torch.cumsum(counts, 0, dtype=torch.int64)
    found = int(ends[-1])
    earlier = torch.full((found,), NOBODY, dtype=torch.int64, device=marks.device)
    scores = torch.empty(found, dtype=torch.float32, device=marks.device)
    if found:
        _fill[grid](*given, marks, ends - counts, earlier, scores, least, STRETCHES=step, **shape)
    return ends, earlier, scores


def candidates(asked: Rows, tile: Tile, device: str) -> tuple[Ints, Ints, NDArray[np.float32]]:
    """Of each candidate its row, its column and its product, by row and column."""
    n = len(asked.low)
    question = prepared(asked, tile, device) if n else None
    if question is None or not len(question.items.block):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    ends, earlier, scores = passes(question)
    step = question.items.stretches
    offsets = np.concatenate([[0], ends[step - 1 :: step][:n].cpu().numpy()])
    later, columns = np.repeat(np.arange(n), np.diff(offsets)), earlier.cpu().numpy()
    found = np.flatnonzero(columns != NOBODY)
    return later[found], columns[found], scores.cpu().numpy()[found]


def join(asked: Rows) -> Pairs:
    """The pairs, by the kernels. RuntimeError where there is neither a GPU nor the interpreter."""
    if not INTERPRETED and not torch.cuda.is_available():
        raise RuntimeError("no GPU is here")
    later, earlier, scores = candidates(asked, tile_here(), "cpu" if INTERPRETED else "cuda")
    kept = settled(asked, later, earlier, scores, half_margin_of(asked.vectors.shape[1]))
    counts = np.bincount(later[kept], minlength=len(asked.low))
    return Pairs(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), earlier[kept])
