"""Names, places and employers, which are told by their capitals. Knows nothing of what is said of them."""

from __future__ import annotations

import re

from memfold.text.calendar import MONTH_NAMES, WEEKDAYS
from memfold.text.scripts import CAPITAL, ENDED, NAME_WORD

# Dots that end no value: "St. Louis", "Washington, D.C.", "Foo Inc."; a sentence cut behind "Ft." names nothing.
_TITLED = r"(?:St|Ste|Ft|Mt|Pt|Dr|Mr|Mrs|Ms)\."
_DOTTED = r"(?:(?:Inc|Ltd|Co|Corp|Bros|Pty|Sr|Jr)\.|(?:[A-Z]\.){1,4}[A-Z]\b\.?)"
_CAP = rf"(?:(?:{_TITLED}\ )?(?:{_DOTTED}|(?!I\b|{_TITLED}){CAPITAL}(?:[\w'&-]*\w)?{ENDED}))"
CAPS = rf"{_CAP}(?:\ {_CAP})*"
_JOIN = r"(?:(?:of|de|del|la|las|los|le|upon|am|du|da|do|di|el|and\ the)\ )?"
# "Paris, Anna lives in Rome": what follows a comma belongs to a place only before another mark or a word that goes on.
_GOES_ON = (
    r"(?:(?<=\.[A-Z]\.)|(?=\s*(?:[^\w\s'’]|$)|\s+(?:and|but|so|with|where|which|who|for|since|now|right|because"
    r"|as|on|earning|in|to|last|this|today|yesterday|originally|currently"
    r"|these|at|btw|though|too|still|until|after|before|when|near|again|permanently|myself|if|lol|by)\b))"
)
PLACE = rf"(?:the\ )?{_CAP}(?:[ -]{_JOIN}{_CAP})*(?:,\ {CAPS}{_GOES_ON}){{0,2}}"
_FIRM = rf"{_CAP}(?:\ (?:(?:&|of|of\ the|de|del|du|des|für|van)\ )?{_CAP})*"
# "The University of Leeds", and not "the London office".
FIRM = (
    rf"(?:{_FIRM}|the\ (?>{_FIRM})(?=\s*(?:[^\w\s'’-]|$)"
    r"|\s+(?:as|in|on|at|and|but|so|since|for|where|which|now|because)\b))"
    r"(?:,\ (?:Inc|Ltd|LLC|LLP|Corp|GmbH)\b\.?)?"
)
NAME = (
    rf"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\ )?(?:{CAPITAL}\.\ ?){{0,3}}{NAME_WORD}(?:\ "
    r"(?:(?:de|van|von|der|den|la|las|los|del|da|das|dos|di|du|le|el|ter|ten|zu|bin|ibn|al)\ ){0,2}"
    rf"(?:{NAME_WORD}|{CAPITAL}\.))*"
)
# What a value takes the place of: "in Rome, not Paris".
NOT_OLD = rf"(?:,?\s+(?:and\ )?not\ (?:in\ |at\ |from\ )?(?P<old>{CAPS}|\d{{1,3}}))?"

DAYS = "|".join((*(f"{day}s?" for day in WEEKDAYS), *MONTH_NAMES))
# Capitals that are no places, though one can "move" to them or be "from" them.
_NO_PLACE = re.compile(
    rf"^(?:the\ )?(?:{DAYS}|aws|gcp|azure|google\w*|microsoft|amazon|apple|meta|facebook"
    r"|netflix|slack|teams|zoom|notion|jira|trello"
    r"|asana|github|gitlab|bitbucket|docker|kubernetes|k8s|python|java|javascript|typescript"
    r"|react|vue|angular|svelte|node(?:\.?js)?"
    r"|flask|django|fastapi|rails|ruby|rust|go|golang|kotlin|swift|php|laravel|spring|postgres"
    r"(?:ql)?|mysql|sqlite|mongo(?:db)?"
    r"|redis|kafka|spark|linux|ubuntu|debian|fedora|arch|windows|macos|mac|ios|android|chrome"
    r"|firefox|safari|excel|word|scrivener"
    r"|sheets|docs|figma|sketch|photoshop|vim|emacs|vscode|vs|visual\ studio|outlook|gmail"
    r"|terraform|ansible|jenkins|heroku|vercel|netlify|cloudflare"
    r"|lambda|ec2|s3|dynamodb|graphql|rest|grpc|tensorflow|pytorch|keras|pandas|numpy|english"
    r"|french|german|spanish|chinese|japanese"
    r"|hr|it|qa|ux|ui|pr|sales|marketing|finance|plan|phase|step|chapter|section|part|option"
    r"|level|week|day|tailwind|bootstrap"
    r"|webpack|vite|next(?:\.?js)?|cypress|jest|pytest|selenium|mailchimp|salesforce|hubspot"
    r"|shopify|wordpress|instagram|twitter|x)\b",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?:US|USA|UK|UAE|NYC|LA|SF|DC|EU|NZ|HK|KL)\Z")


def place(name: str | None) -> str | None:
    """A place's name as it is kept; None where it is none."""
    if not name or _NO_PLACE.match(name):
        return None
    if name.isupper() and len(name) <= 5 and not _SHORT.match(name.replace(".", "").removeprefix("the ")):
        return None
    return name if not re.search(r"\d|[a-z][A-Z]{2,}", name) else None
