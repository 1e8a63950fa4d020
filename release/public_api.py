"""Compare the public API with `release/public_api`: `python -m release.public_api [--accept]`.

The folder has a stub with names, signatures and attributes for each public module. griffe compares
the stubs with the sources and finds changes that break programs. If there are any, the stubs are
updated only with `--accept`.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import griffe

from docs.python_pages import MODULES, parameters, public_objects, target

__all__ = ["STUBS", "breaking_changes", "main", "public_stubs"]

STUBS: Final = Path(__file__).parent / "public_api"


def main(arguments: Sequence[str]) -> int:
    """Print breaking changes, and write the stubs if there are none or they are accepted.

    Return 1 if there are breaking changes that are not accepted, otherwise 0.
    """
    stubs = public_stubs()
    breaking = breaking_changes(stubs)
    sys.stdout.write("".join(f"{each}\n" for each in breaking))
    if breaking and "--accept" not in arguments:
        return 1
    write(stubs, STUBS)
    return 0


def public_stubs() -> dict[str, str]:
    """Return the stubs of all public modules, by their paths relative to `STUBS`.

    The stubs are made from the sources.
    """
    objects = public_objects()
    folders = {module: module.replace(".", "/") for module in MODULES}
    return {f"{each}/__init__.pyi": _stub(module, objects) for module, each in folders.items()}


def breaking_changes(stubs: Mapping[str, str], before: Path = STUBS) -> list[str]:
    """Return descriptions of the changes that break programs.

    The stubs are compared with those in the folder `before`.
    """
    with TemporaryDirectory() as folder:
        write(stubs, Path(folder))
        old, new = (griffe.load("segue", search_paths=[each]) for each in (before, folder))
        changes = griffe.find_breaking_changes(old, new)
        return [change.explain(griffe.ExplanationStyle.MARKDOWN).strip() for change in changes]


def write(stubs: Mapping[str, str], folder: Path) -> None:
    """Write the stubs into a folder. `stubs` maps relative paths to texts."""
    for name, text in stubs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")


def _stub(module: str, objects: Mapping[str, griffe.Object]) -> str:
    found = {path.rpartition("."): value for path, value in objects.items()}
    names = {name: value for (parent, _, name), value in found.items() if parent == module}
    ordered = sorted(names, key=str.lower)
    return "\n".join(line for name in ordered for line in _lines(name, names[name]))


def _lines(name: str, value: griffe.Object, indent: str = "") -> Iterator[str]:
    if isinstance(value, griffe.Class):
        bases = ", ".join(str(base) for base in value.bases)
        yield f"{indent}class {name}({bases}):" if bases else f"{indent}class {name}:"
        members = list(_members(value, f"{indent}    "))
        yield from members or [f"{indent}    ..."]
    elif isinstance(value, griffe.Function):
        is_method = isinstance(value.parent, griffe.Class)
        shown = ", ".join(parameters(value.parameters, method=is_method))
        begin = "async def" if "async" in value.labels else "def"
        yield f"{indent}{begin} {name}({shown}) -> {value.returns}: ..."
    elif isinstance(value, griffe.Attribute):
        is_plain = (
            value.annotation is None and value.value is not None
        )  # an alias or a member of an enum
        yield (
            f"{indent}{name} = {value.value}" if is_plain else f"{indent}{name}: {value.annotation}"
        )


def _members(value: griffe.Class, indent: str) -> Iterator[str]:
    """Yield the lines of the stub for each public member of a class, including inherited ones."""
    for name, member in sorted(value.all_members.items()):
        is_written = name == "__init__" and bool(target(member).lineno)
        if is_written or not name.startswith("_"):
            yield from _lines(name, target(member), indent)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
