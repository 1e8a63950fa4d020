"""The pages of the Python API have every public name once, with what its docstring says."""

import importlib.util
import re
from collections.abc import Iterator

import griffe
import pytest

from docs.python_pages import PAGES, public_objects, python_pages, target


def test_every_public_name_is_on_one_page() -> None:
    heading = re.compile(r"^## \w+\n\n`from ([\w.]+) import (\w+)`$", re.MULTILINE)
    found = [name for text in python_pages().values() for name in heading.findall(text)]

    assert sorted(map(".".join, found)) == sorted(public_objects())


@pytest.mark.parametrize("package", [name for _, _, names in PAGES.values() for name in names])
def test_the_packages_of_a_page_exist(package: str) -> None:
    assert importlib.util.find_spec(f"segue.{package}") is not None


def test_a_function_is_shown_with_its_signature_arguments_and_errors() -> None:
    page = python_pages()["python/check.md"]
    entry = page[page.index("## check\n") : page.index("## ControlResult\n")]

    assert "    partial: Partial = None,\n" in entry
    assert "- `partial`: The cut-off ends of the log: " in entry
    assert "**Raises**\n\n- `ConfigurationError`: " in entry


def test_a_class_is_shown_with_its_attributes_and_methods() -> None:
    page = python_pages()["python/check.md"]

    assert "- `phase` (`Phase`): The current phase.\n" in page
    assert "### Conversation.feed\n" in page
    assert "### Conversation._" not in page


def undocumented(value: griffe.Object) -> Iterator[str]:
    """Yield a name, or the members of a class, without a docstring and a line in that of it."""
    if value.docstring is None:
        yield value.path
        return
    if not isinstance(value, griffe.Class) or value.path == "segue.server.http.problem.Problem":
        return  # the values of Problem are its texts
    listed = {
        each.name
        for section in value.docstring.parse("google")
        if isinstance(
            section, griffe.DocstringSectionAttributes | griffe.DocstringSectionParameters
        )
        for each in section.value
    }
    for name, member in value.members.items():
        if not name.startswith("_") and name not in listed and target(member).docstring is None:
            yield f"{value.path}.{name}"


def test_every_public_name_and_attribute_has_a_docstring() -> None:
    assert [path for each in public_objects().values() for path in undocumented(each)] == []
