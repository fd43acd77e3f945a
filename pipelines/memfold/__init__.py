"""Fold ten million tokens of conversation into memory you can query."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from memfold.errors import UserError

if TYPE_CHECKING:
    from memfold.api import Store

__all__ = ["UserError", "open"]


def open(
    root: str, tenant: str = "default", as_of: int | str | datetime | None = None, **settings: Any
) -> Store:
    """The newest sealed snapshot of a tenant's store, or the one `as_of` names; see `memfold.api.Store`.

    `as_of` is a snapshot's number, a time (aware), or a message's id: conversations are then seen as they were
    up to that message. Raises UserError where there is nothing to open.
    """
    # Imported on use: a job that finds nothing to do is over before numpy and Lance are loaded for reading.
    from memfold.api import Store

    return Store.open(root, tenant, as_of, **settings)
