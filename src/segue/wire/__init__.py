"""The wire: bytes, text or Python mappings to deliveries, and the shapes of E21 and E1.

It decides how a body is read and what is wrong with its shape.  House rules: whatever is given, a
delivery comes back; there is a fast path for what is flawless and a careful one for everything,
and they agree.  The room does not know conversations, files or HTTP.
"""

from segue.wire.address import address_of
from segue.wire.context import DeliveryContext
from segue.wire.envelope import endpoint_of, is_envelope, parse_line
from segue.wire.limits import LIMITS, Limits
from segue.wire.line import glance, read_line
from segue.wire.model import ACTION, BODY, LINE
from segue.wire.reader import read_body
from segue.wire.schema import action_schema, body_schema
from segue.wire.timestamps import ReadTime, read_iso_time
from segue.wire.usual import as_delivery

__all__ = [
    "ACTION",
    "BODY",
    "LIMITS",
    "LINE",
    "DeliveryContext",
    "Limits",
    "ReadTime",
    "action_schema",
    "address_of",
    "as_delivery",
    "body_schema",
    "endpoint_of",
    "glance",
    "is_envelope",
    "parse_line",
    "read_body",
    "read_iso_time",
    "read_line",
]
