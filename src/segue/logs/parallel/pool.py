"""Worker processes whose results are returned in the order of the tasks.

Each worker has a pipe of its own. `concurrent.futures.ProcessPoolExecutor` has one pipe for the
results of all workers, and waits forever if a worker is killed while it writes to the pipe.

A worker ignores Ctrl-C, and ends with the process that started it. If a worker is killed, its tasks
have None as their result, and the caller must do these tasks itself.
"""

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, Generic, TypeVar

from segue.core.errors import SegueError

T = TypeVar("T")
R = TypeVar("R")

_GARBAGE: Final = 100_000
_STARTING: Final = Lock()


def results_in_order(
    work: Callable[[T], R], tasks: Iterable[T], processes: int
) -> Generator[tuple[T, R | None], None, None]:
    """Yield `(task, result)` for each task, in order.

    The result is None if the worker failed. Each worker has at most one task at a time. Close the
    generator to stop the workers.

    Args:
        work: The function that a worker calls with each task.
        tasks: The tasks, which must be picklable.
        processes: The maximum number of workers.

    """
    remaining = iter(tasks)
    waiting: deque[tuple[T, _Worker[T, R]]] = deque()
    with ExitStack() as stack:
        for task in islice(remaining, processes):
            worker = _Worker(work)
            stack.callback(worker.stop)
            worker.begin(task)
            waiting.append((task, worker))
        while waiting:
            task, worker = waiting.popleft()
            result = worker.result()
            for next_task in islice(remaining, 1):
                worker.begin(next_task)
                waiting.append((next_task, worker))
            yield task, result


def can_fork() -> bool:
    """Return whether this process can be forked safely, which requires Linux and a single thread.

    A lock held by another thread would never be released in the child process.
    """
    try:
        threads = sum(1 for _ in Path("/proc/self/task").iterdir())  # not only Python's
    except OSError:  # not Linux
        return False
    return threads == 1


class _Worker(Generic[T, R]):
    """A worker process, with the pipe by which it receives tasks and returns results."""

    def __init__(self, work: Callable[[T], R]) -> None:
        context = get_context("fork") if can_fork() else get_context("spawn")
        self._pipe, theirs = context.Pipe()
        arguments = (work, theirs, self._pipe)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        with _starting(), suppress(OSError):  # if it fails, the pipe is closed
            self._process.start()
        theirs.close()

    def begin(self, task: T) -> None:
        """Send a task to the worker. Do nothing if the worker has ended."""
        with suppress(OSError):  # it has ended
            self._pipe.send(task)

    def result(self) -> R | None:
        """Wait for the result of the task. Return None if the worker has failed."""
        try:
            result: R | None = self._pipe.recv()
        except (EOFError, OSError):
            return None
        return result

    def stop(self) -> None:
        """Kill the worker process and wait until it has ended."""
        self._pipe.close()
        if self._process.pid is not None:
            self._process.kill()
            self._process.join()


@contextmanager
def _starting() -> Iterator[None]:
    """Prepare this process for starting a worker, and undo the preparations at the end.

    SIGINT is blocked, and the main module and the current folder are hidden from the worker.

    A spawned process would import the main module, which restarts a program that has no
    `if __name__ == "__main__"`. It would also import modules from the current folder.
    """
    main = vars(sys.modules["__main__"])
    with _STARTING, ExitStack() as stack:
        if sys.platform != "win32":
            before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
        hidden: dict[str, Any] = {n: main.pop(n) for n in ("__file__", "__spec__") if n in main}
        stack.callback(lambda: main.update(hidden))
        main["__spec__"] = None
        if "PYTHONSAFEPATH" not in os.environ:
            os.environ["PYTHONSAFEPATH"] = "1"
            stack.callback(os.environ.pop, "PYTHONSAFEPATH")
        yield


def _serve(work: Callable[[T], R], pipe: Connection, theirs: Connection) -> None:
    """Run in a worker: reset signal handlers, then do tasks until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    gc.freeze()
    gc.set_threshold(_GARBAGE, 50, 50)
    theirs.close()
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            task, result = pipe.recv(), None
            with suppress(SegueError, OSError, MemoryError):  # the caller will get the same error
                result = work(task)
            pipe.send(result)


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        wait([parent.sentinel])
        os._exit(1)
