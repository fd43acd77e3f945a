"""Standing orders that are told: do this always, never, from now on, whenever I ask. A table.

They are found by their form (who is told to do what, for how long), never by one word: "always" and "every time"
stand mostly in sentences that order nothing. Knows no wishes, and nothing of what takes an order back (`wishes.py`).
"""

from __future__ import annotations

from memfold.extract.engines.rules.en.wording import (
    ANSWERS,
    ASK,
    COMPOSED,
    FOR_ME,
    FORM,
    FROM_NOW,
    HEAD,
    HELP,
    HERE,
    HOW_CAN_I,
    LABEL,
    MARKS,
    MARKS_END,
    NOT,
    PLEASE,
    REPORTED,
    TOLD,
    VERB,
    WHEN,
    order,
)
from memfold.extract.engines.rules.rule import Rule, at_words, compiled
from memfold.text.calendar import WEEKDAY
from memfold.text.terms import lexicon
from memfold.text.tongues import ENGLISH_NAMES
from memfold.text.values import LANGUAGE

# Not an order although it begins with always or never: elliptic stories, exclamations, sayings.
_IDLE = (
    r"(?:mind|again|heard|seen|been|had|thought|knew|known|wanted|tried|a|an|the|is|was"
    r"|has|were|are|in|on|at|one|really|"
    r"quite|so|too|good|great|nice|happy|fun|up|there|felt|did|made|got|went|gonna|any"
    r"|before|once|will|would|could|"
    r"underestimate|say\ never|better|more|less|as|my|this|that|it|knowing|love|hate|like"
    r"|fails?|works?|gets?|makes?)\b"
    # A title and an idiom: "never let me go is on my list".
    r"|let\ (?:me|you|us|him|her|it|them)\ go\b(?=\W*$|[.,;!?]|\ (?:is|was|has|had|made|by|btw|lol|finished)\b)"
    r"|\w{3,}(?<!\bne)(?<!\bembe)(?<!\bproce)(?<!\bexce)(?<!\bfe)ed\b|\w{3,}(?<!\bbr)ing\b"
    # The past tense tells what happened: "never ran more than 10k".
    r"|(?:ran|ate|drove|spoke|spent|took|came|gave|said|told|bought|sold|lost|won|met|saw|slept|wrote|swam"
    r"|broke|paid|kept"
    r"|held|stood|understood|learnt|grew|drank|wore|flew|chose|began|forgot|caught|taught|fell|rode|woke"
    r"|sat|built|brought"
    r"|became)\b"
    # Adverbs, but not the verbs that end like them.
    r"|(?!(?:re|ap|com|sup|im|multi)ply\b|rely\b)\w+ly\b"
)
_DIRECTIVE = compiled(
    rf"""(?:^|[,;:–—-]\s*|\b(?:rule|conversation|chat|session|henceforth|on|out|forward|(?<!for\ )future
      |{ANSWERS})\s+){HEAD}(?:I(?:'d|\ would)\ (?:like|love|appreciate
      |prefer)\ (?:it\ if\ )?(?:you|all|every|your)\b
      |I\ (?:want|need|expect|ask)\ (?:you|all|every|your)\b|you\ (?:should|must|need\ to|have\ to
        |can|will|are\ to)\b|(?:can|could|would|will)\ you,?\ {FROM_NOW}|let's\ (?:keep|use|stick
          |avoid|only|not)\b
          |(?:{NOT}\s+)?{VERB}\b(?!\s*(?:is|was|are|'s)\b)
        |{NOT}\ (?!{_IDLE})\w)
      |\bplease\b(?!\s+(?:help|advise|assist|let\s+me|review|check))"""
)
# When an order holds: a trigger in the talk itself ("when I ask", "before you answer"), not in the user's world.
_MAKE = (
    r"(?:answer|reply|respond|make|say|do|post|give|write|send|recommend|suggest|explain|quote|cite"
    r"|summari[sz]e|show|draft|list|use|provide"
    r"|create|generate|propose|offer|mention|rewrite|edit|translate|describe|tell|help|review|present)"
)
_TRIGGER = at_words(
    rf"""(?:whenever|every\ (?:single\ )?time|each\ (?:and\ every\ )?time|any\ ?time
      |next\ time\ and)\b(?!\ (?:needed|possible|necessary|required|appropriate|applicable)|\ *[^\sA-Za-z])
      |(?:if|should)\ (?:I|we)\ ever\b|(?:when|if|before|after|once|should|as\ soon\ as)\ (?:I
        |we)(?:'m|'re|\ am|\ are)?\ (?:\w+ly\ )?{ASK}\b
      |(?:when|if|before|after|once|should|as\ soon\ as)\ you(?:'re|\ are)?\ (?:\w+ly\ )?{_MAKE}(?:ing)?\b
      |if\ you(?:'re|\ are)\ (?:ever\ )?(?:not\ sure|unsure|uncertain|in\ doubt)\b
        |when(?:ever)?\ in\ doubt\b
      |(?:when|before|after|while)\ (?:(?:giving|showing|sending|telling|teaching|helping)\ me
        |discussing|talking|answering|replying|responding|citing
        |explaining|recommending|we\ (?:discuss|talk|speak))\b
      |(?:everything|anything|whatever|all|every\ \w+|each\ \w+|any\ \w+)\ (?:that\ 
        |which\ )?(?:you\ {_MAKE}|I\ {ASK})\b
      |(?:each|every)\ \w+\ (?:that\ )?we\ (?:talk|speak|chat)\b
      |unless\ I\ (?:say|tell|ask|specify|request|explicitly)\b|(?:for|in|with|to|on)\ (?:all\ 
        |any\ |every\ |each\ )?(?:my\ |your\ )?
       (?:questions?|requests?|answers?|anything|topics?|replies|responses?)\ (?:about|on|regarding
         |concerning|involving|related\ to)\b""",
    first="abefinostuw",
)
# What the user asks about, up to an order without a comma before it: one word, two that are joined, or up to three
# behind a determiner. More may begin a sentence about somebody else: "when I ask about trains staff always …",
# "whenever I mention money my …". Before what an assistant does for the user there may be four.
_DETERMINER = r"(?:an?|the|my|our|your|his|her|their|its|some|any|every|each|this|that|these|those|all)"
_SOMEBODY = (
    r"(?:I|we|you|he|she|it|they|him|me|us|them|who|(?:some|any|every|no)(?:one|body)|people|friends|folks)"
)
_WORD = rf"(?!(?:{_DETERMINER}|{_SOMEBODY}|to|that|when|if)\b)[\w'/-]+\ "
_ABOUT = r"(?:you\ )?(?:(?:about|up|of|in|for|with|on|at|from)\ )?"
_TOPIC = (
    rf"{_ABOUT}(?:{_DETERMINER}\ (?:{_WORD}){{1,3}}?(?:of\ {_DETERMINER}\ {_WORD})?"
    rf"|{_WORD}(?:(?:and|or)\ {_WORD})?)"
)
_LONGER = rf"{_ABOUT}(?:{_WORD}){{1,4}}?"
_ORDER = compiled(
    rf"""(?:^|[,;:–—]\s*){HEAD}(?:(?:{NOT}|only\ ever)\s+)?{VERB}\b(?!\s*(?:is|was|are|'s)\b)
      |\b{PLEASE}\s+(?:{NOT}\s+)?{VERB}\b
      |^(?=[^?]*$){HEAD}{WHEN}\ I\ (?:\w+ly\ )?{ASK}\ {_TOPIC}
        (?:(?:always|never|{PLEASE})\ (?:{VERB}|do)\b|(?:do\ not\ |don't\ |dont\ )?{FOR_ME})
      |^(?=[^?]*$){HEAD}(?:(?:when|if)\ I\ (?:\w+ly\ )?{ASK}\ {_LONGER}(?=(?:remind|warn|explain)\b)
        |if\ I\ (?:\w+ly\ )?ask\ {_LONGER}(?=tell\b)
        |(?:whenever|(?:every|each|any)\ ?time)\ I\ (?:\w+ly\ )?(?!need\b|want\b){ASK}\ {_LONGER}){FOR_ME}
      |\b(?:when(?:ever)?|if|every\ time)\ you\ {_MAKE}\ (?:me\ )?(?:[\w-]+\ ){{1,3}}?(?:always|never)\s+{VERB}\b
      |\bif\ I\ ever\ (?:ask|talk|mention)\b[^,?]{{2,40}}?\ (?:remind|warn|stop)\ me\b(?!\ of\b)
      |\bI(?:'d|\ would)?\ (?:want|need|expect|like|love|appreciate|prefer|ask)\ (?:it\ if\ )?you\b
        |\byou\ (?:should|must|need\ to|have\ to|are\ to)\b"""
)
# A rule of the user's world, that their app or their kitchen follows. "When the user asks" tells the assistant.
_WORLD = (
    rf"^{HEAD}(?:(?:when(?:ever)?|if|once|as\ soon\ as|every\ time)\ (?:the|an?)\ (?:\w+\ )?(?:user|visitor|customer"
    r"|caller|guest|player|enemy|phone|doorbell|bell|alarm|timer|oven|server|button|page|app|form|sensor)\b"
    r"(?!\ (?:ask|mention|want|say|send|type|write|request|is|has|need|speak)s?\b)"
    r"|(?:on|in|at)\ (?:my|our|the)\ (?:\w+\ )?(?:site|website|shop|store|recipe|game|kitchen|restaurant|office"
    r"|company)\b)[^,]*,"
)
# A title, of which something is said: "Always Be My Maybe was cute".
_TITLE = (
    r"^\W*(?-i:(?:Always|Never)(?:\ (?:[A-Z][a-z']+|a|the|of|in|and)){2,6}?)\ (?:is|was|has|had|made|got|came|comes"
    r"|broke|felt|by)\b"
)

