"""What German sentences give as notes: standing orders alone. A table; `rule.py` says how it is read.

An order needs somebody told (an imperative, "du", "bitte") and how long or when it holds ("immer", "ab jetzt",
"wenn ich frage"). "Ich antworte immer" and "Er soll nie" are none.
"""

from __future__ import annotations

from memfold.extract.engines.rules.rule import Rule, compiled
from memfold.text.terms import lexicon
from memfold.text.withdrawn import FREES_DE

_STEM = (
    r"(?:acht|antwort|arbeit|begründ|beginn|beend|beacht|benutz|berücksichtig|beschränk|biet|bleib|bring|denk|duz"
    r"|sie[zt]|empfiehl|empfehl"
    r"|ergänz|erinner|erklär|erwähn|fass?|frag|formulier|formatier|füg|führ|gib|geb|geh|gliedere?|halt|häng|hör"
    r"|kennzeichn|korrigier|kürz|lass|leg"
    r"|list|mach|markier|nenn|nimm|nehm|nutz|präsentier|prüf|rechn|red|rund|sag|schlag|schließ|schreib|setz|sortier"
    r"|sprich|sprech|start|stell"
    r"|strukturier|teil|trenn|übersetz|unterlass|verschon|spar|streich|ignorier|ruf|vergiss|vergess|vergleich|vermeid"
    r"|verrat|verwend|verzicht|wähl|warn|wechsl|wiederhol|zeig|zitier)"
)
# Of what an answer is made.
_FORM = (
    r"(?:emojis?|smileys?|tabellen?|listen?|aufzählung(?:en)?|stichpunkte?n?|floskeln?|anglizismen|fachbegriffe?"
    r"|fremdwörter|witze"
    r"|entschuldigungen|rückfragen|disclaimer|warnhinweise|einleitung(?:en)?|zusammenfassung(?:en)?|fettdruck"
    r"|ausrufezeichen|überschriften"
    r"|sätzen?|antworten?|zeilen|wörter|absätze|romane|spoiler|kosenamen|einheiten|celsius|euro|franken|preise?n?"
    r"|maße|quellen|belege"
    r"|diagramme?n?|grafiken|\w*-?beispiele|deutsch|englisch|rechtschreibung|schreibweise|uhrzeiten|metrisch\w*"
    r"|rezepte|vorschläge|ratschläge|komplimente|lob|fleisch|code|kommentare?n?|unit-tests)"
)
# Of these the form in -e is also what somebody does who leaves out "ich". It tells of the speaker where they say why,
# or where or when in their day, unless a word speaks to somebody or of answers.
_DO = r"(?:bring|denk|geh|hör|lass|leg|mach|red|ruf|schreib|spar)"
_SPOKEN_TO = rf"\b(?:bitte|du|di(?:r|ch)|deine?[mnrs]?|(?<!für\ )mich|mir|{_FORM})\b"
_OWN = r"\b(?:weil\ ich|für\ mich|(?:vor|nach|auf|bei|zu)\ der\ arbeit|aus\ dem\ haus|(?:nach|zu)\ hause)\b"
_DOES = rf"(?:(?<=bitte\ ){_DO}e|{_DO}e(?=.{{0,80}}{_SPOKEN_TO}|(?!.{{0,80}}{_OWN})))"
_TELL = rf"(?:(?!{_DO}e\b){_STEM}e?|{_DOES}|{_STEM}en\ sie|sei(?:en\ sie)?)\b"
_EVER = (
    r"\b(?:immer(?!\ (?:noch|wieder|mehr)\b)|stets|grundsätzlich|generell|standardmäßig|dauerhaft|weiterhin"
    r"|durchgehend|auch\ (?:nächstes\ mal"
    r"|beim\ nächsten\ mal|später)"
    r"|(?:bei|in)\ jede[rmn]\ \w+|jedes\ mal|jedesmal|nie|niemals|nicht\ mehr|nur\ noch|ausschließlich)\b"
)
_FROM_NOW = (
    r"\b(?:ab\ (?:jetzt|sofort|heute|nun)|von\ (?:nun|jetzt|heute)\ an|künftig|zukünftig|beim\ nächsten\ mal\ auch"
    r"|in\ zukunft|fortan"
    r"|(?:für\ den|im)\ rest\ (?:dieses|des|unseres)\ \w+"
    r"|(?:in|für)\ (?:allen?|jeder?|deinen|all(?:e|en)?\ (?:deinen?|unseren?))"
    r"\ (?:antworten?|nachrichten?|chats?|gesprächen?|mails?|texten?|rezepten?))\b"
)
_HEAD = (
    r"^\(?(?:(?:ps|p\.s\.|danke|bitte|und|also|außerdem|übrigens|noch\ (?:etwas|was)|ach\ ja|"
    r"merk(?:e|en\ sie)?\ (?:dir|sich)|wichtig|regel|hinweis|denk\ daran)[,:.]?\s+)*"
)
# Verbs that ask somebody else for something.
_SPARE = r"(?:verschone?|erspare?|nenn|sag|schlag|gib|zeig|schreib|erklär|antworte)"
_WHEN = (
    r"(?:wenn|falls|sobald|sooft|immer\ wenn|jedes\ mal,?\ wenn)\ (?:ich|wir|du|sie)\b[^,?]{0,80}"
    r"\b(?:frage?n?|fragst|bitte|nenne|schicke?|sende|schreibe?|erwähne|spreche|rede|teile|zeige|poste|antwortest"
    r"|schreibst|empfiehlst|hast)\b"
)

