"""`segue serve`: a server that receives deliveries, stores them, and answers with findings."""

from typing import Final

import click

from segue.cli.auth_options import AUTH_OPTIONS
from segue.cli.options import SETTINGS_OPTIONS, Params, command, option_group
from segue.cli.store_address import STORE

_server = option_group("The server")
_store = option_group("The store")

_OPTIONS: Final = (
    _server("--host", "Address to listen on.", default="127.0.0.1"),
    _server(
        "--port",
        "Port to listen on; 0 chooses a free one.",
        type=click.IntRange(0, 65535),
        default=8080,
    ),
    _server(
        "--dev", "To try it: a secret of its own, a request to paste, findings on the terminal."
    ),
    _server("--prefix PATH", "Before every path, such as /segue.", default="", show_default=False),
    _server(
        "--workers N",
        "How many processes share the port and the store.",
        type=click.IntRange(min=1),
        default=1,
    ),
    _server(
        "--log-format [text|json]", "How requests are logged on standard error.", default="text"
    ),
    _server("--quiet -q", "Log only problems."),
    STORE,
    _store(
        "--retention DURATION",
        "Remove conversations this long after their last delivery, such as 90d.",
    ),
    _store("--no-text", "Do not store the text of messages and custom fields."),
    _store(
        "--reject CODES",
        "Refuse deliveries with these findings.  [default: reject of the settings]",
        multiple=True,
    ),
    *AUTH_OPTIONS,
    *SETTINGS_OPTIONS,
)


@command(*_OPTIONS)
def serve(params: Params) -> int:
    """Receive deliveries and transcription control, and store them.

    It stops with SIGTERM or an interrupt: it accepts no more requests then, and finishes those that
    are running.
    """
    from segue.cli.serve_run import run  # noqa: PLC0415 - the help needs no extra

    return run(params)
