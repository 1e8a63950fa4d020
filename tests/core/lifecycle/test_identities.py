"""Identities are found in any letter case, by an index that no copy shares."""

import pickle
from collections.abc import Callable
from copy import copy

import pytest

from segue.core.events import EventKind
from segue.core.lifecycle import Identities, resolve


def test_an_identity_is_found_in_another_letter_case_once_it_is_known() -> None:
    known: Identities[bytes] = Identities({"a-1": b""})

    assert resolve(known, EventKind.NA_EXIT, "A-1") == "a-1"
    assert resolve(known, EventKind.NA_EXIT, "B-1") == "B-1"
    known["b-1"] = b""
    assert resolve(known, EventKind.NA_EXIT, "B-1") == "b-1"
    known["B-1"] = b""
    assert resolve(known, EventKind.NA_EXIT, "b-1") == "b-1"
    assert known.alike("b-1") == ["b-1", "B-1"]


def sent(known: Identities[bytes]) -> Identities[bytes]:
    """Return what another process receives."""
    found = pickle.loads(pickle.dumps(known))  # noqa: S301 - our own bytes
    assert isinstance(found, Identities)
    return found


@pytest.mark.parametrize("copied", [copy, sent])
def test_a_copy_goes_its_own_way(copied: Callable[[Identities[bytes]], Identities[bytes]]) -> None:
    known: Identities[bytes] = Identities({"a-1": b"1"})
    known.alike("a-1")
    other = copied(known)

    other["b-1"] = b"2"
    known["c-1"] = b"3"

    assert type(other) is Identities
    assert (known.alike("B-1"), other.alike("B-1")) == ([], ["b-1"])
    assert (known.alike("C-1"), other.alike("C-1")) == (["c-1"], [])
