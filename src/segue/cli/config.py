"""Configuration: `[tool.segue]` of the nearest pyproject.toml that has it, or a segue.toml.

Keys are the long options of `segue check`, and the fields of `Policy` that have no option.  House
rules: the command line wins; a setting that is not understood is an error that names the closest
one, because a setting silently ignored is worse than none; a path is relative to the file it
stands in.  This module knows no command line, and programs may use it as well:

    policy = policy_from(configuration())
"""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from segue.errors import ConfigurationError
from segue.findings import Policy
from segue.report.renderers import FORMATS

__all__ = ["KEYS", "Settings", "configuration", "policy_from", "settings_of"]

Settings = Mapping[str, Any]

_SEVERITIES: Final = ("error", "warning", "note")
_POINTERS: Final = (
    "body-at", "time-at", "bot-at", "conversation-at", "delivery-at", "endpoint-at",
)  # fmt: skip
_PATHS: Final = frozenset({"baseline"})

KEYS: Final[Mapping[str, type | tuple[str, ...]]] = {
    "select": list,
    "ignore": list,
    "severity": dict,
    "strict": bool,
    "fail-on": (*_SEVERITIES, "never"),
    "baseline": str,
    "format": FORMATS,
    "partial": ("end", "start", "both"),
    "time-zone": str,
    "day-first": bool,
    "sort": ("received_at",),
    "jobs": int,
    "sort-memory": str,
    **dict.fromkeys(_POINTERS, str),
    "reject": list,
    "transcription": ("enforce", "observe"),
}
"""Each setting with its type, or the texts it may be."""

_WORDS: Final = {
    list: "a list of strings",
    bool: "true or false",
    str: "a string",
    int: "a whole number",
}


def settings_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that a command line asks for by `--config` and `--no-config`."""
    if given.get("no_config"):
        return {}
    return configuration(Path(given["config"]) if given.get("config") else None)


def configuration(path: Path | None = None, *, start: Path | None = None) -> dict[str, Any]:
    """Return the settings of a file, or of the nearest one upwards from `start`; else none."""
    if path is not None:
        return _settings(path, _table(_read(path), path) or {})
    start = (start or Path.cwd()).absolute()
    for folder in (start, *start.parents):
        for name in ("segue.toml", "pyproject.toml"):
            file = folder / name
            if file.is_file():
                table = _table(_read(file), file)
                if table is not None:
                    return _settings(file, table)
    return {}


def policy_from(settings: Settings) -> Policy:
    """Return the policy that settings describe."""
    return Policy(
        select=tuple(settings.get("select", ())),
        ignore=tuple(settings.get("ignore", ())),
        severity=settings.get("severity", {}),
        strict=settings.get("strict", False),
        reject=tuple(settings.get("reject", ())),
        transcription=settings.get("transcription", "enforce"),
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror or error}"
        raise ConfigurationError(msg) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        msg = f"{path} is no TOML: {error}"
        raise ConfigurationError(msg) from error


def _table(document: dict[str, Any], path: Path) -> dict[str, Any] | None:
    """Return our table; None: the file is not about us."""
    if path.name == "pyproject.toml":
        document = document.get("tool", {})
        table = document.get("segue")
    else:
        table = document.get("segue", document)
    if table is not None and not isinstance(table, dict):
        msg = f"{path}: segue is a table, not {table!r}"
        raise ConfigurationError(msg)
    return table


def _settings(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    for key, value in table.items():
        if key not in KEYS:
            close = get_close_matches(key, KEYS, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(KEYS)}"
            msg = f"{path}: there is no setting {key!r}: {hint}"
            raise ConfigurationError(msg)
        wanted = _wanted(key, value)
        if wanted is not None:
            msg = f"{path}: {key} is {wanted}, not {value!r}"
            raise ConfigurationError(msg)
    return {
        key: str(path.parent / value) if key in _PATHS else value for key, value in table.items()
    }


def _wanted(key: str, value: object) -> str | None:
    """Return what the value should have been; None: it is."""
    kind = KEYS[key]
    if isinstance(kind, tuple):
        return None if value in kind else f"one of {', '.join(kind)}"
    if kind is dict:
        fits = isinstance(value, dict) and all(rank in _SEVERITIES for rank in value.values())
        return None if fits else "a table of codes, each error, warning or note"
    fits = isinstance(value, kind)
    if isinstance(value, list):
        fits = fits and all(isinstance(item, str) for item in value)
    return None if fits else _WORDS[kind]
