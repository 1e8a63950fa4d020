"""The HTML page of the inspector, and the data that it shows of a conversation.

The page contains the rules and whether a token is needed, but no conversation.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC
from functools import cache
from typing import Any, Final

from segue.core.conversation import Note, Report
from segue.core.events import HOOKS, Delivery, EventKind
from segue.core.findings import RULES
from segue.core.wire import read_line
from segue.report.escape import visible
from segue.report.page_data import details, list_row
from segue.report.page_rows import Situations, page_note
from segue.report.page_template import PageTemplate
from segue.server.processor import HeldEntry

_UNPLACED: Final = EventKind.UNPROCESSABLE.name
"""The name of the kind of events that could not be read. Every intake has this kind."""
_CONNECTIONS: Final = "connect-src 'self'"


@cache
def inspector_page(*, asks_for_token: bool) -> tuple[bytes, str]:
    """Return the HTML page in UTF-8, and its content security policy.

    `asks_for_token` makes the page ask its visitors for a token.
    """
    template = PageTemplate(
        "Segue inspector", ("token_prompt", "side_lists", "remainder", "live"), _CONNECTIONS
    )
    rules = [[rule.code, rule.name, rule.summary, rule.spec] for rule in RULES]
    run = template.part("run", {"asks": asks_for_token, "rules": rules})
    return template.document([run]).encode(), template.policy


def inspector_data(
    report: Report,
    expected: Iterable[str],
    deliveries: Iterable[Delivery] = (),
    held: Iterable[HeldEntry] = (),
    later: tuple[str, int] | None = None,
) -> dict[str, Any]:
    """Return the data that the page shows of a conversation, as JSON values.

    `expected` are the events that are legal next. `held` are the deliveries that wait for others.
    If the report covers only the beginning of the conversation, `later` holds the cursor at which
    the rest begins, and the number of findings in the whole conversation.
    """
    report.notes = list(_notes(deliveries))
    next_events = [visible(text) for text in expected]
    rest = None if later is None else {"after": later[0], "findings": later[1]}
    situations = Situations()
    story = details(report, situations, [page_note(_read(each)) for each in held])
    more = {"expected": next_events, "later": rest, "situations": situations.to_list()}
    more["waiting"] = [_waiting(each) for each in held]
    return {"row": list_row(report, story["start"]), "story": {**story, **more}}


def _notes(deliveries: Iterable[Delivery]) -> Iterator[Note]:
    """Yield the notes about these deliveries, as `segue.replay` would add them to the report."""
    positions: Counter[str] = Counter()
    for delivery in deliveries:
        machine, events = delivery.intake.machine, delivery.events
        is_placed = machine == HOOKS.machine or any(e.kind.name != _UNPLACED for e in events)
        if is_placed:
            yield positions[machine], "", page_note(delivery)
            positions[machine] += len(events)


def _waiting(entry: HeldEntry) -> str:
    """Return the codes of a held delivery and its deadline as text.

    An example is `SG103 until 2026-01-02 09:30:00.000 UTC`.
    """
    until = entry.deadline.astimezone(UTC).isoformat(" ", "milliseconds")[:-6]
    return visible(f"{', '.join(entry.codes) or 'the end'} until {until} UTC")


def _read(entry: HeldEntry) -> Delivery:
    return read_line(
        {
            "received_at": entry.received_at.isoformat(),
            "endpoint": entry.endpoint,
            "delivery_id": entry.delivery_id,
            "body": entry.body,
        }
    )
