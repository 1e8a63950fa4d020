"""What a host gets wrong is refused at once, with what to do; methods describe themselves."""

import inspect
import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Nowhere
from tests.server.processor.story import ENTERS, processor

import segue
from segue import ConfigurationError, MemoryStore, Processor

METHODS = {
    "receive": "Receipt",
    "control": "ControlReceipt",
    "conversation": "ConversationView | None",
    "conversations": "Page",
    "read_feed": "Page",
}


@pytest.mark.parametrize(
    "store", ["segue.db", "postgresql://u@h/d", None, {}, MemoryStore], ids=repr
)
def test_what_is_not_a_store_is_refused(store: Any) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^`store` must be a Store, .*store=segue\.open_store"
    ):
        Processor(store=store)


def test_a_store_address_with_a_password_is_not_shown() -> None:
    with pytest.raises(ConfigurationError, match=r"got str$") as caught:
        Processor(store="postgresql://me:SECRET-CANARY@host/calls")  # type: ignore[arg-type]

    assert "SECRET-CANARY" not in str(caught.value)


@pytest.mark.parametrize("policy", [{"ignore": ["SG101"]}, "strict"], ids=repr)
def test_what_is_not_a_policy_is_refused(policy: Any) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^`policy` must be a Policy or None, .*policy=segue\.Policy"
    ):
        Processor(store=MemoryStore(), policy=policy)


@pytest.mark.parametrize(
    "name",
    [
        "on_finding",
        "on_summary_requested",
        "on_transcription_changed",
        "on_message",
        "on_segment_closed",
        "on_conversation_ended",
    ],
)
def test_what_cannot_be_called_is_not_a_handler(name: str) -> None:
    handlers: dict[str, Any] = {name: "x"}
    with pytest.raises(ConfigurationError, match=f"^`{name}` must be a function or None, got str$"):
        Processor(store=MemoryStore(), **handlers)


def _nothing() -> None:
    """Take nothing."""


def _two(callback: object, more: object) -> None:
    del callback, more


def _generator(callback: object) -> Iterator[object]:
    yield callback


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (lambda: 1, r"take one argument, a segue\.server\.Callback, but .*<lambda> takes \(\)$"),
        (_nothing, r"_nothing takes \(\) -> None$"),
        (_two, r"_two takes \(callback: object, more: object\) -> None$"),
        (_generator, r"_generator contains a yield$"),
    ],
    ids=["lambda", "nothing", "two", "generator"],
)
def test_a_handler_that_cannot_be_called_with_a_callback_is_refused(
    handler: Any, reason: str
) -> None:
    with pytest.raises(ConfigurationError, match=rf"^`on_finding` must .*{reason}"):
        Processor(store=MemoryStore(), on_finding=handler)


