"""`segue call`: call the platform from a terminal, with a command for each endpoint."""

import os
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

import click

from segue.cli.call_arguments import extra_of, given_arguments, options_of, wait_of
from segue.cli.call_view import (
    explanation,
    item_table,
    members_of,
    request_lines,
    result_lines,
)
from segue.cli.credentials import read_credential
from segue.cli.errors import print_error
from segue.cli.options import (
    HELP_NAMES,
    RATE,
    GroupedCommand,
    Params,
    format_option,
    option_group,
)
from segue.cli.terminal import Output
from segue.core.errors import ConfigurationError
from segue.core.options import closest
from segue.platform.client import CannotPage, Client, Pages, SentRequest
from segue.platform.rows import Endpoint, Paged
from segue.platform.table import ENDPOINTS
from segue.report.json_list import json_list
from segue.report.plurals import pluralize

if TYPE_CHECKING:
    from segue.platform.models.base import AnswerFlaw, PlatformModel

_ROWS: Final = {row.name: row for row in ENDPOINTS}
_FLAWS: Final = 5
_EVERY: Final = timedelta(seconds=5)
_HIDDEN: Final = "***"
"""The text that the output shows in place of the token."""
_platform = option_group("The platform")
_call = option_group("The call")
_OPTIONS: Final = (
    _platform("--url URL", "Base URL.  [default: the environment's SEGUE_PLATFORM]"),
    _platform(
        "--token-env NAME", "Environment variable with the JWT.  [default: SEGUE_PLATFORM_TOKEN]"
    ),
    _platform("--token-file FILE", "File with the JWT."),
    _call("--dialect [reference|samples]", "What is sent where the specification says two things."),
    _call("--timeout SECONDS", "For a call with all its tries.", type=RATE, default=30.0),
    _call("--strict", "Refuse an answer that does not fit the specification."),
    _call("--dry-run", "Show the request instead of sending it; a token is not needed."),
    _call("--explain", "Show what the specification says of the endpoint, and what it does not."),
    format_option("table", "json", text="How results are shown."),
)


