"""Tells what somebody says of themselves in earnest from what they quote, report or suppose. English and Chinese.

`memfold.text.pasted` tells whole stretches that are somebody else's; this looks at a sentence around one claim. In
doubt a claim counts as reported.
"""

from __future__ import annotations

import re

from memfold.text.tongues import ENGLISH_NAMES

# Blanked, place by place: what stands in quotation marks is somebody's words, and a translation's, more often than not.
# A single mark that opens stands behind no word ("I'm", "the dogs' bowls"), and one within a word closes nothing. Each
# way begins with one character, so that a text without any is read at once.
_SINGLE = r"(?=[^\W\d])(?:[^'’\n]|(?<=\w)['’](?=\w)){3,400}(?<!\s)['’](?!\w)"
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^“”\n]{1,400}”|«[^«»\n]{1,400}»|「[^「」\n]{1,200}」|『[^『』\n]{1,200}』"
    rf"|'(?<!\w'){_SINGLE}|‘(?<!\w‘){_SINGLE}"
)
_CALLED = re.compile(
    r"(?:\b(?:call|address) me(?: as)?|\bname(?:'s| is)|叫我|称呼我|我叫|名字是|名字叫)\s*$", re.IGNORECASE
)


def unquoted(text: str) -> str:
    """`text` of the same length without what is quoted in it; a name that the user is to be called by stays."""
    return _QUOTED.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    inner = match[0][1:-1]
    called = _CALLED.search(match.string[max(0, match.start() - 40) : match.start()])
    return f" {inner} " if called and len(inner.split()) <= 3 and len(inner) <= 24 else " " * len(match[0])


# Supposed, played, meant, said by others: what stands right before a claim, or anywhere before it in the sentence.
_BEFORE = re.compile(
    r"\b(?:if|when|whenever|until|till|before|after|unless|once|whether|not|never|like"
    r"|though|as\ if|say|says|said|saying|told\ (?:me|him|her|them)|wrote"
    r"|replied|replies|asks?|asked|wish|think\ that|thinks|thought|do|does|did|would|should"
    r"|might|can|could|will|may|shall|must|claims?|claimed|means?|where|who|that's\ when"
    r"|by\ the\ time|feel\ like|feels\ like"
    r"|act|pretending|assuming|because\ she\ said|because\ he\ said)(?:\ that)?[\s,]*$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:imagine|imagining|pretend|suppose|supposing|assume|hypothetical\w*|role-?play\w*"
    r"|what\ if|let's\ say|fiction\w*|in\ (?:the|my|this|a)\ (?:story|novel|poem|song|game"
    r"|dream|script|book)|(?:I|we|she|he|they)(?:'d|\ had|'ve|\ have)?(?:\ once)?\ (?:dreamt|dreamed)(?!\ (?:of|about))"
    r"|character|translate|translation|lyrics|sentence|phrase|for\ example|e\.g\.|for\ (?:the\ sake\ of\ argument"
    r"|argument's\ sake)|how\ (?:do|would|can)\ (?:you|I|one)\ say|narrator|protagonist|user\ story|persona|bot|prompt"
    # "What's the German for …"
    rf"|the\ {ENGLISH_NAMES}\ (?:word\ |phrase\ |translation\ )?(?:for|of))\b",
    re.IGNORECASE,
)
# Behind a colon stands what is shown, titled or said ("Title: I live in Rome"), except where the words before it say
# that something is put right, is news, or has changed ("Correction:", "I moved again:").
_SHOWS = (":", "：")
_MARKUP = " \t,*_"
_CHANGED = (
    r"(?:moved|relocated)(?:\ (?:again|house|home|out|away|back|here|recently|yesterday|today|(?:last|this)\ \w+"
    r"|(?:to|from)\ [\w ]{2,40})){0,2}"
    r"|(?:changed|switched|got|found|started|quit|left|lost|have|had)\ (?:(?:a|an|my|the)\ )?(?:new\ )?"
    r"(?:jobs?|flat|apartment|house|home|name|surname|address|city|cities|company|companies|employer|careers?"
    r"|promotion|birthday)"
    r"|(?:got\ )?(?:married|divorced|promoted|retired|graduated)|turned\ \d{1,3}"
    r"|(?:was|were|am|'m)\ (?:wrong|mistaken)|misspoke|stand\ corrected|made\ an?\ (?:\w+\ )?(?:mistake|error|typo)"
    r"|(?:have|got)\ (?:an?\ |some\ )?(?:\w+\ )?(?:news|updates?|corrections?)"
    r"|(?:must|should|need\ to|have\ to|want\ to)\ correct\ (?:myself|that|this|something)"
)
_HERALDS = re.compile(
    r"(?:^|[.!?;]\s)\W{0,4}"
    r"(?:(?:actually|oh|ok(?:ay)?|so|and|but|well|also|hey|hi|hello|wait|sorry|now|just|anyway|an?|the|one|my|some"
    r"|another|quick|small|little|short|brief|minor|slight|last|first|good|great|bad|sad|big|exciting|important"
    r"|personal|life)\b[\s,!–—-]+)*"
    r"(?:(?:corrections?|updates?|news|p\.?\ ?s\.?|fyi|btw|by\ the\ way|in\ fact|actually|to\ correct\ myself"
    r"|my\ mistake|scratch\ that|(?:more\ |other\ )?thing|no|nope|wait|oops|sorry)(?:\ \d+|\ ?\([^()]{0,40}\))?"
    r"(?:\ (?:about|from|on|to|of)\ (?:me|this|that|what\ I\ (?:said|told\ you|wrote)(?:\ (?:before|earlier|above))?"
    r"|my\ (?:address|age|name|home|job|life|situation|(?:last|previous|earlier)\ (?:message|answer))))?"
    rf"|(?:I|we)(?:'ve|\ have)?(?:\ ?(?:just|recently|now|also|finally|actually|again))*\ ?(?:{_CHANGED})"
    r"|(?:things|something|my\ (?:address|name|job|situation|plans?))(?:'ve|\ has|\ have)?(?:\ just)?\ changed)"
    r"(?:\ (?:again|now|too|today))?[*_ ]*[:：][\s,*_]*$",
    re.IGNORECASE,
)


