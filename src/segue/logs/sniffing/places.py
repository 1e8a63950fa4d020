"""Finds the time, the URL and the ids next to the bodies of records, by their values."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Final, TypeAlias

from segue.core.events import INTAKES
from segue.core.wire import read_time
from segue.core.wire.address import AddressParts, address_in
from segue.logs.body_places import decoded, members_of
from segue.logs.body_text import object_text
from segue.logs.sniffing.known import (
    FIRST_YEAR,
    IDS,
    LAST_YEAR,
    LONGEST_GAP,
    ONE_ODD_IN,
    TIME_WORDS,
    TIMES,
)

Leaves: TypeAlias = Mapping[str, object]
"""The values of a record that contain no others, by their JSON Pointers."""

_DEEPEST: Final = 5
_TEXT_SIZES: Final = range(len("1772438400"), 64)
"""The lengths of texts that can be times."""
_BEFORE_NUMBERS_WERE_TIMES: Final = 10**9
_CONVERSATION: Final = "conversationId"


def leaves_of(record: object, body_at: str) -> Leaves:
    """Return the values of a record, except those of its body at the pointer `body_at`."""
    return dict(_leaves(record, "", body_at, _DEEPEST))


def time_at(leaves: Sequence[Leaves]) -> str | None:
    """Return the pointer to the time of each record, or None if there is none.

    A time is recognized by its values. Of several times, the names of their keys decide.
    """
    times = {at: found for at in _common(leaves) if (found := _times_at(at, leaves))}
    return min(times, key=lambda at: _doubt(at, times[at]), default=None)


def url_at(leaves: Sequence[Leaves]) -> str | None:
    """Return the pointer to the URL of an intake in each record, or None if there is none.

    Of several, it is the one whose query names the most conversations.
    """
    urls = {at: found for at in _common(leaves) if (found := _addresses_at(at, leaves))}
    return max(urls, key=lambda at: _count_named(urls[at]), default=None)


def asked_at(leaves: Sequence[Leaves], url: str) -> str | None:
    """Return the pointer to the conversation in a query that is not part of the URL, or None.

    Only records whose intake takes the conversation from the query are examined.
    """
    addresses = [(each, address_in(str(each.get(url)))) for each in leaves]
    asked = [
        each
        for each, address in addresses
        if address is not None and address.intake.query and address.conversation_id is None
    ]
    return next((at for at in _common(asked) if at.endswith(f"/{_CONVERSATION}")), None)


def ids_at(leaves: Sequence[Leaves], body_at: str) -> Iterator[tuple[str, str]]:
    """Yield the attribute of a mapping and the pointer for each id at the top of records.

    A record may lack the keys of an envelope, but not others. The keys of an envelope need no
    pointers if the body is at `/body`.
    """
    for part, (envelope_key, *others) in IDS.items():
        values = [value for each in leaves if (value := each.get(f"/{envelope_key}")) is not None]
        if body_at != "/body" and values and all(is_field(part, each) for each in values):
            yield part, f"/{envelope_key}"
            continue
        for key in others:
            if leaves and all(is_field(part, each.get(f"/{key}")) for each in leaves):
                yield part, f"/{key}"
                break


def is_field(part: str, value: object) -> bool:
    """Return whether a value can be that of a field of an envelope, such as `bot_at`."""
    if part == "time_at":
        return instant_of(value) is not None
    return isinstance(value, str) and bool(value) and (part != "endpoint_at" or value in INTAKES)


def is_nearly(count: int, total: int) -> bool:
    """Return whether a field that `count` of `total` records have counts as one of all records."""
    return count > 0 and total - count <= total // ONE_ODD_IN


def instant_of(value: object) -> datetime | None:
    """Return the time that a value may mean, or None."""
    if isinstance(value, str) and len(value) not in _TEXT_SIZES:
        return None
    if isinstance(value, int | float) and value < _BEFORE_NUMBERS_WERE_TIMES:
        return None
    try:
        when = read_time(value)
    except (ValueError, TypeError, OverflowError):
        return None
    return when if when is not None and FIRST_YEAR <= when.year <= LAST_YEAR else None


def _leaves(value: object, pointer: str, body_at: str, depth: int) -> Iterator[tuple[str, object]]:
    if isinstance(value, str) and depth < _DEEPEST:
        text = object_text(value).lstrip()
        value = (decoded(text) if text.startswith("{") else None) or value
    if not isinstance(value, Mapping | list):
        yield pointer, value
    elif depth:
        for key, member in members_of(value):
            if f"{pointer}/{key}" != body_at:
                yield from _leaves(member, f"{pointer}/{key}", body_at, depth - 1)


def _common(leaves: Sequence[Leaves]) -> Iterator[str]:
    """Yield the pointers that nearly all records have, in the order of the records."""
    counted = Counter(at for each in leaves for at in each)
    return (at for at, count in counted.items() if is_nearly(count, len(leaves)))


def _times_at(pointer: str, leaves: Sequence[Leaves]) -> list[datetime]:
    """Return the times at a pointer, or an empty list if its values are not times of records."""
    if all(instant_of(each.get(pointer)) is None for each in leaves[: 1 + ONE_ODD_IN]):
        return []
    found = [when for each in leaves if (when := instant_of(each.get(pointer))) is not None]
    if not is_nearly(len(found), len(leaves)):
        return []
    is_named = _key(pointer) in TIMES
    return found if is_named or _is_sequence(found) else []


def _is_sequence(times: Sequence[datetime]) -> bool:
    """Return whether times are near each other and nearly all in ascending or descending order."""
    steps = [after - before for before, after in pairwise(times)]
    if any(abs(step) > LONGEST_GAP for step in steps):
        return False
    forward = sum(step >= timedelta(0) for step in steps)
    back = sum(step <= timedelta(0) for step in steps)
    return not steps or is_nearly(max(forward, back), len(steps))


def _doubt(pointer: str, times: Sequence[datetime]) -> tuple[int, bool, int, int]:
    """Return a sort key that is least for the most likely of several times."""
    key = _key(pointer)
    place = TIMES.index(key) if key in TIMES else len(TIMES)
    return place, not any(word in key for word in TIME_WORDS), -len(set(times)), len(pointer)


def _key(pointer: str) -> str:
    """Return the last key of a pointer in lower case that is neither an index nor a type."""
    keys = [key for key in pointer.lower().split("/") if not key.isdigit() and key[:1] != "$"]
    return keys[-1] if keys else ""


def _addresses_at(pointer: str, leaves: Sequence[Leaves]) -> list[AddressParts]:
    """Return the addresses in the texts at a pointer, or an empty list if any text has none.

    A mapping skips lines whose URL is not that of an intake.
    """
    texts = [text for each in leaves if isinstance(text := each.get(pointer), str)]
    found = [address for text in texts if (address := address_in(text)) is not None]
    return found if len(found) == len(texts) and is_nearly(len(found), len(leaves)) else []


def _count_named(addresses: Sequence[AddressParts]) -> int:
    return sum(each.conversation_id is not None for each in addresses)
