"""Public names that are loaded when they are first used (PEP 562).

A package lists its names once by the module that defines them, and once more as imports for type
checkers, which report a name that does not exist.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module

from segue.core.errors import ConfigurationError

__all__ = ["lazy_names"]


def lazy_names(
    package: str,
    names: Mapping[str, str],
    *,
    modules: str = "",
    extras: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return the functions `__getattr__` and `__dir__` and the list `__all__` of a package.

    Args:
        package: The full name of the package.
        names: The public names, separated by spaces, by the full name of the module that defines
            them.
        modules: The public modules of the package, separated by spaces. They are imported when they
            are first used, and `dir` does not list them.
        extras: The extra that installs a third-party package, by the name of that package.

    """
    module_of = {name: module for module, each in names.items() for name in each.split()}
    exported = sorted(module_of, key=_order)

    def getattr_(name: str) -> object:
        """Load a public name, or raise `AttributeError`."""
        if name in modules.split():
            return import_module(f"{package}.{name}")
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            module = import_module(module_of[name])
        except ConfigurationError as error:
            value: object = _unavailable(name, package, str(error))
        except ModuleNotFoundError as error:
            extra = (extras or {}).get(error.name or "")
            if extra is None:
                raise
            msg = f'{package}.{name} needs an extra: python -m pip install "segue[{extra}]"'
            raise ConfigurationError(msg) from error
        else:
            value = getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    return getattr_, lambda: exported, exported


def _order(name: str) -> tuple[int, str]:
    """Return a sort key that puts constants first, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _unavailable(name: str, package: str, reason: str) -> type:
    """Return a placeholder for a class whose extra is not installed.

    The placeholder can be imported, listed and documented. Calling it raises `ConfigurationError`
    with `reason` as the message.
    """

    def refuse(*_arguments: object, **_options: object) -> None:
        raise ConfigurationError(reason)

    return type(name, (), {"__new__": refuse, "__module__": package, "__doc__": reason})
