"""Asking models: generators, an asker, what it costs, what is kept, and whether an answer is one."""
