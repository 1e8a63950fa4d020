"""Models of queues, skill groups, agent groups and transfers (endpoints E3 to E7 and E9)."""

from typing import Annotated, Final, Literal, Self

from annotated_types import MaxLen
from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from segue.platform.models.base import RECEIVED, PlatformModel

_TO_QUEUE: Final = "QUEUE"


def _reference(value: object, info: ValidationInfo) -> object:
    """Return `{"id": value}` if a caller gave an id instead of an object.

    Any other value, and any value of a received body, is returned unchanged.
    """
    return {"id": value} if isinstance(value, str) and info.context != RECEIVED else value


class TimeSpan(PlatformModel):
    """A duration in minutes and seconds.

    Both are strings in the sample request of the specification, and numbers in answers.
    """

    min: int | float | str | None = None
    sec: int | float | str | None = None


class NamedId(PlatformModel):
    """The id and name of an object, such as a skill."""

    id: str | None = None
    name: str | None = None


class HoursReference(PlatformModel):
    """The hours of operation of a new queue, referred to by id."""

    id: str
    name: str | None = None


class QueueAgentHours(PlatformModel):
    """The hours of operation of an agent who serves a queue."""

    hours_of_operation_id: str | None = None
    name: str | None = None


class QueueAgentInput(PlatformModel):
    """An agent to be assigned to a queue. `user_id` and `a_id` identify the same person."""

    user_id: str
    a_id: str
    is_preferred_agent: bool
    name: str | None = None
    id: str | None = None


class QueueAgent(PlatformModel):
    """An agent who serves a queue, with skills and hours of operation."""

    user_id: str | None = None
    name: str | None = None
    is_preferred_agent: bool | None = None
    hours_of_operation: QueueAgentHours | None = None
    skills: list[NamedId] | None = None


class QueueSkillInput(PlatformModel):
    """A skill to be assigned to a queue, with an optional expiry time."""

    id: str
    is_expire_enabled: bool
    name: str | None = None
    expire_time: TimeSpan | None = None


class QueueSkill(PlatformModel):
    """A skill that is assigned to a queue, with the skill group that contains the skill."""

    id: str | None = None
    name: str | None = None
    is_expire_enabled: bool | None = None
    expire_time: TimeSpan | None = None
    skill_group_name: str | None = None
    skill_group_color: str | None = None


class AdvancedSettings(PlatformModel):
    """The settings by which a queue chooses an agent: by preference, skills and affinity."""

    preferred_agent_timeout: TimeSpan | None = None
    is_skill_match_enabled: bool | None = None
    is_affinity_match_enabled: bool | None = None


class AgentGroupReference(PlatformModel):
    """An agent group that serves a queue, referred to by id."""

    id: str | None = None
    name: str | None = None


class QueueCreate(PlatformModel):
    """The body of a request to create a queue (endpoint E3).

    For `hours` and each item of `agent_groups`, an id may be given instead of an object.
    """

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
    """The body of a request to update a queue (endpoint E5).

    It accepts any members, because the specification does not show them.
    """


class Queue(PlatformModel):
    """A queue with its agents and skills, as endpoints E3, E4 and E5 return it."""

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
    """One page of queues, as endpoint E4 returns it, with the number of pages and queues."""

    results: list[Queue] | None = None
    page: int | float | None = None
    limit: int | float | None = None
    has_more: bool | None = None
    total_pages: int | float | None = None
    total_results: int | float | None = None


class SkillGroupUpdate(PlatformModel):
    """The body of a request to update a skill group (endpoint E6).

    The client adds the member `id`, which repeats the id in the path.
    """

    name: str
    description: Annotated[str, MaxLen(200)] | None = None
    color: Annotated[str, MaxLen(200)] | None = None


class SkillGroup(PlatformModel):
    """A skill group with name, description and color, as endpoint E6 returns it."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    color: str | None = None


class GroupManager(PlatformModel):
    """A manager to be assigned to an agent group, with full or view-only access."""

    user_id: str
    access_level: Literal["full", "view"] | str


class AgentGroupUpdate(PlatformModel):
    """The body of a request to update an agent group (endpoint E7)."""

    name: Annotated[str, MaxLen(50)]
    description: Annotated[str, MaxLen(50)]
    managers: list[GroupManager]


class AgentGroupManager(PlatformModel):
    """A manager of an agent group, with full or view-only access."""

    user_id: str | None = None
    access_level: Literal["full", "view"] | str | None = None


class AgentGroup(PlatformModel):
    """An agent group with its managers, as endpoint E7 returns it."""

    name: str | None = None
    description: str | None = None
    managers: list[AgentGroupManager] | None = None


class AssignConversation(PlatformModel):
    """The body of a request to transfer a conversation (endpoint E9).

    The target is an `agent` or a `queue`, one of which is required.
    """

    callback_url: str
    org: str = Field(alias="orgId")
    session: str = Field(alias="botSessionId")
    agent: str | None = Field(default=None, alias="aId")
    queue: str | None = Field(default=None, alias="queueId")
    transferred_type: Literal["QUEUE"] | str | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_a_queue(cls, value: object, info: ValidationInfo) -> object:
        """Set `transferredType` to `QUEUE` if the caller gave a queue but no agent."""
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
    """The answer of endpoint E9, with the session and its new agent or queue."""

    session_id: str | None = None
    agent_id: str | None = None
    queue_id: str | None = None
    status: Literal["transferred"] | str | None = None
    request_completed_at: int | float | None = None
