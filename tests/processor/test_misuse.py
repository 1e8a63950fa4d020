"""What a host gets wrong is refused at once, with what to do; methods describe themselves."""

import inspect
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.processor.story import ENTERS, processor

import segue
from segue import ConfigurationError, MemoryStore, Processor

METHODS = {
    "receive": "Receipt",
    "control": "ControlReceipt",
    "conversation": "ConversationView | None",
    "conversations": "Page",
    "read_feed": "Page",
}


@pytest.mark.parametrize("store", ["segue.db", "postgresql://u@h/d", None, {}], ids=repr)
def test_what_is_not_a_store_is_refused(store: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"store must be a store, got .*open_store"):
        Processor(store=store)


def test_a_store_address_with_a_password_is_not_shown() -> None:
    with pytest.raises(ConfigurationError, match="got a str: use") as caught:
        Processor(store="postgresql://me:SECRET-CANARY@host/calls")  # type: ignore[arg-type]

    assert "SECRET-CANARY" not in str(caught.value)


@pytest.mark.parametrize("policy", [{"ignore": ["SG101"]}, None, "strict"], ids=repr)
def test_what_is_not_a_policy_is_refused(policy: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"policy must be a segue\.Policy, got .*use seg"):
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
    with pytest.raises(ConfigurationError, match=rf"{name} must be a function .*, got 'x'"):
        Processor(store=MemoryStore(), **handlers)


@pytest.mark.parametrize("days", [0, -3])
def test_a_retention_is_positive(days: int) -> None:
    with pytest.raises(ConfigurationError, match="retention must be positive, got"):
        Processor(store=MemoryStore(), retention=timedelta(days=days))


def test_a_time_without_a_zone_is_shown() -> None:
    with pytest.raises(ConfigurationError, match="2026-03-02T09:00:00 has no time zone"):
        processor().receive("st-1", ENTERS, received_at=datetime(2026, 3, 2, 9))  # noqa: DTZ001


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
    assert isinstance(segue.open_store("memory"), MemoryStore)
    assert repr(segue.open_store("postgresql://u:p@host/calls")) == "<PostgresStore 'calls'>"
    assert not (tmp_path / "a.db").exists()


@pytest.mark.parametrize("address", ["segue.db", "", "mysql://host/calls", "sqlite"])
def test_what_is_not_an_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match=r"not a store address: use sqlite:FILE.*memory:"):
        segue.open_store(address)


@pytest.mark.parametrize("address", ["sqlite:", "sqlite://host/a.db", "sqlite://"])
def test_an_address_without_a_file_is_refused(address: str) -> None:
    with pytest.raises(ConfigurationError, match=r"names no file: use sqlite:segue\.db"):
        segue.open_store(address)


def test_an_address_that_may_have_a_password_is_not_shown() -> None:
    with pytest.raises(ConfigurationError, match=r"^not a store address") as caught:
        segue.open_store("mysql://me:SECRET-CANARY@host/calls")

    assert "SECRET-CANARY" not in str(caught.value)
