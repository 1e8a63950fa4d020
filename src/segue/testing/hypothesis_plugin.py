"""A Hypothesis plugin that makes `st.from_type` work for the public types of this package.

Hypothesis loads this module on every import, so it is small and never raises. Types are registered
when their package is imported, and a strategy is built when it is first used.
"""

import atexit
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

_TYPES: Final = {
    "segue.core.findings": ("Finding", "Place", "Policy", "Rule"),
    "segue.core.segments": ("Connection", "Metrics", "Segment"),
    "segue.core.conversation": ("ControlResult", "Conversation", "FeedResult", "Report"),
}
"""The names of public types by package. Hypothesis needs no strategies for enumerations."""


class _Watch:
    """An import finder that registers the types of a package after its import."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the spec of a package in `_TYPES`, or None for other modules.

        The loader of the spec registers the types of the package after it has executed the module.
        """
        if fullname not in _TYPES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_register(module: ModuleType) -> None:
                execute(module)
                _register(module)

            with suppress(AttributeError):
                spec.loader.exec_module = execute_and_register  # type: ignore[method-assign]
        return spec


def register() -> None:
    """Register the public types of imported packages now, and those of others on import."""
    for package in _TYPES:
        if package in sys.modules:
            _register(sys.modules[package])
    if not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        watch = _Watch()
        sys.meta_path.insert(0, watch)
        atexit.register(_leave, watch)


def _leave(watch: _Watch) -> None:
    """Remove the finder, which would slow down the exit of the interpreter."""
    with suppress(ValueError):
        sys.meta_path.remove(watch)


def _register(module: ModuleType) -> None:
    with suppress(Exception):
        strategies = import_module("hypothesis.strategies")
        for name in _TYPES[module.__name__]:
            strategies.register_type_strategy(getattr(module, name), _strategy)


def _strategy(thing: type) -> object:
    return import_module("segue.testing.type_strategies").STRATEGIES[thing]
