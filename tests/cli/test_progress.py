"""Progress is drawn for those who wait, and removed before anything else is written."""

from io import StringIO
from pathlib import Path

import pytest

from segue.cli.progress import Progress, size_of


class Clock:
    """A clock that tests wind."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(StringIO):
    """A terminal that keeps what is written to it."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A log of 40 MB, on a terminal that can move its cursor."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    path = tmp_path / "log"
    with path.open("wb") as stream:
        stream.truncate(40_000_000)
    return str(path)


def test_a_quick_run_draws_nothing(log: str) -> None:
    out, clock = Terminal(), Clock()
    with Progress([log], out, clock) as progress:
        clock.now = 0.4
        progress.update(20_000_000)

    assert out.getvalue() == ""


def test_a_slow_run_shows_how_far_it_is(log: str) -> None:
    out, clock = Terminal(), Clock()
    with Progress([log], out, clock) as progress:
        for second in (1, 2):
            clock.now = second
            progress.update(second * 5_000_000)

    assert " 25%" in out.getvalue()
    assert "10.0/40.0 MB" in out.getvalue()
    assert "5.0 MB/s" in out.getvalue()


def test_it_is_drawn_a_few_times_a_second_and_removed_once(log: str) -> None:
    out, clock = Terminal(), Clock()
    with Progress(["-", log], out, clock) as progress:
        for tick in range(100):
            clock.now = 1 + tick / 100
            progress.update(tick * 1_000_000)
        drawn = out.getvalue()
        progress.clear()
        removed = out.getvalue()
        progress.clear()

    assert 9 <= drawn.count("/? MB") <= 12
    assert removed.endswith("\x1b[1A\x1b[2K")  # up to the line of the bar, and erase it
    assert out.getvalue() == removed


def test_it_is_drawn_again_after_something_else_was_written(log: str) -> None:
    out, clock = Terminal(), Clock()
    with Progress([log], out, clock) as progress:
        clock.now = 1.0
        progress.update(10_000_000)
        progress.clear()
        clock.now = 2.0
        progress.update(20_000_000)

    assert out.getvalue().index(" 25%") < out.getvalue().index(" 50%")


def test_nothing_is_drawn_without_a_terminal(log: str) -> None:
    clock = Clock()
    with Progress([log], None, clock) as progress:
        clock.now = 5.0
        progress.update(20_000_000)

    assert progress.elapsed == 5.0


def test_the_size_is_that_of_all_logs_and_unknown_of_a_stream(log: str) -> None:
    assert size_of([log, log]) == 80_000_000
    assert size_of([log, "-"]) is None
