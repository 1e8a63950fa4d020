"""A plain install starts: no extra is needed to embed Segue, and importing it costs little."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

from tests.patience import PATIENCE

BLOCK_EXTRAS = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"click", "rich", "hypothesis", "pytest"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""


def _run(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in an interpreter in which no extra is installed."""
    return subprocess.run(
        [sys.executable, "-c", BLOCK_EXTRAS + dedent(script)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_importing_segue_needs_no_extra_and_loads_no_dependency() -> None:
    done = _run("""
        import segue
        print(sorted({"pydantic", "transitions", "dateutil"} & set(sys.modules)))
    """)

    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_conversation_is_checked_without_any_extra() -> None:
    done = _run("""
        import segue
        agent = {"identity": "a-1", "name": "Ada", "type": "agent"}
        stay = {"name": "INTERNAL_TRANSFER_EVENT", "transfertype": "NA", "isExtAD": False,
                "experience": "chat", "participant": agent}
        end = {"name": "END_OF_CONVERSATION", "reason": "done", "language": "en",
               "experience": "chat", "participant": agent}
        events = [stay | {"transition": "entry"}, stay | {"transition": "exit"}, end]
        body = {"conversationId": "c-1", "botId": "st-1", "events": events}
        print(segue.check([body]).findings)
    """)

    assert (done.stdout, done.stderr) == ("()\n", "")


def test_checking_one_event_loads_at_most_60_modules() -> None:
    done = _run("""
        import segue
        agent = {"identity": "a-1", "name": "Ada", "type": "agent"}
        entry = {"name": "INTERNAL_TRANSFER_EVENT", "transfertype": "NA", "transition": "entry",
                 "isExtAD": False, "experience": "chat", "participant": agent}
        segue.check([{"conversationId": "c-1", "botId": "st-1", "events": [entry]}])
        print(sum(name.partition(".")[0] == "segue" for name in sys.modules))
    """)

    assert done.stderr == ""
    assert int(done.stdout) <= 60


def test_the_command_without_its_extra_says_which_one_to_install() -> None:
    done = _run("""
        sys.argv = ["segue", "rules"]
        from segue.cli import main
        sys.exit(main())
    """)

    assert (done.returncode, done.stdout) == (2, "")
    assert 'pip install "segue[cli]"' in done.stderr
    assert done.stderr.count("\n") == 1
