"""The newest refusals: what a reader may see of requests that were answered with 4xx."""

import json
from typing import Any

import pytest
from tests.server.adapters.transports import through_core
from tests.server.http import world
from tests.server.http.table import E1, E21, HEADERS, JSON, Case
from tests.server.http.tokens import Kit
from tests.server.http.world import END, ENTRY, READS, SENDS, THEIRS, UNSCOPED, action, delivery

from segue.report.schema import report_schema
from segue.server.http import HttpApp

CANARY = "4111-1111"
THEIR_BOT = E21.replace("st-1", "st-9")


def app() -> HttpApp:
    processor = world.processor()
    return HttpApp(processor, auth=world.AUTH, read=True, report_schema=report_schema, observers=())


def post(app: HttpApp, body: bytes, to: str = E21, token: str = SENDS, **more: str) -> int:
    headers = (("auth", token), JSON, *more.items())
    return through_core(app, Case("", 0, None, "POST", to, headers, body)).status


def read(app: HttpApp, query: str = "", token: str = READS) -> dict[str, Any]:
    case = Case("", 0, None, "GET", f"/refusals{query}", (("auth", token),), b"")
    value: dict[str, Any] = json.loads(through_core(app, case).body)
    return value


def test_what_a_sender_was_answered_is_listed() -> None:
    it = app()

    assert post(it, delivery("c-over", END, note=CANARY)) == 422
    assert post(it, f'{{"query": "{CANARY}"'.encode()) == 400
    assert post(it, action("resume"), f"{E1}?conversationId=c-open") == 409

    page = read(it)
    assert page["next"] is None
    assert CANARY not in json.dumps(page)
    assert [
        (each["status"], each["type"], each["endpoint"], each["conversation_id"], each["findings"])
        for each in page["items"]
    ] == [
        (409, "urn:segue:problem:action-not-allowed", "transcription", "c-open", [
            {"code": "SG401", "event": None}
        ]),
        (400, "urn:segue:problem:unreadable-body", "hooks", None, [
            {"code": "SG501", "event": None}
        ]),
        (422, "urn:segue:problem:rejected-delivery", "hooks", "c-over", [
            {"code": "SG109", "event": 3}
        ]),
    ]  # fmt: skip
    assert {each["bot_id"] for each in page["items"]} == {"st-1"}


@pytest.mark.parametrize(
    ("token", "to", "status"),
    [("x", E21, 401), (UNSCOPED, f"{E1}?conversationId=c-open", 403)],
)
def test_what_is_refused_before_the_sender_is_let_in(token: str, to: str, status: int) -> None:
    """Only what came with a good token is listed, also if it does not allow this."""
    it = app()

    assert post(it, action("end"), to, token) == status
    assert [each["status"] for each in read(it)["items"]] == ([] if status == 401 else [403])


def test_what_was_applied_is_not_listed() -> None:
    it = app()

    assert post(it, delivery("c-new", ENTRY)) == 200
    assert through_core(it, Case("", 0, None, "GET", E21, HEADERS, b"")).status == 405
    assert read(it) == {"items": [], "next": None}


def test_a_reader_sees_the_bots_that_it_may_see() -> None:
    it = app()

    assert post(it, b"{", THEIR_BOT, THEIRS) == 400
    assert read(it)["items"] == []
    assert it.refusals.newest(None, 9, None)[0][0]["bot_id"] == "st-9"


def test_a_sender_may_not_read() -> None:
    it = app()
    post(it, b"{")

    assert [read(it, "", token)["status"] for token in (SENDS, "x")] == [403, 401]


def test_the_last_thousand_are_kept_and_read_in_pages() -> None:
    it = app()
    for _ in range(1_010):
        post(it, b"{")

    first = read(it, "?limit=200")
    assert (len(first["items"]), first["next"]) == (200, "811")
    seen, page = len(first["items"]), first
    while page["next"] is not None:
        page = read(it, f"?limit=200&after={page['next']}")
        seen += len(page["items"])
    assert seen == 1_000


def test_long_ids_are_cut() -> None:
    it = app()
    post(it, b"{", f"{E21}{'x' * 2_000}", Kit("HS256").token({"appId": "c" * 2_000}))

    [refusal], _ = it.refusals.newest(None, 9, None)
    assert len(json.dumps(refusal)) < 1_000
