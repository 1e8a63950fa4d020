"""The tests of the page's modules, which node runs; and how large they are."""

import subprocess
from pathlib import Path
from shutil import which

import pytest

HERE = Path(__file__).parent
MODULES = sorted((HERE.parents[1] / "src/segue").glob("*/page/*.mjs"))


@pytest.mark.skipif(which("node") is None, reason="node is not installed")
def test_the_modules_do_what_they_should() -> None:
    tests = str(HERE / "modules.test.mjs")
    done = subprocess.run(["node", "--test", tests], capture_output=True, text=True, check=False)  # noqa: S607

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_script_stays_small() -> None:
    assert sum(len(module.read_text("utf-8").splitlines()) for module in MODULES) <= 2_600
