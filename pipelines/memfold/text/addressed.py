"""Tells what a user says to the assistant from what they show it, report or ask about: stricter than `own_words`, for
orders alone, since an order binds every later answer.

Three rules beside the forms of `own_words`, each a table of three languages. A sentence that points ("is this right",
"what does he want", "my boss sent it:") shows something: what follows it, else what stands before it, else the rest of
its paragraph; until the user speaks again. A question about words ("ok to send?", "comma missing?") shows what stands
before it, on the same line too. And what somebody else is reported to say ("my boss says always …"), or says to
somebody with a flat or order number, is theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from memfold.text.cued import cued
from memfold.text.fences import fenced
from memfold.text.pasted import EDITS, own_words
from memfold.text.put_out import doubtful
from memfold.text.spans import HEAD


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(forms), re.IGNORECASE)


_THING = (
    r"(?:text|e?-?mail|article|letter|message|transcript|document|paragraph|passage|essay|post|quote|code|error|story|draft"
    r"|snippet|page|report|notice|script|review|comment|thread|ticket|memo|readme|poem|song|lyrics|verse|recipe|cv|resume"
    r"|notes|minutes|meter|survey|ad|sign|sentence|phrase|line|list|table|row|config|file|prompt|template|clause|contract"
    r"|policy|guide|homework|exercise|question|diff|function|query|scene|tweet|caption|subtitle|slide|speech|output|log"
    r"|result|horoscope|sheet|profile|paper|chapter|bio|listing|brief|abstract|manual|tip|form|label|villain|hero"
    r"|heroine|narrator|protagonist|dialogue|monologue|play|novel|footer|header"
    r"|maintainer|reviewer|author|sender|speaker|writer)s?"
)
# What is done to a text.
_WORK = (
    rf"(?:{EDITS}|sum up|fix|check|correct|improve|clean\s+up|continue|complete|solve|sort|group|convert"
    r"|validate|refactor|review|grade|classify|format"
    r"|simplify|debug|extract|analy[sz]e|compare|rate|balance|label)"
)
# A question or a request, at the beginning of a sentence.
_ASKS = _any(
    r"\W*(?:(?:please|now|so|and|ok(?:ay)?|hi|hey|just|can|could|would|will|you|quick(?:\s+question)?)\b[\s,:]*){0,5}"
    rf"(?:{_WORK}|mark|explain|make|turn|find|spot|tag|count|name|write|give|draft|help|tell|show|describe|answer"
    rf"|reply|read"
    r"|what|why|how|who|which|where|is|are|am|does|do|did|should|was|any|thoughts)\b",
    r".*\bhelp\s+me\b|\W*(?:I\s+)?need\s+(?:an?|some|help|the|better)\b",
    r"\W*(?:bitte\s+|kannst\s+du\s+|mal\s+){0,2}(?:übersetze?|fass|korrigiere?|überarbeite?|formulier\w*|kürze?|erklär\w*"
    r"|hilf|prüf\w*|verbesser\w*|schreib\s+(?:mir\s+)?(?:eine?|das|den|die)|sortier\w*|was|warum|wie|wer|welche\w*|ist|sind"
    r"|soll|muss|stimmt)\b",
    r"\W*(?:请|帮我|请帮我|麻烦)?(?:翻译|总结|概括|改写|润色|校对|改|检查|解释|分析|把|按|回复|写|用白话|缩写|续写)",
    r"[^。]*(?:什么|怎么|哪|吗|呢)|.*帮我",
    r".*[?？]\W*$",
)
# What a question or a request points with; one of three words does, for it names nothing itself ("too harsh?").
_POINTS = _any(
    r"^\W*(?:[^\W\d]+\s+){0,2}[^\W\d]+\?\W*$",
    rf"^\W*(?:please\s+)?{_WORK}\s+(?:the|my|our|your|these|it)\b",
    r"\b(?:this|these|that\W*$|(?:is|was|does|did|of|with|by)\s+that)\b(?!\s+(?:chat|conversation|session|time|year|week"
    r"|month|morning|evening|afternoon|summer|winter|weekend|way|is\s+what|I|you|we)\b)",
    r"\b(?:he|she|they|him|them|his|someone|somebody|the\s+following|below|above|attached|each)\b",
    rf"\b(?:the|my|our|his|her|their|an?)\s+(?:[\w'&-]+\s+){{0,3}}?{_THING}\b|\bwrong\W*$",
    r"\b(?:question|line|page|clause|section|sentence|verse|explain|translate|§)\s*\d"
    r"|\bwhich\s+(?:sentence|line|phrase|clause|version|option|wording|of\s+(?:them|the\s+two))\b",
    r"\bthe\s+(?:(?:first|second|third|last|next|other)\s+(?:one|two|bit|part|word|point|half)|bit|middle"
    r"|part\s+(?:about|with)"
    r"|tone|wording|phrasing|punctuation|MT)\b",
    r"\b(?:dies\w*|das|der|die\s+(?!hauptstadt)\w+|er|sie|ihn|ihm|folgende\w*|mein\w*|unser\w*|aufgabe|den)\b",
    r"这|那|以下|下面|下列|他|她|上面|字幕|第[一二三\d]+题|病句|按|[:：]$",
)
# What points without asking.
_SHOWS = cued(
    _any(
        rf"\b(?:here(?:'s|\s+is|\s+are)|below|attached|copied|pasted|forwarded|quoted)\b|\bthis\s+(?:\w+\s+)?{_THING}\b",
        r"\b(?:sent|found|saw|got|wrote|put|posted|received|gave|told|says|said|handed)\b[^.!?]{0,30}\b(?:this|these|it)\b",
        r"\b(?:has|have|had|with)\s+this\b|\berror\b",
        r"\b(?:does(?:n't|\s+not)|won't)\s+(?:work|compile|run|load|show|start|parse)\b",
        r"\bhier\s+(?:ist|sind|kommt)\b|\bdies\w*\b.{0,40}\b(?:gefunden|bekommen|geschickt|gesehen)\b",
        r"\b(?:habe?|fand|bekam|bekommen|geschrieben|geschickt|gefunden|gesehen|stand|steht)\b[^.!?]{0,40}\b(?:dies\w*|das)\b",
        r"看到|收到|发来|写道|这是|以下|下面|如下",
        r"(?::|->)\s*$",
    ),
    "here|below|attached|copied|pasted|forwarded|quoted|this|sent|found|saw|got|wrote|put|posted|received|gave|told|"
    "says|said|handed|error|does|won't|hier|dies|hab|fand|bekam|bekommen|geschrieben|geschickt|gefunden|gesehen|"
    "stand|steht|:|->",
)
# Behind these a request shows the rest of its line, or of its paragraph. BEAM's messages end in "->-> 2,5".
_AT_ONCE = _any(r"(?::|：|(?<!>)->|→|=>)\s*(?=[^\W\d]|[\"“„「'(])")
_GOT = _any(
    r"\b(?:got|found|saw|read|received|heard|spotted|picked\s+up|came\s+across)\s+(?:\w+\s+)?(?:this|these)\b"
    r"|\b(?:gelesen|gefunden|gesehen|gehört)\b|看到|收到|读到"
)
# Whose words stand behind a colon: "the plaque reads:", "teacher's comment:". What is "my rule" is not theirs.
_LABEL = _any(
    r"^(?!.*\b(?:my|our|your|one|new)\b).*\b(?:reads|states|goes|went|was|(?:instructions?|prompt|notice)\s+(?:is"
    r"|are))\s*$",
    r"^(?!.*\b(?:my|our|your)\b).*\b(?:the|this|an?|\w+'s)\s+(?:[\w-]+\s+){0,4}(?:comment|plaque|sign|prompt|motto"
    r"|slogan|poster"
    r"|sticker|caption|manual|handbook|card|banner|wiki|feedback|notice|disclaimer|warning)\b[^:]{0,40}$",
    r"^\W*(?:caption|slogan|tagline|quote|lyric|headline|title|tweet|post)\b[^:]{0,20}$",
    r"^(?!.*\b(?:mein|unser)).*(?:schild|aushang|hausordnung|kommentar|zettel|anleitung|motto|slogan"
    r"|plakat)\b[^:]{0,30}$",
    r"^(?!.*(?:我的|我们)).*(?:告示|通知|公告|规定|标语|评语|批注|说明书|留言|短信|作文上写)[^:：]{0,8}$",
)
# A label that is the user's own also behind a request, where others show a text. Any that is not foreign would let 17
# of 24 texts of others through ("Help me answer Greg. His mail: …").
_OWN_LABEL = _any(
    r"\W*(?:(?:and|but|oh|so|please)\b[,\s]+){0,2}(?:"
    r"(?:until|unless|before|while|as\s+long\s+as)\s+I\s+(?:say|tell|ask|go|leave|forget|think|remember)\b[^,:]{0,30}"
    r"|(?:one|another|my)\s+(?:\w+\s+)?(?:rule|wish|request|thing|preference|condition)s?"
    r"(?:\s+(?:for|from|in|until|with)\s+(?:you|us|now|me|our|the\s+(?:rest|future)|all|every)\b[^,:]{0,40})?"
    r"|by\s+the\s+way|btw|also|important(?:ly)?|note|reminder|remember|p\.?s\.?|please|yes"
    r"|for\s+(?:your\s+notes?|the\s+(?:future|record))|just\s+so\s+you\s+know|from\s+now\s+on|in\s+general|going\s+forward"
    r"|(?:bevor|solange|bis)\s+ich\s+(?:geh\w*|es\s+vergesse|nichts\s+anderes\s+sage|etwas\s+anderes\s+sage)"
    r"|übrigens|wichtig|noch\s+(?:eins|etwas|was)|merk\s+dir|bis\s+auf\s+weiteres"
    r"|(?:另外|还有(?:一点)?|顺便(?:说一下)?|重要|注意|请?记住|除非我另说|在我走之前|对了))\W*$"
)
_OF_WORDS = _any(
    rf"\b(?:this|these|the\s+following)\s+(?:\w+\s+)?{_THING}\b",
    r"\bdiese[rsnm]?\s+(?:\w+\s+)?(?:satz|sätze\w*|text\w*|mail|nachricht)\b|这(?:些|几)?(?:句|段|个句子)|下列",
)
# A question about the words of what stands before it, and about whether they can be sent.
_WORDING = _any(
    r"^\W*(?:\^|↑|⬆|👆)\s",
    r"\b(?:commas?|apostrophes?|semicolons?|hyphens?|typos?|spelling|misspel\w+|grammar|grammatical\w*|punctuation"
    r"|wording"
    r"|phrasing|(?:the|my|right|wrong)\s+tone|legally|MT|missing)\b[^?]{0,60}\?",
    r"\b(?:ok(?:ay)?|fine|safe|ready|good|clear|polite|appropriate|alright)(?:\s+enough)?\s+"
    r"(?:to\s+(?:send|post|submit|print|publish|share|sign|hang|use)|like\s+(?:that|this)|as\s+(?:is|it\s+is))"
    r"\b[^?]{0,40}\?",
    r"\b(?:can|may|should|shall|could)\s+I\s+(?:just\s+)?(?:send|post|submit|publish|print|sign|leave)\s+(?:it|this"
    r"|that)\b",
    r"\b(?:how|can|could|would|do|does|is)\b.{0,20}\b(?:say|put|phrase|word|translate|sound\w*|reads?)\s+(?:that|this"
    r"|it)\b",
    r"(?:^|->|[→—–])\W*(?:is\s+(?:it|this|that)\s+|does\s+(?:it|this|that)\s+sound\s+|sounds\s+|klingt\s+das\s+"
    r"|ist\s+das\s+)?"
    r"(?:(?:too|a\s+bit|zu)\s+[^\W\d]+|blunt|harsh|rude|formal|cheesy|corny|natural|idiomatic|polite|pushy|stiff"
    r"|clear|correct"
    r"|kitschig|höflich|unhöflich|unfreundlich|schroff|förmlich|verständlich|richtig|korrekt)\b[^?]{0,60}\?",
    r"\bgood\s+advice\b[^?]{0,40}\?|\b(?:anything|something|errors?|mistakes?)\b[^?]{0,30}\bin\s+t?here\b",
    r"\b(?:komma\w*|tippfehler|rechtschreib\w+|grammatik\w*|tonfall|der\s+ton|zeichensetzung|deutsch|formulierung)"
    r"\b[^?]{0,40}\?",
    r"\b(?:abschicken|absenden|verschicken|wegschicken|aushängen|veröffentlichen|so\s+(?:ok(?:ay)?|richtig|lassen"
    r"|stehen))"
    r"\b[^?]{0,20}\?",
    r"(?:标点|逗号|错别字|语病|病句|语气|措辞|通顺|歧义|(?:这样|这么)(?:写|说|发|回)|(?:能"
    r"|可以)(?:直接)?发)[^?？]{0,20}[?？吗]",
)
# Two texts to choose from.
_CHOICE = re.compile(
    r"(?:^|[\s(])(?:(?:option|version|variante?|fassung|draft|方案|版本)\s*)?([AB])\s?[:：]|(?:option|version|variante?"
    r"|fassung"
    r"|draft|方案|版本)\s*([12一二])\s?[:：]",
    re.IGNORECASE,
)
# A letter's first line: to somebody with a title, to many, or "Dear …". Nobody begins a message to an assistant so.
_SALUTATION = _any(
    r"\W*(?:dear|sehr\s+geehrte\w*|liebe[rs]?|good\s+(?:morning|day|evening)|hello|hi|hey|hallo|guten\s+tag)\s+"
    r"(?!(?:assistant|ai|bot|claude|(?:chat)?gpt|gemini|copilot|assistent\w*|ki|there)\b)"
    r"(?:(?<=dear\s)|(?<=geehrte\s)|(?<=geehrter\s)|(?<=liebe\s)|(?<=lieber\s)|(?=(?:mr|mrs|ms|mx|dr|prof|herrn?|frau"
    r"|team|all"
    r"|everyone|everybody|folks|neighbou?rs|parents|colleagues|zusammen|nachbarn)\b))"
    r"[^.!?:\n]{1,40}[,!:]?\s*$",
    r"(?:尊敬的|亲爱的|各位)[^。,，]{0,12}[:：,，]?\s*$|[^。,，\s]{1,6}(?:经理|老师|总|主任|先生|女士"
    r"|医生)[,，]?[您你]好[,，:：!！]?\s*$",
)
_AGAIN = _any(
    r"\W*(?:also|oh|by\s+the\s+way|btw|p\.?s\.?|one\s+more\s+thing|and\s+(?:from|please|always|never)"
    r"|(?:thanks|thank\s+you|danke)(?!\s+(?:for|für))|außerdem|übrigens|und\s+(?:ab|bitte))\b|\W*(?:另外|还有|顺便|谢谢)"
)
# What the user wants of a text that stands before it.
_TASK = _any(
    r"\W*(?:(?:please|can\s+you|could\s+you|now)\s+){0,2}(?:write|draft|make|give|suggest"
    r"|formulate)\s+(?:me\s+)?(?:an?|the)\s+"
    r"(?:[\w-]+\s+){0,2}(?:reply|answer|response|summary|translation)\b",
    r"\W*(?:bitte\s+)?(?:schreib\w*|formulier\w*|entwirf)\s+(?:mir\s+|bitte\s+){0,2}eine?\s+(?:\w+\s+)?(?:antwort"
    r"|zusammenfassung)\b",
    r"\W*(?:请|帮我|麻烦)*(?:写|拟)一?[封个条]?(?:回复|回信)",
)
# Whose rules stand below is said by nobody else: they are the user's.
_HEADING = _any(
    r"\W*(?:(?:here\s+are|these\s+are|please\s+(?:follow|keep\s+to|respect|stick\s+to|remember|note))\s+)?"
    r"(?:(?:my|some|a\s+few|the|these|standing|following|house|ground|basic|our|two|three|four|five)\s+){0,3}"
    r"(?:rules?|preferences|instructions|requests|orders|wishes|things|conventions|guidelines|settings|defaults)\b"
    r"(?:[^:.?!]{0,40}\b(?:you|your|chats?|conversations?|we|us|answers?|replies|from\s+now\s+on|me|follow)\b"
    r"[^:.?!]{0,30})?"
    r"\W{0,3}:$",
    r"\W*please\s+(?:follow|keep\s+to|respect|do|(?:remember|note|keep\s+in\s+mind)\s+(?:the\s+following|these))\b"
    r"[^:.?!]{0,60}:$",
    r"\W*(?:this\s+is\s+|here(?:'s|\s+is)\s+)?(?:how|what)\s+I(?:'d|\s+would)?\s+(?:like|want|expect|prefer)\s+"
    r"(?:you\b(?!\s+to\s+do)|your\b|(?:my\s+)?(?:answers|replies|texts|things)\b|from\s+you\b|in\s+(?:all\s+)?(?:your"
    r"|our)\b)[^:.?!]{0,40}:$",
    r"\W*(?:when(?:ever)?|every\s+time)\s+you\s+(?:answer|reply|write|talk|speak|explain|summari[sz]e|translate)\b"
    r"[^:.?!]{0,40}:$",
    r"[^:.?!]{0,30}\b(?:in|for)\s+all\s+(?:of\s+)?(?:our|your|my)\s+(?:chats|conversations|answers|replies|talks"
    r"|mails|texts)\b[^:.?!]{0,30}:$",
    r"[^:.?!]{0,20}\b(?:in|for)\s+(?:all|every|any|each)\b[^:.?!]{0,30}\byou\s+(?:write|draft|send|give|make"
    r"|translate|show)\b[^:.?!]{0,30}:$",
    r"\W*(?:going\s+forward|in\s+future|in\s+general|by\s+default)\b[^:.?!]{0,30}:$",
    r"[^:.?!]{0,60}\b(?:your\s+(?:answers|replies|responses)|from\s+now\s+on|ab\s+(?:jetzt|sofort|heute)|von\s+nun\s+an"
    r"|deine[nr]?\s+antworten|in\s+zukunft|künftig|unsere[nr]?\s+(?:chats?|gespräche?n?))\b[^:.?!]{0,40}:$",
    r"\W*(?:(?:hier\s+sind|bitte|meine|ein\s+paar|folgende|die|unsere)\s+){0,3}(?:(?:grund|spiel|chat)?regeln"
    r"|gewohnheiten|vorgaben|vorlieben|wünsche|anweisungen"
    r"|bitten)\b[^:.?!]{0,40}:$",
    r"\W*(?:跟你说一?下|先说好|先约定|请?记住|请?注意)?[,，]?(?:我的|我们的|咱们?的?|以下是我的|请遵守(?:以下|这些)?"
    r"|请按(?:以下|这些)?)?"
    r"(?:[几两三四]条)?(?:规则|要求|偏好|约定|规矩|习惯)[^:：。？]{0,10}[:：]$",
    r"\W*(?:请|跟|和|给|回答)?(?:我的?)?(?:聊天|说话|问题|写东西|写文章)?(?:时|的时候)?请?(?:记住|注意|遵守)(?:以下"
    r"|下面|这)?[几两三四]点[:：]$",
    r"\W*(?:以后|今后|往后|从(?:现在|今天)(?:起|开始))[^:：。？]{0,20}[:：]$",
)
# The same in front of the first rule. It must say that they are for the assistant: "the hostel has some rules: …".
_FOR_YOU = (
    r"(?:(?:from\s+me\s+)?(?:for|on|about|in|with)\s+(?:you|us|how\s+you|(?:this|our|your)\s+(?:\w+\s+)?(?:chats?"
    r"|conversations?|talks?|project|repo(?:sitory)?|codebase|code|answers|replies|responses))"
    r"|from\s+me(?=\s*:|\s+(?:to|for)\s+you)|when(?:ever)?\s+you|I(?:'d\s+like|\s+want|\s+expect)\s+you)\b"
)
_LEADS = _any(
    r"\W*(?:(?:ok(?:ay)?|so|and|also|but|hey|hi|first|oh|right|quick|btw|before\s+we\s+(?:start|begin)"
    r"|please\s+(?:follow|note)|(?:here|these)\s+are|here's|here\s+come|I\s+have|I've\s+got)\b\W+){0,4}"
    r"(?:(?:my|some|an?|few|couple|of|several|the|these|standing|house|ground|basic|quick|general|more|our|two|three"
    r"|four|five)\s+){0,4}"
    r"(?:(?:rules?|preferences|conventions|guidelines|standing\s+(?:orders|instructions|requests))\s+"
    rf"{_FOR_YOU}"
    r"|(?<=my\s)(?:coding|code|style|formatting)\s+(?:rules|conventions|preferences|guidelines)(?=\s*:)"
    r"|things\s+(?:I\s+(?:want|expect|need)\s+from\s+you|(?:to\s+remember\s+)?when(?:ever)?\s+you\s+(?:answer|reply"
    r"|respond|write|talk|explain|code))\b)[^:.?!]{0,40}:\s+\S",
    r"\W*(?:(?:ok(?:ay)?|also|und|noch|hier\s+sind|bitte)\b\W+){0,3}(?:(?:meine|ein|paar|unsere|zwei|drei|vier)\s+)"
    r"{0,3}(?:(?:grund|spiel|haus)?regeln|vorgaben|wünsche)\s+(?:für\s+(?:dich|uns|diesen\s+chat|deine\s+\w+)"
    r"|an\s+dich)\b[^:.?!]{0,40}:\s+\S",
)
_SAYS = (
    r"(?:says|said|told|tells|tweet(?:s|ed)|wr(?:ites|ote)|posted|claim(?:s|ed)|insist(?:s|ed)|recommend(?:s|ed)"
    r"|advise[sd]|suggest(?:s|ed)|demand(?:s|ed)|orders|ordered|commands|commanded|wants\s+(?:me|us)|instruct(?:s|ed)"
    r"|keeps\s+(?:saying|telling)|remind(?:s|ed)|taught|ask(?:s|ed)\s+(?:me|us|that)|used\s+to\s+say|(?:advice|motto"
    r"|mantra|tips?|policy|slogan)\s+(?:is|was|are"
    r"|reads?))"
)
_WHO = (
    r"(?:he|she|they|it|you|who|someone|somebody|everyone|people|docs?|guide|handbook|sign|note|mail|letter|poster"
    r"|(?-i:[A-Z])[\w-]+(?:'s)?"
    r"|(?:my|our|the|an?|his|her|their|this|that|every)\s+[\w'-]+)"
)
_SAYS_DE = (
    r"(?:sagt\w*|meint\w*|schreibt|schrieb|rät|riet|empfiehlt|verlangt\w*|fordert\w*|will|möchte|behauptet\w*|heißt"
    r"|gesagt|geschrieben|twitterte)"
)
_REPORTED = _any(
    rf"(?<!\bI\s)\b(?!I\b|we\b){_WHO}(?:\s+(?!I\b)[\w'-]+){{0,3}}?\s+{_SAYS}\b",
    r"\b(?:I|we)\b.{0,12}\b(?:was|were|been|got)\s+(?:told|asked|taught|advised|instructed)\b|\baccording\s+to\b",
    r"\b(?:laut|gemäß)\b",
    r"\b(?:er|sie|man|jemand|es|du|(?:mein|unser|ihr|der|die|das|ein)\w*\s+[\w-]+)"
    rf"(?:\s+(?!ich\b)[\w-]+){{0,3}}?\s+{_SAYS_DE}\b",
    r"(?:老板|老师|经理|同事|客户|医生|朋友|妈妈?|爸爸?|公司|领导|他们?|她们?|有人|老婆|老公|太太|男朋友|女朋友|爷爷"
    r"|奶奶|儿子|女儿|室友|邻居|房东|班主任|同学|网友|书[上里]|文档|网上|专家|教练"
    r"|你(?:上次|之前|刚才))[^，。！？\s我]{0,6}(?:我们?)?(?:说|讲|写|要求|让|叫|建议|规定|告诉|提醒)",
)
# ", she says" behind what is said.
_SAID = _any(
    rf"[,，]\s*(?:as\s+)?(?:{_WHO}\s+(?:says|said|told\s+\w+|wrote)|(?:sagt|meint|schreibt)\s+\w+|(?:他|她)说)\W*$"
)
# Whoever has these, or is spoken to by name, is no assistant.
_OTHERS = cued(
    _any(
        r"\byour\s+(?:\w+\s+)?(?:(?:flat|room|apartment|unit|order|ticket|customer|booking|account|case|member(?:ship)?"
        r"|employee"
        r"|student|policy|phone|seat|locker|reference)\s+(?:number|no|code|id)|badge|boarding\s+pass|parcel|invoices?"
        r"|receipts?"
        r"|passport|luggage|child(?:ren)?|kids|dogs?|rent|shoes|uniform|payments?|subscription|tray|bike)\b",
        r"\b(?:residents|tenants|passengers|guests|visitors|students|employees|members|applicants|patients|staff"
        r"|players)\s+"
        r"(?:must|shall|should|are|may|who|have)\b",
        r"\bIhre[rnms]?\s+(?:\w+\s+)?\w*(?:nummer|ausweis|unterlagen|rechnung(?:en)?|bestellung|schlüssel|hunde?|kinder"
        r"|miete"
        r"|unterschrift|anschrift|paket)\b",
        r"(?:^|[.!?]\s)\W*(?:mr|mrs|ms|dr|herr|frau)\.?\s+[^\W\d_]+,|各位|业主们?|住户|[您你]的(?:房号|单号|订单|工号"
        r"|学号|证件|身份证|车牌|快递)",
    ),
    "your|residents|tenants|passengers|guests|visitors|students|employees|members|applicants|patients|staff|players|"
    "ihre|mr|ms|dr|herr|frau",
)
# Whoever speaks of themselves, or begs, speaks to the assistant again.
_MINE = _any(
    r"\b(?:I|I'm|me|my|mine|please|you|your|ich|mir|mich|mein\w*|bitte|du|dein\w*)\b|\W*(?:so|also)\b|我|你|请"
)
_COMMENT = re.compile(r"\s*(?:--\s|//|/\*|<!--)")
_STANDING = _any(
    r"\b(?:always|never|ever|from\s+now|(?<!\bI\s)(?:must|should|don't|do\s+not)|no\s+(?:more|longer)|any\s?more|stop"
    r"|forget|immer|stets|nie\w*|ab\s+\w+|künftig|soll\w*|muss|nur)\b|以后|今后|从现在|始终|总是|永远|一律|不要|别|必须|每次|务必|不用|[:：]"
)
_WHEN = _any(r"\W*(?:when(?:ever)?|if|every\s+time|each\s+time|any\s?time|wenn|falls|每当|如果|当|以后|只要)")
_SENTENCE = re.compile(r"[^.!?。！？]*(?:[.!?](?!\s|$)[^.!?。！？]*)*[.!?。！？]*\s*")
_MARKED = re.compile(r"\s*(?:[-*+•|#>]|\w{1,2}[.)]\s|\d)")
# Shorter ones name a word; an answer may be told to hold one.
_QUOTED = re.compile(
    r"(?<!with )(?<!(?<!such )as )(?<!me )(?<!say )(?<!them )(?<!not )(?<!叫我)(?<!加上)"
    r"[\"“„「]([^\"”“„」\n]{12,}|[^\"”“「」\n]*[一-鿿][^\"”“」\n]{4,})[\"”“」]"
)


@dataclass(frozen=True)
class _Paragraph:
    """A paragraph's lines, and what of the message stands between it and the one before."""

    behind: str
    lines: list[str] = field(default_factory=list)


