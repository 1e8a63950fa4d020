"""Models of all responses except reports, which have their own schema.

The models are typed dictionaries. A route returns a plain dict of such a type, json writes it, and
pydantic describes it for OpenAPI. The module is imported when OpenAPI is requested.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter, WithJsonSchema
from typing_extensions import TypedDict  # pydantic needs this one below Python 3.12

from segue.core.events import INTAKES
from segue.core.lifecycle import Phase
from segue.core.transcription import TranscriptionState

_REFERENCE: Final = "#/components/schemas/{model}"

_Finding: TypeAlias = Annotated[
    dict[str, Any], WithJsonSchema({"$ref": _REFERENCE.format(model="LiveFinding")})
]
_Phase: TypeAlias = Annotated[str | None, WithJsonSchema({"enum": [*Phase]})]
_Time: TypeAlias = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
_Count: TypeAlias = Annotated[int, Field(ge=0)]
_Endpoint: TypeAlias = Annotated[str, Field(json_schema_extra={"enum": [*INTAKES]})]
_State: TypeAlias = Annotated[
    str | None,
    WithJsonSchema(
        {"description": "The state of the transcription.", "enum": [*TranscriptionState, None]}
    ),
]
_Generation: TypeAlias = Annotated[
    int, Field(ge=0, description="The number of transcriptions so far.")
]
_Next: TypeAlias = Annotated[
    str | None, Field(description="Pass it as `after`; null at the end of the list.")
]


class ActionAllowed(TypedDict):
    """A transcription action that is allowed now, and the agents that may send it."""

    action: Literal["start", "pause", "resume", "end"]
    handover: Annotated[bool | None, Field(description="Null unless the action is pause.")]
    agents: Annotated[
        Literal["any", "not-controller"] | list[str],
        Field(description="Every agent, all but the controller, or those with these ids."),
    ]


class More(TypedDict):
    """The numbers of items that are not listed."""

    findings: _Count
    expected: _Count
    read: Annotated[str, Field(description="Where a reader finds all findings.")]


class Received(TypedDict):
    """The delivery was applied, is held, or was applied before."""

    status: Literal["ok"]
    conversationId: str | None
    phase: _Phase
    expected: Annotated[
        list[str], Field(description="The first twenty of the events that are legal now.")
    ]
    findings: Annotated[list[_Finding], Field(description="The first hundred findings.")]
    duplicate: bool
    held: NotRequired[
        Annotated[bool, Field(description="Whether it waits for others that it overtook.")]
    ]
    more: NotRequired[More]


class ControlState(TypedDict):
    """The state of a transcription, as relevant to an action."""

    state: _State
    changed: bool
    generation: _Generation
    allowed: list[ActionAllowed]


class Controlled(ControlState):
    """The action was applied, now or before."""

    status: Literal["success"]
    findings: list[_Finding]
    duplicate: bool


class ProblemDetails(TypedDict):
    """The reason why the request was refused (RFC 9457)."""

    type: Annotated[str, Field(json_schema_extra={"format": "uri"})]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    findings: list[_Finding]
    state: NotRequired[_State]
    changed: NotRequired[bool]
    generation: NotRequired[_Generation]
    allowed: NotRequired[list[ActionAllowed]]
    bots: NotRequired[
        Annotated[list[str], Field(description="The bots that have a conversation with this id.")]
    ]


class ServiceStatus(TypedDict):
    """Whether the process is alive, and whether its store answers."""

    status: Literal["ok", "ready"]


class RefusalFinding(TypedDict):
    """A finding of an answer, without its text."""

    code: str
    event: _Count | None


class Refusal(TypedDict):
    """A request from an accepted sender that was answered with 4xx."""

    at: _Time
    endpoint: _Endpoint
    bot_id: str
    conversation_id: str | None
    status: _Count
    type: str
    title: str
    findings: list[RefusalFinding]


class RefusalPage(TypedDict):
    """One page of the newest refusals of the answering process."""

    items: list[Refusal]
    next: _Next


class QuarantineItem(TypedDict):
    """A body that was answered but not applied, without the body."""

    number: _Count
    at: _Time
    endpoint: _Endpoint
    bot_id: str
    conversation_id: str | None
    delivery_id: str | None
    reason: Annotated[str, Field(description="The outcome, or the type of the problem.")]
    status: Annotated[
        _Count | None, Field(description="The status of the answer; null if unknown.")
    ]
    title: str | None
    codes: Annotated[list[str], Field(description="The codes of the findings.")]
    bytes: _Count
    may_replay: Annotated[bool, Field(description="Whether this token may replay it.")]


class QuarantinePage(TypedDict):
    """One page of the bodies that were answered but not applied."""

    items: list[QuarantineItem]
    next: _Next


class Replayed(TypedDict):
    """The result of applying a body again."""

    outcome: str
    status: Annotated[_Count, Field(description="The status that a sender would have received.")]
    conversation_id: str | None
    findings: list[_Finding]


class ConversationRow(TypedDict):
    """One conversation in the list."""

    conversation_id: str
    bot_id: str | None
    phase: _Phase
    events: _Count
    findings: _Count
    errors: Annotated[_Count, Field(description="The findings whose severity is error.")]
    started_at: _Time
    updated_at: _Time


class FeedItem(TypedDict):
    """One delivery that gave findings or changed the phase."""

    cursor: str
    conversation_id: str
    bot_id: str | None
    endpoint: _Endpoint
    received_at: _Time
    phase_before: _Phase
    phase: _Phase
    findings: list[_Finding]


class HeldItem(TypedDict):
    """A delivery that waits for others that it overtook."""

    delivery_id: str | None
    received_at: _Time
    deadline: Annotated[
        str,
        Field(
            description="The time at which it is applied.",
            json_schema_extra={"format": "date-time"},
        ),
    ]
    codes: Annotated[
        list[str], Field(description="The codes of the findings it would have given at once.")
    ]


class ConversationPage(TypedDict):
    """One page of the list of conversations."""

    items: list[ConversationRow]
    next: _Next


class FeedPage(TypedDict):
    """One page of the feed."""

    items: list[FeedItem]
    next: _Next


class TimelineEventRow(TypedDict):
    """One lifecycle event of a conversation."""

    event: _Count
    kind: str
    agent: str | None
    received_at: _Time | None
    phase: Annotated[_Phase, Field(description="The phase before the event.")]


class FindingPage(TypedDict):
    """One page of the findings of a conversation."""

    items: list[_Finding]
    next: _Next


class EventPage(TypedDict):
    """One page of the lifecycle events of a conversation."""

    items: list[TimelineEventRow]
    next: _Next


class InspectorCauses(TypedDict):
    """The sentences that the inspector shows above all conversations."""

    items: list[str]
    next: _Next


class InspectorDrawing(TypedDict):
    """The data that the inspector shows of a conversation."""

    row: list[Any]
    story: dict[str, Any]


def response_schemas() -> Mapping[str, Any]:
    """Return the JSON Schemas (2020-12) of the models, as components of an OpenAPI document.

    They refer to the component `LiveFinding`, which is made from the schema of a report.
    """
    models = TypeAdapter[Any](
        Received
        | Controlled
        | ProblemDetails
        | RefusalPage
        | QuarantinePage
        | Replayed
        | ServiceStatus
        | ConversationPage
        | FeedPage
        | HeldItem
        | FindingPage
        | EventPage
        | InspectorDrawing
        | InspectorCauses,
        config=ConfigDict(extra="forbid"),
    )
    inputs: Any = [("models", "serialization", models)]
    _, schemas = TypeAdapter.json_schemas(inputs, ref_template=_REFERENCE)
    return {
        **schemas["$defs"],
        "HtmlPage": {"description": "A document in HTML.", "type": "string"},
    }
