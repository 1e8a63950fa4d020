"""Requests of the sandbox, read by the rows of the platform's table: path, query, headers, body.

Whatever either the reference or the samples show is accepted: verbs, paths, places of parameters,
names of members.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from segue.platform.arguments import ArgumentKind, arguments_of
from segue.platform.bodies import BodyMisfit, read_members
from segue.platform.rows import Arg, Endpoint, VariantKind
from segue.platform.table import ENDPOINTS
from segue.server.http import Headers

_Pattern = tuple[re.Pattern[str], frozenset[str], Endpoint]
_BOOLEANS: Final = {"true": True, "false": False}


class RefusedRequest(Exception):
    """A request is answered with a problem. It never leaves `segue.platform.sandbox`."""

    def __init__(
        self, status: int, title: str, detail: str, headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        super().__init__(title)
        self.status, self.title, self.detail = status, title, detail
        self.headers = headers


def unusable_body(detail: str) -> RefusedRequest:
    """Return what a request is answered with whose body cannot be used (400)."""
    return RefusedRequest(400, "The body cannot be used", detail)


@dataclass(frozen=True, slots=True)
class SandboxRequest:
    """One call of an endpoint, by the names of the client's arguments."""

    row: Endpoint
    path: Mapping[str, str]
    query: Mapping[str, Any] = field(repr=False)
    headers: Mapping[str, str]
    body: Mapping[str, Any] = field(repr=False)
    """By wire names, as the reference spells them; empty if there is none."""
    raw: bytes = field(default=b"", repr=False)

    def argument(self, name: str) -> str:
        """Return an argument of the path; empty if it is not there."""
        return self.path.get(name, "")


def _patterns() -> Iterator[_Pattern]:
    for row in ENDPOINTS:
        methods: set[str] = {row.method}
        paths = {row.path}
        for variant in row.variants:
            if variant.kind is VariantKind.VERB:
                methods |= {variant.reference, variant.sample}
            elif variant.kind is VariantKind.PATH:
                paths |= {variant.reference, variant.sample}
        if row.account_path:
            paths.add(row.account_path)
        for path in sorted(paths):
            yield re.compile(_pattern(row, path)), frozenset(methods), row


def _pattern(row: Endpoint, path: str) -> str:
    """Return what a path matches, with its variables as groups by the names of arguments."""
    groups = {arg.wire: f"(?P<{arg.name}>[^/]+)" for arg in row.path_args}
    return re.sub(r"\\{(\w+)\\}", lambda found: groups[found[1]], re.escape(path))


_PATTERNS: Final = tuple(_patterns())


def find_route(method: str, path: str) -> tuple[Endpoint, Mapping[str, str]]:
    """Return the row of a path, still percent-encoded, and the arguments in it.

    Raises:
        RefusedRequest: No endpoint has this path, or none of this method.

    """
    others: set[str] = set()
    for pattern, methods, row in _PATTERNS:
        found = pattern.fullmatch(path)
        if found is None:
            continue
        if method in methods:
            return row, {name: unquote(value) for name, value in found.groupdict().items()}
        others |= methods
    if others:
        allowed = ", ".join(sorted(others))
        raise RefusedRequest(
            405, "Another method", f"this path takes {allowed}", (("allow", allowed),)
        )
    raise RefusedRequest(
        404, "There is nothing here", "no endpoint of the specification has this path"
    )


def read_request(
    row: Endpoint,
    path: Mapping[str, str],
    query: str,
    headers: Headers,
    body: bytes,
) -> SandboxRequest:
    """Return what a request asks for.

    Raises:
        RefusedRequest: Something is missing, or is not of its type.

    """
    pairs = dict(parse_qsl(query, keep_blank_values=True))
    members = _members(row, pairs, body)
    return SandboxRequest(
        row=row,
        path=path,
        query=_query(row, pairs),
        headers=_headers(row, headers),
        body=_checked(row, members),
        raw=body,
    )


def read_date(body: Mapping[str, Any], name: str) -> datetime | None:
    """Return a member that is a date or a time, in UTC if it names no zone; None without one.

    Raises:
        RefusedRequest: It cannot be read.

    """
    text = body.get(name)
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise RefusedRequest(
            400, "A date cannot be read", f"{name} is not a date of ISO 8601"
        ) from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _headers(row: Endpoint, headers: Headers) -> dict[str, str]:
    given = {}
    for header in row.headers:
        value = headers.get(header.name.lower())
        if value:
            given[header.argument] = value
        elif header.is_required:
            raise RefusedRequest(
                400, "A header is missing", f"{row.number} needs the header {header.name}"
            )
    return given


def _query(row: Endpoint, pairs: Mapping[str, str]) -> dict[str, Any]:
    for name, value in row.fixed.items():
        if pairs.get(name) != value:
            raise RefusedRequest(400, "A parameter cannot be used", f"{name} must be {value}")
    given = {}
    for arg in row.query:
        text = pairs.get(arg.wire)
        if text is not None:
            given[arg.name] = _value(arg, text)
        elif arg.is_required:
            raise RefusedRequest(400, "A parameter is missing", f"{row.number} needs {arg.wire}")
    return given


def _value(arg: Arg, text: str) -> str | int | bool:
    value: str | int | bool | None = text
    if arg.type == "bool":
        value = _BOOLEANS.get(text.lower())
    elif arg.type == "int":
        value = int(text) if re.fullmatch("[0-9]{1,9}", text) else None
    if value is None or (arg.values and text not in arg.values):
        allowed = f": {', '.join(arg.values)}" if arg.values else f" of type {arg.type}"
        raise RefusedRequest(400, "A parameter cannot be used", f"{arg.wire} must be one{allowed}")
    if arg.maximum is not None and isinstance(value, int) and value > arg.maximum:
        raise RefusedRequest(400, "A limit is passed", f"{arg.wire} is at most {arg.maximum}")
    return value


def _members(row: Endpoint, pairs: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """Return the body, or the parameters of the query where they may stand there."""
    if row.body is None:
        return {}
    in_query = any(each.kind is VariantKind.PARAMETERS for each in row.variants)
    if not body.strip():
        members: Any = _of_query(row, pairs) if in_query else {}
    else:
        try:
            members = json.loads(body)
        except (ValueError, RecursionError):
            raise unusable_body("it is not JSON") from None
    if not isinstance(members, dict):
        raise unusable_body("it is not a JSON object")
    names = {each.sample: each.reference for each in row.variants
             if each.kind is VariantKind.MEMBER}  # fmt: skip
    return {names.get(str(name), str(name)): value for name, value in members.items()}


def _of_query(row: Endpoint, pairs: Mapping[str, str]) -> dict[str, Any]:
    """Return parameters of a query as members: texts, but numbers and objects from JSON text."""
    texts = {each.wire for each in arguments_of(row) if each.kind is ArgumentKind.TEXT}
    members: dict[str, Any] = dict(pairs)
    for name in pairs.keys() - texts:
        with suppress(ValueError, RecursionError):
            members[name] = json.loads(pairs[name])
    return members


def _checked(row: Endpoint, members: dict[str, Any]) -> dict[str, Any]:
    try:
        return read_members(row, members)
    except BodyMisfit as misfit:
        raise unusable_body(str(misfit)) from None
