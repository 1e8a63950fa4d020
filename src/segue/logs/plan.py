"""The plan of a replay: which logs, read how and in which order, and what is wanted of them.

Mistakes in its arguments are errors when it is made, not somewhere in a log.
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
"""Takes a delivery that was applied, and the position of its first event or of its action."""
NoteOf = Callable[[Delivery, Sequence[Finding]], object]
"""Takes a delivery that was applied and what was found at it, and returns what its report keeps of
it, or None for nothing; picklable if several processes read.  It is called ahead, as if nothing
were found, and once more where something was."""


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
    """Raise `ConfigurationError` for an option of another type than it has to be."""
    for name, (kind, what) in kinds.items():
        value = getattr(options, name)
        if not isinstance(value, kind):
            raise ConfigurationError(f"{name} is {what}, not {value!r}")


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """How the lines of a log are read, which of them count, and by which policy.

    Raises `ConfigurationError` for arguments that make no sense.
    """

    policy: Policy = DEFAULT
    partial: Partial = None
    field_mapping: FieldMapping | None = None
    """Where lines that are not ours keep what an envelope holds."""
    conversations: Container[str] | None = None
    """Ids of the conversations to replay; None means all."""
    since: datetime | None = None
    until: datetime | None = None
    """Only deliveries received from `since` on and before `until`, which leaves out those without
    a time."""
    time_zone: tzinfo = UTC
    """The zone of times that name none."""
    day_first: bool = False
    """Read `02/03/2026` as a day in March."""
    time_format: str | None = None
    """The format of times, as `strptime` takes it."""
    key: Keying | None = None
    """What identifies a conversation. If None, the first delivery decides, see `keying`."""
    race: timedelta | None = None
    """How long a delivery that is out of order waits for others; None means not at all."""
    note: NoteOf | None = None
    """What reports keep of each delivery, as `Report.notes`; None means nothing."""

    def __post_init__(self) -> None:
        """Check the arguments."""
        Policy.checked(self.policy)
        _check_kinds(self, _KINDS)
        time_reader(time_format=self.time_format)
        if self.key not in (None, "bot", "conversation"):
            raise ConfigurationError(f"key is 'bot', 'conversation' or None, not {self.key!r}")
        new(None, partial=self.partial)
        if isinstance(self.conversations, str):
            msg = f"conversations is a collection of ids, not one string: ({self.conversations!r},)"
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
        """Return whether the filters let this delivery through."""
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
    """What workers send of reports without findings; of all others they send everything."""

    history: bool = True
    """What segments, metrics and the timeline are made of."""
    json: bool = False
    """The report as JSON text; for a report with findings, the JSON object without them."""


class ChunkSizes(NamedTuple):
    """How logs are cut for several processes, in bytes.

    Conversations that are open where a log is cut are replayed twice in part, and a worker keeps
    what it made of a chunk until all of it is read: of 1.4 GB with 500 conversations open at once,
    no process took more than 67 MB of memory if cut every 64 MB, 79 every 128 MB, and 105 every
    256 MB.
    """

    per_process: int = 32 << 20
    """Fewer processes are started if there is less than this for each."""
    largest: int = 128 << 20


DEFAULT_CHUNK_SIZES: Final = ChunkSizes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One replay: its sources and everything that decides what is made of them.

    Raises `ConfigurationError` for arguments that make no sense.
    """

    logs: tuple[LogPath, ...] = ()
    """Files, or `-` for standard input, read in this order as one log."""
    lines: Iterable[object] | None = None
    """The lines themselves, instead of logs."""
    numbered: bool = True
    """Whether the lines have numbers, from 1 on."""
    options: ReplayOptions = field(default_factory=ReplayOptions)
    sort: Literal["received_at"] | None = None
    """Read the lines in the order of their times, not as they stand."""
    sort_memory: str | None = None
    """What sorting may hold before it goes to disk, such as 500MB."""
    jobs: int = 1
    """How many processes read at once; 0 means one for each core."""
    detail: Detail = field(default_factory=Detail)
    progress: Callable[[int], object] | None = None
    """Takes how many bytes of the logs have been read, now and then."""
    on_delivery: OnDelivery | None = None
    refuse_unreadable: bool = False
    """Whether a log is an error of which none of the first lines is a delivery."""
    chunk_sizes: ChunkSizes = field(default_factory=lambda: DEFAULT_CHUNK_SIZES)

    def __post_init__(self) -> None:
        """Check the order, which callers may have from a configuration, and the functions."""
        _check_kinds(self, _FUNCTIONS)
        if self.sort not in (None, "received_at"):
            raise ConfigurationError(f"sort is 'received_at' or None, not {self.sort!r}")
