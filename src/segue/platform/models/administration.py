"""Models of users and roles (endpoints E12, E16 and E17)."""

from typing import Any, Literal

from pydantic import Field

from segue.platform.models.base import PlatformModel


class UserDetails(PlatformModel):
    """The personal details of a user to be created. Only the email address is required."""

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
    """A role that a new user gets. `bot_id` is the bot that the role applies to, if any."""

    role_id: str
    bot_id: str | None = None


class TaskAssignment(PlatformModel):
    """The dialog tasks of a bot that are assigned to a new user.

    `dialogs` lists the tasks. If it is None, all tasks of the bot are meant.
    """

    stream_id: str
    dialogs: list[str] | None = None


class UserCreate(PlatformModel):
    """A user to be created, with the user's groups, roles and permissions."""

    user_info: UserDetails
    groups: list[str] | None = None
    roles: list[RoleAssignment] | None = None
    assign_bot_tasks: list[TaskAssignment] | None = None
    can_create_bot: bool | None = None
    is_developer: bool | None = None
    send_email: bool | None = None


class UsersCreate(PlatformModel):
    """The body of a request to create users (endpoint E12)."""

    users: list[UserCreate]


class FailureDetail(PlatformModel):
    """One error message and code in a `FailureReason`, such as `INVALID_EMAIL` with code 400."""

    msg: Literal["INVALID_EMAIL"] | str | None = None
    code: int | float | None = None


class FailureReason(PlatformModel):
    """The reason why a user was not created, as status codes and a list of error messages."""

    status_code: int | float | None = None
    status: int | float | None = None
    custom_code: int | float | None = None
    errors: list[FailureDetail] | None = None
    message: str | None = None
    name: Literal["BadRequest"] | str | None = None
    headers: dict[str, Any] | None = Field(default=None, alias="_headers")


class FailedUserInfo(PlatformModel):
    """The email address and first name of a user that was not created."""

    email_id: str | None = None
    first_name: str | None = None
    status: Literal["failure"] | str | None = None
    reason: FailureReason | None = None


class FailedUser(PlatformModel):
    """A user that was not created.

    The platform sends `status` and `reason` either in this object or in its `user_info`.
    """

    user_info: FailedUserInfo | None = None
    status: Literal["failure"] | str | None = None
    reason: FailureReason | None = None


class UsersCreated(PlatformModel):
    """The answer to a request to create users (endpoint E12).

    `failed` lists the users that were not created. It is empty if all were created.
    """

    msg: str | None = None
    failed: list[FailedUser] = Field(default=[], alias="failedUserDetails")


class RoleRecord(PlatformModel):
    """A role in the answer of endpoint E16, with its permissions by name."""

    role_type: Literal["admin", "bot"] | str | None = None
    role: str | None = None
    description: str | None = Field(default=None, alias="rDesc")
    id: str | None = Field(default=None, alias="_id")
    permissions: dict[str, str | list[str]] | None = None


class RolesFound(PlatformModel):
    """The list of roles that endpoint E16 returns, with the total number of roles."""

    total: int | float | None = None
    available_more: bool | None = None
    roles: list[RoleRecord] | None = None


class BotRole(PlatformModel):
    """A role that a user has on a bot, with the names of both."""

    role_id: str | None = None
    role_name: str | None = None
    groups: list[Any] | None = None
    bot_id: str | None = None
    bot_name: str | None = None


class UserRoles(PlatformModel):
    """A user in the answer of endpoint E17, with the roles on bots and the admin roles."""

    username: str | None = None
    org_user_id: str | None = None
    account_id: str | None = None
    is_developer: bool | None = None
    can_create_bot: bool | None = None
    user_id: str | None = None
    bt_roles: list[BotRole] | None = None
    admin_roles: list[Any] | None = None


class UserRolesFound(PlatformModel):
    """The list of users with their roles that endpoint E17 returns."""

    total: int | float | None = None
    available_more: bool | None = None
    users: list[UserRoles] | None = None
