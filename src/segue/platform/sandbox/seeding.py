"""The objects of a small contact center, which a new sandbox contains.

Sandboxes with equal seeds contain objects with equal ids.
"""

from datetime import timedelta
from typing import Any, Final

from segue.platform.sandbox.state import SandboxState
from segue.platform.timestamps import timestamp

ORG: Final = "o-1"
ACCOUNT: Final = "5ef0000000000000000000a1"
ADMIN: Final = "u-admin"
PEOPLE: Final = (
    ("Ada", "Lindqvist", "Billing"),
    ("Ben", "Okafor", "Billing"),
    ("Cyd", "Moreau", "Support"),
    ("Dee", "Tanaka", "Support"),
    ("Eva", "Rossi", "Sales"),
    ("Finn", "Walsh", "Sales"),
)
_QUEUES: Final = ("Billing", "Support", "Sales")
_WEEK: Final = ("MO", "TU", "WE", "TH", "FR")
_CAMPAIGNS: Final = (("Spring reminders", "voice", "Ready"), ("Survey", "voice", "Completed"),
                     ("Delivery notes", "sms", "Ready"))  # fmt: skip


def seed_state(state: SandboxState) -> None:
    """Add the objects of a small contact center to the state of a new sandbox.

    They are hours, queues, agents, groups, roles, campaigns, FAQ trainings and a bot import.
    """
    now = timestamp(state.clock.now)
    hours = _hours(state)
    queues = {name: _queue(state, name, hours) for name in _QUEUES}
    group = state.new_id("ag")
    state.add(
        "agent_groups", group, {"name": "Day shift", "description": "Weekdays", "managers": []}
    )
    skill = state.new_id()
    state.add("skill_groups", skill, {"id": skill, "name": "Languages", "color": "#4f6bed"})
    for number, (_, _, queue) in enumerate(PEOPLE, start=1):
        _agent(state, number, queues[queue], group)
    for role_type, name in (("admin", "Master Admin"), ("bot", "Bot Owner"), ("bot", "Bot Tester")):
        _role(state, role_type, name)
    for name, kind, status in _CAMPAIGNS:
        _campaign(state, name, kind, status)
    for language in ("en", "de"):
        faq = {"_id": state.new_id(), "message": "Training completed", "status": "success",
               "modifiedOn": now, "lastModifiedBy": ADMIN, "__v": 0}  # fmt: skip
        state.add("faq_trainings", language, faq)
    _bot_import(state)


def _hours(state: SandboxState) -> dict[str, Any]:
    identity = state.new_id("h")
    days = [{"day": day, "start": "08:00 AM", "end": "06:00 PM"} for day in _WEEK]
    return state.add("hours", identity, {
        "id": identity, "name": "Office hours", "lname": "office hours",
        "standardDays": {"frequency": "WEEKLY", "days": days},
        "specialDays": {"frequency": "YEARLY", "days": []},
        "status": "ACTIVE", "isDefault": True, "isHoursOfOperationValid": True, "orgId": ORG,
        "createdBy": ADMIN, "createdByAId": "a-1", "iId": "st-1", "timezone": "Europe/Berlin",
    })  # fmt: skip


def _queue(state: SandboxState, name: str, hours: dict[str, Any]) -> dict[str, Any]:
    identity = state.new_id("qu")
    return state.add("queues", identity, {
        "id": identity, "name": name, "description": f"{name} enquiries", "isActive": True,
        "isDefault": name == _QUEUES[0], "isAdvancedRoutingEnabled": False, "orgId": ORG,
        "createdBy": ADMIN, "hoursOfOperation": {"id": hours["id"], "name": hours["name"]},
        "agents": [], "skills": [], "agentGroups": [], "sourceAgentGroups": [],
        "advancedSettings": {"preferredAgentTimeout": {"min": 0, "sec": 30},
                             "isSkillMatchEnabled": False, "isAffinityMatchEnabled": False},
        "enableTransferRules": False, "transferQueues": [],
    })  # fmt: skip


def _agent(state: SandboxState, number: int, queue: dict[str, Any], group: str) -> None:
    identity, user = f"a-{number}", f"u-{number}"
    first, last, _ = PEOPLE[number - 1]
    now = timestamp(state.clock.now)
    email = f"{first.lower()}@example.com"
    queue["agents"].append({"userId": user, "name": first, "isPreferredAgent": False, "skills": []})
    state.add("agents", identity, {
        "id": identity, "userId": user, "orgId": ORG, "accountId": ACCOUNT, "createdBy": ADMIN,
        "status": "ACTIVE", "emailId": email, "firstName": first, "lastName": last,
        "nickName": first, "role": "Agent", "onlineStatus": "Offline",
        "onlineStatusType": "OFFLINE", "createdAt": now, "updatedAt": now, "lastOnlineAt": now,
        "canSupportChat": True, "canSupportVoice": True, "attachmentsEnabled": True,
        "emojisEnabled": True, "isAccountOwner": False, "maxChatSupport": 3,
        "chatLanguageSupport": [{"isActive": True, "language": "en", "proficiency": "5"}],
        "voiceLanguageSupport": [{"isActive": True, "language": "en", "proficiency": "5"}],
        "agentGroups": [{"groupId": group, "groupName": "Day shift", "role": "Agent"}],
        "desktopLayouts": [{"isDefault": True, "id": "ly-1"}], "skills": [],
    })  # fmt: skip
    state.add("users", user, {
        "username": email, "orgUserId": identity, "accountId": ACCOUNT, "isDeveloper": False,
        "canCreateBot": False, "userId": user, "btRoles": [], "adminRoles": [],
    })  # fmt: skip


def _role(state: SandboxState, role_type: str, name: str) -> None:
    identity = state.new_id()
    permissions: dict[str, Any] = {"Bot Management": "YES"} if role_type == "admin" else {
        "Train": ["FULL"]}  # fmt: skip
    role = {"roleType": role_type, "role": name, "rDesc": name, "permissions": permissions}
    state.add("roles", identity, role | ({"_id": identity} if role_type == "bot" else {}))


def _campaign(state: SandboxState, name: str, kind: str, status: str) -> None:
    identity, now = state.new_id("cd"), timestamp(state.clock.now - timedelta(days=2))
    extra = {"message": {"message": "Your parcel is on its way."}} if kind == "sms" else {
        "experienceFlow": "cf-1"}  # fmt: skip
    state.add("campaigns", identity, {
        "id": identity, "name": name, "description": name, "status": status, "priority": "3",
        "createdAt": now, "updatedAt": now, "campaignInstanceUpdatedAt": now,
        "schedule": {"isSchedulingEnabled": False, "isRecurrenceEnabled": False},
        "totalMessagesSent": 0, "campaignExecutionType": "NORMAL", "contactLists": [],
        "format": "simple" if kind == "sms" else "advanced", "kind": kind, **extra,
    })  # fmt: skip


def _bot_import(state: SandboxState) -> None:
    thing = {
        "_id": "bir-1", "status": "in progress", "streamRefId": state.new_id(),
        "streamId": "st-2", "createdBy": ADMIN, "requestType": "import",
        "createdOn": timestamp(state.clock.now), "__v": 0,
        "statusLogs": [{"taskType": each, "taskName": f"{each} of the bot", "status": "in progress"}
                       for each in ("validation", "dialogs", "knowledge")],
    }  # fmt: skip
    state.add("bot_imports", "bir-1", thing)
    state.start("bot import", "bir-1")
