"""All faults together, while the server is killed every twenty seconds: truth and journal agree.

`SECONDS` of the environment is for how long, and `RATE` how many conversations begin in a second.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.server import Serving, free_port

pytestmark = pytest.mark.slow
SECONDS = int(os.environ.get("SECONDS", "600"))
RATE = int(os.environ.get("RATE", "4"))
EVERY = 20.0


def started(folder: Path, port: int) -> Serving:
    """Start the server, as often as it takes: what was killed may still have the port."""
    for _ in range(100):
        server = Serving(
            folder, "--no-auth", "--quiet", "--workers=2", "--store=sqlite:segue.db", port=port
        )
        if server.url:
            return server
        server.kill()
    raise AssertionError("it never started again")


def test_every_fault_is_survived_by_a_server_that_is_killed_again_and_again(tmp_path: Path) -> None:
    port = free_port()
    server = started(tmp_path, port)
    sandbox = subprocess.Popen(
        [sys.executable, "-m", "segue", "sandbox", "--port=0", f"--to={server.url}",
         f"--conversations={RATE}/s", f"--count={SECONDS * RATE}", "--fault=all", "--seed=7",
         "--intake=transcription", "--intake=notifications", "--store=sqlite:segue.db"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    kills, out, err = 0, "", ""
    while sandbox.returncode is None:
        try:
            out, err = sandbox.communicate(timeout=EVERY)
        except subprocess.TimeoutExpired:
            server.kill()
            kills += 1
            server = started(tmp_path, port)
    server.kill()

    assert sandbox.returncode == 0, out + err
    made, survived = re.findall(r"survived (\d+) of (\d+) faults", out)[0]
    assert (made, int(made) > SECONDS * RATE // 4) == (survived, True)
    assert kills >= SECONDS // EVERY // 2  # starting takes time as well
    print(f"{kills} kills\n{out}")  # noqa: T201 - the figure
