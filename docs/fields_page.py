"""Generate the reference page of the fields in the body of every endpoint and in the envelope."""

from collections.abc import Iterator, Sequence

from segue.core.events import INTAKES
from segue.core.events.fields import ENVELOPE, FIELDS
from segue.core.events.shapes import Choice, Field, FieldType, Form, Need, Shape

__all__ = ["fields_page"]

_NEEDS = {Need.REQUIRED: "yes", Need.ADVISED: "advised", Need.OPTIONAL: ""}


def fields_page() -> str:
    """Return the reference page of the fields in Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "# Fields\n"
    yield "These are the fields that Segue reads. Other fields are accepted and ignored. Words are"
    yield "accepted in any letter case unless the table says *exactly*. Flags are also accepted as"
    yield "strings (`true`, `false`)."
    yield ""
    for intake in INTAKES.values():
        fields = FIELDS[intake.name]
        yield f"## {fields.title}\n"
        yield f"`POST {intake.path}`\n"
        yield from _table(fields.ids)
        for form in (fields.whole, fields.listed):
            for shape in _shapes(form):
                yield f"### {shape.title}\n"
                yield f"{shape.about}\n"
                yield from _table(shape)
    yield "## Envelope of a log line\n"
    yield from _table(ENVELOPE)


def _shapes(form: Form | None) -> Iterator[Shape]:
    if isinstance(form, Choice):
        for each in (*(case for _, case in form.cases), form.otherwise):
            yield from _shapes(each)
    elif form is not None and form.title:
        yield form


def _table(shape: Shape) -> Iterator[str]:
    yield "| field | type | required | |"
    yield "|---|---|---|---|"
    yield from _rows(shape.fields, "")
    yield ""


def _rows(fields: Sequence[Field], parent: str) -> Iterator[str]:
    for field in fields:
        words = ", ".join(f"`{word}`" for word in field.words)
        exact = f"exactly {words}" if field.is_exact else words
        about = "; ".join(filter(None, (exact, field.note)))
        kind = "object or string" if field.type is FieldType.BODY else field.type.value
        yield f"| `{parent}{field.name}` | {kind} | {_NEEDS[field.need]} | {about} |"
        yield from _rows(field.fields, f"{parent}{field.name}.")
