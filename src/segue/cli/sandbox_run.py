"""The simulated platform that `segue sandbox` runs, on the same server as `segue serve`."""

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_urlsafe
from threading import Event, Thread
from typing import Any, Final

from segue.cli.client import ServerClient
from segue.cli.credentials import sign_token, token_source
from segue.cli.hook_backend import hook_backend, store_view, url_view
from segue.cli.options import Params
from segue.cli.server import Server, listening_socket, log_to_stderr, url_of
from segue.cli.terminal import stdout
from segue.cli.user_files import open_file, read_toml_file, refuse_input
from segue.core.errors import ConfigurationError, SegueError
from segue.platform.sandbox import FaultPlan, PostSender, Sandbox, SandboxClock, post_to_loopback
from segue.platform.sandbox.answering import FAULT_HEADER
from segue.platform.sandbox.faults import TruthLine, read_shares
from segue.server import JwtAuth
from segue.server.adapters.asgi_app import AsgiApp, AsgiMessage, AsgiReceive, AsgiSend
from segue.server.stores.address import sqlite_path
from segue.testing.conversation_run import ConversationOptions, ConversationRun
from segue.testing.run_verdict import RunVerdict

_TICK: Final = 0.2
"""Seconds between two checks for scheduled events that are due."""
_UNITS: Final = {"s": 1.0, "sec": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0}
_TIMEOUT: Final = 60.0
_READ: Final = ("faults", "keep", "token_file", "secret_file")
"""The options that name input files."""
_WELCOME: Final = """segue sandbox listens on {url}

Call it, from another terminal:

  export SEGUE_PLATFORM={url} SEGUE_PLATFORM_TOKEN={token}
  curl $SEGUE_PLATFORM/agentdesk/api/v1/public/st-1/queues -H "auth: $SEGUE_PLATFORM_TOKEN"
  segue call queues.list --stream st-1

What there is, and what it posted to callback URLs:

  {url}/sandbox/page#token={token}

"""


def run(params: Params) -> int:
    """Serve the platform until a signal comes or all conversations are sent.

    Return the exit code of the command.
    """
    secret = token_urlsafe(48)
    with ExitStack() as stack:
        faults = FaultPlan(_shares(params), params["seed"], _truth(params, stack))
        executor = stack.enter_context(ThreadPoolExecutor(1, "segue-sandbox-post"))
        token = token_source(params) if params["to"] else None
        posts = PostSender(post_to_loopback, executor, params["to"], token)
        is_held = params["pace"] is not None
        clock = SandboxClock(None if is_held else lambda: datetime.now(UTC))
        auth = JwtAuth(secret=secret)
        sandbox = Sandbox(
            seed=params["seed"],
            clock=clock,
            auth=auth,
            outgoing=posts,
            faults=faults,
            keep=params["keep"],
            pace=params["pace"],
        )
        sending = _Sending(params, sandbox, faults)
        sock = listening_socket(params["host"], params["port"])
        log_to_stderr("text", is_quiet=True)
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # lost answers are intended

        def announce() -> None:
            _announce(url_of(sock), sign_token(secret, {}))
            sending.start(lambda: setattr(server, "should_exit", True))

        async def follow() -> None:
            while True:
                await asyncio.sleep(_TICK)
                sandbox.follow()

        app = _FaultyApp(sandbox, sandbox.state.processor)
        server = Server(app, announce, follow)
        code = server.serve_on(sock)
    return sending.finish(code)


class _FaultyApp(AsgiApp):
    """An ASGI application that loses or delays the answers that the sandbox has marked so."""

    async def __call__(self, scope: AsgiMessage, receive: AsgiReceive, send: AsgiSend) -> None:
        """Answer a request. If the answer is to be lost, send only its status and headers."""
        fault = ""

        async def sending(message: AsgiMessage) -> None:
            nonlocal fault
            if message["type"] == "http.response.start":
                name = FAULT_HEADER.encode()
                fault = dict(message["headers"]).get(name, b"").decode()
                message["headers"] = [pair for pair in message["headers"] if pair[0] != name]
                if fault not in ("", "lost"):
                    await asyncio.sleep(float(fault))
            if fault != "lost" or message["type"] != "http.response.body":
                await send(message)

        await super().__call__(scope, receive, sending)


