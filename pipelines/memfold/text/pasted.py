"""Tells the user's own words in a message from what they pasted into it: code, quotations, a text they show.

Told by form alone: fences, quoted lines, long quotations, and what follows a line such as "here is the email:". In
doubt a stretch counts as pasted: what was pasted binds nobody.
"""

from __future__ import annotations

import re

# A quotation of fewer characters is a title, a word, or what something shall be called.
LONG = 60

_THING = (
    r"(?:text|e-?mail|article|log|letter|message|transcript|document|doc|paragraph|passage|essay|post|quote|quotation"
    r"|code|error|output|review|story|draft|snippet|page|content|report|notice|file|script|answer|reply"
    r"|response|comment|chat|conversation|newsletter|abstract|readme|ticket|memo|traceback|json|html|csv)s?"
)
_TITLE = r"(?:text|e-?mail|article|log|transcript|document|passage|essay|code|error|output|story|draft|readme|memo)s?"
# "Here is the email:", "He wrote back:", "I got this message from them:", at the end of a line or before a quotation.
_SHOWN = re.compile(
    r"(?:\b(?:here(?:'s|\s+is|\s+are|\s+comes)|below(?:\s+is|\s+are)?|follow(?:s|ing)|attached|pasted?|forward(?:ed|ing)"
    rf"|copied|quoting|this\s+is|got|received|see|read|check|translate|summari[sz]e|proofread)\b[^\n:]{{0,80}}?\b{_THING}\b"
    r"[^\n:]{0,60}"
    rf"|\b(?:the\s+)?{_THING}\s+(?:says?|said|reads?|goes|is|was)(?:\s+(?:this|as\s+follows))?"
    r"|\b(?:he|she|they|it|who|boss|manager|teacher|friend|assistant)\s+(?:wrote|said|says|replied|answered|sent)\b[^\n:]{0,40}"
    rf"|^[^\w\n]*(?:the\s+)?(?:original\s+|full\s+|pasted\s+|tool\s+|program\s+)?{_TITLE}"
    r"|(?:以下|下面|如下|这是|原文|转发|粘贴|引用|附上|翻译|总结一?下)[^\n:：]{0,30}"
    r"|(?:邮件|文章|文本|日志|消息|短信|代码|报错|输出|内容|原文|文档)(?:如下|是这样的|写道|说)?)"
    r"[ \t]*[:：](?=[ \t]*(?:\n|[\"“「『'‘]))",
    re.IGNORECASE | re.MULTILINE,
)
# A fence ends on a line of its own, or on the line it begins on.
_FENCED = re.compile(
    r"(?:```[^\n`]*```|~~~[^\n~]*~~~)|(?:```|~~~).*?(?:\n[ \t]*(?:```|~~~)[ \t]*(?=\n|\Z)|\Z)"
    r"|<(pre|code|blockquote)\b.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
_QUOTATION = re.compile(
    rf"\"[^\"\n]{{{LONG},}}\"|“[^“”]{{{LONG},}}”|「[^「」]{{{LONG // 3},}}」|\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)",
    re.DOTALL,
)
# What each of these begins with, and how `_SHOWN` ends: looking for that first takes a hundredth of the time, and most
# messages have none of it.
_PASTED = (
    (("```", "~~~", "<"), _FENCED),
    ((">", "|"), _QUOTED_LINE),
    (('"', "“", "「", "'''"), _QUOTATION),
)
_INTRODUCED = re.compile(r"[:：][ \t]*[\n\"“「『'‘]")


def own_words(text: str) -> tuple[str, str]:
    """`text` without what was pasted into it, and what was."""
    text = text.replace("’", "'")
    pasted: list[str] = []

    def taken(match: re.Match[str]) -> str:
        pasted.append(match[0])
        return "\n"

    # What is shown goes on to the end of the message: a blank line or a fence within it may be the pasted text's own.
    if _INTRODUCED.search(text) and (shown := _SHOWN.search(text)):
        pasted.append(text[shown.end() :])
        text = text[: shown.end()]
    for marks, pattern in _PASTED:
        if any(mark in text for mark in marks):
            text = pattern.sub(taken, text)
    return text, "\n".join(pasted)
