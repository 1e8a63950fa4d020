"""Terminals: what text looks like where it goes, and what is left out there.

It decides about colour (`--color`, then NO_COLOR, then FORCE_COLOR, then whether it is a terminal),
about signs beyond ASCII (the encoding) and about width (COLUMNS, or the terminal's).  It refuses to
know what is written.
"""

import os
import shutil
import sys
from typing import Final, TextIO

import click

from segue.cli.option_groups import section
from segue.report.look import Look

__all__ = ["COLOR", "is_terminal", "look", "stdout"]

COLOR: Final = section("What is shown")(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours; auto honours NO_COLOR, FORCE_COLOR and whether it is a terminal.",
)

_COLUMNS: Final = 80
_NARROWEST: Final = 40
_WIDEST: Final = 100


def stdout() -> TextIO:
    """Return standard output, made to escape what its encoding cannot show."""
    stream = sys.stdout
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    return stream


def look(stream: TextIO, color: str = "auto") -> Look:
    """Return how text looks on a stream; `color` is `auto`, `always` or `never`."""
    encoding = (getattr(stream, "encoding", None) or "ascii").lower()
    return Look(
        color=_is_coloured(stream) if color == "auto" else color == "always",
        fancy=encoding.replace("-", "").replace("_", "").startswith("utf"),
        columns=_columns(stream),
    )


def is_terminal(stream: TextIO) -> bool:
    """Whether somebody watches, on something that understands escape sequences."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _is_coloured(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def _columns(stream: TextIO) -> int:
    if stream.isatty() or os.environ.get("COLUMNS", "").isdigit():
        columns = shutil.get_terminal_size((_COLUMNS, 24)).columns
        return min(max(columns, _NARROWEST), _WIDEST)
    return _COLUMNS
