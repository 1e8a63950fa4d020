"""`segue convert`: convert logs of another layout or platform to envelopes."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import click

from segue.cli.config import settings_of
from segue.cli.errors import print_error
from segue.cli.folders import files_among
from segue.cli.layouts import field_mapping_of, refuse_absent
from segue.cli.log_input import progress_of, with_settings
from segue.cli.options import (
    FIELD_OPTIONS,
    FROM_OPTION,
    SETTINGS_OPTIONS,
    TIME_OPTIONS,
    Params,
    command,
    parse_zone,
    show_option,
)
from segue.cli.terminal import Output
from segue.core.errors import UnreadableLog
from segue.core.events import Delivery
from segue.core.events.fields import ENVELOPE, is_envelope
from segue.core.events.shapes import FieldType
from segue.core.wire import parse_line
from segue.logs.conversion import NO_EFFECT, in_order
from segue.logs.field_mapping import FieldMapping
from segue.logs.line_reader import LineReader
from segue.logs.plan import ReplayOptions
from segue.logs.readability import readable
from segue.logs.sources import lines_of, name_of
from segue.report.plurals import pluralize

_QUIET: Final = show_option("--quiet -q", "Do not say how many lines were written.")
_MOST_NAMED: Final = 10
"""The maximum number of lines of a log about which a message is shown each."""
_NAMES: Final = tuple(field.name for field in ENVELOPE.fields if field.type is not FieldType.BODY)
"""The fields of an envelope, without the body."""


@command(
    click.Argument(["logs"], nargs=-1, required=True, metavar="LOG..."),
    _QUIET,
    *FIELD_OPTIONS,
    FROM_OPTION,
    *TIME_OPTIONS,
    *SETTINGS_OPTIONS,
)
def convert(params: Params) -> int:
    """Write a log of another layout or platform as envelopes.

    Each is a line, with the body as an object and the time in ISO 8601. What another platform does
    not say is left out, and so are lines without a delivery. Lines and times that cannot be read
    are not written, and are listed on standard error.

    Exit codes: 0 all deliveries were written, 1 a line or a time could not be read, 2 could not run
    or nothing was written, 130 interrupted.
    """
    logs = files_among(params["logs"])
    params = with_settings(params, settings_of(params))
    mapping = field_mapping_of(params, logs)
    if mapping is not None:
        refuse_absent(mapping, logs)
    options = ReplayOptions(
        field_mapping=mapping,
        time_zone=parse_zone(params["time_zone"]),
        day_first=bool(params["day_first"]),
        time_format=params["time_format"],
    )
    conversion = _Conversion(options, Output(params, progress_of(params, logs), needs_reader=True))
    for log in logs:
        conversion.write(log)
    if not conversion.written:
        raise UnreadableLog(f"{', '.join(map(name_of, logs))}: there are no deliveries")
    if not params["quiet"]:
        print_error(conversion.summary)
    return 1 if conversion.lost else 0


class _Conversion:
    """A writer of the envelopes of logs, which counts what it writes."""

    def __init__(self, options: ReplayOptions, output: Output) -> None:
        self._options = options
        self._output = output
        self.written = self.left_out = self.lost = 0

    @property
    def summary(self) -> str:
        """The counts in words."""
        lost = f", {self.lost} could not be read" if self.lost else ""
        return f"{pluralize(self.written, 'line')} written, {self.left_out} left out{lost}"

    def write(self, log: str) -> None:
        """Write the envelopes of a log, and say what could not be read."""
        mapping, name = self._options.field_mapping, name_of(log)
        lines: Iterable[bytes] = readable(lines_of(log, None, mapping), self._options, name)
        is_converted = mapping is not None and mapping.platform is not None
        if is_converted:
            lines = in_order(lines)
        reader, before = LineReader(self._options), self.lost
        for number, raw in enumerate(lines, start=1):
            delivery = reader.read_any(raw, number)
            if delivery is None:
                self.left_out += raw == NO_EFFECT or not raw.isspace()
                continue
            where = name if is_converted else f"line {number} of {name}"
            for problem in self._write(raw, delivery):
                self.lost += 1
                if self.lost - before <= _MOST_NAMED:
                    print_error(f"{where} {problem}")
        if self.lost - before > _MOST_NAMED:
            more = pluralize(self.lost - before - _MOST_NAMED, "more line")
            print_error(f"{name}: {more} could not be read")

    def _write(self, raw: bytes, delivery: Delivery) -> Iterator[str]:
        """Write the envelope of a line, and yield what of it cannot be written, in words."""
        if delivery.body is None:
            reasons = [flaw.facts["reason"] for flaw in delivery.flaws if flaw.code == "SG501"]
            yield f"is not written: {', '.join(reasons)}"
            return
        envelope = _envelope(raw, self._options.field_mapping)
        if envelope.pop("received_at", None) is not None and delivery.received_at is None:
            yield "is written without its time, which cannot be read"
        if delivery.received_at is not None:
            envelope["received_at"] = delivery.received_at.isoformat()
        try:
            text = json.dumps({**envelope, "body": _body(delivery)}, allow_nan=False)
        except ValueError:
            yield "is not written: a number in it is too large"
        else:
            self.written += 1
            self._output.write(f"{text}\n".encode())


def _envelope(raw: bytes, mapping: FieldMapping | None) -> dict[str, Any]:
    """Return the fields of the envelope in a line, without the body."""
    found = parse_line(raw) if mapping is None else mapping.read(raw)
    if not isinstance(found, Mapping) or (mapping is None and not is_envelope(found)):
        return {}
    return {name: each for name in _NAMES if (each := found.get(name)) is not None}


def _body(delivery: Delivery) -> object:
    """Return the body of a delivery, which is any JSON value at some endpoints."""
    body = delivery.body or {}
    return body[""] if body.keys() == {""} else body
