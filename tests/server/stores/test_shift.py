"""A whole shift through every store, many conversations side by side: what comes out went in."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import segue
from segue.core.wire.timestamps import read_iso_time
from segue.server.processor import Store

SHIFT = Path(__file__).parents[3] / "samples" / "shift.jsonl"
OBSERVE = segue.Policy(transcription="observe")
"""A log tells what has happened, so nothing of it is refused."""


def _by_conversation(lines: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """Take what can be read, filed and dated."""
    found = defaultdict(list)
    for text in lines:
        with suppress(ValueError):
            line = json.loads(text)
            name = line.get("conversation_id") or line["body"].get("conversationId")
            if name and read_iso_time(line.get("received_at")):
                found[name].append(line)
    return found


async def _send(
    processor: segue.Processor, name: str, lines: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Send one conversation, in order; return what was applied."""
    applied = []
    for line in lines:
        body, bot = line["body"], line.get("bot_id") or line["body"].get("botId")
        more: dict[str, Any] = {
            "received_at": read_iso_time(line["received_at"]),
            "delivery_id": line.get("delivery_id"),
        }
        receipt = (
            await processor.acontrol(bot, name, body, **more)
            if line.get("endpoint") == "transcription"
            else await processor.areceive(bot, body, **more)
        )
        if receipt.outcome is segue.server.DeliveryOutcome.APPLIED:
            applied.append(line)
    return applied


def _told(log: Iterable[str]) -> list[str]:
    """Return what a replay reports of each conversation, but for lines of the log."""
    return sorted(
        json.dumps(_without_lines(report), sort_keys=True)
        for report in segue.replay(log, key="bot")
    )


def _without_lines(report: segue.Report) -> dict[str, Any]:
    findings = [
        finding.to_dict() | {"line": None, "because": [each.text for each in finding.because]}
        for finding in report.findings
    ]
    return report.to_dict() | {"findings": findings}


def test_the_journal_of_a_shift_replays_to_the_shifts_reports(store: Store) -> None:
    conversations = _by_conversation(SHIFT.read_text(encoding="utf-8").splitlines())

    async def work() -> tuple[list[str], list[str]]:
        async with segue.Processor(store=store, policy=OBSERVE) as processor:
            sent = await asyncio.gather(
                *(_send(processor, name, lines) for name, lines in conversations.items())
            )
            applied = [json.dumps(line) for lines in sent for line in lines]
            return applied, await asyncio.to_thread(lambda: list(processor.export()))

    applied, exported = asyncio.run(work())

    assert len(exported) == len(applied) > 700
    assert _told(exported) == _told(applied)
