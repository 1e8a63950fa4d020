"""The ledger as plain JSON and back, exactly; compact, for it is kept once per conversation.

Rows are lists in a fixed order, cut off after the last value that differs from a new one's; times
and durations are whole microseconds.  Whoever stores it puts a version beside it: nothing in here
tells which order was used.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from segue.segments.ledger import Ledger, Vacancy
from segue.segments.seat import Promotion, Seat
from segue.segments.segment import Connection

__all__ = ["from_json", "to_json"]

_LEDGER: Final = (
    "clock", "begun_by", "begun_at", "holder", "messages", "first_message_at", "transfers_cold",
    "transfers_warm", "vacancy", "transfer_gap", "drop_gap", "lost_time", "estimated", "ended_by",
    "ended_at",
)  # fmt: skip
_CONNECTION: Final = (
    "opened_by", "opened_kind", "started_at", "closed_by", "closed_kind", "ended_at",
)  # fmt: skip
_SEAT: Final = (
    "agent", *_CONNECTION, "is_primary", "name", "type", "experience", "language",
    "user_messages", "agent_messages", "previous", "custom_fields", "fate", "consult_of",
    "resumes", "promotion", "codes", "before",
)  # fmt: skip


def to_json(ledger: Ledger) -> list[Any]:
    """Return the ledger as JSON types."""
    return [_row(ledger, _LEDGER, Ledger()), *(_row(seat, _SEAT, _new()) for seat in ledger.seats)]


def from_json(value: list[Any]) -> Ledger:
    """Return the ledger that `to_json` was given."""
    ledger = Ledger()
    _fill(ledger, _LEDGER, value[0])
    for row in value[1:]:
        seat = _new(len(ledger.seats))
        _fill(seat, _SEAT, row)
        ledger.add(seat)
    return ledger


def _new(index: int = 0) -> Seat:
    return Seat(index, "", 0, "", None)


def _row(source: object, names: tuple[str, ...], new: object) -> list[Any]:
    length = len(names)
    while length and getattr(source, names[length - 1]) == getattr(new, names[length - 1]):
        length -= 1
    return [_write(name, getattr(source, name)) for name in names[:length]]


def _fill(target: object, names: tuple[str, ...], row: list[Any]) -> None:
    for name, value in zip(names, row, strict=False):
        setattr(target, name, _read(name, value))


def _write(name: str, value: Any) -> Any:  # noqa: ANN401 - any JSON value
    return value if value is None or name not in _CODECS else _CODECS[name].write(value)


def _read(name: str, value: Any) -> Any:  # noqa: ANN401
    return value if value is None or name not in _CODECS else _CODECS[name].read(value)


class _Codec(NamedTuple):
    """How an attribute that is no JSON value is written and read; None stays None."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DURATION: Final = _Codec(
    lambda value: value // timedelta(microseconds=1),
    lambda value: timedelta(microseconds=value),
)
_TIME: Final = _Codec(
    lambda value: _DURATION.write(value - _EPOCH),
    lambda value: _EPOCH + _DURATION.read(value),
)
_CODECS: Final = {
    **dict.fromkeys(
        ("clock", "begun_at", "first_message_at", "started_at", "ended_at", "since", "at"), _TIME
    ),
    **dict.fromkeys(("transfer_gap", "drop_gap", "lost_time"), _DURATION),
    **dict.fromkeys(("estimated", "codes"), _Codec(list, tuple)),
    "custom_fields": _Codec(dict, dict),
    "promotion": _Codec(
        lambda value: [value.by, _write("at", value.at)],
        lambda value: Promotion(value[0], _read("at", value[1])),
    ),
    "vacancy": _Codec(
        lambda value: [value.stage, _write("since", value.since), value.is_estimated],
        lambda value: Vacancy(value[0], _read("since", value[1]), is_estimated=value[2]),
    ),
    "before": _Codec(
        lambda value: [
            [_write(name, getattr(stay, name)) for name in _CONNECTION] for stay in value
        ],
        lambda value: [Connection(*map(_read, _CONNECTION, row)) for row in value],
    ),
}
