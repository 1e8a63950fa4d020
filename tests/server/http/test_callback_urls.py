"""Signed addresses: what they carry, and that nothing else is let in, before the body is read."""

import hmac
import json
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.core.calls.vectors import COMPLETED
from tests.server.adapters.transports import through_core
from tests.server.http.table import Case
from tests.server.http.tokens import SECRET as TOKEN_SECRET, Kit

import segue
from segue import ConfigurationError, JwtAuth
from segue.report.schema import report_schema
from segue.server import callback_url
from segue.server.http import HttpApp
from segue.server.http.callback_urls import SignedUrls
from segue.server.http.request import ReadBody

SECRET: Final = "0123456789abcdef" * 2
EXPIRES: Final = datetime(2096, 11, 21, 13, 0, tzinfo=UTC)
UNTIL: Final = "4004341200"
BODY: Final = json.dumps({"conversationId": "c-1", **COMPLETED}).encode()


def signed(intake: str = "notifications", bot: str = "st-1", **ids: Any) -> str:
    base = "https://desk.example/segue/"
    url = callback_url(base, bot, SECRET, ids.pop("expires", EXPIRES), intake=intake, **ids)
    return url.removeprefix("https://desk.example/segue")


def app(secret: str | None = SECRET, **settings: Any) -> HttpApp:
    processor = segue.Processor(store=segue.MemoryStore())
    settings = {"auth": JwtAuth(secret=TOKEN_SECRET), **settings}
    return HttpApp(processor, report_schema=report_schema, callback_secret=secret, **settings)


def post(target: str, body: bytes = BODY, hook: HttpApp | None = None) -> tuple[int, Any, bool]:
    """Status and body of the answer, and whether the body of the request was read."""
    asked: list[Any] = []
    case = Case("", 0, None, "POST", target, (), body)
    answer = through_core(hook or app(), case, asked=asked)
    return answer.status, json.loads(answer.body), any(type(each) is ReadBody for each in asked)


def test_the_signature_is_over_path_ids_and_expiry() -> None:
    url = callback_url(
        "https://desk.example", "st-1", SECRET, EXPIRES, conversation_id="c-1", request_id="r-1"
    )
    text = f'["notifications", "st-1", "c-1", "r-1", "{UNTIL}"]'

    assert urlsplit(url)[:3] == ("https", "desk.example", "/notifications/st-1")
    assert parse_qs(urlsplit(url).query) == {
        "conversationId": ["c-1"],
        "requestId": ["r-1"],
        "expires": [UNTIL],
        "signature": [hmac.new(SECRET.encode(), text.encode(), "sha256").hexdigest()],
    }


def test_a_signed_notification_needs_no_token() -> None:
    status, value, is_read = post(signed())

    assert (status, value["status"], value["findings"], is_read) == (200, "ok", [], True)


@pytest.mark.parametrize("body", [b"[1, 2]", b'"text"', b"null", b'{"any": "thing"}'])
def test_a_transfer_is_filed_under_the_ids_of_its_address(body: bytes) -> None:
    hook = app()
    status, value, _ = post(signed("transfers", conversation_id="c/7"), body, hook)

    assert (status, value["conversationId"]) == (200, "c/7")
    (line,) = hook.processor.export("c/7")
    assert segue.check([line]).clean


def test_a_transfer_without_a_conversation_is_kept_and_refused() -> None:
    hook = app(None, auth=segue.NoAuth())

    assert post("/transfers/st-1", b"[1]", hook)[0] == 422
    assert [each.body for each in hook.processor.quarantined()] == [b"[1]"]


def test_the_conversation_of_the_address_fills_in() -> None:
    status, value, _ = post(signed(conversation_id="c-9"), b'{"status": "failed"}')

    assert (status, value["conversationId"]) == (200, "c-9")


