"""English words for the synthetic source."""

# ruff: noqa: E501 - a sentence stands on one line

from __future__ import annotations

from datetime import date, timedelta

from memfold.evaluate.synthetic.bank import (
    Attribute,
    Bank,
    Claim,
    Draw,
    Exclusion,
    Interval,
    Order,
    Series,
    Tally,
    Taste,
    pick,
    words,
)

MONTHS = words("January February March April May June July August September October November December")
FIRST = words(
    "Agnes Bruno Celia Dario Edith Farid Greta Hamid Ines Jonas Keiko Lorna Milan Nadia Otto Priya Quentin "
    "Rosa Stefan Tilda Umar Vera Wendel Xenia Yusuf Zora Anselm Bettina Cormac Delphine"
)
LAST = words(
    "Abara Bergstrom Castellan Duquesne Eriksen Fontaine Galloway Hargreave Ishikawa Jansen Kowalczyk Lindqvist "
    "Marchetti Novak Okafor Petrov Quirke Rasmussen Santoro Thornbury Ueda Valdez Whitlock Yilmaz Zeller"
)
FIRMS = tuple(
    f"{a} {b}"
    for a in words(
        "Northgate Bluewater Fernhill Ironbridge Larkspur Merrow Oakhurst Pinemoor Quayside Redfern Stonecroft "
        "Tidewell Underhill Vantage Westmere"
    )
    for b in ("Supplies", "Trading", "Partners", "Brothers", "Works", "& Daughters", "Cooperative", "Systems")
)
COLOURS = (
    "sage green", "slate blue", "warm ochre", "oyster white", "brick red", "pale mustard", "charcoal", "dusty rose",
    "teal", "olive", "cream", "plum", "terracotta", "sky grey", "bottle green", "lavender",
)  # fmt: skip
WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")


def day(when: date) -> str:
    """A date as a person writes it: April 2, 2024."""
    return f"{MONTHS[when.month - 1]} {when.day}, {when.year}"


def value(kind: str, draw: Draw, today: date) -> str:
    """A random value of a kind ("money", "count", …), as a person writes it."""
    if kind == "money":
        return f"${int(20 + draw() * 880) * 50:,}"
    if kind == "fee":
        return f"${int(draw() * 60) + 4}.{pick(draw, ('00', '25', '50', '75', '90'))}"
    if kind == "count":
        return str(int(draw() * 170) + 11)
    if kind == "many":
        return f"{int(draw() * 8800) + 310:,}"
    if kind in ("months", "days", "km"):
        return f"{int(draw() * 50) + 6} {kind}"
    if kind == "kWh":
        return f"{int(draw() * 8800) + 310:,} kWh"
    if kind == "date":
        return day(today + timedelta(days=20 + int(draw() * 200)))
    if kind == "time":
        return f"{pick(draw, WEEKDAYS)} at {int(draw() * 11) + 8}:{pick(draw, ('00', '15', '30', '45'))}"
    if kind == "person":
        return f"{pick(draw, FIRST)} {pick(draw, LAST)}"
    if kind == "firm":
        return pick(draw, FIRMS)
    if kind == "colour":
        return pick(draw, COLOURS)
    if kind == "code":
        letters = "".join(pick(draw, "BCDFGHJKLMNPQRSTVWXZ") for _ in range(2))
        return f"{letters}-{int(draw() * 9000) + 1000}"
    raise ValueError(kind)


