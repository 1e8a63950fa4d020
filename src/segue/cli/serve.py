"""`segue serve`: receive deliveries, store them, and answer with findings."""

from typing import Final

from segue.cli.options import PORT, POSITIVE, SETTINGS_OPTIONS, Params, command, option_group
from segue.cli.server_auth import AUTH_OPTIONS
from segue.cli.store_address import STORE

_server = option_group("The server")
_store = option_group("The store")

_OPTIONS: Final = (
    _server("--host", "Address to listen on.", default="127.0.0.1"),
    _server("--port", "Port to listen on; 0 chooses one.", type=PORT, default=8080),
    _server("--dev", "To try it: a secret, a request to paste, findings on the terminal."),
    _server("--prefix PATH", "Before every path, such as /segue.", default="", show_default=False),
    _server("--workers N", "Processes that share port and store.", type=POSITIVE, default=1),
    _server("--log-format [text|json]", "How requests are logged on stderr.", default="text"),
    _server("--quiet -q", "Log only problems."),
    STORE,
    _store("--retention DURATION", "Remove conversations without a delivery for so long: 90d."),
    _store(
        "--patience DURATION",
        "How long a delivery that is out of order waits for those it overtook: 5s.",
    ),
    _store(
        "--callbacks NAMES...",
        "What a program on the same store has handlers for: call_finished,conversation_ended.",
    ),
    _store("--no-text", "Do not store the text of messages and custom fields."),
    _store("--reject CODES...", "Refuse what gives these findings.  [default: as in the settings]"),
    *AUTH_OPTIONS,
    *SETTINGS_OPTIONS,
)


@command(*_OPTIONS)
def serve(params: Params) -> int:
    """Receive deliveries and transcription control, and store them.

    It stops with SIGTERM or an interrupt: it accepts no more requests then, and finishes those that
    are running.
    """
    from segue.cli.serve_run import run  # the help needs no extra

    return run(params)
