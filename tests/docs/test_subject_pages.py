"""The examples of the platform's pages run against the answers that stand below them."""

import json
import re
from typing import Any

import pytest

from docs.platform_examples import EXAMPLES
from docs.subject_pages import subject_of, subject_pages
from segue.platform import Client, MemoryTransport, ReceivedAnswer, Sandbox, SentRequest
from segue.platform.arguments import arguments_of
from segue.platform.rows import Endpoint, Paged
from segue.platform.table import ENDPOINTS

SECTION = re.compile(
    r"^## (E\d+) [^\n]*\n(.*?)```python\n(.*?)```\n\n```json\n(.*?)```", re.DOTALL | re.MULTILINE
)
SECTIONS = {
    number: (path, table, code, json.loads(answer))
    for path, page in subject_pages().items()
    for number, table, code, answer in SECTION.findall(page)
}


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.number)
def test_an_example_runs_and_what_it_is_answered_fits(row: Endpoint) -> None:
    path, table, code, answer = SECTIONS[row.number]
    asked: list[SentRequest] = []

    def answered(request: SentRequest) -> ReceivedAnswer:
        asked.append(request)
        more = isinstance(row.result, Paged) and not row.result.more and len(asked) > 1
        return ReceivedAnswer(200, {}, json.dumps({"results": []} if more else answer).encode())

    client = Client(
        "https://h", token="t", account="a-1", app="st-1", strict=True,  # noqa: S106 - made up
        transport=MemoryTransport(answered),
    )  # fmt: skip
    names: dict[str, Any] = {"client": client}
    exec(code, names)  # noqa: S102 - the page's own

    assert path == f"platform/{subject_of(row)}.md"
    assert asked[0].method == row.method
    assert [f"| `{each.name}` |" for each in arguments_of(row) if each.name not in table] == []
    assert code.count("assert ") == 1


def test_the_events_of_an_example_can_be_received() -> None:
    _, _, code, _ = SECTIONS["E21"]

    with Sandbox() as sandbox:
        transport = MemoryTransport(sandbox.answer)
        client = Client("https://h", token="made-up", transport=transport)  # noqa: S106 - made up
        exec(code, {"client": client})  # noqa: S102 - the page's own
        view = sandbox.state.processor.conversation("c-1", "st-1")

    assert view
    assert view.report.findings == ()


def test_every_endpoint_is_on_one_page() -> None:
    assert sorted(SECTIONS) == sorted(EXAMPLES) == sorted(row.number for row in ENDPOINTS)
