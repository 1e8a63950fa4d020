"""The wire: bytes, text or Python mappings to deliveries, and the schemas of the bodies."""

from segue.events.fields import is_envelope
from segue.wire.address import address_in, address_of
from segue.wire.context import DeliveryContext, answering
from segue.wire.json_schema import schema_of
from segue.wire.limits import LIMITS, BodyLimits
from segue.wire.reader import endpoint_of, parse_line, read_body, read_event, read_line
from segue.wire.required import with_required
from segue.wire.timestamps import read_iso_time, read_time, time_reader

__all__ = [
    "LIMITS",
    "BodyLimits",
    "DeliveryContext",
    "address_in",
    "address_of",
    "answering",
    "endpoint_of",
    "is_envelope",
    "parse_line",
    "read_body",
    "read_event",
    "read_iso_time",
    "read_line",
    "read_time",
    "schema_of",
    "time_reader",
    "with_required",
]
