"""Fingerprints of JSON values, by which values can be compared that are no longer stored."""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Final

_dumps: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":")
).encode


def fingerprint(value: object) -> str:
    """Return a digest of 24 hexadecimal characters that equal JSON values share.

    `1` and `1.0` are equal, but `1` and `true` are not. The digest is stored in place of the value,
    so that no customer text is kept. Parts that are not JSON values are converted to text.
    """
    try:
        text = _dumps(value)
    except TypeError:
        text = ".0"
    # This may be a float that is a whole number. Searching for one character is faster than for
    # two.
    if ".0" in text or ("+" in text and "e+" in text):
        text = _dumps(_plain(value))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def same(one: object, other: object) -> bool:
    """Return whether two events are equal. Each is a JSON object or the fingerprint of one.

    None is not equal to any event.
    """
    if one is None or other is None:
        return False
    if not isinstance(one, str) and not isinstance(other, str) and one != other:
        return False  # cheap, and certain: Python equality is wider than JSON equality
    return _of(one) == _of(other)


def _of(value: object) -> str:
    """Return the fingerprint of a JSON object. A string is already a fingerprint."""
    return value if isinstance(value, str) else fingerprint(value)


def _plain(value: object) -> object:
    """Return an equal value in which whole floats are integers and foreign types are text."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)
