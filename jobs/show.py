"""Show what a store remembers of a conversation: `python jobs/show.py store.root=… conversation=… [what=state]`.

Prints a text, or with `form=json` one JSON object. What there is to show is one line each in `SHOWN`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from memfold.build import build
from memfold.entry import main
from memfold.errors import UserError
from memfold.lean import leaving

if TYPE_CHECKING:
    from datetime import datetime

    from omegaconf import DictConfig

    from memfold.api import Store


class Shown(Protocol):
    """A value that can be looked at."""

    @property
    def text(self) -> str:
        """The value as text for a terminal."""
        ...

    @property
    def json(self) -> dict[str, Any]:
        """The value as one JSON object."""
        ...


# By the name that `what` gives: how it is read from a store, of a conversation, as seen at a time.
SHOWN: Mapping[str, Callable[[Store, str, datetime | None], Shown]] = {
    "state": lambda store, conversation, now: store.state(conversation),
    "profile": lambda store, conversation, now: store.profile(conversation),
    "beliefs": lambda store, conversation, now: store.beliefs(conversation),
    "recent": lambda store, conversation, now: store.recent(conversation, now),
    "memories": lambda store, conversation, now: store.memories(conversation),
}
FORMS: Mapping[str, Callable[[str, Shown], str]] = {
    "text": lambda conversation, shown: shown.text or "nothing",
    "json": lambda conversation, shown: json.dumps(
        {"conversation_id": conversation, **shown.json}, ensure_ascii=False, default=str
    ),
}


@leaving
def run(config: DictConfig) -> None:
    """Print what is asked for."""
    from memfold.api import Store
    from memfold.moment import as_of, time_of

    for name, known in (("what", SHOWN), ("form", FORMS)):
        if config[name] not in known:
            raise UserError(f"{name}={config[name]} is unknown: use one of {', '.join(known)}")
    if not config.conversation:
        raise UserError('conversation is missing: give conversation="…"')
    now = None if config.now is None else time_of(config.now, "now")
    location = build(config.store, "store")
    store = Store.open(location, as_of(config.as_of))
    shown = SHOWN[config.what](store, config.conversation, now)
    print(FORMS[config.form](config.conversation, shown))


if __name__ == "__main__":
    main("show", run)
