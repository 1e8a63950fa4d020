"""What the accelerator is told about the fields."""

from __future__ import annotations

import pytest

from segue.core.events.shapes import Field, Shape
from segue.logs.native.description import KINDS, KeyNumbers, description


def test_the_description_has_every_key_of_the_bodies() -> None:
    described = description()
    for key in (b"conversationId", b"transfertype", b"queueName", b"sendAgentMessage", b"handover"):
        assert key in described


def test_every_kind_has_a_number_of_its_own() -> None:
    assert len({(type(kind), kind) for kind in KINDS}) == len(KINDS) <= 64


def test_a_key_that_means_different_things_cannot_be_told() -> None:
    shapes = [Shape("a", (Field("x"),)), Shape("b", (Field("x", is_id=True),))]
    with pytest.raises(ValueError, match="x means different things"):
        KeyNumbers(shapes)
