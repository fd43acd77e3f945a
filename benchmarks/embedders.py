"""Times a sentence-transformers model on this machine's GPU, or its CPU: `python benchmarks/embedders.py TEXTS MODEL`.

TEXTS is a file with one JSON string per line, MODEL a folder or a name on a hub. Texts are encoded as in an index job,
`--at-once` of them per call, as with `embedder=bge-small embedder.model=MODEL embedder.max_length=256`; a first call is
not counted. The first 64 texts are also encoded on the CPU in float32, for the least cosine between the two.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path

import numpy as np
import torch
from harness import keep, versions

from memfold.embed.sentence_transformers import SentenceTransformers

COMPARED = 64


def main() -> None:
    """Measure, keep the rows and print them."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("texts", type=Path)
    arguments.add_argument("model")
    arguments.add_argument("--at-once", type=int, default=1024)
    arguments.add_argument("--batch", type=int, nargs="+", default=[64])
    arguments.add_argument("--dtype", nargs="+", default=["float32"])
    given = arguments.parse_args()
    texts = [json.loads(line) for line in given.texts.read_text(encoding="utf-8").splitlines()]
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"
    exact = SentenceTransformers(given.model, 256, "cpu").encode(texts[:COMPARED])
    rows = []
    for dtype, batch in itertools.product(given.dtype, given.batch):
        embedder = SentenceTransformers(given.model, 256, batch_size=batch, dtype=dtype)
        embedder.encode(texts[: given.at_once])
        start = time.perf_counter()
        vectors = np.concatenate(
            [embedder.encode(texts[at : at + given.at_once]) for at in range(0, len(texts), given.at_once)]
        )
        seconds = time.perf_counter() - start
        rows.append(
            {
                "model": Path(given.model).name,
                "device": device,
                "versions": versions("torch", "sentence-transformers", "transformers"),
                "texts": len(texts),
                "characters": sum(map(len, texts)),
                "dtype": dtype,
                "batch": batch,
                "seconds": round(seconds, 3),
                "texts_per_second": round(len(texts) / seconds),
                "least_cosine_to_cpu": round(float(np.vecdot(exact, vectors[:COMPARED]).min()), 5),
            }
        )
        print(json.dumps(rows[-1]))
    keep("embedders", rows)


if __name__ == "__main__":
    main()
