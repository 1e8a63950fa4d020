"""The files that a command writes: opened before a log is read, and never over an input."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TextIO, TypeVar

from segue.cli.user_files import open_file, refuse_input
from segue.core.errors import ConfigurationError
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer
from segue.report.row_columns import RowKind

if TYPE_CHECKING:
    from segue.report.parquet_table import ParquetTable

FILE_FORMATS: Final = (*FORMATS, "parquet")
_EXAMPLE: Final = "--output takes FORMAT=FILE, such as json={}.json"

Item = TypeVar("Item")


class Sink(NamedTuple, Generic[Item]):
    """Where the items of a command go, in one format."""

    add: Callable[[Item], object]
    finish: Callable[[], object]


def output_files(
    outputs: Iterable[str],
    formats: Iterable[str],
    inputs: Iterable[str],
    stack: ExitStack,
    what: str = "findings",
) -> Iterator[tuple[str, TextIO]]:
    """Yield the format and the opened file of each `FORMAT=FILE`.

    Args:
        outputs: The formats with their files.
        formats: Those that there are.
        inputs: The logs and other files that are read, which must not be written over.
        stack: Closes the files.
        what: What is written, as an example names it.

    """
    example = _EXAMPLE.format(what)
    written: set[tuple[int, int]] = set()
    for output in outputs:
        name, equals, path = output.partition("=")
        if not equals or not path:
            form = Path(output).suffix[1:]
            hint = f": did you mean {form}={output}?" if form in formats and not equals else ""
            raise ConfigurationError(f"{example}, not {output!r}{hint}")
        if name not in formats:
            msg = f"{example}; there is no format {name!r}, only {', '.join(formats)}"
            raise ConfigurationError(msg)
        if path == "-":
            msg = f"--output writes files: leave it out and give --format {name} for the output"
            raise ConfigurationError(msg)
        file = Path(path)
        refuse_input(file, inputs, "--output")
        stream = stack.enter_context(open_file(file))
        if file.is_file():  # a device may get several
            status = os.fstat(stream.fileno())
            if (status.st_dev, status.st_ino) in written:
                msg = f"{file} is written by this command already: give {name} another file"
                raise ConfigurationError(msg)
            written.add((status.st_dev, status.st_ino))
        yield name, stream


def file_renderers(
    outputs: Iterable[str],
    inputs: Iterable[str],
    stack: ExitStack,
    about: Mapping[str, Any] = MappingProxyType({}),
) -> Iterator[Renderer]:
    """Yield a renderer for each `FORMAT=FILE`; the format html says what it is `about`."""
    for name, stream in output_files(outputs, FILE_FORMATS, inputs, stack):
        if name == "parquet":
            yield parquet_table(stream, stack, "findings")
        else:
            yield renderer(name, stream.write, RenderOptions(about=about))


def parquet_table(stream: TextIO, stack: ExitStack, rows: RowKind) -> "ParquetTable":
    """Return a writer of a Parquet table; its rows wait in a temporary folder."""
    from segue.report.parquet_table import ParquetTable  # only where it is written

    folder = stack.enter_context(TemporaryDirectory(prefix="segue-"))
    options = RenderOptions(rows=rows)
    return stack.enter_context(closing(ParquetTable(stream.buffer, Path(folder), options)))
