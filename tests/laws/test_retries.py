"""Law: a retry that changes nothing that Segue reads is judged as the identical retry is."""

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, strategies as st
from tests.oracle.oracle import Ev
from tests.strategies import legal_streams, streams
from tests.streams import body

import segue
from segue.testing import spellings


def turned(value: Any) -> Any:
    """Return a value with the keys of its objects in another order."""
    if isinstance(value, list):
        return [turned(each) for each in value]
    if isinstance(value, dict):
        return {key: turned(each) for key, each in reversed(value.items())}
    return value


def objects(value: Any) -> list[dict[str, Any]]:
    """Return the objects in a body that Segue reads fields of."""
    events = value.get("events", [])
    people = [each["participant"] for each in events if "participant" in each]
    return [value, *events, *people]


@st.composite
def unchanged(draw: st.DrawFn, value: dict[str, Any]) -> Any:
    """Generate the body as another try of its sender could spell it."""
    found: Any = draw(spellings(deepcopy(value)))
    for each in objects(found):
        each.update(draw(st.sampled_from(({}, {"attempt": 2}, {"sentAt": None}, {"": [1.0]}))))
        for name in ("language", "reason", "customFields"):
            if name not in each and draw(st.booleans()):
                each[name] = draw(st.sampled_from((None, {} if name == "customFields" else "")))
        if "transition" in each and draw(st.booleans()):
            each["transition"] = f" {each['transition']}\t"
    if draw(st.booleans()):
        found = turned(found)
    return json.dumps(found) if draw(st.booleans()) else found


@st.composite
def changed(draw: st.DrawFn, value: dict[str, Any]) -> Any:
    """Generate the body with one other value."""
    found = deepcopy(value)
    each = draw(st.sampled_from(objects(found)))
    names = sorted(
        {"botId", "query", "source", "experience", "transition", "isExtAD", "identity", "name",
         "reason"} & each.keys() - {""}
    )  # fmt: skip
    name = draw(st.sampled_from(names))
    each[name] = not each[name] if isinstance(each[name], bool) else f"{each[name]}x"
    return found


def lines(sent: list[Any], ids: list[str]) -> list[dict[str, Any]]:
    return [{"delivery_id": each, "body": value} for each, value in zip(ids, sent, strict=True)]


@given(st.data(), streams())
def test_a_repeated_event_is_repeated_in_every_spelling(
    data: st.DataObject, stream: list[Ev]
) -> None:
    plain = [body(each) for each in stream]
    again = [data.draw(st.sampled_from((1, 2, 3))) for _ in plain]
    sent = [each for each, count in zip(plain, again, strict=True) for _ in range(count)]
    other = [data.draw(unchanged(each)) for each in sent]

    expected, report = (
        segue.check([{"body": each} for each in sent]),
        segue.check([{"body": each} for each in other]),
    )

    assert report.findings == expected.findings
    assert (report.phase, report.segments) == (expected.phase, expected.segments)


@given(st.data(), legal_streams())
def test_a_delivery_id_tells_a_retry_from_another_delivery(
    data: st.DataObject, stream: list[Ev]
) -> None:
    plain = [body(each) for each in stream]
    ids = [f"d-{number}" for number in range(len(plain))]
    at = data.draw(st.integers(0, len(plain) - 1))
    where = data.draw(st.integers(at + 1, len(plain)))

    def checked(retry: Any) -> list[str]:
        sent = [*plain[:where], retry, *plain[where:]]
        found = segue.check(lines(sent, [*ids[:where], ids[at], *ids[where:]])).findings
        return [finding.code for finding in found]

    expected = checked(plain[at])
    assert "SG603" not in expected
    assert checked(data.draw(unchanged(plain[at]))) == expected
    assert "SG603" in checked(data.draw(changed(plain[at])))
