"""A route for each row of the table of intakes, and for one that is made up here."""

import json
import sys
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from tests.server.adapters.transports import through_core
from tests.server.http.table import Case
from tests.server.http.tokens import SECRET, Kit
from tests.server.http.world import ENTRY, delivery

import segue
from segue.core.events import HOOKS, INTAKES
from segue.core.events.fields import FIELDS
from segue.report.schema import report_schema
from segue.server.http import HttpApp, NoAuth

CALLS = replace(HOOKS, name="calls", path="/v7/calls/{botId}/notify", permission="ring")


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a third intake and its fields, wherever these tables have been imported."""
    rows: Any = {"INTAKES": INTAKES, "FIELDS": FIELDS}
    added: Any = {"INTAKES": CALLS, "FIELDS": FIELDS[HOOKS.name]}
    for name, table in rows.items():
        longer = MappingProxyType({**table, CALLS.name: added[name]})
        for module in list(sys.modules.values()):
            if vars(module).get(name) is table:
                monkeypatch.setattr(module, name, longer)


def app(**settings: Any) -> HttpApp:
    processor = segue.Processor(store=segue.MemoryStore())
    settings.setdefault("auth", NoAuth())
    return HttpApp(processor, report_schema=report_schema, **settings)


def post(app: HttpApp, path: str, *headers: tuple[str, str]) -> Any:
    case = Case("", 0, None, "POST", path, headers, delivery("c-1", ENTRY))
    answer = through_core(app, case)
    return answer.status, json.loads(answer.body)


def test_the_routes_of_senders_are_the_rows_of_the_table() -> None:
    found = {(route.name, route.path, route.permission) for route in app().routes if route.intake}

    assert found == {
        ("hooks", "/agentdesk/api/v1/hooks/{botId}", "hooks"),
        ("transcription", "/api/1.1/public/bot/{botId}/control/transcription", "transcription"),
        ("notifications", "/notifications/{botId}", "notifications"),
        ("transfers", "/transfers/{botId}", "transfers"),
    }


@pytest.mark.usefixtures("calls")
def test_a_third_intake_gets_its_route_by_its_row() -> None:
    status, value = post(app(), "/v7/calls/st-1/notify")

    assert (status, value["status"], value["phase"]) == (200, "ok", "active")


@pytest.mark.usefixtures("calls")
def test_a_third_intake_is_described() -> None:
    answer = through_core(app(), Case("", 0, None, "GET", "/openapi.json", (), b""))

    operation = json.loads(answer.body)["paths"]["/v7/calls/{botId}/notify"]["post"]
    assert operation["operationId"] == "calls"
    assert [each["name"] for each in operation["parameters"]] == ["botId", "Idempotency-Key"]


@pytest.mark.usefixtures("calls")
def test_a_third_intake_needs_the_permission_of_its_row() -> None:
    auth = segue.JwtAuth(secret=SECRET, scopes={"ring": "Calls"})
    with_scope = ("auth", Kit("HS256").token({"scope": "Calls"}))
    without = ("auth", Kit("HS256").token({"scope": "Transcription"}))

    assert post(app(auth=auth), "/v7/calls/st-1/notify", with_scope)[0] == 200
    assert post(app(auth=auth), "/v7/calls/st-1/notify", without)[0] == 403
    assert post(app(auth=auth), "/agentdesk/api/v1/hooks/st-1", without)[0] == 200


def test_without_its_row_there_is_no_such_route() -> None:
    assert post(app(), "/v7/calls/st-1/notify")[0] == 404
    with pytest.raises(
        segue.ConfigurationError,
        match=r"hooks, notifications, transcription, transfers, read, got 'ring'$",
    ):
        segue.JwtAuth(secret=SECRET, scopes={"ring": "Calls"})
