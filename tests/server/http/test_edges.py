"""Edges that the table of requests does not stand on: limits met exactly, odd values, what is kept.

Each was a change of one line that nothing noticed.
"""

import json
from typing import Any

import pytest
from tests.server.adapters.transports import Answer, through_core
from tests.server.http import world
from tests.server.http.table import E1, E21, Case
from tests.server.http.tokens import SECRET, Kit, authenticate
from tests.server.http.world import END, ENTRY, EXIT, READS, SENDS, action, delivery

import segue
from segue.server.http import Body, BodyError, Headers, Principal, Problem, ReadBody, Request
from segue.server.http.jwt.authenticator import credential
from segue.server.http.request import LIMITS
from segue.server.http.routes import Params
from segue.server.processor import Effect, Processor, drive, perform

AUTH, READER = ("auth", SENDS), ("auth", READS)
FINE = delivery("c-new", ENTRY)
CONTROL = f"{E1}?conversationId=c-open"


def ask(
    it: Processor,
    method: str,
    target: str,
    *headers: tuple[str, str],
    body: bytes = b"",
    **how: Any,
) -> Answer:
    return through_core(world.app(it), Case("", 0, None, method, target, headers, body, **how))


def told(answer: Answer) -> Any:
    return json.loads(answer.body)


def without(lack: BodyError) -> tuple[int, int]:
    """The status of a delivery whose body is not whole, and how much is kept of it."""
    store = segue.MemoryStore()

    def performing(asked: Effect[Any]) -> Any:
        if isinstance(asked, ReadBody):
            assert (asked.limit, asked.seconds) == (LIMITS.max_body_bytes, LIMITS.body_seconds)
            return Body(FINE[:9], lack)
        return perform(asked)

    request = Request("POST", E21, Headers([AUTH]))
    answer = drive(world.app(world.processor(store)).handle(request), performing)
    return answer.status, len(store.quarantined(0, 9))


@pytest.mark.parametrize(
    ("lack", "status", "kept"),
    [(BodyError.TOO_SLOW, 408, 0), (BodyError.TOO_LARGE, 413, 0), (BodyError.CUT_OFF, 400, 1)],
)
def test_of_a_body_that_is_not_whole_only_the_end_may_be_missing(
    lack: BodyError, status: int, kept: int
) -> None:
    assert without(lack) == (status, kept)


@pytest.mark.parametrize(
    ("lacking", "key", "reason"),
    [(True, "k", Problem.CUT_OFF_BODY), (False, "k" * 1025, Problem.BAD_PARAMETER)],
)
def test_what_is_kept_says_where_it_was_going_and_why_it_is_kept(
    *, lacking: bool, key: str, reason: Problem
) -> None:
    store = segue.MemoryStore()
    it, given = world.processor(store), (AUTH, ("idempotency-key", key))
    ask(it, "POST", E21, *given, body=FINE, lacking=lacking)
    ask(it, "POST", CONTROL, *given, body=action("end"), lacking=lacking)

    assert [(item.endpoint, item.bot_id, item.reason) for item in store.quarantined(0, 9)] == [
        ("hooks", "st-1", reason.type),
        ("transcription", "st-1", reason.type),
    ]


def test_a_limit_may_be_met() -> None:
    it = world.processor()
    largest = ("content-length", str(LIMITS.max_body_bytes))

    assert ask(it, "POST", E21, AUTH, largest, body=FINE).status == 200
    longest = ("idempotency-key", "k" * LIMITS.max_id_length)
    assert ask(it, "POST", E21, AUTH, longest, body=FINE).status == 200
    assert credential(Headers([("auth", "x" * 8192)])) == "x" * 8192
    assert credential(Headers([("auth", "x" * 8193)])) is Problem.BAD_TOKEN


def test_a_body_with_two_lengths_is_not_read() -> None:
    lengths = ("content-length", str(len(FINE))), ("transfer-encoding", "chunked")
    answer = ask(world.processor(), "POST", E21, AUTH, *lengths, body=FINE)

    assert (answer.status, told(answer)["type"]) == (400, Problem.BAD_LENGTH.type)


@pytest.mark.parametrize(
    "media",
    [
        "application/json; charset=x=utf-8",
        "application/json; charset=Xutf-8X",
        "application/json; x=y,z",
    ],
)
def test_a_charset_is_read_to_the_letter(media: str) -> None:
    answer = ask(world.processor(), "POST", E21, AUTH, ("content-type", media), body=FINE)

    assert answer.status == 415


def test_an_id_with_a_slash_in_it_leads_to_its_conversation() -> None:
    it = world.processor()
    it.receive("st-1", delivery("a/b", ENTRY))

    assert told(ask(it, "GET", "/conversations/a/b", READER))["conversation_id"] == "a/b"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("Bearer   x", "x"), ("Bearer Xx", "Xx"), ("bearer \tx", "\tx"), ("Bearerx", "Bearerx")],
)
def test_a_token_begins_behind_the_word_and_its_spaces(value: str, expected: str) -> None:
    assert credential(Headers([("auth", value)])) == expected


@pytest.mark.parametrize("values", [("\ud800", "x"), ("x", "\ud800")])
def test_values_that_are_no_text_can_be_compared(values: tuple[str, str]) -> None:
    one, other = values

    assert credential(Headers([("auth", one), ("token", other)])) is Problem.BAD_TOKEN
    assert credential(Headers([("auth", one), ("token", one)])) == one


def test_a_value_loses_the_spaces_around_it_and_nothing_else() -> None:
    headers = Headers([("A", " \tXaX\t "), ("B", "\x0cb")])

    assert (headers.get("a"), headers.get("b")) == ("XaX", "\x0cb")
    assert repr(headers) == "<Headers a, b>"


