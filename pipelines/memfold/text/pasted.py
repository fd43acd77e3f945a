"""Tells the user's own words in a message from what they pasted into it: code, quotations, letters, talks, texts they
show.

Told by form alone: fences, quoted lines, long quotations and those that somebody else is said to have spoken, heads of
letters, lines with a speaker before them, lines of code and logs, and what follows a line such as "here is the email:",
the head of what a tool put out ("Observation:", "$ cat README.md") or a request to work on a text. English, Chinese and
German. In doubt a stretch counts as pasted: what was pasted binds nobody.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from memfold.text.fences import blocks, fenced, without_code

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
    r"(?:(?:^|[.!?;,][ \t]+)\W{0,3}|\b(?:please|can\s+you|could\s+you|would\s+you)\s+)(?:(?:please|now|just)\s+){0,3}"
    r"(?:translate|summari[sz]e|proof-?read|paraphrase|re-?phrase|re-?write|re-?word|polish|shorten|edit)\b"
    r"(?![^\n:]{0,200}\b(?:always|never|every|when(?:ever)?|from\s+now)\b)"
    r"|\b(?:übersetze?|fasse?|korrigiere?|überarbeite?|formuliere?|kürze)\b"
    r"(?![^\n:]{0,200}\b(?:immer|jede[mnrs]?|ab\s+jetzt)\b)"
    r"|(?:翻译|总结|概括|改写|润色|校对|缩写)(?![^\n:：]{0,200}(?:以后|每次|总是|始终|从现在))"
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
# The head of what a tool put out. A machine's is followed by its words, on the same line too; a plain one is a word
# that people use of their own things ("Result: we won"), so that what it shows begins below it.
_MACHINES_HEAD = (
    r"(?:(?:agent|env(?:ironment)?)[ ])?observations?|std(?:out|err)|action[ _]?input"
    r"|(?:tool|function)[ _-]?(?:call|message|use)?(?=\W{0,3}[:：])"
    r"|(?:tool|function)[ ][`\w.-]{1,60}[ ](?:returned|responded|printed)"
    r"|[a-z]{1,20}_\w{1,40}(?:\([^()]{0,60}\))?[ ](?:returned|responded|printed)"
    r"|(?:tool|function|plugin|api|server|https?|web(?:[ _-]?page)?|browser|search|retrieval|query|command|cmd|shell"
    r"|terminal|console|bash|program|script|execution|exec)[ _-]?(?:(?:call|use)[ _-]?)?"
    r"(?:results?|outputs?|responses?|returns?|contents?)"
    r"|观察(?:结果)?|(?:工具|函数|命令|搜索|执行|接口)(?:调用)?(?:输出|结果|返回|响应)"
    r"|beobachtung|(?:werkzeug|tool|funktions|konsolen|befehls|such|api)-?(?:ausgabe|ergebnis(?:se)?|antwort)"
)
_PLAIN_HEAD = (
    r"(?:source|url)(?=[:：]\W*https?:)|results?|outputs?|responses?|contents?|exit[ ](?:code|status)"
    r"|ergebnis(?:se)?|ausgabe|结果|输出"
)
_PUT_OUT = re.compile(
    rf"[\[(<*#_` \t]{{0,8}}(?:(?P<machine>{_MACHINES_HEAD})|(?:{_PLAIN_HEAD}))"
    r"(?:[ ]\#?\d{1,4}|[ ]id=\S{1,40}|[ ]?\([^()]{0,80}\)|[ ](?:of|from|for|von|aus)[ ][^:：]{1,80}?){0,2}"
    r"(?:[\])>*_`]*[ \t]*(?:[:：][\])>*_ \t]*|\Z)|[\])>][ \t]+)",
    re.IGNORECASE,
)
# A file's name or tag, or a command at a prompt, above what is in it or what it prints.
_COMMAND = (
    r"(?:cat|type|less|head|tail|ls|grep|rg|sed|awk|find|echo|diff|git|gh|npm|pnpm|yarn|npx|make|curl|wget|python3?|pip"
    r"|pytest|uv|cargo|go|docker|kubectl|sudo|\./\S+)[ ]\S"
)
# Behind "# ", which is root's prompt and Markdown's heading: where the command is a word, an option, a path or a file's
# name too. "# find a hotel" is a heading; "# cat food" is one in doubt, which gives no order.
_AT_ROOT = (
    r"(?:(?:ls|grep|rg|sed|awk|wget|pytest|npx|kubectl|sudo|\./\S+)[ ]\S"
    r"|(?:git|gh|npm|pnpm|pip|uv|cargo|docker)[ ](?:log|show|diff|status|clone|pull|push|commit|blame|branch|checkout"
    r"|config|remote|pr|issue|run|api|repo|test|ci|i|install|list|freeze|sync|build|check|ps|logs|exec|compose|images|inspect)\b"
    r"|(?:make|go|yarn)[ ](?:all|test|install|build|clean|check|lint|start|dev|vet)\Z"
    r"|(?:cat|less|head|tail|diff|python3?)[ ](?:[\w.-]+/|[A-Z]{3,}\Z|Makefile|Dockerfile)|echo[ ][\"'$]"
    rf"|(?={_COMMAND})[^\n]*?(?:[ ]-{{1,2}}\w|[ ](?:\.{{0,2}}/|~)|://|\w\.[a-z]{{1,5}}(?=[ ]|\Z)|[*|<>=]|\$[A-Z({{]))"
)
_PRINTED = re.compile(
    r"\W{0,6}(?i:file(?:[ ]?(?:name|path))?)[ ]?[:：]\W{0,4}(?=\S*[./])\S{1,200}\Z"
    r"|(?:={2,}>?|-{2,}|\#{1,3})[ ]`?[\w./-]{1,200}\.[a-z]{1,5}`?(?:[ ](?:<?={2,}|-{2,}))?\Z"
    r"|<(?i:files?|documents?|context|contents?|web_?page|search_?results?)\b[^<>]{0,100}>\Z"
    r"|(?:[\w.-]{1,40}@[\w.-]{1,60}[^$#%]{0,80}|~[\w./-]{0,80}|\([\w.-]{1,40}\)[ ]?|(?:ba|z)?sh-[\d.]{1,8})?"
    r"[$❯➜][ ]+[a-z./~]"
    rf"|\[?[\w.-]{{1,40}}@[\w.-]{{1,60}}[^$#%]{{0,80}}[#%][ ]{_COMMAND}|[#%][ ]{_AT_ROOT}"
    r"|(?:PS[ ])?[A-Z]:\\[^>]{0,120}>[ ]?[\w.]"
    r"|>>>[ ](?:[\w.]+(?:\(|\[|[ ]?=)|(?:import|from|with|for)[ ])"
    r"|(?:cat|head|tail|less)[ ](?:-\w+[ ])?[\w~/-][\w./~-]*\.[a-z]{1,5}\Z"
)
_TURN = re.compile(r"\W{0,4}(?:thought|action)\W{0,4}[:：]", re.IGNORECASE)
# What a person plans to do ("Action: buy tickets") is no call of a tool ("Action: read_file(path)").
_NEXT_TURN = re.compile(
    r"\W{0,4}(?:(?:action[ _]input|observation|final[ ]answer)\W{0,4}[:：]"
    r"|action\W{0,4}[:：]\W{0,4}[\w./-]{1,60}[`*]{0,2}[ ]?(?:[(\[{].*)?\Z)",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\[/([\w-]{1,40})(?:[ ][\w -]{0,40})?\]|</([a-z][\w-]{0,40})>"
    r"|\[END(?:[ ]OF)?[ _]([\w-]{1,40})(?:[ ][\w -]{0,40})?\]|\[(END)\]\Z",
    re.IGNORECASE,
)
_TAG = re.compile(r"[\[<]([a-z][\w-]{0,40})", re.IGNORECASE)
# Where the user speaks again behind what a machine put out, whose own paragraphs may begin with "also" or "and".
_TURNS_BACK = re.compile(
    r"(?:oh|by\s+the\s+way|btw|p\.?s\.?|one\s+more\s+thing|thanks|thank\s+you|übrigens|danke)\b|顺便|谢谢",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[^.!?。！？]{1,200}[?？]")
# Heads that people also write above their own words, and whether they speak of themselves below: their profile is taken
# from there, no order is.
_DOUBTFUL = re.compile(
    r"\W{0,6}(?:results?|contents?|ergebnis(?:se)?|结果)\W{0,6}\Z|(?:tool|function)[ ]?[:：][ ]"
    r"(?!(?:search|read|write|bash|browser?|python|shell|calculator|terminal|fetch|edit|grep|none)\b)"
    r"[a-z]+(?:[ ][a-z]+)?\Z"
    r"|(?:terminal|console|shell|command|program)[ ]outputs?\Z",
    re.IGNORECASE,
)
_IN_DOUBT_AT_ROOT = re.compile(rf"[#%][ ](?={_COMMAND})\S+[ ]\S+\Z")
_SELF = re.compile(r"(?<![\w/])I(?:'(?:m|ve|d|ll)|[ ][a-z])|\b(?i:my|ich|meine?[mnrs]?)\b|我")
_NOT_SAID = re.compile(r"[\"'`>|{\[<$]|\W*\d+[.)]")
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
# A line that a machine is said to speak; where nothing else stands on it, to the next blank line.
_MACHINE = re.compile(
    r"[\[(*#]*[ \t]*(?:system(?:\s+(?:message|prompt|note))?|\w*prompt|assistant|chatbot|ai|bot|agent|tool"
    r"|function|developer|support|output|observation|系统(?:消息|提示)?|助手|客服|机器人|工具|assistent|kundendienst|ausgabe)"
    r"[ \t]*(?:[\])*]+[ \t]*[:：]?|\**[:：])\**[ \t]*|#+[ \t]*(?:system|assistant|developer|tool)$",
    re.IGNORECASE,
)
# A talk: lines one below the other with who speaks before them, one of them twice, or one who is nobody's name.
_SPEAKER = re.compile(r"([^\W\d_][^:：\d.!?。！？]{0,24})[:：]")
_SPEAKERS = frozenset(("me", "i", "you", "user", "human", "ich", "du", "benutzer", "我", "你", "用户"))
_NO_SPEAKERS = frozenset(
    ("rule", "note", "order", "important", "please", "reminder", "step", "规则", "要求", "注意", "regel")
)
# Lines of logs and chats, which begin with a time; a subtitle, or what is changed in a file, to the next blank line;
# a name with a time, above what is said.
_TIMED = re.compile(
    r"\W?\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T, ]+\d{1,2}:\d\d|\[?\d{1,2}:\d\d(?::\d\d|[^\]]{0,9}\])"
)
_STRETCH = re.compile(r"\d\d:\d\d:\d\d[.,]\d+[ \t]*-->|diff --git |@@ -\d")
_NAME_AND_TIME = re.compile(r"[^:]{1,30}\b\d{1,2}:\d\d(?:[ \t]*[AP]M)?$")
# Lines of code and of tables without a fence, and the comments beside them.
_CODE = re.compile(
    r"(?:def|class|import|const|let|var|function|public|private|static)[ ][\w.]+[ ]*(?:[(:;={,]|$)"
    r"|from[ ][\w.]+[ ]import\b|#include\b|[\w.\[\]]+[ ]*[-+*/]?=[ ]*[\"'\d\[{(]"
    r"|[\w.]+\(.*\)[ ]*[;{]?$|[{}\[\]()]+[;,]?$|\"[\w -]+\"[ ]*:|\{[ ]*\""
    r"|</?[a-z][\w-]*[^<>]*>|//|/\*|\$[ ]\w|(?:INSERT|SELECT|UPDATE|DELETE|CREATE)[ ]|[^\t]+\t"
)
_SEPARATED = re.compile(r"(?:[^,，]*,(?=\S)){2}")
# What each of these begins with, and how `_SHOWN` ends: looking for that first takes a hundredth of the time, and most
# messages have none of it.
_PASTED = (
    (("<",), _TAGGED),
    (("<|", "INST]", "SYS>>"), _TEMPLATED),
    ((">", "|"), _QUOTED_LINE),
    (('"', "“", "「", "„", "«", "'"), _QUOTATION),
)
_INTRODUCED = re.compile(r"[:：][ \t]*[\n\"“「『'‘„»«]")
_BLANK = re.compile(r"\n[ \t]*\n")
_FENCED = "`"


# So much of a line tells what it is.
HEAD = 400


def own_words(text: str, *, wary: bool = False) -> tuple[str, str]:
    """`text` without what was pasted into it, and what was. Takes time in proportion to the text, whatever it is.
    `wary`: nobody speaks of themselves below the head of what a tool may have put out (`doubtful`)."""
    text = text.replace("’", "'")
    pasted: list[str] = []

    def taken(match: re.Match[str]) -> str:
        pasted.append(match[0])
        return "\n"

    if "\n" in text:
        text = _without_put_out(text, pasted, wary=wary)
    # What is shown goes on to the end of the message: a blank line or a fence within it may be the pasted text's own.
    if _INTRODUCED.search(text) and (shown := _SHOWN.search(text)):
        pasted.append(text[shown.end() :])
        text = text[: shown.end()]
    if "\n" in text and (letter := _letter(lines := text.split("\n"))) is not None:
        pasted.append("\n".join(lines[letter:]))
        text = "\n".join(lines[:letter])
    if _BLANK.search(text) and not fenced(text) and (asked := _BEHIND.search(text)):
        again = _AGAIN.search(text, asked.end())
        end = again.start() if again else len(text)
        pasted.append(text[asked.end() : end])
        text = text[: asked.end()] + text[end:]
    text = without_code(text, taken)
    for marks, pattern in _PASTED:
        if any(mark in text for mark in marks):
            text = pattern.sub(taken, text)
    if "</" in text or "-->" in text or "[/" in text:
        text = _without_enclosed(text, pasted)
    text = _without_lines(_without_named(text, pasted), pasted)
    return text, "\n".join(pasted)


def doubtful(text: str) -> bool:
    """Whether `own_words` may give other words where it is wary."""
    lines = text.split("\n") if "\n" in text else ()
    heads = [line[:HEAD].strip() for line in lines]
    return (
        text.count("[/") > 1
        or "[end]" in text.lower()
        or any(_IN_DOUBT_AT_ROOT.match(head) or _DOUBTFUL.match(head) for head in heads)
    )


def _without_put_out(text: str, pasted: list[str], *, wary: bool) -> str:
    """The text without what tools put out, each to the end or to where the user speaks again, added to `pasted`."""
    lines = text.split("\n")
    heads = [line[:HEAD].strip() for line in lines]
    # What a fence encloses is shown anyway, and heads nothing.
    behind = line = 0
    for block in blocks(text):
        first = line + text.count("\n", behind, block.start())
        last = first + block[0].count("\n")
        behind, line = block.end(), last
        opens = first + (not heads[first].startswith(("```", "~~~")))
        heads[opens : last + 1] = [_FENCED] * (last + 1 - opens)
    tags = _Tags(heads, wary=wary)
    turns = max((n for n, head in enumerate(heads) if _NEXT_TURN.match(head)), default=0)
    final = max((n for n, (above, head) in enumerate(pairwise(heads), 1) if head and not above), default=0)
    left: list[str] = []
    at = n = 0
    while n < len(heads):
        if closed := tags.closed(heads, n):
            end, puts_out, taken = closed
            if puts_out:
                closing = lines[end].lstrip()
                pasted.append("\n".join((*lines[n:end], closing[:taken])))
                left += *lines[at:n], ""
                at, lines[end], heads[end] = end, closing[taken:], ""
            n = end + 1
            continue
        machines = _put_out(heads, n, turns, wary=wary)
        if machines is None:
            n += 1
            continue
        again = _again(heads, n + 1, machines, final)
        pasted.append("\n".join(lines[n:again]))
        left += *lines[at:n], ""
        at = n = again
    return "\n".join((*left, *lines[at:]))


class _Tags:
    """Where the tags at the beginnings of lines are closed."""

    def __init__(self, heads: Sequence[str], *, wary: bool) -> None:
        self._wary = wary
        self._opened: defaultdict[str, list[int]] = defaultdict(list)
        self._ends: defaultdict[str, list[int]] = defaultdict(list)
        # Where the last of each name ends on its line.
        self._behind: dict[tuple[str, int], int] = {}
        for n, head in enumerate(heads):
            if tag := _TAG.match(head):
                self._opened[tag[1].lower()].append(n)
            for match in _ENDS.finditer(head):
                name = (match[1] or match[2] or match[3] or match[4]).lower()
                if (name, n) not in self._behind:
                    self._ends[name].append(n)
                self._behind[name, n] = match.end()

    def closed(self, heads: Sequence[str], n: int) -> tuple[int, bool, int] | None:
        """The line on which the tag that begins this one is closed, whether it heads what a tool put out, and what of
        that line it takes then: to the last end, for a tool may have written the others. None where it is not."""
        if (tag := _TAG.match(heads[n])) is None:
            return None
        name = tag[1].lower()
        puts_out = tag[0].startswith("[") and _PUT_OUT.match(heads[n]) is not None
        if puts_out and name not in self._ends and heads[n].isupper() and not self._wary:
            name = "end"
        ends = self._ends.get(name, [])
        if (first := bisect_left(ends, n)) == len(ends):
            return None
        if not puts_out:
            return ends[first], False, 0
        opened = self._opened[name]
        following = bisect_left(opened, ends[first] + 1)
        last = (
            bisect_left(ends, opened[following]) if following < len(opened) and not self._wary else len(ends)
        )
        end = ends[last - 1]
        behind = self._behind[name, end]
        # Where a tool puts out something again behind it, none of it is the user's.
        return None if _PUT_OUT.match(heads[end][behind:].strip()) else (end, True, behind)


def _put_out(heads: Sequence[str], n: int, turns: int, *, wary: bool) -> bool | None:
    """Whether a machine speaks below this line, or a file or a program does; None where it heads nothing. `turns` is
    the last line that can follow an agent's thought."""
    head = heads[n]
    first = not n or not heads[n - 1]
    below = n + 1 < len(heads) and heads[n + 1] != _FENCED and any(heads[n + 1 : n + 4])
    if first and n < turns and _TURN.match(head):
        return True
    if first and below and (_PRINTED.match(head) or (wary and _IN_DOUBT_AT_ROOT.match(head))):
        return False
    if (match := _PUT_OUT.match(head)) is None or (not wary and _of_themselves(heads, n)):
        return None
    alone = match.end() == len(head)
    if match["machine"]:
        return True if first or alone else None
    return False if first and below and (alone or heads[n + 1]) and "```" not in head else None


