"""The plan of a replay: its logs, the options for reading them, and the results to produce.

Invalid arguments raise an error when the plan is created, not while a log is read.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final, NamedTuple

from segue.core.conversation import Keying
from segue.core.engine import Partial
from segue.core.events import Delivery
from segue.core.events.ids import one_spelling
from segue.core.findings import DEFAULT, Finding, Policy
from segue.core.options import Bounds, check_fields
from segue.core.wire import time_reader
from segue.logs.field_mapping import FieldMapping
from segue.logs.sorting import Sort
from segue.logs.sources import LogPath

OnDelivery = Callable[[Delivery, int], object]
"""A callback that receives each applied delivery and the position of its first event or action."""
NoteOf = Callable[[Delivery, Sequence[Finding]], object]
"""A function that returns a note on a delivery for `Report.notes`, or None for no note.

A note can be any value. The arguments are the delivery and its findings. The function is called
before the findings are known, and once more if there are any. It must be picklable if several
processes read.
"""


_EXAMPLES: Final = {
    "policy": 'segue.Policy(ignore=["SG110"])',
    "field_mapping": 'segue.logs.FieldMapping(body_at="/payload")',
    "conversations": '["c-1"]',
    "time_format": "'%d.%m.%Y %H:%M:%S'",
}

WINDOW: Final = 250_000
"""The default number of events for which an ended conversation is kept whole."""
_BOUNDS: Final = {
    "race": Bounds(above=timedelta(0)),
    "window": Bounds(least=0),
    "most_late": Bounds(least=0),
    "most_ended": Bounds(least=0),
}


COLLECTIONS: Final = (frozenset, set, tuple, list)
"""The types of `ReplayOptions.conversations` that are collections of ids."""


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """The options for reading, filtering and checking the lines of a log.

    Raises `ConfigurationError` for invalid arguments.
    """

    policy: Policy = DEFAULT
    partial: Partial = None
    field_mapping: FieldMapping | None = None
    """The pointers to the fields of a line, or None if lines are bodies or envelopes."""
    conversations: Container[str] | None = None
    """The ids of the conversations to replay, or None for all.

    The ids in a collection are compared in one spelling, see `one_spelling`. Another container has
    to contain the ids in that spelling.
    """
    since: datetime | None = None
    until: datetime | None = None
    """The end of the range of receipt times to replay. The range includes `since` but not `until`.
    If either is set, deliveries without a time are excluded.
    """
    time_zone: tzinfo = UTC
    """The time zone of times without an offset."""
    day_first: bool = False
    """Whether to read `02/03/2026` as a day in March."""
    time_format: str | None = None
    """The format of times, as for `datetime.strptime`, or None for the usual formats."""
    key: Keying | None = None
    """The identification of conversations, `"bot"` or `"conversation"`. If None, the first delivery
    decides.
    """
    race: timedelta | None = None
    """The maximum time to hold a delivery that is out of order, or None to hold no deliveries."""
    note: NoteOf | None = None
    """A function that returns the notes for `Report.notes`, or None for no notes."""
    window: int = WINDOW
    """The number of events of the log for which an ended conversation is kept whole."""
    most_late: int = 10_000
    """The maximum number of conversations kept whole to the end of the log, because deliveries came
    after their END.
    """
    settled: bool = False
    """Whether each conversation is reported once, when no report can replace that report any more.

    That is when the conversation leaves the window, or at the end of the log. Only late deliveries
    after the window give another report.
    """
    most_ended: int | None = None
    """The maximum number of ended conversations to remember after the window, or None for all."""

    def __post_init__(self) -> None:
        """Raise `ConfigurationError` if an argument is invalid."""
        check_fields(self, examples=_EXAMPLES, bounds=_BOUNDS)
        if isinstance(self.conversations, COLLECTIONS):
            spelled = frozenset(
                one_spelling(each) if isinstance(each, str) else each for each in self.conversations
            )
            object.__setattr__(self, "conversations", spelled)
        time_reader(time_format=self.time_format)

    @property
    def is_filtered(self) -> bool:
        """Whether the options exclude conversations or receipt times."""
        return any(choice is not None for choice in (self.conversations, self.since, self.until))

    def matches(self, delivery: Delivery) -> bool:
        """Return whether a delivery passes the filters `conversations`, `since` and `until`."""
        identity, at = delivery.conversation_id, delivery.received_at
        if self.conversations is not None and (
            identity is None or one_spelling(identity) not in self.conversations
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
    """The parts of a report that a worker process sends to the main process.

    The history is always sent with reports that have findings.
    """

    history: bool = True
    """Whether to send the history, from which segments, metrics and the timeline are computed."""
    json: bool = False
    """Whether to send the report as JSON, too."""
    explained: bool = True
    """Whether to search for mistakes in the worker. If False, JSON has no explanation, and another
    process can search for them when it reads them.
    """


class ChunkSizes(NamedTuple):
    """The sizes, in bytes, by which logs are divided among processes.

    Conversations that are open at the end of a chunk are partly replayed twice, which favors large
    chunks. A worker holds the result of a chunk in memory until the chunk ends, which favors small
    ones. With a log of 1.4 GB and 500 conversations open at once, no process used more than 67 MB
    of memory for chunks of 64 MB, 79 MB for 128 MB, and 105 MB for 256 MB.
    """

    per_process: int = 32 << 20
    """The minimum size of the logs for each process. Smaller logs are read by fewer processes."""
    largest: int = 128 << 20
    """The approximate maximum size of a chunk. Compressed files may exceed it."""


DEFAULT_CHUNK_SIZES: Final = ChunkSizes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A complete description of a replay: the logs to read, the options and the callbacks.

    Raises `ConfigurationError` for invalid arguments.
    """

    logs: tuple[LogPath, ...] = ()
    """The paths of the files, which are read in order as one log. `-` is standard input."""
    lines: Iterable[object] | None = None
    """The lines to replay instead of files, or None to read `logs`."""
    numbered: bool = True
    """Whether findings contain line numbers, which start at 1."""
    options: ReplayOptions = field(default_factory=ReplayOptions)
    sort: Sort | None = None
    """The order in which lines are applied: by receipt time, or None for the order of the log.

    In a log that is newest first, the last one of lines with equal times is applied first.
    """
    sort_memory: str | None = None
    """The maximum memory for sorting before spilling to disk, such as `500MB`."""
    once: bool = False
    """Whether to read each line once that comes twice. The other lines keep their numbers."""
    jobs: int = 1
    """The maximum number of processes that read, or 0 for one process for each core."""
    detail: Detail = field(default_factory=Detail)
    progress: Callable[[int], object] | None = None
    """A callback that regularly receives the number of bytes read so far."""
    on_delivery: OnDelivery | None = None
    refuse_unreadable: bool = False
    """Whether to raise an error for a log whose first lines contain no delivery."""
    chunk_sizes: ChunkSizes = field(default_factory=lambda: DEFAULT_CHUNK_SIZES)

    def __post_init__(self) -> None:
        """Raise `ConfigurationError` if an argument is invalid."""
        check_fields(self)

    @property
    def is_sorted(self) -> bool:
        """Whether lines are sorted by time. Those of another platform always are."""
        mapping = self.options.field_mapping
        return self.sort is not None or (mapping is not None and mapping.platform is not None)
