"""What a job's process does not import: it wants to begin soon. Knows no job."""

from __future__ import annotations

import sys


class _NoPandas:
    """Says of pandas, to whoever imports it, that it is not installed."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not looked for here", name=name)


def without_pandas() -> None:
    """Import PyArrow's datasets, which Lance needs, without pandas.

    At the first array that is made PyArrow looks whether there is pandas, by importing it: 0.35 s of the 1.5 that a
    question took, for something no job calls. Whoever imports pandas later has it, and `to_pandas` looks again. Only
    for processes of our own: in a program PyArrow would then not know its user's pandas objects for what they are.
    """
    if "pandas" in sys.modules:
        return
    sys.meta_path.insert(0, _NoPandas)
    try:
        import pyarrow.dataset  # noqa: F401
    finally:
        sys.meta_path.remove(_NoPandas)
