"""The English names of months and weekdays: the one table of them, and patterns of these. Knows no date."""

from __future__ import annotations

MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
# Each month's shorter forms; May has none.
SHORT_NAMES = ("jan", "feb", "mar", "apr", "", "jun", "jul", "aug", "sept sep", "oct", "nov", "dec")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

MONTH = f"(?:{'|'.join(MONTH_NAMES)})"
WEEKDAY = f"(?:{'|'.join(WEEKDAYS)})"