ATTRIBUTES = (
    Attribute(
        "budget",
        "money",
        (
            "We have put {v} aside for {e} and not a cent more is coming.",
            "The committee signed off {v} in total for {e}.",
            "All in, {v} is the pot we have been given for {e}.",
        ),
        (
            "The pot for {e} was recounted after the grant letter and it now stands at {v}.",
            "Forget the old pot for {e}, the committee came back with {v}.",
        ),
        ("How much money am I allowed to spend on {e}?", "What is the spending limit at {e}?"),
    ),
    Attribute(
        "opening date",
        "date",
        (
            "We told everybody that {e} starts up on {v}.",
            "The doors of {e} are meant to be unlocked for the first time on {v}.",
        ),
        (
            "The start of {e} had to slide, we are now aiming at {v}.",
            "Because the floor is not dry, first day at {e} becomes {v}.",
        ),
        ("When does {e} launch?", "Which day is planned for the inauguration of {e}?"),
    ),
    Attribute(
        "number of helpers",
        "count",
        (
            "I counted the sheet twice and {v} people lend a hand at {e}.",
            "There are {v} names on the rota of {e}.",
        ),
        (
            "After the spring call the rota of {e} has grown to {v} names.",
            "Some moved away, so {v} people lend a hand at {e} these days.",
        ),
        ("How big is the team of volunteers at {e}?", "How many helpers does {e} have?"),
    ),
    Attribute(
        "contact person",
        "person",
        (
            "If anything goes wrong at {e} it is {v} who picks up the phone.",
            "{v} has agreed to be the one everybody rings about {e}.",
        ),
        (
            "Ring {v} about {e} from this week, the previous one is off on parental leave.",
            "The phone of {e} has been handed on and {v} picks it up.",
        ),
        ("Who is the point of contact for {e}?", "Whom should a visitor get in touch with regarding {e}?"),
    ),
    Attribute(
        "supplier",
        "firm",
        (
            "Everything we use up at {e} comes from {v}.",
            "I shook hands with {v}, they will bring the goods to {e}.",
        ),
        (
            "We have moved the orders of {e} over to {v}.",
            "The old van never came on time, so {v} brings the goods to {e} now.",
        ),
        ("Which supplier works for {e}?", "Who delivers materials for {e}?"),
    ),
    Attribute(
        "weekly meeting",
        "time",
        (
            "The whole crew of {e} sits down together on {v}.",
            "For {e} we catch up on {v}, with coffee.",
        ),
        (
            "The crew of {e} could not make the old slot, so we sit down on {v} instead.",
            "Our catch-up for {e} has wandered to {v}.",
        ),
        ("When is the regular meeting of {e} held?", "What slot does the weekly gathering of {e} have?"),
    ),
    Attribute(
        "rent",
        "money",
        (
            "The landlord of {e} takes {v} a month from us.",
            "Every month {v} leaves our account for the rooms of {e}.",
        ),
        (
            "The landlord of {e} wrote, and from the next quarter he takes {v} a month.",
            "After some haggling the rooms of {e} cost us {v} a month.",
        ),
        ("What rent is due for {e}?", "How high is the lease payment for {e}?"),
    ),
    Attribute(
        "storage unit",
        "code",
        (
            "The spare things of {e} are locked up in {v}, right behind the lift.",
            "I carried the boxes of {e} over to {v} yesterday.",
        ),
        (
            "The boxes of {e} got damp, so we carried them over to {v}.",
            "They gave us another locker for {e}, it is {v} now.",
        ),
        ("Where is the storage of {e}?", "Which unit holds the equipment of {e}?"),
    ),
    Attribute(
        "warranty",
        "months",
        (
            "The machine at {e} is covered by its maker for {v}.",
            "If the machine at {e} breaks within {v} they mend it for nothing.",
        ),
        (
            "They stretched the cover of the machine at {e} to {v}.",
            "I reread the small print, the machine at {e} is covered for {v}.",
        ),
        ("How long is the guarantee at {e}?", "What warranty period applies to the equipment of {e}?"),
    ),
    Attribute(
        "wall colour",
        "colour",
        (
            "The front room of {e} is going to be {v}, we voted.",
            "I bought the paint for {e} and it is {v}.",
        ),
        (
            "In daylight it looked sad, so the front room of {e} becomes {v} after all.",
            "We repainted {e} and it is {v} now.",
        ),
        ("What shade did we choose for the walls of {e}?", "Which colour is the interior of {e}?"),
    ),
    Attribute(
        "delivery time",
        "days",
        (
            "Between ordering and the knock at the door of {e} it takes {v}.",
            "Goods need {v} until they stand in the yard of {e}.",
        ),
        (
            "With the bridge closed it takes {v} until goods stand in the yard of {e}.",
            "The wait between ordering and the knock at {e} has become {v}.",
        ),
        ("What lead time should I expect for shipments to {e}?", "How long do deliveries to {e} take?"),
    ),
    Attribute(
        "insurance number",
        "code",
        (
            "The policy for {e} runs under {v}.",
            "In case of fire at {e}, quote {v} to the broker.",
        ),
        (
            "The broker renewed us and the policy for {e} runs under {v} from here on.",
            "New papers for {e}: quote {v} to the broker.",
        ),
        ("What is the insurance reference of {e}?", "Which number do I give when I file a claim for {e}?"),
    ),
    Attribute(
        "distance",
        "km",
        (
            "My odometer says {v} from my door to {e}.",
            "It is {v} each way when I cycle to {e}.",
        ),
        (
            "Since I moved it is {v} each way to {e}.",
            "With the detour my odometer says {v} to {e}.",
        ),
        ("How far do I live from {e}?", "What is the length of my commute to {e}?"),
    ),
    Attribute(
        "booking system",
        "firm",
        (
            "We take the reservations of {e} through the page that {v} built.",
            "{v} runs the calendar where people sign up for {e}.",
        ),
        (
            "The calendar of {e} crashed once too often and {v} runs it now.",
            "People sign up for {e} through {v} since Sunday.",
        ),
        ("Which booking system does {e} use?", "What provider handles registrations at {e}?"),
    ),
    Attribute(
        "entry fee",
        "fee",
        (
            "A grown-up pays {v} at the door of {e}.",
            "We ask {v} from everyone who comes through the gate of {e}.",
        ),
        (
            "At the door of {e} a grown-up pays {v} as of this month.",
            "Nobody grumbled when we changed what we ask at the gate of {e} to {v}.",
        ),
        ("What does admission to {e} cost?", "What is the ticket price at {e}?"),
    ),
    Attribute(
        "capacity",
        "count",
        (
            "The fire officer lets no more than {v} people into {e} at once.",
            "When {v} people are inside {e} we have to close the door.",
        ),
        (
            "With the second exit built, the fire officer lets {v} people into {e}.",
            "We are allowed {v} people inside {e} after the visit on Friday.",
        ),
        ("What is the maximum occupancy of {e}?", "How many visitors does {e} hold?"),
    ),
    Attribute(
        "subscribers",
        "many",
        (
            "Our letter about {e} went out to {v} addresses.",
            "{v} readers get the monthly letter of {e}.",
        ),
        (
            "The list was cleaned up and the letter about {e} goes to {v} addresses.",
            "Last count: {v} readers for the monthly letter of {e}.",
        ),
        ("How many subscribers does the newsletter of {e} have?", "How large is the mailing list of {e}?"),
    ),
    Attribute(
        "bookkeeper",
        "person",
        (
            "{v} goes through the receipts of {e} every quarter.",
            "I leave the shoebox with the receipts of {e} on the desk of {v}.",
        ),
        (
            "The shoebox with the receipts of {e} goes to {v} from this quarter.",
            "We parted on good terms, and {v} goes through the receipts of {e} now.",
        ),
        ("Who does the accounting for {e}?", "What is the name of the bookkeeper at {e}?"),
    ),
    Attribute(
        "power consumption",
        "kWh",
        (
            "The meter at {e} showed {v} for the year.",
            "{e} went through {v} by the yearly bill.",
        ),
        (
            "With the new lamps the meter at {e} showed {v}.",
            "The corrected bill for {e} says {v}.",
        ),
        ("How much electricity does {e} consume?", "What is the annual energy use of {e}?"),
    ),
    Attribute(
        "Wi-Fi name",
        "code",
        (
            "Laptops at {e} connect through the box called {v}.",
            "The sticker on the router at {e} reads {v}.",
        ),
        (
            "They swapped the router at {e}, its sticker reads {v}.",
            "Laptops at {e} have to connect through {v} since the swap.",
        ),
        ("What is the network at {e} called?", "Which Wi-Fi do guests of {e} join?"),
    ),
)

