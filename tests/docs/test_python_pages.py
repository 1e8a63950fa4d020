"""The pages of the Python API have every public name once, with what its docstring says."""

import importlib.util
import re

import pytest

import segue
import segue.client
import segue.sandbox
import segue.testing
from docs.python_pages import PAGES, python_pages

FOUND = {
    page: re.findall(r"^## (\w+)$", text, re.MULTILINE) for page, text in python_pages().items()
}
MODULES = {
    "python/testing.md": segue.testing,
    "python/client.md": segue.client,
    "python/sandbox.md": segue.sandbox,
}


def test_every_public_name_stands_on_one_page() -> None:
    shown = [name for page, names in FOUND.items() if page not in MODULES for name in names]

    assert sorted(shown) == sorted(segue.__all__)
    for page, module in MODULES.items():
        assert sorted(FOUND[page]) == sorted(module.__all__)


@pytest.mark.parametrize("package", [name for _, _, names in PAGES.values() for name in names])
def test_the_packages_of_a_page_exist(package: str) -> None:
    assert importlib.util.find_spec(f"segue.{package}") is not None


def test_a_function_is_shown_with_its_signature_arguments_and_errors() -> None:
    page = python_pages()["python/check.md"]
    entry = page[page.index("## check\n") : page.index("## ControlResult\n")]

    assert "    partial: Partial = None,\n" in entry
    assert "- `partial`: Which ends of the log are cut off" in entry
    assert "**Raises**\n\n- `ConfigurationError`: " in entry


def test_a_class_is_shown_with_its_attributes_and_methods() -> None:
    page = python_pages()["python/check.md"]

    assert "- `phase` (`Phase`): Where the conversation stands.\n" in page
    assert "### Conversation.feed\n" in page
    assert "### Conversation._" not in page
