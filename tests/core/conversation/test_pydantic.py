"""A report as pydantic and FastAPI write it."""

from typing import Any

import pydantic
from fastapi import FastAPI
from fastapi.testclient import TestClient
from tests.report.story import early

import segue

app = FastAPI()


@app.post("/check")
def _check(deliveries: list[dict[str, Any]]) -> segue.Report:
    return segue.check(deliveries)


def test_pydantic_writes_a_report_as_its_object() -> None:
    report = segue.check(early())

    assert pydantic.TypeAdapter(segue.Report).dump_python(report) == report.to_dict()
    assert pydantic.TypeAdapter(list[segue.Report]).dump_python([report]) == [report.to_dict()]


def test_fastapi_answers_with_a_report_and_describes_it() -> None:
    bodies = [{"conversationId": "c-1", "botId": "st-1", "events": []}]
    client = TestClient(app)

    assert client.post("/check", json=bodies).json() == segue.check(bodies).to_dict()
    content = client.get("/openapi.json").json()["paths"]["/check"]["post"]["responses"]["200"]
    schema = content["content"]["application/json"]["schema"]
    assert schema["type"] == "object"
