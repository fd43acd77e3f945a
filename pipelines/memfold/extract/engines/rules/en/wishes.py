"""Standing orders that are wished for: requests and ways of answering that last, what the assistant is to do or to
leave off, and what takes an order back. A table, read behind that of `orders.py`."""

from __future__ import annotations

from memfold.extract.engines.rules.en.wording import (
    ANSWERS,
    ASK,
    COMPOSED,
    FORM,
    FROM_NOW,
    FROM_THEN,
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
    TO_ME,
    TOLD,
    VERB,
    order,
)
from memfold.extract.engines.rules.rule import Rule, compiled
from memfold.text.calendar import WEEKDAY
from memfold.text.terms import lexicon
from memfold.text.values import LANGUAGE
from memfold.text.withdrawn import FREES

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
_LEAVES_OFF = rf"""(?:(?:no\ more|(?:quit\ with|enough\ with|lay\ off|drop|lose|ditch|skip|leave\ out|cut(?:\ out)?
    |spare\ me)\ the
    |I\ (?:don't|do\ not)\ (?:want|need)\ any\ more)\ {_LEFT_OFF}
  |{_NO_NEED}\ (?:(?:to\ (?:add|give|cite|include|mention|use)|for)\ (?:the\ |any\ |your\ )?{_LEFT_OFF}
    |to\ (?:answer|reply|respond|write|speak|talk)\ (?:to\ me\ )?in\ (?:{LANGUAGE}))
  |no\ more\ (?:{LANGUAGE})
  |I\ (?:no\ longer\ (?:need|want)|(?:don't|do\ not)\ need(?=.*\ any\ ?more\b))\ (?:the\ |any\ |an?\ )?
    (?:{MARKS}|{_PARTS})
    (?:\ any\ ?more)?)
  (?:,?\ (?:please|pls|thanks|thank\ you|ok(?:ay)?|from\ now\ on))*"""
