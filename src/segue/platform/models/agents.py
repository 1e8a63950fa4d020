"""Models of agents and of hours of operation (endpoints E22 and E13)."""

from typing import Literal

from pydantic import Field

from segue.platform.models.base import PlatformModel


class AgentLanguage(PlatformModel):
    """A language that an agent speaks, with the agent's proficiency."""

    is_active: bool | None = None
    language: str | None = None
    proficiency: str | None = None


class AgentGroupMembership(PlatformModel):
    """A group that an agent belongs to, with the agent's role and access level in it."""

    group_id: str | None = None
    group_name: str | None = None
    role: str | None = None
    access_level: Literal["full", "view"] | str | None = None


class AgentDesktopLayout(PlatformModel):
    """A layout of an agent's desktop, identified by `id`."""

    is_default: bool | None = None
    id: str | None = None


class AgentSkill(PlatformModel):
    """A skill of an agent, with its level and the skill group that contains it."""

    user_id: str | None = None
    skill_id: str | None = None
    proficiency_level: str | None = None
    name: str | None = None
    skill_group_id: str | None = None
    skill_group_name: str | None = None
    skill_group_color: str | None = None
    id: str | None = None


class AgentQueueMember(PlatformModel):
    """An item of `AgentQueue.agents`: the user id of an agent who serves the queue."""

    is_preferred_agent: bool | None = None
    user_id: str | None = None


class AgentQueue(PlatformModel):
    """A queue that an agent serves.

    The items of `agent_groups` have no model because the specification does not show them.
    """

    id: str | None = None
    name: str | None = None
    description: str | None = None
    agent_groups: list[object] | None = None
    agents: list[AgentQueueMember] | None = None


class Agent(PlatformModel):
    """An agent in the answer of endpoint E22, with profile, online status, skills and queues."""

    id: str | None = None
    user_id: str | None = None
    org_id: str | None = None
    account_id: str | None = None
    created_by: str | None = None
    role_id: str | None = None
    hours_of_operation_id: str | None = None
    status: Literal["ACTIVE"] | str | None = None
    email_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    nick_name: str | None = None
    phone_number: str | None = None
    prof_image: str | None = None
    sip_uri: str | None = Field(default=None, alias="sipURI")
    role: str | None = None
    online_status: Literal["Offline", "OFFLINE"] | str | None = None
    online_status_type: Literal["Offline", "OFFLINE"] | str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    last_online_at: str | None = None
    can_support_chat: bool | None = None
    can_support_voice: bool | None = None
    attachments_enabled: bool | None = None
    emojis_enabled: bool | None = None
    is_account_owner: bool | None = None
    max_chat_support: int | float | None = None
    chat_language_support: list[AgentLanguage] | None = None
    voice_language_support: list[AgentLanguage] | None = None
    agent_groups: list[AgentGroupMembership] | None = None
    desktop_layouts: list[AgentDesktopLayout] | None = None
    skills: list[AgentSkill] | None = None
    queues: list[AgentQueue] | None = None


class AgentPage(PlatformModel):
    """One page of agents, as endpoint E22 returns it.

    `results` is the only member that the specification shows.
    """

    results: list[Agent] | None = None


class OpeningHoursDay(PlatformModel):
    """The opening hours of one day. `start` and `end` are times of a 12-hour clock as text."""

    start: str | None = None
    end: str | None = None
    day: Literal["SU", "MO", "TU", "WE", "TH", "FR", "SA"] | str | None = None


class OpeningHours(PlatformModel):
    """The opening hours of the days of a week, or of special days of a year, by `frequency`."""

    frequency: Literal["WEEKLY", "YEARLY"] | str | None = None
    days: list[OpeningHoursDay] | None = None


class Hours(PlatformModel):
    """The hours of operation of a queue, as endpoint E13 returns them."""

    id: str | None = None
    name: str | None = None
    lname: str | None = None
    standard_days: OpeningHours | None = None
    special_days: OpeningHours | None = None
    status: Literal["ACTIVE"] | str | None = None
    is_default: bool | None = None
    is_hours_of_operation_valid: bool | None = None
    org_id: str | None = None
    created_by: str | None = None
    created_by_a_id: str | None = None
    i_id: str | None = None
    timezone: str | None = None
