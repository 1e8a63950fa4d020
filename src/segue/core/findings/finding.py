"""The class `Finding`, which combines a rule, a place and evidence.

The values in findings are ids, positions and words of the specification. They are never text of the
conversation or values of `customFields`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from segue.core.findings.catalogue import BY_CODE
from segue.core.findings.place import Cause, Place
from segue.core.findings.rule import Rule, Severity
from segue.core.reprs import shows

__all__ = ["Finding", "find"]


@dataclass(frozen=True, slots=True)
class Finding:
    """An offence that the check found in a conversation or a log.

    Compare findings by `code` and `place`. The wording of a message may change in any version.
    """

    rule: Rule
    """The rule that was broken, an entry of `RULES`."""
    place: Place
    """The position in the conversation and, if known, the line of the log."""
    severity: Severity
    """The severity of the rule, unless the policy sets a different one."""
    message: str
    """One clause that says what happened and can be understood on its own."""
    expected: tuple[str, ...] = ()
    """Labels of the events that would have been legal instead, such as `NA exit by a-1`."""
    because: tuple[Cause, ...] = ()
    """The earlier events that led to the offence."""
    help: str = ""
    """Advice on how to correct the offence."""

    __repr__ = shows("code", "place", "message")

    @property
    def code(self) -> str:
        """The code of the rule, such as `SG103`."""
        return self.rule.code

    @property
    def name(self) -> str:
        """The name of the rule, such as `cold-entry-before-exit`."""
        return self.rule.name

    def __str__(self) -> str:
        """Return the finding on one line.

        For example: `line 75, event 4: SG103 agent a-108 took over … [cold-entry-before-exit]`.
        Characters that are not printable are escaped.
        """
        place = self.place
        line = "" if place.line is None else f"line {place.line}"
        known = [each for each in (line, place.position) if each]
        text = f"{', '.join(known) or 'end'}: {self.code} {self.message} [{self.name}]"
        return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)

    def ranked(self, severity: Severity) -> "Finding":
        """Return a copy of the finding with another severity."""
        return replace(self, severity=severity)

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a JSON object with the keys of the report schema."""
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


def find(
    code: str,
    place: Place,
    facts: Mapping[str, str],
    *,
    expected: tuple[str, ...] = (),
    because: tuple[Cause, ...] = (),
) -> Finding:
    """Return a new finding, with its message and advice made from the templates of the rule.

    Args:
        code: The code of the rule, such as `SG103`.
        place: The place of the offence.
        facts: The values for the templates by name. The value of `situations` is a list of
            situation names joined by `/`, the most specific name first. The rule uses its advice
            for the first of these situations for which it has special advice.
        expected: Labels of the events that would have been legal instead.
        because: The earlier events that led to the offence.

    """
    rule = BY_CODE[code]
    message, advice = rule.message.format_map(facts), rule.help_in(facts).format_map(facts)
    return Finding(rule, place, rule.severity, message, expected, because, advice)
