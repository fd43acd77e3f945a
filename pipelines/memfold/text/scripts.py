"""The letters of some scripts as ranges, to be put between the brackets of a pattern. Knows no language."""

from __future__ import annotations

import re

# Ideographs as fonts and keyboards have them; those beyond the first 65,536 characters are names and old books.
HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
KANA = r"\u3040-\u30ff"
HANGUL = r"\uac00-\ud7af"
CJK = KANA + HAN + HANGUL

# One run from the first ideograph to the last, with the 64 hexagrams between them: what questions and answers are
# told apart by.
IDEOGRAPHS = r"\u3400-\u9fff"
IDEOGRAPH = re.compile(f"[{IDEOGRAPHS}]")
