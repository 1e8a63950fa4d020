"""Write the software bills of materials that the wheels contain: `python -m release.sbom`.

The wheels bundle no third-party code, except that of the accelerator, which contains Rust's
standard library. A bill lists the package and its requirements with the version ranges of
`pyproject.toml` and the extras that need them. Installers choose the versions. The files are
committed, so that building a wheel needs only its build backend.
"""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement

__all__ = ["bills", "main"]

_ROOT: Final = Path(__file__).parents[1]
_FILES: Final = {
    _ROOT / "release" / "segue.cdx.json": _ROOT / "pyproject.toml",
    _ROOT / "native" / "segue-native.cdx.json": _ROOT / "native" / "pyproject.toml",
}
_OWN_NEEDS: Final = {"dev"}
"""Extras that only developers of Segue need."""


def main() -> int:
    """Write all bills of materials and return 0."""
    for path, text in bills().items():
        path.write_text(text, "utf-8", newline="\n")
    return 0


def bills() -> dict[Path, str]:
    """Return the text of each bill of materials, by the path of its file."""
    return {
        bill: _bill(tomllib.loads(source.read_text("utf-8"))["project"])
        for bill, source in _FILES.items()
    }


def _bill(project: Mapping[str, Any]) -> str:
    root = Component(
        name=project["name"],
        version=project["version"],
        description=project["description"],
        licenses=[LicenseFactory().make_from_string(project["license"])],
        purl=PackageURL("pypi", name=project["name"], version=project["version"]),
        bom_ref=project["name"],
    )
    parts = list(_parts(project))
    bom = Bom(components=parts, serial_number=uuid5(NAMESPACE_URL, str(root.purl)))
    bom.metadata.component = root
    bom.metadata.timestamp = None  # type: ignore[assignment]  # keeps the text reproducible
    bom.register_dependency(root, parts)
    return f"{JsonV1Dot6(bom).output_as_string(indent=2)}\n"


def _parts(project: Mapping[str, Any]) -> Iterator[Component]:
    """Yield a component for each requirement of a package, and for code compiled into it."""
    wanted: dict[str, list[tuple[str, str]]] = {}
    extras = {"": project.get("dependencies", []), **project.get("optional-dependencies", {})}
    for extra, texts in extras.items():
        for requirement in map(Requirement, [] if extra in _OWN_NEEDS else texts):
            if requirement.name != project["name"]:
                marker = f"; {requirement.marker}" if requirement.marker else ""
                text = f"{requirement.specifier}{marker}"
                wanted.setdefault(requirement.name, []).append((extra, text))
    for name, asked in wanted.items():
        is_required = any(not extra for extra, _ in asked)
        yield Component(
            name=name,
            scope=ComponentScope.REQUIRED if is_required else ComponentScope.OPTIONAL,
            purl=PackageURL("pypi", name=name),
            bom_ref=name,
            properties=[
                Property(name=f"segue:{extra or 'core'}", value=text) for extra, text in asked
            ],
        )
    if project["name"] == "segue-native":
        yield Component(name="rust-std", scope=ComponentScope.REQUIRED, bom_ref="rust-std")


if __name__ == "__main__":
    sys.exit(main())
