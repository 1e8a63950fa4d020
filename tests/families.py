"""Families of cheap cases: one test each, which reports every case that fails.

`cases` takes the arguments of `pytest.mark.parametrize`. Instead of an item per case, which costs
more than a small case does, the test runs the cases in a loop, each as a subtest of pytest's own.
A case that fails is reported under its name, and the cases after it run all the same.

The cases of a test share its fixtures: use `pytest.mark.parametrize` where a case must not see what
the case before it left in `tmp_path` or changed by `monkeypatch`.
"""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from itertools import product
from typing import Any

import pytest

__all__ = ["family"]

Test = Callable[..., None]
Name = Callable[[Any], object]
Case = tuple[str, dict[str, Any]]
"""The name of a case and its arguments."""


def family(
    names: str | Sequence[str], values: Iterable[Any], *, ids: Iterable[str] | Name | None = None
) -> Callable[[Test], Test]:
    """Call the decorated test with each of the values, as one item.

    Two decorators multiply, as they do with `parametrize`.
    """
    parameters = names.replace(",", " ").split() if isinstance(names, str) else list(names)
    named = ids if ids is None or callable(ids) else list(ids)
    listed = [_case(parameters, number, value, named) for number, value in enumerate(values)]
    assert listed, f"no case for {names}"

    def decorate(test: Test) -> Test:
        decorated: tuple[Test, list[Case]] = getattr(test, "family", (test, [("", {})]))
        function, others = decorated
        combined = [
            ("-".join(filter(None, (name, other))), {**arguments, **more})
            for (other, more), (name, arguments) in product(others, listed)
        ]

        @wraps(function)
        def run(subtests: pytest.Subtests, **fixtures: Any) -> None:
            for name, arguments in combined:
                with subtests.test(name):
                    try:
                        function(**arguments, **fixtures)
                    except Exception as error:
                        error.add_note(f"case: {name}")  # a report of JUnit has no other
                        raise

        signature = inspect.signature(function)
        given = combined[0][1]
        kept = [each for name, each in signature.parameters.items() if name not in given]
        asked = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        kept = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in kept]
        run.__signature__ = signature.replace(parameters=[*kept, asked])  # type: ignore[attr-defined]
        run.family = function, combined  # type: ignore[attr-defined]
        return run

    return decorate


def _case(parameters: list[str], number: int, value: Any, ids: Sequence[str] | Name | None) -> Case:
    if isinstance(value, type(pytest.param())):
        assert not value.marks, "a case of a family cannot be marked"
        values, name = value.values, value.id
    else:
        values, name = (value,) if len(parameters) == 1 else tuple(value), None
    arguments = dict(zip(parameters, values, strict=True))
    if name is not None:
        return str(name), arguments
    if callable(ids):
        return "-".join(str(ids(each)) for each in values), arguments
    if ids is not None:
        return ids[number], arguments
    return "-".join(_shown(*each, number) for each in arguments.items()), arguments


def _shown(parameter: str, value: object, number: int) -> str:
    """Name a value as pytest does; only the text of plain values is certain to be short."""
    if isinstance(value, str | int | float | None):
        return f"{value!s:.60}".encode("ascii", "backslashreplace").decode()
    return getattr(value, "__name__", None) or f"{parameter}{number}"
