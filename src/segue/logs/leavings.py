"""Count the lines of a log that are left out, with the reason, and the lines that are cut off."""

import re
from collections import Counter
from typing import Final, Literal, NamedTuple, TypeAlias

from segue.logs.remark import LogRemark

Reason: TypeAlias = Literal["without JSON", "without a body", "of another URL"]

_ID: Final = re.compile(rb'conversation_?id\\*"\s*:\s*\\*"([^"\\]{1,200})\\*"', re.IGNORECASE)
"""Matches the id of a conversation in a body or an envelope, which may be escaped."""
_MOST_IDS: Final = 10_000
_MOST_NAMED: Final = 3
_MOST_LENGTHS: Final = 1000


class LeftOut(NamedTuple):
    """The lines that are left out for a reason."""

    reason: Reason
    lines: int
    """The number of lines."""
    log: str
    """The name of the log with the first of them."""
    first_line: int | None
    """The number of the first of them, or None if lines have no numbers."""


class Leavings:
    """Counts the lines of logs that are left out or cut off. Counts of processes can be merged."""

    def __init__(self) -> None:
        self.log = ""
        """The name of the log that is being read."""
        self._left: dict[Reason, LeftOut] = {}
        self.cut = 0
        """The number of lines that are cut off."""
        self.first_cut: tuple[str, int | None] | None = None
        """The log and the number of the first of them."""
        self.lengths: Counter[int] = Counter()
        """The lengths in bytes at which they are cut off."""
        self.ids: dict[str, None] = {}
        """The ids of their conversations, as far as they can be read."""
        self.is_cut_at_end = False
        """Whether a log ends in the middle of a line."""

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """The lines that were left out, by reason."""
        return tuple(self._left.values())

    @property
    def count(self) -> int:
        """The number of lines that were left out."""
        return sum(each.lines for each in self._left.values())

    @property
    def in_words(self) -> str:
        """A text such as `12 lines left out (11 without a body, 1 of another URL)`."""
        reasons = {each.reason: each.lines for each in self._left.values()}
        several = [f"{lines} {reason}" for reason, lines in reasons.items()]
        told = ", ".join(several if len(several) > 1 else reasons)
        return f"{self.count} line{'s' * (self.count != 1)} left out ({told})"

    def leave_out(self, reason: Reason, line: int | None) -> None:
        """Count a line that is left out."""
        known = self._left.get(reason, LeftOut(reason, 0, self.log, line))
        self._left[reason] = known._replace(lines=known.lines + 1)

    def cut_off(self, text: bytes, line: int | None, *, is_last: bool) -> None:
        """Count a line that is cut off, whose text is that of its body if it has one.

        If `is_last`, the log ends in the middle of it.
        """
        self.cut += 1
        self.is_cut_at_end |= is_last
        self.first_cut = self.first_cut or (self.log, line)
        if len(self.lengths) < _MOST_LENGTHS:
            self.lengths[len(text)] += 1
        if (found := _ID.search(text)) and len(self.ids) < _MOST_IDS:
            self.ids[found[1].decode("utf-8", "replace")] = None

    def concerns(self, conversation_id: str | None, *, is_open: bool) -> bool:
        """Return whether a line that was cut off may be one of a conversation.

        `is_open` is whether the conversation has not ended.
        """
        return conversation_id in self.ids or (is_open and self.is_cut_at_end)

    def merge(self, other: "Leavings") -> None:
        """Add the counts of a later part of the logs."""
        for each in other.left_out:
            known = self._left.get(each.reason, each._replace(lines=0))
            self._left[each.reason] = known._replace(lines=known.lines + each.lines)
        self.cut += other.cut
        self.first_cut = self.first_cut or other.first_cut
        self.lengths += other.lengths
        self.ids |= other.ids
        self.is_cut_at_end |= other.is_cut_at_end

    def remarks(self) -> tuple[LogRemark, ...]:
        """Return the remark that lines are cut off, if there are any."""
        if self.first_cut is None:
            return ()
        log, line = self.first_cut
        return (
            LogRemark(
                kind="cut-lines",
                text=f"{self._cut_in_words()}{self._ids_in_words()}",
                count=self.cut,
                first_line=line,
                log=log,
            ),
        )

    def _cut_in_words(self) -> str:
        length, count = self.lengths.most_common(1)[0]
        lines = "1 line is" if self.cut == 1 else f"{self.cut} lines are"
        return f"{lines} cut off" + (f", {count} of them after {length} bytes" * (count > 1))

    def _ids_in_words(self) -> str:
        names = list(self.ids)
        if self.is_cut_at_end and not names:
            return ", so findings about conversations without an end are possibly due to the log"
        if not names:
            return ""
        more = len(names) - _MOST_NAMED
        listed = ", ".join(map(repr, names[:_MOST_NAMED])) + (f" and {more} more" * (more > 0))
        return f", so findings about {listed} are possibly due to the log"
