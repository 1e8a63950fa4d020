"""`segue convert`: convert logs of another layout or platform to envelopes."""

import json
from collections.abc import Iterable, Mapping
from typing import Final

import click

from segue.cli.config import settings_of
from segue.cli.errors import print_error
from segue.cli.folders import files_among
from segue.cli.layouts import field_mapping_of, refuse_absent
from segue.cli.line_lookup import refuse_overlong
from segue.cli.log_input import progress_of, with_settings
from segue.cli.options import (
    FIELD_OPTIONS,
    FROM_OPTION,
    SETTINGS_OPTIONS,
    Params,
    command,
    show_option,
)
from segue.cli.terminal import Output
from segue.core.errors import UnreadableLog
from segue.logs.conversion import in_order
from segue.logs.field_mapping import FieldMapping
from segue.logs.plan import ReplayOptions
from segue.logs.readability import readable
from segue.logs.sources import lines_of, name_of
from segue.report.plurals import pluralize

_QUIET: Final = show_option("--quiet -q", "Do not say how many lines were written.")


@command(
    click.Argument(["logs"], nargs=-1, required=True, metavar="LOG..."),
    _QUIET,
    *FIELD_OPTIONS,
    FROM_OPTION,
    *SETTINGS_OPTIONS,
)
def convert(params: Params) -> None:
    """Write a log of another layout or platform as envelopes.

    Each is a line. What another platform does not say is left out. Lines without a delivery
    are left out, and lines that cannot be read are written unchanged.

    Exit codes: 0 lines were written, 2 could not run or there were none, 130 interrupted.
    """
    logs = files_among(params["logs"])
    mapping = field_mapping_of(with_settings(params, settings_of(params)), logs)
    if mapping is not None:
        refuse_absent(mapping, logs)
    output = Output(params, progress_of(params, logs), needs_reader=True)
    written = left_out = 0
    for log in logs:
        options = ReplayOptions(field_mapping=mapping)
        lines: Iterable[bytes] = readable(lines_of(log, None, mapping), options, name_of(log))
        if mapping is not None and mapping.platform is not None:
            lines = in_order(lines)
        for number, raw in enumerate(lines, start=1):
            line = _line(raw, mapping)
            if line is None:
                left_out += 1
            else:
                refuse_overlong(log, number, line)
                written += 1
                output.write(line if line.endswith(b"\n") else line + b"\n")
    if not written:
        raise UnreadableLog(f"{', '.join(map(name_of, logs))}: there are no deliveries")
    if not params["quiet"]:
        print_error(f"{pluralize(written, 'line')} written, {left_out} left out")


def _line(raw: bytes, mapping: FieldMapping | None) -> bytes | None:
    """Convert a line of a log to an envelope, encoded as JSON.

    A line that needs no conversion is returned unchanged. Return None for a line that is blank or
    contains no delivery.
    """
    envelope = None if mapping is None or raw.isspace() else mapping.read(raw)
    if isinstance(envelope, Mapping):
        known = {key: each for key, each in envelope.items() if each is not None}
        return f"{json.dumps(known)}\n".encode()
    if raw.isspace() or (mapping is not None and envelope is None):
        return None
    return raw
