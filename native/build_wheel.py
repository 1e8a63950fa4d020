"""Builds the wheel: compiles the library with cargo, and packs it for every Python 3.

A build backend as PEP 517 has it.  It needs nothing but the standard library and cargo.
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
    """Write the wheel into a folder, and return its name."""
    del config_settings, metadata_directory  # there is nothing to choose
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
            entry = zipfile.ZipInfo(path)  # as if written in 1980, and so the same each time
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return target


def compiled() -> Path:
    """Compile the library, and return where it is."""
    cargo = shutil.which("cargo") or str(Path.home() / ".cargo" / "bin" / "cargo")
    command = [cargo, "build", "--release", "--offline", "--locked"]
    try:
        subprocess.run(command, cwd=HERE, check=True)
    except OSError as error:
        raise SystemExit("segue-native needs a Rust toolchain: cargo was not found") from error
    return HERE / "target" / "release" / NAMES.get(sys.platform, "libsegue_native.so")


def record(files: dict[str, bytes], own: str) -> str:
    """Return the list of files with their hashes, as a wheel has it."""
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
        lines.append(f"{path},sha256={digest.decode()},{len(content)}")
    return "\n".join([*lines, f"{own},,", ""])
