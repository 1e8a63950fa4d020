"""Validation of http and https URLs given by users and other programs."""

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

__all__ = ["is_loopback", "shown_url", "web_address"]


def web_address(url: object) -> SplitResult | None:
    """Return the parts of an http or https URL, or None if the URL cannot be requested.

    A URL needs a host, and its port must not be 0. It must not contain spaces or control
    characters, and only its host may contain characters outside ASCII.
    """
    if not isinstance(url, str) or not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
        has_place = bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:  # includes UnicodeError
        return None
    is_plain = (parts.path + parts.query + parts.fragment).isascii()
    return parts if has_place and is_plain and parts.scheme in ("http", "https") else None


def shown_url(url: str) -> str:
    """Return a URL for an error message, or a description if the URL may contain a password."""
    return "one with a user, a password or a query" if set(url) & set("@?") else f"{url[:60]!r}"


def is_loopback(host: str) -> bool:
    """Return whether a host, such as `127.0.0.1`, can be reached only from this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