def _of_themselves(heads: Sequence[str], n: int) -> bool:
    """Whether the user speaks of themselves below this line, which only looks like the head of what a tool put out."""
    if not _DOUBTFUL.match(heads[n]):
        return False
    said = [head for head in heads[n + 1 : n + 5] if head][:2]
    return any(map(_SELF.search, said)) and not any(map(_NOT_SAID.match, said))


def _again(heads: Sequence[str], n: int, machines: bool, final: int) -> int:
    """The line from `n` on where the user speaks again behind what was put out: in the `final` paragraph also to ask
    about it."""
    for place in range(n, len(heads)):
        if heads[place - 1] or not heads[place]:
            continue
        back = _TURNS_BACK.match(heads[place]) or (
            not machines
            and (_AGAIN.match(f"\n\n{heads[place]}") or (place == final and _QUESTION.match(heads[place])))
        )
        if back:
            return place
    return len(heads)


def _letter(lines: Sequence[str]) -> int | None:
    """The line where a letter begins."""
    fields = 0
    subject = False
    for n, line in enumerate(lines):
        head = line[:HEAD].strip()
        if _FORWARDED.match(head):
            return n
        said = _ANSWERED.search(head) if len(line) < HEAD and head.endswith(":") else None
        if said is not None and any(map(str.isdigit, head[: said.start()])):
            return n
        field = _FIELD.match(head)
        fields = fields + 1 if field else 0
        subject = field is not None and (subject or field[1] is not None)
        if subject and fields > 1:
            return n - fields + 1
    return None


