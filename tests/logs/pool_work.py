"""What workers are to do in the tests of the pool."""

import os
import signal
import time
from pathlib import Path

__all__ = [
    "end_at_three",
    "fail_at_three",
    "interrupt_itself",
    "large_result",
    "name_of_main",
    "sleep",
    "work_in",
]


def interrupt_itself(number: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    return number


def end_at_three(number: int) -> int:
    if number == 3:
        os._exit(1)
    return number * 10


def fail_at_three(number: int) -> int:
    if number == 3:
        raise OSError
    return number * 10


def large_result(number: int) -> tuple[int, bytes]:
    """Return more than a pipe holds, and leave a file that says so."""
    Path(os.environ["MADE"], str(number)).touch()
    return os.getpid(), bytes(10_000_000)


def sleep(seconds: int) -> int:
    time.sleep(seconds)
    return os.getpid()


def work_in(_: int) -> int:
    return os.getpid()


def name_of_main(_: int) -> object:
    import __main__  # noqa: PLC0415 - of the worker

    return getattr(__main__, "__file__", None)
