"""`segue serve`: a server that receives deliveries, keeps them, and answers with findings.

It decides what can be said on the command line; what comes of it is decided in `serving`, which is
loaded when there is something to serve.
"""

from typing import Any, Final

import click

from segue.cli.auth_options import AUTHENTICATION
from segue.cli.option_groups import Sectioned, options, section
from segue.cli.options import SETTINGS
from segue.cli.store_url import STORE

__all__ = ["serve"]

_server = section("The server")
_keep = section("What is kept")

_OPTIONS: Final = (
    _server("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    _server(
        "--port",
        type=click.IntRange(0, 65535),
        default=8080,
        show_default=True,
        help="Port to listen on; 0 is any that is free.",
    ),
    _server(
        "--dev",
        is_flag=True,
        help="To try it: a secret of its own, a request to paste, findings on the terminal.",
    ),
    _server("--prefix", default="", metavar="PATH", help="Before every path, such as /segue."),
    _server(
        "--workers",
        type=click.IntRange(min=1),
        default=1,
        show_default=True,
        metavar="N",
        help="How many processes share the port and the store.",
    ),
    _server(
        "--log-format",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How answers are logged on standard error.",
    ),
    _server("--quiet", "-q", is_flag=True, help="Log only what goes wrong."),
    STORE,
    _keep(
        "--retention",
        metavar="AGE",
        help="Remove conversations so long after their last delivery, such as 90d.",
    ),
    _keep("--no-text", is_flag=True, help="Keep no text of messages and custom fields."),
    _keep(
        "--reject",
        multiple=True,
        metavar="CODES",
        help="Refuse deliveries with these findings.  [default: reject of the settings]",
    ),
    *AUTHENTICATION,
    *SETTINGS,
)


@click.command(cls=Sectioned)
@options(_OPTIONS)
def serve(**given: Any) -> int:  # noqa: ANN401 - click's own
    """Receive deliveries and transcription control, and keep them.

    It stops with SIGTERM or an interrupt: nothing new is accepted then, and what runs is finished.
    """
    from segue.cli.serve_run import run  # noqa: PLC0415 - it loads all of Segue, and needs an extra

    return run(given)
