"""Checks of the options of a store: what cannot be meant is refused before anything is opened."""

from math import inf

from segue.core.errors import ConfigurationError


def check_seconds(timeout: object) -> None:
    """Raise `ConfigurationError` for what is not a time to wait."""
    if not isinstance(timeout, int | float) or not 0 <= timeout < inf:
        raise ConfigurationError(f"timeout is a number of seconds, got {timeout!r}")


def check_count(name: str, count: object) -> None:
    """Raise `ConfigurationError` for an option, by its name, that is not a number from 1 on."""
    if not isinstance(count, int) or count < 1:
        raise ConfigurationError(f"{name} is a number from 1 on, got {count!r}")
