"""`from_type` on the public types: registered when Hypothesis is imported, loaded when needed."""

from __future__ import annotations

import os
import subprocess
import sys
from textwrap import dedent
from typing import Any

import hypothesis
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import segue
from segue.testing.hypothesis_plugin import register

register()

KNOWN = [
    segue.core.Connection, segue.core.ControlResult, segue.Conversation, segue.core.FeedResult,
    segue.Finding, segue.Metrics, segue.Phase, segue.core.Place, segue.Policy, segue.Report,
    segue.Rule, segue.Segment, segue.Severity,
]  # fmt: skip


@pytest.mark.parametrize("kind", KNOWN, ids=lambda kind: str(kind.__name__))
def test_a_public_type_gives_values_of_its_own(kind: type) -> None:
    @settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow], database=None)
    @given(st.from_type(kind))
    def is_one(value: Any) -> None:
        assert isinstance(value, kind)

    is_one()


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(each, marks=pytest.mark.thorough if number else ())
        for number, each in enumerate((1, 2, 3))
    ],
)
def test_a_policy_leaves_something_to_report(seed: int) -> None:
    """Drawn with many examples: one that selects and ignores the same rules is refused."""

    @hypothesis.seed(seed)
    @settings(max_examples=200, database=None)
    @given(st.from_type(segue.Policy))
    def is_one(policy: segue.Policy) -> None:
        assert isinstance(policy, segue.Policy)

    is_one()


@given(st.from_type(segue.Finding))
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_a_finding_is_one_that_the_check_gives(finding: segue.Finding) -> None:
    """Valid values: its rule is one of the catalogue and its message is filled in."""
    assert finding.to_dict()["code"] == finding.rule.code
    assert "{" not in finding.message


@given(st.from_type(segue.Segment))
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_a_segment_has_connections_in_order(segment: segue.Segment) -> None:
    """Valid values: what holds for every segment holds for these."""
    first, *others = [connection.opened_by for connection in segment.connections]
    positions = [-1 if first is None else first, *(each for each in others if each is not None)]
    assert len(positions) == len(segment.connections)
    assert positions == sorted(set(positions))


def _run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_registering_loads_no_room_until_somebody_imports_it() -> None:
    script = (
        "import sys, hypothesis; from segue.testing.hypothesis_plugin import register; register(); "
        "register(); print(sorted(n for n in sys.modules if n.startswith('segue')), "
        "'pydantic' in sys.modules); "
        "import segue; from hypothesis import strategies as st; "
        "print(repr(st.from_type(segue.Rule))[:12], segue.Report.__module__)"
    )

    first, second = _run(script).splitlines()

    loaded = ["segue", "segue.core", "segue.core.errors", "segue.core.lazy", "segue.core.version"]
    loaded += ["segue.testing", "segue.testing.hypothesis_plugin"]
    assert first == f"{loaded} False"
    assert second == "sampled_from segue.core.conversation.report"


def test_registering_twice_watches_once() -> None:
    register()

    watching = [
        each for each in sys.meta_path if type(each).__module__ == "segue.testing.hypothesis_plugin"
    ]
    assert len(watching) == 1


def test_nobody_watches_when_python_ends() -> None:
    """What stays in `sys.meta_path` till then costs whoever imports Hypothesis milliseconds."""
    script = """
        import atexit, sys

        def watching():
            return [each for each in sys.meta_path if type(each).__name__ == "_Watch"]

        atexit.register(lambda: print(watching()))  # the first is called last
        import hypothesis
        from segue.testing.hypothesis_plugin import register
        register()
        print(len(watching()))
    """
    assert _run(dedent(script)) == "1\n[]\n"
