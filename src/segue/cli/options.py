"""Options that several commands share, and what their texts mean.

House rules: what the command line does not say, the configuration may; a text that cannot be meant
fails before a line is read, and says what could have been.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, tzinfo
from difflib import get_close_matches
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from segue.cli.option_groups import options, section
from segue.errors import ConfigurationError, UnknownRule
from segue.findings import BY_CODE, codes

__all__ = ["POINTERS", "SETTINGS", "at", "listed", "log_options", "selectors", "zone"]

F = TypeVar("F", bound=Callable[..., Any])

_log = section("The log")
_settings = section("Settings")

POINTERS: Final = (
    _log("--body-at", metavar="POINTER", help="Where a line has the body (JSON Pointer)."),
    _log("--time-at", metavar="POINTER", help="Where it has the time of receipt."),
    _log("--bot-at", metavar="POINTER", help="Where it has the bot id."),
    _log("--conversation-at", metavar="POINTER", help="Where it has the conversation id."),
    _log("--delivery-at", metavar="POINTER", help="Where it has the delivery id."),
    _log(
        "--endpoint-at",
        metavar="POINTER",
        help="Where it says transcription for a transcription action.",
    ),
)
"""Where other people's lines keep things."""

SETTINGS: Final = (
    _settings("--config", metavar="FILE", help="Read the settings from this file."),
    _settings("--no-config", is_flag=True, help="Read no settings."),
)

_LOG: Final = (
    click.argument("logs", nargs=-1, required=True, metavar="LOG..."),
    _log(
        "--partial",
        type=click.Choice(["end", "start", "both"]),
        help="The log stops early, begins late, or both.",
    ),
    _log(
        "--conversation",
        "conversations",
        multiple=True,
        metavar="ID",
        help="Only this conversation. Repeatable.",
    ),
    _log("--since", metavar="TIME", help="Only what was received from TIME on (ISO 8601)."),
    _log("--until", metavar="TIME", help="Only what was received before TIME (ISO 8601)."),
    _log(
        "--time-zone",
        metavar="NAME",
        help="Zone of times that name none, such as Europe/Berlin.  [default: UTC]",
    ),
    _log("--day-first", is_flag=True, help="Read 02/03/2026 as a day in March."),
    _log(
        "--sort",
        type=click.Choice(["received_at"]),
        help="Put all lines in order of time first, over all logs.",
    ),
    _log(
        "--sort-memory",
        metavar="SIZE",
        help="Sort in so much memory, and beyond that on disk (extra duckdb).  [default: 1GB]",
    ),
    _log(
        "--jobs",
        "-j",
        type=click.IntRange(min=0),
        metavar="N",
        help="Processes that may read at once; 0: one for each core.  [default: 1]",
    ),
    *POINTERS,
    *SETTINGS,
)


def log_options(command: F) -> F:
    """Add the options that say which log is read, and how."""
    return options(_LOG)(command)


def listed(values: Iterable[str]) -> tuple[str, ...]:
    """Split comma lists: `("SG1,SG203", "SG5")` has three items."""
    return tuple(item.strip() for value in values for item in value.split(",") if item.strip())


def selectors(values: Iterable[str]) -> tuple[str, ...]:
    """Return codes, prefixes and names from comma lists; one that selects nothing is an error."""
    chosen = tuple(
        item.upper() if item[:2].lower() == "sg" else item.lower() for item in listed(values)
    )
    for item in chosen:
        try:
            codes((item,))
        except UnknownRule:
            known = {**BY_CODE, **{rule.name: rule for rule in BY_CODE.values()}}
            close = get_close_matches(item, known, 3)
            hint = f"did you mean {' or '.join(close)}?" if close else "see segue rules"
            msg = f"no rule has the code, prefix or name {item!r}: {hint}"
            raise UnknownRule(msg) from None
    return chosen


def zone(name: str | None) -> tzinfo:
    """Return the time zone of this IANA name; None is UTC."""
    if name is None or name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        msg = f"no time zone is called {name!r}: use an IANA name such as Europe/Berlin"
        raise ConfigurationError(msg) from None


def at(option: str, text: str | None, time_zone: tzinfo) -> datetime | None:
    """Return the time of an option, in this zone when it names none."""
    if text is None:
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        msg = f"{option} takes ISO 8601, such as 2026-03-02T08:00:00Z, not {text!r}"
        raise ConfigurationError(msg) from None
    return when if when.tzinfo is not None else when.replace(tzinfo=time_zone)
