"""What English sentences say of the one who speaks. Tables of patterns, and few: a wrong entry is an error in every
later answer, a missing one is still found by search.

Places, names and employers are told by their capitals, jobs by a list of what people are paid for. What is supposed,
played, quoted or said of somebody else is left out by what stands before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from memfold.layers.profile.claim import Claim, an_age, marked
from memfold.text.calendar import MONTH_NAMES, WEEKDAYS
from memfold.text.reported import in_earnest

_I = r"\bI(?:'m|\s+am)"
_CAP = r"(?!I\b)[A-ZÀ-Þ](?:[\w'&-]*\w)?"
_JOIN = r"(?:(?:of|de|del|la|las|los|le|upon|am|du|da|do|di|el|and\ the)\ )?"
# "Paris, Anna lives in Rome": what follows a comma belongs to a place only before another mark or a word that goes on.
_GOES_ON = (
    r"(?=\s*(?:[^\w\s'’]|$)|\s+(?:and|but|so|with|where|which|who|for|since|now|right|because"
    r"|as|on|earning|in|to)\b)"
)
_PLACE = rf"(?:the\ )?{_CAP}(?:[ -]{_JOIN}{_CAP})*(?:,\ {_CAP}(?:\ {_CAP})*{_GOES_ON})?"
_NAME = (
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\ )?[A-ZÀ-Þ][a-zß-ÿ]+(?:['’-][A-ZÀ-Þ]?[a-zß-ÿ]+)*(?:\ (?:"
    r"(?:de|van|von|der|la|bin|al)\ )?[A-ZÀ-Þ](?:[a-zß-ÿ'’-]+|\.))*"
)

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
    r"|\w+ologist|\w+ographer|\w{3,}therapist|CEO|CTO|CFO|COO)"
)
_TITLE = rf"(?P<job>(?:[A-Za-z][\w/&+#.-]*\ ){{0,4}}?{_HEAD})\b"
_TITLE += (
    r"(?=\s*(?:[^\w\s'’/-]|-+[>\s]|$)|\s+(?:at|for|from|in|of|based|living|with|and|but|so|who"
    r"|working|by|here|now|since|on|new|currently|speciali[sz]ing|trying|looking|earning"
    r"|because|myself|then|until|too)\b)"
)


# Words before the job that make it another thing, or no job; and those that only praise.
_NO_JOB = re.compile(
    r"\b(?:former|ex|ex-\w+|aspiring|wannabe|would-be|amateur|hobby\w*|future|beginner|novice"
    r"|better|best|bad|terrible|slow|fast|visual"
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

_DAYS = "|".join((*(f"{day}s?" for day in WEEKDAYS), *MONTH_NAMES))
# Capitals that are no places, though one can "move" to them or be "from" them.
_NO_PLACE = re.compile(
    rf"^(?:the\ )?(?:{_DAYS}|aws|gcp|azure|google\w*|microsoft|amazon|apple|meta|facebook"
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

_CORRECTS = re.compile(
    r"(?:^|[.!?;,—–-]\s*)[*_]*(?:oh,?\ |oops,?\ |wait,?\ |hm+,?\ |well,?\ |but\ |just\ |a\ |quick\ |small\ )*"
    r"(?:no|nope|nah|actually|sorry|correction|scratch\ that|in\ fact|my\ mistake|to\ correct|I\ was\ wrong"
    r"|I\ misspoke|I\ meant|I\ mean|update|not\ (?:quite|anymore)|that's\ (?:wrong|not\ right"
    r"|incorrect|not\ true)|you(?:'re|\ are)\ wrong)\b",
    re.IGNORECASE,
)
_NOT_O = rf"(?:,?\s+(?:and\ )?not\ (?:in\ |at\ |from\ )?(?P<old>{_CAP}(?:\ {_CAP})*|\d{{1,3}}))?"

_AGE_NEXT = (
    r"(?=\s*(?:[.!;)]|,(?!\s*(?:\d|maybe|or|perhaps|about|almost|%))|-+>|$)|\s+(?:and(?!\s+\d)"
    r"|but|now|so|who|years?\s+old|yrs?\s+old|today|years?\s+of\s+age)\b)"
)

_NAMED = (
    re.compile(
        r"\b[Mm]y\s+(?:full\s+|real\s+|first\s+|English\s+)?name(?:'s|\s+is)\s+(?:actually\s+)?"
        rf"(?P<name>{_NAME})(?:\s*[(（](?P<han>[\u4e00-\u9fff·]{{2,5}})[)）])?"
    ),
    re.compile(r"\bmy\s+name(?:'s|\s+is)\s+(?P<low>[a-z]{2,15})(?=\s*(?:[.!,;]|$)|\s+and\s+i\b)"),
    re.compile(
        rf"{_I}\s+(?P<name>{_NAME})(?:\s*[(（](?P<han>[\u4e00-\u9fff·]{{2,5}})[)）])?(?=,\s+"
        r"(?:an?\s|and\s+I\b|from\s+[A-Z]|\d\d\b|based\b|living\b)|\s+from\s+[A-Z])"
    ),
    re.compile(
        r"^\W*(?i:(?:hi|hello|hey)(?:\s+there)?[,.!]?\s+)?(?:I(?:'m|\s+am)|(?i:this\s+is))\s+"
        rf"(?P<name>{_NAME})(?=\s*[.!]|$|\s+and\s+I\b)"
    ),
)
_CHINESE_NAME = re.compile(r"\b[Mm]y\s+Chinese\s+name(?:'s|\s+is)\s+(?P<han>[\u4e00-\u9fff·]{2,5})")
_NO_NAME = re.compile(
    r"^(?:(?:dr|mr|mrs|ms|prof)\.?$|(?:not|on|in|at|the|there|here|sure|sorry|fine|good|great"
    r"|ok(?:ay)?|done|ready|new|so|very|just|also|still|back|happy|glad|excited|tired|curious"
    r"|lost|stuck|team"
    r"|missing|wrong|unique|common|misspelled|misspelt|rare|long|short|listed|unknown"
    r"|important|irrelevant|secret|private|correct|hard|easy|everywhere|nobody|mud|taken|weird"
    r"|funny"
    r"|christian|catholic|buddhist|hindu|muslim|jew|atheist|german|greek|dutch|french|swiss"
    r"|thai|czech|arab|iraqi|israeli|pakistani|african|asian|european|black|white|deaf|blind"
    r"|gay|queer"
    r"|vegan|single|married|pregnant|bipolar|autistic|\w+(?:ish|ese|[ie]an|ist|ed|ing|able|ful|ous))\b)",
    re.IGNORECASE,
)  # fmt: skip
# Names that look like nationalities.
_YET_A_NAME = re.compile(
    r"^(?:Ian|Ryan|Brian|Bryan|Adrian|Julian|Sebastian|Damian|Fabian|Vivian|Lillian|Gillian"
    r"|Dorian|Dean|Sean|Jean|Jordan|Logan|Ethan|Susan|Alan|Ivan|Juan|Megan|Nathan|Dylan|Evan"
    r"|Joan|Diana?|Ahmed|Ed|Fred|Jared|Mohammed|Mohamed|Ahmad|Winifred|Alfred|Sterling|Ming"
    r"|Ying|Jing|Ling|Ping|Bing|Ding|Xing|Irving|Trish|Josh|Ashish|Manish|Reese|Therese|Denese"
    r"|Mabel|Isabel|Christian\s[A-Z]|Killian|Lian|Brianan?)\b"
)

_AGED = (
    re.compile(
        rf"{_I}\s+(?:now\s+|actually\s+|only\s+|already\s+|currently\s+)*(?P<age>\d{{1,3}}){_AGE_NEXT}"
        + _NOT_O
    ),
    re.compile(rf"{_I}\s+an?\s+(?P<age>\d{{1,3}})[ -]years?[ -]old\b"),
    re.compile(rf"{_I}\s+(?:{_NAME}),\s+an?\s+(?P<age>\d{{1,3}})[ -]years?[ -]old\b"),
    re.compile(r"\b[Mm]y\s+age\s+is\s+(?P<age>\d{1,3})\b(?!\s*%)"),
    re.compile(
        r"\bI(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?turned\s+(?P<age>\d{1,3})(?=\s*(?:[.,!;]"
        r"|$)|\s+(?:last|this|today|yesterday|on|in|and|a\s+few)\b)"
    ),
)

_WHAT = rf"(?:{_NAME},?\s+)?(?:and\s+)?(?:an?|the)\s+(?:\d{{1,3}}[ -]years?[ -]old\s+)?"
_AT = rf"(?:\s+(?:at|for)\s+(?P<firm>{_CAP}(?:\ {_CAP})*))?"
_LIVES = rf"(?:,?\s+(?:currently\s+)?(?:based|living|residing)\s+in\s+(?P<home>{_PLACE}))?"
_COMES = rf"(?:\s+from\s+(?P<origin>{_PLACE}))?"
_WORKS = (
    re.compile(
        rf"{_I}\s+(?:actually\s+|also\s+|currently\s+|now\s+|just\s+)*{_WHAT}{_TITLE}{_AT}{_LIVES}{_COMES}"
    ),
    re.compile(
        r"\b(?:I(?:'m|\s+am)?\s+(?:now\s+|currently\s+|actually\s+)?(?:work|working|employed)|"
        r"(?:in\s+)?my\s+(?:job|work|career|role|position|day\s+job)|I(?:'ve|\s+have)?\s+"
        r"(?:just\s+)?(?:started|got|landed|took)\s+an?\s+(?:new\s+)?(?:job|position))\s+as\s+"
        rf"(?:an?\s+|the\s+)?{_TITLE}{_AT}"
    ),
    re.compile(
        rf"^\W*As\s+an?\s+{_TITLE}{_COMES},\s+I(?!\s+want\s+to\b|\s+can\b|\s+should\b|\s+would\b|'d\b)"
    ),
    re.compile(
        r"\bI(?:'ve|\s+have|\s+was|'ve\s+been|\s+have\s+been|\s+got|\s+recently\s+got"
        r"|\s+just\s+got|\s+was\s+recently)?\s+(?:been\s+)?promoted\s+to\s+(?:an?\s+"
        rf"|the\s+)?{_TITLE}"
    ),
    re.compile(rf"\b[Mm]y\s+(?:job|profession|occupation)\s+is\s+(?:being\s+|that\s+of\s+)?an?\s+{_TITLE}"),
)
_EMPLOYED = (
    re.compile(
        r"\bI(?:'m|\s+am)?\s+(?:now\s+|currently\s+|actually\s+)?work(?:ing)?\s+(?:at|for)\s+"
        rf"(?P<firm>{_CAP}(?:\ {_CAP})*)" + _NOT_O
    ),
    re.compile(rf"\b(?:my|a)\s+new\s+job\s+(?:is\s+)?(?:at|with)\s+(?P<firm>{_CAP}(?:\ {_CAP})*)"),
    re.compile(
        r"\bI(?:'ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:(?:changed|switched)\s+(?:jobs|companies)"
        r"|(?:started|got|found)\s+a\s+new\s+job)[,;.–—-]?\s+(?:and\s+)?I(?:'m|\s+am)\s+(?:now\s+)?"
        rf"(?:working\s+(?:at|for|with)|at|for)\s+(?P<firm>{_CAP}(?:\ {_CAP})*)" + _NOT_O
    ),
)
_LOST = re.compile(
    r"\b(?:[Ll]ost|quit|left|resigned\s+from)\s+my\s+job(?:\s+as\s+an?\s+"
    rf"(?P<job>[a-z][a-z /-]{{2,40}}?)(?=\s*[,.;!?]|$|\s+(?:yesterday|last|this|and|so|at|in"
    rf"|on)\b))?(?:\s+at\s+(?P<firm>{_CAP}(?:\ {_CAP})*))?"
)
_LOST_BY_ME = re.compile(
    r"(?:\bI(?:'ve|\s+have|\s+just|\s+also|\s+recently|,?\s+unfortunately,?)*(?:\s+also"
    r"|\s+just|\s+recently)?\s+|^\W*(?:\w+\W+){0,6})$"
)

_HOME = (
    re.compile(
        r"\bI(?:\s+(?:currently|now|actually|still|do))*\s+live\s+(?:(?:here|alone|now"
        rf"|with\s+[a-z ]{{2,24}}?)\s+)?in\s+(?:an?\s+[a-z -]{{2,30}}?\s+(?:in|near|outside"
        rf"|of)\s+)?(?P<home>{_PLACE})" + _NOT_O
    ),
    re.compile(
        rf"{_I}\s+(?:(?:currently|now|actually|still|a\s+\w+)\s+)*(?:living|based|residing)\s+in\s+"
        rf"(?P<home>{_PLACE})" + _NOT_O
    ),
    re.compile(rf"{_I}\s+\d{{1,3}}\s+(?:years\s+old\s+)?and\s+(?:living|based)\s+in\s+(?P<home>{_PLACE})"),
    re.compile(rf"^\W*Living\s+in\s+(?P<home>{_PLACE}),\s+I\b"),
    re.compile(
        rf"\b[Mm]y\s+(?:new\s+)?home(?:\s+town|\s+city)?\s+is\s+(?:now\s+)?(?:in\s+)?(?P<home>{_PLACE})"
    ),
    re.compile(
        r"\bI(?:'ve|\s+have)?\s+(?:(?:just|recently|finally|now|actually)\s+)*(?:moved"
        r"|relocated)\s+(?:(?:house|home|away|back|here|out|over|down|up)\s+)?(?:from\s+"
        rf"(?P<old>{_CAP}(?:\ {_CAP})*)\s+)?to\s+(?P<moved>{_PLACE})"
    ),
)
# "We moved from REST to GraphQL": a team does too, so only who is known to live there has moved house (`history`).
_WE_MOVED = re.compile(
    r"\b[Ww]e(?:'ve|\s+have)?\s+(?:(?:just|recently|finally|now|actually)\s+)*(?:moved|relocated)\s+from\s+"
    rf"(?P<old>{_CAP}(?:\ {_CAP})*)\s+to\s+(?P<home>{_PLACE})"
)
_HOME_LOW = re.compile(
    r"\bi(?:\s+(?:currently|now|actually))?\s+live\s+in\s+(?P<home>[a-z]{3,}(?:\s[a-z]{3,})?)"
    r"(?=\s*(?:[.,!;]|$))"
)
_NO_HOME_LOW = re.compile(
    r"\b(?:fear|denial|peace|poverty|hope|harmony|pain|silence|exile|misery|luxury|hell|heaven"
    r"|isolation|chaos|doubt|terror|darkness|sin|squalor|agony|constant|pajamas|jeans|the|my"
    r"|his|her|our|their|an?|one|this|that|two|small|big|comfort|anxiety|regret|shame|solitude"
    r"|style|sweatpants|town|country|countryside|city|suburbs?|dorms?)\b"
)
_FROM = re.compile(
    rf"{_I}\s+(?:originally\s+|actually\s+)?from\s+(?P<origin>{_PLACE})|\bI\s+(?:come\s+from"
    rf"|grew\s+up\s+in|was\s+born\s+in)\s+(?P<origin2>{_PLACE})"
    rf"|{_I}\s+\d{{1,3}}\s+years\s+old\s+and\s+from\s+(?P<origin3>{_PLACE})"
)
_NO_MORE = re.compile(
    rf"\bI\s+(?:don't|do\s+not)\s+(?P<verb>live|work)\s+(?:in|at|for)\s+(?P<a>{_CAP}"
    rf"(?:\ {_CAP})*)(?:\s+any\s?more)?|\bI\s+no\s+longer\s+(?P<verb2>live|work)\s+(?:in|at"
    rf"|for)\s+(?P<b>{_CAP}(?:\ {_CAP})*)"
)

_CALL = re.compile(
    r"(?i:(?:^|[,.;!?]\s*|\b(?:please|just|can|could|may|should|simply|and|instead|friends"
    r"|everyone|everybody|people|they|better))\s*(?:please\s+|just\s+)?(?:calls?"
    rf"|address)\s+me\s+(?:as\s+)?)\s*(?P<name>{_NAME})(?=\s*(?:[^\w\s'’]|$)|\s+(?:from|and"
    r"|instead|please|when|in|for|not|but|if)\b)"
    rf"|\bI\s+(?:go\s+by|prefer\s+to\s+be\s+called|like\s+to\s+be\s+called)\s+(?P<name2>{_NAME})"
)
_LANGUAGES = (
    r"(?:English|French|German|Spanish|Italian|Portuguese|Dutch|Russian|Chinese|Mandarin"
    r"|Cantonese|Japanese|Korean|Arabic|Hindi|Urdu|Bengali|Turkish|Polish|Swedish|Norwegian"
    r"|Danish|Finnish|Greek|Hebrew|Czech|Hungarian|Romanian|Ukrainian|Vietnamese|Thai"
    r"|Indonesian|Malay|Tagalog|Swahili|Persian|Farsi|Catalan)"
)
_SPEAKS = (
    (
        None,
        re.compile(
            r"\bI(?:\s+also|\s+can)?\s+speak\s+(?:fluent\s+|some\s+|a\s+(?:bit|little)\s+(?:of\s+)?"
            rf"|both\s+)?(?P<many>{_LANGUAGES}(?:(?:,\s+|,?\s+and\s+)(?:some\s+)?{_LANGUAGES})*)"
            rf"|{_I}\s+(?:also\s+)?fluent\s+in\s+(?P<many2>{_LANGUAGES}(?:(?:,\s+"
            rf"|,?\s+and\s+){_LANGUAGES})*)"
        ),
    ),
    (
        "native",
        re.compile(
            r"\b[Mm]y\s+(?:native\s+language|mother\s+tongue|first\s+language|native\s+tongue)\s+is\s+"
            rf"(?P<many>{_LANGUAGES})|{_I}\s+a\s+native\s+(?P<many2>{_LANGUAGES})\s+speaker"
            rf"|{_I}\s+a\s+native\s+speaker\s+of\s+(?P<many3>{_LANGUAGES})"
        ),
    ),
    (
        "learning",
        re.compile(
            rf"{_I}\s+(?:also\s+|currently\s+|now\s+)?(?:learning|studying)\s+(?P<many>{_LANGUAGES})\b"
            r"(?!\s+(?:history|literature|law|cuisine|cooking|grammar))"
        ),
    ),
)
_ONE_LANGUAGE = re.compile(_LANGUAGES)
_ANSWER_IN = re.compile(
    r"\b(?i:answer|reply|respond|write|talk|speak|communicate)(?:\s+(?:to\s+)?me)?(?:\s+back)?"
    rf"(?:\s+only|\s+always)?\s+in\s+(?P<value>{_LANGUAGES})\b(?!\s+(?:for|when|if|to)\b)"
    rf"|\b(?i:answers|replies|responses)\s+(?:to\s+be\s+)?in\s+(?P<value2>{_LANGUAGES})\b"
    # Gone back to: "you can go back to English", not "then I can go back to English".
    r"|^\W*(?i:(?:please|now|ok(?:ay)?),?\s+)*(?:(?i:(?:(?:you\s+(?:can|may)|let's|(?:can|could)\s+(?:you|we))\s+)?"
    rf"(?:(?:go|switch|change|come)\s+)?back\s+to)\s+(?P<value3>{_LANGUAGES})(?=(?i:\s+(?:please|again|now))*\W*$)"
    rf"|(?i:in\s+)?(?P<value4>{_LANGUAGES})\s+(?i:again),?\s+(?i:please)\b)",
)
_ANSWER_BY = re.compile(
    r"(?:^|[,.;!?:–—-]\s*|\b(?:please|always|you|should|must|only|can|could|and|but|now|on"
    r"|want|prefer|like|your|all))\s*(?:always\s+|only\s+|to\s+|please\s+)*$",
    re.IGNORECASE,
)

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
_FAVOURITE = re.compile(
    r"\b[Mm]y\s+(?:(?:all-time|absolute|current)\s+)?(?:favou?rite|fave)\s+(?P<key>(?!part"
    r"|thing|moment|memory|memories|line|scene|bit|way|one|ones|is|are"
    r"|was)[a-z][a-z' -]{1,40}?)\s+(?:is|are)\s+(?:now\s+|actually\s+|probably\s+"
    r"|definitely\s+)?(?!not\b|when\b|how\b|that\b|to\b|the\s+one\b)"
    r"(?P<value>[^,.;!?\n]{2,60}?)(?=\s*(?:[,.;!?\n]|-+>|$)|\s+(?:and|but|because|since|so"
    r"|which|-)\s)"
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
            rf"{_I}\s+(?:really\s+|also\s+)?an?\s+(?:(?:big|huge|total|massive|lifelong"
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
_DIET = re.compile(
    rf"{_I}\s+(?:actually\s+|also\s+|now\s+|strictly\s+|an?\s+(?:strict\s+)?)*(?P<diet>vegan"
    r"|vegetarian|pescatarian|lactose[ -]intolerant|celiac|coeliac|gluten[ -]intolerant|halal"
    r"|kosher|diabetic)\b"
    rf"|{_I}\s+(?:\w+ly\s+|really\s+|also\s+)?"
    rf"(?P<allergic>allergic\s+to\s+[a-z][a-z ]{{2,60}}?)(?=\s*(?:[,.;!?\n]|-+>|$)|\s+"
    r"(?:as\s+well|too|also)\b|\s+(?:and\s+I|so|but|which)\s)"
    r"|\bI\s+(?:don't|do\s+not|never)\s+(?P<eats>eat|drink)\s+(?P<food>[a-z]+(?:\s(?!at\b|in\b"
    r"|on\b|that|much|enough|before|after|when|any|well|out|a\b|the\b)[a-z]+)?)(?=\s*"
    r"(?:[,.;!\n]|$))"
)
_NO_FOOD = re.compile(
    r"^(?:much|enough|a|an|the|that|it|them|out|well|at|in|before|after|breakfast|lunch|dinner"
    r"|healthy|properly|anything|together)\b"
)
_NO_DIET = re.compile(
    rf"{_I}\s+(?:no\s+longer|not)\s+(?:(?:actually|really|an?)\s+)*(?P<diet>vegan|vegetarian|pescatarian"
    r"|lactose[ -]intolerant|celiac|coeliac|gluten[ -]intolerant|halal|kosher|diabetic"
    r"|allergic\s+to\s+[a-z][a-z ]{2,60}?)(?=(?:\s+(?:any\s?more|at\s+all|now|after\s+all))?\s*(?:[,.;!\n]|$)|\s+"
    r"(?:and|but|so)\s)"
    # "I eat meat now" takes back "I don't eat meat".
    r"|\bI(?:(?:'ve|\s+have)?(?:\s+just|\s+recently)?\s+started|\s+now|\s+do|\s+can)*\s+(?P<eats>eat|drink)(?:ing)?\s+"
    r"(?P<food>[a-z]+(?:\s[a-z]+)??)(?=(?:\s+(?:now|again|these\s+days))?\s*(?:[,.;!\n]|$))"
)
_ELLIPTIC = re.compile(
    r"^\W*(?i:(?:no|nope|actually|sorry|correction|wait|oops|I\s+meant|I\s+mean|it's|it\s+is"
    rf"|in)[,:]?\s+)+(?P<value>{_CAP}(?:\ {_CAP})*|\d{{1,3}}),?\s+not\s+(?:in\s+)?"
    rf"(?P<old>{_CAP}(?:\ {_CAP})*|\d{{1,3}})\s*[.!;:)…]*\s*$"
)

_ANY = re.compile(
    r"\b(?:I|my|me|i|My|As an?|Living in|moved from|(?i:answers?|reply|replies|responses?|respond|back to|again)|not)\b"
)


def claims(sentence: str, corrects: bool = False) -> Iterator[Claim]:
    """What one sentence, without quotations, says of its speaker; `corrects` is whether the one before says that
    something was wrong."""
    if not _ANY.search(sentence):
        return
    text = sentence.replace("’", "'")
    for claim in _claims(text):
        yield marked(claim, text[max(0, claim.start - 60) : claim.start], _CORRECTS, corrects=corrects)


def _claims(text: str) -> Iterator[Claim]:
    low = text.lower()
    for words, make in _KINDS:
        if any(word in low for word in words):
            yield from make(text)
    if match := _ELLIPTIC.search(text):
        yield Claim("?", match["value"], match.start(), instead_of=match["old"])


def _matches(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    for pattern in patterns:
        for match in pattern.finditer(text):
            if in_earnest(text, match.start()):
                yield match


def _names(text: str) -> Iterator[Claim]:
    for match in _matches((*_NAMED, _CHINESE_NAME), text):
        group = match.groupdict()
        name, low = group.get("name"), group.get("low")
        if name and (not _NO_NAME.match(name) or _YET_A_NAME.match(name)):
            yield Claim("name", name.rstrip("."), match.start(), "latin")
        elif low and not _NO_NAME.match(low):
            yield Claim("name", low.capitalize(), match.start(), "latin")
        elif not group.get("han") or name:
            continue
        if group.get("han"):
            yield Claim("name", group["han"], match.start(), "han")


def _ages(text: str) -> Iterator[Claim]:
    for match in _matches(_AGED, text):
        if an_age(match["age"]):
            yield Claim("age", str(int(match["age"])), match.start(), instead_of=match.groupdict().get("old"))


def job(title: str) -> str | None:
    """A job's title as it is kept; None where it is none."""
    bare = _PRAISE.sub("", title.strip())
    head = re.search(rf"{_HEAD}\Z", bare)
    if not bare or _NO_JOB.search(bare[: head.start()] if head else bare):
        return None
    return bare