def _without_enclosed(text: str, pasted: list[str]) -> str:
    """The text without what stands between tags and their ends, which is added to `pasted`."""
    lower = text.lower()
    left: list[str] = []
    unclosed: set[str] = set()
    begin = at = 0
    while opened := _OPENED.search(text, at):
        tag, bracket = opened.groups()
        closing = f"</{tag.lower()}>" if tag else f"[/{bracket.lower()}]" if bracket else "-->"
        end = -1 if closing in unclosed else lower.find(closing, opened.end())
        if end < 0:
            unclosed.add(closing)
            at = opened.end()
            continue
        at = end + len(closing)
        pasted.append(text[opened.start() : at])
        left += text[begin : opened.start()], "\n"
        begin = at
    return "".join((*left, text[begin:]))


def _without_named(text: str, pasted: list[str]) -> str:
    """The text without what stands behind a colon on a line that says it is somebody else's, or to be worked on."""
    lines = text.split("\n")
    for n, line in enumerate(lines):
        if (own := before_named(line)) < len(line):
            pasted.append(line[own + 1 :])
            lines[n] = line[:own]
    return "\n".join(lines)


def before_named(line: str) -> int:
    """How many characters of a line stand before the colon behind which it says that somebody else speaks, or what is
    to be worked on: all, where there is none."""
    colon = min((at for at in (line.find(":"), line.find("：")) if at > 1), default=0)
    shows = colon and line[colon + 1 :].strip() and _NAMED.search(line[max(0, colon - HEAD) : colon])
    return colon if shows else len(line)


