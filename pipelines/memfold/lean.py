"""What a job's process does not import, so that it starts sooner. Knows no job."""

from __future__ import annotations

import sys


class _NoPandas:
    """Tells whoever imports pandas that it is not installed."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not looked for here", name=name)


def without_pandas() -> None:
    """Import PyArrow's datasets, which Lance needs, without pandas.

    PyArrow tries to import pandas when it makes its first array: 0.35 s of the 1.5 s that a question took, for
    something that no job calls. Whoever imports pandas later gets it, and `to_pandas` looks again. Only for our own
    processes: in a user's program PyArrow would no longer recognise pandas objects.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _NoPandas)
    try:
        import pyarrow.dataset  # noqa: F401
    finally:
        sys.meta_path.remove(_NoPandas)
