"""Models of transcription, conversation events, sessions and tasks (E1, E8, E21 and E25)."""

from typing import Annotated, Any, Literal, Self

from annotated_types import MaxLen
from pydantic import Field, model_validator

from segue.platform.models.base import PlatformModel


class Accepted(PlatformModel):
    """An answer whose members the specification does not show.

    All members are kept as attributes, under their names in the JSON.
    """


class TranscriptionControl(PlatformModel):
    """The body of a request to start, pause, resume or end a transcription (endpoint E1).

    With `action="pause"`, `handover` is required: True for a transfer, False for a hold.
    """

    action: Literal["start", "pause", "resume", "end"] | str
    agent: str = Field(alias="agentId")
    handover: bool | None = None

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if self.action == "pause" and self.handover is None:
            raise ValueError("a pause requires handover: True for a transfer, False for a hold")
        return self


class ConversationEvents(PlatformModel):
    """The body of a request with events or messages of a conversation (endpoint E21).

    It accepts any members. `segue.core.wire` describes them.
    """


class SessionSearch(PlatformModel):
    """The body of a search for sessions (endpoint E25).

    `sessions` may contain at most 50 ids.
    """

    user: str | None = Field(default=None, alias="userId")
    skip: int | None = None
    limit: int | None = None
    since: str | None = Field(default=None, alias="dateFrom")
    until: str | None = Field(default=None, alias="dateTo")
    tags: dict[str, Any] | None = None
    session_type: Literal["interactive", "non-interactive"] | str | None = None
    sessions: Annotated[list[str], MaxLen(50)] | None = Field(default=None, alias="sessionId")


class SessionTag(PlatformModel):
    """A tag of a user or session: a name and a value of any JSON type."""

    name: str | None = None
    value: Any = None


class SessionTagLists(PlatformModel):
    """The tags of a session and of its user, as two lists."""

    user_tags: list[SessionTag] | None = None
    session_tags: list[SessionTag] | None = None
    alt_text: list[Any] | None = None


_Channel = Literal[
    "sms", "email", "rtm", "slack", "skype", "twitter", "msteams", "api", "facebook",
    "skypeforbusiness",
]  # fmt: skip


class SessionRecord(PlatformModel):
    """A session in the answer of endpoint E25.

    `is_developer` is a boolean or one of the numbers 1 and 0.
    """

    session_id: str | None = None
    bot_id: str | None = None
    channel: _Channel | str | None = None
    user_id: str | None = None
    start_time: str | None = Field(default=None, alias="start_time")
    end_time: str | None = Field(default=None, alias="end_time")
    session_lang: list[str] | None = Field(default=None, alias="session_lang")
    session_type: Literal["interactive", "non-interactive"] | str | None = None
    containment_type: Literal["selfService", "dropOff", "agent"] | str | None = None
    is_developer: bool | Literal[0, 1] | None = None
    session_status: Literal["active", "closed"] | str | None = None
    tags: SessionTagLists | None = None
    no_of_messages_exchanged: int | float | None = None
    no_of_tasks_executed: int | float | None = None


class SessionsFound(PlatformModel):
    """The answer to a search for sessions (endpoint E25).

    `invalid_sessions` lists the requested ids of sessions that do not exist.
    """

    total: int | float | None = None
    more_available: bool | None = None
    sessions: list[SessionRecord] | None = None
    invalid_sessions: list[str] | None = None


class TaskUserInput(PlatformModel):
    """The person a new task is about.

    `id`, `email_id` or `phone_number` is required.
    """

    name: str
    id: str | None = Field(default=None, alias="_id")
    email_id: str | None = None
    phone_number: str | None = None

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        if self.id is None and self.email_id is None and self.phone_number is None:
            raise ValueError("id, email_id or phone_number is required")
        return self


class TaskCreate(PlatformModel):
    """The body of a request to create a task for case management (endpoint E8)."""

    case: str = Field(alias="caseId")
    case_ref: str = Field(alias="caseRefId")
    template: str = Field(alias="taskTmp")
    user: TaskUserInput = Field(alias="userInfo")
    source: str
    desc: str
    name: str | None = None


class TaskUser(PlatformModel):
    """The person a task is about, with id and name."""

    id: str | None = Field(default=None, alias="_id")
    name: str | None = None


class TaskStatus(PlatformModel):
    """The status of a task, such as "Open" in the category `open`."""

    id: str | None = Field(default=None, alias="_id")
    name: str | None = None
    status_category: Literal["open"] | str | None = None


class TaskPriority(PlatformModel):
    """The priority of a task, with its name, color and numeric score."""

    id: str | None = Field(default=None, alias="_id")
    name: str | None = None
    color: str | None = None
    score: int | float | None = None


class TaskField(PlatformModel):
    """The definition of a field of a task, such as its name and data type."""

    id: str | None = Field(default=None, alias="_id")
    show: Any = None
    display_name: str | None = None
    lname: str | None = None
    desc: str | None = None
    is_enabled: bool | None = None
    is_active: bool | None = None
    meta_data: dict[str, Any] | None = None
    type: str | None = None
    required: Any = None
    data_type: str | None = None


class TaskPerson(PlatformModel):
    """The person who created or updated a task, with id, name and picture."""

    name: str | None = None
    id: str | None = Field(default=None, alias="_id")
    prof_image: str | None = None


class Task(PlatformModel):
    """A task for case management, as endpoint E8 returns it."""

    id: str | None = Field(default=None, alias="_id")
    ref_id: str | None = None
    case_id: str | None = None
    case_ref_id: str | None = None
    task_tmp: str | None = None
    name: str | None = None
    lname: str | None = None
    user_info: TaskUser | None = None
    source: str | None = None
    conversation_type: Literal["TASK"] | str | None = None
    status: TaskStatus | None = None
    priority: TaskPriority | None = None
    assignee_type: Literal["unassigned"] | str | None = None
    curr_assignee: dict[str, Any] | None = None
    account_id: str | None = None
    i_id: str | None = None
    org_id: str | None = None
    fields_: list[TaskField] | None = Field(default=None, alias="fields")
    tags: list[Any] | None = None
    sess_ids: list[Any] | None = None
    conv_ids: list[Any] | None = None
    participants: list[Any] | None = None
    attachments: list[Any] | None = None
    feedback: list[Any] | None = None
    activity_ids: list[Any] | None = None
    comment_ids: list[Any] | None = None
    resolution_cmts: list[Any] | None = None
    queues: list[Any] | None = None
    channel: list[Any] | None = None
    is_cust_tsk: bool | None = None
    is_active: bool | None = None
    is_breached: bool | None = None
    created_by: TaskPerson | None = None
    updated_by: TaskPerson | None = None
    timestamp_value: int | float | None = None
    created_at: str | None = None
    updated_at: str | None = None
    eta: str | None = Field(default=None, alias="ETA")
