"""Tells what tools put out in a user's message: each from its head ("Observation:", "$ cat README.md", "[tool result]")
to where it is closed, to where the user speaks again, or to the end.

Heads are lines of tables, so that one more is one more line: words before a colon (`_MACHINES`, `_PLAIN`), names of
files and prompts (`_PRINTED`). In doubt what follows a head was put out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memfold.text.fences import blocks
from memfold.text.spans import Span, begins, heads


def _any(*forms: str) -> str:
    return f"(?:{'|'.join(forms)})"


# A machine's head is followed by its words, on the same line too. Those of an agent's frame stand in lists as well, and
# before other signs than a colon: "- Observation: ", "Observation = ", "stdout | ".
_FRAMES = _any(
    r"(?:(?:agent|env(?:ironment)?)[ ])?observations?",
    r"std(?:out|err)|action[ _]?input",
    r"(?:tool|function)[ _-]?(?:(?:call|use)[ _-]?)?(?:results?|outputs?|responses?)",
)
_FETCH = r"(?:(?:the|my|and|I[ ]ran|running|when[ ]I[ ]run)[ ]){0,2}`?(?:curl|wget|httpie?)[ ]"
_MACHINES = _any(
    _FRAMES,
    r"(?:tool|function)[ _-]?(?:call|message|use)?(?=\W{0,3}[:：])",
    r"(?:tool|function)[ ][`\w.-]{1,60}[ ](?:returned|responded|printed)",
    r"[a-z]{1,20}_\w{1,40}(?:\([^()]{0,60}\))?[ ](?:returned|responded|printed)",
    rf"{_FETCH}(?!is\b|was\b)(?:[^\n]{{1,240}}?[ ])?(?:returned|returns|responded|printed|gave|gives|shows|outputs?)"
    r"(?:[ ](?:back|with|me|out|this|the[ ]following)){0,3}[ ]?[:：]\Z",
    # Behind an address the output may begin on the same line. Without one the user goes on there: "When I run curl it
    # shows: 403. Please use httpie".
    rf"{_FETCH}(?:[^\n]{{1,200}}?[ ])?\S{{0,200}}?\w[./]\w\S{{0,300}}(?:[ ]and[ ]it)?"
    r"[ ](?:returned|responded|printed)(?=[ ]?[:：])",
    r"(?:(?:the|our)[ ])?(?:api|endpoint)[ ](?:returned|responded)(?:[ ]this)?[ ]?[:：]\Z",
    r"(?:tool|function|plugin|api|server|https?|web(?:[ _-]?page)?|browser|search|retrieval|query|command|cmd|shell"
    r"|terminal|console|bash|program|script|execution|exec)[ _-]?(?:(?:call|use)[ _-]?)?"
    r"(?:results?|outputs?|responses?|returns?|contents?)",
    r"观察(?:结果)?|(?:工具|函数|命令|搜索|执行|接口)(?:调用)?(?:输出|结果|返回|响应)",
    r"beobachtung|(?:werkzeug|tool|funktions|konsolen|befehls|such|api)-?(?:ausgabe|ergebnis(?:se)?|antwort)",
)
# A plain head is a word that people use of their own things ("Result: we won"): what it shows begins below it.
_PLAIN = _any(
    r"(?:source|url)(?=[:：]\W*https?:)",
    r"results?|outputs?|responses?|contents?|exit[ ](?:code|status)",
    r"ergebnis(?:se)?|ausgabe|结果|输出",
)
# Which one it is, and of what.
_NAMED = (
    r"(?:[ ]\#?\d{1,4}|[ ]id=\S{1,40}|[ ]?\([^()]{0,80}\)|[ ](?:of|from|for|von|aus)[ ][^:：]{1,80}?){0,2}"
)
_HEAD = re.compile(
    rf"[\[(<*#_` \t]{{0,8}}(?:(?P<machine>{_MACHINES})|{_PLAIN}){_NAMED}"
    r"(?:[\])>*_`]*[ \t]*(?:[:：][\])>*_ \t]*|\Z)|[\])>][ \t]+)",
    re.IGNORECASE,
)
_ITEM = r"(?:(?:[-+*•]|\d{1,3}[.)])[ ]+)"
# A call whose value gets a name ("observation = env.reset()") is code.
_FRAMED = re.compile(
    rf"{_ITEM}?[*_`]{{0,4}}(?P<machine>{_FRAMES}){_NAMED}"
    r"[*_`]*[ \t]*(?:[:：|]|->|=(?![ ]*[\w.]+[(\[]))[>*_` \t]*",
    re.IGNORECASE,
)
_COMMAND = (
    r"(?:cat|type|less|head|tail|ls|grep|rg|sed|awk|find|echo|diff|git|gh|npm|pnpm|yarn|npx|make|curl|wget|python3?|pip"
    r"|pytest|uv|cargo|go|docker|kubectl|sudo|\./\S+)[ ]\S"
)
# Behind "# ", which is root's prompt and Markdown's heading: where the command is a word, an option, a path or a file's
# name too. "# find a hotel" is a heading; "# cat food" is one in doubt, which gives no order.
_AT_ROOT = _any(
    r"(?:ls|grep|rg|sed|awk|wget|pytest|npx|kubectl|sudo|\./\S+)[ ]\S",
    r"(?:git|gh|npm|pnpm|pip|uv|cargo|docker)[ ](?:log|show|diff|status|clone|pull|push|commit|blame|branch|checkout"
    r"|config|remote|pr|issue|run|api|repo|test|ci|i|install|list|freeze|sync|build|check|ps|logs|exec|compose|images|inspect)\b",
    r"(?:make|go|yarn)[ ](?:all|test|install|build|clean|check|lint|start|dev|vet)\Z",
    r"(?:cat|less|head|tail|diff|python3?)[ ](?:[\w.-]+/|[A-Z]{3,}\Z|Makefile|Dockerfile)",
    r"echo[ ][\"'$]",
    rf"(?={_COMMAND})[^\n]*?(?:[ ]-{{1,2}}\w|[ ](?:\.{{0,2}}/|~)|://|\w\.[a-z]{{1,5}}(?=[ ]|\Z)|[*|<>=]|\$[A-Z({{])",
)
# A call by an arrow. "-> snake_case names only" and "-> type_hints everywhere" are orders.
_CALLED = (
    r"(?!(?:(?:snake|camel|pascal|kebab|upper|lower)_case|type_hints?)(?:[ ][a-z]|\Z)|\w+_style[ ][a-z]+\Z"
    r"|\w+[ ](?:only|everywhere|throughout|please|instead)\b)[a-z]{1,20}_\w{1,40}(?=[ (]|\Z)"
)
# A file's name or tag, or a command at a prompt, above what is in it or what it prints.
_PRINTED = re.compile(
    _any(
        r"\W{0,6}(?i:file(?:[ ]?(?:name|path))?)[ ]?[:：]\W{0,4}(?=\S*[./])\S{1,200}\Z",
        r"(?:={2,}>?|-{2,}|\#{1,3})[ ]`?[\w./-]{1,200}\.[a-z]{1,5}`?(?:[ ](?:<?={2,}|-{2,}))?\Z",
        rf"(?:={{2,}}|-{{2,}})[ ](?i:{_FRAMES})[ ](?:={{2,}}|-{{2,}})\Z",
        rf"(?:[=-]>|[→⏺▶])[ ]?{_CALLED}",
        r"<(?i:files?|documents?|context|contents?|web_?page|search_?results?)\b[^<>]{0,100}>\Z",
        r"(?:[\w.-]{1,40}@[\w.-]{1,60}[^$#%]{0,80}|~[\w./-]{0,80}|\([\w.-]{1,40}\)[ ]?|(?:ba|z)?sh-[\d.]{1,8})?"
        r"[$❯➜][ ]+[a-z./~]",
        rf"\[?[\w.-]{{1,40}}@[\w.-]{{1,60}}[^$#%]{{0,80}}[#%][ ]{_COMMAND}",
        rf"[#%][ ]{_AT_ROOT}",
        r"(?:PS[ ])?[A-Z]:\\[^>]{0,120}>[ ]?[\w.]",
        r">>>[ ](?:[\w.]+(?:\(|\[|[ ]?=)|(?:import|from|with|for)[ ])",
        r"(?:cat|head|tail|less)[ ](?:-\w+[ ])?[\w~/-][\w./~-]*\.[a-z]{1,5}\Z",
    )
)
# A file's name as Markdown's heading, over a rule.
_UNDERLINED = re.compile(r"`?[\w./-]{2,200}\.[a-z]{1,5}`?\n(?:={3,}|-{3,})\Z")
# Names of notes, software and sites: people write of themselves below "notes.txt", "Node.js" and "MyProject.io". What
# stands below a project's "README.md" or "docs/style.md" is somebody else's.
_RULED_IN_DOUBT = re.compile(
    r"(?![A-Z]{3})[\w.-]{2,200}\.(?:md|txt|org|rst|com|io|net|ai|co|eu|uk|de|tv|me)\Z"
    r"|(?:Node|Next|Nuxt|Vue|React|Express|Three|Chart|Ember|Backbone|Alpine|Nest|Electron|D3|Discord|ASP)\.(?:js|net)\Z"
)
_IN_DOUBT_AT_ROOT = re.compile(rf"[#%][ ](?={_COMMAND})\S+[ ]\S+\Z")
# Heads that people also write above their own words, and whether they speak of themselves below: their profile is taken
# from there, no order is.
_IN_DOUBT = re.compile(
    _any(
        r"\W{0,6}(?:results?|contents?|ergebnis(?:se)?|结果)\W{0,6}\Z",
        r"(?:tool|function)[ ]?[:：][ ]"
        r"(?!(?:search|read|write|bash|browser?|python|shell|calculator|terminal|fetch|edit|grep|none)\b)"
        r"[a-z]+(?:[ ][a-z]+)?\Z",
        r"(?:terminal|console|shell|command|program)[ ]outputs?\Z",
        rf"{_ITEM}[*_`]{{0,4}}observations?\b",
        rf"{_ITEM}?{_FRAMES}[ ]*[=|]",
    ),
    re.IGNORECASE,
)
_SELF = re.compile(r"(?<![\w/])I(?:'(?:m|ve|d|ll)|[ ][a-z])|\b(?i:my|ich|meine?[mnrs]?)\b|我")
_NOT_SAID = re.compile(r"[\"'`>|{\[<$]|\W*\d+[.)]")
# An agent's turn. What a person plans to do ("Action: buy tickets") is no call of a tool ("Action: read_file(path)").
_TURN = re.compile(r"\W{0,4}(?:thought|action)\W{0,4}[:：]", re.IGNORECASE)
_NEXT_TURN = re.compile(
    r"\W{0,4}(?:(?:action[ _]input|observation|final[ ]answer)\W{0,4}[:：]"
    r"|action\W{0,4}[:：]\W{0,4}[\w./-]{1,60}[`*]{0,2}[ ]?(?:[(\[{].*)?\Z)",
    re.IGNORECASE,
)
_TAG = re.compile(r"[\[<]([a-z][\w-]{0,40})", re.IGNORECASE)
_END = re.compile(
    r"\[/([\w-]{1,40})(?:[ ][\w -]{0,40})?\]|</([a-z][\w-]{0,40})>"
    r"|\[END(?:[ ]OF)?[ _]([\w-]{1,40})(?:[ ][\w -]{0,40})?\]|\[(END)\]\Z",
    re.IGNORECASE,
)
# How the user speaks again, at the beginning of a paragraph, behind what a file or a program put out. What a machine
# puts out may have paragraphs that begin with "also" or "and" itself.
_BACK = r"(?:oh|by\s+the\s+way|btw|p\.?s\.?|one\s+more\s+thing|thanks|thank\s+you|übrigens|danke)\b|顺便|谢谢"
AGAIN = re.compile(rf"{_BACK}|(?:also|and|außerdem)\b|另外|还有", re.IGNORECASE)
_BEHIND_MACHINES = re.compile(_BACK, re.IGNORECASE)
_QUESTION = re.compile(r"[^.!?。！？]{1,200}[?？]")
_FENCED = "`"


def put_out(text: str, *, wary: bool = False) -> Iterator[Span]:
    """What tools put out. `wary`: nobody speaks of themselves below the head of what a tool may have put out."""
    at, lines = begins(text), _outside_fences(text)
    closed = _closed(lines, wary=wary)
    turns = max((n for n, head in enumerate(lines) if _NEXT_TURN.match(head)), default=0)
    final = max((n for n, (above, head) in enumerate(pairwise(lines), 1) if head and not above), default=0)
    n = 0
    while n < len(lines):
        line, behind = closed.get(n, (n, 0))
        # Where a tool puts out something again behind it, none of it is the user's.
        if n in closed and not (behind and _HEAD.match(lines[line][behind:].strip())):
            if behind:
                yield at[n], text.index(lines[line], at[line]) + behind
                lines[line] = ""
            n = line + 1
        elif back := _heads(lines, n, turns, wary=wary):
            again = _again(lines, n + 1, back, final)
            yield at[n], at[again]
            n = again
        else:
            n += 1


def doubtful(text: str) -> bool:
    """Whether something else is put out where one is wary."""
    lines = heads(text)
    in_doubt = any(_IN_DOUBT_AT_ROOT.match(head) or _in_doubt(lines, n) for n, head in enumerate(lines))
    return in_doubt or text.count("[/") > 1 or "[end]" in text.lower()


def heads_machine(lines: Sequence[str], n: int, *, wary: bool = False) -> bool:
    """Whether this line is a machine's head, wherever it stands."""
    head = _head(lines[n])
    machine = head is not None and head["machine"] is not None
    return machine and (wary or not _of_themselves(lines, n))


