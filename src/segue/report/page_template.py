"""The document around the data of a page, the same for the file and for the inspector.

It has one style and one script, which the policy names by their digests, so that nothing else can
run.  The script is made of modules, without what they import and export.  Data stand in elements
that browsers do not execute.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from importlib.resources import files
from typing import Final

_HERE: Final = "segue.report"
_SHARED: Final = (
    *("dom", "axis", "address", "data", "rows", "list", "timeline", "details", "viewer", "drawer"),
    *("compare", "ladder", "overview", "story", "page"),
)
"""Modules of every page, each behind those it imports; those of one page follow them."""
_IMPORT: Final = re.compile(r'^import (\{.*\}) from "\./(\w+)\.mjs";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)


class PageTemplate:
    """The document around the data."""

    def __init__(
        self,
        title: str,
        scripts: Iterable[str],
        *allowed: str,
        shared: Iterable[str] = _SHARED,
        package: str = _HERE,
        frame: str = "page.html",
        framed: Iterable["PageTemplate"] = (),
    ) -> None:
        """Take what one page has of its own.

        Args:
            title: Its title.
            scripts: The names of its modules, each behind those it imports.
            allowed: More directives for its policy.
            shared: The modules of this package that it needs.
            package: Where its modules and its frame are, in a folder `page`.
            frame: The name of what stands before its data, behind the head that all pages share.
            framed: Pages that it shows in a frame, whose scripts its policy must allow as well.

        """
        self._frame = (_text("head.html") + _text(frame, package)).replace("{title}", title)
        self._style = _text("page.css")
        modules = (*map(_module, shared), *(_module(name, package) for name in scripts))
        self._script = "".join(('"use strict";\nconst modules = {};\n', *modules))
        self.digest = _digest(self._script)
        """What a policy names the script by."""
        self.policy = "; ".join(
            (
                "default-src 'none'",
                f"style-src {_digest(self._style)}",
                " ".join(("script-src", self.digest, *(each.digest for each in framed))),
                *allowed,
                "base-uri 'none'",
                "form-action 'none'",
                "require-trusted-types-for 'script'",
            )
        )

    def head(self) -> str:
        """Return the document up to its data."""
        return self._frame.replace("{policy}", self.policy).replace("{style}", self._style)

    @staticmethod
    def part(name: str, value: object) -> str:
        """Return an element with data, compressed."""
        data = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)
        text = b64encode(data).decode("ascii")
        return f'<script type="text/plain" data-part="{name}">{text}</script>\n'

    def foot(self) -> str:
        """Return the document after its data."""
        return f"<script>{self._script}</script>\n</body>\n</html>\n"

    def document(self, parts: Iterable[str]) -> str:
        """Return the document around these elements."""
        return "".join((self.head(), *parts, self.foot()))


def _text(name: str, package: str = _HERE) -> str:
    return files(package).joinpath("page", name).read_text("utf-8")


def _module(name: str, package: str = _HERE) -> str:
    """Return a module as a part of one script, which needs no loader."""
    text = _text(f"{name}.mjs", package)
    names = ", ".join(_EXPORT.findall(text))
    body = _IMPORT.sub(r"const \1 = modules.\2;", _EXPORT.sub("", text))
    return f"modules.{name} = (() => {{\n{body}return {{ {names} }};\n}})();\n"


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
