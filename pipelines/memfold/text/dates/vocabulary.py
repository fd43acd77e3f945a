"""The words of dates and the numbers that they stand for: months, weekdays, counts, how far away a day is; and patterns
of them. Knows no day."""

from __future__ import annotations

import re

from memfold.text.calendar import MONTH_NAMES, SHORT_NAMES, WEEKDAYS
from memfold.text.numbers import CHINESE, ENGLISH


def _numbered(*names: str) -> dict[str, int]:
    return {name: number for number, row in enumerate(names, start=1) for name in row.split()}


MONTHS = _numbered(*(f"{name} {short}" for name, short in zip(MONTH_NAMES, SHORT_NAMES, strict=True)))
# A pattern of the names that say which day is meant, in English.
NAMES_OF_DAYS = "|".join((*MONTHS, *WEEKDAYS))
# Where the day comes before the month and nothing else is read: German, French, Spanish, Italian, Portuguese.
ABROAD = _numbered(
    "januar jänner janvier enero gennaio janeiro", "februar février febrero febbraio fevereiro",
    "märz mars marzo março", "avril abril aprile", "mai mayo maggio maio", "juni juin junio giugno junho",
    "juli juillet julio luglio julho", "août agosto", "septembre septiembre settembre setembro",
    "oktober octobre octubre ottobre outubro", "novembre noviembre novembro",
    "dezember décembre diciembre dicembre dezembro",
)  # fmt: skip
WEEKDAY_NUMBERS = _numbered(*WEEKDAYS)
SHORT_WEEKDAYS = _numbered("mon", "tue tues", "wed", "thu thur thurs", "fri", "sat", "sun")
# As they stand beside a date, where they tell its year.
BESIDE = (
    WEEKDAY_NUMBERS
    | SHORT_WEEKDAYS
    | _numbered("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag sonnabend", "sonntag")
)
CHINESE_WEEKDAY_NUMBERS = _numbered("一", "二", "三", "四", "五", "六", "日 天")
# By their first month, each of three, as in the north.
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_NUMBERS = ENGLISH | CHINESE | TENS | {"a": 1, "an": 1, "couple": 2, "兩": 2}
NEAR = {
    "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0, "tomorrow": 1, "yesterday": -1,
    "last night": -1, "the day after tomorrow": 2, "the day before yesterday": -2,
    "今天": 0, "今晚": 0, "今早": 0, "明天": 1, "明晚": 1, "明早": 1, "后天": 2, "後天": 2, "大后天": 3, "大後天": 3,
    "昨天": -1, "昨晚": -1, "前天": -2, "大前天": -3,
}  # fmt: skip
WHICH = {
    "next": 1, "coming": 1, "this": 0, "last": -1, "past": -1, "previous": -1,
    "下下": 2, "下": 1, "上上": -2, "上": -1, "明": 1, "去": -1, "前": -2, "后": 2, "後": 2,
    "大前": -3, "大后": 3, "大後": 3, "来": 1, "來": 1, "昨": -1, "再来": 2, "一昨": -2,
    "letzten": -1, "letztes": -1, "vorigen": -1, "voriges": -1, "nächsten": 1, "nächstes": 1, "dieses": 0,
    "dernier": -1, "dernière": -1, "prochain": 1, "prochaine": 1, "cette": 0,
    "pasado": -1, "próximo": 1, "viene": 1, "este": 0, "passado": -1, "vem": 1, "scorso": -1, "prossimo": 1,
}  # fmt: skip
YEAR = r"(?:19|20)\d\d"
# Behind a figure that counts nothing: "3 May '87", not "March 5 '10 people".
_COUNTS_NOTHING = (
    r"(?![\w%]|[.,:]\d|\ %"
    r"|\ (?!(?:at|in|on|by|to|and|for|from|with|i|we|he|she|they|it|is|was|as|when|after|before|en|em|à|y|et|e|und)\b)"
    r"(?-i:[a-zß-ÿ]))"
)
# Beside a day of a month, where its clause ends: "July 4, 1776.", not "March 5, 1200 people".
_ENDS_CLAUSE = r"(?=[ \t]*(?:\n|\Z)|[.,](?!\d)|[!?)\]\"”»]|['’](?!\w))"
OLDER_YEAR = rf"1[0-8][6-9]\d{_ENDS_CLAUSE}"
YEAR_OR_HOUR = rf"1[0-8]\d\d{_ENDS_CLAUSE}"
# "3 May '87", not "On May 3 '10 Things' begins".
SHORT_YEAR = rf"['’]\d\d{_COUNTS_NOTHING}(?![^.!?\n]{{0,99}}['’](?!\w))"
# The year that lies one back or ahead, as it stands beside a day, by words of `WHICH`.
YEAR_AWAY = r"(?:last|next|this)\ year\b(?!['’]s)"
YEAR_AWAY_ABROAD = (
    r"(?:letzten|vorigen|nächsten|dieses)\ jahres"
    r"|de\ (?:l['’]an(?:née)?\ (?:derni(?:er|ère)|prochaine?)|cette\ année)"
    r"|d(?:el?|o)\ (?:a[ñn]o\ (?:pasado|passado|que\ (?:viene|vem)|próximo)|próximo\ a[ñn]o|este\ año)"
    r"|dell['’]anno\ (?:scorso|prossimo)"
    # "Le 3 mai dernier" is the last such day, of whatever year.
    r"|dernier|prochain|pasado|passado|próximo|scorso|prossimo"
)
# What is added to a year that is counted from the beginning of an era.
ERAS = {
    "公元": 0, "西元": 0, "西暦": 0, "民国": 1911, "民國": 1911,
    "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018,
}  # fmt: skip
# What stands between the two ends of a range.
TO = re.compile(
    r"\s?(?:-|–|—|~|～|to|until|till|through|thru|and ending|bis|au|al?|至|到)\s?(?:on |the |zum )?",
    re.IGNORECASE,
)


def folded(word: str) -> str:
    """A word as the tables have it: `re.IGNORECASE` also takes the i of Turkish and the long s for theirs."""
    return word.casefold().replace("\u0307", "").replace("ı", "i")


def month(word: str) -> int:
    """The number of the month that `word` begins like, in any case: three letters tell. ValueError if none does."""
    number = MONTHS.get(folded(word)[:3])
    if number is None:
        raise ValueError(f"no month: {word!r}")
    return number


def any_of(*tables: dict[str, int]) -> str:
    """A pattern for the words of some tables, the longest first."""
    return "|".join(sorted((word for table in tables for word in table), key=len, reverse=True))


def number_of(word: str) -> int:
    """A number as it was written: digits, English words, or Chinese numerals, up to 99."""
    if word.isdecimal():
        return int(word)
    if word in _NUMBERS:
        return _NUMBERS[word]
    if word.isascii():
        return sum(_NUMBERS[part] for part in re.split("[ -]", word))
    tens, _, ones = word.partition("十")
    return 10 * _NUMBERS.get(tens, 1) + _NUMBERS.get(ones, 0)
