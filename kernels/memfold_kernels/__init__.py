"""Kernels of memfold: one folder a kernel, each with its plain reference."""
