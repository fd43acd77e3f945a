"""The language of a message as an ISO 639-1 code: by script where a script says it, else by its commonest words.

Looks at the first `HEAD` characters only. Knows twenty languages in Latin letters by thirty or so short words
and by the letters few others use; what it cannot tell is "und". Chinese is zh in either script.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from memfold.text.chunks import by_chunk
from memfold.text.scripts import HAN

HEAD = 400
UNKNOWN = "und"

# One letter is a variable, a list mark or half of "it's" more often than a word.
_WORD = re.compile(r"[^\W\d_]{2,}")
_OTHER = re.compile(r"[^\x00-\x7f]")

# Where a range of letters decides alone. Kana, Han and the languages of shared scripts are looked at below.
_SCRIPTS = {
    "han": HAN + r"\U00020000-\U0003134f",
    "ja": "\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d",
    "ko": "\uac00-\ud7a3\u1100-\u11ff\u3130-\u318f",
    "ru": "\u0400-\u04ff",
    "ar": "\u0620-\u064a\u066e-\u06d3\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "he": "\u05d0-\u05ea",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    "hi": "\u0900-\u097f",
    "bn": "\u0980-\u09ff",
    "ta": "\u0b80-\u0bff",
    "te": "\u0c00-\u0c7f",
    "th": "\u0e01-\u0e4e",
    "ka": "\u10a0-\u10ff",
    "hy": "\u0530-\u058f",
}
_SCRIPT = {name: re.compile(f"[{letters}]") for name, letters in _SCRIPTS.items()}
_MARKS = {
    "ru": (("uk", "іїєґІЇЄҐ"), ("sr", "ђћџљњјЂЋЏЉЊЈ")),
    "ar": (("ur", "ٹڈڑںے"), ("fa", "پچژگیک")),
    "hi": (("mr", "ळ"),),
}
# The languages that are told by their script. Among languages in Latin letters a short text is easily mistaken.
BY_SCRIPT = frozenset(
    ("zh", *(_SCRIPTS.keys() - {"han"}), *(name for others in _MARKS.values() for name, _ in others))
)
# Scripts written without spaces, a character of which weighs as a word; about five letters of the others do.
_DENSE = frozenset(("han", "ja", "ko", "th"))

_WORDS = {
    "en": "the and is to of that it was for with this you are have not be on my what how can an from which"
    " in do your we they but or if will would about there their please thanks hello yes okay ok sure need"
    " let here just get got any so me go hi bye wow ve ll don he she his her our us when where why who which"
    " has had did does been its should could also then than more some let make want know like time good great"
    " step steps following take see soon care keep well back given using use example certainly absolutely find",
    "es": "el los las que es por con para una del se lo como pero más su al está muy yo mi tiene hay fue"
    " sobre cómo qué también porque cuando quiero puedo hola gracias de la en un no esta"
    " hoy ahora ayer mucho año años",
    "fr": "le les des est et que une dans pour qui sur pas avec ce il elle je vous nous mais du au plus sont"
    " cette être très comme mon merci bonjour suis ai de la un en",
    "de": "der die das und ist nicht ich ein eine zu mit auf für dem den von sich auch es wie aber wir sie"
    " haben wird sind bei einen mein kann oder danke was über nach in vom zum zur beim bis seit habe ihr unser"
    " jede jedes heute noch nur schon kommt bitte uhr",
    "it": "il che di per una sono con non gli del della mi ma anche come più questo ho nel alla dei le si"
    " cosa perché grazie ciao molto mio quando la un in neve",
    "pt": "que não uma os do da em para com as por mais como dos mas foi ao ele das seu sua ou quando"
    " muito nos já eu também você obrigado são está meu de um na no neve",
    "nl": "de het een en van ik dat niet is zijn op te voor met die er maar om aan ook als dan wat hebben"
    " heb naar mijn kan wij bij nog wel hoe in je",
    "pl": "nie się jest że to na do jak ale po co tak za od czy już tylko jestem dla mnie może być przez"
    " które dziękuję ja mój",
    "sv": "och att det som är på för med den inte har jag av till om ett men var hur vi kan så från mitt min"
    " du eller tack en",
    "da": "og at det er ikke jeg på til den med af for der har som et men vil kan du hvad mig være fra hvor"
    " min tak en",
    "no": "og at det er ikke jeg på til den med av for som har et men vil kan du hva meg være fra hvor min"
    " takk en",
    "fi": "ja on ei että se hän oli mutta kun niin minä mitä olen ovat myös kuin tämä joka voi minun kiitos"
    " sen ole",
    "cs": "je se že na to jsem do ale jako pro by tak ne jak si za co mi která děkuji být jsou od po",
    "hu": "az és hogy nem egy is van ez meg de csak volt már kell mint vagy én nagyon lesz köszönöm mi"
    " hol hány mikor milyen miért vagyok neve nevem",
    "ro": "și că nu în pe cu este la un din mai să ce pentru am ca au fost dar sunt mulțumesc cum",
    "tr": "bir ve bu için ne de da çok ben var mı ile gibi daha değil ama olarak kadar sen teşekkürler nasıl",
    "vi": "là và của không có tôi được một cho những các trong người này với đã để bạn thì mà anh rất cảm ơn",
    "id": "yang dan di ini itu dengan untuk tidak saya dari akan ada pada ke adalah bisa kami apa juga sudah"
    " anda atau karena terima kasih",
    "ca": "el la de que és amb per els les una no en un del això però més com molt són gràcies vull meu",
    "hr": "je na se da su za što nije od sam ali kako ne bi samo to ili ja hvala moj",
}
# A letter that few languages use is worth a word. A vowel with an accent votes for all that have it: one of them alone
# would win by the accents of the others.
_LETTERS = {
    "es": "ñ¿¡áéíóú",
    "de": "ßäöü",
    "fr": "çèêœàâîûëïéôù",
    "pt": "ãõçáéíóúâêôà",
    "it": "ìòùèàé",
    "pl": "łąęśżźćńó",
    "sv": "åäö",
    "da": "øæå",
    "no": "øæå",
    "fi": "äö",
    "cs": "řěůčšžýťáéíóúď",
    "hu": "őűóáéíú",
    "ro": "ășțîâ",
    "tr": "ğışİçüö",
    "vi": "ơưđạảấầẩậắằếềểệọốồổộớờởợụứừửựỳỹ",
    "ca": "ŀçàèéíïòóú",
    "hr": "čćžšđ",
}


def _votes(table: dict[str, list[str]]) -> dict[str, tuple[tuple[str, float], ...]]:
    """Each word's languages; a word is worth less the more languages have it."""
    owners: dict[str, list[str]] = {}
    for language, words in table.items():
        for word in words:
            owners.setdefault(word, []).append(language)
    return {word: tuple((name, 1 / len(names)) for name in names) for word, names in owners.items()}