EXCLUSIONS = (
    Exclusion(
        "a second-hand oven",
        "The used oven is off the table for {e}: {v}.",
        "Why did I decide against buying old kitchen equipment for {e}?",
        ("the wiring in the cellar cannot carry it", "the seller would not show the service book", "it would not fit through the side door"),
    ),
    Exclusion(
        "a loan",
        "We will not borrow from the bank for {e}, because {v}.",
        "What spoke against taking a credit for {e}?",
        ("my sister would have had to sign for it", "the interest doubled in a year", "two of us still pay off cars"),
    ),
    Exclusion(
        "a weekend course",
        "Saturdays and Sundays are out for lessons at {e}, since {v}.",
        "What made us drop the idea of teaching on weekends at {e}?",
        ("the neighbours were promised quiet", "the heating is switched off then", "Greta sings in a choir on those days"),
    ),
    Exclusion(
        "plastic flooring",
        "I crossed vinyl off the list for {e}. The thing is, {v}.",
        "Why is there no plastic floor at {e}?",
        ("it smelled for weeks in the sample room", "the boards underneath must breathe", "the fire rating was missing"),
    ),
    Exclusion(
        "a mobile app",
        "No app for {e}, that is settled: {v}.",
        "For which reason did we reject phone software for {e}?",
        ("most members carry old handsets", "nobody would look after it in two years", "the quote was higher than our rent"),
    ),
    Exclusion(
        "a sponsor's banner",
        "We turned down the banner that the brewery offered for {e}, as {v}.",
        "What was the argument against advertising at {e}?",
        ("half of the visitors are children", "the council forbids it on that facade", "they wanted their name before ours"),
    ),
)  # fmt: skip

CLAIMS = (
    Claim("I paid a cleaning crew to scrub {e} from top to bottom.", "I have never had anybody come in to clean {e}.", "Did I ever hire outside cleaners for {e}?", "having {e} cleaned by others"),
    Claim("I drove out and met the landlord of {e} over lunch.", "To this day I have not met the landlord of {e} in person.", "Have I been face to face with the owner of the premises of {e}?", "meeting the landlord of {e}"),
    Claim("I posted photographs of {e} for the first time and got forty likes.", "I never put a single picture of {e} on the internet.", "Have I shared images of {e} online?", "posting pictures of {e}"),
    Claim("I passed the first-aid course that {e} asked for.", "I have not done any first-aid training for {e}.", "Do I hold an emergency-care certificate for {e}?", "taking the first-aid course for {e}"),
    Claim("I borrowed the drill from the people at {e} and brought it back on Sunday.", "I have never borrowed tools from anyone at {e}.", "Did I ever take equipment on loan from {e}?", "borrowing tools from {e}"),
    Claim("I gave a short talk at {e} and my knees were shaking.", "I have never spoken before an audience at {e}.", "Have I held a speech at {e}?", "speaking in public at {e}"),
    Claim("I signed the guest list of {e} and stayed overnight.", "I have not spent a night at {e}, not once.", "Have I slept at {e}?", "staying overnight at {e}"),
    Claim("I wrote to the mayor about {e} and even got an answer.", "I never wrote a line to the town hall about {e}.", "Have I corresponded with the authorities about {e}?", "writing to the town hall about {e}"),
)  # fmt: skip

