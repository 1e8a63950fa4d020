"""Agents and hours of operation."""

from typing import Literal

from pydantic import Field

from segue.platform.models.base import PlatformModel


class AgentLanguage(PlatformModel):
    """A language that an agent speaks."""

    is_active: bool | None = None
    language: str | None = None
    proficiency: str | None = None


class AgentGroupMembership(PlatformModel):
    """A group that an agent belongs to."""

    group_id: str | None = None
    group_name: str | None = None
    role: str | None = None
    access_level: Literal["full", "view"] | str | None = None


class AgentDesktopLayout(PlatformModel):
    """A layout of an agent's desktop."""

    is_default: bool | None = None
    id: str | None = None


class AgentSkill(PlatformModel):
    """A skill of an agent."""

    user_id: str | None = None
    skill_id: str | None = None
    proficiency_level: str | None = None
    name: str | None = None
    skill_group_id: str | None = None
    skill_group_name: str | None = None
    skill_group_color: str | None = None
    id: str | None = None


class AgentQueueMember(PlatformModel):
    """An agent in the `agents` of a queue."""

    is_preferred_agent: bool | None = None
    user_id: str | None = None


class AgentQueue(PlatformModel):
    """A queue of an agent. The specification does not show the items of `agent_groups`."""

    id: str | None = None
    name: str | None = None
    description: str | None = None
    agent_groups: list[object] | None = None
    agents: list[AgentQueueMember] | None = None


class Agent(PlatformModel):
    """An agent (E22)."""

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
    """The answer of E22. The specification shows no members other than `results`."""

    results: list[Agent] | None = None


class OpeningHoursDay(PlatformModel):
    """The opening hours of one day, as 12-hour clock strings."""

    start: str | None = None
    end: str | None = None
    day: Literal["SU", "MO", "TU", "WE", "TH", "FR", "SA"] | str | None = None


class OpeningHours(PlatformModel):
    """The opening hours of the days of a week, or of special days of a year."""

    frequency: Literal["WEEKLY", "YEARLY"] | str | None = None
    days: list[OpeningHoursDay] | None = None


class Hours(PlatformModel):
    """Hours of operation (E13)."""

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
