"""Fold ten million tokens of conversation into memory you can query."""

from __future__ import annotations

import os
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from memfold.errors import UserError
from memfold.store.credential import Credential

if TYPE_CHECKING:
    from memfold.api import Store

__all__ = ["Credential", "UserError", "open"]

# Where two jobs merge the files of a table at once, one leaves it to the other, and Lance warns of it. All its other
# warnings are still shown. Lance reads the variable when it is imported.
os.environ.setdefault("LANCE_LOG", "warn,lance::dataset::optimize=error")


def open(
    root: str | os.PathLike[str],
    tenant: str | Credential = "default",
    as_of: int | str | date | datetime | None = None,
    *,
    options: dict[str, str] | None = None,
    **settings: Any,
) -> Store:
    """The newest sealed snapshot of a tenant's store, or the one `as_of` names; see `memfold.api.Store`.

    `tenant` is a credential, or the name for which a local user makes one. `as_of` is a snapshot's number (an int), a
    time (aware, or as ISO text; a date means its end in UTC), or a message's id: conversations are then seen as they
    were up to that message. `options` go to an object store. Raises UserError where there is nothing to open.
    """
    # Imported on use: a job that finds nothing to do is over before numpy and Lance are loaded for reading.
    from memfold.api import Store
    from memfold.store.location import Location

    location = Location(root, Credential.of(tenant).tenant, {} if options is None else options)  # type: ignore[arg-type]
    return Store.open(location, as_of, **settings)
