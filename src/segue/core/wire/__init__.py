"""Functions that convert bytes, text or Python mappings to deliveries.

The modules `address` (URLs of intakes) and `json_schema` (schemas of bodies) are not imported here,
because a check does not need them.
"""

from segue.core.events.fields import is_envelope
from segue.core.wire.context import DeliveryContext, answering
from segue.core.wire.limits import BodyLimits
from segue.core.wire.reader import endpoint_of, parse_line, read_body, read_event, read_line
from segue.core.wire.required import with_required
from segue.core.wire.timestamps import read_time, time_reader

__all__ = [
    "BodyLimits",
    "DeliveryContext",
    "answering",
    "endpoint_of",
    "is_envelope",
    "parse_line",
    "read_body",
    "read_event",
    "read_line",
    "read_time",
    "time_reader",
    "with_required",
]