class _Sending:
    """A thread that sends conversations to the server under test, if options ask for it."""

    def __init__(self, params: Params, sandbox: Sandbox, faults: FaultPlan) -> None:
        self._params, self._faults = params, faults
        self._stop = Event()
        self._error: SegueError | None = None
        self._thread: Thread | None = None
        self._run: ConversationRun | None = None
        wanted = params["conversations"] is not None or params["count"] is not None
        if not wanted:
            return
        if not params["to"]:
            raise ConfigurationError(
                "the server for the conversations is missing: give its URL as --to"
            )
        self._pause = _pause(params["conversations"] or "max")
        options = ConversationOptions(
            seed=params["seed"],
            intakes=("hooks", *params["intake"]),
            spelling=params["spelling"],
            bot_id=params["bot"],
            messages=params["messages"],
        )
        client = ServerClient(params["to"], token_source(params), timeout=_TIMEOUT)
        self._run = ConversationRun(
            hook_backend(client, _view(params, client)),
            options=options,
            faults=faults,
            on_meant=lambda sent: sandbox.note_delivery(
                sent.bot_id, sent.conversation_id, sent.endpoint, sent.body
            ),
        )

    def start(self, on_end: Callable[[], object]) -> None:
        """Start the thread if conversations are to be sent.

        It calls `on_end` after the last conversation, and after an error.
        """
        if self._run is None:
            return

        def send(run: ConversationRun) -> None:
            try:
                run.run(
                    self._params["count"],
                    pause=self._pause,
                    sleep=self._stop.wait,
                    is_stopped=self._stop.is_set,
                )
            except SegueError as error:
                self._error = error
            on_end()

        self._thread = Thread(target=send, args=(self._run,), daemon=True)
        self._thread.start()

    def finish(self, code: int) -> int:
        """Stop the thread, show the verdict on the run, and return the exit code.

        It is 1 if a fault was not survived, else `code`. If the thread failed, raise its error.
        """
        self._stop.set()
        if self._thread is not None:
            self._thread.join(_TIMEOUT)
        if self._error is not None:
            raise self._error
        if self._run is not None or self._faults.counts or self._faults.failed:
            run = self._run
            verdict = run.verdict if run is not None else RunVerdict(self._faults)
            stdout().writelines(f"{line}\n" for line in verdict.lines())
        return int(bool(self._faults.failed)) or code


def _view(params: Params, client: ServerClient) -> Callable[[str], Any] | None:
    if params["view"] and params["store"]:
        raise ConfigurationError("give --view or --store, not both")
    if params["store"]:
        return store_view(params["store"])
    return url_view(params["view"], client) if params["view"] else None


def _pause(rate: str) -> float:
    """Return the seconds between two conversations for a rate: 1.2 for `50/min`, 0 for `max`."""
    if rate == "max":
        return 0.0
    number, _, unit = rate.partition("/")
    try:
        return _UNITS[unit or "min"] / float(number)
    except (KeyError, ValueError, ZeroDivisionError):
        raise ConfigurationError(
            f"--conversations takes a rate such as 50/min, 5/s or max, not {rate!r}"
        ) from None


def _shares(params: Params) -> dict[str, float]:
    table = read_toml_file(params["faults"]) if params["faults"] else {}
    return read_shares(params["fault"], table)


def _truth(params: Params, stack: ExitStack) -> Callable[[TruthLine], object] | None:
    """Open the file of `--truth`, and return a function that writes a record to it as JSON.

    Return None if the option was not given.
    """
    if not params["truth"]:
        return None
    store = sqlite_path(params["store"]) if params["store"] else None
    path, inputs = Path(params["truth"]), [params[name] for name in _READ if params[name]]
    refuse_input(path, inputs if store is None else [*inputs, str(store)], "--truth")
    file = stack.enter_context(open_file(path))
    return lambda line: file.write(f"{json.dumps(line.to_dict())}\n")


def _announce(url: str, token: str) -> None:
    out = stdout()
    out.write(_WELCOME.format(url=url, token=token))
    out.flush()
