"""Policies: which findings are reported and rejected, and with which severity.

A policy does not affect the state of a conversation. Two readers of a log with different policies
agree on what happened.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from segue.core.errors import ConfigurationError, UnknownRule
from segue.core.findings.catalogue import BY_CODE
from segue.core.findings.finding import Finding
from segue.core.findings.rule import Rule, Severity

_REQUIRABLE: Final = ("customFields", "language", "reason")
STRICT_FAMILIES: Final = frozenset({1, 2, 3, 4})


def codes(selectors: Iterable[str]) -> frozenset[str]:
    """Return the codes of rules given by codes, prefixes (`SG1`) or names.

    Raise `UnknownRule` for a selector that matches no rule.
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

    This policy reports no notes about callbacks and counts messages of absent agents as errors.

        Policy(ignore=("SG118",), severity={"SG205": "error"})

    `select`, `ignore`, `reject` and the keys of `severity` are codes (`SG103`), prefixes of codes
    (`SG1`) or names of rules. In `severity` a longer selector takes precedence over a shorter one,
    and `ignore` takes precedence over `select`. Raise `UnknownRule` for a selector that matches no
    rule, and `ConfigurationError` for any other wrong value.
    """

    select: tuple[str, ...] = ()
    """The rules to report. Empty reports all rules."""
    ignore: tuple[str, ...] = ()
    """The rules not to report."""
    severity: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Severities that replace those of the catalogue: `{"SG205": "error"}`."""
    strict: bool = False
    """Whether warnings and notes of families 1 to 4 become errors."""
    reject: tuple[str, ...] = ()
    """The rules that refuse a live delivery as a whole."""
    require: tuple[str, ...] = ()
    """Fields that every transfer and END must have (SG502): `customFields`, `language`, `reason` or
    `customFields.KEY`.
    """
    transcription: Literal["enforce", "observe"] = "enforce"
    """`enforce` refuses a live action that the state does not allow. `observe` accepts it."""

    _reported: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())
    _rejected: frozenset[str] = field(init=False, repr=False, compare=False, default=frozenset())
    _ranks: Mapping[str, Severity] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        """Validate the options and resolve all selectors."""
        for name in ("select", "ignore", "reject", "require"):
            value = getattr(self, name)
            if isinstance(value, str) or not isinstance(value, Iterable):
                noun, example = ("fields", "language") if name == "require" else ("codes", "SG1")
                wanted = f"a sequence of {noun}, for example {(example,)}"
                msg = f"`{name}` must be {wanted}, not {value!r}"
                raise ConfigurationError(msg)
            object.__setattr__(self, name, tuple(value))
        for field_name in self.require:
            holder, _, key = str(field_name).partition(".")
            if field_name not in _REQUIRABLE and (holder != _REQUIRABLE[0] or not key):
                known = ", ".join((*_REQUIRABLE, f"{_REQUIRABLE[0]}.KEY"))
                raise ConfigurationError(f"`require` takes {known}, not {field_name!r}")
        if self.transcription not in ("enforce", "observe"):
            msg = f"`transcription` must be 'enforce' or 'observe', not {self.transcription!r}"
            raise ConfigurationError(msg)
        severity: object = self.severity
        if not isinstance(severity, Mapping):
            wanted = "a mapping, for example {'SG205': 'error'}"
            msg = f"`severity` must be {wanted}, not {severity!r}"
            raise ConfigurationError(msg)
        object.__setattr__(self, "severity", dict(severity))
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
        ranks: dict[str, Severity] = {}
        if self.strict:
            ranks.update(
                (rule.code, Severity.ERROR)
                for rule in BY_CODE.values()
                if rule.family in STRICT_FAMILIES
            )
        for selector in sorted(self.severity, key=lambda each: len(str(each))):
            wanted = self.severity[selector]
            try:
                rank = Severity(wanted)
            except ValueError:
                choices = ", ".join(Severity)
                msg = f"the severity of {selector} must be one of {choices}, not {wanted!r}"
                raise ConfigurationError(msg) from None
            ranks.update(dict.fromkeys(codes((selector,)), rank))
        return ranks

    @classmethod
    def checked(cls, policy: "Policy | None") -> "Policy":
        """Return a policy, the default one for None.

        Raise `ConfigurationError` for other values.
        """
        if policy is None:
            return DEFAULT
        if not isinstance(policy, cls):
            kind = type(policy).__name__
            msg = f"`policy` must be a segue.Policy or None, not {kind}: use Policy(...)"
            raise ConfigurationError(msg)
        return policy

    def reports(self, rule: Rule) -> bool:
        """Return whether findings of this rule are reported."""
        return rule.code in self._reported

    def rejects(self, finding: Finding) -> bool:
        """Return whether a live delivery with this finding is refused."""
        return finding.rule.code in self._rejected

    def apply(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings to report, with the severities of this policy, in the same order."""
        return tuple(
            self._ranked(finding) for finding in findings if finding.rule.code in self._reported
        )

    def _ranked(self, finding: Finding) -> Finding:
        rank = self._ranks.get(finding.rule.code, finding.severity)
        return finding if rank is finding.severity else finding.ranked(rank)


DEFAULT: Final = Policy()
"""The policy that reports every finding with the severity of its rule."""