def _head(line: str) -> re.Match[str] | None:
    return _HEAD.match(line) or _FRAMED.match(line)


def _outside_fences(text: str) -> list[str]:
    """The lines. What a fence encloses is shown anyway, and heads nothing."""
    lines = heads(text)
    behind = line = 0
    for block in blocks(text):
        first = line + text.count("\n", behind, block.start())
        last = first + block[0].count("\n")
        behind, line = block.end(), last
        opens = first + (not lines[first].startswith(("```", "~~~")))
        lines[opens : last + 1] = [_FENCED] * (last + 1 - opens)
    return lines


def _closed(lines: Sequence[str], *, wary: bool) -> dict[int, tuple[int, int]]:
    """The lines that begin with a tag which is closed: on which line, and how much of that one a tool put out, 0 where
    the tag is none of a tool's. A tool's goes to the last end before it is opened again, for the tool may have written
    the others; to the last of all, if one is wary."""
    closed: dict[int, tuple[int, int]] = {}
    first: dict[str, int] = {}
    last: dict[str, tuple[int, int]] = {}
    opened: set[str] = set()
    for n in range(len(lines) - 1, -1, -1):
        for end in reversed([*_END.finditer(lines[n])]):
            name = end[end.lastindex or 0].lower()
            first[name] = n
            if name not in last or (name in opened and not wary):
                last[name] = n, end.end()
            opened.discard(name)
        if tag := _TAG.match(lines[n]):
            name = tag[1].lower()
            opened.add(name)
            tools = tag[0].startswith("[") and _HEAD.match(lines[n])
            if tools and name not in first and lines[n].isupper() and not wary:
                name = "end"
            if name in first:
                closed[n] = last[name] if tools else (first[name], 0)
    return closed


