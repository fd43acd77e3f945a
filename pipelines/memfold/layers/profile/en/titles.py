"""The titles of jobs, told by a list of what people are paid for. Knows nothing of who has one."""

from __future__ import annotations

import re

# What people are paid for, or learn to be.
_HEAD = (
    r"(?i:accountant|actor|actress|actuary|administrator|advisor|adviser|agent|analyst"
    r"|animator|apprentice|architect|artist"
    r"|assistant|astronaut|attorney|auditor|author|baker|banker|barber|barista|bartender"
    r"|biologist|bookkeeper|broker"
    r"|builder|butcher|caregiver|carer|carpenter|cashier|chef|chemist|civil\ servant|clerk"
    r"|coach|composer|consultant"
    r"|contractor|controller|coordinator|copywriter|counsel(?:l)?or|courier|curator|dancer"
    r"|dentist|designer|detective"
    r"|developer|dietitian|dietician|diplomat|director|doctor|driver|economist|editor|educator"
    r"|electrician|employee"
    r"|engineer|entrepreneur|estate\ agent|executive|farmer|filmmaker|firefighter|fisherman"
    r"|florist|founder|freelancer"
    r"|gardener|geologist|guard|hairdresser|handler|historian|housekeeper|illustrator"
    r"|inspector|instructor|intern"
    r"|interpreter|inventor|janitor|jeweller|jeweler|journalist|judge|lawyer|lecturer"
    r"|librarian|lieutenant|linguist"
    r"|machinist|manager|marketer|mathematician|mechanic|midwife|miner|model|musician|nanny"
    r"|novelist|nurse|nutritionist"
    r"|officer|optician|optometrist|painter|paralegal|paramedic|pastor|pharmacist|philosopher"
    r"|photographer|physician"
    r"|physicist|physio|pianist|pilot|planner|plumber|poet|police\ ?(?:man|woman)|politician"
    r"|postdoc|presenter|principal"
    r"|producer|professor|programmer|psychiatrist|psychotherapist|publisher|realtor"
    r"|receptionist|recruiter|reporter"
    r"|researcher|retailer|sailor|salesman|saleswoman|salesperson|scholar|scientist"
    r"|screenwriter|sculptor|secretary"
    r"|seamstress|sergeant|singer|social\ worker|soldier|solicitor|specialist|statistician"
    r"|stockbroker|streamer|student"
    r"|supervisor|surgeon|surveyor|tailor|teacher|technician|technologist|therapist|trader"
    r"|trainer|translator|tutor"
    r"|undergraduate|veterinarian|vet|videographer|waiter|waitress|welder|worker|writer|YouTuber"
    r"|(?:team|tech|shift|project|design|engineering)\ lead(?:er)?"
    r"|\w+ologist|\w+ographer|\w{3,}therapist|CEO|CTO|CFO|COO)"
)
# "Head of design": of what, in so many words as name no other thing.
_WORD = (
    r"(?!(?:last|this|next|yesterday|today|now|here|at|for|from|in|of|on|by|and|but|so|who|with|since|until"
    r"|because|recently|too|myself|after|when|as|again|currently|the|an?|my|our|your|his|her|their|that|all"
    r"|household)\b)[A-Za-z][\w&-]*"
)
LEADS = (
    r"(?i:(?:(?:new|deputy|assistant|associate|interim|acting|global|senior|co-?)\s?)*"
    r"(?:head|director|[SE]?VP|vice\ president|chief|dean)\ of"
    rf"(?:\ {_WORD}){{1,3}}(?:\ and(?-i:\ [A-Z][\w-]*))?)"
)
PAID = rf"(?P<job>{LEADS}|(?:[A-Za-z][\w/&+#.-]*\ ){{0,4}}?{_HEAD})\b"
ENDS = (
    r"\s*(?:[^\w\s'’/-]|-+[>\s]|$)|\s+(?:at|for|from|in|of|based|living|with|and|but|so|who"
    r"|working|by|here|now|since|on|new|currently|speciali[sz]ing|trying|looking|earning"
    r"|because|myself|then|until|too|again|these\s+days|nowadays)\b"
)
# A nurse in a game, or for a day, is none by profession.
_PLAYED = (
    r"\s+(?:in\s+(?:the|this|my|an?)\s+(?:\w+\s+)?(?:game|play|film|musical|sims|dream|role-?play)"
    r"|for\s+(?:an?|the)\s+(?:day|week))\b"
)
TITLE = rf"{PAID}(?={ENDS})(?!{_PLAYED})"

# Words before the job that make it another thing, or no job; and those that only praise.
_NO_JOB = re.compile(
    r"\b(?:former|ex|ex-\w+|aspiring|wannabe|would-be|amateur|hobby\w*|future|beginner|novice"
    r"|better|best|worse|worst|bad|terrible|slow|fast|visual"
    r"|home|natural|born|not|never|of|for|who|with|and|to|in|at|that|bit|my|your|his|her|their"
    r"|the|an?|as|sucker|mere|deep|big"
    r"|great|good|fellow|quick|kinda|like|total|complete|self-proclaimed|frustrated|role|super"
    r"|fashion\ model|role\ model|sore|shooting|point)\b",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"^(?:(?:hands-on|proud|busy|passionate|simple|humble|new|seasoned|experienced|dedicated"
    r"|young|old|professional|full-time"
    r"|part-time|fully|qualified|\d+-year-old)\s+)+",
    re.IGNORECASE,
)


def job(title: str) -> str | None:
    """A job's title as it is kept; None where it is none."""
    bare = _PRAISE.sub("", title.strip())
    if re.fullmatch(LEADS, bare):
        return bare
    head = re.search(rf"{_HEAD}\Z", bare)
    if not bare or _NO_JOB.search(bare[: head.start()] if head else bare):
        return None
    return bare
