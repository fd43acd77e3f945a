"""Turning text into vectors: one contract, one file an implementation."""