def addressed(text: str, told: Callable[[str], tuple[str, str]] = own_words) -> tuple[str, str]:
    """What of `text` the user says to the assistant, and what they show, report or paste; `told` is `own_words`, or
    remembers what it gave. Takes time in proportion to the text."""
    own, foreign = own_words(text, wary=True) if doubtful(text) else told(text)
    pasted = [foreign]
    said: list[str] = []
    shown = False
    paragraphs = _paragraphs(text.replace("’", "'"), own)
    for n, paragraph in enumerate(paragraphs):
        below = paragraphs[n + 1] if n + 1 < len(paragraphs) else None
        shown = shown and not fenced(paragraph.behind) and not _speaks(paragraph, below is None)
        if shown:
            pasted += paragraph.lines
            continue
        its, rest, points = _pointing(paragraph.lines, alone=len(paragraphs) == 1 and not foreign.strip())
        if points and below is None and not rest and not foreign.strip():
            pasted += said
            said.clear()
        shown = below is not None and (points or (_asks(paragraph.lines[-1]) and _looks_shown(below)))
        said += its
        pasted += rest
    return "\n".join(_unreported(said, pasted)), "\n".join(pasted)


def _paragraphs(text: str, own: str) -> list[_Paragraph]:
    """Those of the user's own words: parted by blank lines, or by what was pasted between."""
    found: list[_Paragraph] = []
    at = 0
    for line in filter(str.strip, own.split("\n")):
        start = max(text.find(line, at), at)
        between = text[at:start]
        if not found or between.strip() or between.count("\n") > 1:
            found.append(_Paragraph(between))
        found[-1].lines.append(line)
        at = start + len(line)
    return found


