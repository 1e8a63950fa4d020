"""Generate the reference page of the settings in `[tool.segue]`, and their JSON Schema."""

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
"""The descriptions of settings that `segue check` has no option for."""
_SCHEMAS: Final[Mapping[object, Mapping[str, Any]]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    list: {"type": "array", "items": {"type": "string"}},
    dict: {"type": "object", "additionalProperties": {"enum": [each.value for each in Severity]}},
}


def settings_page() -> str:
    """Return the reference page of the settings in Markdown."""
    return "".join(_page())


def settings_schema() -> dict[str, Any]:
    """Return the JSON Schema of the settings as a dict, in draft 7 for TOML editors."""
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
    """Return the description of each setting, which is the help of the option of the same name."""
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
        "Settings are read from `[tool.segue]` in a `pyproject.toml` or from a `segue.toml`, in\n"
        "the working directory or one above it. `--config FILE` reads another file, and\n"
        "`--no-config` reads no file. Options on the command line take precedence.\n"
        "`segue sniff --write LOG` writes the settings with which a log is read.\n\n"
        "Editors can complete and check settings with their [JSON Schema](settings.schema.json).\n"
        "For a `segue.toml`, Taplo, Tombi and editors based on them read this line at its top:\n\n"
        "```toml\n#:schema docs/reference/settings.schema.json\n"
        'select = ["SG1"]\n```\n\n'
        "Use the path or URL of the schema there. For a `pyproject.toml`, Tombi accepts it as the\n"
        'schema of `root = "tool.segue"`. `check-jsonschema --schemafile settings.schema.json '
        "segue.toml`\nchecks the file in a pipeline. Segue itself rejects the same settings as "
        "the schema, and\nsuggests corrections.\n\n"
        "| key | value | meaning |\n|---|---|---|\n"
    )
    texts = _texts()
    for key, kind in KEYS.items():
        words = kind if isinstance(kind, tuple) else ()
        value = ", ".join(f"`{word}`" for word in words) or _TYPES[kind]
        text = texts[key].replace("|", "\\|")
        yield f"| `{key}` | {value} | {text} |\n"
