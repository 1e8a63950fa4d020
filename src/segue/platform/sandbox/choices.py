"""Decisions of the sandbox about details that the specification leaves open.

The tables of moves and endpoints contain the decisions about single moves and endpoints.
"""

from typing import Final

from segue.platform.rows import Chosen

CHOICES: Final = tuple(Chosen(what, why) for what, why in {
    "the last digit of `target` decides how a call ends: 1 is busy, 2 is unavailable, 3 is "
    "declined, and 4 is a machine. With 5 the bot hangs up, with any other digit the caller does":
        "A test needs to choose the outcome of a call.",
    "errors are problem documents (RFC 9457)": "No endpoint shows the body of an error.",
    "the status is 401 without a token, 403 without the scope of the endpoint, 404 for an unknown "
    "id, 405 for a wrong method, 409 if the state does not allow the request, and 400 otherwise":
        "Most statuses are not shown.",
    "a token without scopes may do everything": "The rights of such a token are not shown.",
    "every bot and stream exists, and all streams share the same queues, groups and agents":
        "The assignment of queues, groups and agents to streams is not shown.",
    "a callback is posted once, whatever the answer": "Retries are not shown.",
    "callbacks are only posted to this machine, unless their host is allowed":
        "A sandbox must not give access to a network.",
    "`callbackUrl` receives `sessionId`, and `success` or `failure` as `status`, two "
    "seconds after E9":
        "The content of the callback is not shown.",
    "the `conversationId` of a notification is the `callId` of E2":
        "E2 returns `sid` and `callId`, and the specification does not say which one it is.",
    "a transfer to a queue goes to the first of its agents, and fails if the queue is empty":
        "The choice of the agent is not shown.",
    "consultants leave with a WARM exit before a transfer (E9)":
        "COLD is one agent replacing another, with one active agent at a time.",
    "a page has four items if the caller cannot choose the size":
        "The size of a page is not shown.",
    "the `page` of E23 counts from 1 and is ignored if `skip` is given. `startDate` and `endDate` "
    "are compared with `createdAt`":
        "The meaning of these members is not shown.",
    "contacts become records five seconds after E11":
        "The duration of the import is not shown.",
    "E25 lists the conversations that were sent or received, at least the last thousand":
        "The source of the sessions is not shown.",
    "sessions have no tags and no call id of an agent desktop, so filters by them match nothing":
        "The source of the tags and call ids is not shown.",
    "without dates E25 returns the sessions of today, and with one date a range just under 7 days":
        "The documented default of 7 days would be an error.",
    "the containment type of a session is `agent` if an agent entered its conversation. Otherwise "
    "it is `selfService` if the conversation has ended, and `dropOff` if not":
        "The rule for the containment type is not shown.",
    "an E1 action that the state does not allow is refused with 409": "The refusal is not shown.",
    "`Retry-After` is 1 with a real clock, and 0 with a clock that only moves on request":
        "Rate limits are not shown.",
}.items())  # fmt: skip
"""The decisions in the order of their reference page."""