_BY_WORD = _votes({language: words.split() for language, words in _WORDS.items()})
_BY_LETTER = _votes({language: list(letters) for language, letters in _LETTERS.items()})


def or_english(told: str) -> str:
    """A language's code, English where none was told."""
    return "en" if told == UNKNOWN else told


# Words that ask, which `_WORDS` lacks because statements seldom have them. None is an English word: one that would be
# ("was", "comment", "dove") counts only before a verb of its own language.
_ASKING = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in (
        (
            "de",
            r"welche[mnrs]?|we[mnr]|wessen|wo(?:hin|her)?|wann|warum|wieso|weshalb|wor(?:an|auf|aus|in|über|um)"
            r"|wo(?:für|mit|von|zu|bei|gegen|durch|nach)|was (?=(?:hat|haben|hatten?|ist|sind|waren|wurden?|machen"
            r"|macht|machten?|tut|tun|mag|mögen|möchten?|wollten?|kann|können|soll|sollen|sollten?|darf|isst|trinkt"
            r"|spielt|sagt|sagten?|denkt|hält|liest|schreibt|kauft|kauften?|kostet|kosteten?|heißt|bedeutet|gefällt"
            r"|passierte|geschah|studiert|lernt)\b)",
        ),
        (
            "fr",
            r"quel(?:le)?s?|qui|où|quand|pourquoi|combien|quoi|est-ce|qu['’]est|comment (?=s['’]|(?:se|va|vont|est"
            r"|sont|a|ont|fait|font|était|avait)\b)|que (?=(?:fait|font|faisait|pense|veut|mange|boit|lit|dit)\b)",
        ),
        (
            "es",
            r"qué|quién(?:es)?|cuál(?:es)?|cuándo|cuánt[oa]s?|a?dónde|cómo|quien(?:es)?|cual(?:es)?|cuando|a?donde",
        ),
        (
            "it",
            r"quali?|quale|quel(?:lo|la|le|li)?|perché|quando|quant[ie]|che cosa|cos['’]è"
            r"|dove (?=(?:è|sono|va|vanno|vive|vivono|abita|lavora|ha|hanno|si|sta)\b)",
        ),
        ("pt", r"quem|quais|qual|onde|quando|quant[oa]s|por que|o que"),
        ("nl", r"welke|waar(?:heen|om|mee|over)?|wanneer|hoeveel|wie (?=(?:is|was|heeft|had)\b)"),
    )
}
# A name behind another word: "São" of "Was Juan in São Paulo?" tells nothing of the question's language.
_NAME = re.compile(r"(?<=[\w,;:] )[^\W\d_a-zß-ÿ][^\W\d_A-Z]+")

