"""Assertions about streams that show, when they fail, what happened and how to repair it.

A stream conforms if the check finds nothing but notes. The text of a failure is what `segue check`
shows.
"""

from collections.abc import Iterable
from typing import Any

from segue.analysis.simulate.bodies import read_delivery
from segue.core.conversation import Report, check, refuse_single
from segue.core.engine import Partial
from segue.core.findings import DEFAULT, Policy, Severity, codes
from segue.report.renderers import RenderOptions, renderer


def assert_conforms(
    events: Iterable[Any], *, partial: Partial = None, policy: Policy = DEFAULT
) -> Report:
    """Assert that the events of one conversation give nothing but notes; return the report.

    Takes everything that `segue.check` takes.
    """
    __tracebackhide__ = True
    refuse_single(events, "assert_conforms")
    events = list(events)
    report = check(events, partial=partial, policy=policy)
    if any(finding.severity is not Severity.NOTE for finding in report.findings):
        raise AssertionError(f"the conversation does not conform\n\n{report_text(report, events)}")
    return report


def assert_violates(
    events: Iterable[Any],
    rule: str,
    *,
    only: bool = True,
    partial: Partial = None,
    policy: Policy = DEFAULT,
) -> Report:
    """Assert that the events of one conversation offend this rule; return the report.

    Args:
        events: everything that `segue.check` takes.
        rule: code or name of the rule.
        only: whether any other finding is a failure too.
        partial: which end of the log is cut off.
        policy: which findings count.

    Raises:
        AssertionError: the rule is not offended, or another is as well.
        UnknownRule: there is no such rule.

    """
    __tracebackhide__ = True
    wanted = codes((rule,))
    refuse_single(events, "assert_violates")
    events = list(events)
    report = check(events, partial=partial, policy=policy)
    found = {finding.code for finding in report.findings}
    if found & wanted and not (only and found - wanted):
        return report
    listed = ", ".join(sorted(found)) or "nothing"
    raise AssertionError(f"{rule} was expected, found: {listed}\n\n{report_text(report, events)}")


def report_text(report: Report, events: Iterable[Any] = ()) -> str:
    """Return what `segue check` shows of a report; of a clean one, its deliveries one by one."""
    if report.clean:
        shown = (read_delivery(event) for event in events)
        return "\n".join(f"  {event or 'another delivery'}" for event in shown)
    pieces: list[str] = []
    renderer("full", pieces.append, RenderOptions(is_brief=True)).show(report)
    return "".join(pieces).rstrip()
