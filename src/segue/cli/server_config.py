"""The plan of a server: all that its processes have to know, as one value that can be sent to them.

It decides how the parts of Segue are put together for `segue serve`.  House rule: what is wrong
with a plan is said when it is tried, once, before anything listens.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal

from segue.adapters import AsgiApp, asgi
from segue.cli.problem import complain
from segue.errors import StoreUnavailable
from segue.findings import Policy
from segue.http import NoAuth, Observer
from segue.processor import Processor
from segue.stores.address import open_store, sqlite_path

__all__ = ["Plan"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is served, where, and to whom."""

    host: str
    port: int
    store: str = field(repr=False)
    """Its address."""
    auth: Mapping[str, Any] | None = field(repr=False)
    """Settings of `segue.JwtAuth`; None: everybody may do everything."""
    policy: Policy
    prefix: str = ""
    keeps_text: bool = True
    retention: timedelta | None = None
    workers: int = 1
    log_format: Literal["text", "json"] = "text"
    is_quiet: bool = False
    """Whether only what goes wrong is logged."""

    @property
    def is_read(self) -> bool:
        """Whether anybody may read conversations."""
        return self.auth is None or "read" in self.auth.get("scopes", {})

    def processor(self) -> Processor:
        """Make the processor of one process."""
        return Processor(
            store=open_store(self.store),
            policy=self.policy,
            store_text=self.keeps_text,
            retention=self.retention,
        )

    def application(self, processor: Processor, *observers: Observer) -> AsgiApp:
        """Make the application of one process."""
        if self.auth is None:
            return asgi(processor, auth=NoAuth(), **self._options(observers))
        from segue.http.jwt import JwtAuth  # noqa: PLC0415 - it needs its extra

        return asgi(processor, auth=JwtAuth(**self.auth), **self._options(observers))

    def _options(self, observers: tuple[Observer, ...]) -> Any:  # noqa: ANN401 - a typed dictionary
        reading = {"read": self.is_read, "inspector": self.is_read}
        return {"prefix": self.prefix, "observers": observers, **reading}

    def try_out(self) -> None:
        """Raise what is wrong with it; a database server that is away may come back later."""
        self.application(self.processor())
        store = open_store(self.store)
        try:
            store.migrate()
        except StoreUnavailable as error:
            if sqlite_path(self.store) is not None:
                raise
            complain(f"deliveries are answered with 503 for now: {error}")
        finally:
            store.close()
