"""Findings, which combine a rule, a place and evidence.

Facts are ids, positions and words of the specification. They never contain text of the conversation
or values of `customFields`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from segue.core.findings.catalogue import BY_CODE
from segue.core.findings.place import Cause, Place, Root
from segue.core.findings.rule import Rule, Severity

__all__ = ["Finding", "find"]


@dataclass(frozen=True, slots=True)
class Finding:
    """An offence that the check found in a conversation or a log.

    Compare findings by `code` and `place`. The wording of a message may change in any version.
    """

    rule: Rule
    """The entry of the catalogue: code, name and texts."""
    place: Place
    """The place in the conversation and in the log."""
    severity: Severity
    """The severity of the rule, unless the policy changes it."""
    message: str
    """One clause that says what happened and makes sense alone."""
    expected: tuple[str, ...] = ()
    """The events that would have been legal instead, computed from the lifecycle table."""
    because: tuple[Cause, ...] = ()
    """Earlier events that led to the offence."""
    help: str = ""
    """Advice on how to correct the offence."""
    follows: Root | None = None
    """The earlier mistake that explains this error, or None if the error is a mistake of its own.
    """

    @property
    def code(self) -> str:
        """The code of the rule, such as `SG103`."""
        return self.rule.code

    @property
    def name(self) -> str:
        """The name of the rule, such as `cold-entry-before-exit`."""
        return self.rule.name

    @property
    def root(self) -> Root:
        """The mistake that the finding belongs to: the one it follows, or itself."""
        return self.follows or Root(self.rule.code, replace(self.place, pointer=""))

    def __str__(self) -> str:
        """Return the finding in one line. Characters that are not printable are escaped."""
        place = self.place
        line = "" if place.line is None else f"line {place.line}"
        known = [each for each in (line, place.position) if each]
        text = f"{', '.join(known) or 'end'}: {self.code} {self.message} [{self.name}]"
        text += f" follows from {self.follows}" if self.follows else ""
        return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)

    def ranked(self, severity: Severity) -> "Finding":
        """Return the finding with another severity."""
        return replace(self, severity=severity)

    def to_dict(self) -> dict[str, object]:
        """Return the finding as a JSON object, as the report schema describes it."""
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
            "follows": None if self.follows is None else self.follows.to_dict(),
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
    """Return the finding of a rule.

    Args:
        code: The code of the rule.
        place: The place of the offence.
        facts: The values for the rule's templates, by name. `situations` holds names of situations
            for which the rule may have its own advice, the most specific first, separated by `/`.
        expected: The events that would have been legal instead.
        because: Earlier events that led to the offence.

    """
    rule = BY_CODE[code]
    message, advice = rule.message.format_map(facts), rule.help_in(facts).format_map(facts)
    return Finding(rule, place, rule.severity, message, expected, because, advice)
