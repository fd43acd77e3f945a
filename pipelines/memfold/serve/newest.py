"""The newest snapshot of a store, kept open between requests. Knows nothing of HTTP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from memfold.api import Store
from memfold.build import build
from memfold.context.assemble import Packing
from memfold.context.readers.extractive import Extractive
from memfold.context.types import Equipped, ReaderSettings
from memfold.moment import as_of
from memfold.retrieve.fuse import Retrieval
from memfold.store.catalog import Catalog
from memfold.store.location import Location
from memfold.store.tables import no_store

if TYPE_CHECKING:
    from omegaconf import DictConfig

T = TypeVar("T")


@dataclass(frozen=True)
class Reading:
    """Whose store is read, and with which settings. `as_of` is the snapshot, time or message that is read up to, None
    the newest."""

    location: Location
    retrieval: Retrieval = field(default_factory=Retrieval)
    packing: Packing = field(default_factory=Packing)
    equipped: Equipped = field(default_factory=lambda: Equipped(Extractive()))
    as_of: int | str | datetime | None = None

    @staticmethod
    def of(config: DictConfig) -> Reading:
        """From a job's config; UserError names the first choice that is wrong, or does not go with another."""
        chosen: ReaderSettings = build(config.reader, "reader")
        equipped = chosen.equip(build(config.engine, "engine").generator)
        return Reading(
            location=build(config.store, "store"),
            retrieval=build(config.retrieval, "retrieval"),
            packing=_within(build(config.context, "context"), config.engine.get("max_model_len")),
            equipped=equipped,
            as_of=as_of(config.as_of),
        )

    def open(self) -> Store:
        """The newest snapshot; UserError where nothing is sealed."""
        return Store.open(
            self.location,
            self.as_of,
            retrieval=self.retrieval,
            packing=self.packing,
            reader=self.equipped,
        )

    def close(self) -> None:
        """Let go of the model, if one was asked."""
        self.equipped.reader.close()


def _within(packing: Packing, window: int | None) -> Packing:
    """A packing that knows the reader's window: what is configured goes before what the engine says."""
    return packing if window is None or packing.window is not None else replace(packing, window=window)


class Newest:
    """Opens the newest snapshot, and opens anew when another is sealed; for any number of threads, which share what
    is open.

    It looks before every read: listing the seals' files takes 0.1 ms (opening takes 9), and what was erased, or removed
    with its store, must not be answered from memory.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._catalog = Catalog(reading.location)
        # Before opening: a job that seals in between is seen at the next look.
        self._seals = self._catalog.files()
        self._store = reading.open()
        self._opening = Lock()

    def store(self) -> Store:
        """The newest snapshot, opened anew if another than was open; UserError where the store is gone."""
        if self._catalog.files() != self._seals:
            with self._opening:
                # Another may have opened it meanwhile.
                seals = self._catalog.files()
                if not seals:
                    raise no_store(self._reading.location)
                if seals != self._seals:
                    self._store, self._seals = self._reading.open(), seals
        return self._store

    def read(self, ask: Callable[[Store], T]) -> T:
        """`ask` of the newest snapshot: of one from start to end, and again if that was erased under its hands."""
        store = self.store()
        try:
            return ask(store)
        except Exception:
            newer = self.store()
            if newer is store:
                raise
            return ask(newer)
