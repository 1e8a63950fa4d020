"""Decide from the contents of logs in which order lines are read, and which are left out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from segue.logs.diagnosis.copies import copies_in
from segue.logs.diagnosis.order import order_of
from segue.logs.field_mapping import FieldMapping
from segue.logs.plan import ReplayOptions
from segue.logs.remark import LogRemark
from segue.logs.sorting import Sort
from segue.logs.sources import LogPath, is_rereadable


class Diagnosis(NamedTuple):
    """How logs have to be read, and why."""

    logs: tuple[LogPath, ...]
    """The logs without copies of others."""
    sort: Sort | None = None
    once: bool = False
    remarks: tuple[LogRemark, ...] = ()


def diagnose(logs: Sequence[LogPath], options: ReplayOptions) -> Diagnosis:
    """Return how logs have to be read.

    It applies to files. Of standard input and pipes, the remarks say what an option would do.
    """
    copies = copies_in(logs, options.field_mapping or FieldMapping())
    left = tuple(log for log in logs if log not in copies.files)
    ordered = order_of(left, options, once=copies.has_lines_twice)
    if ordered is None:
        return Diagnosis(left, None, copies.has_lines_twice, copies.remarks)
    sort, remark = ordered
    is_applied = all(map(is_rereadable, left))
    remarks = (replace(remark, applied=is_applied), *copies.remarks)
    return Diagnosis(left, sort if is_applied else None, copies.has_lines_twice, remarks)
