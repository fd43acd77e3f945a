"""What English sentences give as notes. A table; `rule.py` says how it is read.

Standing orders are found by their form (who is told to do what, for how long), never by one word: "always" and
"every time" stand mostly in sentences that order nothing.
"""

from __future__ import annotations

import re

from memfold.extract.engines.rules.rule import Rule, at_words, compiled
from memfold.text.calendar import WEEKDAYS
from memfold.text.cued import cued
from memfold.text.terms import lexicon
from memfold.text.tongues import ENGLISH_NAMES
from memfold.text.values import LANGUAGE
from memfold.text.withdrawn import FREES

# Verbs a user gives orders with. Open-class words follow "always" and "never" too; this list is for the forms
# whose opening alone would not tell an order from a story.
_VERB = (
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
_NOT = r"(?:don't|do\ not|never|always|only)"
_ASK = (
    r"(?:ask(?:ing)?|mention(?:ing)?|say|request(?:ing)?|bring(?:ing)?\ up|talk(?:ing)?"
    r"|discuss(?:ing)?|send|share|paste|"
    r"post|inquire|enquire|query|want\ to\ know|need|refer|type|write|give\ you|show\ you"
    r"|present|upload|submit)"
)
_WHEN = r"(?:when(?:ever)?|if|every\ ?time|each\ time|any\ ?time|in\ case|as\ soon\ as|once)"
_ANSWERS = (
    r"(?:answers?|replies|reply|responses?|messages?|explanations?|summaries|suggestions?"
    r"|recommendations?|code|examples?)"
)
_FROM_NOW = (
    r"(?:from\ (?:now|here|today|tomorrow|this\ (?:point|moment|day))(?:\ (?:on(?:wards?)?|onwards?"
    r"|out|forwards?))|starting\ (?:now|today)|"
    r"(?:going|moving)\ forward|henceforth|for\ future\ reference|for\ the\ (?:rest"
    r"|remainder)\ of\ (?:this|our|the)\ \w+|"
    rf"(?:in|for|with|throughout)\ (?:the\ future|(?:all\ |any\ |every\ "
    rf"|each\ )?(?:of\ )?(?:your|our|this|the|future|upcoming|subsequent)(?:\ future"
    rf"|\ next)?\ (?:{_ANSWERS}|chats?|conversations?|discussions?))|"
    rf"(?:in|after|before|with|per)\ (?:every|each|all|any)\ (?:single\ |of\ your\ )?{_ANSWERS}|as\ a\ (?:general\ "
    rf"|standing\ |strict\ )?rule|in\ future)"
)
_HEAD = (
    r"\(?(?:(?:please|kindly|ps|p\.s\.|btw|by\ the\ way|now|pls|bro|dude|thanks|alright|also|and|so|but|then|just|oh"
    r"|ok(?:ay)?|hey|again|actually|well|sorry"
    r"|one\ (?:more\ )?thing|(?:an?\ )?(?:quick\ |standing\ )?(?:note|reminder|rule"
    r"|instruction|request)|important)[,:!.]{0,2}\s+)*"
)
# What an order is about, before it: "for spanish: no grammar tables pls", "code style thing: …".
_LABEL = (
    r"(?:(?:for\ (?:code|answers|replies|explanations|"
    rf"{ENGLISH_NAMES.lower()})|(?:code\ style|style|format(?:ting)?|tone|language)(?:\ thing)?):\s+)"
)
# Not an order although it begins with always or never: elliptic stories, exclamations, sayings.
_IDLE = (
    r"(?:mind|again|heard|seen|been|had|thought|knew|known|wanted|tried|a|an|the|is|was"
    r"|has|were|are|in|on|at|one|really|"
    r"quite|so|too|good|great|nice|happy|fun|up|there|felt|did|made|got|went|gonna|any"
    r"|before|once|will|would|could|"
    r"underestimate|say\ never|better|more|less|as|my|this|that|it|knowing|love|hate|like"
    r"|fails?|works?|gets?|makes?)\b"
    r"|\w{3,}(?<!\bne)(?<!\bembe)(?<!\bproce)(?<!\bexce)(?<!\bfe)ed\b|\w{3,}(?<!\bbr)ing\b"
    # The past tense tells what happened: "never ran more than 10k".
    r"|(?:ran|ate|drove|spoke|spent|took|came|gave|said|told|bought|sold|lost|won|met|saw|slept|wrote|swam|broke|paid|kept"
    r"|held|stood|understood|learnt|grew|drank|wore|flew|chose|began|forgot|caught|taught|fell|rode|woke|sat|built|brought"
    r"|became)\b"
    # Adverbs, but not the verbs that end like them.
    r"|(?!(?:re|ap|com|sup|im|multi)ply\b|rely\b)\w+ly\b"
)
_DIRECTIVE = compiled(
    rf"""(?:^|[,;:–—-]\s*|\b(?:rule|conversation|chat|session|henceforth|on|out|forward|(?<!for\ )future
      |{_ANSWERS})\s+){_HEAD}(?:I(?:'d|\ would)\ (?:like|love|appreciate
      |prefer)\ (?:it\ if\ )?(?:you|all|every|your)\b
      |I\ (?:want|need|expect|ask)\ (?:you|all|every|your)\b|you\ (?:should|must|need\ to|have\ to
        |can|will|are\ to)\b|(?:can|could|would|will)\ you,?\ {_FROM_NOW}|let's\ (?:keep|use|stick
          |avoid|only|not)\b
          |(?:{_NOT}\s+)?{_VERB}\b(?!\s*(?:is|was|are|'s)\b)
        |{_NOT}\ (?!{_IDLE})\w)
      |\bplease\b(?!\s+(?:help|advise|assist|let\s+me|review|check))"""
)
# A request for help now, however general its wording.
_HELP = (
    r"\bI\ need\ (?:some\ )?help\b|\b(?:can|could)\ (?:you"
    r"|someone)\ (?:please\ )?(?:also\ )?(?:help|provide|explain|show|verify|walk)\b"
    r"(?!.*\b(?:whenever|every\ time|each\ time|from\ now))"
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
        |we)(?:'m|'re|\ am|\ are)?\ (?:\w+ly\ )?{_ASK}\b
      |(?:when|if|before|after|once|should|as\ soon\ as)\ you(?:'re|\ are)?\ (?:\w+ly\ )?{_MAKE}(?:ing)?\b
      |if\ you(?:'re|\ are)\ (?:ever\ )?(?:not\ sure|unsure|uncertain|in\ doubt)\b
        |when(?:ever)?\ in\ doubt\b
      |(?:when|before|after|while)\ (?:(?:giving|showing|sending|telling|teaching|helping)\ me
        |discussing|talking|answering|replying|responding|citing
        |explaining|recommending|we\ (?:discuss|talk|speak))\b
      |(?:everything|anything|whatever|all|every\ \w+|each\ \w+|any\ \w+)\ (?:that\ 
        |which\ )?(?:you\ {_MAKE}|I\ {_ASK})\b
      |(?:each|every)\ \w+\ (?:that\ )?we\ (?:talk|speak|chat)\b
      |unless\ I\ (?:say|tell|ask|specify|request|explicitly)\b|(?:for|in|with|to|on)\ (?:all\ 
        |any\ |every\ |each\ )?(?:my\ |your\ )?
       (?:questions?|requests?|answers?|anything|topics?|replies|responses?)\ (?:about|on|regarding
         |concerning|involving|related\ to)\b""",
    first="abefinostuw",
)
_ORDER = compiled(
    rf"""(?:^|[,;:–—]\s*){_HEAD}(?:(?:{_NOT}|only\ ever)\s+)?{_VERB}\b(?!\s*(?:is|was|are|'s)\b)
      |\bplease\s+(?:{_NOT}\s+)?{_VERB}\b
      |\b(?:when(?:ever)?|if|every\ time)\ you\ {_MAKE}\ (?:me\ )?(?:[\w-]+\ ){{1,3}}?(?:always|never)\s+{_VERB}\b
      |\bif\ I\ ever\ (?:ask|talk|mention)\b[^,?]{{2,40}}?\ (?:remind|warn|stop)\ me\b(?!\ of\b)
      |\bI(?:'d|\ would)?\ (?:want|need|expect|like|love|appreciate|prefer|ask)\ (?:it\ if\ )?you\b
        |\byou\ (?:should|must|need\ to|have\ to|are\ to)\b"""
)
# Of what an answer is made: what stands with none of these is no way of answering.
_FORM = (
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
_MARKS = (
    r"(?:emojis?|emoticons|smileys|exclamation\ marks|(?:em[ -])?dashes|bullets|bullet\ points|tables|lists|headings"
    r"|headers|disclaimers|preambles?|caveats|flattery|compliments|filler|fluff|small\ talk|chit-?chat|jargon|slang"
    r"|buzzwords|acronyms|abbreviations|jokes|puns|sarcasm|metaphors|analogies|apologies|lectures|lecturing|moralizing"
    r"|pep\ talks|follow-?up\ questions)"
)
# What an assistant adds to an answer.
_PARTS = (
    r"(?:tl;?dr|summar(?:y|ies)|recaps?|sources?|citations?|references|footnotes?|examples?|explanations?|comments?"
    r"|translations?|reminders?|warnings?|links?|steps)"
)
# What an assistant is told to leave off in a message that says nothing else.
_LEFT_OFF = (
    r"(?:emojis?|emoticons|smileys|disclaimers?|preambles?|flattery|small\ talk|chit-?chat|filler|fluff|lectures?"
    r"|lecturing|moralizing|pep\ talks|follow-?up\ questions|jokes|tl;?drs?|sources|citations|footnotes)\b"
)
_NO_NEED = r"(?:there's\ |there\ is\ )?no\ need"
_LEAVES_OFF = rf"""(?:(?:no\ more|(?:quit\ with|enough\ with|lay\ off|drop|lose|ditch|skip|leave\ out)\ the
    |I\ (?:don't|do\ not)\ (?:want|need)\ any\ more)\ {_LEFT_OFF}
  |{_NO_NEED}\ (?:(?:to\ (?:add|give|cite|include|mention|use)|for)\ (?:the\ |any\ |your\ )?{_LEFT_OFF}
    |to\ (?:answer|reply|respond|write|speak|talk)\ (?:to\ me\ )?in\ (?:{LANGUAGE}))
  |no\ more\ (?:{LANGUAGE})
  |I\ (?:no\ longer\ (?:need|want)|(?:don't|do\ not)\ need(?=.*\ any\ ?more\b))\ (?:the\ |any\ |an?\ )?
    (?:{_MARKS}|{_PARTS})
    (?:\ any\ ?more)?)
  (?:,?\ (?:please|pls|thanks|thank\ you|ok(?:ay)?|from\ now\ on))*"""
_WEEKDAY = rf"(?:{'|'.join(WEEKDAYS)})"
# What an assistant does from habit.
_DOES = (
    r"(?:apologi[sz]e|say|tell\ me|remind\ me|ask\ me|call\ me|thank\ me|greet|add|repeat|suggest|recommend|use|start"
    r"|begin|open|end|finish|close|mention|include|give|explain|warn|answer|reply|respond|write|put|show|cite|summari[sz]e"
    r"|skip|avoid|leave\ out|bring\ up|address\ me|refer\ to\ me)"
)
_DOING = (
    r"(?:apologi[sz]|say|telling\ me|reminding\ me|asking\ me|calling\ me|thank|greet|add|repeat|suggest|recommend|us"
    r"|start|end|mention|includ|giv|explain|warn)(?:ing)?"
)
_STICK = r"(?:(?:(?:can|could|would|will)\ you\ (?:please\ |just\ )*|let's\ )?(?:stick|keep)\ (?:to|with))"
# Every answer of the assistant, not the answers in a document.
_EACH_ANSWER = (
    r"(?:every|each|all)\ (?:single\ |(?:of\ )?your\ )?(?:answers?|repl(?:y|ies)|responses?)"
    r"\b(?!\ (?:in|from|of|on)\ (?:the|my|our|this|an?)\b)"
)
# Words that limit a wish to the thing at hand.
_HERE = (
    r"\b(?:(?<!from\ )(?:here|now)|this|that(?!\ you)|these|those|today|for\ once"
    r"|(?:in|for|of)\ (?:the|my|our|an?)\ (?:[\w-]+\ )?(?:draft|e?-?mail|letter|essay|text|table|report|post|story"
    r"|function|code))\b"
)
# How long something holds, beside the forms of `_FROM_NOW`. "By default", "in general", "permanently" and "every time"
# are said of code and of households.
_LASTS = (
    r"(?:from\ today|as\ a\ (?:habit|matter\ of\ course)|also\ in\ (?:the\ )?future|as\ a\ standing\ \w+"
    r"|(?:in|for|with)\ (?:later|other|future)\ (?:chats|talks|ones)|(?:for|in)\ (?:all\ )?our\ (?:lessons|sessions"
    r"|talks)|not\ (?:just|only)\ (?:today|now|here|once|this\ (?:time|once))"
    r"|(?:today|now|here|this\ time|next\ time)(?:,?\ and|,?\ or)\ (?:not\ )?(?:at\ any\ )?(?:later|always|ever"
    r"|next\ time|in\ (?:the\ )?future|every\ \w+)"
    r"|(?:in|for|across|throughout)\ all\ (?:of\ )?our\ \w+|unless\ I\ say"
    r"|\b(?:in|for|with|on)\ (?:anything|everything|(?:all|every|each|any|whatever)(?:\ (?:the|of"
    r"|my)){0,2}(?:\ [\w-]+){1,2})"
    r"\ (?:that\ )?(?:you|u)\ (?:write|draft|make|give|send|show|do|create|translate|suggest|recommend"
    r"|explain)\b(?:\ (?:for|to)\ me\b)?)"
)
# What the assistant makes for the user again and again: "charts you make for me".
_MADE = (
    r"(?:anything|everything|(?:every|each|any)\ \w+|(?<!the\ )(?<!this\ )(?<!that\ )(?<!these\ )(?<!those\ )"
    r"\b(?:code|text|advice|\w+s)\b)\ (?:that\ )?you\ (?:write|draft|make|give|send|show|suggest|recommend|create)"
    r"\ (?:for\ |to\ )?me\b"
)
_ADDRESSED = (
    r"(?:address|answer|assume|avoid|be|call|cite|convert|drop|end|explain|flag|format|give|greet|include|keep|leave"
    r"|limit"
    r"|list|mark|mention|name|not|never|always|only|omit|put|quiz|refer|reply|respond|show|sign|skip|speak|start|stay"
    r"|stick|stop"
    r"|switch|talk|treat|use|write)"
)
# A letter to somebody else, which tells them what holds from now on.
_COMPOSED = (
    rf"^{_HEAD}(?:(?:can|could)\ you\ )?(?:write|draft|compose|translate|rewrite|add|send)\ (?:me\ )?(?:an?|this|the"
    rf"|my|our)\ "
    r"[^,;:]*\b(?:that|telling|saying|about|asking|informing|announcing)\b"
)
_TOLD = (
    r"\b(?:said|says|saying|told|tells|taught|insists?|advice|advises?|suggests?|mantra|motto"
    r"|saying|quote|book|article|reminds?|docs?)\b.{0,30}\b(?:always|never)\b"
)
# A rule of the user's world, that their app or their kitchen follows. "When the user asks" tells the assistant.
_WORLD = (
    rf"^{_HEAD}(?:(?:when(?:ever)?|if|once|as\ soon\ as|every\ time)\ (?:the|an?)\ (?:\w+\ )?(?:user|visitor|customer"
    r"|caller|guest|player|enemy|phone|doorbell|bell|alarm|timer|oven|server|button|page|app|form|sensor)\b"
    r"(?!\ (?:ask|mention|want|say|send|type|write|request|is|has|need|speak)s?\b)"
    r"|(?:on|in|at)\ (?:my|our|the)\ (?:\w+\ )?(?:site|website|shop|store|recipe|game|kitchen|restaurant|office"
    r"|company)\b)[^,]*,"
)
# A character of a clause. A comma or point before a digit ends no clause: "1,500", "5.0".
_IN_CLAUSE = r"(?:[^,.;!?]|[,.](?=\d))"
_ASKED_ABOUT = (
    compiled(
        rf"""\b{_WHEN}\s+(?:I'?m?|we'?re?|you(?:'re)?)\s+(?:\w+ly\s+)?(?:am\s+|are\s+)?
          (?:{_ASK}|answer(?:ing)?|explain(?:ing)?|recommend(?:ing)?|suggest(?:ing)?|writ(?:e|ing)
            |giv(?:e|ing)|provid(?:e|ing)|respond(?:ing)?)
          (?:\s+(?:to|me|you|with))*(?:\s+(?:any\s+|a\s+)?questions?)?(?:\s+(?:about|for|on
            |regarding|to|how\ to|of|with))?\s+([^,.;!?]{{2,120}}?)
          (?=[,.;!?]|\s*$|\s+(?:always|never|please|remind\ me|warn\ me|stop\ me)\b)"""
    ),
    compiled(
        r"\bwhen\ it\ comes\ to\s+([^,.;!?]{2,80})|\bwhen\s+(?!I\b|you\b"
        r"|we\b)([a-z]+ing\b[^,.;!?]{0,80})"
    ),
    compiled(
        rf"""(?<!now\ )\b(?:for|in|on|with|to)\s+(?:all\ |any\ |every\ |each\ )?(?:of\ )?(?:my\ |your\ 
          |our\ )?((?!(?:future|every|your|all|any|each|this|our|the)\b)(?:[\w-]+\ ){{1,4}}?)
          (?:questions?|requests?|topics?|queries|problems|tasks|{_ANSWERS})\b"""
    ),
)
_BECAUSE = compiled(
    r"""\b(?:because(?:\ of)?|since|due\ to|owing\ to|as\ (?=(?:it|they|we|I|the|that|its|this)\b)
      |thanks\ to|in\ order\ to|so\ that
      |so\ (?=(?:it|we|I|they)\ (?:can|could|would|will|don't|do)\b)
      |for\ (?=(?:better|clearer|faster|easier|simpler|cheaper|more|improved|its|their|comprehensive)\b)
      |(?<=\ )to\ (?=(?:reduce|improve|avoid|save|keep|ensure|minimi[sz]e|speed|simplify|prevent
        |maintain|better|increase|boost|stay|protect|meet)\b))
      \s*((?:(?!,\ (?:and|but|so|now|then|while|was|is|can|how|what|which|I'm|I)\b)(?:[^.;!?]
        |\.(?=\w))){3,160})"""
)
_TOPIC = (
    compiled(rf"\bwhen\ it\ comes\ to\s+({_IN_CLAUSE}{{2,80}})"),
    compiled(
        r"\b(?:my|our)\s+(?:\w+\s+)?(?:favou?rite|preferred"
        rf"|go-to)\s+([a-z]{_IN_CLAUSE}{{1,60}}?)\s+(?:is|are|was|has)\b"
    ),
    compiled(
        rf"""(?<!preference\ )\bfor\s+(?!(?:better|clearer|faster|easier|simpler|cheaper|more
          |improved|its|their|the\ sake|now|me|a\ while)\b)
          (?:my\s+|our\s+|the\s+)?({_IN_CLAUSE}{{3,60}}?)(?=[,.;!?](?!\d)|$|\s+(?:because|since|over|rather|due
            |and|but|as|so|to|using|with|without)\b)
         |\b(?:when(?:ever)?|while)\s+(?:I'?m?\s+|we'?re?\s+)?(?:am\s+|are\s+)?([a-z]{_IN_CLAUSE}{{2,80}})"""
    ),
)
_OPTION = (
    compiled(
        r"""\b(?:not\ (?:be\ )?using|ruled?\ out|ruling\ out|decid(?:ed|ing)\ (?:against|not\ to)
      |reject(?:ed|ing)|discard(?:ed|ing)|dismiss(?:ed|ing)|abandon(?:ed|ing)|ditch(?:ed|ing)
      |scrapp(?:ed|ing)|gave\ up\ on|giving\ up\ on|mov(?:ed|ing)\ away\ from
      |(?:won't|not\ going\ to|can't|cannot|will\ not)\ (?:be\ )?(?:using|use|go(?:ing)?\ (?:with
        |for))|turn(?:ed|ing)\ down|not\ going\ with)\s+(?:the\ idea\ of\ |on\ |the\ 
        |using\ )?(.{2,80}?)(?=\s+(?:because|since|due|as|so|after|for|when|but|and|to
        |in\ favou?r)\b|[,.;!?](?!\d)|$)
     |^(?:so\ |and\ |but\ |I\ think\ )?(?!I\b|we\b)(.{2,60}?)\s+(?:won't|will\ not|doesn't|does\ not
       |isn't\ going\ to|didn't|(?:was|were|has\ been|got)\ (?:ruled|rejected|discarded|dismissed
       |abandoned|ditched|scrapped|turned|declined)|is\ out\ of\ the\ question|is\ off\ the\ table
       |is\ not\ an\ option|isn't\ an\ option)
     |\b(?:over|rather\ than|instead\ of)\s+(.{2,60}?)(?=\s+(?:because|since|due|as|so|for|to)\b|[,.;!?](?!\d)
       |$)"""
    ),
)
_ADVERB = (
    r"(?:(?:really|just|much|still|also|generally|usually|strongly|definitely|absolutely"
    r"|typically|personally|always|often"
    r"|actually|particularly|especially|truly|kinda|kind\ of|very|tend\ to|do|now"
    r"|sometimes|currently|recently|finally"
    r"|already|ultimately|both|initially)\s+)*+"
)

# One thing is left for another, both called by name: "dropped Redis for Valkey", not "dropped the kids at school".
_LEFT_FOR = (
    r"(?:dropped|swapped|replaced)\s+(?-i:[A-Z])[\w.+#-]*(?:\s+(?-i:[A-Z])[\w.+#-]*)?"
    r"\s+(?:for|with|in\ favou?r\ of)\s+(?-i:[A-Z])[\w.+#-]++(?!['’]s)"
)

_NOT_ASKED = compiled(rf"[^?\s]\s*\Z|^{_HEAD}(?:can|could)\ (?:you|we)\ ")

RULES: tuple[Rule, ...] = (
    # ------------------------------------------------------------------ instruction
    Rule(
        "instruction",
        lexicon("always never"),
        compiled(
            rf"""^{_HEAD}(?:I\ (?:said|repeat)[,:]\ )?(?:remember\ to\ |(?:be
              |make)\ sure\ (?:that\ you\ |you\ |to\ )|ensure\ (?:that\ )?you\ |try\ to\ )?(?:always
              |never(?:\ ever)?)\s+(?:please\s+)?(?!{_IDLE})[a-z]
              |(?:[,;:–—]|\ -)\s+(?:(?:and|so|but|please|therefore)\s+)*(?:always|never)\s+{_VERB}\b
              |\b(?:so|please|kindly)\s+(?:always|never)\s+{_VERB}\b
              |\byou\s+(?:should|must|need\ to|have\ to|are\ to|ought\ to)\s+(?:always|never)\b
                (?=\ {_VERB}\b|[^?]*\b(?:I|me|my|we|us|our)\b)
              |\b(?:want|need|expect|ask|asked|instruct(?:ed)?|prefer|require|like|appreciate|love
                |told)\s+(?:it\ if\ |that\ )?you\s+(?:to\s+|would\s+
                |could\s+)?(?:please\s+)?(?:always|never)\b
              |\b(?:can|could|would|will)\s+you\s+(?:please\s+|also\s+)*(?:always|never|(?:make
                |be)\ sure\ (?:to|you|that\ you)\ (?:always|never))\b
              |\b(?:make|be)\s+sure\s+(?:that\s+you|you|to)\s+(?:always|never)\b
              |\b(?:(?:great|nice|good|helpful|lovely|better|best|cool)\ if\ you\ (?:(?:could|would
                |can)\ )?(?:please\ )?
                |would\ it\ be\ possible\ to\ )(?:always|never)\b
              |\bplease\s+(?:remember|try)\s+to\s+(?:always|never)\b|\bplease,\s+always\W*$
                |^{_HEAD}{_VERB}\b.*,\s*(?:always|never)\W*$
              |\bI\ never\ want\ (?:to\ (?:see|hear|read)|you\ to|any|your)\b.*\byou"""
        ),
        unless=compiled(
            rf"""{_TOLD}|{_WORLD}|\b(?:I|we|they|he|she)(?:'d|'m|'re|'ve|\ am|\ are|\ have
              |\ would)?\s+(?:always\s+)?(?:need|want|try|trying|like|have|going|plan|planning|make
              |making|made|used|prefer)(?:\s+to)?(?:\s+(?:make|be))?\s+sure\s+to\b
              |^\W*(?:should|do|does|did|is|are|why|how|what)\b"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    Rule(
        "instruction",
        lexicon("otherwise notice"),
        compiled(r"\buntil\ (?:I\ (?:say|tell\ you|ask|decide)\ otherwise|further\ notice)\b"),
        needs=compiled(rf"\byou\b|{_DIRECTIVE.pattern}"),
        # A notice to everybody ("closed until further notice") is no order.
        unless=compiled(
            r"^(?:I|we|he|she|they|it|my|our|the)\b(?!.*\byou\b)|\?\W*$"
            r"|\b(?:is|are|was|were|be|been)\b[^.;]*\bfurther\ notice\b"
        ),
        about=_ASKED_ABOUT,
        whole=True,
    ),
    Rule(
        "instruction",
        lexicon("favour favor"),
        compiled(r"\bdo\ me\ a\ (?:standing|permanent|lasting)\ favou?r\b"),
        unless=compiled(r"\?\W*$"),
        about=_ASKED_ABOUT,
        whole=True,
    ),
    Rule(
        "instruction",
        lexicon("don't dont stop quit do not no"),
        compiled(
            rf"""^{_HEAD}(?:(?:don't|do\ not|no\ need\ to)\s+(?:you\s+)?ever\s+[a-z]
              |(?:don't|dont|do\ not|stop)\s+(?:{_VERB}|us|giv|call|add|say|writ|repeat|suggest
                |recommend|apologi[sz]|includ|ask)(?:ing)?\b.*\b(?:any\ ?more|again|ever|in\ (?:your
                |any|the|future)\b.*|unless\b.*|when(?:ever)?\ I\b.*)
              |(?:stop|quit)\s+(?!\w+ing\ (?:my\ (?!name|question)|him|her|them|his|their)\b)
                (?:using|giving|calling|adding|saying|writing|repeating|suggesting|hedging|lecturing
                |recommending|apologi[sz]ing|including|asking|telling|sending|starting|ending|answering|replying
                |responding|addressing|citing|greeting|converting|formatting|translating|mentioning
                |(?:talking|speaking)\ (?:to\ me|like|in))\b
              |no\s+(?:more\s+)?(?:[a-z-]+\s+){{1,3}}?(?:in\ (?:your|any
                |the)\ (?:{_ANSWERS})|please|from\ now\ on|anymore))
              |^{_LABEL}no\s+(?:more\s+)?(?:[a-z-]+\s+){{0,2}}?{_FORM}\s+(?:please|pls|from\ now\ on)\b
              |^{_HEAD}(?:(?:can|could|would|will)\ you\ (?:please\ |just\ )?)?stop\ (?:it\ )?with\ (?:the|all\ the
                |those|your)\ {_MARKS}\W*$"""
        ),
        unless=compiled(_TOLD),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    Rule(
        "instruction",
        lexicon(
            "point moment day now forward forwards henceforth future starting rest remainder rule every "
            "each all throughout onward onwards out "
            "answers responses replies messages here reference any your"
        ),
        compiled(rf"\b{_FROM_NOW}\b"),
        needs=_DIRECTIVE,
        unless=compiled(
            rf"""{_HELP}|{_COMPOSED}|\b{_FROM_NOW}\b,?\s+(?:I|we|he|she|they|it|my|our|the)\b(?!\s+(?:want|need|expect
              |prefer)\ you|'d\ like\ (?:you|all|your)|\ would\ like\ (?:you|all|your)|\ (?:want
              |need|expect)\ (?:all|every|your))
              |^(?:I|we|he|she|they|it|my|our)(?:'ll|'m|'re|'ve|\ will|\ am|\ are|\ have|\ plan
                |\ decided|\ think)\b(?!.*\byou\s+to\b)|\b(?:going|moving)\ forward\ with\b
                |^\W*(?:how|what|should|can\ I|can\ we|why|is|are|do|does|which)\b|\b(?:how
                |what)\ (?:can|should|do|could|would)\ (?:I|we)\b"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
    ),
    Rule(
        "instruction",
        lexicon("when whenever if time anytime everytime once"),
        compiled(
            rf"""^{_HEAD}(?:(?:{_NOT}\s+)?{_VERB}\b[^?]*\b{_WHEN}\s+(?:I|we)(?:'m|'re|\ am
              |\ are)?\s+(?:\w+ly\s+)?{_ASK}\b
              |{_WHEN}\s+(?:I|we)(?:'m|'re|\ am|\ are)?\s+(?:\w+ly\s+)?{_ASK}\b[^?]*?(?:,
                |\bthen\b|\bplease\b)\s*{_HEAD}(?:you\ (?:should|must|need\ to|have\ to|can)\ 
                |I(?:'d|\ would)?\ (?:like|want|expect|need)\ (?:you\ to|to\ see|a|an|the|all|every
                |your)\ |(?:be|make)\ sure\ (?:to|you)\ |{_NOT}\ )*(?:{_VERB}|be|do)\b
              |(?:whenever|every\ ?time|each\ time|any\ ?time)\s+(?:I
                |we)\b[^?,]*,\s*{_HEAD}(?:you\ (?:should|must|need\ to|have\ to)\ |I(?:'d
                |\ would)?\ (?:like|want|expect|need)\ you\ to\ |{_NOT}\ )?{_VERB}\b)
              |\b(?:you\ (?:should|must|need\ to|have\ to)|I(?:'d|\ would)?\ (?:like|want|expect
                |need)\ you\ to)\b[^?]*\b(?:whenever|every\ ?time|each\ time|any\ ?time
                |when\ I\ (?:ask|mention))\b"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    Rule(
        "instruction",
        lexicon("remember mind forget note record reference"),
        compiled(
            rf"""^{_HEAD}(?:remember|keep\ in\ mind|bear\ in\ mind|don't\ forget|do\ not\ forget
              |for\ the\ record|take\ note|note)(?:\s+that\b|[,:]|(?=\s+(?:I'm|I\ am|my|we're
              |to)\b))\s*\w
              |^{_HEAD}for\ future\ reference[,:]?\s+(?:(?:I'm|my)\b|I\ (?:(?:only|always|never|really|also)\ )?
                (?:prefer|like|love|hate|dislike|use|live|work|have|am|can't|don't\ (?:like|want|eat|drink|use|have))\b)
              |\b(?:I\ (?:want|need)|I'd\ like)\ you\ to\ remember\b|\b(?:can|could|will
                |would)\ you\ (?:please\ )?remember\ (?:that|to|my)\b"""
        ),
        unless=compiled(
            rf"^(?:remember|note|don't\ forget)\s+(?:that\s+)?(?:time|day|when|how|what)\b"
            rf"|\byour\ (?!{_ANSWERS}|next|last)"
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    Rule(
        "instruction",
        lexicon("your call address refer reply answer respond speak write talk keep default blunt"),
        compiled(
            rf"""\b(?:all|any|every|each
              |both)?\s*(?:of\s+)?your\s+(?:[a-z]+\s+)?{_ANSWERS}\s+(?:should|must|need\ to|have\ to
              |ought\ to|shouldn't|mustn't)\b
              |^{_HEAD}(?:(?:call|address|refer\ to)\s+me\s+(?:as\s+|by\s+)?(?!(?:asap|{_WEEKDAY}
                |every|each|before|when|if|at|back|on|after
                |later|tomorrow|tonight|today|soon|as|an?|crazy|old|out|in)\b)[A-Za-z]
              |(?:reply|answer|respond|speak|write|talk)(?:\ (?:to\ )?me)?(?:\ (?:only
                |always|just))*\ (?:only\ )?in\ (?:[a-z]+\ )?
                (?:{ENGLISH_NAMES}|bullet|short|plain|simple|one|two|full|first|third)\b
              |(?:talk|speak|write)\ to\ me\ (?:like|as)\b|set\ my\ default\b
              |I(?:'d\ like|\ would\ like|\ want|\ need|\ prefer)\ (?:you\ to\ (?:call|address|refer\ to)\ me
                \ (?:as\ |by\ )?(?!(?:when|if|at|back|on|after|before|later|tomorrow|in)\b)[A-Za-z]
                |(?:all\ )?your\ (?:answers|replies|responses|explanations)\ to\ (?:be|have|use|include|end|start)\b)
              |you\ (?:can|may)\ (?:answer|reply|respond|talk|speak)\ (?:to\ me\ )?in\ (?:{LANGUAGE})
                \ (?:now|again|from\ now\ on)(?:,?\ (?:fully|completely|please|too))*[\s.!]*$
              |you\ (?:may|can)\ (?:always\ )?be\ (?:blunt|direct|honest|informal|casual|rude)\b
              |(?:let's\ )?keep\s+(?:all\s+)?(?:of\s+)?your\s+(?:[a-z]+\s+)?{_ANSWERS}\b
              |(?:let's\ )?keep\ (?:(?:all|every|each)\ )?(?:answers?|repl(?:y|ies)|responses?)
                \ (?:under|below|within|short|brief|concise|to\ (?:one|two|three|an?|\d+)\b|in\ (?:{LANGUAGE}))
                (?!.*{_HERE}))
              |\b(?:but|so)\ (?:(?:please|just)\ )?call\ me\ (?!(?:asap|{_WEEKDAY})\b)(?-i:[A-Z])"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    Rule(
        "instruction",
        lexicon(
            "whenever every each time anytime if should when before after once "
            "everything anything whatever unless for in"
        ),
        _TRIGGER,
        needs=_ORDER,
        unless=compiled(
            rf"""{_TOLD}|{_HELP}|^\W*(?:how|what|why|which|who|where|do|does|did|is|are|can\ I
              |should\ I\ (?!mention|ask|say|ever)|help)\b
              |\b(?:how|what)\ (?:can|should|do|could|would)\ (?:I|we)\b|\bplease\ (?:help|review
                |check|explain|let)\b"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    Rule(
        "instruction",
        lexicon(
            "important essential crucial vital agree insist require habit point rule wish request ever need are you're"
        ),
        compiled(
            rf"""\b(?:important|essential|crucial|vital|agree|insist|require
              |understood)\ (?:to\ me\ )?that\ you\ (?:will\ |must\ )?(?:always|never)\b
              |^{_HEAD}(?:(?:please\ )?make\ it\ a\ (?:habit|point|rule)\ to\b
                |(?:(?:my|one|ground|house|new|first)\ (?:\w+\ )?rule
                |(?:standing|general)\ (?:rule|wish|request))(?:\ for\ (?:you|us|this\ \w+))?(?:\ is)?:
                |(?:let's|can\ we)\ agree\ (?:that\ )?you(?='ll\b|\ will\b|\ won't\b|\b.*\b(?:always|never)\b)
                |only\ ever\ {_VERB}\b|you(?:\ are|'re)\ to\s+[a-z]
                |if\ you\ ever\ [^,?]*,\s*(?:{_NOT}\s+)?{_VERB}\b
                |no\ need\ to\ .*\b(?:each|every)\ (?:time|message|reply|answer)\b)"""
        ),
        unless=compiled(_TOLD),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    # A request, or a way of answering, that lasts.
    Rule(
        "instruction",
        lexicon(
            "from forward future henceforth lessons talks ever general habit "
            "unless times time "
            "anything everything whatever until today later chats conversations draft"
        ),
        compiled(rf"\b(?:{_FROM_NOW}|{_LASTS}|until\ (?:then|I)\b)"),
        needs=compiled(
            rf"""^{_LABEL}?{_HEAD}(?:{_FROM_NOW}|{_LASTS})[,:]?\s+{_HEAD}(?:{_NOT}\s+)?(?:{_VERB}\b
                |you\ {_ADDRESSED}\b|no\ \w
                |I(?:'d\ like|\ want|\ would\ like)\ (?:you\b|(?:all\ |your\ )?(?:[\w.-]+\ ){{0,3}}?{_FORM}\b))
              |^{_HEAD}(?:{_FROM_NOW}|{_LASTS})[,:]?\s+(?:only\ |just\ |no\ |more\ 
                |less\ )?(?:[\w-]+\ ){{0,2}}?{_FORM}\b
               (?!\ (?:is|are|was|were|will|have|has)\b)
              |(?:^|[,:–—-]\s|\bso\ ){_HEAD}(?:{_NOT}\s+|dont\s+|no\ need\ to\ |you\ (?:don't\ (?:need|have)\ to|can
                |may|should)\ )?
               (?:{_VERB}|feel\ free\ to|apologi[sz]e|hold|hand|talk|do|explain|quiz|switch|sign\ off
                |leave)\b(?!\ (?:care|of)\b)[^?]*(?:{_FROM_NOW}|{_LASTS})
              |^{_HEAD}until\ (?:then|I\b[^,]{{2,30}}),?\ (?:please\ )?(?:{_NOT}\s+)?{_ADDRESSED}\b
              |(?:^|[,:–—-]\s|\bso\ ){_HEAD}you\ {_ADDRESSED}\b[^?]*(?:{_FROM_NOW}|{_LASTS})
              |^{_HEAD}(?:only\ |just\ |no\ (?:more\ )?|more\ |less\ )?(?:[\w-]+\ ){{0,2}}?{_FORM}\ (?:(?:again|only,?
                |please|first|too|in\ \w+)\ ){{0,2}}
               (?:{_FROM_NOW}|{_LASTS})
              |(?:^|[,:–—]\s|\b(?:so
                |please),?\ )(?:please,?\ )?no\ (?:more\ )?(?:[\w-]+\ ){{0,2}}?{_FORM}\b[^?]*(?:{_FROM_NOW}|{_LASTS})
              |\bcould\ we\ (?:do\ (?:all|every\w*|our)|use|keep|speak|stick|talk)\b[^?]*{_FROM_NOW}
              |\b(?:can|could|would|will)\ (?:you|u)\ (?:please\ |pls\ |also\ |maybe\ |just\ )*(?:always|never|not|be
                |keep|use
                |call|address|stop|avoid|answer|reply|respond|talk|speak|stick|drop|skip|leave\ out|lay\ off|ease\ up
                |limit|cite|assume|refer|switch|omit|treat
                |quiz)\b[^?]*(?:{_FROM_NOW}|{_LASTS})
              |\bwould\ you\ mind\ (?:not\ )?\w+ing\b[^?]*(?:{_FROM_NOW}|{_LASTS})
              |\b(?:great|nice|good|helpful|lovely|better|best|cool)\ if\ you\ (?:(?:could|would
                |can)\ )?\w+\b[^?]*(?:{_FROM_NOW}|{_LASTS})
              |\blet's\ (?:do|speak|talk|write|switch|chat)\b[^?]*{_FROM_NOW}
              |^{_HEAD}(?:every|all)\ (?:[\w-]+\ ){{1,3}}{_FROM_NOW}\s*[:,]
                |^{_HEAD}(?:one\ thing\ )?{_LASTS}:\s*(?:{_VERB})\b"""
        ),
        unless=compiled(
            rf"""{_TOLD}|{_HELP}|{_COMPOSED}|^\W*(?:how|what|should|why|is|are|do\ (?:I|you|we)|does|which|who|when
                |where)\b
              |\b(?:how|what)\ (?:can|should|do|could|would|to)\b|\b(?:do|does|did|should|must|can)\ (?:I|we|it|this
                |they)\b|\b(?:going|moving)\ forward\ with\b
              |\b(?:I|we|he|she|they|it|this|that|there)(?:'ll|'ve|'m|\ (?:will|am|is|was|were|have|had|can't
                |won't))\b(?:(?!\ so\b)[^,])*(?:{_FROM_NOW}|{_LASTS})"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    # What the assistant makes again and again, the future answers, and a way of speaking.
    Rule(
        "instruction",
        lexicon(
            "draft write whatever future talk speak translations summaries recipes mails emails letters texts answers "
            "replies explanations drafts charts pictures text plans only always answer"
        ),
        compiled(
            rf"""\b(?:you\ (?:write|draft|make|give|send|show|suggest|recommend|create)\ (?:(?:for|to)\ )?me
              |future\ {_ANSWERS}|I\ (?:always|only)\ (?:want|need|prefer|expect)|(?:you|u)\ (?:please\ |pls\ 
                |just\ )?(?:talk|speak))\b"""
        ),
        needs=compiled(
            rf"""\b{_MADE}\ (?:should|must|need\ to|has\ to|have\ to|shouldn't|mustn't|please|can't)\b
              |\b(?:I\ (?:want|need|prefer|expect)|no|without|keep|use)\b[^?]*\b(?:in|for|with)\ (?:\w+\ )?{_MADE}
              |^{_HEAD}(?:for\ )?(?:all\ |any\ )?(?:(?:my|your|our)\ )?future\ {_ANSWERS}\s*(?:->|→|=|[:–—-])\s*\S
              |\bI\ (?:always|only)\ (?:want|need|prefer|expect)\ [^?]*\b(?:from|by)\ you\b
              |\b(?:with|for|in)\ (?:all\ |any\ |your\ |my\ )?(?:translations|summaries|recipes|mails|emails|e-mails
                |letters|texts|answers
                |replies|explanations|calculations|drafts)\ I\ (?:always|only)\ (?:want|need|prefer|expect)\ (?!to\b
                |help)\w
              |\b(?:can|could|would|will)\ (?:you|u)\ (?:please\ |pls\ |just\ )?(?:talk|speak)\ (?:to\ me\ |with\ me\ 
                |w\ me\ )?
               (?:more\ |less\ |a\ bit\ )?(?:normal|casual|informal|simpl|formal|plain|friendl|direct)"""
        ),
        unless=compiled(
            rf"""{_TOLD}|{_HELP}|^\W*(?:how|what|why|which|who|where|do|does|did|is|are|can\ I|should\ I)\b
              |\b(?:how|what)\ (?:can|should|do|could|would)\ (?:I|we)\b"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    # What the assistant is wished to do, or not, whenever it may.
    Rule(
        "instruction",
        lexicon(
            "rather prefer want need expect hate dislike love like appreciate stand mind needn't don't no again "
            "whenever time anytime "
            "default quit enough lay keep"
        ),
        compiled(
            rf"""\bI(?:'d|\ would)\ (?:much\ )?(?:rather|prefer)\ (?:it\ if\ |that\ )?you\b
                (?:\ (?:call|address)(?:ed)?\ me\b
                |(?=[^?]*\b(?:{_FORM}|ever|never|always|again|any\ ?more|{_FROM_NOW})\b))
              |\bI\ (?:don't|do\ not|never)\ want\ (?:you\ to\ {_DOES}\b[^?]*\b(?:ever|again|any\ ?more)\b
                |(?:to\ (?:see|hear|read|get)\ )?(?:any\ more|(?:any|your)\b(?=[^?]*\b(?:again|any\ ?more)\b))
                 \ (?:[\w-]+\ ){{0,2}}?{_MARKS}\b)
              |\bI\ (?:(?:really|just|do)\ )?(?:hate|dislike|can't\ stand|(?:don't|do\ not)\ like|like|love|prefer
                |appreciate)\ it\ when\ you\ (?:always\ )?{_DOES}\b
              |\bI(?:'d\ like|\ want|\ need|\ expect)
                \ (?:you\ to\ (?:start|begin|end|finish|keep|write|give|make)\ )?{_EACH_ANSWER}
              |^{_HEAD}(?:{_NO_NEED}\ to|you\ (?:(?:don't|do\ not)\ (?:need|have)\ to|needn't))
                \ {_DOES}\b.*\b(?:each|every)\ (?:single\ )?(?:time|message|reply|answer)\b
              |\b(?:can|could|would|will)\ you\ (?:please\ )?(?:remind\ me|warn\ me|ask\ me|add|include|mention|use
                |show|list)\b(?:(?!\b(?:why|what|how|who|if|whether)\b)[^?])*
                \b(?:whenever|(?:every|each|any)\ ?time)\ I\ {_ASK}\b
              |\bwould\ you\ mind\ (?:(?:always|never)\ (?!being|having)\w+ing|not\ \w+ing\ so\ (?:many|much))\b
              |\bI(?:'d\ like|\ want|\ need|\ expect)\ you\ to\ be
                \ (?:(?:always|more|as|very|really|completely|brutally)\ )*
                (?:honest|direct|blunt|frank|brief|concise|critical|strict|formal|informal|friendly|polite|patient|gentle)
                \ (?:with|to|towards)\ me\b
              |^{_HEAD}(?:don't|do\ not|never)\ give\ me
                \ (?:(?:any|unsolicited|medical|legal|financial|tax|health)\ )+advice\b
                (?!\ (?:on|about|for)\ (?:this|that))
              |^{_HEAD}(?:don't|do\ not)\ keep\ {_DOING}\b|^{_HEAD}never\ again\ (?!use\b){_DOES}\b
              |^{_HEAD}by\ default,?\ (?:please\ )?(?:assume\ (?:that\ )?(?:I|my)|(?:give|show|tell|answer)\ me)\b
              |^{_HEAD}(?:no\ more|(?:quit\ with|enough\ with|lay\ off)\ the)\ (?:["\w-]+\W+){{0,4}}?{_MARKS}
                (?:,?\ (?:please|thanks|thank\ you|ok(?:ay)?|from\ now\ on))?\W*$"""
        ),
        unless=compiled(rf"{_TOLD}|{_HERE}"),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    # A way of answering that is all a message says.
    Rule(
        "instruction",
        lexicon("use stick keep be"),
        compiled(
            rf"""^{_HEAD}(?:(?:use|{_STICK})\ (?:(?:British|American|UK|US)\ (?:English|spelling)
              |(?:metric|imperial|SI)\ (?:units|measurements))
              |{_STICK}\ (?:(?:plain\ |simple\ )?(?:{LANGUAGE})|metric|imperial)
              |use\ (?:simple|plain|easy|everyday)\ (?:words|language|English|terms)
              |be\ (?:more\ )?(?:concise|brief|succinct))
              (?:,?\ please|[,;]?\ (?:because\ |since\ )?I(?:'m|\ am)\ (?:not\ a\ native\ speaker|a\ beginner))?\W*$"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
        alone=True,
    ),
    # What takes an order back (`memfold.layers.orders`); it binds nothing if there is none.
    Rule(
        "instruction",
        lexicon(
            "anymore more longer again now forget scrap drop ignore disregard cancel undo lift revoke retract withdraw "
            "long lifted off void cancelled canceled stop skip leave back mind enough quit lose"
        ),
        FREES,
        needs=_NOT_ASKED,
        # "I no longer need a car" is of the user's own life.
        unless=compiled(
            rf"""\bI\ (?:no\ longer\ (?:need|want)\ (?!your?\b|(?:the|an?|any|those)\b.*\b(?:{_MARKS}|{_PARTS})\b)
              |(?:don't|dont|do\ not)\ need\b)"""
        ),
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
    ),
    # Orders to leave something off. Beside other sentences they may mean the text at hand, or the user's own life.
    Rule(
        "instruction",
        lexicon("no drop lose ditch skip leave need quit enough lay"),
        compiled(
            # "One more thing, …" announces an order for all answers, so a reason may follow it.
            rf"""^(?:(?:one|another)\ (?:more\ )?thing[,:]\s+{_HEAD}{_LEAVES_OFF}(?=\W*$|,)|{_HEAD}{_LEAVES_OFF}\W*$)"""
        ),
        needs=_NOT_ASKED,
        about=_ASKED_ABOUT,
        whole=True,
        listed=False,
        alone=True,
    ),
    # ------------------------------------------------------------------ excluded
    Rule(
        "excluded",
        lexicon(
            "ruled rule ruling against rejected reject rejecting discarded dismissed "
            "abandoned ditched scrapped gave giving away won't "
            "isn't not table question turned work doesn't decided chose chosen opted picked declined option "
            "crossed struck settled"
        ),
        cued(
            at_words(
                r"""(?:I|we|they)(?:'ve|'m|'re|\ have|\ had|\ am|\ are|\ also)*\s+(?:\w+ly\s+
                  |already\s+|just\s+)?(?:ruled\ out|ruling\ out|decided\ (?:against|not\ to)|rejected
                  |discarded|dismissed|abandoned|ditched|scrapped|gave\ up\ on|given\ up\ on
                  |giving\ up\ on|moved\ away\ from|moving\ away\ from|turned\ down|declined)\b
                  |(?:I|we)(?:'m|'re|\ am|\ are|\ will|\ won't|'ll)?\s*(?:not\ (?:going\ to\ (?:use
                    |go\ with|go\ for|consider|buy)|going\ with|be\ using|using)|won't\ (?:be\ using|use
                    |go\ with|go\ for|consider))\s+\w
                  |[A-Z\d][\w.+#-]*(?:\s+\w+){0,3}\s+(?:won't|will\ not|doesn't|does\ not|didn't
                    |isn't\ going\ to)\s+(?:work|fit|suit|scale|cut\ it)\b(?=.{0,40}?\b(?:because|since
                    |due\ to|as|for\ (?:us|me|our|my))\b)
                  |(?:is|are)\s+(?:out\ of\ the\ question|off\ the\ table|not\ an\ option
                    |no\ longer\ an\ option)\b
                  |(?:crossed|struck)\s+[^.,;]{2,60}?\ off\ (?:the|my|our)\ list\b
                  |^no\ (?!problem|worries|doubt|wonder|need)
                    [^,;:]{2,60},\ (?:that(?:'s|\ is)|it(?:'s|\ is))\ (?:settled|final|decided)\b
                  |(?:was|were|been|got)\s+(?:ruled\ out|rejected|discarded|dismissed|abandoned
                    |ditched|scrapped|turned\ down|declined)\b
                  |(?:I|we)(?:'ve|\ have)?\s+(?:\w+ly\s+)?(?:chose|chosen|opted\ for|picked|went\ with
                    |selected|decided\ on)\s+.{2,80}?\s(?:over|rather\ than|instead\ of)\s+\w"""
            ),
            "ruled out|ruling out|decided|rejected|discarded|dismissed|abandoned|ditched|scrapped| up on|away from|"
            "turned down|declined|not going|be using|not using|won't|will not|doesn't|does not|didn't|isn't going|"
            "out of the question|off the table|an option|crossed|struck|settled|final|chose|opted for|picked|"
            "went with|selected",
        ),
        unless=compiled(
            r"\b(?:should|could|can|if|whether|do|did)\s+(?:I|we)\s+(?:\w+\s+)?(?:rule"
            r"|reject|discard|abandon|ditch|drop)|^(?:have|has|had|did|were|was)\b"
            r"|\bhaven't\s+(?:ruled|decided|rejected)|\b(?:not|never)\s+(?:ruled\ out"
            r"|rejected|dismissed)|\b(?:if|unless|in\ case)\b.{0,30}\b(?:won't|doesn't)\b"
            r"|\b(?:it|this|that|code|something|link|button|page|script|function"
            r"|app)\s+(?:won't|doesn't|didn't|does\ not|will\ not)\ work\b"
            r"|\bapplication\b.{0,30}\bwas\ rejected|\b(?:rejected|declined"
            r"|turned\ down)\ by\b"
        ),
        about=_OPTION,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ decision
    Rule(
        "decision",
        lexicon(
            "decided chose chosen opted settled picked went going go committed finalized "
            "finalised agreed switching decision switched selected let's resolved dropped swapped replaced"
        ),
        compiled(
            rf"""\b(?:I|we)(?:'ve|\ have|'d|\ had)?\s+{_ADVERB}(?:decided|chose|chosen|opted
              |settled\ on|picked|went\ with|committed\ to|finali[sz]ed|agreed\ (?:to|on|with|that)
              |resolved\ to|selected|switched\ (?:to|from|over))\b
              |(?:^|\b(?:I|we)(?:'ve|\ have)?\s+){_ADVERB}{_LEFT_FOR}
              |\b(?:I'm|we're|I\ am|we\ are)\s+{_ADVERB}(?:going\ (?:with|for)|switching\ (?:to
                |over|from)|settling\ on|opting\ for|committed\ to)\b
              |\b(?:I'll|we'll|I\ will|we\ will|let's|I\ think\ I'll)\s+{_ADVERB}(?:go\ (?:with|for
                |ahead\ with)|opt\ for|settle\ on|stick\ (?:with|to)|switch\ (?:to
                |over))\s+(?!(?:this|that|it|your|the\ (?:plan|flow|suggest))\b)\w
              |\b(?:my|our|the)\ (?:final\ )?decision\s+(?:is|was|to)\b|\bmade\s+(?:the|a|my
                |our)\s+(?:final\s+)?(?:decision|choice)\s+(?:to|on|for)\b"""
        ),
        unless=compiled(
            r"\b(?:haven't|hasn't|not\ (?:yet\ )?|can't|if|whether|once|when|before|until"
            r"|should|which|what|how|wish|help\ me|trying\ to)\b(?:\s+\w+){0,3}\s+(?:decid"
            r"|chose|choose|opt|settl|pick|commit|finali|agreed|go\ with|go\ for|switch|dropp|swapp|replac)"
            r"|^\W*(?:have|has)\ (?:I|we)\b"
            r"|^\W*(?:what|how|which|should|did|do)\b|\bgoing\ for\ (?:a\ (?:walk|run|swim"
            r"|drive|hike)|it)\b|\bcommitted\ to\ (?:improving|helping|learning|my)"
        ),
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ preference
    Rule(
        "preference",
        lexicon(
            "prefer preferred prefers preferring rather favourite favorite favour favor "
            "preference preferences go-to like love hate dislike enjoy adore detest fan fond "
            "loathe want stand leaning lean tend keen inclined focusing favored works suits "
            "work suit best prioritize prioritized prioritizing beats happiest day stick stay go"
        ),
        at_words(
            rf"""(?:I|we)(?:'d|\ would)?\s+{_ADVERB}prefer(?:red)?\b(?!\s+not\ to\ say)
              |(?:I|we)(?:'d|\ would)\s+{_ADVERB}rather\b
              |(?:my|our)\s+(?:own\s+|personal\s+|strong\s+|general\s+|all-time\s+|current\s+
                |absolute\s+|\w+\s+)?(?:favou?rite|preference|preferred|go-to)\b
              |as\ I\ prefer\b|(?:a|my|our)\s+(?:strong\s+|personal\s+)?preference\s+(?:for|is
                |to)\b|preferr(?:ing|ed)\s+(?:to|\w+ing|the|a)\b.{{2,60}}\b(?:over|rather\ than
                |instead\ of)\b
              |I(?:'m|\ am)\s+{_ADVERB}(?:not\s+)?(?:a\s+(?:big\s+|huge\s+)?fan\s+of|fond\s+of
                |partial\s+to|keen\s+on|inclined\s+(?:to|towards?)|leaning\s+towards?
                |more\s+comfortable\s+with|more\s+of\s+an?)\b
              |(?:I|we)\s+{_ADVERB}(?:love|like|enjoy|hate|dislike|adore|detest|loathe|favou?r
                |can't\ stand|cannot\ stand|lean\ towards?|gravitate\ towards?
                |prioriti[sz]ed)\s+(?!(?:it|this|that|the\ (?:idea|plan|approach|sound|way|look
                |suggestion|breakdown|explanation|structure|example|table|detail)|how|your|these
                |those|what|everything|all)\b)\w
              |(?:I|we)\s+(?:don't|do\ not|never|didn't)\s+{_ADVERB}(?:like|enjoy|want|love
                |care\ for)\s+(?!(?:it|this|that|any\ of)\b|to\ (?:lose|make|get|overdo|rush|miss
                |end|mess|forget|break|risk|be|come|feel)\b)\w
              |(?:works?|suits?)\s+(?:best|better)\s+for\s+me\b
                |reach\ me\ best\ (?:by|on|at|through)\b|nothing\ beats\s+(?!me\b|us\b)\w
              |I(?:'m|\ am)\ (?:always\ )?happiest\ with\b|I(?:'d|\ would)\ take\ .{{2,40}}\ any\ day\b
              |(?:^for\ [\w\ ]{{2,30}},?\ I|I\ (?:always|usually|normally))\ (?:stick\ (?:to|with)
                |stay\ with|go\ for)\s+(?!(?:\d|days|weeks|months
                |you|him|her|them|it|my\ (?:\w+er|parents|family|friends?)|a\ (?:walk|run|swim|drive))\b)\w""",
            first="afimnoprsw",
        ),
        unless=compiled(
            r"\b(?:should|do|would|did|can|could|might|if|when|whether|what\ if|why\ (?:do"
            r"|would))\s+(?:I|we)\s+(?:\w+\s+)?(?:prefer|like|love|want|enjoy|favou?r"
            r"|rather)|^\W*(?:what|which|do\ you|would\ you)\b|\bfeels?\ like\b"
            r"|\bI\ (?:don't|do\ not)\ want\ to\ (?:bother|be\ rude|sound|waste|take\ up)"
            r"|\bI(?:'d)?\ (?:love|like)\ (?:you|to\ (?:know|hear|see|get|understand|learn"
            r"|discuss|ask))\b|\bI\ like\ (?:you|him|her|them)\b|\b(?:how|what"
            r"|which)\ (?:can|do|should|could|would)\ (?:I|we)\b|\bpreference\ statement"
            r"|\b(?:his|her|their)\ (?:favou?rite|preferred|preference)"
        ),
        about=_TOPIC,
        reason=_BECAUSE,
    ),
    Rule(
        "preference",
        lexicon("rather instead without over"),
        compiled(
            r"""\b(?:I|we|I'm|we're|I've|we've|I'd|my|our)\b
              .{3,160}?\b(?:rather\ than|instead\ of|as\ opposed\ to)\s+\w"""
        ),
        unless=compiled(
            r"\b(?:should|why|got|gives?|gave|getting|returns?|returned|shows?|error|wrong"
            r"|accidentally|mistake|confused|mistakenly|ended\ up|sure|stuck|tried"
            r"|thinking|decide|struggling|wondering|decided|chose|opted|went|if\ I|mis-?[a-z]{3,})\b"
            r"|^\W*(?:what|which|how|is|are|do|does|can)\b"
        ),
        about=_TOPIC,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ correction
    Rule(
        "correction",
        lexicon(
            "actually meant correction wrong misspoke scratch sorry incorrect longer changed "
            "moved updated mistake mistaken instead increased decreased reduced pushed "
            "rescheduled postponed extended revised misremembered switched now raised "
            "lowered supposed correct not"
        ),
        cued(
            at_words(
                r"""^(?:oh\s+|sorry,?\s+|wait,?\s+|oops,?\s+|no,?\s+|but\s+)*(?:actually
                  |correction)\b[,:]?\s+(?!can|could|how|what|i\ (?:want|would|need|think|have\ a)
                  |we\ can|let|you|do\b)\w
                  |I\s+(?:actually\s+)?(?:meant|misspoke|misremembered|was\ (?:wrong|mistaken)
                    |made\ (?:a|an)\ (?:mistake|error)\ (?:earlier|before|when\ I
                    |about))\b(?!\s+to\ (?:ask|say\ thank))
                  |scratch\s+that\b|I\s+(?:need|have|want|would\ like)\s+to\s+correct\b
                  |(?:that's|that\ is|that\ was|you're|this\ is)\s+(?:actually\s+)?(?:wrong|incorrect
                    |not\ (?:right|correct|what\ I\ (?:said|meant)))\b
                  |(?:is|are|was|were|am|'m|'s|'re|do|does|don't)\s+no\s+longer\b
                    |no\s+longer\s+(?:need|use|using|want|have|work|plan|live)\w*
                  |(?:has|have|had|was|were|got|been|just|recently|I|we|'ve)\s+(?:been\s+|just\s+
                    |since\s+|now\s+|recently\s+)*(?:moved|changed|updated|pushed|rescheduled|postponed
                    |extended|revised|increased|decreased|reduced|raised|lowered|switched|adjusted
                    |brought\ forward|cut)\b(?:\s+(?:[^\s,;]|,(?=\d))+){0,8}?
                    \s+(?:from\ (?:[^,;]|,(?=\d)){1,40}\ to\s+\S
                      |(?:to|until|back\ to)\ (?:about\ |a\ |an\ |the\ )?(?:[$€£]?\d|(?-i:[A-Z])))
                  |not\s+(?:[\w.$€£¥%]|,(?=\d))+,?\s+but\s+(?!also)(?:[\w.$€£¥%]|,(?=\d))+\s*$
                    |it's\s+(?:[^,.;]|[,.](?=\d)){1,40},\s+not\s+(?!(?:just|only|sure)\b)
                     (?:[\w\ $€£¥%]|[,.](?=\d)){1,30}\W*$"""
            ),
            "actually|correction|meant|misspoke|misremembered|wrong|mistake|error|scratch|correct|not right|what i |"
            "longer|moved|changed|updated|pushed|rescheduled|postponed|extended|revised|increased|decreased|reduced|"
            "raised|lowered|switched|adjusted|brought|cut|but|it's",
        ),
        unless=compiled(
            r"^\W*(?:how|what|should|can|is|are|do|does|why)\b|\bif\ I('m|\ am"
            r"|'m\ not)?\ (?:wrong|mistaken)\b|\bwhat('s|\ is)?\ wrong\b|\b(?:help|want|need"
            r"|trying)\b.{0,20}\b(?:updated|changed)\b"
        ),
        least=40,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ constraint
    # "Budget: 4000 EUR". Beside other lines, such as "Project: Larkspur", it is of what they name, and would take the
    # place of another project's.
    Rule(
        "constraint",
        lexicon("budget deadline"),
        compiled(
            r"""^\W*(?:(?:my|our|the|new|total|overall|max|maximum|final)\s+)*(?:budget|deadline)\s?[:=]\s*
              (?:(?:now|max|up\ to)\s+)?[$€£¥]?\s?\d"""
        ),
        whole=True,
        alone=True,
    ),
    Rule(
        "constraint",
        lexicon(
            "must cannot can't budget limit limited cap maximum minimum most least under "
            "within below exceed exceeding more less allowed only deadline required "
            "requirement requires allergic vegetarian vegan gluten constraint restricted "
            "mandatory due needs has have constraints afford"
        ),
        cued(
            compiled(
                r"""\b(?:(?:budget|spending\ limit|limit|cap|ceiling|deadline|quota|constraint|maximum
                  |minimum|requirement|word\ count)\b(?:\s+\w+){0,4}?\s+(?:is|are|of|at|to|was|for|=
                  |:)\s*(?:\w+\s+){0,2}?[$€£¥]?\d
                  |\d[\w,.-]*\s+(?:word|character|page
                    |minute|hour|day|week)s?\s+(?:limit|cap|maximum|minimum|deadline)\b
                  |(?:under|below|within|no\ (?:more|less|fewer|later)\ than|at\ (?:most|least)
                    |not\ exceed|exceed(?:ing)?|limited\ to|restricted\ to|capped\ at|maximum\ of
                    |minimum\ of|a\ max\ of|less\ than|fewer\ than)\s+(?:an?\ |the\ |my\ 
                    |our\ )?(?:[$€£¥]?\d[\d,.]*\s?(?:[$€£¥%]|[A-Za-z]+)|(?:one|two|three|four|five|six
                    |seven|eight|nine|ten|twelve|twenty)\s[a-z]+)
                  |(?:must|has\ to|have\ to|needs\ to|cannot|can't|may\ not|should\ not|mustn't
                    |shouldn't)\s+(?:also\s+|only\s+|always\s+|never\s+|not\s+)?(?:be\s+(?:\w+\s+)?(?:by
                    |before|under|within|at|in|on|compatible|compliant|able|less|more)|exceed|stay
                    |remain|fit|support|comply|include|contain|miss|go\ over|run\ (?:on|under|in|within)
                    |cost|finish|submit|meet|eat|afford)\b
                  |(?:I'm|I\ am|we're|we\ are|is|are|not)\s+(?:not\ allowed|only\ allowed
                    |allowed\ only|required)\s+to\b|(?:I|we)\s+(?:only\ have|can\ only|can't\ afford
                    |cannot\ afford)\b
                  |(?:I'm|I\ am|he's|she's|is|are)\s+(?:severely\s+|strictly\s+)?(?:allergic
                    |vegetarian|vegan|lactose|gluten|diabetic|coeliac|celiac)\b|due\s+(?:by|on
                    |in)\s+\S)|[$€£¥]\d[\d,.kKmM]*\s+(?:budget|limit|cap)\b"""
            ),
            "budget|limit|cap|ceiling|deadline|quota|constraint|maximum|minimum|requirement|word count|under|below|"
            "within|no more|no less|no fewer|no later|at most|at least|exceed|restricted|a max of|less than|"
            "fewer than|must|has to|have to|needs to|cannot|can't|may not|should not|shouldn't|allowed|required|"
            "only have|can only|allergic|vegetarian|vegan|lactose|gluten|diabetic|coeliac|celiac|due",
        ),
        unless=compiled(
            r"\b(?:measured|completed|scored|achieved|noticed|decreased|dropped|spik\w+|solved"
            r"|probability|finished|verif(?:y|ied)|indicating|less\ than\ 0|as\ per"
            r"|tolerance\ to)\b|\b(?:under|within)\ \d[\d,]*\s(?:concurrent|simultaneous"
            r"|active|virtual)|\bunder\ load|\bcurrently\b.{0,20}\b(?:at|is)\b|\bI'm\ up\ to\b"
            r"|\baccuracy\ exceeding|^\W*(?:how|what|why|must\ I|do\ I|is\ it|does|should"
            r"|which|when)\b|\b(?:if|whether)\s+(?:I|we|it)\ (?:must|have\ to|need)"
        ),
        least=30,
        reason=_BECAUSE,
    ),
    # ------------------------------------------------------------------ open question
    Rule(
        "question",
        lexicon(
            "sure unsure undecided decided wonder wondering tbd know decide torn debating "
            "figure confused unclear hesitating considering"
        ),
        at_words(
            r"""(?:I'm|I\ am|we're|we\ are|am|still)\s+(?:\w+\s+)?(?:not\s+(?:\w+\s+)?(?:sure
              |certain|clear)|unsure|uncertain|undecided|wondering|torn|debating|hesitating
              |on\ the\ fence|unclear)\b
              |(?:I|we)\s+(?:still\s+|just\s+)?(?:haven't|have\ not|can't
                |cannot)\s+(?:yet\s+)?(?:decided?|figured?\ out|settled|chosen|make\ up\ my\ mind)\b
              |(?:I|we)\s+(?:still\s+)?(?:wonder|don't\ (?:yet\s+)?know
                |do\ not\ know)\s+(?:yet\s+)?(?:if|whether|how|what|which|when|where|who|why)\b
                |still\s+(?:need|have)\s+to\s+(?:decide|figure\ out|work\ out)\b
              |(?:TBD|to\ be\ (?:decided|determined|confirmed))\b|(?:remains?
                |is\ still)\s+(?:unclear|open|undecided)\b|open\s+question\b""",
            first="aiorstw",
        ),
        unless=compiled(
            r"(?:sure|unsure|certain|wondering|know)\b[^,;]{0,24}(?:\b(?:it|them|this|that|one"
            r"|these|there)\b(?:\s+(?:correctly|properly|right|effectively|here|yet|well))?"
            r"|to\ (?:start|begin|proceed|go)(?:\ from\ here)?|where\ I\ went\ wrong.{0,20}"
            r"|sure)\W*$|\b(?:if|whether|that)\s+(?:it's|it\ is|that's|this\ is|I'm"
            r"|they're)\s+(?:the\ |doing\ |a\ |on\ )?(?:it\ |things\ )?(?:\w+\ )?(?:best|right"
            r"|correct|correctly|enough|sufficient|worth|optimal|track|good"
            r"|properly)\b[^,;]{0,24}$|\bif\ you(?:'re|\ are)\s+(?:not\ sure|unsure)"
            r"|\bmake\ sure\b(?!.*\b(?:not|un)\ ?sure\b)"
        ),
    ),
    # ------------------------------------------------------------------ fact about the user, in their words
    Rule(
        "fact",
        lexicon("i'm i am i've name live work born years never old my we've"),
        at_words(
            r"""my\s+(?:full\s+|first\s+|last\s+)?name\s+is\s+\w|I\s+(?:live|lived|work|worked
              |study|studied|teach|was\ born|grew\ up|graduated|majored|speak|own|run)\s+(?:in|as|at
              |for|on|near|with|from|a|an|the|my)\b
              |(?:I'm|I\ am)\s+(?:a|an)\s+(?!(?:bit|little|lot|big|huge|fan
                |loss)\b)(?:[\w-]+\s+){0,3}?[\w-]+|(?:I'm|I\ am)\s+\d{1,2}(?:\s+years?\s+old
                |-year-old|[,.]|$|\s+and\b)|(?:I'm|I\ am)\s+from\s+[A-Z]
              |(?:I|we)(?:'ve|\ have)\s+never\s+\w+|I\s+never\s+\w+(?:ed|t|n)\b
              |I(?:'ve|\ have)\s+(?:now\s+)?(?:been\s+(?:\w+ing|married|employed|here)|worked|lived)\b.{0,40}?\b
               (?:for\s+(?:\w+\s+){0,2}?(?:years|months)|since\s+(?:\d{4}|[A-Z]))|(?:I|we)(?:'ve
                |\ have)\s+(?:already\s+|recently\s+|just\s+)?(?:completed|finished|built|written
                |created|achieved|earned|received|met|joined|started|known)\s+\w""",
            first="imw",
        ),
        unless=compiled(
            r"^\W*(?:how|what|should|do|why)\b|\b(?:if|like)\ (?:I'm|I\ am)\b|\b(?:I'm"
            r"|I\ am)\ an?\ (?:newbie|beginner)?\s*(?:so|,)?\s*(?:sorry|confused)"
        ),
    ),
)

# Where a clause begins before a match, and where a request takes over after it.
STARTS = compiled(
    r"[,;:]\s+(?!\d{4}\b)(?:(?:and|but|so|because|since|although|though|while|as|which)\s+)?"
    r"|\s[–—-]\s|(?-i:(?<=\s)[a-z][\w'-]*)\s(?:and|but|so|because|although|though)\s+(?=(?:I"
    r"|we|my|our|I'm|I've|I'd|we're|we've|it|the)\b)"
)
ENDS = compiled(
    r"""[,;]?\s+(?:(?:and|so|but|then|or|now)\s+)*(?:can|could|would|will)\s+(?:you|someone|anyone
      |anybody|somebody)\b
      |[,;]\s+(?:(?:and|so|but|then|or|also)\s+)*(?:how|what|which|where|who|why|is\ there
        |are\ there|do\ you|does\ (?:this|that|it)|did|should\ (?:I|we)|any\ (?:tips|ideas|advice
        |suggestions|thoughts)|can\ (?:I|we)|could\ (?:I|we)|please|help\ me|I\ (?:want
        |need)\ (?:help|to\ know|you\ to)|I'd\ like\ (?:help|to\ know)|I'm\ (?:not\ sure
        |wondering))\b
      |,?\s+(?:but|and|so)\s+(?:now\s+)?(?:I'm\ (?:having|still|not\ sure|unsure|trying|facing
        |looking|wondering|hoping|curious)|I\ (?:want|need)\ to\b|I've\ been\b|I'd\ like\b
        |I\ am\ (?:having|trying)|was\ that\b|is\ (?:this|that|it)\b)
      |,\s+(?:was\ that|will\ this|is\ (?:this|that|it))\b|\s+(?:and|so)\s+(?:how|what|which
        |I\ was\ wondering|I'm\ wondering)\b|\?"""
)

# Openings, courtesies and requests that say nothing of the matter; removed from a summary.
_OPENING = r"""^(?:(?:(?:hi|hey|hello|ok(?:ay)?|sure|great|thanks|thank\ you|got\ it|sounds\ good|hmm+|well|so
      |perfect|awesome|yes|yeah|no\ problem|alright)(?:\ (?:there|so\ much|a\ lot|again
      |for\ [^,.!]{1,60}))?[,.!]*\s+)+
      |(?:so\ |and\ |also\ )?(?:I'm|I\ am|I've\ been|we're)\s+(?:just\ |currently\ 
        |also\ )?(?:kinda\ |kind\ of\ |a\ bit\ |really\ )?wondering\ (?:if|about)\s+
      |(?:can|could|would|will)\s+(?:you|someone|anyone)\s+(?:please\ |also\ )?(?:help\ me\ (?:to\ 
        |with\ |out\ with\ |understand\ |figure\ out\ )?|explain\ |show\ me\ |tell\ me\ 
        |walk\ me\ through\ |provide\ |give\ me\ )?)"""
OPENING = compiled(_OPENING)
# A sentence that ends in a request holds one of `_CLOSING`, or has one of `_ASKED` among its last characters.
# `NOISE` looks for the request at every place: 38 us per sentence, where `OPENING` takes 1.
_CLOSING = (
    *(f"any {what}" for what in ("ideas", "tips", "thoughts", "suggestions", "advice")),
    *(f"does {what}" for what in ("this", "that", "it")),
    "what do you think",
    "let me know",
)
# The last letter of can, could, would or will, and who is asked.
_ASKED = tuple(f"{letter} {who}" for letter in "ndl" for who in ("you", "someone", "anyone"))
# "could someone please explain us out with these?" is the longest request of them.
_AT_THE_END = 60


def closes(text: str) -> bool:
    """Whether a sentence may end in a request, which `NOISE` removes. (`NOISE` also takes "thiſ" for "this".)"""
    lower = text.lower().rstrip(" ,，")
    end = lower[-_AT_THE_END:]
    return any(map(lower.__contains__, _CLOSING)) or any(map(end.__contains__, _ASKED))


NOISE = compiled(
    rf"""{_OPENING}
      |,?\s*(?:(?:and|so|but)\s+)?(?:can|could|would|will)\s+(?:you|someone
        |anyone)\s+(?:please\ )?(?:help|assist|guide|advise|explain|review|assist)?\s*(?:me
        |us)?\s*(?:out)?\s*(?:with|on)?\s*(?:that|this|it|these)?\s*\??$
      |,?\s*(?:(?:and|so)\s+)?(?:what\ do\ you\ think|does\ (?:this|that|it)\ (?:sound|look
        |make\ sense|work)[^?]*|let\ me\ know[^?.]*|any\ (?:ideas|tips|thoughts|suggestions
        |advice))\??$"""
)
# Possessive: courtesies in a row are read one way only, or a long run of them would be tried in every way.
BARE = compiled(
    r"""^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|thanks|thank\ you|great|perfect|awesome|cool|nice|got\ it
      |hmm+|alright|hi
      |sounds\ (?:good|great|perfect)|hello|hey|no\ problem|will\ do|exactly|right|bye|so\ much
        |very\ much|a\ lot|again
      |there)\b[\s,.!:]*+)*+(?:here(?:'s|\ is)\ (?:my|the|what)\ (?:current\ )?(?:code|draft)[^.]*\.?)?$"""
)

# Words that tell how the user feels; "not" before one turns it round.
POLARITY: dict[str, float] = {
    **dict.fromkeys(lexicon("thrilled ecstatic overjoyed delighted"), 1.0),
    **dict.fromkeys(
        lexicon("happy excited proud grateful glad thankful optimistic joyful elated amazed"), 0.8
    ),
    **dict.fromkeys(
        lexicon(
            "confident relieved pleased satisfied hopeful motivated encouraged inspired "
            "comfortable calm content eager"
        ),
        0.6,
    ),
    **dict.fromkeys(
        lexicon("nervous tired struggling bored uneasy skeptical sceptical concerned confused"), -0.4
    ),
    **dict.fromkeys(
        lexicon(
            "worried anxious stressed frustrated disappointed upset sad annoyed overwhelmed "
            "discouraged guilty lonely exhausted afraid scared insecure embarrassed stressful "
            "jealous"
        ),
        -0.7,
    ),
    **dict.fromkeys(lexicon("devastated furious miserable heartbroken terrified hopeless depressed"), -1.0),
}
_FEELINGS = "|".join(sorted(POLARITY, key=len, reverse=True))
FEELING = at_words(
    rf"""(?:(?:I|we)\s+(?:(?:was|were|am|are|feel|felt|get|got|became|become)\b
      |have\ been\s+feeling\b)|(?:I|we)(?:'m|'re|'ve\ been|\ have\ been)\b|(?:I|we)(?:'m|'re|\ am
      |\ are)\ feeling\b|(?:^|[,;]\s)feeling\b|makes?\ me\b|made\ me\b|left\ me\b)
      \s+(?P<how>(?:(?:feeling|feel|really|very|so|quite|kinda|kind\ of|a\ bit|a\ little|pretty
        |extremely|super|too|also|still|just|more|less|much|somewhat|incredibly|genuinely|not|never
        |no\ longer|starting\ to\ feel|getting)\s+)*)(?P<word>{_FEELINGS})\b
      (?:\s+(?:about|with|by|for|of|at|that|over|to)\s+(?:the\s+|my\s+)?(?P<about>(?:[^-,.;!?]
        |[-,.](?=\w)){{2,80}}))?""",
    first="filmw,;",
)
TURNED = re.compile(r"\b(?:not|never|no longer|less)\b", re.IGNORECASE)
