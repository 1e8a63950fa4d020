"""A log whose every name and id tries to be more than text, wherever it is shown."""

import json
from typing import Any

from tests.report.story import line

__all__ = ["CANARY", "HOSTILE", "SECRET", "hostile"]

CANARY = "\x1b[31m<b>&\"'\r\n::error::owned,a=b%0A[link](x){0}]]>\x9b\ufffe\u202e</script><!--"
"""Acts on a terminal, a workflow, XML, a SARIF viewer and a page, where it is not escaped."""

SECRET = "the card number of a customer"  # noqa: S105 - what nobody may find in a report
HOSTILE = ("\x1b", "\r", "\x9b", "\u202e")


def hostile() -> list[str]:
    """Lines with an early COLD entry, a redial and what is said, by agents called the canary."""
    told: dict[str, Any] = {"participant": {"identity": CANARY, "name": CANARY, "type": "agent"}}
    first: dict[str, Any] = {"participant": {"identity": "a-1", "name": CANARY, "type": "agent"}}
    fields = {"agentEmail": SECRET, "queueId": CANARY, "queueName": CANARY}
    first["participant"]["customFields"] = fields
    said = json.loads(line("user message", CANARY)) | {"query": SECRET, "agentId": CANARY}
    return [
        line("NA entry a-1", CANARY, **first),
        json.dumps(said),
        line("COLD entry a-2", CANARY, **told),
        line("WARM exit a-3", CANARY),
        line("END", CANARY, **told),
        line("END", CANARY, **told),
        "{",
    ]
