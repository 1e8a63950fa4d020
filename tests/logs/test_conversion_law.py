"""Faultless logs of other platforms are converted to conversations without errors.

Repeated, late and interleaved events change nothing, and agents are connected as in the story.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from tests.logs.source_logs import WRITERS, draw_story, write_log

from segue import Policy
from segue.logs import FieldMapping, duckdb_connection, replay

if TYPE_CHECKING:
    from pathlib import Path

    from segue import Report

POLICY = Policy(ignore=("SG502",))
"""Platforms do not send all the fields that the specification requires."""


def check(platform: str, seed: int, path: Path) -> None:
    random = Random(seed)
    stories = [
        draw_story(random, f"c-{seed}-{index}", platform) for index in range(random.randint(1, 3))
    ]
    path.write_text(write_log(stories, platform, random))
    mapping = FieldMapping(platform=platform)
    reports = list(replay(path, field_mapping=mapping, policy=POLICY))
    assert {each.conversation_id for each in reports} == {each.name for each in stories}
    assert len(reports) == len(stories)
    for report in reports:
        [story] = [each for each in stories if each.name == report.conversation_id]
        said = [f.code for f in report.findings if f.severity == "error" or f.code >= "SG6"]
        assert (seed, said, report.phase) == (seed, [], "ended")
        assert (seed, connections(report)) == (seed, story.connections())
        kinds = {segment.agent: segment.kind for segment in reversed(report.segments)}
        assert (seed, kinds) == (seed, story.kinds())


def connections(report: Report) -> list[tuple[object, ...]]:
    return sorted(
        (segment.agent, each.started_at, each.ended_at)
        for segment in report.segments
        for each in segment.connections
    )


@pytest.mark.parametrize("platform", WRITERS)
def test_logs_are_converted_to_the_story_that_they_tell(platform: str, tmp_path: Path) -> None:
    for seed in range(10):
        check(platform, seed, tmp_path / "x.log")


@pytest.mark.thorough
@pytest.mark.parametrize("platform", WRITERS)
def test_500_logs_are_converted_to_their_stories(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are sorted in memory, because a connection of DuckDB takes longer than all the rest."""
    monkeypatch.setattr(duckdb_connection, "is_installed", lambda: False)
    for seed in range(500):
        check(platform, seed, tmp_path / "x.log")
