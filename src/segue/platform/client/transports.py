"""Functions that choose a transport for a client.

The default is httpx2 if it is installed, and otherwise the standard library's http.client.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeAlias, cast

from segue.core.errors import ConfigurationError
from segue.platform.client.transport import AsyncTransport, HttpTransport, Transport

if TYPE_CHECKING:
    import httpx2

TransportLike: TypeAlias = "Transport | httpx2.Client"
AsyncTransportLike: TypeAlias = "AsyncTransport | Transport | httpx2.AsyncClient"


def sync_transport(base_url: str, given: "TransportLike | None") -> "Transport":
    """Return the transport that a `Client` uses.

    Args:
        base_url: The URL of the platform.
        given: The caller's transport or httpx2 client, or None for the default transport.

    Raises:
        ConfigurationError: `given` is neither a transport nor an `httpx2.Client`.

    """
    if _is_for_httpx2(given):
        from segue.platform.client.httpx_transport import HttpxTransport  # an extra

        return HttpxTransport(base_url, given)
    if given is None:
        return HttpTransport(base_url)
    _check(given, ["send"], "httpx2.Client")
    return cast("Transport", given)


def async_transport(
    base_url: str, given: "AsyncTransportLike | None"
) -> "AsyncTransport | Transport":
    """Return the transport that an `AsyncClient` uses.

    Args:
        base_url: The URL of the platform.
        given: The caller's transport or httpx2 client, or None for the default transport.

    Raises:
        ConfigurationError: `given` is neither a transport nor an `httpx2.AsyncClient`.

    """
    if _is_for_httpx2(given):
        from segue.platform.client.httpx_transport import AsyncHttpxTransport  # an extra

        return AsyncHttpxTransport(base_url, given)
    if given is None:
        return HttpTransport(base_url)
    _check(given, ["asend", "send"], "httpx2.AsyncClient")
    return cast("AsyncTransport | Transport", given)


def _is_for_httpx2(given: object) -> bool:
    return find_spec("httpx2") is not None if given is None else "httpx2" in _packages(given)


def _packages(given: object) -> set[str]:
    return {kind.__module__.partition(".")[0] for kind in type(given).__mro__}


def _check(given: object, methods: list[str], client: str) -> None:
    has_method = any(callable(getattr(given, name, None)) for name in methods)
    if not has_method or "httpx" in _packages(given):
        raise ConfigurationError(
            f"transport must be an {client} or have a method {' or '.join(methods)}, "
            f"got {type(given).__module__}.{type(given).__qualname__}"
        )