RULES: tuple[Rule, ...] = (
    order(
        lexicon("always never"),
        compiled(
            rf"""^{HEAD}(?:I\ (?:said|repeat)[,:]\ )?(?:remember\ to\ |(?:be
              |make)\ sure\ (?:that\ you\ |you\ |to\ )|ensure\ (?:that\ )?you\ |try\ to\ )?(?:always
              |never(?:\ ever)?)\s+(?:please\s+)?(?!{_IDLE})[a-z]
              |(?:[,;:–—]|\ -)\s+(?:(?:and|so|but|please|therefore)\s+)*(?:always|never)\s+{VERB}\b
              |\b(?:so|{PLEASE}|kindly)\s+(?:always|never)\s+{VERB}\b
              |\byou\s+(?:should|must|need\ to|have\ to|are\ to|ought\ to)\s+(?:always|never)\b
                (?=\ {VERB}\b|[^?]*\b(?:I|me|my|we|us|our)\b)
              |\b(?:want|need|expect|ask|asked|instruct(?:ed)?|prefer|require|like|appreciate|love
                |told)\s+(?:it\ if\ |that\ )?you\s+(?:to\s+|would\s+
                |could\s+)?(?:please\s+)?(?:always|never)\b
              |\b(?:can|could|would|will)\s+you\s+(?:please\s+|also\s+)*(?:always|never|(?:make
                |be)\ sure\ (?:to|you|that\ you)\ (?:always|never))\b
              |\b(?:make|be)\s+sure\s+(?:that\s+you|you|to)\s+(?:always|never)\b
              |\b(?:(?:great|nice|good|helpful|lovely|better|best|cool)\ if\ you\ (?:(?:could|would
                |can)\ )?(?:please\ )?
                |would\ it\ be\ possible\ to\ )(?:always|never)\b
              |\bplease\s+(?:remember|try)\s+to\s+(?:always|never)\b|\b{PLEASE},\s+always\W*$
                |^{HEAD}{VERB}\b.*,\s*(?:always|never)\W*$
              |\bI\ never\ want\ (?:to\ (?:see|hear|read)|you\ to|any|your)\b.*\byou"""
        ),
        unless=compiled(
            rf"""{TOLD}|{_WORLD}|\b(?:I|we|they|he|she)(?:'d|'m|'re|'ve|\ am|\ are|\ have
              |\ would)?\s+(?:always\s+)?(?:need|want|try|trying|like|have|going|plan|planning|make
              |making|made|used|prefer)(?:\s+to)?(?:\s+(?:make|be))?\s+sure\s+to\b
              |^\W*(?:should|do|does|did|is|are|why|how|what)\b|{_TITLE}"""
        ),
    ),
    order(
        lexicon("otherwise notice"),
        compiled(r"\buntil\ (?:I\ (?:say|tell\ you|ask|decide)\ otherwise|further\ notice)\b"),
        needs=compiled(rf"\byou\b|{_DIRECTIVE.pattern}"),
        # A notice to everybody ("closed until further notice") is no order.
        unless=compiled(
            r"^(?:I|we|he|she|they|it|my|our|the)\b(?!.*\byou\b)|\?\W*$"
            r"|\b(?:is|are|was|were|be|been)\b[^.;]*\bfurther\ notice\b"
        ),
        listed=True,
    ),
    order(
        lexicon("favour favor"),
        compiled(r"\bdo\ me\ a\ (?:standing|permanent|lasting)\ favou?r\b"),
        unless=compiled(r"\?\W*$"),
        listed=True,
    ),
    order(
        lexicon("don't dont stop quit do not no"),
        compiled(
            rf"""^{HEAD}(?:(?:don't|do\ not|no\ need\ to)\s+(?:you\s+)?ever\s+[a-z]
              |(?:don't|dont|do\ not|stop)\s+(?:{VERB}|us|giv|call|add|say|writ|repeat|suggest
                |recommend|apologi[sz]|includ|ask)(?:ing)?\b.*\b(?:any\ ?more|again|ever|in\ (?:your
                |any|future|the\ (?:future|chat|conversation|{ANSWERS}))\b.*|unless\b.*|when(?:ever)?\ I\b.*)
              |(?:stop|quit)\s+(?!\w+ing\ (?:my\ (?!name|question)|him|her|them|his|their)\b)
                (?:using|giving|calling|adding|saying|writing|repeating|suggesting|hedging|lecturing
                |recommending|apologi[sz]ing|including|asking|telling|sending|starting|ending|answering|replying
                |responding|addressing|citing|greeting|converting|formatting|translating|mentioning
                |(?:congratulating|complimenting|praising|flattering|thanking|patroni[sz]ing)\ me
                |(?:talking|speaking)\ (?:to\ me|like|in))\b
              |no\s+(?:more\s+)?(?:[a-z-]+\s+){{1,3}}?(?:in\ (?:your|any
                |the)\ (?:{ANSWERS})|{PLEASE}|from\ now\ on|anymore))
              |^{LABEL}no\s+(?:more\s+)?(?:[a-z-]+\s+){{0,2}}?{FORM}\s+(?:{PLEASE}|from\ now\ on)\b
              |^{HEAD}(?:(?:can|could|would|will)\ you\ (?:please\ |just\ )?)?stop\ (?:it\ )?(?:with|w/)
                \ (?:the|all\ the|those|your)\ {MARKS}{MARKS_END}"""
        ),
        unless=compiled(rf"{TOLD}|{REPORTED}"),
    ),
    order(
        lexicon(
            "point moment day now forward forwards henceforth future starting rest remainder rule every "
            "each all throughout onward onwards out "
            "answers responses replies messages here reference any your"
        ),
        compiled(rf"\b{FROM_NOW}\b"),
        needs=_DIRECTIVE,
        unless=compiled(
            rf"""{HELP}|{COMPOSED}|\b{FROM_NOW}\b,?\s+(?:I|we|he|she|they|it|my|our|the)\b(?!\s+(?:want|need|expect
              |prefer)\ you|'d\ like\ (?:you|all|your)|\ would\ like\ (?:you|all|your)|\ (?:want
              |need|expect)\ (?:all|every|your))
              |^(?:I|we|he|she|they|it|my|our)(?:'ll|'m|'re|'ve|\ will|\ am|\ are|\ have|\ plan
                |\ decided|\ think)\b(?!.*\byou\s+to\b)|\b(?:going|moving)\ forward\ with\b
                |^\W*(?:how|what|should|can\ I|can\ we|why|is|are|do|does|which)\b|{HOW_CAN_I}"""
        ),
        listed=True,
    ),
    order(
        lexicon("when whenever if time anytime everytime once"),
        compiled(
            rf"""^{HEAD}(?:(?:{NOT}\s+)?{VERB}\b[^?]*\b{WHEN}\s+(?:I|we)(?:'m|'re|\ am
              |\ are)?\s+(?:\w+ly\s+)?{ASK}\b
              |{WHEN}\s+(?:I|we)(?:'m|'re|\ am|\ are)?\s+(?:\w+ly\s+)?{ASK}\b[^?]*?(?:,
                |\bthen\b|\b{PLEASE}\b)\s*{HEAD}(?:you\ (?:should|must|need\ to|have\ to|can)\ 
                |I(?:'d|\ would)?\ (?:like|want|expect|need)\ (?:you\ to|to\ see|a|an|the|all|every
                |your)\ |(?:be|make)\ sure\ (?:to|you)\ |{NOT}\ )*(?:{VERB}|be|do)\b
              |(?:whenever|every\ ?time|each\ time|any\ ?time)\s+(?:I
                |we)\b[^?,]*,\s*{HEAD}(?:you\ (?:should|must|need\ to|have\ to)\ |I(?:'d
                |\ would)?\ (?:like|want|expect|need)\ you\ to\ |{NOT}\ )?{VERB}\b)
              |\b(?:you\ (?:should|must|need\ to|have\ to)|I(?:'d|\ would)?\ (?:like|want|expect
                |need)\ you\ to)\b[^?]*\b(?:whenever|every\ ?time|each\ time|any\ ?time
                |when\ I\ (?:ask|mention))\b"""
        ),
    ),
    order(
        lexicon("remember mind forget note record reference"),
        compiled(
            rf"""^{HEAD}(?:remember|keep\ in\ mind|bear\ in\ mind|don't\ forget|do\ not\ forget
              |for\ the\ record|take\ note|note)(?:\s+that\b|[,:]|(?=\s+(?:I'm|I\ am|my|we're
              |to)\b))\s*\w
              |^{HEAD}for\ future\ reference[,:]?\s+(?:(?:I'm|my)\b|I\ (?:(?:only|always|never|really|also)\ )?
                (?:prefer|like|love|hate|dislike|use|live|work|have|am|can't|don't\ (?:like|want|eat|drink|use|have))\b)
              |\b(?:I\ (?:want|need)|I'd\ like)\ you\ to\ remember\b|\b(?:can|could|will
                |would)\ you\ (?:please\ )?remember\ (?:that|to|my)\b"""
        ),
        unless=compiled(
            # "Don't forget to add the header" is for once.
            rf"^{HEAD}(?:don't|do\ not)\ forget\ to\b(?!.*\b(?:always|never|every|each|when(?:ever)?|if|anything)\b)"
            rf"|^(?:remember|note|don't\ forget)\s+(?:that\s+)?(?:time|day|when|how|what)\b"
            rf"|\byour\ (?!{ANSWERS}|next|last)"
            # "Note: Jun can't do Thursdays" tells of somebody else.
            rf"|^{HEAD}note\ to\ (?:self|myself)\b|^{HEAD}note[,:]\s+(?!{VERB}\b|no\b|only\b)"
            r"(?!.*\b(?:I|I'm|we|we're|my|our|me|you|your|always|never|please|don't|must|should|shall|needs?|required|only"
            r"|stay|forbidden|allowed|answers?|repl(?:y|ies))\b)"
        ),
    ),
    order(
        lexicon("your call address refer reply answer respond speak write talk keep default blunt"),
        compiled(
            rf"""\b(?:all|any|every|each
              |both)?\s*(?:of\s+)?your\s+(?:[a-z]+\s+)?{ANSWERS}\s+(?:should|must|need\ to|have\ to
              |ought\ to|shouldn't|mustn't)\b
              |^{HEAD}(?:(?:{NOT}\s+)?(?:call|address|refer\ to)\s+me\s+(?:as\s+|by\s+)?(?!(?:asap|{WEEKDAY}
                |every|each|before|when|if|at|back|on|after
                |later|tomorrow|tonight|today|soon|as|an?|crazy|old|lazy|stupid|names|maybe|please|out|in)\b)[A-Za-z]
              |(?:reply|answer|respond|speak|write|talk)(?:\ (?:to\ )?me)?(?:\ (?:only
                |always|just))*\ (?:only\ )?in\ (?:[a-z]+\ )?
                (?:{ENGLISH_NAMES}|bullet|short|plain|simple|one|two|full|first|third|spelling)\b
              |(?:talk|speak|write)\ to\ me\ (?:like|as)\b|set\ my\ default\b
              |I(?:'d\ like|\ would\ like|\ want|\ need|\ prefer)\ (?:you\ to\ (?:call|address|refer\ to)\ me
                \ (?:as\ |by\ )?(?!(?:when|if|at|back|on|after|before|later|tomorrow|in)\b)[A-Za-z]
                |(?:all\ )?your\ (?:answers|replies|responses|explanations)\ to\ (?:be|have|use|include|end|start)\b)
              |you\ (?:can|may)\ (?:answer|reply|respond|talk|speak)\ (?:to\ me\ )?in\ (?:{LANGUAGE})
                \ (?:now|again|from\ now\ on)(?:,?\ (?:fully|completely|please|too))*[\s.!]*$
              |you\ (?:may|can)\ (?:always\ )?be\ (?:blunt|direct|honest|informal|casual|rude)\b
              |(?:let's\ )?keep\s+(?:all\s+)?(?:of\s+)?your\s+(?:[a-z]+\s+)?{ANSWERS}\b
              |(?:let's\ )?keep\ (?:(?:all|every|each)\ )?(?:answers?|repl(?:y|ies)|responses?)
                \ (?:under|below|within|short|brief|concise|to\ (?:one|two|three|an?|\d+)\b|in\ (?:{LANGUAGE}))
                (?!.*{HERE}))
              |\b(?:but|so)\ (?:(?:please|just)\ )?call\ me\ (?!(?:asap|{WEEKDAY})\b)(?-i:[A-Z])"""
        ),
    ),
    order(
        lexicon(
            "whenever every each time anytime if should when before after once "
            "everything anything whatever unless for in"
        ),
        _TRIGGER,
        needs=_ORDER,
        unless=compiled(
            rf"""{TOLD}|{HELP}|^\W*(?:how|what|why|which|who|where|do|does|did|is|are|can\ I
              |should\ I\ (?!mention|ask|say|ever)|help)\b
              |{HOW_CAN_I}|\bplease\ (?:help|review
                |check|explain|let)\b"""
        ),
    ),
    order(
        lexicon(
            "important essential crucial vital agree insist require habit point rule wish request ever need are you're"
        ),
        compiled(
            rf"""\b(?:important|essential|crucial|vital|agree|insist|require
              |understood)\ (?:to\ me\ )?that\ you\ (?:will\ |must\ )?(?:always|never)\b
              |^{HEAD}(?:(?:please\ )?make\ it\ a\ (?:habit|point|rule)\ to\b
                |(?:(?:my|one|ground|house|new|first)\ (?:\w+\ )?rule
                |(?:standing|general)\ (?:rule|wish|request))(?:\ for\ (?:you|us|this\ \w+))?(?:\ is)?:
                |(?:let's|can\ we)\ agree\ (?:that\ )?you(?='ll\b|\ will\b|\ won't\b|\b.*\b(?:always|never)\b)
                |only\ ever\ {VERB}\b|you(?:\ are|'re)\ to\s+[a-z]
                |if\ you\ ever\ [^,?]*,\s*(?:{NOT}\s+)?{VERB}\b
                |no\ need\ to\ .*\b(?:each|every)\ (?:time|message|reply|answer)\b)"""
        ),
        unless=compiled(TOLD),
    ),
)