_SAID_BY = re.compile(
    r",\ (?:he|she|they|[Mm]y\ [a-z]+|(?!I\b)[A-Z][\w'-]*)\ (?:said|says|wrote|writes|told\ me|texted|replied|answered)"
    r"[\s.!]*$"
)


def in_earnest(text: str, start: int) -> bool:
    """Whether what stands at `start` of an English sentence is said in earnest by the one who speaks, as far as what is
    before it tells, and "…, she said" at its end."""
    before = text[max(0, start - 160) : start]
    if (
        _BEFORE.search(before[-40:])
        or _SUPPOSED.search(before)
        or _SAID_BY.search(text, max(start, len(text) - 40))
    ):
        return False
    shown = before.rstrip(_MARKUP).endswith(_SHOWS)
    return not shown or _HERALDS.search(text, max(0, start - 160), start) is not None


_BEFORE_ZH = re.compile(
    r"(?:如果|假如|假设|要是|万一|当|等|等到|直到|以前|曾经|从前|小时候|那时|当时|希望|想象"
    r"|梦见|说|问|以为|觉得|是不是|有没有|他们?|她们?)[，,：:\s]?$|不$"
)
_SUPPOSED_ZH = re.compile(
    r"如果|假如|假设|假装|扮演|想象|要是|小说|故事里|剧本|角色|台词|歌词|翻译|这句话|例如|比如"
    r"|比方说|造句|怎么说"
)
_AFTER_ZH = re.compile(r"\s*(?:的时候|那年|那天|以前|之前|的那|时[，,。]|了吗|吗|呢|？|\?)")
_HERALDS_ZH = re.compile(
    r"(?:^|[。！？!?；;，,])\s*(?:哦|啊|呃|嗯|等等|但是?|还有|最新|小小?|一个|重要|好|坏)*"
    r"(?:更正|纠正|改正|更新|补充|说明|通知|近况|消息|对了|另外|顺便说一?下?|其实|实际上|不对?|错了|抱歉|对不起"
    r"|[你您]们?好|大家好|嗨|自我介绍|介绍一下自?己?|关于我"
    r"|我(?:又|刚刚?|已经|最近|之前|上次|刚才)*(?:搬家|搬|换了?新?工作|改名字?|结婚|离婚|升职|记错|说错|弄错|搞错|写错)了?)"
    r"(?:一下|一点)?[了的]?\s*[：:]\s*$"
)


def in_earnest_zh(text: str, start: int, end: int) -> bool:
    """As `in_earnest`, of what stands between `start` and `end` of a Chinese sentence, and what is behind it."""
    before = text[max(0, start - 40) : start]
    if _BEFORE_ZH.search(before) or _SUPPOSED_ZH.search(before) or _AFTER_ZH.match(text, end):
        return False
    shown = before.rstrip(_MARKUP).endswith(_SHOWS)
    return not shown or _HERALDS_ZH.search(text, max(0, start - 40), start) is not None
