"""A request for some texts of an exchange in its second language. Knows neither the layer nor the translator."""

from __future__ import annotations

from typing import NamedTuple

# The most texts of an exchange that are said in its second language (`translating.schema.json` allows as many).
MOST = 6


class Wanted(NamedTuple):
    """Some texts of one exchange, at most `MOST`, and the language (ISO 639-1) that they are wanted in."""

    conversation_id: str
    exchange_id: int
    texts: tuple[str, ...]
    into: str
