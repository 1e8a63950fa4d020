"""Mistakes in single fields: a required field is missing, or a field has an invalid value."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from segue.analysis.simulate.script import LogPart, Script, ScriptItem
from segue.analysis.simulate.translation import GONE, Path, put
from segue.core.events.fields import FIELDS
from segue.core.events.shapes import Field, FieldType, Need, shape_of

BREAKS: Final[dict[str, Callable[[Field], object]]] = {
    "SG502": lambda row: None if row.need is Need.OPTIONAL else GONE,
    "SG503": lambda row: None if row.type is FieldType.NUMBER else 7,
    "SG505": lambda row: "unknown" if row.words and row.unknown == "SG505" else None,
    "SG507": lambda row: "undefined" if row.is_id and row.placeholder == "SG507" else None,
}
"""For each rule, a function that returns a value with which a field breaks the rule.

The functions return `GONE` to remove the field, and None if the field cannot break the rule.
"""


class BrokenField:
    """A mistake that gives one field of a body an invalid value, or removes the field.

    It implements `MistakeMaker`.
    """

    needs: frozenset[LogPart] = frozenset()
    widths = range(1)

    def __init__(self, code: str) -> None:
        self.code = code

    def places(self, script: Script, _width: int) -> Sequence[tuple[int, Path, object]]:
        """Return `(index, path, value)` for each field that can break the rule.

        `index` is the index of the delivery in the script, `path` is the path of the field in the
        body, and `value` is the invalid value to set.
        """
        return [
            (index, path, value)
            for index, item in enumerate(script.items)
            for path, row in _fields(item)
            if (value := BREAKS[self.code](row)) is not None
        ]

    def make(
        self, script: Script, place: tuple[int, Path, object], _strangers: Iterator[str]
    ) -> None:
        """Set a field to its invalid value. `place` comes from `places`."""
        index, path, value = place
        put(script.items[index].body, path, value)


def _fields(item: ScriptItem) -> Iterator[tuple[Path, Field]]:
    """Yield the path and the description of each field that is present in a delivery."""
    fields = FIELDS[item.intake.name]
    path: Path = ()
    shape = shape_of(fields.whole, item.body)
    if item.event and fields.listed is not None:
        path, shape = ("events", 0), shape_of(fields.listed, item.event)
    for row in shape.every_row():
        holder: Any = item.event or item.body
        for parent in row.path[:-1]:
            holder = holder.get(parent, {})
        if row.path[-1] in holder:
            yield (*path, *row.path), row.field
