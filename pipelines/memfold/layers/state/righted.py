"""A state as a profile knows better: what a program put right in the profile is put right in what was concluded from
the same words. A pure reading of both; knows no store."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memfold.extract.filed import ID
from memfold.layers.profile.history import Profile
from memfold.layers.state.history import Stand, Stated


def put_right(standing: Stand, profile: Profile) -> Stand:
    """`standing` with the values that were corrected by a call in the place of those before, in the entries of the
    exchanges that had told them; each such entry stays in the history. What was filed later than `standing` is left
    out."""
    entries = list(standing.entries)
    for known in profile.entries:
        by = known.said[0]
        if not (known.before and by.message_id.startswith(ID)) or by.exchange_id > standing.last_exchange:
            continue
        for former in known.before:
            told = {each.exchange_id for each in former.said}
            for place, entry in enumerate(entries):
                if entry.state == "holds" and entry.exchange_id in told and former.value in entry.text:
                    entries[place] = replace(entry, state="replaced", by=by.exchange_id)
                    entries.append(_anew(entry, former.value, known.value, by.exchange_id, by.time))
    return replace(standing, entries=tuple(entries))


def _anew(entry: Stated, old: str, new: str, exchange: int, time: datetime | None) -> Stated:
    return replace(
        entry,
        exchange_id=exchange,
        text=entry.text.replace(old, new),
        said=time,
        replaced=entry.text,
        place=None,
    )
