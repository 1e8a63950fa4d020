"""Requests made up from the description of the interface, and all that can be said of the answers.

Bodies the description does not allow are answered with findings, by design: the one check that
demands their refusal, `negative_data_rejection`, is left out.
"""

import os
from itertools import count
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import negative_data_rejection
from schemathesis.config import GenerationConfig, SchemathesisConfig
from tests.server.http.tokens import SECRET, Kit

import segue
from segue.server.http import RequestLimits

TOKEN = Kit("HS256").token({"appId": "cs-1", "scope": "Conversations"})
AUTH = segue.JwtAuth(secret=SECRET, scopes={"read": "Conversations"})
APP = segue.wsgi(
    segue.Processor(store=segue.MemoryStore()),
    auth=AUTH,
    read=True,
    limits=RequestLimits(feed_seconds=0),
    observers=(),
)

_CONFIG = SchemathesisConfig()
_CONFIG.projects.default.generation = GenerationConfig(allow_x00=False)  # NUL is refused: 400
SCHEMA = schemathesis.openapi.from_wsgi("/openapi.json", APP, config=_CONFIG)
_IS_LONG = "SEGUE_LONG" in os.environ
_RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck))


_NUMBERS = count()


def _check(case: schemathesis.Case[Any]) -> None:
    fresh = f"k-{next(_NUMBERS)}"  # a reused one is refused: 422
    case.call_and_validate(
        headers={"auth": TOKEN, "Idempotency-Key": fresh},
        excluded_checks=[negative_data_rejection],
    )


@SCHEMA.parametrize()
@settings(_RELAXED, max_examples=400 if _IS_LONG else 10)
def test_requests_that_are_made_up_are_answered_as_described(case: schemathesis.Case[Any]) -> None:
    _check(case)