def _without_lines(text: str, pasted: list[str]) -> str:
    """The text without lines of logs, chats, talks, machines, code and tables, which are added to `pasted`."""
    lines = text.split("\n")
    heads = [line[:HEAD].strip() for line in lines]
    gone = [False] * len(lines)
    for form in (_timed, _chatted, _talked, _by_machines, _code, _tables):
        for n, marked in enumerate(form(heads)):
            if marked:
                gone[n], heads[n] = True, ""
    left: list[str] = []
    at = 0
    for first, last in _runs(gone):
        left += *lines[at:first], ""
        pasted.append("\n".join(lines[first:last]))
        at = last
    return "\n".join((*left, *lines[at:]))


# Each takes the beginnings of all lines, "" for a blank one or one that is gone, and marks those of its form.


def _timed(heads: Sequence[str]) -> list[bool]:
    marks = [False] * len(heads)
    for n, head in enumerate(heads):
        if not marks[n] and (_STRETCH.match(head) or _renamed(heads[n : n + 2])):
            _mark_to_blank(heads, marks, n)
        marks[n] |= bool(_TIMED.match(head))
    return marks


def _renamed(two: Sequence[str]) -> bool:
    """Whether these are a file's old and new name, above its changes."""
    return len(two) == 2 and two[0].startswith("--- ") and two[1].startswith("+++ ")


