"""How English sentences say that something is new, also without a subject where a message begins with it; and that it
was long ago or for a while. Knows nothing of what it is."""

from __future__ import annotations

import re

# "Have I become a teacher?", "Was I just hired?"
NOT_ASKED = r"(?<![Hh]ave )(?<![Hh]ad )(?<![Ww]as )(?<![Ww]ere )"
HAVE = r"(?:'ve|\s+have)"
LATELY = r"(?:just|recently|finally|officially|now)"
ADVERB = r"(?:just|recently|finally|officially|now|actually|already|also)"
# What was long ago, for a while, or in a game says nothing of now.
_ONCE = (
    r"(?:(?:back\s+)?[Ii]n\s+(?:(?:19|20)\d\d|the\s+(?:19|20)?\d0s|college|university|high\s+school)\b"
    r"|(?:[\w-]+\s+){0,2}years\s+(?:ago|back)\b|a\s+decade\s+ago\b"
    r"|[Ww]hen\s+(?:I|we)\s+(?:was|were)\b|[Aa]s\s+an?\s+(?:kid|child|baby|teen\w*|student)\b"
    r"|[Aa]t\s+(?:the\s+age\s+of\s+)?\d)"
)
LONG_AGO = re.compile(
    rf"\b(?:{_ONCE}|[Gg]rowing\s+up\b|[Aa]fter\s+(?:college|university|school|graduat\w+)"
    # A day of a trip.
    r"|[Oo]n\s+(?:day\s+\w+|(?:the|our)\s+(?:first|second|third|fourth"
    r"|fifth|sixth|seventh|next|last)\s+day)\b(?!\s+of\b))"
)
LASTS = (
    rf"(?!,?\s+(?:{_ONCE}|temporarily\b|in\s+(?:the|my|our|this|an?)\s+(?:game|story|novel|book|script|dream|wiki"
    r"|role-?play|simulation)\b"
    r"|on\s+(?:my|our|the|this)\s+(?:itinerary|trip|tour|map)\b"
    r"|for\s+(?:\w+\s+){0,2}(?:night|day|weekend|holiday|week|month|year|summer|winter|semester|term|season|while"
    r"|bit)s?\b|(?:and|but)\s+(?:(?:then|later|soon|I|we)\s+)*"
    r"(?:back|came|moved|returned|left|quit|flew|went|drove)\b))"
)

# What has no subject is said of oneself where a message begins with it.
HAIL = (
    r"(?:(?:(?i:hi|hey|hello|hiya)(?:\ [A-Z][a-z]+(?=[,.!]))?|(?i:good\ (?:morning|evening|afternoon)|guess\ what"
    r"|(?:(?:big|great|good|exciting|happy|some|quick|small|life|personal)\ )*(?:news|updates?)|wow|yay|woo-?hoo"
    r"|hooray|phew|yes|so|well|ok(?:ay)?|oh|and|thanks|thank\ you|there|again|everyone|all|folks|guys))\b\W*)*+"
)
NO_SUBJECT = rf"^\W*{HAIL}"
# A heading, or a question.
NO_HEADING = r"(?!\s*[?:])"
