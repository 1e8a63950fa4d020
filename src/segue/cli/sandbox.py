"""`segue sandbox`: serve the platform on this machine, for tests of programs that use it."""

from typing import Final

from segue.cli.credentials import CREDENTIALS
from segue.cli.options import COUNT, MESSAGES, PORT, Params, command, option_group

_server = option_group("The server")
_conversations = option_group("Conversations that are sent")
_faults = option_group("Faults")

_OPTIONS: Final = (
    _server("--host", "Address to listen on.", default="127.0.0.1"),
    _server("--port", "Port to listen on; 0 chooses one.", type=PORT, default=8090),
    _server(
        "--seed N",
        "The same seed gives the same contact center and the same faults.",
        type=int,
        default=0,
    ),
    _server(
        "--pace N",
        "Trainings, campaigns and the like go on each time they were read N times; what is never "
        "read goes on at once, and with 0 everything does.  [default: by the clock]",
        type=COUNT,
    ),
    _server("--keep FILE", "Keep the state in this file, and go on from it."),
    _server("--to URL", "Post events to this server, as the platform posts to its webhook."),
    _conversations(
        "--conversations RATE", "Send conversations to that server, such as 50/min, 5/s or max."
    ),
    _conversations("--count N", "Stop after so many, and say what became of them.", type=COUNT),
    _conversations("--bot ID", "The bot of all conversations.  [default: two bots]"),
    _conversations(
        "--intake [transcription|notifications]...",
        "What that server takes apart from events: transcription actions, call notifications.",
    ),
    _conversations(
        "--spelling TITLE",
        "How fields are spelled: mixed, plain, or the title of an accepted spelling.",
        default="mixed",
    ),
    _conversations("--messages MEAN", "Messages between two events.", type=MESSAGES, default=1.0),
    _faults(
        "--fault NAME...",
        "Make this mistake; NAME=0.2 in a fifth of the cases; all makes each of them.",
    ),
    _faults(
        "--faults FILE", "Make the mistakes of a TOML file, with a line NAME = SHARE for each."
    ),
    _faults(
        "--view URL",
        "Where the server shows a conversation, with {conversationId} in it; what it knows is "
        "compared with the truth.",
    ),
    _faults("--store ADDRESS", "Compare what is in the store of the server, instead."),
    _faults("--truth FILE", "Write what really happened to this file, as JSON lines."),
    *CREDENTIALS,
)


@command(*_OPTIONS)
def sandbox(params: Params) -> int:
    """Serve the platform itself, to test against.

    All endpoints of its specification with state, a small contact center to begin with, and
    callbacks to URLs on this machine. A token is printed. With --to, events are delivered to your
    server, with the credentials given; with --conversations, whole conversations are.

    The exit code is 0 if every fault was survived, 1 if one was not.
    """
    from segue.cli.sandbox_run import run

    return run(params)
