"""The columns of rows: which there are for each kind of row, in order, and of what type."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

RowKind = Literal["findings", "segments", "events", "conversations"]
ColumnType = Literal["text", "integer", "number", "boolean", "time"]


class Column(NamedTuple):
    """One column."""

    name: str
    type: ColumnType
    text: str = ""
    """What it is; empty where the JSON Schema of a report says so under the same name."""


def _columns(type_: ColumnType, *names: str) -> tuple[Column, ...]:
    return tuple(Column(name, type_) for name in names)


_KEY: Final = (
    Column("conversation_id", "text", "Null for a line that belongs to no conversation."),
    Column("bot_id", "text", "Null if no delivery names one."),
)

COLUMNS: Final[Mapping[RowKind, tuple[Column, ...]]] = {
    "findings": (
        *_KEY,
        Column("code", "text", "Code of the rule, such as SG103."),
        Column("name", "text", "Name of the rule."),
        Column("severity", "text", "error, warning or note."),
        *_columns("integer", "event", "action", "line"),
        Column("source", "text", "The log that has the line; empty for lines from no file."),
        *_columns("text", "pointer", "message"),
        Column("expected", "text", "Which events were legal instead, with commas between."),
        Column("help", "text", "The repair."),
        Column("follows", "text", "Code of the mistake that explains this error."),
        Column("follows_event", "integer", "Position of that mistake."),
    ),
    "segments": (
        *_KEY,
        *_columns("integer", "index"),
        *_columns("text", "agent", "name", "type", "email", "kind", "role"),
        *_columns("integer", "promoted_at"),
        *_columns("text", "queue_id", "queue_name", "experience", "language"),
        *_columns("integer", "previous", "consult_of", "resumes"),
        *_columns("text", "outcome"),
        *_columns("number", "connected_time", "hold_time", "talk_time"),
        *_columns("integer", "user_messages", "agent_messages"),
        Column("findings", "text", "Codes of the findings about this agent, blanks between."),
        Column("connections", "integer", "How many connections there were."),
        Column("started_at", "time", "Start of the first connection."),
        Column("ended_at", "time", "End of the last connection."),
    ),
    "events": (
        *_KEY,
        Column("position", "integer", "Place among the events of the conversation, from 0."),
        Column("kind", "text", "Such as COLD exit; messages are not rows."),
        Column("agent", "text", "Identity; empty for an event without an agent."),
        *_columns("integer", "line"),
        Column("received_at", "time", "When the delivery with the event was received."),
    ),
    "conversations": (
        *_KEY,
        *_columns("text", "phase"),
        *_columns("boolean", "valid", "clean"),
        *_columns("integer", "events"),
        Column("findings", "integer", "How many findings there are."),
        Column("mistakes", "integer", "How many errors follow from no other."),
        *_columns("number", "duration", "connected_time", "transfer_gap", "drop_gap", "lost_time"),
        *_columns("number", "wrapup_time", "wait_time", "agent_time", "overlap_time", "hold_time"),
        *_columns("number", "talk_time", "handle_time", "consult_time", "ring_time", "call_time"),
        *_columns("number", "transcription_coverage"),
        *_columns("integer", "transfers_cold", "transfers_warm", "consults", "redials"),
        *_columns("integer", "callbacks", "max_concurrent_agents", "messages", "implied_closures"),
        Column("estimated", "text", "Names of the metrics that are estimated, blanks between."),
    ),
}
"""Every row of a kind has exactly these keys."""
