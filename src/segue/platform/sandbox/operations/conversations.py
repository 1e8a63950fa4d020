"""Functions that perform requests for conversations, tasks and sessions.

They cover transcription (E1), tasks (E8), transfers (E9), events (E21) and sessions (E25).
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final

from segue.analysis.simulate.bodies import body, transfer
from segue.platform.sandbox.paging import skipped_page
from segue.platform.sandbox.requests import RefusedRequest, SandboxRequest, read_date
from segue.platform.sandbox.seeding import ACCOUNT, ADMIN, ORG
from segue.platform.sandbox.state import SandboxState, milliseconds
from segue.platform.timestamps import timestamp
from segue.server.processor import ConversationSummary, ConversationView, DeliveryOutcome

_UNUSABLE: Final = frozenset({DeliveryOutcome.UNREADABLE, DeliveryOutcome.UNFILED})
_WINDOW: Final = timedelta(days=7)
_PAGE: Final = 1000
_ANSWERED: Final = {"accepted": "success", "declined": "failure", "not answered": "failure"}


def control_transcription(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Apply an action such as `pause` to the transcription of a conversation (endpoint E1).

    Return the new state, and whether it has changed.

    Raises:
        RefusedRequest: The state does not allow the action (409), or the body is unusable (400).

    """
    conversation = request.query["conversation"]
    receipt = state.processor.control(
        request.argument("bot"), conversation, request.raw, received_at=state.clock.now
    )
    if receipt.outcome is DeliveryOutcome.REFUSED:
        detail = f"the transcription state `{receipt.state}` does not allow this action"
        raise RefusedRequest(409, detail)
    _refuse_unusable(receipt.outcome)
    return {"state": receipt.state, "changed": receipt.changed}


