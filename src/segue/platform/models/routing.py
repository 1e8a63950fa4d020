"""Queues, skill groups, agent groups, and transfers of conversations."""

from typing import Annotated, Final, Literal, Self

from annotated_types import MaxLen
from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from segue.platform.models.base import RECEIVED, PlatformModel

_TO_QUEUE: Final = "QUEUE"


def _reference(value: object, info: ValidationInfo) -> object:
    """Return `{"id": value}` if a caller gave an id instead of an object."""
    return {"id": value} if isinstance(value, str) and info.context != RECEIVED else value


class TimeSpan(PlatformModel):
    """Minutes and seconds: strings in the sample of a request, numbers in answers."""

    min: int | float | str | None = None
    sec: int | float | str | None = None


class NamedId(PlatformModel):
    """An id with a name."""

    id: str | None = None
    name: str | None = None


class HoursReference(PlatformModel):
    """A reference to the hours of operation of a queue."""

    id: str
    name: str | None = None


class QueueAgentHours(PlatformModel):
    """The hours of operation of an agent of a queue."""

    hours_of_operation_id: str | None = None
    name: str | None = None


class QueueAgentInput(PlatformModel):
    """An agent of a queue in a request."""

    user_id: str
    a_id: str
    is_preferred_agent: bool
    name: str | None = None
    id: str | None = None


class QueueAgent(PlatformModel):
    """An agent of a queue in an answer."""

    user_id: str | None = None
    name: str | None = None
    is_preferred_agent: bool | None = None
    hours_of_operation: QueueAgentHours | None = None
    skills: list[NamedId] | None = None


class QueueSkillInput(PlatformModel):
    """A skill of a queue in a request."""

    id: str
    is_expire_enabled: bool
    name: str | None = None
    expire_time: TimeSpan | None = None


class QueueSkill(PlatformModel):
    """A skill of a queue in an answer."""

    id: str | None = None
    name: str | None = None
    is_expire_enabled: bool | None = None
    expire_time: TimeSpan | None = None
    skill_group_name: str | None = None
    skill_group_color: str | None = None


class AdvancedSettings(PlatformModel):
    """The settings by which a queue chooses an agent."""

    preferred_agent_timeout: TimeSpan | None = None
    is_skill_match_enabled: bool | None = None
    is_affinity_match_enabled: bool | None = None


class AgentGroupReference(PlatformModel):
    """A reference to an agent group of a queue."""

    id: str | None = None
    name: str | None = None


class QueueCreate(PlatformModel):
    """The body of E3."""

    name: str
    hours: Annotated[HoursReference, BeforeValidator(_reference)] = Field(alias="hoursOfOperation")
    description: str | None = None
    is_advanced_routing_enabled: bool | None = None
    is_active: bool | None = None
    is_default: bool | None = None
    org: str | None = Field(default=None, alias="orgId")
    agents: list[QueueAgentInput] | None = None
    skills: list[QueueSkillInput] | None = None
    agent_groups: list[Annotated[AgentGroupReference, BeforeValidator(_reference)]] | None = None
    advanced_settings: AdvancedSettings | None = None
    max_timeout: TimeSpan | None = None
    enable_transfer_rules: bool | None = None
    transfer_queues: list[str] | None = None


class QueueUpdate(PlatformModel):
    """The body of E5. The specification shows none of its members."""


class Queue(PlatformModel):
    """A queue (E3, E4, E5)."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    is_active: bool | None = None
    is_default: bool | None = None
    is_advanced_routing_enabled: bool | None = None
    org_id: str | None = None
    created_by: str | None = None
    hours_of_operation: NamedId | None = None
    agents: list[QueueAgent] | None = None
    skills: list[QueueSkill] | None = None
    agent_groups: list[AgentGroupReference] | None = None
    source_agent_groups: list[str] | None = None
    advanced_settings: AdvancedSettings | None = None
    max_timeout: TimeSpan | None = None
    enable_transfer_rules: bool | None = None
    transfer_queues: list[str] | None = None


class QueuePage(PlatformModel):
    """The answer of E4."""

    results: list[Queue] | None = None
    page: int | float | None = None
    limit: int | float | None = None
    has_more: bool | None = None
    total_pages: int | float | None = None
    total_results: int | float | None = None


class SkillGroupUpdate(PlatformModel):
    """The body of E6. The client adds the `id` from the path."""

    name: str
    description: Annotated[str, MaxLen(200)] | None = None
    color: Annotated[str, MaxLen(200)] | None = None


class SkillGroup(PlatformModel):
    """A skill group (E6)."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    color: str | None = None


class GroupManager(PlatformModel):
    """A manager of an agent group in a request."""

    user_id: str
    access_level: Literal["full", "view"] | str


class AgentGroupUpdate(PlatformModel):
    """The body of E7."""

    name: Annotated[str, MaxLen(50)]
    description: Annotated[str, MaxLen(50)]
    managers: list[GroupManager]


class AgentGroupManager(PlatformModel):
    """A manager of an agent group in an answer."""

    user_id: str | None = None
    access_level: Literal["full", "view"] | str | None = None


class AgentGroup(PlatformModel):
    """An agent group (E7)."""

    name: str | None = None
    description: str | None = None
    managers: list[AgentGroupManager] | None = None


class AssignConversation(PlatformModel):
    """The body of E9, with an `agent` or a `queue` as the target of the transfer."""

    callback_url: str
    org: str = Field(alias="orgId")
    session: str = Field(alias="botSessionId")
    agent: str | None = Field(default=None, alias="aId")
    queue: str | None = Field(default=None, alias="queueId")
    transferred_type: Literal["QUEUE"] | str | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_a_queue(cls, value: object, info: ValidationInfo) -> object:
        """Add `transferredType` if only a queue is given."""
        if info.context == RECEIVED:
            return value
        names = set(value) if isinstance(value, dict) else set()
        if names & {"queue", "queueId"} and not names & {"agent", "aId", "transferred_type"}:
            return {"transferredType": _TO_QUEUE, **value} if isinstance(value, dict) else value
        return value

    @model_validator(mode="after")
    def _has_target(self) -> Self:
        if self.agent is None and self.queue is None:
            raise ValueError("an agent or a queue is required")
        if self.agent is None and self.transferred_type != _TO_QUEUE:
            raise ValueError("a transfer to a queue needs transferredType QUEUE")
        if self.queue is None and self.transferred_type == _TO_QUEUE:
            raise ValueError("a transfer to a queue needs a queue")
        return self


class ConversationAssigned(PlatformModel):
    """The answer of E9."""

    session_id: str | None = None
    agent_id: str | None = None
    queue_id: str | None = None
    status: Literal["transferred"] | str | None = None
    request_completed_at: int | float | None = None
