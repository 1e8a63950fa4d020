"""Send the flows of the specification (E21 and E1) to a running server.

    segue serve --dev
    SEGUE_TOKEN=… python samples/flows.py http://127.0.0.1:8080

Use the token that the server prints. The script needs httpx. It exits with 1 if a response is not
as expected.
"""  # noqa: INP001 - a script

import os
import sys
from collections.abc import Iterator
from typing import Any, Final
from uuid import uuid4

import httpx

BOT: Final = "st-1"
E21: Final = f"/agentdesk/api/v1/hooks/{BOT}"
E1: Final = f"/api/1.1/public/bot/{BOT}/control/transcription"

ADA, BEN, CLEO = (
    {
        "identity": identity,
        "name": name,
        "type": "agent",
        "customFields": {"agentEmail": f"{identity}@example.com", "queueId": "qu-1"},
    }
    for identity, name in (("a-1", "Ada"), ("a-2", "Ben"), ("a-3", "Cleo"))
)


def transfer(kind: str, transition: str, agent: dict[str, Any]) -> dict[str, Any]:
    """Return the event of an agent who enters or leaves."""
    return {
        "name": "INTERNAL_TRANSFER_EVENT",
        "transfertype": kind,
        "transition": transition,
        "isExtAD": False,
        "experience": "voice",
        "participant": agent,
    }


SUMMARY: Final = {
    "name": "TRIGGER_SUMMARY_EVENT",
    "experience": "voice",
    "participant": ADA,
    "data": {"language": "English", "locale": "en", "type": "post"},
}
END: Final = {
    "name": "END_OF_CONVERSATION",
    "reason": "agent_initiated",
    "language": "en",
    "experience": "voice",
    "participant": ADA,
}
STANDARD: Final = (transfer("NA", "entry", ADA), transfer("NA", "exit", ADA), SUMMARY, END)
COLD: Final = (
    transfer("NA", "entry", ADA),
    transfer("cold", "exit", ADA),
    transfer("cold", "entry", BEN),
    transfer("cold", "exit", BEN),
    transfer("cold", "entry", CLEO),
    transfer("NA", "exit", CLEO),
    END,
)
WARM: Final = (
    transfer("NA", "entry", ADA),
    transfer("warm", "entry", BEN),
    transfer("warm", "exit", BEN),
    transfer("NA", "exit", ADA),
    END,
)
ABRUPT: Final = (
    transfer("NA", "entry", ADA),
    transfer("NA", "exit", ADA),
    transfer("redial", "entry", ADA) | {"reason": "agent_initiated"},
    transfer("NA", "exit", ADA),
    SUMMARY,
    END,
)
FLOWS: Final = {"standard": STANDARD, "cold": COLD, "warm": WARM, "abrupt end": ABRUPT}


def main(url: str, token: str) -> int:
    """Send all flows and return the number of failures."""
    wrong = 0
    with httpx.Client(base_url=url, timeout=30) as client:
        for name, text in (*lifecycle(client, token), *transcription(client, token)):
            wrong += text != "as expected"
            sys.stdout.write(f"{name}: {text}\n")
    return wrong


def lifecycle(client: httpx.Client, token: str) -> Iterator[tuple[str, str]]:
    """Send the flows of E21, one event per request. Yield the result of each flow."""
    for name, events in FLOWS.items():
        conversation = f"c-{uuid4()}"
        ids = {"conversationId": conversation, "botId": BOT}
        for number, event in enumerate(events):
            # The webhook's sample in the specification sends the token in the header `token`.
            headers = {"token": token, "Idempotency-Key": f"{conversation}-{number}"}
            answer = client.post(E21, json={**ids, "events": [event]}, headers=headers)
            if answer.status_code != httpx.codes.OK or answer.json()["findings"]:
                yield name, f"{answer.status_code} {answer.text}"
                break
            if number == 0:
                answer = client.post(E21, json={**ids, **MESSAGE}, headers={"token": token})
        known = client.get(f"/conversations/{conversation}", headers={"auth": token}).json()
        is_fine = (known["phase"], known["clean"], known["events"]) == (
            "ended",
            True,
            len(events) + 1,
        )
        yield name, "as expected" if is_fine else str(known)


MESSAGE: Final = {
    "query": "Hello, my order has not come",
    "agentId": "a-1",
    "experience": "voice",
    "author": {"type": "USER"},
    "source": "desk",
    "sendUserMessage": True,
    "sendAgentMessage": False,
    "language": "en",
}


def transcription(client: httpx.Client, token: str) -> Iterator[tuple[str, str]]:
    """Send the actions of E1 in a conversation. Yield the result of each action."""
    conversation = f"c-{uuid4()}"
    ids = {"conversationId": conversation, "botId": BOT}
    client.post(E21, json={**ids, "events": [STANDARD[0]]}, headers={"auth": token})
    steps: tuple[tuple[dict[str, Any], str], ...] = (
        ({"action": "start"}, "active"),
        ({"action": "pause", "handover": False}, "hold"),
        ({"action": "resume"}, "active"),
        ({"action": "end"}, "ended"),
    )
    for body, state in steps:
        # The sample of E1 also has an Authorization header for another system.
        answer = client.post(
            E1,
            params={"conversationId": conversation},
            json={"agentId": "a-1", **body},
            headers={"auth": token, "Authorization": "bearer 5b3c1f", "accountId": "acc-1"},
        )
        found = answer.json()
        is_fine = answer.status_code == httpx.codes.OK and found["state"] == state
        yield f"transcription {body['action']}", "as expected" if is_fine else answer.text
    answer = client.post(
        E1,
        params={"conversationId": conversation},
        json={"agentId": "a-1", "action": "pause", "handover": False},
        headers={"auth": token},
    )
    is_refused = answer.status_code == httpx.codes.CONFLICT
    yield "transcription pause after end", "as expected" if is_refused else answer.text


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1], os.environ["SEGUE_TOKEN"]), 1))
