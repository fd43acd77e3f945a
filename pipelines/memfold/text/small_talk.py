"""Small talk: greetings, thanks, farewells, and praise, which say nothing of the matter. Knows no kinds of questions.

Only whole texts and whole sentences count: "thanks, the tests pass" says something.
"""

from __future__ import annotations

import re

from memfold.text.terms import terms

_POLITE = (
    r"(?:h(?:i+|ey+|ello+)(?: (?:there|again|everyone|all))?|howdy|yo|greetings|good (?:morning|afternoon|evening"
    r"|night|day)"
    r"|(?:many |so many )?thank(?:s|(?: you))(?: (?:so|very) much| a (?:lot|million|bunch)| again| anyway)?"
    r"(?: for (?:that|this|everything|all|the|your) ?(?:help|that|advice|answer)?)?|thx|ty|cheers|much appreciated"
    r"|(?:that(?:'s| is| was)|this is|it's|you(?:'re| are)) (?:(?:very|really|so|just|such|all) )?(?:a )?"
    r"(?:great|good|helpful|perfect|awesome|nice|fine|cool|amazing|wonderful|ok(?:ay)?|kind|clear|welcome|the best|all)"
    r"|(?:very |really |so )?(?:great|perfect|awesome|nice|cool|amazing|wonderful|lovely|excellent|brilliant|wow"
    r"|haha+|lol|helpful)"
    r"|ok(?:ay)?|k|alright|all right|sure|got it|i see|understood|makes sense|fine|yes|yeah|yep|no|nope|right|exactly"
    r"|(?:good)?bye(?: bye)?|see (?:you|ya)(?: (?:later|soon|tomorrow|around))?|take care|talk (?:to you )?(?:later"
    r"|soon)"
    r"|have a (?:good|great|nice|lovely) (?:day|one|evening|night|weekend|time)|good(?: one| job| work)|well done"
    r"|how(?:'s| is) it going|how are (?:you|things)(?: (?:doing|today|going))*|what'?s up|sup|nice to meet you"
    r"|(?:who|what) are you|are you there|(?:you )?there|sorry|my bad|no worries|never ?mind|no problem|congrats"
    r"|happy (?:new year|birthday|holidays)|merry christmas|i appreciate (?:it|that|your help)|long time no see)"
)
_POLITE_ZH = (
    r"(?:你们?好|您好|大家好|哈喽|哈啰|嗨|嘿|喂|在吗|在不在|在么|早上好|上午好|中午好|下午好|晚上好|早安|午安|晚安|早"
    r"|(?:非常|十分|太|多)?(?:感谢|谢谢|多谢|谢)(?:你|您|啦|了|哦|啊|大家|你们|你的帮助|您的帮助|帮助|帮忙)*|辛苦(?:你|您)?了?|麻烦(?:你|您)了"
    r"|(?:太)?(?:好的|好|行|可以|嗯+|哦+|噢|对|是的|没错|明白|了解|知道|懂|收到|不错|棒|厉害|赞|完美|酷|牛|太好)(?:了|啊|呀|吧|的|哒|呢)*"
    r"|再见|拜拜|回头见|回见|明天见|下次(?:见|聊|再聊)|没事|没关系|不客气|不用谢|对不起|抱歉|不好意思|算了|哈哈+|呵呵+"
    r"|(?:你)?最近(?:怎么样|好吗|如何|还好吗)|你是谁|你叫什么(?:名字)?|吃了吗|祝你(?:好运|愉快|开心|有个好梦)|新年快乐|生日快乐|加油)"
)
_ADDRESS = r"(?: (?:there|again|buddy|friend|my friend|mate|man|dear|assistant|everyone|so much|guys|bot|all|today))?"
# Nothing but greetings and the like, up to six in a row.
SMALL_TALK = re.compile(
    rf"[\W_]+|[\W_]*(?:(?:{_POLITE}{_ADDRESS}|{_POLITE_ZH})(?:[\W_]+|$)(?:and |so |then )?){{1,6}}",
    re.IGNORECASE,
)

