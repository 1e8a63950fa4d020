"""Rules and their severities."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Severity(StrEnum):
    """The severity of a finding, by how clearly the specification decides the case."""

    ERROR = "error"
    """The specification forbids it."""
    WARNING = "warning"
    """The specification discourages it, or it is very likely a fault."""
    NOTE = "note"
    """The specification does not say, and Segue accepts it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """An entry of the catalogue of rules. Codes are never reused."""

    code: str
    """The stable code, such as `SG103`. A prefix selects all rules that begin with it."""
    name: str
    """The offence in kebab-case, read after "allow": `cold-entry-before-exit`."""
    severity: Severity
    """The severity of its findings unless a policy changes it."""
    summary: str
    """A sentence that describes the rule on its own."""
    message: str
    """The template of a finding's message, for `str.format` with the facts of the finding."""
    help: str
    """The template of the advice on how to correct the offence, with the same facts."""
    spec: str
    """The place in the specification, such as `Events, ordering rule 2`."""
    helps: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Templates of other advice for certain situations, by the name of the situation: `released`.
    """

    def help_in(self, facts: Mapping[str, str]) -> str:
        """Return the template of the advice in the situation that the facts describe.

        That is the advice for the first of `situations` that has its own, otherwise `help`.
        """
        situations = facts.get("situations", "").split("/")
        return next((self.helps[each] for each in situations if each in self.helps), self.help)

    @property
    def family(self) -> int:
        """The family of the rule, which is the first digit of its code.

        1 order, 2 agents, 3 envelope, 4 transcription, 5 shape, 6 log, 7 calls.
        """
        return int(self.code[2])
