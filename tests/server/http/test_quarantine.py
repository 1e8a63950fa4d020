"""The quarantine over HTTP: what was answered is listed, and replayed by those who may send."""

import json
from typing import Any

import pytest
from tests.server.adapters.transports import through_core
from tests.server.http import world
from tests.server.http.table import E1, E21, JSON, Case
from tests.server.http.tokens import Kit
from tests.server.http.world import END, READS, SENDS, action, delivery

import segue
from segue.report.schema import report_schema
from segue.server.http import HttpApp
from segue.server.processor import Processor

CANARY = "4111-1111"
BOTH = Kit("HS256").token({"scope": f"Transcription {world.READ_SCOPE}", "bots": ["st-1"]})
THEIRS = Kit("HS256").token({"scope": f"Transcription {world.READ_SCOPE}", "bots": ["st-9"]})


def app(processor: Processor | None = None) -> HttpApp:
    found = processor or world.processor()
    return HttpApp(found, auth=world.AUTH, read=True, report_schema=report_schema, observers=())


def ask(it: HttpApp, method: str, target: str, token: str = READS, body: bytes = b"") -> Any:
    headers = (("auth", token), JSON)
    done = through_core(it, Case("", 0, None, method, target, headers, body))
    return done.status, json.loads(done.body)


def test_what_was_put_aside_is_listed_with_its_answer() -> None:
    it = app()
    ask(it, "POST", E21, SENDS, f'{{"query": "{CANARY}"'.encode())
    ask(it, "POST", E21, SENDS, delivery("c-over", END, note=CANARY))

    status, page = ask(it, "GET", "/quarantine")

    assert status == 200
    assert CANARY not in json.dumps(page)
    assert page["next"] is None
    assert [
        (each["status"], each["title"], each["reason"], each["codes"], each["conversation_id"])
        for each in page["items"]
    ] == [
        (422, "Unprocessable Content", "rejected", ["SG109"], "c-over"),
        (400, "Bad Request", "unreadable", ["SG501"], None),
    ]
    assert page["items"][1]["bytes"] == len(f'{{"query": "{CANARY}"')
    assert page["items"][0]["at"] == "2026-03-02T09:00:00.000+00:00"


def test_the_list_is_paged_and_has_nothing_of_other_bots() -> None:
    it = app()
    for number in range(3):
        ask(it, "POST", E21, SENDS, b"{" * (number + 1))

    _, first = ask(it, "GET", "/quarantine?limit=2")
    _, rest = ask(it, "GET", f"/quarantine?limit=2&after={first['next']}")

    assert [each["bytes"] for each in first["items"]] == [3, 2]
    assert ([each["bytes"] for each in rest["items"]], rest["next"]) == ([1], None)
    assert ask(it, "GET", "/quarantine", THEIRS) == (200, {"items": [], "next": None})
    assert ask(it, "GET", "/quarantine", SENDS)[0] == 403
    assert ask(it, "GET", "/quarantine", "x")[0] == 401


def test_a_body_is_replayed_and_gone() -> None:
    store = segue.MemoryStore()
    ask(app(world.processor(store)), "POST", E21, SENDS, delivery("c-over", END))
    it = app(segue.Processor(store=store))  # which rejects nothing
    [item] = ask(it, "GET", "/quarantine")[1]["items"]

    status, replayed = ask(it, "POST", f"/quarantine/{item['number']}/replay")

    assert (status, replayed["outcome"], replayed["status"]) == (200, "applied", 200)
    assert replayed["conversation_id"] == "c-over"
    assert [each["code"] for each in replayed["findings"]] == ["SG109"]
    assert ask(it, "GET", "/quarantine")[1]["items"] == []
    again = ask(it, "POST", f"/quarantine/{item['number']}/replay")
    assert (again[0], again[1]["type"]) == (409, "urn:segue:problem:not-replayable")


def test_what_is_refused_again_gets_a_new_number() -> None:
    it = app()
    ask(it, "POST", E21, SENDS, b"{")
    [item] = ask(it, "GET", "/quarantine")[1]["items"]

    status, replayed = ask(it, "POST", f"/quarantine/{item['number']}/replay")

    assert (status, replayed["outcome"], replayed["status"]) == (200, "unreadable", 400)
    [new] = ask(it, "GET", "/quarantine")[1]["items"]
    assert new["number"] > item["number"]


def test_who_may_not_send_may_not_replay() -> None:
    it = app()
    ask(it, "POST", f"{E1}?conversationId=c-open", SENDS, b"{")
    [item] = ask(it, "GET", "/quarantine")[1]["items"]
    target = f"/quarantine/{item['number']}/replay"

    assert item["may_replay"] is False
    assert ask(it, "POST", target)[0] == 403
    assert ask(it, "POST", target, SENDS)[0] == 403
    assert ask(it, "POST", target, THEIRS)[0] == 409
    assert ask(it, "GET", "/quarantine", BOTH)[1]["items"][0]["may_replay"] is True
    assert ask(it, "POST", target, BOTH)[1]["outcome"] == "unreadable"


def test_a_body_that_was_cut_is_not_replayed() -> None:
    it = app()
    long = b'{"a":"' + b"x" * 1_200_000
    it.processor.receive("st-1", long)
    [item] = ask(it, "GET", "/quarantine")[1]["items"]

    assert item["bytes"] == len(long)
    assert ask(it, "POST", f"/quarantine/{item['number']}/replay")[0] == 409
    assert len(ask(it, "GET", "/quarantine")[1]["items"]) == 1


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("POST", "/quarantine/x/replay", 400),
        ("POST", "/quarantine/1234567890123456789/replay", 400),
        ("POST", "/quarantine/0/replay", 409),
        ("GET", "/quarantine/1/replay", 405),
        ("POST", "/quarantine", 405),
        ("GET", "/quarantine?after=x", 400),
    ],
)
def test_odd_requests(method: str, target: str, status: int) -> None:
    assert ask(app(), method, target)[0] == status


def test_a_replayed_action_keeps_its_conversation() -> None:
    it = app()
    ask(it, "POST", f"{E1}?conversationId=c-open", SENDS, action("start", "a-1") + b"]")
    [item] = ask(it, "GET", "/quarantine")[1]["items"]

    assert (item["endpoint"], item["conversation_id"]) == ("transcription", "c-open")


@pytest.mark.parametrize(
    ("headers", "lacking"),
    [((("idempotency-key", "a"), ("webhook-id", "b")), False), ((), True)],
    ids=["two delivery ids", "cut off"],
)
def test_the_conversation_of_an_address_is_kept_with_the_body(
    headers: tuple[tuple[str, str], ...], *, lacking: bool
) -> None:
    """An action has none in its body: without it, it could not be replayed."""
    it, target = app(), f"{E1}?conversationId=c-open"
    sent = (("auth", SENDS), JSON, *headers)

    case = Case("", 0, None, "POST", target, sent, action("start"), lacking=lacking)
    assert through_core(it, case).status == 400

    _, page = ask(it, "GET", "/quarantine")
    assert [each["conversation_id"] for each in page["items"]] == ["c-open"]
