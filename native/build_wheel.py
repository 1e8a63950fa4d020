"""Build the wheel: compile the library with cargo, and package it for every Python 3.

This is a PEP 517 build backend that needs only the standard library and cargo.
"""

import base64
import hashlib
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
SBOM = HERE / "segue-native.cdx.json"
NAMES = {"darwin": "libsegue_native.dylib", "win32": "segue_native.dll"}


def build_wheel(
    wheel_directory: str,
    config_settings: object = None,
    metadata_directory: str | None = None,
) -> str:
    """Write the wheel into a folder and return its name."""
    del config_settings, metadata_directory  # required by PEP 517, but unused
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    built = compiled()
    library = "lib" + built.name.removeprefix("lib")
    metadata = (
        f"Metadata-Version: 2.3\nName: {project['name']}\nVersion: {version}\n"
        f"Summary: {project['description']}\nLicense: {project['license']}\n"
        f"Requires-Python: {project['requires-python']}\n"
        f"Description-Content-Type: text/markdown\n\n{(HERE / project['readme']).read_text()}"
    )
    wheel = f"Wheel-Version: 1.0\nGenerator: segue\nRoot-Is-Purelib: false\nTag: {tag}\n"
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": (HERE / name / "__init__.py").read_bytes(),
        f"{name}/{library}": built.read_bytes(),
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": wheel.encode(),
        f"{info}/sboms/{SBOM.name}": SBOM.read_bytes(),
    }
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD").encode()
    target = f"{name}-{version}-{tag}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / target, "w") as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)  # dated 1980, so that builds are reproducible
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return target


def compiled() -> Path:
    """Compile the library and return its path."""
    cargo = shutil.which("cargo") or str(Path.home() / ".cargo" / "bin" / "cargo")
    command = [cargo, "build", "--release", "--offline", "--locked"]
    try:
        subprocess.run(command, cwd=HERE, check=True)
    except OSError as error:
        raise SystemExit("cargo was not found: install a Rust toolchain") from error
    return HERE / "target" / "release" / NAMES.get(sys.platform, "libsegue_native.so")


def record(files: dict[str, bytes], own: str) -> str:
    """Return the RECORD of a wheel: its files with their hashes and sizes."""
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
        lines.append(f"{path},sha256={digest.decode()},{len(content)}")
    return "\n".join([*lines, f"{own},,", ""])
