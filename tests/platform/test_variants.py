"""What the specification says in two ways is sent and read in each of them."""

import json
from typing import Any

import pytest
from tests.platform.vectors import READ_VARIANTS, SENT_VARIANTS

from segue.platform.answers import read_answer
from segue.platform.messages import ReceivedAnswer
from segue.platform.requests import build_request
from segue.platform.rows import load_model
from segue.platform.table import ENDPOINTS, endpoint


@pytest.mark.parametrize("vector", SENT_VARIANTS, ids=lambda vector: " ".join(vector[:3]))
def test_a_variant_is_sent(vector: Any) -> None:
    number, _, dialect, arguments, target, headers, body = vector

    request = build_request(endpoint(number), arguments, dialects=dialect)

    assert target in f"{request.method} {request.target}"
    assert headers.items() <= request.headers.items()
    assert (json.loads(request.body) if request.body else None) == body


@pytest.mark.parametrize(("number", "what", "body", "path", "value"), READ_VARIANTS)
def test_a_variant_is_read(number: str, what: str, body: str, path: str, value: object) -> None:
    result: Any
    if number == "E2":
        result = load_model("calls.CallNotification").model_validate_json(body)
        assert not result.model_extra
    else:
        result = read_answer(endpoint(number), ReceivedAnswer(200, {}, body.encode()), {})
        assert not [flaw for flaw in result.flaws if flaw.code == "SG503"], what
    for part in path.split("."):
        result = result[int(part)] if part.isdigit() else getattr(result, part)

    assert (result, type(result)) == (value, type(value))


def test_a_wrong_type_is_left_out_under_either_spelling() -> None:
    body = b'[{"message": "m", "configurationDetails": {"dialogs": 1, "knowledgeTasks": "x"}}]'

    result: Any = read_answer(endpoint("E26"), ReceivedAnswer(200, {}, body), {})

    details = result.results[0].configuration_details
    assert (details.dialogs, details.knowledge_tasks) == (1, None)
    assert [flaw.pointer for flaw in result.flaws] == ["/0/configurationDetails/knowledgeTasks"]


def test_every_variant_has_a_vector() -> None:
    vectors = {each[:2] for each in (*SENT_VARIANTS, *READ_VARIANTS)}

    assert vectors == {(row.number, each.what) for row in ENDPOINTS for each in row.variants}
