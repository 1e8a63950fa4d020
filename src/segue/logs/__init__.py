"""Logs: many conversations, interleaved, one line a delivery, replayed to one report each."""

from segue.logs.layout import Layout
from segue.logs.playback import replay
from segue.logs.replayer import Options, Replayer
from segue.logs.source import Path, ahead_in, lines_of, name_of
from segue.logs.times import read_time

__all__ = [
    "Layout",
    "Options",
    "Path",
    "Replayer",
    "ahead_in",
    "lines_of",
    "name_of",
    "read_time",
    "replay",
]
