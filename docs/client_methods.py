"""Writes the methods of the client from the table: `python -m docs.client_methods [--check]`.

The synchronous and the asynchronous module have one source, so that they cannot differ.
"""

import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo
from pydantic.functional_validators import BeforeValidator

from segue.platform.models.base import PlatformModel
from segue.platform.rows import Arg, Endpoint
from segue.platform.table import ENDPOINTS

__all__ = ["main", "method_modules"]

_FOLDER: Final = Path(__file__).parents[1] / "src" / "segue" / "platform" / "client"
_SCALARS: Final[dict[Any, str]] = {
    str: "str", int: "int", float: "float", bool: "bool", type(None): "None", Literal: "str",
    dict: "Mapping[str, Any]",
}  # fmt: skip
_WIDTH: Final = 100
_TIMES: Final = frozenset({"since", "until"})


def main(arguments: Sequence[str]) -> int:
    """Write or check the modules; return the exit code."""
    stale = [
        _FOLDER / name
        for name, text in method_modules().items()
        if not (_FOLDER / name).is_file() or (_FOLDER / name).read_text("utf-8") != text
    ]
    if "--check" not in arguments:
        for path in stale:
            path.write_text(method_modules()[path.name], encoding="utf-8", newline="\n")
    sys.stdout.write("".join(f"{path}\n" for path in stale))
    return int(bool(stale) and "--check" in arguments)


def method_modules() -> dict[str, str]:
    """Return the text of each module by its file name."""
    return {
        "methods.py": "\n".join(_module(is_async=False)) + "\n",
        "async_methods.py": "\n".join(_module(is_async=True)) + "\n",
    }


def _module(*, is_async: bool) -> Iterator[str]:
    prefix = "Async" if is_async else ""
    groups: dict[str, list[Endpoint]] = {}
    for row in ENDPOINTS:
        groups.setdefault(row.name.partition(".")[0], []).append(row)
    subjects = sorted({_reference(model).partition(".")[0] for model in _mentioned()})
    yield '"""The endpoints as methods, written by `python -m docs.client_methods`."""\n'
    yield "from __future__ import annotations\n"
    yield "from collections.abc import Mapping, Sequence"
    yield "from datetime import date, datetime, timedelta"
    yield "from typing import TYPE_CHECKING, Any\n"
    yield "from segue.platform.client.method_group import Caller, MethodGroup\n"
    yield "if TYPE_CHECKING:"
    yield f"    from segue.platform.client.pages import {prefix}Pages"
    yield "    from segue.platform.models import ("
    yield from (f"        {subject}," for subject in subjects)
    yield "    )"
    for group, rows in sorted(groups.items()):
        yield f"\n\nclass {_group(prefix, group)}(MethodGroup):"
        yield f'    """Methods of {group.replace("_", " ")}."""'
        for row in rows:
            yield from _method(row, prefix)
            if row.final:
                yield from _waiter(row, is_async=is_async)
    yield f"\n\nclass {prefix}Methods:"
    yield '    """Every endpoint, in groups by subject."""'
    for group in sorted(groups):
        yield "\n    @property"
        yield f"    def {group}(self: Caller) -> {_group(prefix, group)}:"
        yield f'        """Methods of {group.replace("_", " ")}."""'
        yield f"        return {_group(prefix, group)}(self)"


def _define(*, is_async: bool) -> str:
    return "async def" if is_async else "def"


def _group(prefix: str, group: str) -> str:
    return prefix + "".join(part.capitalize() for part in group.split("_")) + "Methods"


def _mentioned() -> Iterator[type[PlatformModel]]:
    """Yield every model that a signature mentions."""
    for row in ENDPOINTS:
        yield row.item_model or row.model
        fields = row.body_model.model_fields.values() if row.body_model else ()
        for field in fields:
            yield from _models(field.annotation)


