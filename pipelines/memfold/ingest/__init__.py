"""Source files to messages: one reader a dialect, one normaliser, dead letters for what cannot be read."""

from __future__ import annotations

from memfold.ingest.read import FORMATS, read, source_files

__all__ = ["FORMATS", "read", "source_files"]