# By how many votes another language must lead the likely one. "¿Cuándo empezó la obra?" has .8 more votes for Hungarian
# than for Spanish, because of its accents.
_AHEAD = 1.0


def likelier(text: str, likely: str) -> str:
    """The language of a question in a conversation: the `likely` one, unless the question's script or words clearly say
    another. A word that only asks in one language counts for it, whatever names and nouns stand beside it."""
    told = language(text)
    if told not in (*_WORDS, UNKNOWN):
        return told
    head = _NAME.sub("", text[:HEAD])
    scores, asked = _scored(head), dict[str, float]()
    for name, words in _ASKING.items():
        if found := words.findall(head):
            scores[name] += len(found)
            asked[name] = scores[name]
    told = max(scores, key=scores.__getitem__, default=UNKNOWN)
    # To "ben" of "Warum weint Ben?" Turkish has the same right as German to "warum". "What does qui mean?" is English.
    if asked and scores[one := max(asked, key=asked.__getitem__)] > scores[told] - _AHEAD:
        told = one
    if likely not in _WORDS:
        return told
    return told if scores[told] - scores[likely] >= _AHEAD else likely


# What a text in another language than English has at least of it: different words that vote for it, and votes more than
# for English. "No space for 15" has the word "no" of Spanish, "at 25mg" the "at" of Danish, a path "/var" of Swedish.
_CLEAR_WORDS, _CLEAR_LEAD = 2, 0.5
# A letter counts as a word if so many languages have it, or fewer.
_FEW = 5


def clearly(text: str) -> str:
    """The language of a text from which nothing else tells, where a word or two would do for `language`; "und" where
    its words do not clearly say another language than English."""
    told = language(text)
    if told == "en" or told not in _WORDS:
        return told
    head = text[:HEAD].lower()
    words = {word for word in _WORD.findall(head) if any(name == told for name, _ in _BY_WORD.get(word, ()))}
    # The "é" of "café del sol" is a letter of more languages.
    letters = {
        letter
        for letter in _OTHER.findall(head)
        if letter in _LETTERS.get(told, "") and len(_BY_LETTER[letter]) <= _FEW
    }
    scores = _scored(" ".join({*_WORD.findall(head), *letters}))
    enough = len(words) + len(letters) >= _CLEAR_WORDS and scores[told] - scores["en"] >= _CLEAR_LEAD
    return told if enough else UNKNOWN


def language(text: str) -> str:
    """ISO 639-1 code of the language most of the text's beginning is in, or "und"."""
    return _told(text[:HEAD])


# Several layers of an index job ask for the language of the same text, and a task has some 2,000 messages.
@lru_cache(maxsize=8192)
def _told(head: str) -> str:
    if head.isascii():
        return _latin(head)
    counts = {name: len(found) for name, pattern in _SCRIPT.items() if (found := pattern.findall(head))}
    if not counts:
        return _latin(head)
    weights = {name: count if name in _DENSE else count / 5 for name, count in counts.items()}
    cjk = weights.get("han", 0) + weights.get("ja", 0)
    script = "han" if cjk and cjk >= max(weights.values()) else max(weights, key=weights.__getitem__)
    latin = sum(1 for word in _WORD.findall(head) if word.isascii())
    if latin > max(cjk, weights.get(script, 0)):
        return _latin(head)
    if script == "han":
        # Japanese prose is at least a third kana; a kana in Chinese is a brand or an emoticon.
        return "ja" if counts.get("ja", 0) * 6 > cjk else "zh"
    for other, letters in _MARKS.get(script, ()):
        if sum(map(head.count, letters)) * 50 >= counts[script]:
            return other
    return script


def _latin(head: str) -> str:
    scores = _scored(head)
    return max(scores, key=scores.__getitem__) if scores else UNKNOWN


def _scored(head: str) -> defaultdict[str, float]:
    """The votes of the words and letters for each language."""
    head = head.lower()
    scores: defaultdict[str, float] = defaultdict(float)
    for votes in _votes_of_words(head):
        for name, weight in votes:
            scores[name] += weight
    for letter in () if head.isascii() else _OTHER.findall(head):
        for name, weight in _BY_LETTER.get(letter, ()):
            scores[name] += weight
    return scores


@by_chunk
def _votes_of_words(text: str) -> tuple[tuple[str, float], ...]:
    """The votes of the words of a lower-cased text, in order. No word holds a blank."""
    return tuple(vote for word in _WORD.findall(text) for vote in _BY_WORD.get(word, ()))
