"""`segue sandbox`: the platform on this machine, for programs that call it and are called back."""

from typing import Final

import click

from segue.cli.credentials import CREDENTIALS
from segue.cli.options import Params, command, option_group

_server = option_group("The server")
_PORT: Final = click.IntRange(0, 65535)

_OPTIONS: Final = (
    _server("--host", "Address to listen on.", default="127.0.0.1"),
    _server("--port", "Port to listen on; 0 chooses one.", type=_PORT, default=8090),
    _server("--seed N", "Of the ids of the contact center it begins with.", type=int, default=0),
    _server("--to URL", "Deliver the events of transfers to this server, by its hook."),
    *CREDENTIALS,
)


@command(*_OPTIONS)
def sandbox(params: Params) -> int:
    """Serve the platform itself, to test against.

    All endpoints of its specification with state in memory, a small contact center to begin with,
    and callbacks to URLs on this machine. A token is printed. The credentials are those for --to.
    """
    from segue.cli.sandbox_run import run  # the help needs no extra

    return run(params)
