"""Choose the reports of a run that are explained, because an explanation takes time."""

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

from segue.core.conversation import Report

ExplainedShare: TypeAlias = Literal["all", "some", "none"]
_SHARES: Final[dict[str, ExplainedShare]] = {"full": "some", "concise": "none"}
"""The share of reports that a format explains. Other formats explain all."""
MOST: Final = 500
"""The maximum number of conversations with errors that are explained if a format explains some."""


def share_of(formats: Iterable[str]) -> ExplainedShare:
    """Return the share of reports to explain for outputs in some formats."""
    shares = {_SHARES.get(name, "all") for name in formats}
    return "all" if "all" in shares else "some" if "some" in shares else "none"


class Explaining:
    """Marks the reports of a run that are not explained, in `Report.is_explained`.

    Args:
        share: The reports to explain. `some` are the first reports that have errors.
        shown: The number of conversations that are shown, or None for all. If `share` is `some`,
            all of these are explained, and at least `MOST`.

    """

    def __init__(self, share: ExplainedShare, shown: int | None = 0) -> None:
        some = None if shown is None else max(shown, MOST)
        left: dict[ExplainedShare, int | None] = {"all": None, "some": some, "none": 0}
        self._left = left[share]

    def choose(self, report: Report) -> None:
        """Decide whether a report is explained. Reports without errors need no search."""
        if self._left is None:
            return
        if self._left == 0:
            report.is_explained = False
        elif not report.valid:
            self._left -= 1