# What an assistant does from habit.
_DOES = (
    r"(?:apologi[sz]e|say|tell\ me|remind\ me|ask\ me|call\ me|thank\ me|greet|add|repeat|suggest|recommend|use|start"
    r"|begin|open|end|finish|close|mention|include|give|explain|warn|answer|reply|respond|write|put|show"
    r"|cite|summari[sz]e"
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
# How long something holds, beside the forms of `FROM_NOW`. "By default", "in general", "permanently" and "every time"
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
_DONT = r"(?:don't|dont|do\ not)"
_TONE = r"(?:honest|direct|blunt|frank|brief|concise|critical|strict|formal|informal|friendly|polite|patient|gentle)"
# Things in general, which "the" or "my" would make those of one text.
_ANY_OF = (
    r"(?:me\ )?(?:(?!(?:the|my|our|his|her|their|its|any\ of|one|two|him|them|us|people)\b)[\w-]+\ ){0,3}?"
)
_HABIT = rf"(?:{MARKS}|(?:big|long|hard|difficult|complicated|technical|fancy|foreign|swear)\ words|technical\ terms)"
_WITH_ME = rf"(?:{_HABIT}|baby\ talk|formulas?|equations)"
_SUGGESTED = (
    r"(?:recipes|restaurants|dishes|meals|foods?|snacks|drinks|desserts|books|films|movies|shows|series|games|songs"
    r"|hotels|places|shops|trips|exercises|workouts|activities|ideas|products|brands|gifts|suggestions|tips|advice"
    r"|anything|things|stuff)"
)
# What is got from somebody, and from whom: by name, or "that shop".
_GET = r"(?:buy|order|book|purchase|rent|hire|get|download|install|subscribe\ to|recommend|suggest|offer)"
_FROM_WHOM = (
    r"(?:anything|any\ [\w-]+|stuff|things)\ (?:(?:made|sold|built)\ )?(?:from|at|with|by)\ (?:outside\ )?"
    r"(?!(?:the|my|our|an?|me|us|him|her|them|here|there|now|which|what|outside|first|once|all|random)\b)"
    r"[\w.&'-]+(?:\ [\w.&'-]+)?"
)
# Voices of a text.
_GRAMMAR = r"(?:passive|active|same|right|wrong|first|second|third|narrator|whole|male|female)\b"
_WAY = r"(?:e-?mail|chat|text|sms|whatsapp|signal|letter|phone)"
# Where such an order ends, unless it holds for a while only.
_FOR_GOOD = (
    rf"(?=\W*$|,|;|\ [–—-]|\ (?:{PLEASE}|because|since|as|ever|again|any\ ?more)\b)"
    r"(?!.*\b(?:until|before|yet|now|today|tonight|tomorrow|this\ \w+)\b)"
)
# A habit that says why.
_HABIT_OF_MINE = (
    r"(?:I|we)(?:\ (?:never|hate|avoid|boycott)|(?:'m|'re|\ am|\ are)\ (?:allergic|intolerant|against|vegan|vegetarian"
    r"|not\ an?|an?)|\ (?:can't|cannot)\ (?:eat|drink|have|stand|use|take)"
    r"|\ (?:don't|dont|do\ not|no\ longer)\ (?!have\b|need\b|want\b|know\b|think\b|see\b))"
    r"(?![^,;?]*\ (?:this|that|it|them|yet|now|today)\b)[^,;?]{0,60}"
)
# Why an order holds: what the user is, has or does at all times.
_AS_I_AM = (
    r"(?:I'm|im|I\ am|we're|we\ are|my|(?:I|we)\ (?:am|do|don't|dont|can't|cant|cannot|keep|hate|never|avoid|have|find"
    r"|read|know|use))\b"
)
# What may stand behind an order to leave something off.
_AFTER = rf"""(?:\ (?:{PLEASE}|at\ all|ever|thanks|in\ (?:your|any)\ {ANSWERS}|when\ you\ (?:answer|reply|write|talk)))*
  (?:\W*$|(?:\ (?:because|since|as)|,|;|\ [-–—])\ (?:{_AS_I_AM}|(?:they|it)\b[^,]*\bme\b)
    |(?:,|\ and)\ (?:(?:just|only|instead)\ )*(?:answer|reply|respond|talk|speak|write|keep)\b)"""
_NOT_ASKED = compiled(rf"[^?\s]\s*\Z|^{HEAD}(?:can|could)\ (?:you|we)\ ")

RULES: tuple[Rule, ...] = (
    # A request, or a way of answering, that lasts.
    order(
        lexicon(
            "from forward future henceforth lessons talks ever general habit "
            "unless times time "
            "anything everything whatever until today later chats conversations draft"
        ),
        compiled(rf"\b(?:{FROM_NOW}|{_LASTS}|until\ (?:then|I)\b)"),
        needs=compiled(
            rf"""^{LABEL}?{HEAD}(?:{FROM_NOW}|{_LASTS})[,:]?\s+{HEAD}(?:{NOT}\s+)?(?:{VERB}\b
                |you\ {_ADDRESSED}\b|no\ \w
                |I(?:'d\ like|\ want|\ would\ like)\ (?:you\b|(?:all\ |your\ )?(?:[\w.-]+\ ){{0,3}}?{FORM}\b))
              |^{HEAD}(?:{FROM_NOW}|{_LASTS})[,:]?\s+(?:only\ |just\ |no\ |more\ 
                |less\ )?(?:[\w-]+\ ){{0,2}}?{FORM}\b
               (?!\ (?:is|are|was|were|will|have|has)\b)
              |(?:^|[,:–—-]\s|\bso\ ){HEAD}(?:{NOT}\s+|dont\s+|no\ need\ to\ |you\ (?:don't\ (?:need|have)\ to|can
                |may|should)\ )?
               (?:{VERB}|feel\ free\ to|apologi[sz]e|hold|hand|talk|do|explain|quiz|switch|sign\ off
                |leave)\b(?!\ (?:care|of)\b)[^?]*(?:{FROM_NOW}|{_LASTS})
              |^{HEAD}until\ (?:then|I\b[^,]{{2,30}}),?\ (?:please\ )?(?:{NOT}\s+)?{_ADDRESSED}\b
              |(?:^|[,:–—-]\s|\bso\ ){HEAD}you\ {_ADDRESSED}\b[^?]*(?:{FROM_NOW}|{_LASTS})
              |^{HEAD}(?:only\ |just\ |no\ (?:more\ )?|more\ |less\ )?(?:[\w-]+\ ){{0,2}}?{FORM}\ (?:(?:again|only,?
                |please|first|too|in\ \w+)\ ){{0,2}}
               (?:{FROM_NOW}|{_LASTS})
              |(?:^|[,:–—]\s|\b(?:so
                |please),?\ )(?:please,?\ )?no\ (?:more\ )?(?:[\w-]+\ ){{0,2}}?{FORM}\b[^?]*(?:{FROM_NOW}|{_LASTS})
              |\bcould\ we\ (?:do\ (?:all|every\w*|our)|use|keep|speak|stick|talk)\b[^?]*{FROM_NOW}
              |\b(?:can|could|would|will)\ (?:you|u)\ (?:please\ |pls\ |also\ |maybe\ |just\ )*(?:always|never|not|be
                |keep|use
                |call|address|stop|avoid|answer|reply|respond|talk|speak|stick|drop|skip|leave\ out|lay\ off|ease\ up
                |limit|cite|assume|refer|switch|omit|treat
                |quiz)\b[^?]*(?:{FROM_NOW}|{_LASTS})
              |\bwould\ you\ mind\ (?:not\ )?\w+ing\b[^?]*(?:{FROM_NOW}|{_LASTS})
              |\b(?:great|nice|good|helpful|lovely|better|best|cool)\ if\ you\ (?:(?:could|would
                |can)\ )?\w+\b[^?]*(?:{FROM_NOW}|{_LASTS})
              |\blet's\ (?:do|speak|talk|write|switch|chat)\b[^?]*{FROM_NOW}
              |^{HEAD}(?:every|all)\ (?:[\w-]+\ ){{1,3}}{FROM_NOW}\s*[:,]
                |^{HEAD}(?:one\ thing\ )?{_LASTS}:\s*(?:{VERB})\b"""
        ),
        unless=compiled(
            rf"""{TOLD}|{HELP}|{COMPOSED}|^\W*(?:how|what|should|why|is|are|do\ (?:I|you|we)|does|which|who|when
                |where)\b
              |\b(?:how|what)\ (?:can|should|do|could|would|to)\b|\b(?:do|does|did|should|must|can)\ (?:I|we|it|this
                |they)\b|\b(?:going|moving)\ forward\ with\b
              |\b(?:I|we|he|she|they|it|this|that|there)(?:'ll|'ve|'m|\ (?:will|am|is|was|were|have|had|can't
                |won't))\b(?:(?!\ so\b)[^,])*(?:{FROM_NOW}|{_LASTS})"""
        ),
    ),
    # What the assistant makes again and again, the future answers, and a way of speaking.
    order(
        lexicon(
            "draft write whatever future talk speak translations summaries recipes mails emails letters texts answers "
            "replies explanations drafts charts pictures text plans only always answer"
        ),
        compiled(
            rf"""\b(?:you\ (?:write|draft|make|give|send|show|suggest|recommend|create)\ (?:(?:for|to)\ )?me
              |future\ {ANSWERS}|I\ (?:always|only)\ (?:want|need|prefer|expect)|(?:you|u)\ (?:please\ |pls\ 
                |just\ )?(?:talk|speak))\b"""
        ),
        needs=compiled(
            rf"""\b{_MADE}\ (?:should|must|need\ to|has\ to|have\ to|shouldn't|mustn't|please|can't)\b
              |\b(?:I\ (?:want|need|prefer|expect)|no|without|keep|use)\b[^?]*\b(?:in|for|with)\ (?:\w+\ )?{_MADE}
              |^{HEAD}(?:for\ )?(?:all\ |any\ )?(?:(?:my|your|our)\ )?future\ {ANSWERS}\s*(?:->|→|=|[:–—-])\s*\S
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
            rf"""{TOLD}|{HELP}|^\W*(?:how|what|why|which|who|where|do|does|did|is|are|can\ I|should\ I)\b
              |{HOW_CAN_I}"""
        ),
    ),
    # What the assistant is wished to do, or not, whenever it may.
    order(
        lexicon(
            "rather prefer want need expect hate dislike love like appreciate stand mind needn't don't no again "
            "whenever time anytime "
            "default quit enough lay keep"
        ),
        compiled(
            rf"""\bI(?:'d|\ would)\ (?:much\ )?(?:rather|prefer)\ (?:it\ if\ |that\ )?you\b
                (?:\ (?:call|address)(?:ed)?\ me\b
                |(?=[^?]*\b(?:{FORM}|ever|never|always|again|any\ ?more|{FROM_NOW})\b))
              |\bI\ (?:don't|do\ not|never)\ want\ (?:you\ to\ {_DOES}\b[^?]*\b(?:ever|again|any\ ?more)\b
                |(?:to\ (?:see|hear|read|get)\ )?(?:any\ more|(?:any|your)\b(?=[^?]*\b(?:again|any\ ?more)\b))
                 \ (?:[\w-]+\ ){{0,2}}?{MARKS}\b)
              |\bI\ (?:(?:really|just|do)\ )?(?:hate|dislike|can't\ stand|(?:don't|do\ not)\ like|like|love|prefer
                |appreciate)\ it\ when\ you\ (?:always\ )?{_DOES}\b
              |\bI(?:'d\ like|\ want|\ need|\ expect)
                \ (?:you\ to\ (?:start|begin|end|finish|keep|write|give|make)\ )?{_EACH_ANSWER}
              |^{HEAD}(?:{_NO_NEED}\ to|you\ (?:(?:don't|do\ not)\ (?:need|have)\ to|needn't))
                \ {_DOES}\b.*\b(?:each|every)\ (?:single\ )?(?:time|message|reply|answer)\b
              |\b(?:can|could|would|will)\ you\ (?:please\ )?(?:remind\ me|warn\ me|ask\ me|add|include|mention|use
                |show|list)\b(?:(?!\b(?:why|what|how|who|if|whether)\b)[^?])*
                \b(?:whenever|(?:every|each|any)\ ?time)\ I\ {ASK}\b
              |\bwould\ you\ mind\ (?:(?:always|never)\ (?!being|having)\w+ing|not\ \w+ing\ so\ (?:many|much))\b
              |\bI(?:'d\ like|\ want|\ need|\ expect)\ you\ to\ be
                \ (?:(?:always|more|as|very|really|completely|brutally)\ )*
                {_TONE}\ (?:with|to|towards)\ me\b
              |^{HEAD}(?:don't|do\ not|never)\ give\ me
                \ (?:(?:any|unsolicited|medical|legal|financial|tax|health)\ )+advice\b
                (?!\ (?:on|about|for)\ (?:this|that))
              |^{HEAD}{_DONT}\ keep\ {_DOING}\b|^{HEAD}never\ again\ (?!use\b){_DOES}\b
              |^{HEAD}by\ default,?\ (?:please\ )?(?:assume\ (?:that\ )?(?:I|my)|(?:give|show|tell|answer)\ me)\b
              |^{HEAD}(?:no\ more|(?:quit\ with|enough\ with|lay\ off)\ the)\ (?:["\w-]+\W+){{0,4}}?{MARKS}
                {MARKS_END}"""
        ),
        unless=compiled(rf"{TOLD}|{HERE}"),
    ),
    # What the assistant is told not to do, in words that concern no one text.
    order(
        lexicon("don't dont not"),
        compiled(
            rf"""^{HEAD}{_DONT}\ (?:remind\ me\ (?:about|to)\ (?!(?:it|that|this)\b)\w
              |(?:use|make|add)\ {_ANY_OF}{_WITH_ME}\ with\ me\b
              |be\ (?:(?:so|too)\ )?{_TONE}\ (?:with|to|towards)\ me\b)"""
        ),
        unless=compiled(HERE),
    ),
    # How it talks with the user: no voice put on, no lecture; and by which way it reaches them.
    order(
        lexicon("don't dont not never stop drop lose skip cut talk speak no only"),
        compiled(
            rf"""^{HEAD}(?:(?:{_DONT}|never)\ (?:(?:do|use|put\ on|pull|try|give\ me|go\ into)\ )|(?:stop|quit)
                \ (?:(?:doing|using|with|w/)\ )|(?:drop|lose|skip|cut)\ )
                (?:the|that|your|this|all\ that)\ (?!{_GRAMMAR})(?:[\w'-]+\ ){{1,3}}?(?:voice|tone|persona|speak)\b
                (?!\ (?:in|of|part|for|and|from|on|at)\b)
              |^{HEAD}{_DONT}\ (?:ever\ )?(?:(?:lecture|patroni[sz]e|coddle|flatter|psychoanaly[sz]e|talk\ down\ to
                |preach\ (?:at|to)|go\ all\ \w+\ on)\ me\b
                |sugar-?coat(?:\ (?:it|things|anything|stuff|your\ \w+|bad\ news|the\ truth))?(?=\W*$|[.,;!]))
              |^{HEAD}(?:talk|speak|chat)\ (?:(?:to|with)\ me\ )?(?:like|as|as\ if|as\ though)
                \ (?:an?\ (?:[\w-]+\ )?(?:friend|mate|buddy|pal|human(?:\ being)?|person|grown-?up|adult|colleague
                  |peer)\b
                |(?:you(?:'re|\ are|\ were)|we(?:'re|\ are|\ were))\ [a-z])
              |^{HEAD}(?:talk|speak)\ (?:to\ me\ )?normal(?:ly)?\W*$
              |^{HEAD}(?:{_DONT}|never)\ (?:ever\ )?(?:call|phone|ring)\ me
                \ (?:(?:on|by)\ (?:(?:the|my)\ (?:\w+\ )?)?(?:phone|mobile|cell|landline)\b
                |at\ (?:work|home|night|the\ office)\b|(?:before|after)\ \d|during\ (?:work|the\ (?:day|week|night))\b
                |on\ (?:weekends|{WEEKDAY}s)\b)
              |^{HEAD}no\ (?:phone\ |cold\ )?calls(?=,?\ {PLEASE}\b)
              |^{HEAD}{_WAY}\ (?:(?:or|and)\ {_WAY}\ )?only,?\ {PLEASE}(?=\W*$|,\ no\b)"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(
            rf"{TOLD}|{REPORTED}|\b(?:in|for|of)\ (?:the|this|that|my|our|an?|his|her)\ [\w-]+"
            r"|\b(?:here|now|today|tonight|tomorrow)\b"
        ),
    ),
    # From some day on, towards the user: "from next week on page me by phone".
    order(
        lexicon("from starting henceforth forward future"),
        compiled(
            rf"""^{HEAD}(?:{FROM_THEN},?\ {HEAD}(?:{NOT}\ )?(?:{TO_ME}|(?:send|tell|show|ask|remind)\ me\b)
              |(?:{NOT}\ )?(?:{TO_ME}(?!\ (?:what|how|when|which|that|if|who|why)\b)
                |(?:send|remind)\ me\b(?=.*\b(?:every|each|daily|weekly|on\ \w+days|and\ not|instead\ of)\b))
                [^?]*?\b{FROM_THEN})"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(rf"{TOLD}|{COMPOSED}|{HELP}"),
    ),
    # From whom nothing is to be got, and what is not to be suggested to who never uses it.
    order(
        lexicon("don't dont not never"),
        compiled(
            rf"""^{HEAD}(?:{_DONT}|never)\ (?:ever\ )?{_GET}\ (?:me\ )?{_FROM_WHOM}{_FOR_GOOD}
              |^{HEAD}{_HABIT_OF_MINE},?\ so\ {HEAD}(?:{_DONT}|never)\ (?:ever\ )?(?:suggest|recommend|offer|propose
                |mention|bring\ up|order|buy|book|use)\ (?:me\ )?(?:it|them|that|those|any|anything|one|ones|[\w-]+)
                {_FOR_GOOD}"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(TOLD),
    ),
    # The same of what a text holds too: beside other sentences it may mean that text.
    order(
        lexicon("don't dont not"),
        compiled(
            rf"""^{HEAD}{_DONT}\ (?:(?:use|add|put|include|write|make|give|send|show)\ {_ANY_OF}{_HABIT}{_AFTER}
              |(?:give|send|show|suggest|recommend|offer)\ {_ANY_OF}{_SUGGESTED}
                \ (?:with|containing|made|that\ (?:contain|have|involve|include))\ \w
              |(?:suggest|recommend|offer)\ {_ANY_OF}(?!(?:anything|things|it|yet|now)\b)[\w-]+
                (?:,|;|\ [-–—]|\ (?:because|since|as))\ {_AS_I_AM})"""
        ),
        unless=compiled(HERE),
        alone=True,
    ),
    # A way of answering that is all a message says.
    order(
        lexicon("use stick keep be get cut only pls please plz"),
        compiled(
            rf"""^{HEAD}(?:(?:use|{_STICK})\ (?:(?:British|American|UK|US)\ (?:English|spelling)
              |(?:metric|imperial|SI)\ (?:units|measurements))
              |{_STICK}\ (?:(?:plain\ |simple\ )?(?:{LANGUAGE})|metric|imperial)
              |use\ (?:simple|plain|easy|everyday)\ (?:words|language|English|terms)
              |be\ (?:more\ )?(?:concise|brief|succinct)
              |get\ (?:straight\ |right\ )?to\ the\ point|cut\ to\ the\ chase
              |(?:short|brief|concise|plain|simple|blunt)\ (?:answers|replies|responses)(?:\ only)?(?=,?\ {PLEASE}\b)
              |(?:bullets|bullet\ points|prose|metric(?:\ units)?|lists|tables|lower-?\ ?case)\ only(?=,?\ {PLEASE}\b)
              |keep\ (?:it|things)\ (?:short|brief|simple|concise|plain)(?:\ and\ (?:short|simple|sweet|plain))?)
              (?:,?\ (?:{PLEASE}|always|thanks)
                |[,;]?\ (?:because\ |since\ )?I(?:'m|\ am)\ (?:not\ a\ native\ speaker|a\ beginner))*\W*$"""
        ),
        alone=True,
    ),
    # What takes an order back (`memfold.layers.orders`); it binds nothing if there is none.
    order(
        lexicon(
            "anymore more longer again now forget scrap drop ignore disregard cancel undo lift revoke retract withdraw "
            "long lifted off void cancelled canceled stop skip leave back mind enough quit lose "
            "may allowed fine ok okay"
        ),
        FREES,
        needs=_NOT_ASKED,
        # "I no longer need a car" is of the user's own life.
        unless=compiled(
            rf"""\bI\ (?:no\ longer\ (?:need|want)\ (?!your?\b|(?:the|an?|any|those)\b.*\b(?:{MARKS}|{_PARTS})\b)
              |(?:don't|dont|do\ not)\ need\b)"""
        ),
    ),
    # Orders to leave something off. Beside other sentences they may mean the text at hand, or the user's own life.
    order(
        lexicon("no drop lose ditch skip leave need quit enough lay cut spare"),
        compiled(
            # "One more thing, …" announces an order for all answers, so a reason may follow it.
            rf"""^(?:(?:one|another)\ (?:more\ )?thing[,:]\s+{HEAD}{_LEAVES_OFF}(?=\W*$|,)|{HEAD}{_LEAVES_OFF}\W*$)"""
        ),
        needs=_NOT_ASKED,
        alone=True,
    ),
)
