"""The endpoints as methods, written by `python -m docs.client_methods`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from segue.client.pages import Pages
    from segue.platform.models import (
        administration,
        agents,
        bots,
        calls,
        campaigns,
        conversations,
        routing,
    )
    from segue.platform.models.base import PlatformModel

__all__ = ["Methods"]


class Caller(Protocol):
    """What calls an endpoint by its number."""

    def call(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the result."""
        ...

    def pages(
        self, number: str, arguments: Mapping[str, Any], extra: Mapping[str, Any] | None = None
    ) -> Pages[Any]:
        """Return the items of all pages."""
        ...

    def wait(
        self,
        number: str,
        started: PlatformModel,
        within: timedelta,
        every: timedelta,
    ) -> Any:
        """Return the status once it is final, or as it is when the time is over."""
        ...


class AgentGroupsMethods:
    """Methods of agent groups."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def update(
        self,
        *,
        stream: str,
        agent_group: str,
        name: str,
        description: str,
        managers: Sequence[routing.GroupManager | Mapping[str, Any]],
        extra: Mapping[str, Any] | None = None,
    ) -> routing.AgentGroup:
        """Update an agent group (E7)."""
        arguments = {
            "stream": stream,
            "agent_group": agent_group,
            "name": name,
            "description": description,
            "managers": managers,
        }
        return self._caller.call("E7", arguments, extra)


class AgentsMethods:
    """Methods of agents."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        stream: str,
        org: str,
        page: int | None = None,
        include_queues: bool | None = None,
        account: str | None = None,
    ) -> Pages[agents.Agent]:
        """List agents (E22)."""
        arguments = {
            "stream": stream,
            "org": org,
            "page": page,
            "include_queues": include_queues,
            "account": account,
        }
        return self._caller.pages("E22", arguments)


class BotsMethods:
    """Methods of bots."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def import_status(
        self,
        *,
        request: str,
    ) -> bots.BotImport:
        """Bot import status (E18)."""
        arguments = {
            "request": request,
        }
        return self._caller.call("E18", arguments)

    def wait(
        self,
        started: bots.BotImport,
        *,
        within: timedelta,
        every: timedelta = timedelta(seconds=5),
    ) -> bots.BotImport:
        """Return the status (E18) once final, or as it is in the end."""
        return self._caller.wait("E18", started, within, every)


class CallsMethods:
    """Methods of calls."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def start(
        self,
        *,
        bot: str,
        target: str,
        caller: str,
        notify_url: str | None = None,
        trunk: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        timers: calls.DetectionTimers | Mapping[str, Any] | None = None,
        machine_detection: str | None = None,
        threshold_word_count: int | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> calls.DialoutStarted:
        """Start an outbound call (E2)."""
        arguments = {
            "bot": bot,
            "target": target,
            "caller": caller,
            "notify_url": notify_url,
            "trunk": trunk,
            "metadata": metadata,
            "timers": timers,
            "machine_detection": machine_detection,
            "threshold_word_count": threshold_word_count,
        }
        return self._caller.call("E2", arguments, extra)


