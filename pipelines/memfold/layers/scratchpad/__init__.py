"""The scratchpad: its tree, and sealing by a model."""
