"""Standing orders to an assistant that works on files, tools, branches and tickets: what it may touch, what it does
before and after, and when it is to ask. A table, read behind that of `wishes.py`.

What binds the task at hand alone looks much alike ("don't edit this file", "run the tests now"), so each form has to
name a kind of things ("generated files"), a place, something that happens again and again, or a leave to be given.
"""

from __future__ import annotations

from memfold.extract.engines.rules.en.wording import (
    COURTESY,
    HEAD,
    HELP,
    PLEASE,
    REPORTED,
    SCOPE,
    TO_ME,
    TOLD,
    VERB,
    order,
)
from memfold.extract.engines.rules.rule import Rule, compiled
from memfold.text.calendar import WEEKDAY
from memfold.text.terms import lexicon

# What an assistant does to files, systems and people's business.
_DOES = (
    r"(?:access|add|alter|approve|call|cancel|change|check\ in|close|commit|contact|copy|create|delete|deploy"
    r"|disclose|drop|edit|e?-?mail|execute|expose|(?:force|hard)-?\ ?push|format|install|invent|issue|leak|log|merge"
    r"|message|modify|move|open|overwrite|post|print|promise|publish|push|query|read|rebase|refund|release|remove"
    r"|rename"
    r"|reply\ to|reset|restart|reveal|rewrite|roll\ back|run|sell|send|share|ship|skip|start|stop|submit|switch\ off"
    r"|touch|truncate"
    r"|turn\ off|update|upgrade|upload|use|write)\b"
)
# The work that an order tells to do, with what else may stand first in an order behind its case.
_WORKS = (
    r"(?:add|ask|attach|avoid|back\ up|build|bump|check|cite|clean\ up|close|commit|confirm|consult|create|delete"
    r"|deploy"
    r"|document|double-?check|e?-?mail|explain|fetch|format|include|keep|leave|link|lint|list|log|look\ up|make|mention"
    r"|notify|open|ping|post|pull|push|put|quote|re-?run|read|rebase|record|regenerate|remove|report|restart|review|run"
    r"|save|say|search|send|show|squash|start|stop|summari[sz]e|sync|tag|tell|test|update|use|validate|verify|wait"
    # "After each commit, deploy starts by itself" tells of the user's world.
    r"|write)\b(?!\ (?:is|are|was|were|has|have|starts?|fails?|takes?|gets?|grows?|happens?|breaks?|runs?)\b)"
)
_NOT = (
    r"(?:(?:don't|dont|do\ not|never)\ (?:ever\ )?|you\ (?:must\ not|mustn't|must\ never|may\ (?:not|never)"
    r"|should\ never|are\ (?:not|never)\ to|are\ not\ allowed\ to|aren't\ allowed\ to)\ (?:ever\ )?)"
)
# The same where an order needs no other sign that it lasts: "don't" alone does for the task at hand.
_MUST_NOT = (
    r"(?:you\ (?:must\ (?:not|never)|mustn't|may\ (?:not|never)|are\ never\ to"
    r"|are\ not\ allowed\ to|aren't\ allowed\ to)\ (?:ever\ )?)"
)
_TELLS = (
    r"(?:(?:always\ |(?:be|make)\ sure\ (?:that\ )?(?:you\ |to\ )|remember\ to\ |you\ (?:should|must|have\ to|need\ to)"
    r"\ |I(?:'d\ like|\ would\ like|\ want|\ need|\ expect)\ you\ to\ |(?:could|would|can|will)\ you\ please\ )"
    r"(?:always\ )?)?"
)
# No "this", "it" or "now" up to the comma: then it binds the task at hand.
_LASTING = (
    r"(?![^,;]*\b(?:this|these|those|it|yet|now|today|tonight|tomorrow|for\ once|so\ far|any\ more|anymore"
    r"|that(?=\W*(?:,|$)|\ (?:one|file|folder|branch|line|test|function|table|part|bit|ticket|order))"
    r"|(?:in|of|for)\ (?:the|my|our|an?|your)\ (?:[\w-]+\ )?(?:draft|mail|letter|essay|text|report|story|poem|paragraph"
    r"|section|chapter|function|title|plan|list|table))\b)"
)
# Where an order's part ends: a name that goes on may be another thing's ("every release date").
_END = rf"(?=\W*$|,|;|\ [–—-]|\ (?:{PLEASE}|and|because|since|as|so|unless|without|ever|either)\b)"
_FOLDER = (
    r"(?:folders?|director(?:y|ies)|dirs?|packages?|modules?|repos?|repositor(?:y|ies)|schemas?|tree|branch)"
)
_PLACE = (
    rf"(?:(?:under|beneath|below|outside(?:\ of)?|in|inside|within|from)\ [`\"']?(?:[\w.~*-]*/[\w./*~-]*"
    rf"|(?:the\ |our\ |my\ )?(?:[\w./-]+\ ){{1,3}}?{_FOLDER})"
    r"|(?:under|beneath|below|outside(?:\ of)?)\ (?!the\b|my\b|our\b|an?\b)[\w.-]+"
    rf"|(?:in|from)\ (?:the\ |our\ )?(?:[\w-]+\ ){{1,3}}?(?:databases?|buckets?|accounts?|inbox))[`\"']?{_END}"
)
# "You must not change the title" is for the text at hand.
_OF_ONE_TEXT = (
    r"(?:the|my|our|its|their|any)\ (?:[\w-]+\ )?(?:titles?|names?|wording|texts?|meanings?|tone|order|words?"
    r"|paragraphs?"
    r"|sentences?|lines?|functions?|methods?|variables?|values?|numbers?|formats?|structure|layout|length|style|rhymes?"
    r"|plot|ending|signatures?|columns?|rows?|cells?|quotes?)\b"
)
# What is generated, secret or others', without "the": always, not in one file.
_KINDS = (
    r"(?:(?:auto-?)?(?:generated|vendored|compiled|minified|third-?party|binary|lock|legacy|production|prod|customer"
    r"|user|personal|private)\ (?:files?|code|data|assets|sources|artifacts|secrets|names)"
    r"|lock-?files|(?:build\ )?artifacts|binaries|secrets|credentials|passwords|(?:api\ |access\ |private\ )?keys"
    r"|(?:access\ )?tokens|\.env(?:\ files)?|stack\ traces|card\ numbers|invoice\ numbers|personal\ data)"
)
_EVENT = (
    r"(?:(?:git\ |feature\ |production\ |code\ |new\ |bug\ |single\ |finished\ |completed\ )*(?:commits?|push(?:es)?"
    r"|merges?|pull\ requests?|prs?|mrs?|merge\ requests?|releases?|deploy(?:s|ments?)?|tasks?|tickets?|refunds?"
    r"|bug-?fix(?:es)?|fix(?:es)?|refactor(?:s|ings?)?|migrations?|code\ changes?)\b)"
)
# What is done at such a point by who works, and seldom by what they program.
_ROUTINE = (
    r"(?:(?:back\ up|build|bump|check|clean\ up|commit|document|fetch|format|lint|log|notify|ping|post|pull|push"
    r"|re-?run"
    r"|rebase|report|review|run|squash|summari[sz]e|sync|tag|test|type-?check|update|validate|verify|wait)\b"
    r"|(?:ask|tell|send|show|remind|e?-?mail)\ me\b|(?:write|post|send|give\ me|leave)\ an?\ (?:\w+\ )?(?:summary|note"
    r"|report|entry|line|comment)\b|(?:create|make|take|open)\ an?\ (?:\w+\ )?(?:branch|backup|tag|snapshot|checkpoint"
    r"|commit|ticket)\b)"
)
_DEMANDED = (
    r"(?:an?\ |the\ )?(?:[\w-]+\ )?(?:tests?|sources?|citations?|references?|(?:change-?log\ )?entry|entries"
    r"|doc-?strings?"
    r"|reviews?|tickets?|backups?|summary|explanation|links?|type\ hints)"
)
# "After every merge, deploy starts by itself" tells what happens: what may be a noun is an order with an object.
_HAPPENS = (
    r"(?:build|cancel|change|check|commit|deploy|fix|format|lint|log|merge|post|pull|push|release|report|review|run|sync"
    r"|tag|test|update|use)\ (?!(?:the|my|our|your|all|an?|me|it|them|every|each|any|tests?|docs?|linters?|pytest|make"
    r"|versions?)\b|[\w-]*[./])"
)
# Changes and edits are also what a program counts; these are done by who works on code.
_CHECKS = (
    r"(?:re-?run|run|lint|format|test|commit|type-?check)\b[^,;?]*\b(?:tests?|suite|linters?|checks?|checker"
    r"|formatters?"
    r"|build|ruff|mypy|black|eslint|prettier|pytest|commit)"
)
_BRANCH = (
    r"(?:(?:an?|your|its|their|the|separate|own|new|feature|topic|short-?lived|dev(?:elopment)?|work)\ )*"
    r"(?:branch(?:es)?|fork|worktree)"
)
_MAIN = r"(?:the\ )?(?:main|master|trunk|production|prod|(?:main|master|default|release|production)\ branch)"
_TRIAL = (
    r"(?:(?:the|our|my|a)\ )?(?:(?:staging|sandbox(?:ed)?|test(?:ing)?|dev(?:elopment)?|demo|read-?only|replica"
    r"|non-?production)\ (?:[\w-]+\ )?(?:databases?|dbs?|accounts?|environments?|env|servers?|clusters?"
    r"|replicas?|instances?|tenants?|credentials|keys?|workspaces?|inbox|queue|sandbox|api|endpoints?|buckets?|system)"
    r"|staging|sandbox|(?:read-?only\ )?replica)"
)
_MY_LEAVE = (
    r"(?:without\ (?:asking\ me|(?:first\ )?checking\ with\ me|consulting\ me|telling\ me|my\ (?:explicit\ |written\ "
    r"|prior\ )?"
    r"(?:approval|permission|consent|ok(?:ay)?|go-?ahead|say-?so|confirmation|review))|unless\ I\ (?:approve|confirm"
    r"|agree|say\ so|tell\ you\ to))\b"
)
_LEAVE = rf"(?:without\ asking\b|{_MY_LEAVE})"
_ASKS_ME = (
    r"(?:ask(?:\ me)?(?:\ for\ (?:my\ )?(?:permission|approval|confirmation))?|check\ with\ me|confirm\ with\ me"
    r"|consult\ me"
    r"|get\ my\ (?:explicit\ |written\ )?(?:approval|permission|ok(?:ay)?|go-?ahead|confirmation)"
    r"|wait\ for\ my\ (?:approval|ok(?:ay)?|go-?ahead|confirmation)|warn\ me|let\ me\ know)"
)
_BEFORE = rf"before\ (?:you\ (?:ever\ )?{_DOES}|(?!being\b|going\b|doing\b|starting\b)[a-z]{{3,}}ing\b)"
# What an assistant writes again and again while it works.
_WRITTEN = (
    r"(?:(?:the\ |your\ |any\ |all\ )?(?:commit\ messages?|commits|(?:pull\ request|pr|issue|ticket)\ (?:titles?"
    r"|descriptions?|comments?)|pull\ requests|prs|branch\ names|file\ ?names|variable\ names|code\ comments"
    r"|doc-?strings"
    r"|test\ names|log\ messages|logs|change-?log\ entries|release\ notes|subject\ lines|production\ code"
    r"|(?:replies|mails|e-?mails|messages)\ to\ (?:customers|clients|users|guests)|customer\ (?:replies|mails"
    r"|e-?mails)))"
)
_STYLE = (
    r"(?:type\ (?:hints|annotations)|doc-?strings|tabs|spaces|(?:single|double)\ quotes|semicolons|snake_?case"
    r"|camel_?case|f-strings"
    r"|(?:iso|utc)\ (?:dates|times|timestamps)|utc|british\ (?:english|spelling)|american\ (?:english|spelling)"
    r"|strict\ mode|absolute\ imports|relative\ imports|async/await)"
)
_EVERYWHERE = r"(?:everywhere|throughout|in\ all\ (?:files|code))"
# "Whenever you have time" and "whenever you are ready" are for once.
_AT_LEISURE = (
    r"(?:(?:'re|\ are)?\ (?:have|get|find|can|could|want|like|feel|need|wish|think|prefer|ready|free|available|able"
    r"|bored|around|back|finished|done(?!\ with\ (?:an?|any|each|every)\b)))\b"
)
_ANY = (
    r"(?:an?|any|another|each|every|new|more|some)\ (?:[\w-]+\ ){0,2}?(?:files?|dependenc(?:y|ies)|packages?|librar(?:y"
    r"|ies)|tasks?|tickets?|bugs?|pull\ requests?|prs?|branch(?:es)?|commits?|migrations?|customers?|clients?|refunds?"
    r"|issues?|releases?|endpoints?|modules?|scripts?|mails?|e-?mails?|reply|repl(?:y|ies)|cases?|papers?|experiments?)"
)

