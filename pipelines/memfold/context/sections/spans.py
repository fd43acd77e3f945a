"""Both ends of a time that is asked for: the dated things that each may be, and the time between them, reckoned."""

from __future__ import annotations

from dataclasses import dataclass

from memfold.context.page import Page
from memfold.context.sections.exchanges import opening
from memfold.context.sections.section import Probed, Shared
from memfold.context.types import Piece
from memfold.given import check_least
from memfold.retrieve.dated import Dated
from memfold.retrieve.ends import ends
from memfold.retrieve.named import EXCHANGES
from memfold.retrieve.named import named as one_named
from memfold.retrieve.reckon import sides, spans

# What is reckoned stands under a label of its own, which no message can forge.
RECKONED = "Reckoned by the calendar from dates above"


@dataclass(frozen=True)
class Spans(Shared):
    """Shows up to `most` dated things for each end of the span, twice that of the one thing that is named where its
    ends are not, each with up to `characters` of its sentence, and up to `reckoned` times between two of them."""

    share: float = 0.2
    most: int = 4
    characters: int = 260
    reckoned: int = 4

    label = "Dates of what is asked about"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_least(self, most=1, characters=1, reckoned=0)

    def fill(self, probed: Probed, page: Page) -> None:
        """Offer the dated sentences of both ends, then the time between them."""
        query = probed.asked.query
        if query.typed.kind != "span":
            return
        named = sides(query.text)
        texts = probed.view.episodes.user_text
        thing = one_named(query.text, [texts[i] for i in map(int, probed.ranking.order[:EXCHANGES])])
        # Where the two are not named apart, both are among what is said of the thing that is named.
        most = 2 * self.most if thing and not named else self.most
        found = ends(probed.view, named or (query.topic,), most, thing)
        shown: list[list[Dated]] = []
        lines: set[tuple[int, str, str]] = set()
        for side in found:
            shown.append([])
            for each in side:
                line = each.exchange_id, each.text, each.literal
                if line in lines or self._add(probed, page, each):
                    lines.add(line)
                    shown[-1].append(each)
        page.begin(RECKONED, self.share)
        one, other = shown if named else (shown[0], shown[0])
        for span in spans(one, other, self.reckoned):
            page.add(Piece(span.end.exchange_id, span.end.message_ids, "reckoned", str(span)))

    def _add(self, probed: Probed, page: Page, each: Dated) -> bool:
        text = f"({_dating(each)}) {opening(each.text, self.characters)}"
        episodes = probed.view.episodes
        day = episodes.day(episodes.position(each.exchange_id))
        # Not the speaker's role: what stands in brackets is not theirs, so that nobody quotes it.
        return page.add(Piece(each.exchange_id, each.message_ids, "dated", text, day))


def _dating(each: Dated) -> str:
    """Who named which day, and how: always there, so that no text begins the line."""
    who = "the assistant: " if each.said_by == "assistant" else ""
    if not each.literal:
        return f"{who}said on {each.first}"
    how = "" if str(each.first.year) in each.literal else f"{each.literal} = "
    return f"{who}{how}{each.written}"
