"""Whose data may be read or written. The tenant comes from here and from nowhere else (law 6)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Credential:
    """Lets its holder at one tenant's data, and at no other's.

    A local user makes one by naming the tenant, since whoever can read the folder can read all of it. A service makes
    one when it has checked a caller's key; no argument, filter, id or body of a request can change it.
    """

    tenant: str = "default"

    @staticmethod
    def of(given: str | Credential) -> Credential:
        """The credential that is given, or a local user's for the tenant of that name."""
        return given if isinstance(given, Credential) else Credential(given)
