from __future__ import annotations

import pytest

from memfold.text.spans import Span, begins, cut, heads


@pytest.mark.parametrize(
    ("spans", "left", "taken"),
    [
        ([], "ab\n cd\nef", []),
        ([(1, 2)], "a\n\n cd\nef", ["b"]),
        # Whole lines leave a blank one, and the last lines none.
        ([(3, 7)], "ab\n\nef", [" cd\n"]),
        ([(0, 3), (7, 10)], "\n cd\n", ["ab\n", "ef"]),
        ([(8, 9)], "ab\n cd\ne\n", ["f"]),
    ],
)
def test_a_line_break_stays_where_a_span_was(spans: list[Span], left: str, taken: list[str]) -> None:
    found: list[str] = []
    assert cut("ab\n cd\nef", spans, found) == left
    assert found == taken


def test_lines_begin_where_they_are() -> None:
    text = "ab\n\t cd \n\nef"
    assert [text[at : at + 1] for at in begins(text)] == ["a", "\t", "\n", "e", ""]
    assert heads(text) == ["ab", "cd", "", "ef"]
