"""The pytest plugin, in runs of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from tests.patience import PATIENCE

STORY = """
from segue.testing import story

COLD = story(
    "NA entry by a-1", "COLD exit by a-1", "COLD entry by a-2", "NA exit by a-2",
    "END_OF_CONVERSATION by a-2",
)
"""


def run(folder: Path, tests: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run tests in a folder of their own, with the plugin and with nothing of this project."""
    (folder / "test_it.py").write_text(STORY + dedent(tests), "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    loaded = ("-p", "segue.testing.plugin") if not _is_installed() else ()
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *loaded, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def _is_installed() -> bool:
    from importlib.metadata import entry_points  # noqa: PLC0415

    return any(each.value == "segue.testing.plugin" for each in entry_points(group="pytest11"))


@pytest.mark.thorough
def test_the_fixtures_let_pass_what_conforms(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        def test_stream(lifecycle_checker):
            assert lifecycle_checker(COLD).clean
            assert lifecycle_checker(COLD[:2], partial="end").phase == "transferring"
            assert lifecycle_checker(COLD[1:], violates="SG101").phase == "ended"

        def test_sender(segue_log):
            segue_log.extend(COLD)

        def test_sender_that_means_it(segue_log):
            segue_log.expect("missing-na-entry")
            segue_log.extend(COLD[1:])

        def test_nothing_sent(segue_log):
            pass
        """,
    )

    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


def test_failures_tell_the_story_and_the_repair(tmp_path: Path) -> None:
    done = run(
        tmp_path,
        """
        def test_stream(lifecycle_checker):
            lifecycle_checker([COLD[0], *COLD[2:]])

        def test_sender(segue_log):
            segue_log.extend(COLD[1:])

        def test_cut_on_purpose(segue_log):
            segue_log.extend(COLD[:2])
            segue_log.expect("SG107")  # what follows from it, SG108, is allowed

        def test_sender_that_does_not(segue_log):
            segue_log.expect("SG103")
            segue_log.extend(COLD)

        def test_sender_that_sends_nothing(segue_log):
            segue_log.expect("SG102")
        """,
    )

    assert done.returncode == 1
    assert "the conversation does not conform" in done.stdout
    assert "the deliveries do not conform" in done.stdout
    assert 'if this is intended, call segue_log.expect("SG101"' in done.stdout
    assert "1 failed, 4 passed, 3 errors" in done.stdout
    assert "expected findings are missing: SG103" in done.stdout
    assert "expected findings are missing: SG102" in done.stdout
    assert "help:     send the COLD exit of a-1 first, then the COLD entry of a-2" in done.stdout
    assert "assertion.py" not in done.stdout  # the traceback ends in the test


COVERED = """
import segue

def test_cold():
    assert segue.check(COLD).valid

def test_lost():
    assert not segue.check(COLD[1:]).valid
"""


@pytest.mark.thorough
@pytest.mark.parametrize("processes", [(), ("-n", "2")], ids=["one", "two"])
def test_coverage_says_what_was_driven_and_what_was_not(
    tmp_path: Path, processes: tuple[str, ...]
) -> None:
    done = run(tmp_path, COVERED, "--lifecycle-coverage", *processes)

    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    # COLD goes through waiting, active, transferring, released and ended
    assert "phases: 5 of 7" in lines
    assert "  not reached: consulting" in lines
    assert "  not reached: summarized" in lines
    # its five events are five legal moves, of three while waiting, four active, six consulting
    # (with an NA or COLD entry while nobody knows who of several consultants leads), four
    # transferring, three released and one summarized
    assert "legal moves: 5 of 21" in lines
    assert "  not reached: released: redial entry" in lines
    assert "  not reached: transferring: NA exit" in lines
    assert not any("summarized: NA entry" in line for line in lines)  # never legal
    assert "  not reached: active: COLD exit" not in lines
    assert "rules: 1 of 66" in lines
    assert "  not reached: SG103 cold-entry-before-exit" in lines


@pytest.mark.thorough
def test_without_the_option_nothing_is_said(tmp_path: Path) -> None:
    done = run(tmp_path, COVERED)

    assert done.returncode == 0
    assert "driven" not in done.stdout


IMPORTS = """
import pytest, sys
before = set(sys.modules)
import segue.testing.plugin
print(sorted(set(sys.modules) - before))
"""


def test_the_plugin_imports_nothing_but_pytest() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )

    names = ["segue", "segue.core", "segue.core.errors", "segue.core.lazy", "segue.core.version"]
    names += ["segue.testing", "segue.testing.plugin"]
    assert done.stdout == f"{names}\n"
