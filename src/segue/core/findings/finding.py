"""A finding: a rule, a place and the evidence.

Facts are ids, positions and words of the specification, never text of the conversation or values
of `customFields`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from segue.core.findings.catalogue import BY_CODE
from segue.core.findings.place import Cause, Place, Root
from segue.core.findings.rule import Rule, Severity

__all__ = ["Finding", "find"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One offence. Compare findings by `code` and `place`, not by their wording."""

    rule: Rule
    """The entry of the catalogue: code, name and texts."""
    place: Place
    """Where in the conversation and in the log."""
    severity: Severity
    """That of the rule, unless the policy changes it."""
    message: str
    """What happened, as one clause that makes sense alone."""
    expected: tuple[str, ...] = ()
    """Which events were legal instead, computed from the lifecycle table."""
    because: tuple[Cause, ...] = ()
    """Earlier places that set this up."""
    help: str = ""
    """How to correct it."""
    follows: Root | None = None
    """The earlier mistake that explains this error; None if it is a mistake of its own."""

    @property
    def code(self) -> str:
        """The rule's code."""
        return self.rule.code

    @property
    def name(self) -> str:
        """The rule's name."""
        return self.rule.name

    @property
    def root(self) -> Root:
        """The mistake it belongs to: the one it follows, or itself."""
        return self.follows or Root(self.rule.code, replace(self.place, pointer=""))

    def __str__(self) -> str:
        """Return it as one line, with characters that are not printable as escapes."""
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
        place: Where it is.
        facts: What the templates of the rule are filled with, by name; `situations` are words for
            where the conversation stands, the most particular first, with `/` between them.
        expected: Which events were legal instead.
        because: Earlier places that set it up.

    """
    rule = BY_CODE[code]
    message, advice = rule.message.format_map(facts), rule.help_in(facts).format_map(facts)
    return Finding(rule, place, rule.severity, message, expected, because, advice)
