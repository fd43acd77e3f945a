"""What German sentences give as notes: standing orders alone. A table; `rule.py` says how it is read.

An order needs somebody told (an imperative, "du", "bitte") and how long or when it holds ("immer", "ab jetzt",
"wenn ich frage"). "Ich antworte immer" and "Er soll nie" are none.
"""

from __future__ import annotations

from memfold.extract.engines.rules.rule import Rule, compiled
from memfold.extract.engines.rules.text import lexicon

_STEM = (
    r"(?:acht|antwort|arbeit|begründ|beginn|beend|beacht|benutz|berücksichtig|beschränk|biet|bleib|bring|denk|duz|sie[zt]|empfiehl|empfehl"
    r"|ergänz|erinner|erklär|erwähn|fass?|frag|formulier|formatier|füg|führ|gib|geb|geh|gliedere?|halt|häng|hör|kennzeichn|korrigier|kürz|lass|leg"
    r"|list|mach|markier|nenn|nimm|nehm|nutz|präsentier|prüf|rechn|red|rund|sag|schlag|schließ|schreib|setz|sortier|sprich|sprech|start|stell"
    r"|strukturier|teil|trenn|übersetz|unterlass|vergiss|vergess|vergleich|vermeid|verrat|verwend|verzicht|wähl|warn|wechsl|wiederhol|zeig|zitier)"
)
_TELL = rf"(?:{_STEM}e?|{_STEM}en\ sie|sei(?:en\ sie)?)\b"
_EVER = (
    r"\b(?:immer|stets|grundsätzlich|jedes\ mal|jedesmal|nie|niemals|nicht\ mehr|nur\ noch|ausschließlich)\b"
)
_FROM_NOW = (
    r"\b(?:ab\ (?:jetzt|sofort|heute|nun)|von\ (?:nun|jetzt|heute)\ an|künftig|zukünftig|in\ zukunft|fortan"
    r"|(?:für\ den|im)\ rest\ (?:dieses|des|unseres)\ \w+"
    r"|in\ (?:allen|jeder|deinen|all\ deinen)\ (?:antworten?|nachrichten?))\b"
)
_HEAD = (
    r"^(?:(?:bitte|und|also|außerdem|übrigens|noch\ (?:etwas|was)|ach\ ja|"
    r"merk(?:e|en\ sie)?\ (?:dir|sich)|wichtig|regel|hinweis|denk\ daran)[,:.]?\s+)*"
)
_WHEN = (
    r"(?:wenn|falls|sobald|sooft|immer\ wenn|jedes\ mal,?\ wenn)\ (?:ich|wir|du|sie)\b[^,?]{0,80}"
    r"\b(?:frage?n?|fragst|bitte|nenne|schicke?|sende|schreibe?|erwähne|spreche|rede|teile|zeige|poste|antwortest|schreibst|empfiehlst|hast)\b"
)

RULES: tuple[Rule, ...] = (
    Rule(
        "instruction",
        # "künftig" is read as "k" and "nftig": words are of Latin letters alone.
        lexicon(
            "immer stets jedes jedesmal nie niemals mehr noch jetzt sofort heute nun nftig zuk zukunft "
            "fortan rest allen wenn falls sobald merk merke grunds ausschlie mich deine"
        ),
        compiled(
            rf"""{_HEAD}{_TELL}.*(?:{_EVER}|{_FROM_NOW}|\b{_WHEN})
              |(?:^|[,;:–]\s*|\bund\s+){_FROM_NOW},?\s.*(?:\b(?:bitte|du|sie|mich|mir)\b|\b{_TELL}|\w+en\W*$)
              |(?:{_EVER}|{_FROM_NOW}).*\bbitte\b.*\w+en\W*$|\bbitte\b.*{_EVER}.*\w+en\W*$
              |\bich\ (?:möchte|will|wünsche\ mir|bitte\ dich|bitte\ sie|hätte\ gern\w*
                |erwarte)\b.*\b(?:du|sie)\b.*(?:{_EVER}|{_FROM_NOW})
              |\b(?:du|sie)\ (?:sollst|sollen|musst|müssen|solltest|sollten|darfst
                |dürfen)\b.*(?:{_EVER}|{_FROM_NOW})
              |{_HEAD}{_WHEN}[^,?]*,\s*(?:dann\s+)?(?:bitte\s+)?{_TELL}
              |{_HEAD}merk(?:e|en\ sie)?\ (?:dir|sich)\b[,:]?\s.*(?:{_EVER}|\bich\b)
              |\bdeine\ antworten\ (?:sollen|sollten|müssen|dürfen)\b|{_HEAD}(?:duze|sieze|nenne?)\ mich\b"""
        ),
        unless=compiled(
            rf"""\?\W*$|^(?:ich|wir|er|es|man|mein\w*|unser\w*|der|die|das)\b(?!.*\b(?:du|bitte|dich)\b)
              |{_FROM_NOW},?\s\w+\s(?:ich|wir|er|es|man)\b"""
        ),
        whole=True,
        listed=False,
    ),
)
