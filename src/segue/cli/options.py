"""Options of commands: their groups in the help, shared options, and parsers of their values."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from inspect import cleandoc
from math import isfinite
from typing import Any, Final, TypeAlias

import click

from segue.core.durations import read_duration
from segue.core.errors import ConfigurationError, UnknownRule
from segue.core.events import INTAKES
from segue.core.findings import BY_CODE, codes
from segue.core.options import closest

Params: TypeAlias = Mapping[str, Any]
"""The values of a command's arguments and options by name, such as `{"limit": 20}`."""


class _FiniteRange(click.FloatRange):
    """A click parameter type for a number in a range. It rejects infinity and NaN."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as in click
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """Return the number, or fail if it is out of the range or not finite."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


COUNT: Final = click.IntRange(min=0)
POSITIVE: Final = click.IntRange(min=1)
AMOUNT: Final = _FiniteRange(min=0)
MESSAGES: Final = _FiniteRange(0, 1000)
RATE: Final = _FiniteRange(min=0, min_open=True)
SHARE: Final = _FiniteRange(0, 1)
PORT: Final = click.IntRange(0, 65535)


class _Option(click.Option):
    """An option in a group, declared as the help shows it.

    A declaration is a text such as `--limit N`, or `--sort [received_at]` with the allowed values
    in brackets. If `...` follows the value, the option may be repeated, and the help says so. An
    option without a value, a type and a default is a flag. The help shows the default.
    """

    def __init__(self, group: str, declaration: str, text: str, **attributes: Any) -> None:
        names = [word for word in declaration.split() if word.startswith("-")]
        value = declaration.removeprefix(" ".join(names)).strip()
        if value.endswith("..."):
            value, attributes["multiple"] = value.removesuffix("..."), True
            summary, gap, default = text.partition("  [default")
            text = f"{summary} Repeatable.{gap}{default}"
        if value.startswith("[") and value.endswith("]"):
            attributes["type"], value = click.Choice(value[1:-1].split("|")), ""
        attributes["metavar"] = value or None
        attributes.setdefault("show_default", "default" in attributes)
        if not value and not attributes.keys() & {"type", "default"}:
            attributes["is_flag"] = True
        super().__init__(names, help=text, **attributes)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose help shows its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by group. Groups are in the order of declaration, "Options" last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx)
            if record is not None and isinstance(option, click.Option):
                groups.setdefault(getattr(option, "group", "Options"), []).append(record)
        for title in sorted(groups, key=lambda title: title == "Options"):
            with formatter.section(title):
                formatter.write_dl(groups[title])


def option_group(title: str) -> Callable[..., click.Option]:
    """Return a function that creates options, which the help shows under `title`.

    The function takes a declaration such as `--limit N`, the help text, and attributes of
    `click.Option`.
    """
    return partial(_Option, title)


show_option: Final = option_group("What is shown")
option: Final = option_group("Options")
HELP_NAMES: Final = {"help_option_names": ["-h", "--help"]}
"""The click settings of every command and group, which add `-h` as an option for the help."""


def format_option(first: str, *others: str, text: str) -> click.Option:
    """Return an option `--format` with these choices, of which `first` is the default."""
    return show_option(f"--format [{'|'.join((first, *others))}]", text, default=first)


def command(
    *params: click.Parameter,
) -> Callable[[Callable[[Params], int | None]], GroupedCommand]:
    """Return a decorator that turns a function into a command with these options.

    The help of the command is the docstring of the function. Its name is that of the function,
    without a leading `_`.
    """

    def make(function: Callable[[Params], int | None]) -> GroupedCommand:
        return GroupedCommand(
            function.__name__.removeprefix("_"),
            params=list(params),
            callback=lambda **values: function(values),
            help=cleandoc(function.__doc__ or ""),
            context_settings=HELP_NAMES,
        )

    return make


_log = option_group("The log")
_settings = option_group("Settings")

LINES: Final = ("json", "text", "csv", "docker")
SORTS: Final = ("received_at", "newest_first")
"""The orders of lines that `segue.logs` accepts, repeated here to avoid importing it."""
PLATFORMS: Final = ("genesys", "connect", "twilio", "queue_log")
"""The names of platforms that `segue.logs` accepts, repeated here to avoid importing it."""

POINTERS: Final = {
    "body-at": "JSON Pointer to the body in a line.",
    "time-at": "JSON Pointer to the time of receipt.",
    "bot-at": "JSON Pointer to the bot id.",
    "conversation-at": "JSON Pointer to the conversation id.",
    "delivery-at": "JSON Pointer to the delivery id.",
    "endpoint-at": f"JSON Pointer to the endpoint name ({' or '.join(INTAKES)}).",
    "url-at": "JSON Pointer to the URL or request line: endpoint, bot and conversation.",
    "records-at": (
        "JSON Pointer to a list whose elements are read as lines; '' if a line has several values."
    ),
}
"""The options whose value is a JSON Pointer to a part of a line, with their help."""

FIELD_OPTIONS: Final = (
    _log(
        f"--lines [{'|'.join(LINES)}]",
        "JSON, text with JSON in it, a table, or Docker's pieces.  [default: json]",
    ),
    *(_log(f"--{name} POINTER", text) for name, text in POINTERS.items()),
    _log("--skip-others", "Leave out lines without a body at that place."),
)
"""The options that say where a line of a log has its parts."""

