from __future__ import annotations

import numpy as np

from memfold.layers.orders import Order
from memfold.retrieve.standing import BINDS, Standing


def order(text: str, about: str | None) -> Order:
    return Order(0, "instruction", text, about, None)


def test_the_orders_that_bind_are_those_for_questions_like_this_one() -> None:
    near, least, far = ([x, (1 - x * x) ** 0.5] for x in (0.9, BINDS + 0.01, BINDS - 0.01))
    orders = (
        order("always give versions", "libraries"),
        order("be brief", None),
        order("name the seed", "tests"),
        order("cite papers", "physics"),
        order("give a date", "libraries"),
    )
    standing = Standing(
        orders, np.array([near, near, far, least, near], np.float32), (True, True, True, True, False)
    )
    assert standing.binding(np.array([1.0, 0.0], np.float32)) == ["always give versions", "cite papers"]
    assert Standing().binding(np.array([1.0, 0.0], np.float32)) == []
