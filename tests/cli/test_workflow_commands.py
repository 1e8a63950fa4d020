"""No text that a sender chose begins a line as a command of GitHub Actions.

The runner removes blanks, and executes what begins with `::` or contains `##[`.
"""

import json
import re
from typing import Final

import pytest
from tests.cli.command import Segue, Write
from tests.report.story import line

_EXECUTED: Final = re.compile(r"\s*::|.*##\w*\[")
COMMANDS: Final = (
    *("check", "check --format concise", "check --color always", "check --format junit"),
    *("check --format csv", "check --format csv --rows conversations", "segments"),
    *("segments --color always", "segments --format csv", "stats", "causes", "dialect", "repair"),
    *("show LOG c-1", "show --format mermaid LOG c-1", "sniff", "diff LOG LOG", "check no-LOG"),
)


def hostile(mark: str) -> list[str]:
    """A log in which all names of a conversation are commands, and many end too early."""
    names = {"queueId": mark, "queueName": f"{mark}\n{mark}", "agentEmail": mark}
    person = {"identity": mark, "name": mark, "type": "agent", "customFields": names}
    events = [
        json.loads(line(text, conversation, participant=person))
        for conversation in ("c-1", *(f"{mark}{number}" for number in range(30)))
        for text in ("NA entry a-1", "NA exit a-1", "NA exit a-1", "END")
    ]
    for each in events:
        each["botId"] = mark
    return [*map(json.dumps, events), mark]


@pytest.mark.parametrize("mark", ["::notice::hi", "##[error]hi", "\u00a0::error::", "##vso[x]hi"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_line_is_a_workflow_command(segue: Segue, write: Write, command: str, mark: str) -> None:
    name = f"{mark.strip()}.jsonl"
    write(name, hostile(mark))
    words = command.replace("LOG", name).split()

    done = segue(*words, *(() if "LOG" in command else (name,)))

    assert done.out or done.err
    assert [each for each in (done.out + done.err).splitlines() if _EXECUTED.match(each)] == []
