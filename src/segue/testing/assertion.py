"""Assertions about streams that show, when they fail, what happened and how to mend it.

It decides what conforms: a stream without a finding but notes, which the specification leaves open.
House rules: the check is asked, nothing is judged here; the text of a failure is the account that
`segue check` gives.
"""

from collections.abc import Iterable
from typing import Any

from segue.conversation import Report, check
from segue.engine import Partial
from segue.findings import DEFAULT, Policy, Severity, codes
from segue.report.renderers import RenderOptions, renderer
from segue.testing.stories import beat_of

__all__ = ["account", "assert_conforms", "assert_violates"]


def assert_conforms(
    events: Iterable[Any], *, partial: Partial = None, policy: Policy = DEFAULT
) -> Report:
    """Assert that the events of one conversation give nothing but notes; return the report.

    Takes whatever `segue.check` takes.
    """
    __tracebackhide__ = True
    events = list(events)
    report = check(events, partial=partial, policy=policy)
    if any(finding.severity is not Severity.NOTE for finding in report.findings):
        msg = f"the conversation does not conform\n\n{account(report, events)}"
        raise AssertionError(msg)
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

    `rule` is a code or a name. Nothing else may be found, unless `only` is false.
    """
    __tracebackhide__ = True
    wanted = codes((rule,))
    events = list(events)
    report = check(events, partial=partial, policy=policy)
    found = {finding.code for finding in report.findings}
    if found & wanted and not (only and found - wanted):
        return report
    listed = ", ".join(sorted(found)) or "nothing"
    msg = f"{rule} was expected, found: {listed}\n\n{account(report, events)}"
    raise AssertionError(msg)


def account(report: Report, events: Iterable[Any] = ()) -> str:
    """Return what `segue check` shows of a report; of a clean one, its deliveries one by one."""
    if report.clean:
        shown = (beat_of(event) for event in events)
        return "\n".join(f"  {beat or 'another delivery'}" for beat in shown)
    pieces: list[str] = []
    renderer("full", pieces.append, RenderOptions(is_brief=True)).show(report)
    return "".join(pieces).rstrip()