TALLIES = (
    Tally("chairs", ("I got hold of {n} chairs for {e} at a house clearance.", "Another {n} of them to sit on were standing in the attic, so they went to {e} too.", "A school gave {n} seats to {e} on top of that."), "How many chairs did we gather for {e} altogether?"),
    Tally("hours", ("I spent {n} hours sanding the counter at {e}.", "A further {n} hours went into oiling that counter at {e}.", "And {n} hours more to polish it, {e} owes me a beer."), "What is the total time I worked on the counter of {e}?"),
    Tally("jars", ("We filled {n} jars in the kitchen of {e}.", "A second batch made {n} more for the shelf at {e}.", "The last fruit at {e} was enough for {n}."), "How much preserve did we produce at {e} in sum, counted in jars?"),
    Tally("members", ("{n} families joined {e} at the first evening.", "Then {n} households put their names down for {e} at the fair.", "Through the radio piece {n} more came to {e}."), "How many families signed up with {e} over all occasions?"),
    Tally("trees", ("We planted {n} apple saplings behind {e}.", "In the second round {n} pears went into the ground at {e}.", "The scouts brought {n} cherries to {e}."), "How many fruit trees did {e} get in total?"),
    Tally("dollars", ("The tin at {e} held {n} dollars after the concert.", "A neighbour slipped {n} dollars under the door of {e}.", "The raffle for {e} made {n} dollars."), "How much did {e} receive in donations, all told?"),
)  # fmt: skip

SPANS = (
    Interval("The building inspector walked through {e} on {v}.", "On {v} the first paying guests sat down at {e}.", "Somebody on the street claimed that guests came to {e} as early as {v}, which is nonsense.", "How many days passed between the official check and the first customers at {e}?", ("inspection", "first guests")),
    Interval("I put my signature under the lease of {e} on {v}.", "We carried the last box into {e} on {v}.", "My diary said {v} for the move to {e}, but I had written it on the wrong page.", "How much time lay between the contract and the end of the move at {e}, in days?", ("lease signed", "move finished")),
    Interval("The water came through the ceiling of {e} on {v}.", "On {v} the roofers of {e} packed up for good.", "The roofers' invoice for {e} says {v}, a typo.", "For how many days did the leak repair at {e} drag on?", ("leak", "repair done")),
    Interval("I sent the grant form for {e} off on {v}.", "The yes for {e} lay in the letterbox on {v}.", "They had promised me an answer about {e} by {v}, and nothing came.", "How long did I wait for the funding decision about {e}, counted in days?", ("application sent", "approval")),
    Interval("I ordered the big tent for {e} on {v}.", "The lorry with the tent stood before {e} on {v}.", "According to the tracking page the tent reached {e} on {v}, but that was the neighbour's parcel.", "How many days did the marquee of {e} need to arrive?", ("tent ordered", "tent arrived")),
    Interval("On {v} the old kiln at {e} gave up.", "Its successor at {e} was fired up on {v}.", "The dealer had first offered {v} for setting the thing up at {e}.", "How many days was {e} without a working kiln?", ("breakdown", "replacement running")),
)  # fmt: skip

ORDERINGS = (
    Series("costs", "In which order did I bring up my {n} money worries about {e}?", (
        ("heating", "What the radiators at {e} swallow in winter keeps me awake."),
        ("insurance", "The premium for {e} went up again and I do not see why."),
        ("repairs", "The gutter at {e} hangs loose and mending it will not be cheap."),
        ("wages", "I would like to pay the two students at {e} properly and cannot yet."),
        ("taxes", "A brown envelope from the revenue office about {e} lies unopened on my desk."),
    )),
    Series("people", "Please list in the order I told you about them: the {n} people matters at {e}.", (
        ("a quarrel", "Two of the old hands at {e} are not on speaking terms."),
        ("a newcomer", "A young carpenter turned up at {e} and is a joy."),
        ("an illness", "Our best cook at {e} is in hospital with a broken hip."),
        ("a wedding", "A couple who met at {e} are getting married."),
        ("a farewell", "The founder of {e} said goodbye with a cake."),
    )),
    Series("improvements", "What was the sequence in which I raised {n} improvements to {e}?", (
        ("lighting", "It is gloomy in the corridor of {e}, lamps would do wonders."),
        ("signs", "Nobody finds the entrance of {e}, it wants an arrow on the corner."),
        ("a ramp", "A man in a wheelchair could not get into {e}, I was ashamed."),
        ("noise", "One hears every footstep at {e}, felt under the legs might do."),
        ("plants", "I imagine herbs in pots along the sill of {e}."),
    )),
)  # fmt: skip

MOODS = (
    Series("the neighbours", "Summarise how my feelings about the neighbours of {e} developed.", (
        ("wary", "I am wary of the people next door to {e}, they stare over the fence."),
        ("angry", "I was furious when next door reported {e} for the music."),
        ("touched", "The lady next to {e} brought soup, I nearly cried."),
        ("relieved", "We had it out with the folks beside {e} and I slept well for once."),
        ("fond", "By now I would miss the people around {e} if they moved."),
    )),
    Series("my own role", "Give me an overview of how I have felt about my role at {e} over time.", (
        ("proud", "Standing behind the counter of {e} I was proud of myself."),
        ("exhausted", "I am worn out, {e} eats every evening I have."),
        ("doubtful", "Some mornings I ask myself whether I am the right one for {e}."),
        ("hopeful", "With the two students in, I look forward to {e} again."),
        ("calm", "I have stopped worrying about {e}, it runs without me and that is fine."),
    )),
    Series("the council", "How did my attitude towards the authorities in the matter of {e} evolve? Sum it up.", (
        ("hopeful", "The clerk for {e} smiled at me, I left the town hall humming."),
        ("annoyed", "Third form for the same stamp, the town hall drives me mad over {e}."),
        ("resigned", "I have given up expecting a reply from the town hall about {e}."),
        ("surprised", "Out of the blue the town hall apologised over {e}, I was speechless."),
        ("grateful", "Without that clerk {e} would be shut, I owe her flowers."),
    )),
)  # fmt: skip

