"""What is a time and what is none, whatever machine or day the test runs on."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st
from tests.builders import Nowhere

from segue.core.wire import read_time, time_reader
from segue.core.wire.timestamps import read_instant, read_iso_time
from segue.errors import ConfigurationError

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 11, 21, 13, 12, 24, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T13:12:24Z",
        "2026-11-21T13:12:24+00:00",
        "2026-11-21 14:12:24+01:00",
        "2026-11-21T13:12:24",
        "20261121T131224Z",
        "20261121131224",
        "2026-11-21T13:12:24.000000000Z",
    ],
)
def test_iso_8601_is_read_and_a_missing_zone_is_utc(text: str) -> None:
    assert read_time(text) == NOON


@pytest.mark.parametrize(
    "text",
    [
        "11/21/2026, 01:12:24 PM",
        "11/21/2026,01:12:24 PM",
        "11/21/2026,01:12:24PM",
        "11/21/2026, 1:12:24pm",
        "11/21/2026, 1:12:24\N{NARROW NO-BREAK SPACE}PM",
        "11/21/26 13:12:24",
        "11-21-2026 13:12:24",
        "2026/11/21 13:12:24",
        "Nov 21, 2026 1:12:24 pm",
        "21 November 2026 13:12:24",
        "Sat, 21 Nov 2026 13:12:24 GMT",
        "Sat, 21 Nov 2026 14:12:24 +0100",
        "Sat, 11/21/2026 13:12:24",
        "Sat Nov 21 13:12:24 2026",
        "Sat Nov 21 2026 14:12:24 GMT+0100",
        "Sat Nov 21 2026 14:12:24 GMT+0100 (Central European Standard Time)",
        "Sat, 21 Nov 2026 14:12:24 +0100 (CET)",
        "Nov 21, 2026 11:12:24 UTC-2",
        " 2026-11-21T13:12:24Z ",
    ],
)
def test_other_ways_of_writing_a_time_are_read(text: str) -> None:
    assert read_time(text) == NOON


def test_seconds_may_be_left_out() -> None:
    assert read_time("11/21/2026 1:12 PM") == NOON - timedelta(seconds=24)


@pytest.mark.parametrize(
    ("text", "hour"),
    [("12:05:00 AM", 0), ("12:05:00 PM", 12), ("01:05:00 AM", 1), ("11:05:00 PM", 23)],
)
def test_the_twelve_hour_clock_begins_at_twelve(text: str, hour: int) -> None:
    assert read_time(f"11/21/2026, {text}") == datetime(2026, 11, 21, hour, 5, tzinfo=UTC)


def test_the_month_comes_first_unless_the_log_is_said_to_differ() -> None:
    assert read_time("02/03/2026 10:00:00") == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert read_time("02/03/2026 10:00:00", day_first=True) == datetime(2026, 3, 2, 10, tzinfo=UTC)
    assert read_time("02.03.2026 10:00:00", day_first=True) == datetime(2026, 3, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize("day_first", [False, True])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("02.03.2026 10:00:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("2.3.26, 10:00", datetime(2026, 3, 2, 10, tzinfo=UTC)),
        ("21.11.2026 13:12:24", NOON),
        ("Sa 21.11.2026 13:12:24", None),
        ("Sat, 21.11.2026 13:12:24", NOON),
        ("02.13.2026 10:00:00", None),
        ("2026.11.21 13:12:24", NOON),
    ],
)
def test_dates_with_dots_have_the_day_first(
    text: str, expected: datetime | None, *, day_first: bool
) -> None:
    assert read_time(text, day_first=day_first) == expected


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-20T24:00:00Z",
        "2026-11-20T24:00Z",
        "2026-11-20 24:00:00.000+00:00",
        "2026-11-20T23:59:60Z",
        "2026-11-21T00:59:60+01:00",
        "2026-11-20T24:00:00",
        "2026-11-20t24:00:00Z",
    ],
)
def test_hour_24_and_second_60_begin_the_next_day_and_minute(text: str) -> None:
    midnight = datetime(2026, 11, 21, tzinfo=UTC)

    assert read_time(text) == midnight
    assert read_iso_time(text) == midnight
    assert read_instant(text, lambda _: midnight) == midnight


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("11/20/2026 24:00:00", datetime(2026, 11, 21, tzinfo=UTC)),
        ("20.11.2026 24:00", datetime(2026, 11, 21, tzinfo=UTC)),
        ("20/Nov/2026:23:59:60 +0000", datetime(2026, 11, 21, tzinfo=UTC)),
        ("2026-11-21T10:00:60.5Z", datetime(2026, 11, 21, 10, 1, 0, 500_000, tzinfo=UTC)),
        ("2026-12-31T24:00:00Z", datetime(2027, 1, 1, tzinfo=UTC)),
        ("20/Nov/2026:15:15:27 +0100", datetime(2026, 11, 20, 14, 15, 27, tzinfo=UTC)),
        ("2/Mar/2026:09:00:00 -0500", datetime(2026, 3, 2, 14, tzinfo=UTC)),
        ("20/Nov/2026:15:15:27", datetime(2026, 11, 20, 15, 15, 27, tzinfo=UTC)),
    ],
)
def test_other_forms_have_them_too_and_access_logs_are_read(text: str, expected: datetime) -> None:
    assert read_time(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("2026-11-21T24:00:01Z", "2026-11-21T24:01:00Z", "2026-11-21T24:00:00.1Z"),
        *("2026-11-21T10:60:00Z", "2026-11-21T10:00:61Z", "2026-11-21T10:00:00+24:00"),
        *("2026-11-31T24:00:00Z", "9999-12-31T24:00:00Z", "11/20/2026 25:00:00"),
        *("20/Xyz/2026:15:15:27 +0100", "20/11/2026:15:15:27", "12/31/9999 24:00:00"),
    ],
)
def test_what_goes_beyond_is_no_time(text: str) -> None:
    assert read_time(text) is None


# A format that is said.


def test_a_format_is_read_and_the_rest_as_ever() -> None:
    read = time_reader(BERLIN, time_format="%Y%m%d-%H%M%S")

    assert read("20261121-141224") == NOON
    assert read(" 20261121-141224 ") == NOON
    assert read("2026-11-21T13:12:24Z") == NOON
    assert read("11/21/2026 14:12:24") == NOON
    assert read("yesterday") is None
    assert read(True) is None  # noqa: FBT003
    assert read(None) is None
    assert read(NOON) == NOON


def test_a_format_goes_before_what_would_be_read_otherwise() -> None:
    assert time_reader(time_format="%y%m%d%H%M%S")(261121131224) == NOON
    assert time_reader(time_format="%d/%m/%Y %H:%M")("02/03/2026 10:00") == datetime(
        2026, 3, 2, 10, tzinfo=UTC
    )


def test_a_format_may_have_an_offset() -> None:
    read = time_reader(BERLIN, time_format="%d %b %Y %H.%M.%S %z")

    assert read("21 Nov 2026 14.12.24 +0100") == NOON
    assert read("01 Jan 0001 00.00.00 +0100") is None
    assert read("31 Dec 9999 00.00.00 +0100") is None


@pytest.mark.parametrize(
    "time_format",
    [
        *("", "%d.%m.%Y", "%H:%M:%S", "%d.%m.%Y %H", "%m.%d. %H:%M", "%s", "%Q", "%", "x"),
        *("%d.%m.%Y %H:%M %Z", "%d.%m.%Y %I:%M"),
    ],
)
def test_a_format_that_leaves_the_day_or_the_hour_open_is_refused(time_format: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be used: give a date, hour and minute"):
        time_reader(time_format=time_format)


def test_a_month_beyond_twelve_is_not_taken_for_a_day() -> None:
    assert read_time("21/11/2026 13:12:24") is None
    assert read_time("21/11/2026 13:12:24", day_first=True) == NOON
    assert read_time("11/21/2026 13:12:24", day_first=True) is None


def test_a_year_that_comes_first_is_followed_by_the_month_in_any_log() -> None:
    assert read_time("2026/11/02 10:00:00", day_first=True) == datetime(2026, 11, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize("text", ["11/21/26 13:12:24", "11/21/99 13:12:24"])
def test_two_digits_of_a_year_are_of_this_century(text: str) -> None:
    read = read_time(text)
    assert read is not None
    assert read.year == 2000 + int(text[6:8])


@pytest.mark.parametrize(
    "number",
    [
        1795266744,
        1795266744.0,
        1795266744000,
        1795266744000000,
        1795266744000000000,
        "1795266744",
        "1795266744.0",
        " 1795266744 ",
        "1795266744000",
        "1795266744000000",
        "1795266744000000000",
    ],
    ids=repr,
)
def test_numbers_are_parts_of_a_second_since_1970_by_their_magnitude(number: object) -> None:
    assert read_time(number) == NOON


@pytest.mark.parametrize("number", [1795266744.25, "1795266744.25", 1795266744250], ids=repr)
def test_fractions_of_a_second_are_kept(number: object) -> None:
    assert read_time(number) == NOON + timedelta(milliseconds=250)


def test_microseconds_of_a_large_number_are_exact() -> None:
    assert read_time(1795266744123457) == NOON + timedelta(microseconds=123457)


def test_milliseconds_as_text_are_no_day_of_the_eighteenth_century() -> None:
    assert datetime.fromisoformat("1712011200000").year == 1712  # what would come of it
    assert read_time("1712011200000") == datetime(2024, 4, 1, 22, 40, tzinfo=UTC)


def test_times_before_1970_are_read() -> None:
    assert read_time(-1) == datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_an_iso_date_is_its_midnight() -> None:
    assert read_time("2026-11-21") == datetime(2026, 11, 21, tzinfo=UTC)
    assert read_time("20261121") == datetime(2026, 11, 21, tzinfo=UTC)


def test_a_datetime_is_taken_as_it_is() -> None:
    assert read_time(NOON) is NOON
    assert read_time(NOON.replace(tzinfo=None)) == NOON


@pytest.mark.parametrize(
    "value",
    ["2026-03-02T10:00:00", "03/02/2026 10:00:00", datetime(2026, 3, 2, 10)],  # noqa: DTZ001
)
def test_a_missing_zone_is_the_given_one(value: object) -> None:
    assert read_time(value, BERLIN) == datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize("value", ["2026-03-02T10:00:00Z", 1772445600, "1772445600"], ids=repr)
def test_a_given_zone_changes_no_time_that_has_one(value: object) -> None:
    assert read_time(value, BERLIN) == datetime(2026, 3, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "5",
        "May",
        "10:30",
        "10:30:00 PM",
        "Saturday 10:30:00",
        "Sat, Nov 2026 10:30:00",  # the day would be the first Saturday of the month
        "November 2026",
        "11/21/2026",
        "11/21/2026 3 PM",
        "11/21 10:30:00",
        "2026 10:30:00",
        "20261199",
        "20261121996060",
        "202611211312",
        "",
        "   ",
        "today",
        "now",
        "soon 2026-11-21 10:30:00",
        "13/13/2026 10:30:00",
        "02/30/2026 10:30:00",
        "11/21/2026 13:00:00 PM",
        "2026-11-21T25:00:00",
        "2026-11-21T10:00:00+99:00",
        "11/21/2026 10:00:00 +9900",
        "²",
        pytest.param("1" * 5000, id="many digits"),
        pytest.param("9" * 19 + "." + "9" * 100, id="many digits with a point"),
    ],
)
def test_what_leaves_something_open_or_makes_no_sense_is_no_time(text: str) -> None:
    assert read_time(text) is None


@pytest.mark.parametrize("zone", ["EST", "CET", "IST", "PDT", "XYZ", "EST+5"])
def test_an_abbreviated_zone_is_no_time_because_it_has_several_meanings(zone: str) -> None:
    assert read_time(f"11/21/2026 10:00:00 {zone}") is None


@pytest.mark.parametrize(
    "never",
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"],
)
def test_the_first_and_the_last_year_are_no_time(never: str) -> None:
    assert read_time(never) is None
    assert read_iso_time(never) is None
    assert read_iso_time(never.removesuffix("Z")) is None


def test_a_time_whose_zone_has_no_offset_is_one_without_a_zone() -> None:
    at = datetime(2026, 3, 2, 9, tzinfo=Nowhere())
    assert read_iso_time(at) == datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert read_time(at, timezone(timedelta(hours=1))) == datetime(2026, 3, 2, 8, tzinfo=UTC)


def test_a_host_may_say_never_by_a_time_of_python() -> None:
    last = datetime(9999, 12, 31, 23, tzinfo=UTC)

    assert read_iso_time(last) is last


@pytest.mark.parametrize(
    "value",
    [None, True, False, b"2026-11-21", [], {}, math.nan, math.inf, -math.inf, 1e20],
    ids=repr,
)
def test_other_values_are_no_time(value: object) -> None:
    assert read_time(value) is None


def test_numbers_beyond_every_calendar_are_no_time() -> None:
    assert read_time(10**5000) is None
    assert read_time(-(10**11) + 1) is None


def test_a_reader_knows_its_log() -> None:
    assert time_reader() is read_time
    assert time_reader(BERLIN)("2026-03-02T10:00:00") == datetime(2026, 3, 2, 9, tzinfo=UTC)
    in_march = datetime(2026, 3, 2, 10, tzinfo=UTC)
    assert time_reader(day_first=True)("02/03/2026 10:00:00") == in_march


@given(
    st.one_of(
        st.text(max_size=80),
        st.text("0123456789 :/.-+,TZAPM", max_size=40),
        st.lists(
            st.sampled_from(
                ["Nov", "Sat", "PM", "21", "11", "2026", "10:30", ":", "/", "+01:00", "GMT", "T"]
            ),
            max_size=8,
        ).map(" ".join),
        st.integers(),
        st.floats(),
        st.datetimes(),
    ),
    st.sampled_from([UTC, BERLIN, timezone(timedelta(hours=14))]),
    st.booleans(),
)
def test_whatever_is_given_the_outcome_is_an_aware_time_or_none(
    value: object,
    time_zone: timezone,
    day_first: bool,  # noqa: FBT001
) -> None:
    when = read_time(value, time_zone, day_first=day_first)
    assert when is None or when.astimezone(UTC).tzinfo is UTC


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_the_american_form_is_read_as_it_was_written(when: datetime) -> None:
    when = when.replace(microsecond=0)
    assert read_time(when.strftime("%m/%d/%Y, %I:%M:%S %p")) == when
    assert read_time(when.strftime("%d.%m.%Y %H:%M:%S"), day_first=True) == when
