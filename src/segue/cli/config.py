"""Configuration: `[tool.segue]` of the nearest pyproject.toml, or a segue.toml.

Keys are the long options of `segue check`; the command line wins.  An unknown key is an error that
names the closest one, because a setting that is silently ignored is worse than none.
"""

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from segue.errors import ConfigurationError
from segue.findings import Policy

__all__ = ["configuration", "policy_from"]

_LISTS: Final = frozenset({"select", "ignore", "reject"})
_TEXTS: Final = frozenset(
    {
        "fail-on",
        "time-zone",
        "partial",
        "body-at",
        "time-at",
        "bot-at",
        "conversation-at",
        "baseline",
        "transcription",
    },
)
_KEYS: Final = _LISTS | _TEXTS | {"strict", "severity"}


def configuration(path: Path | None = None, *, start: Path | None = None) -> dict[str, Any]:
    """Return the settings of a file, or of the nearest one upwards from `start`; else none."""
    found = path or _nearest(start or Path.cwd())
    if found is None:
        return {}
    try:
        document = tomllib.loads(found.read_text("utf-8"))
    except OSError as error:
        msg = f"{found} cannot be read: {error.strerror or error}"
        raise ConfigurationError(msg) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        msg = f"{found} is no TOML: {error}"
        raise ConfigurationError(msg) from error
    settings = _table(document, found)
    for key, value in settings.items():
        _examine(found, key, value)
    return settings


def policy_from(settings: dict[str, Any]) -> Policy:
    """Return the policy that settings describe."""
    return Policy(
        select=tuple(settings.get("select", ())),
        ignore=tuple(settings.get("ignore", ())),
        severity=settings.get("severity", {}),
        strict=settings.get("strict", False),
        reject=tuple(settings.get("reject", ())),
        transcription=settings.get("transcription", "enforce"),
    )


def _nearest(start: Path) -> Path | None:
    for folder in (start, *start.parents):
        own = folder / "segue.toml"
        if own.is_file():
            return own
        project = folder / "pyproject.toml"
        if project.is_file():
            return project
    return None


def _table(document: dict[str, Any], path: Path) -> dict[str, Any]:
    if path.name == "pyproject.toml":
        table = document.get("tool", {}).get("segue", {})
    else:
        table = document.get("segue", document)
    if not isinstance(table, dict):
        msg = f"{path}: segue is a table, [tool.segue], not {type(table).__name__}"
        raise ConfigurationError(msg)
    return table


def _examine(path: Path, key: str, value: object) -> None:
    if key not in _KEYS:
        close = get_close_matches(key, _KEYS, 1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(sorted(_KEYS))}"
        msg = f"{path}: there is no setting {key!r}{hint}"
        raise ConfigurationError(msg)
    if key in _LISTS:
        fits, wanted = isinstance(value, list) and all(isinstance(v, str) for v in value), "a list"
    elif key in _TEXTS:
        fits, wanted = isinstance(value, str), "a string"
    elif key == "strict":
        fits, wanted = isinstance(value, bool), "true or false"
    else:
        fits, wanted = isinstance(value, dict), "a table of codes and severities"
    if not fits:
        msg = f"{path}: {key} takes {wanted}, not {value!r}"
        raise ConfigurationError(msg)
