"""Options are checked by their annotations, and messages show no value that may be a secret."""

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import InitVar, dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, Literal, Protocol, TypedDict, Unpack, runtime_checkable

import pytest
from tests.builders import Nowhere
from tests.families import family

from segue import ConfigurationError
from segue.core.options import (
    Bounds,
    check_choice,
    check_choices,
    check_fields,
    check_option,
    check_options,
    closest,
)

SECRET = "SECRET-CANARY"  # noqa: S105 - the value that must not be shown


@runtime_checkable
class Speaker(Protocol):
    def speak(self) -> None: ...


class Dog:
    def speak(self) -> None:
        """Bark."""


class Options(TypedDict, total=False):
    prefix: str
    limits: Dog | None


def serve(port: int, **options: Unpack[Options]) -> None:
    del port, options


@family(
    ("value", "kind"),
    [
        ("x", str),
        (5, int),
        (5, float),
        (5.5, float),
        (None, int | None),
        (True, bool),
        (True, object),
        ("a", Literal["a", "b"]),
        (None, Literal["a"] | None),
        (["a"], Collection[str]),
        ({"a"}, Container[str]),
        ({"a": 5}, Collection[str]),
        (datetime(2026, 1, 1), object),  # noqa: DTZ001 - any value is accepted
        ((each for each in "ab"), Iterable[str]),
        ("ab", str | Collection[str]),
        ([1, True, "x"], Collection[Any]),
        ({"k": b"v"}, Mapping[str, str | bytes]),
        (print, Callable[[str], None]),
        (Dog, Callable[[], Dog]),
        (Dog(), Speaker),
        (UTC, tzinfo),
        (datetime(2026, 1, 1, tzinfo=UTC), datetime),
    ],
)
def test_values_of_the_type_are_accepted(value: object, kind: object) -> None:
    check_option("it", value, kind)