class _Endpoints(click.Group):
    """A Click group with a subcommand for each endpoint, which is created when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all endpoints, such as `agents.list`."""
        del ctx
        return list(_ROWS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Create the command of an endpoint. Exit with a usage error if the name is unknown."""
        row = _ROWS.get(cmd_name)
        if row is None:
            if ctx.resilient_parsing:
                return None
            hint = closest(cmd_name, _ROWS, "")
            ctx.fail(f"unknown endpoint {cmd_name!r}{hint and f': {hint}'}")
        return GroupedCommand(
            row.name,
            params=[*options_of(row), *_OPTIONS],
            callback=lambda **values: _run(row, values),
            help=f"{row.title} ({row.number}): {row.method} {row.path}",
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and titles of all endpoints, without creating their commands."""
        del ctx
        with formatter.section("Endpoints"):
            formatter.write_dl([(row.name, f"{row.title} ({row.number}).") for row in ENDPOINTS])


@click.group(cls=_Endpoints, no_args_is_help=False, context_settings=HELP_NAMES)
def call() -> None:
    """Call an endpoint of the platform.

    The token comes from the environment or a file, and is never shown. A value that is JSON may be
    in a file: --users @users.json. Lists are read to their end. What of an answer does not fit the
    specification is an error finding, as is a user that was not created.

    Exit codes: 0 no error finding, 1 error findings, 2 refused or could not run, 130 interrupted.
    """


class _NotSent(Exception):
    """Raised with a request instead of sending it, for `--dry-run`."""


class _Call(NamedTuple):
    """An endpoint and the arguments to call it with, from the command line."""

    row: Endpoint
    arguments: Mapping[str, Any]
    extra: Mapping[str, Any] | None
    wait: timedelta | None

    def result(self, client: Client) -> "PlatformModel":
        """Call the endpoint and return its answer.

        If `wait` is given, repeat the call until the status in the answer is final or the time has
        passed.
        """
        found: PlatformModel = client.call(self.row.number, self.arguments, self.extra)
        if self.wait is None:
            return found
        waited: PlatformModel = client.wait(self.row.number, found, self.wait, _EVERY)
        return waited

    def items(self, client: Client) -> "Pages[PlatformModel]":
        """Call a list endpoint and return an iterator over its items.

        The iterator requests further pages as needed.
        """
        return client.pages(self.row.number, self.arguments, self.extra)


def _run(row: Endpoint, params: Params) -> int:
    output = Output({"color": "auto"})
    if params["explain"]:
        output.write_lines(explanation(row, output.look.columns))
        return 0
    call = _Call(row, given_arguments(row, params), extra_of(params), wait_of(params))
    url = params["url"] or os.environ.get("SEGUE_PLATFORM")
    if params["dry_run"]:
        request = _request(call, params)
        output.write_lines(request_lines(request, url or "{base_url}"))
        return 0
    if not url:
        raise ConfigurationError("the base URL is missing: give --url, or set SEGUE_PLATFORM")
    token = read_credential(params, "token", "SEGUE_PLATFORM_TOKEN")
    if not token:
        raise ConfigurationError(
            "the token is missing: set SEGUE_PLATFORM_TOKEN, or give --token-file"
        )
    with Client(url, token=token, **_settings(params)) as client:
        show = _show_items if isinstance(row.result, Paged) else _show_result
        return int(show(call, client, output, params["format"]))


def _settings(params: Params) -> dict[str, Any]:
    return {
        "strict": params["strict"],
        "dialect": params["dialect"] or "",
        "timeout": timedelta(seconds=params["timeout"]),
    }


def _request(call: _Call, params: Params) -> SentRequest:
    """Return the first request that a call would send, without sending it."""
    try:
        client = Client("https://h", token=_HIDDEN, transport=_Unsent(), **_settings(params))
        if isinstance(call.row.result, Paged):
            next(iter(call.items(client)))
        else:
            call.result(client)
    except _NotSent as instead:
        request: SentRequest = instead.args[0]
        return request
    raise AssertionError("a call begins with a request")


class _Unsent:
    """A transport for `Client` that raises `_NotSent` with each request instead of sending it."""

    def send(self, request: SentRequest, timeout: float) -> NoReturn:
        """Raise `_NotSent` with the request."""
        del timeout
        raise _NotSent(request)


def _show_result(call: _Call, client: Client, output: Output, style: str) -> bool:
    """Call an endpoint and show its answer.

    Return True if the answer violates the specification, or if it lists failures.
    """
    result = call.result(client)
    members = members_of(result)
    if style == "json":
        output.write_json(members, indent=2)
    else:
        output.write_lines(result_lines(members, output.look.columns))
    _show_flaws(result.flaws, result.flaw_count)
    failed = members.get(call.row.failures) if call.row.failures else None
    if failed:
        print_error(f"{call.row.failures} lists {pluralize(len(failed), 'failure')}")
    return bool(result.flaws or failed)


def _show_items(call: _Call, client: Client, output: Output, style: str) -> bool:
    """Call a list endpoint and show the items of all pages.

    Return True if an answer violates the specification.

    Raise `CannotPage` after showing the items if more pages exist but cannot be read.
    """
    pages = call.items(client)
    found: list[dict[str, Any]] = []
    problem = None
    try:
        found.extend(members_of(item) for item in pages)
    except CannotPage as error:
        problem = error
    if style == "json":
        for piece in json_list("[", found, lambda _: "]\n"):
            output.write(piece)
    else:
        output.write_lines(item_table(found, output.look.columns))
    _show_flaws(pages.flaws, pages.flaw_count)
    if problem is not None:
        raise problem
    return bool(pages.flaws)


def _show_flaws(flaws: "Sequence[AnswerFlaw]", count: int) -> None:
    for flaw in flaws[:_FLAWS]:
        print_error(str(flaw))
    if count > _FLAWS:
        print_error(f"and {count - _FLAWS} more violations of the specification")
