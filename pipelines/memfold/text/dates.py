"""The names of months in English. Knows no format: who reads dates knows which ones."""

from __future__ import annotations

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip


def month(word: str) -> int:
    """The number of the month that `word` begins like, in any case: three letters tell. ValueError if none does."""
    number = MONTHS.get(word[:3].lower())
    if number is None:
        raise ValueError(f"no month: {word!r}")
    return number
