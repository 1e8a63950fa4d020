"""A client that openapi-python-client generates from our document is sound, and sends what we do.

It needs openapi-python-client, which is not part of `dev`: install it and run `-m slow`.
"""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from enum import EnumType
from pathlib import Path
from typing import Any, get_args, get_type_hints

import httpx
import pytest
from tests.platform.client.calling import FIRST

from segue.platform.messages import SentRequest
from segue.platform.openapi import describe_platform
from segue.platform.requests import build_request
from segue.platform.rows import Endpoint
from segue.platform.table import ENDPOINTS

generator = pytest.importorskip("openapi_python_client", reason="it is installed by hand")
pytestmark = pytest.mark.slow
PACKAGE = "generated_platform"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("generated")
    document = folder / "platform.json"
    document.write_text(json.dumps(describe_platform("0")), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(document),
         "--output-path", str(folder / PACKAGE), "--meta", "none"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "WARNING" not in done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))


def test_it_is_type_correct(generated: Path) -> None:
    """What is made of our document; client.py, which is the same for all documents, is not."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--strict", str(generated)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    errors = [
        line
        for line in done.stdout.splitlines()
        if ": error:" in line
        and f"{PACKAGE}/client.py" not in line
        and "[redundant-cast]" not in line  # a cast too many of its templates
    ]

    assert errors == []
    assert "checked 1" in done.stdout


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.name)
def test_its_requests_equal_ours(row: Endpoint, generated: Path) -> None:
    assert generated.is_dir()
    ours = build_request(row, FIRST[row.number][0], dialects="reference")
    identifier = importlib.import_module("openapi_python_client.strings").PythonIdentifier
    group, _, verb = row.name.partition(".")
    module = importlib.import_module(f"{PACKAGE}.api.{group}.{group}_{verb}")

    describe = module.__dict__["_get_kwargs"]  # a request without a server
    theirs = describe(**arguments(row, ours, identifier, get_type_hints(describe)))

    request = httpx.Request(theirs.pop("method"), "https://h" + theirs.pop("url"), **theirs)
    target, _, query = request.url.raw_path.decode().partition("?")
    path, _, expected = ours.target.partition("?")
    assert (request.method, target) == (ours.method, path)
    assert sorted(httpx.QueryParams(query).multi_items()) == sorted(
        httpx.QueryParams(expected).multi_items()
    )
    for name, value in ours.headers.items():
        assert request.headers[name] == value
    assert (json.loads(request.content) if request.content else None) == (
        json.loads(ours.body) if ours.body else None
    )


def arguments(
    row: Endpoint, ours: SentRequest, identifier: Any, hints: dict[str, Any]
) -> dict[str, Any]:
    """What the generated function takes, by its names: what we send, taken apart again."""
    given = FIRST[row.number][0]
    path = [(arg.wire, given[arg.name]) for arg in row.path_args]
    query = httpx.QueryParams(ours.target.partition("?")[2]).items()
    found = {}
    for place, sent in (("path", path), ("query", query), ("header", ours.headers.items())):
        for name, value in sent:
            key = str(identifier(name, "field_"))
            key = key if key in hints else f"{key}_{place}"  # IID of the path, iid of a header
            kinds = get_args(hints[key]) or (hints[key],)
            kind = next((each for each in kinds if isinstance(each, EnumType)), str)
            found[key] = int(value) if int in kinds else kind(value)
    if ours.body is not None:
        found["body"] = hints["body"].from_dict(json.loads(ours.body))
    return found