def place(name: str | None) -> str | None:
    """A place's name as it is kept; None where it is none."""
    if not name or _NO_PLACE.match(name):
        return None
    name = name.strip(" ,.")
    if name.isupper() and len(name) <= 5 and not _SHORT.match(name.removeprefix("the ")):
        return None
    return name if not re.search(r"\d|[a-z][A-Z]{2,}", name) else None


def _jobs(text: str) -> Iterator[Claim]:
    for match in _matches(_WORKS, text):
        group = match.groupdict()
        if (title := job(group["job"])) is None:
            continue
        yield Claim("job", title, match.start())
        if group.get("firm") and not re.match(_DAYS, group["firm"], re.IGNORECASE):
            yield Claim("employer", group["firm"], match.start())
        for attribute, name in (("home", "home"), ("from", "origin")):
            if where := place(group.get(name)):
                yield Claim(attribute, where, match.start())
    for match in _matches(_EMPLOYED, text):
        if not re.match(rf"(?:{_DAYS}|AM|PM)\b", match["firm"], re.IGNORECASE):
            yield Claim("employer", match["firm"], match.start(), instead_of=match.groupdict().get("old"))
    for match in _matches((_LOST,), text):
        if _LOST_BY_ME.search(text[: match.start()]):
            for attribute, name in (("job", "job"), ("employer", "firm")):
                yield Claim(attribute, None, match.start(), instead_of=match[name], correction=True)


