"""Requests made up from the description of the sandbox, and all that can be said of the answers.

What is not in the description is not answered, and what is created can be read, updated and
started by the links. Two checks are left out: what the description does not allow may be
understood all the same, since the sandbox takes what either the reference or a sample shows; and
what it allows may be refused, since vocabularies are open and ids may name nothing.
"""

import os
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import negative_data_rejection, positive_data_acceptance
from schemathesis.config import GenerationConfig, SchemathesisConfig
from tests.server.http.tokens import SECRET, Kit

from segue import JwtAuth
from segue.platform.sandbox import Sandbox
from segue.platform.sandbox.openapi import describe_sandbox
from segue.platform.table import ENDPOINTS
from segue.server.adapters.wsgi_app import WsgiApp

_CONFIG = SchemathesisConfig()
_CONFIG.projects.default.generation = GenerationConfig(allow_x00=False)
_HEADERS = {"auth": Kit("HS256").token({"appId": "cs-1"})}
_LEFT_OUT = [negative_data_rejection, positive_data_acceptance]
SCHEMA = schemathesis.openapi.from_wsgi(
    "/sandbox/openapi.json",
    WsgiApp(Sandbox(pace=1, auth=JwtAuth(secret=SECRET))),
    config=_CONFIG,
    headers=_HEADERS,
)
_IS_LONG = "SEGUE_LONG" in os.environ
_RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)


def _check(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(headers=_HEADERS, excluded_checks=_LEFT_OUT)


def test_the_description_is_valid_and_has_every_way_to_call_an_endpoint() -> None:
    document = describe_sandbox()
    ways = [operation["operationId"] for methods in document["paths"].values()
            for operation in methods.values()]  # fmt: skip

    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    names = {row.name for row in ENDPOINTS}
    assert sorted(set(ways) - names) == [
        "agent_groups.update_2", "sessions.list_of_account", "skill_groups.update_2",
        "test_suites.upload_2",
    ]  # fmt: skip
    assert names <= set(ways)
    assert len(ways) == len(set(ways)) == 30


@SCHEMA.parametrize()
@settings(_RELAXED, max_examples=200 if _IS_LONG else 3)
def test_requests_that_are_made_up_are_answered_as_described(case: schemathesis.Case[Any]) -> None:
    _check(case)


class _Linked(SCHEMA.as_state_machine()):  # type: ignore[misc]
    """Follows the links: what was created is read, updated, started."""

    def get_call_kwargs(self, _: schemathesis.Case[Any]) -> dict[str, Any]:
        return {"headers": _HEADERS}

    def validate_response(self, response: Any, case: schemathesis.Case[Any], **_: Any) -> None:
        case.validate_response(response, excluded_checks=_LEFT_OUT)


@pytest.mark.slow
def test_the_links_lead_to_what_was_created() -> None:
    run_state_machine_as_test(
        _Linked, settings=settings(_RELAXED, max_examples=200, stateful_step_count=10)
    )
