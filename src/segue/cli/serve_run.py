"""Serving: from the options of `segue serve` to a server that answers.

It decides which options go together.  House rules: what cannot be meant is said before anything
listens; the line with the address comes when connections are accepted, and not before.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from segue.cli.auth_options import who_may
from segue.cli.dev_server import Trial
from segue.cli.durations import age
from segue.cli.log_format import record
from segue.cli.policy import live_policy
from segue.cli.server import Server, listening, url_of
from segue.cli.server_config import Plan
from segue.cli.store_url import address_of, shown
from segue.cli.supervisor import Workers
from segue.cli.terminal import stdout
from segue.errors import ConfigurationError
from segue.http import LogObserver
from segue.stores.address import is_memory

__all__ = ["run"]


def run(given: Mapping[str, Any]) -> int:
    """Serve as the options say, until it is told to stop; return the exit code."""
    auth = who_may(given)
    trial = Trial() if given["dev"] else None
    plan = Plan(
        host=given["host"],
        port=given["port"],
        store=address_of(given["store"]),
        auth=auth if trial is None else trial.auth,
        policy=live_policy(given),
        prefix=given["prefix"],
        keeps_text=not given["no_text"],
        retention=age("--retention", given["retention"]) if given["retention"] else None,
        workers=given["workers"],
        log_format=given["log_format"],
        is_quiet=given["quiet"] or trial is not None,
    )
    _refuse(plan, trial)
    plan.try_out()
    sock = listening(plan.host, plan.port)
    url = url_of(sock, plan.prefix)
    announce = partial(_announce, url, plan, trial)
    if plan.workers > 1:
        return Workers(plan, sock, announce).run()
    record(plan.log_format, is_quiet=plan.is_quiet)
    processor = plan.processor()
    if trial is None:
        server = Server(plan, plan.application(processor, LogObserver()), announce)
    else:
        app = plan.application(processor, trial.refused)
        server = Server(plan, app, announce, partial(trial.follow, processor))
    return server.serve_on(sock)


def _refuse(plan: Plan, trial: Trial | None) -> None:
    if plan.workers > 1 and trial is not None:
        raise ConfigurationError("--dev is one process: leave out --workers")
    if plan.workers > 1 and is_memory(plan.store):
        raise ConfigurationError(
            "several workers cannot share memory: give --store sqlite:FILE or postgresql://…"
        )


def _announce(url: str, plan: Plan, trial: Trial | None) -> None:
    out = stdout()
    out.write(f"segue listens on {url} and keeps conversations in {shown(plan.store)}\n")
    if trial is not None:
        out.writelines(f"{line}\n" for line in trial.welcome(url))
    out.flush()
