"""What `import hypothesis` runs, so that `from_type` knows our public types without being told.

House rules: tiny, for every import of Hypothesis pays for it; lazy, for a type is registered when
its room is imported, by whomever, and its strategy is made when it is first drawn from; it never
raises, for that would break Hypothesis for everybody.
"""

import atexit
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final

__all__ = ["register"]

_TYPES: Final = {
    "segue.findings": ("Finding", "Place", "Policy", "Rule"),
    "segue.segments": ("Connection", "Metrics", "Segment"),
    "segue.conversation": ("Control", "Conversation", "Report", "Step"),
}
"""Rooms and the public types in them; enumerations need nobody's help."""


class _Watch:
    """Registers the types of a room as soon as it has been imported."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Find a room as usual, and have its types registered afterwards."""
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
    """Have the public types registered, now or when they are imported."""
    for room in _TYPES:
        if room in sys.modules:
            _register(sys.modules[room])
    if not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        watch = _Watch()
        sys.meta_path.insert(0, watch)
        atexit.register(_leave, watch)


def _leave(watch: _Watch) -> None:
    """Watch no more: an interpreter that ends with it takes some milliseconds longer."""
    with suppress(ValueError):
        sys.meta_path.remove(watch)


def _register(module: ModuleType) -> None:
    with suppress(Exception):
        from hypothesis import strategies  # noqa: PLC0415 - it is being imported, or was

        for name in _TYPES[module.__name__]:
            strategies.register_type_strategy(getattr(module, name), _strategy)


def _strategy(thing: type) -> Any:  # noqa: ANN401 - a strategy of that type
    values = import_module("segue.testing.type_strategies")
    return values.STRATEGIES[thing]
