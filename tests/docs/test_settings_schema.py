"""The JSON Schema of the settings accepts what Segue accepts, and refuses what it refuses."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft7Validator

from docs.settings_page import settings_schema
from segue.cli.config import KEYS, configuration
from segue.errors import ConfigurationError

ROOT = Path(__file__).parents[2]
VALIDATOR = Draft7Validator(settings_schema())
BLOCK = re.compile(r"^```toml\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHOWN = [
    pytest.param(text, id=f"{path.name}-{number}")
    for path in sorted((ROOT / "docs").rglob("*.md"))
    for number, text in enumerate(BLOCK.findall(path.read_text("utf-8")))
]
VALUES = (
    st.sampled_from([word for kind in KEYS.values() if isinstance(kind, tuple) for word in kind])
    | st.booleans()
    | st.integers(-1, 3)
    | st.just("text")
    | st.lists(st.sampled_from(["SG1", 1, True]), max_size=2)
    | st.dictionaries(st.just("SG103"), st.sampled_from(["error", "note", "none", 1]))
)


def is_accepted(folder: Path, table: dict[str, Any]) -> bool:
    def toml(value: object) -> str:
        if isinstance(value, dict):
            return f"{{ {', '.join(f'{key} = {toml(each)}' for key, each in value.items())} }}"
        return json.dumps(value)

    path = folder / "segue.toml"
    lines = [f"{key} = {toml(value)}" for key, value in table.items()]
    path.write_text("[segue]\n" + "\n".join(lines), "utf-8")
    try:
        configuration(path)
    except ConfigurationError:
        return False
    return True


def test_the_schema_is_a_schema() -> None:
    Draft7Validator.check_schema(settings_schema())
    assert all(each["description"] for each in settings_schema()["properties"].values())


@pytest.mark.parametrize("text", SHOWN)
def test_settings_that_a_page_shows_are_valid(text: str, tmp_path: Path) -> None:
    path = tmp_path / ("pyproject.toml" if "[tool.segue]\n" in text else "segue.toml")
    path.write_text(text, "utf-8")
    document = tomllib.loads(text)

    VALIDATOR.validate(document.get("tool", {}).get("segue", document))
    configuration(path)


@pytest.mark.parametrize(
    "text",
    [
        'ignroe = ["SG1"]',
        'ignore = "SG1"',
        "ignore = [1]",
        "strict = 1",
        "jobs = true",
        'jobs = "2"',
        'fail-on = "all"',
        'severity = {SG103 = "loud"}',
        'sort = "sent_at"',
    ],
)
def test_wrong_settings_are_refused_by_both(text: str, tmp_path: Path) -> None:
    assert not VALIDATOR.is_valid(tomllib.loads(text))
    assert not is_accepted(tmp_path, tomllib.loads(text))


@given(table=st.dictionaries(st.sampled_from(sorted([*KEYS, "unknown"])), VALUES, max_size=2))
def test_schema_and_settings_agree(
    table: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("settings")  # settings hold in the folders below theirs

    assert VALIDATOR.is_valid(table) == is_accepted(folder, table)
