"""Putting right what a conversation's profile or state says: the memory by which that is done.

A profile's entry is named ("home", "favourite colour") or given as it was read, a state's is given as it was read. What
was put right stays readable: as what the new value replaced, and as of any moment before. The memory holds a mark of it
and not its words, so that these go when the message is erased that said them. It holds the name of a profile's entry,
which may be the user's ("favourite sauce"), and the words that a program gives as `instead_of`.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from memfold.errors import UserError
from memfold.extract.filed import Memory
from memfold.given import check_text
from memfold.layers.profile.claim import SINGLE, an_age
from memfold.layers.profile.history import Entry as Told
from memfold.layers.replaced import mark
from memfold.layers.state.stated import Stated
from memfold.text.terms import plain

# The kind of note that each kind of a state's entries is filed as. Requirements are standing orders.
_KINDS = {
    "constraint": "constraint",
    "excluded": "excluded",
    "conclusion": "decision",
    "fact": "fact",
    "question": "question",
}
_LIKES = ("likes", "dislikes", "loves", "hates", "prefers")


def correction(
    entry: str | Told | Stated,
    value: str | None,
    *,
    by: str,
    instead_of: str | None = None,
    who: str | None = None,
    reason: str | None = None,
    time: datetime | date | str | None = None,
    memory_id: str | None = None,
) -> Memory:
    """The memory that puts `entry` right: `value` holds from now on; None takes an entry of the profile back. Of what
    there may be several of (languages, likings) `instead_of` says which; without it the value is one more. UserError
    where no entry can have that name or value; that it is there is not looked up."""
    common: dict[str, Any] = {"by": by, "time": time, "memory_id": memory_id, "reason": reason}
    if isinstance(entry, Stated):
        if instead_of is not None or who is not None:
            raise UserError(
                "instead_of and who are for an entry of the profile: leave them out for one of the state"
            )
        return _of_state(entry, value, common)
    return _of_profile(entry, value, instead_of, who, common)


def _of_profile(
    entry: str | Told, value: str | None, instead_of: str | None, who: str | None, common: dict[str, Any]
) -> Memory:
    gone = instead_of or "known"
    if isinstance(entry, Told):
        attribute, key, name = entry.attribute, entry.key, entry.name
        who = entry.who if who is None else who
        if instead_of is None and attribute not in SINGLE:
            if value is None:
                instead_of, gone = mark(entry.value), f"as exchange {entry.said[-1].exchange_id} has it"
            elif not (key or "").startswith("favourite"):
                instead_of = mark(entry.value)
    else:
        attribute, key, name = _named(entry)
    if attribute in ("answers", "writes"):
        raise UserError(
            f"{name!r} is told from orders and from how the user writes: change it by an order, add_memory(…, "
            "kind='instruction')"
        )
    if value is None and attribute not in SINGLE and instead_of is None:
        raise UserError(f"{name!r} may have several values: say which is taken back, instead_of=…")
    if value is not None:
        if not isinstance(value, str) or not value.strip():
            raise UserError(
                f"{name!r} is {value!r}: give the value that holds as text, or None to take it back"
            )
        if attribute == "age" and not an_age(value):
            raise UserError(f"age={value!r} is no age in years: give a number, as '30'")
    if attribute == "name" and key is None:
        key = "latin" if value is None or value[:1].isascii() else "han"
    text = f"{name}: {value}" if value is not None else f"{name}: no longer {gone}"
    return Memory(
        text=text,
        kind="correction",
        about=name,
        who=who,
        attribute=attribute,
        key=key,
        value=value,
        instead_of=instead_of,
        **common,
    )


def _of_state(entry: Stated, value: str | None, common: dict[str, Any]) -> Memory:
    kind = _KINDS.get(entry.kind)
    if kind is None:
        raise UserError(
            f"a {entry.kind} of the state is a standing order: change it by another, add_memory(…, kind='instruction')"
        )
    if value is None:
        raise UserError("an entry of the state is put right by what holds instead: give it as value")
    check_text("value", value)
    # Of the entry's words none that the caller does not say: they go with the message that said them.
    about = entry.about if plain(entry.about or "") in plain(value) else None
    return Memory(text=value, kind=kind, about=about, who=entry.who, instead_of=mark(entry.text), **common)


def _named(name: str) -> tuple[str, str | None, str]:
    """The attribute and key of a name as a profile shows it."""
    if not isinstance(name, str):
        raise UserError(
            f"entry={name!r}: give the name of an entry, or one of profile(…).entries or of a state's"
        )
    low = " ".join(name.split()).lower().replace("favorite", "favourite")
    if low in SINGLE or low in ("diet", "allergy"):
        return low, None, low
    if low == "name in chinese":
        return "name", "han", low
    if low in _LIKES or low.startswith("favourite "):
        return "taste", low, low
    if low == "language" or low.endswith(" language"):
        return "language", low.removesuffix("language").strip() or None, low
    if low in ("wants answers", "writes in"):
        return "answers", None, low
    raise UserError(
        f"entry={name!r} is not in a profile: use one of {', '.join(SINGLE)}, name in Chinese, language, "
        "native language, diet, allergy, likes, dislikes, favourite …; other facts: add_memory"
    )
