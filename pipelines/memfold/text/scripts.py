"""The letters of some scripts as ranges, to be put between the brackets of a pattern, and how much they say. Knows no
language."""

from __future__ import annotations

import re
from unicodedata import category

# Ideographs as fonts and keyboards have them; those beyond the first 65,536 characters are names and old books.
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
KANA = r"\u3040-\u30ff"
HANGUL = r"\uac00-\ud7af"
CJK = KANA + HAN + HANGUL

# Marks that belong to the letter before them, though they are no letters to a pattern: accents, and the vowels of
# India. Not those of scripts without blanks (Thai), whose runs would be whole sentences.
MARKS = "".join(
    mark for mark in map(chr, (*range(0x300, 0x370), *range(0x900, 0xE00))) if category(mark)[0] == "M"
)

# A capital and a small letter of Latin, as patterns. Beyond Latin-1 the two take turns, so that no range tells them
# apart, and a class of 700 single letters takes a hundred times as long to make: a letter there counts as either.
_FURTHER = r"(?=[\u0100-\u024f\u1e00-\u1eff])\w"
_CAPITALS = "[A-ZÀ-ÖØ-Þ]"
CAPITAL = rf"(?:{_CAPITALS}|{_FURTHER})"
SMALL = rf"(?:[a-zß-öø-ÿ]|{_FURTHER})"
# No word ends before one of these: a letter, or a mark that no letter is composed with.
ENDED = r"(?![\w\u0300-\u036f])"
# A word of a name, which is read whole or not at all: "Wałęsa", "O'Brien", "McKay", "Jean-Luc", "Ann" of "Ann's".
NAME_WORD = (
    rf"(?>(?!I['’]){CAPITAL}(?:['’]{_CAPITALS}?)?{SMALL}+"
    rf"(?:(?!['’]s\b)(?:['’-]{_CAPITALS}?|{_CAPITALS}){SMALL}+)*){ENDED}"
)

# One run from the first ideograph to the last, with the 64 hexagrams between them: what questions and answers are
# told apart by.
IDEOGRAPHS = r"\u3400-\u9fff"
IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
PAIR = re.compile(f"[{IDEOGRAPHS}]{{2}}")

# What one of these characters says takes some three letters, and as many tokens: 1,000 of Qwen2.5's are 4,440
# characters of English and 1,440 of Chinese.
DENSE = 0.35
# A text's beginning tells its script.
_HEAD = 400
_DENSE = re.compile(f"[{CJK}\u3000-\u303f\uff00-\uffef]")


def characters(text: str, letters: int) -> int:
    """How many characters of a text say what so many letters do: fewer where it is Chinese, Japanese or Korean."""
    if text.isascii():
        return letters
    head = text[:_HEAD]
    share = len(_DENSE.findall(head)) / len(head)
    return max(round(letters * (1 - share * (1 - DENSE))), 1)
