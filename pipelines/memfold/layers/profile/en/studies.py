"""What English speakers say they study, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.layers.profile.claim import FIELD, Claim
from memfold.layers.profile.en.capitals import PLACE, place
from memfold.layers.profile.en.matching import I_AM, told

# What somebody studies. A language is learnt by the way, and "I'm studying chemistry" may be for an exam: that one
# counts with where.
_SUBJECT = (
    r"(?:(?:clinical|applied|computer|data|political|social|environmental|mechanical|electrical|civil|chemical|software"
    r"|aerospace|biomedical|fine|graphic|art|international|business|veterinary|industrial|product|fashion|media|film"
    r"|theatre|sports?)\s+)?(?:psychology|medicine|law|nursing|pharmacy|dentistry|architecture|engineering|economics"
    r"|business|accounting|finance|marketing|history|philosophy|sociology|anthropology|linguistics|literature|journalism"
    r"|politics|science|sciences|relations|studies|administration|maths|mathematics|physics|chemistry|biology"
    r"|biochemistry|neuroscience|geography|geology|astronomy|theology|education|pedagogy|art|arts|design|music|theatre"
    r"|film|archaeology|statistics|informatics|management)"
)
_WHERE = rf"(?:,?\s+(?P<at>in|at)\s+(?P<where>{PLACE}))"
_STUDY_ENDS = r"(?=\s*(?:[.,;!\n]|$)|\s+(?:and|but|so|now|btw|since|because|here|as)\b)(?![^.!]{0,40}\?)"
_NOT_IF = "".join(
    f"(?<![{w[0].upper()}{w[0]}]{w[1:]} )"
    for w in ("should", "do", "did", "can", "could", "if", "when", "while", "would", "must")
)
_DEGREE = r"(?:degree|bachelor'?s?|master'?s?|phd|PhD|MA|BA|MSc|BSc)\s+in"
_STUDIES = (
    re.compile(
        rf"{_NOT_IF}\bI\s+(?:(?:currently|now|actually|also|still)\s+)*study\s+(?P<what>{_SUBJECT}){_WHERE}?{_STUDY_ENDS}"
    ),
    re.compile(
        rf"{I_AM}\s+(?:(?:currently|now|also|still)\s+)*(?:studying|majoring\s+in"
        rf"|doing\s+(?:an?\s+)?{_DEGREE})\s+(?P<what>{_SUBJECT}){_WHERE}{_STUDY_ENDS}"
    ),
    re.compile(
        rf"{I_AM}\s+in\s+(?:my\s+|the\s+)?(?:first|second|third|fourth|final|last|\d(?:st|nd|rd|th))\s+(?:year|semester|term)"
        rf"\s+of\s+(?:an?\s+|my\s+)?(?P<what>{_SUBJECT})(?:\s+degree)?{_WHERE}?{_STUDY_ENDS}"
    ),
    re.compile(
        rf"{I_AM}\s+(?:majoring\s+in|doing\s+(?:an?|my)\s+{_DEGREE})\s+(?P<what>{_SUBJECT}){_STUDY_ENDS}"
    ),
)


def studies(text: str) -> Iterator[Claim]:
    """What a sentence says that its speaker studies, as what they do; it takes no job's place."""
    for match in told(_STUDIES, text):
        group = match.groupdict()
        where = place(group.get("where"))
        at = f" {match['at']} {where}" if where else ""
        yield Claim("job", f"studies {match['what']}{at}", match.start(), FIELD)
