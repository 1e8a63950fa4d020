"""Addresses on the web, as users and other programs give them."""

from urllib.parse import SplitResult, urlsplit

__all__ = ["web_address"]


def web_address(url: object) -> SplitResult | None:
    """Return the parts of an address that HTTP can ask; None if it is none.

    It has the scheme http or https, and a host and a port that can be. It has no blanks, and only
    its host may be more than ASCII.
    """
    if not isinstance(url, str) or not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
        has_place = bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:  # UnicodeError among them
        return None
    is_plain = (parts.path + parts.query + parts.fragment).isascii()
    return parts if has_place and is_plain and parts.scheme in ("http", "https") else None
