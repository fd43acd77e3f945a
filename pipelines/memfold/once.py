"""What is made once per process or per value, even if many threads ask for it first at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")
V = TypeVar("V")


def once(load: Callable[..., T]) -> Callable[..., T]:
    """`load`, called once for the same arguments. `functools.cache` alone lets every thread load that asks before
    the first has ended (33 threads, the tokenizer: 14 s and 2 GB instead of 0.2 s and 80 MB)."""
    made: dict[tuple[Any, ...], T] = {}
    loading = threading.Lock()

    @wraps(load)
    def get(*arguments: Any) -> T:
        # First without the lock: counting a context's tokens asks 200 times.
        if arguments not in made:
            with loading:
                if arguments not in made:
                    made[arguments] = load(*arguments)
        return made[arguments]

    return get


class kept(Generic[T]):
    """A property that is made when it is first read, and then kept.

    `functools.cached_property` has no lock since Python 3.12, and had one lock for all values of a class before. Here
    each value has its own, so that threads that open the same conversation wait for each other, and threads that open
    different ones do not.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, value: None, owner: type) -> kept[T]: ...

    @overload
    def __get__(self, value: object, owner: type) -> T: ...

    def __get__(self, value: object | None, owner: type) -> kept[T] | T:
        if value is None:
            return self
        # What was made stands in the value's own attributes and is found there before this is asked again.
        attributes = vars(value)
        with attributes.setdefault(f"_{self._name} is being made", threading.RLock()):
            if self._name not in attributes:
                attributes[self._name] = self._make(value)
        made: T = attributes[self._name]
        return made


def derived(make: Callable[[V], T]) -> Callable[[V], T]:
    """A function of one value, whose result the value keeps like a `kept` property of its own. So a module derives
    something from a value whose class does not know of it."""
    name = f"{make.__module__}.{make.__qualname__}"
    member = kept(make)
    member.__set_name__(object, name)

    @wraps(make)
    def get(value: V) -> T:
        attributes = vars(value)
        made: T = attributes[name] if name in attributes else member.__get__(value, type(value))
        return made

    return get