def _models(annotation: object) -> Iterator[type[PlatformModel]]:
    if isinstance(annotation, type) and issubclass(annotation, PlatformModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models(part)


def _reference(model: type[PlatformModel]) -> str:
    return f"{model.__module__.rpartition('.')[2]}.{model.__name__}"


def _method(row: Endpoint, prefix: str) -> Iterator[str]:
    parameters = ["self", "*", *(f"{name}: {text}" for name, text in _parameters(row))]
    if row.body:
        parameters.append("extra: Mapping[str, Any] | None = None")
    item = row.item_model
    is_async = bool(prefix) and not item
    result = f"{prefix}Pages[{_reference(item)}]" if item else _reference(row.model)
    yield from _signature(row.name.partition(".")[2], parameters, result, is_async=is_async)
    yield f'        """{row.title} ({row.number})."""'
    wait, ask = "await " if is_async else "", "pages" if item else "call"
    yield f'        return {wait}self._{ask}("{row.number}", locals())'


def _waiter(row: Endpoint, *, is_async: bool) -> Iterator[str]:
    result = _reference(row.model)
    parameters = ["self", f"started: {result}", "*", "within: timedelta"]
    parameters.append("every: timedelta = timedelta(seconds=5)")
    yield from _signature("wait", parameters, result, is_async=is_async)
    yield f'        """Return the status ({row.number}) once final, or as it is in the end."""'
    wait = "await " if is_async else ""
    yield f'        return {wait}self._caller.wait("{row.number}", started, within, every)'


def _signature(
    name: str, parameters: Sequence[str], result: str, *, is_async: bool
) -> Iterator[str]:
    """Yield the head of a method as ruff formats it: on one line, on three, or a line each."""
    head, whole = f"    {_define(is_async=is_async)} {name}(", ", ".join(parameters)
    if len(line := f"\n{head}{whole}) -> {result}:") <= _WIDTH + 1:
        yield line
        return
    yield f"\n{head}"
    if len(line := f"        {whole}") <= _WIDTH:
        yield line
    else:
        yield from (f"        {each}," for each in parameters)
    yield f"    ) -> {result}:"


def _parameters(row: Endpoint) -> Iterator[tuple[str, str]]:
    """Yield names and types, those without a default first."""
    found: dict[str, str] = {}
    for arg in (*row.path_args, *row.query):
        found[arg.name] = _argument(arg)
    for name, field in (row.body_model.model_fields if row.body_model else {}).items():
        found[name] = _field(field, is_time=bool(row.window_days) and name in _TIMES)
    for header in row.headers:
        found[header.argument] = "str | None = None"
    yield from ((name, text) for name, text in found.items() if not text.endswith("= None"))
    yield from ((name, text) for name, text in found.items() if text.endswith("= None"))


def _argument(arg: Arg) -> str:
    return arg.type if arg.is_required else f"{arg.type} | None = None"


def _field(field: FieldInfo, *, is_time: bool) -> str:
    parts = _types(field.annotation)
    if any(isinstance(each, BeforeValidator) for each in field.metadata):
        parts = ["str", *parts]
    if is_time:
        parts = ["datetime", "date", *parts]
    if not field.is_required():
        parts = [*(part for part in parts if part != "None"), "None"]
        return f"{' | '.join(dict.fromkeys(parts))} = None"
    return " | ".join(dict.fromkeys(parts))


def _types(annotation: Any) -> list[str]:  # noqa: ANN401 - any annotation
    """Return the types that an argument may have."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        is_id = any(isinstance(each, BeforeValidator) for each in arguments)
        return (["str"] if is_id else []) + _types(arguments[0])
    if origin in {Union, types.UnionType}:
        kept = [each for each in arguments if each is not int or float not in arguments]
        return [text for each in kept for text in _types(each)]
    if origin is list:
        return [f"Sequence[{' | '.join(dict.fromkeys(_types(arguments[0])))}]"]
    if isinstance(annotation, type) and issubclass(annotation, PlatformModel):
        return [_reference(annotation), "Mapping[str, Any]"]
    return [_SCALARS[origin or annotation]]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
