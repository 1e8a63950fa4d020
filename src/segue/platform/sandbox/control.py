"""The sandbox's own routes below `/sandbox`, which show and change its state."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from segue.core.durations import read_duration
from segue.platform.sandbox.moves import KIND_OF
from segue.platform.sandbox.openapi import describe_sandbox
from segue.platform.sandbox.outgoing import shown_url
from segue.platform.sandbox.requests import RefusedRequest
from segue.platform.sandbox.state import KINDS, SandboxState
from segue.platform.timestamps import timestamp
from segue.report.page_template import PageTemplate
from segue.server.http import Response

PREFIX: Final = "/sandbox"
_SUBJECTS: Final = {
    kind: subject for subject, kind in KIND_OF.items() if subject not in ("call", "contact list")
}
"""The kinds of objects whose state a request can change, with the subject of their moves.

An example is `{"trainings": "training"}`.
"""
_SHOWN: Final = 1000

_Respond = Callable[[SandboxState, Mapping[str, str], bytes], dict[str, Any]]


def control(state: SandboxState, method: str, path: str, body: bytes) -> dict[str, Any]:
    """Perform a request to a route below `/sandbox`, and return the JSON object of the answer.

    Raises:
        RefusedRequest: The route or object does not exist (404), the body is invalid (400), or the
            state of the object does not allow the move (409).

    """
    for allowed, pattern, respond in _ROUTES:
        found = pattern.fullmatch(path.removeprefix(PREFIX))
        if found is not None and method == allowed:
            return respond(state, found.groupdict(), body)
    raise RefusedRequest(404, "the sandbox has no such route: see its documentation for the routes")


@cache
def page() -> Response:
    """Return the HTML page that shows the state of the sandbox.

    The page itself contains no data, so requests for it need no token.
    """
    template = PageTemplate(
        "Segue sandbox",
        ("sandbox",),
        "connect-src 'self'",
        shared=("dom", "token_prompt"),
        package="segue.platform.sandbox",
        frame="sandbox.html",
    )
    return Response.page(template.document(()).encode(), template.policy)


def _overview(state: SandboxState, _: Mapping[str, str], __: bytes) -> dict[str, Any]:
    return {
        "now": timestamp(state.clock.now),
        "objects": {kind: len(state.tables[kind]) for kind in KINDS},
        "sent": len(state.outgoing.sent),
        "faults": state.faults.counts.total(),
    }


def _faults(state: SandboxState, _: Mapping[str, str], __: bytes) -> dict[str, Any]:
    return {"faults": [line.to_dict() for line in state.faults.lines]}


def _sent(state: SandboxState, _: Mapping[str, str], __: bytes) -> dict[str, Any]:
    return {
        "sent": [
            {"at": timestamp(each.at), "kind": each.kind, "url": shown_url(each.url),
             "body": each.body, "status": each.status}
            for each in state.outgoing.sent
        ]
    }  # fmt: skip


def _objects(state: SandboxState, names: Mapping[str, str], _: bytes) -> dict[str, Any]:
    kind = names["kind"]
    if kind not in KINDS:
        raise RefusedRequest(404, f"no such kind of objects: the kinds are {', '.join(KINDS)}")
    values = list(state.tables[kind].items())[:_SHOWN]
    return {kind: [{"key": key, **_plain(value)} for key, value in values]}


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(json.dumps(value, default=str))
    if loaded.get("url"):
        loaded["url"] = shown_url(loaded["url"])
    return loaded


def _advance(state: SandboxState, _: Mapping[str, str], body: bytes) -> dict[str, Any]:
    try:
        given = json.loads(body)
        state.clock.advance(read_duration(given["duration"]))
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        detail = 'send a duration such as {"duration": "10m"}: a number with d, h, m, s or ms'
        raise RefusedRequest(400, detail) from None
    return {"now": timestamp(state.clock.now)}


def _move(state: SandboxState, names: Mapping[str, str], _: bytes) -> dict[str, Any]:
    kind = names["kind"]
    if kind not in _SUBJECTS:
        raise RefusedRequest(404, f"no such kind of objects: the kinds are {', '.join(_SUBJECTS)}")
    state.move(_SUBJECTS[kind], names["key"], names["trigger"])
    return {"status": state.get(kind, names["key"])["status"]}


_ROUTES: Final[tuple[tuple[str, re.Pattern[str], _Respond], ...]] = (
    ("GET", re.compile("/?"), _overview),
    ("GET", re.compile("/sent"), _sent),
    ("GET", re.compile("/faults"), _faults),
    ("GET", re.compile("/openapi.json"), lambda *_: describe_sandbox()),
    ("POST", re.compile("/advance"), _advance),
    ("GET", re.compile("/(?P<kind>[a-z_]+)"), _objects),
    ("POST", re.compile("/(?P<kind>[a-z_]+)/(?P<key>[^/]+)/(?P<trigger>[a-z]+)"), _move),
)
