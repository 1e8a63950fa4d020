"""Generate the OpenAPI 3.1 description of the sandbox.

It is the description of the platform with the sandbox's error responses added.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from segue.core.version import __version__
from segue.platform.openapi import describe_platform
from segue.platform.rows import Endpoint, VariantKind
from segue.platform.table import ENDPOINTS

_Json: TypeAlias = dict[str, Any]

_PROBLEM: Final[_Json] = {
    "type": "object",
    "description": "RFC 9457.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail"],
}
_REFUSALS: Final = {
    "400": "The request is invalid.",
    "401": "The token is missing or invalid.",
    "403": "The token lacks the scope of the endpoint.",
    "404": "An object in the request does not exist.",
    "409": "The state of an object does not allow the request.",
    "429": "A planned fault: too many requests. Repeat the request after `Retry-After`.",
    "503": "A planned fault: unavailable. Repeat the request after `Retry-After`.",
}


def describe_sandbox() -> _Json:
    """Return the OpenAPI document as a JSON object.

    Alternative methods and paths of an endpoint are described as separate operations.
    """
    document = describe_platform(__version__)
    document["info"] |= {
        "title": "Segue sandbox",
        "summary": "The platform on this machine: its 26 endpoints, with state.",
    }
    document["servers"] = [{"url": "/"}]
    document["components"]["schemas"]["Problem"] = _PROBLEM
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    refusals = {status: {"description": what, "content": content}
                for status, what in _REFUSALS.items()}  # fmt: skip
    paths: dict[str, _Json] = document["paths"]
    for operation in (each for methods in paths.values() for each in methods.values()):
        operation["responses"] = {"200": operation["responses"]["200"], **refusals}
    for row in ENDPOINTS:
        described = paths[row.path][row.method.lower()]
        for number, (method, path) in enumerate(_other_ways(row), start=2):
            other = described | {"operationId": f"{row.name}_{number}"}
            paths.setdefault(path, {})[method.lower()] = other
    return document


def _other_ways(row: Endpoint) -> Iterator[tuple[str, str]]:
    """Yield the alternatives to the method and path of an endpoint, as `(method, path)` pairs."""
    for variant in row.variants:
        for value in (variant.reference, variant.sample):
            if variant.kind is VariantKind.VERB and value != row.method:
                yield value, row.path
            elif variant.kind is VariantKind.PATH and value != row.path:
                yield row.method, value
