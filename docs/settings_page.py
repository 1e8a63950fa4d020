"""The page of the settings: a row for each key of `[tool.segue]`."""

from collections.abc import Iterator, Mapping
from typing import Final

import click

from segue.cli.check import check
from segue.cli.config import KEYS

_TYPES: Final[Mapping[object, str]] = {
    str: "text",
    bool: "true or false",
    int: "whole number",
    list: "list of texts",
    dict: "table",
}
_ALONE: Final = {
    "ignores": "Findings to leave out until a date: `SG103 bot=st-sales until=2026-12-31`.",
    "reject": "Codes of findings for which a server refuses a delivery.",
    "transcription": "Whether transcription actions that break the rules are applied (`observe`).",
}
"""Settings that are no option of `segue check`."""


def settings_page() -> str:
    """Return the page."""
    return "".join(_page())


def _page() -> Iterator[str]:
    yield (
        "# Settings\n\n"
        "They stand in `[tool.segue]` of a `pyproject.toml` or in a `segue.toml`, of the folder\n"
        "of a command or of one above it. `--config FILE` names another file, `--no-config` none;\n"
        "options of the command line win. `segue sniff --write LOG` writes those that say how a\n"
        "log is read.\n\n"
        "| key | value | meaning |\n|---|---|---|\n"
    )
    helps = {
        name.removeprefix("--"): option.help or ""
        for option in check.params
        if isinstance(option, click.Option)
        for name in option.opts
    }
    for key, kind in KEYS.items():
        words = kind if isinstance(kind, tuple) else ()
        value = ", ".join(f"`{word}`" for word in words) or _TYPES[kind]
        text = (_ALONE[key] if key in _ALONE else helps[key]).replace("|", "\\|")
        yield f"| `{key}` | {value} | {text} |\n"