class CampaignsMethods:
    """Methods of campaigns."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        kind: str,
        app: str | None = None,
        skip: int | str | None = None,
        page: int | str | None = None,
        limit: int | str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        sort_by: campaigns.CampaignSort | Mapping[str, Any] | None = None,
        filters: campaigns.CampaignFilters | Mapping[str, Any] | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> Pages[campaigns.Campaign]:
        """List campaigns (E23)."""
        arguments = {
            "kind": kind,
            "app": app,
            "skip": skip,
            "page": page,
            "limit": limit,
            "start_date": start_date,
            "end_date": end_date,
            "sort_by": sort_by,
            "filters": filters,
            "account": account,
        }
        return self._caller.pages("E23", arguments, extra)

    def start(
        self,
        *,
        campaign: str,
        app: str | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> campaigns.CampaignStarted:
        """Start a voice campaign (E24)."""
        arguments = {
            "campaign": campaign,
            "app": app,
            "account": account,
        }
        return self._caller.call("E24", arguments, extra)


class ContactListsMethods:
    """Methods of contact lists."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        name: str,
        description: str,
        app: str | None = None,
        source: str | None = None,
        allow_duplicates: bool | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> campaigns.ContactListCreated:
        """Create a contact list (E10)."""
        arguments = {
            "name": name,
            "description": description,
            "app": app,
            "source": source,
            "allow_duplicates": allow_duplicates,
            "account": account,
        }
        return self._caller.call("E10", arguments, extra)

    def add(
        self,
        *,
        contact_list_name: str,
        contacts: Sequence[campaigns.Contact | Mapping[str, Any]],
        app: str | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> campaigns.ContactsAdded:
        """Add contacts to a contact list (E11)."""
        arguments = {
            "contact_list_name": contact_list_name,
            "contacts": contacts,
            "app": app,
            "account": account,
        }
        return self._caller.call("E11", arguments, extra)


class ConversationsMethods:
    """Methods of conversations."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def assign(
        self,
        *,
        stream: str,
        callback_url: str,
        org: str,
        session: str,
        agent: str | None = None,
        queue: str | None = None,
        transferred_type: str | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> routing.ConversationAssigned:
        """Transfer a conversation to an agent or queue (E9)."""
        arguments = {
            "stream": stream,
            "callback_url": callback_url,
            "org": org,
            "session": session,
            "agent": agent,
            "queue": queue,
            "transferred_type": transferred_type,
            "account": account,
        }
        return self._caller.call("E9", arguments, extra)

    def send(
        self,
        *,
        bot: str,
        extra: Mapping[str, Any] | None = None,
    ) -> conversations.Accepted:
        """Agent-assistant webhook intake (E21)."""
        arguments = {
            "bot": bot,
        }
        return self._caller.call("E21", arguments, extra)


class FaqsMethods:
    """Methods of faqs."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def training_status(
        self,
        *,
        bot: str,
        language: str,
        state: str | None = None,
    ) -> bots.FaqTraining:
        """FAQ training status (E20)."""
        arguments = {
            "bot": bot,
            "language": language,
            "state": state,
        }
        return self._caller.call("E20", arguments)

    def wait(
        self,
        started: bots.FaqTraining,
        *,
        within: timedelta,
        every: timedelta = timedelta(seconds=5),
    ) -> bots.FaqTraining:
        """Return the status (E20) once final, or as it is in the end."""
        return self._caller.wait("E20", started, within, every)


class HoursMethods:
    """Methods of hours."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(
        self,
        *,
        org: str,
        queue: str,
        account: str | None = None,
        app: str | None = None,
    ) -> agents.Hours:
        """Get hours of operation (E13)."""
        arguments = {
            "org": org,
            "queue": queue,
            "account": account,
            "app": app,
        }
        return self._caller.call("E13", arguments)


class LanguagesMethods:
    """Methods of languages."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def update(
        self,
        *,
        version: str,
        bot: str,
        language: str,
        configurations: bots.LanguageConfigurations | Mapping[str, Any],
        file: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> bots.LanguageUpdates:
        """Update language configuration (E26)."""
        arguments = {
            "version": version,
            "bot": bot,
            "language": language,
            "configurations": configurations,
            "file": file,
        }
        return self._caller.call("E26", arguments, extra)


