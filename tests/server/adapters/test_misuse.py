"""What a host passes by mistake is refused at once, with what to pass instead."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.builders import Nowhere

import segue

SECRET = "correct-horse-battery-staple-0123456789"  # noqa: S105 - of these tests
ADAPTERS = [segue.asgi, segue.wsgi, segue.server.aws_lambda]


def processor() -> segue.Processor:
    return segue.Processor(store=segue.MemoryStore())


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize("given", ["segue.db", None, segue.MemoryStore(), segue.Processor])
@pytest.mark.parametrize("settings", [{"auth": segue.NoAuth()}, {}], ids=["auth", "no auth"])
def test_what_is_not_a_processor_is_refused_first(
    adapter: Callable[..., Any], given: object, settings: dict[str, object]
) -> None:
    with pytest.raises(
        segue.ConfigurationError,
        match=r"^a segue\.Processor is needed, got .+: pass segue\.Processor\(store=segue\."
        r'SqliteStore\("segue\.db"\)\)$',
    ):
        adapter(given, **settings)


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    "given",
    [SECRET, SECRET.encode(), {"secret": SECRET}, segue.JwtAuth],
    ids=["text", "bytes", "dict", "class"],
)
@pytest.mark.parametrize("setting", ["auth", "read"])
def test_what_is_not_an_authenticator_is_refused_and_not_shown(
    adapter: Callable[..., Any], given: object, setting: str
) -> None:
    with pytest.raises(
        segue.ConfigurationError, match=rf"^{setting}=… must be .*segue\.JwtAuth\(secret=…\)"
    ) as refused:
        adapter(processor(), **{"auth": segue.NoAuth(), setting: given})

    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"limits": {"page": 7}}, r"^limits=… must be segue\.http\.RequestLimits\(…\), got dict$"),
        ({"observers": print}, r"^observers=… must be a list of functions of a RequestRecord$"),
        ({"observers": ["log"]}, r"^observers=… must be a list of functions of a RequestRecord$"),
        ({"prefix": 7}, r"^prefix=… must be text, got int$"),
        (
            {"prefx": "/x"},
            r"^there is no option prefx: did you mean prefix\? there are auth, .*, prefix, read$",
        ),
        ({"metrics": True}, r"^there is no option metrics; there are auth, callback_secret, "),
    ],
)
def test_other_settings_of_the_wrong_type_are_refused(
    adapter: Callable[..., Any], settings: dict[str, object], message: str
) -> None:
    with pytest.raises(segue.ConfigurationError, match=message):
        adapter(processor(), auth=segue.NoAuth(), **settings)


@pytest.mark.parametrize(
    ("event", "had"),
    [
        ({}, "nothing"),
        (None, "NoneType"),
        ([1], "list"),
        ({"Records": [{"eventSource": "aws:sqs"}]}, "Records"),
        ({"version": "2.0", "rawPath": "/"}, "version, rawPath"),
        ({"httpMethod": "GET"}, "httpMethod"),
    ],
    ids=str,
)
def test_an_event_that_is_no_request_is_refused(event: Any, had: str) -> None:
    handler = segue.server.aws_lambda(processor(), auth=segue.NoAuth())

    with pytest.raises(
        segue.ConfigurationError,
        match=rf"^this is not a request of API Gateway .*function URL, but has: {had}\. Let",
    ):
        handler(event)


@pytest.mark.parametrize("blank", ["\n", " ", "\r\n"])
@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_secret_with_the_end_of_its_line_is_refused_and_not_shown(
    blank: str, *, as_bytes: bool
) -> None:
    text = SECRET + blank
    secret = text.encode() if as_bytes else text
    makers: tuple[Callable[[], object], ...] = (
        lambda: segue.JwtAuth(secret=secret),
        lambda: segue.JwtAuth(secrets=[SECRET, secret]),
        lambda: segue.asgi(processor(), auth=segue.NoAuth(), callback_secret=secret),
    )
    for make in makers:
        with pytest.raises(segue.ConfigurationError, match=r"line end.*\.strip\(\)$") as refused:
            make()
        assert SECRET not in str(refused.value)


def test_a_secret_of_random_bytes_may_end_in_a_line_end() -> None:
    segue.JwtAuth(secret=bytes(range(224, 255)) + b"\n")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"secret": 1234}, "a JWT secret is text or bytes, got int"),
        ({"secrets": [SECRET, None]}, "a JWT secret is text or bytes, got NoneType"),
        ({"keys": [7]}, "keys=… takes keys as text or bytes, got int"),
    ],
)
def test_keys_of_another_type_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(segue.ConfigurationError, match=f"^{message}$"):
        segue.JwtAuth(**settings)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"expires": timedelta(days=1)}, r"^expires is the time until.*now\(UTC\) \+ timedelta"),
        ({"expires": datetime(2030, 1, 1, tzinfo=Nowhere())}, "^expires has no time zone"),
        ({"base": 7}, "^7 is not where an application is served"),
        ({"base": "http://h:99999"}, "is not where an application is served"),
        ({"base": "http://:80"}, "is not where an application is served"),
        ({"base": "http://h:0"}, "is not where an application is served"),
        ({"base": "http://u:p@h"}, "is not where an application is served"),
        ({"base": "http://a..b"}, "is not where an application is served"),
        ({"bot": 7}, "^bot and ids must be text"),
        ({"request_id": 7}, "^bot and ids must be text"),
        ({"secret": 7}, "^a secret for callbacks is text or bytes, got int$"),
    ],
    ids=str,
)
def test_parts_of_an_address_of_another_type_are_refused(
    given: dict[str, Any], message: str
) -> None:
    fine: dict[str, Any] = {
        "base": "https://desk.example",
        "bot": "st-1",
        "secret": SECRET,
        "expires": datetime(2030, 1, 1, tzinfo=UTC),
        "conversation_id": "c-1",
    }
    with pytest.raises(segue.ConfigurationError, match=message):
        segue.server.callback_url(**(fine | given))
