"""Build the HTTP request of a client call from the arguments of the call.

The specification describes some requests in two ways, once in its reference and once in its
samples. A dialect selects one of them.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from segue.core.errors import ConfigurationError
from segue.platform.messages import SentRequest
from segue.platform.rows import Arg, Endpoint, Variant, VariantKind

if TYPE_CHECKING:
    from segue.platform.models.base import PlatformModel

Dialects = str | Mapping[str, str]
"""The form of requests for which the reference and the samples of the specification differ.

The value is `"reference"`, `"samples"`, or a mapping to either for some endpoints only. Keys of the
mapping are numbers of endpoints (`"E6"`) or of their variants (`"E2 name of a member"`). An empty
string selects the default form of each request.
"""

_TYPES: Final = {"str": str, "int": int, "bool": bool}
_VISIBLE: Final = frozenset(map(chr, range(0x21, 0x7F)))


def build_request(
    row: Endpoint,
    arguments: Mapping[str, Any],
    extra: Mapping[str, Any] | None = None,
    dialects: Dialects = "",
) -> SentRequest:
    """Return the request of a call, without the header for the token.

    Args:
        row: The endpoint.
        arguments: The arguments by the parameter names of the client's method. None means that an
            argument is not given.
        extra: Additional members of the body that the specification does not show.
        dialects: The form to send where the reference and the samples differ.

    Raises:
        ConfigurationError: An argument is missing, unknown, of the wrong type or over its limit.

    """
    given = {name: value for name, value in arguments.items() if value is not None}
    path = _path(row, given, dialects)
    query = {**row.fixed, **_query(row, given)}
    members = _members(row, given, extra or {}, dialects)
    if spoken(row, VariantKind.PARAMETERS, dialects) == "query":
        texts = {name: _text(value) for name, value in (members or {}).items() if value is not None}
        query |= texts
        members = None
    return SentRequest(
        method=spoken(row, VariantKind.VERB, dialects) or row.method,
        target=path + _query_text(row, query),
        headers=_headers(row, given),
        body=None if members is None else _encoded(row, members),
    )


def spoken(row: Endpoint, kind: VariantKind, dialects: Dialects) -> str:
    """Return the form that is sent for an endpoint's variant of this kind.

    For `VariantKind.VERB` the form is an HTTP method such as `"PUT"`. The result is an empty string
    if the endpoint has no variant of this kind.
    """
    variant = next((each for each in row.variants if each.kind is kind), None)
    return variant_sent(row, variant, dialects) if variant else ""


def variant_sent(row: Endpoint, variant: Variant, dialects: Dialects) -> str:
    """Return the form of a variant that is sent in the given dialects, such as `"PUT"`.

    Raises:
        ConfigurationError: The dialect is neither `reference` nor `samples`.

    """
    if isinstance(dialects, str):
        dialect = dialects
    else:
        dialect = dialects.get(f"{row.number} {variant.kind}", dialects.get(row.number, ""))
    match dialect:
        case "":
            return variant.sends
        case "reference":
            return variant.reference
        case "samples":
            return variant.sample
        case _:
            raise ConfigurationError(f"`dialect` must be 'reference' or 'samples', got {dialect!r}")


def _refused(row: Endpoint, problem: str) -> ConfigurationError:
    return ConfigurationError(f"{row.name} ({row.number}): {problem}")


def _path(row: Endpoint, given: Mapping[str, Any], dialects: Dialects) -> str:
    template = spoken(row, VariantKind.PATH, dialects) or row.path
    if row.account_path and all(arg.name not in given for arg in row.path_args):
        return row.account_path
    for arg in row.path_args:
        value = given.get(arg.name)
        if not isinstance(value, str) or value in {"", ".", ".."}:
            raise _refused(row, f"{arg.name} must be a non-empty id, got {value!r}")
        template = template.replace(f"{{{arg.wire}}}", _segment(row, arg, value))
    return template


def _segment(row: Endpoint, arg: Arg, value: str) -> str:
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise _refused(row, f"{arg.name} must not contain lone surrogates") from None


def _query_text(row: Endpoint, query: Mapping[str, str]) -> str:
    try:
        return f"?{urlencode(query, quote_via=quote)}" if query else ""
    except UnicodeEncodeError:
        raise _refused(row, "the query must not contain lone surrogates") from None


def _query(row: Endpoint, given: Mapping[str, Any]) -> dict[str, str]:
    found = {}
    for arg in row.query:
        if arg.name in given:
            found[arg.wire] = str(_checked(row, arg, given[arg.name]))
        elif arg.is_required:
            raise _refused(row, f"{arg.name} is missing")
    return found


def _checked(row: Endpoint, arg: Arg, value: object) -> object:
    if type(value) is not _TYPES[arg.type]:
        raise _refused(row, f"{arg.name} must be {arg.type}, got {type(value).__name__}")
    if arg.maximum is not None and isinstance(value, int) and value > arg.maximum:
        raise _refused(row, f"{arg.name} must be at most {arg.maximum}, got {value}")
    return value


def _headers(row: Endpoint, given: Mapping[str, Any]) -> dict[str, str]:
    headers = {}
    for header in row.headers:
        value = given.get(header.argument)
        if value is None:
            if header.is_required:
                raise _refused(row, f"{header.argument} is missing: give it to the call or client")
            continue
        if not isinstance(value, str) or not value or not _VISIBLE.issuperset(value):
            raise _refused(row, f"{header.argument} must be visible ASCII text without spaces")
        headers[header.name] = value
    return headers


def _members(
    row: Endpoint, given: Mapping[str, Any], extra: Mapping[str, Any], dialects: Dialects
) -> dict[str, Any] | None:
    """Return the members of the body by their names in the JSON.

    The result is None if the endpoint takes no body.
    """
    elsewhere = {arg.name for arg in (*row.path_args, *row.query)}
    elsewhere |= {"account", "app"} | {header.argument for header in row.headers}
    named = {name: value for name, value in given.items() if name not in elsewhere}
    model = row.body_model
    unknown = sorted(named.keys() - (model.model_fields.keys() if model else ()))
    if unknown:
        raise _refused(row, f"unknown argument {unknown[0]}")
    if model is None:
        return None
    members = _validated(row, model, {**extra, **named})
    members |= {wire: given[name] for wire, name in row.repeats.items()}
    for variant in row.variants:
        sent = variant_sent(row, variant, dialects)
        if variant.kind is VariantKind.MEMBER and variant.reference in members:
            members = {sent if name == variant.reference else name: value
                       for name, value in members.items()}  # fmt: skip
        elif variant.kind is VariantKind.PARAMETERS and sent == variant.sample:
            members |= {name: given[name] for name in variant.adds}
    return members


def _validated(
    row: Endpoint, model: "type[PlatformModel]", members: Mapping[str, Any]
) -> dict[str, Any]:
    """Validate the members of a body, and return them by their names in the JSON.

    Raises:
        ConfigurationError: The body does not fit its model.

    """
    from segue.platform.bodies import BodyMisfit, written_members  # noqa: PLC0415 - slow to import

    try:
        return written_members(model, members)
    except BodyMisfit as misfit:
        raise _refused(row, str(misfit)) from None


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _encoded(row: Endpoint, members: Mapping[str, Any]) -> bytes:
    try:
        text = json.dumps(members, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()
    except ValueError:
        raise _refused(row, "the body contains a value that JSON cannot represent") from None
