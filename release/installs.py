"""Install a wheel into clean environments, one for every available Python. uv creates them."""

import os
import subprocess
from pathlib import Path
from typing import Final

from release.artifacts import ROOT

__all__ = ["PYTHONS", "present_pythons", "problem_of"]

PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")
_OF_PYENV: Final = [str(each) for each in Path.home().glob(".pyenv/versions/*/bin")]
_ENVIRONMENT: Final = {
    **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
    "PATH": os.pathsep.join([*_OF_PYENV, os.environ.get("PATH", "")]),
    "UV_PYTHON_DOWNLOADS": "never",
    "UV_LOCK_TIMEOUT": "1800",  # seconds, because another uv may be installing the same packages
}


def present_pythons() -> list[str]:
    """Return the versions of `PYTHONS` that are installed."""
    return [each for each in PYTHONS if _run("uv", "python", "find", each).returncode == 0]


def problem_of(python: str, extra: str, wheel: Path, native: Path | None = None) -> str:
    """Install a wheel with an extra and use it.

    Return the end of the error message, or an empty string if there is no error. `native` is the
    wheel of the accelerator, which the extra `native` needs.
    """
    wanted = [f"segue[{extra}] @ {wheel.as_uri()}" if extra else f"segue @ {wheel.as_uri()}"]
    if extra == "native" and native is not None:
        wanted = [f"segue @ {wheel.as_uri()}", f"segue-native @ {native.as_uri()}"]
    options = [word for each in wanted for word in ("--with", each)]
    clean = ("uv", "run", "--quiet", "--no-project", "--isolated", "--python", python)
    done = _run(*clean, *options, "python", "-P", str(ROOT / "release" / "uses.py"), extra)
    return "" if done.returncode == 0 else (done.stderr or "no reason given").strip()[-300:]


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=_ENVIRONMENT, capture_output=True, text=True, check=False
    )
