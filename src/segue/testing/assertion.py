"""Assertions that the events of a conversation conform to the specification, or violate a rule.

The message of a failed assertion is the output of `segue check`: the findings, a timeline and a
repair.
"""

from collections.abc import Iterable
from typing import Any

from segue.analysis.simulate.bodies import read_delivery
from segue.core.conversation import Report, check, refuse_single
from segue.core.engine import Partial
from segue.core.findings import Policy, Severity, codes
from segue.report.renderers import RenderOptions, renderer


def assert_conforms(
    events: Iterable[Any], *, partial: Partial = None, policy: Policy | None = None
) -> Report:
    """Assert that the events of one conversation conform to the specification.

    A conversation conforms if all its findings are notes.

    Args:
        events: The events in any form that `segue.check` accepts.
        partial: The end of the log that is cut off: `"start"`, `"end"`, `"both"` or None.
        policy: The policy that selects the findings to report, or None for the default policy.

    Returns:
        The report of the conversation.

    Raises:
        AssertionError: The conversation has an error or a warning. The message shows the findings,
            a timeline and a repair.

    """
    __tracebackhide__ = True
    refuse_single(events, "assert_conforms")
    events = list(events)
    report = check(events, partial=partial, policy=policy)
    if any(finding.severity is not Severity.NOTE for finding in report.findings):
        shown = report_text(report, events)
        msg = f"the conversation does not conform to the specification\n\n{shown}"
        raise AssertionError(msg)
    return report


def assert_violates(
    events: Iterable[Any],
    rule: str,
    *,
    only: bool = True,
    partial: Partial = None,
    policy: Policy | None = None,
) -> Report:
    """Assert that the events of one conversation violate a rule.

    Args:
        events: The events in any form that `segue.check` accepts.
        rule: The code or name of the rule.
        only: Whether the assertion fails if another rule is violated as well.
        partial: The end of the log that is cut off: `"start"`, `"end"`, `"both"` or None.
        policy: The policy that selects the findings to report, or None for the default policy.

    Returns:
        The report of the conversation.

    Raises:
        AssertionError: The rule is not violated, or, with `only`, another rule is. The message
            shows the findings, a timeline and a repair.
        UnknownRule: No rule has this code or name.

    """
    __tracebackhide__ = True
    wanted = codes((rule,))
    refuse_single(events, "assert_violates")
    events = list(events)
    report = check(events, partial=partial, policy=policy)
    found = {finding.code for finding in report.findings}
    if found & wanted and not (only and found - wanted):
        return report
    expected = f"only {rule}" if only else rule
    listed = ", ".join(sorted(found)) or "no findings"
    raise AssertionError(f"expected {expected}, found {listed}\n\n{report_text(report, events)}")


def report_text(report: Report, events: Iterable[Any] = ()) -> str:
    """Return a report as the text that `segue check` prints.

    For a report without findings, return a list of the events instead, one on each line.
    """
    if report.clean:
        shown = (read_delivery(event) for event in events)
        return "\n".join(f"  {event or 'another delivery'}" for event in shown)
    pieces: list[str] = []
    renderer("full", pieces.append, RenderOptions(is_brief=True)).show(report)
    return "".join(pieces).rstrip()