# A question orders nothing, unless it is a request.
_NOT_ASKED = compiled(rf"[^?\s]\s*\Z|^{HEAD}(?:can|could|would|will)\ you\ please\b")

RULES: tuple[Rule, ...] = (
    # What it may not touch, and whom it asks.
    order(
        lexicon("don't dont not never mustn't aren't"),
        compiled(
            rf"""^{HEAD}(?:{_NOT}{_DOES}(?:
                \ (?:anything|any\ (?:[\w-]+\ )?(?:files?|code|scripts?|tests?)|(?:the\ )?files?|code
                  |stuff)\ (?:that\ (?:is|lives|lies)\ )?
                {_LASTING}{_PLACE}
                |\ (?:(?:any|the)\ )?{_KINDS}(?:\ (?:by\ hand|ever|{PLEASE}|at\ all|in\ (?:logs|commits|tests
                  |mails|replies)))*
                (?=\W*$|,|;|\ [–—-]|\ (?:because|since|as)\b)
                |\ (?:directly\ |straight\ )?(?:to|on|into|in)\ {_MAIN}\b(?!\ (?:yet|before|until))
                |{_LASTING}[^,;?]*\ {_LEAVE})
              |{_MUST_NOT}{_LASTING}(?!(?:add|copy|move|open|print|read|rewrite|start|stop|use|write)\b){_DOES}
                \ (?!me\b|us\b|him\b|her\b|them\b|{_OF_ONE_TEXT}|[^,;?]*\b(?:before|until|on)\ (?:{WEEKDAY}\b
                  |noon|next\b|\d))[\w./~*-]
              |{_NOT}(?:commit|read|save|write)\ {_LASTING}{_PLACE}
              |{_NOT}(?:deploy|migrate|publish|release|ship)\ {_LASTING}(?:[^,;?]*\ )?on\ (?:{WEEKDAY}s|weekends)\b
              |{_MUST_NOT}(?:force|hard)-push\b)"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(rf"{TOLD}|\b(?:just|only)\ (?:yet|for\ now)\b"),
    ),
    order(
        lexicon("before"),
        compiled(
            rf"""^{HEAD}{_TELLS}{_LASTING}(?:{_ASKS_ME}\ (?:first\ )?{_BEFORE}
              |{_BEFORE}[^,;?]*,\ {HEAD}{_TELLS}{_ASKS_ME}(?:\ first)?\b(?!\ (?:me\ )?(?:how|what|why|which|who|where
                |about)\b))"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(rf"{TOLD}|\b(?:go|leave|start|begin|continue|proceed)\ (?:on|ahead)?\W*$"),
    ),
    # What holds for cases of a kind, which stand in front.
    order(
        lexicon("for on with"),
        compiled(
            rf"""^{HEAD}(?:(?:{_TELLS}{_ASKS_ME}\ (?:first\ )?before\ (?:you\b|[a-z]{{3,}}ing\b))
              |(?:{_NOT}|no\ )[^,;?]*\ {_LEAVE}
              |(?:always|never)\ (?:{TO_ME}|{VERB}\b|{_WORKS}|{_DOES}))"""
        ),
        needs=compiled(rf"^{COURTESY}{SCOPE}[^?]*\Z"),
        unless=compiled(TOLD),
    ),
    # What takes leave, without a verb: "no new dependencies without asking me".
    order(
        lexicon("without"),
        compiled(
            rf"""^{HEAD}no\ (?!(?:one|way|wonder|luck|doubt|need|surprise|problem|idea)\b)
              (?:(?!(?:I|he|she|it|they|we|you|who|that)\b)[\w-]+\ ){{1,6}}?{_MY_LEAVE}(?:\ first)?
              (?:,?\ (?:{PLEASE}|ever))?(?=\W*$|[.,;]\ |\ [–—-])"""
        ),
        needs=_NOT_ASKED,
        # "No visitors came without asking me" tells what happened.
        unless=compiled(
            rf"{TOLD}|{REPORTED}"
            rf"|^{HEAD}no\ [^,;]*\b(?:came|was|were|has|have|had|is|are|will|would|can|could|did|does)\b"
        ),
    ),
    # What it does whenever it comes to the same point of its work.
    order(
        lexicon("each every"),
        compiled(
            rf"""^{HEAD}{_TELLS}{_LASTING}(?:{_ROUTINE}[^,;?]*\b(?:before|after)\ (?:each|every)\ {_EVENT}{_END}
              |{_CHECKS}\ (?:before|after)\ (?:each|every)\ (?:\w+\ )?(?:change|edit)\b{_END}
              |(?:add|bump|give|include|link|mention|put|reference|update|write)\ [^,;?]*\b(?:in|to
                |with)\ (?:each|every)
                \ (?:single\ )?(?:commit|pull\ request|pr|mr|merge\ request|release|commit\ message)\b{_END})
              |^{HEAD}(?:before|after)\ (?:each|every)\ {_EVENT},\ {HEAD}{_TELLS}(?:{_NOT})?(?!{_HAPPENS})
                (?:{_WORKS}|{_DOES})
              |^{HEAD}(?:before|after)\ (?:each|every)\ (?:\w+\ )?(?:change|edit),?\ {HEAD}{_TELLS}{_CHECKS}
              |^{HEAD}I(?:'d\ like|\ want|\ expect|\ require|\ insist\ on)\ {_LASTING}{_DEMANDED}
                \ (?:for|with|in|before|after)\ (?:each|every)
                \ (?:{_EVENT}|claim\b|new\ (?:function|method|endpoint|feature|module|class|file)\b){_END}"""
        ),
        needs=_NOT_ASKED,
        # A hook or a job that somebody writes does it, not the assistant.
        unless=compiled(
            rf"""{TOLD}|{HELP}|\b(?:hooks?|workflows?|pipelines?|jobs?|scripts?|cron|triggers?|buttons?
              |bots?|dashboards?|templates?|that|which|so\ that|to\ (?:run|check|make|see|be))\b"""
        ),
    ),
    order(
        lexicon("whenever every each any anytime everytime when after before"),
        compiled(
            rf"""^{HEAD}(?:whenever|(?:every|each|any)\ ?time|always\ when)\ you(?!{_AT_LEISURE})(?:'re|\ are)?
                \ [^,;?]{{3,80}},\ {HEAD}(?:{_NOT}|{_TELLS})?(?:{_WORKS}|{_DOES})
              |^{HEAD}{_TELLS}{_WORKS}\ [^,;?]*\b(?:whenever|(?:every|each|any)\ ?time)\ you(?!{_AT_LEISURE})\ [a-z]
              |^{HEAD}(?:when|after|before)\ you(?!\ (?:get|have|receive|see)\b)(?:'re|\ are|'ve|\ have)?\ (?:\w+ly\ )?
                (?:{_DOES}|[a-z]+(?:\ (?:up|out|with|on|off|in|to))?)\ {_ANY}\b[^,;?]{{0,40}},\ {HEAD}(?:{_NOT}
                  |{_TELLS})?
                (?:{_WORKS}|{_DOES})"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(rf"{TOLD}|{HELP}|^[^,]*\b(?:this|these|those)\b"),
    ),
    # Where it works, with what, and in what form.
    order(
        lexicon("branch branches fork worktree only"),
        compiled(
            rf"""^{HEAD}{_TELLS}(?:(?:commit|work|develop|push|make\ (?:all\ |your\ )?changes|(?:do|keep)\ your\ work)
                (?:\ (?:only|always))?\ (?:on|in|to)\ {_BRANCH},?\ (?:and\ )?(?:not|never|instead\ of)
                (?:\ directly|\ straight)?\ (?:(?:on|to|in|into)\ )?{_MAIN}\b
              |(?:only\ (?:ever\ )?(?:use|query|work\ (?:on|in|with|against)|connect\ to|write\ to|run\ against
                |read\ from)
                |(?:use|query|connect\ to)\ only)\ {_LASTING}{_TRIAL}
                (?=\W*$|,|;|\ [–—-]|\ (?:{PLEASE}|because|since|for\ (?:tests|testing|experiments|everything
                  |queries)|never)\b))"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(TOLD),
    ),
    order(
        lexicon("no don't dont not never everywhere throughout files project repo repository codebase"),
        compiled(
            rf"""^{HEAD}(?:no\ (?:more\ )?|{_NOT}(?:add|include|mention|put|use|write)\ (?:any\ |an?\ )?)
                (?:(?!(?:the|this|that|my|our|your|it)\b)[\w-]+\ ){{1,3}}?(?:in|to|into)\ {_WRITTEN}(?:,?\ (?:{PLEASE}
                |ever|thanks|thank\ you))*\W*$
              |^{HEAD}(?:{_TELLS}use\ {_STYLE}\ {_EVERYWHERE}(?:,?\ {PLEASE})?|{_STYLE}\ {_EVERYWHERE},?\ {PLEASE})\W*$
              |^{HEAD}(?:let's\ )?stick\ (?:to|with)\ [^,;?]{{2,50}}\ (?:for|in|throughout|across)
                \ (?:this|the\ whole|our)\ (?:project|repo(?:sitory)?|codebase)\b"""
        ),
        needs=_NOT_ASKED,
        unless=compiled(TOLD),
    ),
)