@family(
    ("value", "kind", "message"),
    [
        (SECRET, int, "`it` must be an integer, got str"),
        (True, int, "`it` must be an integer, got bool"),
        (True, float | None, "`it` must be a number or None, got bool"),
        (1, bool, "`it` must be True or False, got int"),
        (5, str | bytes | None, "`it` must be a string, bytes or None, got int"),
        ("c", Literal["a", "b"] | None, "`it` must be 'a', 'b' or None, got 'c'"),
        ("me:pw@host", Literal["a"], "`it` must be 'a', got str"),
        ([], Literal["a"], "`it` must be 'a', got []"),
        (SECRET, Collection[str], "`it` must be a list of strings, got str"),
        (b"ab", Iterable[int], "`it` must be a list of integers, got bytes"),
        ([SECRET, 5], Collection[str], "`it` must be a list of strings, got a list with int"),
        (5, Collection[Any], "`it` must be a list, got int"),
        ([], Mapping[str, float], "`it` must be a dict of numbers, got list"),
        (["x"], Mapping[str, float], "`it` must be a dict of numbers, got list"),
        ({5: "x"}, Collection[str], "`it` must be a list of strings, got a dict with int"),
        (
            {"k": "st-1"},
            Mapping[str, Collection[str]],
            "`it` must be a dict of lists of strings, got a dict with str",
        ),
        (
            5,
            Collection[Dog | Callable[[], None]],
            "`it` must be a list of Dog objects or functions, got int",
        ),
        (Dog, Speaker, "`it` must be a Speaker, got the class Dog"),
        (Dog, Dog, "`it` must be a Dog, got the class Dog"),
        (
            datetime(2026, 1, 1),  # noqa: DTZ001 - the mistake
            datetime | None,
            (
                "`it` must be a datetime with a time zone or None, "
                "for example it=datetime.now(UTC), got a datetime without a time zone"
            ),
        ),
        (
            datetime(2026, 1, 1, tzinfo=Nowhere()),
            datetime,
            (
                "`it` must be a datetime with a time zone, for example it=datetime.now(UTC), "
                "got a datetime without a time zone"
            ),
        ),
        (
            datetime(2026, 1, 1, tzinfo=UTC),
            timedelta,
            "`it` must be a timedelta, for example it=timedelta(seconds=30), got datetime",
        ),
    ],
)
def test_values_of_another_type_are_refused_and_not_shown(
    value: object, kind: object, message: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        check_option("it", value, kind)

    assert str(refused.value) == message


def test_an_example_of_the_caller_comes_first() -> None:
    with pytest.raises(ConfigurationError, match=r"None, for example it=timedelta\(days=90\), got"):
        check_option("it", 5, timedelta | None, example="timedelta(days=90)")


@family(
    ("value", "bounds", "message"),
    [
        (0, Bounds(least=1), "at least 1, got 0"),
        (2, Bounds(0, 1), "from 0 to 1, got 2"),
        (-1, Bounds(0, 1), "from 0 to 1, got -1"),
        (3, Bounds(most=2), "at most 2, got 3"),
        (0, Bounds(above=0), "positive, got 0"),
        (5, Bounds(above=5), "more than 5, got 5"),
        (float("nan"), Bounds(least=0), "at least 0, got nan"),
        (float("inf"), Bounds(least=0), "at least 0, got inf"),
        (timedelta(0), Bounds(above=timedelta(0)), "positive, got 0:00:00"),
        (timedelta(2), Bounds(most=timedelta(1)), "at most 1 day, 0:00:00, got 2 days, 0:00:00"),
    ],
)
def test_values_out_of_bounds_are_refused(value: object, bounds: Bounds, message: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        check_option("it", value, type(value), bounds=bounds)

    assert str(refused.value) == f"`it` must be {message}"


def test_the_ends_of_a_range_belong_to_it_and_none_has_no_bounds() -> None:
    for value in (0, 1, None):
        check_option("it", value, int | None, bounds=Bounds(0, 1))


def test_the_options_of_a_function_are_its_annotations() -> None:
    check_options(serve, {"port": 80, "prefix": "/x", "limits": None})
    with pytest.raises(ConfigurationError, match=r"^`prefix` must be a string, got int$"):
        check_options(serve, {"prefix": 5})
    with pytest.raises(ConfigurationError, match=r"^unknown option `prefx`: did you mean prefix"):
        check_options(serve, {"prefx": SECRET})
    with pytest.raises(
        ConfigurationError, match=r"^unknown option `zzz`: the options are limits, port, prefix$"
    ):
        check_options(serve, {"zzz": SECRET})


@dataclass
class Plan:
    secret: InitVar[str]
    tries: int = 3
    derived: int = field(init=False, default="")  # type: ignore[assignment]


def test_the_options_of_a_dataclass_are_its_fields() -> None:
    plan = Plan(SECRET)
    check_fields(plan, bounds={"tries": Bounds(least=1)})
    plan.tries = 0
    with pytest.raises(ConfigurationError, match=r"^`tries` must be at least 1, got 0$"):
        check_fields(plan, bounds={"tries": Bounds(least=1)})
    with pytest.raises(ConfigurationError, match=r"^`secret` must be a string, got int$"):
        check_options(Plan, {"secret": 5})


def test_a_choice_is_one_of_the_known_words() -> None:
    check_choice("sort", "name", ("name", "time"))
    check_choices("kinds", ("time", "name"), {"name": 1, "time": 2})
    with pytest.raises(
        ConfigurationError,
        match=r"^`sort` must be one of name, time, got 'tim'$",
    ):
        check_choice("sort", "tim", ("name", "time"))
    with pytest.raises(ConfigurationError, match=r"^`kinds` must only contain name, time, got 5$"):
        check_choices("kinds", ["name", 5], ("name", "time"))


def test_similar_words_are_suggested() -> None:
    assert closest("tim", ["name", "time"], "see help") == "did you mean time?"
    assert closest("zzz", ["name", "time"], "see help") == "see help"
    assert closest("tame", ["name", "time"], "", 2) == "did you mean time or name?"
