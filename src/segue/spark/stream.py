"""Checks of a stream of lines in small batches, with the state of each conversation in Spark.

Spark stores the state as bytes, a snapshot of the conversation, also after its END. The lines of a
batch are sorted before they are applied. A conversation that has had no line for too long is
reported as if the log had ended, and its state is removed.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial
from operator import itemgetter
from os import fspath
from typing import Any, Final, cast

from segue.core.conversation import Report
from segue.core.errors import ConfigurationError
from segue.core.options import Bounds, check_option
from segue.logs.ended import SavedConversation
from segue.logs.plan import ReplayOptions
from segue.logs.replayer import Replayer
from segue.logs.sources import LogPath
from segue.spark.extra import DataFrame, Row, SparkSession, StatefulProcessor, TimerValues
from segue.spark.keys import identity_of, keyed, options_of
from segue.spark.reports import SCHEMA, report_rows, row_of

_STATE: Final = "conversation"
_SAVED: Final = "state binary, is_reported boolean, is_late boolean, is_due boolean"
_PROVIDER: Final = "spark.sql.streaming.stateStore.providerClass"
_ROCKS: Final = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
_BATCH_SIZE: Final = 64


def follow(
    lines: DataFrame,
    *,
    idle: timedelta | None = None,
    **options: Any,
) -> DataFrame:
    """Return a streaming data frame with a row for each report, as conversations end.

    `lines` is a stream with a column `line` of bytes or text. Its other columns sort the lines of a
    batch: file and block for `lines_in`, partition and offset for a queue. The batches must come in
    order. `options` are those of `check` except `race`, since a stream keeps no delivery back. The
    default of `key` is "bot", as in a store, because a stream has no first delivery.

    If lines come after the end of a conversation, a report of the whole conversation follows in
    their batch, which replaces the earlier one (`replaces`). A conversation without a line for the
    time `idle` is reported as it is, and its state is removed. Without `idle`, use `unfinished` to
    report open conversations. Spark then keeps the state of every conversation forever. With `idle`
    a query does not run out of batches, so start it without `availableNow`.

    This function sets the state store of the session to RocksDB, which it needs.
    """
    check_option("idle", idle, timedelta | None, bounds=Bounds(above=timedelta(0)))
    lines.sparkSession.conf.set(_PROVIDER, _ROCKS)
    choices = _options_of(options)
    order = [name for name in lines.columns if name != "line"]
    return (
        keyed(lines.withColumn("line", lines["line"].cast("binary")), choices)
        .groupBy("key")
        .transformWithState(
            _ConversationProcessor(choices, order, idle),
            SCHEMA,
            "append",
            "none" if idle is None else "processingTime",
        )
    )


def unfinished(
    spark: SparkSession,
    checkpoint: LogPath,
    **options: Any,
) -> DataFrame:
    """Return a data frame with the rows for conversations that a stopped query left open.

    The query was started with `follow`. The rows are those that it would have added if the log had
    ended. `checkpoint` is the location of
    the query's checkpoint, which is only read.
    """
    choices = _options_of(options)
    state = spark.read.format("statestore").option("stateVarName", _STATE).load(fspath(checkpoint))
    return report_rows(state.select("key.key", "value.*"), partial(_rest, choices))


def _options_of(given: Mapping[str, Any]) -> ReplayOptions:
    """Create replay options from keyword arguments. The default of `key` is "bot".

    A conversation never leaves the window, because a stream does not count the events of the log.

    Raise `ConfigurationError` for `race`.
    """
    options = options_of(given)
    if options.race is not None:
        raise ConfigurationError("race is not possible in a stream: leave it out, or use check")
    return replace(options, key=options.key or "bot", window=sys.maxsize)


class _ConversationProcessor(StatefulProcessor):
    """A Spark processor that replays each conversation, and keeps its state between batches."""

    def __init__(self, options: ReplayOptions, order: list[str], idle: timedelta | None) -> None:
        self._options = options
        self._order = itemgetter(*order, "row")
        self._idle = None if idle is None else idle // timedelta(milliseconds=1)

    def init(self, handle: object) -> None:
        """Open the stored state of conversations. Spark calls this once for each processor."""
        self._handle = cast("Any", handle)
        self._state = self._handle.getValueState(_STATE, _SAVED)

    def handleInputRows(  # noqa: N802 - as pyspark calls it
        self, key: tuple[bytes], rows: Iterator[Any], timer_values: TimerValues
    ) -> Iterator[Row]:
        """Replay the new lines of one conversation, and yield a row for each finished report.

        Save the state for the next batch, and restart the timer that detects idle conversations.
        """
        identity = identity_of(key[0])
        replayer = self._replayer(identity)
        lines = [row["line"] for row in sorted(rows, key=self._order)]
        yield from map(_row, replayer.feed_all(lines, _BATCH_SIZE, first=None))
        yield from map(_row, replayer.late_reports())
        if identity is not None:
            self._state.update(tuple(replayer.save(identity)))
            if self._idle is not None:
                self._wait(timer_values.getCurrentProcessingTimeInMs() + self._idle)

    def handleExpiredTimer(  # noqa: N802 - as pyspark calls it
        self, key: tuple[bytes], *_: object, **__: object
    ) -> Iterator[Row]:
        """Report a conversation that has been idle for too long, and delete its state."""
        yield from map(_row, self._replayer(identity_of(key[0])).close())
        self._state.clear()

    def _replayer(self, identity: str | None) -> Replayer:
        """Return a replayer that continues the conversation where the previous batch left it."""
        replayer = Replayer(self._options)
        if identity is not None and (saved := self._state.get()) is not None:
            replayer.resume(identity, SavedConversation(*saved))
        return replayer

    def _wait(self, until: int) -> None:
        for timer in list(self._handle.listTimers()):
            self._handle.deleteTimer(timer)
        self._handle.registerTimer(until)


def _row(report: Report) -> Row:
    return Row(**row_of(report))


def _rest(options: ReplayOptions, states: Iterator[Any]) -> Iterator[Report]:
    for key, *saved in states:
        replayer = Replayer(options)
        replayer.resume(identity_of(key) or "", SavedConversation(*saved))
        yield from replayer.close()
