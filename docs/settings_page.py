"""The page of the settings, a row for each key of `[tool.segue]`, and their JSON Schema."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from segue.cli.check import check
from segue.cli.config import KEYS
from segue.core.findings import Severity

_TYPES: Final[Mapping[object, str]] = {
    str: "text",
    bool: "true or false",
    int: "whole number",
    list: "list of texts",
    dict: "table",
}
_ALONE: Final = {
    "ignores": "Findings to leave out until a date: `SG103 bot=st-sales until=2026-12-31`.",
    "reject": "Codes of findings for which a server refuses a delivery.",
    "transcription": "Whether transcription actions that break the rules are applied (`observe`).",
}
"""Settings that are not options of `segue check`."""
_SCHEMAS: Final[Mapping[object, Mapping[str, Any]]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    list: {"type": "array", "items": {"type": "string"}},
    dict: {"type": "object", "additionalProperties": {"enum": [each.value for each in Severity]}},
}


def settings_page() -> str:
    """Return the page."""
    return "".join(_page())


def settings_schema() -> dict[str, Any]:
    """Return the JSON Schema of the table; draft 7, as editors of TOML read it."""
    texts = _texts()
    properties = {
        key: {
            **({"enum": list(kind)} if isinstance(kind, tuple) else _SCHEMAS[kind]),
            "description": texts[key],
        }
        for key, kind in KEYS.items()
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "[tool.segue] of a pyproject.toml, or a segue.toml",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _texts() -> dict[str, str]:
    """Return what each setting means, in the words of its option."""
    helps = {
        name.removeprefix("--"): (option.help or "").replace(" Repeatable.", "")
        for option in check.params
        if isinstance(option, click.Option)
        for name in option.opts
    }
    return {key: _ALONE.get(key) or helps[key] for key in KEYS}


def _page() -> Iterator[str]:
    yield (
        "# Settings\n\n"
        "They stand in `[tool.segue]` of a `pyproject.toml` or in a `segue.toml`, of the folder\n"
        "of a command or of one above it. `--config FILE` names another file, `--no-config` none;\n"
        "options of the command line win. `segue sniff --write LOG` writes those that say how a\n"
        "log is read.\n\n"
        "An editor completes and checks them by their [JSON Schema](settings.schema.json). At the\n"
        "top of a `segue.toml`, Taplo and Tombi, and the editors that build on them, read\n\n"
        "```toml\n#:schema docs/reference/settings.schema.json\n"
        'select = ["SG1"]\n```\n\n'
        "with the path or address of the schema; for a `pyproject.toml` Tombi takes it as the\n"
        'schema of `root = "tool.segue"`. `check-jsonschema --schemafile settings.schema.json '
        "segue.toml`\ndoes the same in a pipeline. Segue itself refuses what the schema refuses, "
        "and says\nwhat was meant.\n\n"
        "| key | value | meaning |\n|---|---|---|\n"
    )
    texts = _texts()
    for key, kind in KEYS.items():
        words = kind if isinstance(kind, tuple) else ()
        value = ", ".join(f"`{word}`" for word in words) or _TYPES[kind]
        text = texts[key].replace("|", "\\|")
        yield f"| `{key}` | {value} | {text} |\n"