def _chatted(heads: Sequence[str]) -> list[bool]:
    """Two or more names with times, each above a line that is said."""
    marks = [False] * len(heads)
    n = 0
    while n < len(heads):
        end = n
        while end + 1 < len(heads) and heads[end + 1] and _NAME_AND_TIME.match(heads[end]):
            end += 2
        if end - n > 2:
            marks[n:end] = [True] * (end - n)
        n = max(end, n + 1)
    return marks


def _talked(heads: Sequence[str]) -> list[bool]:
    speakers = [_SPEAKER.match(head) for head in heads]
    marks = [speaker is not None for speaker in speakers]
    for first, last in _runs(marks):
        names = [speaker[1].strip().casefold() for speaker in speakers[first:last] if speaker]
        if last - first < 2 or not _speak(names):
            marks[first:last] = [False] * (last - first)
    return marks


def _by_machines(heads: Sequence[str]) -> list[bool]:
    marks = [False] * len(heads)
    for n, head in enumerate(heads):
        if not marks[n] and (machine := _MACHINE.match(head)):
            marks[n] = True
            if machine.end() == len(head):
                _mark_to_blank(heads, marks, n)
        elif marks[n] or _of_themselves(heads, n):
            continue
        elif (put_out := _PUT_OUT.match(head)) and put_out["machine"]:
            _mark_to_blank(heads, marks, n)
    return marks


