"""Logs of conversations between Ada, Ben and Cleo, and what a renderer makes of them."""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from tests.builders import Sender

import segue
from segue.core.conversation.current import current_reports
from segue.logs.plan import WINDOW
from segue.report import RunSummary, renderer
from segue.report.look import Look
from segue.report.page_rows import page_note
from segue.report.renderers import RenderOptions

__all__ = ["early", "line", "log", "rendered", "report", "with_callbacks"]

ADA_BEN_CLEO = Sender(names=("Ada", "Ben", "Cleo"))


def line(text: str, conversation: str = "c-1", at: str | None = None, **changed: Any) -> str:
    """One line of a log; `changed` replaces fields of the event."""
    return json.dumps(ADA_BEN_CLEO.delivery(text, conversation, at, **changed))


def log(*texts: str, conversation: str = "c-1") -> list[str]:
    """The lines of one conversation."""
    return [line(text, conversation) for text in texts]


def report(*texts: str) -> segue.Report:
    """What the check says of one conversation."""
    [only] = segue.replay(log(*texts))
    return only


def early(conversation: str = "c-1") -> list[str]:
    """A conversation with a COLD entry that came before the COLD exit."""
    return log(
        "NA entry a-1",
        "user message",
        "agent message a-1",
        "COLD entry a-2",
        "COLD exit a-1",
        "NA exit a-2",
        "END",
        conversation=conversation,
    )


def with_callbacks() -> list[str]:
    """A pause that says nothing of a handover, and an hour later a second call notification."""
    action = {"endpoint": "transcription", "bot_id": "st-1", "conversation_id": "c-1"}
    sent = [
        json.loads(line("NA entry a-1", "c-1", "09:00:00")),
        action | {"body": {"action": "start", "agentId": "a-1"}},
        action | {"body": {"action": "pause", "agentId": "a-1"}},
    ]
    early = [each | {"received_at": "2026-03-02T09:00:00Z"} for each in sent]
    call = {"endpoint": "notifications", "bot_id": "st-1", "received_at": "2026-03-02T10:30:00Z"}
    late = [
        call | {"body": {"conversationId": "c-1", "status": status}}
        for status in ("failed", "answered")
    ]
    return [json.dumps(each) for each in early + late]


def rendered(
    name: str,
    lines: Iterable[str],
    look: Look | None = None,
    *,
    include_text: bool = False,
    window: int = WINDOW,
    **more: Any,
) -> str:
    """What a renderer makes of a log; `more` are options of it."""
    written: list[str] = []
    options = RenderOptions(look or Look(), **more)
    chosen = renderer(name, written.append, options)
    tally = RunSummary()
    note = partial(page_note, include_text=include_text)
    for each in current_reports(segue.replay(lines, note=note, window=window)):
        tally.add(each)
        chosen.show(each)
    chosen.finish(tally)
    return "".join(written)
