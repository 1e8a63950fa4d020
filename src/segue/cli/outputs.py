"""The reports that are written to files: opened before a log is read, and never over an input."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from segue.cli.user_files import open_file, refuse_input
from segue.errors import ConfigurationError
from segue.report.renderers import FORMATS, Renderer, RenderOptions, renderer

_EXAMPLE: Final = "--output takes FORMAT=FILE, such as json=findings.json"


def file_renderers(
    outputs: Iterable[str],
    inputs: Iterable[str],
    stack: ExitStack,
    texts: Iterable[Mapping[str, Any]] = (),
) -> Iterator[Renderer]:
    """Yield a renderer for each `FORMAT=FILE`.

    Args:
        outputs: The formats with their files.
        inputs: The logs and other files that are read, which must not be written over.
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
        refuse_input(Path(path), inputs, "--output")
        write = stack.enter_context(open_file(Path(path))).write
        yield renderer(name, write, RenderOptions(texts=texts))
