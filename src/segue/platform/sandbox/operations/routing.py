"""Queues, groups, agents and hours of operation (E3 to E7, E13, E22)."""

import json
import re
from typing import Any, Final

from segue.platform.answers import flaws_of
from segue.platform.models.routing import Queue
from segue.platform.sandbox.paging import numbered_page
from segue.platform.sandbox.requests import RefusedRequest, SandboxRequest, unusable_body
from segue.platform.sandbox.seeding import ADMIN, ORG
from segue.platform.sandbox.state import SandboxState

_QUEUE_DEFAULTS: dict[str, Any] = {
    "isActive": True,
    "isDefault": False,
    "isAdvancedRoutingEnabled": False,
    "agents": [],
    "skills": [],
    "agentGroups": [],
    "sourceAgentGroups": [],
    "transferQueues": [],
    "enableTransferRules": False,
}
_QUEUE_MEMBERS: Final = {str(field.alias) for field in Queue.model_fields.values()} - {
    "id",
    "createdBy",
}
_TIMES: Final = frozenset({"min", "sec"})
_SHOWN_OF_QUEUES: Final = ("id", "name", "description", "agentGroups")
_SHOWN_OF_AGENTS = ("userId", "name", "isPreferredAgent", "skills")


def create_queue(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Create a queue whose hours and agents exist."""
    identity = state.new_id("qu")
    before = {**_QUEUE_DEFAULTS, "orgId": ORG, "id": identity, "createdBy": ADMIN}
    return state.add("queues", identity, _changed_queue(state, request, before))


def update_queue(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Change what the body names of a queue."""
    queue = state.get("queues", request.argument("queue"))
    queue |= _changed_queue(state, request, queue)
    return queue


def _changed_queue(
    state: SandboxState, request: SandboxRequest, before: dict[str, Any]
) -> dict[str, Any]:
    """Return a queue with what the body names, which has to fit the resource."""
    given = {
        name: value
        for name, value in request.body.items()
        if name in _QUEUE_MEMBERS and value is not None
    }
    flaws = flaws_of(request.row, json.dumps(before | given).encode())
    if flaws:
        raise unusable_body(flaws[0].message)
    if "hoursOfOperation" in given:
        known = state.tables["hours"].get(given["hoursOfOperation"].get("id", ""))
        if known is None:
            raise RefusedRequest(
                400, "The hours do not exist", "hoursOfOperation.id names no hours"
            )
        given["hoursOfOperation"] = {"id": known["id"], "name": known["name"]}
    if "agents" in given:
        given["agents"] = [_queue_agent(state, each) for each in given["agents"]]
    if "skills" in given:
        given["skills"] = [_queue_skill(each) for each in given["skills"]]
    return before | given


def _queue_agent(state: SandboxState, given: dict[str, Any]) -> dict[str, Any]:
    """Return an agent of a queue, by both ids as E3 names them, or by that of the user."""
    user = given.get("userId")
    agent = next((each for each in state.all("agents") if each["userId"] == user), None)
    if agent is None or given.get("aId", agent["id"]) != agent["id"]:
        raise RefusedRequest(
            400, "An agent does not exist", "aId and userId name no agent of the list"
        )
    named = {"name": agent["firstName"], "isPreferredAgent": False, "skills": []} | given
    return {name: named[name] for name in _SHOWN_OF_AGENTS}


def _queue_skill(given: dict[str, Any]) -> dict[str, Any]:
    times = given.get("expireTime")
    if not times:
        return given
    return given | {"expireTime": {name: _number(name, times[name]) for name in times}}


def _number(name: str, value: object) -> object:
    """Return minutes or seconds, which may be written as text, as a number."""
    if name not in _TIMES or not isinstance(value, str):
        return value
    if not re.fullmatch("[0-9]{1,9}", value):
        raise unusable_body(f"expireTime.{name} is not a number")
    return int(value)


def list_queues(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return a page of the queues."""
    return numbered_page(state.all("queues"), request.query.get("page", 1))


def update_skill_group(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Change a skill group."""
    group = state.get("skill_groups", request.argument("skill_group"))
    group |= {name: value for name, value in request.body.items() if name != "id"}
    return group


def update_agent_group(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Change an agent group."""
    group = state.get("agent_groups", request.argument("agent_group"))
    group |= request.body
    return group


def list_agents(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return a page of the agents; a page behind the last is empty."""
    org = request.argument("org")
    state.require_org(org)
    agents = [each for each in state.all("agents") if each["orgId"] == org]
    agents = numbered_page(agents, request.query.get("page", 1))["results"]
    if request.query.get("include_queues"):
        agents = [each | {"queues": _queues_of(state, each["userId"])} for each in agents]
    return {"results": agents}


def _queues_of(state: SandboxState, user: str) -> list[dict[str, Any]]:
    """Return the queues that an agent is in, as E22 shows them."""
    return [
        {name: queue[name] for name in _SHOWN_OF_QUEUES if name in queue}
        | {"agents": [{"isPreferredAgent": agent["isPreferredAgent"], "userId": user}]}
        for queue in state.all("queues")
        for agent in queue["agents"]
        if agent["userId"] == user
    ]


def get_hours(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the hours of a queue."""
    queue = state.get("queues", request.argument("queue"))
    if queue["orgId"] != request.argument("org"):
        raise RefusedRequest(404, "There is no such object", "the queue is of another organization")
    return state.get("hours", queue["hoursOfOperation"]["id"])
