"""An intake that is not in the package, with a machine of two states, added to a copy.

What is added is its row, its fields and its machine; nothing else is touched.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import segue

MACHINE = '''
from enum import StrEnum
from typing import NamedTuple


class SwitchKind(StrEnum):
    ON = "on"
    OFF = "off"
    UNPROCESSABLE = "unprocessable switch"


class SwitchOutcome(NamedTuple):
    code: str | None
    changed: bool
    is_refused: bool
    state_before: str
    expected: tuple[str, ...]


class Turn(NamedTuple):
    action: str

    def to_dict(self):
        return {"action": self.action, "handover": None, "agents": "any"}


class Switch:
    """A machine of two states; the same again is not allowed."""

    def __init__(self, position=0, state="off", generation=0):
        self.position, self.state, self.generation = position, state, generation

    def apply(self, kind, agent, moment, *, enforce):
        before = self.state
        expected = ("off",) if self.state == "on" else ("on",)
        code = None if kind.value in expected else "SG401"
        is_refused = enforce and code is not None
        if not is_refused:
            self.state, self.position = kind.value, self.position + 1
        changed = self.state != before
        return SwitchOutcome(code, changed, is_refused, before, expected)

    def allowed(self, moment):
        return (Turn("off" if self.state == "on" else "on"),)

    def shift_lines(self, lines):
        pass

    def to_json(self):
        return [self.position, self.state, self.generation]

    @classmethod
    def from_json(cls, value):
        return cls(*value)
'''


def turn(action: str) -> dict[str, Any]:
    return {"action": action, "handover": None, "agents": "any"}


ADDED = {
    "core/events/switch.py": MACHINE,
    "core/events/intakes.py": """
SWITCH: Final = Intake(
    name="switch",
    path="/v7/{botId}/switch",
    permission="switch",
    machine="switch",
    ids=IdSource.ADDRESS,
    receipt=ReceiptKind.CONTROL,
    query=("conversationId",),
)
INTAKES = MappingProxyType({**INTAKES, SWITCH.name: SWITCH})
""",
    "core/events/fields.py": """
from segue.core.events.switch import SwitchKind

FIELDS = MappingProxyType({
    **FIELDS,
    "switch": BodyFields(
        "Switch",
        ids=Shape("switch", _IDS),
        whole=Shape(
            "switch",
            (Field("turn", need=_REQUIRED, words=("on", "off")), Field("agentId")),
            told_by=(("turn",),),
            kinds=((("on",), SwitchKind.ON), (("off",), SwitchKind.OFF)),
            otherwise=SwitchKind.UNPROCESSABLE,
            agent=("agentId",),
        ),
        unprocessable=SwitchKind.UNPROCESSABLE,
    ),
})
""",
    "core/engine/applying.py": """
from segue.core.engine.actions import ControlMachine
from segue.core.events.switch import Switch

MACHINES["switch"] = ControlMachine("switch", Switch)
""",
}

PROGRAM = """
import asyncio, json, sys
import segue
from segue.core.wire import read_line

def envelope(turn):
    ids = {"conversation_id": "c-1", "bot_id": "st-1"}
    return {"endpoint": "switch", **ids, "body": {"turn": turn, "agentId": "a-1"}}

delivery = read_line(json.dumps(envelope("ON")))
found = {"kinds": [delivery.intake.name, *(event.kind.value for event in delivery.events)]}
odd = read_line(envelope("sideways"))
found["odd"] = [flaw.code for event in odd.events for flaw in event.flaws]

conversation, judged = segue.Conversation("c-1"), []
for turn in ("on", "on", "off"):
    judged += conversation.feed(envelope(turn)).findings
    conversation = segue.Conversation.restore(conversation.snapshot())
found["judged"] = [[each.code, each.place.action, each.expected] for each in judged]

with open("log.jsonl", "w") as file:
    file.writelines(json.dumps(envelope(turn)) + "\\n" for turn in ("on", "on", "on"))
(report,) = segue.replay("log.jsonl")
found["log"] = [[each.code, each.place.line] for each in report.findings]

app = segue.asgi(segue.Processor(store=segue.MemoryStore()), auth=segue.NoAuth())

async def post(turn):
    body, sent = json.dumps({"turn": turn, "agentId": "a-1"}).encode(), []
    scope = {
        "type": "http", "method": "POST", "path": "/v7/st-1/switch", "root_path": "",
        "query_string": b"conversationId=c-1", "headers": [(b"host", b"localhost")],
    }
    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}
    async def send(message):
        sent.append(message)
    await app(scope, receive, send)
    answer = json.loads(sent[1]["body"])
    return [sent[0]["status"], answer.get("state"), answer.get("allowed")]

async def served():
    return [await post(turn) for turn in ("on", "on", "off")]

found["served"] = asyncio.run(served())
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What happens to deliveries of the new intake in the copy."""
    folder = tmp_path_factory.mktemp("copy")
    package = folder / "segue"
    original = Path(segue.__file__).parent
    shutil.copytree(original, package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in ADDED.items():
        with (package / name).open("a", encoding="utf-8") as file:
            file.write(text)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_its_lines_are_read_by_its_fields(found: Any) -> None:
    assert found["kinds"] == ["switch", "on"]
    assert found["odd"] == ["SG505"]


def test_its_machine_judges_and_its_state_is_saved(found: Any) -> None:
    assert found["judged"] == [["SG401", 1, ["off"]]]


def test_a_log_is_replayed(found: Any) -> None:
    assert found["log"] == [["SG401", 2], ["SG401", 3]]


def test_it_is_served_enforced_and_stored(found: Any) -> None:
    assert found["served"] == [
        [200, "on", [turn("off")]],
        [409, "on", [turn("off")]],
        [200, "off", [turn("on")]],
    ]
