"""What a question asks of the one who asks it: "Where do I live?" is answered by an entry, and by no quote as well."""

from __future__ import annotations

import re

_BEFORE = (
    r"^\W*(?:(?:(?:can|could) you (?:please )?(?:tell|remind) me(?: of)?|(?:do )?you (?:still )?"
    r"(?:know|remember)|tell me|remind me"
    r"|你?还?(?:记得|知道)|请问|请告诉我|告诉我)[\s,，:：]*)?"
)
_AFTER = (
    r"(?: (?:now|currently|these days|at the moment|again"
    r"|by the way))*[了吗呢啊来着\s]*[?？.。!！]*\s*$"
)
# "What did I say my name is?", and what is told rather than asked: "… what my name is".
_SAID = r"(?:did I (?:say|tell you|mention)(?: that)? )?"
_JOB = r"(?:current |new )?(?:job(?: title)?|profession|occupation|line of work)"
_LIVING = r"for (?:a living|work)"
_QUESTIONS = {
    "name": rf"(?:what(?:'s| is)? {_SAID}my (?:full )?name(?: is| was)?|who am I|my (?:full )?name"
    r"|我叫什么(?:名字)?|我的名字(?:是|叫)什么|我是谁)",
    "age": r"(?:how old (?:am I|I am)|what(?:'s| is)? my age(?: is)?|我(?:今年|现在)?(?:多大|几岁|多少岁|多大年纪))",
    "home": rf"(?:where (?:do I live|{_SAID}I live|am I (?:living|based)|is my home)"
    rf"|(?:which|what) (?:city|town|country|place) (?:do |{_SAID})I live in"
    r"|我(?:现在|目前)?住在?(?:哪里?|哪儿|哪个(?:城市|国家|地方)|什么(?:城市|地方))|我家在(?:哪里?|哪儿))",
    "from": r"(?:where (?:am I from|I am from|do I come from)|我(?:来自|是)(?:哪里|哪儿)人?)",
    "job": rf"(?:what(?:'s| is)? (?:{_SAID}my|my) {_JOB}(?: is| was)?|what (?:do I do|{_SAID}I do) {_LIVING}|my {_JOB}"
    r"|我(?:现在|目前)?的(?:职业|工作|职位)(?:现在)?是什么|我是做什么(?:工作)?的)",
    "employer": rf"(?:where (?:do I work|{_SAID}I work)|(?:who|(?:which|what) company) (?:do |{_SAID})I work for"
    r"|(?:who|what)(?:'s| is)? my employer(?: is)?"
    r"|我(?:现在|目前)?在(?:哪里|哪儿|哪家公司|什么公司)(?:工作|上班|任职))",
    "address": r"(?:what should you call me|how should you address me|what do I (?:like"
    r"|want) to be called|(?:应该|该)?怎么称呼我)",
    "language": r"(?:(?:what|which) languages? (?:do I|can I|I) speak|我会(?:说|讲)(?:什么|哪些)语言)",
    "diet": r"what(?:'s| is)? my diet",
    "allergy": r"(?:what (?:am I|I am) allergic to|am I allergic to anything"
    r"|what(?:'s| is| are)? my allerg(?:y|ies)|do I have any allergies"
    r"|(?:what|which) (?:food )?allergies do I have|我对什么过敏)",
}
_ASKED = re.compile(
    f"{_BEFORE}(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _QUESTIONS.items())}){_AFTER}",
    re.IGNORECASE,
)
# Between the parts of a question that asks for several things.
_PARTS = re.compile(
    r",? and (?=(?:what|where|which|who|how|my)\b)|, (?=(?:what|where|which|who|how)\b)|\? +(?=\S)|[，,；;] ?(?=我)",
    re.IGNORECASE,
)


def asked_for(question: str) -> dict[str, str | None]:
    """By the parts of a question the attribute that each asks for; None for a part that asks for something else."""
    # Of blanks in a row the patterns would try each: 0.7 s for 10,000 of them.
    question = " ".join(question.replace("’", "'").split())
    return {
        part: match.lastgroup if (match := _ASKED.match(part)) else None for part in _PARTS.split(question)
    }
