"""Where an open conversation stands, and who its user is: as it ended, or as it was at a moment."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from memfold.layers.orders import Order
from memfold.layers.profile.history import Profile, history
from memfold.layers.state.history import NEEDED, stand
from memfold.layers.state.stated import Stand
from memfold.once import derived
from memfold.retrieve.standing import orders_before, orders_of
from memfold.retrieve.view import View


@derived
def profile_of(view: View) -> Profile:
    """Who the user is; empty where the conversation was indexed without that layer."""
    return history(view.leaves("profile"))


@derived
def state_of(view: View) -> Stand | None:
    """Where the conversation stands; None where it was indexed without the layer."""
    rows = view.leaves("state", NEEDED)
    if rows is None:
        return None
    return _stand(view, rows, orders_of(view)).spoken(view.speaks)


def state_at(view: View, now: datetime | None) -> Stand | None:
    """Where the conversation stood at `now`: by the exchanges that were whole by then."""
    later = view.later(now)
    if later is None or (rows := view.leaves("state")) is None:
        return state_of(view)
    said = rows.filter(pc.field("exchange_id") < later[1])
    return _stand(view, said, orders_before(view, later[1]))


def _stand(view: View, rows: pa.Table, orders: Sequence[Order]) -> Stand:
    return stand(rows, lambda: view.root("state"), profile_of(view).retracted, orders)
