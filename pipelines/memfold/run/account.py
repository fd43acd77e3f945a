"""What an index job tells of itself: what it rejects, notices and counts from its first message on. Makes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from memfold.ingest.rejecting import kind_of
from memfold.run.backwards import Backwards
from memfold.run.forgotten import Forgotten
from memfold.run.letters import Letters, wordless
from memfold.run.reconcile import Changes
from memfold.run.work import Made
from memfold.schema import DeadLetter, Notice
from memfold.store.catalog import Snapshot
from memfold.store.record import Record
from memfold.watch import Report

_CHANGED = {
    "corrected": "stored messages replaced by the source's version",
    "left": "stored messages that are not in the source and stay (replace=true takes them away)",
    "removed": "stored messages that are not in the source and are taken away (replace=true)",
}
# The reason under which this job counts the letters of conversations that it left as an earlier job made them.
EARLIER = "met by an earlier job"


class Account:
    """The account of one job. By conversation, `changes` are what the source did to messages that were stored, and
    `rejected` is how many of its messages were rejected, `earlier` how many of them by jobs before one that files
    memories. `unread` counts what could not be read, `unanswered` the exchanges that have no extraction, because the
    engine gave no valid answer and nothing stood in for it."""

    def __init__(self, letters: Letters, forgotten: Forgotten, report: Report) -> None:
        self.letters, self.forgotten, self.report = letters, forgotten, report
        self.backwards = Backwards()
        self.changes: dict[str, Changes] = {}
        self.rejected: dict[str, int] = {}
        self.earlier: dict[str, int] = {}
        self.unread = self.unanswered = self._extracted = self._fallback = 0
        self._notices: list[str] = []

    def notice(self, text: str) -> None:
        """Say something now, and again at the end."""
        self._notices.append(text)
        self.report.note(text)

    def take(self, item: DeadLetter | Notice) -> None:
        """Take down what the source or the engine says of itself: a notice, or what could not be read, unless that is
        of a conversation that was erased and is to stay so, or was erased while this job runs."""
        if isinstance(item, Notice):
            self.notice(item.text)
        elif item.conversation_id is None or not self.forgotten.gone(item.conversation_id):
            self.reject(item, read=True)
            self.unread += 1

    def forget(self) -> None:
        """Store the letters, and take out of them what was erased since the job began: it may have filed some about a
        conversation that was erased meanwhile."""
        self.letters.erase(self.forgotten.since_begun)

    def reject(self, letter: DeadLetter, *, read: bool = False) -> None:
        """Take a letter down (`Letters.add`); without words where they may be those of a message that was erased."""
        if letter.conversation_id is not None and self.forgotten.amended(letter.conversation_id):
            letter = wordless(letter)
        self.letters.add(letter, read=read)
        self.report.dead[kind_of(letter.reason)] += 1

    def add(self, made: Made) -> None:
        """Count what a task left, and take its letters down."""
        self._extracted += made.extracted
        self._fallback += made.fallback
        for letter in made.letters:
            self.reject(letter)
        self.report.fallback += made.fallback
        # Each process reports running totals. Tasks come back in any order, so the largest total is the latest.
        spent, reasons = self.report.spent, self.report.reasons
        spent |= {at: max(spent.get(at, (0, 0.0)), said) for at, said in made.spent.items()}
        reasons |= {
            at: max(reasons.get(at, Counter()), said, key=Counter.total) for at, said in made.reasons.items()
        }
        self.report.advance(made.messages)

    def told(
        self, kept: Mapping[str, Record], snapshot: Snapshot, given: Collection[str] | None, *, files: bool
    ) -> dict[str, object]:
        """What the job returns; it says part of it in words too. `kept` are the records of its conversations that
        `snapshot` shows. `given` are the conversations of the source, None if the source cannot bring back what was
        erased. A job that `files` memories adds to a conversation and changes nothing, and tells its own dead letters
        alone."""
        dead = self.unread + self.unanswered + sum(self.rejected.values()) - sum(self.earlier.values())
        if not files and (earlier := dead - self.report.dead.total()) > 0:
            self.report.dead[EARLIER] += earlier
        told: dict[str, object] = {
            "messages": sum(record.messages for record in kept.values()),
            "exchanges": sum(record.exchanges for record in kept.values()),
            "dead_letters": dead,
            "tokens": sum(record.tokens for record in kept.values()),
            "snapshot": snapshot.number,
            "content_hash": snapshot.content_hash,
            "conversations": len(kept),
            "extracted": self._extracted,
            "fallback": self._fallback,
        }
        if given is not None:
            told |= self._erased_before(given)
        if not files:
            if said := self.backwards.said():
                self.notice(said)
            told |= self._changed(kept)
        if self._notices:
            told["notices"] = self._notices
        return told | self.report.told()

    def _erased_before(self, given: Collection[str]) -> dict[str, int]:
        """What had been erased before the job: counts of what was indexed again and of what was left out."""
        indexed = self.forgotten.left(given)
        counts = (
            ("erased_before", "conversation", self.forgotten.back(indexed)),
            ("erased_messages_before", "message", len(self.forgotten.returned)),
        )
        again = [each for each in counts if each[-1]]
        told = {name: count for name, _, count in again}
        if again:
            of = " and ".join(f"{count:,} {what}{'s' * (count > 1)}" for _, what, count in again)
            self.notice(f"indexed again what had been erased, {of}: erased=skip leaves it out")
        if left_out := len(given) - len(indexed):
            told["erased_left_out"] = left_out
            self.report.say(f"conversations left out because they were erased (erased=skip): {left_out:,}")
        return told

    def _changed(self, kept: Mapping[str, Record]) -> dict[str, int]:
        """What the source did to messages that were stored, as counts."""
        changes = [each for name, each in self.changes.items() if name in kept]
        counts = {name: sum(getattr(each, name) for each in changes) for name in Changes._fields}
        counts = {name: count for name, count in counts.items() if count}
        for name, count in counts.items():
            self.report.say(f"{_CHANGED[name]}: {count:,}")
        return counts
