"""Functions that perform requests for queues, groups, agents and hours (E3 to E7, E13, E22)."""

import json
import re
from typing import Any, Final

from segue.platform.answers import flaws_of
from segue.platform.models.routing import Queue
from segue.platform.sandbox.paging import numbered_page
from segue.platform.sandbox.requests import RefusedRequest, SandboxRequest
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
    """Create a queue from the members of the body, and return the queue (endpoint E3).

    Raises:
        RefusedRequest: The body is invalid, or refers to unknown hours or agents (400).

    """
    identity = state.new_id("qu")
    before = {**_QUEUE_DEFAULTS, "orgId": ORG, "id": identity, "createdBy": ADMIN}
    return state.add("queues", identity, _changed_queue(state, request, before))


def update_queue(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Update the members of a queue that the body contains, and return the queue (endpoint E5).

    Raises:
        RefusedRequest: The queue does not exist (404), or the body is invalid or refers to unknown
            hours or agents (400).

    """
    queue = state.get("queues", request.argument("queue"))
    queue |= _changed_queue(state, request, queue)
    return queue


def _changed_queue(
    state: SandboxState, request: SandboxRequest, before: dict[str, Any]
) -> dict[str, Any]:
    """Return a copy of a queue in which the members of the body replace those of `before`.

    Raises:
        RefusedRequest: The body does not fit the model of a queue, or refers to hours or agents
            that do not exist (400).

    """
    given = {
        name: value
        for name, value in request.body.items()
        if name in _QUEUE_MEMBERS and value is not None
    }
    flaws = flaws_of(request.row, json.dumps(before | given).encode())
    if flaws:
        raise RefusedRequest(400, flaws[0].message)
    if "hoursOfOperation" in given:
        known = state.tables["hours"].get(given["hoursOfOperation"].get("id", ""))
        if known is None:
            raise RefusedRequest(400, "no hours of operation have the id in hoursOfOperation.id")
        given["hoursOfOperation"] = {"id": known["id"], "name": known["name"]}
    if "agents" in given:
        given["agents"] = [_queue_agent(state, each) for each in given["agents"]]
    if "skills" in given:
        given["skills"] = [_queue_skill(each) for each in given["skills"]]
    return before | given


def _queue_agent(state: SandboxState, given: dict[str, Any]) -> dict[str, Any]:
    """Return an item of a queue's `agents`, built from an item of a request.

    The request identifies the agent by `userId` and optionally also by `aId`.

    Raises:
        RefusedRequest: No agent has these ids (400).

    """
    user = given.get("userId")
    agent = next((each for each in state.all("agents") if each["userId"] == user), None)
    if agent is None or given.get("aId", agent["id"]) != agent["id"]:
        raise RefusedRequest(400, "no agent has this aId and userId: use ids from the agents list")
    named = {"name": agent["firstName"], "isPreferredAgent": False, "skills": []} | given
    return {name: named[name] for name in _SHOWN_OF_AGENTS}


def _queue_skill(given: dict[str, Any]) -> dict[str, Any]:
    times = given.get("expireTime")
    if not times:
        return given
    return given | {"expireTime": {name: _number(name, times[name]) for name in times}}


def _number(name: str, value: object) -> object:
    """Return minutes or seconds as a number. A request may contain them as text.

    Values of other members than `min` and `sec` are returned unchanged.

    Raises:
        RefusedRequest: The text is not a number (400).

    """
    if name not in _TIMES or not isinstance(value, str):
        return value
    if not re.fullmatch("[0-9]{1,9}", value):
        raise RefusedRequest(400, f"expireTime.{name} must be a number")
    return int(value)


def list_queues(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the requested page of all queues (endpoint E4)."""
    return numbered_page(state.all("queues"), request.query.get("page", 1))


def update_skill_group(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Replace the members of a skill group that the body contains, and return it (endpoint E6)."""
    group = state.get("skill_groups", request.argument("skill_group"))
    group |= {name: value for name, value in request.body.items() if name != "id"}
    return group


def update_agent_group(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Replace the members of an agent group that the body contains, and return it (endpoint E7)."""
    group = state.get("agent_groups", request.argument("agent_group"))
    group |= request.body
    return group


def list_agents(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the requested page of an organization's agents (endpoint E22).

    A page after the last one is empty.

    Raises:
        RefusedRequest: The organization does not exist (404).

    """
    org = request.argument("org")
    state.require_org(org)
    agents = [each for each in state.all("agents") if each["orgId"] == org]
    agents = numbered_page(agents, request.query.get("page", 1))["results"]
    if request.query.get("include_queues"):
        agents = [each | {"queues": _queues_of(state, each["userId"])} for each in agents]
    return {"results": agents}


def _queues_of(state: SandboxState, user: str) -> list[dict[str, Any]]:
    """Return the queues that an agent serves, in the form of endpoint E22."""
    return [
        {name: queue[name] for name in _SHOWN_OF_QUEUES if name in queue}
        | {"agents": [{"isPreferredAgent": agent["isPreferredAgent"], "userId": user}]}
        for queue in state.all("queues")
        for agent in queue["agents"]
        if agent["userId"] == user
    ]


def get_hours(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the hours of operation of the requested queue (endpoint E13).

    Raises:
        RefusedRequest: The queue does not exist, or belongs to another organization (404).

    """
    queue = state.get("queues", request.argument("queue"))
    if queue["orgId"] != request.argument("org"):
        raise RefusedRequest(404, "the queue belongs to another organization")
    return state.get("hours", queue["hoursOfOperation"]["id"])
