"""The state machines behind the intakes, by the name that an intake's row has."""

from typing import Final

from segue.engine.actions import TranscriptionMachine
from segue.engine.lifecycle_events import LifecycleMachine
from segue.engine.machine import Machine

__all__ = ["MACHINES", "TRANSCRIPTION_MACHINE"]

MACHINES: Final[dict[str, Machine]] = {}
TRANSCRIPTION_MACHINE: Final = TranscriptionMachine()
for _machine in (LifecycleMachine(MACHINES), TRANSCRIPTION_MACHINE):
    MACHINES[_machine.name] = _machine