FROM_OPTION: Final = _log(
    f"--from [{'|'.join(PLATFORMS)}]", "The lines are events of this platform."
)

TIME_OPTIONS: Final = (
    _log("--time-zone NAME", "Zone of times without one, such as Europe/Berlin.  [default: UTC]"),
    _log("--day-first", "Read 02/03/2026 as 2 March."),
    _log("--time-format FORMAT", "How times are written, as strptime: '%d %b %Y %H.%M'."),
)
"""The options that say how times are written."""

SETTINGS_OPTIONS: Final = (
    _settings("--config FILE", "Read the settings from this file."),
    _settings("--no-config", "Read no settings."),
)

LOG_OPTIONS: Final = (
    click.Argument(["logs"], nargs=-1, required=True, metavar="LOG..."),
    _log(
        "--partial [end|start|both]",
        "Conversations are cut off at the end of the log, at its start, or at both.",
    ),
    _log("--conversation ID...", "Only this conversation."),
    _log("--since TIME", "Only deliveries received at or after TIME (ISO 8601)."),
    _log("--until TIME", "Only deliveries received before TIME (ISO 8601)."),
    _log("--allow-empty", "Accept logs without lines, and filters that match no delivery."),
    *TIME_OPTIONS,
    _log(
        f"--sort [{'|'.join(SORTS)}]",
        "Sort the lines of all logs by time first; newest_first: the last of equal times first.",
    ),
    _log("--once", "Read lines once that come twice."),
    _log("--no-sort", "Read files line by line, whatever their order, and also lines that repeat."),
    _log(
        "--sort-memory SIZE",
        "Memory for sorting; the rest is on disk (extra duckdb).  [default: 1GB]",
    ),
    _log(
        "--key [bot|conversation]",
        "What identifies a conversation: bot and id, or the id alone.  "
        "[default: the bot counts if the envelope of the first delivery has one]",
    ),
    _log(
        "--race DURATION",
        "How long a delivery that is out of order waits for those it overtook: 5s.",
    ),
    _log(
        "--window EVENTS",
        "Events of the log after an END that are explained with the ended conversation.  "
        "[default: 250000]",
        type=COUNT,
    ),
    _log(
        "--most-ended N",
        "Ended conversations to remember after that.  [default: all]",
        type=COUNT,
    ),
    _log("--jobs -j N", "Processes that read; 0 is one for each core.  [default: 1]", type=COUNT),
    *FIELD_OPTIONS,
    FROM_OPTION,
    *SETTINGS_OPTIONS,
)
"""The arguments and options of every command that checks logs."""


def split_lists(values: Iterable[str]) -> tuple[str, ...]:
    """Split comma-separated lists, and return all items: three for `("SG1,SG203", "SG5")`."""
    return tuple(item.strip() for value in values for item in value.split(",") if item.strip())


def selectors(values: Iterable[str]) -> tuple[str, ...]:
    """Return the codes, prefixes and names of rules in comma-separated lists, normalized.

    Codes are in capitals, and names in lower case. Raise `UnknownRule` for an item that matches no
    rule.
    """
    chosen = []
    for item in split_lists(values):
        selector = item.upper() if item[:2].lower() == "sg" else item.lower()
        try:
            codes((selector,))
        except UnknownRule:
            known = (*BY_CODE, *(rule.name for rule in BY_CODE.values()))
            hint = closest(selector, known, "see segue rules", 3)
            raise UnknownRule(f"no rule has the code, prefix or name {item!r}: {hint}") from None
        chosen.append(selector)
    return tuple(chosen)


def parse_zone(name: str | None) -> tzinfo:
    """Return the time zone with this IANA name, such as `Europe/Berlin`, or UTC for None.

    Raise `ConfigurationError` for an unknown name.
    """
    if name is None or name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # only zones need it

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        msg = f"unknown time zone {name!r}: use an IANA name such as Europe/Berlin"
        raise ConfigurationError(msg) from None


def parse_time(option: str, text: str, time_zone: tzinfo = UTC, form: str = "ISO 8601") -> datetime:
    """Return the time in the value of an option, such as `2026-03-02T08:00:00Z`.

    A time without a zone is in `time_zone`. Raise `ConfigurationError` for any other text, with a
    message that names the option and the allowed `form`.
    """
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        msg = f"{option} takes {form}, such as 2026-03-02T08:00:00Z, not {text!r}"
        raise ConfigurationError(msg) from None
    return when if when.tzinfo is not None else when.replace(tzinfo=time_zone)


def parse_duration(option: str, text: str) -> timedelta:
    """Return the duration in the value of an option, such as `90d`, `12h` or `500ms`.

    Raise `ConfigurationError` for a text that is not a duration.
    """
    try:
        return read_duration(text)
    except ValueError:
        msg = f"{option} takes a duration such as 90d, 12h, 30m, 1s or 500ms, not {text!r}"
        raise ConfigurationError(msg) from None


def parse_moment(option: str, text: str) -> datetime:
    """Return the time in the value of an option, given as an age such as `12h` or in ISO 8601.

    A time without a zone is in UTC. Raise `ConfigurationError` for any other text.
    """
    try:
        ago = read_duration(text)
    except ValueError:
        return parse_time(option, text, form="an age such as 12h, or ISO 8601")
    try:
        return datetime.now(tz=UTC) - ago
    except OverflowError:
        raise ConfigurationError(f"{option} is before the year 1: {text!r}") from None
