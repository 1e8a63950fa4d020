"""Checks of the options of a processor: what cannot be meant is refused."""

from datetime import timedelta
from typing import Final

from segue.errors import ConfigurationError
from segue.findings import Policy
from segue.processor.callback import Handler
from segue.processor.store import Store

_LONGEST_SHOWN: Final = 60


def check_kinds(store: object, policy: object) -> None:
    """Raise `ConfigurationError` if these are not a store and a policy."""
    if not isinstance(store, Store):
        raise ConfigurationError(
            f"store must be a store, got {_shown(store)}: "
            'use segue.open_store("sqlite:segue.db") or segue.MemoryStore()'
        )
    if not isinstance(policy, Policy):
        raise ConfigurationError(
            f"policy must be a segue.Policy, got {_shown(policy)}: use segue.Policy(ignore=…)"
        )


def check_positive(**spans: timedelta | None) -> None:
    """Raise `ConfigurationError` for a span of time, by its name, that is none."""
    for name, span in spans.items():
        if span is not None and span <= timedelta(0):
            raise ConfigurationError(f"{name} must be positive, got {span}")


def checked_handlers(**handlers: Handler | None) -> dict[str, Handler]:
    """Return the handlers that were given; raise `ConfigurationError` for one of another type."""
    for kind, handler in handlers.items():
        if handler is not None and not callable(handler):
            raise ConfigurationError(
                f"on_{kind} must be a function or a coroutine function, got {_shown(handler)}: "
                "give one that takes a segue.Callback"
            )
    return {kind: handler for kind, handler in handlers.items() if handler is not None}


def _shown(value: object) -> str:
    """Return a value for a message, without what may be a password."""
    text = repr(value)
    secret = "@" in text or len(text) > _LONGEST_SHOWN
    return f"a {type(value).__name__}" if secret else text
