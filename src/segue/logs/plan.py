"""The plan of a replay: its sources, the way they are read, and the results wanted.

Invalid arguments raise an error when the plan is made, not while a log is read.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, Literal, NamedTuple

from segue.core.conversation import Keying
from segue.core.engine import Partial
from segue.core.events import Delivery
from segue.core.findings import DEFAULT, Finding, Policy
from segue.core.options import Bounds, check_fields
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


_EXAMPLES: Final = {
    "policy": 'segue.Policy(ignore=["SG110"])',
    "field_mapping": 'segue.logs.FieldMapping(body_at="/payload")',
    "conversations": '["c-1"]',
    "time_format": "'%d.%m.%Y %H:%M:%S'",
}


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
        check_fields(self, examples=_EXAMPLES, bounds={"race": Bounds(above=timedelta(0))})
        time_reader(time_format=self.time_format)

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
        """Check the options."""
        check_fields(self)
