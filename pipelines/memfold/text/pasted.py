"""Tells the user's own words in a message from what they pasted into it: code, quotations, letters, talks, texts they
show.

Told by form alone: fences, quoted lines, long quotations and those that somebody else is said to have spoken, heads of
letters, lines with a speaker before them, lines of code and logs, and what follows a line such as "here is the email:"
or a request to work on a text. English, Chinese and German. In doubt a stretch counts as pasted: what was pasted binds
nobody.
"""

from __future__ import annotations

import re

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
# What is asked for a text, at the beginning of a clause or behind "please": "I translate novels" is none.
_WORK = (
    r"(?:(?:^|[.!?;,][ \t]+)\W{0,3}|\b(?:please|can\s+you|could\s+you|would\s+you)\s+)(?:(?:please|now|just)\s+)*"
    r"(?:translate|summari[sz]e|proof-?read|paraphrase|re-?phrase|re-?write|re-?word|polish|shorten|edit)\b"
    r"(?![^\n:]*\b(?:always|never|every|when(?:ever)?|from\s+now)\b)"
    r"|\b(?:übersetze?|fasse?|korrigiere?|überarbeite?|formuliere?|kürze)\b"
    r"(?![^\n:]*\b(?:immer|jede[mnrs]?|ab\s+jetzt)\b)"
    r"|(?:翻译|总结|概括|改写|润色|校对|缩写)(?![^\n:：]*(?:以后|每次|总是|始终|从现在))"
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
_ON_THE_LINE = re.compile(r"^([^\n:：]{2,})[:：][ \t]*(\S[^\n]*)", re.MULTILINE)
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
    rf"|\bdiese[mnrs]?\b[^\n.!?]{{0,30}}{_THING_DE}\b[^\n.!?]{{0,80}}\?"
    r"|这(?:封|篇|段|条|份|个)[^\n。！？]{0,12}(?:邮件|文章|文本|日志|消息|短信|代码|信|话|文档)[^\n。！？]{0,20}[？?])"
    r"(?=[ \t]*\n[ \t]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
# Where the user speaks again behind it.
_AGAIN = re.compile(
    r"\n[ \t]*\n[ \t]*(?:(?:also|oh|by\s+the\s+way|btw|p\.?s\.?|one\s+more\s+thing|and|thanks|thank\s+you|außerdem"
    r"|übrigens|danke)\b|另外|还有|顺便|谢谢)",
    re.IGNORECASE,
)
# The head of a letter: a line that says that one is forwarded or answered, or two fields of which one is a subject.
_FIELD = (
    r"[ \t*]*(?:from|to|cc|bcc|date|sent|subject|von|an|datum|gesendet|betreff|发件人|收件人|抄送|日期|发送时间|主题)"
    r"[*]*[ \t]*[:：]"
)
_SUBJECT = r"[ \t*]*(?:subject|sent|betreff|gesendet|主题|发送时间)[*]*[ \t]*[:：]"
_LETTER = re.compile(
    r"^\W*(?:(?:forwarded|original|begin\s+forwarded)\s+message|(?:weitergeleitete|ursprüngliche)\s+nachricht)\b"
    r"|^\W*(?:转发的?|原始)(?:邮件|消息|信息)\W*$|^[^\n]{2,60}写道[:：][ \t]*$"
    r"|^[^\n]*\d[^\n]*\b(?:wrote|schrieb|a\s+écrit|escribió|ha\s+scritto)\b[^\n]{0,40}:[ \t]*$"
    rf"|^{_FIELD}[^\n]*\n(?:{_FIELD}[^\n]*\n)*{_SUBJECT}|^{_SUBJECT}[^\n]*\n{_FIELD}",
    re.IGNORECASE | re.MULTILINE,
)
# A fence ends on a line of its own, or on the line it begins on.
_FENCED = re.compile(
    r"(?:```[^\n`]*```|~~~[^\n~]*~~~)|(?:```|~~~).*?(?:\n[ \t]*(?:```|~~~)[ \t]*(?=\n|\Z)|\Z)"
    r"|<(pre|code|blockquote)\b.*?(?:</\1>|\Z)"
    r"|<!--.*?-->|<(?!(?:b|i|u|em|strong)\b)([a-z][\w-]*)\b[^<>]*>.*?</\2>",
    re.DOTALL | re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)


def _quoted(opening: str, closing: str) -> str:
    """A quotation between these marks."""
    word = rf"[^{opening}{closing}\s]+\s+"
    last = rf"[^{opening}{closing}\s]*"
    clause = rf"(?:{word}){{{WORDS - 1},}}{last}|(?:{word}){{{WORDS // 2},}}{last}[.!?,]"
    return (
        rf"(?<=[{opening}])(?:{clause}|(?=[^{closing}\n]*[一-鿿])[^{closing}\n]{{{2 * WORDS},}})[{closing}]"
    )


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
# "[tool_result] … [/tool_result]".
_TAGGED = re.compile(r"\[(\w+)\].*?\[/\1\]", re.DOTALL)
# What is between the tokens that chat templates are made of.
_TOKEN = r"(?:<\|[^|<>\n]{1,40}\|>|\[/?INST\]|<</?SYS>>)"
_TEMPLATED = re.compile(rf"{_TOKEN}.*{_TOKEN}|{_TOKEN}(?:[^\n]|\n(?![ \t]*\n))*", re.DOTALL)
# A line that a machine is said to speak; where nothing else stands on it, to the next blank line.
_MACHINE = re.compile(
    r"^[ \t]*[\[(*#]*[ \t]*(?:system(?:\s+(?:message|prompt|note))?|\w*prompt|assistant|chatbot|ai|bot|agent|tool"
    r"|function|developer|support|output|observation|系统(?:消息|提示)?|助手|客服|机器人|工具|assistent|kundendienst|ausgabe)"
    r"[ \t]*(?:[\])*]+[ \t]*[:：]?|[*]*[:：])[*]*(?:[ \t]*\S[^\n]*|[ \t]*(?:\n(?![ \t]*\n)[^\n]*)+)"
    r"|^#+[ \t]*(?:system|assistant|developer|tool)[ \t]*(?:\n(?![ \t]*\n)[^\n]*)+",
    re.IGNORECASE | re.MULTILINE,
)
# A talk: lines one below the other with who speaks before them, one of them twice, or one who is nobody's name.
_LABEL = r"[ \t]*[^\W\d_][^\n:：\d.!?。！？]{0,24}"
_TALK = re.compile(rf"(?:^{_LABEL}[:：][^\n]*(?:\n|\Z)){{2,}}", re.MULTILINE)
_SPEAKER = re.compile(rf"^({_LABEL})[:：]", re.MULTILINE)
_SPEAKERS = frozenset(("me", "i", "you", "user", "human", "ich", "du", "benutzer", "我", "你", "用户"))
_NO_SPEAKERS = frozenset(
    ("rule", "note", "order", "important", "please", "reminder", "step", "规则", "要求", "注意", "regel")
)
# Lines of logs, chats and subtitles, which begin with a time; and what is changed in a file.
_TIMED = re.compile(
    r"^\d\d:\d\d:\d\d[.,]\d+[ \t]*-->[^\n]*(?:\n(?![ \t]*\n)[^\n]+)*"
    r"|^\W?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T, ]+\d{1,2}:\d\d[^\n]*|^\[?\d{1,2}:\d\d(?::\d\d|[^\]\n]{0,9}\])[^\n]*"
    r"|(?:^[^\n:]{1,30}\b\d{1,2}:\d\d(?:[ \t]*[AP]M)?[ \t]*\n[^\n]+(?:\n|\Z)){2,}"
    r"|^(?:diff --git |--- [^\n]+\n\+\+\+ |@@ -\d)[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*",
    re.MULTILINE,
)
# Lines of code and of tables without a fence, and the comments beside them.
_CODE = (
    r"[ \t]*(?:(?:def|class|import|const|let|var|function|public|private|static)[ ][\w.]+[ ]*(?:[(:;={,][^\n]*|$)"
    r"|from[ ][\w.]+[ ]import\b[^\n]*|\#include\b[^\n]*|[\w.\[\]]+[ ]*[-+*/]?=[ ]*[\"'\d\[{(][^\n]*"
    r"|[\w.]+\([^\n]*\)[ ]*[;{]?[ ]*$|[{}\[\]()]+[;,]?[ ]*$|\"[\w -]+\"[ ]*:[^\n]*|\{[ ]*\"[^\n]*"
    r"|</?[a-z][\w-]*[^<>\n]*>[^\n]*|//[^\n]*|/\*[^\n]*|\$[ ]\w[^\n]*|(?:INSERT|SELECT|UPDATE|DELETE|CREATE)[ ][^\n]*"
    r"|[^\n\t]+\t[^\n]*)"
)
_COMMENT = r"(?:^[ \t]*\#[^\n]*(?:\n|\Z))*"
_PROGRAM = re.compile(
    rf"{_COMMENT}(?:^{_CODE}(?:\n|\Z){_COMMENT})+|(?:^(?:[^,\n，]*,(?=\S)){{2,}}[^\n]*(?:\n|\Z)){{2,}}",
    re.MULTILINE,
)
# What each of these begins with, and how `_SHOWN` ends: looking for that first takes a hundredth of the time, and most
# messages have none of it.
_PASTED = (
    (("```", "~~~", "<"), _FENCED),
    (("[/",), _TAGGED),
    (("<|", "INST]", "SYS>>"), _TEMPLATED),
    ((">", "|"), _QUOTED_LINE),
    (('"', "“", "「", "„", "«", "'"), _QUOTATION),
    ((":", "\n--- ", "@@ -", "diff "), _TIMED),
)
_INTRODUCED = re.compile(r"[:：][ \t]*[\n\"“「『'‘„»«]")
_BLANK = re.compile(r"\n[ \t]*\n")


def own_words(text: str) -> tuple[str, str]:
    """`text` without what was pasted into it, and what was."""
    text = text.replace("’", "'")
    pasted: list[str] = []

    def taken(match: re.Match[str]) -> str:
        pasted.append(match[0])
        return "\n"

    def worked_on(match: re.Match[str]) -> str:
        if not _NAMED.search(match[1]):
            return match[0]
        pasted.append(match[2])
        return match[1]

    def talked(match: re.Match[str]) -> str:
        return taken(match) if _by_speakers(match[0]) else match[0]

    # What is shown goes on to the end of the message: a blank line or a fence within it may be the pasted text's own.
    if _INTRODUCED.search(text) and (shown := _SHOWN.search(text)):
        pasted.append(text[shown.end() :])
        text = text[: shown.end()]
    if "\n" in text and (letter := _LETTER.search(text)):
        pasted.append(text[letter.start() :])
        text = text[: letter.start()]
    if "```" not in text and _BLANK.search(text) and (asked := _BEHIND.search(text)):
        again = _AGAIN.search(text, asked.end())
        end = again.start() if again else len(text)
        pasted.append(text[asked.end() : end])
        text = text[: asked.end()] + text[end:]
    for marks, pattern in _PASTED:
        if any(mark in text for mark in marks):
            text = pattern.sub(taken, text)
    if ":" in text or "：" in text:
        text = _TALK.sub(talked, _ON_THE_LINE.sub(worked_on, text))
    for pattern in (_MACHINE, _PROGRAM):
        text = pattern.sub(taken, text)
    return text, "\n".join(pasted)


def _by_speakers(lines: str) -> bool:
    """Whether what stands before the lines are speakers: one of them twice, or "me"."""
    names = [match[1].strip().casefold() for match in _SPEAKER.finditer(lines)]
    return any((name in _SPEAKERS or names.count(name) > 1) and name not in _NO_SPEAKERS for name in names)