ORDERS = (
    Order("getting there", "What would be a good way for my parents to travel to {e}?"),
    Order("food", "Could you put together a menu for the evening at {e}?"),
    Order("letters to officials", "Please write to the licensing department about {e}."),
    Order("figures", "How did takings compare with expenses at {e} last quarter?"),
    Order("schedules", "Lay out the coming fortnight at {e} for me."),
    Order("tools", "Which saw should we buy for {e}?"),
    Order("safety", "What must I check before children enter {e}?"),
    Order("names", "I want a title for the new evening at {e}, any ideas?"),
)

FORMATS = (
    ("give me a table with three columns", "a table with three columns"),
    ("put the cheapest choice first", "the cheapest choice comes first"),
    ("stay under eighty words", "an answer under eighty words"),
    ("finish with one question back to me", "a closing question to the user"),
    ("name your sources", "sources are named"),
    ("use metric units only", "metric units only"),
    ("leave out brand names", "no brand names"),
    ("number the steps", "numbered steps"),
    ("mention what could go wrong", "what could go wrong is mentioned"),
    ("write it so that a ten-year-old understands", "words a ten-year-old understands"),
    ("offer two versions", "two versions are offered"),
    ("spell out every date in full", "dates spelled out in full"),
)

ORDER_FRAMES = (
    "From now on, when it comes to {topic} for {e}, {format}.",
    "Whenever I ask about {topic} at {e}, please {format}.",
    "One rule for the rest of our talks: {format} if the subject is {topic} and {e}.",
    "As far as {topic} at {e} goes, I want you to {format}, every time.",
    "Until I say otherwise: {topic} at {e} means you {format}.",
    "Always {format} where {topic} for {e} is concerned.",
    "Do me a standing favour and {format} in anything on {topic} at {e}.",
)

TASTES = (
    Taste("matte paper", "glossy paper", "Glossy prints glare under our lamps, I go for {v} with anything about {e}.", "Draft the order to the copy shop for the leaflets of {e}."),
    Taste("oat milk", "cow's milk", "In coffee at {e} I would take {v} any day, the other one weighs on me.", "Prepare the drinks list for our crew at {e}."),
    Taste("trains", "flights", "To get anywhere for {e} I take {v}, being up in the air makes me ill.", "Plan my journey to the trade fair for {e}."),
    Taste("linen", "polyester", "I am happiest with {v} on the tables of {e}, the synthetic stuff crackles.", "Suggest tablecloths for {e}."),
    Taste("phone calls", "e-mail", "People of {e} reach me best by {v}, my inbox is a swamp.", "How shall the crew of {e} tell me about urgent matters?"),
    Taste("acoustic guitar", "loudspeakers", "For music at {e} nothing beats {v}, everything amplified tires me.", "Set up entertainment for the party at {e}."),
    Taste("early mornings", "late evenings", "I do my thinking for {e} in the {v}, after dinner I am useless.", "Find an hour for my planning work on {e}."),
    Taste("spreadsheets", "apps", "For lists about {e} I stay with {v}, everything else hides my numbers.", "Pick a way for me to track the stock of {e}."),
)  # fmt: skip

PEOPLE = (
    "my daughter", "my uncle", "the neighbour above us", "an old classmate", "my dentist", "our postman", "my sister's boy",
    "the man from the kiosk", "my godmother", "the twins next door", "a colleague of my wife", "the caretaker",
    "my chess partner", "the lady with the poodle", "my nephew", "a tourist", "my old teacher", "the plumber",
    "someone on the train", "the girl from the bakery", "my father-in-law", "half of the choir", "a stranger", "my cousin",
    "the bus driver", "our lodger", "my bridge partner", "the paper boy",
)  # fmt: skip

DOINGS = (
    "lost a glove on the bus", "sent me a postcard of a lighthouse", "has taken up the trombone", "told the same joke twice",
    "baked bread that would not rise", "got stuck in the lift", "found a coin from before the war", "asked me for my soup recipe",
    "has a cold and a pile of lemons", "bought two left boots", "wants to learn Portuguese", "fell asleep at the concert",
    "dreamt of whales", "repaired the garden gate at last", "has been swimming before dawn", "won a ham in a raffle",
    "dropped a cake on the stairs", "swears by cold baths", "is writing a novel, or says so", "waved at me for no reason",
    "ran for the train and missed it", "grew a moustache", "forgot an umbrella in our hall", "spent the night on a ferry",
    "painted the shed the wrong way round", "has adopted a one-eyed cat", "lost at cards three evenings in a row",
    "made me try pickled plums", "left a parcel in the rain", "kept me talking for an hour", "was in the paper with a pumpkin",
    "bought a telescope and saw fog", "whistles the same tune all day", "gave up coffee again", "broke a toe on the sofa",
    "sang on the balcony", "turned eighty and danced", "brought back pebbles from the coast", "locked the keys in the car",
    "cried at a film about penguins",
)  # fmt: skip

