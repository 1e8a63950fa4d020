"""Requests with something odd in them, from a seeded source, and what is known of each sender.

Some are flawless; most have one or two things wrong, in method, path, query, headers or body.
"""

import json
from random import Random
from typing import Final, NamedTuple
from urllib.parse import quote

from hypothesis import strategies as st
from tests.core.wire.mutation import mutated
from tests.core.wire.samples import ACTIONS, BODIES, message
from tests.server.http.table import E1, E21, Case
from tests.server.http.tokens import Kit
from tests.server.http.world import (
    BOTLESS,
    END,
    ENTRY,
    EXIT,
    READS,
    SENDS,
    THEIRS,
    action,
    delivery,
)

__all__ = ["PRIVATE", "Odd", "odd_request", "odd_requests"]

PRIVATE: Final = "4111-1111"
"""Text of a customer, in most bodies."""

FORGED: Final = Kit("HS256").token({"appId": "cs-1", "scope": "Transcription"}, key=1)
EXPIRED: Final = Kit("HS256").token({"appId": "cs-1", "exp": 1})
TWO: Final = (("auth", SENDS), ("token", READS))

_Pairs = tuple[tuple[str, str], ...]


class Odd(NamedTuple):
    """A request."""

    case: Case
    is_trusted: bool | None
    """Whether its sender may do this; None: nobody can say, since the token was tampered with."""


_ACTIONS: Final = (
    *(json.dumps(each) for each in ACTIONS),
    *(action(name, "a-2", note=PRIVATE).decode() for name in ("start", "resume", "end")),
)
_TEXTS: Final = (
    *(json.dumps(each) for each in BODIES),
    delivery("c-new", ENTRY, query=PRIVATE, author={"type": "USER"}, agentId="a-1").decode(),
    delivery("c-open", EXIT, note=PRIVATE).decode(),
    delivery("c-over", END).decode(),
    delivery("c-theirs", EXIT).decode(),
    json.dumps(message(query=f"my card is {PRIVATE}", conversationId="c-open", botId="st-1")),
)
_PATHS: Final = (
    *(("POST", E21),) * 4,
    *(("POST", f"{E1}?conversationId={name}") for name in ("c-open", "c-over", "c-theirs", "c-x")),
    ("GET", "/conversations?limit=2"),
    ("GET", "/conversations/c-open"),
    ("GET", "/feed?after=0&wait=0"),
    *(("GET", path) for path in ("/healthz", "/readyz", "/openapi.json")),
)
_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "post", "", "X" * 40)
_PARTS: Final = (
    *("/", "//", "..", ".", "%00", "%FF", "%ED%A0%80", "%2F", "%25", "%C3%A9", "%", "+", "é", "a"),
    *("st-9", "<b>", "'", '"', "\\", ";", ":", "@", "~", "*", "$(x)", "{botId}", "undefined"),
    *("?", "&", "&conversationId=c-open", "&limit=-1", "&after=x", "&limit=999", "=" * 9),
)
_NAMES: Final = (
    *("accept", "cookie", "origin", "host", "x-y", "accountid", "transfer-encoding", "range"),
    *("content-type", "content-encoding", "idempotency-key", "webhook-id", "te", "expect"),
)
_VALUES: Final = (
    *("application/json", "application/json; charset=utf-8", "text/plain", "gzip", "identity"),
    *("d-1", "d-2", "", " ", "*/*", ",", ";", "é", "\x01", "\x7f", "undefined", "k" * 1025, '"'),
)
_LENGTHS: Final = ("-1", "+5", "abc", "1e3", "5, 5", "\u0663", "9" * 30, "262145")


def odd_request(random: Random) -> Odd:
    """Return a request with few or no odd things in it."""
    method, target = random.choice(_PATHS)
    is_reading = method == "GET"
    credential, is_trusted = _credential(random, READS if is_reading else SENDS)
    if is_reading and random.random() < 0.1:
        credential, is_trusted = (("auth", SENDS),), False
    body, headers = _body(random, target), (*credential, *_headers(random))
    if random.random() < 0.15:
        method = random.choice(_METHODS)
        is_trusted = None
    if random.random() < 0.25:
        target = _bent(random, target)
        is_trusted = None if is_trusted else is_trusted
    is_lacking = random.random() < 0.05
    return Odd(Case("odd", 0, None, method, target, headers, body, is_lacking), is_trusted)


odd_requests: Final = st.randoms(use_true_random=False).map(odd_request)


def _credential(random: Random, good: str) -> tuple[_Pairs, bool | None]:
    if random.random() < 0.7:
        name = random.choice(("auth", "token", "Auth", "authorization"))
        bearer = "Bearer " if name == "authorization" else random.choice(("", "Bearer "))
        return ((name, bearer + good),), True
    if random.random() < 0.3:
        at = random.randrange(len(good))
        return (("auth", good[:at] + random.choice("aA.=-_ é%") + good[at + 1 :]),), None
    bad: tuple[_Pairs, ...] = (
        (),
        TWO,
        (("auth", good), ("auth", good)),
        *((("auth", token),) for token in (FORGED, EXPIRED, THEIRS, BOTLESS, "undefined")),
        (("auth", good[: good.rindex(".")] + "."),),
        (("auth", quote(str(random.randbytes(20)))),),
        (("cookie", f"auth={good}"),),
    )
    return random.choice(bad), False


def _headers(random: Random) -> _Pairs:
    found: list[tuple[str, str]] = []
    if random.random() < 0.9:
        found.append(("content-type", "application/json"))
    number = random.choice((0, 0, 0, 1, 2))
    found += [(random.choice(_NAMES), random.choice(_VALUES)) for _ in range(number)]
    if random.random() < 0.05:
        found.append(("content-length", random.choice(_LENGTHS)))
    return tuple(found)


def _body(random: Random, target: str) -> bytes:
    chance = random.random()
    if chance < 0.05:
        return random.randbytes(random.randrange(60))
    if chance < 0.07:
        return b'{"query":"' + PRIVATE.encode() * 30_000 + b'"}'
    is_action = target.startswith(E1) and random.random() < 0.8
    return mutated(random, random.choice(_ACTIONS if is_action else _TEXTS))


def _bent(random: Random, target: str) -> str:
    at = random.randrange(len(target) + 1)
    match random.randrange(3):
        case 0:
            return target[:at] + random.choice(_PARTS) + target[at:]
        case 1:
            return target[:at] + target[at + random.randrange(1, 5) :]
        case _:
            return target[:at] + random.choice(_PARTS) + target[at + random.randrange(1, 5) :]
