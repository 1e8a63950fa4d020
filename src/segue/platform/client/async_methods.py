"""The endpoints as methods, written by `python -m docs.client_methods`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from segue.platform.client.method_group import Caller, MethodGroup

if TYPE_CHECKING:
    from segue.platform.client.pages import AsyncPages
    from segue.platform.models import (
        administration,
        agents,
        bots,
        calls,
        campaigns,
        conversations,
        routing,
    )


class AsyncAgentGroupsMethods(MethodGroup):
    """Methods of agent groups."""

    async def update(
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
        return await self._call("E7", locals())


class AsyncAgentsMethods(MethodGroup):
    """Methods of agents."""

    def list(
        self,
        *,
        stream: str,
        org: str,
        page: int | None = None,
        include_queues: bool | None = None,
        account: str | None = None,
    ) -> AsyncPages[agents.Agent]:
        """List agents (E22)."""
        return self._pages("E22", locals())


class AsyncBotsMethods(MethodGroup):
    """Methods of bots."""

    async def import_status(self, *, request: str) -> bots.BotImport:
        """Bot import status (E18)."""
        return await self._call("E18", locals())

    async def wait(
        self, started: bots.BotImport, *, within: timedelta, every: timedelta = timedelta(seconds=5)
    ) -> bots.BotImport:
        """Return the status (E18) once final, or as it is in the end."""
        return await self._caller.wait("E18", started, within, every)


class AsyncCallsMethods(MethodGroup):
    """Methods of calls."""

    async def start(
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
        threshold_word_count: float | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> calls.DialoutStarted:
        """Start an outbound call (E2)."""
        return await self._call("E2", locals())


class AsyncCampaignsMethods(MethodGroup):
    """Methods of campaigns."""

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
    ) -> AsyncPages[campaigns.Campaign]:
        """List campaigns (E23)."""
        return self._pages("E23", locals())

    async def start(
        self,
        *,
        campaign: str,
        app: str | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> campaigns.CampaignStarted:
        """Start a voice campaign (E24)."""
        return await self._call("E24", locals())


class AsyncContactListsMethods(MethodGroup):
    """Methods of contact lists."""

    async def create(
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
        return await self._call("E10", locals())

    async def add(
        self,
        *,
        contact_list_name: str,
        contacts: Sequence[campaigns.Contact | Mapping[str, Any]],
        app: str | None = None,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> campaigns.ContactsAdded:
        """Add contacts to a contact list (E11)."""
        return await self._call("E11", locals())


class AsyncConversationsMethods(MethodGroup):
    """Methods of conversations."""

    async def assign(
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
        return await self._call("E9", locals())

    async def send(
        self, *, bot: str, extra: Mapping[str, Any] | None = None
    ) -> conversations.Accepted:
        """Agent-assistant webhook intake (E21)."""
        return await self._call("E21", locals())


class AsyncFaqsMethods(MethodGroup):
    """Methods of faqs."""

    async def training_status(
        self, *, bot: str, language: str, state: str | None = None
    ) -> bots.FaqTraining:
        """FAQ training status (E20)."""
        return await self._call("E20", locals())

    async def wait(
        self,
        started: bots.FaqTraining,
        *,
        within: timedelta,
        every: timedelta = timedelta(seconds=5),
    ) -> bots.FaqTraining:
        """Return the status (E20) once final, or as it is in the end."""
        return await self._caller.wait("E20", started, within, every)


class AsyncHoursMethods(MethodGroup):
    """Methods of hours."""

    async def get(
        self, *, org: str, queue: str, account: str | None = None, app: str | None = None
    ) -> agents.Hours:
        """Get hours of operation (E13)."""
        return await self._call("E13", locals())


class AsyncLanguagesMethods(MethodGroup):
    """Methods of languages."""

    async def update(
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
        return await self._call("E26", locals())


class AsyncQueuesMethods(MethodGroup):
    """Methods of queues."""

    async def create(
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
        return await self._call("E3", locals())

    def list(
        self, *, stream: str, page: int | None = None, account: str | None = None
    ) -> AsyncPages[routing.Queue]:
        """List queues (E4)."""
        return self._pages("E4", locals())

    async def update(
        self,
        *,
        stream: str,
        queue: str,
        account: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> routing.Queue:
        """Update a queue (E5)."""
        return await self._call("E5", locals())


class AsyncRolesMethods(MethodGroup):
    """Methods of roles."""

    def list(
        self, *, role_type: str, limit: int | None = None
    ) -> AsyncPages[administration.RoleRecord]:
        """Get roles (E16)."""
        return self._pages("E16", locals())


class AsyncSessionsMethods(MethodGroup):
    """Methods of sessions."""

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
    ) -> AsyncPages[conversations.SessionRecord]:
        """Session history (E25)."""
        return self._pages("E25", locals())


class AsyncSkillGroupsMethods(MethodGroup):
    """Methods of skill groups."""

    async def update(
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
        return await self._call("E6", locals())


class AsyncTasksMethods(MethodGroup):
    """Methods of tasks."""

    async def create(
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
        return await self._call("E8", locals())


class AsyncTestSuitesMethods(MethodGroup):
    """Methods of test suites."""

    async def upload(
        self,
        *,
        bot: str,
        file_name: str,
        delimiter: str,
        description: str,
        file_type: str | None = None,
        import_type: str | None = None,
        name: str | None = None,
        engine: str | None = None,
        bot_language: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> bots.TestSuite:
        """Import a batch test suite (E19)."""
        return await self._call("E19", locals())


class AsyncTrainingMethods(MethodGroup):
    """Methods of training."""

    async def start(
        self,
        *,
        bot: str,
        contents: Sequence[str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> bots.TrainingJobGroup:
        """Initiate training (E14)."""
        return await self._call("E14", locals())

    async def get(self, *, bot: str, job: str) -> bots.TrainingJobGroup:
        """Get training status (E15)."""
        return await self._call("E15", locals())

    async def wait(
        self,
        started: bots.TrainingJobGroup,
        *,
        within: timedelta,
        every: timedelta = timedelta(seconds=5),
    ) -> bots.TrainingJobGroup:
        """Return the status (E15) once final, or as it is in the end."""
        return await self._caller.wait("E15", started, within, every)


class AsyncTranscriptionMethods(MethodGroup):
    """Methods of transcription."""

    async def control(
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
        return await self._call("E1", locals())


class AsyncUsersMethods(MethodGroup):
    """Methods of users."""

    async def create(
        self,
        *,
        users: Sequence[administration.UserCreate | Mapping[str, Any]],
        extra: Mapping[str, Any] | None = None,
    ) -> administration.UsersCreated:
        """Create users (E12)."""
        return await self._call("E12", locals())

    def roles(self, *, limit: int | None = None) -> AsyncPages[administration.UserRoles]:
        """Get user roles (E17)."""
        return self._pages("E17", locals())


class AsyncMethods:
    """Every endpoint, in groups by subject."""

    @property
    def agent_groups(self: Caller) -> AsyncAgentGroupsMethods:
        """Methods of agent groups."""
        return AsyncAgentGroupsMethods(self)

    @property
    def agents(self: Caller) -> AsyncAgentsMethods:
        """Methods of agents."""
        return AsyncAgentsMethods(self)

    @property
    def bots(self: Caller) -> AsyncBotsMethods:
        """Methods of bots."""
        return AsyncBotsMethods(self)

    @property
    def calls(self: Caller) -> AsyncCallsMethods:
        """Methods of calls."""
        return AsyncCallsMethods(self)

    @property
    def campaigns(self: Caller) -> AsyncCampaignsMethods:
        """Methods of campaigns."""
        return AsyncCampaignsMethods(self)

    @property
    def contact_lists(self: Caller) -> AsyncContactListsMethods:
        """Methods of contact lists."""
        return AsyncContactListsMethods(self)

    @property
    def conversations(self: Caller) -> AsyncConversationsMethods:
        """Methods of conversations."""
        return AsyncConversationsMethods(self)

    @property
    def faqs(self: Caller) -> AsyncFaqsMethods:
        """Methods of faqs."""
        return AsyncFaqsMethods(self)

    @property
    def hours(self: Caller) -> AsyncHoursMethods:
        """Methods of hours."""
        return AsyncHoursMethods(self)

    @property
    def languages(self: Caller) -> AsyncLanguagesMethods:
        """Methods of languages."""
        return AsyncLanguagesMethods(self)

    @property
    def queues(self: Caller) -> AsyncQueuesMethods:
        """Methods of queues."""
        return AsyncQueuesMethods(self)

    @property
    def roles(self: Caller) -> AsyncRolesMethods:
        """Methods of roles."""
        return AsyncRolesMethods(self)

    @property
    def sessions(self: Caller) -> AsyncSessionsMethods:
        """Methods of sessions."""
        return AsyncSessionsMethods(self)

    @property
    def skill_groups(self: Caller) -> AsyncSkillGroupsMethods:
        """Methods of skill groups."""
        return AsyncSkillGroupsMethods(self)

    @property
    def tasks(self: Caller) -> AsyncTasksMethods:
        """Methods of tasks."""
        return AsyncTasksMethods(self)

    @property
    def test_suites(self: Caller) -> AsyncTestSuitesMethods:
        """Methods of test suites."""
        return AsyncTestSuitesMethods(self)

    @property
    def training(self: Caller) -> AsyncTrainingMethods:
        """Methods of training."""
        return AsyncTrainingMethods(self)

    @property
    def transcription(self: Caller) -> AsyncTranscriptionMethods:
        """Methods of transcription."""
        return AsyncTranscriptionMethods(self)

    @property
    def users(self: Caller) -> AsyncUsersMethods:
        """Methods of users."""
        return AsyncUsersMethods(self)
