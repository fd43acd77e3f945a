"""The layer of keys: what an engine wrote about an exchange, as further vectors by which the exchange is found.

What the user said is an exchange's first key (`episodic`). A note says the same in other words, shorter and with its
names; so does a summary, and a fact. What the rules wrote repeats the user's words, and is no key unless asked for.
With two languages what matters of it is a key in the second one too ("双语记忆", decision 43), so that whoever asks in
that finds it without a translation of the question: made by the engine's model, for each exchange by itself.
"""

from __future__ import annotations

from memfold.layers.keys.layer import Keys

__all__ = ["Keys"]