def _homes(text: str) -> Iterator[Claim]:
    for match in _matches(_HOME, text):
        group = match.groupdict()
        moved = group.get("moved")
        if where := place(moved or group.get("home")):
            # "I moved to React": only who is known to live somewhere has moved (`history`).
            yield Claim("home", where, match.start(), "moved" if moved else None, group.get("old"))
    for match in _matches((_WE_MOVED,), text):
        if where := place(match["home"]):
            yield Claim("home", where, match.start(), "moved from", match["old"])
    for match in _matches((_HOME_LOW,), text):
        if not _NO_HOME_LOW.search(match["home"]):
            yield Claim("home", match["home"].title(), match.start())
    for match in _matches((_FROM,), text):
        if where := place(match["origin"] or match["origin2"] or match["origin3"]):
            yield Claim("from", where, match.start())
    for match in _matches((_NO_MORE,), text):
        attribute = "home" if (match["verb"] or match["verb2"]) == "live" else "employer"
        yield Claim(attribute, None, match.start(), instead_of=match["a"] or match["b"], correction=True)


def _ways_of_address(text: str) -> Iterator[Claim]:
    for match in _matches((_CALL,), text):
        name = match["name"] or match["name2"]
        if name[:1].isupper() and not _NO_NAME.match(name):
            yield Claim("address", name.rstrip("."), match.start())


