"""A policy selects, ignores and re-ranks findings, and may require more fields of events.

It does not change what a conversation is: two readers of a log with different policies agree on it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from segue.core.errors import ConfigurationError, UnknownRule
from segue.core.findings.catalogue import BY_CODE
from segue.core.findings.finding import Finding
from segue.core.findings.rule import Rule, Severity
from segue.core.options import check_choice, check_option

_REQUIRABLE: Final = ("customFields", "language", "reason")
_EXAMPLES: Final = {
    "select": '["SG1"]',
    "ignore": '["SG110"]',
    "reject": '["SG101"]',
    "require": '["language"]',
}
STRICT_FAMILIES: Final = frozenset({1, 2, 3, 4})


def codes(selectors: Iterable[str]) -> frozenset[str]:
    """Resolve codes, prefixes (`SG1`) and rule names; raise `UnknownRule` for anything else."""
    chosen: set[str] = set()
    for selector in selectors:
        found = {rule.code for rule in BY_CODE.values() if _is_selected(rule, selector)}
        if not found:
            msg = f"no rule has the code, prefix or name {selector!r}; see `segue rules`"
            raise UnknownRule(msg)
        chosen |= found
    return frozenset(chosen)


def _is_selected(rule: Rule, selector: object) -> bool:
    """Return whether a selector is the name or code of a rule, or the beginning of the code."""
    begins = isinstance(selector, str) and selector[:2] == "SG" and rule.code.startswith(selector)
    return begins or selector == rule.name


@dataclass(frozen=True, slots=True)
class Policy:
    """What to report and how strongly.

    `select`, `ignore`, `reject` and the keys of `severity` take codes, prefixes or rule names; a
    longer selector beats a shorter one in `severity`, and `ignore` beats `select`.
    """

    select: tuple[str, ...] = ()
    """Report only these; if empty, report all."""
    ignore: tuple[str, ...] = ()
    """Never report these."""
    severity: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Other severities than the catalogue's: `{"SG205": "error"}`."""
    strict: bool = False
    """Turn warnings and notes of families 1 to 4 into errors."""
    reject: tuple[str, ...] = ()
    """A live delivery with one of these is refused as a whole."""
    require: tuple[str, ...] = ()
    """Fields that every transfer and END must have (SG502): `customFields`, `language`, `reason`,
    `customFields.KEY`."""
    transcription: Literal["enforce", "observe"] = "enforce"
    """`enforce` refuses a live action that the state does not allow; `observe` accepts it."""

    _reported: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())
    _rejected: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())
    _ranks: Mapping[str, Severity] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Resolve every selector once, so that a misspelt one fails here and not in production."""
        for name in ("select", "ignore", "reject", "require"):
            value = getattr(self, name)
            check_option(name, value, Iterable[Any], example=_EXAMPLES[name])
            object.__setattr__(self, name, tuple(value))
        for field_name in self.require:
            holder, _, key = str(field_name).partition(".")
            if field_name not in _REQUIRABLE and (holder != _REQUIRABLE[0] or not key):
                known = ", ".join((*_REQUIRABLE, f"{_REQUIRABLE[0]}.KEY"))
                raise ConfigurationError(f"require takes {known}, not {field_name!r}")
        check_choice("transcription", self.transcription, ("enforce", "observe"))
        check_option("severity", self.severity, Mapping[Any, Any], example='{"SG110": "note"}')
        object.__setattr__(self, "severity", dict(self.severity))
        chosen = codes(self.select) if self.select else frozenset(BY_CODE)
        reported = chosen - codes(self.ignore)
        if self.select and not reported:
            selected, ignored = ", ".join(self.select), ", ".join(self.ignore)
            raise ConfigurationError(
                f"no rule is left to report: {selected} selected, {ignored} ignored"
            )
        object.__setattr__(self, "_reported", reported)
        object.__setattr__(self, "_rejected", codes(self.reject))
        object.__setattr__(self, "_ranks", self._resolve_ranks())

    def _resolve_ranks(self) -> dict[str, Severity]:
        ranks: dict[str, Severity] = {}
        if self.strict:
            ranks.update(
                (rule.code, Severity.ERROR)
                for rule in BY_CODE.values()
                if rule.family in STRICT_FAMILIES
            )
        for selector in sorted(self.severity, key=lambda each: len(str(each))):
            wanted = self.severity[selector]
            check_choice(f"severity of {selector}", wanted, [*Severity])
            ranks.update(dict.fromkeys(codes((selector,)), Severity(wanted)))
        return ranks

    @classmethod
    def checked(cls, policy: "Policy") -> "Policy":
        """Return a policy; raise `ConfigurationError` for a value that is not one."""
        check_option("policy", policy, cls, example='segue.Policy(ignore=["SG110"])')
        return policy

    def reports(self, rule: Rule) -> bool:
        """Whether findings of this rule are reported at all."""
        return rule.code in self._reported

    def rejects(self, finding: Finding) -> bool:
        """Whether a live delivery that gives this finding is refused."""
        return finding.rule.code in self._rejected

    def apply(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return what is reported of these findings, re-ranked, in the same order."""
        return tuple(
            self._ranked(finding) for finding in findings if finding.rule.code in self._reported
        )

    def _ranked(self, finding: Finding) -> Finding:
        rank = self._ranks.get(finding.rule.code, finding.severity)
        return finding if rank is finding.severity else finding.ranked(rank)


DEFAULT: Final = Policy()
