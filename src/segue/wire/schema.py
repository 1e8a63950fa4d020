"""JSON Schemas of the bodies of E21 and E1, for documents, OpenAPI and other people's validators.

They say what is flawless, as far as a schema can: accepted spellings included, extra fields
allowed.  House rules: these models describe and never read; what the readers use is in `shape` and
`model`, and the tests hold the three together.  Placeholders for ids (SG507) and ids that come with
a body are beyond a schema.
"""

# ruff: noqa: N815 - the fields are spelt as on the wire

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from segue.events import AUTHORS, EXPERIENCES, TRANSITIONS

__all__ = ["action_schema", "body_schema"]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _vocabulary(*words: str) -> Any:  # noqa: ANN401 - what pydantic calls a field
    """Describe a closed vocabulary in any letter case; JSON Schema has no flag for that."""
    spelt = ("".join(f"[{c.upper()}{c.lower()}]" for c in word) for word in words)
    return Field(
        pattern=f"^({'|'.join(spelt)})$",
        description=f"{', '.join(words)}; in any letter case.",
        examples=list(words),
    )


_Transition: TypeAlias = Annotated[str, _vocabulary(*TRANSITIONS)]
_Experience: TypeAlias = Annotated[str, _vocabulary(*EXPERIENCES)]
_Author: TypeAlias = Annotated[str, _vocabulary(*AUTHORS)]
_Id: TypeAlias = Annotated[str, Field(min_length=1)]
_Flag: TypeAlias = bool | Literal["true", "false"]


class _Object(BaseModel):
    # Built when a schema is asked for: nothing else needs these models.
    model_config = ConfigDict(extra="allow", defer_build=True)


class CustomFields(_Object):
    """Required only when the quality module is used for post-call analysis."""

    agentEmail: str | None = None
    queueId: str | None = None
    queueName: str | None = None


class Participant(_Object):
    """The agent who joins or leaves, or who ends the conversation."""

    identity: _Id
    name: str
    type: Literal["agent"]
    customFields: CustomFields | None = None


class SummaryParticipant(_Object):
    """The agent a summary is asked for: nothing is required of it."""

    identity: str | None = None
    name: str | None = None
    type: Literal["agent"] | None = None
    customFields: CustomFields | None = None


class SummaryData(_Object):
    """Language, locale and type of a summary."""

    language: str
    locale: str
    type: str


class _TransferFields(_Object):
    name: Literal["INTERNAL_TRANSFER_EVENT"]
    transition: _Transition
    language: str | None = None
    experience: _Experience
    participant: Participant
    reason: str | None = None


class Transfer(_TransferFields):
    """An agent joins or leaves."""

    transfertype: Annotated[str, _vocabulary("NA", "COLD", "WARM")]
    isExtAD: _Flag


class Redial(_TransferFields):
    """An agent reconnects; `isExtAD` should be sent here too, its absence is only a warning."""

    transfertype: Annotated[str, _vocabulary("redial")]
    isExtAD: _Flag | None = None


class Summary(_Object):
    """A summary of the conversation is asked for."""

    name: Literal["TRIGGER_SUMMARY_EVENT"]
    data: SummaryData
    experience: _Experience | None = None
    participant: SummaryParticipant | None = None


class End(_Object):
    """The conversation is over; sent once."""

    name: Literal["END_OF_CONVERSATION"]
    reason: str
    language: str
    experience: _Experience
    participant: Participant


_Event: TypeAlias = Transfer | Redial | Summary | End


class Author(_Object):
    """Who wrote a message."""

    type: _Author


class _Delivery(_Object):
    conversationId: _Id
    botId: _Id


class MessageDelivery(_Delivery):
    """A message, which comes before the events beside it."""

    query: str
    agentId: _Id
    experience: _Experience
    author: Author
    source: str
    sendUserMessage: _Flag | None = None
    sendAgentMessage: _Flag | None = None
    language: str | None = None
    events: list[_Event] | None = None


class EventDelivery(_Delivery):
    """Events without a message."""

    query: None = None
    author: None = None
    events: Annotated[list[_Event], Field(min_length=1)]


class Pause(_Object):
    """Transcription pauses: for a transfer when `handover` is true, else for a hold."""

    action: Literal["pause"]
    agentId: _Id
    handover: _Flag


class Control(_Object):
    """Transcription starts, resumes or ends; `handover` is ignored."""

    action: Literal["start", "resume", "end"]
    agentId: _Id


def body_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a flawless body of E21."""
    return _schema(MessageDelivery | EventDelivery, "Lifecycle events and messages (E21)")


def action_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a flawless body of E1."""
    return _schema(Pause | Control, "Transcription action (E1)")


def _schema(models: Any, title: str) -> dict[str, Any]:  # noqa: ANN401 - a union is no type
    schema = TypeAdapter[Any](models).json_schema()
    return {"$schema": _DIALECT, "title": title, **schema}
