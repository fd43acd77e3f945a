"""Show what a store remembers of a conversation: `python jobs/show.py store.root=… conversation=… [what=state]`.

Prints a text, or with `form=json` one JSON object. `SHOWN` lists what there is to show. Any other name is that of a
table, for instance of a layer of one's own, whose rows are printed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from memfold.build import build
from memfold.entry import main
from memfold.errors import UserError
from memfold.lean import leaving

if TYPE_CHECKING:
    from datetime import datetime

    import pyarrow as pa
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


@dataclass(frozen=True)
class Rows:
    """A conversation's rows of a table, without what nobody can read (`UNREAD`)."""

    rows: Sequence[Mapping[str, Any]]

    @staticmethod
    def of(table: pa.Table) -> Rows:
        """All rows of a table."""
        return Rows(table.select([name for name in table.column_names if name not in UNREAD]).to_pylist())

    @property
    def text(self) -> str:
        """One JSON object per line."""
        return "\n".join(map(_as_json, self.rows))

    @property
    def json(self) -> dict[str, Any]:
        """The rows under `rows`."""
        return {"rows": self.rows}


def _as_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# Columns of numbers, which are compared with questions.
UNREAD = ("vector", "terms", "counts")
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
    "json": lambda conversation, shown: _as_json({"conversation_id": conversation, **shown.json}),
}


@leaving
def run(config: DictConfig) -> None:
    """Print what is asked for."""
    from memfold.api import Store
    from memfold.moment import as_of, time_of

    if config.form not in FORMS:
        raise UserError(f"form={config.form} is unknown: use one of {', '.join(FORMS)}")
    if not config.conversation:
        raise UserError('conversation is missing: give conversation="…"')
    now = None if config.now is None else time_of(config.now, "now")
    location = build(config.store, "store")
    store = Store.open(location, as_of(config.as_of))
    if config.what in SHOWN:
        shown = SHOWN[config.what](store, config.conversation, now)
    elif config.what in (tables := store.tables(config.conversation)):
        shown = Rows.of(store.rows(config.what, config.conversation))
    else:
        raise UserError(
            f"what={config.what} is unknown: use one of {', '.join(SHOWN)}, or a table of the conversation: "
            f"{', '.join(tables)}"
        )
    print(FORMS[config.form](config.conversation, shown))


if __name__ == "__main__":
    main("show", run)
