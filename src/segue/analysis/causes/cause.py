"""The causes of findings as objects, which can be written as JSON and as sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from segue.core.epoch import EPOCH, to_iso
from segue.core.findings import BY_CODE
from segue.core.reprs import shows

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_WHOLE_PERCENT: Final = 0.1
_LEAST_PERCENT: Final = 0.001


@dataclass(frozen=True, slots=True)
class RootCause:
    """Attributes and a period that findings of one rule have in common.

    For example, most findings of `SG103` may concern the agent `a-7` and begin at 10:15.
    """

    code: str
    """The code of the rule, such as `SG103`."""
    where: tuple[tuple[str, str], ...]
    """Pairs of an attribute and its value, such as `("agent", "a-7")`.

    Empty if the findings have only the period in common.
    """
    since: datetime | None
    """The minute in which the findings began, or None if they began with the log."""
    until: datetime | None
    """The minute in which the findings ended, or None if they continue to the end of the log."""
    found: int
    """The number of findings that this cause explains."""
    total: int
    """The number of mistakes and warnings of the rule that follow from no other finding."""
    rate: float
    """The share of findings among the opportunities with these attributes in this period.

    An opportunity is an event or a conversation at which the rule could have been broken.
    """
    rate_elsewhere: float
    """The share of findings among all other opportunities."""
    unit: str
    """The plural noun for the opportunities, such as `COLD entries`."""
    surprise: float
    """The negative natural logarithm of the probability that the cause is due to chance.

    The probability is corrected for the number of comparisons.
    """

    __repr__ = shows("code", "where", "since", "until", "found", "total")

    def to_dict(self) -> dict[str, object]:
        """Return the cause as a JSON object."""
        return {
            "code": self.code,
            "name": BY_CODE[self.code].name,
            "where": dict(self.where),
            "since": to_iso(self.since),
            "until": to_iso(self.until),
            "found": self.found,
            "total": self.total,
            "rate": round(self.rate, 6),
            "rate_elsewhere": round(self.rate_elsewhere, 6),
            "unit": self.unit,
            "surprise": round(self.surprise, 3),
        }

    def sentence(self, day: date | None = None) -> str:
        """Return an English sentence that describes the cause, for people to read.

        Args:
            day: The day on which times are written without a date, usually the only day of the
                log. If the cause is limited to a file whose name contains the date of all its
                times, that date is used instead.

        """
        file = dict(self.where).get("file", "")
        days = {at.date() for at in (self.since, self.until) if at}
        if len(days) == 1 and all(each.isoformat() in file for each in days):
            (day,) = days
        has = " and ".join(f"{name} = {value}" for name, value in self.where)
        parts = [f"where {has}"] if has else []
        parts += [f"since {_time(self.since, day)}"] if self.since else []
        parts += [f"until {_time(self.until, day)}"] if self.until else []
        share, rest = _percent(self.rate), _percent(self.rate_elsewhere)
        whose = f"its {self.unit}" if has else f"the {self.unit} then"
        return (
            f"{self.code}: {self.found} of {self.total} "
            f"{'finding' if self.total == 1 else 'findings'} {' '.join(parts)}; "
            f"{share} of {whose}, {rest} {'elsewhere' if has else 'otherwise'}."
        )


@dataclass(frozen=True, slots=True)
class RootCauses:
    """The causes found in a log, and the numbers of findings that they do not explain."""

    causes: tuple[RootCause, ...]
    """The causes, those with the most findings first."""
    unexplained: Mapping[str, int] = field(hash=False)
    """The number of mistakes and warnings without a cause, by the code of the rule."""
    has_times: bool
    """Whether the log has receipt times. Without receipt times, causes have no onset."""
    share: int
    """The size of the sample: one in `share` conversations was counted."""
    day: date | None
    """The day of the log, or None if the log covers several days or has no times."""

    __repr__ = shows()

    def to_dict(self) -> dict[str, object]:
        """Return the causes as a JSON object."""
        return {
            "causes": [cause.to_dict() for cause in self.causes],
            "unexplained": [
                {"code": code, "name": BY_CODE[code].name, "count": count}
                for code, count in self.unexplained.items()
            ],
            "has_times": self.has_times,
            "counted": f"1/{self.share}",
        }

    def sentences(self) -> list[str]:
        """Return English sentences that describe the result, for people to read.

        The list has a sentence for each cause. Further sentences give the number of findings
        without a cause, and state whether the log lacks times or only a sample was counted.
        """
        lines = [cause.sentence(self.day) for cause in self.causes]
        if not self.causes and self.unexplained:
            lines.append("No findings go together with an attribute or a time.")
        if self.unexplained:
            number = sum(self.unexplained.values())
            codes = ", ".join(f"{code} {count}" for code, count in self.unexplained.items())
            what = "mistake or warning" if number == 1 else "mistakes and warnings"
            lines.append(f"Unexplained: {number} {what} ({codes}).")
        if not self.has_times and (self.causes or self.unexplained):
            lines.append("The log has no times, so it is not known since when.")
        if self.share > 1:
            lines.append(f"Counted: one in {self.share} conversations.")
        return lines


def time_of(minute: int, zone: tzinfo) -> datetime:
    """Convert a count of minutes since the Unix epoch to an aware `datetime` in `zone`.

    Counts beyond the range of `datetime` give its smallest or greatest value.
    """
    try:
        return (EPOCH + timedelta(minutes=minute)).astimezone(zone)
    except OverflowError:  # within a day of the ends of the calendar
        return _LAST if minute > 0 else _FIRST


def _time(at: datetime, day: date | None) -> str:
    return f"{at:%H:%M}" if at.date() == day else f"{at:%Y-%m-%d %H:%M}"


def _percent(share: float) -> str:
    if share >= _WHOLE_PERCENT:
        return f"{share:.0%}".replace("%", " %")
    if 0 < share < _LEAST_PERCENT:
        return "< 0.1 %"
    return f"{share:.1%}".replace("%", " %") if share else "0 %"
