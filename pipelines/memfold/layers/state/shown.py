"""A state as text and as JSON. The text has the form in which an assistant keeps a session's state ("会话状态摘要":
topic, confirmed facts and open questions as numbered lists), in the conversation's language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from memfold.layers.profile.history import Profile
from memfold.layers.state.stated import KINDS, Stand, Stated
from memfold.text.scripts import IDEOGRAPH

# The most entries of each kind in the text, the newest ones; the JSON has all.
MOST: Mapping[str, int] = {
    "requirement": 8,
    "constraint": 8,
    "excluded": 8,
    "conclusion": 8,
    "fact": 10,
    "question": 6,
    "turn": 6,
}

_ENGLISH = {
    "state": "Where the conversation stands",
    "user": "Current user",
    "topic": "Current topic",
    "requirement": "Confirmed requirements",
    "constraint": "Constraints",
    "excluded": "Excluded options",
    "conclusion": "Conclusions",
    "fact": "Confirmed facts",
    "question": "Open questions",
    "turn": "Turning points",
    "before": "before",
    "against": "but also said",
    "because": "because",
    "earlier": "and {} earlier",
    "none": "nothing",
}
_CHINESE = {
    "state": "会话状态摘要",
    "user": "当前用户",
    "topic": "讨论主题",
    "requirement": "已确认需求",
    "constraint": "约束条件",
    "excluded": "已排除选项",
    "conclusion": "已确认结论",
    "fact": "已确认事实",
    "question": "待确认问题",
    "turn": "重要转折",
    "before": "此前",
    "against": "但也说过",
    "because": "原因",
    "earlier": "另有更早的 {} 条",
    "none": "暂无",
}


@dataclass(frozen=True)
class StateOf:
    """Where one conversation stands: `standing` as of the message or time that was named, or now; `known` is the
    profile as of then, which says who the user is."""

    conversation_id: str
    standing: Stand
    known: Profile = field(default_factory=Profile, repr=False, compare=False)

    @property
    def text(self) -> str:
        """Numbered lists under headings; each entry with its exchange, its day and what it replaced."""
        return "\n".join(_lines(self.standing, users(self.known)))

    @property
    def json(self) -> dict[str, Any]:
        """Everything that holds by kind, the turning points, and under `history` what holds no more."""
        standing = self.standing
        topic = standing.topic
        return {
            "conversation_id": self.conversation_id,
            "last_exchange": standing.last_exchange,
            "user": users(self.known) or None,
            "topic": None if topic is None else {**asdict(topic), "said": _iso(topic.said)},
            **{f"{kind}s": [_row(entry) for entry in standing.holding(kind)] for kind in KINDS},
            "turning_points": [_row(entry) for entry in standing.turns],
            "history": [
                {**_row(entry), "kind": entry.kind, "state": entry.state, "by": entry.by}
                for entry in standing.entries
                if entry.state in ("replaced", "answered", "left")
            ],
        }

    def __str__(self) -> str:
        return self.text


# One thing is taken instead of another: the sentence begins with the one that was not given up.
_INSTEAD = re.compile(r"\b(?:over|rather than|instead of)\b|而不是", re.IGNORECASE)


def line(entry: Stated, words: Mapping[str, str] = _ENGLISH) -> str:
    """An entry as one line: who said it, its text, why, and what it replaced or contradicts; of two options first the
    one that is given up."""
    reason = f" ({words['because']}: {entry.reason})" if entry.reason else ""
    before = f" ({words['before']}: {entry.replaced})" if entry.replaced else ""
    against = f" ({words['against']}: {entry.against})" if entry.against else ""
    given_up = entry.about if entry.kind == "excluded" and _INSTEAD.search(entry.text) else None
    who = f"{entry.who}: " if entry.who and f"{entry.who}: " not in entry.text else ""
    return " ".join(
        f"{who}{f'{given_up}: ' if given_up else ''}{entry.text}{reason}{before}{against}".split()
    )


def label(kind: str) -> str:
    """What stands before an entry of a kind in a context."""
    return f"{kind}: "


def labelled(entry: Stated) -> str:
    """An entry as a line of a context, whose page says who spoke."""
    return label(entry.kind) + line(replace(entry, who=None))


# What of a profile says who somebody is, beside the name.
_WHO = ("job", "employer", "home")


def users(profile: Profile) -> str:
    """Who the users are that are known by name: "Alice (nurse, Berlin)"."""
    found = []
    for who in dict.fromkeys(entry.who for entry in profile.entries):
        of = [entry for entry in profile.entries if entry.who == who]
        names = [entry.value for entry in of if entry.attribute == "name"] or ([who] if who else [])
        more = ", ".join(entry.value for entry in of if entry.attribute in _WHO)
        if names:
            found.append(f"{' / '.join(names)}{f' ({more})' if more else ''}")
    return " ".join("; ".join(found).split())


def _lines(standing: Stand, user: str) -> Iterator[str]:
    texts = [entry.text for entry in standing.entries] + ([standing.topic.text] if standing.topic else [])
    words = _CHINESE if sum(bool(IDEOGRAPH.search(text)) for text in texts) * 2 > len(texts) else _ENGLISH
    yield f"【{words['state']}】" if words is _CHINESE else f"# {words['state']}"
    if user:
        yield f"- {words['user']}: {user}"
    topic = standing.topic
    yield (
        f"- {words['topic']}: {' '.join(topic.text.split())} {_place(topic.exchange_id, topic.said)}"
        if topic
        else (f"- {words['topic']}: {words['none']}")
    )
    for kind in (*KINDS, "turn"):
        entries = standing.turns if kind == "turn" else standing.holding(kind)
        if not entries:
            continue
        yield f"- {words[kind]}:"
        if len(entries) > MOST[kind]:
            yield f"  ({words['earlier'].format(len(entries) - MOST[kind])})"
        for number, entry in enumerate(entries[-MOST[kind] :], start=1):
            yield f"  {number}. {line(entry, words)} {_place(entry.exchange_id, entry.said)}"


def _place(exchange: int, said: datetime | None) -> str:
    return f"[{exchange}{f', {said.date().isoformat()}' if said else ''}]"


def _row(entry: Stated) -> dict[str, Any]:
    row = {
        "text": entry.text,
        "who": entry.who,
        "exchange": entry.exchange_id,
        "said": _iso(entry.said),
        "about": entry.about,
        "reason": entry.reason,
        "replaced": entry.replaced,
        "against": entry.against,
    }
    return {name: value for name, value in row.items() if value is not None}


def _iso(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
