"""What a host passes by mistake is refused at once, with what to pass instead."""

from collections.abc import Callable
from typing import Any

import pytest

import segue

SECRET = "correct-horse-battery-staple-0123456789"  # noqa: S105 - of these tests
ADAPTERS = [segue.asgi, segue.wsgi, segue.aws_lambda]


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
    ],
)
def test_other_settings_of_the_wrong_type_are_refused(
    adapter: Callable[..., Any], settings: dict[str, object], message: str
) -> None:
    with pytest.raises(segue.ConfigurationError, match=message):
        adapter(processor(), auth=segue.NoAuth(), **settings)
