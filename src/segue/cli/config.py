"""Settings from the nearest pyproject.toml with a table `[tool.segue]`, or from a segue.toml.

The keys are the long options of `segue check`, and the fields of `Policy` that have no option.
Options on the command line override settings. A path is relative to the file that contains it.
Programs can use this module as well: `policy = policy_of(configuration())`.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from segue.cli.errors import print_error
from segue.cli.options import LINES, PLATFORMS, POINTERS, SORTS, Params, selectors, split_lists
from segue.cli.user_files import open_file, read_small_file, read_toml, read_toml_file
from segue.core.errors import ConfigurationError
from segue.core.findings import Policy, Severity
from segue.core.options import closest
from segue.report.renderers import FORMATS

Settings = Mapping[str, Any]

_NONE: Final[Settings] = MappingProxyType({})
_SEVERITIES: Final = tuple(severity.value for severity in Severity)
_PATHS: Final = frozenset({"baseline"})

KEYS: Final[Mapping[str, type | tuple[str, ...]]] = {
    "select": list,
    "ignore": list,
    "ignores": list,
    "severity": dict,
    "strict": bool,
    "fail-on": (*_SEVERITIES, "never"),
    "baseline": str,
    "format": FORMATS,
    "partial": ("end", "start", "both"),
    "allow-empty": bool,
    "time-zone": str,
    "day-first": bool,
    "time-format": str,
    "sort": SORTS,
    "once": bool,
    "no-sort": bool,
    "key": ("bot", "conversation"),
    "race": str,
    "window": int,
    "most-ended": int,
    "jobs": int,
    "sort-memory": str,
    "lines": LINES,
    **dict.fromkeys(POINTERS, str),
    "skip-others": bool,
    "from": PLATFORMS,
    "reject": list,
    "require": list,
    "transcription": ("enforce", "observe"),
}
"""The type of each setting, or a tuple of its allowed values."""

_EXPECTED: Final = {
    list: "a list of strings",
    bool: "true or false",
    str: "a string",
    int: "a whole number",
}


def settings_of(params: Params) -> dict[str, Any]:
    """Return the settings for a command, as a dictionary from names to values.

    The options `--config` and `--no-config` in `params` select the file. Without a file, the
    dictionary is empty.
    """
    path = settings_path(params)
    return {} if path is None else configuration(path)


def settings_path(params: Params) -> Path | None:
    """Return the path of the settings file for a command, or None if there is no such file.

    It is the file given with `--config`. Without this option, it is the nearest file in the current
    folder or a folder above it. With `--no-config`, return None.
    """
    if params.get("no_config"):
        if params.get("config"):
            raise ConfigurationError("--config and --no-config contradict each other: give one")
        return None
    return Path(params["config"]) if params.get("config") else settings_file(Path.cwd())


def configuration(path: Path | None = None, *, start: Path | None = None) -> dict[str, Any]:
    """Return the settings in a file, by default in the nearest one in `start` or above it.

    If there is no settings file, the dictionary is empty. Raise `ConfigurationError` for a file
    that cannot be read and for unknown or invalid settings.
    """
    path = path or settings_file(start or Path.cwd())
    return {} if path is None else _settings(path, _table(read_toml_file(path), path) or {})


def settings_file(start: Path) -> Path | None:
    """Return the nearest settings file in the folder `start` or in a folder above it.

    Return None if no folder has a segue.toml, or a pyproject.toml with a table `[tool.segue]`.
    """
    start = start.absolute()
    for folder in (start, *start.parents):
        for name in ("segue.toml", "pyproject.toml"):
            file = folder / name
            if file.is_file() and _table(read_toml_file(file), file) is not None:
                return file
    return None


def write_settings(values: Mapping[str, object], path: Path | None = None) -> None:
    """Write settings into a file, and remove those whose value is None from it.

    Without a path, edit the nearest settings file, or create segue.toml. Raise `ConfigurationError`
    for a file with a format that cannot be edited.
    """
    path = path or settings_file(Path.cwd()) or Path("segue.toml")
    text = read_small_file(path) if path.exists() else ""
    edited = _with_settings(path, text, values)
    with open_file(path) as stream:
        stream.write(edited)
    print_error(f"written to {path}")


def _with_settings(path: Path, text: str, values: Mapping[str, object]) -> str:
    """Return the text of a settings file with `values` set. A value of None removes a setting."""
    lines = text.splitlines()
    header = "[tool.segue]" if path.name == "pyproject.toml" else "[segue]"
    named = [number for number, line in enumerate(lines) if line.strip() == header]
    start = named[0] + 1 if named else 0
    end = next((at for at in range(start, len(lines)) if lines[at].startswith("[")), len(lines))
    kept = [line for line in lines[start:end] if line.partition("=")[0].strip() not in values]
    new = [f"{key} = {json.dumps(value)}" for key, value in values.items() if value is not None]
    edited = "\n".join([*lines[:start], *new, *kept, *lines[end:], ""])
    wanted = {**(_table(read_toml(text, path), path) or {}), **values}
    wanted = {key: value for key, value in wanted.items() if value is not None}
    try:
        found = _table(read_toml(edited, path), path)
    except ConfigurationError:
        found = None
    if found != wanted:
        raise ConfigurationError(f"{path} cannot be edited: add these lines: {'; '.join(new)}")
    return edited


def policy_of(settings: Settings, params: Params = _NONE) -> Policy:
    """Create the policy from settings and from command options, which override the settings."""
    chosen = {
        name: selectors(params.get(name) or settings.get(name, ()))
        for name in ("select", "ignore", "reject")
    }
    required = split_lists(params.get("require") or settings.get("require", ()))
    severities = {**settings.get("severity", {}), **_severities(params.get("severity", ()))}
    return Policy(
        **chosen,
        severity={selectors((code,))[0]: severity for code, severity in severities.items()},
        require=required,
        strict=params.get("strict") or settings.get("strict", False),
        transcription=settings.get("transcription", "enforce"),
    )


def _severities(texts: Iterable[str]) -> dict[str, str]:
    """Parse texts such as `SG205=error,SG301=note`.

    Return a dictionary from the code of a rule to its severity.
    """
    found = {}
    for text in split_lists(texts):
        code, equals, severity = text.partition("=")
        if not equals or severity not in _SEVERITIES:
            msg = f"--severity takes CODE=SEVERITY, such as SG205=error, not {text!r}"
            raise ConfigurationError(msg)
        found[code] = severity
    return found


def _table(document: dict[str, Any], path: Path) -> dict[str, Any] | None:
    """Return the table of a TOML document that contains Segue's settings, or None."""
    if path.name == "pyproject.toml":
        tools = document.get("tool", {})
        table = tools.get("segue") if isinstance(tools, dict) else None
    else:
        table = document.get("segue", document)
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError(f"{path}: segue must be a table, got {table!r:.60}")
    return table


def _settings(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    for key, value in table.items():
        if key not in KEYS:
            hint = closest(key, KEYS, f"use one of {', '.join(KEYS)}")
            raise ConfigurationError(f"{path}: unknown setting {key!r}: {hint}")
        expected = _expected(key, value)
        if expected is not None:
            raise ConfigurationError(f"{path}: {key} must be {expected}, got {value!r}")
    return {
        key: str(path.parent / value) if key in _PATHS else value for key, value in table.items()
    }


def _expected(key: str, value: object) -> str | None:
    """Return None if `value` is valid for the setting `key`.

    Otherwise, return a description of valid values for an error message, such as `true or false`.
    """
    kind = KEYS[key]
    if isinstance(kind, tuple):
        return None if value in kind else f"one of {', '.join(kind)}"
    if kind is dict:
        fits = isinstance(value, dict) and all(rank in _SEVERITIES for rank in value.values())
        return None if fits else "a table of codes, each error, warning or note"
    fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
    if isinstance(value, list):
        fits = fits and all(isinstance(item, str) for item in value)
    return None if fits else _EXPECTED[kind]
