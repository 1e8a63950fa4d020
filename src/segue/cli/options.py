"""Options that several commands share, and what their texts mean."""

from collections.abc import Callable
from datetime import UTC, datetime, tzinfo
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from segue.errors import ConfigurationError

__all__ = ["at", "listed", "log_options", "zone"]

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.argument("logs", nargs=-1, required=True, metavar="LOG..."),
    click.option(
        "--partial",
        type=click.Choice(["start", "end", "both"]),
        help="The log begins late, stops early, or both.",
    ),
    click.option(
        "--conversation",
        "conversations",
        multiple=True,
        metavar="ID",
        help="Only this conversation. Repeatable.",
    ),
    click.option("--since", metavar="TIME", help="Only deliveries received from TIME on (ISO 8601)."),
    click.option("--until", metavar="TIME", help="Only deliveries received before TIME (ISO 8601)."),
    click.option(
        "--time-zone",
        metavar="NAME",
        help="Zone of times that name none, such as Europe/Berlin. Default: UTC.",
    ),
    click.option(
        "--sort",
        type=click.Choice(["received_at"]),
        help="Put the lines in order of time first. Holds the log in memory.",
    ),
    click.option("--body-at", metavar="POINTER", help="JSON Pointer to the body within a line."),
    click.option("--time-at", metavar="POINTER", help="JSON Pointer to the time of reception."),
    click.option("--bot-at", metavar="POINTER", help="JSON Pointer to the bot id."),
    click.option("--conversation-at", metavar="POINTER", help="JSON Pointer to the conversation id."),
)


def log_options(command: F) -> F:
    """Add the options that say which log is read, and how."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def listed(values: tuple[str, ...]) -> tuple[str, ...]:
    """Split comma lists: `("SG1,SG203", "SG5")` has three items."""
    return tuple(item.strip() for value in values for item in value.split(",") if item.strip())


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
