"""The HTML document around the data of a page, for report files and the inspector.

The document has one style and one script. Its content security policy lists both by their digests,
so that no other script can run. The script is bundled from modules. Data are in elements that
browsers do not execute.
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
"""The script modules that every page needs, each after those it imports."""
_IMPORT: Final = re.compile(r'^import (\{.*\}) from "\./(\w+)\.mjs";$', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)


class PageTemplate:
    """The HTML document of a page, without the data of the page."""

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
        """Bundle the script modules and build the content security policy of the page.

        Args:
            title: The title of the page.
            scripts: The names of the page's own modules, each after those it imports.
            allowed: Additional directives for the policy.
            shared: The modules of this package that the page needs.
            package: The package with a folder `page` that has the page's modules and its frame.
            frame: The file with the markup between the common head and the data.
            framed: Pages shown inside a frame, whose scripts the policy must allow as well.

        """
        self._frame = (_text("head.html") + _text(frame, package)).replace("{title}", title)
        self._style = _text("page.css")
        modules = (*map(_module, shared), *(_module(name, package) for name in scripts))
        self._script = "".join(('"use strict";\nconst modules = {};\n', *modules))
        self.digest = _digest(self._script)
        """The digest of the script, in the form that a content security policy uses."""
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
        """Return the HTML before the data elements."""
        return self._frame.replace("{policy}", self.policy).replace("{style}", self._style)

    @staticmethod
    def part(name: str, value: object) -> str:
        """Return an HTML element that contains a value as compressed JSON.

        The script of the page finds the element by its `name`.
        """
        data = zlib.compress(json.dumps(value, separators=(",", ":")).encode(), 9)
        text = b64encode(data).decode("ascii")
        return f'<script type="text/plain" data-part="{name}">{text}</script>\n'

    def foot(self) -> str:
        """Return the HTML after the data elements, which includes the script."""
        return f"<script>{self._script}</script>\n</body>\n</html>\n"

    def document(self, parts: Iterable[str]) -> str:
        """Return the complete HTML document. `parts` are data elements that `part` returned."""
        return "".join((self.head(), *parts, self.foot()))


def _text(name: str, package: str = _HERE) -> str:
    return files(package).joinpath("page", name).read_text("utf-8")


def _module(name: str, package: str = _HERE) -> str:
    """Return the source of a script module, rewritten as a part of the bundled script."""
    text = _text(f"{name}.mjs", package)
    names = ", ".join(_EXPORT.findall(text))
    body = _IMPORT.sub(r"const \1 = modules.\2;", _EXPORT.sub("", text))
    return f"modules.{name} = (() => {{\n{body}return {{ {names} }};\n}})();\n"


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
