"""What programs write, as words are looked for in it."""

from __future__ import annotations

import pytest

from memfold.text.machine import readable


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("H\\u00f4tel", "Hôtel"),
        ("\\ud83d\\ude00 \\u6771\\u4eac", "😀 東京"),
        ("half \\ud83d here", "half \ufffd here"),
        ("\\u00", "\\u00"),
        ("2026-05-24T22:31:44Z INFO", "2026-05-24 22:31:44 22:31Z INFO"),
        ("at 2026-05-24 22:31.", "at 2026-05-24 22:31."),
        ("12026-05-24T22:31:44", "12026-05-24T22:31:44"),
        ("plain words", "plain words"),
    ],
)
def test_letters_and_times_are_readable(written: str, read: str) -> None:
    assert readable(written) == read
    assert readable(read).encode()
