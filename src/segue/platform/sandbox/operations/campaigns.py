"""Functions that perform requests for contact lists and campaigns (E10, E11, E23, E24)."""

from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

from segue.platform.sandbox.paging import skipped_page
from segue.platform.sandbox.requests import RefusedRequest, SandboxRequest, read_date
from segue.platform.sandbox.seeding import ADMIN
from segue.platform.sandbox.state import SandboxState
from segue.platform.timestamps import timestamp

_QUEUED: Final = timedelta(seconds=5)
"""The time after which queued contacts are stored in their contact list."""
_HIDDEN: Final = frozenset({"kind", "instance"})
"""The internal members of a campaign, which answers do not contain."""


def create_contact_list(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Create an empty contact list, and return it in `data` (endpoint E10).

    Raises:
        RefusedRequest: Another contact list has this name (409).

    """
    name, now = request.body["name"], timestamp(state.clock.now)
    if any(each["name"] == name for each in state.all("contact_lists")):
        raise RefusedRequest(409, "a contact list with this name exists: choose another name")
    identity = state.new_id("cl")
    allows = request.body.get("allowDuplicates", False)
    found = state.add("contact_lists", identity, {
        "_id": identity, "name": name, "description": request.body["description"], "status": "",
        "isActive": True, "totalRecordCount": 0, "source": "passiveApi",
        "allowDuplicates": allows, "listType": "call", "isListInUse": False, "campaignInUse": [],
        "files": [], "mapping": {"phoneNumber": "phoneNumber"},
        "apiConfigurations": {"dataSyncMode": "allowDuplicates"} if allows else {},
        "createdBy": ADMIN, "updatedBy": ADMIN, "createdAt": now, "updatedAt": now,
    })  # fmt: skip
    state.move("contact list", identity, "create")
    return {"status": "success", "message": "Contact list created", "data": found}


def add_contacts(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Queue contacts to be stored in a contact list five seconds later (endpoint E11).

    Raises:
        RefusedRequest: No contact list has the requested name (404).

    """
    name = request.body["contact_list_name"]
    found = next((each for each in state.all("contact_lists") if each["name"] == name), None)
    if found is None:
        raise RefusedRequest(404, "no contact list has the name in contact_list_name")
    numbers = [contact["phoneNumber"] for contact in request.body["data"]]
    state.clock.after(_QUEUED, "store contacts", "contact_lists", found["_id"], *numbers)
    return {"message": "Adding contacts is in progress"}


def store_contacts(state: SandboxState, key: str, *numbers: str) -> None:
    """Store queued phone numbers in a contact list, and update its number of records.

    Duplicates are dropped unless the list allows them.
    """
    contact_list = state.get("contact_lists", key)
    records = state.tables["contacts"].setdefault(contact_list["_id"], {"numbers": []})["numbers"]
    known = set(records)
    for number in numbers:
        if contact_list["allowDuplicates"] or number not in known:
            records.append(number)
            known.add(number)
    contact_list["totalRecordCount"] = len(records)
    contact_list["updatedAt"] = timestamp(state.clock.now)


def list_campaigns(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return a page of the campaigns with the requested type and filters (endpoint E23)."""
    kind = request.body["type"]
    filters = request.body.get("filters", {})
    since, until = read_date(request.body, "startDate"), read_date(request.body, "endDate")
    statuses, priorities = filters.get("status"), filters.get("priority")
    found = [
        {name: value for name, value in each.items() if name not in _HIDDEN}
        for each in _sorted(_read(state, kind), request.body.get("sortBy", {}))
        if (since is None or since <= datetime.fromisoformat(each["createdAt"]))
        and (until is None or datetime.fromisoformat(each["createdAt"]) <= until)
        and (not statuses or each["status"] in statuses)
        and (not priorities or int(each["priority"]) in priorities)
    ]
    results, skip, limit, more = skipped_page(
        found,
        request.body.get("skip"),
        request.body.get("limit"),
        request.body.get("page"),
    )
    data = {"results": results, "skip": skip, "limit": limit, "hasMore": more,
            "totalPages": ceil(len(found) / limit), "totalResults": len(found)}  # fmt: skip
    return {"status": "success", "message": "Campaigns", "data": data}


def _read(state: SandboxState, kind: str) -> list[dict[str, Any]]:
    """Return a list of the campaigns of a type, and count a read of each campaign."""
    keys = [each["id"] for each in state.all("campaigns") if each["kind"] == kind]
    return [state.read("campaigns", key) for key in keys]


def _sorted(campaigns: list[dict[str, Any]], order: dict[str, str]) -> list[dict[str, Any]]:
    for name in ("updatedAt", "createdAt", "name"):
        if name in order:
            campaigns = sorted(
                campaigns, key=lambda each: str(each[name]), reverse=order[name] == "desc"
            )
    return campaigns


def start_campaign(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Start a voice campaign in the state `Ready` (endpoint E24).

    Raises:
        RefusedRequest: The campaign does not exist (404), is not a voice campaign (400) or has
            another state (409).

    """
    campaign = state.get("campaigns", request.argument("campaign"))
    if campaign["kind"] != "voice":
        raise RefusedRequest(400, "only campaigns of type voice can be started")
    state.move("campaign", campaign["id"], "play")
    now = timestamp(state.clock.now)
    campaign |= {"updatedAt": now, "campaignInstanceUpdatedAt": now,
                 "instance": state.new_id("cid")}  # fmt: skip
    return {
        "status": campaign["status"],
        "message": "Campaign Started",
        "totalCallsCompleted": 0,
        "updatedAt": now,
        "campaignInstanceId": campaign["instance"],
    }
