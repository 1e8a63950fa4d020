"""Effects: what a generator wants done outside of it, as values that it yields.

A driver performs an effect and sends the result back into the generator, or throws what it raised.
"""

from collections.abc import Collection, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from segue.processor.records import (
    Commit,
    ConversationSummary,
    Identity,
    JournalEntry,
    Loaded,
    Quarantined,
)
from segue.processor.runtime import Runtime

__all__ = ["Effect", "Feed", "Latest", "List", "Load", "Ping", "Quarantine", "Save", "Unit", "Wait"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Effect(Generic[T_co]):
    """One thing to do outside. Subclass it, as a frozen dataclass, for a new one."""

    timeout: float | None = None
    """Seconds to wait for a future that `perform` returned; then the result is None.

    None waits as long as it takes.
    """

    @property
    def immediate(self) -> bool:
        """Whether `perform` never waits, so that it can be called on an event loop."""
        return False

    def perform(self) -> "T_co | Future[T_co]":
        """Do it and return the result, or a future of it; may block unless `immediate`."""
        raise NotImplementedError


Unit: TypeAlias = Generator[Effect[Any], Any, T]
"""A unit of work: yields effects, is sent their results, returns a `T`."""


@dataclass(frozen=True, slots=True)
class Wait(Effect[None]):
    """Wait until a future is done, in a thread or on an event loop, or until the timeout."""

    future: "Future[None]"
    timeout: float | None = None
    immediate = True

    def perform(self) -> "Future[None]":
        """Return the future."""
        return self.future


@dataclass(frozen=True, slots=True)
class _StoreEffect(Effect[T_co]):
    """A call of the store, which starts the runtime if it is the first."""

    runtime: Runtime

    @property
    def immediate(self) -> bool:
        """Whether the store never waits."""
        return self.runtime.store.immediate


@dataclass(frozen=True, slots=True)
class Load(_StoreEffect[Loaded]):
    """Read a conversation, and the fingerprint stored under a delivery id."""

    conversation_id: str
    identity: Identity | None = None

    def perform(self) -> Loaded:
        """Call the store."""
        return self.runtime.started().load(self.conversation_id, self.identity)


@dataclass(frozen=True, slots=True)
class Save(_StoreEffect[None]):
    """Commit all that a delivery changes."""

    commit: Commit

    @property
    def immediate(self) -> bool:
        """Whether the store never waits, or only queues the commit."""
        runtime = self.runtime
        return runtime.store.immediate or (runtime.store.queues and runtime.is_running)

    def perform(self) -> "Future[None] | None":
        """Call the store."""
        return self.runtime.started().save(self.commit)


@dataclass(frozen=True, slots=True)
class List(_StoreEffect[Sequence[ConversationSummary]]):
    """Read a page of the list of conversations."""

    after: int | None
    limit: int
    bots: Collection[str] | None

    def perform(self) -> Sequence[ConversationSummary]:
        """Call the store."""
        return self.runtime.started().list(self.after, self.limit, self.bots)


@dataclass(frozen=True, slots=True)
class Feed(_StoreEffect[Sequence[JournalEntry]]):
    """Read a page of the feed."""

    after: int
    limit: int
    bots: Collection[str] | None

    def perform(self) -> Sequence[JournalEntry]:
        """Call the store."""
        return self.runtime.started().feed(self.after, self.limit, self.bots)


@dataclass(frozen=True, slots=True)
class Latest(_StoreEffect[int]):
    """Read the number of the newest journal entry."""

    def perform(self) -> int:
        """Call the store."""
        return self.runtime.started().latest()


@dataclass(frozen=True, slots=True)
class Quarantine(_StoreEffect[int]):
    """Store a body that was not applied."""

    item: Quarantined

    def perform(self) -> int:
        """Call the store."""
        return self.runtime.started().quarantine(self.item)


@dataclass(frozen=True, slots=True)
class Ping(_StoreEffect[None]):
    """Check that the store can be written to."""

    def perform(self) -> None:
        """Call the store."""
        self.runtime.started().ping()
