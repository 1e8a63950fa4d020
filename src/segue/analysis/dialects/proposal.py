"""A policy derived from habits: fields to require, and findings to ignore until a date.

Each ignore entry applies to one rule, one bot, one kind of event and at most one field.
"""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final

from segue.analysis.compare import Share
from segue.analysis.dialects.habits import LEAST_SHARE, Dialects, FindingHabit, Sender
from segue.analysis.dialects.notes import OPTIONAL

_CUSTOM: Final = "customFields."


@dataclass(frozen=True, slots=True)
class ProposedIgnore:
    """A proposed ignore entry of a policy, for a habit that causes findings."""

    bot: str
    habit: FindingHabit
    share: Share
    """The share of events or conversations with the habit, among those where it is possible."""
    hidden: int
    """The number of findings in the log that the entry would hide."""

    def text(self, until: date) -> str:
        """Return the entry as in settings, for example `SG502 bot=st-1 kind=END until=2026-04-01`.

        Args:
            until: The date on which the entry expires.

        """
        parts = [f"bot={self.bot}", f"kind={self.habit.kind}"]
        parts += [f"field={self.habit.field}"] if self.habit.field else []
        return " ".join([self.habit.code, *map(shlex.quote, parts), f"until={until}"])

    def to_dict(self, until: date) -> dict[str, object]:
        """Return the entry as a JSON object. `until` is the date on which the entry expires."""
        return {
            "ignore": self.text(until),
            "bot": self.bot,
            **self.habit._asdict(),
            "support": self.share.to_dict(),
            "hides": self.hidden,
        }


@dataclass(frozen=True, slots=True)
class ProposedPolicy:
    """A policy proposed for a log, with the number of findings that it would hide."""

    require: dict[str, Share]
    """The optional fields that all senders nearly always write, with their shares."""
    ignores: tuple[ProposedIgnore, ...]
    findings: int
    """The number of all findings in the log."""

    @property
    def hidden(self) -> int:
        """The number of findings that the policy would hide."""
        return sum(ignore.hidden for ignore in self.ignores)

    def to_dict(self, until: date) -> dict[str, object]:
        """Return the policy as a JSON object. Its ignore entries expire on the date `until`."""
        return {
            "require": {name: share.to_dict() for name, share in self.require.items()},
            "ignores": [ignore.to_dict(until) for ignore in self.ignores],
            "hides": self.hidden,
            "leaves": self.findings - self.hidden,
        }


def proposed(dialects: Dialects) -> ProposedPolicy:
    """Return a policy that hides the findings of habits and requires habitual fields."""
    senders = dict(sorted(dialects.senders.items()))
    ignores = tuple(
        ProposedIgnore(bot, habit, share, sender.findings[habit])
        for bot, sender in senders.items()
        for habit, share in sender.finding_habits().items()
    )
    total = sum(sum(sender.findings.values()) for sender in senders.values())
    return ProposedPolicy(_required(senders.values()), ignores, total + dialects.of_no_sender)


def _required(senders: Iterable[Sender]) -> dict[str, Share]:
    """Return the fields that all senders habitually write in transfers and ENDs, with shares."""
    writing = [sender for sender in senders if sender.writes_fields]
    named = [{name for _, name in sender.fields} for sender in writing]
    found = {}
    for name in sorted(set.intersection(*named) if named else ()):
        shares = [sender.field_share(name) for sender in writing]
        is_known = name in OPTIONAL or name.startswith(_CUSTOM)
        if is_known and all(share.interval[0] >= LEAST_SHARE for share in shares):
            found[name] = Share.of_all(shares)
    return found
