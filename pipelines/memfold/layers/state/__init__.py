"""State: where a conversation stands, not a digest of what was said. A row is something that may belong to it.

The idea is the mid-term memory of a support assistant ("会话状态摘要", decision 23): the topic, what is required and
forbidden, options that were given up and why, what is settled, what is open. A leaf holds the candidates of its
segment, each with the keys and words by which a later one replaces, corrects, gives up or answers it; `stand` in
`history.py` reads all of them in order and tells what holds. So no leaf depends on another, and the state is right as
of any message. No model is asked, unless one is to tell which entries say the same (`sealing.py`).
"""

from __future__ import annotations

from memfold.layers.state.layer import State

__all__ = ["State"]
