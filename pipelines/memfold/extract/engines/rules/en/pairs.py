"""Standing orders in pairs, "do this, not that": how to reach the user, what to cite, how to write code, which tools
to use. A table, read behind that of `at_work.py`.

A pair alone often concerns the thing at hand ("use the red one, not the blue one"). So both sides must be things that a
user decides once: a channel, a source, plurals of code without an article, tools by name.
"""

from __future__ import annotations

from memfold.extract.engines.rules.en.wording import (
    COMPOSED,
    HEAD,
    HELP,
    HERE,
    PLEASE,
    TOLD,
    VERB,
    order,
)
from memfold.extract.engines.rules.rule import Rule, compiled
from memfold.text.terms import lexicon

_NOT = r"(?:don't|dont|do\ not|never)"
_AND_NOT = r"(?:,|;|\ [–—-]|\ and|\ but)\ (?:and\ |but\ |please\ )?"
_CHANNEL = (
    r"(?:e-?mail|mail|(?:tele)?phone|text(?:\ message)?|sms|letter|post|chat|slack|teams|whatsapp|signal|telegram"
    r"|discord|(?:phone\ |video\ )?calls?)\b"
)
_BY = rf"(?:by|via|through|over|per|on)\ {_CHANNEL}"
_WRITE_ME = r"(?:e-?mail|text|message|write\ to|call|phone|ring|ping|slack)\ (?:me|us)"
_CALL = r"(?:call|phone|ring|text|e-?mail|message|write|ping)"
_END = (
    rf"(?:\ (?:me|us|instead|ever|{PLEASE}|at\ all|under\ any\ circumstances))*"
    r"(?=\W*$|,|;|\ [–—-]|\ (?:because|since|as)\b)"
)
# Said for a while, or about one thing.
_FOR_ONCE = (
    r"\b(?:now|today|tonight|tomorrow|at\ the\ moment|until|till|(?:when|if)\ (?:it|he|she|they|the)"
    r"|about\ (?:it|this|that|the|my)|in\ a\ meeting|asleep|I'm\ (?:at|in|on)|this|next)\b"
)
_CITE = r"(?:cite|quote|reference|refer\ to|link\ to|rely\ on|consult)"
# "Quote the letter, not …"; "line numbers" are a kind.
_AT_HAND = (
    r"(?:(?:the|this|that|my|our|your)\ )?(?:e-?mail|letter|text|line|this|that|mine|ours|yours)"
    r"(?=,|;|\ [–—-]|\ (?:and|but|above|below|from|of|that)\b)"
)
# A kind of thing, not a single one: "brochures", "blog posts".
_KIND = (
    r"(?!(?:the|this|that|these|those|my|our|your|his|her|their|its|it|them|any\ of|me|us)\b)"
    r"(?:[\w-]+\ ){0,2}?[\w-]+s\b"
)
# Without "types", "strings" and "branches": people also speak of types of cheese and branches of physics.
_CODE = (
    r"(?:errors|exceptions|tests|test\ cases|fixtures|mocks|imports|type\ hints|interfaces|functions|methods"
    r"|components|hooks|queries|migrations|commits|timestamps|enums|endpoints|dependencies|variables|doc-?strings|globals"
    r"|logs)"
)
_WRITES = (
    r"(?:wrap|write|use|name|return|handle|raise|log|format|sort|store|test|mock|keep|put|define|declare|pass|import"
    r"|document|escape|validate|type|squash|prefix|inject|throw|catch)"
)
# "Write tests for the parser" is a task.
_ANY = r"(?![^,;?]*\b(?:the|this|that|these|those|my|our|your|it|its|them|here|yet)\b)"
_MANNER = rf"{_WRITES}\ {_ANY}(?:[\w-]+\ ){{0,2}}?{_CODE}\b(?!\ (?:is|are|was|were)\b)[^,;?]*?"
# "In general, please explain how it works" asks for one thing.
_REQUEST = (
    r"(?:(?:explain|describe|help|tell|show)\b|give\b(?!\ (?:me\ |us\ )?(?:short|brief|concise|long|detailed|direct"
    r"|honest|simple)\b))"
)
_TOOL = (
    r"`?(?:pnpm|npm|yarn|bun|deno|uv|pip|poetry|conda|pipenv|pytest|unittest|jest|vitest|mocha|ruff|black|flake8|pylint"
    r"|eslint|prettier|biome|mypy|pyright|docker|podman|make|just|rg|ripgrep|grep|curl|wget|httpie|git\ (?:rebase|merge"
    r"|switch|checkout)|rebase|merge|tabs|spaces|single\ quotes|double\ quotes|snake_?case|camel_?case)`?"
)

RULES: tuple[Rule, ...] = (
    order(
        lexicon("never not don't dont do only instead rather no"),
        compiled(
            rf"""^{HEAD}(?:
                (?:only\ |always\ )?(?:contact|reach|notify|message|inform|answer|alert|write\ to)\ (?:me|us)
                  \ (?:(?:only|just)\ {_BY}|{_BY}(?:\ only\b|{_AND_NOT}(?:{_NOT}|not|no)\b
                    |\ (?:instead\ of|rather\ than|and\ (?:not|never))\b))
              |only\ (?:ever\ )?(?:contact|reach|notify|inform|alert)\ (?:me|us)\ {_BY}
              |{_WRITE_ME}{_AND_NOT}{_NOT}\ (?:ever\ )?{_CALL}{_END}
              |{_NOT}\ (?:ever\ )?{_CALL}\ (?:me|us)(?:,|;|:|\ [–—-])\ (?:please\ |just\ |only\ )*(?:e-?mail|text
                |message|write|contact\ (?:me|us)\ {_BY}){_END}
              |{_NOT}\ {_CITE}\ {_KIND}(?:,|;|:|\ [–—-])\ (?:please\ |just\ |only\ )*{_CITE}\ \w
              |(?:only\ )?{_CITE}\ (?!{_AT_HAND})(?:[\w-]+\ ){{0,4}}[\w-]+{_AND_NOT}(?:not|{_NOT}\ {_CITE})
                \ {_KIND}\W*$
              |{_MANNER}{_AND_NOT}(?:not\ (?!sure\b|yet\b)|{_NOT}\ (?:{_WRITES}|panic|swallow|ignore|nest)\b)
              |{_NOT}\ {_WRITES}\ {_ANY}[^,;?]*(?:,|;|:|\ [–—-])\ (?:please\ |just\ |only\ )*{_MANNER}\W*$
              |use\ {_TOOL}(?:,?\ (?:and\ )?(?:not|never|instead\ of|rather\ than)
                |{_AND_NOT}{_NOT}\ use)\ {_TOOL}{_END})"""
        ),
        needs=compiled(r"[^?\s]\s*\Z"),
        unless=compiled(rf"{TOLD}|{COMPOSED}|{HELP}|{HERE}|{_FOR_ONCE}"),
    ),
    # "In general" is said of code and of life too: an order says "don't", "always" or "please" behind it.
    order(
        lexicon("general"),
        compiled(
            rf"^{HEAD}(?:in\ general|generally),?\ (?:(?:please\ )?(?:{_NOT}|always|only)\ |please\ (?!{_REQUEST}))"
            rf"(?!trust\b)(?:{VERB}|contact|e-?mail|text|message)\b"
        ),
        needs=compiled(r"[^?\s]\s*\Z"),
        unless=compiled(rf"{TOLD}|{COMPOSED}|{HELP}|{HERE}"),
    ),
)
