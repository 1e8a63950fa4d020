"""A team: several processes read logs, and one says what one alone would have said, in its order.

It decides what of a part that somebody else has read counts, and how the parts become one story.
The first part is read by the process that asked, while helpers read others; then their parts are
taken in, in the order of the logs.  Of a conversation that began before a part, its lines are found
again and judged here; all its other conversations are as they were reported.

House rules: whatever happened to a helper, nothing is missing, for its part is then read here; an
interrupt leaves what one process would have made of the log up to somewhere; memory grows with what
is open, late or crosses from part to part, and not with the logs.
"""

import io
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, closing
from heapq import merge
from itertools import chain, islice
from operator import itemgetter
from typing import Final

from segue.conversation import Report
from segue.errors import UnreadableLog
from segue.logs.options import ReplayOptions
from segue.logs.parallel.chunk_replayer import Outcome, Tracer
from segue.logs.parallel.chunks import Part, Piece
from segue.logs.parallel.line_index import Finder
from segue.logs.parallel.pool import Crew
from segue.logs.parallel.report_codec import unpack
from segue.logs.parallel.result_file import FREIGHT, Spool
from segue.logs.parallel.worker import AHEAD

__all__ = ["Team"]

_FIRST: Final = itemgetter(0)


class Team:
    """Reads logs that have been shared out into parts; the crew reads what is not our own."""

    def __init__(
        self,
        options: ReplayOptions,
        parts: list[Part],
        crew: Crew,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self._parts = parts
        self._crew = crew
        self._progress = progress
        self._tracer = Tracer(options)
        self._files: dict[tuple[int, int], io.FileIO] = {}
        """Files of which parts are read, whatever becomes of their names."""
        self._taken: _Taken | None = None
        self._bytes_read = 0
        """By this process, up to the present piece."""
        self._before = 0
        """How many lines there were before the present part."""
        self._start = 0
        """How many lines its log has before the present part."""
        self.given_back = 0
        """How many parts this process had to read for helpers that did not get that far."""

    @property
    def lines(self) -> int:
        """How many lines of the logs the reports are of, so far."""
        return self._before + self._tracer.count

    def reports(self) -> Iterator[Report]:
        """Yield every report."""
        with ExitStack() as stack, closing(self._crew):
            self._open(stack)
            self._crew.look()
            for number, part in enumerate(self._parts):
                if part.is_own:
                    yield from self._read(part)
                else:
                    yield from self._await(number, part)
                self._tick()
        yield from self._tracer.close()

    def rest(self) -> Iterator[Report]:
        """Yield what is left when the reading had to stop: reports made, conversations open."""
        if self._taken is not None:
            yield from self._taken.reports()
            self.close()
        yield from self._tracer.interrupt()

    def close(self) -> None:
        """Forget what has not been shown."""
        if self._taken is not None:
            self._taken.spool.file.close()
            self._taken = None

    def _open(self, stack: ExitStack) -> None:
        for piece in chain.from_iterable(part.pieces for part in self._parts):
            if piece.identity is not None and piece.identity not in self._files:
                try:
                    file = piece.opened(stack)
                except OSError as error:
                    msg = f"{piece.name} cannot be read: {error.strerror or error}"
                    raise UnreadableLog(msg) from error
                assert file is not None  # noqa: S101
                self._files[piece.identity] = file

    def _file(self, piece: Piece) -> io.FileIO | None:
        return None if piece.identity is None else self._files[piece.identity]

    # Parts that are read here.

    def _read(self, part: Part) -> Iterator[Report]:
        tracer = self._tracer
        for piece in part.pieces:
            if not piece.start:
                tracer.source, self._start = piece.name, 0
            read = 0

            def told(count: int) -> None:
                nonlocal read
                read = count
                self._tick(count)

            lines = piece.lines(self._file(piece), told, self._start)
            yield from tracer.feed_all(lines, AHEAD, self._start + 1)
            self._bytes_read += read
            self._advance(tracer.count, self._start + tracer.count)

    def _advance(self, lines: int, start: int) -> None:
        """Go on behind so many more lines, so many of them in the present log."""
        self._before += lines
        self._start = start
        self._tracer.begin()

    def _tick(self, read: int = 0) -> None:
        self._crew.look()
        if self._progress is not None:
            self._progress(self._bytes_read + read + self._crew.bytes_read)

    # Parts that were read elsewhere.

    def _await(self, number: int, part: Part) -> Iterator[Report]:
        spool = self._crew.wait(number, self._progress and self._tick)
        outcome = spool.outcome()
        if outcome is not None:
            yield from self._take_in(part, spool, outcome).reports()
            self.close()
        else:
            spool.file.close()
            self.given_back += 1
            yield from self._read(part)

    def _take_in(self, part: Part, spool: Spool, outcome: Outcome) -> "_Taken":
        tracer = self._tracer
        crossing = outcome.known(tracer.knows)
        start = self._start if part.pieces[0].start else 0
        hashes = frozenset(crossing.values())
        taken = self._taken = _Taken(spool, crossing, start)
        before = 0
        for number, piece in enumerate(part.pieces):
            if not piece.start:
                tracer.source = piece.name
            tracer.before = before - start
            lines = Finder(piece, self._file(piece)).lines(spool, number, hashes, start)
            for report in tracer.again(lines, crossing):
                taken.crossed.append((tracer.before + tracer.line, report))
            before += outcome.lines[number]
        tracer.take_over(outcome, crossing, start)
        self._advance(sum(outcome.lines), start + outcome.lines[-1])
        taken.is_whole = True
        return taken


class _Taken:
    """A part that was read elsewhere, and how much of it has been shown."""

    def __init__(self, spool: Spool, crossing: Collection[str], lines: int) -> None:
        self.spool = spool
        self._crossing, self._lines = crossing, lines
        self._shown = 0
        self.is_whole = False
        """What crosses has been read to the end of the part."""
        self.crossed: list[tuple[int, Report]] = []
        """Reports of the conversations that had begun before, with their lines in the part."""

    def reports(self) -> Iterator[Report]:
        """Yield what has not been shown."""
        sent = self._sent() if self.is_whole else ()
        for _, report in islice(merge(sent, self.crossed, key=_FIRST), self._shown, None):
            self._shown += 1
            yield report

    def _sent(self) -> Iterator[tuple[int, Report]]:
        for freight in self.spool.records(FREIGHT):
            for at, report in unpack(freight, self._lines):
                if report.conversation_id not in self._crossing:
                    yield at, report
