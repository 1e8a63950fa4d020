"""What is released: its files, its bills of materials, its public API, and what importing costs."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from cyclonedx.schema import OutputFormat, SchemaVersion
from cyclonedx.validation import make_schemabased_validator
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from release.artifacts import MOST_BYTES, ROOT, bill_in
from release.locks import LOCKED, Pin, pins
from release.public_api import STUBS, breaking_changes, public_stubs
from release.sbom import LICENSES, bills
from release.uses import USES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def built(folder: Path) -> Path:
    """Build the wheel here, with the backend alone: no environment of its own, no network."""
    code = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return folder / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("wheel"))


def test_the_wheel_is_the_same_when_it_is_built_again(wheel: Path, tmp_path: Path) -> None:
    assert built(tmp_path).read_bytes() == wheel.read_bytes()


def test_the_wheel_is_small(wheel: Path) -> None:
    assert MOST_BYTES == 1_500_000
    assert wheel.stat().st_size <= MOST_BYTES


def test_the_wheel_has_these_files_and_no_other(wheel: Path) -> None:
    names = [PurePosixPath(name) for name in zipfile.ZipFile(wheel).namelist()]
    info = f"segue-{PROJECT['version']}.dist-info"
    folders = Counter(
        (path.parent.as_posix(), path.suffix) for path in names if path.suffix not in {".py", ""}
    )
    others = {path.as_posix() for path in names if path.suffix == ""}

    assert {path.parts[0] for path in names} == {"segue", info}
    assert folders.keys() == {
        ("segue", ".typed"),
        ("segue/cli", ".sha256"),
        ("segue/core/findings/pages", ".md"),
        ("segue/report", ".json"),
        ("segue/cli/page", ".html"),
        ("segue/cli/page", ".mjs"),
        ("segue/report/page", ".css"),
        ("segue/report/page", ".html"),
        ("segue/report/page", ".mjs"),
        ("segue/platform/sandbox/page", ".html"),
        ("segue/platform/sandbox/page", ".mjs"),
        ("segue/testing/conformance", ".json"),
        ("segue/testing/conformance", ".jsonl"),
        (info, ".txt"),
        (f"{info}/sboms", ".json"),
    }
    assert others == {
        f"{info}/METADATA",
        f"{info}/RECORD",
        f"{info}/WHEEL",
        f"{info}/licenses/LICENSE",
    }


def test_the_bill_of_materials_is_in_the_wheel(wheel: Path) -> None:
    path = bill_in(wheel)
    kept = (ROOT / "release" / "segue.cdx.json").read_bytes()

    assert path == f"segue-{PROJECT['version']}.dist-info/sboms/segue.cdx.json"
    assert zipfile.ZipFile(wheel).read(path) == kept


@pytest.mark.parametrize("path", bills(), ids=lambda path: path.name)
def test_a_bill_of_materials_is_current_and_valid(path: Path) -> None:
    text = path.read_text("utf-8")
    validator = make_schemabased_validator(OutputFormat.JSON, SchemaVersion.V1_6)

    assert text == bills()[path], "stale: python -m release.sbom writes it"
    assert validator.validate_str(text) is None


def locked(name: str) -> dict[str, list[Pin]]:
    """Return the pins of a file by the name of their package."""
    found: dict[str, list[Pin]] = {}
    for pin in pins(LOCKED / f"{name}.txt"):
        found.setdefault(pin.name, []).append(pin)
    return found


def requirements(extra: str) -> Iterator[Requirement]:
    """Yield what an extra requires, with the requirements of the extras of Segue that it names."""
    for text in PROJECT["optional-dependencies"][extra]:
        requirement = Requirement(text)
        if requirement.name == "segue":
            for each in sorted(requirement.extras):
                yield from requirements(each)
        else:
            yield requirement


LOCKED_EXTRAS = {
    "extras": sorted(PROJECT["optional-dependencies"].keys() - {"dev"}),
    "image": ["postgres", "serve", "zstd"],
    "dev": ["dev"],
}


@pytest.mark.parametrize("name", LOCKED_EXTRAS)
def test_locked_versions_are_those_that_the_project_allows(name: str) -> None:
    found = locked(name)
    wanted = [
        *map(Requirement, PROJECT["dependencies"]),
        *(each for extra in LOCKED_EXTRAS[name] for each in requirements(extra)),
    ]

    assert wanted
    for requirement in wanted:
        allowed = found[canonicalize_name(requirement.name)]
        for pin in allowed:
            assert requirement.specifier.contains(pin.version), f"python -m release.locks: {pin}"
            assert "segue" in pin.via


@pytest.mark.parametrize("name", [*LOCKED_EXTRAS, "build"])
def test_every_locked_version_has_hashes_and_somebody_who_requires_it(name: str) -> None:
    found = locked(name)
    text = (LOCKED / f"{name}.txt").read_text("utf-8")

    assert found
    assert len(re.findall(r"^[a-z]", text, re.MULTILINE)) == sum(map(len, found.values()))
    for pin in (pin for each in found.values() for pin in each):
        assert pin.hashes
        assert {*pin.via} <= {"segue", *found}
        assert pin.via or (name, pin.name) == ("build", "hatchling")


def test_the_image_and_the_tests_have_the_versions_of_the_extras() -> None:
    extras = locked("extras")

    for name in ("image", "dev"):
        for package, same in locked(name).items():
            if package in extras:
                assert {pin.version for pin in same} <= {pin.version for pin in extras[package]}


def test_the_bill_lists_every_package_with_version_license_and_hashes() -> None:
    bill = json.loads((ROOT / "release" / "segue.cdx.json").read_text("utf-8"))
    found = {each["bom-ref"]: each for each in bill["components"]}
    edges = {each["ref"]: each.get("dependsOn", []) for each in bill["dependencies"]}
    reached, new = set[str](), {"segue"}
    while new:
        reached |= new
        new = {each for ref in new for each in edges[ref]} - reached

    assert found.keys() == {
        f"{pin.name}@{pin.version}" for each in locked("extras").values() for pin in each
    }
    assert reached == {"segue", *found}
    for each in found.values():
        (license_,) = each["licenses"]
        assert each["version"]
        assert each["hashes"]
        assert license_.get("expression") or license_["license"]["id"]


def test_no_extra_installs_code_under_the_affero_license() -> None:
    assert LICENSES.keys() == locked("extras").keys()
    assert not [name for name, license_ in LICENSES.items() if "AGPL" in license_]


def test_the_accelerator_has_the_version_of_segue() -> None:
    native = tomllib.loads((ROOT / "native" / "pyproject.toml").read_text("utf-8"))["project"]

    assert native["version"] == PROJECT["version"]


def test_no_change_breaks_programs_that_use_the_public_api() -> None:
    assert breaking_changes(public_stubs()) == [], (
        "if it must be: python -m release.public_api --accept, and a line in CHANGELOG.md"
    )


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("def check(", "def gone(", "- `check`: *Public object was removed*"),
        ("def feed(", "def fed(", "- `Conversation.feed`: *Public object was removed*"),
        ("*, partial: Partial = None", "*, partial: Partial", "Parameter is now required"),
    ],
)
def test_what_breaks_programs_is_found(old: str, new: str, found: str) -> None:
    kept = {
        path.relative_to(STUBS).as_posix(): path.read_text("utf-8") for path in STUBS.rglob("*.pyi")
    }
    front = kept["segue/__init__.pyi"]
    changed = kept | {"segue/__init__.pyi": front.replace(old, new)}

    assert old in front
    assert any(found in each for each in breaking_changes(changed)), breaking_changes(changed)
    assert breaking_changes(kept) == []


def test_every_extra_is_tried() -> None:
    assert USES.keys() - {"", "native"} == PROJECT["optional-dependencies"].keys() - {"dev"}


@pytest.mark.thorough
@pytest.mark.parametrize("extra", sorted(USES.keys() - {"spark", "native"}))
def test_an_extra_is_tried_by_something_that_works(extra: str) -> None:
    subprocess.run([sys.executable, "-m", "release.uses", extra], cwd=ROOT, check=True)


@pytest.mark.thorough
def test_an_older_pytest_runs_its_tests_next_to_segue(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "test_of_a_host.py").write_text("def test_passes():\n    assert True\n")

    done = subprocess.run(
        f"uv run --quiet --no-project --isolated --with pytest==7.4.4 --with segue@{wheel.as_uri()}"
        " pytest -q test_of_a_host.py".split(),
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("code", "own", "others"),
    [
        ("import segue", 6, 40),
        ("import segue; segue.check", 90, 90),
        ("import segue; segue.replay", 127, 115),
        ("import segue; segue.Processor, segue.asgi, segue.SqliteStore", 165, 175),
        ("import segue.testing", 10, 40),
        ("import segue.platform; segue.platform.Client", 27, 75),
    ],
)
def test_importing_loads_few_modules(code: str, own: int, others: int) -> None:
    count = (
        f"import sys; before = set(sys.modules); {code}; new = set(sys.modules) - before;"
        "print(sum(name.partition('.')[0] == 'segue' for name in new), len(new))"
    )
    done = subprocess.run(
        [sys.executable, "-c", count],
        capture_output=True,
        text=True,
        check=True,
    )
    ours, loaded = map(int, done.stdout.split())

    assert ours <= own
    assert loaded - ours <= others
