"""Progress is drawn for those who wait, and wiped before anything else is written."""

from io import StringIO

from segue.cli.progress import Progress


class Clock:
    """A clock that tests wind."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_quick_run_draws_nothing() -> None:
    out, clock = StringIO(), Clock()
    progress = Progress(100, out, clock)

    clock.now = 0.4
    progress.told(50)
    progress.wipe()

    assert out.getvalue() == ""


def test_a_slow_run_shows_how_far_it_is() -> None:
    out, clock = StringIO(), Clock()
    progress = Progress(40_000_000, out, clock)

    clock.now = 2.0
    progress.told(10_000_000)

    assert out.getvalue() == ("\r\x1b[K[######..................]  25%  10 MB, 5 MB/s, 6 s left")


def test_it_is_drawn_a_few_times_a_second_and_wiped_once() -> None:
    out, clock = StringIO(), Clock()
    progress = Progress(None, out, clock)

    for tick in range(100):
        clock.now = 1 + tick / 100
        progress.told(tick * 1_000_000)
    progress.wipe()
    progress.wipe()

    assert 9 <= out.getvalue().count(" MB/s") <= 11
    assert out.getvalue().endswith(" MB/s\r\x1b[K")


def test_logs_that_are_done_count() -> None:
    out, clock = StringIO(), Clock()
    progress = Progress(20_000_000, out, clock)

    progress.told(10_000_000)
    progress.next()
    clock.now = 1.0
    progress.told(5_000_000)

    assert "75%  15 MB, 15 MB/s, 0 s left" in out.getvalue()
    assert progress.elapsed == 1.0


def test_nothing_is_drawn_for_nobody() -> None:
    clock = Clock()
    progress = Progress(100, None, clock)

    clock.now = 5.0
    progress.told(50)
    progress.wipe()
