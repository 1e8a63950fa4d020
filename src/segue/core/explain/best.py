"""The best value of each metric: as told or as mended, by the kinds of edits.

A wrong figure as told can be exact as mended, and the other way round. `TOLD` says which one is
right more often. A test makes it anew from all single mistakes in short conversations.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, NamedTuple

from segue.core.explain.costs import EditKind
from segue.core.explain.mended import Mended
from segue.core.segments import METRIC_NAMES, Metrics
from segue.core.segments.segment import plain

Source = Literal["told", "mended"]


class Best(NamedTuple):
    """The bounds of a metric, which are equal if it is exact, and where they come from."""

    at_least: Any
    at_most: Any
    source: Source

    @property
    def is_exact(self) -> bool:
        """Whether the metric is known exactly."""
        return bool(self.at_least == self.at_most)

    def to_dict(self) -> dict[str, object]:
        """Return the value as a JSON object. Durations are numbers of seconds."""
        return {
            "at_least": plain(self.at_least),
            "at_most": plain(self.at_most),
            "source": self.source,
        }


TOLD: Final[Mapping[EditKind, frozenset[str]]] = {
    EditKind.RETYPED: frozenset({"overlap_time"}),
}
"""The metrics that are more often exact as told after an edit of each kind, and never wrong.

All others are as good as mended or better.
"""


def best_of(
    told: Metrics, mended: Mended, edits: Iterable[EditKind | None]
) -> dict[str, Best | None]:
    """Return the best value of each metric of an edited conversation, by name.

    Args:
        told: The metrics as told.
        mended: The figures as mended.
        edits: The kinds of all edits, and None for an unreadable event that is taken for another.

    """
    kinds = {*edits}
    found: dict[str, Best | None] = {}
    for name in METRIC_NAMES:
        value = getattr(told, name)
        ranged = mended.metrics.get(name, (value, value))
        is_told = all(kind is not None and name in TOLD.get(kind, ()) for kind in kinds)
        if ranged == (value, value) or (is_told and value is not None):
            found[name] = as_told(value)
        else:
            found[name] = None if ranged is None else Best(*ranged, "mended")
    return found


def as_told(value: Any) -> Best | None:  # noqa: ANN401 - a duration or a number
    """Return a value as told as the best one."""
    return None if value is None else Best(value, value, "told")
