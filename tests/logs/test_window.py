"""The window: ended conversations in memory and in temporary files."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from segue.errors import ConfigurationError
from segue.logs import window as module
from segue.logs.window import Window

IN_MEMORY, ON_DISK = 1 << 20, 0


@pytest.mark.parametrize("memory", [IN_MEMORY, ON_DISK])
def test_conversations_leave_in_the_order_in_which_they_ended(memory: int) -> None:
    window: Window[str] = Window(10, memory)
    for ended_at, key in enumerate(("a", "b", "c"), start=1):
        window.add(key, ended_at, 100, key.upper())
    assert "b" in window
    assert window.get("b", 11) == (2, "B")
    assert list(window.leave(10)) == []
    assert list(window.leave(12)) == [("a", "A"), ("b", "B")]
    assert list(window.leave(None)) == [("c", "C")]
    assert window.keys() == []


@pytest.mark.parametrize("memory", [IN_MEMORY, ON_DISK])
def test_a_conversation_that_has_left_is_not_returned(memory: int) -> None:
    window: Window[str] = Window(10, memory)
    window.add("a", 5, 100, "A")
    assert window.get("a", 14) == (5, "A")
    assert window.get("a", 15) is None
    assert window.get("b", 5) is None


@pytest.mark.parametrize("memory", [IN_MEMORY, ON_DISK])
def test_conversations_are_forgotten_removed_and_replaced(memory: int) -> None:
    window: Window[str] = Window(10, memory)
    for ended_at, key in enumerate("abcd"):
        window.add(key, ended_at, 100, key)
    window.remove("b")
    window.remove("unknown")
    window.add("c", 2, 100, "again")
    window.forget(10)
    assert sorted(window.keys()) == ["c", "d"]
    assert sorted(window.leave(None)) == [("c", "again"), ("d", "d")]


def test_the_oldest_are_stored_in_a_file_that_is_deleted_when_they_have_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    window: Window[str] = Window(10, 1_000)
    window.add("a", 1, 600, "A")
    assert list(tmp_path.iterdir()) == []
    window.add("b", 2, 600, "B")
    stored = window._stored  # noqa: SLF001 - a file without a name cannot be seen
    assert list(stored.keys()) == ["a"]
    assert window.get("a", 5) == (1, "A")
    assert list(window.leave(11)) == [("a", "A")]
    assert not stored._files  # noqa: SLF001 - as above


def test_files_are_no_larger_than_they_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FILE_SIZE", 100)
    window: Window[bytes] = Window(10_000, ON_DISK)
    for ended_at in range(20):
        window.add(f"c-{ended_at}", ended_at, 50, bytes(60))
    files = window._stored._files  # noqa: SLF001 - files without names cannot be seen
    assert len(files) == 10
    assert len(list(window.leave(10_010))) == 11
    assert len(files) == 5
    assert len(list(window.leave(None))) == 9
    assert not files


def test_a_full_disk_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "TemporaryFile", refused)
    with pytest.raises(ConfigurationError, match="No space left on device; set TMPDIR to a folder"):
        Window[str](10, ON_DISK).add("a", 1, 100, "A")


def test_a_stored_conversation_that_is_replaced_keeps_its_place() -> None:
    window: Window[str] = Window(4, ON_DISK)
    window.add("a", 1, 1000, "A")
    window.add("b", 2, 1000, "B")
    window.add("a", 1, 1000, "A again")
    assert window.get("a", 2) == (1, "A again")
    assert list(window.leave(5)) == [("a", "A again")]
    assert list(window.leave(6)) == [("b", "B")]


steps = st.lists(
    st.tuples(st.sampled_from(["add", "add", "remove", "replace", "leave"]), st.integers(0, 5)),
    max_size=30,
)


def carried_out(steps: list[tuple[str, int]], window: Window[str]) -> Iterator[object]:
    """Yield all that can be seen of a window after each step."""
    ended: dict[str, int] = {}
    count = 0
    for step, number in steps:
        key = f"c-{number}"
        if step == "add" and key not in ended:
            count = ended[key] = count + 1
            window.add(key, count, 100, f"{key} of {count}")
        elif step == "replace" and key in window:
            window.add(key, ended[key], 100, f"{key} again")
        elif step == "remove":
            window.remove(key)
        elif step == "leave":
            count += number
            yield sorted(window.leave(count))
        yield key in window, window.get(key, count), sorted(window.keys())
    yield sorted(window.leave(None))


@given(steps, st.integers(0, 400))
def test_memory_and_files_behave_alike(steps: list[tuple[str, int]], memory: int) -> None:
    """A window with little memory does as one that needs no files."""
    small = list(carried_out(steps, Window(4, memory)))
    assert small == list(carried_out(steps, Window(4)))


@pytest.mark.parametrize("memory", [1_000, 0])
def test_it_tells_that_conversations_have_left(memory: int) -> None:
    """Whether the conversations are in memory or in a file."""
    window: Window[str] = Window(10, memory)
    assert not window.has_left(100)
    window.add("a", 1, 1, "A")
    window.add("b", 5, 1, "B")
    assert not window.has_left(10)
    assert window.has_left(11)
    assert list(window.leave(11)) == [("a", "A")]
    assert not window.has_left(14)
    assert window.has_left(15)
