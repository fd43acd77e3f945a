"""What was erased from a store before a job and while it runs, and which messages of the job's source that affects.

Everything erased is known by digests, as in receipts. Knows no table but that of receipts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from memfold.digest import digest
from memfold.errors import UserError
from memfold.run.reconcile import Identified
from memfold.schema import Message, blank
from memfold.store.erase import Erased, digests, receipts
from memfold.store.location import Location


def check_erased(erased: str) -> None:
    """UserError unless a job's setting `erased` is one of its two values."""
    if erased not in ("index", "skip"):
        raise UserError(f"erased={erased!r} must be index or skip")


def erased_meanwhile(conversation_id: str) -> str:
    """The notice of a job about a conversation that was erased while it ran."""
    return f"conversation {conversation_id!r} was erased while this job ran: it is left out"


class Forgotten:
    """The receipts of a store, as a job takes note of them. `stays` is whether what was erased before the job stays
    erased; what is erased while the job runs always does. `returned` are the messages that were erased and say
    something again."""

    def __init__(self, location: Location, *, stays: bool) -> None:
        self._location, self._stays = location, stays
        filed = receipts(location)
        self._known = {each.receipt for each in filed}
        self._began = frozenset(self._known)
        self._before = frozenset(each.what for each in filed)
        self._amended = frozenset(each.conversation for each in filed if each.message)
        self._meanwhile: set[str] = set()
        self.returned: set[str] = set()

    def left(self, conversations: Collection[str]) -> list[str]:
        """The conversations that are to be indexed: without those that were erased, if they are to stay so."""
        return [each for each in conversations if not (self._stays and self._back(each))]

    def back(self, conversations: Collection[str]) -> int:
        """How many of some conversations had been erased before the job."""
        return sum(map(self._back, conversations))

    def _back(self, conversation_id: str) -> bool:
        """Whether a conversation had been erased before the job."""
        return not self._before.isdisjoint(digests(conversation_id))

    def gone(self, conversation_id: str) -> bool:
        """Whether a conversation was erased and is to stay so."""
        return self._gone(conversation_id)

    def amended(self, conversation_id: str) -> bool:
        """Whether messages of a conversation had been erased before the job."""
        return not self._amended.isdisjoint(digests(conversation_id))

    def unless_erased(self, message_id: str, message: Message) -> Message:
        """The message of an id in the store, or what is left of it if it was erased and is to stay so."""
        if not (self._meanwhile or (self._stays and self._before)):
            return message
        return blank(message) if self._gone(message.conversation_id, message_id) else message

    def noting_returned(self, items: Iterator[Identified]) -> Iterator[Identified]:
        """The same items; those that were erased and say something again are `returned`."""
        for item in items:
            if self._before and (item.message.content or item.message.attachments):
                self.returned |= self._before & digests(item.message.conversation_id, item.message_id)
            yield item

    def since_noted(self) -> set[str]:
        """The digests of the conversations that have a receipt which was not noted yet."""
        return {each.conversation for each in self._since(self._known)}

    def since_begun(self) -> tuple[dict[str, datetime], set[str]]:
        """Since the job began: the digests of the conversations that were erased, with the time of the newest receipt
        of each, and of those that lost messages."""
        filed = self._since(self._began)
        whole: dict[str, datetime] = {}
        for of, when in ((each.conversation, each.erased_at) for each in filed if not each.message):
            whole[of] = max(when, whole.get(of, when))
        return whole, {each.conversation for each in filed if each.message} - whole.keys()

    def note(self, conversations: Collection[str]) -> set[str]:
        """Take note of the receipts that were filed meanwhile; returns which of the conversations were erased since the
        job began."""
        new = self._since(self._known)
        self._known |= {each.receipt for each in new}
        self._meanwhile |= {each.what for each in new}
        return {each for each in conversations if digest(each) in self._meanwhile}

    def _since(self, known: Collection[str]) -> list[Erased]:
        """The receipts but for some that are known."""
        return [each for each in receipts(self._location) if each.receipt not in known]

    def _gone(self, *ids: str) -> bool:
        found = digests(*ids)
        return bool(found & self._meanwhile or (self._stays and found & self._before))