RULES: tuple[Rule, ...] = (
    Rule(
        "instruction",
        # "künftig" is read as "k" and "nftig": words are of Latin letters alone.
        lexicon(
            "immer stets jedes jedesmal nie niemals mehr noch jetzt sofort heute nun nftig zuk zukunft fortan rest "
            "alle "
            "allen jede jeden unsere unseren generell weiterhin standardm dauerhaft nenn nenne sag wenn falls sobald "
            "merk "
            "merke grunds ausschlie mich auf gilt deine jeder jedem durchgehend chsten"
        ),
        compiled(
            rf"""{_HEAD}{_TELL}.*(?:{_EVER}|{_FROM_NOW}|\b{_WHEN})
              |(?:^|[,;:–]\s*|\bund\s+){_FROM_NOW},?\s.*(?:\b(?:bitte|du|sie|(?<!für\ )mich|mir)\b|\b{_TELL}|\w+en\W*$)
              |(?:{_EVER}|{_FROM_NOW}).*\bbitte\b.*\w+en\W*$|\bbitte\b.*(?:{_EVER}|{_FROM_NOW}).*\w+en\W*$
              |\bich\ (?:möchte|will|wünsche\ mir|bitte\ dich|bitte\ sie|hätte\ gern\w*
                |erwarte)\b.*\b(?:du|sie)\b.*(?:{_EVER}|{_FROM_NOW})
              |\b(?:du|sie)\ (?:sollst|sollen|musst|müssen|solltest|sollten|darfst
                |dürfen)\b.*(?:{_EVER}|{_FROM_NOW})
              |{_HEAD}{_WHEN}[^,?]*,\s*(?:dann\s+)?(?:bitte\s+)?{_TELL}
              |{_HEAD}merk(?:e|en\ sie)?\ (?:dir|sich)\b[,:]?\s.*(?:{_EVER}|\bich\b)
              |{_HEAD}(?:(?:kannst|könntest|würdest|magst)\ du|können\ sie|könnten\ sie)\b(?=.*\b(?:mir|mich|bitte
                |dein\w*|{_FORM})\b)(?!.*\b(?:wie|was|ob|warum
                |welche\w*|wo|wann|wer)\b).*(?:{_EVER}|{_FROM_NOW})
              |(?:^|[,:–(]\s?|\bund\ |\bbitte\ )(?:bitte\ )?keine?n?\ (?:\w+\ ){{0,2}}?{_FORM}\ (?:bitte\ )?mehr\b
              |{_HEAD}(?:nur\ |keine\ |alle\ )*{_FORM}\ (?:bitte\ |nur\ |auch\ )*(?:{_FROM_NOW}|{_EVER})(?!.*\?)
              |{_HEAD}nie\ wieder\ (?:\w+\ )?{_FORM}\W*(?:$|,\ (?:bitte|ok|okay|ja)\b)
              |\bich\ (?:möchte|will)\ .*{_EVER}.*\b(?:geduzt|gesiezt|angesprochen|genannt)\ werden
              |\bich\ (?:möchte|will)\ (?:von\ dir|in\ deinen\ \w+)\b.*\bkeine?\b.*\bmehr\b
              |\bdas\ gilt\ (?:für\ alles?|immer|ab|auch)\b|^(?:bitte\ )?merk\w*\ (?:dir|sich)\b\s*[:,]\s*\S
              |{_FROM_NOW}\ (?:reden|sprechen|schreiben|machen)\ wir\b|^(?:immer
                |jedes\ mal,?)\ wenn\ ich\b[^,?]{{0,60}}\b(?:tippe|schreibe?|frage|sage?|schicke?|erwähne|nenne
                |poste)\b[^,?]{{0,20}},\s(?!.*\bich\b)
              |^(?:{_EVER}|{_FROM_NOW})\ bitte\ \S|{_HEAD}höre?\ (?:bitte\ )?auf\b
              |{_FROM_NOW}\W+du\ \w+st\b|\bdu\ (?:kannst|darfst)\ mich\b.*(?:nennen|duzen|siezen)\b
              |(?:^|[,:]\s(?:also\ )?|^bitte\ ){_FROM_NOW}[:,]?\ (?:\S+\ ){{0,4}}?{_FORM}\b
              |\b(?:also|deshalb|daher|drum)\ (?:bitte\ )?{_TELL}(?!\ ich).*(?:{_EVER}|{_FROM_NOW})
              |^(?:(?!\bich\b).)*(?:,|\bund)\ {_TELL}(?!\ ich).*(?:{_EVER}|{_FROM_NOW})
              |,\ (?:(?:und|bitte)\ )?{_SPARE}\ (?:mir|mich)\b.*(?:{_EVER}|{_FROM_NOW})
              |\b(?:für|in)\ (?:alle\w*|jede\w*)\ (?:\w+\ )?\w+,?\ (?:die|den|das)\ du\ mir\b
              |\b(?:für|in)\ unsere\w*\ (?:chats?|gespräche\w*)\b.*:|{_HEAD}(?:sag|nenne?)\b.{{0,20}}\bzu\ mir\b
              |\bdeine\ antworten\ (?:sollen|sollten|müssen|dürfen)\b|{_HEAD}(?:duze?|sieze?|nenne?)\ mich\b"""
        ),
        unless=compiled(
            rf"""^(?:schreib|formulier|entwirf|verfass|übersetz)\w*\ (?:mir\ |bitte\ )*(?:einen?|den|die|das
                |meine?n?)\ [^,]*,\ (?:dass|in\ de[rm])\b
              |^(?!.*(?:\b(?:kannst|könntest|würdest|magst)\ du|\b(?:können|könnten)\ sie|,\ (?:ja|ok|okay|gut
                |bitte)\?)).*\?\W*$
              |^(?:ich|wir|er|es|man|mein\w*|unser\w*|der|die|das)\b(?!.*(?:\b(?:du|bitte|dich|dir|gesiezt|geduzt
                |angesprochen)\b|,\ (?:(?:und|also|drum|deshalb|bitte)\ )?{_SPARE}\ (?:mir|mich)\b))
              |{_FROM_NOW},?\s(?:(?!reden|sprechen|schreiben|machen)\w+\s(?:ich|wir|er|es|man)|(?:werden|wird|gibt|ist
                |sind|kann|können|muss|müssen|kommt|kommen|soll))\b"""
        ),
        whole=True,
        listed=False,
    ),
    # What takes an order back (`memfold.layers.orders`); it binds nothing if there is none.
    Rule(
        "instruction",
        # "zurück" is read as "zur" and "ck".
        lexicon("mehr weglassen lassen vergessen vergiss wieder seinlassen ck"),
        FREES_DE,
        unless=compiled(r"\?\W*$"),
        whole=True,
        listed=False,
    ),
)

# What cheers somebody up and looks like an order.
CHEERS = compiled(
    r"""\b(?:gib(?:\ (?:nie|niemals|nicht|bloß|ja))*\ auf|(?:nie|niemals)\ aufgeben|(?:immer|stets)\ für\ dich\ da
      |glaub(?:e)?\ (?:immer\ )?an\ dich|bleib(?:e)?\ (?:immer\ )?(?:stark|gesund|du\ selbst))\W*$"""
)
