"""A finding: one report, made of a rule, a place and evidence. How it looks is decided elsewhere.

No text of the conversation and no value of `customFields` ever enters a finding: facts are ids,
positions and the closed vocabularies of the specification.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from segue.findings.catalogue import BY_CODE
from segue.findings.place import Cause, Place
from segue.findings.rule import Rule, Severity

__all__ = ["Finding", "find"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One report. Compare findings by `code` and `place`, not by their wording."""

    rule: Rule
    place: Place
    severity: Severity
    message: str
    """What happened, as one clause that makes sense alone."""
    expected: tuple[str, ...] = ()
    """Which events were legal instead, computed from the lifecycle table."""
    because: tuple[Cause, ...] = ()
    """Earlier places that set this up."""
    help: str = ""
    """The repair."""

    @property
    def code(self) -> str:
        """The rule's code."""
        return self.rule.code

    @property
    def name(self) -> str:
        """The rule's name."""
        return self.rule.name

    def to_dict(self) -> dict[str, object]:
        """Return the finding as the documented JSON object."""
        return {
            "code": self.rule.code,
            "name": self.rule.name,
            "severity": self.severity.value,
            "event": self.place.event,
            "action": self.place.action,
            "line": self.place.line,
            "pointer": self.place.pointer,
            "message": self.message,
            "expected": list(self.expected),
            "because": [
                {"event": cause.place.event, "line": cause.place.line, "text": cause.text}
                for cause in self.because
            ],
            "help": self.help,
        }


def find(  # noqa: PLR0913 - the parts of a finding
    code: str,
    place: Place,
    facts: Mapping[str, str],
    *,
    expected: tuple[str, ...] = (),
    because: tuple[Cause, ...] = (),
    severity: Severity | None = None,
) -> Finding:
    """Build the finding of rule `code` from facts named as in the rule's templates."""
    rule = BY_CODE[code]
    return Finding(
        rule=rule,
        place=place,
        severity=severity or rule.severity,
        message=rule.message.format_map(facts),
        expected=expected,
        because=because,
        help=rule.help.format_map(facts),
    )
