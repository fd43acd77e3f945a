"""Tells the user's own words in a message from what they pasted into it: code, quotations, letters, talks, texts they
show.

Told by form alone, in English, Chinese and German. Each form is a function from a text to the spans of it that are
somebody else's, and a line of `_FORMS`; it knows nothing of the others. What tools put out (`put_out`) and what lines
tell (`by_line`) are modules of their own. In doubt a stretch counts as pasted: what was pasted binds nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from memfold.text.by_line import by_line
from memfold.text.fences import blocks, fenced
from memfold.text.put_out import AGAIN, put_out
from memfold.text.spans import HEAD, Span, begins, cut, heads

# From a text to what of it is somebody else's, in order.
Form = Callable[[str], Iterator[Span]]
_Forms = tuple[tuple[tuple[str, ...], Form], ...]

# A quotation of fewer words (half as many where it ends as a sentence) is a title, or what something shall be called.
WORDS = 6

_THING = (
    r"(?:text|e-?mail|article|log|letter|message|transcript|document|doc|paragraph|passage|essay|post|quote|quotation"
    r"|code|error|output|review|story|draft|snippet|page|content|report|notice|file|script|answer|reply"
    r"|response|comment|chat|conversation|newsletter|abstract|readme|ticket|memo|traceback|json|html|csv)s?"
)
_THING_DE = (
    r"(?:(?:e-?)?mail|text|nachricht|brief|artikel|code|ausgabe|fehlermeldung|protokoll|dokument|absatz|beitrag"
    r"|antwort|entwurf|datei)"
)
_TITLE = r"(?:text|e-?mail|article|log|transcript|document|passage|essay|code|error|output|story|draft|readme|memo)s?"
# What is done to the words of a text.
EDITS = r"translate|summari[sz]e|proof-?read|paraphrase|re-?phrase|re-?write|re-?word|polish|shorten|edit"
# What is asked for a text, at the beginning of a clause or behind "please": "I translate novels" is none.
_WORK = (
    r"(?:(?:^|[.!?;,][ \t]+)\W{0,3}|\b(?:please|can\s+you|could\s+you|would\s+you)\s+)(?:(?:please|now|just)\s+){0,3}"
    rf"(?:{EDITS})\b"
    r"(?![^\n:]{0,200}\b(?:always|never|every|when(?:ever)?|from\s+now)\b)"
    r"|\b(?:übersetze?|fasse?|korrigiere?|überarbeite?|formuliere?|kürze)\b"
    r"(?![^\n:]{0,200}\b(?:immer|jede[mnrs]?|ab\s+jetzt)\b)"
    r"|(?:翻译|总结|概括|改写|润色|校对|缩写)(?![^\n:：]{0,200}(?:以后|每次|总是|始终|从现在))"
)
# What is done with a text of others, where it is said to be this one: "grade this essay", "reply to this post".
_JUDGE = (
    r"(?:^|[.!?;,][ \t]+)\W{0,3}(?:(?:please|now|just|can\s+you|could\s+you|help\s+me(?:\s+to)?)\s+){0,3}"
    r"(?:grade|mark|score|critique|assess|evaluate|rate|review|(?:reply|respond)\s+to|comment\s+on"
    r"|give\s[^\n.!?]{0,30}?feedback\s+on)\b"
)
# A YAML key with its text indented below it: "prompt: |". Other keys and values may be the user's own ("city: Graz").
_BLOCK = re.compile(
    r"^(?P<indent>[ \t]*)(?:-[ \t]+)*[\"']?[\w./-]{1,60}[\"']?:[ \t]*[|>][-+\d]{0,2}[ \t]*(?:\#[^\n]*)?\r?\n"
    r"(?:(?P=indent)[ \t]+\S.*(?:\n|\Z)|[ \t]*\r?\n)+",
    re.MULTILINE,
)
# "Here is the email:", "He wrote back:", "I got this message from them:", at the end of a line or before a quotation.
_SHOWN = re.compile(
    r"(?:\b(?:here(?:'s|\s+is|\s+are|\s+comes)|below(?:\s+is|\s+are)?|follow(?:s|ing)|attached|pasted?|forward(?:ed|ing)"
    rf"|copied|quoting|this\s+is|got|received|see|read|check|translate|summari[sz]e|proofread)\b[^\n:]{{0,80}}?\b{_THING}\b"
    r"[^\n:]{0,60}"
    rf"|\b(?:the\s+)?{_THING}\s+(?:says?|said|reads?|goes|is|was)(?:\s+(?:this|as\s+follows))?"
    r"|\b(?:he|she|they|it|who|boss|manager|teacher|friend|assistant)\s+(?:wrote|said|says|replied|answered|sent)\b[^\n:]{0,40}"
    rf"|\bhier\s+(?:ist|sind|kommt)\b[^\n:]{{0,60}}{_THING_DE}\b[^\n:]{{0,40}}"
    rf"|^[^\w\n]*(?:the\s+)?(?:original\s+|full\s+|pasted\s+|tool\s+|program\s+)?{_TITLE}"
    rf"|(?:{_WORK})[^\n:：]{{0,80}}"
    r"|(?:以下|下面|如下|这是|原文|转发|粘贴|引用|附上|翻译|总结一?下)[^\n:：]{0,30}"
    r"|(?:邮件|文章|文本|日志|消息|短信|代码|报错|输出|内容|原文|文档)(?:如下|是这样的|写道|说)?)"
    r"[ \t]*[:：](?=[ \t]*(?:\n|[\"“「『'‘„»«]))",
    re.IGNORECASE | re.MULTILINE,
)
# "Translate into German: …", "is this sentence right: …", "my boss told me: …": the rest of the line.
_NAMED = re.compile(
    rf"(?:{_WORK}|\b(?:is|are)\s+th(?:is|ese)\b|(?<!\bi )(?<!\bwe )\b(?:says|said|told|wrote|replied)\b)"
    r"[^.!?。！？]{0,60}$",
    re.IGNORECASE,
)
# What is shown behind a blank line: "Please summarise it.\n\n", "What does this readme say?\n\n". Where there is a
# fence, that is what is shown.
_BEHIND = re.compile(
    rf"(?:(?:{_WORK})[^\n.!?。！？]{{0,80}}[.!?。！？]*"
    rf"|\b(?:this|these|the\s+following)\b[^\n.!?]{{0,30}}\b{_THING}\b[^\n.!?]{{0,80}}\?"
    rf"|(?:{_JUDGE})\s(?:[\w']+\s){{0,3}}?(?:this|these|the\s+following)\b[^\n.!?]{{0,30}}\b{_THING}\b[^\n.!?]{{0,80}}[.!]*"
    rf"|\bdiese[mnrs]?\b[^\n.!?]{{0,30}}{_THING_DE}\b[^\n.!?]{{0,80}}\?"
    r"|这(?:封|篇|段|条|份|个)[^\n。！？]{0,12}(?:邮件|文章|文本|日志|消息|短信|代码|信|话|文档)[^\n。！？]{0,20}[？?])"
    r"(?=[ \t]*\n[ \t]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
# Where the user speaks again behind it.
_AGAIN = re.compile(rf"\n[ \t]*\n[ \t]*(?:{AGAIN.pattern})", re.IGNORECASE)
# The head of a letter: a line that says that one is forwarded or answered, or fields of which one is a subject.
_FORWARDED = re.compile(
    r"\W*(?:(?:forwarded|original|begin\s+forwarded)\s+message|(?:weitergeleitete|ursprüngliche)\s+nachricht)\b"
    r"|\W*(?:转发的?|原始)(?:邮件|消息|信息)\W*$|.{2,60}写道[:：]$",
    re.IGNORECASE,
)
_ANSWERED = re.compile(r"\b(?:wrote|schrieb|a\s+écrit|escribió|ha\s+scritto)\b.{0,40}:$", re.IGNORECASE)
_FIELD = re.compile(
    r"\**(?:(subject|sent|betreff|gesendet|主题|发送时间)|from|to|cc|bcc|date|von|an|datum|发件人|收件人|抄送|日期)"
    r"\**[ \t]*[:：]",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"<(pre|code|blockquote)\b.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)


def _quoted(opening: str, closing: str) -> str:
    """A quotation between these marks."""
    word = rf"[^{opening}{closing}\s]+\s+"
    last = rf"[^{opening}{closing}\s]*"
    clause = rf"(?:{word}){{{WORDS - 1},}}{last}|(?:{word}){{{WORDS // 2},}}{last}[.!?,]"
    inner = rf"[^{opening}{closing}\n]"
    return rf"(?<=[{opening}])(?:{clause}|(?={inner}*[一-鿿]){inner}{{{2 * WORDS},}})[{closing}]"


# Not what an answer shall hold, nor what the user says: "end with '…'", "call me '…'", "when I say '…'".
_QUOTATION = re.compile(
    r"[\"“„»«「'](?<!\bwith .)(?<!\bwith: .)(?<!\bwords .)(?<!\bphrase .)(?<!\bcall me .)(?<!\bas .)"
    r"(?<!\bI (?:say|ask) .)"
    r"(?<!叫我.)(?<!加上.)(?<!写上.)(?:"
    rf"{_quoted('“', '”')}|{_quoted('„', '“”')}|{_quoted('»«', '»«')}|{_quoted('「', '」')}|"
    + _quoted('"', '"')
    + rf"|(?<=(?<!\w)')(?:[^'\n]|(?<=\w)'(?=\w)){{{5 * WORDS},}}'(?!\w))"
    r"|\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)",
    re.DOTALL,
)
# "<p> … </p>", "<!-- … -->", "[tool_result] … [/tool_result]": what each begins with.
_OPENED = re.compile(
    r"<!--|<(?!(?:b|i|u|em|strong)\b)([a-z][\w-]{0,40})\b[^<>]{0,200}>|\[(\w[\w -]{0,39})\]", re.IGNORECASE
)
# What is between the tokens that chat templates are made of.
_TOKEN = r"(?:<\|[^|<>\n]{1,40}\|>|\[/?INST\]|<</?SYS>>)"
_TEMPLATED = re.compile(rf"{_TOKEN}.*{_TOKEN}|{_TOKEN}(?:[^\n]|\n(?![ \t]*\n))*", re.DOTALL)
# How `_SHOWN` ends, and what stands behind `_BEHIND`: looking for that first takes a hundredth of the time, and most
# messages have none of it.
_INTRODUCED = re.compile(r"[:：][ \t]*[\n\"“「『'‘„»«]")
_BLANK = re.compile(r"\n[ \t]*\n")


def own_words(text: str, *, wary: bool = False) -> tuple[str, str]:
    """`text` without what was pasted into it, and what was. Takes time in proportion to the text, whatever it is.
    `wary`: nobody speaks of themselves below the head of what a tool may have put out (`put_out.doubtful`)."""
    text = text.replace("’", "'")
    pasted: list[str] = []
    for marks, form in _WARY_FORMS if wary else _FORMS:
        if any(map(text.__contains__, marks)):
            text = cut(text, form(text), pasted)
    return text, "\n".join(pasted)


def before_named(line: str) -> int:
    """How many characters of a line stand before the colon behind which it says that somebody else speaks, or what is
    to be worked on: all, where there is none."""
    colon = min((at for at in (line.find(":"), line.find("：")) if at > 1), default=0)
    shows = colon and line[colon + 1 :].strip() and _NAMED.search(line[max(0, colon - HEAD) : colon])
    return colon if shows else len(line)


def _shown(text: str) -> Iterator[Span]:
    """What is said to be shown, to the end: a blank line or a fence within it may be the pasted text's own."""
    if _INTRODUCED.search(text) and (shown := _SHOWN.search(text)):
        yield shown.end(), len(text) + 1


