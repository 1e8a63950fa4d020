"""Functions that perform requests for users and roles (E12, E16, E17)."""

import re
from typing import Any, Final

from segue.platform.sandbox.paging import PAGE_SIZE
from segue.platform.sandbox.requests import SandboxRequest
from segue.platform.sandbox.seeding import ACCOUNT
from segue.platform.sandbox.state import SandboxState

_ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_BAD_REQUEST: Final = 400


def create_users(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Create the users in the request that have a valid email address (endpoint E12).

    The answer lists the other users in `failedUserDetails`.
    """
    failed = []
    for user in request.body["users"]:
        info = user["userInfo"]
        if _ADDRESS.fullmatch(info["emailId"]):
            _create(state, user)
        else:
            failed.append(_failure(info))
    if not failed:
        return {"msg": "Users created"}
    return {"msg": "Some users were not created", "failedUserDetails": failed}


def _create(state: SandboxState, user: dict[str, Any]) -> None:
    identity, info = state.new_id("u"), user["userInfo"]
    state.add("users", identity, {
        "username": info["emailId"], "orgUserId": info.get("orgUserId", identity),
        "accountId": ACCOUNT, "isDeveloper": user.get("isDeveloper", True),
        "canCreateBot": user.get("canCreateBot", True), "userId": identity,
        "btRoles": [{"roleId": each["roleId"], "botId": each.get("botId", ""), "groups": []}
                    for each in user.get("roles", [])],
        "adminRoles": [],
    })  # fmt: skip


def _failure(info: dict[str, Any]) -> dict[str, Any]:
    reason = {
        "statusCode": _BAD_REQUEST, "status": _BAD_REQUEST, "customCode": _BAD_REQUEST,
        "errors": [{"msg": "INVALID_EMAIL", "code": _BAD_REQUEST}],
        "message": "INVALID_EMAIL", "name": "BadRequest", "_headers": {},
    }  # fmt: skip
    names = {name: info[name] for name in ("emailId", "firstName") if name in info}
    return {"userInfo": names | {"status": "failure", "reason": reason}}


def list_roles(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the roles of the requested type, up to the requested limit (endpoint E16).

    `total` is the number of all roles of the type.
    """
    roles = [each for each in state.all("roles") if each["roleType"] == request.query["role_type"]]
    return _first(roles, "roles", request)


def list_user_roles(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the users with their roles, up to the requested limit (endpoint E17).

    `total` is the number of all users.
    """
    return _first(state.all("users"), "users", request)


def _first(found: list[dict[str, Any]], name: str, request: SandboxRequest) -> dict[str, Any]:
    limit = request.query.get("limit", PAGE_SIZE)
    return {"total": len(found), "availableMore": len(found) > limit, name: found[:limit]}