def take_events(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Apply a delivery of events to its conversation (endpoint E21).

    Return the id and phase of the conversation.

    Raises:
        RefusedRequest: The body is unusable (400).

    """
    receipt = state.processor.receive(
        request.argument("bot"), request.raw, received_at=state.clock.now
    )
    _refuse_unusable(receipt.outcome)
    return {"conversationId": receipt.conversation_id, "phase": receipt.phase}


def _refuse_unusable(outcome: str) -> None:
    if outcome in _UNUSABLE:
        raise RefusedRequest(400, f"the delivery is {outcome}")


def assign(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Start the transfer of a conversation to an agent or queue (endpoint E9).

    The outcome of the transfer is posted to `callbackUrl` later.
    """
    state.require_org(request.body["orgId"])
    if request.body.get("transferredType") == "QUEUE":
        queue = request.body["queueId"]
        agent, target = _agent_of(state, queue), {"queueId": queue}
    else:
        agent = request.body["aId"]
        state.get("agents", agent)
        target = {"agentId": agent}
    identity = state.new_id()
    state.add("transfers", identity, {
        "status": "", "url": request.body["callbackUrl"], "session": request.body["botSessionId"],
        "stream": request.argument("stream"), "agent": agent,
    })  # fmt: skip
    state.move("transfer", identity, "assign")
    state.expect_callback("transfers", identity)
    return {
        "sessionId": request.body["botSessionId"],
        **target,
        "status": "transferred",
        "requestCompletedAt": milliseconds(state.clock.now),
    }


def _agent_of(state: SandboxState, queue: str) -> str | None:
    """Return the id of the first agent of a queue, or None if the queue has no agents."""
    users = {each["userId"] for each in state.get("queues", queue)["agents"]}
    return next((each["id"] for each in state.all("agents") if each["userId"] in users), None)


def follow_transfer(state: SandboxState, key: str) -> None:
    """Post the outcome of a transfer that has ended to its `callbackUrl`.

    If the transfer succeeded, its events are delivered first.
    """
    thing = state.get("transfers", key)
    if thing["status"] not in _ANSWERED:
        return
    status = "failure" if thing["agent"] is None else _ANSWERED[thing["status"]]
    if status == "success":
        _hand_over(state, thing)
    content = {"sessionId": thing["session"], "status": status}
    state.call_back("transfer", thing, key, content)


def _hand_over(state: SandboxState, thing: dict[str, Any]) -> None:
    """Deliver the events of a COLD transfer from the primary agent to the new agent.

    A COLD transfer allows only one active agent, so consultants leave the conversation first.
    """
    bot, conversation = thing["stream"], thing["session"]
    view = state.processor.conversation(conversation, bot)
    consultants, primary = _present(view, "consultant"), _present(view, "primary")
    if not primary or primary == [thing["agent"]]:
        return
    leaving = [*(("WARM exit", each) for each in consultants), ("COLD exit", primary[0])]
    for label, agent in (*leaving, ("COLD entry", thing["agent"])):
        known = state.tables["agents"].get(agent, {})
        participant = {"identity": agent, "name": known.get("firstName", agent), "type": "agent"}
        event = transfer(label, agent, participant=participant)
        content = body(event, conversation_id=conversation, bot_id=bot)
        deliver(state, bot, content)


def _present(view: ConversationView | None, role: str) -> list[str]:
    """Return the ids of the agents who are connected to a conversation in a role.

    The role is `primary` or `consultant`.
    """
    return [
        segment.agent
        for segment in (view.report.segments if view is not None else ())
        if segment.role == role and segment.connections and segment.connections[-1].is_open
    ]


def deliver(state: SandboxState, bot: str, content: Mapping[str, Any]) -> None:
    """Apply a delivery of events in the sandbox, and queue it for the hook, if any."""
    state.processor.receive(bot, content, received_at=state.clock.now)
    state.outgoing.deliver(state.clock.now, f"/agentdesk/api/v1/hooks/{bot}", content)


def create_task(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Create a task for case management, and return the task (endpoint E8)."""
    given, identity = request.body, state.new_id("ti")
    name, now = given.get("name", "Task"), timestamp(state.clock.now)
    person = {"name": "Admin", "_id": ADMIN, "profImage": ""}
    user = given["userInfo"]
    return state.add("tasks", identity, {
        "_id": identity, "refId": f"T-{len(state.tables['tasks']) + 1}", "caseId": given["caseId"],
        "caseRefId": given["caseRefId"], "taskTmp": given["taskTmp"], "name": name,
        "lname": name.lower(), "userInfo": {"_id": user.get("_id", ""), "name": user["name"]},
        "source": given["source"], "conversationType": "TASK",
        "status": {"_id": state.new_id("sts"), "name": "Open", "statusCategory": "open"},
        "priority": {"_id": state.new_id("pr"), "name": "Normal", "color": "#888888", "score": 3},
        "assigneeType": "unassigned", "currAssignee": {},
        "accountId": request.headers.get("account", ACCOUNT), "iId": request.argument("stream"),
        "orgId": ORG, "fields": [], "tags": [], "sessIds": [], "convIds": [], "participants": [],
        "attachments": [], "feedback": [], "activityIds": [], "commentIds": [],
        "resolutionCmts": [], "queues": [], "channel": [], "isCustTsk": False, "isActive": True,
        "isBreached": False, "createdBy": person, "updatedBy": person,
        "timestampValue": milliseconds(state.clock.now), "createdAt": now, "updatedAt": now,
    })  # fmt: skip


def list_sessions(state: SandboxState, request: SandboxRequest) -> dict[str, Any]:
    """Return a page of the sessions in a range of dates, the latest first (endpoint E25).

    If the request contains session ids, the sessions with these ids are returned instead.
    """
    wanted = request.body.get("sessionId")
    if wanted is not None:
        return _sessions_of(state, request, wanted)
    since, until = _range(request.body, state.clock.now)
    found = [
        session
        for session in _sessions(state, request.path.get("bot"))
        if since <= datetime.fromisoformat(session["start_time"]) <= until
        and _matches(session, request)
    ]
    found = _latest_first(found)
    results, _, _, more = skipped_page(found, request.body.get("skip"), request.body.get("limit"))
    return {"total": len(found), "moreAvailable": more, "sessions": results}


def _sessions_of(state: SandboxState, request: SandboxRequest, wanted: list[str]) -> dict[str, Any]:
    known = {each["sessionId"]: each for each in _sessions(state, request.path.get("bot"))}
    ids = list(dict.fromkeys(wanted))
    found = _latest_first([known[each] for each in ids if each in known])
    invalid = [each for each in ids if each not in known]
    return {"total": len(found), "moreAvailable": False, "sessions": found,
            "invalidSessions": invalid}  # fmt: skip


def _latest_first(sessions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(sessions, key=lambda session: session["start_time"], reverse=True)


def _range(given: Mapping[str, Any], now: datetime) -> tuple[datetime, datetime]:
    since, until = read_date(given, "dateFrom"), read_date(given, "dateTo")
    if since is None and until is None:
        since, until = datetime.combine(now.date(), time(), UTC), now
    almost = _WINDOW - timedelta(milliseconds=1)
    try:
        since = since if since is not None else (until or now) - almost
        until = until if until is not None else since + almost
    except OverflowError:
        detail = "the range from dateFrom to dateTo must be within the years 1 to 9999"
        raise RefusedRequest(400, detail) from None
    if until - since >= _WINDOW:
        raise RefusedRequest(400, "the range from dateFrom to dateTo must be less than 7 days")
    return since, until


def _matches(session: Mapping[str, Any], request: SandboxRequest) -> bool:
    """Return whether a session matches all filters of a request.

    Filters by tag or by call match no session, because the sandbox records neither.
    """
    containment, kind = request.query.get("containment"), request.body.get("sessionType")
    user = request.body.get("userId")
    if request.query.get("call") or any(request.body.get("tags", {}).values()):
        return False
    return (
        containment in (None, session["containmentType"])
        and kind in (None, session["sessionType"])
        and user in (None, session["userId"])
    )


def _sessions(state: SandboxState, bot: str | None) -> Iterator[dict[str, Any]]:
    """Yield the recorded conversations of a bot as sessions in the form of endpoint E25.

    If `bot` is None, the conversations of all bots are yielded.
    """
    cursor: str | None = None
    while True:
        page = state.processor.conversations(after=cursor, limit=_PAGE)
        for summary in page.items:
            if bot in (None, summary.bot_id):
                yield _session(state, summary)
        cursor = page.next
        if cursor is None:
            return


def _session(state: SandboxState, summary: ConversationSummary) -> dict[str, Any]:
    view = state.processor.conversation(summary.conversation_id, summary.bot_id)
    assert view is not None
    segments, messages = view.report.segments, view.report.metrics.messages
    is_over = summary.phase == "ended"
    session = {
        "sessionId": summary.conversation_id,
        "botId": summary.bot_id,
        "channel": "rtm",
        "userId": f"user-{summary.conversation_id}",
        "start_time": timestamp(summary.started_at),
        "session_lang": ["en"],
        "sessionType": "interactive" if messages else "non-interactive",
        "containmentType": "agent" if segments else "selfService" if is_over else "dropOff",
        "isDeveloper": False,
        "sessionStatus": "closed" if is_over else "active",
        "tags": {"userTags": [], "sessionTags": []},
        "noOfMessagesExchanged": messages,
        "noOfTasksExecuted": 0,
    }
    return session | ({"end_time": timestamp(summary.updated_at)} if is_over else {})
