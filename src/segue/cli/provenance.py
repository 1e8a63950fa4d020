"""What a page says of the run that made it."""

from collections.abc import Iterable
from typing import Any, Final

from segue.cli.options import Params
from segue.core.version import __version__
from segue.logs import name_of
from segue.report.escape import visible

_DECIDING: Final = (
    *("select", "ignore", "severity", "require", "strict", "baseline", "partial", "conversation"),
    *("since", "until", "sort", "race", "key", "config", "tolerance"),
)
"""Options that change what is reported."""


def provenance_of(params: Params, logs: Iterable[str]) -> dict[str, Any]:
    """Return what a report is made of: logs, version, and the options that decide what counts."""
    chosen = {name.replace("_", "-"): params[name] for name in _DECIDING if params.get(name)}
    given = {name: [value] if isinstance(value, str) else value for name, value in chosen.items()}
    options = [
        f"--{name}" if each is True else f"--{name}={each}"
        for name, values in given.items()
        for each in ([True] if values is True else values)
    ]
    return {
        "logs": [visible(name_of(log)) for log in logs],
        "version": __version__,
        "options": [visible(option) for option in options],
    }