def _asks(line: str) -> bool:
    return _ASKS.match(line[:HEAD]) is not None


def _looks_shown(paragraph: _Paragraph) -> bool:
    """Whether a paragraph below a request that points at nothing is a text: lines, a heading or a list."""
    head = paragraph.lines[0][:HEAD].strip()
    several = len(paragraph.lines) > 1 or _MARKED.match(head)
    return bool(several) and not paragraph.behind.strip() and not heads(head)


def heads(line: str) -> bool:
    """Whether a line is a heading of the user's rules."""
    # Each heading ends in a colon. Few lines do, and the pattern takes longer than looking for it.
    line = line.strip()
    return line.endswith((":", "：")) and _HEADING.match(line) is not None


def leads(sentence: str) -> bool:
    """Whether a sentence names the user's rules and goes on with the first: "some rules for you: never …"."""
    return ":" in sentence and not sentence.rstrip().endswith("?") and _LEADS.match(sentence) is not None


def _speaks(paragraph: _Paragraph, last: bool) -> bool:
    """Whether the user speaks again behind what they show; last of all, a question or a task is theirs."""
    head = paragraph.lines[0][:HEAD]
    first = next(_sentences(head)).rstrip()
    asked = first.endswith(("?", "？")) or _TASK.match(first) is not None
    return bool(_AGAIN.match(head)) or (last and asked and not _MARKED.match(head))