def _letter(text: str) -> Iterator[Span]:
    """A letter, to the end."""
    fields = 0
    subject = False
    for n, head in enumerate(heads(text)):
        field = _FIELD.match(head)
        fields = fields + 1 if field else 0
        subject = field is not None and (subject or field[1] is not None)
        if (subject and fields > 1) or _FORWARDED.match(head) or _answered(head):
            first = begins(text)[n - max(0, fields - 1)]
            yield max(0, first - 1), len(text) + 1
            return


def _answered(head: str) -> bool:
    """Whether a line says when somebody wrote what follows."""
    said = _ANSWERED.search(head) if head.endswith(":") else None
    return said is not None and any(map(str.isdigit, head[: said.start()]))


def _asked_about(text: str) -> Iterator[Span]:
    """What stands behind a blank line below a request to work on it, or a question about it."""
    if _BLANK.search(text) and not fenced(text) and (asked := _BEHIND.search(text)):
        again = _AGAIN.search(text, asked.end())
        yield asked.end(), (again.start() if again else len(text)) + 1


def _matched(by: Callable[[str], Iterator[re.Match[str]]]) -> Form:
    return lambda text: (match.span() for match in by(text))


def _enclosed(text: str) -> Iterator[Span]:
    """What stands between tags and their ends."""
    lower = text.lower()
    unclosed: set[str] = set()
    at = 0
    while opened := _OPENED.search(text, at):
        tag, bracket = opened.groups()
        closing = f"</{tag.lower()}>" if tag else f"[/{bracket.lower()}]" if bracket else "-->"
        end = -1 if closing in unclosed else lower.find(closing, opened.end())
        at = opened.end() if end < 0 else end + len(closing)
        if end < 0:
            unclosed.add(closing)
        else:
            yield opened.start(), at