TAILS = (
    "which says a lot about this month",
    "not that anyone minds",
    "and I had to laugh",
    "as if we had nothing else to do",
    "which I take as a good sign",
    "and that was before breakfast",
    "so I am a little behind",
    "at least that is how I see it",
    "though I may be wrong about that",
    "and everybody pretends it is normal",
    "to my own surprise",
    "and I have stopped asking why",
    "which cost me an hour",
    "but that is a story for another day",
    "and it did me good",
    "for reasons nobody can explain",
)

OTHERS_TASTE = (
    "The others at {e} all swear by {v}, each to their own.",
    "Someone at {e} tried to talk me into {v} again.",
    "They have {v} at {e} and are content with it.",
    "I heard a long speech in favour of {v} at {e}.",
)

HEARSAY = (
    "A friend of a friend swears that {v} would be right for the {label} of {e}, but that is only talk.",
    "Just playing with the thought: suppose the {label} of {e} were {v}, would that change anything?",
    "In a dream I had, the {label} of {e} was {v}. Funny what the mind does.",
    "My cousin guessed {v} when I asked about the {label} of {e}, and guessed wrong.",
)

ADVICE = (
    "For comparison, others in your position report {v} as {label}.",
    "An example, not your case: {label} {v}.",
    "In the guide I have in mind the {label} is given as {v}, purely as an illustration.",
)

ANSWERS = {
    "abstention": "You never told me that: there is no information about the {label} of {e} in our conversation.",
    "contradiction_resolution": "You have said both: that it happened, and that it never did ({gist}). Which of the two is right?",
    "event_ordering": "You brought them up in this order: {steps}.",
    "information_extraction": "The {label} of {e}: {v}.",
    "excluded": "You ruled out {label} for {e} because {v}.",
    "instruction_following": "The answer should follow your standing instruction: {v}.",
    "knowledge_update": "The {label} of {e} is {v} now; before that it was {o}.",
    "multi_session_reasoning": "{v} in total: {o}.",
    "preference_following": "The answer should go with {v} rather than {o}.",
    "summarization": "Your view of {label} at {e} went through these stages: {steps}.",
    "temporal_reasoning": "{v}, from {first} to {second}.",
    "both": "the two statements contradict each other",
    "none": "there is no information about this",
}

OPENERS = (
    "Morning!", "Hi again.", "Back at my desk.", "Quick one today.", "It has been a long day.", "So, where were we?",
    "I have ten minutes before the bus.", "Rain all day here.", "Good news first.", "I could use a clear head.",
    "Let me think aloud for a moment.", "Coffee in hand, let's go.", "Sorry for the silence.", "Right, next thing.",
    "I slept badly, so bear with me.", "The dog is asleep, finally some quiet.", "Guess what.", "Still me.",
    "I promised myself to sort this out tonight.", "Before I forget everything again:", "", "", "", "",
)  # fmt: skip

ASIDES = (
    "I walked past {e} this morning and it looked smaller than I remembered.",
    "Half of my notes about {e} are on the backs of envelopes.",
    "People keep asking me about {e} at the market.",
    "My brother thinks {e} is a phase, and I let him.",
    "There was a piece about {e} in the local paper, with my name spelled wrong.",
    "We talked about {e} over dinner until the candles were gone.",
    "The weather has slowed everything down at {e}.",
    "It is strange how quickly {e} has become normal for us.",
    "I made a list of open points for {e} and lost it within the hour.",
    "Somebody left a bicycle in front of {e} and nobody knows whose it is.",
    "I keep comparing {e} with what we did years ago, which is unfair.",
    "The photos from {e} came out too dark to use.",
    "A school class visited {e} and asked better questions than the committee.",
    "My back hurts from all the lifting at {e}.",
    "Everyone has an opinion about {e}, and few have time.",
    "I found an old map that shows the ground where {e} is today.",
    "We had to cancel one evening at {e} because of the storm.",
    "There is always one key missing at {e}.",
    "I told my mother about {e} and she wants to help, in her way.",
    "The radio was on at {e} all afternoon and I did not mind.",
    "On paper {e} looks simple, and then the day begins.",
    "A delivery for {e} ended up at the wrong house.",
    "I read a book on how others run places like {e} and disagreed with most of it.",
    "The stairs at {e} need sweeping again.",
    "Two visitors at {e} had come all the way from the coast.",
    "I am behind with the thank-you cards for {e}.",
    "When I close my eyes I hear the door of {e} squeak.",
    "Our minutes from the last round about {e} are three lines long.",
    "The cat from next door has adopted {e}.",
    "For once nobody was late at {e}.",
    "I counted what is left in the drawer at {e}, and it will do.",
    "The bus line to {e} has a new timetable that helps no one.",
    "I owe everybody at {e} an honest update.",
    "There was cake at {e}, so the discussion was short.",
    "I have been sorting the shelves at {e} by size, then by colour, then not at all.",
    "The lamp over the sink at {e} flickers.",
)

