"""What the specification leaves open and the sandbox had to decide, beside moves and endpoints."""

from typing import Final

from segue.platform.rows import Chosen

CHOICES: Final = tuple(Chosen(what, why) for what, why in {
    "the last digit of `target` decides: 1 is busy, 2 unavailable, 3 declined, 4 a machine, at 5 "
    "the bot hangs up, at any other the caller does":
        "Which calls fail is not shown, and a test has to choose.",
    "a refusal is a problem document (RFC 9457)": "No endpoint shows the body of an error.",
    "401 without a token, 403 without the scope of the endpoint, 404 for an unknown "
    "id, 405 for another method, 409 where the state does not allow it, else 400":
        "Statuses are not shown but for a few.",
    "a token without scopes may do everything": "What a token without scopes may do is not shown.",
    "a bot or stream of any id exists, and all streams have the same queues, groups and agents":
        "Which there are, and what belongs to which, is not shown.",
    "a callback is posted once, whatever its answer": "Retries are not shown.",
    "a callback goes to this machine only, unless its host is allowed":
        "A sandbox must not be a way into a network.",
    "`callbackUrl` gets `sessionId`, and `success` or `failure` as `status`, two "
    "seconds after E9":
        "What is posted there is not shown.",
    "a notification has the `callId` of E2 as `conversationId`":
        "E2 answers `sid` and `callId`, and it is not said which is meant.",
    "a transfer to a queue goes to the first of its agents, and fails if it has none":
        "How an agent is chosen is not shown.",
    "consultants leave by WARM exit before a transfer (E9)":
        "COLD is one agent replacing another, with one active agent at a time.",
    "a page has four items where the caller cannot say": "The size of a page is not shown.",
    "`page` of E23 counts from 1, and does not count beside `skip`; `startDate` and `endDate` "
    "are compared with `createdAt`":
        "What they stand for is not shown.",
    "contacts are records five seconds after E11":
        "When a queued contact is a record is not shown.",
    "E25 has the conversations that were sent or received, the last thousand at least":
        "Where sessions come from is not shown.",
    "sessions have no tags and no call id of an agent desktop: a filter by one finds none":
        "Where either comes from is not shown.",
    "without dates E25 returns the sessions of today, and with one of them just under 7 days":
        "A default of 7 days would be the error that 7 days are.",
    "a session whose conversation an agent entered is contained by `agent`; without "
    "one, `selfService` if it has ended, else `dropOff`":
        "How the type of containment is decided is not shown.",
    "an E1 action that the state does not allow is refused with 409": "The refusal is not shown.",
    "`Retry-After` is 1 by a real clock, and 0 by one that is held":
        "Limits of rates are not shown.",
}.items())  # fmt: skip
"""In the order of the page."""