def _named(text: str) -> Iterator[Span]:
    """What stands behind a colon on a line that says it is somebody else's, or to be worked on."""
    at = 0
    for line in text.split("\n"):
        begin, at = at, at + len(line) + 1
        if (own := before_named(line)) < len(line):
            yield begin + own, at


# What a text of the form holds, for looking for that takes a hundredth of the time; and the form, which sees what those
# above it leave.
_FORMS: _Forms = (
    (("\n",), put_out),
    ((":", "："), _shown),
    (("\n",), _letter),
    (("\n",), _asked_about),
    (("```", "~~~"), _matched(blocks)),
    (("<",), _matched(_TAGGED.finditer)),
    (("<|", "INST]", "SYS>>"), _matched(_TEMPLATED.finditer)),
    ((">", "|"), _matched(_QUOTED_LINE.finditer)),
    (('"', "“", "「", "„", "«", "'"), _matched(_QUOTATION.finditer)),
    (("</", "-->", "[/"), _enclosed),
    ((":", "："), _named),
    ((":",), _matched(_BLOCK.finditer)),
    (("",), by_line),
)
_WARY_FORMS: _Forms = (
    (("\n",), partial(put_out, wary=True)),
    *_FORMS[1:-1],
    (("",), partial(by_line, wary=True)),
)
