"""What English speakers say they do not eat, and cannot, and what they are allergic to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memfold.layers.profile.claim import Claim
from memfold.layers.profile.en.free import MORE, WORD, items, more
from memfold.layers.profile.en.matching import I_AM, told

_KIND = (
    r"(?:vegan|vegetarian|pescatarian|lactose[ -]intolerant|celiac|coeliac|gluten[ -]intolerant|halal|kosher|diabetic"
    r"|(?:gluten|dairy|lactose|nut|sugar)[ -]free)"
)
_FOR_NOW = (
    r"(?!\s+(?:tonight|today|this|on\s+\w+days?|at\s+weekends|for\s+(?:an?|the|one|two|this|now|lent)\b))"
)
_KINDS = (
    re.compile(
        rf"{I_AM}\s+(?:actually\s+|also\s+|now\s+|strictly\s+|an?\s+(?:strict\s+)?)*(?P<diet>{_KIND})\b(?!-){_FOR_NOW}"
    ),
    re.compile(
        r"\bI(?:'ve|\s+have)\s+(?:(?:always|also|now|actually)\s+)?been\s+(?:an?\s+)?(?:strict(?:ly)?\s+)?"
        rf"(?P<diet>{_KIND})\s+(?:for|since|all|my)\b(?!\s+(?:an?|the)\s+(?:day|week|month)\b)"
    ),
    re.compile(
        r"\bI(?:'ve|\s+have|\s+just|\s+recently)*\s+(?:gone|went|turned|become|became)\s+(?:an?\s+)?"
        rf"(?P<diet>{_KIND})\b{_FOR_NOW}(?!\s+(?:for|but)\b)"
    ),
    re.compile(
        rf"\bI\s+(?:follow|eat|keep)\s+(?:an?\s+)?(?:strict(?:ly)?\s+)?(?P<diet>{_KIND})(?=\s+diet\b|\s*(?:[.,;!]|$))"
        rf"{_FOR_NOW}"
    ),
)
_NO_ALLERGEN = (
    r"(?:mondays?|mornings|work|working|exercise|homework|people|fun|commitment|maths?|stupidity|nonsense)\b"
)
_ALLERGENS = rf"(?P<to>(?!{_NO_ALLERGEN})[a-z][a-z ]{{2,60}}?(?:{MORE})?)"
_ALLERGENS_END = (
    r"(?=\s*(?:[,.;!?\n]|-+>|$)|\s+(?:[–—-]+\s|(?:as\s+well|too|also|btw|lol|though|since|because)\b)|\s+(?:so|but|which)\s"
    r"|\s+(?:and\s+)?(?:I|what|how|can|could|any|is|are|please)\s"
    # "… and don't eat meat": what stands behind is no allergen.
    r"|\s+and\s+(?:don't|do\s+not|can't|cannot|never|need|want|have|am|like|love|hate|eat|drink|would|my|our|the|we|he"
    r"|she|they|it)\s)"
)
_ALLERGIC = (
    re.compile(
        rf"{I_AM}\s+(?:(?:\w+ly|really|also|very|super|still|quite)\s+)?allergic\s+to\s+{_ALLERGENS}{_ALLERGENS_END}"
    ),
    re.compile(
        r"\bI(?:'ve\s+got|\s+have|\s+also\s+have)\s+(?:an?\s+)?(?:[a-z-]+\s+){0,2}?allerg(?:y|ies)\s+to\s+"
        rf"{_ALLERGENS}{_ALLERGENS_END}"
    ),
)
_AN_ALLERGY = re.compile(
    r"\bI(?:'ve\s+got|\s+have|\s+also\s+have)\s+(?:an?\s+)?(?P<to>(?:(?!(?:about|of|on|with|for|to|in|and|or|who|that"
    r"|my|the|an?|no|some|any|had|been|whose)\b)[a-z-]+\s+){1,3})allerg(?:y|ies)(?=\s*(?:[,.;!\n]|$)"
    r"|\s+(?:and|so|but|which|to|that|too|btw|because)\b)"
)
# What says of an allergy only how bad it is.
_HOW_BAD = re.compile(
    r"^(?:(?:bad|severe|serious|mild|terrible|awful|many|several|multiple|strong|slight|horrible|new|weird|food"
    r"|lots|few)\s+)+"
)
_NOT_BEHIND = (
    r"(?!at\b|in\b|on\b|for\b|that|much|enough|before|after|when|any|well|out|a\b|the\b|and\b|or\b|but\b|so\b|as\b|today\b"
    r"|tonight\b|now\b|here\b|yet\b|because\b|since\b|due\b|either\b|with\b|without\b|like\b)"
)
_FOOD = rf"{WORD}(?:\s{_NOT_BEHIND}{WORD})?"
_NOT_EATEN = re.compile(
    r"\bI\s+(?:(?:also|still|really|personally)\s+)?(?:don't|do\s+not|never|can't|cannot|no\s+longer|can\s+no\s+longer)"
    rf"(?:\s+(?:ever|really|even))?\s+(?P<eats>eat|drink)\s+(?P<food>{_FOOD}{more(_FOOD)}?)(?=\s*(?:[,.;!\n]|$)"
    r"|\s+(?:for\s+(?:\w+\s+)?reasons|because|since|due\s+to|any\s?more|any\s+longer|at\s+all|either|so|but|as\s+I"
    r"|and\s+(?:I|my|we|am|don't|can't|never|have|need|want))\b)"
)
# What somebody can only be said not to "have" or to "avoid" as food.
_INGREDIENT = (
    r"(?:dairy|milk|gluten|lactose|wheat|eggs?|(?:tree\s+)?nuts|peanuts|shellfish|soy|sesame|sugar|salt|pork|beef|meat"
    r"|red\s+meat|fish|seafood|cheese|bread)"
)
_NOT_HAD = re.compile(
    rf"\bI\s+(?:(?:can't|cannot)\s+(?:have|tolerate|digest)|(?:always\s+)?avoid)\s+(?P<food>(?:any\s+)?{_INGREDIENT}"
    rf"(?:(?:,\s+|,?\s+(?:and|or)\s+){_INGREDIENT})*)(?=\s*(?:[,.;!\n]|$)|\s+(?:because|since|so|and|but|due|at\s+all)\b)"
)
_NO_FOOD = re.compile(
    r"^(?:much|enough|a|an|the|that|it|them|out|well|at|in|before|after|breakfast|lunch|dinner|healthy|properly|anything"
    r"|together|and|or|but|another|more|less|alone|here|there|now|today|yet|so|too|like|until|when|this|these|those|my"
    r"|your|his|her|all|every\w*|any|as|with|for|on|from|right|late|early|because|since|fast|solid|while|if|regularly"
    r"|often|again|anymore|most|many|some|something|food|stuff|things)\b"
)
_NO_MORE = re.compile(
    rf"{I_AM}\s+(?:no\s+longer|not)\s+(?:(?:actually|really|an?)\s+)*(?P<diet>{_KIND}"
    r"|allergic\s+to\s+(?P<to>[a-z][a-z ]{2,60}?))"
    r"(?=(?:\s+(?:any\s?more|at\s+all|now|after\s+all))?\s*(?:[,.;!\n]|$)|\s+"
    r"(?:and|but|so)\s)"
    # "I eat meat now" takes back "I don't eat meat".
    r"|\bI(?:(?:'ve|\s+have)?(?:\s+just|\s+recently)?\s+started|\s+now|\s+do|\s+can)*\s+(?P<eats>eat|drink)(?:ing)?\s+"
    r"(?P<food>[a-z]+(?:\s[a-z]+)??)(?=(?:\s+(?:now|again|these\s+days))?\s*(?:[,.;!\n]|$))"
)


def diets(text: str) -> Iterator[Claim]:
    """What a sentence says its speaker does not eat or cannot or is allergic to, and what of that is no more."""
    for match in told(_KINDS, text):
        yield Claim("diet", match["diet"].lower(), match.start())
    for match in told(_ALLERGIC, text):
        yield Claim("allergy", match["to"].lower(), match.start())
    for match in told((_AN_ALLERGY,), text):
        if to := _HOW_BAD.sub("", match["to"]).strip():
            yield Claim("allergy", to, match.start())
    for match in told((_NOT_EATEN,), text):
        for food in items(match["food"]):
            if not _NO_FOOD.match(food):
                yield Claim("diet", f"does not {match['eats']} {food}", match.start())
    for match in told((_NOT_HAD,), text):
        for food in items(match["food"].removeprefix("any ")):
            yield Claim("diet", f"does not eat {food}", match.start())
    for match in told((_NO_MORE,), text):
        food = match["food"]
        if not food or not _NO_FOOD.match(food):
            old = f"does not {match['eats']} {food}" if food else (match["to"] or match["diet"]).lower()
            kind = "allergy" if match["to"] else "diet"
            yield Claim(kind, None, match.start(), instead_of=old, correction=True)
