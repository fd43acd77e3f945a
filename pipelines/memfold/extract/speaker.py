"""Who said what a note says: the one definition, for the notes of all engines; and how a text names its speaker.

A note is its engine's wording of what stands in an exchange. Whose words it was taken from is read from the messages
themselves; what the engine says of it is believed as far as they bear it out. So an assistant's text cannot become the
user's word because a model was led to say so. Knows no kinds of notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from memfold.schema import ROLES, Role, spoken
from memfold.text.terms import terms

Said = Sequence[tuple[Role, str]]

# A role is taken before another whose messages hold up to so much more of a note's terms. An answer is ten times as
# long as its question and repeats it, so it holds more of a note by chance. Of 1,205 notes that a strong model wrote,
# this gives 44 to the assistant: what it suggested or explained (decision 18).
MARGIN = 0.25


class Speakers:
    """Those who speak in an exchange, and their terms, which are made when they are first asked for."""

    def __init__(self, messages: Said) -> None:
        spoke = {role for role, text in messages if text.strip()}
        # The user first, who counts most; the order of `ROLES`.
        self.roles: tuple[Role, ...] = tuple(role for role in ROLES if role in spoke)
        self._messages = messages
        self._terms: dict[Role, frozenset[str]] = {}

    def of(self, text: str, named: Role | None = None) -> Role | None:
        """The role that said what `text` says: the one an engine `named`, or the first of `roles`, whose messages hold
        as much of its terms as any other's, to within `MARGIN`. None where nobody's hold any and nobody was named."""
        wanted = frozenset(terms(text))
        if named not in self.roles:
            named = None
        if len(self.roles) < 2 or not wanted:
            return named or next(iter(self.roles), None)
        first = [named] if named else []
        order = [*first, *(role for role in self.roles if role != named)]
        if self._share(wanted, order[0]) >= 1 - MARGIN:
            return order[0]
        share: Mapping[Role, float] = {role: self._share(wanted, role) for role in order}
        most = max(share.values())
        # Nobody said what their messages hold nothing of, however little the others hold.
        said = (role for role in order if share[role] > 0 and share[role] >= most - MARGIN)
        return next(said, named)

    def _share(self, wanted: frozenset[str], role: Role) -> float:
        if role not in self._terms:
            said = (terms(text) for speaker, text in self._messages if speaker == role)
            self._terms[role] = frozenset(chain.from_iterable(said))
        return len(wanted & self._terms[role]) / len(wanted)


def head(text: str, names: Iterable[str]) -> str:
    """The front of a text that names its speaker, one of these: "Nate: "; empty where it names none of them."""
    heads = (spoken(name, "", ()) for name in names)
    return max((each for each in heads if text.startswith(each)), key=len, default="")
