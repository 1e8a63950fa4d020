"""Checks of the options of a processor: what cannot be meant is refused."""

import inspect
from collections.abc import Collection
from datetime import timedelta
from typing import Final

from segue.core.errors import ConfigurationError
from segue.core.findings import Policy
from segue.server.processor.callback import Handler, name_of
from segue.server.processor.store import Store

_LONGEST_SHOWN: Final = 60


def check_kinds(store: object, policy: object) -> None:
    """Raise `ConfigurationError` if these are not a store and a policy."""
    if isinstance(store, type) or not isinstance(store, Store):
        raise ConfigurationError(
            f"store must be a store, got {_shown(store)}: "
            'use segue.open_store("sqlite:segue.db") or segue.MemoryStore()'
        )
    if not isinstance(policy, Policy):
        raise ConfigurationError(
            f"policy must be a segue.Policy, got {_shown(policy)}: use segue.Policy(ignore=…)"
        )


def check_times(**spans: timedelta | None) -> None:
    """Raise `ConfigurationError` for a span of time, by its name, that is not a positive one."""
    for name, span in spans.items():
        if not isinstance(span, timedelta | None):
            raise ConfigurationError(
                f"{name} must be a datetime.timedelta, got {_shown(span)}: "
                "use timedelta(days=…) or timedelta(seconds=…)"
            )
        if span is not None and span <= timedelta(0):
            raise ConfigurationError(f"{name} must be positive, got {span}")


def check_instance(name: str, value: object, wanted: type) -> None:
    """Raise `ConfigurationError` for an option that is not of its class."""
    if not isinstance(value, wanted):
        raise ConfigurationError(
            f"{name} must be a {wanted.__name__}, got {_shown(value)}: use {wanted.__name__}(…)"
        )


def checked_handlers(**handlers: Handler | None) -> dict[str, Handler]:
    """Return the handlers that were given; raise `ConfigurationError` for one of another type."""
    for kind, handler in handlers.items():
        if handler is not None and not callable(handler):
            raise ConfigurationError(
                f"on_{kind} must be a function or a coroutine function, got {_shown(handler)}: "
                "give one that takes a segue.server.Callback"
            )
        if handler is not None and not _takes_one(handler):
            raise ConfigurationError(
                f"on_{kind} is called with one argument, a segue.server.Callback, "
                f"and {name_of(handler)} takes {inspect.signature(handler)}"
            )
        if inspect.isgeneratorfunction(handler) or inspect.isasyncgenfunction(handler):
            raise ConfigurationError(
                f"on_{kind}: {name_of(handler)} has a yield in it, so calling it does nothing"
            )
    return {kind: handler for kind, handler in handlers.items() if handler is not None}


def checked_callbacks(
    callbacks: Collection[str], handlers: Collection[str], known: Collection[str]
) -> frozenset[str]:
    """Return the kinds of callbacks that are written: of handlers, or for those of others.

    Raises `ConfigurationError` for other names than `known`, and for both at once.
    """
    if isinstance(callbacks, str) or not isinstance(callbacks, Collection):
        raise ConfigurationError("callbacks=… takes a list; put a single name in brackets")
    for name in callbacks:
        if name not in [*known]:
            raise ConfigurationError(
                f"there is no callback {name}: there are {', '.join(sorted(known))}"
            )
    if callbacks and handlers:
        raise ConfigurationError(
            "callbacks=… is for a process without handlers: leave it out, for processes with "
            "handlers that share a store must have the same ones"
        )
    return frozenset(callbacks or handlers)


def _takes_one(handler: Handler) -> bool:
    """Return whether a function can be called with one argument, as far as Python knows."""
    try:
        inspect.signature(handler).bind(None)
    except TypeError:
        return False
    except ValueError:  # of a builtin
        return True
    return True


def _shown(value: object) -> str:
    """Return a value for a message, without what may be a password."""
    text = repr(value)
    secret = "@" in text or len(text) > _LONGEST_SHOWN
    return f"a {type(value).__name__}" if secret else text
