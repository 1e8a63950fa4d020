"""The columns of each kind of row, in order, with their types and descriptions."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

RowKind = Literal["findings", "segments", "events", "conversations", "figures"]
ColumnType = Literal["text", "integer", "number", "boolean", "time"]


class Column(NamedTuple):
    """A column in a table of rows: its name, type and description."""

    name: str
    type: ColumnType
    text: str = ""
    """The description.

    If it is empty, the description of the same name in the report's JSON Schema applies.
    """


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
        Column("source", "text", "The log that contains the line. Empty for lines from no file."),
        *_columns("text", "pointer", "message"),
        Column("expected", "text", "Events that would have been legal, separated by commas."),
        Column("help", "text", "How to repair it."),
        *_columns("integer", "mistake"),
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
        Column("responses", "integer", "Number of responses of the agent, null if unknown."),
        Column("median_response", "number", "Median of the response times, in seconds."),
        Column("longest_response", "number", "Longest of the response times, in seconds."),
        Column("findings", "text", "Codes of the findings about this agent, separated by spaces."),
        Column("connections", "integer", "Number of connections."),
        Column("started_at", "time", "Start of the first connection, null if unknown."),
        Column("ended_at", "time", "End of the last connection."),
    ),
    "events": (
        *_KEY,
        Column("position", "integer", "Place among the events of the conversation, from 0."),
        Column("kind", "text", "Kind of the event, such as COLD exit. Messages are not rows."),
        Column("agent", "text", "Identity of the agent. Empty for an event without an agent."),
        *_columns("integer", "line"),
        Column("received_at", "time", "Time at which the delivery with the event was received."),
    ),
    "conversations": (
        *_KEY,
        *_columns("text", "phase"),
        *_columns("boolean", "valid", "clean"),
        *_columns("integer", "events"),
        Column("findings", "integer", "Number of findings."),
        Column("mistakes", "integer", "Number of mistakes."),
        Column("untraced", "integer", "Number of errors whose mistakes were not found."),
        *_columns("text", "explanation"),
        *_columns("number", "duration", "connected_time", "transfer_gap", "drop_gap", "lost_time"),
        *_columns("number", "wrapup_time", "answer_time", "first_response", "agent_time"),
        *_columns("number", "overlap_time", "hold_time"),
        *_columns("number", "talk_time", "handle_time", "consult_time", "ring_time", "call_time"),
        *_columns("number", "transcription_coverage"),
        *_columns("integer", "transfers_cold", "transfers_warm", "consults", "redials"),
        *_columns("integer", "callbacks", "max_concurrent_agents", "messages", "implied_closures"),
        *_columns("boolean", "unanswered", "abandoned"),
        Column("estimated", "text", "Names of the estimated metrics, separated by spaces."),
    ),
    "figures": (
        *_KEY,
        Column("metric", "text", "Name of a metric that is not as told after the edits."),
        Column("told", "number", "The value as told. Null if it is not known."),
        Column("mended_at_least", "number", "The lower bound as mended. Null if it is not known."),
        Column("mended_at_most", "number", "The upper bound as mended."),
        Column("best_at_least", "number", "The lower bound of the best value."),
        Column("best_at_most", "number", "The upper bound of the best value."),
        Column("source", "text", "Whether the best value is that as told or as mended."),
    ),
}
"""The columns of each kind of row, in order.

Their names are the keys of every row of that kind.
"""
