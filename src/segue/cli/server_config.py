"""The configuration of a server: one value that is sent to its worker processes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

import segue
from segue.adapters import AsgiApp, asgi
from segue.cli.problem import print_error
from segue.errors import StoreUnavailable
from segue.findings import Policy
from segue.http import NoAuth, Observer
from segue.processor import Processor
from segue.stores.address import open_store, sqlite_path

__all__ = ["ServerConfig"]


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """What is served, at which address, and with which authentication."""

    host: str
    port: int
    store: str = field(repr=False)
    """Its URL."""
    auth: Mapping[str, Any] | None = field(repr=False)
    """Settings of `segue.JwtAuth`, or None without authentication."""
    policy: Policy
    prefix: str = ""
    stores_text: bool = True
    retention: timedelta | None = None
    workers: int = 1
    log_format: Literal["text", "json"] = "text"
    is_quiet: bool = False
    """Whether only problems are logged."""

    @property
    def allows_reading(self) -> bool:
        """Whether there is a permission to read conversations."""
        return self.auth is None or "read" in self.auth.get("scopes", {})

    def processor(self) -> Processor:
        """Return a processor for one process."""
        return Processor(
            store=open_store(self.store),
            policy=self.policy,
            store_text=self.stores_text,
            retention=self.retention,
        )

    def application(self, processor: Processor, *observers: Observer) -> AsgiApp:
        """Return the application for one process."""
        return asgi(
            processor,
            auth=NoAuth() if self.auth is None else segue.JwtAuth(**self.auth),
            prefix=self.prefix,
            observers=observers,
            read=self.allows_reading,
            inspector=self.allows_reading,
        )

    def validate(self) -> None:
        """Raise `SegueError` for what cannot work; an unavailable database server only warns."""
        self.application(self.processor())
        store = open_store(self.store)
        try:
            store.migrate()
        except StoreUnavailable as error:
            if sqlite_path(self.store) is not None:
                raise
            print_error(f"deliveries are answered with 503 for now: {error}")
        finally:
            store.close()
