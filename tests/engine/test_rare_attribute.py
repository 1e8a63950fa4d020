"""Attributes that take no memory before they are set."""

from segue.engine.rare_attribute import NO_RARE, RareAttribute


class Thing:
    rare = NO_RARE
    color = RareAttribute("grey")
    size = RareAttribute[int | None](None)


def test_an_attribute_has_its_default_until_it_is_set() -> None:
    one, other = Thing(), Thing()
    one.size = 3

    assert (one.color, one.size) == ("grey", 3)
    assert (other.color, other.size) == ("grey", None)
    assert other.rare is NO_RARE
    one.color = "red"
    assert (one.color, one.size) == ("red", 3)
