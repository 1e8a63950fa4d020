"""Rules and their severities."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Severity(StrEnum):
    """How clearly the specification decides it."""

    ERROR = "error"
    """The specification forbids it."""
    WARNING = "warning"
    """The specification discourages it, or it is very likely a fault."""
    NOTE = "note"
    """The specification does not say, and we accept it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the catalogue. Codes are never reused."""

    code: str
    """Stable and selectable by prefix: `SG103`."""
    name: str
    """The offence in kebab-case, read after "allow": `cold-entry-before-exit`."""
    severity: Severity
    """Unless a policy changes it."""
    summary: str
    """The only sentence shown when there is room for one."""
    message: str
    """What happened, as a `str.format` template over the facts of a finding."""
    help: str
    """How to correct it, as a template over the same facts."""
    spec: str
    """Where the specification decides this: `Events, ordering rule 2`."""
    helps: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What helps instead in some situations, by the word for each: `released`."""

    def help_in(self, facts: Mapping[str, str]) -> str:
        """Return what helps in the first of the facts' `situations` that makes a difference."""
        situations = facts.get("situations", "").split("/")
        return next((self.helps[each] for each in situations if each in self.helps), self.help)

    @property
    def family(self) -> int:
        """The digit behind `SG`.

        1 order, 2 agents, 3 envelope, 4 transcription, 5 shape, 6 log, 7 calls.
        """
        return int(self.code[2])