def _code(heads: Sequence[str]) -> list[bool]:
    """Lines of code, and the comments beside them."""
    of_code = [bool(_CODE.match(head)) for head in heads]
    marks = [code or head.startswith("#") for code, head in zip(of_code, heads, strict=True)]
    for first, last in _runs(marks):
        if not any(of_code[first:last]):
            marks[first:last] = [False] * (last - first)
    return marks


def _tables(heads: Sequence[str]) -> list[bool]:
    marks = [bool(_SEPARATED.match(head)) for head in heads]
    for first, last in _runs(marks):
        if last - first < 2:
            marks[first] = False
    return marks


def _mark_to_blank(heads: Sequence[str], marks: list[bool], n: int) -> None:
    while n < len(heads) and heads[n]:
        marks[n] = True
        n += 1


def _runs(marks: Sequence[bool]) -> list[tuple[int, int]]:
    """The stretches of marks that are set, each with its end."""
    if not any(marks):
        return []
    edges = [n for n, (a, b) in enumerate(pairwise((False, *marks, False))) if a != b]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _speak(names: Sequence[str]) -> bool:
    """Whether what stands before the lines are speakers: one of them twice, or "me"."""
    counts = Counter(names)
    return any(
        (name in _SPEAKERS or count > 1) and name not in _NO_SPEAKERS for name, count in counts.items()
    )
