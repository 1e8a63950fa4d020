"""Generate the reference pages of the Python API: public names, signatures and docstrings.

griffe reads the sources, so the result does not depend on the installed extras. A name is on the
page of the package that defines it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Final

import griffe

from segue import errors

__all__ = [
    "MODULES", "PAGES", "parameters", "public_objects", "public_package", "python_pages", "target",
]  # fmt: skip

_SOURCES: Final = Path(__file__).parents[1] / "src"

MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    name: tuple(dir(import_module(name)))
    for name in (
        "segue",
        *("segue.core", "segue.logs", "segue.analysis", "segue.server", "segue.platform"),
        "segue.testing",
    )
} | {"segue.errors": tuple(errors.__all__)}
"""The names that each public module exports, by the name of the module."""

PAGES: Final[Mapping[str, tuple[str, str, tuple[str, ...]]]] = {
    "check": (
        "Check conversations and logs",
        "Check a finished conversation, a live one, or a log of many.",
        ("core.conversation", "logs", "core.wire", "analysis.causes"),
    ),
    "findings": (
        "Findings and rules",
        "The results of a check, and the policy that selects them.",
        ("core.findings",),
    ),
    "events": (
        "Events and phases",
        "The content of deliveries, and the phases of a conversation.",
        ("core.events", "core.lifecycle", "core.engine"),
    ),
    "segments": (
        "Segments, metrics, transcription",
        "The presence of agents over time, and [metrics](../metrics.md).",
        ("core.segments", "core.transcription"),
    ),
    "repair": (
        "Mistakes and repairs",
        "The smallest changes that make a conversation valid.",
        ("analysis.repairs", "core.explain"),
    ),
    "export": (
        "Rows and exports",
        "Reports as rows, and exports to the formats of other tools.",
        ("report",),
    ),
    "processor": (
        "Processor and stores",
        "Apply and store deliveries, run callbacks, and query conversations.",
        ("server.processor", "server.stores"),
    ),
    "http": (
        "Web servers",
        "The hook as an ASGI, WSGI or Lambda application, and authentication.",
        ("server.adapters", "server.http"),
    ),
    "errors": (
        "Errors",
        "Exceptions for incorrect use of Segue and for failures around it.",
        ("core.errors",),
    ),
    "testing": (
        "Testing",
        "Strategies, mutations, assertions and state machines. Install the extra `testing`.",
        ("testing", "analysis.simulate"),
    ),
    "client": (
        "Client of the platform",
        "See [call the platform](../../how-to/call-the-platform.md).",
        ("platform.client", "platform.messages", "platform.rows", "platform.table"),
    ),
    "sandbox": (
        "Sandbox",
        "See [the sandbox](../../how-to/use-the-sandbox.md).",
        ("platform.sandbox",),
    ),
}
"""The title, the introduction and the packages of each page, by the name of the page."""


@cache
def public_package() -> griffe.Module:
    """Return the package `segue` as griffe reads it from the sources."""
    package = griffe.load("segue", search_paths=[_SOURCES], docstring_parser="google")
    assert isinstance(package, griffe.Module)
    return package


def python_pages() -> dict[str, str]:
    """Return the pages in Markdown, by their paths relative to docs/reference."""
    found = sorted(public_objects().items(), key=lambda each: each[0].rpartition(".")[2].lower())
    pages = {}
    for page, (title, introduction, packages) in PAGES.items():
        parents = tuple(f"segue.{package}." for package in packages)
        entries = [_entry(path, value) for path, value in found if value.path.startswith(parents)]
        pages[f"python/{page}.md"] = "\n\n".join([f"# {title}", introduction, *entries]) + "\n"
    return pages


def public_objects() -> dict[str, griffe.Object]:
    """Return every public object by its import path, such as `segue.check`.

    An object that `segue` exports has only that path.
    """
    package, found = public_package(), {}
    for module, names in MODULES.items():
        for name in names:
            if module == "segue" or name not in MODULES["segue"]:
                found[f"{module}.{name}"] = target(package[f"{module}.{name}"[len("segue.") :]])
    return found


def target(value: griffe.Object | griffe.Alias) -> griffe.Object:
    """Return the object to which an imported name refers."""
    return value.final_target if isinstance(value, griffe.Alias) else value


def _entry(path: str, value: griffe.Object) -> str:
    module, _, name = path.rpartition(".")
    return "\n\n".join([f"## {name}", f"`from {module} import {name}`", *_body(name, value)])


def _body(name: str, value: griffe.Object) -> Iterator[str]:
    if isinstance(value, griffe.Function):
        yield _code(_signature(name, value, method=_is_strategy(value)))
    elif isinstance(value, griffe.Attribute):
        yield _code(f"{name} = {value.value}")
    elif isinstance(value, griffe.Class):
        bases = ", ".join(name for name in map(str, value.bases) if name not in _parts(value))
        yield _code(f"class {name}({bases})" if bases else f"class {name}")
    yield from _docstring(value)
    if isinstance(value, griffe.Class):
        yield from _members(value)


def _parts(value: griffe.Class) -> dict[str, griffe.Class]:
    """Return the base classes whose members are shown as members of the class, by name."""
    return {
        base.name: base
        for base in value.resolved_bases
        if isinstance(base, griffe.Class) and base.name.endswith(("Methods", "HttpOptions"))
    }


def _members(value: griffe.Class) -> Iterator[str]:
    members = dict(value.members)
    for part in _parts(value).values():
        for name, member in part.members.items():
            members.setdefault(name, member)
    shown = [each for name, each in members.items() if not name.startswith("_")]
    targets = [target(each) for each in shown]
    fields = [each for each in targets if isinstance(each, griffe.Attribute)]
    if fields:
        yield "\n".join(_field(field) for field in fields)
    constructor = value.members.get("__init__")
    if isinstance(constructor, griffe.Function) and constructor.lineno is not None:
        yield _code(_signature(value.name, constructor, method=True))
    methods = [each for each in targets if isinstance(each, griffe.Function)]
    for _, pair in groupby(methods, key=lambda method: method.name):
        *_, method = pair  # the implementation comes after its overloads
        yield f"### {value.name}.{method.name}"
        yield _code(_signature(method.name, method, method=True))
        yield from _docstring(method)


def _field(field: griffe.Attribute) -> str:
    annotation = f" (`{field.annotation}`)" if field.annotation else ""
    text = " ".join(field.docstring.value.split()) if field.docstring else ""
    return f"- `{field.name}`{annotation}: {text}" if text else f"- `{field.name}`{annotation}"


def _signature(name: str, function: griffe.Function, *, method: bool = False) -> str:
    """Return the signature as source text.

    Each parameter has a line of its own if the signature exceeds 88 characters.
    """
    shown = list(parameters(function.parameters, method=method))
    result = f" -> {function.returns}" if function.returns and str(function.returns) else ""
    result = "" if function.name == "__init__" else result
    if _is_strategy(function):
        result = f" -> st.SearchStrategy[{function.returns}]"
    begin = "async def " if "async" in function.labels else ""
    line = f"{begin}{name}({', '.join(shown)}){result}"
    if len(line) <= 88:  # noqa: PLR2004 - a width
        return line
    lines = "".join(f"    {parameter},\n" for parameter in shown)
    return f"{begin}{name}(\n{lines}){result}"


def _is_strategy(function: griffe.Function) -> bool:
    """Return whether the function is a composite strategy of Hypothesis.

    Callers of such a function do not pass its parameter `draw`.
    """
    return any(str(each.value) == "st.composite" for each in function.decorators)


def parameters(parameters: Iterable[griffe.Parameter], *, method: bool) -> Iterator[str]:
    """Yield each parameter as source text, with `*` before keyword-only parameters.

    With `method`, the parameter `self` is left out.
    """
    keyword_only = False
    for number, each in enumerate(parameters):
        if method and number == 0 and each.name in {"self", "cls", "draw"}:
            continue
        kind = each.kind
        if kind is griffe.ParameterKind.keyword_only and not keyword_only:
            keyword_only = True
            yield "*"
        star = {
            griffe.ParameterKind.var_positional: "*",
            griffe.ParameterKind.var_keyword: "**",
        }.get(kind or griffe.ParameterKind.positional_or_keyword, "")
        keyword_only = keyword_only or star == "*"
        annotation = f": {each.annotation}" if each.annotation is not None else ""
        default = f" = {each.default}" if each.default is not None and not star else ""
        yield f"{star}{each.name}{annotation}{default}"


def _docstring(value: griffe.Object) -> Iterator[str]:
    if value.docstring is None:
        return
    for section in value.docstring.parsed:
        if isinstance(section, griffe.DocstringSectionParameters):
            yield _list("Arguments", ((each.name, each.description) for each in section.value))
        elif isinstance(section, griffe.DocstringSectionAttributes):
            yield _list("Attributes", ((each.name, each.description) for each in section.value))
        elif isinstance(section, griffe.DocstringSectionRaises):
            yield _list(
                "Raises", ((str(each.annotation), each.description) for each in section.value)
            )
        elif isinstance(section, griffe.DocstringSectionReturns | griffe.DocstringSectionYields):
            yield f"**{section.kind.value.title()}**"
            yield " ".join(" ".join(each.description.split()) for each in section.value)
        elif isinstance(section, griffe.DocstringSectionText):
            yield section.value
        else:
            raise TypeError(f"cannot show the section {section.kind.value!r} of {value.path}")


def _list(title: str, entries: Iterable[tuple[str, str]]) -> str:
    lines = "\n".join(f"- `{name}`: {' '.join(text.split())}" for name, text in entries)
    return f"**{title}**\n\n{lines}"


def _code(text: str) -> str:
    return f"```python\n{text}\n```"
