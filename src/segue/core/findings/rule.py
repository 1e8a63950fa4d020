"""The classes `Rule` and `Severity`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from segue.core.reprs import shows


class Severity(StrEnum):
    """The severity of a finding, which says how clearly the specification forbids the behavior."""

    ERROR = "error"
    """The specification forbids the behavior."""
    WARNING = "warning"
    """The specification discourages the behavior, or it is very likely a fault."""
    NOTE = "note"
    """The specification does not decide the case, and Segue accepts the behavior."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that Segue checks. `segue.RULES` contains all rules."""

    code: str
    """The code, such as `SG103`. A code is never given to another rule."""
    name: str
    """The name of the offence in kebab-case, such as `cold-entry-before-exit`."""
    severity: Severity
    """The severity of findings of this rule, unless a policy sets a different one."""
    summary: str
    """A sentence that describes the offence and can be understood on its own."""
    message: str
    """The template of a finding's message, for `str.format`. Its fields are the finding's facts."""
    help: str
    """The template of the advice on how to correct the offence, with the same fields as `message`.
    """
    spec: str
    """The passage of the specification, such as `Events, ordering rule 2`."""
    helps: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Templates of special advice by the situation they are for, such as `released`."""

    __repr__ = shows("code", "name", "severity")

    def help_in(self, facts: Mapping[str, str]) -> str:
        """Return the advice template for the situation that the facts describe.

        `facts["situations"]` is a list of situation names joined by `/`. The first name that is a
        key of `helps` selects the template. Without such a name the template is `help`.
        """
        situations = facts.get("situations", "").split("/")
        return next((self.helps[each] for each in situations if each in self.helps), self.help)

    @property
    def family(self) -> int:
        """The family of the rule, which is the first digit of its code.

        The families are 1 order of events, 2 agents, 3 envelopes, 4 transcription, 5 shape of
        bodies, 6 logs, and 7 calls.
        """
        return int(self.code[2])
