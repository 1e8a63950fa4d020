"""The files that a command writes because of `--output FORMAT=FILE`.

They are opened before logs are read. A file that the command reads is refused.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    from segue.logs.remark import LogRemark
    from segue.report.parquet_table import ParquetTable

FILE_FORMATS: Final = (*FORMATS, "parquet")


Item = TypeVar("Item")


class Sink(NamedTuple, Generic[Item]):
    """A destination for the results of a command, such as a file in one format."""

    add: Callable[[Item], object]
    finish: Callable[[], object]


def output_files(
    outputs: Iterable[str],
    formats: Iterable[str],
    inputs: Iterable[str],
    stack: ExitStack,
    what: str = "findings",
) -> Iterator[tuple[str, TextIO]]:
    """Open the file of each `FORMAT=FILE`, and yield pairs of the format and the file.

    Args:
        outputs: The values of `--output`.
        formats: The known formats.
        inputs: The logs and other files that are read and must not be overwritten.
        stack: Closes the files.
        what: The word for the results, used as a file name in error messages.

    """
    example = f"--output takes FORMAT=FILE, such as json={what}.json"
    written: set[tuple[int, int]] = set()
    for output in outputs:
        name, equals, path = output.partition("=")
        if not equals or not path:
            form = Path(output).suffix[1:]
            hint = f": did you mean {form}={output}?" if form in formats and not equals else ""
            raise ConfigurationError(f"{example}, not {output!r}{hint}")
        if name not in formats:
            msg = f"--output has no format {name!r}: use one of {', '.join(formats)}"
            raise ConfigurationError(msg)
        if path == "-":
            msg = f"--output {output} is not a file: give --format {name} for standard output"
            raise ConfigurationError(msg)
        file = Path(path)
        refuse_input(file, inputs, "--output")
        stream = stack.enter_context(open_file(file))
        if file.is_file():  # a device may be named twice
            status = os.fstat(stream.fileno())
            if (status.st_dev, status.st_ino) in written:
                msg = f"--output names {file} twice: give {name} another file"
                raise ConfigurationError(msg)
            written.add((status.st_dev, status.st_ino))
        yield name, stream


def file_renderers(
    outputs: Iterable[str],
    inputs: Iterable[str],
    stack: ExitStack,
    about: Mapping[str, Any] = MappingProxyType({}),
    log: Sequence["LogRemark"] = (),
) -> Iterator[Renderer]:
    """Yield a renderer that writes reports to the file for each `FORMAT=FILE`.

    `about` is the origin of the reports, as `provenance_of` returns it. The format html shows it.
    `log` are remarks on the logs, which the format full shows first.
    """
    for name, stream in output_files(outputs, FILE_FORMATS, inputs, stack):
        if name == "parquet":
            yield parquet_table(stream, stack, "findings")
        else:
            yield renderer(name, stream.write, RenderOptions(log=log, about=about))


def parquet_table(stream: TextIO, stack: ExitStack, rows: RowKind) -> "ParquetTable":
    """Return a renderer that writes a Parquet table to a file.

    Until it is finished, its rows are in a temporary folder. `stack` closes it and removes the
    folder.
    """
    from segue.report.parquet_table import ParquetTable  # only where it is written

    folder = stack.enter_context(TemporaryDirectory(prefix="segue-"))
    options = RenderOptions(rows=rows)
    return stack.enter_context(closing(ParquetTable(stream.buffer, Path(folder), options)))
