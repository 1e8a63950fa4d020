"""Queues, groups, agents and hours of operation (E3 to E7, E13, E22)."""

from typing import Any

from segue.sandbox.paging import PAGE_SIZE, numbered_page
from segue.sandbox.requests import RefusedRequest, SandboxRequest
from segue.sandbox.seeding import ADMIN, ORG
from segue.sandbox.state import SandboxState

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
_SHOWN_OF_AGENTS = ("userId", "name", "isPreferredAgent", "skills")


def create_queue(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Create a queue whose hours and agents exist."""
    hours = request.body["hoursOfOperation"]
    if hours["id"] not in state.tables["hours"]:
        raise RefusedRequest(400, "The hours do not exist", "hoursOfOperation.id names no hours")
    identity = state.new_id("qu")
    known = state.get("hours", hours["id"])
    queue: dict[str, Any] = {**_QUEUE_DEFAULTS, "orgId": ORG, **request.body}
    queue |= {
        "id": identity,
        "createdBy": ADMIN,
        "hoursOfOperation": {"id": known["id"], "name": known["name"]},
        "agents": [_queue_agent(state, each) for each in queue["agents"]],
        "skills": [_queue_skill(each) for each in queue["skills"]],
    }
    return state.add("queues", identity, queue)


def _queue_agent(state: SandboxState, given: dict[str, Any]) -> dict[str, Any]:
    agent = state.tables["agents"].get(given["aId"])
    if agent is None or agent["userId"] != given["userId"]:
        raise RefusedRequest(
            400, "An agent does not exist", "aId and userId name no agent of the list"
        )
    named = {"name": agent["firstName"], "skills": []} | given
    return {name: named[name] for name in _SHOWN_OF_AGENTS}


def _queue_skill(given: dict[str, Any]) -> dict[str, Any]:
    times = {name: int(text) for name, text in given.get("expireTime", {}).items()}
    return given | ({"expireTime": times} if times else {})


def list_queues(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return a page of the queues."""
    return numbered_page(state.all("queues"), request.query.get("page", 1))


def update_queue(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Change what the body names of a queue."""
    queue = state.get("queues", request.argument("queue"))
    queue |= {name: value for name, value in request.body.items() if name in queue and name != "id"}
    return queue


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
    first = (max(request.query.get("page", 1), 1) - 1) * PAGE_SIZE
    agents = state.all("agents")[first : first + PAGE_SIZE]
    if not request.query.get("include_queues"):
        agents = [{name: each[name] for name in each if name != "queues"} for each in agents]
    return {"results": agents}


def get_hours(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return the hours of a queue."""
    queue = state.get("queues", request.argument("queue"))
    return state.get("hours", queue["hoursOfOperation"]["id"])
