"""The fields of every request body and of the envelope.

Readers, findings, JSON Schemas, reference pages and test generators are derived from these rows. A
field that is not listed here is never read. Parents come before their children, and flaws are
reported in the order of the rows.

Specification: Endpoints, E21 and E1, and Events. Where it leaves the spelling open, every spelling
is accepted: any letter case of the closed vocabularies (except `action` and event names), blanks
around their words, and flags as the strings "true" and "false" in any letter case.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from segue.core.events.intakes import (
    CALL_NOTIFICATIONS,
    HOOKS,
    INTAKES,
    TRANSCRIPTION,
    TRANSFER_CALLBACKS,
)
from segue.core.events.kind import (
    ACTIONS,
    AUTHORS,
    EXPERIENCES,
    PARTICIPANT_TYPES,
    TRANSFER_TYPES,
    TRANSFERS,
    TRANSITIONS,
    ActionKind,
    CallKind,
    EventKind,
    TransferKind,
)
from segue.core.events.shapes import BodyFields, Choice, Field, FieldType, Need, Shape

# E21.

_REQUIRED, _ADVISED, _OPTIONAL = Need.REQUIRED, Need.ADVISED, Need.OPTIONAL


def _experience(need: Need) -> Field:
    return Field("experience", need=need, words=EXPERIENCES)


def _participant(need: Need) -> Field:
    return Field(
        "participant",
        FieldType.OBJECT,
        need,
        fields=(
            Field("identity", need=need, is_id=True, takes_integers=True),
            Field("name", need=need),
            Field("type", need=need, words=PARTICIPANT_TYPES),
            Field(
                "customFields",
                FieldType.OBJECT,
                note="Required only when the quality module is used for post-call analysis.",
                fields=(Field("agentEmail"), Field("queueId"), Field("queueName")),
            ),
        ),
    )


_NAME: Final = Field(
    "name",
    need=_REQUIRED,
    words=("INTERNAL_TRANSFER_EVENT", EventKind.SUMMARY.value, EventKind.END.value),
    is_exact=True,
    unknown="SG504",
)

_REDIAL: Final = Shape(
    "INTERNAL_TRANSFER_EVENT",
    (
        _NAME,
        Field("transfertype", need=_REQUIRED, words=TRANSFER_TYPES),
        Field("transition", need=_REQUIRED, words=TRANSITIONS),
        # The specification shows redials without a full set of fields.
        Field("isExtAD", FieldType.FLAG, _ADVISED, note="Whether an external directory is used."),
        Field("language"),
        _experience(_REQUIRED),
        _participant(_REQUIRED),
        Field("reason"),
    ),
    title="Redial",
    about="An agent reconnects; `isExtAD` should be sent here too, its absence is only a warning.",
    told_by=(("transfertype",), ("transition",)),
    kinds=tuple(
        ((kind.transfer_type, "entry" if kind.is_entry else "exit"), kind) for kind in TRANSFERS
    ),
    agent=("participant", "identity"),
    needs_agent=True,
)
_TRANSFER: Final = replace(
    _REDIAL,
    title="Transfer",
    about="An agent joins or leaves.",
    fields=tuple(
        replace(each, need=_REQUIRED) if each.need is _ADVISED else each for each in _REDIAL.fields
    ),
)
_SUMMARY: Final = Shape(
    EventKind.SUMMARY.value,
    (
        _NAME,
        Field(
            "data",
            FieldType.OBJECT,
            _REQUIRED,
            note="Language, locale and type of the summary.",
            fields=tuple(Field(name, need=_REQUIRED) for name in ("language", "locale", "type")),
        ),
        _experience(_OPTIONAL),
        _participant(_OPTIONAL),
    ),
    title="Summary",
    about="A summary of the conversation is asked for.",
    otherwise=EventKind.SUMMARY,
    agent=("participant", "identity"),
)
_END: Final = Shape(
    EventKind.END.value,
    (
        _NAME,
        Field("reason", need=_REQUIRED),
        Field("language", need=_REQUIRED),
        _experience(_REQUIRED),
        _participant(_REQUIRED),
    ),
    title="End",
    about="The conversation is over; sent once.",
    otherwise=EventKind.END,
    agent=("participant", "identity"),
)
_EVENT: Final = Choice(
    "name",
    (
        (_TRANSFER.of, Choice("transfertype", (("redial", _REDIAL),), otherwise=_TRANSFER)),
        (_SUMMARY.of, _SUMMARY),
        (_END.of, _END),
    ),
    otherwise=Shape("event", (_NAME,)),
)
_MESSAGE: Final = Shape(
    "message",
    (
        Field("query", need=_REQUIRED, note="The text."),
        Field("agentId", need=_REQUIRED, is_id=True, takes_integers=True),
        _experience(_REQUIRED),
        Field(
            "author",
            FieldType.OBJECT,
            _REQUIRED,
            fields=(Field("type", need=_REQUIRED, words=AUTHORS),),
        ),
        Field("source", need=_REQUIRED, note="Name of the source platform."),
        Field("sendUserMessage", FieldType.FLAG),
        Field("sendAgentMessage", FieldType.FLAG),
        Field("language"),
    ),
    told_apart=(("author", "type"), ("sendUserMessage",), ("sendAgentMessage",)),
    contradictions=frozenset(
        {(author, False, False) for author in (*AUTHORS, None)}
        | {("USER", user, True) for user in (False, None)}
        | {("AGENT", True, agent) for agent in (False, None)}
    ),
    title="MessageDelivery",
    about="A message: applied after the leading entries of `events` and before the rest.",
    told_by=(("author", "type"),),
    kinds=((("USER",), EventKind.USER_MESSAGE), (("AGENT",), EventKind.AGENT_MESSAGE)),
    otherwise=EventKind.MESSAGE,
    agent=("agentId",),
)
_IDS: Final = (
    Field(
        "conversationId",
        need=_REQUIRED,
        is_id=True,
        placeholder="SG512",
        takes_integers=True,
    ),
    Field("botId", need=_REQUIRED, is_id=True),
)

# E1.

_ACTION_FIELDS: Final = (
    Field("action", need=_REQUIRED, words=ACTIONS, is_exact=True),
    Field("agentId", need=_REQUIRED, is_id=True, takes_integers=True),
)
_CONTROL: Final = Shape(
    "transcription action",
    _ACTION_FIELDS,
    title="Control",
    about="Transcription starts, resumes or ends; `handover` is ignored.",
    told_by=(("action",),),
    kinds=tuple(
        ((kind.action,), kind) for kind in ActionKind if kind.action and kind.handover is None
    ),
    otherwise=ActionKind.UNPROCESSABLE,
    agent=("agentId",),
    needs_agent=True,
)
_PAUSE: Final = replace(
    _CONTROL,
    fields=(*_ACTION_FIELDS, Field("handover", FieldType.FLAG, _REQUIRED)),
    title="Pause",
    about="Transcription pauses: for a transfer when `handover` is true, else for a hold.",
    told_by=(("handover",),),
    kinds=(((True,), ActionKind.HANDOVER),),
    otherwise=ActionKind.PAUSE,
)

# The notification that E2 sends, and the callback that E9 sends.

_NOTIFICATION: Final = Shape(
    "call notification",
    (
        Field(
            "status",
            need=_REQUIRED,
            words=tuple(kind.value for kind in CallKind if kind is not CallKind.UNPROCESSABLE),
            unknown="SG701",
        ),
        Field("reasonCode", note="Why a call failed, or who disconnected it."),
        Field("reason", note="Free text."),
        Field(
            "callconnecttime",
            FieldType.DATE_TIME,
            note="When the call was answered. The key may be in any letter case.",
            other_names=("callConnectTime",),
        ),
        Field(
            "callDisconnectTime",
            FieldType.DATE_TIME,
            note="When the call ended. The key may be in any letter case.",
            other_names=("callDisconnecttime",),
        ),
        Field("duration", FieldType.NUMBER, note="Seconds from connect to end."),
        Field(
            "machinedetection",
            note="What answered the call: any value, see SG707. The key may be in any letter case.",
            other_names=("machineDetection",),
        ),
    ),
    title="CallNotification",
    about="The status of an outbound call.",
    told_by=(("status",),),
    kinds=tuple(((kind.value,), kind) for kind in CallKind if kind is not CallKind.UNPROCESSABLE),
    otherwise=CallKind.UNPROCESSABLE,
)
_CALLBACK: Final = Shape(
    "transfer callback",
    (
        Field("status", FieldType.ANY, note="`transferred`, in the answer of E9 (SG711)."),
        Field("agentId", FieldType.ANY, note="The agent of a transfer to an agent."),
        Field("queueId", FieldType.ANY, note="The queue of a transfer to a queue."),
    ),
    title="TransferCallback",
    about=(
        "Any JSON value: the specification does not show what is sent. The members of the answer "
        "of E9 are read if they are there."
    ),
    otherwise=TransferKind.CALLBACK,
)
_CALLBACK_IDS: Final = (_IDS[0], replace(_IDS[1], need=_OPTIONAL, note="Of the path."))

FIELDS: Final[Mapping[str, BodyFields]] = MappingProxyType(
    {
        HOOKS.name: BodyFields(
            "Lifecycle events and messages (E21)",
            ids=Shape("delivery", (*_IDS, Field("events", FieldType.ARRAY, is_sought=True))),
            whole=_MESSAGE,
            whole_if=("query", "author"),
            listed=_EVENT,
        ),
        TRANSCRIPTION.name: BodyFields(
            "Transcription action (E1)",
            ids=Shape("transcription action", _IDS),
            whole=Choice("action", (("pause", _PAUSE),), otherwise=_CONTROL),
            unprocessable=ActionKind.UNPROCESSABLE,
        ),
        CALL_NOTIFICATIONS.name: BodyFields(
            "Call notification (E2)",
            ids=Shape("call notification", _CALLBACK_IDS),
            whole=_NOTIFICATION,
            unprocessable=CallKind.UNPROCESSABLE,
        ),
        TRANSFER_CALLBACKS.name: BodyFields(
            "Transfer callback (E9)",
            ids=Shape("transfer callback", _CALLBACK_IDS),
            whole=_CALLBACK,
            unprocessable=TransferKind.UNPROCESSABLE,
            takes_any=True,
        ),
    }
)
"""The fields of the bodies of each intake, by the name of the intake, such as `hooks`."""

# Segue defines the envelope of a log line. The specification does not.

ENVELOPE: Final = Shape(
    "delivery",
    (
        Field("received_at", FieldType.TIME, note="When the delivery was received."),
        Field("delivery_id", note="Same id and body: the same delivery, sent again. Empty: none."),
        Field(
            "endpoint",
            words=tuple(INTAKES),
            is_exact=True,
            note="The intake that the body was sent to; absent: `hooks`.",
        ),
        Field("bot_id", note="Bot of the path; fills in for a body without one."),
        Field("conversation_id", note="Conversation of the query; fills in for a body without."),
        Field(
            "asked_at",
            note="When the host asked for what this calls back about; empty: it never did (SG710).",
        ),
        Field("body", FieldType.BODY, _REQUIRED),
    ),
)
"""The fields of an envelope, which may surround a body in a log."""


def is_envelope(record: Mapping[str, Any]) -> bool:
    """Return whether the JSON object `record`, read from a line of a log, is an envelope.

    An envelope is an object that surrounds the body of a request with facts such as `received_at`.
    Any other object is a body itself.
    """
    return "body" in record and "conversationId" not in record and "events" not in record
