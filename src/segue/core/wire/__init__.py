"""Reading bytes, text or Python mappings as deliveries, and the schemas of bodies."""

from segue.core.events.fields import is_envelope
from segue.core.wire.address import address_in, address_of
from segue.core.wire.context import DeliveryContext, answering
from segue.core.wire.json_schema import schema_of
from segue.core.wire.limits import LIMITS, BodyLimits
from segue.core.wire.reader import endpoint_of, parse_line, read_body, read_event, read_line
from segue.core.wire.required import with_required
from segue.core.wire.timestamps import read_iso_time, read_time, time_reader

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
