"""Conversion between the arguments of an endpoint and the options of its command."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import click

from segue.cli.options import Params, option_group, parse_duration, parse_moment
from segue.cli.user_files import read_small_file
from segue.core.errors import ConfigurationError
from segue.core.events import Json
from segue.platform.arguments import Argument, ArgumentKind, ArgumentPlace, arguments_of
from segue.platform.rows import Endpoint

_MIB: Final = 16
_METAVARS: Final = {
    ArgumentKind.TEXT: "TEXT",
    ArgumentKind.INTEGER: "N",
    ArgumentKind.NUMBER: "N",
    ArgumentKind.BOOLEAN: "true|false",
    ArgumentKind.TIME: "TIME",
    ArgumentKind.JSON: "JSON|@FILE",
}
_endpoint = option_group("The endpoint")


def options_of(row: Endpoint) -> Iterator[click.Option]:
    """Yield a command option for each argument of an endpoint, then `--extra` and `--wait`.

    `--extra` is only for endpoints with a body, and `--wait` only for those with a final status.
    """
    for each in arguments_of(row):
        yield _endpoint(f"{_option(each.name)} {_METAVARS[each.kind]}", _help(each))
    if row.body:
        yield _endpoint("--extra JSON|@FILE", "Members of the body that are not shown.")
    if row.final:
        yield _endpoint("--wait DURATION", "Ask until the status is final, at most so long: 10m.")


def given_arguments(row: Endpoint, params: Params) -> dict[str, Any]:
    """Return the values of the arguments that were given, by the name of the argument.

    If a range of time has no end, it ends now. The platform itself would end it after a week.
    """
    given = {
        each.name: _value(each, params[each.name])
        for each in arguments_of(row)
        if params[each.name] is not None
    }
    if row.window_days and "since" in given:
        given.setdefault("until", datetime.now(tz=UTC))
    return given


def extra_of(params: Params) -> Mapping[str, Any] | None:
    """Return the members to add to the body (`--extra`), or None if the option was not given."""
    given = params.get("extra")
    value = None if given is None else _json("extra", given)
    if value is None or isinstance(value, dict):
        return value
    raise ConfigurationError("--extra must be a JSON object")


def wait_of(params: Params) -> timedelta | None:
    """Return the time to wait for a final status (`--wait`), or None if it was not given."""
    given = params.get("wait")
    return None if given is None else parse_duration("--wait", given)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _help(argument: Argument) -> str:
    where = "Header " if argument.place is ArgumentPlace.HEADER else ""
    values = f": {' or '.join(argument.values)}" if argument.values else ""
    limit = f", {argument.maximum} at most" if argument.maximum else ""
    needed = "  [required]" if argument.is_required else ""
    return f"{where}{argument.wire}{values}{limit}.{needed}"


def _value(argument: Argument, given: str) -> object:
    match argument.kind:
        case ArgumentKind.TEXT:
            return given
        case ArgumentKind.TIME:
            return parse_moment(_option(argument.name), given)
        case ArgumentKind.JSON if not given.lstrip().startswith(("{", "[", "@")):
            return given  # an id in the place of an object
        case ArgumentKind.INTEGER if argument.place is ArgumentPlace.BODY and not given:
            return given  # the specification allows an empty text in some bodies
        case _:
            return _json(argument.name, given)


def _json(name: str, given: str) -> Json:
    text = given
    if given.startswith("@"):
        text = read_small_file(given[1:], _MIB)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ConfigurationError(
            f"{_option(name)} must be JSON, or @FILE with a file of JSON, not {given[:40]!r}"
        ) from None
