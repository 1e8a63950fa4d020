"""Write a vCon of each conversation that ended on a day, for a nightly timer.

python -m samples.programs.nightly_vcon STORE FOLDER [YYYY-MM-DD]

The day is in UTC, by default yesterday. Files are written atomically, and a second run writes the
same files, so you can simply repeat an interrupted run.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import segue


def ended_on(processor: segue.Processor, day: date) -> Iterator[segue.server.ConversationSummary]:
    """Yield the conversations that ended and had their last delivery on that day."""
    cursor = None
    while True:
        page = processor.conversations(after=cursor, limit=1000)
        for summary in page.items:
            if summary.phase == "ended" and summary.updated_at.astimezone(UTC).date() == day:
                yield summary
        cursor = page.next
        if cursor is None:
            return


def main(store: str, folder: str, day: str | None = None) -> int:
    """Write the files and return their number."""
    chosen = date.fromisoformat(day) if day else datetime.now(UTC).date() - timedelta(days=1)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = 0
    with segue.Processor(store=segue.open_store(store)) as processor:
        for summary in ended_on(processor, chosen):
            log = processor.export(summary.conversation_id, summary.bot_id)
            for text in segue.convert(log, "vcon", include_text=True):
                name = f"{summary.bot_id}-{summary.conversation_id}".replace("/", "_")
                partial = target / f"{name}.part"
                partial.write_text(text, encoding="utf-8")
                partial.replace(target / f"{name}.vcon")
                written += 1
    return written


if __name__ == "__main__":
    sys.stdout.write(f"{main(*sys.argv[1:])} conversations\n")
