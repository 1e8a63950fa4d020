"""DeferredInterrupt, sent to this process."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from threading import Thread
from typing import Any

import pytest

from segue.cli.sigint import DeferredInterrupt

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are another matter there")


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def fail() -> None:
    raise ValueError("this")


def held(interrupts: DeferredInterrupt, *steps: Callable[[], object]) -> None:
    """Take these steps while interrupts wait."""
    with interrupts:
        for step in steps:
            step()


@pytest.fixture(autouse=True)
def _as_usual() -> Iterator[None]:
    """Whatever these tests were started with."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def interrupts(_as_usual: None) -> Iterator[DeferredInterrupt]:
    them = DeferredInterrupt()
    with them.installed():
        yield them


def test_one_that_comes_within_a_block_is_raised_at_its_end(interrupts: DeferredInterrupt) -> None:
    shown: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        held(interrupts, interrupt, partial(shown.append, "whole"))
    assert shown == ["whole"]


def test_one_that_comes_between_two_blocks_is_raised_there(interrupts: DeferredInterrupt) -> None:
    held(interrupts)
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_the_second_does_not_wait(interrupts: DeferredInterrupt) -> None:
    shown: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        held(
            interrupts,
            interrupt,
            partial(shown.append, "after one"),
            interrupt,
            partial(shown.append, "after two"),
        )
    assert shown == ["after one"]


def test_after_one_was_raised_the_next_waits_again(interrupts: DeferredInterrupt) -> None:
    shown: list[str] = []
    for name in ("one", "two"):
        with pytest.raises(KeyboardInterrupt):
            held(interrupts, interrupt, partial(shown.append, name))
    assert shown == ["one", "two"]


def test_an_error_is_not_hidden_by_one(interrupts: DeferredInterrupt) -> None:
    with pytest.raises(ValueError, match="this"):
        held(interrupts, interrupt, fail)
    held(interrupts)


def test_afterwards_they_are_what_they_were() -> None:
    before = signal.getsignal(signal.SIGINT)
    with DeferredInterrupt().installed():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize("handler", [signal.SIG_IGN, lambda *_: None])
def test_what_somebody_else_decided_stays(handler: Any) -> None:
    """A shell has the interrupts of what runs in the background ignored."""
    signal.signal(signal.SIGINT, handler)
    with DeferredInterrupt().installed():
        assert signal.getsignal(signal.SIGINT) is handler


def test_another_thread_leaves_them_alone() -> None:
    done: list[bool] = []

    def watch() -> None:
        with DeferredInterrupt().installed():
            done.append(True)

    thread = Thread(target=watch)
    thread.start()
    thread.join()
    assert done
