"""Remarks on a log, such as that it is newest first."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

RemarkKind: TypeAlias = Literal[
    "newest-first", "out-of-order", "lines-twice", "file-twice", "cut-lines"
]


_READ_SO: Final[Mapping[RemarkKind, str]] = {
    "newest-first": "it is read from its end",
    "out-of-order": "they are sorted by time",
    "lines-twice": "each is read once",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRemark:
    """A remark on a log that is not about what a sender did."""

    kind: RemarkKind
    text: str
    """A sentence without a full stop, such as "the log is newest first"."""
    option: str | None = None
    """The option that reads the log right, or None if there is none."""
    applied: bool = False
    """Whether the log is read right without this option."""
    count: int | None = None
    """The number of lines it is about, if they were counted."""
    first_line: int | None = None
    """The number of the first of them, if known."""
    log: str | None = None
    """The name of the log that it is about, or None for all logs."""

    @property
    def sentence(self) -> str:
        """The text, and the option that reads the log right, or that reads it as it is."""
        if self.applied and self.kind in _READ_SO:
            return f"{self.text}: {_READ_SO[self.kind]} (--no-sort reads all lines as they are)"
        if self.option is not None and not self.applied:
            return f"{self.text}: {self.option} reads it right"
        return self.text

    @property
    def blurs_order(self) -> bool:
        """Whether findings about the order of events may be due to the log."""
        return not self.applied and self.kind in {"newest-first", "out-of-order", "lines-twice"}

    def to_dict(self) -> dict[str, Any]:
        """Return the remark as JSON values."""
        return asdict(self) | {"sentence": self.sentence}