def _tongues(text: str) -> Iterator[Claim]:
    for key, pattern in _SPEAKS:
        for match in _matches((pattern,), text):
            named = next(value for value in match.groups() if value)
            for language in _ONE_LANGUAGE.findall(named):
                yield Claim("language", language, match.start(), key)
    for match in _ANSWER_IN.finditer(text):
        if _ANSWER_BY.search(text[: match.start()]) and in_earnest(text, match.start()):
            yield Claim("answer language", next(filter(None, match.groups())), match.start())


def _tastes(text: str) -> Iterator[Claim]:
    for match in _matches((_PREFERS,), text):
        value = match["value"].strip()
        if not _NO_PREFERENCE.search(value) and not re.search(
            r"\b(?:as|like|which|that|than)\s*$", text[: match.start()]
        ):
            yield Claim(
                "answers" if _ABOUT_ANSWERS.search(value) else "taste", value, match.start(), "prefers"
            )
    for match in _matches((_FAVOURITE,), text):
        yield Claim(
            "taste", match["value"].strip(), match.start(), f"favourite {match['key'].strip().lower()}"
        )
    for key, pattern in _LIKES:
        for match in _matches((pattern,), text):
            # "something I love is awesome": a clause that says which.
            if _NO_TASTE.search(match["value"]) or len(match["value"].split()) > 5:
                continue
            if "fan of" in match[0] or _LIKED.search(text[: match.start()]):
                yield Claim("taste", match["value"].strip(), match.start(), key)
    for match in _matches((_DIET,), text):
        if match["food"]:
            if not _NO_FOOD.match(match["food"]):
                yield Claim("diet", f"does not {match['eats']} {match['food']}", match.start())
        else:
            yield Claim("diet", (match["diet"] or match["allergic"]).lower(), match.start())
    for match in _matches((_NO_DIET,), text):
        food = match["food"]
        if not food or not _NO_FOOD.match(food):
            old = f"does not {match['eats']} {food}" if food else match["diet"].lower()
            yield Claim("diet", None, match.start(), instead_of=old, correction=True)


