"""The errors meant for the person at the keyboard."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can mend: one line that names the place and the cure. Jobs print it and exit with 2."""