def _heads(lines: Sequence[str], n: int, turns: int, *, wary: bool) -> re.Pattern[str] | None:
    """How the user speaks again behind what this line heads; None where it heads nothing. `turns` is the last line that
    can follow an agent's thought."""
    head = lines[n]
    begins = not n or not lines[n - 1]
    below = begins and n + 1 < len(lines) and lines[n + 1] != _FENCED and any(lines[n + 1 : n + 4])
    if begins and n < turns and _TURN.match(head):
        return _BEHIND_MACHINES
    if below and (_PRINTED.match(head) or (wary and _IN_DOUBT_AT_ROOT.match(head))):
        return AGAIN
    if not wary and _of_themselves(lines, n):
        return None
    if below and _underlined(lines, n):
        return AGAIN
    if (match := _head(head)) is None:
        return None
    alone = match.end() == len(head)
    if match["machine"]:
        return _BEHIND_MACHINES if begins or alone else None
    return AGAIN if below and (alone or lines[n + 1]) and "```" not in head else None


def _in_doubt(lines: Sequence[str], n: int) -> bool:
    """Whether people write this line above their own words too."""
    head = lines[n]
    return bool(_IN_DOUBT.match(head)) or (_RULED_IN_DOUBT.match(head) is not None and _underlined(lines, n))


def _underlined(lines: Sequence[str], n: int) -> bool:
    """Whether this line is a file's name over a rule."""
    return n + 1 < len(lines) and _UNDERLINED.match(f"{lines[n]}\n{lines[n + 1]}") is not None


def _of_themselves(lines: Sequence[str], n: int) -> bool:
    """Whether the user speaks of themselves on this line or below it, which only looks like the head of what a tool put
    out."""
    if not _in_doubt(lines, n):
        return False
    head = _head(lines[n])
    behind = lines[n][head.end() :] if head else ""
    said = [behind, *[each for each in lines[n + 1 : n + 5] if each.strip("=-")][:2]]
    return any(map(_SELF.search, said)) and not any(map(_NOT_SAID.match, said))


def _again(lines: Sequence[str], n: int, back: re.Pattern[str], final: int) -> int:
    """The line from `n` on where the user is `back`: in the `final` paragraph also to ask about a file or a program."""
    for place in range(n, len(lines)):
        asks = place == final and back is AGAIN and _QUESTION.match(lines[place])
        if lines[place] and not lines[place - 1] and (asks or back.match(lines[place])):
            return place
    return len(lines)