# What to look for, and where one of which words stands: looking for the words first takes a tenth of the time.
_KINDS: tuple[tuple[tuple[str, ...], Callable[[str], Iterator[Claim]]], ...] = (
    (("name", "i'm ", "i am ", "this is "), _names),
    (tuple("0123456789"), _ages),
    (("i'm ", "i am ", "as a", "work", "my ", "promoted", "job"), _jobs),
    (("live", "living", "based", "residing", "moved", "relocated", "my home", "new home", " from ", "grew up",
      "born in"), _homes),
    (("call", "address me", "go by "), _ways_of_address),
    (("speak", "native", "tongue", "first language", "fluent", "learning", "studying", " in ", "back to",
      " again"), _tongues),
    (
        ("prefer", "favo", "fave", "love", "like", "enjoy", "adore", "fan of", "hate", "detest", "stand ",
         "allergic", "vega", "vegetarian", "pescatarian", "intolerant", "celiac", "coeliac", "halal", "kosher",
         "diabetic", "eat ", "drink ", "eating ", "drinking "),
        _tastes,
    ),
)  # fmt: skip


def denies(sentence: str) -> bool:
    """Whether a short sentence says that something was wrong, so that the next one puts it right."""
    return len(sentence) < 60 and bool(
        _CORRECTS.search(sentence)
        or re.search(r"\b(?:wrong|incorrect|mistake|not right|mistaken)\b", sentence)
    )
