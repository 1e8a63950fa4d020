"""Policies, which choose the findings to report and to reject, and their severities.

A policy does not affect the state of a conversation. Two programs that check a log with different
policies agree on the phases and segments of its conversations.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from segue.core.errors import ConfigurationError, UnknownRule
from segue.core.findings.catalogue import BY_CODE
from segue.core.findings.finding import Finding
from segue.core.findings.rule import Rule, Severity
from segue.core.options import check_choice, check_option
from segue.core.reprs import shows

_REQUIRABLE: Final = ("customFields", "language", "reason")
_EXAMPLES: Final = {
    "select": '["SG1"]',
    "ignore": '["SG110"]',
    "reject": '["SG101"]',
    "require": '["language"]',
}
STRICT_FAMILIES: Final = frozenset({1, 2, 3, 4})
"""The rule families whose findings `Policy.strict` makes errors: SG1, SG2, SG3 and SG4."""


def codes(selectors: Iterable[str]) -> frozenset[str]:
    """Return the codes of all rules that match a selector.

    A selector is a code (`SG103`), a prefix of codes (`SG1`) or the name of a rule. Raise
    `UnknownRule` for a selector that matches no rule.
    """
    chosen: set[str] = set()
    for selector in selectors:
        found = {rule.code for rule in BY_CODE.values() if _is_selected(rule, selector)}
        if not found:
            msg = f"no rule has the code, prefix or name {selector!r}: see `segue rules`"
            raise UnknownRule(msg)
        chosen |= found
    return frozenset(chosen)


def _is_selected(rule: Rule, selector: object) -> bool:
    """Return whether a selector is the name or code of a rule, or a prefix of the code."""
    begins = isinstance(selector, str) and selector[:2] == "SG" and rule.code.startswith(selector)
    return begins or selector == rule.name


@dataclass(frozen=True, slots=True)
class Policy:
    """The choice of findings to report, and their severities.

    This policy ignores the notes about callbacks and reports messages of absent agents as errors:

        Policy(ignore=("SG118",), severity={"SG205": "error"})

    `select`, `ignore`, `reject` and the keys of `severity` contain codes (`SG103`), prefixes of
    codes (`SG1`) or names of rules. In `severity` a longer selector takes precedence over a shorter
    one, and `ignore` takes precedence over `select`.

    A selector that matches no rule raises `UnknownRule`. Any other wrong value raises
    `ConfigurationError`.
    """

    select: tuple[str, ...] = ()
    """The rules to report. An empty tuple selects all rules."""
    ignore: tuple[str, ...] = ()
    """The rules not to report. They take precedence over `select`."""
    severity: Mapping[str, str] = field(default_factory=dict, hash=False)
    """New severities by selector, such as `{"SG205": "error"}`. Other rules keep their own
    severity.
    """
    strict: bool = False
    """Whether warnings and notes of the rules SG1 to SG4 are reported as errors."""
    reject: tuple[str, ...] = ()
    """The rules for which a live delivery is rejected as a whole."""
    require: tuple[str, ...] = ()
    """Fields that every transfer event and END event must have: `customFields`, `language`,
    `reason` or `customFields.KEY`. SG502 reports a missing field.
    """
    transcription: Literal["enforce", "observe"] = "enforce"
    """Whether a live transcription action that the state does not allow is refused (`enforce`) or
    accepted (`observe`).
    """

    _reported: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())
    _rejected: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())
    _ranks: Mapping[str, Severity] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    __repr__ = shows()

    def __post_init__(self) -> None:
        """Validate the options and find the rules that the selectors match."""
        for name in ("select", "ignore", "reject", "require"):
            value = getattr(self, name)
            check_option(name, value, Iterable[Any], example=_EXAMPLES[name])
            object.__setattr__(self, name, tuple(value))
        for field_name in self.require:
            holder, _, key = str(field_name).partition(".")
            if field_name not in _REQUIRABLE and (holder != _REQUIRABLE[0] or not key):
                known = ", ".join((*_REQUIRABLE, f"{_REQUIRABLE[0]}.KEY"))
                raise ConfigurationError(f"`require` takes {known}, not {field_name!r}")
        check_choice("transcription", self.transcription, ("enforce", "observe"))
        check_option("severity", self.severity, Mapping[Any, Any], example='{"SG110": "note"}')
        object.__setattr__(self, "severity", dict(self.severity))
        chosen = codes(self.select) if self.select else frozenset(BY_CODE)
        reported = chosen - codes(self.ignore)
        if self.select and not reported:
            selected, ignored = ", ".join(self.select), ", ".join(self.ignore)
            raise ConfigurationError(
                f"no rule is left to report: the policy selects {selected} and ignores {ignored}"
            )
        object.__setattr__(self, "_reported", reported)
        object.__setattr__(self, "_rejected", codes(self.reject))
        object.__setattr__(self, "_ranks", self._resolve_ranks())

    def _resolve_ranks(self) -> dict[str, Severity]:
        """Return the severities that this policy changes, by the code of the rule."""
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
    def checked(cls, policy: "Policy | None") -> "Policy":
        """Return `policy`, or the default policy if it is None.

        Raise `ConfigurationError` if it is not a policy.
        """
        if policy is None:
            return DEFAULT
        check_option("policy", policy, cls | None, example='segue.Policy(ignore=["SG110"])')
        return policy

    def reports(self, rule: Rule) -> bool:
        """Return whether this policy reports findings of a rule."""
        return rule.code in self._reported

    def rejects(self, finding: Finding) -> bool:
        """Return whether a live delivery with this finding is rejected as a whole."""
        return finding.rule.code in self._rejected

    def apply(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings that this policy reports, with its severities, in the same order."""
        return tuple(
            self._ranked(finding) for finding in findings if finding.rule.code in self._reported
        )

    def _ranked(self, finding: Finding) -> Finding:
        rank = self._ranks.get(finding.rule.code, finding.severity)
        return finding if rank is finding.severity else finding.ranked(rank)


DEFAULT: Final = Policy()
"""The default policy, which reports every finding with the severity of its rule."""
