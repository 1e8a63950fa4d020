"""Users and roles."""

from typing import Any, Literal

from pydantic import Field

from segue.platform.models.base import PlatformModel


class UserDetails(PlatformModel):
    """The personal details of a user that E12 creates."""

    email_id: str
    org_user_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    company_name: str | None = None
    dept: str | None = None
    company_contact_phone: str | None = None
    worknumber: str | None = None
    street: str | None = None
    suite_no: str | None = None
    city: str | None = None
    zip: str | None = None
    state: str | None = None
    country: str | None = None


class RoleAssignment(PlatformModel):
    """A role on a bot."""

    role_id: str
    bot_id: str | None = None


class TaskAssignment(PlatformModel):
    """Dialog tasks of a bot. Without `dialogs` it means all of them."""

    stream_id: str
    dialogs: list[str] | None = None


class UserCreate(PlatformModel):
    """A user that E12 creates."""

    user_info: UserDetails
    groups: list[str] | None = None
    roles: list[RoleAssignment] | None = None
    assign_bot_tasks: list[TaskAssignment] | None = None
    can_create_bot: bool | None = None
    is_developer: bool | None = None
    send_email: bool | None = None


class UsersCreate(PlatformModel):
    """The body of E12."""

    users: list[UserCreate]


class FailureDetail(PlatformModel):
    """One message of a failure."""

    msg: Literal["INVALID_EMAIL"] | str | None = None
    code: int | float | None = None


class FailureReason(PlatformModel):
    """The reason why a user was not created."""

    status_code: int | float | None = None
    status: int | float | None = None
    custom_code: int | float | None = None
    errors: list[FailureDetail] | None = None
    message: str | None = None
    name: Literal["BadRequest"] | str | None = None
    headers: dict[str, Any] | None = Field(default=None, alias="_headers")


class FailedUserInfo(PlatformModel):
    """The identity of a user that was not created."""

    email_id: str | None = None
    first_name: str | None = None
    status: Literal["failure"] | str | None = None
    reason: FailureReason | None = None


class FailedUser(PlatformModel):
    """A user that was not created. `status` and `reason` may be here or in `user_info`."""

    user_info: FailedUserInfo | None = None
    status: Literal["failure"] | str | None = None
    reason: FailureReason | None = None


class UsersCreated(PlatformModel):
    """The answer of E12. `failed` lists the users that were not created."""

    msg: str | None = None
    failed: list[FailedUser] = Field(default=[], alias="failedUserDetails")


class RoleRecord(PlatformModel):
    """A role (E16)."""

    role_type: Literal["admin", "bot"] | str | None = None
    role: str | None = None
    description: str | None = Field(default=None, alias="rDesc")
    id: str | None = Field(default=None, alias="_id")
    permissions: dict[str, str | list[str]] | None = None


class RolesFound(PlatformModel):
    """The answer of E16."""

    total: int | float | None = None
    available_more: bool | None = None
    roles: list[RoleRecord] | None = None


class BotRole(PlatformModel):
    """A role of a user on a bot."""

    role_id: str | None = None
    role_name: str | None = None
    groups: list[Any] | None = None
    bot_id: str | None = None
    bot_name: str | None = None


class UserRoles(PlatformModel):
    """A user with roles (E17)."""

    username: str | None = None
    org_user_id: str | None = None
    account_id: str | None = None
    is_developer: bool | None = None
    can_create_bot: bool | None = None
    user_id: str | None = None
    bt_roles: list[BotRole] | None = None
    admin_roles: list[Any] | None = None


class UserRolesFound(PlatformModel):
    """The answer of E17."""

    total: int | float | None = None
    available_more: bool | None = None
    users: list[UserRoles] | None = None
