"""Benchmarks: their probes, and what a result is worth."""
