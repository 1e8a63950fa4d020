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
        match=r"^`processor` must be a Processor, for example processor=segue\.Processor\("
        r'store=segue\.SqliteStore\("segue\.db"\)\), got .+$',
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
        segue.ConfigurationError,
        match=rf"^`{setting}` must be .*{setting}=segue\.JwtAuth\(secret=…\), got",
    ) as refused:
        adapter(processor(), **{"auth": segue.NoAuth(), setting: given})

    assert SECRET not in str(refused.value)


@pytest.mark.parametrize("adapter", ADAPTERS)
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"limits": {"page": 7}},
            r"^`limits` must be a RequestLimits, .*server\.RequestLimits\(.*\), got dict$",
        ),
        (
            {"observers": print},
            r"^`observers` must be a list of functions, .*, got builtin_function",
        ),
        (
            {"observers": ["log"]},
            r"^`observers` must be a list of functions, .*, got a list with str$",
        ),
        ({"prefix": 7}, r"^`prefix` must be a string, got int$"),
        ({"prefx": "/x"}, r"^unknown option `prefx`: did you mean prefix\?$"),
        ({"metrics": True}, r"^unknown option `metrics`: the options are auth, callback_secret, "),
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
        match=rf"^the event is not a request of API Gateway .* Load Balancer, it has: {had}\. Let",
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
        ({"secret": 1234}, "`secret` must be a string, bytes or None, got int"),
        (
            {"secrets": [SECRET, None]},
            "`secrets` must be a list of strings or bytes, got a list with NoneType",
        ),
        ({"keys": [7]}, "`keys` must be a .*list of strings or bytes, got a list with int"),
    ],
)
def test_keys_of_another_type_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(segue.ConfigurationError, match=f"^{message}$"):
        segue.JwtAuth(**settings)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"expires": timedelta(days=1)},
            r"^`expires` must be a datetime with a time zone, .*, got timedelta$",
        ),
        (
            {"expires": datetime(2030, 1, 1, tzinfo=Nowhere())},
            "^`expires` must be .*, got a datetime without a time zone$",
        ),
        ({"base": 7}, "^`base` must be a string, got int$"),
        ({"base": "http://h:99999"}, "`base` must be the address of an application"),
        ({"base": "http://:80"}, "`base` must be the address of an application"),
        ({"base": "http://h:0"}, "`base` must be the address of an application"),
        ({"base": "http://u:p@h"}, "`base` must be the address of an application"),
        ({"base": "http://a..b"}, "`base` must be the address of an application"),
        ({"bot": 7}, "^`bot` must be a string, got int$"),
        ({"request_id": 7}, "^`request_id` must be a string or None, got int$"),
        ({"secret": 7}, "^`secret` must be a string or bytes, got int$"),
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
