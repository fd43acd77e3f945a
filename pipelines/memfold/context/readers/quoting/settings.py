"""What the settings of the quoting reader are, and their bounds."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.given import check_least, check_shares


@dataclass(frozen=True)
class Settings:
    """At most `spans` quotes for a fact, `many` where several are asked for, `listed` for a summary or an order that
    names no number; together of at most `characters`, each of at most `quote`, in a list of at most `item`. A short
    message of the user is quoted whole: one of at most `item`, the best one of at most `quote`. In a summary up to
    `points` sentences of the answer stand below each quote. A question about what the assistant said is answered by the
    exchange that fits best, quoted in its own order. Where new advice is asked for, that exchange stands below up to
    `many` quotes, unless its best sentence is worth `margin` less than the best quote. Where code is asked for, the
    block that fits best follows, of at most half of `characters`.

    The `considered` sentences nearest by rare words are embedded. `dense` is the share of meaning in a sentence's
    nearness to the question, `chinese_dense` that for a question in Chinese; rare words have the rest. `rank` is
    how much the best hit's sentences gain over the last hit's, `user` how much the user's words gain over the
    assistant's (whose words are asked for, or what may advise: nothing), `request` what a question, a request or a
    dream loses: it states nothing; `derived` what a note loses beside the words it was made from. A sentence worth
    `margin` less than the best is left out (2 × `margin` for questions about one figure and 1.5 × about several,
    since figures stand in sentences about other things). If two sentences have a cosine of at least `twin` and
    different figures, the newer one is the value, unless it is worth more than `nearly` less, and the older one is
    shown as replaced.

    A standing order whose cosine to the question is at least `order` is repeated, a preference from `preference` on.
    Both sides of a contradiction are at least `side` near.

    Nothing is answered in three cases. The noun that the question asks for ("the agenda of …") has no word in the best
    sentences with a cosine to it of `noun_threshold` or more, and these do not hold the figure, date, reason, place or
    name that was asked for. Words that are not in the context have a share of at least `strange` of the question's
    weight, and of one of them no word of the best sentences comes as near as `strange_threshold`. Only words of English
    have such a cosine: in Chinese the terms found must have at least `chinese_threshold` of the question's weight, and
    in other languages one term must be found. Advice, an order, a summary or a span of time is always tried.
    """

    spans: int = 5
    many: int = 8
    listed: int = 14
    points: int = 2
    characters: int = 1600
    quote: int = 420
    item: int = 220
    considered: int = 24
    dense: float = 0.65
    chinese_dense: float = 0.4
    rank: float = 0.2
    user: float = 0.2
    request: float = 0.2
    derived: float = 0.15
    margin: float = 0.25
    twin: float = 0.6
    nearly: float = 0.12
    order: float = 0.4
    preference: float = 0.35
    side: float = 0.38
    noun_threshold: float = 0.55
    strange: float = 0.6
    strange_threshold: float = 0.5
    chinese_threshold: float = 0.25

    def __post_init__(self) -> None:
        check_least(self, spans=1, many=1, listed=1, points=0, considered=1)
        check_least(self, characters=40, quote=40, item=40)
        check_least(self, rank=0, user=0, request=0, derived=0, margin=0, nearly=0)
        check_least(self, order=0, preference=0, side=0)
        check_shares(self, "dense", "chinese_dense", "twin")
        check_shares(self, "noun_threshold", "strange", "strange_threshold", "chinese_threshold")
