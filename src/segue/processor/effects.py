"""Asks: what a unit of work wants done outside, as values it yields and is sent the answers of.

It decides what an ask is; who performs it, in which thread, is the drivers' business.  House
rules: an ask carries all that performing it needs; `perform` does one thing and raises what that
raises; nothing here knows asyncio.
"""

from collections.abc import Collection, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from segue.processor.records import Commit, Entry, Identity, Loaded, Quarantined, Summary
from segue.processor.store import Store

__all__ = ["Effect", "Feed", "Latest", "List", "Load", "Ping", "Quarantine", "Save", "Unit"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Effect(Generic[T_co]):
    """Something to be done outside. Subclass it, as a frozen dataclass, for a new one."""

    timeout: float | None = None
    """Seconds to wait for a future that `perform` returned; then the answer is None.

    None: as long as it takes.
    """

    @property
    def immediate(self) -> bool:
        """Whether `perform` never waits, so that it can be called on an event loop."""
        return False

    def perform(self) -> "T_co | Future[T_co]":
        """Do it and return the answer, or a future of it; may block unless `immediate`."""
        raise NotImplementedError


Unit: TypeAlias = Generator[Effect[Any], Any, T]
"""A unit of work: yields asks, is sent their answers (or thrown their errors), returns a `T`."""


@dataclass(frozen=True, slots=True)
class _OfStore(Effect[T_co]):
    store: Store

    @property
    def immediate(self) -> bool:
        """As the store says."""
        return self.store.immediate


@dataclass(frozen=True, slots=True)
class Load(_OfStore[Loaded]):
    """Read a conversation and what is kept under a delivery id."""

    conversation_id: str
    identity: Identity | None = None

    def perform(self) -> Loaded:
        """Ask the store."""
        return self.store.load(self.conversation_id, self.identity)


@dataclass(frozen=True, slots=True)
class Save(_OfStore[None]):
    """Commit all that a delivery changes."""

    commit: Commit

    @property
    def immediate(self) -> bool:
        """Also when the store only queues it."""
        return self.store.immediate or self.store.queues

    def perform(self) -> "Future[None] | None":
        """Ask the store."""
        return self.store.save(self.commit)


@dataclass(frozen=True, slots=True)
class List(_OfStore[Sequence[Summary]]):
    """Read a page of the list of conversations."""

    after: int | None
    limit: int
    bots: Collection[str] | None

    def perform(self) -> Sequence[Summary]:
        """Ask the store."""
        return self.store.list(self.after, self.limit, self.bots)


@dataclass(frozen=True, slots=True)
class Feed(_OfStore[Sequence[Entry]]):
    """Read a page of news."""

    after: int
    limit: int
    bots: Collection[str] | None

    def perform(self) -> Sequence[Entry]:
        """Ask the store."""
        return self.store.feed(self.after, self.limit, self.bots)


@dataclass(frozen=True, slots=True)
class Latest(_OfStore[int]):
    """Find out where the feed ends."""

    def perform(self) -> int:
        """Ask the store."""
        return self.store.latest()


@dataclass(frozen=True, slots=True)
class Quarantine(_OfStore[int]):
    """Keep a body that was not applied."""

    item: Quarantined

    def perform(self) -> int:
        """Ask the store."""
        return self.store.quarantine(self.item)


@dataclass(frozen=True, slots=True)
class Ping(_OfStore[None]):
    """Find out whether the store answers."""

    def perform(self) -> None:
        """Ask the store."""
        self.store.ping()
