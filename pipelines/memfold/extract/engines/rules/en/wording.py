"""What English orders are worded with: verbs, times, of what an answer is made; and what makes a sentence no order, or
one for the thing at hand; and how a rule for orders is made. Holds no rule: `orders.py`, `wishes.py`, `at_work.py` and
`pairs.py` put these together.
"""

from __future__ import annotations

from functools import partial

from memfold.extract.engines.rules.rule import Rule, compiled
from memfold.text.calendar import MONTH, WEEKDAY
from memfold.text.tongues import ENGLISH_NAMES

# Verbs a user gives orders with. Open-class words follow "always" and "never" too; this list is for the forms
# whose opening alone would not tell an order from a story.
VERB = (
    r"(?:act|add|address|adopt|be|document|log|mask|require|tailor|validate|change|close"
    r"|conclude|drop|expand|favou?r|finish|greet"
    r"|hide|imagine|open|pause|play|pretend|recap|remove"
    r"|rephrase|replace|rewrite|roleplay|sound|spoil|sum|teach|answer|apply|ask|assume|attach|avoid"
    r"|base|begin|bold|break|bring|call"
    r"|check|choose|cite|clarify|"
    r"combine|compare|confirm|consider|convert|correct|cover|credit|define|demonstrate"
    r"|describe|discuss|display|"
    r"distinguish|double-check|draw|emphasi[sz]e|end|ensure|exclude|explain|express|flag"
    r"|focus|follow|format|frame|give|greet|"
    r"group|handle|have|highlight|identify|ignore|illustrate|include|incorporate|indicate"
    r"|insert|justify|keep|label|leave|"
    r"limit|link|list|maintain|make|mark|measure|mention|name|note|number|offer|omit"
    r"|organi[sz]e|outline|output|pick|"
    r"point|prefer|present|print|prioriti[sz]e|provide|put|quote|recommend|refer|reference"
    r"|relate|remember|remind|repeat|reply|"
    r"report|respect|respond|restate|return|round|rank|say|select|send|separate|set|show"
    r"|sign|skip|sort|speak|specify|spell|"
    r"start|state|stay|stick|stop|structure|suggest|summari[sz]e|support|suppose|take|talk"
    r"|tell|translate|treat|try|turn|"
    r"use|verify|wait|walk|warn|wrap|write)"
)
# What stands before the verb of an order.
NOT = r"(?:don't|dont|do\ not|never|always|only)"
PLEASE = r"(?:please|pls|plz)"
# What a user does in the talk, and what says that an order waits for it.
ASK = (
    r"(?:ask(?:ing)?|mention(?:ing)?|tell(?:ing)?\ you|report|say|request(?:ing)?|bring(?:ing)?\ up|talk(?:ing)?"
    r"|discuss(?:ing)?|send|share|paste|"
    r"post|inquire|enquire|query|want\ to\ know|need|refer|type|write|give\ you|show\ you"
    r"|present|upload|submit)"
)
# What an assistant does for the user, by verbs that are no nouns: it needs no comma before it to be told from what the
# user asks about.
FOR_ME = (
    r"(?:(?:remind|warn|ask|tell|show|give|send|stop)\ me|(?:convert|include|add|explain|mention|assume)"
    r"\ (?:the|me|it|them|all|both|an?|any|every|only|in|to|that|my)"
    # "When I ask people to translate to me" tells of people.
    r"|translate\ (?:the|it|them|all|both|any|every|everything))\b"
)
WHEN = r"(?:when(?:ever)?|if|every\ ?time|each\ time|any\ ?time|in\ case|as\ soon\ as|once)"
# What an assistant gives.
ANSWERS = (
    r"(?:answers?|replies|reply|responses?|messages?|explanations?|summaries|suggestions?"
    r"|recommendations?|code|examples?)"
)
# How long an order holds.
FROM_NOW = (
    r"(?:from\ (?:now|here|today|tomorrow|this\ (?:point|moment|day))(?:\ (?:on(?:wards?)?|onwards?"
    r"|out|forwards?))|starting\ (?:now|today)|"
    r"(?:going|moving)\ forward|henceforth|for\ future\ reference|for\ the\ (?:rest"
    r"|remainder)\ of\ (?:this|our|the)\ \w+|"
    rf"(?:in|for|with|throughout)\ (?:the\ future|(?:all\ |any\ |every\ "
    rf"|each\ )?(?:of\ )?(?:your|our|this|the|future|upcoming|subsequent)(?:\ future"
    rf"|\ next)?\ (?:{ANSWERS}|chats?|conversations?|discussions?))|"
    rf"(?:in|after|before|with|per)\ (?:every|each|all|any)\ (?:single\ |of\ your\ )?{ANSWERS}|as\ a\ (?:general\ "
    rf"|standing\ |strict\ )?rule|in\ future)"
)
# The same with a day, week or month that comes: "from next week on".
FROM_THEN = (
    rf"(?:{FROM_NOW}|from\ (?:next\ \w+|(?:the\ )?(?:first|second|third|last|beginning|start|end|\d+(?:st|nd|rd|th)?)"
    rf"(?:\ (?:day\ )?of)?\ (?:{MONTH}|next\ \w+|the\ (?:week|month|year))|{WEEKDAY}"
    rf"|{MONTH})(?:\ morning)?\ on(?:wards?)?"
    # "Call me from Monday on the other number" is of a number.
    r"(?!\ (?:the|my|our|your|an?|\w+day|\d+)\b))"
)
# What is told to the user, or to somebody in their place.
TO_ME = (
    r"(?:(?:page|text|ping|phone|ring|call|alert|notify|message|contact|reach|e?-?mail)\ (?:(?:me|us)\b"
    r"|(?-i:[A-Z])\w+,?\ (?:and\ not|instead\ of|not)\ (?:me|us)\b)"
    r"|(?:write|reply|report|talk|speak)\ to\ (?:me|us)\b)"
)
# The kind of cases that an order is for, in front of it: "for all incidents: …", "for every deploy, …".
SCOPE = (
    r"(?:(?:for|on|with)\ (?:all|every|each|any)\ (?:of\ )?(?:(?:my|our|your|the)\ )?(?!(?:trouble|help|due|I|we|of)\b)"
    r"[^,:;.?!]{2,50}[,:]\s+)"
)
# Courtesies before an order, and what announces it.
COURTESY = (
    r"(?:(?:please|kindly|ps|p\.s\.|btw|by\ the\ way|now|pls|plz|bro|dude|thanks|alright|also|and|so|but|then|just"
    r"|oh|ah|hm+|lol|ok(?:ay)?|hey|again|actually|well|sorry|in\ general"
    r"|one\ (?:more\ )?thing|(?:an?\ )?(?:quick\ |standing\ )?(?:note|reminder|rule"
    r"|instruction|request)|important)[,:!.]{0,2}\s+)*"
)
HEAD = rf"\(?{COURTESY}(?:{SCOPE}{COURTESY})?"
# What an order is about, before it: "for spanish: no grammar tables pls", "code style thing: …".
LABEL = (
    r"(?:(?:for\ (?:code|answers|replies|explanations|"
    rf"{ENGLISH_NAMES.lower()})|(?:code\ style|style|format(?:ting)?|tone|language)(?:\ thing)?):\s+)"
)
# Of what an answer is made: what stands with none of these is no way of answering.
FORM = (
    r"(?:bullets?|bullet\ points?|lists?|tables?|paragraphs?|sentences?|lines|words|prose|markdown|bold|italics|caps"
    r"|headings?|headers|emojis?|emoticons|smileys|exclamation\ marks|(?:em[ -])?dash(?:es)?|semicolons|metric|imperial"
    r"|celsius|fahrenheit|kelvin|units?|met(?:er|re)s|kilomet(?:er|re)s|km|miles|kg|kilos?|grams|pounds|ounces|euros?"
    rf"|dollars?|francs|yen|24\ ?-?h(?:ours?)?|utc|dates|times|prices|{ENGLISH_NAMES.lower()}|spelling|jargon|slang"
    r"|buzzwords"
    r"|acronyms|abbreviations|jokes?|puns|humou?r|sarcasm|small\ talk|chit-?chat|filler|fluff|preambles?|intros?"
    r"|introductions?|summar(?:y|ies)|recaps?|tl;?dr|disclaimers?|warnings|caveats|apolog(?:y|ies)|compliments|praise"
    r"|flattery|sources|citations|footnotes|analogies|metaphors|spoilers?|answers?|replies|responses"
    r"|explanations|translations|tone|formal(?:\ form)?|informal|casual|comments|snippets|type\ hints|syntax|quotes"
    r"|recipes"
    r"|shorter|brief|concise|blunt|lectures?|lecturing|moralizing|pep\ talks?|follow-?up\ questions)"
)
# Things that an assistant puts into all answers or none; a wish for them seldom concerns one answer.
MARKS = (
    r"(?:emojis?|emoticons|smileys|exclamation\ marks|(?:em[ -])?dashes|bullets|bullet\ points|tables|lists|headings"
    r"|headers|disclaimers|preambles?|caveats|flattery|compliments|filler|fluff|small\ talk|chit-?chat|jargon|slang"
    r"|buzzwords|acronyms|abbreviations|jokes|puns|sarcasm|metaphors|analogies|apologies|lectures|lecturing|moralizing"
    r"|pep\ talks|follow-?up\ questions|congratulations|congrats|pleasantries|platitudes|praise|cheerleading|hype"
    r"|sugar-?coating)"
)
# What may stand behind them: "stop with the congratulations things and get to the point".
MARKS_END = (
    rf"(?:\ (?:things?|stuff))?(?:,?\ (?:{PLEASE}|thanks|thank\ you|ok(?:ay)?|from\ now\ on))?"
    r"(?:\W*$|,?\ (?:and|just)\ (?:just\ )?(?:answer|get\ to\ the\ point|tell\ me|talk|be|give\ me|say|keep)\b)"
)
# The case that an order is for.
ASKED_ABOUT = (
    compiled(
        rf"""\b{WHEN}\s+(?:I'?m?|we'?re?|you(?:'re)?)\s+(?:\w+ly\s+)?(?:am\s+|are\s+)?
          (?:{ASK}|answer(?:ing)?|explain(?:ing)?|recommend(?:ing)?|suggest(?:ing)?|writ(?:e|ing)
            |giv(?:e|ing)|provid(?:e|ing)|respond(?:ing)?)
          (?:\s+(?:to|me|you|with))*(?:\s+(?:any\s+|a\s+)?questions?)?(?:\s+(?:about|for|on
            |regarding|to|how\ to|of|with))?\s+(?!(?:always|never|{PLEASE})\b)([^,.;!?]{{2,120}}?)
          (?=[,.;!?]|\s*$|\s+(?:(?:always|never|{PLEASE})\b|(?:{NOT}\ )?{FOR_ME}))"""
    ),
    compiled(
        r"\bwhen\ it\ comes\ to\s+([^,.;!?]{2,80})|\bwhen\s+(?!I\b|you\b"
        r"|we\b)([a-z]+ing\b[^,.;!?]{0,80})"
    ),
    compiled(
        rf"""(?<!now\ )\b(?:for|in|on|with|to)\s+(?:all\ |any\ |every\ |each\ )?(?:of\ )?(?:my\ |your\ 
          |our\ )?((?!(?:future|every|your|all|any|each|this|our|the|me)\b)(?:[\w-]+\ ){{1,4}}?)
          (?:questions?|requests?|topics?|queries|problems|tasks|{ANSWERS})\b"""
    ),
)
# Makes a rule for orders: it keeps the whole sentence, and the case that the order is for.
order = partial(Rule, "instruction", about=ASKED_ABOUT, whole=True, listed=False)
# A request for help now, however general its wording.
HELP = (
    r"\bI\ need\ (?:some\ )?help\b|\b(?:can|could)\ (?:you"
    r"|someone)\ (?:please\ )?(?:also\ )?(?:help|provide|explain|show|verify|walk)\b"
    r"(?!.*\b(?:whenever|every\ time|each\ time|from\ now))"
)
HOW_CAN_I = r"\b(?:how|what)\ (?:can|should|do|could|would)\ (?:I|we)\b"
# Words that limit a wish to the thing at hand.
HERE = (
    r"\b(?:(?<!from\ )(?:here|now)|this|that(?!\ (?:you|contain|have|involve|include)\b)|these|those|today|for\ once"
    r"|(?:in|for|of)\ (?:the|my|our|an?)\ (?:[\w-]+\ )?(?:draft|e?-?mail|letter|essay|text|table|report|post|story"
    r"|function|code))\b"
)
# A letter to somebody else, which tells them what holds from now on.
COMPOSED = (
    rf"^{HEAD}(?:(?:can|could)\ you\ )?(?:write|draft|compose|translate|rewrite|add|send)\ (?:me\ )?(?:an?|this|the"
    rf"|my|our)\ "
    r"[^,;:]*\b(?:that|telling|saying|about|asking|informing|announcing)\b"
)
# Things that can be read. The user may write them too: "for my book, always …" says what an order is for.
_READ = r"(?:quote|book|article|docs?)"
_WRITTEN = rf"(?:\bfor|^{HEAD}(?:in|on|throughout))\ (?:my|our|the|all|every|each|any)\ (?:[\w'-]+\ ){{0,3}}?{_READ}\b"
# What somebody else says: "my coach said to always warm up".
TOLD = (
    r"\b(?:said|says|saying|told|tells|taught|insists?|advice|advises?|suggests?|mantra|motto|reminds?)\b"
    rf".{{0,30}}\b(?:always|never)\b|^(?>{_WRITTEN}|.)*?\b{_READ}\b.{{0,30}}\b(?:always|never)\b"
)
# Who says it, behind it: "stop complimenting me, I told him", "no entry without my permission, the sign said".
REPORTED = (
    r",\s+(?:[\w'-]+\s){1,3}(?:said|says|told|texted|wrote|writes|yelled|shouted|read|reads)(?:\s+(?:him|her|them|us"
    r"|me|everyone|(?:the|my|our)\s+\w+))?\W*$|,\s+(?:said|says|told)\b"
)
# Encouragement and farewells look like orders: they were all 13 "instructions" of five conversations between people.
# They concern the other's own life ("your dreams", "yourself") or offer support. "Tell me, what are your plans?" only
# asks.
_CHEERED = (
    r"(?:(?:on\ )?(?:hope|faith|heart|yourself|yourselves|life|love|(?:on\ )?what\ you\ love|who\ you\ are"
    r"|(?:your|those|these|our)\ (?:own\ )?(?:\w+\ )?(?:dreams?|goals?|passions?|hopes?|heart|health|family|friends"
    r"|potential|strength|worth|path|roots|loved\ ones|mental\ health))\b)"
)
_CHEER_ENDS = r"(?=\W*$|[,!]|\ [–—-]|\ (?:and|because|no\ matter|my\ friend|you\ know|okay)\b)"
CHEERS = compiled(
    rf"""(?:^|[,;!.–—-]\s+|\ and\ )(?:(?:and|but|so|just|please|also|oh|hey|well|remember|forget|that|to|don't
        |dont|do\ not|never|always|ever|you)[,\s]+)*+(?:
      (?:(?:I|we)(?:'m|'re|'ll\ be|\ am|\ are|\ will\ be)\ )?(?:always\ |right\ |still\ )*here
        \ (?:for\ (?:you|each\ other)\b
        |to\ (?:help|listen|support|cheer|talk|chat)(?=\W*$|\ (?:you|out|each|if|when|with\ anything|any)\b))
      |(?:give\ up|quit|quitting|stop\ (?:dreaming|believing|smiling|growing|shining|trying
          |being\ (?:you|yourself)))
        (?:{_CHEER_ENDS}|\ (?:on\ |in\ )?{_CHEERED})
      |(?:lose|believe\ in|follow|trust|chase|cherish|be\ true\ to|love|forget|take\ care\ of
        |listen\ to)\ {_CHEERED}
      |keep\ (?:going|smiling|shining|dreaming|pushing|it\ up|at\ it|fighting){_CHEER_ENDS}
      |(?:be|stay)\ (?:yourself|strong|safe|positive|hopeful|kind\ to\ yourself){_CHEER_ENDS}
      |(?:be|feel)\ (?:too\ )?(?:scared|afraid|shy|ashamed|discouraged|hard\ on\ yourself)\b
        (?!\ (?:of|to)\ (?:{VERB}|admit
        |push\ back|disagree|critici[sz]e|challenge|contradict|question)\b(?!\ for\ help))(?:\ (?:of|to)\b[^,;.!]*)?
      |take\ (?:(?:care|it\ easy){_CHEER_ENDS}|time\ for\ yourself|me-?time\b
        |(?:regular\ |some\ )?breaks\b(?!\ into)(?:\ (?:when|if)\b[^,;.!]*)?)
      |pause(?:,?\ and|,)\ (?:reflect|breathe|rest|relax)\b|enjoy\ (?:the|your|every)\ (?:ride|journey|moment|process)\b
      |you(?:'ve|\ have)\ got\ this\b|you(?:'re|\ are)\ (?:not|never)\ alone\b)
    |^(?:(?:and|but|so|just|also|well|please)[,\s]+)*+(?:always\ remember|remember
      |(?:don't|never)\ forget|keep\ in\ mind)[,\s]+
      (?:that\ )?(?:(?:just\ )?do\ it\W*$|(?:even\ )?(?:(?:every|each|the)\ )?(?:(?:little|small|tiny)\ )?
        (?:steps?|bits?|wins?|efforts?|progress|moments?|days?|clouds?|setbacks?|failures?|experts?|things?)
        \ (?:counts?|matters?|helps?|adds?|is|are|was|were|has|have|brings?|leads?|takes?|makes?|can)\b
      |you\ (?:can|will)\ (?:do\ (?:it|this|anything)|get\ through(?:\ (?:it|this))?){_CHEER_ENDS}
      |you(?:'re|\ are)\ (?:so\ )?(?:loved|amazing|awesome|enough|strong|capable|worth|doing\ (?:great|well|your))\b
      |(?:it's|it\ is)\ (?:never\ too\ late|the\ (?:journey|little\ things)
        |(?:okay|ok|all\ right)
          (?:{_CHEER_ENDS}|\ (?:not\ )?to\ (?:feel|cry|rest|fail|grieve|struggle|take|make|be)\b))\b)
    |^(?:so|and|but|now)?\W*(?:tell|show)\ (?:me|us),\ (?:what|how|which|who|where|why|are|is|do|did|have|would)\b.*"""
)
