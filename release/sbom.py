"""Write the software bills of materials that the wheels contain: `python -m release.sbom`.

The wheels bundle no third-party code, except that of the accelerator, which contains Rust's
standard library. The bill of Segue lists everything that its extras install, direct and transitive,
with the versions and hashes of `release/locked/extras.txt` and the licenses of
`release/licenses.toml`. The properties of a direct requirement are its version ranges, by extra.
The files are committed, so that building a wheel needs only its build backend.
"""

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from release.artifacts import ROOT
from release.locks import LOCKED, Pin, pins

__all__ = ["LICENSES", "bills", "main"]

LICENSES: Final[Mapping[str, str]] = tomllib.loads(
    (ROOT / "release" / "licenses.toml").read_text("utf-8")
)
"""SPDX expressions by the name of the package."""
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
        ROOT / "release" / "segue.cdx.json": _bill_of_segue(_project(ROOT)),
        ROOT / "native" / "segue-native.cdx.json": _bill_of_native(_project(ROOT / "native")),
    }


def _project(folder: Path) -> Mapping[str, Any]:
    found = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    return dict(found)


def _bill_of_segue(project: Mapping[str, Any]) -> str:
    wanted = _ranges(project)
    locked = list(pins(LOCKED / "extras.txt"))
    required = _required(locked, project)
    parts = {pin: _component(pin, wanted.get(pin.name, ()), required) for pin in locked}
    root = _root(project)
    bom = _bom(root, parts.values())
    bom.register_dependency(root, [part for pin, part in parts.items() if "segue" in pin.via])
    for pin, part in parts.items():
        bom.register_dependency(part, [parts[each] for each in locked if pin.name in each.via])
    return _text(bom)


def _bill_of_native(project: Mapping[str, Any]) -> str:
    license_ = LicenseFactory().make_from_string("MIT OR Apache-2.0")
    standard_library = Component(
        name="rust-std",
        scope=ComponentScope.REQUIRED,
        licenses=[license_],
        bom_ref="rust-std",
        description="The standard library of the Rust toolchain that builds the wheel.",
    )
    root = _root(project)
    bom = _bom(root, [standard_library])
    bom.register_dependency(root, [standard_library])
    return _text(bom)


def _root(project: Mapping[str, Any]) -> Component:
    return Component(
        name=project["name"],
        version=project["version"],
        description=project["description"],
        licenses=[LicenseFactory().make_from_string(project["license"])],
        purl=PackageURL("pypi", name=project["name"], version=project["version"]),
        bom_ref=project["name"],
    )


def _bom(root: Component, parts: Iterable[Component]) -> Bom:
    bom = Bom(components=parts, serial_number=uuid5(NAMESPACE_URL, str(root.purl)))
    bom.metadata.component = root
    bom.metadata.timestamp = None  # type: ignore[assignment]  # keeps the text reproducible
    return bom


def _text(bom: Bom) -> str:
    return f"{JsonV1Dot6(bom).output_as_string(indent=2)}\n"


def _component(pin: Pin, ranges: Iterable[tuple[str, str]], required: set[str]) -> Component:
    scope = ComponentScope.REQUIRED if pin.name in required else ComponentScope.OPTIONAL
    properties = [Property(name=f"segue:{extra or 'core'}", value=text) for extra, text in ranges]
    if pin.marker:
        properties.append(Property(name="segue:environments", value=pin.marker))
    return Component(
        name=pin.name,
        version=pin.version,
        scope=scope,
        licenses=[LicenseFactory().make_from_string(LICENSES[pin.name])],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=each) for each in pin.hashes],
        purl=PackageURL("pypi", name=pin.name, version=pin.version),
        bom_ref=f"{pin.name}@{pin.version}",
        properties=properties,
    )


def _ranges(project: Mapping[str, Any]) -> dict[str, list[tuple[str, str]]]:
    """Return pairs of extra and version range by the name of each direct requirement."""
    found: dict[str, list[tuple[str, str]]] = {}
    for extra, requirement in _requirements(project):
        marker = f"; {requirement.marker}" if requirement.marker else ""
        name = canonicalize_name(requirement.name)
        found.setdefault(name, []).append((extra, f"{requirement.specifier}{marker}"))
    return found


def _requirements(project: Mapping[str, Any]) -> Iterator[tuple[str, Requirement]]:
    """Yield the direct requirements with their extras. The extra of the core is empty."""
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    for extra in sorted(extras.keys() - _OWN_NEEDS):
        for requirement in sorted(extras[extra]):
            if Requirement(requirement).name != project["name"]:
                yield extra, Requirement(requirement)


def _required(locked: Iterable[Pin], project: Mapping[str, Any]) -> set[str]:
    """Return the names of the packages that a plain install needs, direct and transitive."""
    found: set[str] = {
        canonicalize_name(Requirement(each).name) for each in project["dependencies"]
    }
    while more := {pin.name for pin in locked if found & {*pin.via}} - found:
        found |= more
    return found


if __name__ == "__main__":
    sys.exit(main())