def _pointing(lines: Sequence[str], *, alone: bool) -> tuple[Sequence[str], Sequence[str], bool]:
    """A paragraph up to what it shows, what it shows, and whether it points at anything. `alone`: there is nothing else
    to point at."""
    for n, line in enumerate(lines):
        head = line[:HEAD]
        if heads(head):
            continue
        if _SALUTATION.match(head) and (n + 1 < len(lines) or not alone):
            return lines[:n], lines[n:], True
        if (once := _AT_ONCE.search(head)) and _hands_over(head[: once.start()]):
            return [*lines[:n], line[: once.start()]], [line[once.end() :], *lines[n + 1 :]], True
        at = 0
        for sentence in _sentences(head):
            at += len(sentence)
            asks = _asks(sentence)
            worded = asks and _WORDING.search(sentence)
            if not (worded or (asks and _POINTS.search(sentence.strip())) or _SHOWS.search(sentence)):
                continue
            behind = n + 1 < len(lines) or line[at:].strip()
            start = at - len(sentence) + _arrow(sentence)
            if worded and not behind and (n or line[:start].strip()):
                return [line[start:]], [*lines[:n], line[:start]], True
            if alone and n + 1 == len(lines) and behind and (worded or _OF_WORDS.search(sentence)):
                return [*lines[:n], line[:at]], [line[at:]], True
            return lines[: n + 1], lines[n + 1 :], True
    return lines, [], False


