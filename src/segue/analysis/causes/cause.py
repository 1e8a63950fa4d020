"""A cause as a value, as JSON and as a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from segue.core.epoch import EPOCH, to_iso
from segue.core.findings import BY_CODE

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_WHOLE_PERCENT: Final = 0.1
_LEAST_PERCENT: Final = 0.001


@dataclass(frozen=True, slots=True)
class RootCause:
    """A set of attributes and a period that findings of one rule have in common."""

    code: str
    """The code of the rule, such as `SG103`."""
    where: tuple[tuple[str, str], ...]
    """Attributes with their values. Empty if only the period is in common."""
    since: datetime | None
    """The minute in which the findings began, or None if they were there from the beginning."""
    until: datetime | None
    """The minute in which the findings ended, or None if they continue to the end."""
    found: int
    """The number of findings that this cause explains."""
    total: int
    """The number of mistakes and warnings of the rule that follow from no other finding."""
    rate: float
    """The share of opportunities with these attributes in this period that are findings."""
    rate_elsewhere: float
    """The share of all other opportunities that are findings."""
    unit: str
    """The name of the opportunities, such as `COLD entries` or `NA exits and summaries`."""
    surprise: float
    """The negative logarithm of the probability by chance, corrected for all comparisons."""

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
        """Return the cause as a sentence.

        Args:
            day: The day of the log, if it covers one day. Times of that day are written without the
                date. A day named by the file of the cause takes precedence.

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
    """The causes found in a log, and the findings that they leave unexplained."""

    causes: tuple[RootCause, ...]
    """The causes, those with the most findings first."""
    unexplained: Mapping[str, int]
    """The number of mistakes and warnings without a cause, by code."""
    has_times: bool
    """Whether the log has receipt times. Without them, no onset is known."""
    share: int
    """The sampling: one in `share` conversations was counted."""
    day: date | None
    """The day of the log, if it covers one day."""

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
        """Return a sentence for each cause, then the unexplained findings and limitations."""
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
    """Return the time of a minute since 1970."""
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
