"""The readers: each turns a context into an answer. `types.Reader` says what one is."""