def test_nobody_waits_who_does_not_say_so() -> None:
    assert (
        Params(
            Request("GET", "/feed", Headers([])), {}, Principal(), LIMITS, world.processor()
        ).wait()
        == 0
    )


def test_a_refused_action_tells_state_and_rule() -> None:
    answer = ask(world.processor(), "POST", CONTROL, AUTH, body=action("start", "a-2"))

    value = told(answer)
    assert (answer.status, value["state"], value["changed"]) == (409, "active", False)
    assert value["allowed"] == [
        {"action": "pause", "handover": False, "agents": "any"},
        {"action": "pause", "handover": True, "agents": "any"},
        {"action": "end", "handover": None, "agents": "any"},
    ]
    assert [finding["code"] for finding in value["findings"]] == ["SG401"]


def test_an_action_after_the_end_changes_nothing_but_what_is_open_may_be_ended() -> None:
    it, over = world.processor(), f"{E1}?conversationId=c-2"
    ask(it, "POST", over, AUTH, body=action("start"))
    pause = told(ask(it, "POST", over, AUTH, body=action("pause", handover=True)))
    for event in (ENTRY, EXIT, END):
        ask(it, "POST", E21, AUTH, body=delivery("c-2", event))

    refused = ask(it, "POST", over, AUTH, body=action("resume"))
    ended = told(ask(it, "POST", over, AUTH, body=action("end")))

    assert pause["allowed"][0] == {"action": "start", "handover": None, "agents": "not-controller"}
    value = told(refused)
    assert (refused.status, value["state"], value["changed"]) == (409, "handover", False)
    assert value["allowed"] == [{"action": "end", "handover": None, "agents": "any"}]
    assert [(each["code"], each["action"]) for each in value["findings"]] == [("SG408", 2)]
    assert (ended["state"], ended["changed"], ended["allowed"]) == ("ended", True, [])


@pytest.mark.parametrize(
    ("target", "body"),
    [(E21, delivery("c-theirs", EXIT)), (f"{E1}?conversationId=c-theirs", action("start"))],
)
def test_not_a_word_is_said_of_what_belongs_to_another_bot(target: str, body: bytes) -> None:
    value = told(ask(world.processor(), "POST", target, AUTH, body=body))
    unknown = target.replace("c-theirs", "c-none")
    other = told(
        ask(world.processor(), "POST", unknown, AUTH, body=body.replace(b"theirs", b"none"))
    )

    assert value == json.loads(json.dumps(other).replace("c-none", "c-theirs"))


def test_an_action_too_is_known_by_its_delivery_id() -> None:
    it, key = world.processor(), ("idempotency-key", "d-7")
    first, again = (told(ask(it, "POST", CONTROL, AUTH, key, body=action("end"))) for _ in range(2))

    assert (first["duplicate"], again["duplicate"]) == (False, True)


def test_the_state_is_told_only_where_it_is_the_reason() -> None:
    it, key = world.processor(), ("idempotency-key", "d-7")
    ask(it, "POST", CONTROL, AUTH, key, body=action("end"))
    reused = ask(it, "POST", CONTROL, AUTH, key, body=action("start"))
    unreadable = ask(it, "POST", CONTROL, AUTH, body=b"{")

    assert (reused.status, unreadable.status) == (422, 400)
    for refused in (reused, unreadable):
        assert told(refused).keys() == {"type", "title", "status", "detail", "findings"}


def test_pages_follow_each_other_and_show_the_reader_s_bots_only() -> None:
    it = world.processor()
    seen: dict[str, list[str]] = {}
    for route in ("/conversations", "/feed"):
        found, after = list[str](), ""
        while items := (page := told(ask(it, "GET", f"{route}?limit=1{after}", READER)))["items"]:
            found += [item["conversation_id"] for item in items]
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        seen[route] = found

    assert seen["/conversations"] == ["c-1", "c-over", "c-open"]
    assert set(seen["/feed"]) <= {"c-1", "c-over", "c-open"}
    assert len(seen["/feed"]) >= 3


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "somebody else", "iss": "anybody"},
        {"iat": 99_999_999_999},
        {"sub": 5},
        {"jti": 5},
    ],
)
def test_claims_nobody_asked_for_are_not_looked_at(claims: dict[str, Any]) -> None:
    token = Kit("HS256").token({"appId": "cs-1", **claims})

    assert isinstance(authenticate(segue.JwtAuth(secret=SECRET), {"auth": token}), Principal)


@pytest.mark.parametrize(
    ("milliseconds", "exp", "is_good"),
    [
        (False, 99_999_999_999, True),
        (False, 100_000_000_000, False),
        (True, 99_999_999_999_999, True),
        (True, 100_000_000_000_000, False),
        (True, 100_000_000_000, False),  # in milliseconds it is long ago
    ],
)
def test_a_time_is_one_up_to_the_year_5138(*, milliseconds: bool, exp: int, is_good: bool) -> None:
    auth = segue.JwtAuth(secret=SECRET, milliseconds=milliseconds)
    found = authenticate(auth, {"auth": Kit("HS256").token({"appId": "cs-1", "exp": exp})})

    assert isinstance(found, Principal) is is_good


def test_scopes_stand_between_spaces_and_nothing_else() -> None:
    token = Kit("HS256").token({"appId": "cs-1", "scope": "x\tTranscription", "bots": ["st-1"]})
    answer = ask(world.processor(), "POST", CONTROL, ("auth", token), body=action("end"))

    assert answer.status == 403


def test_nobody_is_to_guess_what_an_answer_is() -> None:
    answer = ask(world.processor(), "GET", "/healthz")

    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
