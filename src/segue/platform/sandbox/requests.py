"""Parse and validate the requests that a sandbox receives.

Where the reference and the samples of the specification differ in a method, a path, the place of
parameters or the name of a member, both forms are accepted.
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
    """An exception for a request that the sandbox refuses.

    `Sandbox` turns the exception into a response with a problem document (RFC 9457), so callers of
    the sandbox never see it.
    """

    def __init__(self, status: int, detail: str, headers: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, headers


@dataclass(frozen=True, slots=True)
class SandboxRequest:
    """A parsed and validated request to an endpoint of the sandbox."""

    row: Endpoint
    path: Mapping[str, str]
    """The path parameters by the names of the client's arguments, such as `stream`."""
    query: Mapping[str, Any] = field(repr=False)
    """The query parameters by the names of the client's arguments."""
    headers: Mapping[str, str]
    """The headers by the names of the client's arguments."""
    body: Mapping[str, Any] = field(repr=False)
    """The members of the body by their names in the reference, empty if there is no body."""
    raw: bytes = field(default=b"", repr=False)
    """The bytes of the body as received."""

    def argument(self, name: str) -> str:
        """Return a path parameter by name, or an empty string if the path does not contain it."""
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
    """Return a regular expression for a path, with a named group for each path parameter."""
    groups = {arg.wire: f"(?P<{arg.name}>[^/]+)" for arg in row.path_args}
    return re.sub(r"\\{(\w+)\\}", lambda found: groups[found[1]], re.escape(path))


_PATTERNS: Final = tuple(_patterns())


def find_route(method: str, path: str) -> tuple[Endpoint, Mapping[str, str]]:
    """Return the endpoint with this method and path, and the path parameters by name.

    The path is percent-encoded, and the parameters are decoded.

    Raises:
        RefusedRequest: No endpoint has this path (404) or this method (405).

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
        raise RefusedRequest(405, f"this path allows {allowed}", (("allow", allowed),))
    raise RefusedRequest(404, "no endpoint of the specification has this path")


def read_request(
    row: Endpoint,
    path: Mapping[str, str],
    query: str,
    headers: Headers,
    body: bytes,
) -> SandboxRequest:
    """Parse and validate a request to an endpoint.

    Args:
        row: The endpoint.
        path: The path parameters, as `find_route` returns them.
        query: The query without the question mark.
        headers: The headers.
        body: The request body.

    Raises:
        RefusedRequest: A parameter is missing, or has the wrong type or value (400).

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
    """Return the date or time in a member of a body as an aware datetime.

    The result is None if the body lacks the member. A time without a time zone is in UTC.

    Raises:
        RefusedRequest: The value is not an ISO 8601 date (400).

    """
    text = body.get(name)
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise RefusedRequest(400, f"{name} must be an ISO 8601 date") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _headers(row: Endpoint, headers: Headers) -> dict[str, str]:
    given = {}
    for header in row.headers:
        value = headers.get(header.name.lower())
        if value:
            given[header.argument] = value
        elif header.is_required:
            raise RefusedRequest(400, f"{row.number} needs the header {header.name}")
    return given


def _query(row: Endpoint, pairs: Mapping[str, str]) -> dict[str, Any]:
    for name, value in row.fixed.items():
        if pairs.get(name) != value:
            raise RefusedRequest(400, f"{name} must be {value}")
    given = {}
    for arg in row.query:
        text = pairs.get(arg.wire)
        if text is not None:
            given[arg.name] = _value(arg, text)
        elif arg.is_required:
            raise RefusedRequest(400, f"{row.number} needs the parameter {arg.wire}")
    return given


def _value(arg: Arg, text: str) -> str | int | bool:
    value: str | int | bool | None = text
    if arg.type == "bool":
        value = _BOOLEANS.get(text.lower())
    elif arg.type == "int":
        value = int(text) if re.fullmatch("[0-9]{1,9}", text) else None
    if value is None or (arg.values and text not in arg.values):
        allowed = f"one of {', '.join(arg.values)}" if arg.values else f"of type {arg.type}"
        raise RefusedRequest(400, f"{arg.wire} must be {allowed}")
    if arg.maximum is not None and isinstance(value, int) and value > arg.maximum:
        raise RefusedRequest(400, f"{arg.wire} must be at most {arg.maximum}")
    return value


def _members(row: Endpoint, pairs: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """Return the members of the body by their names in the reference.

    If the body is empty and the endpoint accepts query parameters instead, these are returned.
    """
    if row.body is None:
        return {}
    in_query = any(each.kind is VariantKind.PARAMETERS for each in row.variants)
    if not body.strip():
        members: Any = _of_query(row, pairs) if in_query else {}
    else:
        try:
            members = json.loads(body)
        except (ValueError, RecursionError):
            raise RefusedRequest(400, "the body is not JSON") from None
    if not isinstance(members, dict):
        raise RefusedRequest(400, "the body is not a JSON object")
    names = {each.sample: each.reference for each in row.variants
             if each.kind is VariantKind.MEMBER}  # fmt: skip
    return {names.get(str(name), str(name)): value for name, value in members.items()}


def _of_query(row: Endpoint, pairs: Mapping[str, str]) -> dict[str, Any]:
    """Return query parameters as members of a body.

    The values of members that are not strings are parsed as JSON.
    """
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
        raise RefusedRequest(400, str(misfit)) from None