class QueuesMethods:
    """Methods of queues."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        stream: str,
        name: str,
        hours: str | routing.HoursReference | Mapping[str, Any],
        description: str | None = None,
        is_advanced_routing_enabled: bool | None = None,
        is_active: bool | None = None,
        is_default: bool | None = None,
        org: str | None = None,
        agents: Sequence[routing.QueueAgentInput | Mapping[str, Any]] | None = None,
        skills: Sequence[routing.QueueSkillInput | Mapping[str, Any]] | None = None,
        agent_groups: Sequence[str | routing.AgentGroupReference | Mapping[str, Any]] | None = None,
        advanced_settings: routing.AdvancedSettings | Mapping[str, Any] | None = None,
        max_timeout: routing.TimeSpan | Mapping[str, Any] | None = None,
        enable_transfer_rules: bool | None = None,
        transfer_queues: Sequence[str] | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> routing.Queue:
        """Create a queue (E3)."""
        arguments = {
            "stream": stream,
            "name": name,
            "hours": hours,
            "description": description,
            "is_advanced_routing_enabled": is_advanced_routing_enabled,
            "is_active": is_active,
            "is_default": is_default,
            "org": org,
            "agents": agents,
            "skills": skills,
            "agent_groups": agent_groups,
            "advanced_settings": advanced_settings,
            "max_timeout": max_timeout,
            "enable_transfer_rules": enable_transfer_rules,
            "transfer_queues": transfer_queues,
            "account": account,
        }
        return self._caller.call("E3", arguments, extra)

    def list(
        self,
        *,
        stream: str,
        page: int | None = None,
        account: str | None = None,
    ) -> Pages[routing.Queue]:
        """List queues (E4)."""
        arguments = {
            "stream": stream,
            "page": page,
            "account": account,
        }
        return self._caller.pages("E4", arguments)

    def update(
        self,
        *,
        stream: str,
        queue: str,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> routing.Queue:
        """Update a queue (E5)."""
        arguments = {
            "stream": stream,
            "queue": queue,
            "account": account,
        }
        return self._caller.call("E5", arguments, extra)


class RolesMethods:
    """Methods of roles."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        role_type: str,
        limit: int | None = None,
    ) -> Pages[administration.RoleRecord]:
        """Get roles (E16)."""
        arguments = {
            "role_type": role_type,
            "limit": limit,
        }
        return self._caller.pages("E16", arguments)


class SessionsMethods:
    """Methods of sessions."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(
        self,
        *,
        bot: str | None = None,
        containment: str | None = None,
        call: str | None = None,
        user: str | None = None,
        skip: int | None = None,
        limit: int | None = None,
        since: datetime | date | str | None = None,
        until: datetime | date | str | None = None,
        tags: Mapping[str, Any] | None = None,
        session_type: str | None = None,
        sessions: Sequence[str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> Pages[conversations.SessionRecord]:
        """Session history (E25)."""
        arguments = {
            "bot": bot,
            "containment": containment,
            "call": call,
            "user": user,
            "skip": skip,
            "limit": limit,
            "since": since,
            "until": until,
            "tags": tags,
            "session_type": session_type,
            "sessions": sessions,
        }
        return self._caller.pages("E25", arguments, extra)


class SkillGroupsMethods:
    """Methods of skill groups."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def update(
        self,
        *,
        stream: str,
        skill_group: str,
        name: str,
        description: str | None = None,
        color: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> routing.SkillGroup:
        """Update a skill group (E6)."""
        arguments = {
            "stream": stream,
            "skill_group": skill_group,
            "name": name,
            "description": description,
            "color": color,
        }
        return self._caller.call("E6", arguments, extra)


class TasksMethods:
    """Methods of tasks."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        stream: str,
        case: str,
        case_ref: str,
        template: str,
        user: conversations.TaskUserInput | Mapping[str, Any],
        source: str,
        desc: str,
        name: str | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> conversations.Task:
        """Create a task (E8)."""
        arguments = {
            "stream": stream,
            "case": case,
            "case_ref": case_ref,
            "template": template,
            "user": user,
            "source": source,
            "desc": desc,
            "name": name,
            "account": account,
        }
        return self._caller.call("E8", arguments, extra)


class TestSuitesMethods:
    """Methods of test suites."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def upload(
        self,
        *,
        bot: str,
        file_name: str,
        file_type: str,
        import_type: str,
        delimiter: str,
        description: str,
        name: str | None = None,
        engine: str | None = None,
        bot_language: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> bots.TestSuite:
        """Import a batch test suite (E19)."""
        arguments = {
            "bot": bot,
            "file_name": file_name,
            "file_type": file_type,
            "import_type": import_type,
            "delimiter": delimiter,
            "description": description,
            "name": name,
            "engine": engine,
            "bot_language": bot_language,
        }
        return self._caller.call("E19", arguments, extra)


