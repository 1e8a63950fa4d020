"""The page of a running server, and the data it asks for to draw a conversation.

The page holds the rules and whether a token is needed, and no conversation.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from segue.conversation import Report
from segue.findings import RULES
from segue.report.escape import visible
from segue.report.page_data import details, list_row
from segue.report.page_template import PageTemplate

_CONNECTIONS: Final = "connect-src 'self'"


@cache
def inspector_page(*, asks_for_token: bool) -> tuple[bytes, str]:
    """Return the page and its policy."""
    template = PageTemplate("Segue inspector", ("gate", "refusals", "later", "live"), _CONNECTIONS)
    rules = [[rule.code, rule.name, rule.summary, rule.spec] for rule in RULES]
    run = template.part("run", {"asks": asks_for_token, "rules": rules})
    return template.document([run]).encode(), template.policy


def inspector_data(
    report: Report, expected: Iterable[str], later: tuple[str, int] | None = None
) -> dict[str, Any]:
    """Return what the page shows of a conversation, with what is expected of it next.

    For an excerpt, `later` is the cursor of what comes behind it, and how many findings there are
    in the whole conversation.
    """
    next_events = [visible(text) for text in expected]
    rest = None if later is None else {"after": later[0], "findings": later[1]}
    story = {**details(report), "expected": next_events, "later": rest}
    return {"row": list_row(report), "story": story}