@pytest.mark.parametrize("handler", [print, [].append, lambda _, more=1: more])
def test_a_handler_may_take_more_than_it_has_to(handler: Any) -> None:
    Processor(store=MemoryStore(), on_finding=handler)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            {"retention": 90},
            (
                r"`retention` must be a timedelta or None, "
                r"for example retention=timedelta\(days=90\), got int$"
            ),
        ),
        ({"retention": "90d"}, r"`retention` must be a timedelta or None, .*, got str$"),
        ({"patience": 5}, r"`patience` must be a timedelta or None, .*=timedelta\(.*, got int$"),
        ({"handler_timeout": 3}, r"`handler_timeout` must be a timedelta, .*, got int$"),
        ({"handler_timeout": None}, r"`handler_timeout` must be a timedelta, .*, got NoneType$"),
        (
            {"retry": 3},
            r"`retry` must be a Retry, for example retry=segue\.server\.Retry.*, got int$",
        ),
        (
            {"callbacks": 5},
            r'`callbacks` must be a list of strings, for example callbacks=\["finding"\], got int$',
        ),
        ({"callbacks": [["message"]]}, r"`callbacks` must be a list .*, got a list with list$"),
        ({"limits": 3}, r"`limits` must be a BodyLimits, got int$"),
    ],
    ids=repr,
)
def test_options_of_another_type_are_refused_by_name(options: Any, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"^{reason}"):
        Processor(store=MemoryStore(), **options)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"tries": "3"}, "`tries` must be an integer, got str$"),
        ({"tries": 0}, "`tries` must be at least 1, got 0$"),
        ({"first": 1}, r"`first` must be a timedelta, .*timedelta\(seconds=30\), got int$"),
        ({"longest": timedelta(-1)}, "`longest` must be from 0:00:00 to 1 day, .*, got -1 day"),
        ({"first": timedelta(-1)}, "`first` must be at least 0:00:00, got -1 day"),
        ({"poll": None}, r"`poll` must be a timedelta, .*timedelta\(seconds=30\), got NoneType$"),
    ],
    ids=repr,
)
def test_a_retry_of_something_else_is_refused(options: Any, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{reason}"):
        segue.server.processor.Retry(**options)


@pytest.mark.parametrize("before", [90, timedelta(days=90), "2026-01-01", None])
def test_what_is_no_time_is_refused_with_how_to_write_one(before: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"is not a datetime: pass an aware one.*\(UTC\)"):
        processor().purge(before)


@pytest.mark.parametrize(
    "call",
    [
        lambda it: it.receive(1, ENTERS),
        lambda it: it.receive(b"st-1", ENTERS),
        lambda it: it.receive("st-1", ENTERS, delivery_id=7),
        lambda it: it.control("st-1", 7, {}),
        lambda it: it.conversation(7),
        lambda it: it.expect_call("st-1", 7),
    ],
    ids=["receive", "bytes", "delivery", "control", "conversation", "expect"],
)
def test_ids_are_text(call: Callable[[Processor], object]) -> None:
    with pytest.raises(
        ConfigurationError, match=r"^ids must be strings, got .*: pass str\(…\), or None"
    ):
        call(processor())


@pytest.mark.parametrize("days", [0, -3])
def test_a_retention_is_positive(days: int) -> None:
    with pytest.raises(ConfigurationError, match=r"^`retention` must be positive, got"):
        Processor(store=MemoryStore(), retention=timedelta(days=days))


@pytest.mark.parametrize("text", ["9999-12-31T23:59:59-01:00", "0001-01-01T00:00:00+01:00"])
def test_a_time_that_utc_has_not_is_shown(text: str) -> None:
    when = datetime.fromisoformat(text)
    with pytest.raises(ConfigurationError, match="is not a time from year 1 to 9999 in UTC"):
        processor().receive("st-1", ENTERS, received_at=when)


def test_a_time_without_a_zone_is_shown() -> None:
    with pytest.raises(ConfigurationError, match="2026-03-02T09:00:00 has no time zone"):
        processor().receive("st-1", ENTERS, received_at=datetime(2026, 3, 2, 9))  # noqa: DTZ001


def test_a_time_whose_zone_has_no_offset_has_no_zone() -> None:
    when = datetime(2026, 3, 2, 9, tzinfo=Nowhere())
    with pytest.raises(ConfigurationError, match="2026-03-02T09:00:00 has no time zone"):
        processor().receive("st-1", ENTERS, received_at=when)


@pytest.mark.parametrize(("name", "returned"), METHODS.items())
@pytest.mark.parametrize("prefix", ["", "a"], ids=["sync", "async"])
def test_a_method_has_its_own_name_signature_and_type(
    prefix: str, name: str, returned: str
) -> None:
    method = getattr(Processor, prefix + name)

    assert method.__qualname__ == f"Processor.{prefix}{name}"
    assert inspect.iscoroutinefunction(method) is bool(prefix)
    assert returned in str(inspect.signature(method).return_annotation)
    twin = getattr(Processor, name)
    assert inspect.signature(method).parameters == inspect.signature(twin).parameters
    assert (method.__doc__ or "").strip()


@pytest.mark.parametrize(
    ("call", "called"),
    [
        (lambda it: it.receive("st-1"), "receive"),
        (lambda it: it.areceive("st-1"), "areceive"),
        (lambda it: it.control("st-1", "c-1", {}, delivery="d-1"), "control"),
        (lambda it: it.conversation(), "conversation"),
        (lambda it: it.conversations(5), "conversations"),
        (lambda it: it.read_feed("now"), "read_feed"),
    ],
)
def test_an_error_names_the_method_that_was_called(
    call: Callable[[Processor], object], called: str
) -> None:
    with pytest.raises(TypeError, match=rf"^Processor\.{called}\(\) "):
        call(processor())


def test_a_store_is_opened_by_its_address(tmp_path: Any) -> None:
    assert repr(segue.open_store(f"sqlite:{tmp_path}/a.db")) == f"<SqliteStore {tmp_path}/a.db>"
    assert repr(segue.open_store(f"sqlite:///{tmp_path}/a.db")) == f"<SqliteStore {tmp_path}/a.db>"
    for address in ("memory", "memory:"):
        assert isinstance(segue.open_store(address), MemoryStore)
    assert repr(segue.open_store("postgresql://u:p@host/calls")) == "<PostgresStore 'calls'>"
    assert not (tmp_path / "a.db").exists()


def test_a_path_that_was_meant_to_be_absolute_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three slashes begin a path from the present directory, as elsewhere; four an absolute one."""
    monkeypatch.chdir(tmp_path)
    address = f"sqlite://{tmp_path}/a.db"

    with pytest.raises(
        ConfigurationError, match=rf"use sqlite:{tmp_path}/a.* for an absolute path$"
    ):
        segue.open_store(address)
    (tmp_path / str(tmp_path)[1:]).mkdir(parents=True)
    relative = os.path.join(tmp_path, str(tmp_path)[1:], "a.db")  # noqa: PTH118 - joined as text
    assert repr(segue.open_store(address)) == f"<SqliteStore {relative}>"
    assert repr(segue.open_store("sqlite:///nowhere/a.db")).endswith("/nowhere/a.db>")


@pytest.mark.parametrize("address", [None, 5, Path("segue.db")])
def test_an_address_is_text(address: Any) -> None:
    with pytest.raises(
        ConfigurationError, match=r'^`address` must be a string, .*="sqlite:segue\.db", got'
    ):
        segue.open_store(address)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ((3,), r"`path` must be a string or a PathLike, .*, got int"),
        ((None,), r"`path` must be a string or a PathLike, .*, got NoneType"),
    ],
)
def test_a_sqlite_store_of_something_else_is_refused(given: Any, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{reason}$"):
        segue.SqliteStore(*given)


@pytest.mark.parametrize(
    ("timeout", "reason"),
    [
        ("5", "a number, got str"),
        (-1, "at least 0, got -1"),
        (None, "a number, got NoneType"),
        (float("nan"), "at least 0, got nan"),
        (float("inf"), "at least 0, got inf"),
    ],
)
@pytest.mark.parametrize(
    "store",
    [
        lambda timeout: segue.SqliteStore("a.db", timeout=timeout),
        lambda timeout: segue.PostgresStore("postgresql://host/calls", timeout=timeout),
    ],
    ids=["sqlite", "postgres"],
)
def test_a_store_waits_for_a_number_of_seconds(store: Any, timeout: Any, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^`timeout` must be {reason}$"):
        store(timeout)


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (0, "at least 1, got 0"),
        (-1, "at least 1, got -1"),
        ("a", "an integer, got str"),
        (None, "an integer, got NoneType"),
        (1.5, "an integer, got float"),
    ],
)
def test_a_store_has_room_for_one_delivery_and_one_connection(count: Any, reason: str) -> None:
    """A group of none would be written for ever."""
    with pytest.raises(ConfigurationError, match=f"^`group` must be {reason}$"):
        segue.SqliteStore("a.db", group=count)
    with pytest.raises(ConfigurationError, match=f"^`connections` must be {reason}$"):
        segue.PostgresStore("postgresql://host/calls", connections=count)


@pytest.mark.parametrize("address", ["segue.db", "", "mysql://host/calls", "sqlite"])
def test_what_is_not_an_address_is_refused(address: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"not a store address: use sqlite:FILE, .* or memory$"
    ):
        segue.open_store(address)


@pytest.mark.parametrize("address", ["sqlite:", "sqlite://host/a.db", "sqlite://"])
def test_an_address_without_a_file_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match=r"names no file: use sqlite:segue\.db"):
        segue.open_store(address)


@pytest.mark.parametrize(
    "address",
    [
        "mysql://me:CANARY@host/calls",
        "host=h password=CANARY",
        "host=h password = 'my CANARY'",
        "mysql:CANARY",
        "sqlite://me:CANARY@host/calls",
        "postgresql://me:CANARY/x@host/calls",
        "postgresql://me:x/CANARY@host/calls",
        "postgresql://me:12/CANARY@host/calls",
        "postgresql://me:x@CANARY@host/calls",
        "postgresql://me:%zzCANARY@host/calls",
    ],
)
def test_an_address_that_may_have_a_password_is_not_shown(address: str) -> None:
    with pytest.raises(ConfigurationError, match="address") as caught:
        segue.open_store(address)

    assert "CANARY" not in str(caught.value)


@pytest.mark.parametrize(
    "conninfo", ["postgresql://me:CANARY/x@host/calls", "host=h port=CANARY", "host=h CANARY"]
)
def test_a_database_whose_port_may_be_a_password_is_not_shown(conninfo: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a PostgreSQL address") as caught:
        segue.PostgresStore(conninfo)

    assert "CANARY" not in str(caught.value)


def test_an_option_that_may_have_a_password_is_not_shown() -> None:
    with pytest.raises(ConfigurationError) as caught:
        segue.Processor(store="host=h password=CANARY")  # type: ignore[arg-type]
    assert "CANARY" not in str(caught.value)
    with pytest.raises(ConfigurationError) as caught:
        segue.replay([], key="password=CANARY")  # type: ignore[arg-type]
    assert "CANARY" not in str(caught.value)
