"""Quotes as the messages have them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest

import memfold
from memfold.context.types import Answer, Citation, Context
from memfold.context.verbatim import as_said, verbatim
from support.given import indexed, said

MESSAGE = "1. **Salt**:\n   - Use a long salt.\n\n```py\nsalt = 16\n```\n\nAlways use Dr. Kim’s list."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Use a long salt.", "Use a long salt."),
        ("**Salt**: - Use a long", "**Salt**:\n   - Use a long"),
        ("long salt. Always use", "long salt.\n\n```py\nsalt = 16\n```\n\nAlways use"),
        ("always use Dr. Kim's list", "Always use Dr. Kim’s list"),
        ("Always use Dr. Kim's…", "Always use Dr. Kim’s"),
        ("Always use my list", ""),
        ("Use a salt.", ""),
        ("…", ""),
        ("", ""),
    ],
)
def test_a_quote_is_found_whatever_space_and_code_stand_between_its_letters(quote: str, found: str) -> None:
    assert as_said(quote, MESSAGE) == found
    assert found in MESSAGE


@pytest.mark.parametrize(("quote", "message"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_a_quote_is_found_whether_its_letters_are_composed_or_not(
    quote: Literal["NFC", "NFD"], message: Literal["NFC", "NFD"]
) -> None:
    said = normalize(message, "I live in Zürich, near the café.")
    assert as_said(normalize(quote, "Zürich, near the café"), said) == said[len("I live in ") : -1]


def test_a_quote_is_looked_for_in_its_own_messages_alone() -> None:
    given = [
        Citation(0, ("m0", "m1"), "a long  salt"),
        Citation(1, ("m2",), "a long salt"),
        Citation(2, ("m3",)),
    ]
    contents = {"m0": "No.", "m1": "Use a long salt.", "m2": "Sugar."}
    answer = verbatim(Answer("", tuple(given), Context("", 0, (), ())), contents)
    assert [each.quote for each in answer.citations] == ["a long salt", "", ""]


def test_what_is_cited_stands_in_its_message_letter_for_letter(tmp_path: Path) -> None:
    order = "Always name Kim’s list when I ask about salt."
    indexed(tmp_path, [said(order, id="a"), said(f"The salt is\n\nin the shed. {MESSAGE}", id="b", minute=1)])
    contents = {"a": order, "b": f"The salt is\n\nin the shed. {MESSAGE}"}
    store = memfold.open(str(tmp_path))
    for question in (
        "Summarize what I said about the salt.",
        "Where is the salt?",
        "Which orders have I given you?",
    ):
        quoted = [each for each in store.ask("c", question).citations if each.quote]
        assert quoted
        assert all(any(each.quote in contents[m] for m in each.message_ids) for each in quoted)