class TrainingMethods:
    """Methods of training."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def start(
        self,
        *,
        bot: str,
        contents: Sequence[str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> bots.TrainingJobGroup:
        """Initiate training (E14)."""
        arguments = {
            "bot": bot,
            "contents": contents,
        }
        return self._caller.call("E14", arguments, extra)

    def get(
        self,
        *,
        bot: str,
        job: str,
    ) -> bots.TrainingJobGroup:
        """Get training status (E15)."""
        arguments = {
            "bot": bot,
            "job": job,
        }
        return self._caller.call("E15", arguments)

    def wait(
        self,
        started: bots.TrainingJobGroup,
        *,
        within: timedelta,
        every: timedelta = timedelta(seconds=5),
    ) -> bots.TrainingJobGroup:
        """Return the status (E15) once final, or as it is in the end."""
        return self._caller.wait("E15", started, within, every)


class TranscriptionMethods:
    """Methods of transcription."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def control(
        self,
        *,
        bot: str,
        conversation: str,
        action: str,
        agent: str,
        handover: bool | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> conversations.Accepted:
        """Control transcription (E1)."""
        arguments = {
            "bot": bot,
            "conversation": conversation,
            "action": action,
            "agent": agent,
            "handover": handover,
        }
        return self._caller.call("E1", arguments, extra)


class UsersMethods:
    """Methods of users."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self,
        *,
        users: Sequence[administration.UserCreate | Mapping[str, Any]],
        extra: Mapping[str, Any] | None = None,
    ) -> administration.UsersCreated:
        """Create users (E12)."""
        arguments = {
            "users": users,
        }
        return self._caller.call("E12", arguments, extra)

    def roles(
        self,
        *,
        limit: int | None = None,
    ) -> Pages[administration.UserRoles]:
        """Get user roles (E17)."""
        arguments = {
            "limit": limit,
        }
        return self._caller.pages("E17", arguments)


class Methods:
    """Every endpoint, in groups by subject."""

    @property
    def agent_groups(self: Caller) -> AgentGroupsMethods:
        """Methods of agent groups."""
        return AgentGroupsMethods(self)

    @property
    def agents(self: Caller) -> AgentsMethods:
        """Methods of agents."""
        return AgentsMethods(self)

    @property
    def bots(self: Caller) -> BotsMethods:
        """Methods of bots."""
        return BotsMethods(self)

    @property
    def calls(self: Caller) -> CallsMethods:
        """Methods of calls."""
        return CallsMethods(self)

    @property
    def campaigns(self: Caller) -> CampaignsMethods:
        """Methods of campaigns."""
        return CampaignsMethods(self)

    @property
    def contact_lists(self: Caller) -> ContactListsMethods:
        """Methods of contact lists."""
        return ContactListsMethods(self)

    @property
    def conversations(self: Caller) -> ConversationsMethods:
        """Methods of conversations."""
        return ConversationsMethods(self)

    @property
    def faqs(self: Caller) -> FaqsMethods:
        """Methods of faqs."""
        return FaqsMethods(self)

    @property
    def hours(self: Caller) -> HoursMethods:
        """Methods of hours."""
        return HoursMethods(self)

    @property
    def languages(self: Caller) -> LanguagesMethods:
        """Methods of languages."""
        return LanguagesMethods(self)

    @property
    def queues(self: Caller) -> QueuesMethods:
        """Methods of queues."""
        return QueuesMethods(self)

    @property
    def roles(self: Caller) -> RolesMethods:
        """Methods of roles."""
        return RolesMethods(self)

    @property
    def sessions(self: Caller) -> SessionsMethods:
        """Methods of sessions."""
        return SessionsMethods(self)

    @property
    def skill_groups(self: Caller) -> SkillGroupsMethods:
        """Methods of skill groups."""
        return SkillGroupsMethods(self)

    @property
    def tasks(self: Caller) -> TasksMethods:
        """Methods of tasks."""
        return TasksMethods(self)

    @property
    def test_suites(self: Caller) -> TestSuitesMethods:
        """Methods of test suites."""
        return TestSuitesMethods(self)

    @property
    def training(self: Caller) -> TrainingMethods:
        """Methods of training."""
        return TrainingMethods(self)

    @property
    def transcription(self: Caller) -> TranscriptionMethods:
        """Methods of transcription."""
        return TranscriptionMethods(self)

    @property
    def users(self: Caller) -> UsersMethods:
        """Methods of users."""
        return UsersMethods(self)