# What is left of a sentence that only answers somebody: it praises, thanks, wishes or offers, without saying for what.
_SO = (
    r"(?:(?:so|really|very|just|such|too|all|always|totally|absolutely|definitely|pretty|quite|truly|an?) )*"
)
_FINE = (
    r"(?:great|good|helpful|perfect|awesome|nice|fine|cool|amazing|wonderful|kind|sweet|fun|lovely|inspiring|incredible"
    r"|impressive|beautiful|fantastic|exciting|interesting|adorable|yummy|delicious|welcome|right|true|rewarding"
    r"|special"
    r"|thoughtful|strong|the best|the spirit|it|dedicated)"
)
_IDLE = (
    rf"(?:{_POLITE}{_ADDRESS}|thank(?:s|(?: you))\b(?! to (?!you))(?!.*\b(?:I|we|my|now|but|was|were)\b).*|cheers"
    rf"|yup|yea|yah|ah+|aw+|oh+|woah|whoa|woo\w*|yay"
    rf"|(?:it|this|that|these|those|they|you|he|she|your \w+)(?:'s|'re| is| are| was| sounds?| looks?"
    rf"| must be| seems?)"
    rf" {_SO}{_FINE}(?:(?:,| and) {_SO}{_FINE})*(?: idea| news| job| work| stuff| one| plan| point| to hear(?: that"
    rf"| it)?)?"
    rf"|(?:sounds|looks) {_SO}{_FINE}|(?:what )?{_SO}{_FINE}(?: idea| news| job| work| stuff| one| plan| point| going)?"
    r"|sounds like a plan|good luck|best of luck|way to go|nice going|you(?:'ve)? (?:got|nailed|rock|rule"
    r"|killed) ?(?:this|it)?"
    r"|(?:I )?(?:really |so |do )?appreciate\b(?!.*\b(?:I|my|but|how)\b).*"
    r"|I owe you(?: one| big time| a lot)?|(?:just "
    r"|please )?let me know (?:if|when|how) (?:you|it|that|there|anything|I can)\b.*"
    r"|(?:I'm |I am |we're |I'll be )?(?:always |right |still )?here (?:for you|to (?:help|support|listen))\b.*"
    r"|(?:I'm |I am |we're )?(?:so |really |very |just )*(?:happy|proud|thrilled|excited|stoked|rooting) (?:for"
    r"|of) you\b.*"
    r"|(?:I'm |I am )?(?:so |really |very )*(?:glad|happy) (?:you|to (?:hear|help|see|know))\b.*|glad to\b.*"
    r"|(?:I )?(?:really )?hope (?:you|it|all|that|this|everything)\b.*|(?:I )?can(?:'t|not) wait(?: too| either"
    r"|(?: for| to) (?:it|that|hear|see|try|check)\b.*)?"
    r"|(?:I'm )?looking forward to (?:it|that|hearing|seeing)\b.*"
    r"|(?:it(?:'s| was|'s been) |was )?(?:so |really )?(?:great|nice|good|lovely|fun|awesome) "
    r"(?:catching up|chatting|talking|seeing|hearing|to (?:hear|see|talk|chat|catch))\b.*"
    r"|(?:I'll )?(?:catch|see|talk|speak|chat|ttyl)\b(?: (?:to|with))? (?:you|ya|later|soon)(?: (?:later|soon|then"
    r"|there|around|again|tomorrow|next time))*|stay (?:strong|safe|positive|motivated|in touch|true)\b.*"
    r"|have (?:fun\b.*|an? (?:good|great|nice|lovely|safe|wonderful)\b.*)"
    r"|keep (?:it up|up\b.*|going|in touch|me (?:posted|updated)\b.*|(?:pushing|at it|shining|smiling)\b.*)"
    r"|take it easy|enjoy (?:it|yourself|(?:the|your) \w+)"
    r"|(?:never|don't) give up\b.*|(?:just )?do it|you(?:'re| are) (?:doing|so|such|an?) (?:great|inspir\w+"
    r"|amazing\w*|awesome)\b.*"
    r"|(?:your|those|these) (?:kind |sweet |constant )?(?:support|help|words?|encouragement|faith|kindness"
    r"|friendship)\b.*"
    r"|(?:it|that|this) (?:really )?means? (?:a lot|so much|the world|everything)\b.*|same here|me (?:too|neither)"
    r"|likewise"
    r"|absolutely|definitely|totally|of course|for sure|sure thing|true|agreed|indeed|deal|anytime|no doubt"
    r"|I (?:totally |completely |fully |couldn't )?agree\b(?: with you)?(?: more)?|I bet|I know|you bet|got you"
    r"|will do|you too"
    r"|I won't (?:quit|give up)|for offering|go"
    r"|(?:(?:my|your) )?pleasure|welcome)"
)
# Interjections and a name may stand around it: "Yeah, Maria, …!", "… , buddy".
_AROUND = (
    r"(?:(?:yeah|yea|yes|yep|yup|oh|ah|aw+|wow|woah|hey|hi|well|so|and|haha|thanks|ok(?:ay)?|cool|nice|great"
    r"|awesome)[,!\s]+)"
)
_NAMED = r"(?-i:(?!I\b)[A-Z][\w'’-]+)"
_IDLE_SENTENCE = re.compile(
    rf"[\W_]*{_AROUND}{{0,3}}(?:{_NAMED}[,!\s]+)?{_IDLE}(?:,? {_NAMED}|{_ADDRESS})?[\W_]*|[\W_]*(?:{_NAMED}[\W_]*)?",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"[A-Z][\w .'’-]{0,40}: ")
# At every mark: what follows "Let me know if you can help me." is news. "3. März" is one day.
_SENTENCES = re.compile(
    r"(?:(?<=[^\d]\.)|(?<=[!?…]))\s+|(?<=\d\.)\s++(?!Jan|Feb|M[äa]r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)"
    r"|(?<=[。！？])\s*"
)


def telling(text: str) -> str:
    """A text of a few sentences without those that are small talk; empty where all are. Who speaks stays in front."""
    speaker = _SPEAKER.match(text)
    head = speaker[0] if speaker else ""
    kept = [each for each in _SENTENCES.split(text[len(head) :]) if not _idle(each)]
    return head + " ".join(kept) if kept else ""


def brief(text: str) -> bool:
    """Whether a text that asks nothing has one term besides who speaks, which says nothing without what it answers. A
    character is a term of its own, so few texts in Chinese are brief."""
    speaker = _SPEAKER.match(text)
    said = text[speaker.end() :] if speaker else text
    return "?" not in said and "？" not in said and len(set(terms(said))) < 2


def _idle(sentence: str) -> bool:
    return not sentence.endswith("?") and bool(
        SMALL_TALK.fullmatch(sentence) or _IDLE_SENTENCE.fullmatch(sentence)
    )
