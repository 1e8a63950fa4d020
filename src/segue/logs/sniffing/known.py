"""Tables of what sniffing knows: forms of logs, and the names of times and ids in them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from segue.logs.field_mapping import FieldMapping
from segue.logs.platforms import PLATFORMS

FORMS: Final = (
    FieldMapping(),
    FieldMapping(lines="docker"),
    FieldMapping(records_at=""),
    FieldMapping(records_at="/log/entries"),  # a HAR that is too large for a line
    FieldMapping(lines="csv"),
    FieldMapping(lines="text"),
    FieldMapping(lines="text", records_at=""),  # objects over several lines, rows of SQL
    *(FieldMapping(platform=platform) for platform in PLATFORMS),
)
"""The ways to divide a log into records, tried in this order."""

TIMES: Final = (
    *("received_at", "receivedat", "starteddatetime", "@timestamp", "timestamp", "time", "ts"),
    *("event_time", "eventtime", "datetime", "date", "created_at", "createdat", "at"),
)
"""Keys of times in lower case, the most likely ones first."""

TIME_WORDS: Final = ("received", "time", "date", "stamp", "logged")
"""Parts of keys that make a time more likely than a time under another key."""

IDS: Final[Mapping[str, tuple[str, ...]]] = {
    "bot_at": ("bot_id", "botId"),
    "conversation_at": ("conversation_id", "conversationId"),
    "delivery_at": ("delivery_id", "deliveryId"),
    "endpoint_at": ("endpoint",),
}
"""Keys of ids by the attribute of a mapping. The first key is that of an envelope."""

ENVELOPE_KEYS: Final = {"time_at": "received_at", **{part: keys[0] for part, keys in IDS.items()}}
"""The keys of an envelope, without the body, by the attribute of a mapping."""

FIRST_YEAR: Final = 2000
LAST_YEAR: Final = 2099
"""The years in which a number or a text counts as a time."""

LONGEST_GAP: Final = timedelta(days=31)
"""The maximum time between neighboring records, unless the key of a time names it."""

ONE_ODD_IN: Final = 20
"""The share of records that may lack a field, or have another value in its place: one in 20."""