REQUESTS = (
    "How would you go about the next two weeks at {e}?",
    "Can you help me to write down what matters most at {e}?",
    "What would you look at first?",
    "Could you sketch a plan I can show to the others at {e}?",
    "What am I overlooking?",
    "Please give me a checklist for {e} that fits on one page.",
    "How do I explain this to people who were not there?",
    "Which of this can wait, and which cannot?",
    "I would like to hear the case against it.",
    "Where do places like {e} usually go wrong?",
    "How can I keep the work at {e} from piling up?",
    "What questions should I ask before I say yes?",
    "Could you walk me through it slowly?",
    "How do I find out whether it works?",
    "What is a fair way to share the chores at {e}?",
    "Can you turn that into a short announcement?",
    "How would a careful person handle this?",
    "Tell me how to prepare the talk with the others at {e}.",
    "What would be a sensible first step at {e}?",
    "Is there a simpler way to do this?",
    "How should I keep track of all of it?",
    "Help me to decide what to drop at {e}.",
    "What do I do if it fails?",
    "How could we make {e} a bit more welcoming?",
)

AFTERTHOUGHTS = (
    "Oh, and one more thing.", "By the way.", "Before I go:", "Something else.", "While I think of it:", "Also.",
    "For your notes.", "Not to forget.", "On another matter.", "And yes.",
)  # fmt: skip

GREETINGS = (
    "Thanks for the update on {e}.",
    "That is a good moment to pause and look at {e} as a whole.",
    "I can see why {e} is on your mind.",
    "Let us take this in small pieces.",
    "Here is how I would approach it.",
    "There are several threads in what you wrote, so I will take them one by one.",
    "Good question, and it has more than one honest answer.",
    "Noted, I will keep it in mind.",
    "That sounds like a full week.",
    "I would start from what you already have at {e}.",
)

LEADS = (
    "Before anything else,", "As a rule of thumb,", "In practice,", "If you can spare an hour,", "Once that is done,",
    "At the same time,", "To keep things calm,", "With the others in the room,", "On a quiet morning,",
    "When the numbers are in,", "As soon as you have a draft,", "For the first week,", "Without rushing,",
    "At the end of the month,", "While it is fresh,", "Where possible,", "In the second round,", "For your own peace,",
    "If only one thing gets done,", "Whatever you choose,", "Step by step,", "As a safety net,", "To begin with,",
    "After lunch rather than before,", "In plain words,", "From experience,", "Ideally,", "At the very least,",
)  # fmt: skip

ACTS = (
    "write down who decides what", "compare the two quotes line by line", "ask each person for one honest sentence",
    "set a limit for how long the matter may stay open", "put the oldest task on top of the pile",
    "walk through the rooms with a notepad", "take a photograph of the present state", "call the slowest partner first",
    "keep a spare copy of the plan by the door", "agree on a word for what counts as done",
    "count what is on the shelves", "draw the route on a sheet of paper", "leave a free day between two big ones",
    "read the small print aloud", "try the idea with three people", "collect the questions in one place",
    "cross out whatever nobody asked for", "give every box a label", "let someone else check the sums",
    "name a deputy for each duty", "mark the days when nobody is there", "send a short note to everyone concerned",
    "ask for the price in writing", "split the work into parts of an hour", "test the lock, the lamp and the phone",
    "note what surprised you", "put the receipts in one folder", "begin with the part you like least",
    "prepare a friendly no", "look at last year's calendar", "invite one critic to the table",
    "write the announcement before doing the work", "measure the doorway twice", "make the first version ugly and quick",
    "decide what you would give up", "keep the list under ten lines", "repeat the agreement in your own words",
    "find out who was not asked", "thank the people who stayed late", "close one thing before opening the next",
    "hang the plan where everyone passes", "talk to the person who did it before", "save a little for bad weather",
    "explain the reason along with the rule", "put a date next to every promise", "check the wording with a stranger",
    "sort the matter by effort and by worth", "start with what cannot be undone", "keep the old way running beside the new",
    "store the keys in one known place",
)  # fmt: skip

REASONS = (
    "because small gaps are easiest to close early", "so that nobody has to guess later",
    "which saves a second trip", "since memory is a poor filing cabinet", "so the talk stays about the matter itself",
    "because tired people agree to anything", "which makes the next decision cheaper",
    "so that a missing person does not stop the rest", "since most delays hide in the handover",
    "because a visible plan is a shared plan", "so you can tell progress from motion",
    "which is worth more than a perfect list", "since good will wears thin without thanks",
    "because surprises love the last day", "so that the costs stay where you can see them",
    "which leaves room for the unexpected", "since a short list gets read", "because habits outlive intentions",
    "so the quieter voices are heard as well", "which turns a worry into a task",
    "since you will want to look it up in spring", "because trust grows from small kept promises",
    "so that stopping is possible without drama", "which keeps the mood light",
    "since numbers settle what opinions cannot", "because the cheapest fix is the one before the damage",
    "so that newcomers find their way", "which spares you an awkward call", "since the weather will not wait",
    "because nobody reads the second page",
)  # fmt: skip

CONDITIONS = (
    "If two people disagree", "If the answer is late", "If money gets tight", "If it rains on the day",
    "If the crowd is larger than planned", "If nobody volunteers", "If the supplier is vague", "If you feel rushed",
    "If the plan changes again", "If someone drops out", "If the first try fails", "If a rule seems silly",
    "If the list keeps growing", "If you are unsure", "If an old problem comes back", "If it goes better than expected",
)  # fmt: skip

RISKS = (
    "that everybody waits for somebody else", "that the easy half gets done twice", "that the rule outlives its reason",
    "that the loudest wish wins", "a quiet loss of interest", "that costs creep in unnoticed", "too many small meetings",
    "that the one who knows is on holiday", "a promise made in passing", "that the tool becomes the task",
    "an early success that hides a weak spot", "that good ideas stay in the corridor",
)  # fmt: skip

