"""Runs the sandbox that the options of `segue sandbox` describe, on the server of `segue serve`."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from secrets import token_urlsafe
from typing import Final

import segue
from segue.adapters import AsgiApp
from segue.cli.credentials import sign_token, token_source
from segue.cli.log_format import log_to_stderr
from segue.cli.options import Params
from segue.cli.server import Server, ServerConfig, listening_socket, url_of
from segue.cli.terminal import stdout
from segue.findings import Policy
from segue.sandbox import PostSender, Sandbox, SandboxClock, post_to_loopback

_TICK: Final = 0.2
"""Seconds between two looks at what is due."""
_WELCOME: Final = """segue sandbox listens on {url}

Call it, from another terminal:

  export SEGUE_TOKEN={token}
  curl {url}/agentdesk/api/v1/public/st-1/queues -H "auth: $SEGUE_TOKEN"

What there is, and what it posted to callback URLs:

  curl {url}/sandbox -H "auth: $SEGUE_TOKEN"
  curl {url}/sandbox/sent -H "auth: $SEGUE_TOKEN"

"""


def run(params: Params) -> int:
    """Serve until a signal comes; return the exit code."""
    secret = token_urlsafe(48)
    with ThreadPoolExecutor(1, "segue-sandbox-post") as executor:
        posts = PostSender(
            post_to_loopback, executor, params["to"], token_source(params) if params["to"] else None
        )
        clock = SandboxClock(lambda: datetime.now(UTC))
        auth = segue.JwtAuth(secret=secret)
        sandbox = Sandbox(seed=params["seed"], clock=clock, auth=auth, outgoing=posts)
        config = ServerConfig(
            host=params["host"], port=params["port"], store="memory:", auth=None, policy=Policy()
        )
        sock = listening_socket(config.host, config.port)
        log_to_stderr("text", is_quiet=True)
        announce = partial(_announce, url_of(sock), sign_token(secret, {}))
        app = AsgiApp(sandbox, sandbox.state.processor)
        return Server(config, app, announce, partial(_follow, sandbox)).serve_on(sock)


def _announce(url: str, token: str) -> None:
    out = stdout()
    out.write(_WELCOME.format(url=url, token=token))
    out.flush()


async def _follow(sandbox: Sandbox) -> None:
    """Have happen what is due, until cancelled."""
    while True:
        await asyncio.sleep(_TICK)
        sandbox.follow()
