"""The plan of a replay: its sources, the way they are read, and the results wanted.

Invalid arguments raise an error when the plan is made, not while a log is read.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from segue.core.conversation import Keying
from segue.core.engine import Partial, new
from segue.core.epoch import is_aware
from segue.core.errors import ConfigurationError
from segue.core.events import Delivery
from segue.core.findings import DEFAULT, Finding, Policy
from segue.core.wire import time_reader
from segue.logs.field_mapping import FieldMapping
from segue.logs.sources import LogPath

OnDelivery = Callable[[Delivery, int], object]
"""A callback for each delivery applied, with the position of its first event or of its action."""
NoteOf = Callable[[Delivery, Sequence[Finding]], object]
"""A function that returns the note that a report keeps of a delivery, or None for no note.

Its arguments are the delivery and the findings at it. It is called in advance without findings, and
again if there are any. It must be picklable if several processes read.
"""


_Kinds: TypeAlias = Mapping[str, tuple[Any, str]]
_KINDS: Final[_Kinds] = {
    "field_mapping": (FieldMapping | None, "a segue.logs.FieldMapping"),
    "conversations": (Container | None, "a collection of ids"),
    "since": (datetime | None, "an aware datetime"),
    "until": (datetime | None, "an aware datetime"),
    "time_zone": (tzinfo, 'a tzinfo such as ZoneInfo("Europe/Berlin")'),
    "time_format": (str | None, "a format of strptime such as '%d.%m.%Y %H:%M:%S'"),
    "race": (timedelta | None, "a timedelta such as timedelta(seconds=30)"),
    "note": (Callable | None, "a function of a delivery and its findings"),
}
_FUNCTIONS: Final[_Kinds] = {
    "progress": (Callable | None, "a function of a number of bytes"),
    "on_delivery": (Callable | None, "a function of a delivery and its position"),
}


def _check_kinds(options: object, kinds: _Kinds) -> None:
    """Raise `ConfigurationError` for an option of the wrong type."""
    for name, (kind, what) in kinds.items():
        value = getattr(options, name)
        if not isinstance(value, kind):
            raise ConfigurationError(f"{name} must be {what}, not {value!r}")


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The options for reading the lines of a log, filtering them, and judging them.

    Raises `ConfigurationError` for invalid arguments.
    """

    policy: Policy = DEFAULT
    partial: Partial = None
    field_mapping: FieldMapping | None = None
    """The locations of envelope fields in lines of another format."""
    conversations: Container[str] | None = None
    """The ids of the conversations to replay, or None for all."""
    since: datetime | None = None
    until: datetime | None = None
    """The range of receipt times, from `since` until before `until`. If either is set, deliveries
    without a time are excluded.
    """
    time_zone: tzinfo = UTC
    """The time zone of times without an offset."""
    day_first: bool = False
    """Whether to read `02/03/2026` as a day in March."""
    time_format: str | None = None
    """The format of times, as for `strptime`."""
    key: Keying | None = None
    """The identification of conversations. If None, the first delivery decides. See `keying`."""
    race: timedelta | None = None
    """The time for which a delivery that is out of order is held, or None to hold no deliveries."""
    note: NoteOf | None = None
    """A function that makes the notes in `Report.notes`, or None for no notes."""

    def __post_init__(self) -> None:
        """Check the arguments."""
        Policy.checked(self.policy)
        _check_kinds(self, _KINDS)
        time_reader(time_format=self.time_format)
        if self.key not in (None, "bot", "conversation"):
            raise ConfigurationError(f"key must be 'bot', 'conversation' or None, not {self.key!r}")
        new(None, partial=self.partial)
        if isinstance(self.conversations, str):
            msg = (
                f"conversations must be a collection of ids, for example ({self.conversations!r},)"
            )
            raise ConfigurationError(msg)
        for name, at in (("since", self.since), ("until", self.until)):
            if at is not None and not is_aware(at):
                raise ConfigurationError(f"{name} has no time zone: pass an aware datetime")
        if self.race is not None and self.race <= timedelta(0):
            raise ConfigurationError(f"race must be positive, got {self.race}")

    @property
    def is_filtered(self) -> bool:
        """Whether only some deliveries of the log are replayed."""
        return any(choice is not None for choice in (self.conversations, self.since, self.until))

    def matches(self, delivery: Delivery) -> bool:
        """Return whether a delivery passes the filters."""
        identity, at = delivery.conversation_id, delivery.received_at
        if self.conversations is not None and (
            identity is None or identity not in self.conversations
        ):
            return False
        if self.since is None and self.until is None:
            return True
        return (
            at is not None
            and (self.since is None or at >= self.since)
            and (self.until is None or at < self.until)
        )


class Detail(NamedTuple):
    """The parts of reports that workers send. Reports with findings are sent completely."""

    history: bool = True
    """The history, from which segments, metrics and the timeline are made."""
    json: bool = False
    """The report as JSON text, or as a JSON object without findings if it has any."""


class ChunkSizes(NamedTuple):
    """The sizes, in bytes, by which logs are divided among processes.

    Conversations that are open at the end of a chunk are partly replayed twice, and a worker holds
    the result of a chunk until it has read all of it. With 1.4 GB of log and 500 conversations open
    at once, no process used more than 67 MB of memory for chunks of 64 MB, 79 MB for 128 MB, and
    105 MB for 256 MB.
    """

    per_process: int = 32 << 20
    """The minimum for each process. Fewer processes are started if there is less."""
    largest: int = 128 << 20


DEFAULT_CHUNK_SIZES: Final = ChunkSizes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One replay: its sources, options and callbacks.

    Raises `ConfigurationError` for invalid arguments.
    """

    logs: tuple[LogPath, ...] = ()
    """Files, or `-` for standard input, read in this order as one log."""
    lines: Iterable[object] | None = None
    """The lines themselves, instead of logs."""
    numbered: bool = True
    """Whether lines are numbered, from 1."""
    options: ReplayOptions = field(default_factory=ReplayOptions)
    sort: Literal["received_at"] | None = None
    """The order in which to read lines: by their times, or as they are."""
    sort_memory: str | None = None
    """The maximum memory for sorting before spilling to disk, such as 500MB."""
    jobs: int = 1
    """The number of processes that read, or 0 for one for each core."""
    detail: Detail = field(default_factory=Detail)
    progress: Callable[[int], object] | None = None
    """A callback that regularly receives the number of bytes read."""
    on_delivery: OnDelivery | None = None
    refuse_unreadable: bool = False
    """Whether to raise an error for a log whose first lines contain no delivery."""
    chunk_sizes: ChunkSizes = field(default_factory=lambda: DEFAULT_CHUNK_SIZES)

    def __post_init__(self) -> None:
        """Check the options that are not checked elsewhere."""
        _check_kinds(self, _FUNCTIONS)
        if self.sort not in (None, "received_at"):
            raise ConfigurationError(f"sort must be 'received_at' or None, not {self.sort!r}")