HEADINGS = (
    "What to do first", "Who should be involved", "What it may cost", "What could go wrong", "A possible timetable",
    "How to tell the others", "What can wait", "Signs that it works", "Things to have at hand", "If plans change",
    "A word on mood", "Open points", "Keeping it going", "The short version", "Why this order",
)  # fmt: skip

SHAPES = (
    "{lead} {act}, {reason}.",
    "{lead} {act} and {other}.",
    "{condition}, {act}, {reason}.",
    "The danger is {risk}; {act}, {reason}.",
    "{lead} {act}; then {other}, {reason}.",
    "{condition}, it helps to {act}.",
    "It pays to {act}, {reason}, and to {other}.",
    "What often happens is {risk}, so {act}.",
    "You might {act} or, failing that, {other}.",
    "I would {act} rather than wait, {reason}.",
)

CLOSERS = (
    "Tell me which part you would like in more detail.", "Shall I turn this into a page you can print?",
    "I can shorten it if that is too much for one evening.", "Let me know how it went.",
    "Would you like a version for the others?", "Take it as a starting point and change what does not fit.",
    "If something in there sounds wrong, say so and I will rework it.", "I hope that gives you a handle on it.",
)  # fmt: skip

CODE = (
    "```python\nrows = load(\"notes.csv\")\nfor row in rows[:{n}]:\n    if row.open and row.age > {m}:\n        print(row.title, row.owner)\n```",
    "```sql\nSELECT owner, COUNT(*) AS open_points\nFROM tasks\nWHERE closed IS NULL AND week >= {n}\nGROUP BY owner\nHAVING COUNT(*) > {m};\n```",
    "| step | hours | who |\n|---|---|---|\n| prepare | {n} | two people |\n| carry out | {m} | everyone |\n| tidy up | 2 | whoever is left |",
)  # fmt: skip

PLACES = words(
    "Harbour Street|Mill Lane|Quarry Road|Elm Park|Station Square|Weaver's Yard|Orchard Hill|Castle Steps|Bell Tower|"
    "Willow Bank|North Pier|Lantern Alley|Saddler's Court|Fox Meadow|Copper Row|Swan Bridge|Chapel Green|Market Cross|"
    "Ferry Landing|Birch Grove|Tanner's End|Hollow Way|Abbey Walk|Granary Wharf|Heather Moor|Juniper Close|King's Ford|"
    "Lime Kiln|Magpie Corner|Nettle Field|Old Brewery|Pepper Street|Queen's Well|Raven Rock|Salt Quay|Thistle Down|"
    "Upper Lock|Vicar's Garden|Water Gate|Yew Tree|Anchor Point|Barley Mow|Clock House|Drover's Path|Eagle Crag|"
    "Flax Mill|Gander Common|Haymarket|Ivy Arch|Jetty Lane|Kestrel View|Long Acre|Moss Side|Nutwood|Osier Bed|"
    "Pilgrim's Rest|Rope Walk|Sheep Fold|Timber Yard|Vine Terrace|Underwood|Amber Row|Bishop's Gate|Canal Basin|Dove Mews|"
    "Eastfield|Furnace Hill|Goose Green|Hazel Dene|Inkwell Lane|Jasmine Court|Kiln Street|Larch Rise|Minster Yard|"
    "Nightingale Place|Oxbow Lane|Poplar Drive|Ridgeway|Sunnybank|Tollgate Road",
    "|",
)
NOUNS = words(
    "bakery|community garden|podcast studio|reading room|bike workshop|choir hall|pottery studio|allotment|soup kitchen|"
    "tool library|film club|sewing circle|farm shop|climbing hall|language school|repair café|rowing club|print shop|"
    "hostel|tea house|observatory|rehearsal room|bookshop|bee yard|"
    "skate park|puppet theatre|laundry|chess club|dance school|riding stable|flower stall|photo lab",
    "|",
)

BANK = Bank(
    language="en",
    gap=" ",
    places=PLACES,
    nouns=NOUNS,
    name="the {place} {noun}",
    short="the {noun}",
    value=value,
    day=day,
    attributes=ATTRIBUTES,
    exclusions=EXCLUSIONS,
    claims=CLAIMS,
    tallies=TALLIES,
    spans=SPANS,
    orderings=ORDERINGS,
    moods=MOODS,
    orders=ORDERS,
    formats=FORMATS,
    order_frames=ORDER_FRAMES,
    tastes=TASTES,
    others_taste=OTHERS_TASTE,
    hearsay=HEARSAY,
    advice=ADVICE,
    answers=ANSWERS,
    openers=OPENERS,
    asides=ASIDES,
    people=PEOPLE,
    doings=DOINGS,
    gossip="{who} {did}.",
    tails=TAILS,
    stop=".",
    join=", ",
    days="{n} days",
    amount="{n} {thing}",
    comma="; ",
    requests=REQUESTS,
    afterthoughts=AFTERTHOUGHTS,
    greetings=GREETINGS,
    leads=LEADS,
    acts=ACTS,
    reasons=REASONS,
    conditions=CONDITIONS,
    risks=RISKS,
    headings=HEADINGS,
    shapes=SHAPES,
    closers=CLOSERS,
    code=CODE,
)
