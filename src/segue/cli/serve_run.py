"""The server that `segue serve` runs with its options."""

from functools import partial
from typing import Final

from segue.cli.config import policy_of, settings_of
from segue.cli.dev_server import DevServer
from segue.cli.options import Params, parse_duration, split_lists
from segue.cli.server import Server, ServerConfig, listening_socket, log_to_stderr, url_of
from segue.cli.server_auth import auth_settings, callback_secret
from segue.cli.store_address import store_address, store_label
from segue.cli.supervisor import Supervisor
from segue.cli.terminal import stdout
from segue.core.errors import ConfigurationError
from segue.server.http import LogObserver
from segue.server.stores.address import is_memory

_PASSED: Final = ("host", "port", "prefix", "workers", "log_format")
"""The options that are passed to `ServerConfig` unchanged, under their own names."""


def run(params: Params) -> int:
    """Serve until a signal comes, and return the exit code of the command.

    Raise `ConfigurationError` before listening if options contradict each other.
    """
    auth = auth_settings(params)
    dev = DevServer() if params["dev"] else None
    retention, patience = params["retention"], params["patience"]
    config = ServerConfig(
        **{name: params[name] for name in _PASSED},
        store=store_address(params["store"]),
        auth=auth if dev is None else dev.auth,
        callback_secret=callback_secret(params),
        allow_hosts=(params["host"], *params["allow_host"]),
        policy=policy_of(settings_of(params), params),
        stores_text=not params["no_text"],
        retention=parse_duration("--retention", retention) if retention else None,
        patience=parse_duration("--patience", patience) if patience else None,
        callbacks=split_lists(params["callbacks"]),
        is_quiet=params["quiet"],
    )
    _refuse(config, dev)
    config.validate()
    sock = listening_socket(config.host, config.port)
    announce = partial(_announce, url_of(sock, config.prefix), config, dev)
    if config.workers > 1:
        return Supervisor(config, sock, announce).run()
    log_to_stderr(config.log_format, is_quiet=config.is_quiet)
    processor = config.processor()
    observer = LogObserver() if dev is None else dev.show_refused
    follow = None if dev is None else partial(dev.follow, processor)
    return Server(config.application(processor, observer), announce, follow).serve_on(sock)


def _refuse(config: ServerConfig, dev: DevServer | None) -> None:
    if config.workers > 1 and dev is not None:
        raise ConfigurationError("--dev runs in one process: leave out --workers")
    if config.workers > 1 and is_memory(config.store):
        raise ConfigurationError(
            "several workers cannot share a store in memory: "
            "give --store sqlite:FILE or postgresql://…"
        )


def _announce(url: str, config: ServerConfig, dev: DevServer | None) -> None:
    out = stdout()
    out.write(f"segue listens on {url} and stores conversations in {store_label(config.store)}\n")
    if dev is not None:
        out.write(dev.welcome(url))
    out.flush()
