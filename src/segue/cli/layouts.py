"""The layout of log lines, from the options of a command or the first lines of the logs.

A layout says where a line has its parts, such as the body and the time. It is a `FieldMapping`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from shlex import quote
from typing import Any, Final

from segue.cli.errors import print_error
from segue.cli.options import POINTERS, Params
from segue.core.errors import ConfigurationError, UnreadableLog
from segue.logs.field_mapping import FieldMapping
from segue.logs.sniffing.decision import Sniffed, absent_pointers, lacks_times, sniff
from segue.logs.sources import name_of

ALLOW: Final = "--allow-empty accepts that"
NO_TIMES: Final = (
    "without times, because none can be read (--time-at says where they are, --time-format how "
    "they are written)"
)
MAPPING_OPTIONS: Final = {
    **{option: option.replace("-", "_") for option in ("lines", *POINTERS, "skip-others")},
    "from": "platform",
}
"""The options of a command that describe a layout, each with its field of `FieldMapping`."""


def field_mapping_of(params: Params, logs: Iterable[str]) -> FieldMapping | None:
    """Return the layout of the lines of the logs, or None if they are request bodies or envelopes.

    Options such as `--body-at` determine the layout. Without them, it is detected from the first
    lines of the logs, and a message on stderr shows the options that were found.

    `params` must already contain the values from the settings, see `with_settings`. Raise
    `UnreadableLog` if the first lines can be read in several ways.
    """
    values = {name: params[key.replace("-", "_")] for key, name in MAPPING_OPTIONS.items()}
    given = {name: value for name, value in values.items() if value is not None}
    if given.keys() - {"skip_others"}:
        return _mapping(given)
    found = _sniffed(logs, is_quiet=bool(params.get("quiet")))
    return replace(found or FieldMapping(), **given) if given else found


def _mapping(given: Mapping[str, Any]) -> FieldMapping:
    """Return a `FieldMapping` with the fields in `given`.

    Raise `ConfigurationError` for an invalid field, with a message that names the option for it.
    """
    try:
        return FieldMapping(**given)
    except ConfigurationError as error:
        name, _, rest = str(error).partition(" ")
        options = [option for option, field in MAPPING_OPTIONS.items() if field == name]
        raise ConfigurationError(" ".join([*(f"--{each}" for each in options), rest])) from None


def _sniffed(logs: Iterable[str], *, is_quiet: bool) -> FieldMapping | None:
    for log in logs:
        found = sniff(log)
        if found.is_ordinary:
            return None
        if found.ways:
            mapping = only_way(log, found)
            if not is_quiet:
                timeless = f", {NO_TIMES}" if lacks_times(log, mapping) else ""
                print_error(f"{name_of(log)} is read with {mapping_options(mapping)}{timeless}")
            return mapping
    return None


def refuse_absent(mapping: FieldMapping, logs: Iterable[str]) -> None:
    """Raise `UnreadableLog` if the layout expects a field that the first lines of the logs lack."""
    files = [log for log in logs if log != "-"]
    for name, pointer in absent_pointers(files, mapping).items():
        option = name.replace("_", "-")
        msg = f"--{option} {pointer} finds no value in the first lines of"
        raise UnreadableLog(f"{msg} {', '.join(files)} ({ALLOW})")


def only_way(log: str, found: Sniffed) -> FieldMapping:
    """Return the layout that was detected for a log.

    Raise `UnreadableLog` if several layouts are possible.
    """
    if len(found.ways) > 1:
        ways = ", or with ".join(map(mapping_options, found.ways))
        raise UnreadableLog(f"{name_of(log)} can be read in several ways: with {ways}")
    return found.ways[0]


def mapping_options(mapping: FieldMapping) -> str:
    """Return a layout as options for the command line, such as `--body-at /request/body`."""
    return " ".join(
        f"--{option}" if value is True else f"--{option} {quote(value)}"
        for option, value in mapping_settings(mapping).items()
    )


def mapping_settings(mapping: FieldMapping) -> dict[str, Any]:
    """Return the fields of a layout that differ from their defaults.

    The keys are names of options, such as `body-at`.
    """
    default = FieldMapping()
    values = {option: getattr(mapping, name) for option, name in MAPPING_OPTIONS.items()}
    return {
        option: values[option]
        for option, name in MAPPING_OPTIONS.items()
        if values[option] != getattr(default, name)
    }
