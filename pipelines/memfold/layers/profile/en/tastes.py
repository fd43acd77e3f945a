"""What English speakers say they like, prefer, and do not eat."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.layers.profile.claim import Claim
from memfold.layers.profile.en.matching import I_AM, told

_PRONOUN = (
    r"\b(?:it|this|that|them|they|these|those|you|your|his|her|him|she|he|its|their|our|my|us"
    r"|me|yours|mine|one|what|how|when|where|who|which|being|seeing|having|there|here"
    r"|everything|anything|something|all)\b"
)
_ABOUT_ANSWERS = re.compile(
    r"\b(?:explanations?|(?:short|brief|concise|detailed|direct|long|quick|simple|thorough"
    r"|honest)(?:er)?\s+(?:answers?|replies|responses?)|answers|step-by-step|stepwise|diagrams"
    r"|visual\s+\w+|visuali[sz]\w+|worked\s+examples|concrete\s+examples|proofs|emojis)\b",
    re.IGNORECASE,
)
_PREFERS = re.compile(
    r"\bI(?:\s+(?:really|generally|usually|always|personally|still|now|actually))*\s+(?:prefer"
    r"|like\s+my\s+answers)\s+(?P<value>(?:(?:using\s+)?(?!you\b)[a-z-]+,\s+(?!how\b|can\b"
    r"|so\b|and\b|but\b|what\b|like\b|you\b|rather\b|which\b|is\b|i\b|as\b|especially\b)"
    r"(?=[a-z-]+\s+[a-z]))?(?:[^.;!?,\n]|(?<=\w)\.(?=\w)){3,160}?(?:"
    r"(?:,\s+[\w-]+)+,?\s+and\s+[\w-]+)?)(?!,\s+[\w-]+,?\s+and\s)(?=\s*(?:[.;!?\n,]|-+>|$)|\s+(?:so|because|since"
    r"|as\s+stated|considering|when\s+I'm|when\s+dealing|and\s+I|but\s+I|due\s+to|for\s+(?:its"
    r"|better|clearer))\b)"
)
_NO_PREFERENCE = re.compile(
    r"^(?:this|that|it|them|those|these|the\s+(?:first|second|one|former|latter|idea|approach)"
    r"|to\s+(?:wait|see|go|talk|start|use\s+(?:this|that|it))|not\b|if\b|you\b|your\b|what\b"
    r"|which\b)|\b(?:you|this\s+approach|that\s+one)\b",
    re.IGNORECASE,
)
# Where a free value ends: behind "Dr. No", "Monsters, Inc." and "Node.js", and not within them.
_MARK = (
    r"(?:[;!?\n]|,(?!\ (?:(?:Inc|Ltd|Jr|Sr)\b|[A-Z]\.[A-Z]))"
    r"|(?<!\b(?:St|Ft|Mt|Pt|Dr|Mr|Ms))(?<!\bMrs)\.(?!\w))"
)
_FAVOURITE = re.compile(
    r"\b[Mm]y\s+(?:(?:all-time|absolute|current)\s+)?(?:favou?rite|fave)\s+(?P<key>(?!part"
    r"|thing|moment|memory|memories|line|scene|bit|way|one|ones|is|are"
    r"|was)[a-z][a-z' -]{1,40}?)\s+(?:is|are)\s+(?:now\s+|actually\s+|probably\s+"
    r"|definitely\s+)?(?!not\b|when\b|how\b|that\b|to\b|the\s+one\b)"
    rf"(?P<value>[^;!?\n]{{2,60}}?(?:(?:(?<=\.[A-Z])|(?<=\b(?:Inc|Ltd))|(?<=\b(?:Jr|Sr)))\.)?)"
    rf"(?<!\s)(?<!\b(?:St|Ft|Mt|Pt|Dr|Mr|Ms)\.)(?=\s*(?:{_MARK}|-+>|$)|\s+(?:and|but|because|since|so|which|-)\s)"
)
_LIKES = (
    (
        "likes",
        re.compile(
            r"\bI(?:\s+(?:really|absolutely|just|also|do|truly))*\s+(?:love|like|enjoy|adore)\s+"
            r"(?P<value>[a-z][\w' -]{2,48}?)(?=\s*(?:[.!;\n]|$))",
            re.IGNORECASE,
        ),
    ),
    (
        "likes",
        re.compile(
            rf"{I_AM}\s+(?:really\s+|also\s+)?an?\s+(?:(?:big|huge|total|massive|lifelong"
            rf"|great)\s+)*fan\s+of\s+(?P<value>[\w' -]{{2,48}}?)(?=\s*(?:[,.!;\n]|$))"
        ),
    ),
    (
        "dislikes",
        re.compile(
            r"\bI(?:\s+(?:really|absolutely|just|also))*\s+(?:hate|dislike|detest|can't\s+stand"
            r"|don't\s+like|do\s+not\s+like)\s+(?P<value>[a-z][\w' -]{2,48}?)(?=\s*(?:[.!;\n]|$))",
            re.IGNORECASE,
        ),
    ),
)
_NO_TASTE = re.compile(
    rf"{_PRONOUN}|^(?:to|the|an?|some|both|\w+(?:n't)|about|idea|where|and|in|for|on|so|too"
    r"|very|not)\b|\b(?:idea|sound|looks?|suggestions?|plan|approach|feeling|point|part|way"
    r"|thanks|too|though|now)\b",
    re.IGNORECASE,
)
_LIKED = re.compile(
    r"(?:^|[^\w\s'’]|\b(?:and|but|so|because|since|'?cause|why|know|well|yeah|yes|also|much"
    r"|think|guess|that|actually|personally))\s*$",
    re.IGNORECASE,
)
_NO_ALLERGEN = (
    r"(?:mondays?|mornings|work|working|exercise|homework|people|fun|commitment|maths?|stupidity|nonsense)\b"
)
_DIET = re.compile(
    rf"{I_AM}\s+(?:actually\s+|also\s+|now\s+|strictly\s+|an?\s+(?:strict\s+)?)*(?P<diet>vegan"
    r"|vegetarian|pescatarian|lactose[ -]intolerant|celiac|coeliac|gluten[ -]intolerant|halal"
    r"|kosher|diabetic)\b(?!\s+(?:tonight|today|this|on\s+\w+days?|at\s+weekends|for\s+(?:an?|the|one|this)\b))"
    rf"|{I_AM}\s+(?:\w+ly\s+|really\s+|also\s+)?"
    rf"(?P<allergic>allergic\s+to\s+(?!{_NO_ALLERGEN})[a-z][a-z ]{{2,60}}?)(?=\s*(?:[,.;!?\n]|-+>|$)|\s+"
    r"(?:as\s+well|too|also|btw|lol)\b|\s+(?:so|but|which)\s"
    r"|\s+(?:and\s+)?(?:I|what|how|can|could|any|is|are|please)\s"
    # "… and don't eat meat": what stands behind is no allergen.
    r"|\s+and\s+(?:don't|do\s+not|can't|cannot|never|need|want|have|am|like|love|hate|would|my|our|the|we|he|she|they|it)\s)"
    r"|\bI\s+(?:don't|do\s+not|never)\s+(?P<eats>eat|drink)\s+(?P<food>[a-z]+(?:\s(?!at\b|in\b"
    r"|on\b|that|much|enough|before|after|when|any|well|out|a\b|the\b)[a-z]+)?)(?=\s*"
    r"(?:[,.;!\n]|$))"
)
_NO_FOOD = re.compile(
    r"^(?:much|enough|a|an|the|that|it|them|out|well|at|in|before|after|breakfast|lunch|dinner"
    r"|healthy|properly|anything|together)\b"
)
_NO_DIET = re.compile(
    rf"{I_AM}\s+(?:no\s+longer|not)\s+(?:(?:actually|really|an?)\s+)*(?P<diet>vegan|vegetarian|pescatarian"
    r"|lactose[ -]intolerant|celiac|coeliac|gluten[ -]intolerant|halal|kosher|diabetic"
    r"|allergic\s+to\s+[a-z][a-z ]{2,60}?)(?=(?:\s+(?:any\s?more|at\s+all|now|after\s+all))?\s*(?:[,.;!\n]|$)|\s+"
    r"(?:and|but|so)\s)"
    # "I eat meat now" takes back "I don't eat meat".
    r"|\bI(?:(?:'ve|\s+have)?(?:\s+just|\s+recently)?\s+started|\s+now|\s+do|\s+can)*\s+(?P<eats>eat|drink)(?:ing)?\s+"
    r"(?P<food>[a-z]+(?:\s[a-z]+)??)(?=(?:\s+(?:now|again|these\s+days))?\s*(?:[,.;!\n]|$))"
)


def tastes(text: str) -> Iterator[Claim]:
    """What a sentence says its speaker likes, prefers or does not eat, and what of that is no more."""
    for match in told((_PREFERS,), text):
        value = match["value"].strip()
        if not _NO_PREFERENCE.search(value) and not re.search(
            r"\b(?:as|like|which|that|than)\s*$", text[: match.start()]
        ):
            yield Claim(
                "answers" if _ABOUT_ANSWERS.search(value) else "taste", value, match.start(), "prefers"
            )
    for match in told((_FAVOURITE,), text):
        yield Claim(
            "taste", match["value"].strip(), match.start(), f"favourite {match['key'].strip().lower()}"
        )
    for key, pattern in _LIKES:
        for match in told((pattern,), text):
            # "something I love is awesome": a clause that says which.
            if _NO_TASTE.search(match["value"]) or len(match["value"].split()) > 5:
                continue
            if "fan of" in match[0] or _LIKED.search(text[: match.start()]):
                yield Claim("taste", match["value"].strip(), match.start(), key)
    for match in told((_DIET,), text):
        if match["food"]:
            if not _NO_FOOD.match(match["food"]):
                yield Claim("diet", f"does not {match['eats']} {match['food']}", match.start())
        else:
            yield Claim("diet", (match["diet"] or match["allergic"]).lower(), match.start())
    for match in told((_NO_DIET,), text):
        food = match["food"]
        if not food or not _NO_FOOD.match(food):
            old = f"does not {match['eats']} {food}" if food else match["diet"].lower()
            yield Claim("diet", None, match.start(), instead_of=old, correction=True)
