"""Fold ten million tokens of conversation into memory you can query."""
