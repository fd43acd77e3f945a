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
_QUESTIONS = {
    "name": r"(?:what(?:'s| is|) my (?:full )?name(?: is)?|who am I|我叫什么(?:名字)?|我的名字(?:是"
    r"|叫)什么|我是谁)",
    "age": r"(?:how old (?:am I|I am)|what(?:'s| is) my age|我(?:今年|现在)?(?:多大|几岁|多少岁|多大年纪))",
    "home": r"(?:where (?:do I live|I live|am I (?:living|based)|is my home)|(?:which|what) (?:city"
    r"|town|country|place) do I live in"
    r"|我(?:现在|目前)?住在?(?:哪里?|哪儿|哪个(?:城市|国家|地方)|什么(?:城市|地方))|我家在(?:哪里?|哪儿))",
    "from": r"(?:where (?:am I from|do I come from)|我(?:来自|是)(?:哪里|哪儿)人?)",
    "job": r"(?:what(?:'s| is) my (?:current |new )?(?:job|profession|occupation)|what do I do for (?:a living|work)"
    r"|我(?:现在|目前)?的(?:职业|工作)(?:现在)?是什么|我是做什么(?:工作)?的)",
    "employer": r"(?:where do I work|who do I work for"
    r"|我(?:现在|目前)?在(?:哪里|哪儿|哪家公司|什么公司)(?:工作|上班|任职))",
    "address": r"(?:what should you call me|how should you address me|what do I (?:like"
    r"|want) to be called|(?:应该|该)?怎么称呼我)",
    "language": r"(?:(?:what|which) languages? do I speak|我会(?:说|讲)(?:什么|哪些)语言)",
    "diet": r"(?:what am I allergic to|我对什么过敏)",
}
_ASKED = re.compile(
    f"{_BEFORE}(?:{'|'.join(f'(?P<{name}>{words})' for name, words in _QUESTIONS.items())}){_AFTER}",
    re.IGNORECASE,
)


def asked_for(question: str) -> str | None:
    """The attribute that a question asks for and nothing else; None where it asks for anything more."""
    # Of blanks in a row the patterns would try each: 0.7 s for 10,000 of them.
    question = " ".join(question.replace("’", "'").split())
    match = _ASKED.match(question)
    return match.lastgroup if match else None
