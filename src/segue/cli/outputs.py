"""The files that commands write: opened before a log is read, and never a log itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

from segue.cli.errors import failing_as
from segue.errors import ConfigurationError
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer

_EXAMPLE: Final = "--output takes FORMAT=FILE, such as json=findings.json"


def file_renderers(
    outputs: Iterable[str],
    logs: Iterable[str],
    stack: ExitStack,
    texts: Iterable[Mapping[str, Any]] = (),
) -> Iterator[Renderer]:
    """Yield a renderer for each `FORMAT=FILE`.

    Args:
        outputs: The formats with their files.
        logs: The logs, which must not be written over.
        stack: Closes the files.
        texts: The message texts that the format html quotes.

    """
    for output in outputs:
        name, equals, path = output.partition("=")
        if not equals or not path:
            raise ConfigurationError(f"{_EXAMPLE}, not {output!r}")
        if name not in FORMATS:
            msg = f"{_EXAMPLE}; there is no format {name!r}, only {', '.join(FORMATS)}"
            raise ConfigurationError(msg)
        refuse_log(Path(path), logs, "--output")
        write = stack.enter_context(open_file(Path(path))).write
        yield renderer(name, write, RenderOptions(texts=texts))


@contextmanager
def complete_file(path: Path, logs: Iterable[str]) -> Iterator[Callable[[str], object]]:
    """Write a file that appears when all of it has been written."""
    refuse_log(path, logs, "--output")
    part = path.with_name(f"{path.name}.part")
    try:
        with open_file(part, path) as stream:
            yield stream.write
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def open_file(path: Path, shown: Path | None = None) -> TextIO:
    """Open a file to write; errors name `shown`, or the path."""
    with failing_as(f"{shown or path} cannot be written"):
        return path.open("w", encoding="utf-8", newline="\n")


def refuse_log(path: Path, logs: Iterable[str], option: str) -> None:
    """Raise `ConfigurationError` if a file to be written is one of the logs."""
    for log in logs:
        if log != "-" and path.exists() and path.samefile(log):
            raise ConfigurationError(f"{path} is the log itself: give {option} another file")