def _changed(url: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in url
        url = url.replace(old, new)
    return url


WHOLE = signed(conversation_id="c-1", request_id="r-1")
REFUSED = {
    "unsigned": "/notifications/st-1",
    "unsigned transfer": "/transfers/st-1?conversationId=c-1",
    "expired": signed(expires=datetime(2020, 1, 1, tzinfo=UTC)),
    "another bot": _changed(WHOLE, ("st-1", "st-2")),
    "another intake": _changed(WHOLE, ("/notifications", "/transfers")),
    "another conversation": _changed(WHOLE, ("c-1", "c-2")),
    "another request": _changed(WHOLE, ("r-1", "r-2")),
    "a conversation taken out": _changed(WHOLE, ("conversationId=c-1&", "")),
    "a conversation put in": f"{signed()}&conversationId=c-1",
    "a longer time": _changed(WHOLE, (UNTIL, "5004341200")),
    "no time": _changed(WHOLE, (f"expires={UNTIL}", "")),
    "a time in other digits": _changed(WHOLE, (UNTIL, "%D9%A4")),
    "a changed signature": f"{WHOLE[:-1]}{'0' if WHOLE[-1] != '0' else '1'}",
    "a signature cut short": WHOLE[:-2],
    "an empty signature": _changed(WHOLE, (WHOLE[-64:], "")),
    "a signature of other letters": _changed(WHOLE, (WHOLE[-64:], "%C3%A4")),
    "two conversations": f"{WHOLE}&conversationId=c-1",
    "two signatures": f"{WHOLE}&signature={WHOLE[-64:]}",
    "another secret": callback_url("http://x", "st-1", SECRET[::-1], EXPIRES)[8:],
}


@pytest.mark.parametrize("why", REFUSED)
def test_another_address_is_refused_before_the_body_is_read(why: str) -> None:
    status, value, is_read = post(REFUSED[why])

    assert (status, value["type"]) == (401, "urn:segue:problem:bad-address")
    assert not is_read


def test_an_address_holds_until_its_time() -> None:
    request = segue.server.http.Request(
        "POST", "/x", segue.server.Headers(()), urlsplit(signed()).query
    )
    intake = segue.core.events.CALL_NOTIFICATIONS
    found = []
    for now in (int(UNTIL) - 1, int(UNTIL)):
        clock = partial(float, now)
        unit = SignedUrls(SECRET.encode(), clock).verify(request, intake, "st-1")
        found.append(segue.server.processor.drive(unit))

    assert isinstance(found[0], segue.server.Principal)
    assert found[1] is segue.server.Problem.BAD_ADDRESS


def test_without_a_secret_a_token_is_needed() -> None:
    hook = app(None)
    token = ("auth", Kit("HS256").token({}))
    case = Case("", 0, None, "POST", "/notifications/st-1", (token,), BODY)

    assert post(signed(), hook=hook)[0] == 401
    assert through_core(hook, case).status == 200


def test_with_a_secret_the_hook_still_needs_a_token() -> None:
    target = f"/agentdesk/api/v1/hooks/st-1?{urlsplit(signed()).query}"

    assert post(target)[0] == 401


def test_the_other_methods_are_answered_as_ever() -> None:
    case = Case("", 0, None, "GET", signed(), (), b"")

    assert through_core(app(), case).status == 405


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"secret": "short"}, "32 bytes"),
        ({"base": "desk.example"}, "`base` must be the address of an application"),
        ({"base": "https://desk.example?x=1"}, "`base` must be the address of an application"),
        ({"expires": datetime(2096, 1, 1)}, "without a time zone$"),  # noqa: DTZ001 - the mistake
        ({"intake": "hooks"}, "`intake` must be one of notifications, transfers, got 'hooks'$"),
        ({"intake": "calls"}, "`intake` must be one of notifications, transfers"),
        ({"intake": "transfers", "request_id": "r-1"}, "give conversation_id"),
        ({"base": "http://["}, "`base` must be the address of an application"),
        ({"base": "https://desk.example\n/x"}, "`base` must be the address of an application"),
        ({"bot": ""}, "must not be empty, and ids must not contain NUL"),
        ({"bot": "a/b"}, "steps of a path, got 'a/b'$"),
        ({"bot": ".."}, "steps of a path, got '..'$"),
        ({"conversation_id": "\ud800"}, "must not be empty, and ids must not contain NUL"),
        ({"conversation_id": "a\0b"}, "must not be empty, and ids must not contain NUL"),
        ({"request_id": "\ufffd"}, "must not be empty, and ids must not contain NUL"),
        (
            {"intake": "transfers", "conversation_id": ".."},
            "`conversation_id` must not be . or .., got '..'$",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(changed: dict[str, Any], message: str) -> None:
    given = {"base": "https://desk.example", "bot": "st-1", "secret": SECRET, "expires": EXPIRES}

    with pytest.raises(ConfigurationError, match=message):
        callback_url(**{**given, **changed})


def test_a_secret_that_is_none_is_refused_when_the_application_is_made() -> None:
    processor = segue.Processor(store=segue.MemoryStore())
    wrong: Any = 5

    with pytest.raises(
        ConfigurationError, match="`callback_secret` must be a string, bytes or None, got int"
    ):
        segue.asgi(processor, auth=segue.NoAuth(), callback_secret=wrong)
    with pytest.raises(ConfigurationError, match="32 bytes"):
        segue.asgi(processor, auth=segue.NoAuth(), callback_secret=b"short")


def test_no_secret_is_shown() -> None:
    assert SECRET not in repr(app()) + repr(SignedUrls(SECRET.encode()))


def test_the_request_of_the_address_is_what_was_asked() -> None:
    hook = app()
    hook.processor.expect_call("st-1", request_id="r-1")

    found = [post(signed(request_id=name), hook=hook)[1]["findings"] for name in ("r-1", "r-2")]

    assert [[each["code"] for each in findings] for findings in found] == [[], ["SG601", "SG710"]]
