"""Which exchanges are asked about in one request: neighbours that say little.

The instructions are about 400 tokens and the history up to 256 more. For a message of 29 tokens, as friends send each
other, they are most of what a request costs; several such messages share them, and the history in front of the first
serves all. A long exchange is asked about alone (decision 10).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memfold.schema import SPAN, Window

# What the exchanges of one request say together, at most: about 250 tokens of English, so that an answer about all of
# them is no longer than one about a long exchange. In bytes, which need no counting.
SHORT = 1_200


def together(windows: Sequence[Window], most: int) -> Iterator[tuple[Window, ...]]:
    """`windows` in order, grouped into requests of up to `most` exchanges of one language and one segment.

    The windows may be of several conversations and of several segments of one. A request is decided by what is in it
    and by the window behind it, and never reaches across a segment: so a segment is asked about in the same requests
    whatever is given beside it, and a conversation that grows changes none but the last.
    """
    group: list[Window] = []
    said = 0
    for window in windows:
        length = sum(len(text.encode(errors="replace")) for _, text in window.messages)
        alike = group and _kind(window) == _kind(group[0])
        if group and (len(group) == most or said + length > SHORT or not alike):
            yield tuple(group)
            group, said = [], 0
        group.append(window)
        said += length
    if group:
        yield tuple(group)


def _kind(window: Window) -> tuple[str, int, str]:
    return *segment_of(window), window.language


def segment_of(window: Window) -> tuple[str, int]:
    """The conversation a window is of, and the number of the segment its exchange lies in."""
    return window.conversation_id, window.exchange_id // SPAN
