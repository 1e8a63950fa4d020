"""What `import hypothesis` runs, so that `from_type` knows the public types of this package.

Every import of Hypothesis runs it, so it is small and never raises. A type is registered when its
package is imported, and its strategy is built when it is first drawn from.
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
"""Packages and the public types in them; Hypothesis draws enumerations by itself."""


class _Watch:
    """Registers the types of a package as soon as it has been imported."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a package as usual, and register its types once it is executed."""
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
    """Register the public types, now or when they are imported."""
    for package in _TYPES:
        if package in sys.modules:
            _register(sys.modules[package])
    if not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        watch = _Watch()
        sys.meta_path.insert(0, watch)
        atexit.register(_leave, watch)


def _leave(watch: _Watch) -> None:
    """Take the finder away, which would slow down the end of the interpreter."""
    with suppress(ValueError):
        sys.meta_path.remove(watch)


def _register(module: ModuleType) -> None:
    with suppress(Exception):
        strategies = import_module("hypothesis.strategies")
        for name in _TYPES[module.__name__]:
            strategies.register_type_strategy(getattr(module, name), _strategy)


def _strategy(thing: type) -> object:
    return import_module("segue.testing.type_strategies").STRATEGIES[thing]