def _hands_over(before: str) -> bool:
    """Whether what stands before a colon or an arrow shows what stands behind it: neither a heading nor a label of the
    user's own does."""
    *_, last = _sentences(before)
    theirs = _asks(before) or _GOT.search(before) or _LABEL.search(last.rstrip())
    return bool(theirs and not (heads(f"{last.strip()}:") or _OWN_LABEL.match(last)))


def _arrow(sentence: str) -> int:
    """Where in a sentence the question begins that an arrow or a dash leads to; 0 where none does."""
    return max(
        (sentence.rfind(mark) + len(mark) for mark in ("->", "→", "—", "–") if mark in sentence), default=0
    )


def _sentences(line: str) -> Iterator[str]:
    return (match[0] for match in _SENTENCE.finditer(line) if match[0]) if line else iter(("",))


def _unreported(lines: Sequence[str], pasted: list[str]) -> Iterator[str]:
    """The lines without what others are said to have said, or are quoted with, which is added to `pasted`."""
    chosen = {
        match[0] for line in lines if ":" in line or "：" in line for match in _CHOICE.finditer(line[:HEAD])
    }
    for line in lines:
        if len(chosen) > 1 and (option := _CHOICE.search(line[:HEAD])):
            pasted.append(line[option.start() :])
            line = line[: option.start()]
        said: list[str] = []
        theirs = reports = _COMMENT.match(line) is not None
        for sentence in _sentences(line):
            theirs = theirs and not _asks(sentence)
            # Behind "he says never …" they go on, until the user speaks of themselves or to the assistant.
            reports = reports and (theirs or not (_asks(sentence) or _MINE.search(sentence)))
            start = 0 if theirs or reports or _told(sentence) else len(sentence)
            # Few sentences hold a word that binds; looking for one takes a quarter of the time of `_REPORTED`.
            binds = not theirs and _STANDING.search(sentence) and not _WHEN.match(sentence)
            reported = _REPORTED.search(sentence[:HEAD]) if binds else None
            if reported and _STANDING.search(sentence, reported.end()):
                start = min(start, reported.start())
                theirs = ":" in sentence or "：" in sentence
            reports = reports or theirs or start < len(sentence)
            said.append(sentence[:start])
            pasted.append(sentence[start:])
        joined = "".join(said)
        if _quotes(joined):
            # Behind the last closing mark no quotation ends, and looking for one takes cubic time.
            end = max(map(joined.rfind, '"”“」')) + 1
            pasted += _QUOTED.findall(joined[:end])
            joined = _QUOTED.sub(" ", joined[:end]) + joined[end:]
        yield joined


def _told(sentence: str) -> bool:
    """Whether a sentence tells what somebody says to somebody else, or asks about a quotation that orders."""
    head = sentence[:HEAD]
    if _SAID.search(head) or _OTHERS.search(head):
        return True
    quoted = _QUOTED.findall(head) if _quotes(head) else []
    return any(map(_STANDING.search, quoted)) and _asks(head)


def _quotes(text: str) -> bool:
    """Whether a text holds a mark that quotations begin with. `_QUOTED` itself is tried at every place."""
    return any(mark in text for mark in '"“„「')
